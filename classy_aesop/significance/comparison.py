"""The result of a test of two metrics against human scores, and the p-value of a resampling."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray, Result, one_of, same_shape, score_matrix
from classy_aesop.significance.correlation import Correlation, correlation

ALTERNATIVES = ("greater", "less", "two-sided")

#: Reasons why a p-value of 1 does not come from a test.
UNDEFINED = "undefined correlation"

#: Differences of correlations that rounding explains.
SLACK = 1e-12

_CHUNK = 1_000  # resamplings worked on at once


@dataclass(frozen=True, slots=True)
class MetricComparison(Result):
    """A test of two metrics' correlations with humans.

    Attributes
    ----------
    test : str
        ``permutation``, ``bootstrap`` or ``williams``.
    method : str
        What was exchanged or resampled; empty for Williams.
    level, coefficient, alternative : str
        As asked for.
    first, second, difference : float
        The two correlations, and the first less the second.
    p : float
        P-value; (count + 1) / (n_resamples - n_dropped + 1) for resamplings.
    n : int
        Points correlated, see :class:`~classy_aesop.significance.correlation.Correlation`.
    n_resamples, n_dropped : int
        Number of resamples, and of those without a value; 0 for Williams.
    statistic : float
        Williams' t; the difference for resamplings.
    flag : str
        Why the p-value is none of a real test; else empty.
    """

    test: str
    method: str
    level: str
    coefficient: str
    alternative: str
    first: float
    second: float
    difference: float
    p: float
    n: int
    n_resamples: int
    n_dropped: int
    statistic: float
    flag: str


@dataclass(frozen=True, slots=True)
class Resampled(Result):
    """The difference of two metrics' correlations, and what resamples give if there is none.

    Attributes
    ----------
    test, method : str
        As of `MetricComparison`.
    first, second : Correlation
        Of the two metrics with humans.
    values : ndarray, shape (n_resamples,)
        Differences that chance alone makes; NaN where undefined.
    """

    test: str
    method: str
    first: Correlation
    second: Correlation
    values: FloatArray

    @property
    def difference(self) -> float:
        """The observed difference, first less second."""
        return self.first.value - self.second.value

    def turned(self) -> Resampled:
        """Give the same with the two metrics in each other's place."""
        return replace(self, first=self.second, second=self.first, values=-self.values)

    def compared(self, alternative: str = "greater") -> MetricComparison:
        """Test the observed difference."""
        one_of(alternative, ALTERNATIVES, "alternative")
        observed, values = self.difference, self.values
        defined = values[~np.isnan(values)] if not np.isnan(observed) else values[:0]
        return MetricComparison(
            test=self.test,
            method=self.method,
            level=self.first.level,
            coefficient=self.first.coefficient,
            alternative=alternative,
            first=self.first.value,
            second=self.second.value,
            difference=observed,
            p=resampling_p(defined, observed, alternative),
            n=self.first.n,
            n_resamples=len(values),
            n_dropped=len(values) - len(defined),
            statistic=observed,
            flag=UNDEFINED if np.isnan(observed) else "",
        )


class Correlations:
    """Correlations of metrics with humans, each computed once for the cells that it is asked for."""

    def __init__(self, level: str, coefficient: str) -> None:
        self.options = {"level": level, "coefficient": coefficient}
        self._known: dict[tuple[int, bytes], Any] = {}

    def of(self, which: int, S: FloatArray, human: FloatArray) -> Any:
        """Give what `compute` gives of the metric with number ``which``, on the cells that ``human`` has."""
        key = which, np.isnan(human).tobytes()
        if key not in self._known:
            self._known[key] = self.compute(S, human)
        return self._known[key]

    def compute(self, S: FloatArray, human: FloatArray) -> Any:
        """Correlate a metric's scores with human ones."""
        return correlation(S, human, **self.options)


def resampling_p(values: FloatArray, observed: float, alternative: str) -> float:
    """(count + 1) / (n + 1), counting what is as extreme as observed, within rounding; never 0."""
    as_extreme = {
        "greater": lambda: values >= observed - SLACK,
        "less": lambda: values <= observed + SLACK,
        "two-sided": lambda: np.abs(values) >= abs(observed) - SLACK,
    }[alternative]()
    return float((np.count_nonzero(as_extreme) + 1) / (len(values) + 1))


def shared_cells(X: ArrayLike, Y: ArrayLike, Z: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Check three score matrices; a cell that one of them lacks becomes NaN in all."""
    X, Y, Z = score_matrix(X, "X"), score_matrix(Y, "Y"), score_matrix(Z, "Z")
    same_shape(X=X, Y=Y, Z=Z)
    missing = np.isnan(X) | np.isnan(Y) | np.isnan(Z)
    return tuple(np.where(missing, np.nan, S) for S in (X, Y, Z))  # type: ignore[return-value]


def chunks(n: int) -> list[int]:
    """Cut a number of resamplings into parts that are worked on at once."""
    return [min(_CHUNK, n - start) for start in range(0, n, _CHUNK)]
