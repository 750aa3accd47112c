"""Ratings of systems on topics by raters, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray, IntArray

EFFECTS = ("residual", "system", "topic", "system:topic", "rater", "system:rater", "topic:rater")
"""All effects, in the order of preference where the ratings cannot separate them."""


@dataclass(frozen=True)
class Ratings:
    """Ratings of systems on topics by raters, as arrays with one element a rating.

    Attributes
    ----------
    scores : ndarray, shape (n_ratings,)
        Without NaN.
    systems, topics, raters : ndarray of int, shape (n_ratings,)
        The numbers, from 0, of the system, the topic and the rater of each rating.
    """

    scores: FloatArray
    systems: IntArray
    topics: IntArray
    raters: IntArray

    @classmethod
    def from_arrays(
        cls, scores: ArrayLike, systems: ArrayLike, topics: ArrayLike, raters: ArrayLike
    ) -> Ratings:
        """Number the systems, topics and raters, and leave out missing scores.

        Shapes: ``scores``, ``systems``, ``topics`` and ``raters`` (n_ratings,).
        """
        values = np.asarray(scores, dtype=np.float64)
        is_present = ~np.isnan(values)

        def number(names: ArrayLike) -> IntArray:
            """Number distinct names from 0."""
            return np.unique(np.asarray(names)[is_present], return_inverse=True)[1].astype(np.int64)

        return cls(values[is_present], number(systems), number(topics), number(raters))

    def groups(self, effect: str) -> IntArray:
        """Number the groups of an effect as they appear, (n_ratings,): the same groups have the same numbers."""
        if effect == "residual":
            return np.arange(len(self.scores))
        names = {"system": self.systems, "topic": self.topics, "rater": self.raters}
        codes = np.stack([names[name] for name in effect.split(":")])
        _, first, group = np.unique(codes, axis=1, return_index=True, return_inverse=True)
        return first.argsort().argsort()[group.ravel()]

    def rate_once(self) -> Ratings:
        """Give the same cells, each rated once, by one and the same rater; scores are 0."""
        systems, topics = np.unique(np.stack([self.systems, self.topics]), axis=1)
        return Ratings(np.zeros(len(systems)), systems, topics, np.zeros_like(systems))
