"""Where metrics are compared: a year and task at a time or all together, at each level, by each coefficient."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from classy_aesop.analysis.pairing import Grid, judged_grids, measured, with_enough
from classy_aesop.data import natural
from classy_aesop.errors import DataWarning, InputError, listed


@dataclass(frozen=True)
class Place:
    """The scores of some metrics, and what is correlated of them.

    Attributes
    ----------
    grids : tuple of Grid
        One year and task, or all that are taken together; with the same metrics.
    level, coefficient : str
        What is correlated, and how.
    together : bool
        Whether the grids are strata of one comparison.
    """

    grids: tuple[Grid, ...]
    level: str
    coefficient: str
    together: bool = False

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics."""
        return list(self.grids[0].metrics)

    @property
    def measured(self) -> tuple[str, str]:
        """Level and coefficient."""
        return self.level, self.coefficient

    @property
    def ids(self) -> dict[str, object]:
        """The columns that say where; the names of several years or tasks are joined."""
        year, task = ("+".join(dict.fromkeys(names)) for names in zip(*map(_names, self.grids), strict=True))
        return {"year": year, "task": task, "level": self.level, "coefficient": self.coefficient}


def metric_places(
    scores: pd.DataFrame,
    judgments: pd.DataFrame,
    target: str,
    *,
    levels: Sequence[str],
    coefficients: Sequence[str],
    together: bool = False,
    metrics: Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
) -> list[Place]:
    """Lay out where metrics are compared.

    Parameters
    ----------
    scores, judgments, target, metrics, year, task
        As for :func:`classy_aesop.analysis.pairing.judged_grids`.
    levels, coefficients : sequence of str
        As for :func:`classy_aesop.significance.correlation.correlation`.
    together : bool
        Whether years and tasks are strata of one comparison.

    Raises
    ------
    UsageError
        There is no such target, metric, year or task, or no level has a coefficient.
    InputError
        Fewer than two metrics, or no instance is in both tables.

    Warns
    -----
    DataWarning
        Metrics that not all strata have are left out.
    """
    grids = judged_grids(scores, judgments, target, metrics=metrics, year=year, task=task)
    grids = _of_all(grids) if together else grids
    enough = with_enough({(grid.year, grid.task): len(grid.metrics) for grid in grids}, 2, "metrics")
    kept = [grid for grid in grids if (grid.year, grid.task) in enough]
    groups = [tuple(kept)] if together else [(grid,) for grid in kept]
    pairs = measured(levels, coefficients)
    return [Place(group, *which, together) for group in groups for which in pairs]


def _of_all(grids: Sequence[Grid]) -> list[Grid]:
    """Keep the metrics that every year and task has."""
    known = {name for grid in grids for name in grid.metrics}
    shared = known.intersection(*(grid.metrics for grid in grids))
    if len(shared) < 2:
        raise InputError(
            f"{len(shared)} metrics are in all of {len(grids)} years and tasks; expected 2 or more"
        )
    if known - shared:
        names = listed(sorted(known - shared, key=natural))
        warnings.warn(f"left out, as not all years and tasks have them: {names}", DataWarning, stacklevel=4)
    kept = [{name: X for name, X in grid.metrics.items() if name in shared} for grid in grids]
    return [replace(grid, metrics=metrics) for grid, metrics in zip(grids, kept, strict=True)]


def _names(grid: Grid) -> tuple[str, str]:
    return grid.year, grid.task
