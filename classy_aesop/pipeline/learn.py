"""Step three: search every subset for each run, refit the winner, make it a predictor.

Three years: fit on the first, select on the second, refit on the second. Two: select by topic folds of the first.
One: the same, and the predictions that are assessed come from the folds too. Rankel (2016), sections 5.3 and 5.5.
More training years, and what else may be chosen beside the best subset: docs/prediction.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.calibration import Calibration
from classy_aesop.config import Config, Run
from classy_aesop.features.base import FEATURES
from classy_aesop.features.columns import columns
from classy_aesop.fitters import FITTERS, FITTERS_OF_2011
from classy_aesop.fitters.base import Fitter
from classy_aesop.formulas import Formula, Linear
from classy_aesop.pipeline.calibrate import calibrate
from classy_aesop.pipeline.chance import generator
from classy_aesop.pipeline.designs import Place, in_place, is_update, make_design, on_scale_of, topic_folds
from classy_aesop.pipeline.extract import YearData
from classy_aesop.pipeline.nested import Nested, Pool, choose_nested
from classy_aesop.pipeline.plan import common_measures, training_years, units_of
from classy_aesop.pipeline.protocols import held_out_years, protocol_of
from classy_aesop.predictor import Predictor, kept, reference_counts
from classy_aesop.search import (
    Chosen,
    Design,
    Draws,
    Member,
    SearchResult,
    choose,
    fit_subsets,
    mean_result,
    search_targets,
    stack,
)
from classy_aesop.seen import Seen


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


Searches = Mapping[tuple["Choice", str], Mapping[str, SearchResult]]
"""For each place with its choice of names, and fitter: the search of each target."""


def learn(
    config: Config,
    years: Sequence[YearData],
    runs: Sequence[Run],
    *,
    searches: Searches | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> tuple[tuple[Learned, ...], tuple[str, ...]]:
    """Learn every run. A search that several runs share is done once, for all their targets.

    ``searches`` may be given if they are done already: those of `search_runs` for the same data and options, of which
    ``choose`` and ``refit`` alone may differ.

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
            nested = lesson.conclude_nested()
            learned += [nested] if nested else []
            notes += [] if nested else [_without_winner(lesson.run, "nested")]
            continue
        found = {fitter: searches[lesson.choice, fitter][lesson.run.target] for fitter in lesson.fitters}
        own = {fitter: search for fitter, search in found.items() if search.has_winner}
        notes += [_without_winner(lesson.run, fitter) for fitter in found if fitter not in own]
        if own:
            learned.append(lesson.conclude(own))
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
    why = "; where half of the judgments are equal it fits them by a constant" if fitter == "robust" else ""
    outcome = "is left out" if run.fitter == fitter else "goes on without it"
    return f"run {run.label} {outcome}: with {fitter} no subset's predictions vary{why}"


class Choice(NamedTuple):
    """What one search chooses from: where, and the names of each unit."""

    place: Place
    units: tuple[tuple[str, ...], ...]


class Lesson:
    """One run with the data it learns from."""

    def __init__(self, config: Config, years: Sequence[YearData], run: Run) -> None:
        self.config, self.years, self.run = config, years, run
        self.place = Place(run.task, run.peers)
        self.units = units_of(run, config, years)
        self.names = tuple(name for names in self.units.values() for name in names)
        self.choice = Choice(self.place, tuple(self.units.values()))
        self.update = is_update(years, run.task)
        self.measures = common_measures(config, years, run.peers)
        self.target = self.measures.index(run.target)
        self.options, self.training = config.search, training_years(years)
        everything = self.options.refit == "all"
        self.refitted = self.training if everything else self.training[-1:]
        self.used = self.training if everything or self.options.protocol != "latest" else self.training[-2:]
        self.rule = "best" if run.whole else self.options.choose
        self.calibrate = run.calibrate or self.rule == "average"  # an average needs one scale
        several = {"best": FITTERS_OF_2011, "nested": ()}
        self.fitters = several.get(run.fitter, (run.fitter,))

    def search(
        self, fitter: str, targets: Sequence[str], *, n_jobs: int = 1, progress: bool = False
    ) -> dict[str, SearchResult]:
        """Score all subsets for each target: on each held-out year, fitted on others, or by folds of the only one."""
        chosen = self.groups()
        found = [
            search_targets(
                self.fitter(fitter, calibrate=True),
                splits,
                list(chosen.values()),
                targets=[self.measures.index(target) for target in targets],
                names=tuple(chosen),
                level=self.options.level,
                fit_level=self.options.fit_level,
                draws=self.draws(held_out),
                n_jobs=n_jobs,
                progress=progress,
            )
            for held_out, splits in self.splits()
        ]
        return {target: mean_result(years) for target, *years in zip(targets, *found, strict=True)}

    def conclude(self, searches: Mapping[str, SearchResult]) -> Learned:
        """Choose among the subsets of all fitters and refit what is chosen."""
        chosen = choose(searches, self.rule)
        held_out = self.fold_predictions(chosen) if len(self.years) == 1 else None
        return Learned(self.run, self.predictor(chosen), searches, chosen, held_out)

    def conclude_nested(self) -> Learned | None:
        """Choose among learners on all names and training years, and fit the chosen one on all; None if none varies."""
        years, search = self.training, self.options
        topics = [year.features.loc[in_place(year, self.place), "topic"].tolist() for year in years]
        pool = Pool.of(self.designs(), topics)
        found = choose_nested(
            {name: self.fitter(name, calibrate=True) for name in self.run.among or FITTERS},
            pool,
            self.fit,
            target=self.target,
            level=search.level,
            n_folds=search.folds,
            seed=self.config.seed,
        )
        if found.name is None:
            return None
        fitter = self.fitter(found.name, calibrate=True)
        predictor = self.make(
            name=found.name,
            learn=lambda rows: self.fit(fitter, rows).formula,
            design=pool.design,
            chosen=self.names,
            years=years,
            record=self.nested_record(years, fitter, found),
        )
        return Learned(self.run, predictor, {}, None, found.held_out if len(self.years) == 1 else None)

    def fitter(self, name: str, *, calibrate: bool) -> Fitter:
        """Make a fitter with the options of the configuration."""
        options: dict[str, dict[str, Any]] = {
            "robust": {"stop": self.options.stop},
            "canonical": {"target": self.target, "calibrate": calibrate},
            "boosting": {"random_state": self.config.seed},
            "forest": {"random_state": self.config.seed},
        }
        return FITTERS[name](**options.get(name, {}))

    def columns(self, names: Sequence[str]) -> list[str]:
        """List the columns of features and imported metrics, these last."""
        own = [name for name in names if name in FEATURES]
        return [*columns(own, update=self.update), *(name for name in names if name not in FEATURES)]

    def groups(self) -> dict[str, list[int]]:
        """Give the positions in `columns` of each unit that the search chooses from."""
        every = self.columns(self.names)
        return {
            unit: [every.index(column) for column in self.columns(names)]
            for unit, names in self.units.items()
        }

    def names_in(self, members: Iterable[Member]) -> tuple[str, ...]:
        """Give the names that any member uses, in the order of the search."""
        used = {unit for member in members for unit in member.subset.names}
        return tuple(name for unit, names in self.units.items() if unit in used for name in names)

    def designs(self) -> list[Design]:
        """Give the arrays of each training year, with all names; earlier years on the latest one's human scale."""
        names = self.columns(self.names)
        found = [make_design(year, self.place, names, self.measures) for year in self.training]
        return [on_scale_of(found[-1], one) for one in found] if self.options.scale != "none" else found

    def splits(self) -> list[tuple[Design, list[tuple[Design, Design]]]]:
        """Give each held-out year, and what is fitted on and what is scored on: two years, or the folds of one."""
        years = self.designs()
        if len(years) > 1:
            held_out = held_out_years(self.options.protocol, len(years))
            return [
                (years[at], [(self.prepared(stack([years[k] for k in others])), years[at])])
                for at, others in held_out.items()
            ]
        folds = [(self.prepared(years[0].take(~held)), years[0].take(held)) for held in self.folds(years[0])]
        return [(years[0], folds)]

    def folds(self, design: Design) -> list[NDArray[np.bool_]]:
        """Deal the topics of the only training year."""
        return topic_folds(design, self.options.folds, self.config.seed)

    def draws(self, held_out: Design) -> Draws | None:
        """Draw topics and summarizers of a held-out year; all fitters and targets of a place have the same draws.

        None where nothing is asked for, or there is but one subset.
        """
        if self.run.whole or not self.options.draws:
            return None
        rng = generator(self.config.seed, "selection", *self.place)
        return Draws.of(held_out, self.options.draws, rng)

    def prepared(self, design: Design) -> Design:
        """Take the topics' means out of training rows, if asked for."""
        return design.within_topics() if self.options.effects == "topic" else design

    def rows(self, design: Design) -> Design:
        """Give the rows of a fit: summaries or the means of summarizers, without topic effects if asked for."""
        rows = self.prepared(design)
        return rows.means() if self.options.fit_level == "system" else rows

    def fit(self, fitter: Fitter, design: Design) -> Fitter:
        """Fit a clone on the rows that have every value it needs."""
        fitted: Fitter = self.rows(design).fit(fitter, self.target)
        return fitted

    def formula(self, chosen: Chosen, design: Design) -> Formula:
        """Fit what was chosen on rows with the columns of `names_in`; an average of linear members is linear."""
        if len(chosen.members) == 1:
            alone = self.fitter(chosen.members[0].fitter, calibrate=self.calibrate)
            return self.fit(alone, design).formula
        rows, groups = self.rows(design), self.groups_in(chosen.members)
        weights, intercept = np.zeros(design.X.shape[1]), 0.0
        for name in dict.fromkeys(member.fitter for member in chosen.members):
            own = [member for member in chosen.members if member.fitter == name]
            fitter: Any = self.fitter(name, calibrate=self.calibrate)
            masks, shares = np.array([one.subset.mask for one in own]), np.array([one.weight for one in own])
            coef, constants = fit_subsets(fitter, rows, groups, masks, target=self.target)
            weights += coef @ shares
            intercept += float(constants @ shares)
        return Linear(tuple(map(float, weights)), intercept)

    def groups_in(self, members: Iterable[Member]) -> list[list[int]]:
        """Give for each bit of a mask the positions of its columns among those of `names_in`, none if it has none."""
        used = self.positions(members)
        return [[used.index(at) for at in group if at in used] for group in self.groups().values()]

    def positions(self, members: Iterable[Member]) -> list[int]:
        """Give the positions of the columns that members use among all."""
        every = self.columns(self.names)
        return [every.index(name) for name in self.columns(self.names_in(members))]

    def fold_predictions(self, chosen: Chosen) -> NDArray[np.float64]:
        """Predict each fold of the only year from the others, (n_rows,); NaN where a feature is missing."""
        whole = self.designs()[0].columns(self.positions(chosen.members))
        predictions = np.full(len(whole.X), np.nan)
        for held in self.folds(whole):
            predictions[held] = self.formula(chosen, whole.take(~held)).predict(whole.X[held])
        return predictions

    def predictor(self, chosen: Chosen) -> Predictor:
        """Refit what was chosen on the latest training year, or on all, and keep what it was made from."""
        return self.make(
            name="+".join(dict.fromkeys(member.fitter for member in chosen.members)),
            learn=lambda rows: self.formula(chosen, rows),
            design=stack(self.designs()[-len(self.refitted) :]).columns(self.positions(chosen.members)),
            chosen=self.names_in(chosen.members),
            years=self.refitted,
            record=self.record(chosen),
            on_scale=all(self.on_scale(member.fitter) for member in chosen.members),
        )

    def on_scale(self, name: str) -> bool:
        """Whether the scores of a fitter are on the target's scale."""
        return bool(self.fitter(name, calibrate=self.calibrate).get_params().get("calibrate", True))

    def make(
        self,
        *,
        name: str,
        learn: Callable[[Design], Formula],
        design: Design,
        chosen: Sequence[str],
        years: Sequence[YearData],
        record: dict[str, Any],
        on_scale: bool = True,
    ) -> Predictor:
        """Learn from some years, whose design has the columns of the chosen names, and make a predictor of it."""
        peers = pd.concat([year.features[in_place(year, self.place)] for year in years])
        return Predictor(
            name=self.run.label,
            target=self.run.target,
            task=self.run.task,
            peers=self.run.peers,
            fitter=name,
            columns=tuple(self.columns(chosen)),
            imported=tuple(name for name in chosen if name not in FEATURES),
            features=self.config.features,
            references=reference_counts(peers),
            training=record,
            seen=Seen.of(design.X[design.complete([self.target])]),
            calibration=self.calibration(learn, design) if on_scale else None,
            **kept(learn(design)),
        )

    def calibration(self, learn: Callable[[Design], Formula], design: Design) -> Calibration | None:
        """Find how far the predictor is off, by folds."""
        return calibrate(
            lambda rows: learn(rows).predict,
            design,
            self.target,
            n_folds=self.options.folds,
            seed=self.config.seed,
        )

    def nested_record(self, years: Sequence[YearData], fitter: Fitter, found: Nested) -> dict[str, Any]:
        """Say what a chosen learner's predictor was made from, and how it was chosen, for its file."""
        return {
            "years": [year.name for year in years],
            "refitted_on": "+".join(year.name for year in years),
            "protocol": "nested",
            "n_summaries": sum(int(in_place(year, self.place).sum()) for year in years),
            "measures": self.measures,
            "subset": list(self.names),
            **found.to_dict(),
            "level": self.config.search.level,
            "fit_level": self.config.search.fit_level,
            "fitter_options": fitter.get_params(),
            "seed": self.config.seed,
        }

    def record(self, chosen: Chosen) -> dict[str, Any]:
        """Say what the predictor was made from, for its file."""
        first = chosen.members[0]
        record = {
            "years": [year.name for year in self.used],
            "refitted_on": "+".join(year.name for year in self.refitted),
            "protocol": protocol_of(self.config, len(self.years)),
            "n_summaries": sum(int(in_place(year, self.place).sum()) for year in self.refitted),
            "measures": self.measures,
            "subset": list(self.names_in(chosen.members)),
            "selection_score": chosen.score,
            "level": self.options.level,
            "fit_level": self.options.fit_level,
            "fitter_options": self.fitter(first.fitter, calibrate=self.calibrate).get_params(),
            "seed": self.config.seed,
            **({"about": dict(self.config.about)} if self.config.about else {}),
        }
        return {**record, **self.options.changed(whole=self.run.whole), **self._luck(chosen)}

    def _luck(self, chosen: Chosen) -> dict[str, Any]:
        """Say how much of the best score is luck, how stable the choice is, and of what an average is made."""
        if not chosen.n_draws:
            return {}
        told: dict[str, Any] = {
            "optimism": none_for_nan(chosen.optimism),
            "corrected_score": none_for_nan(chosen.corrected),
            "standard_error": chosen.error,
            "stability": dict(chosen.stability),
        }
        if self.rule == "average":
            told["average"] = [
                {"fitter": one.fitter, "subset": list(one.subset.names), "weight": one.weight}
                for one in chosen.members
            ]
        return told


def none_for_nan(value: float) -> float | None:
    """Give a number as JSON can hold it."""
    return None if np.isnan(value) else value
