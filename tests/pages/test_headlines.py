"""Each sentence about a table is made again from the table: its numbers, and the names it gives."""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from classy_aesop import compare, compare_pairs
from classy_aesop.answers.declared import DECLARED, load_answer
from classy_aesop.pages.run_sentences import state_prediction_errors
from classy_aesop.tables.answer import say_nothing
from classy_aesop.tables.wording import number_text

RANKED = {
    "n_topics": 9,
    "n_topics_all": 9,
    "comparable": 1,
    "untested": 0,
    "flag": "",
    "p_least": 0.0,
    "n_used": 9,
}
RANKED |= {"test": "paired_t", "test_reason": "complete", "alpha": 0.05}
RANKS = {"summarizer": list("abcdef"), "rank": [1, 2, 3, 4, 5, 6], "mean": [5.0, 4, 3, 2, 1, 0]}
RANKS |= {"losses": [0, 0, 1, 0, 1, 1], **RANKED}
TWO_RANKS = {"summarizer": list("ab"), "rank": [1, 2], "mean": [2.0, 1], **RANKED}
ALPHA = {"assessor": ["", "P", "Q"], "value": [0.456, 0.1, 0.9]}
METRICS = {"metric": ["b", "a", "c"] * 2, "rank": [1, 2, 3] * 2, "value": [0.75, 0.5, np.nan] * 2}
METRICS |= {"cluster_here": [1, 2, 3] * 2, "beats": [". = =", ". . >", ". . ."] * 2}
RELIABLE = {"metric": list("mmmn"), "quantity": ["reliability", "ceiling", "reliability", "reliability"]}
RELIABLE |= {"level": ["system", "system", "input", "system"], "value": [0.9, 0.95, 0.1, 0.2]}
PARTS = {"metric": "m", "topic": list("1122"), "summarizer": "s", "part": ["a", "b"] * 2}
ESTIMATED = {"summarizer": list("abc"), "estimate": [1.0, 3.0, 2.0], "worth": [7.25, 7.25, 3.1]}
ESTIMATED["n_judged"] = [3, 4, 9]
PLAN = {"metric": "m", "n_topics": [2, 4, 8], "width": [0.5, 0.4, 0.25], "settled": np.nan}
PLAN |= {"n_observed": 3, "n_more": [0, 1, 5], "n_ratings": [20, 40, 80]}
TWO = [0.75, np.nan, 0.25]
BIASES = {
    "summarizer": list("ab"), "metric": "m", "target": "t", "human_rank": [1, 2], "judge_rank": [2, 1],
    "bias": [-0.5, 0.6], "kinder_than": [0, 1], "over_pick": [np.nan, 1.1], "p_over_pick": [np.nan, 0.012],
}  # fmt: skip
TWO_MISSING = [np.nan, np.nan, 0.5]
ALL_FEW = {"metric": "m", "target": "t", "coefficient": "pearson"}

HOLM = {"correction": "holm"}
PAIR = {"first": ["a"], "second": ["b"], "difference": 0.5}
METRIC_PAIRS = {
    "first": list("aab"),
    "second": list("bcc"),
    "difference": [0.1, 0.3, 0.2],
    "target": "relevance",
}

SAID = [
    ("evaluate", {**ALL_FEW, "peers": list("xxy"), "metric": list("aba"), "level": "system", "value": [0.1, 0.5, 0.9]},
     "b agrees best with t (pearson, system level): 0.500, of 2 metrics (peers x; 1 more below)."),
    ("evaluate", {**ALL_FEW, "metric": list("abc"), "level": "system", "value": 0.5, "low": 0.25, "high": 0.75},
     "a, b, c agree best with t (pearson, system level): 0.500 [0.250, 0.750], of 3 metrics."),
    ("evaluate", {**ALL_FEW, "metric": ["a"], "level": "system", "value": 0.5},
     "a agrees with t (pearson, system level): 0.500."),
    ("evaluate", {**ALL_FEW, "metric": list("abab"), "target": list("ttuu"), "level": "system",
                  "value": [0.8, 0.5, 0.2, 0.3]},
     "a agrees best with t (pearson, system level): 0.800, of 2 metrics. "
     "b agrees best with u (pearson, system level): 0.300, of 2 metrics."),
    ("evaluate --pairs", {**METRIC_PAIRS, "p_adjusted": [0.09, 0.003, 0.2], "p_here_adjusted": [0.003, 0.06, 0.003]},
     "1 of 3 differences between metrics by relevance is significant for other systems like these, 2 for these "
     "(p_adjusted and p_here_adjusted at most 0.05)."),
    ("evaluate --pairs", {**PAIR, "target": "relevance", "p": 0.03, "p_here": 0.0, "p_adjusted": 0.03,
                          "p_here_adjusted": 0.0},
     "a agrees better with relevance than b by 0.500: significant for other systems like these (p = 0.030), "
     "and for these (p < 0.001)."),
    ("evaluate --pairs", {**PAIR, "difference": [0.0], "target": "t", "p_adjusted": 1.0, "p_here_adjusted": 1.0},
     "The difference between a, b is 0.000."),
    ("evaluate --pairs", {**PAIR, "difference": [np.nan], "target": "t", "p_adjusted": 1.0, "p_here_adjusted": 1.0},
     "The difference between a, b is undefined."),
    ("compare --pairs", {"first": list("aab"), "second": list("bcc"), "difference": 0.5,
                         "significant": [True, False, False]},
     "1 of 3 differences between summarizers is significant."),
    ("compare --pairs", {"first": list("ab"), "second": list("ca"), "difference": 0.5, "significant": None},
     "0 of 2 differences between summarizers are significant."),
    ("compare --pairs", {**PAIR, "low": 0.25, "high": 0.75, "significant": True},
     "a minus b is +0.500 [0.250, 0.750], which is significant."),
    ("estimate --differences", {**PAIR, "low": 0.25, "high": 0.75, "significant": False},
     "a minus b is +0.500 [0.250, 0.750], which is not significant."),
    ("study coverage", {"coverage": TWO}, "Intervals cover the left-out value in 0.250 to 0.750 of the trials."),
    ("study normality", {"percent_rejected": TWO}, "Normality is rejected in 0.250 to 0.750 % of tests."),
    ("study pair-counts", {"share": TWO},
     "A share of 0.250 to 0.750 of the pairs of summarizers differ significantly."),
    ("study best-pairs", {"share": TWO},
     "A share of 0.250 to 0.750 of the pairs of summarizers differ significantly."),
    ("study label-agreement", {"metric": ["a", "b"], "ba": [0.6, 0.7], "ba_pv": [0.9, 0.8]},
     "b finds the significant differences of humans best (balanced accuracy): 0.700, of 2 metrics."),
    ("study pyramid-gap", {"difference": [0.5]}, "The manual minus the automatic pyramid is 0.500."),
    ("study ngram-correlations", {"spearman": [np.nan]},
     "Spearman's correlation of n-gram recall with human scores is undefined."),
    ("study ngram-hits", {"recall": TWO},
     "N-gram recall finds a share of 0.250 to 0.750 of the significant differences."),
    ("compare of preferences",
     {"summarizer": ["a", "b"], "win_rate": [0.75, 0.25], "low": [0.6, 0.1], "high": [0.9, 0.4], "rank": [1, 2],
      "losses": [0, 1], "comparable": 1, "untested": 0, "p_least": 0.001, "alpha": 0.05, "n_raters": 2,
      "test": "sign_flips", "flag": "", "test_flag": ""},
     "a has the highest win rate (0.750 [0.600, 0.900]); the difference is significant, for these 2 raters."),
    ("compare --pairs of preferences",
     {"first": ["a"], "second": ["b"], "difference": [0.5], "low": [0.2], "high": [0.8], "significant": [True],
      "test": "sign_flips", "flag": "", "n_raters": 0},
     "a minus b is +0.500 (win rates) [0.200, 0.800], which is significant."),
    ("evaluate of preferences",
     {"metric": ["m", "n"], "share": [0.8, 0.6], "low": [0.7, 0.4], "high": [0.9, 0.8], "n_comparisons": 62,
      "flag": ""},
     "Of 2 metrics m prefers what people prefer most often, in a share of 0.800 [0.700, 0.900] of 62 comparisons."),
    ("compare", {**RANKS, "year": list("111222")},
     "a has the highest mean (5.000); 1 of the 3 differences is significant; b is not significantly worse than any "
     "other (year 1; 1 more below)."),
    ("compare", {**RANKS, "losses": [0] + [1] * 5, "low": 4.5, "high": 5.5},
     "a has the highest mean (5.000 [4.500, 5.500]); 5 of the 15 differences are significant."),
    ("compare", {**RANKS, "losses": 0},
     "a has the highest mean (5.000); none of the 15 differences is significant."),
    ("compare", {**RANKS, "losses": [0, 0, 0, 0, 2, 2], "mean": [5.0, 5, 4, 3, 1, 0], "rank": [1, 1, 3, 4, 5, 6]},
     "a, b have the highest mean (5.000); 4 of the 15 differences are significant; c, d are not significantly worse "
     "than any other."),
    ("compare", {**TWO_RANKS, "losses": [0, 0]},
     "a has the highest mean (2.000); the difference is not significant."),
    ("compare", {**TWO_RANKS, "losses": [0, 1]},
     "a has the highest mean (2.000); the difference is significant."),
    ("compare", {**RANKED, "summarizer": ["a"], "rank": 1, "mean": [2.0], "losses": [0]},
     "a has the highest mean (2.000); there is no other to compare with."),
    ("study best-metrics", {"metric": list("ab"), "ba": np.nan},
     "No metric can be ranked: every value (balanced accuracy) is undefined."),
    ("evaluate", {**ALL_FEW, "metric": ["a", "b", "a"], "level": ["system", "system", "global"], "value": TWO_MISSING},
     "No metric can be ranked: every value (pearson, system level) is undefined."),
    ("evaluate", {**ALL_FEW, "metric": list("ab"), "level": "system", "value": [-0.5, -0.25]},
     "No metric correlates positively with t (pearson, system level); b has the highest value: -0.250, of 2 metrics."),
    ("evaluate --ranking", {**METRICS, "target": "t", "value": [-0.25, -0.5, np.nan] * 2, "year": list("111222")},
     "No metric correlates positively with t; b has the highest value (-0.250); none of the 2 others is significantly "
     "worse (year 1; 1 more below). Tested on these systems alone, 2 are."),
    ("evaluate --ranking",
     {**METRICS, "target": "t", "value": [0.5, 0.5 - 1e-16, np.nan] * 2, "year": list("111222")},
     "b, a agree best with t (0.500); none of 1 other is significantly worse (year 1; 1 more below). Tested .*"),
    ("evaluate --ranking", {"metric": list("ab"), "target": "t", "rank": [1, 2], "value": 1.0, "cluster_here": 1,
                         "beats": [". =", ". ."]}, "a, b agree best with t (1.000)."),
    ("study best-metrics", {"metric": list("abab"), "year": list("1122"), "ba": [0.6, 0.7, 0.9, 0.1]},
     "b finds the significant differences of humans best (balanced accuracy): 0.700, "
     "of 2 metrics (year 1; 1 more below)."),
    ("evaluate", {**ALL_FEW, "value": [0.9375], "low": -0.5, "high": 1.0, "level": "system", "flag": ""},
     "m is not shown to agree with t (pearson, system level): 0.938 [-0.500, 1.000]."),
    ("evaluate", {**ALL_FEW, "value": [0.9375, 0.5], "low": 0.0, "high": 1.0, "metric": list("ab"), "level": "system",
                  "flag": ""},
     "a has the highest value: 0.938 [0.000, 1.000], of 2 metrics, but is not shown to agree with t (pearson, system "
     "level)."),
    ("evaluate --ranking", {**METRICS, "target": "t", "value": [0.5, 0.25, np.nan] * 2, "low": -0.25, "high": 0.75,
                            "year": list("111222")},
     "b has the highest value (0.500 [-0.250, 0.750]), but is not shown to agree with t; none of the 2 others is "
     "significantly worse (year 1; 1 more below). Tested on these systems alone, 2 are."),
    ("train summary", {"run": ["25", ""], "fitter": ["canonical", ""], "metric": ["x", "ROUGE-2"], "value": [0.9, 0.5],
                       "target": "t", "level": "system", "coefficient": "pearson"},
     "25 canonical agrees best with t (pearson, system level): 0.900, of 2 metrics."),
    ("study consistency", ALPHA, "Krippendorff's alpha is 0.456; that of single assessors is 0.100 to 0.900."),
    ("assessors", {**ALPHA, "assessor": ""}, "Krippendorff's alpha is 0.100 to 0.900."),
    ("assessors", {"assessor": [""], "value": [0.5], "low": 0.25, "high": 0.75},
     "Krippendorff's alpha is 0.500 [0.250, 0.750]."),
    ("assessors", {"assessor": [""], "value": [0.5], "low": np.nan, "high": np.nan, "flag": "no interval: 5 units"},
     "Krippendorff's alpha is 0.500 (no interval: 5 units)."),
    ("assessors --reliability", RELIABLE, "The reliability of system means is 0.900; correlations with them are "
     "expected to be at most 0.950 (metric m; 1 more below)."),
    ("assessors --reliability", {**RELIABLE, "value": np.nan},
     "The reliability of system means is undefined (metric m; 1 more below)."),
    ("predict --means", {**RANKS, "metric": list("mmmnnn"), "low": 4.5, "high": 5.5},
     "a has the highest mean (5.000 [4.500, 5.500]), of 3 summarizers (metric m; 1 more below)."),
    ("baselines", {"summarizer": list("aabb"), "metric": "m", "score": [1.0, 2, 2, 1]},
     "a, b have the highest mean (1.500), of 2 summarizers."),
    ("baselines", {"summarizer": ["a"], "metric": "m", "score": [np.nan]}, "No summary has a score."),
    ("assessors", {**ALPHA, "value": np.nan}, "Krippendorff's alpha is undefined."),
    ("power", {"n_topics": pd.array([30, 9, pd.NA], dtype="Int64")}, "9 to 30 topics are needed for 2 of 3 pairs."),
    ("power", {"n_topics": [30], "low": 20, "high": 45}, "30 [20, 45] topics are needed."),
    ("power", {"n_topics": [30, 5], "difference": [0.5, 1]}, "A difference of 1 takes 5 topics, one of 0.5 takes 30."),
    ("estimate", {**ESTIMATED, "low": 2.5, "high": 3.5},
     "b has the highest estimated mean of these ratings (3.000 [2.500, 3.500]); "
     "3 to 9 judged topics with scores are as precise as 3.1 to 7.2 judged topics alone."),
    ("estimate", {**ESTIMATED, "estimate": 3.0, "year": list("112")},
     "a, b have the highest estimated mean of these ratings (3.000); 3 to 4 judged topics with scores are as precise "
     "as 7.2 judged topics alone (year 1; 1 more below)."),
    ("study metric-pairs", {"p_by_first": 0.01, "p_overall": [0.2, 0.05, 0.01, np.nan], **HOLM, "n_resamples": 39},
     "2 of 3 differences between metrics are significant (p_overall, corrected for all pairs, at most 0.05)."),
    ("study metric-pairs", {"p_by_first": 0.01, "p_overall": [0.2, 0.09, 0.08, np.nan], **HOLM, "n_resamples": 38},
     "0 of 3 differences between metrics are significant (p_overall, corrected for all pairs, at most 0.05). 39 "
     "resamples or more are needed for that."),
    ("study topic-ranks", {"n_different": [0, 2, 1, 0]}, "2 of 4 topics differ from at least one other."),
    ("evaluate --ranking", {**METRICS, "target": list("tttuuu")},
     "b agrees best with t (0.750); none of the 2 others is significantly worse. Tested on these systems alone, 2 "
     "are. b agrees best with u (0.750); none of the 2 others is significantly worse. Tested on these systems alone, "
     "2 are."),
    ("evaluate --ranking", {"metric": ["a"], "rank": 1, "value": 0.5, "cluster_here": 1, "beats": "."},
     "a is the only metric; its correlation with human scores is 0.500."),
    ("evaluate --ranking", {**METRICS, "target": "t", "value": np.nan},
     "No metric has a correlation that is defined."),
    ("predict --explain", {**PARTS, "contribution": [0.5, 1.0, 0.1, 1.1]},
     "a moves the scores most: the standard deviation of its contributions is 0.200."),
    ("predict --explain", {**PARTS, "contribution": [0.5, 1.0, 0.1, 1.1], "year": list("1222")},
     "No part moves the scores: each contributes the same to every summary."),
    ("power --scores", {**PLAN, "needed": 8.0, "needed_low": 3, "needed_high": 12},
     "8 [3, 12] topics are needed for estimates as precise as asked: 5 more than the 3 at hand, and 80 ratings in "
     "all."),
    ("power --scores", {**PLAN, "needed": 2.0},
     "2 topics are needed for estimates as precise as asked; 3 are at hand."),
    ("power --scores", {**PLAN, "n_ratings": np.nan, "needed": 8.0},
     "8 topics are needed for estimates as precise as asked: 5 more than the 3 at hand."),
    ("power --scores", {**PLAN, "needed": np.nan, "settled": 4.0},
     "4 topics are needed to separate the first from the second: 1 more than the 3 at hand, and 40 ratings in all."),
    ("power --scores", {**PLAN, "needed": np.nan},
     "Not even 8 judged topics would separate the first from the second; an interval is then 0.250 wide."),
    ("evaluate --bias", BIASES,
     "m picks b, the people pick a; it is kinder to b than to a by 1.100 (corrected p = 0.012). "
     "It is too kind to b (than to 1 of 1 others)."),
    ("evaluate --bias", {**BIASES, "judge_rank": pd.array([pd.NA, pd.NA], dtype="Int64"), "kinder_than": 0},
     "No system is picked: systems share no topics, and means cannot be compared."),
    ("evaluate", {**ALL_FEW, "value": [1.0, 0.5], "flag": ["two systems", ""], "level": ["system", "input"]},
     "Two systems are no correlation: that of their means is 1 or -1. m agrees with t (pearson, input level): 0.500."),
    ("study metric-power", {"share": [1.0, 1.0, 0.25, 0.25, 0.5, 0.5], "test": list("ababab"),
                            "power": [0.9, 0.1, 0.1, 0.5, 0.0, 0.2]},
     "b detects most: mean power 0.350 over all shares with a difference; the others 0.050."),
    ("study metric-power", {"share": [1.0, 1.0], "test": list("ab"), "power": [0.9, 0.1]},
     "No share has a difference that a test could detect."),
    ("study mixture-power", {"share": [0.0, 0.0, 1.0, 1.0], "test": list("abab"), "power": [0.1, 0.2, 0.7, 0.7]},
     "a, b detect most: mean power 0.700 over all shares with a difference."),
    ("study assessor-effects", {"year": "1", "task": "", "metric": list("aabb"), "p": [0.01, 0.01, 0.2, 0.2]},
     "In 1 of 2 measures of a year and task some assessors score higher than others .*"),
    ("study check", {"verdict": ["equal", "noise", "equal", "not compared"]},
     "2 of 3 printed numbers equal ours, 1 differ by noise of simulation, 0 are different."),
    ("study retraining", {"before": [0.5, 0.5], "after": [0.25, 0.6]}, ".*correlations change by -0.250 to +0.100."),
]  # fmt: skip


@pytest.mark.slow(after=35)
@pytest.mark.parametrize(("kind", "columns", "said"), SAID)
def test_a_sentence_says_what_its_table_holds(kind, columns, said):
    """Of several places it is about the first; one test of several rows counts once."""
    assert re.fullmatch(
        re.escape(said).replace(r"\.\*", ".*"), load_answer(kind).sentence(pd.DataFrame(columns))
    )


PLACED = {kind for kind, _, said in SAID if "more below" in said}
ALONE = [
    one
    for one in SAID
    if one[0] in PLACED and "more below" not in one[2] and not isinstance(one[1].get("target"), list)
]


@pytest.mark.parametrize(("kind", "columns", "said"), ALONE)
def test_of_several_places_the_first_is_told_and_the_others_are_counted(kind, columns, said):
    table = pd.DataFrame(columns)
    numbers = {
        name: table[name] + 1 for name in ("mean", "value", "estimate", "contribution") if name in table
    }
    found = load_answer(kind).sentence(pd.concat([table.assign(task="A"), table.assign(task="B", **numbers)]))
    told, n_places = re.subn(r" \(task A; 1 more below\)", "", found)
    assert n_places == 1
    assert re.fullmatch(re.escape(said).replace(r"\.\*", ".*"), told)


TESTED = {kind for kind, *_ in SAID}


def test_every_sentence_is_tested_here():
    known = {load_answer(name).sentence for name in TESTED}
    for name in DECLARED:
        assert load_answer(name).sentence in {*known, say_nothing}, name


def test_what_predictions_are_worth_is_said_as_far_as_it_is_told():
    told = {"error": 0.5, "error_of_mean": 0.75}
    [said] = state_prediction_errors([SimpleNamespace(training={"worth": told})])
    assert said.endswith("of a prediction is 0.500, that of the mean of all judgments 0.750.")
    assert state_prediction_errors([SimpleNamespace(training={"worth": {"error": 0.5}})]) == []


@pytest.mark.filterwarnings("ignore")
def test_numbers_that_three_decimals_cannot_show_are_not_zero():
    """A mean or a difference of 1e-200 is written in scientific form, and so is the least p of many topics."""
    rows = [(t, s, (1 + (t + k) % 3 + 2 * k) * 1e-200) for t in range(30) for k, s in enumerate("ab")]
    table = pd.DataFrame(rows, columns=["topic", "summarizer", "score"]).assign(metric="m")
    sentence = compare(table).sentence
    assert "0.000" not in sentence
    assert "e-200" in sentence
    pair = compare_pairs(table).sentence
    assert "e-200" in pair
    assert "p = 0.000" not in pair
    assert number_text(2e-5) == "2e-05"
