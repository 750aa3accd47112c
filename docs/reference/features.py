"""The groups and the table of features, from their registry: a part of the page of features."""

from __future__ import annotations

from classy_aesop.features import FEATURES, GROUPS
from classy_aesop.features.registry import Feature, ordered
from docs.reference.markdown import code, first_line, table

_LOOKS_AT = {
    "content": "references",
    "linguistic": "summary",
    "peers": "other systems",
    "sources": "documents",
}


def features_part() -> str:
    """Write the part of the page."""
    groups = "\n".join(f"- {code(name)}: {meaning}" for name, meaning in GROUPS.items())
    head = ["name", "group", "looks at", "bounds", "is", "source", "why"]
    return f"{groups}\n\n{table(head, (_row(FEATURES[name]) for name in ordered(GROUPS)))}"


def _row(feature: Feature) -> list[str]:
    bounds = "{:g} to {:g}".format(*feature.bounds)
    meaning = first_line(feature.function)
    return [
        code(feature.name),
        feature.group,
        _LOOKS_AT[feature.kind],
        bounds,
        meaning,
        feature.source,
        feature.why,
    ]
