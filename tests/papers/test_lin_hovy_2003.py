"""Tables of n-gram recall: the average over sizes and the ranks, by hand."""

import math

import numpy as np
import pandas as pd
import pytest

from classy_aesop import Corpus
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.lin_hovy_2003 import (
    MARKED,
    marked_units,
    ngram_correlations,
    ngram_ranks,
    regression_t,
    significant_hits,
    z_tests,
)

HUMAN = {"50": [[1, 3], [2, 2], [4, 6]], "100": [[5, 5], [1, 3], [0, 0]]}
METRIC = {"50": [[1, 1], [2, 2], [3, 3]], "100": [[9, 9], [2, 2], [1, 1]]}
"""Scores of three peers on two topics, by size."""


@pytest.fixture
def sizes(corpus_of, table_of):
    """A corpus of two sizes, and a metric."""
    parts = [corpus_of({"coverage": X}, task=size) for size, X in HUMAN.items()]
    judgments = pd.concat([part.judgments for part in parts], ignore_index=True)
    corpus = Corpus(tuple(topic for part in parts for topic in part.topics), judgments=judgments)
    scores = pd.concat([table_of({"m": X}, task=size) for size, X in METRIC.items()], ignore_index=True)
    return StudyData([corpus], scores)


@pytest.mark.slow
def test_the_average_is_that_of_the_sizes_means(sizes):
    table = ngram_correlations(sizes, "coverage").table.set_index("task")
    assert set(table.index) == {"50", "100", "all"}
    human, metric = [3.5, 2.0, 2.5], [5.0, 2.0, 2.0]  # (2 + 5)/2, (2 + 2)/2, (5 + 0)/2; (1 + 9)/2, ...
    assert table.loc["all", "pearson"] == pytest.approx(np.corrcoef(human, metric)[0, 1])
    assert table.loc["all", "n"] == 3
    assert table.loc["50", "pearson"] == pytest.approx(np.corrcoef([2, 2, 5], [1, 2, 3])[0, 1])


@pytest.mark.slow
def test_a_peer_without_one_size_is_not_in_the_average(sizes):
    one = sizes.corpora[0]
    judgments = one.judgments[~((one.judgments["task"] == "50") & (one.judgments["summarizer"] == "3"))]
    fewer = StudyData([Corpus(one.topics, judgments=judgments)], sizes.scores)
    with pytest.warns(match="scores without a judgment"):
        table = ngram_ranks(fewer, "coverage").table
    assert table.groupby("task")["summarizer"].apply(list).to_dict() == {
        "50": ["1", "2"], "100": ["1", "2", "3"], "all": ["1", "2"]
    }  # fmt: skip


def test_ranks_by_hand_with_ties(sizes):
    table = ngram_ranks(sizes, "coverage").table.set_index(["task", "summarizer"])
    assert table.loc["50", "human_rank"].tolist() == [2.5, 2.5, 1]
    assert table.loc["50", "rank"].tolist() == [3, 2, 1]
    assert table.loc["all", "rank"].tolist() == [1, 2.5, 2.5]
    assert table.loc["all", "human_rank"].tolist() == [1, 3, 2]


def test_marked_units_by_hand():
    rows = [("", "t1", "", "1", 3, 6, 0.5), ("", "t1", "", "2", 4, 4, 1.0)]
    marked = pd.DataFrame(rows, columns=MARKED)
    assert marked_units(marked).table["score"].tolist() == [0.25, 1.0]  # 3/6 of the units, half complete


def test_hits_by_hand():
    z, p = z_tests(np.array([[1, 2, 3, math.nan], [2, 2, 6, 6]]))
    assert z[0] == pytest.approx(-2 / math.sqrt(1 / 3 + 16 / 3 / 4))
    assert p[0] == pytest.approx(math.erfc(abs(z[0]) / math.sqrt(2)))
    z, p = z_tests(np.array([[2, 2], [2, 2], [3, 3], [1, math.nan]]))
    assert z.tolist() == [0, -math.inf, 0, -math.inf, 0, 0]
    assert p.tolist() == [1, 0, 1, 0, 1, 1]
    for nobody in (np.zeros((0, 3)), np.full((3, 2), math.nan)):
        found = significant_hits(nobody, nobody)[0.05]
        assert math.isnan(found["recall"])
        assert math.isnan(found["precision"])
    human = np.array([[1.0, 2, 1, 2], [8, 9, 8, 9], [8, 9, 9, 8]])  # the first differs from both others
    metric = np.array([[9.0, 8, 9, 8], [1, 2, 1, 2], [8.0, 8, 9, 9]])  # the second does, the other way round
    found = significant_hits(metric, human)[0.01]
    assert (found["n"], found["tp"], found["fn"], found["fp"], found["contradictions"]) == (3, 0, 1, 1, 1)
    assert (found["recall"], found["precision"]) == (0.0, 0.0)


def test_statistics_of_lin_and_hovy():
    assert regression_t(0.907, 13) == pytest.approx(7.143, abs=5e-4)
    assert regression_t(0.965, 15) == pytest.approx(13.267, abs=5e-4)
    assert regression_t(1.0, 5) == math.inf
    assert math.isnan(regression_t(0.5, 2))


def test_rows_that_are_constant_but_for_rounding_have_no_z():
    z, p = z_tests(np.array([[0.1 + 0.2] * 10, [0.3] * 10, [0.3] * 9 + [0.1 + 0.2], [0.4] * 10]))
    assert z[:2].tolist() == [0.0, 0.0]
    assert p[:2].tolist() == [1.0, 1.0]
    assert (abs(z[2]), p[2]) == (np.inf, 0.0)
