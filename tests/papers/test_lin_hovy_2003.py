"""Tables of n-gram recall: the average over sizes and the ranks, by hand."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import Corpus
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.lin_hovy_2003 import MARKED, marked_units, ngram_correlations, ngram_ranks

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
