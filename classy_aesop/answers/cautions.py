"""Warnings about correlations: few systems, none with shared topics, other means, metrics that are human scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from classy_aesop.data.human_copies import HumanCopy, find_human_copy
from classy_aesop.errors import listed, warn
from classy_aesop.significance.additive.system_means import means_design
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.choices import Means
from classy_aesop.significance.correlations.accuracies import SOFT_ACCURACY
from classy_aesop.significance.correlations.correlation_levels import correlation

MIN_SYSTEMS = 6
"""Systems of which a correlation of means can show anything; with five, an r of .87 is not significant at .05."""

VISIBLE = 5e-4
"""Correlations that differ by less look the same with three decimals."""


@dataclass(frozen=True)
class MetricCautions:
    """What has to be said of one metric beside human scores.

    Attributes
    ----------
    systems : tuple of str
        That have both.
    n_topics : int
        With both.
    n_missing, n_cells : int
        Cells of a table of these systems and their topics that lack one of the scores, and all of them.
    groups : tuple of tuple of str
        Groups of systems without a shared topic, where there are several.
    copy : HumanCopy or None
        Whether the metric is the human measure.
    """

    systems: tuple[str, ...]
    n_topics: int
    n_missing: int
    n_cells: int
    groups: tuple[tuple[str, ...], ...]
    copy: HumanCopy | None

    @property
    def n_systems(self) -> int:
        """How many systems have both."""
        return len(self.systems)


def cautions_of(
    metric: str, measure: str, X: FloatArray, Z: FloatArray, systems: Sequence[str]
) -> MetricCautions:
    """Look for what has to be said of a metric beside human scores, matrices of one shape."""
    valid = ~np.isnan(X) & ~np.isnan(Z)
    design = means_design(valid)
    groups = [
        tuple(name for name, group in zip(systems, design.group, strict=True) if group == number)
        for number in range(int(design.group.max(initial=-1)) + 1)
    ]
    present = tuple(systems[row] for row in np.flatnonzero(valid.any(axis=1)).tolist())
    n_topics = int(valid.any(axis=0).sum())
    n_cells = len(present) * n_topics
    return MetricCautions(
        systems=present,
        n_topics=n_topics,
        n_missing=n_cells - int(valid.sum()),
        n_cells=n_cells,
        groups=tuple(groups) if len(groups) > 1 else (),
        copy=find_human_copy(metric, measure, X, Z),
    )


def values_by_means(
    X: FloatArray, Z: FloatArray, level: str, coefficient: str, value: float, means: Means
) -> tuple[float, float]:
    """Give a correlation by plain and by least-squares means; NaN at levels and for coefficients without means.

    ``value`` is the one by ``means``, and that of both where no cell is missing.
    """
    if level != "system" or coefficient == SOFT_ACCURACY:
        return float("nan"), float("nan")
    valid = ~np.isnan(X) & ~np.isnan(Z)
    if means_design(valid).inverse is None:
        return value, value
    measured = {"level": level, "coefficient": coefficient}
    if means == "plain":
        return value, correlation(X, Z, **measured, means="least-squares").value
    return correlation(X, Z, **measured, means="plain").value, value


def warn_of_few_systems(n_systems: Mapping[str, int]) -> None:
    """Warn where there are so few systems that their means cannot show a correlation.

    Parameters
    ----------
    n_systems : mapping of str to int
        Their number by place: year and task.
    """
    few = [(place, n) for place, n in n_systems.items() if n < MIN_SYSTEMS]
    if not few:
        return
    counts = listed([f"{place}: {n}" if place else str(n) for place, n in few])
    two = "; that of two is 1 or -1" if any(n == 2 for _, n in few) else ""
    warn(
        f"few systems ({counts}): so few points cannot show a correlation at system level{two}; "
        f"expected {MIN_SYSTEMS} or more"
    )


def warn_of_one_topic(cautions: Iterable[MetricCautions]) -> None:
    """Warn where means of systems are of one topic: nothing is known of others, whatever test exchanges systems."""
    if any(caution.n_topics == 1 for caution in cautions):
        warn(
            "one topic: the means of systems are its scores, so correlations and differences between metrics hold "
            "for this topic only, also where p is small"
        )


def warn_of_different_systems(systems: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
    """Warn where metrics have scores of different systems, with those that each lacks; places alike at once.

    Parameters
    ----------
    systems : mapping of str to mapping of str to sequence of str
        The systems of each metric by place: year, task and human measure.
    """
    places: dict[str, list[str]] = {}
    for place, by_metric in systems.items():
        every = list(dict.fromkeys(name for names in by_metric.values() for name in names))
        lacking = []
        for metric, names in by_metric.items():
            missing = [name for name in every if name not in set(names)]
            if missing:
                lacking.append(f"{metric} lacks {listed(missing, most=3)}")
        if lacking:
            message = f"metrics are compared over different systems, of {len(every)}: "
            places.setdefault(message + listed(lacking, most=4, by="; "), []).append(place)
    for message, alike in places.items():
        place = listed(filter(None, alike))
        warn(f"{place and f'{place}: '}{message}")


def warn_of_cautions(cautions: Iterable[MetricCautions], *, of_means: bool) -> None:
    """Warn of metrics that are human scores, and of groups of systems that share no topic, each once.

    Parameters
    ----------
    cautions : iterable of MetricCautions
        Of all metrics and human measures.
    of_means : bool
        Whether means of systems are correlated, which takes systems that share topics.
    """
    groups: set[tuple[tuple[str, ...], ...]] = set()
    for caution in cautions:
        if caution.copy is not None:
            warn(f"{caution.copy}: its correlation says nothing of a metric")
        if of_means and caution.groups and caution.groups not in groups:
            groups.add(caution.groups)
            names = " | ".join(listed(group, most=3) for group in caution.groups[:4])
            more = f" | and {len(caution.groups) - 4} more" if len(caution.groups) > 4 else ""
            warn(
                f"system level: {len(caution.groups)} groups of systems share no topic ({names}{more}), so their "
                "means cannot be compared and there is no value; means plain compares them all the same"
            )


def warn_of_other_means(
    names: Sequence[str], values: pd.DataFrame, cautions: MetricCautions, means: Means
) -> None:
    """Warn where plain and least-squares means give other correlations, with the largest difference.

    Parameters
    ----------
    names : sequence of str
        What each value is of.
    values : DataFrame
        Their values, ``by_plain_means`` and ``by_least_squares``; NaN where there is none.
    cautions : MetricCautions
        Of the metric with the most missing cells.
    means : {"least-squares", "plain"}
        Those that are reported.
    """
    plain = values["by_plain_means"].to_numpy(dtype=float)
    least_squares = values["by_least_squares"].to_numpy(dtype=float)
    difference = np.abs(plain - least_squares)
    if not (np.nan_to_num(difference) > VISIBLE).any():
        return
    farthest = int(np.nanargmax(difference))
    correlations = (
        f"{least_squares[farthest]:z.3f} by least-squares means, {plain[farthest]:z.3f} by plain ones"
    )
    reported = (
        "least-squares means are reported (--means plain gives the others)"
        if means == "least-squares"
        else "plain means are reported, which differ by topics too"
    )
    warn(
        f"system level: {cautions.n_missing} of {cautions.n_cells} cells are missing; {names[farthest]} is "
        f"{correlations}; {reported}"
    )
