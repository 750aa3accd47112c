"""Means of systems from the judged part of a matrix of systems x topics: the plain mean and the control variate.

A judged cell is modelled as ``y = system + topic + slope * f + error``. Here ``f`` is the score that is known for every
cell, less its topic's mean over systems. Topics are random effects, so that they cancel where all systems share their
topics, and count as noise where they do not. The mean of a system is then the mean of its judgments, moved by the slope
times what the judged topics' scores differ from those of all topics: the regression estimator of survey sampling, the
control variate of Chaganty, Mussmann and Liang (2018), and PPI++ (Angelopoulos, Duchi and Zrnic, 2023), whose weight
``slope / (1 + n / N)`` on N further topics is the same estimate.

Each system has a variance: its own as far as systems differ, and the common one as far as chance explains that.
Residuals of systems and topics tell it (Grubbs, 1948): ``variance + (squares - df * variance) /
own_df``, where ``squares`` are expected to be ``df * variance`` if all systems vary alike. Few topics tell little of
it, so it is drawn to the common variance by an inverse gamma distribution of variances, as Smyth (2004) does for genes.
Its degrees of freedom follow from the variance of the variances, not from their logarithms: near the end of a scale
some systems have equal judgments, and logarithms of nothing say that all else is luck.

Two systems on five topics tell a slope so badly that it does more harm than good. So that of few systems is drawn to
the slope of all their judged cells, topics left in, which is told better; and this to 0, as far as it may be chance
(James and Stein, 1961), or as the judged cells' scores are closer together than all. The slope of one predictor's own
predictions should be 1. There it is drawn to 1 by how likely the judged cells are with slopes of 1, 0 and -1, of which
the first two are thought to be about as likely beforehand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, Result, eigh, slack_of, snapped

UNKNOWN = 1e5
"""A system without a judgment has a variance this many times all that is known of the others."""

SURE = 1e-12
"""Share of its variance that stays with a mean of which nothing is open, so that it can be divided by."""

FEWEST = 20
"""Degrees of freedom that a slope takes where systems do not share topics, for each metric.

A slope of nothing adds about one in as many to the mean squared error. With few systems the slope of all judged cells
counts for as many, and two of those of the systems' own are not counted: with two a slope has no variance.
"""

FEW = 5
"""Fewer systems tell little of the common variance beyond their own."""

_UNSURE = 0.975
"""Of few systems, the quantile of Student's t whose growth widens intervals where most grades are equal.

The variance of cells of which few are unlike the most frequent grade has about two degrees of freedom for each of them.
"""

_CHANCE = 0.95
"""Of few systems, the quantile of F up to which a slope of all judged cells counts for nothing."""

_SLOPES, _BELIEFS = np.array([1.0, 0.0, -1.0]), np.array([0.4, 0.5, 0.1])
"""Of few systems, what a predictor's own predictions may be worth, in units of their slope, and how likely that is."""

_LEAST = 1e-8
"""Least variance of the errors as a share of that of the judgments, or of the square of equal ones: rounding alone."""

_ROUNDING = 1e-10
"""Share below which an eigenvalue, or what is left of scores, is rounding."""


class TooFewJudgments(ValueError):
    """There are too few judgments, or systems, for an estimate."""


@dataclass(frozen=True, slots=True)
class DirectMeans(Result):
    """Means of systems, each from its own judgments; arrays have the leading axes of the judgments.

    Attributes
    ----------
    mean : ndarray, shape (..., n_systems)
        The means; without any judgment the mean of the others, with a variance that is practically infinite.
    covariance : ndarray, shape (..., n_systems, n_systems)
        Of their errors; what all systems share is the error of the topics.
    score_mean : ndarray, shape (..., n_metrics, n_systems)
        Means of the scores over all topics, less those of all systems.
    slope : ndarray, shape (..., n_metrics)
        What a judgment rises with each metric, within systems and topics; 0 where too few judgments tell it.
    variance, df : ndarray, shape (...)
        Of a judgment around its system, its topic and the slope; its degrees of freedom.
    topic_variance : ndarray, shape (...)
        Of topics.
    n_judged : ndarray of int, shape (..., n_systems)
        Judged topics of each system.
    n_topics : int
        All topics.
    n_judged_topics : ndarray of int, shape (...)
        Topics with a judgment.
    finite : bool
        Whether the means are those over the topics at hand.
    by_topics : ndarray, shape (..., n_systems, n_systems)
        The covariance of the errors as the residuals of each topic tell it, whatever the model says of them.
    own_variance, own_df : ndarray, shape (..., n_systems)
        Of a judgment of each system, see :mod:`classy_aesop.significance.direct_means`; its degrees of freedom beside
        those of the common variance.
    is_sure : ndarray of bool, shape (...)
        Whether systems and topics leave nothing of the judgments but rounding.
    wider : ndarray, shape (...)
        How many times as large a variance may be, since most grades are equal; infinitely if all are, or if systems and
        topics explain all judgments. It is 1 where nothing is open, and else with `FEW` systems or more, whose cells
        are many.
    slack : ndarray, shape (..., 1)
        Means no further apart are equal, see :mod:`classy_aesop.significance.base`.
    """

    mean: FloatArray
    covariance: FloatArray
    score_mean: FloatArray
    slope: FloatArray
    variance: FloatArray
    df: FloatArray
    topic_variance: FloatArray
    n_judged: IntArray
    n_topics: int
    n_judged_topics: IntArray
    finite: bool
    by_topics: FloatArray
    own_variance: FloatArray
    own_df: FloatArray
    is_sure: BoolArray
    wider: FloatArray
    slack: FloatArray

    @property
    def own_errors(self) -> FloatArray:
        """Variance of each mean by the errors of its own judgments alone; 0 without any, (..., n_systems)."""
        left = np.maximum(1 - self.n_judged / self.n_topics, SURE) if self.finite else 1.0
        return np.where(self.n_judged > 0, self.own_variance * left / np.maximum(self.n_judged, 1), 0.0)

    @property
    def own_covariance(self) -> FloatArray:
        """Covariance of the errors where each system varies by itself, (..., n_systems, n_systems)."""
        common = self.variance[..., None] / self.own_variance
        return self.covariance + (self.own_errors * (1 - common))[..., None] * np.eye(self.mean.shape[-1])

    @property
    def topics_df(self) -> FloatArray:
        """Degrees of freedom of each system's variance as topics tell it."""
        return np.asarray(np.maximum(self.n_judged - 1.0, 0.0))

    @property
    def design(self) -> FloatArray:
        """What the true means follow: a column of ones and the means of the metrics, (..., n_systems, n_columns)."""
        return np.concatenate([np.ones_like(self.mean)[..., None], self.score_mean.mT], axis=-1)

    @property
    def shares_topics(self) -> BoolArray:
        """Whether all judged systems are judged on the same topics, so that their errors go together."""
        return _are_shared(self.n_judged, self.n_judged_topics)


def direct_means(
    y: ArrayLike,
    f: ArrayLike | None = None,
    *,
    finite: bool = True,
    drawn_to: float | None = None,
    rater_errors: ArrayLike | None = None,
    rater_df: int = 0,
) -> DirectMeans:
    """Estimate the mean of each system from its own judgments, with scores as control variates.

    Parameters
    ----------
    y : array_like, shape (..., n_systems, n_topics)
        Judgments; NaN where nobody judged. With leading axes each matrix is estimated by itself.
    f : array_like, shape (..., n_systems, n_topics) or (..., n_metrics, n_systems, n_topics), optional
        Scores of every cell. Without them the means are the plain ones, less the topics' effects.
    finite : bool
        Whether the means over these topics are wanted, or else those over topics like them. Of the first, variances
        are less by the share of a system's topics that are judged; to the second comes the variance of the scores'
        own means.
    drawn_to : float, optional
        What the slopes of few systems are drawn to: with 0 to those of all judged cells, and these to 0; else to what
        judgments should rise with the one metric, 1 for predictions of them.
    rater_errors : array_like, shape (n_systems, n_systems), optional
        Where estimated effects of raters were taken from judgments, the covariance that their errors leave in the means
        of systems, see :mod:`classy_aesop.significance.leniency`.
    rater_df : int
        Degrees of freedom that those effects took.

    Raises
    ------
    TooFewJudgments
        There are too few judgments to tell their variance.
    ValueError
        The shapes do not fit, or a score is missing.

    Examples
    --------
    >>> found = direct_means([[3, 5, None], [2, 4, None], [1, 1, None]], finite=False)
    >>> found.mean.round(2).tolist(), float(found.variance.round(2))
    ([4.0, 3.0, 1.0], 0.67)
    """
    Y, raw = _matrices(y, f)
    judged = ~np.isnan(Y)
    F, ways = raw - raw.mean(axis=-2, keepdims=True), _TwoWays(judged)
    ways.check(F.shape[-3], are_taken=drawn_to is None)
    rest, scores = ways.residuals(Y[..., None, :, :])[..., 0, :, :], ways.residuals(F)
    n_judged, n_judged_topics = judged.sum(axis=-1), judged.any(axis=-2).sum(axis=-1)
    found, taken = _slopes(scores, rest, raw), 0.0
    if drawn_to is not None:
        own = np.maximum(1 - FEWEST / np.maximum(ways.df + FEWEST - 2, 1), 0)
        slope = own[..., None] * found + (1 - own)[..., None] * _slopes_of_cells(judged, raw, Y, drawn_to)
        taken = F.shape[-3] * own * (2 - own)
    else:  # slopes take judgments enough, or systems that share their topics, so that little is moved
        is_told = _are_shared(n_judged, n_judged_topics) | (ways.df >= FEWEST * F.shape[-3])
        slope = np.where(is_told[..., None], found, 0.0)
    least = _least_variance(Y)
    is_additive = (rest**2).sum(axis=(-2, -1)) <= least * ways.df
    rest = rest - _moved(slope, scores)
    of_systems, df = (rest**2).sum(axis=-1), np.maximum(ways.df - taken - rater_df, ways.df / 2)
    variance = np.maximum(of_systems.sum(axis=-1) / df, least)
    is_sure, slack = variance <= least, slack_of(Y.reshape(*Y.shape[:-2], -1), axis=-1)
    of_rounding, wider = _of_grades(Y, slack)
    variance = np.maximum(variance, is_sure * of_rounding)
    own_variance, own_df = moderated(of_systems, *ways.of_residuals(), variance)
    of_scores = _moved(slope, F)
    topic_variance = ways.topic_variance(Y - of_scores, of_systems.sum(axis=-1))
    mean, covariance, by_topics = ways.fitted(Y - of_scores, variance, topic_variance)
    left = np.maximum(1 - n_judged / Y.shape[-1], SURE) if finite else None
    covariance, by_topics = _of_topics_wanted([covariance, by_topics], left, of_scores)
    if rater_errors is not None:
        covariance = covariance + np.asarray(rater_errors)
        by_topics = by_topics + np.asarray(rater_errors)
    score_mean = F.mean(axis=-1)
    mean = mean + (slope[..., None] * score_mean).sum(axis=-2)
    mean, covariance = _with_unjudged(mean, covariance, n_judged > 0)
    return DirectMeans(
        mean=snapped(mean, slack),
        covariance=covariance,
        score_mean=score_mean,
        slope=slope,
        variance=variance,
        df=df,
        topic_variance=topic_variance,
        n_judged=n_judged,
        n_topics=Y.shape[-1],
        n_judged_topics=n_judged_topics,
        finite=finite,
        by_topics=by_topics,
        own_variance=own_variance,
        own_df=own_df,
        is_sure=is_sure,
        wider=np.where(finite & judged.all(axis=(-2, -1)), 1.0, np.where(is_additive, np.inf, wider)),
        slack=slack,
    )


def _matrices(y: ArrayLike, f: ArrayLike | None) -> tuple[FloatArray, FloatArray]:
    """Give the judgments, and the scores as (..., n_metrics, n_systems, n_topics)."""
    Y = np.asarray(y, dtype=np.float64)
    if Y.ndim < 2:
        raise ValueError(f"y has {Y.ndim} dimensions; expected 2, summarizers x topics")
    if np.isinf(Y).any():
        raise ValueError("y holds an infinite score; expected numbers, or NaN where nobody judged")
    if f is None:
        return Y, np.empty((*Y.shape[:-2], 0, *Y.shape[-2:]))
    F = np.asarray(f, dtype=np.float64)
    F = F[..., None, :, :] if F.ndim == Y.ndim else F
    if F.ndim != Y.ndim + 1 or (*F.shape[:-3], *F.shape[-2:]) != Y.shape:
        raise ValueError(f"f has the shape {np.shape(f)}; expected scores of {Y.shape}, as y")
    if not np.isfinite(F).all():
        raise ValueError("f lacks a score; expected one for every system and topic")
    return Y, F


def _are_shared(n_judged: IntArray, n_judged_topics: IntArray) -> BoolArray:
    return np.asarray(((n_judged == 0) | (n_judged == n_judged_topics[..., None])).all(axis=-1))


def _slopes(scores: FloatArray, rest: FloatArray, raw: FloatArray) -> FloatArray:
    """Least squares of what is left of judgments on what is left of each metric's scores; 0 for one of rounding."""
    length = np.sqrt((scores**2).sum(axis=(-2, -1)))
    size = np.where(length > _ROUNDING * np.abs(raw).max(axis=(-2, -1)), length, np.inf)
    units = (scores / size[..., None, None]).reshape(*size.shape, rest.shape[-2] * rest.shape[-1])
    along = units @ rest.reshape(*rest.shape[:-2], -1, 1)
    found = np.linalg.pinv(units @ units.mT, rcond=_ROUNDING, hermitian=True) @ along
    return np.asarray(found[..., 0] / size)


def _slopes_of_cells(judged: BoolArray, F: FloatArray, Y: FloatArray, drawn_to: float) -> FloatArray:
    """Slopes within systems, topics left in; drawn to another, or to 0."""
    n_cells, n_metrics = judged.sum(axis=(-2, -1)), F.shape[-3]
    scores, rest = _less_means(F, judged[..., None, :, :]), _less_means(Y, judged)
    if drawn_to and n_metrics == 1:
        slopes = drawn_to * _SLOPES
        left = ((rest[..., None] - scores[..., 0, :, :, None] * slopes) ** 2).sum(axis=(-3, -2))
        share = left / np.maximum(left.max(axis=-1, keepdims=True), np.finfo(float).tiny)
        df = (n_cells - judged.any(axis=-1).sum(axis=-1))[..., None]
        likely = _BELIEFS * np.maximum(share, _LEAST) ** (-df / 2)
        return np.asarray((likely @ slopes / likely.sum(axis=-1))[..., None])
    found, n_systems = _slopes(scores, rest, F), judged.any(axis=-1).sum(axis=-1)
    squares = (_moved(found, scores) ** 2).sum(axis=(-2, -1))
    df = np.maximum(n_cells - n_systems - n_metrics, 1)
    chance = ((rest - _moved(found, scores)) ** 2).sum(axis=(-2, -1)) / df * n_metrics
    limit = stats.f.ppf(_CHANCE, max(n_metrics, 1), df)
    kept = np.divide(limit * chance, squares, out=np.ones_like(squares), where=squares > 0)
    of_all = F.var(axis=-1, ddof=1).mean(axis=-1) * (n_cells - n_systems)[..., None]
    apart = np.minimum((scores**2).sum(axis=(-2, -1)) / np.maximum(of_all, np.finfo(float).tiny), 1)
    return np.asarray(found * apart * np.maximum(1 - kept, 0)[..., None])


def _less_means(Z: FloatArray, judged: BoolArray) -> FloatArray:
    """Give judged cells less the mean of their system; 0 elsewhere."""
    total = np.where(judged, Z, 0.0).sum(axis=-1, keepdims=True)
    return np.where(judged, Z - total / np.maximum(judged.sum(axis=-1, keepdims=True), 1), 0.0)


def _least_variance(Y: FloatArray) -> FloatArray:
    """Give the variance that rounding alone leaves."""
    largest, deviation = np.nanmax(np.abs(Y), axis=(-2, -1)), np.nanstd(Y, axis=(-2, -1))
    size = np.where(deviation > SURE * largest, deviation, largest)
    return np.asarray(_LEAST * np.where(size > 0, size, 1.0) ** 2)


def _of_grades(Y: FloatArray, slack: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the variance of rounding to a grade, and how many times as large a variance of few systems may be."""
    cells = np.sort(Y.reshape(*Y.shape[:-2], -1), axis=-1)
    apart, at = np.diff(cells, axis=-1, prepend=-np.inf), np.arange(cells.shape[-1])
    n_alike = 1 + (at - np.maximum.accumulate(np.where(apart <= slack, 0, at), axis=-1)).max(axis=-1)
    n_cells = (~np.isnan(cells)).sum(axis=-1)
    are_equal, are_few = n_alike == n_cells, Y.shape[-2] < FEW
    step = np.where(are_equal, 0.0, np.where(apart > slack, apart, np.inf).min(axis=-1))
    n_unlike, most = np.maximum(n_cells - n_alike, 1), np.maximum(n_cells - 1, 1)
    more = stats.t.ppf(_UNSURE, 2 * n_unlike) / stats.t.ppf(_UNSURE, 2 * most) if are_few else 1.0
    return are_few * step**2 / 12, np.where(are_equal, np.inf, np.square(more))


def _moved(slope: FloatArray, F: FloatArray) -> FloatArray:
    """Give what the slopes make of the scores."""
    return np.asarray((slope[..., None, None] * F).sum(axis=-3))


def _of_topics_wanted(
    covariances: Sequence[FloatArray], left: FloatArray | None, of_scores: FloatArray
) -> list[FloatArray]:
    """Take from errors what the topics at hand leave open, or add what the scores say of topics like them."""
    if left is not None:
        root = np.sqrt(left)
        return [one * root[..., :, None] * root[..., None, :] for one in covariances]
    n_systems, n_topics = of_scores.shape[-2:]
    around = of_scores - of_scores.mean(axis=-1, keepdims=True)
    own = (around**2).sum(axis=(-2, -1)) / ((n_systems - 1) * (n_topics - 1)) / n_topics
    added = own[..., None, None] * np.eye(n_systems)
    return [one + added for one in covariances]


def _with_unjudged(
    mean: FloatArray, covariance: FloatArray, judged: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Give systems without a judgment a mean of which nothing is known."""
    own = np.diagonal(covariance, axis1=-2, axis2=-1)
    n = judged.sum(axis=-1, keepdims=True)
    middle = np.where(judged, mean, 0).sum(axis=-1, keepdims=True) / n
    spread = (np.where(judged, mean - middle, 0) ** 2).sum(axis=-1, keepdims=True) / n
    known = np.where(judged, own, -np.inf).max(axis=-1, keepdims=True) + spread
    added = np.where(judged, 0.0, UNKNOWN * known - own)
    return np.where(judged, mean, middle), covariance + added[..., None] * np.eye(mean.shape[-1])


class _TwoWays:
    """Least squares of judged cells on systems and topics, by the systems' normal equations."""

    def __init__(self, judged: BoolArray) -> None:
        self.judged = judged
        self.cells = judged.astype(float)
        self.of_system, self.of_topic = self.cells.sum(axis=-1), self.cells.sum(axis=-2)
        systems, self.within = self._equations(np.zeros(judged.shape[:-2]))
        roots, axes = eigh(systems)
        kept = roots > _ROUNDING * np.maximum(roots[..., -1:], 1)
        inverse = np.divide(1.0, roots, where=kept, out=np.zeros_like(roots))
        self.inverse = (axes * inverse[..., None, :]) @ axes.mT
        self.rank = kept.sum(axis=-1)
        self.df = judged.sum(axis=(-2, -1)) - (self.of_topic > 0).sum(axis=-1) - self.rank

    def check(self, n_metrics: int, *, are_taken: bool) -> None:
        """Raise `TooFewJudgments` where nothing is left, or with slopes that are taken no more than these."""
        if not (enough := self.df > (n_metrics if are_taken else 0)).all():
            one = self.judged[~enough][0] if self.judged.ndim > 2 else self.judged
            few = f"too few for {n_metrics} metrics" if n_metrics else "too few"
            raise TooFewJudgments(
                f"{one.sum()} judgments of {one.any(axis=1).sum()} systems on {one.any(axis=0).sum()} topics are "
                f"{few}; expected more systems that share more topics"
            )

    def _equations(self, ridge: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Information on systems, topics taken out; and what takes them out of sums over topics."""
        total = (self.of_topic + ridge[..., None])[..., None, :]
        taken = np.divide(self.cells, total, out=np.zeros_like(self.cells), where=self.judged)
        own = self.of_system[..., None] * np.eye(self.of_system.shape[-1])
        return own - taken @ self.cells.mT, taken

    def residuals(self, Z: FloatArray) -> FloatArray:
        """What systems and topics leave of the judged cells of each of several matrices; 0 elsewhere."""
        judged = self.judged[..., None, :, :]
        Z = np.where(judged, Z, 0.0)
        of_topic = Z.sum(axis=-2, keepdims=True)
        system = self.inverse[..., None, :, :] @ (
            Z.sum(axis=-1, keepdims=True) - self.within[..., None, :, :] @ of_topic.mT
        )
        topic = (of_topic - system.mT @ self.cells[..., None, :, :]) / np.maximum(self.of_topic, 1)[
            ..., None, None, :
        ]
        return np.where(judged, Z - system - topic, 0.0)

    def of_residuals(self) -> tuple[FloatArray, FloatArray]:
        """Degrees of freedom of each system's residuals, and those that its own errors have among them.

        The first are exact. Of a topic with ``k`` systems a residual has ``(1 - 1 / k)^2`` of its own error's variance,
        less what it has of any other system's; systems' own means take the same share of both.
        """
        n_others = np.maximum((self.of_system > 0).sum(axis=-1) - 1, 1)[..., None, None]
        others = np.where(self.of_topic > 1, 1 / np.maximum(self.of_topic, 1), 0.0)[..., None, :]
        several = self.cells * (others > 0)
        of_topics = (several * (1 - others)).sum(axis=-1)
        moved = self.inverse @ self.cells
        together = (self.cells * moved).sum(axis=-2, keepdims=True)
        alone = np.diagonal(self.inverse, axis1=-2, axis2=-1)[..., None]
        df = of_topics - (several * (alone - 2 * moved * others + together * others**2)).sum(axis=-1)
        kept = np.divide(df, of_topics, out=np.zeros_like(df), where=of_topics > 0)
        own = (1 - others) ** 2 - others * (1 - others) / n_others
        return df, kept * (several * own).sum(axis=-1)

    def topic_variance(self, Z: FloatArray, left: FloatArray) -> FloatArray:
        """Variance of topics by Henderson's method 3: what they explain beyond systems; 0 at least."""
        Z = np.where(self.judged, Z, 0.0)
        middle = Z.sum(axis=-1) / np.maximum(self.of_system, 1)
        own = np.where(self.judged, Z - middle[..., None], 0.0)
        n_judged_systems = (self.of_system > 0).sum(axis=-1)
        df = (self.of_topic > 0).sum(axis=-1) + self.rank - n_judged_systems
        per_unit = self.judged.sum(axis=(-2, -1)) - n_judged_systems
        explained = (own**2).sum(axis=(-2, -1)) - left - df * left / self.df
        return np.maximum(explained, 0) / np.maximum(per_unit, 1)  # type: ignore[no-any-return]

    def fitted(
        self, Z: FloatArray, variance: FloatArray, topic_variance: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Generalized least squares of systems with random topics: values, their covariance, and that by topics."""
        information, taken = self._equations(variance / np.maximum(topic_variance, variance * 1e-9))
        Z, some = np.where(self.judged, Z, 0.0), self.of_system > 0
        alone = (~some)[..., None] * np.eye(some.shape[-1])
        inverse = np.linalg.inv(information + alone) * (some[..., :, None] & some[..., None, :])
        total = Z.sum(axis=-1) - (taken @ Z.sum(axis=-2)[..., None])[..., 0]
        value = (inverse @ total[..., None])[..., 0]
        rest = np.where(self.judged, Z - value[..., None], 0.0)
        rest = rest - taken * rest.sum(axis=-2, keepdims=True)
        few = self.of_system / np.maximum(self.of_system - 1, 1)
        of_topics = inverse @ (rest * np.sqrt(few)[..., None])
        return value, inverse * variance[..., None, None], of_topics @ of_topics.mT


_LEAST_DF = 4.0
"""Degrees of freedom of the inverse gamma distribution, whose own variance has no end there."""


def moderated(
    squares: FloatArray, df: FloatArray, own_df: FloatArray, variance: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Give the variance of each system, drawn to the common one, and its degrees of freedom beside those of the latter.

    They are infinite where chance explains how far systems differ.

    Parameters
    ----------
    squares, df : ndarray, shape (..., n_systems)
        Sums of squared residuals, and what they are expected to be, as multiples of the common variance, if all systems
        vary alike.
    own_df : ndarray, shape (..., n_systems)
        How much of a system's own variance is in them.
    variance : ndarray, shape (...)
        The common variance.

    Examples
    --------
    >>> found, df = moderated(np.array([9.0, 1, 1, 1]), np.full(4, 3.0), np.full(4, 2.0), np.array(1.0))
    >>> found.round(3).tolist(), df.round(3).tolist()
    ([1.818, 0.727, 0.727, 0.727], [7.333, 7.333, 7.333, 7.333])
    """
    common = variance[..., None]
    more = np.maximum(squares / common - df, -own_df)
    n = more.shape[-1]
    beyond = (more**2).sum(axis=-1) * n / (n - 1) - 2 * own_df.sum(axis=-1)  # what chance does not explain
    found = (own_df * (own_df + 2)).sum(axis=-1)
    some = (beyond > 0) & (found > 0)
    prior = (_LEAST_DF + np.where(some, 2 * found / np.where(some, beyond, 1.0), np.inf))[..., None]
    return common * (1 + more / (own_df + prior)), own_df + prior
