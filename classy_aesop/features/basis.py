"""Features that a corpus cannot have: those that compare with references which it lacks."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace

from classy_aesop.data.topics import Topic
from classy_aesop.errors import DataWarning, listed
from classy_aesop.features.columns import Names, abridged, needs_references, ordered
from classy_aesop.features.options import FeatureOptions


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
    content = list(filter(needs_references, every))
    if all(met) or not content:
        return []
    return [
        f"{len(content)} of {len(every)} features ({listed(content, most=3)}) compare with references; "
        f"{met.count(False)} of {len(met)} summaries have none to be compared with"
    ]


def options_for(topics: Iterable[Topic], options: FeatureOptions, names: Sequence[str]) -> FeatureOptions:
    """Return options for the features of topics: ``references = "none"`` where no topic has a reference.

    Warns
    -----
    DataWarning
        Which of the features are left out for this reason.
    """
    needy = list(filter(needs_references, names))
    if options.references == "none" or not needy:
        return options
    if any(topic.references or topic.earlier_references for topic in topics):
        return options
    message = f"left out is what needs references: {listed(abridged(needy), most=30)}"
    warnings.warn(message, DataWarning, stacklevel=2)
    return replace(options, references="none")
