"""Latent semantic analysis: is a summary about the main topic of its references, and about the same terms?

Each text is a matrix of terms by sentences, A = U S V'. Two similarities of a summary and a reference:

- ``LSA-topic``: |u_1(reference) . u_1(summary)|, the cosine of their first left singular vectors;
- ``LSA-terms``: the cosine of the lengths of the rows of U S. With all dimensions kept, as here, these are the
  lengths of the rows of A, since V is orthogonal, so no decomposition is needed.

A reading of Steinberger and Jezek, not certified: the formulas are from memory. The mean over references is our
choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.baselines.base import (
    Score,
    documents_of,
    mean_met,
    score_rows,
    vocabulary,
)
from classy_aesop.corpus.data import Topic
from classy_aesop.errors import InputError
from classy_aesop.features.table import HasTopics
from classy_aesop.text.counts import Floats, TermIds, term_ids
from classy_aesop.text.sentences import sentences

if TYPE_CHECKING:
    import pandas as pd


def _entropy_weighted(A: Floats) -> Floats:
    """Weigh terms by 1 + sum p log p / log n over the n sentences: 1 for a term of one sentence, 0 if spread evenly."""
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
"""Weights of terms in sentences: how often, whether, how often times how unevenly spread."""


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
        Each reference met (then the mean), or the source documents as one text.
    weight : {"tf", "boolean", "tf_entropy"}
        A key of `WEIGHTS`.

    Returns
    -------
    pandas.DataFrame
        Scores in 0 to 1 of the metrics ``LSA-topic`` and ``LSA-terms``: 1 for a text with itself, 0 where no term is
        shared and for an empty summary or reference, NaN where no reference is met. Where the two greatest singular
        values of a text are equal, its main topic is not determined: what the decomposition gives is taken.

    Raises
    ------
    InputError
        For an unknown choice, a topic without documents where they are asked for, or as `base.score_rows`.
    """
    if weight not in WEIGHTS or against not in ("references", "documents"):
        raise InputError(
            f"weight is {weight!r} and against {against!r}; "
            f"expected one of {', '.join(WEIGHTS)} and references or documents"
        )
    words = vocabulary(tokenizer)

    def prepare(topic: Topic) -> Mapping[str, Score]:
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
    """Count terms by sentences, a matrix (n_terms, n_sentences) a text, all over the same terms."""
    n_sentences = ids.sentence_lengths.size
    cells = np.bincount(ids.term * n_sentences + ids.sentence, minlength=ids.n_terms * n_sentences)
    whole = cells.reshape(ids.n_terms, n_sentences).astype(float)
    return [whole[:, ids.text_of_sentence == text] for text in range(ids.n_texts)]


def main_topic(A: Floats) -> Floats:
    """First left singular vector of a term-sentence matrix, its sign open; zeros where there is nothing."""
    if not A.any():
        return np.zeros(len(A))
    first: Floats = np.linalg.svd(A, full_matrices=False)[0][:, 0]
    return first


def _cosines(vectors: Floats, n_references: int) -> Floats:
    """Cosines of summaries with references, (n_summaries, n_references), of rows with the references first."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units = vectors / np.where(lengths > 0, lengths, 1.0)
    cosines: Floats = np.clip(units[n_references:] @ units[:n_references].T, -1, 1)
    return cosines
