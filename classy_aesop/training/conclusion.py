"""From a finished search, or a choice among learners, to a predictor: refitted, with its record and its intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.features.base import FEATURES
from classy_aesop.fitters import pool
from classy_aesop.formulas import Formula
from classy_aesop.predictor.base import Predictor, kept, reference_counts
from classy_aesop.predictor.calibration import Calibration
from classy_aesop.predictor.training_range import TrainingRange
from classy_aesop.search import Chosen, Design, SearchResult, choose, stack
from classy_aesop.training.designs import in_place, on_latest_scale
from classy_aesop.training.extract import YearData
from classy_aesop.training.intervals import calibrate
from classy_aesop.training.lesson import Lesson
from classy_aesop.training.nested import Pool, choose_nested
from classy_aesop.training.record import nested_record, search_record


class Conclusion(NamedTuple):
    """The predictor; what of the searches it is made of, if there were any; predictions of the only year by folds."""

    predictor: Predictor
    chosen: Chosen | None
    held_out: NDArray[np.float64] | None


class Rows(NamedTuple):
    """What a predictor learns from: rows whose human measures are on their own years' scales, and their years."""

    design: Design
    years: NDArray[np.int64]

    @classmethod
    def of(cls, design: Design, parts: Sequence[Design]) -> Rows:
        """Put a year's number beside each row of a design that was stacked from parts."""
        return cls(design, np.repeat(np.arange(len(parts)), [len(part.X) for part in parts]))


def conclude(lesson: Lesson, searches: Mapping[str, SearchResult], *, intervals: bool) -> Conclusion:
    """Choose among the subsets of all fitters, and refit what is chosen on the latest training year, or on all."""
    chosen = choose(searches, lesson.rule)
    parts = [one.columns(lesson.positions(chosen.members)) for one in lesson.raw_designs()]
    parts = parts[-len(lesson.refitted) :]
    predictor = _make(
        lesson,
        name="+".join(dict.fromkeys(member.fitter for member in chosen.members)),
        learn=lambda rows: lesson.formula(chosen, rows),
        rows=Rows.of(stack(parts), parts),
        chosen=lesson.names_in(chosen.members),
        years=lesson.refitted,
        record=search_record(lesson, chosen),
        intervals=intervals and all(lesson.on_scale(member.fitter) for member in chosen.members),
    )
    return Conclusion(predictor, chosen, lesson.fold_predictions(chosen) if len(lesson.years) == 1 else None)


def conclude_nested(lesson: Lesson, *, intervals: bool) -> Conclusion | None:
    """Choose among learners on all names and training years, and fit the chosen one on all; None if none varies."""
    years, search = lesson.training, lesson.options
    topics = [year.features.loc[in_place(year, lesson.place), "topic"].tolist() for year in years]
    parts = lesson.raw_designs()
    found = choose_nested(
        {name: lesson.fitter(name, calibrate=True) for name in lesson.run.among or pool("nested")},
        Pool.of(lesson.designs(), topics),
        lesson.fit,
        target=lesson.target,
        level=search.level,
        n_folds=search.folds,
        seed=lesson.config.seed,
    )
    if found.name is None:
        return None
    fitter = lesson.fitter(found.name, calibrate=True)
    predictor = _make(
        lesson,
        name=found.name,
        learn=lambda rows: lesson.fit(fitter, rows).formula,
        rows=Rows.of(Pool.of(parts, topics).design, parts),
        chosen=lesson.names,
        years=years,
        record=nested_record(lesson, years, fitter, found),
        intervals=intervals,
    )
    return Conclusion(predictor, None, found.held_out if len(lesson.years) == 1 else None)


def _make(
    lesson: Lesson,
    *,
    name: str,
    learn: Callable[[Design], Formula],
    rows: Rows,
    chosen: Sequence[str],
    years: Sequence[YearData],
    record: dict[str, Any],
    intervals: bool,
) -> Predictor:
    """Learn from the rows of some years, with the columns of the chosen names, and make a predictor of it."""
    peers = pd.concat([year.features[in_place(year, lesson.place)] for year in years])
    design, standardize = rows.design, lesson.options.scale != "none"
    on_one_scale = on_latest_scale(design, rows.years) if standardize else design
    return Predictor(
        name=lesson.run.label,
        target=lesson.run.target,
        task=lesson.run.task,
        peers=lesson.run.peers,
        fitter=name,
        columns=tuple(lesson.columns(chosen)),
        imported=tuple(name for name in chosen if name not in FEATURES),
        features=lesson.config.features,
        references=reference_counts(peers),
        training=record,
        seen=TrainingRange.of(design.X[design.complete([lesson.target])]),
        calibration=_calibration(lesson, learn, rows) if intervals else None,
        **kept(learn(on_one_scale)),
    )


def _calibration(lesson: Lesson, learn: Callable[[Design], Formula], rows: Rows) -> Calibration | None:
    """Find how far the predictor is off, by folds."""
    return calibrate(
        lambda design: learn(design).predict,
        rows.design,
        lesson.target,
        n_folds=lesson.options.folds,
        seed=lesson.config.seed,
        years=rows.years if lesson.options.scale != "none" else None,
    )
