"""The features by name: what each is, in which group, its columns, and the sets of methods of learning.

A feature is a function to one number per summary: from `TopicCounts`; from `SummaryCounts` if it is linguistic; from
`peers.Peers` if it looks at the other summaries; from `source_documents.Sources` if it looks at the source documents.
It has no state; the decorator `feature` only registers the function with its attributes.

The sets list features one by one, so that adding one to a group changes no method. A tuple inside a set is a unit: if
units are searched (``units = "groups"``), its features are selected together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from classy_aesop.errors import InputError, join_names
from classy_aesop.keywords import explain_keywords
from classy_aesop.outside import load_outside
from classy_aesop.text.arrays import Floats

FeatureKind = Literal["content", "linguistic", "peers", "sources", "texts"]

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

RegisteredFunction = TypeVar("RegisteredFunction", bound=Callable[..., Floats])


class Feature(NamedTuple):
    """A registered feature: its name, its function and the arguments of its decorator.

    The function of a content feature takes `TopicCounts`, that of a linguistic one `SummaryCounts`, and that of one
    that looks at the other summaries `peers.Peers`, at the source documents `source_documents.Sources`.
    """

    name: str
    function: Callable[[Any], Floats]
    kind: FeatureKind
    group: str
    bounds: tuple[float, float]
    source: str
    why: str = ""


_ROUNDING_OF_BOUNDS = 1e-9
"""How far rounding may move a feature out of its bounds."""


def stack_feature_values(computed: Sequence[tuple[Feature, Floats]], n_summaries: int) -> Floats:
    """Stack the values of features as columns, (n_summaries, n_features); ValueError for a wrong shape or bound."""
    if not computed:
        return np.zeros((n_summaries, 0))
    for feature, values in computed:
        if np.shape(values) != (n_summaries,):
            shape = np.shape(values)
            raise ValueError(
                f"feature {feature.name} gives values of shape {shape}; expected ({n_summaries},)"
            )
    X = np.array([values for _, values in computed]).T.astype(float, copy=False)
    low, high = np.array([feature.bounds for feature, _ in computed]).T
    is_outside = (low - _ROUNDING_OF_BOUNDS > X) | (high + _ROUNDING_OF_BOUNDS < X)
    if is_outside.any():
        row, column = np.argwhere(is_outside)[0]
        feature = computed[column][0]
        expected = f"expected {feature.bounds[0]:g} to {feature.bounds[1]:g} as it declares"
        raise ValueError(f"feature {feature.name} is {X[row, column]:g}; {expected}")
    return X


FEATURES: dict[str, Feature] = {}
"""Every feature by name; filled by the modules of this package."""


@explain_keywords(meaning="why=", name="nothing: a feature has the name of its function")
def feature(
    *,
    kind: FeatureKind,
    group: str,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    source: str,
    why: str = "",
) -> Callable[[RegisteredFunction], RegisteredFunction]:
    """Register a function as the feature of its name, and return it unchanged.

    Parameters
    ----------
    kind : {"content", "linguistic", "peers", "sources", "texts"}
        A content feature compares with references, and has a column for each set of references. A linguistic one looks
        at each summary alone; one of peers looks at the other summaries of the topic. These are given several topics
        at once. One of sources looks at the topic's documents. One of texts is given the texts as they are written
        beside their counts, `summary_texts.SummaryTexts`.
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

    def register(function: RegisteredFunction) -> RegisteredFunction:
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

_ROUGE_FEATURES = ("r1", "r3", "r4", "rl")
_DIVERGENCE_FEATURES = ("js_divergence1", "js_divergence2")

_PYRAMID_FEATURES = (
    *("pyramid1", "pyramid2", "shared1", "shared2"),
    *("weighted_recall1", "weighted_recall2", "precision1", "precision2"),
)

_READABILITY_FEATURES = ("word_length", "word_syllables", "monosyllables", "type_token_ratio")
_ANAPHORA_FEATURES = ("pronouns", "pronoun_openings", "connective_openings")

_FORM_FEATURES = (
    *("unfinished_sentences", "unclosed_sentences", "uncapitalized_sentences"),
    *("punctuation_faults", "digits", "capital_runs"),
)

_REPETITION_FEATURES = ("repeated_sentences", "repeated_bigrams", "repeated_trigrams", "norm_redundancy")
_FLOW_FEATURES = ("flow_next", "flow_near", "flow_order")
_LINGUISTIC_FEATURES = (
    _READABILITY_FEATURES,
    _ANAPHORA_FEATURES,
    _FORM_FEATURES,
    _REPETITION_FEATURES,
    _FLOW_FEATURES,
)

CONSENSUS: tuple[str, ...] = (
    *("consensus_mean1", "consensus_mean2", "consensus_sum1", "consensus_sum2", "consensus_squares1"),
    *("consensus_squares2", "consensus_top1", "consensus_top2"),
)
"""The features that look at the other systems of a topic, after Louis and Nenkova (2013)."""

ALONE_FEATURES: FeatureSet = (
    CLASSY2011,
    _ROUGE_FEATURES,
    _DIVERGENCE_FEATURES,
    _PYRAMID_FEATURES,
    ("graph_similarity",),
    *_LINGUISTIC_FEATURES,
)
"""48 features in ten units: those that depend on the row alone, computed by default for rows that are no topics."""

TOPICWISE: FeatureSet = (
    CLASSY2011,
    _DIVERGENCE_FEATURES,
    _PYRAMID_FEATURES,
    *_LINGUISTIC_FEATURES,
    CONSENSUS,
)
"""51 features in nine units: all but the two groups that take most time, graphs of characters and longer n-grams."""

DEFAULT_FEATURES: FeatureSet = (*ALONE_FEATURES, CONSENSUS)
"""The features that `feature_table` and `classy-aesop features` compute by default: all."""

FeatureNames = Iterable[str | Sequence[str]]
"""Features, groups of features, and sequences of features that form a further group."""


def columns(names: FeatureNames | None = None, *, update: bool = False) -> list[str]:
    """Column names of features, in table order.

    Parameters
    ----------
    names : iterable of str, optional
        Features and groups, in any order; by default `DEFAULT_FEATURES`, as for `sort_features`.
    update : bool
        Whether there are earlier references. If so, a content feature has two columns: ``name@A`` (compared
        with the earlier references) and ``name@B`` (with those of the summary's own set).

    Examples
    --------
    >>> columns(["redundancy1", "r2"], update=True)
    ['r2@A', 'r2@B', 'redundancy1']
    """
    return [column for name in sort_features(names) for column in columns_of(name, update)]


SEARCH_UNITS = ("features", "groups")
"""The units that a search selects: single features, or groups and features listed together."""


def units_by_name(names: FeatureNames | None = None, kind: str = "features") -> dict[str, tuple[str, ...]]:
    """Features of each unit that a search selects, by its name, in table order; ``names`` as for `sort_features`.

    With the kind ``"features"`` each feature is a unit. With ``"groups"`` each named group and each sequence of
    features is a unit; a sequence is labelled by the group of its features if they share one.

    Examples
    --------
    >>> units_by_name([["r2", "su4"], "r1"], "groups")
    {'classic': ('r2', 'su4'), 'r1': ('r1',)}
    """
    items = list(DEFAULT_FEATURES if names is None else names)
    unit_of = _label_groups(items) if kind == "groups" else {}
    features_of_unit: dict[str, tuple[str, ...]] = {}
    for name in sort_features(items):
        unit = unit_of.get(name, name)
        features_of_unit[unit] = (*features_of_unit.get(unit, ()), name)
    return features_of_unit


def _label_groups(items: Sequence[str | Sequence[str]]) -> dict[str, str]:
    """Label the features of named groups and of sequences with the group that they share, or with all their names."""
    sequences = [
        _list_features(item) if isinstance(item, str) else list(item)
        for item in items
        if not (isinstance(item, str) and item in FEATURES)
    ]
    groups_of_sequences = [
        {FEATURES[name].group for name in sequence if name in FEATURES} for sequence in sequences
    ]
    label_of: dict[str, str] = {}
    for sequence, groups in zip(sequences, groups_of_sequences, strict=True):
        is_only_one = len(groups) == 1 and groups_of_sequences.count(groups) == 1
        label_of |= dict.fromkeys(sequence, next(iter(groups)) if is_only_one else "+".join(sequence))
    return label_of


def sort_features(names: FeatureNames | None = None) -> list[str]:
    """Sort names of features into table order, group by group; the name of a group stands for all its features.

    By default `DEFAULT_FEATURES`. A name that is neither, or a feature named twice, is an `InputError`.

    Examples
    --------
    >>> sort_features(["js_divergence2", "anaphora", "r2"])
    ['r2', 'js_divergence2', 'pronouns', 'pronoun_openings', 'connective_openings']
    """
    load_outside("features")
    items = DEFAULT_FEATURES if names is None else [names] if isinstance(names, str) else names
    flat_names = [name for item in items for name in ([item] if isinstance(item, str) else item)]
    unknown = [name for name in flat_names if name not in FEATURES and name not in GROUPS]
    if unknown:
        known_names = f"of the groups {', '.join(GROUPS)} and the features {', '.join(sort_features(GROUPS))}"
        choices = f"of a plug-in (--plugin FILE.py), {known_names}"
        raise InputError(f"no feature or group is named {join_names(unknown)}; expected some {choices}")
    selected: list[str] = []
    for name in flat_names:
        selected += _list_features(name) if name in GROUPS else [name]
    repeated = [name for name, count in Counter(selected).items() if count > 1]
    if repeated:
        raise InputError(f"{join_names(repeated)} named twice in {', '.join(flat_names)}")
    return [name for group in GROUPS for name in _list_features(group) if name in selected]


def sort_row_features(names: FeatureNames | None = None) -> list[str]:
    """Sort features of rows that are no topics but single summaries with their references; by default `ALONE_FEATURES`.

    As `sort_features`; a feature that looks at the other summaries or the documents of a topic is an `InputError`.
    """
    selected = sort_features(ALONE_FEATURES if names is None else names)
    for kind, input_texts in (("peers", "other summaries"), ("sources", "documents")):
        refused = [name for name in selected if FEATURES[name].kind == kind]
        if refused:
            problem = (
                f"{join_names(refused)}: needs the {input_texts} of a topic, and the rows have no topics"
            )
            raise InputError(f"{problem}; expected a corpus")
    return selected


def group_of(column: str) -> str:
    """Group of the feature of a column (``r1@B``, ``r2~rank``), or the column's own name if it is not a feature's."""
    plain = column.removesuffix("~difference").removesuffix("~rank")
    name = plain.removesuffix("@A").removesuffix("@B")
    return FEATURES[name].group if name in FEATURES else plain


def is_peer_feature(column: str) -> bool:
    """Whether a column is a feature that looks at the other summaries of the topic."""
    return column in FEATURES and FEATURES[column].kind == "peers"


def needs_references(column: str) -> bool:
    """Whether a column (``r2@A``) is of a feature that compares with references."""
    name = column.removesuffix("@A").removesuffix("@B")
    return name in FEATURES and FEATURES[name].kind == "content"


def select_computable(names: FeatureNames | None, references: str) -> list[str]:
    """Sort the features that can be computed: with ``references = "none"`` those that need none.

    As `sort_features`; an `InputError` if none is left.
    """
    selected = sort_features(names)
    computable = [name for name in selected if references != "none" or not needs_references(name)]
    if selected and not computable:
        raise InputError(
            f"{join_names(abridge_columns(selected))}: compared with references, and there are none to compare with"
        )
    return computable


def abridge_columns(names: Sequence[str]) -> list[str]:
    """Give names of columns, with the name of a group instead of its columns if all of them are there.

    Examples
    --------
    >>> abridge_columns(["r2@A", "r2@B", "flow_next", "flow_near", "flow_order", "bertscore"])
    ['r2@A', 'r2@B', 'flow', 'bertscore']
    """
    is_update = any(name.endswith("@A") for name in names)
    complete = {group for group in GROUPS if set(names).issuperset(columns([group], update=is_update))}
    return list(dict.fromkeys(group_of(name) if group_of(name) in complete else name for name in names))


def _list_features(group: str) -> list[str]:
    """List the features of a group."""
    return [name for name, feature in FEATURES.items() if feature.group == group]


def columns_of(name: str, update: bool) -> list[str]:
    """Columns of one feature: two for a content feature of an update."""
    return [f"{name}@A", f"{name}@B"] if update and FEATURES[name].kind == "content" else [name]
