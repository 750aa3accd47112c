"""Does a metric, or several together, find the significant differences that humans find?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from classy_aesop.analysis.pairing import Grid, judged_grids, with_enough
from classy_aesop.data.scores import without_empty_places
from classy_aesop.errors import UsageError
from classy_aesop.significance.agreement import (
    Agreement,
    Labels,
    best_rows,
    combined_agreements,
    labels_of_both,
    order_agreement,
)
from classy_aesop.significance.choices import Preset, Test
from classy_aesop.work.progress import by_workers, watched

COUNTS = ("n", "tp", "fn", "fp", "tn", "contradictions")
MEASURES = ("accuracy", "precision", "recall", "ba", "ba_pv", "kappa")
"""Fields of `Agreement` that are columns here under their own names."""

COLUMNS = [
    "year",
    "task",
    "target",
    "metric",
    "n_metrics",
    "top",
    "n_summarizers",
    "n_topics",
    *COUNTS,
    *MEASURES,
]
COLUMNS += ["order_agreement", "three_way", "same_direction", "test", "preset", "alpha", "correction", "seed"]
"""The columns of an agreement."""


@dataclass(frozen=True)
class LabelOptions:
    """Whose differences are compared, and what is called significant.

    Attributes
    ----------
    top : int or None
        How many of the best summarizers by human mean; None for all. Of equals the earlier name comes in.
    test, preset : str
        As for :func:`classy_aesop.significance.agreement.agreement`.
    alpha : float
        A pair is significant if its p, uncorrected, is at most this.
    """

    top: int | None = 30
    test: str = "wilcoxon"
    preset: str = "rankel2013"
    alpha: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise UsageError(f"alpha is {self.alpha}; expected between 0 and 1")
        if self.top is not None and self.top < 2:
            raise UsageError(f"top is {self.top}; expected 2 or more")

    def labels(
        self, grid: Grid, *, n_jobs: int = 1, progress: bool = False
    ) -> tuple[Labels, dict[str, Labels]]:
        """Label the pairs of the best by human scores and by every metric."""
        kept = best_rows(grid.truth, self.top)
        how: dict[str, Any] = {"test": self.test, "preset": self.preset, "alpha": self.alpha}
        work = ((X[kept], grid.truth[kept]) for X in grid.metrics.values())
        done = by_workers(partial(labels_of_both, **how), work, n_jobs=n_jobs)
        found = watched(done, "labels", "metrics", shown=progress, total=len(grid.metrics))
        both = dict(zip(grid.metrics, found, strict=True))
        human = next(iter(both.values()))[0]
        return human, {name: labels for name, (_, labels) in both.items()}


def agree(
    scores: pd.DataFrame,
    judgments: pd.DataFrame,
    target: str,
    *,
    top: int | None = 30,
    test: Test = "wilcoxon",
    preset: Preset = "rankel2013",
    alpha: float = 0.05,
    three_way: bool = False,
    combine: int = 1,
    same_direction: bool = False,
    metrics: Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Compare each metric's significant differences with the human ones.

    Parameters
    ----------
    scores, judgments, target, metrics, year, task
        As for :func:`classy_aesop.analysis.pairing.judged_grids`.
    top, test, preset, alpha
        Which pairs are compared and how they are labelled, as for :class:`LabelOptions`.
    three_way : bool
        Count pairs that are significant in opposite directions as wrong.
    combine : int
        Also combine up to so many metrics: a pair is significant if it is for every member.
    same_direction : bool
        Members of a combination must agree who is better, too.
    n_jobs, progress
        As in all of :mod:`classy_aesop.analysis`.

    Returns
    -------
    DataFrame
        A row a metric or combination (joined by ``+``): the counts and measures of
        :class:`classy_aesop.significance.agreement.Agreement`; ``order_agreement``, the share of pairs whose means
        are in the same order, without any test (missing for combinations); and how they came about. Nothing is
        corrected or drawn: ``correction`` is none and ``seed`` missing.

    Raises
    ------
    UsageError
        There is no such target, metric, year or task.
    InputError
        Fewer than two summarizers, or no instance is in both tables.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3] * 4, "system": sorted("abcd" * 3)})
    >>> table["rouge"] = [0.31, 0.25, 0.42, 0.22, 0.2, 0.32, 0.28, 0.16, 0.3, 0.12, 0.1, 0.2]
    >>> table["quality"] = [5, 4, 5, 3, 3, 4, 4, 2, 4, 1, 1, 2]
    >>> found = agree(table.drop(columns="quality"), table.drop(columns="rouge"), "quality", test="paired_t")
    >>> found[["metric", "tp", "fn", "fp", "tn"]].values.tolist()
    [['rouge', 2, 0, 1, 3]]
    """
    if combine < 1:
        raise UsageError(f"combine is {combine}; expected 1 or more")
    options = LabelOptions(top, test, preset, alpha)
    how: dict[str, Any] = {"n_jobs": n_jobs, "progress": progress}
    grids = judged_grids(scores, judgments, target, metrics=metrics, year=year, task=task)
    enough = with_enough({(grid.year, grid.task): len(grid.summarizers) for grid in grids}, 2, "summarizers")
    rows = [
        {"year": grid.year, "task": grid.task, **row}
        for grid in grids
        if (grid.year, grid.task) in enough
        for row in _rows(grid, options.labels(grid, **how), top, combine, same_direction, three_way, progress)
    ]
    table = pd.DataFrame(rows).assign(target=target, three_way=three_way, same_direction=same_direction)
    table = table.assign(test=test, preset=preset, alpha=alpha, correction="none")
    missing = [pd.NA] * len(rows)
    tops = missing if top is None else [top] * len(rows)
    table = table.assign(top=pd.array(tops, dtype="Int64"), seed=pd.array(missing, dtype="Int64"))
    return without_empty_places(table[COLUMNS])


def _rows(
    grid: Grid,
    labelled: tuple[Labels, dict[str, Labels]],
    top: int | None,
    combine: int,
    same_direction: bool,
    three_way: bool,
    progress: bool,
) -> Iterator[dict[str, object]]:
    """Give the columns of each metric and combination in one year and task."""
    human, labels = labelled
    kept = best_rows(grid.truth, top)
    counts = {"n_summarizers": len(kept), "n_topics": len(grid.topics)}
    options = {"same_direction": same_direction, "three_way": three_way}
    largest = min(combine, len(labels))
    found_all = combined_agreements(labels, human, largest=largest, **options)
    n_combinations = sum(math.comb(len(labels), size) for size in range(1, largest + 1))
    for names, found in watched(
        found_all, "agreement", "combinations", shown=progress and largest > 1, total=n_combinations
    ):
        order = float("nan")
        if len(names) == 1:
            order = order_agreement(grid.metrics[names[0]], grid.truth, top=top)
        metric = {"metric": "+".join(names), "n_metrics": len(names)}
        yield {**metric, **counts, **_columns(found), "order_agreement": order}


def _columns(found: Agreement) -> dict[str, object]:
    return {name: getattr(found, name) for name in (*COUNTS, *MEASURES)}
