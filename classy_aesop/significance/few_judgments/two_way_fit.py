"""Least squares of the judged cells of a matrix on systems and topics, by the systems' normal equations."""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.base import BoolArray, FloatArray, robust_eigh

EIGENVALUE_ROUNDING = 1e-10
"""Share below which an eigenvalue, or what is left of scores, is rounding."""


class TooFewJudgments(ValueError):
    """There are too few judgments, or systems, for an estimate."""


class TwoWayFit:
    """Least squares of judged cells on systems and topics, by the systems' normal equations."""

    def __init__(self, judged: BoolArray) -> None:
        self.judged = judged
        self.cells = judged.astype(float)
        self.of_system, self.of_topic = self.cells.sum(axis=-1), self.cells.sum(axis=-2)
        systems, self.within = self._equations(np.zeros(judged.shape[:-2]))
        roots, axes = robust_eigh(systems)
        kept = roots > EIGENVALUE_ROUNDING * np.maximum(roots[..., -1:], 1)
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
