"""How good are estimates from a part of the judgments? Draws of topics or cells of a judged year, the rest kept back.

Each draw is compared with the means over all judgments. The scores are also spoiled in ways that a predictor may be:
``worthless`` has those of other systems, ``reversed`` prefers the worst, ``biased`` favours a third of the systems by
two standard deviations of their means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from classy_aesop.analysis.pairing import FloatArray, Grid, judged_grids
from classy_aesop.errors import InputError
from classy_aesop.running.progress import by_workers, watched
from classy_aesop.running.seeding import seeded_rng
from classy_aesop.search.exhaustive import blas
from classy_aesop.significance.base import BoolArray
from classy_aesop.significance.estimation import METHODS, EstimatedMeans, estimate_means
from classy_aesop.significance.simultaneous import differences

TOPICS = (3, 5, 10, 20, 40)
"""Numbers of topics that are judged for all systems."""

SHARES = (0.05, 0.1, 0.2, 0.4)
"""Shares of all cells that are judged."""

N_DRAWS_OF_ERRORS = 400
"""Draws behind the ranks and the simultaneous intervals of each draw."""

COLUMNS = ["year", "task", "target", "metric", "scores", "judged", "method", "mse_ratio", "correlation"]
COLUMNS += ["coverage", "effect_coverage", "difference_coverage", "rank_coverage", "worth"]
COLUMNS += ["power", "wrong", "false_positives", "n_trials", "seed"]
"""The columns of the study."""


def _same(f: FloatArray, rng: np.random.Generator) -> FloatArray:
    return np.asarray(f)


def _worthless(f: FloatArray, rng: np.random.Generator) -> FloatArray:
    return np.asarray(rng.permutation(f))


def _reversed(f: FloatArray, rng: np.random.Generator) -> FloatArray:
    return -f


def _biased(f: FloatArray, rng: np.random.Generator) -> FloatArray:
    favoured = rng.permutation(len(f)) < len(f) // 3
    return np.asarray(f + 2 * f.mean(axis=1).std() * favoured[:, None])


SCORES: dict[str, Callable[[FloatArray, np.random.Generator], FloatArray]] = {
    "given": _same,
    "worthless": _worthless,
    "reversed": _reversed,
    "biased": _biased,
}
"""What is done to the scores, by name."""


def few_judgments(
    tables: Sequence[pd.DataFrame],
    target: str,
    *,
    metrics: Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
    n_trials: int = 500,
    seed: int = 0,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Estimate means from draws of judgments, and compare them with those of all judgments.

    Parameters
    ----------
    tables : sequence of DataFrame
        Scores and judgments.
    target, metrics, year, task
        As for :func:`classy_aesop.analysis.pairing.judged_grids`.
    n_trials : int
        Draws of each part.
    seed, n_jobs, progress
        As in all of :mod:`classy_aesop.analysis`.

    Returns
    -------
    DataFrame
        A row a metric, what was done to its scores, part that is judged (``10 topics``, ``5 % of cells``) and method:
        ``mse_ratio`` (of the effects, to that of plain means), ``correlation`` (with the means of all judgments),
        ``coverage, effect_coverage, difference_coverage, rank_coverage`` (of 95 % intervals for means, for effects,
        for all differences at once, and for ranks), ``worth`` (median), ``power`` (share of all pairs that are found to
        differ, with the right sign), ``wrong`` (share of draws that find one with the wrong sign),
        ``false_positives`` (share of draws that find any where systems are exchanged within topics), ``n_trials``
        (draws with judgments enough for an estimate; a part without such a draw has no row).

    Raises
    ------
    UsageError
        There is no such target, metric, year or task.
    InputError
        No year and task has all scores and judgments of two systems or more on four topics or more.
    """
    work = [
        (_Trial(grid, name, spoiled, judged, target, n_trials, seed),)
        for grid in judged_grids(tables[0], tables[1], target, metrics=metrics, year=year, task=task)
        for name in _complete(grid)
        for spoiled in SCORES
        for judged in _parts(grid.truth.shape[1])
    ]
    if not work:
        raise InputError("no metric has all scores of a year and task that is judged on four topics or more")
    done = by_workers(_Trial.rows, work, n_jobs=n_jobs)
    found = watched(done, "few judgments", "parts", shown=progress, total=len(work))
    return pd.DataFrame([row for rows in found for row in rows])[COLUMNS]


def _complete(grid: Grid) -> list[str]:
    """Name the metrics that have every score, where every judgment is there too."""
    if np.isnan(grid.truth).any() or min(grid.truth.shape) < 2:
        return []
    return [name for name, f in grid.metrics.items() if not np.isnan(f).any()]


def _parts(n_topics: int) -> list[float]:
    """Give the numbers of topics, and shares of cells, that leave something."""
    return [] if n_topics < 4 else [*(n for n in TOPICS if n < n_topics), *SHARES]


@dataclass(frozen=True)
class _Trial:
    """Draws of one part of the judgments of one year and task."""

    grid: Grid
    metric: str
    spoiled: str
    judged: float
    target: str
    n_trials: int
    seed: int

    def rows(self) -> list[dict[str, object]]:
        """Give a row a method, the means over draws."""
        found: dict[str, list[dict[str, float]]] = {method: [] for method in METHODS}
        with blas().limit(limits=1):
            for rng, f, mask in self._draws():
                for method, one in self._found(f, mask).items():
                    found[method].append(self._measured(one, rng, f, mask))
        tables = {method: pd.DataFrame(one) for method, one in found.items() if one}
        ids = {"year": self.grid.year, "task": self.grid.task, "target": self.target, "metric": self.metric}
        ids |= {"scores": self.spoiled, "judged": self.name}
        return [
            {**ids, "method": method, **self._row(table, tables["plain"])} for method, table in tables.items()
        ]

    def _row(self, table: pd.DataFrame, plain: pd.DataFrame) -> dict[str, object]:
        """Average over draws."""
        row: dict[str, object] = {str(name): float(value) for name, value in table.mean().items()}
        row |= {"mse_ratio": table["mse"].mean() / plain["mse"].mean(), "worth": table["worth"].median()}
        return {**row, "n_trials": len(table), "seed": self.seed}

    @property
    def name(self) -> str:
        """What is judged, in words."""
        return f"{self.judged} topics" if self.judged >= 1 else f"{100 * self.judged:g} % of cells"

    def _draws(self) -> Iterator[tuple[np.random.Generator, FloatArray, BoolArray]]:
        """Draw the scores and the judged cells."""
        shape = self.grid.truth.shape
        ids = (self.grid.year, self.grid.task, self.target, self.metric, self.spoiled, str(self.judged))
        for trial in range(self.n_trials):
            rng = seeded_rng(self.seed, *ids, str(trial))
            mask = np.zeros(shape, dtype=bool)
            if self.judged >= 1:
                mask[:, rng.choice(shape[1], int(self.judged), replace=False)] = True
            else:
                mask.flat[rng.choice(mask.size, round(self.judged * mask.size), replace=False)] = True
            yield rng, SCORES[self.spoiled](self.grid.metrics[self.metric], rng), mask

    def _found(self, f: FloatArray, mask: BoolArray) -> dict[str, EstimatedMeans]:
        """Estimate by every method; none where too few are judged."""
        y = np.where(mask, self.grid.truth, np.nan)
        try:
            return {method: estimate_means(y, f, method=method) for method in METHODS}
        except ValueError:
            return {}

    def _measured(
        self, found: EstimatedMeans, rng: np.random.Generator, f: FloatArray, mask: BoolArray
    ) -> dict[str, float]:
        """Compare with what all judgments say."""
        truth = self.grid.truth.mean(axis=1)
        centred = truth - truth.mean()
        effect, effect_low, effect_high = found.effects()
        measured = {
            "mse": float(((effect - centred) ** 2).mean()),
            "correlation": float(np.corrcoef(effect, truth)[0, 1]),
            "coverage": _share_held(truth, *found.interval()),
            "effect_coverage": _share_held(centred, effect_low, effect_high),
            "worth": found.worth,
        }
        if found.method in ("fay-herriot", "hierarchical"):
            ranks = found.ranks(rng, n_draws=N_DRAWS_OF_ERRORS)
            true_rank = len(truth) - truth.argsort().argsort()
            return measured | {"rank_coverage": _share_held(true_rank, *ranks[1:])}
        measured["false_positives"] = self._false_positive(found.method, rng, f, mask)
        return measured | self._compared(found, truth, rng)

    def _compared(
        self, found: EstimatedMeans, truth: FloatArray, rng: np.random.Generator
    ) -> dict[str, float]:
        """Say how far the differences are right."""
        direct = found.direct
        pairs = differences(direct.mean, direct.covariance, rng, df=direct.df, n_draws=N_DRAWS_OF_ERRORS)
        true = truth[pairs.first] - truth[pairs.second]
        surely = pairs.p <= pairs.alpha
        right = np.sign(pairs.difference) == np.sign(true)
        held = (pairs.low <= true) & (true <= pairs.high)
        return {
            "difference_coverage": float(held.all()),
            "power": float((surely & right).mean()),
            "wrong": float((surely & ~right).any()),
        }

    def _false_positive(self, method: str, rng: np.random.Generator, f: FloatArray, mask: BoolArray) -> float:
        """Whether any two systems are found to differ after they were exchanged within each topic."""
        y = self.grid.truth
        order = rng.permuted(np.tile(np.arange(len(y))[:, None], y.shape[1]), axis=0)
        y, f = np.take_along_axis(y, order, axis=0), np.take_along_axis(f, order, axis=0)
        try:
            found = estimate_means(np.where(mask, y, np.nan), f, method=method, finite=False).direct
        except ValueError:
            return np.nan
        pairs = differences(found.mean, found.covariance, rng, df=found.df, n_draws=N_DRAWS_OF_ERRORS)
        return float((pairs.p <= pairs.alpha).any())


def _share_held(truth: ArrayLike, low: ArrayLike, high: ArrayLike) -> float:
    return float(np.mean(np.less_equal(low, truth) & np.less_equal(truth, high)))
