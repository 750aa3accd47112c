"""What a comparison cannot show, in words: nothing shared, raters confounded with systems, intervals beyond a scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from classy_aesop.answers.comparisons import Comparison
from classy_aesop.answers.rater_shares import describe_rater_shares
from classy_aesop.answers.strata import RatedStratum
from classy_aesop.data import natural
from classy_aesop.data.clusters import BY_PREFIX, count_prefixes, prefix_of
from classy_aesop.data.scales import format_scale
from classy_aesop.errors import join_names, warn

MAX_NAMED = 3
"""Most systems of a group, and most groups, that are named."""


def warn_of_limits(comparison: Comparison) -> None:
    """Warn of what the data of a comparison cannot show, each with its reason."""
    label = _label(comparison.stratum)
    messages = (
        *_describe_separate_groups(comparison),
        *_describe_ignored_raters(comparison),
        *_describe_prefixes(comparison.stratum),
    )
    for message in messages:
        warn(f"{label}{message}")


def warn_of_ends_beyond_grades(comparison: Comparison) -> None:
    """Warn of intervals of means that reach beyond grades of which no scale is declared."""
    stratum = comparison.stratum
    if stratum.bounds is not None or stratum.grades is None:
        return
    lowest_grade, highest_grade = stratum.grades
    low, high = comparison.mean_intervals()
    is_beyond = (low < lowest_grade) | (high > highest_grade)
    if not is_beyond.any():
        return
    names = join_names([stratum.systems[system] for system in np.flatnonzero(is_beyond)], limit=MAX_NAMED)
    subject = f"interval of {names} reaches" if is_beyond.sum() == 1 else f"intervals of {names} reach"
    scale = format_scale(stratum.restore_interval(*stratum.grades))
    warn(
        f"{_label(stratum)}the {subject} beyond the scores of the file; "
        f"if their scale ends there, --scale {scale} keeps it within (scale= in Python)"
    )


def _label(stratum: RatedStratum) -> str:
    """Name the year and task before a message, if there are any."""
    return f"{stratum.label}: " if stratum.label else ""


def _describe_separate_groups(comparison: Comparison) -> Iterator[str]:
    """Name the groups of systems that cannot be compared with each other, and why."""
    stratum = comparison.stratum
    if not (stratum.has_cell.sum(axis=0) > 1).any():
        topics = stratum.origin.get("topic") or "topic"
        column = separating_column([[name] for name in stratum.systems], stratum)
        separated = join_names([f"{name}{column[name]}" for name in column], limit=MAX_NAMED)
        yield (
            f"nothing is compared: no topic has two systems (topics are those of the column {topics!r})"
            f"{separated and f'; {separated}'}; a paired test needs scores of several systems on the same topics"
        )
        return
    if comparison.fit is None or comparison.group.max(initial=0) < 1:
        return
    groups = [
        [stratum.systems[system] for system in np.flatnonzero(comparison.group == number)]
        for number in range(int(comparison.group.max()) + 1)
    ]
    if confounded := _describe_confounded_raters(comparison):
        yield confounded
        return
    column = separating_column(groups, stratum)
    labels = [f"{join_names(group, limit=MAX_NAMED)}{column.get(group[0], '')}" for group in groups]
    yield f"not compared with each other, since they share no topics: {join_names(labels, limit=MAX_NAMED, by='; ')}"


def separating_column(groups: Sequence[Sequence[str]], stratum: RatedStratum) -> dict[str, str]:
    """Find the column whose values separate groups of systems."""
    group_of = {name: number for number, group in enumerate(groups) for name in group}
    for column, systems_of in stratum.origin.get("columns", {}).items():
        numbers_of = {
            value: {group_of[name] for name in systems if name in group_of}
            for value, systems in systems_of.items()
        }
        separates = all(len(numbers) < 2 for numbers in numbers_of.values())
        if separates and len(set().union(*numbers_of.values())) == len(groups):
            labels = [
                join_names(
                    sorted((value for value in numbers_of if number in numbers_of[value]), key=natural),
                    limit=2,
                )
                for number in range(len(groups))
            ]
            return {name: f" ({column} {labels[number]})" for name, number in group_of.items()}
    return {}


def _describe_confounded_raters(comparison: Comparison) -> str:
    """Name the raters of each system where raters separate systems; nothing if topics separate them too."""
    stratum = comparison.stratum
    if comparison.fit is None or not comparison.uses_raters or stratum.ratings is None:
        return ""
    if len(np.unique(comparison.fit.model.equations.group)) == len(np.unique(comparison.group)):
        return ""
    shares = stratum.ratings.shares(stratum.systems)
    pairings = [
        f"{name} by {join_names(shares.columns[(shares.loc[name] > 0).to_numpy()], limit=MAX_NAMED)}"
        for name in stratum.systems
    ]
    each_rated_one = shares.gt(0).sum().le(1).all()
    reason = "each rater rated one system only" if each_rated_one else "raters are confounded with systems"
    return f"not compared, since {reason}: {join_names(pairings, limit=2 * MAX_NAMED)}"


def _describe_prefixes(stratum: RatedStratum) -> Iterator[str]:
    """Ask about topics whose names begin alike, where nothing is said of clusters."""
    topics = stratum.cells.topics
    is_known = "clusters" in stratum.origin or stratum.unit != "topic"
    n_prefixes = 0 if is_known else count_prefixes(topics)
    if n_prefixes:
        yield (
            f"names of topics have {n_prefixes} beginnings, such as {prefix_of(topics[0])} of {topics[0]}; if topics "
            f"of one are alike, --columns cluster={BY_PREFIX} clusters errors by it, else cluster= says that they are "
            "not (columns= in Python)"
        )


def _describe_ignored_raters(comparison: Comparison) -> Iterator[str]:
    """Name the rater whose shares differ most between systems, where raters are not in the model."""
    stratum = comparison.stratum
    if comparison.uses_raters or not stratum.raters_vary or stratum.ratings is None:
        return
    if message := describe_rater_shares(stratum.ratings.shares(stratum.systems)):
        yield f"raters are ignored, though their shares differ between systems: {message}"
