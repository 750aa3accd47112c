"""Tables of scores without texts: a command that needs texts names those that take such a table, and they do."""

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
    "power": ("scores.csv", "--metric", "rouge", "--difference", "0.2", "--n-trials", "20"),
    "assessors": ("ratings.csv",),
}
"""How each command that a message names is typed for such tables."""


@pytest.fixture
def tables(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text(SCORES)
    (tmp_path / "ratings.csv").write_text(RATINGS)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "train scores.csv --target rouge -o out",
        "baselines scores.csv",
        "init --data 1=scores.csv --target rating",
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


@pytest.mark.parametrize("study", ["metric-pairs", "metric-intervals", "human-gap", "ngram-hits"])
def test_a_study_of_metrics_says_that_a_table_of_judgments_has_none(run, tables, study):
    code, _, said = run("study", study, "scores.csv", "--target", "judge")
    assert (code, said.splitlines()[-1].endswith("expected --scores FILE, or texts")) == (1, True)


def test_a_folder_without_judgments_names_the_files_that_are_there(run, folder):
    judgments = folder / "2021" / "judgments.jsonl"
    judgments.rename(judgments.with_name("judgements.jsonl"))
    said = "the corpus has no judgments, but judgements.jsonl, summaries.jsonl; expected judgments.jsonl"
    assert said in run("assessors", folder / "2021")[2]
    (folder / "2021" / "summaries.jsonl").unlink()
    said = "a folder of judgements.jsonl; expected a file, or a folder of summaries.jsonl"
    assert said in run("assessors", folder / "2021")[2]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("raters", ["coder_1,coder_2", "rating_1,rating_2"])
def test_the_raters_of_a_target_are_no_metrics_in_its_own_table(run, tables, raters):
    rows = [
        f"{score},{','.join(rating.split(',')[2:])}"
        for score, rating in zip(SCORES.split(), RATINGS.split(), strict=True)
    ]
    Path("both.csv").write_text("\n".join(rows).replace("rating_1,rating_2", raters) + "\n")
    target = raters.partition(",")[0].rstrip("_1")
    code, out, said = run("evaluate", "both.csv", "--target", target, "-f", "tsv")
    assert (code, said.count(f"ratings={raters}")) == (0, 1), said
    assert {line.split("\t")[2] for line in out.splitlines()[1:]} == {"rouge", "judge"}


@pytest.mark.slow(after=2)
@pytest.mark.parametrize(
    "words",
    [
        "estimate ratings.csv --target rating --scores {}",
        "evaluate {} ratings.csv --target rating --corpus corpus.csv",
        "report {} -o page.html",
    ],
)
@pytest.mark.parametrize("kind", ["encoding", "columns"])
def test_no_message_asks_for_an_option_that_is_about_other_files(run, tables, words, kind):
    if words.startswith("report"):
        pytest.importorskip("matplotlib")
        pytest.importorskip("jinja2")
    Path("corpus.csv").write_text("doc_id,system,summary,rating\nd1,s1,It rained.,3\nd1,s2,It snowed.,4\n")
    incomplete = (
        "\n".join(SCORES.splitlines()[:-1]) + "\n"
    )  # else each system has a row of each zz: the topic
    table = incomplete.replace("doc_id", "zz") if kind == "columns" else SCORES.replace("s1", "s\xfc")
    Path("odd.csv").write_bytes(table.encode("cp1252"))
    code, _, said = run(*words.format("odd.csv").split())
    assert code == (0 if (words[:6], kind) == ("report", "columns") else 1)
    assert "--columns" not in said
    assert "--encoding" not in said
    code, _, said = run("compare", "odd.csv", "--metric", "rouge")
    assert (code, f"--{kind}" in said) == (1, True)
