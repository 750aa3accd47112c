"""Names and positions of the columns of a feature table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from classy_aesop.errors import InputError, listed
from classy_aesop.features.base import FEATURES, GROUPS
from classy_aesop.features.sets import ALONE_FEATURES, DEFAULT_FEATURES
from classy_aesop.outside import load_outside

Names = Iterable[str | Sequence[str]]
"""Features, groups of features, and sequences of features that form a further group."""


def columns(names: Names | None = None, *, update: bool = False) -> list[str]:
    """Column names of features, in table order.

    Parameters
    ----------
    names : iterable of str, optional
        Features and groups, in any order; by default `DEFAULT_FEATURES`, as for `ordered`.
    update : bool
        Whether there are earlier references. If so, a content feature has two columns: ``name@A`` (compared
        with the earlier references) and ``name@B`` (with those of the summary's own set).

    Examples
    --------
    >>> columns(["redundancy1", "r2"], update=True)
    ['r2@A', 'r2@B', 'redundancy1']
    """
    return [column for name in ordered(names) for column in columns_of(name, update)]


UNITS = ("features", "groups")
"""The units that a search selects: single features, or groups and features listed together."""


def units(names: Names | None = None, kind: str = "features") -> dict[str, tuple[str, ...]]:
    """Features by the unit that they are selected with, in table order.

    Parameters
    ----------
    names : iterable of str or sequence of str, optional
        Features and groups, as for `ordered`.
    kind : str
        One of `UNITS`. With ``"features"`` each feature is a unit. With ``"groups"`` each named group and each
        sequence of features is a unit; a sequence is labelled by the group of its features if they share one.

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
    """Name each unit by the group of all its features if no other unit has that name, else by its features."""
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
        Names of features, and of groups for all their features; by default `DEFAULT_FEATURES`.

    Raises
    ------
    InputError
        If a name is neither a feature nor a group, or a feature is named twice.

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
    selected = [feature for name in named for feature in (_of_group(name) if name in GROUPS else [name])]
    twice = [name for name, times in Counter(selected).items() if times > 1]
    if twice:
        raise InputError(f"{listed(twice)} named twice in {', '.join(named)}")
    return [name for group in GROUPS for name in _of_group(group) if name in selected]


def alone(names: Names | None = None) -> list[str]:
    """Feature names in table order, for rows that are no topics: each is a summary with its references.

    Parameters
    ----------
    names : iterable of str or sequence of str, optional
        As for `ordered`; by default `ALONE_FEATURES`.

    Raises
    ------
    InputError
        As for `ordered`; or a feature looks at the other summaries or the documents of a topic.
    """
    selected = ordered(ALONE_FEATURES if names is None else names)
    for kind, what in (("peers", "other summaries"), ("sources", "documents")):
        others = [name for name in selected if FEATURES[name].kind == kind]
        if others:
            raise InputError(
                f"{listed(others)}: looks at the {what} of a topic, and rows are no topics; expected a corpus"
            )
    return selected


def group_of(column: str) -> str:
    """Group of a column's feature, or the column's own name if it is not a feature's.

    Examples
    --------
    >>> group_of("r1@B"), group_of("r2~rank"), group_of("bertscore")
    ('rouge', 'classic', 'bertscore')
    """
    plain = column.removesuffix("~difference").removesuffix("~rank")
    name = plain.removesuffix("@A").removesuffix("@B")
    return FEATURES[name].group if name in FEATURES else plain


def is_of_peers(column: str) -> bool:
    """Whether a column is a feature that looks at the other summaries of the topic."""
    return column in FEATURES and FEATURES[column].kind == "peers"


def is_of_sources(column: str) -> bool:
    """Whether a column is a feature that looks at the source documents of the topic."""
    return column in FEATURES and FEATURES[column].kind == "sources"


def needs_references(column: str) -> bool:
    """Whether a column is of a feature that compares with references.

    Examples
    --------
    >>> needs_references("r2@A"), needs_references("flow_next"), needs_references("bertscore")
    (True, False, False)
    """
    name = column.removesuffix("@A").removesuffix("@B")
    return name in FEATURES and FEATURES[name].kind == "content"


def given_references(names: Names | None, references: str) -> list[str]:
    """Feature names in table order: with the option ``references = "none"`` only those that need none.

    Raises
    ------
    InputError
        As for `ordered`; or no feature is left.
    """
    selected = ordered(names)
    left = [name for name in selected if references != "none" or not needs_references(name)]
    if selected and not left:
        raise InputError(
            f"{listed(abridged(selected))}: compared with references, and there are none to compare with"
        )
    return left


def abridged(names: Sequence[str]) -> list[str]:
    """Names of columns, with the name of a group instead of its columns if all of them are there.

    Examples
    --------
    >>> abridged(["r2@A", "r2@B", "flow_next", "flow_near", "flow_order", "bertscore"])
    ['r2@A', 'r2@B', 'flow', 'bertscore']
    """
    update, held = any(name.endswith("@A") for name in names), set(names)
    complete = {group for group in GROUPS if held.issuperset(columns([group], update=update))}
    return list(dict.fromkeys(group_of(name) if group_of(name) in complete else name for name in names))


def _of_group(group: str) -> list[str]:
    return [name for name, known in FEATURES.items() if known.group == group]


def columns_of(name: str, update: bool) -> list[str]:
    """Columns of one feature: two for a content feature of an update."""
    return [f"{name}@A", f"{name}@B"] if update and FEATURES[name].kind == "content" else [name]
