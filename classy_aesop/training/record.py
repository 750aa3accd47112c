"""What a predictor's file says of how it was made: its ``training``, for people to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from classy_aesop.fitters.base import Fitter
from classy_aesop.search import Chosen
from classy_aesop.training.designs import in_place
from classy_aesop.training.extract import YearData
from classy_aesop.training.lesson import Lesson
from classy_aesop.training.nested import Nested
from classy_aesop.training.protocols import protocol_of


def search_record(lesson: Lesson, chosen: Chosen) -> dict[str, Any]:
    """Say what the predictor was made from, for its file."""
    first = chosen.members[0]
    record = {
        "years": [year.name for year in lesson.used],
        "refitted_on": "+".join(year.name for year in lesson.refitted),
        "protocol": protocol_of(lesson.config, len(lesson.years)),
        "n_summaries": _n_summaries(lesson, lesson.refitted),
        "measures": lesson.measures,
        "subset": list(lesson.names_in(chosen.members)),
        "selection_score": chosen.score,
        "level": lesson.options.level,
        "fit_level": lesson.options.fit_level,
        "fitter_options": lesson.fitter(first.fitter, calibrate=lesson.calibrate).get_params(),
        "seed": lesson.config.seed,
        **({"about": dict(lesson.config.about)} if lesson.config.about else {}),
    }
    return {**record, **lesson.options.changed(whole=lesson.run.whole), **_luck(lesson, chosen)}


def nested_record(lesson: Lesson, years: Sequence[YearData], fitter: Fitter, found: Nested) -> dict[str, Any]:
    """Say what a chosen learner's predictor was made from, and how it was chosen, for its file."""
    return {
        "years": [year.name for year in years],
        "refitted_on": "+".join(year.name for year in years),
        "protocol": "nested",
        "n_summaries": _n_summaries(lesson, years),
        "measures": lesson.measures,
        "subset": list(lesson.names),
        **found.to_dict(),
        "level": lesson.config.search.level,
        "fit_level": lesson.config.search.fit_level,
        "fitter_options": fitter.get_params(),
        "seed": lesson.config.seed,
    }


def _n_summaries(lesson: Lesson, years: Sequence[YearData]) -> int:
    return sum(int(in_place(year, lesson.place).sum()) for year in years)


def _luck(lesson: Lesson, chosen: Chosen) -> dict[str, Any]:
    """Say how much of the best score is luck, how stable the choice is, and of what an average is made."""
    if not chosen.n_draws:
        return {}
    told: dict[str, Any] = {
        "optimism": none_for_nan(chosen.optimism),
        "corrected_score": none_for_nan(chosen.corrected),
        "standard_error": chosen.error,
        "stability": dict(chosen.stability),
    }
    if lesson.rule == "average":
        told["average"] = [
            {"fitter": one.fitter, "subset": list(one.subset.names), "weight": one.weight}
            for one in chosen.members
        ]
    return told


def none_for_nan(value: float) -> float | None:
    """Give a number as JSON can hold it."""
    return None if np.isnan(value) else value
