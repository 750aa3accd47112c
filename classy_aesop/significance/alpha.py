"""Do assessors agree with themselves and with each other? Krippendorff's alpha.

Ratings are an array of raters x units, NaN where a rater has not rated. For one assessor who met the same
text several times a unit is that text, and "raters" are the first time, the second time and so on
(:func:`ratings_of_units`). A unit with a single rating says nothing about agreement and drops out.

alpha = 1 - D_o/D_e. D_o is the mean difference within units, each unit's pairs weighted by 1/(m - 1) where it
has m ratings; D_e is the mean difference of all ratings with each other. Differences are ``nominal`` (0 or 1),
``interval`` ((c - k)^2), ``ratio`` (((c - k)/(c + k))^2) or ``ordinal``: the interval difference of mid-ranks,
which is Krippendorff's sum over the ratings between c and k.

Krippendorff (2011), "Computing Krippendorff's alpha-reliability"; Rankel (2016), section 3.6 and chapter 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    N_RESAMPLES,
    FloatArray,
    IntArray,
    Result,
    check_number,
    check_share,
    one_of,
    score_matrix,
    snapped,
)
from classy_aesop.significance.choices import Scale
from classy_aesop.significance.coefficients import counts_of
from classy_aesop.significance.resampling import chunks

SCALES: tuple[str, ...] = get_args(Scale)

#: Reasons for an undefined alpha.
NO_UNITS, NO_VARIATION = "no unit with two ratings", "all ratings alike"


@dataclass(frozen=True, slots=True)
class Alpha(Result):
    """Krippendorff's alpha: at most 1 (full agreement), 0 for what chance gives, NaN where undefined, see ``flag``.

    It was computed from ``n_units`` with at least two ratings, the ``n_ratings`` in them and the ``n_pairs``,
    unordered, that these make; ``n_single`` units have one rating and were left out. ``low`` and ``high``, of the
    resamples but the ``n_dropped`` that have no value, are NaN without resampling.
    """

    value: float
    low: float
    high: float
    confidence: float
    scale: str
    n_units: int
    n_ratings: int
    n_pairs: int
    n_single: int
    n_resamples: int
    n_dropped: int
    flag: str


def krippendorff_alpha(
    ratings: ArrayLike,
    *,
    scale: str = "interval",
    confidence: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator | None = None,
) -> Alpha:
    """Krippendorff's alpha, with an interval from resampling units if there is ``rng``.

    A resample has as many units as there are, and both disagreements are computed from it. The bootstrap of
    Krippendorff (2011) differs: it resamples disagreements and keeps D_e fixed.

    Parameters
    ----------
    ratings : array_like, shape (n_raters, n_units)
        NaN where missing. Names as ratings are numbered by the caller (nominal only).
    scale : {"interval", "ordinal", "nominal", "ratio"}
        How ratings differ, see the module; ``ratio`` is for ratings that are not negative.
    """
    check_share(confidence, "confidence")
    check_number(n_resamples, "n_resamples")
    values, counts, n_single = _pairable(ratings, scale)
    n = counts.sum(axis=1)
    value = float(_alphas(values, counts, np.ones((1, len(counts))), scale)[0])
    resampled = np.zeros(0)
    if rng is not None and len(counts):
        parts = (rng.integers(len(counts), size=(size, len(counts))) for size in chunks(n_resamples))
        resampled = np.concatenate([_alphas(values, counts, counts_of(p, len(counts)), scale) for p in parts])
    defined = resampled[~np.isnan(resampled)]
    ends = np.array([1 - confidence, 1 + confidence]) / 2
    low, high = np.quantile(defined, ends) if len(defined) and not np.isnan(value) else (np.nan, np.nan)
    return Alpha(
        value=value,
        low=float(low),
        high=float(high),
        confidence=confidence,
        scale=scale,
        n_units=len(counts),
        n_ratings=int(n.sum()),
        n_pairs=int((n * (n - 1) / 2).sum()),
        n_single=n_single,
        n_resamples=len(resampled),
        n_dropped=len(resampled) - len(defined),
        flag="" if not np.isnan(value) else NO_VARIATION if len(counts) else NO_UNITS,
    )


def confusion_counts(ratings: ArrayLike) -> tuple[FloatArray, IntArray]:
    """Count the pairs of values that the ratings of one unit have; (n_raters, n_units), NaN where missing.

    Gives the distinct ratings, ascending, and the unordered pairs of ratings of one unit, (n_values, n_values): the
    lower value by row, the higher by column, 0 below the diagonal. Rankel (2016), chapter 6, Figures 6.1 and 6.2.
    """
    values, counts, _ = _pairable(ratings, "nominal")
    pairs = counts.T @ counts
    same = (np.diag(pairs) - counts.sum(axis=0)) / 2
    return values, np.rint(np.triu(pairs, k=1) + np.diag(same)).astype(np.int64)


def ratings_of_units(units: Iterable[Sequence[float]]) -> FloatArray:
    """Lay out units with any number of ratings each as an array, (largest number, n_units), NaN below.

    Examples
    --------
    >>> ratings_of_units([(3, 2), (4, 4, 5)]).tolist()
    [[3.0, 4.0], [2.0, 4.0], [nan, 5.0]]
    """
    units = list(units)
    ratings = np.full((max(map(len, units), default=0), len(units)), np.nan)
    for u, unit in enumerate(units):
        ratings[: len(unit), u] = unit
    return ratings


def _pairable(ratings: ArrayLike, scale: str) -> tuple[FloatArray, FloatArray, int]:
    """Distinct values, how often each unit has them (n_units, n_values), and the units left out."""
    one_of(scale, SCALES, "scale")
    ratings = score_matrix(ratings, "ratings")
    n = np.count_nonzero(~np.isnan(ratings), axis=0)
    kept = ratings[:, n > 1].T
    given = ~np.isnan(kept)
    values, which = np.unique(snapped(kept[given]), return_inverse=True)
    if scale == "ratio" and len(values) and values[0] < 0:
        raise ValueError(f"ratings go down to {values[0]}; expected none below 0 on a ratio scale")
    counts = np.zeros((len(kept), len(values)))
    np.add.at(counts, (np.nonzero(given)[0], which), 1.0)
    return values, counts, int(np.count_nonzero(n == 1))


def _alphas(values: FloatArray, counts: FloatArray, weights: FloatArray, scale: str) -> FloatArray:
    """Alpha with every unit taken ``weights`` times; weights of shape (n_resamples, n_units)."""
    if len(counts) == 0:
        return np.full(len(weights), np.nan)
    marginals = weights @ counts
    if scale in _DISTANCES:
        distance = _DISTANCES[scale](values)
        within = np.einsum("uv,uv->u", counts @ distance, counts) / (counts.sum(axis=1) - 1)
        observed, expected = weights @ within, np.einsum("bv,bv->b", marginals @ distance, marginals)
    else:
        # ordinal: the mid-ranks of each resample; interval: values, centred so that squares do not cancel; squared
        # differences within units and of all are found by sums of squares
        ranks = np.cumsum(marginals, axis=1) - (marginals + 1) / 2
        places = ranks if scale == "ordinal" else (values - values.mean())[None, :]
        m = counts.sum(axis=1)
        sums, squares = places @ counts.T, places**2 @ counts.T
        within = 2 * np.maximum(m * squares - sums**2, 0.0) / (m - 1)
        total, square = (
            np.einsum("bv,bv->b", marginals, np.broadcast_to(S, marginals.shape)) for S in (places, places**2)
        )
        observed = np.einsum("bu,bu->b", weights, np.broadcast_to(within, weights.shape))
        expected = 2 * (marginals.sum(axis=1) * square - total**2)
    n = marginals.sum(axis=1)
    varies = np.count_nonzero(marginals, axis=1) > 1
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(varies, 1 - (n - 1) * observed / expected, np.nan)


_TINY = np.finfo(np.float64).tiny  # two ratings of 0 do not differ

_DISTANCES: dict[str, Callable[[FloatArray], FloatArray]] = {
    "nominal": lambda values: 1.0 - np.eye(len(values)),
    "ratio": lambda values: (
        (np.subtract.outer(values, values) / np.maximum(np.add.outer(values, values), _TINY)) ** 2
    ),
}
