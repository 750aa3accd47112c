"""Step three: search every subset for each run, refit the winner, make it a predictor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from classy_aesop.config import Config, Run
from classy_aesop.errors import InputError, listed
from classy_aesop.features.base import FEATURES
from classy_aesop.features.table import columns_of, groups_of
from classy_aesop.fitters import FITTERS
from classy_aesop.fitters.base import Fitter
from classy_aesop.predictor import Predictor, reference_counts
from classy_aesop.search import Design, SearchResult, search_subsets
from classy_aesop.pipeline.extract import YearData
from classy_aesop.pipeline.plan import common_measures, measure_columns

PROTOCOLS = {3: "fit-select-predict", 2: "folds-predict", 1: "folds-only"}
"""What is done with three, two and one year; Rankel (2016), section 5.3, has three."""


class Place(NamedTuple):
    """Where a run learns: a task and a peer set."""

    task: str
    peers: str


@dataclass(frozen=True)
class Learned:
    """What learning one run gave.

    Parameters
    ----------
    run : Run
        As planned; the fitter may be ``best``.
    predictor : Predictor
        The winner, refitted.
    searches : mapping of str to SearchResult
        Each fitter that was tried, with every subset's score.
    held_out : ndarray of shape (n_rows,), optional
        Predictions of the only year by folds, where there is no later year to predict.
    """

    run: Run
    predictor: Predictor
    searches: Mapping[str, SearchResult]
    held_out: np.ndarray | None = None


def learn(
    config: Config, years: Sequence[YearData], runs: Sequence[Run], *, n_jobs: int = 1, progress: bool = False
) -> tuple[Learned, ...]:
    """Learn every run. Searches that several runs share are done once."""
    workshop = _Workshop(config, years, n_jobs, progress)
    return tuple(workshop.learn(run) for run in runs)


def in_place(year: YearData, place: Place) -> np.ndarray:
    """Mark the rows of a year's feature table that belong to a task and peer set, (n_rows,) of bool."""
    rows = (year.features["task"] == place.task).to_numpy()
    return rows if place.peers == "all_peers" else rows & ~year.features["human"].to_numpy()


def make_design(year: YearData, place: Place, columns: Sequence[str], measures: Sequence[str]) -> Design:
    """Give the arrays of one year at one place: features, human measures, and who and what each row is about."""
    rows = in_place(year, place)
    table = year.features[rows]
    twins = measure_columns(year, place.peers)
    return Design(
        X=table[list(columns)].to_numpy(float),
        Y=year.judgments.loc[rows, [twins[name] for name in measures]].to_numpy(float),
        summarizers=pd.factorize(table["summarizer"])[0],
        topics=pd.factorize(table["topic"])[0],
    )


def is_update(years: Sequence[YearData], task: str) -> bool:
    """Tell whether a task's summaries meet earlier references too.

    Raises
    ------
    InputError
        Some of its topics have earlier references and some have none.
    """
    tables = [year.features[year.features["task"] == task] for year in years]
    earlier = pd.concat(tables)
    bare = earlier.loc[earlier["n_earlier"] == 0, "topic"].unique()
    if 0 < len(bare) and (earlier["n_earlier"] > 0).any():
        raise InputError(f"task {task!r}: topics without earlier references: {listed(bare)}; the other topics have them")
    return len(bare) == 0


class _Workshop:
    """The designs and searches of one experiment, each made once."""

    def __init__(self, config: Config, years: Sequence[YearData], n_jobs: int, progress: bool) -> None:
        self.config, self.years, self.n_jobs, self.progress = config, years, n_jobs, progress
        self.names = config.search.names or tuple(FEATURES)
        self.searches: dict[tuple[Place, str, str], SearchResult] = {}

    def learn(self, run: Run) -> Learned:
        place = Place(run.task, run.peers)
        tried = list(FITTERS) if run.fitter == "best" else [run.fitter]
        searches = {name: self.search(place, name, run.target) for name in tried}
        chosen = max(searches, key=lambda name: searches[name].best().score)
        names = searches[chosen].best().names
        fitter = self.fitter(place, chosen, run.target, calibrate=run.calibrate)
        held_out = self.fold_predictions(place, fitter, names) if len(self.years) == 1 else None
        return Learned(run, self.predictor(run, place, chosen, fitter, searches[chosen]), searches, held_out)

    def measures(self, place: Place) -> list[str]:
        return common_measures(self.config, self.years, place.peers)

    def columns(self, place: Place, names: Sequence[str]) -> list[str]:
        return columns_of(names, update=is_update(self.years, place.task))

    def design(self, year: YearData, place: Place, names: Sequence[str] | None = None) -> Design:
        return make_design(year, place, self.columns(place, names or self.names), self.measures(place))

    def fitter(self, place: Place, name: str, target: str, *, calibrate: bool = True) -> Fitter:
        options: dict[str, Any] = {
            "robust": {"stop": self.config.search.stop},
            "canonical": {"target": self.measures(place).index(target), "calibrate": calibrate},
        }
        return FITTERS[name](**options.get(name, {}))

    def search(self, place: Place, name: str, target: str) -> SearchResult:
        """Score all subsets: fitted on the first year and scored on the second, or by folds of the first."""
        key = (place, name, target)
        if key not in self.searches:
            self.searches[key] = search_subsets(
                self.fitter(place, name, target),
                self.splits(place),
                groups_of(self.names, update=is_update(self.years, place.task)),
                target=self.measures(place).index(target),
                names=self.names,
                level=self.config.search.level,
                fit_level=self.config.search.fit_level,
                n_jobs=self.n_jobs,
                progress=self.progress,
            )
        return self.searches[key]

    def splits(self, place: Place) -> list[tuple[Design, Design]]:
        if len(self.years) == 3:
            return [(self.design(self.years[0], place), self.design(self.years[1], place))]
        whole = self.design(self.years[0], place)
        return [(whole.take(~held), whole.take(held)) for held in self.folds(whole)]

    def folds(self, design: Design) -> list[np.ndarray]:
        """Deal the topics into folds by the seed; each fold marks the rows held out."""
        n_topics = int(design.topics.max()) + 1
        order = np.random.default_rng(self.config.seed).permutation(n_topics)
        parts = np.array_split(order, min(self.config.search.folds, n_topics))
        return [np.isin(design.topics, part) for part in parts]

    def fit(self, fitter: Fitter, design: Design) -> Fitter:
        """Fit on the rows (or summarizer means) that have every value the fitter needs."""
        if self.config.search.fit_level == "system":
            design = design.means()
        return design.fit(fitter)

    def fold_predictions(self, place: Place, fitter: Fitter, names: Sequence[str]) -> np.ndarray:
        whole = self.design(self.years[0], place, names)
        predictions = np.full(len(whole.X), np.nan)
        for held in self.folds(whole):
            predictions[held] = self.fit(fitter, whole.take(~held)).predict(whole.X[held])
        return predictions

    def predictor(self, run: Run, place: Place, name: str, fitter: Fitter, search: SearchResult) -> Predictor:
        """Refit the winner on the latest training year and keep what it was made from."""
        year = self.years[1] if len(self.years) == 3 else self.years[0]
        best = search.best()
        design = self.design(year, place, best.names)
        fitted = self.fit(fitter, design)
        return Predictor(
            name=run.label,
            target=run.target,
            task=run.task,
            peers=run.peers,
            fitter=name,
            columns=tuple(self.columns(place, best.names)),
            weights=tuple(float(weight) for weight in fitted.coef_),
            intercept=float(fitted.intercept_),
            features=self.config.features,
            references=reference_counts(year.features[in_place(year, place)]),
            training=self.record(place, best, year, fitter),
        )

    def record(self, place: Place, best: Any, year: YearData, fitter: Fitter) -> dict[str, Any]:
        """Say what the predictor was made from, for its file."""
        options = self.config.search
        return {
            "years": [y.name for y in self.years[:2]] if len(self.years) == 3 else [self.years[0].name],
            "refitted_on": year.name,
            "protocol": PROTOCOLS[len(self.years)],
            "n_summaries": int(in_place(year, place).sum()),
            "measures": self.measures(place),
            "subset": list(best.names),
            "selection_score": float(best.score),
            "level": options.level,
            "fit_level": options.fit_level,
            "fitter_options": fitter.get_params(),
            "seed": self.config.seed,
        }
