"""Latent semantic analysis: similarity of a summary with its references, by main topic and by terms.

Each text is a matrix of terms by sentences, A = U S V'. There are two similarities of a summary and a reference:

- ``LSA-topic``: ``|u_1(reference) . u_1(summary)|``, the cosine of their first left singular vectors;
- ``LSA-terms``: the cosine of the lengths of the rows of U S. With all dimensions kept, as here, these are the
  lengths of the rows of A, since V is orthogonal, so no decomposition is needed.

This follows Steinberger and Jezek, but the formulas were not checked against their paper. The mean over references
is a choice of this package.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.baselines.base import (
    ScoreFunction,
    make_vocabulary,
    mean_over_references,
    score_rows,
    texts_of,
)
from classy_aesop.data.topics import Topic
from classy_aesop.text.arrays import Floats
from classy_aesop.text.bounds import snap_to_bounds
from classy_aesop.text.sentence_splitting import split_sentences
from classy_aesop.text.term_ids import TermIds, term_ids
from classy_aesop.text.tokens import Tokenizer

if TYPE_CHECKING:
    import pandas as pd


def lsa(corpus: Iterable[Topic], *, jackknife: bool, tokenizer: Tokenizer = "rouge") -> pd.DataFrame:
    """Score every summary by two similarities of latent semantic analysis.

    Parameters
    ----------
    corpus, jackknife, tokenizer
        As for `ngram`.

    Returns
    -------
    pandas.DataFrame
        Scores of ``LSA-topic`` and ``LSA-terms``, 0 to 1: 1 for identical texts, 0 if no term is shared or a text is
        empty, NaN for a summary compared with no reference. If the two largest singular values of a text are equal,
        its main topic is not unique, and the first one that the decomposition returns is used.
    """
    words = make_vocabulary(tokenizer)

    def prepare(topic: Topic) -> Mapping[str, ScoreFunction]:
        """Decompose the matrices of a topic's texts, and score by their main topics and by their terms."""
        texts = [split_sentences(text, "auto", tokenizer) for text in texts_of(topic)]
        matrices = term_sentence_matrices(term_ids(texts, words))
        n = len(topic.references)
        by_topic = np.abs(_compute_cosines(np.array([main_topic(A) for A in matrices]), n))
        by_terms = _compute_cosines(np.array([np.linalg.norm(A, axis=1) for A in matrices]), n)
        return {
            "LSA-topic": partial(mean_over_references, by_topic),
            "LSA-terms": partial(mean_over_references, by_terms),
        }

    return score_rows(corpus, prepare, jackknife=jackknife, tokenizer=tokenizer)


def term_sentence_matrices(ids: TermIds) -> list[Floats]:
    """Make a matrix of counts (n_terms, n_sentences) for each text, all with the same terms."""
    n_sentences = ids.sentence_lengths.size
    cells = np.bincount(ids.term * n_sentences + ids.sentence, minlength=ids.n_terms * n_sentences)
    counts = cells.reshape(ids.n_terms, n_sentences).astype(float)
    return [counts[:, ids.text_of_sentence == text] for text in range(ids.n_texts)]


def main_topic(A: Floats) -> Floats:
    """First left singular vector of a term-sentence matrix, with arbitrary sign; zeros for a zero matrix."""
    if not A.any():
        return np.zeros(len(A))
    first: Floats = np.linalg.svd(A, full_matrices=False)[0][:, 0]
    return first


def _compute_cosines(vectors: Floats, n_references: int) -> Floats:
    """Cosines of summaries with references, (n_summaries, n_references); the first rows are the references."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units = vectors / np.where(lengths > 0, lengths, 1.0)
    cosines: Floats = units[n_references:] @ units[:n_references].T
    return snap_to_bounds(cosines, -1.0, 1.0)
