"""Warnings about correlations: few systems, no shared topics, values by other means, metrics that are human scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from classy_aesop.data.human_copies import describe_human_copy
from classy_aesop.errors import join_names, warn
from classy_aesop.significance.additive.two_way_fit import TwoWayFit
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.choices import Means
from classy_aesop.significance.correlations.accuracies import SOFT_ACCURACY
from classy_aesop.significance.correlations.correlation_levels import correlation

MIN_SYSTEMS = 6
"""Fewest systems whose means are correlated without a warning; with five, an r of .87 is not significant at .05."""

VISIBLE_DIFFERENCE = 5e-4
"""Correlations that differ by less look the same with three decimals."""


@dataclass(frozen=True)
class MetricCautions:
    """What limits the correlation of one metric with human scores.

    Attributes
    ----------
    systems : tuple of str
        Systems with both scores.
    n_topics : int
        Topics with both scores.
    n_missing, n_cells : int
        Cells of a table of these systems and topics that lack one of the scores, and all of its cells.
    groups : tuple of tuple of str
        Groups of systems that share no topic, if there are two or more.
    copy : str
        How the metric copies the human measure, if it does.
    """

    systems: tuple[str, ...]
    n_topics: int
    n_missing: int
    n_cells: int
    groups: tuple[tuple[str, ...], ...]
    copy: str


def find_cautions(
    metric: str, measure: str, X: FloatArray, Z: FloatArray, systems: Sequence[str]
) -> MetricCautions:
    """Find what limits the correlation of a metric with human scores.

    Shapes: ``X`` and ``Z`` (n_systems, n_topics).
    """
    valid = ~np.isnan(X + Z)
    group = TwoWayFit(valid).group
    names = np.array(systems, dtype=object)
    groups = [tuple(names[group == number]) for number in np.unique(group[group >= 0])]
    present = tuple(names[valid.any(axis=1)])
    n_topics = int(valid.any(axis=0).sum())
    n_cells = len(present) * n_topics
    return MetricCautions(
        systems=present,
        n_topics=n_topics,
        n_missing=n_cells - int(valid.sum()),
        n_cells=n_cells,
        groups=tuple(groups) if len(groups) > 1 else (),
        copy=describe_human_copy(metric, measure, X, Z),
    )


class ValueByMeans(NamedTuple):
    """A correlation at system level by either means of systems, and what it is of."""

    name: str
    plain: float
    least_squares: float


def value_by_both_means(
    name: str, X: FloatArray, Z: FloatArray, coefficient: str, value: float, means: Means
) -> ValueByMeans:
    """Give a correlation at system level by plain and by least-squares means of systems.

    Shapes: ``X`` and ``Z`` (n_systems, n_topics).
    """
    is_complete = TwoWayFit(~np.isnan(X) & ~np.isnan(Z)).is_plain
    if is_complete or coefficient == SOFT_ACCURACY:
        return ValueByMeans(name, value, value)
    other = "least-squares" if means == "plain" else "plain"
    other_value = correlation(X, Z, level="system", coefficient=coefficient, means=other).value
    return ValueByMeans(name, *((value, other_value) if means == "plain" else (other_value, value)))


def warn_of_correlations(
    cautions: Mapping[tuple[str, str, str, str], MetricCautions], *, means: str, counts_systems: bool
) -> None:
    """Warn of what limits correlations, by year, task, metric and target.

    ``means`` are those of systems, empty where none are correlated; ``counts_systems`` whether few systems are told.
    """
    n_systems: dict[str, int] = {}
    systems: dict[str, dict[str, tuple[str, ...]]] = {}
    for (year, task, metric, target), caution in cautions.items():
        stratum = "-".join(filter(None, (year, task)))
        n_systems[stratum] = max(n_systems.get(stratum, 0), len(caution.systems))
        systems.setdefault(" ".join(filter(None, (stratum, target))), {})[metric] = caution.systems
    few = {stratum: n for stratum, n in n_systems.items() if n < MIN_SYSTEMS} if counts_systems else {}
    if few:
        counts = join_names([f"{stratum}: {n}" if stratum else str(n) for stratum, n in few.items()])
        of_two = "; that of two is 1 or -1" if 2 in few.values() else ""
        warn(
            f"few systems ({counts}): so few points cannot show a correlation at system level{of_two}; "
            f"expected {MIN_SYSTEMS} or more"
        )
    if means and any(caution.n_topics == 1 for caution in cautions.values()):
        warn(
            "one topic: the means of systems are its scores, so correlations and differences between metrics hold "
            "for this topic only, also where p is small"
        )
    warn_of_different_systems(systems)
    warn_of_cautions(cautions.values(), of_means=means == "least-squares")


def warn_of_different_systems(systems_by_stratum: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
    """Warn where metrics have scores of different systems, with those that each lacks; once for equal strata."""
    strata_of_message: dict[str, list[str]] = {}
    for stratum, by_metric in systems_by_stratum.items():
        all_systems = dict.fromkeys(name for names in by_metric.values() for name in names)
        lacking = [
            f"{metric} lacks {join_names([name for name in all_systems if name not in {*names}], limit=3)}"
            for metric, names in by_metric.items()
            if {*names} != {*all_systems}
        ]
        if lacking:
            message = f"metrics are compared over different systems, of {len(all_systems)}: "
            strata_of_message.setdefault(message + join_names(lacking, limit=4, by="; "), []).append(stratum)
    for message, strata in strata_of_message.items():
        prefix = join_names(filter(None, strata))
        warn(f"{prefix and f'{prefix}: '}{message}")


def warn_of_cautions(cautions: Iterable[MetricCautions], *, of_means: bool) -> None:
    """Warn of metrics that are human scores, and of groups of systems that share no topic, each once."""
    groups_warned_of: set[tuple[tuple[str, ...], ...]] = set()
    for caution in cautions:
        if caution.copy:
            warn(f"{caution.copy}: its correlation does not evaluate a metric")
        if of_means and caution.groups and caution.groups not in groups_warned_of:
            groups_warned_of.add(caution.groups)
            names = [join_names(group, limit=3) for group in caution.groups]
            groups_text = join_names(names, limit=4, by=" | ")
            warn(
                f"system level: {len(names)} groups of systems share no topic ({groups_text}), "
                "so their means cannot be compared and there is no value; means plain compares them nevertheless"
            )


def warn_of_other_means(
    values: Sequence[ValueByMeans], cautions: Iterable[MetricCautions], means: Means
) -> None:
    """Warn where plain and least-squares means give other correlations, with the largest difference."""
    differences = np.nan_to_num([abs(value.plain - value.least_squares) for value in values])
    if not (differences > VISIBLE_DIFFERENCE).any():
        return
    farthest = values[int(differences.argmax())]
    most_missing = max(cautions, key=lambda caution: caution.n_missing)
    correlations = (
        f"{farthest.least_squares:z.3f} by least-squares means, {farthest.plain:z.3f} by plain ones"
    )
    reported = (
        "least-squares means are reported (--means plain gives the others)"
        if means == "least-squares"
        else "plain means are reported, which also depend on which topics a system has"
    )
    warn(
        f"system level: {most_missing.n_missing} of {most_missing.n_cells} cells are missing; {farthest.name} is "
        f"{correlations}; {reported}"
    )
