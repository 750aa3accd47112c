"""Repetition within a summary.

All features have shape (n_summaries,) and are 0 for a summary without such n-grams or sentences. Like all counts
they use stemmed tokens.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.features.base import TopicCounts, feature
from classy_aesop.features.overlaps import summed
from classy_aesop.text.counts import Floats, IntArray, TermIds

_DISTINCT = "Li and others (2016): 1 less distinct-n"


@feature(
    kind="linguistic", group="repetition", bounds=(0, 1), source="Dang (2006), question 2: non-redundancy"
)
def repeated_sentences(topic: TopicCounts) -> Floats:
    """Share of sentences with the same terms in the same order as an earlier one."""
    ends = np.cumsum(topic.summaries.sentence_lengths)
    terms = [sentence.tobytes() for sentence in np.split(topic.summaries.term, ends)[:-1]]
    distinct = set(zip(topic.summaries.text_of_sentence.tolist(), terms, strict=True))
    n_sentences = topic.summaries.n_sentences
    n_distinct = np.bincount(np.fromiter((text for text, _ in distinct), np.intp), minlength=n_sentences.size)
    return (n_sentences - n_distinct) / np.maximum(n_sentences, 1)


@feature(kind="linguistic", group="repetition", bounds=(0, 1), source=_DISTINCT)
def repeated_bigrams(topic: TopicCounts) -> Floats:
    """Share of bigrams that occur earlier in the summary."""
    return _repeated(topic.summaries, 2)


@feature(kind="linguistic", group="repetition", bounds=(0, 1), source=_DISTINCT)
def repeated_trigrams(topic: TopicCounts) -> Floats:
    """Share of trigrams that occur earlier in the summary."""
    return _repeated(topic.summaries, 3)


@feature(
    kind="linguistic", group="repetition", bounds=(0, 1), source="Rankel (2016), section 5.4.1, as a share"
)
def norm_redundancy(topic: TopicCounts) -> Floats:
    """`redundancy1` divided by the sum of squares of all singular values of X; 0 for a single sentence."""
    squares = np.square(topic.overlaps.singular_values)
    total = summed(squares)
    return summed(squares[:, 1:]) / np.where(total > 0, total, 1.0)


def _repeated(texts: TermIds, n: int) -> Floats:
    """Share of each text's n-grams that also occur earlier in it; n-grams may span sentences."""
    whole = np.flatnonzero(texts.text[n - 1 :] == texts.text[: texts.text.size - n + 1])
    key: IntArray = texts.text[whole]
    for place in range(n):
        # Renumbered each time, so that keys stay small.
        key = np.unique(key * texts.n_terms + texts.term[whole + place], return_inverse=True)[1]
    n_ngrams = np.maximum(texts.n_tokens - n + 1, 0)
    _, first = np.unique(key, return_index=True)
    n_distinct = np.bincount(texts.text[whole[first]], minlength=texts.n_texts)
    return (n_ngrams - n_distinct) / np.maximum(n_ngrams, 1)
