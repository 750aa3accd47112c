"""Recall of the references' words, each weighted by how much it says: by its frequency, or also by its rarity.

Lin and Hovy (2003), section 5, propose to weight matches of n-grams by tf, tf-idf or SVD, after Donaway et al. (2000),
and give no formula. Here the recall of unigrams of their equation 5 has weights::

    sum over stems g of w(g) min(count in summary, count in reference) / sum over g of w(g) count in reference

With tf, w(g) is the number of times that g occurs in all references of the topic; with tf-idf that number times
log(N / n), where n of the N topics of the year and task have g in a reference. Similarity by SVD is the baseline
``lsa``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from math import log
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.baselines.base import ScoreFunction, make_vocabulary, nan_without_references, score_rows
from classy_aesop.data.topics import Topic
from classy_aesop.features.table import read_topics
from classy_aesop.text.arrays import Booleans, Floats
from classy_aesop.text.tokens import Tokenizer
from classy_aesop.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    import pandas as pd


def weighted_unigrams(
    corpus: Iterable[Topic], *, jackknife: bool, tokenizer: Tokenizer = "rouge"
) -> pd.DataFrame:
    """Score every summary by the weighted recall of its references' words.

    Parameters
    ----------
    corpus, jackknife
        As for `rouge`.
    tokenizer : {"rouge", "unicode"}
        ASCII and stems, or any script.

    Returns
    -------
    pandas.DataFrame
        Scores of ``unigrams-tf`` and ``unigrams-tfidf``, 0 to 1; matches and words of several references are summed. 0
        where no word of the references has a weight, as with tf-idf in a corpus of one topic, and NaN for a summary
        compared with no reference.

    Examples
    --------
    >>> from classy_aesop import Corpus
    >>> texts = {"references": {"A": "cat cat dog"}, "text": "cat bird"}
    >>> rows = [{"topic": "t", "summarizer": "1", **texts}]
    >>> weighted_unigrams(Corpus.from_rows(rows), jackknife=False)[["metric", "score"]].values.tolist()
    [['unigrams-tf', 0.4], ['unigrams-tfidf', 0.0]]
    """
    topics = read_topics(corpus)
    words = make_vocabulary(tokenizer)
    n_topics = Counter((topic.year, topic.task) for topic in topics)
    n_with_term: dict[tuple[str, str], Counter[str]] = {}
    for topic in topics:
        terms = {term for reference in topic.references for term in count_terms(reference.text, words)}
        n_with_term.setdefault((topic.year, topic.task), Counter()).update(terms)

    def prepare(topic: Topic) -> Mapping[str, ScoreFunction]:
        """Count a topic's words, and score by their weights."""
        references = [count_terms(reference.text, words) for reference in topic.references]
        summaries = [count_terms(summary.text, words) for summary in topic.summaries]
        frequency = sum(references, Counter[str]())
        stratum = (topic.year, topic.task)
        rarity = {term: log(n_topics[stratum] / n_with_term[stratum][term]) for term in frequency}
        tfidf = {term: count * rarity[term] for term, count in frequency.items()}
        return {
            f"unigrams-{name}": partial(weighted_recall, *weighted_counts(summaries, references, weights))
            for name, weights in (("tf", dict(frequency)), ("tfidf", tfidf))
        }

    return score_rows(topics, prepare, jackknife=jackknife, tokenizer=tokenizer)


def count_terms(sentences: Iterable[str], words: Vocabulary) -> Counter[str]:
    """Count the stems of a text."""
    tokens = (token for sentence in sentences for token in words.blank(sentence).split())
    return Counter(map(words.stem, tokens) if words.stem else tokens)


def weighted_counts(
    summaries: list[Counter[str]], references: list[Counter[str]], weights: Mapping[str, float]
) -> tuple[Floats, Floats]:
    """Return the weighted matches (n_summaries, n_references), and the weighted words of each reference."""
    hits = [
        [
            sum(weights[term] * min(count, summary[term]) for term, count in reference.items())
            for reference in references
        ]
        for summary in summaries
    ]
    totals = [sum(weights[term] * count for term, count in reference.items()) for reference in references]
    return np.array(hits, float).reshape(len(summaries), len(references)), np.array(totals, float)


def weighted_recall(hits: Floats, totals: Floats, meets: Booleans) -> Floats:
    """Return the recall over the references met, (n_summaries,); 0 without weight, NaN without reference."""
    weight = (totals * meets).sum(axis=-1)
    recall: Floats = (hits * meets).sum(axis=-1) / np.where(weight > 0, weight, 1.0)
    return recall + nan_without_references(meets)
