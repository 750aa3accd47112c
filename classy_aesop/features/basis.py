"""Features that a corpus cannot have: those that compare with references which it lacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from classy_aesop.corpus.data import Topic
from classy_aesop.errors import listed
from classy_aesop.features.base import FEATURES
from classy_aesop.features.columns import Names, ordered


def without_basis(topics: Iterable[Topic], *, names: Names | None = None) -> list[str]:
    """Say which features have no value, and for how many summaries.

    Parameters
    ----------
    topics : iterable of Topic
        The summaries and their references.
    names : iterable of str, optional
        Which features; by default `DEFAULT_FEATURES`.
    """
    met = [any(topic.meets(one)) for topic in topics for one in topic.summaries]
    every: Sequence[str] = ordered(names)
    content = [name for name in every if FEATURES[name].kind == "content"]
    if all(met) or not content:
        return []
    return [
        f"{len(content)} of {len(every)} features ({listed(content, most=3)}) compare with references; "
        f"{met.count(False)} of {len(met)} summaries have none to be compared with"
    ]
