"""Designs of comparisons of judged systems, drawn at random: scores of systems on topics, and a judge of them.

A quality of variance 1 is made of the topic (.4), of how the system does on it (.2) and of the run (.4). System a is
better by the design's shift, or as good as the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm

from benchmarks.search_peers import Array

JUDGES = {
    "good": (1.0, 0.4, (0.0, 0.0)),
    "useless": (0.0, 1.0, (0.0, 0.0)),
    "biased": (1.0, 0.4, (0.8, 0.8)),
    "kind_to_b": (1.0, 0.4, (0.0, 0.5)),
}
"""What a judge makes of a quality: its weight, the noise, and what is added for systems a and b."""


class Draw(NamedTuple):
    """The scores of one draw, a row each, and their means over the runs, (n_systems, n_topics), NaN where missing."""

    frame: pd.DataFrame
    means: Array


class JudgedDraw(NamedTuple):
    """Scores of systems a and b by humans and by a judge, both (2, n_topics), and the topics that humans label."""

    human: Array
    judge: Array
    labelled: NDArray[np.int64]

    def tables(self, n_systems: int = 2) -> tuple[pd.DataFrame, pd.DataFrame]:
        """List the labels, and all scores of the judge."""
        rows = name_rows({"score": self.human[:n_systems], "judge": self.judge[:n_systems]})
        is_labelled = rows["item"].isin(self.labelled)
        return rows.loc[is_labelled].drop(columns="judge"), rows.drop(columns="score")


@dataclass(frozen=True)
class Design:
    """How scores arise: their scale, topics, how much better system a is, and what else there is.

    Parameters
    ----------
    kind : str
        ``grades``, ``pass`` with a rate (``pass.8``), ``lognormal``, ``points`` or ``mixture``.
    n_topics : int
    shift : float
        In standard deviations of the quality.
    feature : {"", "attempts", "missing", "missing-hard", "raters"}
        Five attempts; a fifth of the cells missing, at random or of system a among hard topics; six raters, of whom
        three judge most of a system.
    n_systems : int
    """

    kind: str
    n_topics: int
    shift: float = 0.0
    feature: str = ""
    n_systems: int = 2

    def __str__(self) -> str:
        return f"{self.kind} {self.feature} {self.n_topics} x {self.n_systems}".replace("  ", " ")

    def difference(self) -> float:
        """Compute how much better system a is, on the scale, from a large sample."""
        quality = np.random.default_rng(0).normal(size=1_000_000)
        return float(
            np.mean(put_on_scale(quality + self.shift, self.kind) - put_on_scale(quality, self.kind))
        )

    def qualities(self, rng: np.random.Generator, n_runs: int = 1) -> tuple[Array, Array]:
        """Draw qualities of the topics, and of systems x topics x runs."""
        shape = (self.n_systems, self.n_topics, n_runs)
        topic = rng.normal(size=self.n_topics)
        on_topic = np.sqrt(0.2) * rng.normal(size=(*shape[:2], 1))
        quality = np.sqrt(0.4) * (topic[:, None] + rng.normal(size=shape)) + on_topic
        quality[0] += self.shift
        if self.kind == "mixture":
            quality[0] += np.where(rng.random(shape[1:]) < 0.88, 1.5, -11)
        return topic, quality

    def draw(self, rng: np.random.Generator) -> Draw:
        """Draw the scores of a test."""
        topic, quality = self.qualities(rng, 5 if self.feature == "attempts" else 1)
        is_other = rng.random(quality.shape) < 0.2
        raters = 3 * ((np.arange(self.n_systems)[:, None, None] + is_other) % 2)
        if self.feature == "raters":
            raters += rng.integers(3, size=raters.shape)
            quality += 0.7 * rng.normal(size=6)[raters]
        scores = put_on_scale(quality, self.kind)
        if self.feature == "missing":
            scores[is_other] = np.nan
        if self.feature == "missing-hard":
            scores[0, (topic < 0) & (rng.random(len(topic)) < 0.4)] = np.nan
        rows = name_rows({"score": scores.squeeze()})
        if self.feature == "raters":
            rows["rater"] = raters.ravel()
        return Draw(rows.dropna(), scores.mean(axis=2))

    def draw_judged(self, judge: str, n_labels: int, rng: np.random.Generator) -> JudgedDraw:
        """Draw the scores of humans, who label some topics, and of a judge, on all topics."""
        quality = self.qualities(rng)[1][..., 0]
        weight, noise, bonus = JUDGES[judge]
        seen = weight * quality + noise * rng.normal(size=quality.shape) + np.array([bonus]).T
        return JudgedDraw(
            put_on_scale(quality, self.kind),
            put_on_scale(seen, self.kind),
            rng.choice(self.n_topics, n_labels, replace=False),
        )


def put_on_scale(quality: Array, kind: str) -> Array:
    """Turn qualities into grades of 1 to 5 with a ceiling, into passes at a rate, or into other scores."""
    if kind.startswith("pass"):
        return np.where(quality > norm.isf(float(kind.removeprefix("pass"))), 1.0, 0.0)
    if kind == "grades":
        return np.clip(np.rint(4 + 0.9 * quality), 1, 5)
    return np.exp(quality) if kind == "lognormal" else 0.2 * quality


def name_rows(cells: Mapping[str, Array]) -> pd.DataFrame:
    """Write cells of systems x topics (x runs) as rows, with letters for the systems."""
    system, *places = np.indices(cells["score"].shape)
    columns = {
        "model": np.array(list("abcdefgh"))[system],
        **dict(zip(("item", "run"), places, strict=False)),
        **cells,
    }
    return pd.DataFrame({name: column.ravel() for name, column in columns.items()})
