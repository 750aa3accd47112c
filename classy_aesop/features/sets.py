"""The features of each learning method, listed one by one, so that adding a feature to a group changes none of them.

A tuple inside a set is a unit: if units are searched (``units = "groups"``), its features are selected together.
"""

from __future__ import annotations

FeatureSet = tuple[str | tuple[str, ...], ...]
"""Names of features, names of groups, and tuples of features that are selected together."""

CLASSY2011: tuple[str, ...] = (
    "r2",
    "su4",
    "coverage",
    "bigrams",
    "bigrams_p2p",
    "coverage_p2p",
    "log_term_overlap",
    "norm_term_overlap",
    "redundancy1",
    "redundancy2",
    "term_entropy",
    "neg_log2_sentences",
    "neg_sentence_entropy",
)
"""The 13 features of Rankel, Conroy and Schlesinger (2012), each selected as a unit."""

_ROUGE = ("r1", "r3", "r4", "rl")
_DIVERGENCE = ("js_divergence1", "js_divergence2")
_PYRAMID = (
    "pyramid1",
    "pyramid2",
    "shared1",
    "shared2",
    "weighted_recall1",
    "weighted_recall2",
    "precision1",
    "precision2",
)
_READABILITY = ("word_length", "word_syllables", "monosyllables", "type_token_ratio")
_ANAPHORA = ("pronouns", "pronoun_openings", "connective_openings")
_FORM = (
    "unfinished_sentences",
    "unclosed_sentences",
    "uncapitalized_sentences",
    "punctuation_faults",
    "digits",
    "capital_runs",
)
_REPETITION = ("repeated_sentences", "repeated_bigrams", "repeated_trigrams", "norm_redundancy")
_FLOW = ("flow_next", "flow_near", "flow_order")

CONSENSUS: tuple[str, ...] = (
    "consensus_mean1",
    "consensus_mean2",
    "consensus_sum1",
    "consensus_sum2",
    "consensus_squares1",
    "consensus_squares2",
    "consensus_top1",
    "consensus_top2",
)
"""The features that look at the other systems of a topic, after Louis and Nenkova (2013)."""

ALONE_FEATURES: FeatureSet = (
    CLASSY2011,
    _ROUGE,
    _DIVERGENCE,
    _PYRAMID,
    ("graph_similarity",),
    _READABILITY,
    _ANAPHORA,
    _FORM,
    _REPETITION,
    _FLOW,
)
"""48 features in ten units: those that depend on the row alone, computed by default for rows that are no topics."""

TOPICWISE: FeatureSet = (
    CLASSY2011,
    _DIVERGENCE,
    _PYRAMID,
    _READABILITY,
    _ANAPHORA,
    _FORM,
    _REPETITION,
    _FLOW,
    CONSENSUS,
)
"""51 features in nine units: all but the two groups that take most time, graphs of characters and longer n-grams."""

DEFAULT_FEATURES: FeatureSet = (*ALONE_FEATURES, CONSENSUS)
"""The features that `feature_table` and `classy-aesop features` compute by default: all."""
