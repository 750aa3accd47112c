"""Tests of two metrics by name: does one correlate better with humans than the other, and for whom?

A test that resamples draws the difference of the two correlations many times: after random exchanges of the metrics'
scores, of whole summarizers, whole topics or single cells (``perm``), or on resampled summarizers, topics or both
(``boot``). Williams' test needs the three correlations alone. Several years, tasks or corpora (strata) are taken
together by the mean over them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.choices import ALPHA, N_RESAMPLES
from classy_aesop.significance.correlations.coefficients import lowest_value
from classy_aesop.significance.correlations.correlation_levels import (
    Correlation,
    CorrelationChoices,
    correlation,
)
from classy_aesop.significance.correlations.resampled_correlations import (
    bootstrap_values,
    exchange_pairs,
    keep_shared_cells,
)
from classy_aesop.significance.draws import batch_sizes, draw_exchanges, draw_resamples
from classy_aesop.significance.equality import ROUNDING
from classy_aesop.significance.flags import UNDEFINED_CORRELATION
from classy_aesop.significance.metrics.stratified_means import stratified_mean

MIN_POINTS_OF_WILLIAMS = 4
"""With fewer points t has no degrees of freedom."""

Value = TypeVar("Value")


class Stratum(NamedTuple):
    """Scores of one year, task or corpus, (n_summarizers, n_topics) each, and its source of resamples."""

    metrics: Sequence[ArrayLike]
    Z: ArrayLike
    rng: np.random.Generator


@dataclass(frozen=True, slots=True)
class MetricDifference:
    """Two metrics' correlations with humans, and the difference of the first less the second on resamples.

    ``values`` are the differences after exchanges, or those on resamples less the observed one; ``is_exhaustive`` says
    that they are those of all exchanges, each once.
    """

    first: Correlation
    second: Correlation
    values: FloatArray
    is_exhaustive: bool = False


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """A test of two metrics' correlations with humans.

    Attributes
    ----------
    first, second, difference : float
        The correlations, and the first less the second.
    p : float
        For ``alternative``; 1 with a flag.
    low, high : float
        Ends of the interval of the difference that the two-sided test leaves open, which excludes 0 if and only if p is
        at most alpha; see :func:`undecided_margin`. NaN without resamples.
    spread, low_others, high_others : float
        Of several strata, else NaN; see :func:`classy_aesop.significance.metrics.stratified_means.stratified_mean`.
    n, n_resamples, n_dropped : int
        Points correlated, resamples, and those without a value.
    statistic : float
        The difference, or Williams' t.
    flag : str
        Why there is no test.
    """

    first: float
    second: float
    difference: float
    p: float
    low: float
    high: float
    n: int
    n_resamples: int
    n_dropped: int
    statistic: float
    flag: str
    spread: float = float("nan")
    low_others: float = float("nan")
    high_others: float = float("nan")
    n_strata: int = 1


@dataclass(frozen=True, slots=True)
class MetricTest:
    """A test of two metrics: how it is computed, and what it exchanges or resamples (``unit``)."""

    name: str
    kind: Literal["permutation", "bootstrap", "williams"]
    unit: str = ""
    about: str = ""

    @property
    def resamples(self) -> bool:
        """Whether it resamples."""
        return self.kind != "williams"

    def __call__(
        self,
        X: ArrayLike,
        Y: ArrayLike,
        Z: ArrayLike,
        *,
        alternative: str = "two-sided",
        n_resamples: int = N_RESAMPLES,
        rng: np.random.Generator | None = None,
        alpha: float = ALPHA,
        **options: Unpack[CorrelationChoices],
    ) -> MetricComparison:
        """Test whether metric X correlates better with humans than metric Y."""
        strata = [Stratum([X, Y], Z, np.random.default_rng(0) if rng is None else rng)]
        (test,) = self.test_pairs(
            strata, [(0, 1)], alternative=alternative, n_resamples=n_resamples, alpha=alpha, **options
        )
        return test

    def test_pairs(
        self,
        strata: Sequence[Stratum],
        pairs: Sequence[tuple[int, int]],
        *,
        alternative: str = "two-sided",
        n_resamples: int = N_RESAMPLES,
        alpha: float = ALPHA,
        **options: Unpack[CorrelationChoices],
    ) -> list[MetricComparison]:
        """Test pairs of metrics, given by their positions, all with the same resamples."""
        if self.kind == "williams":
            return [self._test_by_t(strata, pair, options, alternative) for pair in pairs]
        by_stratum = [
            self._draw_differences(stratum, pairs, n_resamples, options, is_alone=len(strata) == 1)
            for stratum in strata
        ]
        return [self._compare(of_pair, alternative, alpha) for of_pair in zip(*by_stratum, strict=True)]

    def _draw_differences(
        self,
        stratum: Stratum,
        pairs: Sequence[tuple[int, int]],
        n_resamples: int,
        options: CorrelationChoices,
        *,
        is_alone: bool,
    ) -> list[MetricDifference]:
        """Draw the differences of pairs of metrics, of all pairs after the same exchanges or on the same resamples.

        Of several strata each needs as many draws, also where all exchanges are fewer.
        """
        metrics, Z, rng = stratum
        scores = [keep_shared_cells(metrics[first], metrics[second], Z) for first, second in pairs]
        correlate = _compute_once(partial(correlation, **options))
        observed = [(correlate(X, human), correlate(Y, human)) for X, Y, human in scores]
        is_exhaustive = False
        if self.kind == "permutation":
            exchanges = draw_exchanges(np.shape(Z), self.unit, n_resamples, rng)
            is_exhaustive = exchanges.is_exhaustive and is_alone
            values = exchange_pairs(scores, exchanges, **options)
            if exchanges.is_exhaustive and not is_alone:
                values = values[:, rng.choice(values.shape[1], n_resamples)]
        elif np.size(Z):
            batches = [draw_resamples(np.shape(Z), self.unit, n, rng) for n in batch_sizes(n_resamples)]
            resample = _compute_once(
                lambda X, human: np.concatenate(
                    [bootstrap_values(X, human, batch, **options) for batch in batches]
                )
            )
            values = np.array(
                [
                    resample(X, human) - resample(Y, human) - (first.value - second.value)
                    for (X, Y, human), (first, second) in zip(scores, observed, strict=True)
                ]
            )
        else:
            values = np.full((len(pairs), n_resamples), np.nan)
        return [
            MetricDifference(first, second, of_pair, is_exhaustive)
            for (first, second), of_pair in zip(observed, values, strict=True)
        ]

    def _compare(
        self, strata: Sequence[MetricDifference], alternative: str, alpha: float = ALPHA
    ) -> MetricComparison:
        """Test the mean over strata of the observed differences by that of the resampled ones."""
        correlations = [stratum.first for stratum in strata]
        first = float(np.mean([estimate.value for estimate in correlations]))
        second = float(np.mean([stratum.second.value for stratum in strata]))
        difference = first - second
        flags = {estimate.flag for estimate in correlations}
        shared_flag = flags.pop() if len(flags) == 1 else ""
        flag = shared_flag or (UNDEFINED_CORRELATION if np.isnan(difference) else "")
        values = np.mean([stratum.values for stratum in strata], axis=0)
        defined = values[:0] if flag else values[~np.isnan(values)]
        is_exhaustive = strata[0].is_exhaustive
        margin = undecided_margin(defined, alpha, exhaustive=is_exhaustive)
        low, high = difference_ends(difference, margin, lowest_value(correlations[0].coefficient))
        comparison = MetricComparison(
            first=first,
            second=second,
            difference=difference,
            p=resampling_p_value(defined, difference, alternative, exhaustive=is_exhaustive),
            low=low,
            high=high,
            n=sum(estimate.n for estimate in correlations),
            n_resamples=len(values),
            n_dropped=len(values) - len(defined),
            statistic=difference,
            flag=flag,
        )
        if len(strata) == 1 or flag:
            return comparison
        errors = [np.nanstd(stratum.values) for stratum in strata]
        differences = [stratum.first.value - stratum.second.value for stratum in strata]
        mean = stratified_mean(differences, errors, confidence=1 - alpha)
        return replace(
            comparison,
            spread=mean.spread,
            low_others=mean.low_others,
            high_others=mean.high_others,
            n_strata=mean.n,
        )

    def _test_by_t(
        self,
        strata: Sequence[Stratum],
        pair: tuple[int, int],
        options: CorrelationChoices,
        alternative: str,
    ) -> MetricComparison:
        """Test the three correlations by Williams' t."""
        if len(strata) > 1:
            raise ValueError(f"{self.name} does not take {len(strata)} strata together; expected one")
        [(metrics, Z, _)] = strata
        first, second, between = three_correlations(metrics[pair[0]], metrics[pair[1]], Z, **options)
        t, p = williams_t(first.value, second.value, between.value, first.n, alternative=alternative)
        comparison = self._compare([MetricDifference(first, second, np.zeros(0))], alternative)
        flag = first.flag or (UNDEFINED_CORRELATION if np.isnan(t) else "")
        return replace(comparison, p=p, statistic=t, flag=flag)


METRIC_TESTS = {
    test.name: test
    for test in (
        MetricTest("perm-systems", "permutation", "systems", "exchanges all scores of a summarizer"),
        MetricTest("perm-both", "permutation", "cells", "exchanges single scores of the two"),
        MetricTest("perm-inputs", "permutation", "inputs", "exchanges all scores of a topic"),
        MetricTest("boot", "bootstrap", "both", "resamples summarizers and topics"),
        MetricTest("boot-systems", "bootstrap", "systems", "resamples summarizers"),
        MetricTest(
            "boot-inputs", "bootstrap", "inputs", "resamples topics: says nothing of other summarizers"
        ),
        MetricTest("williams", "williams", about="by the three correlations alone"),
    )
}
"""The tests of two metrics by name."""

PERM_BOTH = METRIC_TESTS["perm-both"]
BOOT = METRIC_TESTS["boot"]
WILLIAMS = METRIC_TESTS["williams"]


def _compute_once(
    compute: Callable[[FloatArray, FloatArray], Value],
) -> Callable[[FloatArray, FloatArray], Value]:
    """Compute what two arrays give once, however often it is asked for."""
    computed: dict[tuple[bytes, bytes], Value] = {}

    def look_up(X: FloatArray, Z: FloatArray) -> Value:
        key = X.tobytes(), Z.tobytes()
        if key not in computed:
            computed[key] = compute(X, Z)
        return computed[key]

    return look_up


def three_correlations(
    X: ArrayLike, Y: ArrayLike, Z: ArrayLike, **options: Unpack[CorrelationChoices]
) -> tuple[Correlation, Correlation, Correlation]:
    """Correlate two metrics with humans and with each other, on the cells that all have."""
    X, Y, Z = keep_shared_cells(X, Y, Z)
    correlate = partial(correlation, **options)
    return correlate(X, Z), correlate(Y, Z), correlate(X, Y)


def resampling_p_value(
    values: FloatArray, observed: float, alternative: str, *, exhaustive: bool = False
) -> float:
    """P-value of an observed difference from resampled ones: (count + 1) / (n + 1), never 0.

    Of all exchanges, of which the observed one is one, it is their share.
    """
    is_as_extreme = {
        "greater": values >= observed - ROUNDING,
        "less": values <= observed + ROUNDING,
        "two-sided": np.abs(values) >= abs(observed) - ROUNDING,
    }[alternative]
    n_observed = 0 if exhaustive and len(values) else 1
    return float((np.count_nonzero(is_as_extreme) + n_observed) / (len(values) + n_observed))


def undecided_margin(values: FloatArray, alpha: float, *, exhaustive: bool = False) -> float:
    """Largest difference that :func:`resampling_p_value` gives a two-sided p above alpha; NaN without enough values.

    Around an observed difference it is an interval: the differences from which the observed one does not differ
    significantly if their resampled values are those of no difference, moved.
    """
    n_observed = 0 if exhaustive else 1
    n_as_extreme = math.floor(alpha * (len(values) + n_observed) * (1 + ROUNDING)) - n_observed
    if not 0 <= n_as_extreme < len(values):
        return float("nan")
    return float(np.partition(np.abs(values), -1 - n_as_extreme)[-1 - n_as_extreme])


def difference_ends(difference: float, margin: float, lowest: float) -> tuple[float, float]:
    """Ends of an interval around a difference of two correlations; one that is 0 but for rounding is 0."""
    limit = 1 - lowest
    low, high = np.clip([difference - margin, difference + margin], -limit, limit)
    return (0.0 if abs(low) <= ROUNDING else float(low), 0.0 if abs(high) <= ROUNDING else float(high))


def williams_t(
    r12: float, r13: float, r23: float, n: int, *, alternative: str = "two-sided"
) -> tuple[float, float]:
    """Williams' t (1959) of two correlations of ``n`` points that share a variable, and its p-value.

    NaN and 1 where no three variables can correlate like this, or with fewer than four points.

    Examples
    --------
    >>> t, p = williams_t(0.85, 0.75, 0.9, 20, alternative="greater")
    >>> round(t, 6), round(p, 6)
    (1.749144, 0.049148)
    """
    from scipy.special import stdtr

    undefined = float("nan"), 1.0
    if n < MIN_POINTS_OF_WILLIAMS or np.isnan([r12, r13, r23]).any():
        return undefined
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    scale = 2 * determinant * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if 1 - r23 <= ROUNDING or scale <= 0:
        return undefined
    t = float((r12 - r13) * np.sqrt((n - 1) * (1 + r23) / scale))
    p_less, p_greater = stdtr(n - 3, [t, -t]).tolist()
    p = {"greater": p_greater, "less": p_less, "two-sided": 2 * min(p_less, p_greater)}
    return t, p[alternative]
