"""What a test of two summarizers declares, the choices behind it as one value, and the two t-tests.

A new test is one :class:`PairStatistic` and its line in ``TESTS`` of :mod:`classy_aesop.significance.pairs`. It is then
known to everything that compares pairs: equivalence, clusters, agreement with humans, the number of topics needed.
The resampling tests take it if it declares how it is resampled, and refuse it otherwise.

Rankel (2016), sections 3.7, 4.2 and 4.3; Rankel et al. (2011), section 2. Two sections differ: by default the unpaired
t pools the variances, as in 4.2; with equally many topics the statistic is the same number, and only the degrees of
freedom are those of Welch in 3.7.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.significance.base import (
    ROUNDING,
    BoolArray,
    FloatArray,
    IntArray,
    Result,
    one_of,
    settled,
    slack_of_pairs,
)

_KNOWN = {
    "reference": ("t", "normal"),
    "variance": ("pooled", "welch"),
    "exact": ("auto", "ties", "always", "never"),
    "zero_method": ("wilcox", "pratt", "zsplit"),
}


@dataclass(frozen=True, slots=True)
class Recipe(Result):
    """How t-tests and the signed-rank test are computed.

    Attributes
    ----------
    reference : {"t", "normal"}
        Distribution that t statistics are compared with.
    variance : {"pooled", "welch"}
        Degrees of freedom of the unpaired t; with equally many topics the statistics are the same number.
    exact : {"auto", "ties", "always", "never"}
        When signed ranks take their exact distribution: with fewer than 50 differences and neither ties nor
        zeros (``auto``, the rule of R's ``wilcox.test``), with fewer than 50 differences (``ties``, as
        ``wilcox.exact`` of exactRankTests), whatever their number, or never. Otherwise the normal
        distribution is used.
    continuity : bool
        Move the rank sum half a step towards its mean before the normal distribution is used.
    zero_method : {"wilcox", "pratt", "zsplit"}
        Drop zero differences before ranking; rank them, then drop; or rank them and give half of their ranks
        to either side, as if each had a random sign.
    rounding : bool
        Take differences that rounding explains as zeros, and so close sizes as ties, see
        :mod:`classy_aesop.significance.base`. Off: floats are compared as they are, as in R.
    decimals : int or None
        Round differences to so many decimals first.
    """

    reference: str = "t"
    variance: str = "pooled"
    exact: str = "auto"
    continuity: bool = True
    zero_method: str = "wilcox"
    rounding: bool = True
    decimals: int | None = None

    def __post_init__(self) -> None:
        for name, known in _KNOWN.items():
            one_of(getattr(self, name), known, name)


#: ``standard``: t quantiles and R's defaults, with near ties as ties; ``rankel2011``: the same on floats as they are,
#: behind the counts of Rankel et al. (2011), Tables 1-2, so that signed ranks change with the unit of the scores;
#: ``rankel2013``: the exact distribution also under ties, differences rounded to three decimals, behind the manual
#: positives of Rankel et al. (2013), Table 1 (round manual scores only: in metrics it makes ties that are none).
PRESETS = {
    "standard": Recipe(),
    "rankel2011": Recipe(rounding=False),
    "rankel2013": Recipe(exact="ties", continuity=False, decimals=3),
}


def recipe_of(preset: str | Recipe) -> Recipe:
    """Look up a preset by name; a recipe is given back as it is."""
    if isinstance(preset, Recipe):
        return preset
    one_of(preset, PRESETS, "preset")
    return PRESETS[preset]


# --- student's t on many rows of paired scores at once ---


@dataclass(frozen=True, slots=True)
class MeanDifference(Result):
    """The mean difference of rows of paired scores and its standard error; arrays of shape (n_pairs,).

    Attributes
    ----------
    n : ndarray of int
        Topics that both have.
    mean : ndarray
        Mean of x less mean of y; NaN without a shared topic.
    error : ndarray
        Standard error of it; 0 when nothing varies, NaN for fewer than two topics.
    df : ndarray
        Degrees of freedom.
    spread : ndarray
        Standard deviation that an effect size divides the mean by.
    """

    n: IntArray
    mean: FloatArray
    error: FloatArray
    df: FloatArray
    spread: FloatArray


def paired_difference(x: FloatArray, y: FloatArray) -> MeanDifference:
    """Mean and spread of the differences ``x - y`` of each row, NaN left out; (n_pairs, n_topics)."""
    shared = ~np.isnan(x + y)
    n = np.count_nonzero(shared, axis=1)
    mean, square = moments(x - y, shared, n, slack_of_pairs(x, y)[:, 0])
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(square / np.where(n > 1, n - 1, np.nan))
        return MeanDifference(n, mean, spread / np.sqrt(n), n - 1.0, spread)


def unpaired_difference(x: FloatArray, y: FloatArray, recipe: Recipe) -> MeanDifference:
    """Difference of the row means with the spread of both, over shared topics; (n_pairs, n_topics)."""
    shared = ~np.isnan(x + y)
    n, slack = np.count_nonzero(shared, axis=1), slack_of_pairs(x, y)[:, 0]
    (mean_x, square_x), (mean_y, square_y) = (moments(z, shared, n, slack) for z in (x, y))
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt((square_x + square_y) / np.where(n > 1, 2 * (n - 1), np.nan))
        df = 2.0 * (n - 1)
        if recipe.variance == "welch":
            df = df / 2 * (square_x + square_y) ** 2 / (square_x**2 + square_y**2)
        return MeanDifference(n, settled(mean_x - mean_y, slack), spread * np.sqrt(2 / n), df, spread)


def t_statistic(found: MeanDifference) -> FloatArray:
    """Mean over standard error: infinite if a difference never varies, 0 if there is none, else NaN."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where((found.error == 0) & (found.mean == 0), 0.0, found.mean / found.error)


def t_p(t: FloatArray, df: FloatArray, recipe: Recipe, alternative: str) -> FloatArray:
    """P-value of each t; 1 where there is none."""
    from scipy.special import ndtr, stdtr

    at = {"two-sided": -np.abs(t), "greater": -t, "less": t}[alternative]
    below = ndtr(at) if recipe.reference == "normal" else np.where(np.isinf(at), at > 0, stdtr(df, at))
    p = 2 * below if alternative == "two-sided" else below
    return np.asarray(np.where(np.isnan(t), 1.0, np.minimum(p, 1.0)))


def t_interval(found: MeanDifference, recipe: Recipe, level: float) -> tuple[FloatArray, FloatArray]:
    """Two-sided confidence interval of the mean difference; NaN for fewer than two topics."""
    from scipy.special import ndtri, stdtrit

    upper = (1 + level) / 2
    df, which = np.unique(np.where(found.df > 0, found.df, np.nan), return_inverse=True)
    quantile = ndtri(upper) if recipe.reference == "normal" else stdtrit(df, upper)[which]
    half = np.where(found.error == 0, 0.0, quantile * found.error)
    return found.mean - half, found.mean + half


def moments(
    z: FloatArray, shared: BoolArray, n: IntArray, slack: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Mean by row over the ``n`` shared cells and the sum of squares around it; 0 where ``slack`` explains them."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(shared, z, 0.0).sum(axis=1) / n
    rest = np.where(shared, z - mean[:, None], 0.0)
    square = np.einsum("ij,ij->i", rest, rest)
    return settled(mean, slack), np.where(square <= n * slack**2, 0.0, square)


# --- what a test of two summarizers declares ---


#: Of any precision: sums of ranks are exact in small floats, which are faster.
Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """What a test finds for a batch of pairs; arrays of shape (n_pairs,).

    Attributes
    ----------
    mean : MeanDifference
        The mean difference that is reported, and what its interval by t is made of.
    statistic : ndarray
        Infinite where the p-value is only a limit, because the difference is the same on all topics.
    p : ndarray
        For the alternative asked for. Where fewer than two topics are shared or nothing differs it is not used.
    effect : ndarray
        Effect size: positive if the first summarizer is better, negative if the second is.
    n_used : ndarray of int
        Topics that the statistic rests on.
    same : ndarray of bool
        Whether the two have the same scores on all shared topics.
    """

    mean: MeanDifference
    statistic: FloatArray
    p: FloatArray
    effect: FloatArray
    n_used: IntArray
    same: BoolArray


#: From scores of pairs, (n_pairs, n_topics) each and NaN where missing, a recipe and an alternative.
Outcome = Callable[[FloatArray, FloatArray, Recipe, str], PairOutcome]

#: From scores of pairs, a recipe and a confidence to the ends of each pair's interval, (n_pairs,) each: the shifts of
#: the first that the test, two-sided, does not reject. They may be infinite.
Inverted = Callable[[FloatArray, FloatArray, Recipe, float], tuple[FloatArray, FloatArray]]

#: From scores of pairs and a recipe to one value for each pair and topic, 0 where a score is missing. An exchange
#: of the two scores of a topic changes the sign of its value; the test's statistic grows with the size of their sum.
#: Values are ranks, or in units of the pair's largest score: sums no further apart than `ROUNDING` a topic are equal.
SignedValues = Callable[[FloatArray, FloatArray, Recipe], Floats]

#: From how often each topic is drawn, and how often it is drawn and kept less drawn and exchanged, (n_resamples,
#: n_topics) each, to two arrays of shape (n_resamples, n_pairs): the statistic's size is the first over the root of
#: the second. The second is never 0. What holds for the sums of `SignedValues` holds for the first.
SizeParts = Callable[[FloatArray, FloatArray], tuple[Floats, FloatArray]]

#: From scores of pairs without missing topics and a recipe to the parts of the statistic on any resample.
ResampledParts = Callable[[FloatArray, FloatArray, Recipe], SizeParts]


@dataclass(frozen=True, slots=True)
class PairStatistic:
    """A test of two summarizers on their scores by topic.

    Attributes
    ----------
    name : str
        What callers ask for; its key in ``TESTS``.
    outcome : callable
        The test itself, see ``Outcome``.
    inverted : callable, optional
        Its own confidence interval, see ``Inverted``; without it that of the mean difference by t.
    mc : callable, optional
        Its values under exchanges of scores, see ``SignedValues``. Without it the test cannot be resampled by MC.
    hb : callable, optional
        Its statistic on topics drawn with replacement and exchanged, see ``ResampledParts``. Without it the test
        cannot be resampled by HB.
    hb_needs : mapping of str to str
        Settings of the recipe that ``hb`` rests on; with other values it is refused.
    about : str
        What it tests, in a few words.
    """

    name: str
    outcome: Outcome
    inverted: Inverted | None = None
    mc: SignedValues | None = None
    hb: ResampledParts | None = None
    hb_needs: Mapping[str, str] = field(default_factory=dict)
    about: str = ""

    def of(self, x: FloatArray, y: FloatArray, recipe: Recipe, alternative: str) -> PairOutcome:
        """Test pairs, see ``Outcome``.

        Raises
        ------
        TypeError, ValueError
            If the outcome is none, has other shapes, or lacks the p-value of two summarizers who differ.
        """
        found = self.outcome(x, y, recipe, alternative)
        if not isinstance(found, PairOutcome):
            raise TypeError(f"test {self.name} gives {type(found).__name__}; expected a PairOutcome")
        for name in ("statistic", "p", "effect", "n_used", "same"):
            shape = np.shape(getattr(found, name))
            if shape != (len(x),):
                raise ValueError(f"test {self.name} gives {name} of shape {shape}; expected ({len(x)},)")
        p = found.p[(found.mean.n > 1) & ~found.same]
        wrong = p[~((p >= 0) & (p <= 1))]
        if wrong.size:
            raise ValueError(f"test {self.name} gives p {wrong[0]:g}; expected 0 to 1 where the two differ")
        return found


# --- the paired and the unpaired t as tests of pairs of summarizers ---


def _unpaired(x: FloatArray, y: FloatArray, recipe: Recipe, alternative: str) -> PairOutcome:
    same = np.all((np.abs(x - y) <= slack_of_pairs(x, y)) | np.isnan(x + y), axis=1)
    return _t_outcome(unpaired_difference(x, y, recipe), same, recipe, alternative)


def _paired(x: FloatArray, y: FloatArray, recipe: Recipe, alternative: str) -> PairOutcome:
    mean = paired_difference(x, y)
    return _t_outcome(mean, (mean.mean == 0) & (mean.error == 0), recipe, alternative)


def _t_outcome(mean: MeanDifference, same: BoolArray, recipe: Recipe, alternative: str) -> PairOutcome:
    t = t_statistic(mean)
    with np.errstate(invalid="ignore", divide="ignore"):
        effect = np.where(t == 0, 0.0, mean.mean / mean.spread)
    return PairOutcome(mean, t, t_p(t, mean.df, recipe, alternative), effect, mean.n, same)


def _within_one(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give differences and means of the two in units of each pair's largest score, so that all have one slack."""
    slack = slack_of_pairs(x, y)
    unit = np.where(slack > 0, slack / ROUNDING, 1.0)
    return settled(x - y, slack) / unit, (x + y) / 2 / unit


def _differences(x: FloatArray, y: FloatArray, recipe: Recipe) -> Floats:
    """Give the differences: exchanges do not change their squares, so both t grow with the size of their sum."""
    return np.nan_to_num(_within_one(x, y)[0])


def _unpaired_parts(x: FloatArray, y: FloatArray, recipe: Recipe) -> SizeParts:
    """Give the size of the summed differences and the sum of squares of all scores around their joint mean."""
    z, both = (S.T for S in _within_one(x, y))
    both = both - both.mean(axis=0)
    square = 2 * both**2 + z**2 / 2

    def parts(drawn: FloatArray, signed: FloatArray) -> tuple[Floats, FloatArray]:
        """Both for each resample and pair."""
        Q = drawn @ square
        Q -= 2 * (drawn @ both) ** 2 / drawn.sum(axis=1)[:, None]
        return _defined(np.abs(signed @ z), Q)

    return parts


def _paired_parts(x: FloatArray, y: FloatArray, recipe: Recipe) -> SizeParts:
    """Give the size of the summed differences and the sum of their squares."""
    z = _within_one(x, y)[0].T
    square = z**2

    def parts(drawn: FloatArray, signed: FloatArray) -> tuple[Floats, FloatArray]:
        """Both for each resample and pair."""
        return _defined(np.abs(signed @ z), drawn @ square)

    return parts


def _defined(S: FloatArray, Q: FloatArray) -> tuple[Floats, FloatArray]:
    """Give S and Q, t^2 growing with S^2/Q; 0 and 1 where nothing varies."""
    return np.where(Q > 0, S, 0.0), np.where(Q > 0, Q, 1.0)


UNPAIRED_T = PairStatistic(
    "unpaired_t", _unpaired, mc=_differences, hb=_unpaired_parts, about="Student's t of the two means"
)
PAIRED_T = PairStatistic(
    "paired_t", _paired, mc=_differences, hb=_paired_parts, about="Student's t of the differences by topic"
)
