"""The features of each method of learning, written out: a feature that joins a group later changes none of them.

A tuple inside a set is a unit: where units are searched (``units = "groups"``), its features come and go together.
"""

from __future__ import annotations

FeatureSet = tuple[str | tuple[str, ...], ...]
"""Features by name, groups of features by name, and tuples of features that belong together."""

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
"""The 13 of Rankel, Conroy and Schlesinger (2012), each a unit of its own."""

CLASSY2026: FeatureSet = (
    CLASSY2011,
    ("r1", "r3", "r4", "rl"),
    ("js_divergence1", "js_divergence2"),
    ("graph_similarity",),
    ("word_length", "word_syllables", "monosyllables", "type_token_ratio"),
    ("pronouns", "pronoun_openings", "connective_openings"),
    (
        "unfinished_sentences",
        "unclosed_sentences",
        "uncapitalized_sentences",
        "punctuation_faults",
        "digits",
        "capital_runs",
    ),
    ("repeated_sentences", "repeated_bigrams", "repeated_trigrams", "norm_redundancy"),
    ("flow_next", "flow_near", "flow_order"),
)
"""40 features in nine units, each one of the groups of docs/features.md as it stood when the method was made."""

DEFAULT_FEATURES = CLASSY2026
"""What `feature_table`, `classy-aesop features` and a configuration use where nothing is named."""
