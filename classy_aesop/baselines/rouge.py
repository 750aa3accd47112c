"""ROUGE as NIST computed it: recall over all references, stemmed, stop words kept.

Equal to ``ROUGE-1.5.5.pl -n 2 -2 4 -u -m -f A -t 0``: hits summed over the references, divided by the sum of
their counts. To compare systems with people NIST scored a system by the mean over leaving one reference out;
a person's summary meets the other references anyhow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.corpus.data import Topic
from classy_aesop.errors import InputError, listed
from classy_aesop.features.base import FeatureFunction, TopicCounts
from classy_aesop.features.options import FeatureOptions
from classy_aesop.features.rows import feature_rows
from classy_aesop.features.table import HasTopics, topics_of
from classy_aesop.scores import COLUMNS
from classy_aesop.text.counts import Floats, NgramCounts, Vocabulary
from classy_aesop.text.stems import stem, stem_without_exceptions
from classy_aesop.text.tokens import rouge_blanked

if TYPE_CHECKING:
    import pandas as pd

STEMMERS: dict[str, Callable[[str], str] | None] = {
    "exceptions": stem,
    "porter": stem_without_exceptions,
    "none": None,
}
"""Ways to stem: with WordNet's exception list (ROUGE's ``-m``), by Porter's rules alone, not at all."""


def rouge(
    corpus: HasTopics | Iterable[Topic],
    *,
    jackknife: bool,
    stemming: str = "exceptions",
    metrics: Iterable[str] = ("ROUGE-2", "ROUGE-SU4"),
) -> pd.DataFrame:
    """Score every summary by the recall of ROUGE.

    Parameters
    ----------
    corpus : Corpus or iterable of Topic
        The summaries and the references that each of them meets.
    jackknife : bool
        Whether systems are scored by the mean over leaving one reference out, to be compared with people.
    stemming : {"exceptions", "porter", "none"}
        A key of `STEMMERS`.
    metrics : iterable of str
        Keys of `METRICS`; those of the TAC evaluations by default.

    Returns
    -------
    pandas.DataFrame
        A score table; scores lie in 0 to 1, are not rounded, are 0 where nothing matches and NaN where no
        reference is met.

    Raises
    ------
    InputError
        For an unknown metric, or if a topic has fewer than two references and one is to be left out.
    """
    import pandas as pd

    options = FeatureOptions(sentences="given", references="jackknife" if jackknife else "unequal")
    vocabulary = Vocabulary(rouge_blanked, STEMMERS[stemming])
    chosen = _chosen(metrics)
    rows: list[tuple[str, ...]] = []
    scores: list[Floats] = []
    for topic in feature_rows(topics_of(corpus), options, names=(), metrics=chosen, vocabulary=vocabulary):
        for metric, values in topic.scores.items():
            scores.append(values)
            rows += [(*topic.key, summarizer, metric) for summarizer in topic.summarizers]
    table = pd.DataFrame(rows, columns=COLUMNS[:-1], dtype=str)
    return table.assign(score=np.concatenate(scores) if scores else np.zeros(0))


def rouge_1(topic: TopicCounts) -> Floats:
    """Share of the words of all references met that each summary repeats."""
    return _pooled_recall(topic, topic.ngrams.unigrams)


def rouge_2(topic: TopicCounts) -> Floats:
    """Share of the bigrams of all references met that each summary repeats."""
    return _pooled_recall(topic, topic.bigrams)


def rouge_su4(topic: TopicCounts) -> Floats:
    """Share of the skip-bigrams and unigrams of all references met that each summary repeats."""
    return _pooled_recall(topic, topic.skip_bigrams)


METRICS: dict[str, FeatureFunction] = {"ROUGE-1": rouge_1, "ROUGE-2": rouge_2, "ROUGE-SU4": rouge_su4}
"""What `rouge` computes; `features.rows.feature_rows` takes it too, to count texts once for both."""


def _chosen(metrics: Iterable[str]) -> dict[str, FeatureFunction]:
    names = list(metrics)
    unknown = [name for name in names if name not in METRICS]
    if unknown:
        raise InputError(f"no ROUGE metric is named {listed(unknown)}; expected some of {', '.join(METRICS)}")
    return {name: METRICS[name] for name in names}


def _pooled_recall(topic: TopicCounts, ngrams: NgramCounts) -> Floats:
    counts = topic.total(ngrams.reference_totals)
    return topic.total(ngrams.clipped_hits) / np.maximum(counts, 1)
