"""Linguistic features: how a summary is written, regardless of the references.

The definitions are those of Rankel (2016), section 5.4.1. X is the matrix of the numbers of distinct terms that each
two sentences of a summary share, with singular values in descending order; sentences without a token do not count.
All features have shape (n_summaries,) and use logarithms to base 2. All are 0 for an empty summary, which counts as
one sentence.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from classy_aesop.features.base import SummaryCounts, feature
from classy_aesop.text.counts import Floats

_SOURCE = "Rankel (2016), section 5.4.1"

_feature = partial(feature, kind="linguistic", group="classic", bounds=(0, np.inf), source=_SOURCE)


@_feature(why="sentences that share terms with the next one are coherent")
def log_term_overlap(written: SummaryCounts) -> Floats:
    """Logarithm of 1 plus the sum, over the sentences, of the number of terms shared with the next one."""
    return np.log2(1 + written.overlaps.shared)


@_feature(why="the same, but long sentences do not count more")
def norm_term_overlap(written: SummaryCounts) -> Floats:
    """Sum of the terms that neighbours share, each over the geometric mean of both sentences' numbers of terms."""
    return written.overlaps.shared_norm


@_feature(why="what remains after removing the sentences' common theme")
def redundancy1(written: SummaryCounts) -> Floats:
    """Sum of squares of all singular values of X except the largest; high if little is repeated."""
    return written.overlaps.squares[:, 1]


@_feature(why="the same for the two strongest themes")
def redundancy2(written: SummaryCounts) -> Floats:
    """Sum of squares of all singular values of X except the two largest."""
    return written.overlaps.squares[:, 2]


@_feature(why="a varied vocabulary")
def term_entropy(written: SummaryCounts) -> Floats:
    """Entropy of the terms of each summary, in bits.

    Departs from the paper: it calls the term counts column sums, although terms are the rows.
    """
    return written.entropy(*written.summaries.type_counts)


@_feature(bounds=(-np.inf, 0), why="few long sentences or many short ones")
def neg_log2_sentences(written: SummaryCounts) -> Floats:
    """Minus the logarithm of the number of sentences."""
    return 0.0 - np.log2(np.maximum(written.summaries.n_sentences, 1))


@_feature(bounds=(-np.inf, 0), why="sentences of even length")
def neg_sentence_entropy(written: SummaryCounts) -> Floats:
    """Minus the entropy of the sentence lengths, in bits.

    Departs from the paper: its text defines the entropy itself; its tables list the negative, as here.
    """
    return 0.0 - written.entropy(written.summaries.sentence_lengths, written.summaries.text_of_sentence)
