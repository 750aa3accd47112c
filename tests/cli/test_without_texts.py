"""Tables of scores without texts: a command that needs texts names those that take such a table, and they do."""

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
