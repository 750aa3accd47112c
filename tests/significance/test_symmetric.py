"""Eigenvalues where LAPACK's first way fails, which happens to matrices that have nothing odd."""

import numpy as np
import pytest

from classy_aesop.significance import direct_means as symmetric
from classy_aesop.significance.estimation import estimate_means


def failing(A):
    """Fail as numpy did for one of the covariances of 50 systems in a study, of a condition number of 12."""
    raise np.linalg.LinAlgError("Eigenvalues did not converge")


@pytest.fixture
def fails(monkeypatch):
    monkeypatch.setattr(np.linalg, "eigh", failing)


def matrices():
    x = np.random.default_rng(0).normal(size=(3, 6, 9))
    return x @ x.mT


def test_another_way_finds_the_same(fails):
    values, vectors = symmetric.eigh(matrices())
    assert (np.diff(values) > 0).all()
    assert (vectors * values[..., None, :]) @ vectors.mT == pytest.approx(matrices())
    assert vectors.mT @ vectors == pytest.approx(np.array([np.eye(6)] * 3))


def test_one_matrix_and_many(fails):
    alone, _ = symmetric.eigh(matrices()[1])
    assert alone == pytest.approx(symmetric.eigh(matrices())[0][1])


def estimated():
    y = np.random.default_rng(0).normal(size=(8, 12))
    y[:, 6:] = np.nan
    found = estimate_means(y)
    return found.mean, found.interval(), found.differences(np.random.default_rng(0)).high


def test_estimates_do_not_end_in_a_fault(monkeypatch):
    expected = estimated()
    monkeypatch.setattr(np.linalg, "eigh", failing)
    for one, other in zip(estimated(), expected, strict=True):
        assert np.asarray(one) == pytest.approx(np.asarray(other))
