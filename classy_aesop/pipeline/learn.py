"""Step three: search every subset for each run, refit the winner, make it a predictor.

Three years: fit on the first, select on the second, refit on the second. Two: select by topic folds of the first.
One: the same, and the predictions that are assessed come from the folds too. Rankel (2016), sections 5.3 and 5.5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.calibration import Calibration
from classy_aesop.config import Config, Run
from classy_aesop.features.base import FEATURES
from classy_aesop.features.columns import columns, groups
from classy_aesop.fitters import FITTERS, FITTERS_OF_2011
from classy_aesop.fitters.base import Fitter
from classy_aesop.pipeline.calibrate import calibrate
from classy_aesop.pipeline.designs import Place, in_place, is_update, make_design, topic_folds
from classy_aesop.pipeline.extract import YearData
from classy_aesop.pipeline.nested import Nested, Pool, choose_nested
from classy_aesop.pipeline.plan import common_measures, names_of, training_years
from classy_aesop.predictor import Predictor, kept, reference_counts
from classy_aesop.search import Design, SearchResult, search_targets
from classy_aesop.search.design import needed_targets
from classy_aesop.seen import Seen

PROTOCOLS = {3: "fit-select-predict", 2: "folds-predict", 1: "folds-only"}
"""What is done with three, two and one year."""


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
    """

    run: Run
    predictor: Predictor
    searches: Mapping[str, SearchResult]
    held_out: NDArray[np.float64] | None = None


def learn(
    config: Config, years: Sequence[YearData], runs: Sequence[Run], *, n_jobs: int = 1, progress: bool = False
) -> tuple[tuple[Learned, ...], tuple[str, ...]]:
    """Learn every run. A search that several runs share is done once, for all their targets.

    Returns
    -------
    learned : tuple of Learned
    notes : tuple of str
        Which fitters, and so which runs, found no subset whose predictions vary.
    """
    lessons = [Lesson(config, years, run) for run in runs]
    searches = _searches(lessons, n_jobs=n_jobs, progress=progress)
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


def _searches(
    lessons: Sequence[Lesson], *, n_jobs: int, progress: bool
) -> dict[tuple[Choice, str], dict[str, SearchResult]]:
    """Search once for each place, choice of names and fitter; give the result of each target that a run there has."""
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
    """What one search chooses from: where, the names, and whether all of them together are the only subset."""

    place: Place
    names: tuple[str, ...]
    whole: bool


class Lesson:
    """One run with the data it learns from."""

    def __init__(self, config: Config, years: Sequence[YearData], run: Run) -> None:
        self.config, self.years, self.run = config, years, run
        self.place = Place(run.task, run.peers)
        self.names = names_of(run, config, years)
        self.choice = Choice(self.place, self.names, run.whole)
        self.update = is_update(years, run.task)
        self.measures = common_measures(config, years, run.peers)
        self.target = self.measures.index(run.target)
        several = {"best": FITTERS_OF_2011, "nested": ()}
        self.fitters = several.get(run.fitter, (run.fitter,))

    def search(
        self, fitter: str, targets: Sequence[str], *, n_jobs: int = 1, progress: bool = False
    ) -> dict[str, SearchResult]:
        """Score all subsets for each target: fitted on the first year and scored on the second, or by folds."""
        chosen = self.groups()
        found = search_targets(
            self.fitter(fitter, calibrate=True),
            self.splits(),
            list(chosen.values()),
            targets=[self.measures.index(target) for target in targets],
            names=tuple(chosen),
            level=self.config.search.level,
            fit_level=self.config.search.fit_level,
            n_jobs=n_jobs,
            progress=progress,
        )
        return dict(zip(targets, found, strict=True))

    def conclude(self, searches: Mapping[str, SearchResult]) -> Learned:
        """Take the best subset of the best fitter and refit it."""
        chosen = max(searches, key=lambda name: searches[name].best().score)
        fitter = self.fitter(chosen, calibrate=self.run.calibrate)
        names = self.best(searches[chosen])
        held_out = self.fold_predictions(fitter, names) if len(self.years) == 1 else None
        return Learned(self.run, self.predictor(chosen, fitter, searches[chosen]), searches, held_out)

    def conclude_nested(self) -> Learned | None:
        """Choose among learners on all names and training years, and fit the chosen one on all; None if none varies."""
        years, search = training_years(self.years), self.config.search
        topics = [year.features.loc[in_place(year, self.place), "topic"].tolist() for year in years]
        pool = Pool.of([self.design(year, self.names) for year in years], topics)
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
        record = self.nested_record(years, fitter, found)
        predictor = self.make(
            name=found.name, fitter=fitter, design=pool.design, chosen=self.names, years=years, record=record
        )
        return Learned(self.run, predictor, {}, found.held_out if len(self.years) == 1 else None)

    def fitter(self, name: str, *, calibrate: bool) -> Fitter:
        """Make a fitter with the options of the configuration."""
        options: dict[str, dict[str, Any]] = {
            "robust": {"stop": self.config.search.stop},
            "canonical": {"target": self.target, "calibrate": calibrate},
            "boosting": {"random_state": self.config.seed},
            "forest": {"random_state": self.config.seed},
        }
        return FITTERS[name](**options.get(name, {}))

    def design(self, year: YearData, names: Sequence[str]) -> Design:
        """Give the arrays of a year for some features."""
        return make_design(year, self.place, self.columns(names), self.measures)

    def columns(self, names: Sequence[str]) -> list[str]:
        """List the columns of features and imported metrics, these last."""
        own = [name for name in names if name in FEATURES]
        return [*columns(own, update=self.update), *(name for name in names if name not in FEATURES)]

    def groups(self) -> dict[str, list[int]]:
        """Give the positions in `columns` of what the search chooses from: each name, or all together."""
        own = [name for name in self.names if name in FEATURES]
        found = groups(own, update=self.update)
        n_own = len(columns(own, update=self.update))
        found |= {name: [n_own + at] for at, name in enumerate(self.names[len(own) :])}
        return (
            {"+".join(self.names): list(range(n_own + len(self.names) - len(own)))}
            if self.run.whole
            else found
        )

    def best(self, search: SearchResult) -> tuple[str, ...]:
        """Give the names of the winner."""
        return self.names if self.run.whole else search.best().names

    def splits(self) -> list[tuple[Design, Design]]:
        """Give what is fitted on and what is scored on: two years, or the folds of one."""
        if len(self.years) == 3:
            return [(self.design(self.years[0], self.names), self.design(self.years[1], self.names))]
        whole = self.design(self.years[0], self.names)
        return [(whole.take(~held), whole.take(held)) for held in self.folds(whole)]

    def folds(self, design: Design) -> list[NDArray[np.bool_]]:
        """Deal the topics of the only training year."""
        return topic_folds(design, self.config.search.folds, self.config.seed)

    def fit(self, fitter: Fitter, design: Design) -> Fitter:
        """Fit a clone on the rows, or the summarizer means, that have every value it needs."""
        at_level = design.means() if self.config.search.fit_level == "system" else design
        fitted: Fitter = at_level.fit(fitter, self.target)
        return fitted

    def fold_predictions(self, fitter: Fitter, names: Sequence[str]) -> NDArray[np.float64]:
        """Predict each fold of the only year from the others, (n_rows,); NaN where a feature is missing."""
        whole = self.design(self.years[0], names)
        predictions = np.full(len(whole.X), np.nan)
        for held in self.folds(whole):
            fitted = self.fit(fitter, whole.take(~held))
            predictions[held] = fitted.formula.predict(whole.X[held])
        return predictions

    def predictor(self, name: str, fitter: Fitter, search: SearchResult) -> Predictor:
        """Refit the winner on the latest training year and keep what it was made from."""
        year = self.years[1] if len(self.years) == 3 else self.years[0]
        chosen = self.best(search)
        design = self.design(year, chosen)
        return self.make(
            chosen=chosen,
            name=name,
            fitter=fitter,
            design=design,
            years=[year],
            record=self.record(year, fitter, search),
        )

    def make(
        self,
        *,
        name: str,
        fitter: Fitter,
        design: Design,
        chosen: Sequence[str],
        years: Sequence[YearData],
        record: dict[str, Any],
    ) -> Predictor:
        """Fit on the chosen names of some years and make a predictor of it."""
        fitted = self.fit(fitter, design)
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
            seen=Seen.of(design.X[design.complete(needed_targets(fitter, self.target))]),
            calibration=self.calibration(fitter, design),
            **kept(fitted.formula),
        )

    def calibration(self, fitter: Fitter, design: Design) -> Calibration | None:
        """Find how far the predictor is off by folds; None where its scores are not on the target's scale."""
        if not fitter.get_params().get("calibrate", True):
            return None
        return calibrate(
            lambda rows: self.fit(fitter, rows).predict,
            design,
            self.target,
            n_folds=self.config.search.folds,
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

    def record(self, year: YearData, fitter: Fitter, search: SearchResult) -> dict[str, Any]:
        """Say what the predictor was made from, for its file."""
        training = self.years[:2] if len(self.years) == 3 else self.years[:1]
        return {
            "years": [one.name for one in training],
            "refitted_on": year.name,
            "protocol": PROTOCOLS[len(self.years)],
            "n_summaries": int(in_place(year, self.place).sum()),
            "measures": self.measures,
            "subset": list(self.best(search)),
            "selection_score": float(search.best().score),
            "level": self.config.search.level,
            "fit_level": self.config.search.fit_level,
            "fitter_options": fitter.get_params(),
            "seed": self.config.seed,
            **({"about": dict(self.config.about)} if self.config.about else {}),
        }
