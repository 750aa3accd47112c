"""The commands on score tables: what they print, and what they say when something is wrong."""

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
def files(tmp_path):
    """Two metrics and a human measure of four systems on six topics; all in one table of two years; two raters."""
    scores, judgments = ["topic\tsummarizer\tm1\tm2"], ["topic\tsummarizer\toverall"]
    for name, metric, human in ROWS:
        for topic, (score, truth) in enumerate(zip(metric, human, strict=True)):
            scores.append(f"t{topic}\t{name}\t{score}\t{score % 3}")
            judgments.append(f"t{topic}\t{name}\t{truth}")
    for name, lines in (("scores", scores), ("judgments", judgments)):
        (tmp_path / f"{name}.tsv").write_text("\n".join(lines) + "\n")
    tables = {path.stem: pd.read_csv(path, sep="\t") for path in tmp_path.glob("*.tsv")}
    rows = pd.concat(table.melt(["topic", "summarizer"], var_name="metric") for table in tables.values())
    years = pd.concat([rows.assign(year=year) for year in (2021, 2022)])
    years.rename(columns={"value": "score"}).to_csv(tmp_path / "all.tsv", sep="\t", index=False)
    human = tables["judgments"]
    raters = [human.assign(assessor=name, overall=human["overall"] + up) for name, up in (("P", 0), ("Q", 1))]
    pd.concat(raters).to_csv(tmp_path / "raters.tsv", sep="\t", index=False)
    return tmp_path


LINES = [
    ("evaluate {0}/scores.tsv {0}/judgments.tsv --interval fisher", "|interval:fisher|confidence:0.95|"),
    (
        "evaluate {0}/scores.tsv {0}/judgments.tsv --interval boot-both -r 50 --coefficient pearson",
        "|interval:boot-both|interval_kind:percentile|",
    ),
    ("evaluate {0}/all.tsv --target overall --metric m1", "metric m1"),
    ("evaluate {0}/scores.tsv {0}/raters.tsv --metric m1 --ceiling", "ceiling"),
    pytest.param(
        "compare-metrics {0}/all.tsv --target overall --together -r 19",
        "year 2021+2022, target overall, level system, ",
        marks=pytest.mark.slow,
    ),
    (
        "compare {0}/scores.tsv --metric m1 --test paired_t",
        "3 has the highest mean (5.667 [4.468, 6.524], allowing for the choice); 5 of the 6 differences",
    ),
    ("compare {0}/scores.tsv --metric m1 --pairs", "first"),
    ("agreement {0}/scores.tsv {0}/judgments.tsv --target overall", "target overall, n_summarizers"),
]


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
    command = f"compare {files}/scores.tsv --metric m1 --test paired_t -f json -q --fail-if worse --baseline"
    code, out, err = run(f"{command} 3")
    assert (code, [row["first"] for row in json.loads(out)["rows"]]) == (3, ["1", "2", "10"])
    assert err.startswith("classy-aesop: gate failed: 1 minus 3 is -")
    unseen = "with 6 topics failures on fewer than 39 % of topics may not have occurred"
    assert err.endswith(f"; likewise 2; {unseen}\n")
    code, _, err = run(f"{command} 1")
    assert (code, err.startswith("classy-aesop: gate passed: 2 minus 1 is ")) == (0, True)


def test_a_gate_that_the_data_cannot_decide_fails(run, tmp_path):
    (tmp_path / "one.csv").write_text("topic,system,quality\nt,a,1\nt,b,2\n")
    code, _, err = run(f"compare {tmp_path}/one.csv --baseline a --fail-if worse -q")
    said = "classy-aesop: gate undecided: b against a: fewer than two topics"
    assert (code, err.startswith(said)) == (3, True)


WRONG = [
    (
        "compare {0}/scores.tsv --metric m1 --fail-if worse",
        "--fail-if needs --baseline NAME, which others are",
    ),
    (
        "compare {0}/scores.tsv --metric m1 --baseline 1 --fail-if not-as-good --equivalence 0.1",
        "--fail-if not-as-good needs a margin below 0 only: --equivalence=-0.1,inf",
    ),
    (
        "compare {0}/scores.tsv --metric m1 --baseline 1 --mixed",
        "--mixed cannot be combined with --baseline; expected one",
    ),
    (
        "compare {0}/scores.tsv --metric m1 --baseline 1 --fail-if worse --test wilcoxon",
        "signed ranks (wilcoxon) test a shift; expected paired_t or no test",
    ),
    ("compare {0}/scores.tsv --metric m1 --task A", "no task 'A'"),
    (
        "evaluate {0}/all.tsv",
        "--target is missing, or a second table with judgments; the first has m1, m2, o",
    ),
    (
        "evaluate {0}/scores.tsv {0}/judgments.tsv --confidence .9",
        "confidence is 0.9 and there is no interval",
    ),
    ("evaluate {0}/scores.tsv {0}/judgments.tsv --interval fisher --coefficient tau_ap", "of tau_ap"),
]


@pytest.mark.parametrize(("line", "words"), WRONG)
def test_what_is_wrong_is_one_line(refused, files, line, words):
    refused(2, words, *line.format(files).split(), "-q")


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
