"""The commands on score tables: what they print, and what they say when something is wrong."""

import io
import json

import pandas as pd
import pytest

ROWS = [
    ("1", [1, 2, 1, 2, 1, 2], [2, 2, 1, 3, 1, 1]),
    ("2", [2, 3, 2, 3, 2, 4], [2, 1, 2, 4, 3, 2]),
    ("3", [5, 6, 5, 7, 6, 5], [4, 4, 5, 3, 4, 5]),
    ("10", [4, 5, 6, 6, 5, 7], [3, 5, 4, 4, 5, 4]),
]


@pytest.fixture
def run(without_note):
    return without_note


@pytest.fixture
def tables(tmp_path):
    """Two metrics and one human measure, four systems on six topics."""
    scores, judgments = ["topic\tsummarizer\tm1\tm2"], ["topic\tsummarizer\toverall"]
    for name, metric, human in ROWS:
        for topic, (score, truth) in enumerate(zip(metric, human, strict=True)):
            scores.append(f"t{topic}\t{name}\t{score}\t{score % 3}")
            judgments.append(f"t{topic}\t{name}\t{truth}")
    for name, lines in (("scores", scores), ("judgments", judgments)):
        (tmp_path / f"{name}.tsv").write_text("\n".join(lines) + "\n")
    return tmp_path / "scores.tsv", tmp_path / "judgments.tsv"


def read(text):
    names = {"first": str, "second": str}
    return pd.read_csv(io.StringIO(text), sep="\t", dtype=names, keep_default_na=False)


def test_evaluate_adds_ends_when_asked(run, printed, tables):
    out = printed("evaluate", "-q", *tables, "-f", "tsv", "--interval", "fisher", "--level", "system")
    table = read(out)
    assert {"low", "high"} < set(table)
    assert set(table["level"]) == {"system"}
    out = printed("evaluate", "-q", *tables, "--interval", "boot-both", "-r", 50, "--coefficient", "pearson")
    assert ["metric", "system", "input"] in [line.split() for line in out.splitlines()]
    assert "|coefficient:pearson|interval:boot-both|" in out


@pytest.fixture
def one_table(tables):
    """The same in one table, of two years."""
    parts = [pd.read_csv(path, sep="\t").melt(["topic", "summarizer"], var_name="metric") for path in tables]
    table = pd.concat(parts).rename(columns={"value": "score"})
    path = tables[0].with_name("all.tsv")
    pd.concat([table.assign(year=year) for year in (2021, 2022)]).to_csv(path, sep="\t", index=False)
    return path


@pytest.mark.slow
def test_metrics_are_ranked_over_the_years_of_one_table(run, printed, one_table):
    """The human measure, which is in the table too, is no metric; the text has the columns that one reads."""
    command = ["evaluate", one_table, "--pairs", "--target", "overall", "--together", "-r", 99, "-q"]
    out = printed(*command, "-f", "tsv")
    table = read(out)
    assert set(table["metric"]) == {"m1", "m2"}
    assert set(table["year"]) == {"2021+2022"}
    assert "command:evaluate --pairs|" in out
    assert "|alpha:0.05|together:True|interval:boot-both|" in out
    assert "|interval_kind:normal|n_resamples:99|seed:0|confidence:0.95|" in out
    text = run(*command)[1].splitlines()
    assert " agrees best with " in text[0]
    assert any(line.startswith("year 2021+2022, target overall, level system, ") for line in text)
    assert any({"metric", "value", "beats"} <= {*line.split()} for line in text)
    latex = run(*command, "-f", "latex")[1].splitlines()
    assert sum(line.endswith(r"\\") for line in latex) == 3  # the head and two metrics


def test_one_table_needs_a_target(printed, refused, one_table):
    said = "--target is missing, or a second table with judgments; the first has m1, m2, overall"
    refused(2, said, "evaluate", one_table)
    out = printed("evaluate", "-q", one_table, "--target", "overall", "--metric", "m1", "-f", "tsv")
    assert set(read(out)["metric"]) == {"m1"}


@pytest.mark.slow
def test_a_rater_stands_beside_the_metric(run, printed, refused, tables):
    """Two raters whose mean is the measure: the columns are there, and in text each below its name."""
    ratings = pd.read_csv(tables[1], sep="\t")
    path = tables[1].with_name("ratings.tsv")
    pd.concat(
        [ratings.assign(assessor=name, overall=ratings["overall"] + up) for name, up in (("P", 0), ("Q", 1))]
    ).to_csv(path, sep="\t", index=False)
    command = ["evaluate", tables[0], path, "--metric", "m1", "--level", "system", "--ceiling", "-q"]
    found = read(printed(*command, "-f", "tsv"))
    assert found["rater_of_others"].tolist() == pytest.approx([1, 1, 1])  # they agree but for a constant
    assert float(found["ceiling"].iat[0]) == pytest.approx(1)
    text = " ".join(run(*command, "--coefficient", "pearson")[1].split())
    assert "pearson pearson pearson, pearson, ceiling others rater" in text or "pearson ceiling" in text
    refused(1, "no single ratings; expected a column assessor", *command[:2], tables[1], "--ceiling")


def test_a_comparison_with_a_baseline_passes_or_fails_a_pipeline(run, tables):
    """The table is written all the same, and what is said goes to standard error, with --quiet too."""

    def gate(baseline, name, *more):
        how = ("--test", "paired_t", "--baseline", baseline, "--fail-if", name, "-f", "json", *more)
        code, out, err = run("compare", tables[0], "--metric", "m1", *how)
        return (
            code,
            [row["first"] for row in json.loads(out)["rows"]],
            err.removeprefix("classy-aesop: gate "),
        )

    code, rows, err = gate("3", "worse", "-q")
    assert (code, rows) == (3, ["1", "2", "10"])
    assert err.startswith("failed: 1 minus 3 is -")
    unseen = "with 6 topics failures on fewer than 39 % of topics may not have occurred"
    assert err.endswith(f"; likewise 2; {unseen}\n")
    code, _, err = gate("1", "worse", "-q")
    assert (code, err.startswith("passed: 2 minus 1 is ")) == (0, True)
    for name, code, words in (
        ("worse", 0, "passed: 2 minus 1 is "),
        ("not-better", 0, "passed: 3 minus 1 is "),
        ("not-as-good", 0, "passed: 2 minus 1 is "),
    ):
        found = gate("1", name, *(["--equivalence=-9,inf"] if name == "not-as-good" else []))
        assert (found[0], found[2][: len(words)]) == (code, words)
    code, _, err = gate("3", "not-better")
    assert (code, err.startswith("failed: 10 minus 3 is ")) == (3, True)


@pytest.mark.parametrize(
    "request_of", ["--fail-if worse", "--equivalence 0.5", "--equivalence=-1,inf --fail-if not-as-good"]
)
def test_signed_ranks_decide_no_gate_and_no_margin(run, tables, request_of):
    command = ("compare", tables[0], "--metric", "m1", "--baseline", "1")
    code, out, err = run(*command, "--test", "wilcoxon", *request_of.split())
    assert (code, out) == (2, "")
    assert "signed ranks (wilcoxon) test a shift; expected paired_t or no test" in err


UNDECIDED = {
    "one topic": (
        [(topic, system, topic + (system == "b")) for topic in range(1) for system in "ab"],
        "b against a: fewer than two topics",
    ),
    "constant": (
        [(topic, system, topic + (system == "b")) for topic in range(9) for system in "ab"],
        "b against a: every difference is the same, so no test knows how far it may vary",
    ),
    "nothing shared": (
        [(f"{system}{topic}", system, topic % 4) for topic in range(9) for system in "ab"],
        "b against a: ",
    ),
}


@pytest.mark.parametrize("reason", UNDECIDED)
def test_a_gate_is_undecided_where_the_data_cannot_decide_it(run, tmp_path, reason):
    rows, words = UNDECIDED[reason]
    path = tmp_path / "scores.csv"
    pd.DataFrame(rows, columns=["topic", "system", "quality"]).to_csv(path, index=False)
    how = ["--test", "paired_t"] if reason == "constant" else []
    for gate in ("worse", "not-better"):
        command = ("compare", path, "--baseline", "a", "--fail-if", gate, *how, "-q")
        code, _, err = run(*command)
        assert code == 3
        assert err.startswith(f"classy-aesop: gate undecided: {words}")


def test_a_gate_is_undecided_where_raters_are_confounded_with_systems(run, tmp_path):
    path = tmp_path / "scores.csv"
    rows = [
        (topic, system, rater, (topic * 7 + (system == "b")) % 5)
        for topic in range(9)
        for system, rater in (("a", "ann"), ("b", "bob"))
    ]
    pd.DataFrame(rows, columns=["topic", "system", "rater", "quality"]).to_csv(path, index=False)
    code, _, err = run("compare", path, "--baseline", "a", "--fail-if", "worse")
    assert code == 3
    assert "each rater rated one system only: a by ann, b by bob" in err
    assert "gate undecided: b against a: " in err


def test_compare_ranks_and_gives_each_pair_once_where_it_is_asked_for(run, tables):
    how = ("compare", tables[0], "--metric", "m1", "--test", "paired_t")
    text = run(*how)[1]
    rows = text[text.index("rank  ") :].splitlines()[1:5]
    assert [line.partition("  ")[2].split()[0] for line in rows] == ["3", "10", "2", "1"]
    best = "3 has the highest mean (5.667 [4.468, 6.524], allowing for the choice)"
    said = f"{best}; 5 of the 6 differences are significant; 10 is not "
    assert " ".join(text.split()).startswith(said)
    text = run(*how, "--pairs")[1]
    said = [line.split()[-1] for line in text[text.index("first ") :].splitlines()[1:7]]
    assert said == sorted(said, reverse=True)
    assert "first" not in text[: text.index("first ")]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("compare-metrics", "evaluate FILE --pairs"),
        ("leaderboard", "evaluate CORPUS -m rouge"),
        ("agreement", "study label-agreement JUDGMENTS --scores SCORES"),
    ],
)
def test_a_former_command_is_answered_with_the_new_line(run, name, line):
    said = f"classy-aesop: error: {name} is `classy-aesop {line}` now\n"
    assert run(name, "scores.tsv", "--target", "overall") == (2, "", said)


def test_what_is_wrong_is_one_line(refused, tables):
    for arguments, words in (
        (
            "compare {0} --metric m1 --fail-if worse",
            "--fail-if needs --baseline NAME, which others are compared",
        ),
        (
            "compare {0} --metric m1 --baseline 1 --fail-if not-as-good --equivalence 0.1",
            "--fail-if not-as-good needs a margin below 0 only: --equivalence=-0.1,inf",
        ),
        (
            "compare {0} --metric m1 --baseline 1 --mixed",
            "--mixed cannot be combined with --baseline; expected one",
        ),
        ("compare {0} --metric m1 --task A", "no task 'A'"),
        ("evaluate {0} {1} --confidence .9 -q", "confidence is 0.9 and there is no interval"),
        ("evaluate {0} {1} --interval fisher --coefficient tau_ap -q", "of tau_ap"),
    ):
        refused(2, words, *arguments.format(*tables).split())
