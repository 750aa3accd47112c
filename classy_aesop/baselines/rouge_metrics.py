"""The metrics of ROUGE-1.5.5: what is matched, and how recall, precision and F follow.

With several references, hits are summed over them and divided by the sum of their counts (``-f A``, the average), or
only the reference with the highest recall is used (``-f B``, the best; the first one among equals).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from classy_aesop.features.counts import TopicCounts
from classy_aesop.text.arrays import Floats, IndexArray
from classy_aesop.text.common_subsequences import CommonSubsequences
from classy_aesop.text.ngrams import SPAN
from classy_aesop.text.pair_counts import PairCounts
from classy_aesop.text.sentence_pairs import SentencePairs
from classy_aesop.text.weighted_subsequences import WEIGHT

Aggregate = Literal["average", "best"]
AGGREGATES: tuple[Aggregate, ...] = get_args(Aggregate)
Statistic = Literal["R", "P", "F"]

ROUGE_STATISTICS: tuple[Statistic, ...] = get_args(Statistic)
"""The letters of recall, precision and F in ROUGE's output."""


@dataclass(frozen=True)
class Matches:
    """Matches between summaries and references by one metric.

    Shapes: ``hits`` (n_pairs,), ``reference_sizes`` (n_references,), ``summary_sizes`` (n_summaries,).
    """

    hits: Floats | IndexArray
    reference_sizes: Floats | IndexArray
    summary_sizes: Floats | IndexArray
    power: float = 1.0
    rounds: bool = True

    def select_best(self, topics: TopicCounts) -> tuple[Floats, Floats, Floats]:
        """Give hits, reference sizes and summary sizes of the reference with the highest recall; NaN if none is met."""
        reference_sizes = self.reference_sizes.take(topics.pairs.reference)
        recalls = divide_or_zero(self.hits, np.asarray(reference_sizes ** (1 / self.power), float))
        ranked = round_like_printf(recalls) if self.rounds else recalls
        summary, best = topics.pairs.find_first_max(np.where(topics.meets, ranked, -1.0))
        hits_of_best = topics.nan_without_references.copy()
        size_of_best = topics.nan_without_references.copy()
        hits_of_best[summary] += self.hits.take(best)
        size_of_best[summary] += reference_sizes.take(best)
        return hits_of_best, size_of_best, self.summary_sizes + topics.nan_without_references

    def pool_references(self, topics: TopicCounts) -> tuple[Floats, Floats, Floats]:
        """Sum hits, reference sizes and summary sizes over the references met; NaN if none is met."""
        reference_sizes = self.reference_sizes.take(topics.pairs.reference)
        summary_sizes = self.summary_sizes.take(topics.pairs.summary)
        return (
            topics.sum_over_references(self.hits),
            topics.sum_over_references(reference_sizes),
            topics.sum_over_references(summary_sizes),
        )


def _match_ngrams(ngrams: PairCounts, summary_sizes: IndexArray) -> Matches:
    """Match n-grams, each at most as often as the reference has it."""
    return Matches(ngrams.clipped_hits, ngrams.totals, summary_sizes)


def _count_sequences(topics: TopicCounts, n: int) -> IndexArray:
    """Count the sequences of ``n`` words in each summary."""
    return np.maximum(topics.texts.n_tokens_of_summaries - n + 1, 0)


def _count_skip_bigrams(topics: TopicCounts) -> IndexArray:
    """Count the skip-bigrams in each summary."""
    counts_by_distance = [_count_sequences(topics, distance + 1) for distance in range(1, SPAN + 1)]
    counts: IndexArray = np.sum(counts_by_distance, axis=0)
    return counts


def _match_skip_bigrams_and_unigrams(topics: TopicCounts) -> Matches:
    """Match by ROUGE-SU4, which counts as many unigrams as bigrams, since it misses the last unigram."""
    return _match_ngrams(topics.skip_bigrams, _count_skip_bigrams(topics) + _count_sequences(topics, 2))


def _match_lines(topics: TopicCounts) -> Matches:
    """Match by ROUGE-L, sentence by sentence."""
    return _match_subsequences(topics, topics.lines)


def _match_whole_texts(topics: TopicCounts) -> Matches:
    """Match each text as one sentence, as rougeL of the package rouge-score does."""
    return _match_subsequences(topics, CommonSubsequences(SentencePairs(topics.texts.join_sentences())))


def _match_subsequences(topics: TopicCounts, lines: CommonSubsequences) -> Matches:
    """Match the words of longest common subsequences."""
    return Matches(
        lines.subsequences,
        lines.sentences.texts.n_tokens_of_references,
        topics.texts.n_tokens_of_summaries,
        rounds=False,
    )


def _match_weighted_lines(topics: TopicCounts) -> Matches:
    """Match by ROUGE-W like the original, which weights the references' sentences, and then their sum again."""
    references = topics.lines.sentences.references
    n_references = topics.pairs.topic_of_reference.size
    weights = references.lengths**WEIGHT
    reference_sizes = np.bincount(references.reference, weights, minlength=n_references).astype(float)
    summary_sizes = topics.texts.n_tokens_of_summaries.astype(float)
    return Matches(
        topics.lines.weighted_subsequences,
        reference_sizes**WEIGHT,
        summary_sizes**WEIGHT,
        power=WEIGHT,
        rounds=False,
    )


MATCHES: dict[str, Callable[[TopicCounts], Matches]] = {
    "ROUGE-1": lambda topics: _match_ngrams(topics.ngrams.unigrams, _count_sequences(topics, 1)),
    "ROUGE-2": lambda topics: _match_ngrams(topics.bigrams, _count_sequences(topics, 2)),
    "ROUGE-3": lambda topics: _match_ngrams(topics.ngrams.trigrams, _count_sequences(topics, 3)),
    "ROUGE-4": lambda topics: _match_ngrams(topics.ngrams.fourgrams, _count_sequences(topics, 4)),
    "ROUGE-L": _match_lines,
    "ROUGE-W-1.2": _match_weighted_lines,
    "ROUGE-S4": lambda topics: _match_ngrams(topics.ngrams.skip_pairs, _count_skip_bigrams(topics)),
    "ROUGE-SU4": _match_skip_bigrams_and_unigrams,
}
"""The matches of each metric."""

ORIGINAL_NAMES = {
    "rouge1": "ROUGE-1",
    "rouge2": "ROUGE-2",
    "rouge3": "ROUGE-3",
    "rouge4": "ROUGE-4",
    "rougeLsum": "ROUGE-L",
}
"""Names of metrics in the package rouge-score, and the original's names of the same metrics."""

MATCHES_BY_PACKAGE_NAME: dict[str, Callable[[TopicCounts], Matches]] = {
    **{name: MATCHES[original] for name, original in ORIGINAL_NAMES.items()},
    "rougeL": _match_whole_texts,
}
"""The matches of metrics by their names in the package rouge-score; only ``rougeL`` is none of `MATCHES`."""

MATCHES_BY_NAME = MATCHES | MATCHES_BY_PACKAGE_NAME
"""The matches of all metrics, by both names."""


def select_known_names(names: Iterable[str], known_names: Container[str]) -> list[str]:
    """Give names of metrics; one that is not known but a name of rouge-score becomes the original's."""
    return [name if name in known_names else ORIGINAL_NAMES.get(name, name) for name in names]


_NEAR_TIE = 1e-6
"""Distance from a tie, in units of the fifth decimal, within which the product may round to the wrong side."""


def round_like_printf(values: Floats) -> Floats:
    """Round to five decimals like C's printf, by the exact binary value, which `numpy.round` multiplies first.

    Only near a tie does the product with 100,000 not decide; these few are rounded one by one.
    """
    scaled = values * 1e5
    result: Floats = np.rint(scaled) / 1e5
    near_ties = np.flatnonzero(np.abs(scaled - np.floor(scaled) - 0.5) < _NEAR_TIE)
    result.flat[near_ties] = [round(value, 5) for value in values.take(near_ties).tolist()]
    return result


def divide_or_zero(count: Floats | IndexArray, total: Floats | IndexArray) -> Floats:
    """Divide; the result is 0 where the divisor is 0."""
    is_zero = total == 0
    ratios: Floats = np.where(is_zero, 0.0, count / np.where(is_zero, 1, total))
    return ratios


OriginalMetric = Literal[
    "ROUGE-1", "ROUGE-2", "ROUGE-3", "ROUGE-4", "ROUGE-L", "ROUGE-W-1.2", "ROUGE-S4", "ROUGE-SU4"
]
PackageMetric = Literal["rouge1", "rouge2", "rouge3", "rouge4", "rougeLsum", "rougeL"]
RougeMetric = Literal[OriginalMetric, PackageMetric]
"""The name of a metric: the original's, or that of the package rouge-score."""

METRICS: tuple[OriginalMetric, ...] = get_args(OriginalMetric)
"""The metrics by the original's names."""
