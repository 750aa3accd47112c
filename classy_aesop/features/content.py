"""Features of content: how much of the references a summary repeats, and how differently it uses words.

All have shape (n_summaries,), for the summaries of several topics, and use stemmed tokens, but for the graph of
characters, which takes the text as it is written, a sentence a line. They are 0 for a summary without such n-grams or
references without any, and NaN for a summary compared with no reference. A divergence pools the references met, and is
1 if either side has no n-gram. An update summary is compared separately with the references of the initial set and of
its own set, so each feature has two columns there.

NIST's published ROUGE scores pool the references instead of taking the best one; see `classy_aesop.baselines.rouge`.

The pyramid method has n-grams for content units. The weight of an n-gram is the number of the references met that hold
it; how often a text repeats it does not matter. Summaries that meet the same references share the tiers of n-grams of
each weight, so these are found once for each set of references.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from classy_aesop.features.counts import TopicCounts
from classy_aesop.features.registry import feature
from classy_aesop.text.arrays import Floats, IndexArray
from classy_aesop.text.bounds import snap_to_bounds
from classy_aesop.text.pair_counts import PairCounts, RowValues
from classy_aesop.text.reference_sets import ReferenceSets

_RANKEL_ON_CONTENT = "Rankel (2016), section 5.4.2"
_classic_content = partial(
    feature, kind="content", group="classic", bounds=(0, np.inf), source=_RANKEL_ON_CONTENT
)


@_classic_content(bounds=(0, 1), why="used by NIST; bigrams show content and some fluency")
def r2(topics: TopicCounts) -> Floats:
    """Bigram recall against the reference for which it is highest.

    Departs from the paper: the denominator counts the reference's bigrams. The printed one counts the summary's,
    which does not give a recall.
    """
    return topics.max_over_references(recalls(topics.bigrams))


@_classic_content(bounds=(0, 1), why="pairs of words need not be adjacent")
def su4(topics: TopicCounts) -> Floats:
    """Recall of skip-bigrams and unigrams against the reference for which it is highest.

    The two words of a skip-bigram have at most four words between them. The last unigram is not counted, as in
    ROUGE-1.5.5.
    """
    return topics.max_over_references(recalls(topics.skip_bigrams))


@_classic_content(why="weights content by how many references contain it, as a pyramid does")
def coverage(topics: TopicCounts) -> Floats:
    """Sum, over the distinct bigrams of each summary, of the share of references that contain them."""
    return topics.sum_over_references(topics.bigrams.shared_types) / np.maximum(topics.n_met, 1)


@_classic_content(why="content shared with any reference")
def bigrams(topics: TopicCounts) -> Floats:
    """Number of bigrams of each summary that match its references, pooled."""
    counts = topics.bigrams
    n_times = counts.values_of_entries(counts.n_times(topics.sets), topics.sets)
    return (
        counts.sums_of_summaries(np.minimum(counts.summaries.count, n_times)) + topics.nan_without_references
    )


@_classic_content(why="agreement with the closest reference")
def bigrams_p2p(topics: TopicCounts) -> Floats:
    """Largest number of bigrams that each summary repeats from one reference (point to point)."""
    return topics.max_over_references(topics.bigrams.clipped_hits)


@_classic_content(why="the same, without credit for repetition")
def coverage_p2p(topics: TopicCounts) -> Floats:
    """Largest number of distinct bigrams that each summary shares with one reference."""
    return topics.max_over_references(topics.bigrams.shared_types)


def recalls(ngrams: PairCounts) -> Floats:
    """Share of the reference's n-grams that the summary repeats, of each pair; 0 for a reference without any."""
    recall: Floats = ngrams.clipped_hits / np.maximum(ngrams.totals, 1).take(ngrams.pairs.reference)
    return recall


_LIN_2004 = "Lin (2004), section 2"
_rouge = partial(feature, kind="content", group="rouge", bounds=(0, 1), source=_LIN_2004)


@_rouge(why="content word by word, whatever the wording")
def r1(topics: TopicCounts) -> Floats:
    """Word recall against the reference for which it is highest."""
    return topics.max_over_references(recalls(topics.ngrams.unigrams))


@_rouge(why="wording: content in the same phrases")
def r3(topics: TopicCounts) -> Floats:
    """Trigram recall against the reference for which it is highest."""
    return topics.max_over_references(recalls(topics.ngrams.trigrams))


@_rouge(why="longer phrases; separates extracts from rewritten text")
def r4(topics: TopicCounts) -> Floats:
    """Recall of sequences of four words against the reference for which it is highest."""
    return topics.max_over_references(recalls(topics.ngrams.fourgrams))


@_rouge(source="Lin (2004), section 3.2", why="the order of words, with gaps")
def rl(topics: TopicCounts) -> Floats:
    """Recall of words in longest common subsequences, against the reference for which it is highest."""
    n_tokens = np.maximum(topics.texts.n_tokens_of_references, 1)
    return topics.max_over_references(topics.lines.subsequences / n_tokens.take(topics.pairs.reference))


_SHARES = "Lin, Cao, Gao and Nie (2006)"
_js = partial(feature, kind="content", group="divergence", bounds=(0, 1), source=_SHARES)


@_js(
    why="penalizes content that is overused as well as content that is missing; recall sees only what is missing"
)
def js_divergence1(topics: TopicCounts) -> Floats:
    """Jensen-Shannon divergence, in bits, between the words of each summary and of all its references."""
    return _divergence(topics, topics.ngrams.unigrams, topics.summaries.n_tokens)


@_js(why="the same for pairs of words")
def js_divergence2(topics: TopicCounts) -> Floats:
    """Jensen-Shannon divergence, in bits, between the bigrams of each summary and of all its references."""
    n_bigrams = np.maximum(topics.summaries.n_tokens - 1, 0)
    return _divergence(topics, topics.bigrams, n_bigrams)


def _divergence(topics: TopicCounts, ngrams: PairCounts, n_ngrams: IndexArray) -> Floats:
    """Half the sum of both sides' divergence from their mean m: sum p log2(p / m), for the shares p and q.

    Each n-gram of both reduces the largest one, 1, by p/2 (1 - log2(p / m)), and by the same with q for p.
    """
    n_times = ngrams.values_of_entries(ngrams.n_times(topics.sets), topics.sets)
    n_met = topics.pairs.sum_pairs(ngrams.totals.take(topics.pairs.reference) * topics.meets)
    common = np.flatnonzero(n_times)
    summary = ngrams.summaries.text.take(common)
    p = ngrams.summaries.count.take(common) / n_ngrams.take(summary)
    q = n_times.take(common) / n_met.take(summary)
    p_and_q = p + q
    saved = p * np.log2(p_and_q / p) + q * np.log2(p_and_q / q)
    shared = np.bincount(summary, saved, n_ngrams.size)
    return snap_to_bounds(1 - shared / 2, 0.0, 1.0) + topics.nan_without_references


_NENKOVA_2004 = "Nenkova and Passonneau (2004), on n-grams"
_pyramid = partial(feature, kind="content", group="pyramid", bounds=(0, 1), source=_NENKOVA_2004)


@_pyramid(
    why="what several references say counts more; a short summary is compared with the best one of its size"
)
def pyramid1(topics: TopicCounts) -> Floats:
    """Weight of the summary's distinct content words, as a share of the largest that so many words can have."""
    return topics.compute_once(word_tiers).share_of_ideal


@_pyramid(why="the same for pairs of words")
def pyramid2(topics: TopicCounts) -> Floats:
    """Weight of the summary's distinct bigrams, as a share of the largest that so many bigrams can have."""
    return topics.compute_once(bigram_tiers).share_of_ideal


@_pyramid(why="recall of what the references agree on")
def shared1(topics: TopicCounts) -> Floats:
    """Share of the content words of two or more references that the summary holds.

    Where no two references have one in common, of those of any reference.
    """
    return topics.compute_once(word_tiers).share_of_agreed


@_pyramid(why="the same for pairs of words")
def shared2(topics: TopicCounts) -> Floats:
    """Share of the bigrams of two or more references that the summary holds.

    Where no two references have one in common, of those of any reference.
    """
    return topics.compute_once(bigram_tiers).share_of_agreed


@_pyramid(why="recall of everything, where what several references say counts more")
def weighted_recall1(topics: TopicCounts) -> Floats:
    """Weight of the summary's distinct content words, as a share of that of all words of the references."""
    return topics.compute_once(word_tiers).weighted_recall


@_pyramid(why="the same for pairs of words")
def weighted_recall2(topics: TopicCounts) -> Floats:
    """Weight of the summary's distinct bigrams, as a share of that of all bigrams of the references."""
    return topics.compute_once(bigram_tiers).weighted_recall


@_pyramid(why="what no reference mentions is off the subject or a detail")
def precision1(topics: TopicCounts) -> Floats:
    """Share of the summary's distinct content words that some reference holds."""
    return topics.compute_once(word_tiers).precision


@_pyramid(why="the same for pairs of words")
def precision2(topics: TopicCounts) -> Floats:
    """Share of the summary's distinct bigrams that some reference holds."""
    return topics.compute_once(bigram_tiers).precision


@feature(
    kind="content",
    group="graph",
    bounds=(0, 1),
    source="Giannakopoulos and others (2008): AutoSummENG",
    why="compares characters, so other forms of a word count in part, in any language",
)
def graph_similarity(topics: TopicCounts) -> Floats:
    """Mean value similarity between the character 3-gram graphs of each summary and each of its references."""
    return topics.sum_over_references(topics.graphs.value_similarities) / np.maximum(topics.n_met, 1)


@dataclass(frozen=True, eq=False)
class Tiers:
    """Weights of n-grams, and what each summary has of them; the shares have shape (n_summaries,)."""

    ngrams: PairCounts  # those of the references in each summary
    n_distinct: IndexArray  # (n_summaries,): distinct n-grams of each, with those that no reference has
    sets: ReferenceSets
    weights: RowValues  # how many references of each set have the n-gram
    nan_without_references: Floats  # (n_summaries,)

    @classmethod
    def weigh_ngrams(cls, topics: TopicCounts, ngrams: PairCounts, n_distinct: IndexArray) -> Tiers:
        """Weigh the n-grams for each set of references that a summary meets.

        Shapes: ``n_distinct`` (n_summaries,).
        """
        weights = ngrams.n_references_with(topics.sets)
        return cls(ngrams, n_distinct, topics.sets, weights, topics.nan_without_references)

    @property
    def share_of_ideal(self) -> Floats:
        """Weight of the distinct n-grams of each summary, as a share of the largest that so many can have."""
        # The k n-grams of largest weight hold min(k, size) of each tier, and each tier adds 1 to a weight.
        sizes = self._sizes.take(self.sets.set_of_summary, axis=0)
        return self._divide(self._weight, np.minimum(self.n_distinct[:, None], sizes).sum(axis=1))

    @property
    def share_of_agreed(self) -> Floats:
        """Share of the n-grams of two or more references that each summary has; if there are none, of those of any."""
        lowest_weight = self._lowest_shared_weight.take(self.sets.set_of_summary)
        is_shared = self._weights_of_entries >= lowest_weight.take(self.ngrams.summaries.text)
        n_shared = self._sizes[np.arange(len(self._sizes)), self._lowest_shared_weight - 1]
        return self._divide(self.ngrams.sums_of_summaries(is_shared), n_shared.take(self.sets.set_of_summary))

    @property
    def weighted_recall(self) -> Floats:
        """Weight of the distinct n-grams of each summary, as a share of that of all."""
        return self._divide(self._weight, self._sizes.sum(axis=1).take(self.sets.set_of_summary))

    @property
    def precision(self) -> Floats:
        """Share of the distinct n-grams of each summary that some reference has."""
        n_known = self.ngrams.sums_of_summaries(self._weights_of_entries > 0)
        return self._divide(n_known, self.n_distinct)

    def _divide(self, count: IndexArray, total: IndexArray) -> Floats:
        """Divide counts; 0 where there is nothing to divide by, NaN where no reference is met."""
        return count / np.maximum(total, 1) + self.nan_without_references

    @cached_property
    def _weight(self) -> IndexArray:
        """Sum of the weights of the distinct n-grams that each summary has."""
        return self.ngrams.sums_of_summaries(self._weights_of_entries)

    @cached_property
    def _sizes(self) -> IndexArray:
        """Number of n-grams of each set with a weight of 1, 2, ... at least, (n_sets, ...); the last is 0."""
        weights = self.weights
        width = int(weights.values.max(initial=0)) + 2
        n_sets = self.sets.topic.size
        cells = np.bincount(weights.set_of_value * width + weights.values, minlength=n_sets * width)
        at_least = cells.reshape(n_sets, width)[:, ::-1].cumsum(axis=1)[:, ::-1]
        return at_least[:, 1:]

    @cached_property
    def _lowest_shared_weight(self) -> IndexArray:
        """Lowest weight of n-grams that count as shared, for each set of references: 2, if two share any, or 1."""
        return np.where(self._sizes[:, 1:2].any(axis=1), 2, 1)

    @cached_property
    def _weights_of_entries(self) -> IndexArray:
        """Weight of each entry's n-gram in the set of references that its summary meets."""
        return self.ngrams.values_of_entries(self.weights, self.sets)


def word_tiers(topics: TopicCounts) -> Tiers:
    """Words that are not stop words, by how many of the references met have them."""
    return Tiers.weigh_ngrams(topics, topics.ngrams.content_words, topics.summaries.n_content_words)


def bigram_tiers(topics: TopicCounts) -> Tiers:
    """Bigrams by how many of the references met have them."""
    return Tiers.weigh_ngrams(topics, topics.bigrams, topics.summaries.n_distinct_bigrams)
