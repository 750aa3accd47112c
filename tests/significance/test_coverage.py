"""Coverage of correlation intervals: against the printed table, by its definition, at the edges."""

import json
import math
from copy import deepcopy

import numpy as np
import pytest

from classy_aesop.significance.correlation import correlation
from classy_aesop.significance.intervals import bootstrap_interval, fisher_interval
from classy_aesop.significance.simulations import INTERVALS as METHODS
from classy_aesop.significance.simulations import halves, interval_coverage

PRINTED = {  # Deutsch et al. (2021), Table 1: Fisher, systems, inputs, both
    ("fabbri", "system"): (0.87, 0.81, 0.70, 0.98),
    ("fabbri", "input"): (1.00, 0.73, 0.73, 0.93),
    ("bhandari", "system"): (0.85, 0.80, 0.68, 0.94),
    ("bhandari", "input"): (1.00, 0.72, 0.62, 0.88),
}
PEOPLE = {"fabbri": "expert.relevance", "bhandari": "litepyramid.recall"}


def matrices(seed, shape=(9, 12)):
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(shape[0], 1))
    return quality + rng.normal(size=shape), quality + rng.normal(size=shape)


@pytest.mark.parametrize(("corpus", "level"), PRINTED)
def test_coverage_against_the_printed_table(shared, corpus, level):
    scores = np.load(shared / f"data/score_matrices/scores_{corpus}2020.npz")
    n_trials = 60
    found = interval_coverage(
        scores["qa-eval.f1"],
        scores[PEOPLE[corpus]],
        level=level,
        n_trials=n_trials,
        n_resamples=300,
        rng=np.random.default_rng(1),
    )
    for row, printed in zip(found[:4], PRINTED[corpus, level], strict=True):
        # 1,000 trials stay within .05 of what is printed; so few scatter by three standard errors besides
        assert row.coverage == pytest.approx(
            printed, abs=0.05 + 3 * math.sqrt(max(printed * (1 - printed), 0.01) / n_trials)
        )


def test_halves_share_neither_rows_nor_columns():
    X = np.arange(7 * 5).reshape(7, 5)
    for near, far in halves(X.shape, 10, np.random.default_rng(0)):
        assert X[near].shape == (3, 2)
        assert X[far].shape == (4, 3)
        for axis in (lambda S: set(S.ravel() // 5), lambda S: set(S.ravel() % 5)):
            assert not axis(X[near]) & axis(X[far])


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("level", ["system", "input"])
def test_coverage_is_its_definition(level):
    X, Z = matrices(3, shape=(11, 12))
    options = {"level": level, "coefficient": "kendall"}
    found = interval_coverage(X, Z, **options, n_trials=15, n_resamples=50, rng=np.random.default_rng(4))
    rng = np.random.default_rng(4)
    held = dict.fromkeys(METHODS, 0)
    for near, far in halves(X.shape, 15, rng):
        truth = correlation(X[far], Z[far], **options).value
        for method in METHODS:
            side = X[near], Z[near]
            interval = (
                fisher_interval(*side, **options)
                if method == "fisher"
                else bootstrap_interval(
                    *side,
                    **options,
                    resample=method.split("_")[0],
                    kind=method.split("_")[1] if "_" in method else "percentile",
                    n_resamples=50,
                    rng=deepcopy(rng) if "_" in method else rng,
                )
            )
            held[method] += interval.low <= truth <= interval.high
    defined = {row.method: row.n_trials - row.n_undefined for row in found}
    assert {row.method: row.coverage * defined[row.method] for row in found} == pytest.approx(held)
    assert [row.n_resamples for row in found] == [0] + 8 * [50]


def test_wide_intervals_hold_more():
    X, Z = matrices(6, shape=(16, 10))
    narrow, wide = (
        interval_coverage(
            X,
            Z,
            methods=["both"],
            confidence=level,
            n_trials=40,
            n_resamples=99,
            rng=np.random.default_rng(0),
        )[0]
        for level in (0.3, 0.95)
    )
    assert narrow.width < wide.width
    assert narrow.coverage < wide.coverage
    assert wide.error == pytest.approx(math.sqrt(wide.coverage * (1 - wide.coverage) / 40))


def test_trials_without_a_value_are_counted():
    X, Z = matrices(0)
    few = interval_coverage(X[:6], Z[:6], methods=["fisher"], n_trials=5, rng=np.random.default_rng(0))[
        0
    ]  # three summarizers: no interval
    flat = interval_coverage(X, np.ones_like(Z), n_trials=5, n_resamples=9, rng=np.random.default_rng(0))
    nobody = interval_coverage(
        X, np.full_like(Z, np.nan), n_trials=5, n_resamples=9, rng=np.random.default_rng(0)
    )
    for row in (few, *flat, *nobody):
        assert (math.isnan(row.coverage), row.n_undefined) == (True, 5)
        json.dumps(row.to_dict())
    empty = interval_coverage(X[:1], Z[:1], n_trials=2, n_resamples=9, rng=np.random.default_rng(0))
    assert all(row.n_undefined == 2 for row in empty)


def test_bad_requests_are_refused():
    X, Z = matrices(0)
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="method is 'normal'"):
        interval_coverage(X, Z, methods=["normal"], rng=rng)
    with pytest.raises(ValueError, match="n_trials is 0"):
        interval_coverage(X, Z, n_trials=0, rng=rng)
    with pytest.raises(ValueError, match="shapes differ"):
        interval_coverage(X, Z[:3], rng=rng)
