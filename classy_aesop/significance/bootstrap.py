"""Bootstrap of a correlation over summarizers, topics or both.

Resampling ``systems`` gives an interval for other summarizers on the same topics, ``inputs`` for other topics,
``both`` for both (BOOT-SYSTEMS, BOOT-INPUTS and BOOT-BOTH of Deutsch et al. 2021, section 3). A resample without a
value, because all its summarizers have equal scores, is dropped and counted. A summarizer that is drawn twice makes no
pair with itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    N_RESAMPLES,
    BoolArray,
    FloatArray,
    IntArray,
    Result,
    check_number,
    one_of,
    same_shape,
    score_matrix,
)
from classy_aesop.significance.bca import bca_shares, leave_one_out
from classy_aesop.significance.coefficients import COEFFICIENTS, least_of
from classy_aesop.significance.columns import COLUMNS
from classy_aesop.significance.correlation import check_names, correlated, correlation
from classy_aesop.significance.intervals import Interval, bounded_ends, check_confidence
from classy_aesop.significance.near_ties import slack_of, snapped
from classy_aesop.significance.rows import ROWS, counts_of, drawn_rows

RESAMPLES = ("systems", "inputs", "both")

KINDS = ("percentile", "bca", "normal")

_CHUNK = 1_000  # resamples worked on at once


@dataclass(frozen=True, slots=True)
class Resamples(Result):
    """Rows and columns sampled with replacement; None: all of them, once each.

    Attributes
    ----------
    rows : ndarray of int, shape (n_resamples, n_summarizers), or None
        Summarizers of each resample.
    columns : ndarray of int, shape (n_resamples, n_topics), or None
        Topics of each resample.
    """

    rows: IntArray | None = None
    columns: IntArray | None = None

    def __post_init__(self) -> None:
        if len({len(part) for part in (self.rows, self.columns) if part is not None}) != 1:
            raise ValueError(
                "rows and columns are both missing, or differ in number; expected one of each per resample"
            )

    def __len__(self) -> int:
        return len(next(part for part in (self.rows, self.columns) if part is not None))

    def part(self, selected: slice) -> Resamples:
        """Return some of the resamples."""
        return Resamples(*(None if part is None else part[selected] for part in (self.rows, self.columns)))


def draw_resamples(
    shape: tuple[int, int], resample: str, n_resamples: int, rng: np.random.Generator
) -> Resamples:
    """Sample rows, columns or both of a matrix with replacement, as many as it has."""
    one_of(resample, RESAMPLES, "resample")
    rows = rng.integers(shape[0], size=(n_resamples, shape[0])) if resample != "inputs" else None
    columns = rng.integers(shape[1], size=(n_resamples, shape[1])) if resample != "systems" else None
    return Resamples(rows, columns)


def bootstrap_values(
    X: ArrayLike, Z: ArrayLike, resamples: Resamples, *, level: str = "system", coefficient: str = "pearson"
) -> FloatArray:
    """Correlate two matrices on every resample of their rows and columns.

    Parameters
    ----------
    X, Z : array_like, shape (n_summarizers, n_topics)
        Scores of a metric and of humans; NaN where missing.
    resamples : Resamples
        The rows and columns of each resample.
    level, coefficient : str
        As for :func:`classy_aesop.significance.correlation.correlation`; at system and input level with the
        coefficients of `ROWS` many resamples are computed at once, otherwise one after the other.

    Returns
    -------
    ndarray, shape (n_resamples,)
        The value of ``correlation`` on each resample, NaN where it is undefined.
    """
    check_names(level, coefficient)
    if level == "within_system":  # as within topics, with summarizers and topics in each other's place
        turned = Resamples(resamples.columns, resamples.rows)
        return bootstrap_values(
            np.transpose(X), np.transpose(Z), turned, level="input", coefficient=coefficient
        )
    X, Z = score_matrix(X, "X"), score_matrix(Z, "Z")
    same_shape(X=X, Z=Z)
    valid = ~np.isnan(X + Z)
    X, Z = np.where(valid, X, np.nan), np.where(valid, Z, np.nan)
    at_once = _AT_ONCE.get(level) if coefficient in ROWS and X.size else None
    parts = [resamples.part(slice(start, start + _CHUNK)) for start in range(0, len(resamples), _CHUNK)]
    if at_once is None:
        return np.concatenate([_one_by_one(X, Z, part, level, coefficient) for part in parts])
    X, Z = _within_one(X), _within_one(Z)
    return np.concatenate([at_once(X, Z, valid, part, coefficient) for part in parts])


def bootstrap_interval(
    X: ArrayLike,
    Z: ArrayLike,
    *,
    level: str = "system",
    coefficient: str = "pearson",
    resample: str = "both",
    kind: str = "percentile",
    confidence: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
) -> Interval:
    """Interval of a correlation over bootstrap resamples.

    Parameters
    ----------
    X, Z : array_like, shape (n_summarizers, n_topics)
        Scores of a metric and of humans; NaN where missing.
    level, coefficient : str
        As for :func:`classy_aesop.significance.correlation.correlation`.
    resample : {"both", "systems", "inputs"}
        What is resampled.
    kind : {"percentile", "bca", "normal"}
        Plain quantiles of the resamples; quantiles corrected for bias and acceleration (Efron 1987), which leave out
        one summarizer (``systems``) or topic (``inputs``) at a time and are not defined for both; or a normal interval
        around the correlation itself, as wide as the resamples scatter, after the inverse hyperbolic tangent.
        Resampled topics add their noise a second time, which lowers the correlations of the resamples and with them
        the first kind of interval; the last one is not moved by it.
    confidence : float
        Between 0 and 1.
    n_resamples : int
        Number of resamples.
    rng : numpy.random.Generator
        Source of the resamples.

    Returns
    -------
    Interval
        NaN ends when no resample has a value, with ``bca`` also when all lie on one side of the correlation.

    Notes
    -----
    Deutsch et al. (2021), section 3, who use 1,000 resamples.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.normal(size=(12, 20)) + np.arange(12)[:, None]
    >>> found = bootstrap_interval(Z + rng.normal(size=Z.shape), Z, n_resamples=999, rng=rng)
    >>> found.low < found.value < found.high
    True
    """
    from scipy.special import ndtri

    one_of(resample, RESAMPLES, "resample")
    one_of(kind, KINDS, "kind")
    check_confidence(confidence)
    if kind == "bca" and resample == "both":
        raise ValueError("kind is 'bca' with resample 'both'; expected resample 'systems' or 'inputs'")
    check_number(n_resamples, "n_resamples")
    found = correlation(X, Z, level=level, coefficient=coefficient)
    values = _resampled_values(X, Z, resample, n_resamples, rng, level=level, coefficient=coefficient)
    defined = values[~np.isnan(values)]
    ends = np.array([1 - confidence, 1 + confidence]) / 2
    if kind == "bca":
        left_out = leave_one_out(X, Z, resample, level=level, coefficient=coefficient)
        ends = bca_shares(ends, defined, found.value, left_out)
    if not len(defined) or np.isnan(ends).any():
        low, high = np.nan, np.nan
    elif kind == "normal":
        low, high = bounded_ends(found.value, float(defined.std()), ndtri(ends), least_of(coefficient))
    else:
        low, high = np.quantile(defined, ends)
    return Interval(
        value=found.value,
        low=float(low),
        high=float(high),
        confidence=confidence,
        method=resample if kind == "percentile" else f"{resample}_{kind}",
        level=level,
        coefficient=coefficient,
        n=found.n,
        n_resamples=n_resamples,
        n_dropped=n_resamples - len(defined),
        error=float(defined.std()) if len(defined) else float("nan"),
    )


def _resampled_values(
    X: ArrayLike,
    Z: ArrayLike,
    resample: str,
    n_resamples: int,
    rng: np.random.Generator,
    *,
    level: str,
    coefficient: str,
) -> FloatArray:
    shape = np.shape(X)
    if 0 in shape:
        return np.full(n_resamples, np.nan)
    resamples = draw_resamples((shape[0], shape[1]), resample, n_resamples, rng)
    return bootstrap_values(X, Z, resamples, level=level, coefficient=coefficient)


def _within_one(X: FloatArray) -> FloatArray:
    """Scale to at most 1 in size, so that squares neither vanish nor overflow."""
    return np.asarray(X / np.nanmax(np.abs(X), initial=np.finfo(np.float64).tiny))


def _system_values(
    X: FloatArray, Z: FloatArray, valid: BoolArray, resamples: Resamples, coefficient: str
) -> FloatArray:
    weights = (
        np.ones((1, X.shape[1])) if resamples.columns is None else counts_of(resamples.columns, X.shape[1])
    )
    counts = weights @ valid.T
    with np.errstate(invalid="ignore"):
        a, b = (weights @ np.where(valid, S, 0.0).T / counts for S in (X, Z))
    if resamples.rows is not None:
        a, b = (
            np.take_along_axis(np.broadcast_to(S, (len(resamples), len(X))), resamples.rows, axis=1)
            for S in (a, b)
        )
    slacks = slack_of(X), slack_of(Z)
    items = np.broadcast_to(np.arange(len(X)) if resamples.rows is None else resamples.rows, a.shape)
    full = ~np.isnan(a).any(axis=1)
    values = np.full(len(resamples), np.nan)
    values[full] = drawn_rows(a[full], b[full], items[full], coefficient, slacks)
    for k in np.flatnonzero(~full):  # a summarizer has no cell in the topics of the resample
        kept = ~np.isnan(a[k])
        means = a[k : k + 1, kept], b[k : k + 1, kept]
        values[k] = drawn_rows(*means, items[k : k + 1, kept], coefficient, slacks)[0]
    return values


def _input_values(
    X: FloatArray, Z: FloatArray, valid: BoolArray, resamples: Resamples, coefficient: str
) -> FloatArray:
    X, Z = (snapped(S.T, slack_of(S)).T for S in (X, Z))
    if resamples.rows is None:
        within = np.array([[COEFFICIENTS[coefficient](x, z) for x, z in zip(X.T, Z.T, strict=True)]])
    else:
        within = COLUMNS[coefficient](X, Z, valid, resamples.rows)
    defined = ~np.isnan(within)
    weights = np.ones_like(within) if resamples.columns is None else counts_of(resamples.columns, X.shape[1])
    with np.errstate(invalid="ignore"):
        return np.asarray(
            np.einsum("ij,ij->i", weights, np.broadcast_to(np.where(defined, within, 0.0), weights.shape))
            / np.einsum("ij,ij->i", weights, np.broadcast_to(defined, weights.shape).astype(np.float64))
        )


_AT_ONCE = {"system": _system_values, "input": _input_values}


def _one_by_one(
    X: FloatArray, Z: FloatArray, resamples: Resamples, level: str, coefficient: str
) -> FloatArray:
    values, slacks = np.empty(len(resamples)), (slack_of(X), slack_of(Z))
    cells = np.arange(X.size).reshape(X.shape)
    for k in range(len(resamples)):
        rows = slice(None) if resamples.rows is None else np.sort(resamples.rows[k])  # ties go by their order
        columns = slice(None) if resamples.columns is None else resamples.columns[k]
        x, z = X[rows][:, columns], Z[rows][:, columns]
        values[k] = correlated(x, z, ~np.isnan(x), level, coefficient, slacks, cells[rows][:, columns])[0]
    return values
