"""The page of features, from their registry."""

from __future__ import annotations

from classy_aesop.features import FEATURES, GROUPS
from classy_aesop.features.registry import Feature, sort_features
from docs.reference.markdown import code, first_line, table

_LOOKS_AT = {
    "content": "references",
    "linguistic": "summary",
    "peers": "other systems",
    "sources": "documents",
    "texts": "texts",
}


_HEAD = """# All features

What each feature is. [Features](features.md) says how they are chosen, and gives the sources."""


def features_page() -> str:
    """Write the page."""
    groups = "\n".join(f"- {code(name)}: {meaning}" for name, meaning in GROUPS.items())
    head = ["name", "group", "looks at", "bounds", "is", "source", "why"]
    return f"{_HEAD}\n\n{groups}\n\n{table(head, (_row(FEATURES[name]) for name in sort_features(GROUPS)))}\n"


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
