"""The shares of a mixture's learners: by hand, at the limits, and against correlations of explicit resamples."""

import numpy as np
import pytest

from classy_aesop.training import shares
from classy_aesop.training.learners import SingleColumn
from classy_aesop.training.shares import learner_shares, resampled_correlations
from tests.training.samples import Mean, stacked_years


def shares_of(learners, n_summarizers, correlations, *, same=False, imported=()):
    """Give the shares of learners from made-up rows.

    The relative columns have these correlations with the scores within topics; the plain ones before them are noise.
    """
    rng = np.random.default_rng(0)
    shape = (n_summarizers * 4, 1 + len(correlations))
    topics = np.tile(np.arange(4), n_summarizers)
    basis = np.linalg.qr(np.hstack([np.eye(4)[topics], rng.normal(size=shape)]))[0][:, 4:]
    y, noise = basis[:, 0], basis[:, 1:]
    r = np.array(correlations)
    X = r * y[:, None] + np.sqrt(1 - r**2) * noise + 9 * topics[:, None]
    stacked = stacked_years(n_summarizers, 4, X=np.hstack([rng.normal(size=X.shape), X]), y=y - 5 * topics)
    relative = tuple(f"{number}~difference" for number in range(r.size))
    return learner_shares(learners, stacked, 0, relative=relative, imported=imported, same_summarizers=same)


METRICS = (SingleColumn("r2", 0), SingleColumn("a", 1), SingleColumn("b", 2))
"""One feature and, in the tests below, one or two imported metrics."""


@pytest.mark.parametrize(
    ("n", "same", "part"), [(8, False, 1.0), (10, False, 1.0), (20, False, 0.25), (8, True, 0.0)]
)
def test_known_metrics_count_the_more_the_fewer_systems_there_are(n, same, part):
    learners = (Mean("ridge"), *METRICS, Mean("boosting"))
    case = {"n_summarizers": n, "correlations": (0.1, 0.5, 0.3), "same": same}
    many, single = (1 - part) / 2, part / 3
    assert shares_of(learners, **case) == pytest.approx((many, single, single, single, many))
    assert shares_of(METRICS, **case) == shares_of((Mean("ridge"),) * 3, **case) == (1 / 3,) * 3


def test_a_metric_of_negative_correlation_by_chance_has_no_share():
    """Of 32 rows, two standard errors are .354."""
    learners = (Mean("ridge"), *METRICS)
    for correlations, expected in (
        ((-0.35, 0.5, -0.1), (0, 1, 0)),
        ((-0.36, 0.5, 0.1), (1 / 3, 1 / 3, 1 / 3)),
        ((-0.1, -0.2, -0.3), (1 / 3, 1 / 3, 1 / 3)),
    ):
        assert shares_of(learners, 8, correlations) == pytest.approx((0, *expected))
    update = (Mean("ridge"), SingleColumn("r2@A", 0), SingleColumn("r2@B", 1))
    assert shares_of(update, 8, (-0.1, 0.1)) == pytest.approx((0, 1 / 2, 1 / 2))


def test_single_columns_have_much_where_few_summaries_are_judged():
    """All up to 80 judgments, and of 40 summarizers with 4 topics, 160 judgments, the root of a half."""
    learners = (Mean("ridge"), Mean("boosting"), Mean("extra_trees"), *METRICS)
    for same in (True, False):
        few = shares_of(learners, 20, (0.1, 0.8, -0.1), same=same, imported=("a", "b"))
        assert sum(few[3:]) == pytest.approx(1)
        divided = shares_of(learners, 40, (0.1, 0.8, -0.1), same=same, imported=("a", "b"))
        assert sum(divided) == pytest.approx(1)
        assert sum(divided[3:]) == pytest.approx(0.5**0.5)
        assert divided[:3] == (divided[0],) * 3
    without = shares_of(learners, 20, (0.1, 0.8, -0.1), same=True)
    assert without == pytest.approx((1 / 3, 1 / 3, 1 / 3, 0, 0, 0))


def test_the_metric_that_resamples_choose_has_nearly_all():
    divided = shares_of((Mean("ridge"), *METRICS), 10, (0.2, 0.3, 0.9), imported=("a", "b"))
    assert divided[0] == 0
    assert divided[3] > 0.99


def test_a_metric_is_reversed_only_where_resamples_agree():
    """Errors of a metric for which less is better count against it; a metric that is negative by chance is left out."""
    errors = shares_of((Mean("ridge"), *METRICS), 10, (0.1, 0.4, -0.9), imported=("a", "b"))
    assert errors[3] > 0.9
    by_chance = shares_of((Mean("ridge"), *METRICS), 10, (0.05, 0.1, -0.3), imported=("a", "b"))
    assert by_chance[3] == 0
    assert sum(by_chance[1:3]) == pytest.approx(1)
    feature = shares_of((Mean("ridge"), *METRICS), 10, (-0.9, 0.4, 0.1), imported=("a", "b"))
    assert feature[1] == 0  # more of a feature is never worse


def test_of_equal_metrics_the_first_has_the_share_and_a_constant_one_none():
    rng = np.random.default_rng(3)
    y = rng.normal(size=40)
    x = y + rng.normal(size=40)
    X = np.column_stack([x, 3 * x + 1, np.full(40, 2.0), rng.normal(size=40)])
    stacked = stacked_years(8, 5, X=X, y=y)
    learners = [SingleColumn(name, number) for number, name in enumerate("abcd")]
    first, second, constant, _ = learner_shares(
        learners, stacked, 0, relative=(), imported=tuple("abcd"), same_summarizers=False
    )
    assert first > 0.5
    assert second == constant == 0


def test_correlations_of_resamples_are_those_of_the_resampled_cells(monkeypatch):
    """With a missing score and a missing judgment; the resample is written out, cell by cell."""
    rng = np.random.default_rng(5)
    cells = rng.normal(size=(3, 6, 4))
    cells[0, 2, 1] = cells[2, 4, 3] = np.nan
    cells -= np.nanmean(cells, axis=1, keepdims=True)
    summarizers = np.repeat(np.arange(6), 4)
    topics = np.tile(np.arange(4), 6)
    drawn = []
    monkeypatch.setattr(
        shares,
        "_draw_counts",
        lambda n, size, rng: drawn.append(rng.multinomial(n, [1 / n] * n, size)) or drawn[-1],
    )
    values = resampled_correlations(cells.reshape(3, -1).T, summarizers, topics, 20, seed=1)
    for row, of_summarizers, of_topics in zip(values, *drawn, strict=True):
        for column in range(2):
            x = cells[column].copy()
            y = cells[2].copy()
            x[np.isnan(y)] = np.nan
            y[np.isnan(x)] = np.nan
            taken = np.ix_(np.repeat(np.arange(6), of_summarizers), np.repeat(np.arange(4), of_topics))
            x, y = (part[taken] - np.nanmean(part[taken], axis=0) for part in (x, y))
            of_means = np.corrcoef(np.nanmean(x, axis=1), np.nanmean(y, axis=1))[0, 1]
            exists = np.isfinite(x)
            within = np.corrcoef(x[exists], y[exists])[0, 1]
            assert row[column] == pytest.approx((of_means + within) / 2, abs=1e-8)


def test_shares_depend_on_neither_the_order_of_rows_nor_the_scale_of_a_metric():
    rng = np.random.default_rng(8)
    y = rng.normal(size=80)
    X = np.column_stack([y + rng.normal(size=80), y + rng.normal(size=80)])
    learners = [SingleColumn(name, number) for number, name in enumerate("ab")]
    how = {"relative": (), "imported": ("a", "b"), "same_summarizers": False}
    stacked = stacked_years(10, 8, X=X, y=y)
    before = learner_shares(learners, stacked, 0, **how)
    assert learner_shares(learners, stacked.take(rng.permutation(80)), 0, **how) == pytest.approx(before)
    scaled = stacked_years(10, 8, X=X * [1000, 0.001] + 5, y=y)
    assert learner_shares(learners, scaled, 0, **how) == pytest.approx(before)
