"""Commands on corpora: what is recognized is printed, and what is converted reads back."""

import gzip

import pytest

from classy_aesop import Corpus, read_corpus

TABLE = """story,system,summary,reference,quality,refrences
1,a,It rained.,Rain.,3,x
1,b,Sun.,Rain.,1,
2,a,Snow.,Snow fell.,4,
"""


@pytest.fixture
def table(tmp_path):
    (path := tmp_path / "table.csv").write_text(TABLE)
    return path


def test_validate_prints_what_was_recognized(run, table):
    code, out, err = run("validate", table, "--columns", "topic=story", "-f", "tsv")
    assert code == 0
    assert out.splitlines()[1].split("\t")[:2] == [
        "columns",
        "topic = story, summarizer = system, text = summary, references = reference, measures = quality",
    ]
    assert err.endswith("table.csv: ignored columns: refrences\n")


@pytest.mark.parametrize(
    ("header", "more", "then"),
    [
        ("quality", "", "train {} --target quality -o run"),
        ("row_id", "", "predict published/news-content {}"),
        ("quality", "bertscore", "evaluate {} --target quality"),
    ],
)
def test_validate_ends_with_what_to_run_next(printed, tmp_path, header, more, then):
    path = tmp_path / "a table.csv"
    head, *rows = TABLE.replace("quality", header).splitlines()
    path.write_text("\n".join([f"{head},{more}", *(f"{row},.5" for row in rows)] if more else [head, *rows]))
    roles = f"topic=story,scores={more}" if more else "topic=story"
    out = printed("validate", path, "--columns", roles, "-q").split("\n\n")[-1]
    command = then.format(f"'{path}'")
    assert " ".join(out.splitlines()[:-1]) == f"next: classy-aesop {command}"


def test_without_references_the_predictor_that_needs_none_comes_next(printed, tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text("document_id,system,summary\nd1,a,The port is closed.\nd1,b,Ships wait.\n")
    out = printed("validate", path, "-q").split("\n\n")[-1]
    assert "next: classy-aesop predict published/news-relevance" in " ".join(out.splitlines())


def test_convert_reads_back(run, refused, table, tmp_path):
    out = tmp_path / "out"
    assert run("convert", table, "-o", out, "--columns", "topic=story,documents=", "-q")[0] == 0
    back = read_corpus(out)
    rows = [line.split(",") for line in TABLE.splitlines()]
    rows = [dict(zip(rows[0][:4], row[:4], strict=True), quality=int(row[4])) for row in rows[1:]]
    made = Corpus.from_rows(rows, columns={"topic": "story"})
    assert back.topics == made.topics
    assert back.judgments.equals(made.judgments)
    assert run("convert", out, "-o", tmp_path / "again", "-q")[0] == 0
    for name in ("summaries.jsonl", "judgments.jsonl"):
        assert (tmp_path / "again" / name).read_bytes() == (out / name).read_bytes()
    before = table.read_text()
    refused(2, "table.csv is read by this", f"convert {table} -o {table.parent} --columns topic=story -q")
    assert table.read_text() == before


def test_convert_to_one_file_is_for_summaries_alone(run, refused, table, tmp_path):
    place = tmp_path / "one.jsonl"
    said = "one file cannot hold the judgments and scores of this corpus; expected a folder"
    refused(2, said, f"convert {table} -o {place} --columns topic=story -q")
    assert not place.exists()
    assert run("convert", table, "-o", place, "--columns", "topic=story,measures=", "-q")[0] == 0
    assert len(list(read_corpus(place).summaries())) == 3
    packed = tmp_path / "packed.jsonl.gz"
    assert run("convert", place, "-o", packed, "-q")[0] == 0
    assert gzip.decompress(packed.read_bytes()) == place.read_bytes()


@pytest.mark.parametrize(
    ("columns", "code", "says"),
    [
        ("topic", 2, "'topic'; expected ROLE=NAME, e.g. topic=story,text=out"),
        ("colour=story", 2, "no column is a 'colour'; expected one of topic, "),
        ("topic=tale", 2, "no column tale among story, system, "),
        ("text=summary", 1, "table.csv: no column for the topic among story, system"),
    ],
)
def test_columns_that_do_not_fit_are_one_line(refused, table, columns, code, says):
    refused(code, says, "validate", table, "--columns", columns, "-q")


@pytest.mark.slow
def test_scores_of_a_metric_in_the_table_go_with_it(run, printed, refused, table, tmp_path):
    """They are no human measure, are compared like imported ones, and are written beside the judgments."""
    rows = [f"{line.rpartition(',')[0]},{at}" for at, line in enumerate(TABLE.splitlines()[1:])]
    table.write_text("\n".join(["story,system,summary,reference,quality,judge", *rows]) + "\n")
    how = ("--columns", "topic=story,scores=judge", "-q")
    _, out, _ = run("validate", table, *how)
    assert "scores: judge" in out
    assert "judgments: judge" not in out
    assert run("convert", table, "-o", tmp_path / "out", *how)[0] == 0
    assert (tmp_path / "out" / "judgments.jsonl").read_text().count("judge") == 0
    said = "one file cannot hold the judgments and scores"
    refused(2, said, "convert", table, "-o", tmp_path / "one.jsonl", *how)
    board = ("--target", "quality", "-m", "none", "-f", "tsv")
    out = printed("evaluate", table, *how, *board)
    assert "|scores:judge|" in out
    of_file = run("evaluate", tmp_path / "out" / "scores.jsonl", tmp_path / "out", "-q", *board)[1]
    assert out.replace("|scores:judge|", "|scores:scores.jsonl|") == of_file
