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
        "|interval:boot-both|",
    ),
    ("evaluate {0}/all.tsv --target overall --metric m1", "metric m1"),
    pytest.param(
        "evaluate {0}/all.tsv --pairs --target overall --together -r 19",
        "year 2021+2022, target overall, level system, ",
        marks=pytest.mark.slow,
    ),
    (
        "compare {0}/scores.tsv --metric m1 --test paired_t",
        "3 has the highest mean (5.667 [4.468, 6.524], allowing for the choice); 5 of the 6 differences",
    ),
    ("compare {0}/scores.tsv --metric m1 --pairs", "first"),
    (
        "compare {0}/all.tsv --metric m1 --together",
        "(constant difference). Tested on these years alone, 5 differences are significant.",
    ),
]


FILES_AFTER_OPTIONS = [
    "compare --only 1 2 3 {0}/scores.tsv --metric m1 -q",
    "compare -q --metric m1 --only 1,2,3 {0}/scores.tsv",
    "compare --only=1 --only 2 3 -q {0}/scores.tsv --metric m1",
]


@pytest.mark.parametrize("line", FILES_AFTER_OPTIONS)
def test_a_file_that_follows_a_list_is_an_argument(printed, files, line):
    expected = printed(f"compare {files}/scores.tsv --metric m1 --only 1 2 3 -q")
    assert printed(line.format(files)) == expected


def test_several_files_after_lists_keep_their_order(printed, files):
    scores, judgments = files / "scores.tsv", files / "judgments.tsv"
    expected = printed("evaluate", scores, judgments, "--metric", "m1", "m2", "-q")
    assert printed("evaluate", "--metric", "m1", "m2", scores, "-q", judgments) == expected


def test_a_file_that_is_not_there_is_no_name_of_a_list(refused, files):
    refused(2, "error: nofile.csv: no such file or folder", "compare", "--baseline", "1", "2", "nofile.csv")


def test_a_column_of_scores_that_is_asked_to_be_computed_is_said_to_be_one_of_metric(refused, files):
    """It said that the judgments have no column for the text of a summary."""
    message = "error: -m m1 is not computed on texts; expected one of rouge, "
    refused(2, message, "evaluate", files / "scores.tsv", files / "judgments.tsv", "-m", "m1")


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(("line", "words"), LINES)
def test_a_command_answers(printed, files, line, words):
    assert words in " ".join(printed(f"{line.format(files)} -q").split())


def test_a_comparison_with_a_baseline_passes_or_fails_a_pipeline(run, files):
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
        "--fail-if needs one --baseline NAME, which others are",
    ),
    (
        "compare {0}/scores.tsv --metric m1 --fail-if worse --baseline 1 2",
        "--fail-if needs one --baseline NAME, which others are",
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
        "compare {0}/scores.tsv --metric m1 --together",
        "1 year and task to compare together; expected two or more",
    ),
    (
        "evaluate {0}/scores.tsv {0}/judgments.tsv --interval none --confidence .9",
        "confidence is 0.9 and there is no interval",
    ),
    ("evaluate {0}/scores.tsv {0}/judgments.tsv --interval fisher --coefficient tau_ap", "of tau_ap"),
    (
        "evaluate {0}/scores.tsv {0}/judgments.tsv --interval none -r 500",
        "n_resamples is 500 and nothing is resampled",
    ),
    ("evaluate {0}/scores.tsv {0}/judgments.tsv --ranking", "--ranking is of three metrics or more"),
    (
        "evaluate {0}/scores.tsv {0}/judgments.tsv --ranking --baseline m1",
        "--ranking is by the tests of all pairs",
    ),
    ("compare {0}/all.tsv --metric m1 --year 2021 --year 2022", "--year is given twice; expected it once"),
]


@pytest.mark.slow(after=3)
@pytest.mark.parametrize(("line", "words"), WRONG)
def test_what_is_wrong_is_one_line(refused, files, line, words):
    refused(2, words, *line.format(files).split(), "-q")


@pytest.mark.slow
def test_the_ranking_is_written_as_a_table_of_its_own(printed, files, tmp_path):
    scores = pd.read_csv(files / "scores.tsv", sep="\t").assign(m3=lambda table: table["m1"] ** 2 % 7)
    scores.to_csv(tmp_path / "three.tsv", sep="\t", index=False)
    line = f"evaluate {tmp_path}/three.tsv {files}/judgments.tsv -r 99 -q -f csv"
    ranking = pd.read_csv(io.StringIO(printed(*line.split(), "--ranking")))
    assert ranking["rank"].tolist() == [1, 2, 3]
    assert ranking["signature"].iat[0].startswith("command:evaluate --ranking|")


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


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--test williams", "--test needs --pairs, --ranking or --baseline METRIC"),
        ("--together", "--together needs --pairs, --ranking or --baseline METRIC"),
        ("--pairs --bias", "--bias cannot be combined with --pairs and --baseline"),
        ("--bias --means plain", "--means cannot be combined with --bias"),
        ("--judge-scale matched", "--judge-scale needs --bias"),
        ("--reference a", "--reference and --tokenizer are of texts that are scored"),
    ],
)
def test_an_option_of_another_question_of_evaluate_is_refused(refused, files, options, words):
    refused(2, words, *f"evaluate {files}/scores.tsv {files}/judgments.tsv -q {options}".split())
