"""Tests of two metrics by name: does one correlate better with humans than the other, and for whom?

By exchanging their scores, by resampling, or by the three correlations alone (Williams). A metric errs on whole
systems. Exchanging all scores of a system (PERM-SYSTEMS) therefore asks whether one would be better on other systems
like these; exchanging single scores (PERM-BOTH) takes a metric's error on a system for many independent ones, and so
is a statement about these systems only. A new test is one :class:`MetricTest` and its line in ``TESTS``.

Deutsch et al. (2021), section 4; Williams (1959).

Departs from the paper: tests are two-sided unless said, and p = (count + 1)/(n + 1), so that it is never 0; their
code is one-sided and gives the plain share. Where all exchanges are made p is their share, the observed one included.

*Several years, tasks or corpora together* are strata, of which each counts as much as every other, however many
summaries it has. A stratified test exchanges or resamples within them, and its statistic is the mean over them. What
they differ by, beyond their own errors, is the spread; with it the strata are a sample of others like them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    ROUNDING,
    FloatArray,
    Result,
    check_number,
    check_share,
    one_of,
    same_shape,
    score_vector,
)
from classy_aesop.significance.correlation import Correlation
from classy_aesop.significance.intervals import Interval, bounded_ends
from classy_aesop.significance.resampling import (
    Resampled,
    bootstrap_differences,
    permutation_differences,
    three_correlations,
)


class Stratum(NamedTuple):
    """Scores of one year, task or corpus; its resamples come from ``rng``, which is not moved."""

    metrics: Sequence[ArrayLike]
    Z: ArrayLike
    rng: np.random.Generator


@dataclass(frozen=True, slots=True)
class StratifiedMean(Result):
    """The mean of several strata, for themselves and for strata like them.

    Attributes
    ----------
    value : float
        The mean, in which all strata count alike.
    low, high : float
        Ends of the interval for the mean of these strata.
    spread : float
        Standard deviation between strata that their own errors do not explain; NaN for a single stratum.
    low_others, high_others : float
        Ends of the interval for the mean of strata like these; NaN for a single stratum.
    n : int
        Number of strata.
    """

    value: float
    low: float
    high: float
    spread: float
    low_others: float
    high_others: float
    n: int
    confidence: float


def stratified_mean(
    values: ArrayLike, errors: ArrayLike, *, confidence: float = 0.95, least: float | None = None
) -> StratifiedMean:
    """Estimate the mean of strata, and of a random-effects model without weights.

    NaN where a value or an error is.

    The interval for these strata is normal. The variance between strata is that of the values less the mean of the
    squared errors, and not below 0 (the estimator of Cochran, and of Hedges and Olkin 1985, chapter 9). The interval
    for strata like these is Student's with n - 1 degrees of freedom; the squared standard error is the variance of the
    values over n (Hartung and Knapp 2001, with equal weights), and not below what the strata's own errors alone would
    give (Röver, Knapp and Friede 2015).

    Parameters
    ----------
    values, errors : array_like, shape (n_strata,)
        What each stratum gives, and its standard error.
    least : float, optional
        Of values between this and 1: their intervals stay inside, see
        :func:`classy_aesop.significance.intervals.bounded_ends`.

    Examples
    --------
    >>> found = stratified_mean([0.5, 0.6, 0.8], [0.05, 0.05, 0.1])
    >>> round(found.value, 4), round(found.spread, 4), round(found.low, 4), round(found.low_others, 4)
    (0.6333, 0.1354, 0.5533, 0.2539)
    """
    from scipy.special import ndtri, stdtrit

    check_share(confidence, "confidence")
    y, variance = score_vector(values, "values"), score_vector(errors, "errors") ** 2
    same_shape(values=y, errors=variance)
    check_number(len(y), "number of strata")
    n, shares = len(y), np.array([1 - confidence, 1 + confidence]) / 2
    mean, within = float(y.mean()), float(variance.mean())
    ends = _ends(mean, within / n, ndtri(shares), least)
    if n < 2 or np.isnan(mean + within):
        return StratifiedMean(mean, *ends, np.nan, np.nan, np.nan, n, confidence)
    between = float(y.var(ddof=1))
    others = _ends(mean, max(between, within) / n, stdtrit(n - 1, shares), least)
    return StratifiedMean(mean, *ends, float(np.sqrt(max(between - within, 0.0))), *others, n, confidence)


def _ends(value: float, variance: float, quantiles: FloatArray, least: float | None) -> tuple[float, float]:
    error = np.sqrt(variance)
    low, high = value + quantiles * error if least is None else bounded_ends(value, error, quantiles, least)
    return float(low), float(high)


def mean_interval(parts: Sequence[Interval], *, least: float | None = None) -> StratifiedMean:
    """Estimate the mean of what strata gave, from their values and errors by resamples."""
    values, errors = ([getattr(one, name) for one in parts] for name in ("value", "error"))
    return stratified_mean(values, errors, confidence=parts[0].confidence, least=least)


def mean_of_strata(parts: Sequence[Resampled]) -> Resampled:
    """Average two metrics' correlations and their resampled differences over strata."""
    first, second = (mean_correlation([getattr(one, side) for one in parts]) for side in ("first", "second"))
    return replace(
        parts[0], first=first, second=second, values=np.mean([one.values for one in parts], axis=0)
    )


def mean_correlation(parts: Sequence[Correlation]) -> Correlation:
    """Average a metric's correlations over strata; counts are sums."""
    if len(parts) == 1:
        return parts[0]
    counts = ("n", "n_summarizers", "n_topics", "n_skipped", "n_unpaired")
    found: dict[str, Any] = {name: sum(getattr(one, name) for one in parts) for name in counts}
    found |= {name: float(np.mean([getattr(one, name) for one in parts])) for name in ("value", "chance")}
    flags = {one.flag for one in parts}
    return replace(parts[0], **found, epsilon=float("nan"), flag=flags.pop() if len(flags) == 1 else "")


ALTERNATIVES = ("greater", "less", "two-sided")

#: Reasons why a p-value of 1 does not come from a test.
UNDEFINED = "undefined correlation"


@dataclass(frozen=True, slots=True)
class MetricComparison(Result):
    """A test of two metrics' correlations with humans.

    Attributes
    ----------
    test : str
        ``permutation``, ``bootstrap`` or ``williams``.
    method : str
        What was exchanged or resampled; empty for Williams.
    first, second, difference : float
        The two correlations, and the first less the second.
    p : float
        (count + 1) / (n_resamples - n_dropped + 1) for resamplings, the plain share of all exchanges.
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


def permutation_test(
    X: ArrayLike,
    Y: ArrayLike,
    Z: ArrayLike,
    *,
    swap: str = "systems",
    alternative: str = "two-sided",
    **drawn: Any,
) -> MetricComparison:
    """Test whether metric X correlates better with humans than metric Y by exchanging their scores.

    p is 1, with a flag, if a correlation is undefined, or one of the means of two systems.

    Parameters
    ----------
    X, Y, Z : array_like, shape (n_summarizers, n_topics)
        Scores of two metrics and of humans; NaN where missing. A cell counts when all three have it; the
        metrics are brought to mean 0 and standard deviation 1 over these cells.
    swap : {"systems", "cells", "inputs", "systems_inputs"}
        What is exchanged, see :mod:`classy_aesop.significance.resampling`. With S systems no p is below 2 / 2^S.
    alternative : {"two-sided", "greater", "less"}
        What is tested of r(X, Z) less r(Y, Z).
    drawn
        ``level``, ``coefficient``, ``means``, ``n_resamples`` and ``rng``, as for
        :func:`classy_aesop.significance.resampling.permutation_differences`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.normal(size=(15, 20)) + np.arange(15)[:, None]
    >>> X, Y = Z + rng.normal(size=Z.shape), rng.normal(size=Z.shape)
    >>> permutation_test(X, Y, Z, n_resamples=99, rng=rng).p
    0.01
    >>> permutation_test(X[:4], Y[:4], Z[:4], rng=rng).p  # the least that four systems give
    0.125
    """
    (found,) = permutation_differences([X, Y], Z, [(0, 1)], swap=swap, **drawn)
    return compared(found, alternative)


def bootstrap_test(
    X: ArrayLike,
    Y: ArrayLike,
    Z: ArrayLike,
    *,
    resample: str = "both",
    alternative: str = "two-sided",
    **drawn: Any,
) -> MetricComparison:
    """Paired bootstrap of the difference between two metrics' correlations.

    The resamples' differences scatter around the observed one, so their distance from it estimates the
    distance from 0 that arises by chance. Parameters as for :func:`permutation_test`, ``resample`` as for
    :func:`classy_aesop.significance.intervals.bootstrap_interval`.
    """
    (found,) = bootstrap_differences([X, Y], Z, [(0, 1)], resample=resample, **drawn)
    return compared(found, alternative)


def compared(found: Resampled, alternative: str = "two-sided") -> MetricComparison:
    """Test the observed difference of two metrics by its resamples."""
    one_of(alternative, ALTERNATIVES, "alternative")
    observed = found.difference
    values = found.values
    flag = found.first.flag or (UNDEFINED if np.isnan(observed) else "")
    defined = values[:0] if flag else values[~np.isnan(values)]
    return MetricComparison(
        test=found.test,
        method=found.method,
        level=found.first.level,
        coefficient=found.first.coefficient,
        alternative=alternative,
        first=found.first.value,
        second=found.second.value,
        difference=observed,
        p=resampling_p(defined, observed, alternative, every=found.every),
        n=found.first.n,
        n_resamples=len(values),
        n_dropped=len(values) - len(defined),
        statistic=observed,
        flag=flag,
    )


def resampling_p(values: FloatArray, observed: float, alternative: str, *, every: bool = False) -> float:
    """(count + 1) / (n + 1), counting what is as extreme as observed, within rounding; never 0.

    Of ``every`` exchange, the observed scores among them, count / n.
    """
    as_extreme = {
        "greater": lambda: values >= observed - ROUNDING,
        "less": lambda: values <= observed + ROUNDING,
        "two-sided": lambda: np.abs(values) >= abs(observed) - ROUNDING,
    }[alternative]()
    not_counted = 0 if every and len(values) else 1
    return float((np.count_nonzero(as_extreme) + not_counted) / (len(values) + not_counted))


def williams_test(
    X: ArrayLike,
    Y: ArrayLike,
    Z: ArrayLike,
    *,
    alternative: str = "two-sided",
    turned: bool = False,
    **measured: str,
) -> MetricComparison:
    """Williams' test of two dependent correlations that share the human scores; see :func:`williams`.

    Correlations keep their signs. Cells as for :func:`permutation_test`.

    Parameters
    ----------
    X, Y, Z, alternative
        As for :func:`permutation_test`.
    turned : bool
        Turn a metric whose correlation with humans is negative on these scores, as shared tasks of WMT do, so that
        correlations are compared by size. As the sign is taken from the sample, false positives at .05 are .17 to .30
        where both correlations are .2 and the metrics' own is -.8. A measure of which less is better is rather turned
        by the caller.
    measured
        ``level``, ``coefficient`` and ``means``, as for
        :func:`classy_aesop.significance.correlation.correlation`.
    """
    first, second, between = three_correlations(X, Y, Z, **measured)
    if turned:
        shared = between.value * np.sign(first.value) * np.sign(second.value)
        first = replace(first, value=abs(first.value))
        second = replace(second, value=abs(second.value))
        between = replace(between, value=float(shared))
    t, p = williams(first.value, second.value, between.value, first.n, alternative=alternative)
    found = compared(Resampled("williams", "", first, second, np.zeros(0)), alternative)
    flag = first.flag or (UNDEFINED if np.isnan(t) else "")
    return replace(found, p=p, statistic=t, flag=flag)


def williams(
    r12: float, r13: float, r23: float, n: int, *, alternative: str = "two-sided"
) -> tuple[float, float]:
    """Williams' t and its p-value from three correlations of ``n`` points.

    They are NaN and 1 if t is undefined: fewer than four points, or metrics that are one.

    Williams (1959); Steiger (1980), equation 7.

    Parameters
    ----------
    r12, r13, r23, n
        As for :func:`classy_aesop.significance.intervals.zou_limits`; t has n - 3 degrees of freedom.
    alternative : {"two-sided", "greater", "less"}
        What is tested of r12 less r13.

    Examples
    --------
    >>> t, p = williams(0.85, 0.75, 0.9, 20, alternative="greater")
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
    if 1 - r23 <= ROUNDING or scale <= 0:  # some processors compute a correlation of 1 as slightly less
        return undefined
    t = float((r12 - r13) * np.sqrt((n - 1) * (1 + r23) / scale))
    below, above = float(stdtr(n - 3, t)), float(stdtr(n - 3, -t))
    return t, {"greater": above, "less": below, "two-sided": 2 * min(below, above)}[alternative]


@dataclass(frozen=True, slots=True)
class MetricTest:
    """A test of two metrics' correlations with human scores.

    Attributes
    ----------
    name : str
        What callers ask for; its key in ``TESTS``.
    compare : callable
        From the scores of the first metric, of the second and by humans to a `MetricComparison`. Takes ``level``,
        ``coefficient`` and ``alternative``, and if it resamples ``n_resamples`` and ``rng``.
    resamples : bool
        Whether its p-value comes from resamples.
    about: str
        How it tests, in a few words.
    resampled : callable, optional
        The resampled differences of many pairs at once, as
        :func:`classy_aesop.significance.resampling.permutation_differences`. Strata are only taken together by a test
        that has it.
    """

    name: str
    compare: Callable[..., MetricComparison]
    resamples: bool
    about: str = ""
    resampled: Callable[..., list[Resampled]] | None = None

    def __call__(
        self,
        X: ArrayLike,
        Y: ArrayLike,
        Z: ArrayLike,
        *,
        n_resamples: int,
        rng: np.random.Generator,
        **how: str,
    ) -> MetricComparison:
        """Test two metrics; ``n_resamples`` and ``rng`` are not used unless the test resamples."""
        resampling = {"n_resamples": n_resamples, "rng": rng} if self.resamples else {}
        return self.compare(X, Y, Z, **how, **resampling)

    def of_pairs(
        self,
        strata: Sequence[Stratum],
        pairs: Sequence[tuple[int, int]],
        *,
        n_resamples: int,
        alternative: str = "two-sided",
        **measured: str,
    ) -> list[MetricComparison]:
        """Test pairs of metrics, given by their places, all with the same resamples.

        The resamples of a stratum are its own; the statistic of several strata is the mean of theirs.
        """
        how: dict[str, Any] = {"n_resamples": n_resamples, **measured}
        if self.resampled is None:
            if len(strata) > 1:
                raise ValueError(f"{self.name} does not take {len(strata)} strata together; expected one")
            (metrics, Z, rng), how["alternative"] = strata[0], alternative
            return [self(metrics[i], metrics[j], Z, rng=deepcopy(rng), **how) for i, j in pairs]
        found = []
        for metrics, Z, rng in strata:
            own = self.resampled(metrics, Z, pairs, rng=deepcopy(rng), **how)
            if len(strata) > 1:  # whose exchanges are independent
                own = [part.sampled(n_resamples, deepcopy(rng)) for part in own]
            found.append(own)
        return [compared(mean_of_strata(parts), alternative) for parts in zip(*found, strict=True)]


def _permutation(name: str, swap: str, about: str) -> MetricTest:
    compare, resampled = partial(permutation_test, swap=swap), partial(permutation_differences, swap=swap)
    return MetricTest(name, compare, True, about, resampled)


PERM_BOTH = _permutation("perm-both", "cells", "exchanges single scores of the two")
BOOT = MetricTest("boot", bootstrap_test, True, "resamples summarizers and topics", bootstrap_differences)
WILLIAMS = MetricTest("williams", williams_test, resamples=False, about="by the three correlations alone")
TURNED = MetricTest(
    "williams-turned",
    partial(williams_test, turned=True),
    resamples=False,
    about="the same, metrics turned by the signs seen: up to .29 false positives at .05",
)

TESTS: dict[str, MetricTest] = {
    "perm-systems": _permutation("perm-systems", "systems", "exchanges all scores of a summarizer"),
    "perm-both": PERM_BOTH,
    "perm-inputs": _permutation("perm-inputs", "inputs", "exchanges all scores of a topic"),
    "boot": BOOT,
    "williams": WILLIAMS,
    "williams-turned": TURNED,
}
