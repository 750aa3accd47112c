"""The common names of the columns that say what a score belongs to, in every table."""

from __future__ import annotations

import re
from collections.abc import Sequence

IDENTIFIERS: dict[str, tuple[str, ...]] = {
    "topic": (
        "topic",
        "topic_id",
        "instance_id",
        "doc_id",
        "docid",
        "doc",
        "document_id",
        "article_id",
        "id",
    ),
    "summarizer": (
        *("summarizer", "summarizer_id", "system", "system_id", "system_name"),
        *("model", "model_id", "model_name", "peer", "peer_id"),
    ),
    "year": ("year",),
    "task": ("task",),
    "assessor": (
        *("assessor", "assessor_id", "annotator", "annotator_id", "rater", "rater_id"),
        *("worker", "worker_id", "coder", "coder_id", "evaluator", "evaluator_id"),
    ),
}
"""The identifiers, each with its common names."""

_OWN = frozenset({*IDENTIFIERS, "instance_id", "summarizer_id"})
"""The names that our own files give them."""

_COUNTERS = frozenset({"", "index", "level_0", "unnamed:_0", "__index_level_0__"})


def plain(name: str) -> str:
    """Give a column's name in lower case, its parts joined by underscores.

    Examples
    --------
    >>> plain(" System ID ")
    'system_id'
    """
    return re.sub(r"[\s.-]+", "_", name.strip().lower())


def with_own_names(names: Sequence[str]) -> list[str]:
    """Give those of several columns for one role that have a name of our own files; all if none has."""
    return [name for name in names if plain(name) in _OWN] or list(names)


def is_counter(name: str) -> bool:
    """Whether a column's name is one that programs give to the numbers of rows."""
    return plain(name) in _COUNTERS
