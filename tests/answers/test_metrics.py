"""Correlations, intervals and agreement from tables: by hand, the same as on the matrices, and as printed."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import compare_pairs, evaluate
from classy_aesop.answers.answer_options import INTERVALS
from classy_aesop.answers.correlation_tables import OF_MEANS, spread_correlations
from classy_aesop.data.scores import MetricCorrelation
from classy_aesop.errors import UsageError
from classy_aesop.significance.correlations.correlation_intervals import bootstrap_interval, fisher_interval
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.work.seeds import seeded_rng

pytestmark = pytest.mark.filterwarnings("ignore:system level. 1 of [0-9]+ cells are missing")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"interval": "odd"}, "interval is 'odd'; expected one of boot-both, boot-systems"),
        ({"interval": "none", "confidence": 0.9}, "confidence is 0.9 and there is no interval"),
        ({"interval": "fisher", "n_resamples": 9}, "n_resamples is 9 and nothing is resampled"),
        ({"interval": "none", "n_resamples": 9}, "n_resamples is 9 and nothing is resampled"),
    ],
)
def test_an_option_of_an_interval_that_there_is_not_is_refused(tables, options, message):
    with pytest.raises(UsageError, match=message):
        evaluate(*tables, **options)


def test_correlations_have_their_intervals_by_default(tables):
    table = evaluate(*tables, task="A", coefficient="pearson", level="system").table
    drawn = {"interval": "boot-both", "n_resamples": 999, "confidence": 0.95, "seed": 0}
    pd.testing.assert_frame_equal(
        table, evaluate(*tables, task="A", coefficient="pearson", level="system", **drawn).table
    )
    assert (table["low"] <= table["value"]).all()
    assert (table["value"] <= table["high"]).all()
    without = evaluate(*tables, task="A", coefficient="pearson", level="system", interval="none").table
    pd.testing.assert_frame_equal(without, table[list(without)])
    assert "low" not in without


def test_an_interval_that_takes_long_has_to_be_named(tables):
    options = {"task": "A", "level": ["input", "global"], "coefficient": "pearson", "metric": "m1"}
    within, overall = evaluate(*tables, **options)
    assert (np.isnan(within["low"]), within["flag"]) == (False, "")
    assert (np.isnan(overall["low"]), overall["flag"]) == (True, "no interval unless it is named")
    _, named = evaluate(*tables, **options, interval="boot-both", n_resamples=99)
    assert named["low"] < named["value"] < named["high"]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("method", ["fisher", "boot-systems", "boot-inputs", "boot-both"])
def test_intervals_are_those_of_the_matrices(tables, judged, shuffle, method):
    drawn = {"interval": method, "confidence": 0.9, "seed": 6}
    drawn |= {} if method == "fisher" else {"n_resamples": 99}
    how = {"level": ["system", "input"], "coefficient": ["kendall"], **drawn}
    table = evaluate(*map(shuffle, tables), **how).table
    row = table.set_index(["task", "metric", "level"]).loc[("A", "m2", "input")]
    options = {"level": "input", "coefficient": "kendall", "confidence": 0.9}
    if method == "fisher":
        found = fisher_interval(judged["m2"], judged["human"], **options)
    else:
        rng = seeded_rng(6, "2021", "A", "m2", "human", "input", "kendall")
        options |= {"resample": INTERVALS[method], "n_resamples": 99, "rng": rng}
        found = bootstrap_interval(judged["m2"], judged["human"], **options)
    assert (row["value"], row["low"], row["high"]) == (found.value, found.low, found.high)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*no difference can be significant:classy_aesop.errors.DataWarning")
def test_a_constant_that_grades_hold_without_an_error_changes_nothing(tables):
    near = [one.assign(score=one["score"].round()) for one in tables]
    far = [one.assign(score=one["score"] + 1e12) for one in near]
    one, other = ((evaluate(*both).table, compare_pairs(both[1], "human").table) for both in (near, far))
    for at, name in enumerate(("value", "p")):
        np.testing.assert_allclose(other[at][name], one[at][name])


WRONG = [
    (lambda tables: evaluate(*tables, interval="fisher", confidence=95).table, "confidence is 95"),
    (lambda tables: evaluate(*tables, level="input", coefficient="soft_pairwise_accuracy").table,
     "no soft_pairwise_accuracy at level input; expected level system"),
    (lambda tables: evaluate(*tables, coefficient="tau_ap", interval="fisher").table, "no Fisher interval of tau_ap"),
    (lambda tables: evaluate(*tables, interval="boot-both", seed=-1).table, "seed is -1"),
]  # fmt: skip


@pytest.mark.parametrize(("choose", "said"), WRONG)
def test_wrong_choices(tables, choose, said):
    with pytest.raises(ValueError, match=said):
        choose(tables)


@pytest.mark.slow
def test_accuracies_have_their_chance_level_beside_them(tables, judged):
    """Soft accuracy is of systems only, so there is no row of it within topics; correlations have chance 0."""
    names = ["acc_eq", "acc_eq_calibrated", "soft_pairwise_accuracy", "kendall"]
    table = evaluate(*tables, level=["system", "input"], coefficient=names, interval="none").table
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
