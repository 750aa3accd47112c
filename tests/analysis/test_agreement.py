"""Agreement on significant differences, from tables."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import agree
from classy_aesop.analysis.metrics import AGREEMENT, COUNTS, MEASURES, LabelOptions
from classy_aesop.errors import UsageError
from classy_aesop.significance.agreement import agreement, order_agreement

TOPICS = 8


def test_by_hand(table_of):
    """People: 3 far above 1 and 2, which are equal; the metric: 1 far below the others.

    Eight differences of one sign are significant (exact p = 2/256), none is not. People find 1-3 and 2-3, the
    metric 1-2 and 1-3: one in common, one missed, one too many, none that both leave out.
    """
    steps = np.arange(TOPICS)
    human = table_of([steps, steps, steps + 5], "human")
    metric = table_of([steps, steps + 5, steps + 5], "m1")
    (row,) = agree(metric, human, "human").to_dict("records")
    assert [row[name] for name in COUNTS] == [3, 1, 1, 1, 0, 0]
    assert (row["precision"], row["recall"], row["accuracy"]) == (0.5, 0.5, pytest.approx(1 / 3))
    assert row["order_agreement"] == pytest.approx(1 / 3)
    assert (row["n_summarizers"], row["n_topics"], row["correction"]) == (3, TOPICS, "none")
    assert pd.isna(row["seed"])


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("three_way", [False, True])
@pytest.mark.parametrize("test", ["wilcoxon", "paired_t"])
@pytest.mark.parametrize("top", [None, 4])
def test_rows_are_the_agreements_of_the_matrices(tables, judged, shuffle, three_way, test, top):
    how = {"top": top, "test": test, "alpha": 0.2}
    table = agree(*map(shuffle, tables), "human", **how, three_way=three_way)
    assert list(table) == AGREEMENT
    for row in table[table["task"] == "A"].to_dict("records"):
        X, Z = judged[row["metric"]], judged["human"]
        found = agreement(X, Z, top=top, test=test, alpha=0.2, three_way=three_way)
        expected = [getattr(found, name) for name in (*COUNTS, *MEASURES)]
        np.testing.assert_array_equal([row[name] for name in (*COUNTS, *MEASURES)], expected)
        assert row["order_agreement"] == order_agreement(X, Z, top=top)


def test_combinations_find_what_all_members_find(tables):
    table = agree(*tables, "human", alpha=0.3, combine=2).set_index(["task", "metric"])
    assert list(table.loc["A"].index) == ["m1", "m2", "m10", "m1+m2", "m1+m10", "m2+m10"]
    for names in (("m1", "m2"), ("m1", "m10")):
        members = table.loc[[("A", name) for name in names], ["tp", "fp"]]
        assert (table.loc[("A", "+".join(names)), ["tp", "fp"]] <= members.min()).all()
    assert len(agree(*tables, "human", combine=99, task="A")) == 7


def test_the_best_are_those_of_humans_and_equals_go_to_the_lower_number(table_of):
    """10, 9 and 2 are equal for humans; the top two are 7 and 2."""
    names = ["10", "9", "7", "2"]
    human = table_of([[1] * TOPICS, [1] * TOPICS, [2] * TOPICS, [1] * TOPICS], "human", names=names)
    metric = table_of([[9] * TOPICS, [9] * TOPICS, [5] * TOPICS, [1] * TOPICS], "m1", names=names)
    (row,) = agree(metric, human, "human", top=2).to_dict("records")
    assert (row["n"], row["tp"], row["contradictions"]) == (1, 1, 0)  # with 9 or 10 they would contradict


def test_wrong_choices(tables):
    with pytest.raises(UsageError, match="top is 1"):
        LabelOptions(top=1)
    with pytest.raises(UsageError, match="alpha is 0"):
        LabelOptions(alpha=0)
    with pytest.raises(UsageError, match="combine is 0"):
        agree(*tables, "human", combine=0)
