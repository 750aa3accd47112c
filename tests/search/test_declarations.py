"""A fitter and a kernel are added by one class and one line each; what they declare is what the search does."""

import numpy as np
import pytest

from classy_aesop.fitters import LinearFitter
from classy_aesop.search import KERNELS, search_subsets
from classy_aesop.search.kernels.base import Kernel, Solutions
from classy_aesop.search.search_result import IDENTICAL_COLUMNS, TOO_FEW_ROWS

NAMES = ("a", "b", "c")
GROUPS = [[0], [4], [8]]


class Averaged(LinearFitter):
    """Each column weighs its covariance with the mean of all targets."""

    many_targets = True
    first_of_equals = True
    spare_rows = 3

    def __init__(self, target=0):
        self.target = target

    def for_target(self, target, *, on_scale=None):
        return Averaged(target)

    def solve(self, X, y):
        return (X - X.mean(axis=0)).T @ y.mean(axis=1), 0.0


class AveragedKernel(Kernel):
    """The covariances of all columns serve every subset and every target."""

    chunk = 4
    n_made = 0

    def __init__(self, fitter, training):
        type(self).n_made += 1
        self.training = training
        self.coef, _ = fitter.solve(training.X, training.Y)

    def solve(self, masks):
        coef, every = self.training.columns_used(masks).T * self.coef[:, None], np.arange(masks.size)
        return Solutions(coef, np.zeros(masks.size), every >= 0, every < 0, every)


@pytest.fixture(params=[False, True], ids=["plain-loop", "kernel"])
def registered(request, monkeypatch):
    monkeypatch.setattr(AveragedKernel, "n_made", 0)
    if request.param:
        monkeypatch.setitem(KERNELS, Averaged, AveragedKernel)
    return request.param


def test_one_line_makes_the_kernel_search(years, registered):
    for n_searches, target in enumerate((0, 2), 1):
        found = search_subsets(Averaged(), [years], GROUPS, target=target, names=NAMES)
        assert AveragedKernel.n_made == (n_searches if registered else 0)
        expected = [np.corrcoef(*means(years, mask, target))[0, 1] for mask in found.masks]
        np.testing.assert_allclose(found.scores, expected, atol=1e-12)


def means(years, mask, target):
    """Predictions and target of the later year, both as means of summarizers."""
    train, select = years
    columns = [column for bit, (column,) in enumerate(GROUPS) if mask >> bit & 1]
    predicted = Averaged().fit(train.X[:, columns], train.Y).predict(select.X[:, columns])
    who = [select.summarizers == name for name in np.unique(select.summarizers)]
    return [[values[rows].mean() for rows in who] for values in (predicted, select.Y[:, target])]


def test_equal_columns_and_spare_rows_are_as_declared(years, registered):
    train, select = (year.select_columns([0, 4, 0]) for year in years)
    found = search_subsets(Averaged(), [(train, select)], [[0], [1], [2]], target=0, names=NAMES)
    assert ((found.notes & IDENTICAL_COLUMNS) > 0).tolist() == [False] * 4 + [True, False, True]
    short = train.take(slice(5)), select  # more rows than columns by one and three: one column is all
    found = search_subsets(Averaged(), [short], [[0], [1], [2]], target=0, names=NAMES)
    assert ((found.notes & TOO_FEW_ROWS) > 0).tolist() == [False, False, True, False, True, True, True]
