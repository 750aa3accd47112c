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
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.baselines.base import ScoreFunction, make_vocabulary, pooled_recall, score_rows, texts_of
from classy_aesop.data.topics import Topic
from classy_aesop.features.table import read_topics
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
    n_with_term = Counter(
        (topic.year, topic.task, term)
        for topic in topics
        for term in set().union(*(count_terms(reference.text, words) for reference in topic.references))
    )

    def prepare(topic: Topic) -> Mapping[str, ScoreFunction]:
        """Count the references' words in a topic's texts, and score by their weights."""
        texts = [count_terms(text, words) for text in texts_of(topic)]
        terms = list(dict.fromkeys(term for text in texts[: len(topic.references)] for term in text))
        counts = np.array([[text[term] for term in terms] for text in texts], float).reshape(len(texts), -1)
        references, summaries = np.split(counts, [len(topic.references)])
        matches = np.minimum(summaries[:, None], references)
        frequency = references.sum(axis=0)
        n_with = np.array([n_with_term[topic.year, topic.task, term] for term in terms], float)
        weights = {"tf": frequency, "tfidf": frequency * np.log(n_topics[topic.year, topic.task] / n_with)}
        return {
            f"unigrams-{name}": partial(pooled_recall, matches @ of_terms, references @ of_terms)
            for name, of_terms in weights.items()
        }

    return score_rows(topics, prepare, jackknife=jackknife, tokenizer=tokenizer)


def count_terms(sentences: Iterable[str], words: Vocabulary) -> Counter[str]:
    """Count the stems of a text."""
    tokens = (token for sentence in sentences for token in words.blank(sentence).split())
    return Counter(map(words.stem, tokens) if words.stem else tokens)
