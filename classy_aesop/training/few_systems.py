"""The formula for topics with few systems, which is learned from groups of few systems.

What a comparison with the other systems says is different among three systems than among fifty. So beside the formula
that is learned from all systems together, a predictor that needs no reference has one for few, learned from groups of
several sizes: the systems of each year are divided at random into groups, which are compared among themselves. Few are
less than half of those learned with.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from classy_aesop.data import KEYS
from classy_aesop.data.scores import add_stratum_columns
from classy_aesop.errors import DataWarning
from classy_aesop.features.registry import needs_references
from classy_aesop.features.table import feature_table
from classy_aesop.predictor.within import N_FEWEST, N_MANY, WithinForm, count_fewest_systems
from classy_aesop.training.forms import rescale_to_latest
from classy_aesop.training.learners import Learner
from classy_aesop.training.plan import PlannedRun
from classy_aesop.training.year_rows import YearRows, stack_years
from classy_aesop.training.years import TaskPeersData, YearData
from classy_aesop.work.seeds import seeded_rng

GROUP_SIZES = (3, 5, 8, 16)
"""Numbers of systems in a group; beside them all systems are learned from together."""


def learns_from_groups(planned: PlannedRun) -> bool:
    """Whether a predictor also learns a formula for few systems, from random groups of systems."""
    if not planned.space.peers or planned.run.peers != "no_models":
        return False
    return not any(map(needs_references, planned.rows.compared))


def fit_few_systems(
    planned: PlannedRun, within: WithinForm, learner: Learner, tables: Sequence[pd.DataFrame]
) -> WithinForm:
    """Add the formula for few systems to that of all systems."""
    options = planned.options
    rows = options.select_rows(rescale_to_latest(stack_groups(planned), options.search.scale))
    n_plain = rows.X.shape[1] - len(within.columns)
    few = learner.fit(rows.select_columns(slice(n_plain, None)), options.target)
    n_many = max(N_MANY, min(map(count_fewest_systems, tables)) // 2)
    return replace(within, few=few, n_least=N_FEWEST, n_many=n_many)


def stack_groups(planned: PlannedRun) -> YearRows:
    """Return the rows of the years of a run, once for each size of group, and for all systems."""
    rows = planned.rows
    plain = rows.columns[: -len(rows.relative)]
    parts = [_group_year(planned, year) for year in planned.refit_years]
    return stack_years([part.rows(plain, rows.measures, compared=rows.compared) for part in parts])


def deal_groups(systems: Sequence[str], size: int, seed: int, year: str) -> list[list[str]]:
    """Divide systems into groups of one size at random; those that do not fill a group are in none."""
    order = seeded_rng(seed, "company", year, str(size)).permutation(sorted(systems)).tolist()
    return [order[start : start + size] for start in range(0, len(order) - size + 1, size)]


def _group_year(planned: PlannedRun, year: YearData) -> TaskPeersData:
    """Repeat the rows of a year for each group of systems: a topic becomes one topic for each group."""
    rows = year.data_by_task_and_peers[planned.run.task_and_peers]
    systems = rows.features["summarizer"].unique().tolist()
    sizes = (*(size for size in GROUP_SIZES if size < len(systems)), len(systems))
    groups = {
        f"{size}.{number}": names
        for size in sizes
        for number, names in enumerate(deal_groups(systems, size, planned.config.seed, year.name))
    }
    summarizer = rows.features["summarizer"]
    parts = (rows.features[summarizer.isin(names)].assign(group=group) for group, names in groups.items())
    table = pd.concat(parts)
    judgments = rows.judgments.loc[table.index].reset_index(drop=True)
    table = table.assign(topic=table["topic"] + "/" + table.pop("group")).reset_index(drop=True)
    return TaskPeersData(_replace_peer_features(table, planned, year, groups), judgments)


def _replace_peer_features(
    table: pd.DataFrame, planned: PlannedRun, year: YearData, groups: dict[str, list[str]]
) -> pd.DataFrame:
    """Compute the features that look at the other summaries within groups, and put them into a table."""
    topics = [
        replace(
            topic,
            topic=f"{topic.topic}/{group}",
            summaries=tuple(summary for summary in topic.summaries if summary.summarizer in names),
        )
        for topic in year.corpus.topics
        if topic.task == planned.run.task
        for group, names in groups.items()
    ]
    peers = list(planned.space.peers or ())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # the whole year has given the same warnings
        of_groups = feature_table(
            [topic for topic in topics if topic.summaries], planned.config.features, names=peers
        )
    by_key = add_stratum_columns(of_groups).set_index(KEYS)[peers]
    values = by_key.reindex(pd.MultiIndex.from_frame(table[KEYS]))
    return table.assign(**{name: values[name].to_numpy(float) for name in peers})
