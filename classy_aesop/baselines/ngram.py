"""Metrics of n-grams beside ROUGE: its predecessor Ngram(i,j), VERT-like scores, BLEU and chrF.

Ngram(i,j) is the recall of n-grams of several lengths at once::

    C_n = matches of n-grams with the references, clipped / n-grams of the references
    Ngram(i,j) = exp(sum over n = i..j of w_n log C_n),  w_n = 1 / (j - i + 1)

There is no brevity bonus (BB = 1). Lin and Hovy (2003), section 4, on stems. They had one reference per topic; with
several, matches and n-grams are summed over the references, as in ROUGE.

VERT-like scores are not VERT-F (de Oliveira et al.), whose formulas were not available, but follow its description
(word bigrams, chi-square, precision, recall, F), as separate metrics. Scores of VERT-F itself can be imported.

BLEU and chrF of single summaries are those of the package sacreBLEU (extra ``sacrebleu``), 0 to 100, all references
at once. BLEU is that of a sentence with effective order: lengths of n-grams without a match at the end do not count.
Texts are joined by spaces; the tokenizers are sacreBLEU's own. Post (2018), "A call for clarity in reporting BLEU
scores".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from classy_aesop.baselines.base import (
    ScoreFunction,
    make_vocabulary,
    mean_over_references,
    pooled_recall,
    score_rows,
    texts_of,
)
from classy_aesop.data.topics import Topic
from classy_aesop.errors import InputError, UsageError
from classy_aesop.text.arrays import Booleans, Floats, IndexArray
from classy_aesop.text.bounds import snap_to_bounds
from classy_aesop.text.count_tables import NgramCounts
from classy_aesop.text.ngrams import ngram_table
from classy_aesop.text.term_ids import term_ids
from classy_aesop.text.tokens import Tokenizer, function_words, remove_words
from classy_aesop.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    import pandas as pd


def ngram(
    corpus: Iterable[Topic],
    *,
    jackknife: bool,
    lengths: tuple[int, int] = (1, 4),
    stop_words: bool = True,
    tokenizer: Tokenizer = "rouge",
) -> pd.DataFrame:
    """Score every summary by Ngram(i,j).

    Parameters
    ----------
    corpus, jackknife
        As for `rouge`.
    lengths : pair of int
        The shortest and the longest n-grams, i and j.
    stop_words : bool
        Whether to keep stop words; otherwise those of this package's own list are removed first.
    tokenizer : {"rouge", "unicode"}
        ASCII and stems, or any script.

    Returns
    -------
    pandas.DataFrame
        Scores of the metric ``Ngram(i,j)``, 0 to 1; its name ends with ``-content`` if stop words are removed. The
        score is 0 if some length has no match, as in a text of fewer than j words, and NaN for a summary compared
        with no reference.

    Raises
    ------
    InputError
        If the lengths are not 1 or more in ascending order; and as `base.score_rows`.
    """
    first, last = lengths
    if not 1 <= first <= last:
        raise InputError(f"lengths of n-grams are {first} to {last}; expected 1 or more, ascending")
    words = make_vocabulary(tokenizer)
    if not stop_words:
        blank = words.blank
        words = Vocabulary(lambda text: remove_words(blank(text), function_words()), words.stem)
    name = f"Ngram({first},{last})" + ("" if stop_words else "-content")

    def prepare(topic: Topic) -> Mapping[str, ScoreFunction]:
        """Count a topic's n-grams of all lengths, and score by them."""
        counts_by_length = count_all_ngrams(topic, range(first, last + 1), words)

        def score(meets: Booleans) -> Floats:
            """Give the geometric mean, over lengths, of the recall over all references met."""
            recalls = [
                pooled_recall(counts.clipped_hits, counts.reference_totals, meets)
                for counts in counts_by_length
            ]
            mean: Floats = np.prod(recalls, axis=0) ** (1 / len(recalls))
            return mean

        return {name: score}

    return score_rows(corpus, prepare, jackknife=jackknife, tokenizer=tokenizer)


def count_all_ngrams(topic: Topic, lengths: Iterable[int], words: Vocabulary) -> list[NgramCounts]:
    """Count all n-grams of a topic's summaries and references, separately for each length."""
    ids = term_ids(texts_of(topic), words)
    tables = (ngram_table(ids, n) for n in lengths)
    n_references = len(topic.references)
    return [NgramCounts(table[n_references:], table[:n_references]) for table in tables]


def vert_like(corpus: Iterable[Topic], *, jackknife: bool, tokenizer: Tokenizer = "rouge") -> pd.DataFrame:
    """Score every summary by its bigrams: the mean over its references.

    Parameters
    ----------
    corpus, jackknife, tokenizer
        As for `ngram`.

    Returns
    -------
    pandas.DataFrame
        Scores of ``VERT-like-precision``, ``-recall``, ``-f1`` (with clipped matches) and ``-chi2``, 0 to 1. The last
        is 1 / (1 + X2 / df), where X2 is the chi-square statistic of the table of two texts by bigrams; it is 1 for
        equal shares. All scores are 0 if either text has no bigram, and NaN for a summary compared with no reference.
    """
    words = make_vocabulary(tokenizer)

    def prepare(topic: Topic) -> Mapping[str, ScoreFunction]:
        """Count a topic's bigrams, and score by how similar their counts are."""
        [counts] = count_all_ngrams(topic, [2], words)
        return {
            name: partial(mean_over_references, values) for name, values in vert_similarities(counts).items()
        }

    return score_rows(corpus, prepare, jackknife=jackknife, tokenizer=tokenizer)


def vert_similarities(counts: NgramCounts) -> dict[str, Floats]:
    """Compare every summary with every reference: values of shape (n_summaries, n_references), by metric."""
    hits = counts.clipped_hits
    summaries = np.asarray(counts.summaries, np.intp)
    references = np.asarray(counts.references, np.intp)
    summary_totals = summaries.sum(axis=1)[:, None]
    reference_totals = counts.reference_totals
    return {
        "VERT-like-precision": hits / np.maximum(summary_totals, 1),
        "VERT-like-recall": hits / np.maximum(reference_totals, 1),
        "VERT-like-f1": 2 * hits / np.maximum(summary_totals + reference_totals, 1),
        "VERT-like-chi2": chi_square_similarity(summaries[:, None], references),
    }


def chi_square_similarity(first: IndexArray, second: IndexArray) -> Floats:
    """1 / (1 + X2 / df) of two rows of counts along the last axis; 0 if one is all zero, 1 for a single type."""
    n_first = first.sum(axis=-1, keepdims=True)
    n_second = second.sum(axis=-1, keepdims=True)
    column_totals = first + second
    # X2 of a table of two rows: sum of (n_2 x_1 - n_1 x_2)^2 / (x_1 + x_2), divided by n_1 n_2.
    terms = (n_second * first - n_first * second) ** 2 / np.maximum(column_totals, 1)
    products = (n_first * n_second)[..., 0]
    chi_square = terms.sum(axis=-1) / np.maximum(products, 1)
    degrees_of_freedom = np.maximum((column_totals > 0).sum(axis=-1) - 1, 1)
    return np.where(products > 0, 1 / (1 + chi_square / degrees_of_freedom), 0.0)


def bleu(corpus: Iterable[Topic], *, jackknife: bool) -> pd.DataFrame:
    """Score every summary by BLEU.

    Parameters
    ----------
    corpus, jackknife
        As for `rouge`.

    Returns
    -------
    pandas.DataFrame
        Scores of the metric ``BLEU``, 0 to 100; NaN for a summary compared with no reference.

    Raises
    ------
    UsageError
        If sacreBLEU is not installed.
    """
    return _score_by_sacrebleu(corpus, "BLEU", _import_sacrebleu().BLEU(effective_order=True), jackknife)


def chrf(corpus: Iterable[Topic], *, jackknife: bool) -> pd.DataFrame:
    """Score every summary by chrF, the F-score of n-grams of characters; otherwise as `bleu`."""
    return _score_by_sacrebleu(corpus, "chrF", _import_sacrebleu().CHRF(), jackknife)


def _import_sacrebleu() -> Any:
    """Import the package sacreBLEU, which has no types, or say how to install it."""
    try:
        import sacrebleu
    except ModuleNotFoundError:
        raise UsageError("BLEU and chrF need sacrebleu: pip install sacrebleu") from None
    return sacrebleu


def _score_by_sacrebleu(corpus: Iterable[Topic], name: str, metric: Any, jackknife: bool) -> pd.DataFrame:
    """Score every summary by a metric object of sacreBLEU."""

    def prepare(topic: Topic) -> Mapping[str, ScoreFunction]:
        """Join each text of a topic, and score by the metric."""
        texts = [" ".join(summary.text) for summary in topic.summaries]
        references = [" ".join(reference.text) for reference in topic.references]
        return {name: partial(_score_texts, metric, texts, references)}

    return score_rows(corpus, prepare, jackknife=jackknife, tokenizer="unicode")


def _score_texts(metric: Any, texts: list[str], references: list[str], meets: Booleans) -> Floats:
    """Score each text against the references that it meets; shape (n_summaries,)."""
    scores = np.full(len(texts), np.nan)
    for number in np.flatnonzero(meets.any(axis=1)).tolist():
        references_met = [
            reference for reference, meets_it in zip(references, meets[number], strict=True) if meets_it
        ]
        scores[number] = metric.sentence_score(texts[number], references_met).score
    return snap_to_bounds(scores, 0.0, 100.0)
