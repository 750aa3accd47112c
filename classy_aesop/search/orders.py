"""Other coefficients than Pearson's of many linear predictions with targets: of their order, and of their pairs.

The lists of points are those of `classy_aesop.search.levels`; a point that counts twice is there twice, and makes no
pair with its copy. Each value is that of `classy_aesop.significance.correlation`, but for predictions that are constant
in every list: they have none.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from classy_aesop.search.design import Array, Mask
from classy_aesop.search.levels import CELLS, CONSTANT, PearsonBlocks, Rows, points
from classy_aesop.significance.base import slack_of, snapped, starts_level
from classy_aesop.significance.coefficients import CALIBRATED, SOFT, better_p, drawn_rows, exchanges

N_EXCHANGES = 100
"""Exchanges behind each p-value of soft pairwise accuracy: fewer than where a metric is judged, as all subsets share
them."""


def scored_by(
    coefficient: str, level: str, rows: Rows, topics: Array, summarizers: Array
) -> PearsonBlocks | Orders:
    """Prepare rows to score predictions by any coefficient, given how often each topic and summarizer counts."""
    if coefficient == "pearson":
        return PearsonBlocks(level, rows, topics, summarizers)
    kind = {CALIBRATED: CalibratedPairs, SOFT: SoftPairs}.get(coefficient, Lists)
    return kind(coefficient, level, rows, topics, summarizers)


class Orders(ABC):
    """Weighted rows, ready to score predictions by a coefficient of their order."""

    cells: ClassVar[int] = CELLS
    """Numbers that are compared at a time."""

    size: int
    """Numbers that are compared for one prediction."""

    def __init__(self, coefficient: str, level: str, rows: Rows, topics: Array, summarizers: Array) -> None:
        self.coefficient, self.rows, self.topics, self.summarizers = coefficient, rows, topics, summarizers
        self.slack = slack_of(rows.y, axis=0)[0]
        self.lists = list(points(level, rows, topics, summarizers))
        if self.lists:
            self._prepare()

    def score(self, coef: Array, bound: Array, signs: Array | None = None) -> Array:
        """Return the values (n_targets, n) of predictions by coefficients (n_columns, n); -inf for none.

        ``bound`` and ``signs`` as for `PearsonBlocks`.
        """
        slack = CONSTANT * bound
        scores = np.full((self.slack.size, slack.size), -np.inf)
        varying = np.flatnonzero(self._vary(coef, slack))
        step = max(1, self.cells // max(self.size, 1))
        for part in (varying[at : at + step] for at in range(0, varying.size, step)):
            for target, of_target in enumerate(scores):
                turned = coef[:, part] if signs is None else coef[:, part] * signs[target, part]
                values = self._values(turned, slack[part], target)
                of_target[part] = np.where(np.isnan(values), -np.inf, values)
        return scores

    @abstractmethod
    def _prepare(self) -> None:
        """Compute from the lists what all predictions share."""

    @abstractmethod
    def _values(self, coef: Array, slack: Array, target: int) -> Array:
        """Return the values (n,), NaN where undefined; ``slack`` (n,) are differences that rounding explains."""

    def _vary(self, coef: Array, slack: Array) -> Mask:
        """Whether predictions vary in any list, (n,)."""
        varies = np.zeros(slack.size, dtype=bool)
        for X, *_ in self.lists:
            varies |= np.ptp(X @ coef, axis=0) > slack
        return varies


class Lists(Orders):
    """Coefficients of each list, then their mean over the lists in which they exist."""

    def _prepare(self) -> None:
        self.drawn = [np.repeat(np.arange(len(X)), counts.astype(np.int64)) for X, _, counts, _ in self.lists]
        self.size = max(map(len, self.drawn), default=1)

    def _values(self, coef: Array, slack: Array, target: int) -> Array:
        total, weight = np.zeros((2, coef.shape[1]))
        slacks = slack[:, None], self.slack[target]
        for (X, y, _, count), drawn in zip(self.lists, self.drawn, strict=True):
            predictions = np.ascontiguousarray((X @ coef)[drawn].T)
            found = drawn_rows(predictions, y[None, drawn, target], drawn[None], self.coefficient, slacks)
            exists = ~np.isnan(found)
            total += np.where(exists, count * found, 0.0)
            weight += count * exists
        with np.errstate(invalid="ignore"):
            return np.asarray(total / weight)


class CalibratedPairs(Orders):
    """Pairwise accuracy with the tie threshold that is best for each prediction, one for all lists."""

    def _prepare(self) -> None:
        starts = np.cumsum([0, *(len(X) for X, *_ in self.lists)])
        pairs = [np.triu_indices(len(X), 1) for X, *_ in self.lists]
        self.X = np.concatenate([X for X, *_ in self.lists])
        self.one, self.other = np.hstack(
            [start + np.array(pair) for start, pair in zip(starts, pairs, strict=False)]
        )
        every = sum(weight for *_, weight in self.lists)
        self.share = np.concatenate(
            [
                weight / every * counts[i] * counts[j] / (counts[i] @ counts[j])
                for (_, _, counts, weight), (i, j) in zip(self.lists, pairs, strict=True)
            ]
        )
        self.size = self.share.size

    def _values(self, coef: Array, slack: Array, target: int) -> Array:
        predictions = self.X @ coef
        apart, human = (predictions[self.one] - predictions[self.other]).T, self._human(target)
        right = np.where((np.sign(apart) == human) & (human != 0), self.share, 0.0)
        distance = np.abs(apart)
        order = np.argsort(distance, axis=1)
        ascending = np.take_along_axis(distance, order, axis=1)
        gain = np.take_along_axis(np.where(human == 0, self.share, -right), order, axis=1)
        starts = starts_level(ascending, slack[:, None])
        ends = np.hstack([starts[:, 1:], starts[:, :1]])
        best = np.where(ends, np.cumsum(gain, axis=1), -np.inf).max(axis=1)
        with_none = np.where(ascending[:, 0] > slack, 0.0, -np.inf)
        return np.asarray(np.clip(right.sum(axis=1) + np.maximum(best, with_none), 0.0, 1.0))

    def _human(self, target: int) -> Array:
        """Return the order of each pair by the target: -1, 0 or 1."""
        y = np.concatenate([snapped(y[:, target], self.slack[target]) for _, y, *_ in self.lists])
        return np.asarray(np.sign(y[self.one] - y[self.other]))


class SoftPairs(Orders):
    """Soft pairwise accuracy: how far the p-values of every two summarizers are from the humans'."""

    cells = 2**19

    def _prepare(self) -> None:
        topics = np.repeat(np.arange(self.topics.size), self.topics.astype(np.int64))
        who = np.intersect1d(self.rows.summarizers, np.flatnonzero(self.summarizers))
        self.at = np.full((self.summarizers.size, self.topics.size), -1)
        self.at[self.rows.summarizers, self.rows.topics] = np.arange(len(self.rows.y))
        self.at = self.at[who][:, topics]
        self.moves = exchanges(topics.size, N_EXCHANGES).T
        y = np.where(self.at[..., None] < 0, np.nan, self.rows.y[self.at])
        self.human = [better_p(one, n_exchanges=N_EXCHANGES) for one in np.moveaxis(y, 2, 0)]
        self.share = np.triu(np.outer(self.summarizers[who], self.summarizers[who]), 1)
        self.share[np.isnan(self.human[0])] = 0.0
        self.complete = bool((self.at >= 0).all())
        self.moved = self.moves @ self.rows.X[self.at] if self.complete else self.rows.X[:0]
        self.size = who.size * N_EXCHANGES

    def _values(self, coef: Array, slack: Array, target: int) -> Array:
        moved, within = self.moved @ coef, slack * self.at.shape[1]
        far = np.zeros(coef.shape[1])
        for one, human in enumerate(self.human[target][:-1]):
            others = slice(one + 1, None)
            better = (
                moved[one] + within >= moved[others] if self.complete else self._apart(one, coef) >= -within
            )
            wins = better.view(np.uint8).sum(axis=1, dtype=np.uint8)
            far += self.share[one, others] @ np.abs(wins / N_EXCHANGES - np.nan_to_num(human[others, None]))
        with np.errstate(invalid="ignore"):
            return np.asarray(1 - far / self.share.sum())

    def _apart(self, one: int, coef: Array) -> Array:
        """Return what exchanges add to the difference of a summarizer and each later one, on the topics of both."""
        first, others = self.at[one], self.at[one + 1 :]
        apart = self.rows.X[first] - self.rows.X[others]
        apart[(first < 0) | (others < 0)] = 0.0
        return np.asarray(self.moves @ apart @ coef)
