"""Decisions of metrics and of people on the same pairs: by hand, by the matrices, alone and joined."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import DataWarning
from classy_aesop.papers.label_decisions import AGREEMENT, AGREEMENT_MEASURES, COUNTS, compare_decisions
from classy_aesop.significance.metrics.label_agreement import order_agreement
from tests.significance.label_agreements import agreement_with_humans

PAIRED = {"top": 30, "test": "paired_t"}
TOPICS = 8


def test_by_hand(table_of):
    """People: 3 far above 1 and 2, which are equal; the metric: 1 far below the others.

    Eight differences of about 5 are significant, eight of 0 but for a .1 each way are not. People find 1-3 and 2-3, the
    metric 1-2 and 1-3: one in common, one missed, one too many, none that both leave out.
    """
    steps = np.arange(TOPICS)
    nearly = steps + 0.1 * (steps == 3) - 0.1 * (steps == 4)
    human = table_of([steps, nearly, steps + 5.1 * (steps != 2)], "human")
    metric = table_of([steps, nearly + 5.1 * (steps != 2), steps + 5.1 * (steps != 2)], "m1")
    (row,) = compare_decisions(metric, human, "human", **PAIRED).to_dict("records")
    assert [row[column.name] for column in COUNTS] == [3, 1, 1, 1, 0, 0]
    assert (row["precision"], row["recall"], row["accuracy"]) == (0.5, 0.5, pytest.approx(1 / 3))
    assert row["order_agreement"] == pytest.approx(1 / 3)


def test_one_topic_tests_no_pair(table_of):
    steps = [[1.0], [2.0], [4.0]]
    said = (
        "3 of 3 pairs of summarizers are not counted for m1, so its measures are missing: no test is possible"
    )
    with pytest.warns(DataWarning, match=said):
        (row,) = compare_decisions(
            table_of(steps, "m1"), table_of(steps, "human"), "human", **PAIRED
        ).to_dict("records")
    assert [row[column.name] for column in COUNTS] == [0] * 6
    assert all(np.isnan(row[column.name]) for column in AGREEMENT_MEASURES)
    assert row["order_agreement"] == 1


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("test", ["wilcoxon", "paired_t"])
@pytest.mark.parametrize("top", [None, 4])
def test_rows_are_the_agreements_of_the_matrices(tables, judged, shuffle, test, top):
    how = {"top": top, "test": test, "alpha": 0.2}
    table = compare_decisions(*map(shuffle, tables), "human", **how)
    assert list(table) == AGREEMENT.names
    for row in table[table["task"] == "A"].to_dict("records"):
        X, Z = judged[row["metric"]], judged["human"]
        found = agreement_with_humans(X, Z, top=top, test=test, alpha=0.2)
        expected = [found[column.name] for column in (*COUNTS, *AGREEMENT_MEASURES)]
        np.testing.assert_array_equal(
            [row[column.name] for column in (*COUNTS, *AGREEMENT_MEASURES)], expected
        )
        assert row["order_agreement"] == order_agreement(X, Z, top=top)


def test_combinations_find_what_all_members_find(tables):
    options = {**PAIRED, "alpha": 0.3}
    table = compare_decisions(*tables, "human", **options, combine=2).set_index(["task", "metric"])
    assert list(table.loc["A"].index) == ["m1", "m2", "m10", "m1+m2", "m1+m10", "m2+m10"]
    for names in (("m1", "m2"), ("m1", "m10")):
        members = table.loc[[("A", name) for name in names], ["tp", "fp"]]
        assert (table.loc[("A", "+".join(names)), ["tp", "fp"]] <= members.min()).all()
    assert len(compare_decisions(*tables, "human", **options, combine=99, task="A")) == 7


def test_a_metric_at_chance_is_not_said_to_find_differences():
    """Saying "no difference" of every pair has a balanced accuracy of .5, as has a constant metric."""
    table = pd.DataFrame({"metric": ["bleu"], "ba": [0.5], "tp": [0], "fn": [5], "target": ["human"]})
    assert AGREEMENT.sentence(table).startswith(
        "No metric finds the significant differences of humans better than chance (balanced accuracy); bleu has the "
        "highest value: 0.500"
    )
    assert AGREEMENT.sentence(table.assign(ba=0.7)).startswith(
        "bleu finds the significant differences of humans"
    )
