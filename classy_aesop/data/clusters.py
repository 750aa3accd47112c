"""Clusters that topics lie in, such as the passage of several questions: errors are clustered by them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from classy_aesop.errors import InputError

BY_PREFIX = "#prefix"
"""In place of a column: what a topic's name begins with, as p12 of p12_q3."""

_PREFIX = re.compile(r"(.*\d)(?:[\W_]+\D*|[^\W\d_]+)\d+")


def prefix_of(topic: str) -> str:
    """Give what stands before the last number of a topic's name, if it ends with a number too; else nothing.

    Examples
    --------
    >>> prefix_of("p12_q3"), prefix_of("12-3"), prefix_of("doc7")
    ('p12', '12', '')
    """
    match = _PREFIX.fullmatch(topic)
    return match[1] if match else ""


def count_prefixes(topics: Collection[str]) -> int:
    """Count the prefixes of topics where all have one, and two topics or more share each on average; else 0."""
    prefixes = {prefix_of(topic) for topic in topics}
    return len(prefixes) if "" not in prefixes and 2 <= len(prefixes) <= len(topics) / 2 else 0


def clusters_of_topics(clusters: Mapping[str, list[str]]) -> dict[tuple[str, ...], tuple[str, str]]:
    """Map year, task and topic to the cluster that it lies in, and the column that names it.

    Two files that contradict each other are an error.
    """
    cluster_of: dict[tuple[str, ...], tuple[str, str]] = {}
    for *topic, cluster, column in zip(*clusters.values(), strict=True):
        first = cluster_of.setdefault(tuple(topic), (cluster, column))
        if first[0] != cluster:
            raise InputError(
                f"topic {topic[-1]} lies in {column} {first[0]} and {cluster}; expected one of each topic"
            )
    return cluster_of
