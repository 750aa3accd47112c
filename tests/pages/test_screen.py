"""What a reader gets on a screen is not wider than it, and says what it leaves out."""

import io
import itertools

import numpy as np
import pandas as pd
import pytest

from classy_aesop import compare
from classy_aesop.pages.formats import write_result
from classy_aesop.pages.screen import lines_of_screen
from classy_aesop.tables.result import Result

LONG = "published/a-metric-with-a-very-long-name-{}-and-an-end"
PAIRS = pd.DataFrame(
    {
        "year": "2023",
        "metric": LONG.format(0),
        "first": [LONG.format(n) for n in "abc"],
        "second": [LONG.format(n) for n in "def"],
        **{f"number_{n}": np.arange(3) + 0.5 for n in range(12)},
        "difference": [0.1, -0.2, 0.3],
        "significant": [True, False, True],
        "correction": "holm",
    }
)


def lines(table, width, kind="compare --pairs", **more):
    stream = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width))
        write_result(Result(table, kind=kind, **{"signature": "command:x"} | more), stream, "text")
    return stream.getvalue().splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_screen(width):
    for table in (PAIRS, PAIRS.head(1), PAIRS.head(0)):
        assert max(map(len, lines(table, width))) <= width


def test_the_answer_comes_first_then_what_all_rows_share():
    answer, _, shared, *_ = lines(PAIRS, 200)
    assert answer == "2 of 3 differences between summarizers are significant."
    assert shared == f"year 2023, metric {LONG.format(0)}, correction holm"


def test_what_is_left_out_is_named_and_what_the_answer_is_about_stays():
    (said,) = [line for line in "\n".join(lines(PAIRS, 80)).split("\n\n") if line.startswith("Not shown")]
    (head,) = [line for line in lines(PAIRS, 80) if line.startswith("first ")]
    assert {"first", "second", "difference", "significant"} <= set(head.split())
    hidden = said.replace("\n", " ").removeprefix("Not shown: ").split(" (")[0].split(", ")
    assert sorted([*hidden, *head.split(), "year", "metric", "correction"]) == sorted(PAIRS)


def test_sentences_are_wrapped_and_commands_and_the_signature_can_be_copied():
    command = "next: classy-aesop train a-file-with-a-long-name.csv --target responsiveness"
    shown = lines(PAIRS, 60, notes=(command,))
    assert shown[-2:] == [command, "command:x"]
    assert max(map(len, shown[:-2])) <= 60
    whole = f"command:x|{'y' * 20}:1|{'z' * 30}:2|test:t|a:3|seed:4|version:1"
    short = f"command:x|{'y' * 20}:1|test:t|a:3|seed:4|version:1"
    assert lines(PAIRS, 80, signature=whole)[-1] == short
    assert lines(PAIRS, 40, signature=whole)[-1] == "command:x|test:t|a:3|seed:4|version:1"
    words = [f"word{n}" for n in range(40)]
    table = pd.DataFrame({"what": ["one", "two"], "found": [" ".join(words), "short"]})
    shown = lines(table, 80, kind="validate")
    assert max(map(len, shown)) <= 80
    assert " ".join(shown).split()[3:-3] == words


@pytest.mark.parametrize(("around", "width"), [("[0.455, 0.969]", 36), ("(0.085)", 29)])
def test_numbers_keep_their_intervals_and_spreads(around, width):
    """A column is left out before a number loses digits."""
    values = [f"0.{n}57 {around}" for n in (8, 7)]
    table = pd.DataFrame({"metric": ["published/realsumm", "published/other"], "value": values, "n": [1, 2]})
    shown = lines(table, width, kind="rouge")
    assert all(value in "\n".join(shown) for value in values)


def test_names_lose_their_middle():
    table = pd.DataFrame({"metric": ["published/news-relevance", "mine"], "what": [0.5, 1.5]})
    first = [line.split()[0] for line in lines(table, 26, kind="rouge")[:3]]
    assert first == ["metric", "published…relevance", "mine"]
    table = pd.DataFrame({"metric": ["a" * 20_000, "b" * 20_000], "x": [1.0, 2.0]})
    assert max(map(len, lines(table, 40, kind="rouge"))) <= 40
    rows = PAIRS[["first", "second", "difference", "significant"]].assign(p_adjusted=[0.1, 0.2, 0.3])
    row = lines(rows, 60)[3]
    assert row.split()[:2] == ["…a…", "…d…"]


def test_a_single_row_stands_in_lines_and_one_pair_in_a_sentence_and_a_line():
    shown = lines(PAIRS.head(1), 80, kind="anything")
    assert [line.split()[0] for line in shown[1:-2]] == list(PAIRS.columns)
    # It was a line a column, 21 of them.
    shown = lines(PAIRS.head(1), 80)
    head, row = shown[-4:-2]
    assert head.split()[:3] == ["first", "second", "difference"]
    assert f"{PAIRS['difference'].iat[0]:.3f}" in row.split()
    assert len(shown) <= 13  # the sentence has whole names


def test_two_systems_are_one_row_without_ranks():
    """Both, the mean of each and their difference; files still have a row for each."""
    scores = {"topic": [1, 2, 3] * 2, "system": ["old"] * 3 + ["new"] * 3, "m": [2, 2, 1, 5, 4, 5]}
    result = compare(pd.DataFrame(scores), "m")
    *_, head, row, _, _ = str(result).splitlines()
    assert head.split() == ["first", "mean", "second", "mean", "difference", "p"]
    assert row.split() == ["new", "4.667", "old", "1.667", "3.000", "[0.516,", "5.484]", "0.035"]
    assert result["wins"].tolist() == [1, 0]
    (strip,) = [line for line in result.to_latex().splitlines() if line.startswith("new")]
    assert strip.startswith("new & 4.667 & old & 1.667 & 3.000 [0.516, 5.484]")


def test_raters_who_rated_everything_have_a_line_too():
    """Both rated both systems on two topics: ann +1 and +1, bob 0 and +2; of one rater there is nothing to add."""
    ratings = pd.DataFrame({"topic": [1, 2, 1, 2], "system": ["old", "old", "new", "new"]})
    ratings = ratings.assign(ann=[1, 2, 2, 3], bob=[2, 1, 2, 3])
    columns = {"ratings": ["ann", "bob"]}
    result = compare(ratings, columns=columns)
    assert result["test"].unique().tolist() == ["paired_t"]
    assert "by rater: ann +1.000 (2), bob +1.000 (2)" in str(result).splitlines()
    assert "by rater" not in str(compare(ratings, columns={"ratings": ["bob"]}))


def test_the_ends_of_an_interval_leave_together():
    ends = {name: [0.25, 0.5, 0.75] for name in ("score_low", "score_high", "rank_low", "rank_high")}
    shown = "\n".join(lines(PAIRS.assign(**ends), 72))
    (said,) = [part for part in shown.split("\n\n") if "Not shown" in part]
    for low, high in (("score_low", "score_high"), ("rank_low", "rank_high")):
        assert (low in said) == (high in said)


def test_columns_without_any_value_are_not_shown():
    shown = "\n".join(lines(PAIRS.assign(needed=np.nan, flag=""), 200))
    assert "needed" not in shown
    assert "flag" not in shown
    assert "correction holm" in shown


def test_a_name_is_shortened_to_the_same_in_both_columns_of_pairs_and_stays_distinct():
    """Each column by itself would cut what the other one does not."""
    names = [f"summarizer-of-{kind}-checkpoint-{n}" for kind in ("news", "reviews") for n in (100, 200)]
    both = pd.DataFrame(itertools.combinations(names, 2), columns=["first", "second"])
    table = both.assign(metric="m", difference=range(6), significant=True, p_adjusted=0.5)
    rows = [line.split()[:2] for line in lines(table, 60) if "\N{HORIZONTAL ELLIPSIS}" in line]
    short = {
        pair for row, pair in zip(rows, both.to_numpy(), strict=True) for pair in zip(pair, row, strict=True)
    }
    assert len(short) == len({cell for _, cell in short}) == len(names)


def test_what_tells_rows_apart_is_never_left_out():
    strata = {"year": "2023", "task": ["A", "B"] * 2, "peers": ["no_models"] * 2 + ["all_peers"] * 2}
    columns = {"metric": "m", "target": "responsiveness", "level": "system", "coefficient": "pearson"}
    counts = dict.fromkeys(("n_summarizers", "n_topics", "n_skipped"), 9)
    table = pd.DataFrame(
        {**strata, **columns, "value": [0.1, 0.2, 0.3, 0.4], "low": 0.0, "high": 0.5, **counts}
    )
    wide = pd.concat([table.assign(coefficient=name) for name in ("pearson", "spearman", "kendall")])
    shown = "\n".join(lines(wide, 60, kind="evaluate"))
    assert "no_models" in shown
    assert "all_peers" in shown
    rows = [line.split()[:3] for line in shown.splitlines()]
    for name in ("pearson", "spearman", "kendall"):
        assert rows.count(["A", "no_models", name]) == rows.count(["B", "all_peers", name]) == 1


def correlations(n_metrics, targets, coefficients=("pearson",), **more):
    """Make up correlations of metrics, which differ in every cell."""
    metrics = [f"metric-{number}" for number in range(n_metrics)]
    rows = pd.MultiIndex.from_product(
        [metrics, targets, coefficients], names=["metric", "target", "coefficient"]
    )
    table = rows.to_frame(index=False).assign(level="system", n_summarizers=9, n_topics=5, n_skipped=0)
    return table.assign(value=[0.9 - 0.01 * number for number in range(len(table))], **more)


TARGETS = ("consistency", "coherence", "relevance", "fluency")


def test_each_measure_has_its_own_order_and_its_share_of_the_rows():
    """Two coefficients of 30 metrics and 4 targets: 10 rows a target of the first, the best by this one first.

    It showed the first 5 metrics of each target, which were the best ones by the first target.
    """
    table = correlations(30, TARGETS, ("pearson", "kendall"), low=0.125, high=0.95)
    rng = np.random.default_rng(0)
    table["value"] = rng.permutation(len(table)) / 1000
    result = Result(table, kind="evaluate")
    shown = [line.split()[:4] for line in lines_of_screen(result, max_rows=40) if line.startswith("pearson")]
    pearson = table[table["coefficient"] == "pearson"]
    for target in TARGETS:
        best = pearson[pearson["target"] == target].nlargest(10, "value")
        assert [row[2:] for row in shown if row[1] == target] == [
            [name, f"{value:.3f}"] for name, value in zip(best["metric"], best["value"], strict=True)
        ]
    shown = lines_of_screen(result, max_rows=40)
    assert "200 more rows: -o FILE has all." in shown
    assert not any(line.startswith("Not shown") for line in shown)


def test_rows_that_are_left_out_above_are_on_a_page_and_not_in_a_file_of_rows():
    table = pd.DataFrame({"metric": [f"m{n}" for n in range(30)], "value": np.arange(30.0)})
    result = Result(table, kind="anything", first=lambda: Result(table, kind="anything"))
    counts = [line for line in lines_of_screen(result, max_rows=20) if "more rows" in line]
    assert [line.partition(": ")[2] for line in counts] == ["-o FILE.html has all.", "-o FILE has all."]
