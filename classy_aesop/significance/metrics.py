"""Metric against metric: does one correlate better with people than the other?

Permutation tests exchange the two metrics' scores (PERM-SYSTEMS, PERM-INPUTS, PERM-BOTH), the paired
bootstrap draws summarizers and topics again, Williams' test takes the three correlations as they are.
One-sided by default: the first metric is the better one.

Deutsch et al. (2021), section 4. The exchange of every cell on its own is the paper's Algorithm 2 for
PERM-BOTH; exchanging summarizers and then topics, ``swap="systems_inputs"``, is another test, found in other
software.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    N_RESAMPLES,
    BoolArray,
    FloatArray,
    Result,
    one_of,
    same_shape,
    score_matrix,
)
from classy_aesop.significance.bootstrap import Draws, bootstrap_values, draw
from classy_aesop.significance.coefficients import COEFFICIENTS
from classy_aesop.significance.correlation import correlation, summarizer_means
from classy_aesop.significance.replicates import ROWS
from classy_aesop.significance.swapped_columns import SWAPPED
from classy_aesop.significance.swaps import SWAPS, Swaps, draw_swaps, exchanged, signed_sums, topic_signs

ALTERNATIVES = ("greater", "less", "two-sided")

#: Why a p-value of 1 is none of a real test.
UNDEFINED = "undefined correlation"

_CHUNK = 1_000  # resamplings worked on at once
_SLACK = 1e-12  # differences of correlations that rounding explains


@dataclass(frozen=True, slots=True)
class MetricComparison(Result):
    """A test of two metrics' correlations with people.

    Attributes
    ----------
    test : str
        ``permutation``, ``bootstrap`` or ``williams``.
    method : str
        What was exchanged or drawn; empty for Williams.
    level, coefficient, alternative : str
        As asked for.
    first, second, difference : float
        The two correlations, and the first less the second.
    p : float
        P-value; (count + 1) / (n_resamples - n_dropped + 1) for resamplings.
    n : int
        Points correlated, see :class:`~classy_aesop.significance.correlation.Correlation`.
    n_resamples, n_dropped : int
        Resamplings drawn, and those without a value; 0 for Williams.
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


def permutation_test(
    X: ArrayLike,
    Y: ArrayLike,
    Z: ArrayLike,
    *,
    level: str = "system",
    coefficient: str = "pearson",
    swap: str = "cells",
    alternative: str = "greater",
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
) -> MetricComparison:
    """Test whether metric X correlates better with people than metric Y by exchanging their scores.

    Parameters
    ----------
    X, Y, Z : array_like, shape (n_summarizers, n_topics)
        Scores of two metrics and by people; NaN where missing. A cell counts when all three have it; the
        metrics are brought to mean 0 and standard deviation 1 over these cells.
    level, coefficient : str
        As for :func:`classy_aesop.significance.correlation.correlation`.
    swap : {"cells", "systems", "inputs", "systems_inputs"}
        What is exchanged, see the module.
    alternative : {"greater", "less", "two-sided"}
        What is tested of r(X, Z) less r(Y, Z).
    n_resamples : int
        Number of exchanges.
    rng : numpy.random.Generator
        Source of the exchanges.

    Returns
    -------
    MetricComparison
        P-value 1 and a flag if a correlation is undefined.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.normal(size=(15, 20)) + np.arange(15)[:, None]
    >>> X, Y = Z + rng.normal(size=Z.shape), rng.normal(size=Z.shape)
    >>> permutation_test(X, Y, Z, n_resamples=99, rng=rng).p
    0.01
    """
    one_of(swap, SWAPS, "swap")
    X, Y, Z = _shared_cells(X, Y, Z)

    def values() -> Iterator[FloatArray]:
        for size in _chunks(n_resamples):
            swaps = draw_swaps(X.shape, swap, size, rng)
            yield permutation_values(X, Y, Z, swaps, level=level, coefficient=coefficient)

    return _resampled("permutation", swap, (X, Y, Z), level, coefficient, alternative, n_resamples, values)


def bootstrap_test(
    X: ArrayLike,
    Y: ArrayLike,
    Z: ArrayLike,
    *,
    level: str = "system",
    coefficient: str = "pearson",
    resample: str = "both",
    alternative: str = "greater",
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
) -> MetricComparison:
    """Paired bootstrap: draw summarizers and topics, see how often the difference is twice what it is.

    The replicates' differences scatter around the observed one, so their distance from it stands for the
    distance from 0 that chance makes. Parameters as for :func:`permutation_test`, ``resample`` as for
    :func:`classy_aesop.significance.bootstrap.bootstrap_interval`.
    """
    X, Y, Z = _shared_cells(X, Y, Z)

    def values() -> Iterator[FloatArray]:
        observed = _difference(X, Y, Z, level, coefficient)
        for size in _chunks(n_resamples):
            draws = draw(X.shape, resample, size, rng)
            yield paired_values(X, Y, Z, draws, level=level, coefficient=coefficient) - observed

    return _resampled("bootstrap", resample, (X, Y, Z), level, coefficient, alternative, n_resamples, values)


def williams_test(
    X: ArrayLike,
    Y: ArrayLike,
    Z: ArrayLike,
    *,
    level: str = "system",
    coefficient: str = "pearson",
    alternative: str = "greater",
) -> MetricComparison:
    """Williams' test of two dependent correlations that share the people's scores; see :func:`williams`.

    Correlations enter without their signs. Cells as for :func:`permutation_test`.
    """
    one_of(alternative, ALTERNATIVES, "alternative")
    X, Y, Z = _shared_cells(X, Y, Z)
    first, second, between = (
        correlation(*pair, level=level, coefficient=coefficient) for pair in ((X, Z), (Y, Z), (X, Y))
    )
    t, p = williams(abs(first.value), abs(second.value), abs(between.value), first.n, alternative=alternative)
    return MetricComparison(
        test="williams",
        method="",
        level=level,
        coefficient=coefficient,
        alternative=alternative,
        first=first.value,
        second=second.value,
        difference=first.value - second.value,
        p=p,
        n=first.n,
        n_resamples=0,
        n_dropped=0,
        statistic=t,
        flag=UNDEFINED if np.isnan(t) else "",
    )


def williams(
    r12: float, r13: float, r23: float, n: int, *, alternative: str = "greater"
) -> tuple[float, float]:
    """Williams' t and its p-value from three correlations of ``n`` points.

    Parameters
    ----------
    r12, r13 : float
        Of the people's scores with the first and with the second metric.
    r23 : float
        Of the two metrics.
    n : int
        Number of points; t has n - 3 degrees of freedom.
    alternative : {"greater", "less", "two-sided"}
        What is tested of r12 less r13.

    Returns
    -------
    tuple of float
        t and p; NaN and 1 if t is undefined: fewer than four points, or metrics that are one.

    Notes
    -----
    Williams (1959); Steiger (1980), equation 7.

    Examples
    --------
    >>> t, p = williams(0.85, 0.75, 0.9, 20)
    >>> round(t, 6), round(p, 6)
    (1.749144, 0.049148)
    """
    from scipy.special import stdtr

    one_of(alternative, ALTERNATIVES, "alternative")
    undefined = float("nan"), 1.0
    if n < 4 or np.isnan([r12, r13, r23]).any():
        return undefined
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    scale = 2 * determinant * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if scale <= _SLACK * _SLACK:
        return undefined
    t = float((r12 - r13) * np.sqrt((n - 1) * (1 + r23) / scale))
    below, above = float(stdtr(n - 3, t)), float(stdtr(n - 3, -t))
    return t, {"greater": above, "less": below, "two-sided": 2 * min(below, above)}[alternative]


def permutation_values(
    X: FloatArray, Y: FloatArray, Z: FloatArray, swaps: Swaps, *, level: str, coefficient: str
) -> FloatArray:
    """Difference of the two correlations after each exchange, shape (n_swaps,); NaN where undefined.

    ``X`` and ``Y`` are brought to one scale first, over the cells that all three matrices have.
    """
    X, Y, Z = _shared_cells(X, Y, Z)
    X, Y = _standard(X), _standard(Y)
    if level == "system" and coefficient in ROWS:
        return _system_differences(X, Y, Z, swaps, coefficient)
    if level == "input" and (coefficient in SWAPPED or (swaps.rows is None and swaps.cells is None)):
        return _input_differences(X, Y, Z, swaps, coefficient)
    values = np.empty(len(swaps))
    for k in range(len(swaps)):
        mask = exchanged(swaps, k, X.shape)
        values[k] = _difference(np.where(mask, Y, X), np.where(mask, X, Y), Z, level, coefficient)
    return values


def paired_values(
    X: FloatArray, Y: FloatArray, Z: FloatArray, draws: Draws, *, level: str, coefficient: str
) -> FloatArray:
    """Difference of the two correlations on each replicate, shape (n_draws,); NaN where undefined."""
    X, Y, Z = _shared_cells(X, Y, Z)
    options = {"level": level, "coefficient": coefficient}
    return bootstrap_values(X, Z, draws, **options) - bootstrap_values(Y, Z, draws, **options)


def _resampled(
    test: str,
    method: str,
    scores: tuple[FloatArray, FloatArray, FloatArray],
    level: str,
    coefficient: str,
    alternative: str,
    n_resamples: int,
    values: Callable[[], Iterator[FloatArray]],
) -> MetricComparison:
    one_of(alternative, ALTERNATIVES, "alternative")
    if n_resamples < 1:
        raise ValueError(f"n_resamples is {n_resamples}; expected at least 1")
    X, Y, Z = scores
    first, second = (correlation(S, Z, level=level, coefficient=coefficient) for S in (X, Y))
    observed = first.value - second.value
    drawn = np.full(n_resamples, np.nan) if np.isnan(observed) else np.concatenate(list(values()))
    defined = drawn[~np.isnan(drawn)]
    return MetricComparison(
        test=test,
        method=method,
        level=level,
        coefficient=coefficient,
        alternative=alternative,
        first=first.value,
        second=second.value,
        difference=observed,
        p=resampling_p(defined, observed, alternative),
        n=first.n,
        n_resamples=n_resamples,
        n_dropped=n_resamples - len(defined),
        statistic=observed,
        flag=UNDEFINED if np.isnan(observed) else "",
    )


def resampling_p(values: FloatArray, observed: float, alternative: str) -> float:
    """(count + 1) / (n + 1), counting what is as extreme as observed, within rounding; never 0."""
    as_extreme = {
        "greater": lambda: values >= observed - _SLACK,
        "less": lambda: values <= observed + _SLACK,
        "two-sided": lambda: np.abs(values) >= abs(observed) - _SLACK,
    }[alternative]()
    return float((np.count_nonzero(as_extreme) + 1) / (len(values) + 1))


def _difference(X: FloatArray, Y: FloatArray, Z: FloatArray, level: str, coefficient: str) -> float:
    options = {"level": level, "coefficient": coefficient}
    return correlation(X, Z, **options).value - correlation(Y, Z, **options).value


def _shared_cells(X: ArrayLike, Y: ArrayLike, Z: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    X, Y, Z = score_matrix(X, "X"), score_matrix(Y, "Y"), score_matrix(Z, "Z")
    same_shape(X=X, Y=Y, Z=Z)
    missing = np.isnan(X) | np.isnan(Y) | np.isnan(Z)
    return tuple(np.where(missing, np.nan, S) for S in (X, Y, Z))  # type: ignore[return-value]


def _standard(X: FloatArray) -> FloatArray:
    """Bring to mean 0 and population standard deviation 1 over all cells; a constant matrix to 0."""
    cells = X[~np.isnan(X)]
    if len(cells) == 0:
        return X
    largest = np.abs(cells).max() or 1.0  # its squares must neither vanish nor overflow
    X, cells = X / largest, cells / largest
    centred = X - cells.mean()
    return np.asarray(centred / (cells.std() or 1.0))


def _chunks(n: int) -> list[int]:
    return [min(_CHUNK, n - start) for start in range(0, n, _CHUNK)]


def _system_differences(
    X: FloatArray, Y: FloatArray, Z: FloatArray, swaps: Swaps, coefficient: str
) -> FloatArray:
    whole = ~np.isnan(Z)
    scored = whole.any(axis=1)
    people = summarizer_means(Z, whole)[None, scored]
    mean = summarizer_means((X + Y) / 2, whole)[scored]
    half = np.where(whole, (X - Y) / 2, 0.0)
    moved = signed_sums(half, swaps)[:, scored] / whole.sum(axis=1)[scored]
    return ROWS[coefficient](mean + moved, people) - ROWS[coefficient](mean - moved, people)


def _input_differences(
    X: FloatArray, Y: FloatArray, Z: FloatArray, swaps: Swaps, coefficient: str
) -> FloatArray:
    n_topics = X.shape[1]
    first, second = np.full((2, len(swaps), n_topics), np.nan)
    for topic in range(n_topics):
        whole = ~np.isnan(Z[:, topic])
        scores = tuple(S[whole, topic] for S in (X, Y, Z))
        first[:, topic], second[:, topic] = _within_topic(scores, swaps, topic, whole, coefficient)
    if swaps.columns is not None:
        first, second = np.where(swaps.columns, second, first), np.where(swaps.columns, first, second)
    return _mean_of_defined(first) - _mean_of_defined(second)


def _within_topic(
    scores: tuple[FloatArray, ...], swaps: Swaps, topic: int, whole: BoolArray, coefficient: str
) -> tuple[FloatArray | float, FloatArray | float]:
    x, y, z = scores
    if swaps.rows is None and swaps.cells is None:
        return COEFFICIENTS[coefficient](x, z), COEFFICIENTS[coefficient](y, z)
    if len(z) < 2 or np.isnan(COEFFICIENTS[coefficient](z, z)):
        return np.nan, np.nan
    return SWAPPED[coefficient](x, y, z, topic_signs(swaps, topic)[:, whole])


def _mean_of_defined(values: FloatArray) -> FloatArray:
    defined = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(defined, values, 0.0).sum(axis=1) / defined.sum(axis=1))
