"""Columns that are scaled, duplicated, constant or nearly dependent, and other orders of rows and columns."""

import warnings

import numpy as np
import pytest

from classy_aesop.fitters import FITTERS

SEEDS = range(3)
LINEAR = {name: kind for name, kind in FITTERS.items() if kind.linear}
"""Trees choose rows and columns at random by their place: another order is another choice."""

pytestmark = pytest.mark.slow


def sample(seed, n=96):
    """Two correlated columns, two others, and a score from 1 to 5."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    X[:, 1] = X[:, 0] + 0.3 * X[:, 1]
    score = X[:, 0] - 0.7 * X[:, 2] + 0.5 * rng.normal(size=n)
    return X, np.clip(np.round(3 + score), 1, 5)


def predicted(kind, X, y, at=None):
    fitter = kind.from_options(random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitter.fit(X, y)
    return fitter.predict(X if at is None else at)


def cases():
    for name in FITTERS:
        for seed in SEEDS:
            yield name, FITTERS[name], *sample(seed), np.random.default_rng(seed)


def close(found, expected, what, tolerance=1e-6):
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance, err_msg=what)


def test_turned_and_shifted_columns_and_scores_change_no_prediction():
    for name, kind, X, y, _ in cases():
        if name in LINEAR:
            other = X * [1, -1, 5, -0.1] + [0, 1, 2, 3]
            close(predicted(kind, other, 2 * y + 9), 2 * predicted(kind, X, y) + 9, name)


def test_a_constant_column_changes_no_prediction():
    for name, kind, X, y, _ in cases():
        if name in LINEAR:
            more = np.column_stack([X[:, :2], np.full(len(X), 1e8), X[:, 2:]])
            close(predicted(kind, more, y), predicted(kind, X, y), name)


def test_a_duplicated_column_changes_no_prediction_of_a_fitter_that_takes_the_first():
    for name, kind, X, y, _ in cases():
        if kind.first_of_equals:
            close(predicted(kind, X[:, [0, 1, 2, 1, 3, 0]], y), predicted(kind, X, y), name)


def test_nearly_dependent_columns_give_predictions_within_reach_of_the_scores():
    """Whatever is done with them, new rows of the same kind get no wild score."""
    for name, kind, X, y, rng in cases():
        for noise in (1e-14, 1e-10, 1e-6):
            more = np.column_stack([X, X.sum(axis=1) + noise * rng.normal(size=len(X)), 1e8 * X[:, 0]])
            found = predicted(kind, more, y)
            assert np.isfinite(found).all(), name
            assert abs(found - predicted(kind, X, y)).max() < 1.5, (name, noise)


def test_the_order_of_rows_and_columns_changes_no_prediction():
    for name, kind, X, y, rng in cases():
        if name not in LINEAR:
            continue
        rows, columns = rng.permutation(len(X)), rng.permutation(X.shape[1])
        close(predicted(kind, X[rows][:, columns], y[rows], at=X[:, columns]), predicted(kind, X, y), name)
