"""One run with the data it learns from: its columns and rows, how they are searched and fitted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from classy_aesop.config import Config, Run
from classy_aesop.features.base import FEATURES
from classy_aesop.features.columns import columns
from classy_aesop.fitters import FITTERS, pool
from classy_aesop.fitters.base import Fitter
from classy_aesop.formulas import Formula, Linear
from classy_aesop.search import (
    Chosen,
    Design,
    Draws,
    Member,
    SearchResult,
    fit_subsets,
    mean_result,
    search_targets,
    stack,
)
from classy_aesop.seeding import seeded_rng
from classy_aesop.training.designs import Place, is_update, make_design, on_scale_of, topic_folds
from classy_aesop.training.extract import YearData
from classy_aesop.training.protocols import held_out_years
from classy_aesop.training.runs import common_measures, training_years, units_of


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
        several = {"best": pool("best"), "nested": ()}
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

    def fitter(self, name: str, *, calibrate: bool) -> Fitter:
        """Make a fitter with the options of the configuration."""
        return FITTERS[name].configured(
            stop=self.options.stop, target=self.target, calibrate=calibrate, random_state=self.config.seed
        )

    def on_scale(self, name: str) -> bool:
        """Whether the scores of a fitter are on the target's scale."""
        return self.fitter(name, calibrate=self.calibrate).on_scale

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

    def positions(self, members: Iterable[Member]) -> list[int]:
        """Give the positions of the columns that members use among all."""
        every = self.columns(self.names)
        return [every.index(name) for name in self.columns(self.names_in(members))]

    def raw_designs(self) -> list[Design]:
        """Give the arrays of each training year, with all names; each year on its own human scale."""
        names = self.columns(self.names)
        return [make_design(year, self.place, names, self.measures) for year in self.training]

    def designs(self) -> list[Design]:
        """Give the same with earlier years on the latest one's human scale, if asked for."""
        found = self.raw_designs()
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
        rng = seeded_rng(self.config.seed, "selection", *self.place)
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

    def fold_predictions(self, chosen: Chosen) -> NDArray[np.float64]:
        """Predict each fold of the only year from the others, (n_rows,); NaN where a feature is missing."""
        whole = self.designs()[0].columns(self.positions(chosen.members))
        predictions = np.full(len(whole.X), np.nan)
        for held in self.folds(whole):
            predictions[held] = self.formula(chosen, whole.take(~held)).predict(whole.X[held])
        return predictions
