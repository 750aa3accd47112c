"""Jensen-Shannon divergence between the words of a summary and those of its references or source documents.

    JS(P, Q) = (KL(P || A) + KL(Q || A)) / 2,  A = (P + Q) / 2

P is the distribution of the summary's n-grams. Q is that of its references (the mean of their distributions) or of the
source documents, as one text. Similar texts have a small divergence, so the score is its negative.
Lin, Cao, Gao and Nie (2006); against the documents, Louis and Nenkova (2013).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.baselines.base import (
    ScoreFunction,
    make_vocabulary,
    nan_without_references,
    score_rows,
    texts_of,
)
from classy_aesop.data import format_key
from classy_aesop.data.topics import Topic
from classy_aesop.errors import InputError
from classy_aesop.features.source_documents import divergence, shares_of
from classy_aesop.text.arrays import Booleans, Floats
from classy_aesop.text.ngrams import ngram_table
from classy_aesop.text.term_ids import term_ids
from classy_aesop.text.tokens import Tokenizer

if TYPE_CHECKING:
    import pandas as pd


def jensen_shannon(
    corpus: Iterable[Topic],
    *,
    jackknife: bool,
    with_documents: bool = False,
    tokenizer: Tokenizer = "rouge",
) -> pd.DataFrame:
    """Score every summary by its negative Jensen-Shannon divergence.

    Parameters
    ----------
    corpus, jackknife
        As for `rouge`; documents are never left out.
    with_documents : bool
        Whether summaries are compared with the source documents, by ``JS-1-documents`` and ``JS-2-documents``, and not
        with the mean distribution of the references.
    tokenizer : {"rouge", "unicode"}
        ASCII and stems, or any script.

    Returns
    -------
    pandas.DataFrame
        Scores from -1, if nothing is shared, to 0 for equal distributions. A summary without
        such n-grams gets the lowest score, and so do all summaries if no reference or document has any. A reference
        without any is left out of the mean distribution. The score is NaN for a summary compared with no reference.

    Raises
    ------
    InputError
        If a topic has no documents and they are needed; and as `base.score_rows`.
    """
    words = make_vocabulary(tokenizer)

    def prepare(topic: Topic) -> Mapping[str, ScoreFunction]:
        """Count a topic's n-grams, and score by their shares, a metric a length."""
        sources = [topic.documents] if with_documents else []
        if not all(sources):
            raise InputError(
                f"topic {format_key(topic.key)} has no source documents; expected the field documents in its rows"
            )
        ids = term_ids([*texts_of(topic), *sources], words)
        ending = "-documents" if with_documents else ""
        make_scorer = _score_by_documents if with_documents else _score_by_references
        return {f"JS-{n}{ending}": make_scorer(topic, shares_of(ngram_table(ids, n))) for n in (1, 2)}

    return score_rows(corpus, prepare, jackknife=jackknife and not with_documents, tokenizer=tokenizer)


js_documents = partial(jensen_shannon, with_documents=True)
"""Against the source documents, without any reference."""


def _score_by_documents(topic: Topic, distributions: Floats) -> ScoreFunction:
    """Score by the distributions of a topic's texts, (n_texts, n_types), of which the documents are the last."""
    scores = 0.0 - divergence(distributions[len(topic.references) : -1], distributions[-1])
    return lambda meets: scores


def _score_by_references(topic: Topic, distributions: Floats) -> ScoreFunction:
    """Score by the distributions of a topic's texts, (n_texts, n_types), of which the references come first."""
    references, summaries = np.split(distributions, [len(topic.references)])
    has_ngrams = references.any(axis=-1)

    def score(meets: Booleans) -> Floats:
        """Compare with the mean of the references met."""
        weights = (meets & has_ngrams).astype(float)
        mean = weights @ references / np.maximum(weights.sum(axis=-1, keepdims=True), 1)
        return nan_without_references(meets) - divergence(summaries, mean)

    return score
