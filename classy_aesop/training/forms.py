"""The forms of a predictor, fitted by one learner: of each summary alone, within its topic, and in small company.

What other systems say is another thing among three systems than among fifty. So beside the formula that is learned from
all systems together, a predictor that needs no reference has one for few, learned from groups of several sizes: the
systems of each year are dealt into groups, which are compared among themselves. Few are less than half of those that
were learned with.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from classy_aesop.data import KEYS
from classy_aesop.data.scores import with_places
from classy_aesop.errors import DataWarning
from classy_aesop.features.registry import needs_references
from classy_aesop.features.relative import plain_columns
from classy_aesop.features.table import feature_table
from classy_aesop.formulas import Formula
from classy_aesop.predictor.within import N_FEWEST, N_MANY, Within, least_company
from classy_aesop.search import Design
from classy_aesop.training.arrays import StackedYears
from classy_aesop.training.learners import Floats, Learner
from classy_aesop.training.plan import TrainingTask
from classy_aesop.training.search import Selection
from classy_aesop.training.years import PlaceData, YearData
from classy_aesop.work.records import seeded_rng


class Forms(NamedTuple):
    """What was learned from plain columns, and from relative ones if there are any."""

    formula: Formula
    within: Within | None

    def predict(self, rows: Design) -> tuple[Floats, Floats]:
        """Predict rows as a predictor does, each beside the others of its topic; and each by itself."""
        n_relative = len(self.within.columns) if self.within else 0
        plain, relative = np.hsplit(rows.X, [rows.X.shape[1] - n_relative])
        alone = self.formula.predict(plain)
        if self.within is None:
            return alone, alone
        differences = self.within.formula.predict(relative)
        return self.within.parts(alone[:, None], differences[:, None], rows.topics).score, alone


def fit_forms(learner: Learner, rows: Design, target: int, relative: Sequence[str] = ()) -> Forms:
    """Fit a learner to the plain columns of rows and, if there are any, to the relative ones, which come last.

    Raises
    ------
    ValueError
        Too few rows.
    """
    n_plain = rows.X.shape[1] - len(relative)
    formula = learner.fit(rows.columns(slice(n_plain)), target)
    if not relative:
        return Forms(formula, None)
    return Forms(formula, Within(tuple(relative), learner.fit(rows.columns(slice(n_plain, None)), target)))


SIZES = (3, 5, 8, 16)
"""Numbers of systems in a group; beside them all systems are learned from together."""


def fit_few(task: TrainingTask, selection: Selection) -> dict[str, Any]:
    """Learn the parts of `Within` that are for few systems; none if a column needs references or humans are compared.

    Raises
    ------
    ValueError
        Too few rows.
    """
    needy = any(map(needs_references, plain_columns(task.arrays.relative)))
    if not task.space.peers or needy or task.run.peers != "no_models":
        return {}
    stacked = in_groups(task)
    scaled = stacked if task.options.scale == "none" else stacked.on_latest_scale()
    n_plain = len(task.arrays.columns) - len(task.arrays.relative)
    rows = task.for_fit(scaled.design).columns(slice(n_plain, None))
    n_many = max(N_MANY, min(map(least_company, task.arrays.tables[-task.n_refit_years :])) // 2)
    return {"few": selection.learner.fit(rows, task.target), "n_least": N_FEWEST, "n_many": n_many}


def in_groups(task: TrainingTask) -> StackedYears:
    """Give the rows of the years that a predictor is fitted to, once for each size of group, and for all systems."""
    compared = plain_columns(task.arrays.relative)
    plain = task.arrays.columns[: -len(task.arrays.relative)]
    parts = [_grouped(year, task) for year in task.years[-task.n_refit_years :]]
    designs = [part.design(plain, task.arrays.measures, compared=compared) for part in parts]
    return StackedYears.of(designs, [part.features for part in parts])


def dealt(systems: Sequence[str], size: int, seed: int, *what: str) -> list[list[str]]:
    """Deal systems into groups of one size at random; those that are left over are in none.

    Examples
    --------
    >>> [len(group) for group in dealt(["a", "b", "c", "d", "e"], 2, seed=1)]
    [2, 2]
    """
    order = seeded_rng(seed, "company", *what, str(size)).permutation(sorted(systems)).tolist()
    return [order[at : at + size] for at in range(0, len(order) - size + 1, size)]


def _grouped(year: YearData, task: TrainingTask) -> PlaceData:
    """Make of a topic and a group one topic."""
    place = year.places[task.run.place]
    systems = place.features["summarizer"].unique().tolist()
    groups = {
        f"{size}.{at}": names
        for size in (*(one for one in SIZES if one < len(systems)), len(systems))
        for at, names in enumerate(dealt(systems, size, task.config.seed, year.name))
    }
    parts = [
        place.features[place.features["summarizer"].isin(names)].assign(group=group)
        for group, names in groups.items()
    ]
    features = pd.concat(parts)
    judgments = place.judgments.loc[features.index].reset_index(drop=True)
    features = features.assign(topic=features["topic"] + "/" + features.pop("group")).reset_index(drop=True)
    return PlaceData(_with_peers(features, year, groups, task), judgments)


def _with_peers(
    features: pd.DataFrame, year: YearData, groups: dict[str, list[str]], task: TrainingTask
) -> pd.DataFrame:
    """Compute what looks at the other summaries, within groups."""
    topics = [
        replace(
            topic,
            topic=f"{topic.topic}/{group}",
            summaries=tuple(one for one in topic.summaries if one.summarizer in names),
        )
        for topic in year.corpus.topics
        if topic.task == task.run.task
        for group, names in groups.items()
    ]
    peers = list(task.space.peers or ())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # the whole year has given the same warnings
        table = feature_table([one for one in topics if one.summaries], task.config.features, names=peers)
    values = with_places(table).set_index(KEYS)[peers].reindex(pd.MultiIndex.from_frame(features[KEYS]))
    return features.assign(**{name: values[name].to_numpy(float) for name in peers})
