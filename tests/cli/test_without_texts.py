"""Tables of scores without texts: a command that needs texts names those that take such a table, and they do."""

import json
from pathlib import Path

import pytest

SCORES = "doc_id,system,rouge,judge\n" + "".join(
    f"d{topic},s{system},{(3 * topic + 5 * system) % 7 / 10},{(topic + 2 * system) % 5}\n"
    for topic in range(6)
    for system in range(5)
)
RATINGS = "doc_id,system,rating_1,rating_2\n" + "".join(
    f"d{topic},s{system},{1 + (topic + system) % 4},{1 + (topic * system) % 5}\n"
    for topic in range(6)
    for system in range(5)
)
BOTH = ("scores.csv", "ratings.csv", "--target", "rating")
TAKING = {
    "evaluate": BOTH,
    "compare": ("scores.csv", "--metric", "rouge"),
    "compare-metrics": (*BOTH, "--resamples", "20"),
    "agreement": BOTH,
    "power": ("scores.csv", "--metric", "rouge", "--difference", "0.2", "--trials", "20"),
    "assessors": ("ratings.csv",),
}
"""How each command that a message names is typed for such tables."""


@pytest.fixture
def tables(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text(SCORES)
    (tmp_path / "ratings.csv").write_text(RATINGS)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    "words",
    [
        "train scores.csv --target rouge -o out",
        "leaderboard scores.csv --target rating",
        "study metric-pairs scores.csv --target rating",
        "baselines scores.csv",
        "init --data 1=scores.csv --target rating",
        "validate scores.csv",
    ],
)
def test_the_commands_that_a_message_names_take_the_table(run, tables, words):
    code, _, said = run(*words.split())
    assert code == 1
    named, found, _ = said.rpartition("; ")[2].partition(" take scores without texts")
    assert found
    for name in named.replace(" and ", ", ").split(", "):
        code, out, said = run(name, *TAKING[name])
        assert (code, bool(out)) == (0, True), said


def to_json_lines(table):
    names, *rows = (line.split(",") for line in table.splitlines())
    plain = [[name if at < 2 else float(name) for at, name in enumerate(row)] for row in rows]
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in plain)


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
@pytest.mark.parametrize("renamed", ["scores", "ratings"])
def test_a_column_that_a_message_asks_for_may_be_in_one_of_two_tables(run, tables, ending, renamed):
    expected = run("evaluate", *BOTH)[1]
    texts = {"scores": SCORES, "ratings": RATINGS}
    texts[renamed] = texts[renamed].replace("doc_id", "story")
    for name, text in texts.items():
        is_other = name != renamed
        place = Path(f"{name}.{ending if is_other else 'csv'}")
        place.write_text(to_json_lines(text) if is_other and ending == "jsonl" else text)
    paths = [f"{name}.{'csv' if name == renamed else ending}" for name in texts]
    words = ["evaluate", *paths, "--target", "rating"]
    code, _, said = run(*words)
    assert (code, "or its name: --columns topic=NAME" in said) == (1, True), said
    code, out, said = run(*words, "--columns", "topic=story")
    assert (code, said.count("topic = story")) == (0, 1), said
    assert out == expected
    code, _, said = run(*words, "--columns", "topic=stories")
    assert code == 2
    assert said.endswith(
        f"no column stories among {', '.join(columns(texts))} of {', '.join(paths)}; asked for as topic\n"
    )


def columns(texts):
    return dict.fromkeys(name for text in texts.values() for name in text.partition("\n")[0].split(","))


def test_an_encoding_that_a_message_asks_for_may_be_that_of_one_of_two_tables(run, tables):
    Path("scores.csv").write_text(SCORES.replace("s1", "sü"), encoding="utf-8")
    Path("ratings.csv").write_text(RATINGS.replace("s1", "sü"), encoding="utf-8")
    expected = run("evaluate", *BOTH)[1]
    Path("scores.csv").write_bytes(SCORES.replace("s1", "sü").encode("cp1252"))
    Path("ratings.jsonl").write_text(to_json_lines(RATINGS.replace("s1", "sü")))
    words = ["evaluate", "scores.csv", "ratings.jsonl", "--target", "rating"]
    code, _, said = run(*words)
    assert (code, "another encoding is named by --encoding" in said) == (1, True), said
    assert run(*words, "--encoding", "cp1252")[1] == expected != ""
    code, _, said = run(
        "evaluate", "ratings.jsonl", "ratings.jsonl", "--target", "rating", "--encoding", "cp1252"
    )
    assert (code, "an encoding is of a text table (CSV, TSV); found ratings.jsonl" in said) == (2, True), said


@pytest.mark.parametrize("raters", ["A1,A2", "rating_1,rating_2"])
def test_the_raters_of_a_target_are_no_metrics_in_its_own_table(run, tables, raters):
    """Before, each rater was a metric that correlates with the mean of all."""
    rows = [
        f"{score},{','.join(rating.split(',')[2:])}"
        for score, rating in zip(SCORES.split(), RATINGS.split(), strict=True)
    ]
    Path("both.csv").write_text("\n".join(rows).replace("rating_1,rating_2", raters) + "\n")
    target = raters.partition(",")[0].rstrip("_1")
    code, out, said = run("evaluate", "both.csv", "--target", target, "-f", "tsv")
    assert (code, said.count("is the mean of 2 raters")) == (0, 1), said
    assert {line.split("\t")[2] for line in out.splitlines()[1:]} == {"rouge", "judge"}


@pytest.mark.parametrize(
    "words",
    [
        "leaderboard corpus.csv --target rating --scores {}",
        "estimate ratings.csv --target rating --scores {}",
        "evaluate {} ratings.csv --target rating --corpus corpus.csv",
        "report {} -o page.html",
    ],
)
@pytest.mark.parametrize("kind", ["encoding", "columns"])
def test_no_message_asks_for_an_option_that_is_about_other_files(run, tables, words, kind):
    """Before, each did, and with the option the command said that it is for its corpus, or that it has none."""
    if words.startswith("report"):
        pytest.importorskip("matplotlib")
        pytest.importorskip("jinja2")
    Path("corpus.csv").write_text("doc_id,system,summary,rating\nd1,s1,It rained.,3\nd1,s2,It snowed.,4\n")
    table = SCORES.replace("doc_id", "story") if kind == "columns" else SCORES.replace("s1", "s\xfc")
    Path("odd.csv").write_bytes(table.encode("cp1252"))
    code, _, said = run(*words.format("odd.csv").split())
    assert code == (0 if (words[:6], kind) == ("report", "columns") else 1)
    assert "--columns" not in said
    assert "--encoding" not in said
    code, _, said = run("compare", "odd.csv", "--metric", "rouge")
    assert (code, f"--{kind}" in said) == (1, True)
