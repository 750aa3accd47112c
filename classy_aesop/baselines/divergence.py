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
from classy_aesop.errors import InputError, join_names
from classy_aesop.features.source_documents import divergence, shares_of
from classy_aesop.text.arrays import Booleans, Floats
from classy_aesop.text.ngrams import ngram_table
from classy_aesop.text.term_ids import term_ids
from classy_aesop.text.tokens import Tokenizer

if TYPE_CHECKING:
    import pandas as pd

AGAINST = ("references", "documents")
"""What summaries are compared with: the mean distribution of the references, or the source documents."""


def jensen_shannon(
    corpus: Iterable[Topic],
    *,
    jackknife: bool,
    against: str = "references",
    tokenizer: Tokenizer = "rouge",
    name: str = "JS-{}",
) -> pd.DataFrame:
    """Score every summary by its negative Jensen-Shannon divergence.

    Parameters
    ----------
    corpus, jackknife
        As for `rouge`; documents are never left out.
    against : {"references", "documents"}
        One of `AGAINST`.
    name : str
        Name of the metrics, with ``{}`` for the length.
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
        If an option has an unknown value, or a topic has no documents and they are needed; and as
        `base.score_rows`.
    """
    if against not in AGAINST:
        raise InputError(f"against is {against!r}; expected one of {join_names(AGAINST)}")
    words = make_vocabulary(tokenizer)

    def prepare(topic: Topic) -> Mapping[str, ScoreFunction]:
        """Count a topic's n-grams, and score by their shares, a metric a length."""
        sources = [topic.documents] if against == "documents" else []
        if not all(sources):
            raise InputError(
                f"topic {format_key(topic.key)} has no source documents; expected the field documents in its rows"
            )
        ids = term_ids([*texts_of(topic), *sources], words)
        scores = {}
        for n in (1, 2):
            scores[name.format(n)] = _make_share_scorer(topic, shares_of(ngram_table(ids, n)), against)
        return scores

    leaves_references_out = jackknife and against != "documents"
    return score_rows(corpus, prepare, jackknife=leaves_references_out, tokenizer=tokenizer)


js_documents = partial(jensen_shannon, against="documents", name="JS-{}-documents")
"""Against the source documents, without any reference."""


def _make_share_scorer(topic: Topic, distributions: Floats, against: str) -> ScoreFunction:
    """Make the function that scores by the distributions of a topic's texts, (n_texts, n_types)."""
    n_references = len(topic.references)
    n_summaries = len(topic.summaries)
    references = distributions[:n_references]
    summaries = distributions[n_references : n_references + n_summaries]
    if against == "documents":
        scores = 0.0 - divergence(summaries, distributions[-1])
        return lambda meets: scores
    has_ngrams = references.any(axis=-1)

    def score(meets: Booleans) -> Floats:
        """Compare with the mean of the references met."""
        weights = (meets & has_ngrams).astype(float)
        mean = weights @ references / np.maximum(weights.sum(axis=-1, keepdims=True), 1)
        return nan_without_references(meets) - divergence(summaries, mean)

    return score
