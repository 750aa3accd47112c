"""VERT-like scores: precision, recall and F1 of bigrams, and a chi-square similarity of their counts.

These are not VERT-F (de Oliveira et al.), whose formulas were not available, but follow its description (word bigrams,
chi-square, precision, recall, F), as separate metrics. Scores of VERT-F itself can be imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.baselines.base import Score, mean_met, score_rows, vocabulary
from classy_aesop.baselines.ngram import all_counts
from classy_aesop.data.topics import Topic
from classy_aesop.text.arrays import Floats, IntArray
from classy_aesop.text.ngrams import NgramCounts

if TYPE_CHECKING:
    import pandas as pd


def vert_like(corpus: Iterable[Topic], *, jackknife: bool, tokenizer: str = "rouge") -> pd.DataFrame:
    """Score every summary by its bigrams: the mean over its references.

    Parameters
    ----------
    corpus, jackknife
        As for `rouge`.
    tokenizer : {"rouge", "unicode"}
        ASCII and stems, or any script.

    Returns
    -------
    pandas.DataFrame
        Scores of ``VERT-like-precision``, ``-recall``, ``-f1`` (with clipped matches) and ``-chi2``, 0 to 1. The last
        is 1 / (1 + X2 / df), where X2 is the chi-square statistic of the table of two texts by bigrams; it is 1 for
        equal shares. All scores are 0 if either text has no bigram, and NaN for a summary compared with no reference.
    """
    words = vocabulary(tokenizer)

    def prepare(topic: Topic) -> Mapping[str, Score]:
        """Count a topic's bigrams, and score by how similar their counts are."""
        [counts] = all_counts(topic, [2], words)
        return {name: partial(mean_met, values) for name, values in similarities(counts).items()}

    return score_rows(corpus, prepare, jackknife=jackknife, tokenizer=tokenizer)


def similarities(counts: NgramCounts) -> dict[str, Floats]:
    """Compare every summary with every reference: values of shape (n_summaries, n_references), by metric."""
    hits = counts.clipped_hits
    summaries, references = (np.asarray(one, np.intp) for one in (counts.summaries, counts.references))
    n_summary, n_reference = summaries.sum(axis=1)[:, None], counts.reference_totals
    return {
        "VERT-like-precision": hits / np.maximum(n_summary, 1),
        "VERT-like-recall": hits / np.maximum(n_reference, 1),
        "VERT-like-f1": 2 * hits / np.maximum(n_summary + n_reference, 1),
        "VERT-like-chi2": chi_square_similarity(summaries[:, None], references),
    }


def chi_square_similarity(first: IntArray, second: IntArray) -> Floats:
    """1 / (1 + X2 / df) of two rows of counts along the last axis; 0 if one is all zero, 1 for a single type."""
    n_first, n_second = first.sum(axis=-1, keepdims=True), second.sum(axis=-1, keepdims=True)
    both = first + second
    # X2 of a table of two rows: sum of (n_2 x_1 - n_1 x_2)^2 / (x_1 + x_2), divided by n_1 n_2.
    terms = (n_second * first - n_first * second) ** 2 / np.maximum(both, 1)
    products = (n_first * n_second)[..., 0]
    chi_square = terms.sum(axis=-1) / np.maximum(products, 1)
    df = np.maximum((both > 0).sum(axis=-1) - 1, 1)
    return np.where(products > 0, 1 / (1 + chi_square / df), 0.0)
