"""Names and positions of the columns of a feature table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from classy_aesop.errors import InputError, listed
from classy_aesop.features.base import FEATURES, GROUPS
from classy_aesop.features.sets import DEFAULT_FEATURES
from classy_aesop.outside import load_outside

Names = Iterable[str | Sequence[str]]
"""Features, groups of features, and sequences of features that belong together."""


def columns(names: Names | None = None, *, update: bool = False) -> list[str]:
    """Column names of features, in table order.

    Parameters
    ----------
    names : iterable of str, optional
        Features and groups, in any order; by default `DEFAULT_FEATURES`, as for `ordered`.
    update : bool
        Whether there are earlier references: then a content feature has the columns ``name@A`` (against them)
        and ``name@B`` (against those of the own set).

    Examples
    --------
    >>> columns(["redundancy1", "r2"], update=True)
    ['r2@A', 'r2@B', 'redundancy1']
    """
    return [column for name in ordered(names) for column in columns_of(name, update)]


UNITS = ("features", "groups")
"""What is searched as one: each feature, or the features of a group that is named and those named together."""


def units(names: Names | None = None, kind: str = "features") -> dict[str, tuple[str, ...]]:
    """Features by what they come and go with, in table order.

    Parameters
    ----------
    names : iterable of str or sequence of str, optional
        Features and groups, as for `ordered`.
    kind : str
        One of `UNITS`: each feature is a unit of its own, or so are the groups that are named and the sequences of
        features, which are labelled by their group if they have one in common.

    Examples
    --------
    >>> units([["r2", "su4"], "r1"], "groups")
    {'classic': ('r2', 'su4'), 'r1': ('r1',)}
    >>> units(["anaphora", "r2"], "groups")
    {'r2': ('r2',), 'anaphora': ('pronouns', 'pronoun_openings', 'connective_openings')}
    """
    named = list(DEFAULT_FEATURES if names is None else names)
    unit_of: dict[str, str] = {}
    if kind == "groups":
        parts = [
            _of_group(item) if isinstance(item, str) else list(item)
            for item in named
            if not (isinstance(item, str) and item in FEATURES)
        ]
        unit_of = {name: label for part, label in zip(parts, _labels(parts), strict=True) for name in part}
    found: dict[str, tuple[str, ...]] = {}
    for name in ordered(named):
        unit = unit_of.get(name, name)
        found[unit] = (*found.get(unit, ()), name)
    return found


def _labels(parts: Sequence[Sequence[str]]) -> list[str]:
    """Name units: each by the group of all its features, if no other unit has that name, or by its features."""
    groups = [{FEATURES[name].group for name in part if name in FEATURES} for part in parts]
    return [
        next(iter(group)) if len(group) == 1 and groups.count(group) == 1 else "+".join(part)
        for part, group in zip(parts, groups, strict=True)
    ]


def ordered(names: Names | None = None) -> list[str]:
    """Feature names in table order: group by group.

    Parameters
    ----------
    names : iterable of str or sequence of str, optional
        Names of features and of groups, which stand for all their features; by default `DEFAULT_FEATURES`.

    Raises
    ------
    InputError
        For a name that is neither, or a feature named twice.

    Examples
    --------
    >>> ordered(["js_divergence2", "anaphora", "r2"])
    ['r2', 'js_divergence2', 'pronouns', 'pronoun_openings', 'connective_openings']
    """
    load_outside("features")
    items = DEFAULT_FEATURES if names is None else names
    named = [name for item in items for name in ([item] if isinstance(item, str) else item)]
    unknown = [name for name in named if name not in FEATURES and name not in GROUPS]
    if unknown:
        known = f"of the groups {', '.join(GROUPS)} and the features {', '.join(ordered(GROUPS))}"
        raise InputError(f"no feature or group is named {listed(unknown)}; expected some {known}")
    chosen = [feature for name in named for feature in (_of_group(name) if name in GROUPS else [name])]
    twice = [name for name, times in Counter(chosen).items() if times > 1]
    if twice:
        raise InputError(f"{listed(twice)} named twice in {', '.join(named)}")
    return [name for group in GROUPS for name in _of_group(group) if name in chosen]


def group_of(column: str) -> str:
    """Group of a column's feature; a column that is no feature's stands for itself.

    Examples
    --------
    >>> group_of("r1@B"), group_of("bertscore")
    ('rouge', 'bertscore')
    """
    name = column.removesuffix("@A").removesuffix("@B")
    return FEATURES[name].group if name in FEATURES else column


def abridged(names: Sequence[str]) -> list[str]:
    """Names of columns, with that of a group in place of all its columns.

    Examples
    --------
    >>> abridged(["r2@A", "r2@B", "flow_next", "flow_near", "flow_order", "bertscore"])
    ['r2@A', 'r2@B', 'flow', 'bertscore']
    """
    update, held = any(name.endswith("@A") for name in names), set(names)
    whole = {group for group in GROUPS if held.issuperset(columns([group], update=update))}
    return list(dict.fromkeys(group_of(name) if group_of(name) in whole else name for name in names))


def _of_group(group: str) -> list[str]:
    return [name for name, known in FEATURES.items() if known.group == group]


def columns_of(name: str, update: bool) -> list[str]:
    """Columns of one feature: two for a content feature of an update."""
    return [f"{name}@A", f"{name}@B"] if update and FEATURES[name].kind == "content" else [name]
