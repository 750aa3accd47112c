"""Numbers of topics from a table: the same as on the vectors, and what is refused."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import plan_topics
from classy_aesop.analysis.systems import PLAN
from classy_aesop.errors import UsageError
from classy_aesop.significance.plans import TOO_MANY, topics_needed
from classy_aesop.work.records import seeded_rng

FEW = {"n_trials": 100, "max_topics": 64}


@pytest.mark.parametrize("test", ["wilcoxon", "paired_t"])
def test_it_is_the_plan_of_the_vectors(tables, judged, shuffle, test):
    table = plan_topics(shuffle(tables[0]), "m1", 1.0, systems=["3", "1"], test=test, seed=5, **FEW)
    assert list(table) == PLAN
    assert list(table["task"]) == ["A", "B"]
    x, y = judged["m1"][2], judged["m1"][0]
    found = topics_needed(x, y, 1.0, test=test, rng=seeded_rng(5, "2021", "A", "m1", "3", "1"), **FEW)
    row = table.iloc[0]
    assert (row["first"], row["second"], row["n_observed"]) == ("3", "1", 7)
    assert row["observed"] == pytest.approx(np.nanmean(x - y))
    for name in ("n_topics", "power", "error", "n_trials", "test"):
        assert row[name] == getattr(found, name)
    ends = [None if pd.isna(row[name]) else row[name] for name in ("low", "high")]
    assert ends == [found.low, found.high]
    assert (row["wanted"], row["alpha"], row["seed"]) == (0.8, 0.05, 5)
    alone = plan_topics(tables[0], "m1", 1.0, systems=["3", "1"], test=test, seed=5, task="B", **FEW)
    pd.testing.assert_frame_equal(alone, table.iloc[1:].reset_index(drop=True))


def test_a_constant_difference_needs_what_the_test_allows_by_hand(table_of):
    # all differences 1: p is normal, for there are ties; |z| is 7/sqrt(13.75 - 2.5) = 2.09 on 5 topics (p .037),
    # and 4.5/sqrt(7.5 - 1.25) = 1.80 on 4 (p .072)
    table = plan_topics(table_of([[2, 3, 4, 5], [1, 2, 3, 4]], "m1"), "m1", 1.0, **FEW)
    assert len(table) == 1
    row = table.iloc[0]
    assert (row["observed"], row["power"], row["error"]) == (1.0, 1.0, 0.0)
    assert row["n_topics"] == row["high"] == 5


@pytest.mark.slow
def test_all_pairs_if_they_are_few_else_they_are_named(tables, table_of):
    three = tables[0][tables[0]["summarizer"].isin(["1", "2", "3"])]
    table = plan_topics(three, "m1", 2.0, task="A", **FEW)
    assert list(zip(table["first"], table["second"], strict=True)) == [("1", "2"), ("1", "3"), ("2", "3")]
    with pytest.raises(UsageError, match="6 summarizers make 15 pairs; name two or more"):
        plan_topics(tables[0], "m1", 2.0, **FEW)
    with pytest.raises(UsageError, match="1 summarizers make 0 pairs"):
        plan_topics(table_of([[1, 2]], "m1"), "m1", 2.0)


def test_no_answer_is_flagged(tables):
    table = plan_topics(tables[0], "m1", 1e-3, systems=["1", "2"], task="A", **FEW)
    assert list(table["flag"]) == [TOO_MANY]
    assert table["n_topics"].isna().all()
    other = tables[0][(tables[0]["task"] == "A") | (tables[0]["summarizer"] != "2")]
    table = plan_topics(other, "m1", 3.0, systems=["1", "2"], **FEW)
    assert list(table["flag"]) == ["", "fewer than two topics"]
    assert list(table["n_observed"]) == [8, 0]
    assert np.isnan(table["observed"][1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"difference": 0.0}, "difference is 0.0; expected a number that is not 0"),
        ({"difference": np.nan}, "difference is nan"),
        ({"power": 0.04}, "alpha is 0.05 and power 0.04; expected 0 < alpha < power < 1"),
        ({"systems": ["1"]}, "systems are 1; expected two or more different ones"),
        ({"systems": ["1", "2", "1"]}, "systems are 1, 2, 1"),
        ({"systems": ["1", "77"]}, "no summarizer '77'; known: 1, 2, 3"),
        ({"metric": "x"}, "no metric 'x'"),
    ],
)
def test_what_is_refused(tables, options, message):
    with pytest.raises(UsageError, match=message):
        plan_topics(tables[0], **{"metric": "m1", "difference": 1.0, **options})
