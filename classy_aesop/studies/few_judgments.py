"""How good are estimates from a part of the judgments? Draws of topics or cells of a judged year, the rest kept back.

Each draw is compared with the means over all judgments. The scores are also spoiled in ways that a predictor may be:
``worthless`` has those of other systems, ``reversed`` prefers the worst, ``biased`` favours a third of the systems by
two standard deviations of their means.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from classy_aesop.analysis.pairing import FloatArray, Grid, judged_grids
from classy_aesop.errors import DataWarning, InputError, listed
from classy_aesop.running.progress import by_workers, watched
from classy_aesop.running.seeding import seeded_rng
from classy_aesop.search.exhaustive import blas
from classy_aesop.significance.base import ALPHA, BoolArray, IntArray
from classy_aesop.significance.direct_means import are_enough
from classy_aesop.significance.estimation import (
    METHODS,
    SHRUNKEN,
    UNBIASED,
    EstimatedMeans,
    estimates_by_method,
)
from classy_aesop.significance.simultaneous import Differences

TOPICS = (3, 5, 10, 20, 40)
"""Numbers of topics that are judged for all systems."""

SHARES = (0.05, 0.1, 0.2, 0.4)
"""Shares of all cells that are judged."""

LEAST = (5, 4)
"""Systems and topics, without which not every method has an estimate from one metric."""

N_DRAWS_OF_ERRORS = 400
"""Draws behind the ranks and the simultaneous intervals of each draw."""

_BATCH = 50
"""Draws that are estimated at once."""

COLUMNS = ["year", "task", "target", "metric", "scores", "judged", "method", "mse_ratio", "correlation"]
COLUMNS += ["coverage", "effect_coverage", "difference_coverage", "rank_coverage", "worth"]
COLUMNS += ["power", "wrong", "false_positives", "n_trials", "seed"]
"""The columns of the study."""


def _same(f: FloatArray, rng: np.random.Generator) -> FloatArray:
    return f


def _worthless(f: FloatArray, rng: np.random.Generator) -> FloatArray:
    return np.take_along_axis(f, _orders(f, rng)[..., None], axis=1)


def _reversed(f: FloatArray, rng: np.random.Generator) -> FloatArray:
    return -f


def _biased(f: FloatArray, rng: np.random.Generator) -> FloatArray:
    favoured = _orders(f, rng) < f.shape[1] // 3
    spread = f.mean(axis=2).std(axis=1)[:, None, None]
    return np.asarray(f + 2 * spread * favoured[..., None])


def _orders(f: FloatArray, rng: np.random.Generator) -> IntArray:
    """Draw an order of systems for each draw."""
    return np.asarray(rng.random(f.shape[:2]).argsort(axis=1))


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
        ``mse_ratio`` (of the effects, to that of plain means), ``correlation`` (with the means of all judgments; equal
        estimates count as 0),
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
        No metric, year and task has all scores and judgments of five systems or more on four topics or more.

    Warns
    -----
    DataWarning
        For those that have not: they are left out.
    """
    grids = judged_grids(tables[0], tables[1], target, metrics=metrics, year=year, task=task)
    work = [
        (_Trial(grid, name, spoiled, judged, target, n_trials, seed),)
        for grid, name in _complete(grids)
        for spoiled in SCORES
        for judged in _parts(grid.truth.shape[1])
    ]
    done = by_workers(_Trial.rows, work, n_jobs=n_jobs)
    found = watched(done, "few judgments", "parts", shown=progress, total=len(work))
    return pd.DataFrame([row for rows in found for row in rows])[COLUMNS]


def _complete(grids: Sequence[Grid]) -> list[tuple[Grid, str]]:
    """Give the metrics that have every score where every judgment is there too; say which have not."""
    complete, without = [], []
    for grid in grids:
        is_enough = grid.truth.shape >= np.array(LEAST)
        for name, f in grid.metrics.items():
            if is_enough.all() and not np.isnan(f + grid.truth).any():
                complete.append((grid, name))
            else:
                without.append(" ".join(filter(None, (grid.year, grid.task, name))))
    said = f"{listed(without)}; expected all scores and judgments of {LEAST[0]} systems on {LEAST[1]} topics or more"
    if not complete:
        raise InputError(f"nothing to learn from: {said}")
    if without:
        warnings.warn(f"left out: {said}", DataWarning, stacklevel=3)
    return complete


def _parts(n_topics: int) -> list[float]:
    """Give the numbers of topics, and shares of cells, that leave something."""
    return [*(n for n in TOPICS if n < n_topics), *SHARES]


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
        rng = seeded_rng(self.seed, *self._ids.values(), self.name)
        sizes = [min(_BATCH, self.n_trials - start) for start in range(0, self.n_trials, _BATCH)]
        with blas().limit(limits=1):
            found = [self._batch(size, rng) for size in sizes]
        tables = {method: pd.concat([one[method] for one in found], ignore_index=True) for method in METHODS}
        return [
            {**self._ids, "judged": self.name, "method": method, **self._row(table, tables["plain"])}
            for method, table in tables.items()
            if len(table)
        ]

    @property
    def _ids(self) -> dict[str, str]:
        grid = self.grid
        names = {"year": grid.year, "task": grid.task, "target": self.target}
        return {**names, "metric": self.metric, "scores": self.spoiled}

    def _row(self, table: pd.DataFrame, plain: pd.DataFrame) -> dict[str, object]:
        """Average over draws."""
        row: dict[str, object] = {str(name): float(value) for name, value in table.mean().items()}
        mse, of_plain = table["mse"].mean(), plain["mse"].mean()
        row |= {"mse_ratio": mse / of_plain if of_plain else np.nan, "worth": table["worth"].median()}
        return {**row, "n_trials": len(table), "seed": self.seed}

    @property
    def name(self) -> str:
        """What is judged, in words."""
        return f"{self.judged} topics" if self.judged >= 1 else f"{100 * self.judged:g} % of cells"

    def _batch(self, size: int, rng: np.random.Generator) -> dict[str, pd.DataFrame]:
        """Estimate by every method from draws with judgments enough; give a row a draw."""
        judged = self._judged(size, rng)
        judged = judged[are_enough(judged, 1)]
        y, f = (
            np.broadcast_to(one, judged.shape) for one in (self.grid.truth, self.grid.metrics[self.metric])
        )
        f = SCORES[self.spoiled](f, rng)
        equal, equal_f = _exchanged(y, f, rng)
        if not len(judged):
            return dict.fromkeys(METHODS, pd.DataFrame())
        found = estimates_by_method(np.where(judged, y, np.nan), f)
        null = estimates_by_method(np.where(judged, equal, np.nan), equal_f, methods=UNBIASED, finite=False)
        measured = {method: self._measured(one, rng) for method, one in found.items()}
        for method, one in null.items():
            measured[method]["false_positives"] = (_compared(one, rng).p <= ALPHA).any(axis=1)
        return {method: pd.DataFrame(one).astype(float) for method, one in measured.items()}

    def _judged(self, size: int, rng: np.random.Generator) -> BoolArray:
        """Draw the judged cells."""
        n_systems, n_topics = self.grid.truth.shape
        if self.judged >= 1:
            topics = rng.random((size, 1, n_topics)).argsort(axis=2) < self.judged
            return np.repeat(topics, n_systems, axis=1)
        order = rng.random((size, n_systems * n_topics)).argsort(axis=1)
        cells = order < round(self.judged * n_systems * n_topics)
        return np.asarray(cells.reshape(size, n_systems, n_topics))

    def _measured(self, found: EstimatedMeans, rng: np.random.Generator) -> dict[str, ArrayLike]:
        """Compare with what all judgments say."""
        truth = self.grid.truth.mean(axis=1)
        centred = truth - truth.mean()
        effect, effect_low, effect_high = found.effects()
        length = np.sqrt((effect**2).sum(axis=1) * (centred**2).sum())
        measured: dict[str, ArrayLike] = {
            "mse": ((effect - centred) ** 2).mean(axis=1),
            "correlation": np.divide(effect @ centred, length, where=length > 0, out=np.zeros_like(length)),
            "coverage": _share_held(truth, *found.interval()),
            "effect_coverage": _share_held(centred, effect_low, effect_high),
            "worth": found.worth,
        }
        if found.method in SHRUNKEN:
            ranks = found.ranks(rng, n_draws=N_DRAWS_OF_ERRORS)
            true_rank = len(truth) - truth.argsort().argsort()
            return measured | {"rank_coverage": _share_held(true_rank, *ranks[1:])}
        return measured | _right(_compared(found, rng), truth)


def _exchanged(y: FloatArray, f: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Exchange systems within each topic, so that none differ."""
    order = rng.random(y.shape).argsort(axis=1)
    return np.take_along_axis(y, order, axis=1), np.take_along_axis(f, order, axis=1)


def _compared(found: EstimatedMeans, rng: np.random.Generator) -> Differences:
    return found.differences(rng, alpha=ALPHA, n_draws=N_DRAWS_OF_ERRORS)


def _right(pairs: Differences, truth: FloatArray) -> dict[str, ArrayLike]:
    """Say how far the differences are right."""
    true = truth[pairs.first] - truth[pairs.second]
    surely = pairs.p <= pairs.alpha
    right = np.sign(pairs.difference) == np.sign(true)
    held = (pairs.low <= true) & (true <= pairs.high)
    return {
        "difference_coverage": held.all(axis=1),
        "power": (surely & right).mean(axis=1),
        "wrong": (surely & ~right).any(axis=1),
    }


def _share_held(truth: FloatArray, low: NDArray[Any], high: NDArray[Any]) -> FloatArray:
    """Share of each draw's intervals that hold."""
    return np.asarray(((low <= truth) & (truth <= high)).mean(axis=1))
