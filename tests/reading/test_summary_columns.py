"""Columns are known by their common names, or as they are named; what could be several things is refused."""

import re
import subprocess
import sys
import zipfile
from contextlib import nullcontext

import pandas as pd
import pytest

from classy_aesop import Corpus, read_corpus, read_scores
from classy_aesop.data.where import Where
from classy_aesop.errors import NOTE, DataWarning, InputError, UsageError
from classy_aesop.reading.column_names import FURTHER_NAMES, ROLES, role_of
from classy_aesop.reading.columns import Table
from classy_aesop.reading.jsonl import write_jsonl
from classy_aesop.reading.summary_columns import SummaryColumns, find_columns

CELLS = {"text": ["x", "y"], "numbers": [1.5, 2.5], "places": list(range(500, 530)), "nothing": [None, None]}


def recognize(kinds, columns=None):
    n_rows = 30 if "places" in kinds.values() else 2
    cells = {name: (CELLS[kind] * 15)[:n_rows] for name, kind in kinds.items()}
    return find_columns(Table.from_cells("", cells, [None] * n_rows), columns)


BASE = {"doc_id": "text", "system": "text", "summary": "text"}

COMMON = {
    "topic": ("doc_id", "id", "docid", "article_id", "input_id", "prompt_id"),
    "summarizer": ("model_version", "system", "model", "model_id", "system_id"),
    "text": ("summary", "output", "prediction", "candidate", "decoded", "hypothesis"),
    "references": ("reference", "target", "ref", "gold", "highlights"),
}


@pytest.mark.parametrize(("role", "name"), [(role, name) for role, names in COMMON.items() for name in names])
def test_common_names(role, name):
    of_role = {"topic": "doc_id", "summarizer": "system", "text": "summary"}.get(role)
    columns = {key: kind for key, kind in BASE.items() if key != of_role}
    for spelled in (name, name.upper().replace("_", " ")):
        assert recognize({**columns, spelled: "text"}).only(role) == spelled
    assert role_of(name) == role


def test_further_names_count_where_no_other_column_has_the_role():
    found = recognize({"sample_id": "text", "engine": "text", "response": "text", "ground_truth": "text"})
    assert str(found) == "topic = sample_id, summarizer = engine, text = response, references = ground_truth"
    found = recognize({**BASE, "sample_id": "text", "response": "text", "human_rating": "numbers"})
    assert (found.unread, found["measures"]) == (("sample_id", "response"), ("human_rating",))
    assert recognize({**BASE, "judge_score": "numbers"}).doubtful == ("judge_score",)


def test_numbers_that_count_rows_are_no_measure():
    cells = {name: ["x", "y", "z"] * 5 for name in BASE} | {"lot": [*range(1, 16)], "style": [4, 2, 5] * 5}
    columns = find_columns(Table.from_cells("", cells, [None] * 15))
    assert (columns.doubtful, columns["measures"]) == (("lot",), ("style",))


def test_names_of_tables_of_scores_are_known_in_tables_of_texts():
    found = recognize(
        {"mr_id": "text", "checkpoint": "text", "reply": "text", "expected": "text", "email": "text"}
    )
    roles = "topic = mr_id, summarizer = checkpoint, text = reply, references = expected, assessor = email"
    assert str(found) == roles
    prompts = Table.from_cells(
        "", {"reply": ["x", "y"], "bot": ["Who is it then?", "Where are you now?"]}, [None] * 2
    )
    assert find_columns(prompts)["summarizer"] == ()  # texts are no names


def test_numbers_are_a_text_where_they_are_named():
    answers = Table.from_cells("", {"id": ["a", "b"], "output": ["42", "17"]}, [None] * 2)
    with pytest.raises(InputError, match="no column for the text of a summary"):
        find_columns(answers)
    assert find_columns(answers, {"text": "output"}).only("text") == "output"


def test_words_of_a_known_scale_are_grades_where_they_are_named():
    rows = [
        {"id": n, "system": "a", "summary": "x", "reference": "y", "verdict": word}
        for n, word in enumerate(WORDS)
    ]
    with pytest.warns(DataWarning, match="ignored columns: verdict"):
        assert Corpus.from_rows(rows).judgments.empty
    assert Corpus.from_rows(rows, columns={"measures": "verdict"}).judgments["score"].tolist() == [1, 3, 2]


WORDS = ("poor", "good", "fair")


def test_further_rows_have_the_scales_and_marks_of_the_first():
    first = Table.from_cells("", {"grade": WORDS, "length": ["1,5", "2.000", "3"]}, [Where()] * 3)
    assert first["length"].scores(first.places).tolist() == [1.5, 2000, 3]
    rows = [(Where(), {"grade": "good", "length": "4.125"})]
    columns = {"measures": ("grade", "length")}
    further = SummaryColumns(first, columns).table_of_part(rows)
    assert [further[name].scores(further.places).tolist() for name in columns["measures"]] == [[3], [4125]]


def test_no_name_has_two_roles():
    names = [name for known in (ROLES, FURTHER_NAMES) for names in known.values() for name in names]
    assert len(names) == len(set(names))


def test_numbered_references_are_one_role():
    found = recognize({**BASE, "reference_1": "text", "reference_2": "text", "Reference 10": "text"})
    assert found["references"] == ("reference_1", "reference_2", "Reference 10")


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (("id",), "topic could be doc_id or id; name the one that is meant: --columns topic=NAME"),
        (("model",), "summarizer could be system or model"),
        (("text",), "text could be summary or text"),
        (("reference", "gold"), "references could be reference or gold"),
        (("reference_1", "ref_1"), "references could be reference_1 or ref_1"),
    ],
)
def test_ambiguous_names_are_refused_with_the_candidates(names, says):
    columns = {**BASE, **dict.fromkeys(names, "text")}
    with pytest.raises(InputError) as caught:
        recognize(columns)
    assert says in str(caught.value)


def test_names_of_our_own_files_come_before_others():
    own = {"instance_id": "text", "summarizer_id": "text", "summary": "text"}
    found = recognize({"id": "places", "model": "text", **own})
    assert (found.only("topic"), found.only("summarizer")) == ("instance_id", "summarizer_id")
    assert recognize({**own, "topic": "text"}).only("topic") == "topic"


def test_a_named_column_stands_in_for_a_recognized_one():
    found = recognize({**BASE, "id": "text"}, {"topic": "id"})
    assert found.only("topic") == "id"
    assert found.unread == ("doc_id",)
    assert recognize({**BASE, "text": "text"}, {"text": "summary", "documents": "text"})["documents"] == (
        "text",
    )
    assert recognize({**BASE, "article": "text"}, {"documents": ()}).unread == ("article",)


def test_every_other_column_of_numbers_is_a_measure_unless_some_are_named():
    columns = {**BASE, "coherence": "numbers", "fluency": "numbers", "note": "text", "Unnamed: 0": "numbers"}
    found = recognize(columns)
    assert (found["measures"], found.unread) == (("coherence", "fluency"), ("note", "Unnamed: 0"))
    found = recognize(columns, {"measures": ["coherence"]})
    assert (found["measures"], found.unread) == (("coherence",), ("fluency", "note", "Unnamed: 0"))


def test_numbers_with_names_of_other_things_are_measures_only_if_they_are_named():
    doubtful = "gpt4_relevance rouge1 ROUGE-2-R rougeL bertscore meteor chrF BLEU-4 LLM_judge_score rank "
    doubtful += "bart_score moverscore AutoSummENG qaeval_em s3_pyr js-2 row_id annotation_id summary_length "
    doubtful += "rowId n_words "
    doubtful += "wordCount created_year timestamp claude-3 perplexity cosine_similarity fold"
    human = "relevance coherence overall responsiveness linguistic_quality pyramid pyramid_jackknifed focus "
    human += "litepyramid_recall fluency informativeness DUC_coverage Q1 rating score judgement faithfulness "
    human += "non-redundancy overall_mean human_score grammaticality readability quality interest simplicity"
    columns = {**BASE, **dict.fromkeys(f"{doubtful} {human}".split(), "numbers")}
    found = recognize(columns)
    assert (found["measures"], found.doubtful) == (tuple(human.split()), tuple(doubtful.split()))
    assert found.unread == ()
    named = recognize(columns, {"measures": ["rank", "focus"], "scores": ["rouge1"]})
    assert (named["measures"], named["scores"], named.doubtful) == (("rank", "focus"), ("rouge1",), ())


def test_a_column_of_numbers_is_no_text_and_an_empty_one_gives_way():
    found = recognize({**BASE, "target": "numbers", "reference": "text"})
    assert (found["references"], found["measures"]) == (("reference",), ("target",))
    assert recognize({**BASE, "gold": "nothing", "reference": "text"})["references"] == ("reference",)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"colour": "x"}, "no column is a 'colour'; expected one of topic, summarizer, text"),
        ({"topic": "story"}, "no column story among doc_id, system, summary to use as topic"),
        ({"topic": ("doc_id", "system")}, "topic is one column; found doc_id, system"),
        ({"topic": "doc_id", "text": "doc_id"}, "column doc_id is named twice"),
        ({"topic": "doc_id", "doc": "system"}, "doc is one column; found doc_id, system"),
    ],
)
def test_names_that_do_not_fit_are_refused(fields, says):
    with pytest.raises(UsageError) as caught:
        recognize(BASE, fields)
    assert says in str(caught.value)


WIDE = pd.DataFrame(
    [
        {"doc_id": f"d{d}", "system": s, "summary": f"It rained {d} {s}.", "reference": "Rain.",
         "rating_1": 1 + at, "rating_2": 1.5 + (d + at) % 3, "rating_3": None if d == 2 else 3}
        for d in range(4)
        for at, s in enumerate("ab")
    ]
)  # fmt: skip


def long_of(wide):
    long = wide.melt(["doc_id", "system", "summary", "reference"], var_name="rater", value_name="rating")
    return long.assign(rater=long["rater"].str.removeprefix("rating_")).dropna(subset="rating")


def in_order(table):
    keys = [name for name in ("topic", "summarizer", "assessor") if name in table]
    return table.sort_values(keys).reset_index(drop=True)


def test_wide_is_long(tmp_path):
    wide, long = Corpus.from_rows(WIDE), Corpus.from_rows(long_of(WIDE))
    assert wide.topics == long.topics
    pd.testing.assert_frame_equal(in_order(wide.judgments), in_order(long.judgments))
    pd.testing.assert_frame_equal(in_order(wide.ratings.dropna()), in_order(long.ratings))
    assert wide.judgments["score"].iloc[0] == WIDE.iloc[0][["rating_1", "rating_2", "rating_3"]].mean()
    write_jsonl(wide, tmp_path / "out")
    pd.testing.assert_frame_equal(in_order(read_corpus(tmp_path / "out").ratings), in_order(long.ratings))


def test_hundreds_of_columns_are_not_listed():
    rows = WIDE.assign(**{f"note {at}": "x" for at in range(300)})
    with pytest.warns(DataWarning, match="ignored columns: note 0, .* and 280 more$") as told:
        corpus = Corpus.from_rows(rows)
    assert max(len(str(one.message)) for one in told) < 1000 > max(map(len, corpus.notes))


@pytest.mark.slow
def test_a_row_of_100000_numbers_takes_seconds(tmp_path):
    """Where anything is quadratic in the number of columns it takes minutes."""
    names, cells = ("topic", "system", "text"), (1, "a", "Rain.", *range(100_000))
    header = (*names, *(f"c{at}" for at in range(100_000)))
    (tmp_path / "x.csv").write_text(f"{','.join(header)}\n{','.join(map(str, cells))}\n")
    code = "import resource, classy_aesop; resource.setrlimit(resource.RLIMIT_CPU, (60, 60))"
    code = f"{code}; classy_aesop.read_corpus({str(tmp_path / 'x.csv')!r})"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_raters_by_the_users_word(caplog):
    caplog.set_level(NOTE, "classy_aesop")
    people = WIDE.rename(columns={"rating_1": "by_ann", "rating_2": "by_bob"}).drop(columns="rating_3")
    assert set(Corpus.from_rows(people).judgments["metric"]) == {"by_ann", "by_bob"}
    corpus = Corpus.from_rows(people, columns={"ratings": "by_*"})
    assert set(corpus.judgments["metric"]) == {"by"}
    assert set(corpus.ratings["assessor"]) == {"ann", "bob"}
    assert "by is the mean of 2 raters (by_ann, by_bob)" in caplog.text
    apart = Corpus.from_rows(WIDE, columns={"measures": ["rating_1", "rating_2", "rating_3"]})
    assert set(apart.judgments["metric"]) == {"rating_1", "rating_2", "rating_3"}
    with pytest.raises(UsageError, match="the column rater names the rater of a row; expected one of"):
        Corpus.from_rows(WIDE.assign(rater="x"), columns={"ratings": "rating_*"})
    with pytest.raises(UsageError, match="columns of raters share the name rating with another column"):
        Corpus.from_rows(WIDE.assign(rating=1), columns={"ratings": "rating_*"})


@pytest.mark.filterwarnings("ignore:.*decimal commas are read as points")
@pytest.mark.parametrize("name", ["x.csv", "x.txt", "x.tsv", "x.xlsx"])
def test_files_of_spreadsheets(tmp_path, name):
    path = tmp_path / name
    if name == "x.xlsx":
        pytest.importorskip("openpyxl")
        WIDE.to_excel(path, index=False)
    else:
        separator = {"csv": ",", "txt": ";", "tsv": "\t"}[name[2:]]
        WIDE.to_csv(path, index=False, sep=separator, decimal="," if name == "x.txt" else ".")
        with path.open("a") as stream:
            stream.write(separator * 6 + "\n" + separator * 6 + "\n")
    found = read_corpus(path, layout="table")
    pd.testing.assert_frame_equal(found.ratings, Corpus.from_rows(WIDE).ratings)


def test_the_first_visible_sheet_that_holds_anything_is_read_and_it_is_said(tmp_path):
    book = pytest.importorskip("openpyxl").Workbook()
    book.active.title = "empty"
    for name in ("hidden", "data", "more"):
        sheet = book.create_sheet(name)
        for row in [list(WIDE.columns), *WIDE.iloc[: 2 if name == "hidden" else None].values.tolist()]:
            sheet.append(row)
    book["hidden"].sheet_state = "hidden"
    book.save(tmp_path / "x.xlsx")
    with pytest.warns(DataWarning, match=r"x.xlsx: only the sheet data is read, not empty, hidden, more"):
        assert len(read_corpus(tmp_path / "x.xlsx")) == 4
    (tmp_path / "y.xlsx").write_bytes(b"PK\3\4 and no more")
    with pytest.raises(InputError, match=r"y.xlsx: not a whole workbook of Excel"):
        read_corpus(tmp_path / "y.xlsx")


@pytest.mark.parametrize(
    ("rows", "stored", "said"),
    [
        ([("1", "a", 3), ("1", "b", "=1+3"), ("2", "a", None)], {}, "1, the first in C3;"),
        ([("1", "a", "=1+2"), ("1", "b", "=1+3")], {"C2": ("", 3)}, "1, the first in C3;"),
        ([("1", "a", 3), ("=A2", "=B2", "=C2")], {}, "3, the first in A3;"),
        ([("1", "a", "=1+2"), ("1", "b", "=1+3")], {"C2": ("", 3), "C3": (' t="str"', "")}, ""),
    ],
)
def test_a_formula_without_a_stored_value_is_empty_with_a_warning(tmp_path, rows, stored, said):
    """Before, it was an error; an empty text is a value."""
    openpyxl, plain, path = pytest.importorskip("openpyxl"), tmp_path / "plain.xlsx", tmp_path / "x.xlsx"
    book = openpyxl.Workbook()
    for row in (("topic", "system", "m"), *rows):
        book.active.append(row)
    book.save(plain)
    with zipfile.ZipFile(plain) as before, zipfile.ZipFile(path, "w") as after:
        for name in before.namelist():
            xml = before.read(name).decode()
            for cell, (kind, value) in stored.items():
                written = rf'<c r="{cell}"{kind}>\1<v>{value}</v>'
                xml = re.sub(rf'<c r="{cell}"[^>]*>(<f>[^<]*</f>)(?:<v ?/>|<v></v>)', written, xml)
            after.writestr(name, xml)
    expected = f"x.xlsx: formulas without a value are read as empty: {said}"
    with pytest.warns(DataWarning, match=expected) if said else nullcontext():
        assert read_scores(path)["score"].dropna().tolist() == [3.0]


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet", "jsonl"])
def test_a_date_is_one_text_in_every_format(tmp_path, ending):
    pytest.importorskip({"xlsx": "openpyxl", "parquet": "pyarrow"}.get(ending, "pandas"))
    days = pd.to_datetime(["2021-05-01", "2021-05-02"])
    table, path = pd.DataFrame({"topic": days, "system": "a", "m": [1, 2]}), tmp_path / f"x.{ending}"
    if ending == "jsonl":
        table["topic"] = table["topic"].dt.strftime("%Y-%m-%d")
        table.to_json(path, orient="records", lines=True)
    else:
        getattr(table, {"csv": "to_csv", "xlsx": "to_excel", "parquet": "to_parquet"}[ending])(
            path, index=False
        )
    assert read_scores(path)["topic"].tolist() == ["2021-05-01", "2021-05-02"]


def test_numbers_that_only_tell_rows_apart_are_no_judgments():
    rows = pd.concat([WIDE] * 4, ignore_index=True)
    rows["doc_id"] = [f"d{at // 2}" for at in range(len(rows))]
    with pytest.warns(DataWarning, match="by their names or values no human measures: hit; "):
        corpus = Corpus.from_rows(rows.assign(hit=range(5000, 5000 + len(rows))))
    assert set(corpus.judgments["metric"]) == {"rating"}


@pytest.mark.parametrize(
    ("package", "name", "start", "says"),
    [
        ("openpyxl", "x.xlsx", b"PK", r"pip install openpyxl, or save the sheet as CSV"),
        (
            "pyarrow",
            "x.parquet",
            b"PAR1",
            r"x.parquet: reading Parquet needs pyarrow: pip install pyarrow",
        ),
    ],
)
def test_without_openpyxl_a_line_says_what_to_do(tmp_path, monkeypatch, package, name, start, says):
    monkeypatch.setitem(sys.modules, package, None)
    (tmp_path / name).write_bytes(start)
    with pytest.raises(InputError, match=says):
        read_corpus(tmp_path / name)
