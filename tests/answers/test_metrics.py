"""Correlations, intervals and agreement from tables: by hand, the same as on the matrices, and as printed."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import DataWarning, agreement, compare_pairs, evaluate
from classy_aesop.answers.correlation_tables import OF_MEANS, spread_correlations
from classy_aesop.answers.metrics import AGREEMENT, AGREEMENT_MEASURES, COUNTS, INTERVALS
from classy_aesop.data.scores import MetricCorrelation
from classy_aesop.errors import UsageError
from classy_aesop.significance.correlations.correlation_intervals import (
    INTERVAL_KINDS,
    bootstrap_interval,
    fisher_interval,
)
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.metrics.label_agreement import agreement_with_humans, order_agreement
from classy_aesop.work.seeds import seeded_rng

pytestmark = pytest.mark.filterwarnings("ignore:system level. 1 of [0-9]+ cells are missing")


KINDS_OF_INTERVALS = [
    ("fisher", "percentile"),
    *((f"boot-{resample}", kind) for resample in ("systems", "inputs") for kind in INTERVAL_KINDS),
    ("boot-both", "percentile"),
    ("boot-both", "normal"),
]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"interval": "boot-both", "interval_kind": "bca"}, "boot-both has no bca interval"),
        ({"interval": "fisher", "interval_kind": "normal"}, "interval fisher has no kind normal"),
        (
            {"interval": "boot-both", "interval_kind": "odd"},
            "interval_kind is 'odd'; expected one of percentile",
        ),
        ({"interval_kind": "normal"}, "interval_kind is normal and there is no interval"),
    ],
)
def test_a_kind_of_interval_that_there_is_not_is_refused(tables, options, message):
    with pytest.raises(UsageError, match=message):
        evaluate(*tables, **options)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(("method", "kind"), KINDS_OF_INTERVALS)
def test_intervals_are_those_of_the_matrices(tables, judged, shuffle, method, kind):
    drawn = {"interval": method, "interval_kind": kind, "confidence": 0.9, "n_resamples": 99, "seed": 6}
    how = {"level": ["system", "input"], "coefficient": ["kendall"], **drawn}
    table = evaluate(*map(shuffle, tables), **how).table
    row = table.set_index(["task", "metric", "level"]).loc[("A", "m2", "input")]
    options = {"level": "input", "coefficient": "kendall", "confidence": 0.9}
    if method == "fisher":
        found = fisher_interval(judged["m2"], judged["human"], **options)
    else:
        rng = seeded_rng(6, "2021", "A", "m2", "human", "input", "kendall")
        options |= {"resample": INTERVALS[method], "kind": kind, "n_resamples": 99, "rng": rng}
        found = bootstrap_interval(judged["m2"], judged["human"], **options)
    assert (row["value"], row["low"], row["high"]) == (found.value, found.low, found.high)
    assert (row["n"], row["n_resamples"], row["interval"]) == (6, found.n_resamples, method)
    assert row["interval_kind"] == ("" if method == "fisher" else kind)
    assert pd.isna(row["seed"]) if method == "fisher" else row["seed"] == 6


@pytest.mark.filterwarnings("ignore:.*no difference can be significant:classy_aesop.errors.DataWarning")
def test_a_constant_that_grades_hold_without_an_error_changes_nothing(tables):
    near = [one.assign(score=one["score"].round()) for one in tables]
    far = [one.assign(score=one["score"] + 1e12) for one in near]
    one, other = (
        (evaluate(*both).table, agreement(*both, "human").table, compare_pairs(both[1], "human").table)
        for both in (near, far)
    )
    for at, name in enumerate(("value", "tp", "p")):
        np.testing.assert_allclose(other[at][name], one[at][name])


WRONG = [
    (lambda tables: evaluate(*tables, interval="fisher", confidence=95).table, "confidence is 95"),
    (lambda tables: evaluate(*tables, level="input", coefficient="soft_pairwise_accuracy").table,
     "no soft_pairwise_accuracy at level input; expected level system"),
    (lambda tables: evaluate(*tables, coefficient="tau_ap", interval="fisher").table, "no Fisher interval of tau_ap"),
    (lambda tables: evaluate(*tables, interval="boot-both", seed=-1).table, "seed is -1"),
    (lambda tables: agreement(*tables, "human", top=1).table, "top is 1"),
    (lambda tables: agreement(*tables, "human", alpha=0).table, "alpha is 0"),
    (lambda tables: agreement(*tables, "human", combine=0).table, "combine is 0"),
]  # fmt: skip


@pytest.mark.parametrize(("choose", "said"), WRONG)
def test_wrong_choices(tables, choose, said):
    with pytest.raises(ValueError, match=said):
        choose(tables)


@pytest.mark.slow
def test_accuracies_have_their_chance_level_beside_them(tables, judged):
    """Soft accuracy is of systems only, so there is no row of it within topics; correlations have chance 0."""
    names = ["acc_eq", "acc_eq_calibrated", "soft_pairwise_accuracy", "kendall"]
    table = evaluate(*tables, level=["system", "input"], coefficient=names).table
    assert list(table) == [
        "year",
        "task",
        "metric",
        "target",
        *MetricCorrelation._fields,
        *(column.name for column in OF_MEANS),
        "chance",
        "epsilon",
    ]
    own = table[(table["task"] == "A") & (table["metric"] == "m2")]
    assert list(own.loc[own["level"] == "system", "coefficient"]) == names
    assert list(own.loc[own["level"] == "input", "coefficient"]) == ["acc_eq", "acc_eq_calibrated", "kendall"]
    for name in ("acc_eq", "acc_eq_calibrated"):
        found = correlation(judged["m2"], judged["human"], level="input", coefficient=name)
        row = own[(own["level"] == "input") & (own["coefficient"] == name)].iloc[0]
        assert (row["value"], row["chance"]) == (found.value, found.chance)
    assert row["epsilon"] == found.epsilon
    assert set(table.loc[table["coefficient"] == "kendall", "chance"]) == {0.0}
    wide = spread_correlations(table)
    assert {"system acc_eq (chance)", "input kendall"} <= set(wide)
    assert wide["system acc_eq (chance)"].iloc[0].endswith(" (0.500)")


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
    (row,) = agreement(metric, human, "human").table.to_dict("records")
    assert [row[column.name] for column in COUNTS] == [3, 1, 1, 1, 0, 0]
    assert (row["precision"], row["recall"], row["accuracy"]) == (0.5, 0.5, pytest.approx(1 / 3))
    assert row["order_agreement"] == pytest.approx(1 / 3)
    assert (row["n_summarizers"], row["n_topics"], row["correction"]) == (3, TOPICS, "none")
    assert pd.isna(row["seed"])


def test_one_topic_tests_no_pair(table_of):
    steps = [[1.0], [2.0], [4.0]]
    said = (
        "3 of 3 pairs of summarizers are not counted for m1, so its measures are missing: no test is possible"
    )
    with pytest.warns(DataWarning, match=said):
        (row,) = agreement(table_of(steps, "m1"), table_of(steps, "human"), "human").table.to_dict("records")
    assert [row[column.name] for column in COUNTS] == [0] * 6
    assert all(np.isnan(row[column.name]) for column in AGREEMENT_MEASURES)
    assert row["order_agreement"] == 1


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("test", ["wilcoxon", "paired_t"])
@pytest.mark.parametrize("top", [None, 4])
def test_rows_are_the_agreements_of_the_matrices(tables, judged, shuffle, test, top):
    how = {"top": top, "test": test, "alpha": 0.2}
    table = agreement(*map(shuffle, tables), "human", **how).table
    assert list(table) == AGREEMENT.names
    for row in table[table["task"] == "A"].to_dict("records"):
        X, Z = judged[row["metric"]], judged["human"]
        found = agreement_with_humans(X, Z, top=top, test=test, alpha=0.2)
        expected = [getattr(found, column.name) for column in (*COUNTS, *AGREEMENT_MEASURES)]
        np.testing.assert_array_equal(
            [row[column.name] for column in (*COUNTS, *AGREEMENT_MEASURES)], expected
        )
        assert row["order_agreement"] == order_agreement(X, Z, top=top)


def test_combinations_find_what_all_members_find(tables):
    table = agreement(*tables, "human", alpha=0.3, combine=2).table.set_index(["task", "metric"])
    assert list(table.loc["A"].index) == ["m1", "m2", "m10", "m1+m2", "m1+m10", "m2+m10"]
    for names in (("m1", "m2"), ("m1", "m10")):
        members = table.loc[[("A", name) for name in names], ["tp", "fp"]]
        assert (table.loc[("A", "+".join(names)), ["tp", "fp"]] <= members.min()).all()
    assert len(agreement(*tables, "human", combine=99, task="A").table) == 7


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
