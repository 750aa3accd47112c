"""Repetition within a summary.

All features have shape (n_summaries,) and are 0 for a summary without such n-grams or sentences. Like all counts
they use stemmed tokens.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from classy_aesop.features.base import SummaryCounts, feature
from classy_aesop.text.counts import Floats, IntArray

_DISTINCT = "Li and others (2016): 1 less distinct-n"

_feature = partial(feature, kind="linguistic", group="repetition", bounds=(0, 1))


@_feature(
    source="Dang (2006), question 2: non-redundancy",
    why="the plainest redundancy: extracts of several articles, loops of a generator",
)
def repeated_sentences(written: SummaryCounts) -> Floats:
    """Share of sentences with the same terms in the same order as an earlier one."""
    n_sentences = written.summaries.n_sentences
    return (n_sentences - written.summaries.n_distinct_sentences) / np.maximum(n_sentences, 1)


@_feature(source=_DISTINCT, why="loops and repeated facts")
def repeated_bigrams(written: SummaryCounts) -> Floats:
    """Share of bigrams that occur earlier in the summary."""
    return _repeated(written.summaries.n_tokens - 1, written.summaries.n_distinct_bigrams)


@_feature(source=_DISTINCT, why="the same with fewer chance hits")
def repeated_trigrams(written: SummaryCounts) -> Floats:
    """Share of trigrams that occur earlier in the summary."""
    return _repeated(written.summaries.n_tokens - 2, written.summaries.n_distinct(3))


@_feature(
    source="Rankel (2016), section 5.4.1, as a share", why="`redundancy1` grows with length; a share does not"
)
def norm_redundancy(written: SummaryCounts) -> Floats:
    """`redundancy1` divided by the sum of squares of all singular values of X; 0 for a single sentence."""
    total, rest = written.overlaps.squares[:, 0], written.overlaps.squares[:, 1]
    return np.asarray(rest / np.where(total > 0, total, 1.0))


def _repeated(n_ngrams: IntArray, n_distinct: IntArray) -> Floats:
    """Share of n-grams that also occur earlier; ``n_ngrams`` may be below 0 where there are none."""
    return (np.maximum(n_ngrams, 0) - n_distinct) / np.maximum(n_ngrams, 1)
