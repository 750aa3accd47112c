"""The features by name: what each is, in which group, its columns, and the sets of methods of learning.

A feature is a function to one number per summary: from `TopicCounts`; from `SummaryCounts` if it is linguistic; from
`peers.Peers` if it looks at the other summaries; from `sources.Sources` if it looks at the source documents. It has no
state; the decorator `feature` only registers the function with its attributes.

The sets list features one by one, so that adding one to a group changes no method. A tuple inside a set is a unit: if
units are searched (``units = "groups"``), its features are selected together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from classy_aesop.errors import InputError, listed
from classy_aesop.outside import load_outside
from classy_aesop.text.arrays import Floats

Kind = Literal["content", "linguistic", "peers", "sources"]

GROUPS = {
    "classic": "the 13 of Rankel (2016)",
    "rouge": "words, longer n-grams and common subsequences of a reference",
    "divergence": "distance between the distribution of words in the summary and in the references",
    "pyramid": "content words and bigrams, weighted by how many references hold them",
    "graph": "neighbouring characters, compared with those of the references",
    "readability": "length and variety of the words",
    "anaphora": "words that refer to earlier text",
    "form": "sentences, punctuation and capitals as they are written",
    "repetition": "repeated content",
    "flow": "similarity of neighbouring sentences",
    "consensus": "content words and bigrams, weighted by how many other systems have them",
    "sources": "content of the source documents, and where it stands there",
}
"""Groups of features that can be selected together, in table order, and what they look at."""

Function = TypeVar("Function", bound=Callable[..., Floats])


class Feature(NamedTuple):
    """A registered feature: its name, its function and the arguments of its decorator.

    The function of a content feature takes `TopicCounts`, that of a linguistic one `SummaryCounts`, and that of one
    that looks at the other summaries `peers.Peers`, at the source documents `sources.Sources`.
    """

    name: str
    function: Callable[[Any], Floats]
    kind: Kind
    group: str
    bounds: tuple[float, float]
    source: str
    why: str = ""


_ROUNDING = 1e-9
"""How far rounding may take a feature out of its bounds."""


def side_by_side(computed: Sequence[tuple[Feature, Floats]], n_summaries: int) -> Floats:
    """Put the values of features side by side, (n_summaries, n_features); ValueError for a wrong shape or bound."""
    if not computed:
        return np.zeros((n_summaries, 0))
    for one, values in computed:
        if np.shape(values) != (n_summaries,):
            shape = np.shape(values)
            raise ValueError(f"feature {one.name} gives values of shape {shape}; expected ({n_summaries},)")
    X = np.array([values for _, values in computed]).T.astype(float, copy=False)
    low, high = np.array([one.bounds for one, _ in computed]).T
    outside = (low - _ROUNDING > X) | (high + _ROUNDING < X)
    if outside.any():
        row, at = np.argwhere(outside)[0]
        name, (least, most) = computed[at][0].name, computed[at][0].bounds
        raise ValueError(f"feature {name} is {X[row, at]:g}; expected {least:g} to {most:g} as it declares")
    return X


FEATURES: dict[str, Feature] = {}
"""Every feature by name; filled by the modules of this package."""


def feature(
    *, kind: Kind, group: str, bounds: tuple[float, float] = (-np.inf, np.inf), source: str, why: str = ""
) -> Callable[[Function], Function]:
    """Register a function as the feature of its name, and return it unchanged.

    Parameters
    ----------
    kind : {"content", "linguistic", "peers", "sources"}
        A content feature compares with references, and has a column for each set of references. A linguistic one looks
        at each summary alone; one of peers looks at the other summaries of the topic. These are given several topics
        at once. One of sources looks at the topic's documents.
    group : str
        One of `GROUPS`.
    bounds : pair of float
        Its smallest and largest possible values.
    source : str
        The publication that defines it.
    why : str
        What it says about a summary, for the page of features.

    Raises
    ------
    ValueError
        If the group is unknown, or a feature or group already has this name.
    """
    if group not in GROUPS:
        raise ValueError(f"unknown group {group!r}; expected one of {', '.join(GROUPS)}")

    def register(function: Function) -> Function:
        """Add the function under its name."""
        name = function.__name__
        if name in GROUPS:
            raise ValueError(f"feature {name!r} has the name of a group")
        if name in FEATURES:
            raise ValueError(f"feature {name!r} exists already, in {FEATURES[name].function.__module__}")
        FEATURES[name] = Feature(name, function, kind, group, bounds, source, why)
        return function

    return register


FeatureSet = tuple[str | tuple[str, ...], ...]
"""Names of features, names of groups, and tuples of features that are selected together."""

CLASSY2011: tuple[str, ...] = (
    *("r2", "su4", "coverage", "bigrams", "bigrams_p2p", "coverage_p2p"),
    *("log_term_overlap", "norm_term_overlap", "redundancy1", "redundancy2"),
    *("term_entropy", "neg_log2_sentences", "neg_sentence_entropy"),
)
"""The 13 features of Rankel, Conroy and Schlesinger (2012), each selected as a unit."""

_ROUGE = ("r1", "r3", "r4", "rl")
_DIVERGENCE = ("js_divergence1", "js_divergence2")

_PYRAMID = (
    *("pyramid1", "pyramid2", "shared1", "shared2"),
    *("weighted_recall1", "weighted_recall2", "precision1", "precision2"),
)

_READABILITY = ("word_length", "word_syllables", "monosyllables", "type_token_ratio")
_ANAPHORA = ("pronouns", "pronoun_openings", "connective_openings")

_FORM = (
    *("unfinished_sentences", "unclosed_sentences", "uncapitalized_sentences"),
    *("punctuation_faults", "digits", "capital_runs"),
)

_REPETITION = ("repeated_sentences", "repeated_bigrams", "repeated_trigrams", "norm_redundancy")
_FLOW = ("flow_next", "flow_near", "flow_order")
_LINGUISTIC = (_READABILITY, _ANAPHORA, _FORM, _REPETITION, _FLOW)

CONSENSUS: tuple[str, ...] = (
    *("consensus_mean1", "consensus_mean2", "consensus_sum1", "consensus_sum2", "consensus_squares1"),
    *("consensus_squares2", "consensus_top1", "consensus_top2"),
)
"""The features that look at the other systems of a topic, after Louis and Nenkova (2013)."""

ALONE_FEATURES: FeatureSet = (CLASSY2011, _ROUGE, _DIVERGENCE, _PYRAMID, ("graph_similarity",), *_LINGUISTIC)
"""48 features in ten units: those that depend on the row alone, computed by default for rows that are no topics."""

TOPICWISE: FeatureSet = (CLASSY2011, _DIVERGENCE, _PYRAMID, *_LINGUISTIC, CONSENSUS)
"""51 features in nine units: all but the two groups that take most time, graphs of characters and longer n-grams."""

DEFAULT_FEATURES: FeatureSet = (*ALONE_FEATURES, CONSENSUS)
"""The features that `feature_table` and `classy-aesop features` compute by default: all."""

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
    """Features by the unit that they are selected with, in table order; ``names`` as for `ordered`.

    With the kind ``"features"`` each feature is a unit. With ``"groups"`` each named group and each sequence of
    features is a unit; a sequence is labelled by the group of its features if they share one.

    Examples
    --------
    >>> units([["r2", "su4"], "r1"], "groups")
    {'classic': ('r2', 'su4'), 'r1': ('r1',)}
    """
    named = list(DEFAULT_FEATURES if names is None else names)
    unit_of: dict[str, str] = {}
    if kind == "groups":
        parts = [
            _of_group(item) if isinstance(item, str) else list(item)
            for item in named
            if not (isinstance(item, str) and item in FEATURES)
        ]
        groups = [{FEATURES[name].group for name in part if name in FEATURES} for part in parts]
        for part, group in zip(parts, groups, strict=True):
            is_one = len(group) == 1 and groups.count(group) == 1
            unit_of |= dict.fromkeys(part, next(iter(group)) if is_one else "+".join(part))
    found: dict[str, tuple[str, ...]] = {}
    for name in ordered(named):
        unit = unit_of.get(name, name)
        found[unit] = (*found.get(unit, ()), name)
    return found


def ordered(names: Names | None = None) -> list[str]:
    """Feature names in table order, group by group, given names of features and of groups for all their features.

    By default `DEFAULT_FEATURES`. A name that is neither, or a feature named twice, is an `InputError`.

    Examples
    --------
    >>> ordered(["js_divergence2", "anaphora", "r2"])
    ['r2', 'js_divergence2', 'pronouns', 'pronoun_openings', 'connective_openings']
    """
    load_outside("features")
    items = DEFAULT_FEATURES if names is None else [names] if isinstance(names, str) else names
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
    """As `ordered`, by default `ALONE_FEATURES`, for rows that are no topics: each is a summary with its references.

    A feature that looks at the other summaries or the documents of a topic is an `InputError`.
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
    """Group of the feature of a column (``r1@B``, ``r2~rank``), or the column's own name if it is not a feature's."""
    plain = column.removesuffix("~difference").removesuffix("~rank")
    name = plain.removesuffix("@A").removesuffix("@B")
    return FEATURES[name].group if name in FEATURES else plain


def is_of_peers(column: str) -> bool:
    """Whether a column is a feature that looks at the other summaries of the topic."""
    return column in FEATURES and FEATURES[column].kind == "peers"


def needs_references(column: str) -> bool:
    """Whether a column (``r2@A``) is of a feature that compares with references."""
    name = column.removesuffix("@A").removesuffix("@B")
    return name in FEATURES and FEATURES[name].kind == "content"


def given_references(names: Names | None, references: str) -> list[str]:
    """As `ordered`; with ``references = "none"`` only those that need none, or an `InputError` if none is left."""
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
