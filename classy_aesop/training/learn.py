"""Step three: search every subset for each run, refit the winner, make it a predictor.

Three years: fit on the first, select on the second, refit on the second. Two: select by topic folds of the first.
One: the same, and the predictions that are assessed come from the folds too. Rankel (2016), sections 5.3 and 5.5.
More training years, and what else may be chosen beside the best subset: docs/prediction.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classy_aesop.config import Config, Run
from classy_aesop.fitters import FITTERS
from classy_aesop.predictor import Predictor
from classy_aesop.search import Chosen, SearchResult
from classy_aesop.training.conclusion import Conclusion, conclude, conclude_nested
from classy_aesop.training.extract import YearData
from classy_aesop.training.lesson import Choice, Lesson


@dataclass(frozen=True)
class Learned:
    """What learning one run gave.

    Parameters
    ----------
    run : Run
        As planned; its fitter may be ``best`` or ``nested``.
    predictor : Predictor
        The winner, refitted.
    searches : mapping of str to SearchResult
        Each fitter that was tried, with every subset's score; none for ``nested``.
    held_out : ndarray of shape (n_rows,), optional
        Predictions of the only year by folds, where there is no later year to predict.
    chosen : Chosen, optional
        What of the searches the predictor is made of, and how much of the best score is luck; none for ``nested``.
    """

    run: Run
    predictor: Predictor
    searches: Mapping[str, SearchResult]
    chosen: Chosen | None = None
    held_out: NDArray[np.float64] | None = None


Searches = Mapping[tuple[Choice, str], Mapping[str, SearchResult]]
"""For each place with its choice of names, and fitter: the search of each target."""


def learn(
    config: Config,
    years: Sequence[YearData],
    runs: Sequence[Run],
    *,
    searches: Searches | None = None,
    intervals: bool = True,
    n_jobs: int = 1,
    progress: bool = False,
) -> tuple[tuple[Learned, ...], tuple[str, ...]]:
    """Learn every run. A search that several runs share is done once, for all their targets.

    ``searches`` may be given if they are done already: those of `search_runs` for the same data and options, of which
    ``choose`` and ``refit`` alone may differ. Without ``intervals`` predictors have none: nothing is refitted on folds.

    Returns
    -------
    learned : tuple of Learned
    notes : tuple of str
        Which fitters, and so which runs, found no subset whose predictions vary.
    """
    lessons = [Lesson(config, years, run) for run in runs]
    if searches is None:
        searches = search_runs(config, years, runs, n_jobs=n_jobs, progress=progress)
    learned, notes = [], []
    for lesson in lessons:
        if lesson.run.fitter == "nested":
            nested = conclude_nested(lesson, intervals=intervals)
            learned += [_learned(lesson, {}, nested)] if nested else []
            notes += [] if nested else [_without_winner(lesson.run, "nested")]
            continue
        found = {fitter: searches[lesson.choice, fitter][lesson.run.target] for fitter in lesson.fitters}
        own = {fitter: search for fitter, search in found.items() if search.has_winner}
        notes += [_without_winner(lesson.run, fitter) for fitter in found if fitter not in own]
        if own:
            learned.append(_learned(lesson, own, conclude(lesson, own, intervals=intervals)))
    return tuple(learned), tuple(notes)


def search_runs(
    config: Config, years: Sequence[YearData], runs: Sequence[Run], *, n_jobs: int = 1, progress: bool = False
) -> Searches:
    """Search once for each place, choice of names and fitter; give the result of each target that a run there has."""
    lessons = [Lesson(config, years, run) for run in runs]
    targets: dict[tuple[Choice, str], dict[str, None]] = {}
    for lesson in lessons:
        for fitter in lesson.fitters:
            targets.setdefault((lesson.choice, fitter), {})[lesson.run.target] = None
    first = {lesson.choice: lesson for lesson in reversed(lessons)}
    return {
        (choice, fitter): first[choice].search(fitter, list(wanted), n_jobs=n_jobs, progress=progress)
        for (choice, fitter), wanted in targets.items()
    }


def _without_winner(run: Run, fitter: str) -> str:
    why = f"; {FITTERS[fitter].fails_where}" if fitter in FITTERS and FITTERS[fitter].fails_where else ""
    outcome = "is left out" if run.fitter == fitter else "goes on without it"
    return f"run {run.label} {outcome}: with {fitter} no subset's predictions vary{why}"


def _learned(lesson: Lesson, searches: Mapping[str, SearchResult], found: Conclusion) -> Learned:
    return Learned(lesson.run, found.predictor, searches, found.chosen, found.held_out)
