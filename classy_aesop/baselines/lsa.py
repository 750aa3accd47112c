"""Latent semantic analysis: similarity of a summary with its references, by main topic and by terms.

Each text is a matrix of terms by sentences, A = U S V'. There are two similarities of a summary and a reference:

- ``LSA-topic``: ``|u_1(reference) . u_1(summary)|``, the cosine of their first left singular vectors;
- ``LSA-terms``: the cosine of the lengths of the rows of U S. With all dimensions kept, as here, these are the
  lengths of the rows of A, since V is orthogonal, so no decomposition is needed.

This follows Steinberger and Jezek, but the formulas were not checked against their paper. The mean over references
is a choice of this package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.baselines.base import Score, documents_of, mean_met, score_rows, vocabulary
from classy_aesop.data.topics import Topic
from classy_aesop.errors import InputError
from classy_aesop.features.table import HasTopics
from classy_aesop.text.arrays import Floats
from classy_aesop.text.sentences import sentences
from classy_aesop.text.terms import TermIds, term_ids

if TYPE_CHECKING:
    import pandas as pd


def _entropy_weighted(A: Floats) -> Floats:
    """Weight terms by 1 + sum p log p / log n over n sentences: 1 for a term in one sentence, 0 for an even spread."""
    from scipy.special import entr

    p = A / np.maximum(A.sum(axis=1, keepdims=True), 1)
    spread = entr(p).sum(axis=1, keepdims=True) / np.log(max(A.shape[1], 2))
    weighted: Floats = A * (1 - spread)
    return weighted


WEIGHTS: dict[str, Callable[[Floats], Floats]] = {
    "tf": lambda A: A,
    "boolean": lambda A: (A > 0).astype(float),
    "tf_entropy": _entropy_weighted,
}
"""Weights of terms in sentences: the count, whether it occurs, or the count times `_entropy_weighted`'s weight."""


def lsa(
    corpus: HasTopics | Iterable[Topic],
    *,
    jackknife: bool,
    against: str = "references",
    weight: str = "tf",
    tokenizer: str = "rouge",
) -> pd.DataFrame:
    """Score every summary by two similarities of latent semantic analysis.

    Parameters
    ----------
    corpus, jackknife, tokenizer
        As for `base.score_rows`; documents are never left out.
    against : {"references", "documents"}
        Each of a summary's references, averaged; or the source documents, as one text.
    weight : {"tf", "boolean", "tf_entropy"}
        A key of `WEIGHTS`.

    Returns
    -------
    pandas.DataFrame
        Scores of ``LSA-topic`` and ``LSA-terms``, 0 to 1: 1 for identical texts, 0 if no term is shared or a text is
        empty, NaN for a summary compared with no reference. If the two largest singular values of a text are equal,
        its main topic is not unique, and the first one that the decomposition returns is used.

    Raises
    ------
    InputError
        If an option has an unknown value, or a topic has no documents and they are needed; and as
        `base.score_rows`.
    """
    if against not in ("references", "documents"):
        raise InputError(f"against is {against!r}; expected references or documents")
    if weight not in WEIGHTS:
        raise InputError(f"weight is {weight!r}; expected one of {', '.join(WEIGHTS)}")
    words = vocabulary(tokenizer)

    def prepare(topic: Topic) -> Mapping[str, Score]:
        """Take a topic's texts apart, and score by their main topics and by their terms."""
        others = _references(topic) if against == "references" else [_source(topic)]
        texts = [*others, *(sentences(summary.text) for summary in topic.summaries)]
        matrices = [WEIGHTS[weight](A) for A in term_sentence_matrices(term_ids(texts, words))]
        found = {
            "LSA-topic": np.abs(_cosines(np.array([main_topic(A) for A in matrices]), len(others))),
            "LSA-terms": _cosines(np.array([np.linalg.norm(A, axis=1) for A in matrices]), len(others)),
        }
        return {name: _score(values, against) for name, values in found.items()}

    left_out = jackknife and against == "references"
    return score_rows(corpus, prepare, jackknife=left_out, tokenizer=tokenizer)


def _references(topic: Topic) -> list[list[str]]:
    return [sentences(reference.text) for reference in topic.references]


def _source(topic: Topic) -> list[str]:
    """Join the sentences of all source documents."""
    return [sentence for document in documents_of(topic) for sentence in sentences(document)]


def _score(values: Floats, against: str) -> Score:
    if against == "documents":
        return lambda meets: np.broadcast_to(values[:, 0], meets.shape[:-1])
    return lambda meets: mean_met(values, meets)


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


def _cosines(vectors: Floats, n_references: int) -> Floats:
    """Cosines of summaries with references, (n_summaries, n_references); the first rows are the references."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units = vectors / np.where(lengths > 0, lengths, 1.0)
    cosines: Floats = np.clip(units[n_references:] @ units[:n_references].T, -1, 1)
    return cosines
