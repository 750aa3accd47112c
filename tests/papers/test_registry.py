"""Every study declares what its function takes; its command runs on a small corpus."""

from pathlib import Path

import pytest

from classy_aesop.answers.declared import answer_of
from classy_aesop.cli import main
from classy_aesop.pages.figure import pictures
from classy_aesop.pages.formats import check_columns, read_result
from classy_aesop.papers import STUDIES
from classy_aesop.tables.answer import say_nothing
from classy_aesop.tables.layout import lay_out

SAMPLE = Path(__file__).parent.parent.parent / "data_samples"

COMMANDS = {
    "topic-ranks": "{a} --metric responsiveness --task A",
    "pair-counts": "{a} --task A --metric pyramid --with-resampling --n-resamples 19",
    "normality": "{a} --target pyramid --task A",
    "metric-intervals": "{a} --target pyramid --task A --n-resamples 9",
    "metric-pairs": "{a} --target pyramid --task A --n-resamples 9 -q",
    "score-map": "{a} --metric ROUGE-2-R --task A",
    "score-ranks": "{a} --metric responsiveness",
    "best-pairs": "{a} {b} --top 5",
    "label-agreement": "{a} {b} --target pyramid --top 5 --combine 2 --task A",
    "best-metrics": "{a} --target pyramid --top 5 --task A --n-resamples 9",
    "human-gap": "{a} --target pyramid --task A",
    "ngram-correlations": "{a} --target pyramid --task A",
    "ngram-ranks": "{a} --target pyramid --task A",
    "principal-components": "{a}",
    "bleu-correlations": "{a} --target pyramid --task A",
    "williams-shift": "{a} --target pyramid --task A",
    "distributions": "{a} --target pyramid --task A --n-resamples 9",
    "agreement-exclusion": "{repeated} --topic-labels {repeated_topics}",
    "consistency": "{repeated} --topic-labels {repeated_topics}",
    "ngram-hits": "{a} --target pyramid --task A",
    "assessor-effects": "{a} --topic-labels {topics} --metric pyramid",
    "year-counts": "{a} {b}",
    "topic-counts": "{a} --topic-labels {topics}",
    "pyramid-gap": "{a} --topic-labels {topics} --units {units}",
    "marked-units": "{marked}",
    "best-on-topic": "{a} --task A --topic D2101 --top 2",
    "gap-exclusion": "{a} --topic-labels {topics} --units {units}",
    "coefficients": "{config}",
    "retraining": "{pyramids} --topic-labels {topics} --units {units} --worst 1",
    "coverage": "{a} --target pyramid --n-trials 2 --n-resamples 9",
    "metric-power": "{a} --target pyramid --task A --share .2,.5 --n-trials 3 --n-resamples 9",
    "mixture-power": "{a} --metric pyramid --task A --n-trials 3 --null 50",
}


@pytest.fixture
def paths(small, tmp_path):
    """The files that commands read."""
    from classy_aesop.reading import read_corpus

    lines = ["year\ttopic\tassessor\tcategory"]
    for year in ("2021", "2022", "2023"):
        names = sorted({topic.topic for topic in read_corpus(small / year).topics})
        lines += [f"{year}\t{name}\t{'PQ'[at % 2]}\t{'xy'[at // 2 % 2]}" for at, name in enumerate(names)]
    topics, units, marked = (tmp_path / f"{name}.tsv" for name in ("topics", "units", "marked"))
    topics.write_text("\n".join(lines) + "\n")
    written = "".join(f"{topic}\t1\t{who}\tthe\n" for topic in ("D2101", "D2201") for who in "AB")
    units.write_text(f"topic\tunit\tsummarizer\ttext\n{written}")
    text = (small / "one.toml").read_text().replace("responsiveness", "pyramid")
    pyramids = tmp_path / "pyramids.toml"
    pyramids.write_text(text.replace('path = "', f'path = "{small}/'))
    rows = "".join(f"t\t{at}\t2\t4\t1\n" for at in "12")
    marked.write_text(f"topic\tsummarizer\tmarked\tunits\tcompleteness\n{rows}")
    return {
        "a": small / "2021",
        "b": small / "2022",
        "config": small / "one.toml",
        "pyramids": pyramids,
        "topics": topics,
        "units": units,
        "marked": marked,
        "repeated": SAMPLE / "repeated",
        "repeated_topics": SAMPLE / "topics.tsv",
    }


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("name", COMMANDS)
def test_the_command_runs_on_a_small_corpus_and_its_table_is_of_its_kind(name, paths, tmp_path):
    out = tmp_path / "out.tsv"
    assert main(["study", name, *COMMANDS[name].format(**paths).split(), "-f", "tsv", "-o", str(out)]) == 0
    result = read_result(out)
    answer = answer_of(result)
    assert result.answer is answer
    assert result.kind == f"study {name}"
    assert result.signature.startswith(f"command:study {name}|")
    assert list(result.columns) == list(result.table)
    check_columns(result, out)
    assert bool(list(pictures(result))) == answer.has_pictures
    assert answer.sentence is say_nothing or answer.sentence(result.table).endswith(".")
    assert len(lay_out(result.table, answer).whole) == len(result.table) > 1
    assert not any(name.startswith("printed") for name in result.table)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, study in STUDIES.items() if study.remakes_tables])
def test_tables_are_laid_out_as_printed(name, paths, tmp_path, capsys):
    out = tmp_path / "out.tsv"
    command = ["study", name, *COMMANDS[name].format(**paths).split(), "--as-printed"]
    assert main([*command, "-f", "tsv", "-o", str(out)]) == 0
    table = read_result(out).table
    assert table["table"].str.contains("), Table ", regex=False).all()
    cells = table.drop(columns="table")
    assert cells.notna().any().all()
    if name != "coefficients":  # whose print has both weights of an update in one place
        assert not cells.astype(str).apply(lambda column: column.str.contains(", ")).any(axis=None)
    assert main([*command, "-f", "latex"]) == 0
    assert capsys.readouterr().out.count("begin{table") == table["table"].nunique()
    assert main([*command, "-f", "html"]) == 0
    assert capsys.readouterr().out.count("<table") == table["table"].nunique()


def test_every_study_has_such_a_test_and_is_listed(capsys):
    assert set(COMMANDS) == set(STUDIES)
    with pytest.raises(SystemExit) as ended:
        main(["study", "--list"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    items = [(item, f"study {name}") for name, study in STUDIES.items() for item in study.remakes]
    lines = shown.splitlines()
    for item, command in items:
        paper, _, rest = item.partition("), ")
        places = (n for n, line in enumerate(lines) if line == f"  {rest}")
        at = [n for n in places if lines[n + 1].split("  ")[2] == command]
        assert at, item
        assert f"{paper})" in lines[: at[0]]
    assert max(map(len, lines)) <= 80
