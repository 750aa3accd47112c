"""Features of content: how much of the references a summary repeats, and how differently it uses words.

All have shape (n_summaries,) and use stemmed tokens, but for the graph of characters, which takes the text as it is
written, a sentence a line. They are 0 for a summary without such n-grams or references without any, and NaN for a
summary compared with no reference. A divergence pools the references met, and is 1 if either side has no n-gram. An
update summary is compared separately with the references of the initial set and of its own set, so each feature has
two columns there.

NIST's published ROUGE scores pool the references instead of taking the best one; see `classy_aesop.baselines.rouge`.

The pyramid method has n-grams for content units. The weight of an n-gram is the number of the references met that hold
it; how often a text repeats it does not matter. Summaries that meet the same references share the tiers of n-grams of
each weight, so these are found once for each set of references.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from math import prod

import numpy as np

from classy_aesop.features.counts import TopicCounts
from classy_aesop.features.registry import feature
from classy_aesop.text.arrays import Booleans, Counts, Floats, IntArray, SmallIntegers, exact_product
from classy_aesop.text.bounds import snap_to_bounds
from classy_aesop.text.ngrams import NgramCounts

_SECTION = "Rankel (2016), section 5.4.2"
_classic = partial(feature, kind="content", group="classic", bounds=(0, np.inf), source=_SECTION)


@_classic(bounds=(0, 1), why="used by NIST; bigrams show content and some fluency")
def r2(topic: TopicCounts) -> Floats:
    """Bigram recall against the reference for which it is highest.

    Departs from the paper: the denominator counts the reference's bigrams. The printed one counts the summary's,
    which does not give a recall.
    """
    return topic.best_reference(recalls(topic.bigrams))


@_classic(bounds=(0, 1), why="pairs of words need not be adjacent")
def su4(topic: TopicCounts) -> Floats:
    """Recall of skip-bigrams and unigrams against the reference for which it is highest.

    The two words of a skip-bigram have at most four words between them. The last unigram is not counted, as in
    ROUGE-1.5.5.
    """
    return topic.best_reference(recalls(topic.skip_bigrams))


@_classic(why="weights content by how many references contain it, as a pyramid does")
def coverage(topic: TopicCounts) -> Floats:
    """Sum, over the distinct bigrams of each summary, of the share of references that contain them."""
    return topic.total(topic.bigrams.shared_types) / np.maximum(topic.n_met, 1)


@_classic(why="content shared with any reference")
def bigrams(topic: TopicCounts) -> Floats:
    """Number of bigrams of each summary that match its references, pooled."""
    hits: Floats = topic.bigrams.pooled_hits(topic.pooled_bigrams) + topic.nothing_met
    return hits


@_classic(why="agreement with the closest reference")
def bigrams_p2p(topic: TopicCounts) -> Floats:
    """Largest number of bigrams that each summary repeats from one reference (point to point)."""
    return topic.best_reference(topic.bigrams.clipped_hits)


@_classic(why="the same, without credit for repetition")
def coverage_p2p(topic: TopicCounts) -> Floats:
    """Largest number of distinct bigrams that each summary shares with one reference."""
    return topic.best_reference(topic.bigrams.shared_types)


def recalls(ngrams: NgramCounts) -> Floats:
    """Share of each reference's n-grams that each summary repeats; 0 for a reference without any."""
    return ngrams.clipped_hits / np.maximum(ngrams.reference_totals, 1)


_ROUGE = "Lin (2004), section 2"
_rouge = partial(feature, kind="content", group="rouge", bounds=(0, 1), source=_ROUGE)


@_rouge(why="content word by word, whatever the wording")
def r1(topic: TopicCounts) -> Floats:
    """Word recall against the reference for which it is highest."""
    return topic.best_reference(recalls(topic.ngrams.unigrams))


@_rouge(why="wording: content in the same phrases")
def r3(topic: TopicCounts) -> Floats:
    """Trigram recall against the reference for which it is highest."""
    return topic.best_reference(recalls(topic.ngrams.trigrams))


@_rouge(why="longer phrases; separates extracts from rewritten text")
def r4(topic: TopicCounts) -> Floats:
    """Recall of sequences of four words against the reference for which it is highest."""
    return topic.best_reference(recalls(topic.ngrams.fourgrams))


@_rouge(source="Lin (2004), section 3.2", why="the order of words, with gaps")
def rl(topic: TopicCounts) -> Floats:
    """Recall of words in longest common subsequences, against the reference for which it is highest."""
    return topic.best_reference(topic.lines.subsequences / np.maximum(topic.lines.references.n_tokens, 1))


_SHARES = "Lin, Cao, Gao and Nie (2006)"
_js = partial(feature, kind="content", group="divergence", bounds=(0, 1), source=_SHARES)


@_js(
    why="penalizes content that is overused as well as content that is missing; recall sees only what is missing"
)
def js_divergence1(topic: TopicCounts) -> Floats:
    """Jensen-Shannon divergence, in bits, between the words of each summary and of all its references."""
    words = topic.ngrams.unigrams
    return _divergence(topic, words, topic.summaries.n_tokens, words.pooled(topic.meets))


@_js(why="the same for pairs of words")
def js_divergence2(topic: TopicCounts) -> Floats:
    """Jensen-Shannon divergence, in bits, between the bigrams of each summary and of all its references."""
    n_bigrams = np.maximum(topic.summaries.n_tokens - 1, 0)
    return _divergence(topic, topic.bigrams, n_bigrams, topic.pooled_bigrams)


def _divergence(topic: TopicCounts, ngrams: NgramCounts, n_ngrams: IntArray, pooled: SmallIntegers) -> Floats:
    """Half the sum of both sides' divergence from their mean m: sum p log2(p / m), for the shares p and q.

    Each n-gram of both reduces the largest one, 1, by p/2 (1 - log2(p / m)), and by the same with q for p.
    """
    counts, sizes = ngrams.summaries, topic.meets @ ngrams.reference_totals
    n = prod(sizes.shape[:-1])  # of choices of references
    choices = zip(pooled.reshape(n, *counts.shape), sizes.reshape(n, len(counts)), strict=True)
    shared = np.array([_shared(counts, n_ngrams, *one) for one in choices]).reshape(sizes.shape)
    return snap_to_bounds(1 - shared / 2, 0.0, 1.0) + topic.nothing_met


def _shared(counts: Counts, n_ngrams: IntArray, pooled: SmallIntegers, sizes: IntArray) -> Floats:
    """Sum, over the n-grams of both sides, of what each of them takes from twice the divergence, (n_summaries,)."""
    common = np.flatnonzero((counts > 0) & (pooled > 0))
    owner = common // max(counts.shape[1], 1)
    p = counts.take(common) / n_ngrams.take(owner)
    q = pooled.take(common) / sizes.take(owner)
    both = p + q
    saved = p * np.log2(both / p) + q * np.log2(both / q)
    return np.bincount(owner, saved, n_ngrams.size).astype(float, copy=False)


_PYRAMID = "Nenkova and Passonneau (2004), on n-grams"
_pyramid = partial(feature, kind="content", group="pyramid", bounds=(0, 1), source=_PYRAMID)


@_pyramid(
    why="what several references say counts more; a short summary is compared with the best one of its size"
)
def pyramid1(topic: TopicCounts) -> Floats:
    """Weight of the summary's distinct content words, as a share of the largest that so many words can have."""
    return _share(topic, topic.once(word_tiers).weight, topic.once(word_tiers).ideal_weight)


@_pyramid(why="the same for pairs of words")
def pyramid2(topic: TopicCounts) -> Floats:
    """Weight of the summary's distinct bigrams, as a share of the largest that so many bigrams can have."""
    return _share(topic, topic.once(bigram_tiers).weight, topic.once(bigram_tiers).ideal_weight)


@_pyramid(why="recall of what the references agree on")
def shared1(topic: TopicCounts) -> Floats:
    """Share of the content words of two or more references that the summary holds.

    Where no two references have one in common, of those of any reference.
    """
    return _share(topic, topic.once(word_tiers).n_shared, topic.once(word_tiers).most_shared)


@_pyramid(why="the same for pairs of words")
def shared2(topic: TopicCounts) -> Floats:
    """Share of the bigrams of two or more references that the summary holds.

    Where no two references have one in common, of those of any reference.
    """
    return _share(topic, topic.once(bigram_tiers).n_shared, topic.once(bigram_tiers).most_shared)


@_pyramid(why="recall of everything, where what several references say counts more")
def weighted_recall1(topic: TopicCounts) -> Floats:
    """Weight of the summary's distinct content words, as a share of that of all words of the references."""
    return _share(topic, topic.once(word_tiers).weight, topic.once(word_tiers).total_weight)


@_pyramid(why="the same for pairs of words")
def weighted_recall2(topic: TopicCounts) -> Floats:
    """Weight of the summary's distinct bigrams, as a share of that of all bigrams of the references."""
    return _share(topic, topic.once(bigram_tiers).weight, topic.once(bigram_tiers).total_weight)


@_pyramid(why="what no reference mentions is off the subject or a detail")
def precision1(topic: TopicCounts) -> Floats:
    """Share of the summary's distinct content words that some reference holds."""
    return _share(topic, topic.once(word_tiers).n_known, topic.once(word_tiers).n_distinct)


@_pyramid(why="the same for pairs of words")
def precision2(topic: TopicCounts) -> Floats:
    """Share of the summary's distinct bigrams that some reference holds."""
    return _share(topic, topic.once(bigram_tiers).n_known, topic.once(bigram_tiers).n_distinct)


def _share(topic: TopicCounts, count: IntArray, total: IntArray) -> Floats:
    return count / np.maximum(total, 1) + topic.nothing_met


@feature(
    kind="content",
    group="graph",
    bounds=(0, 1),
    source="Giannakopoulos and others (2008): AutoSummENG",
    why="compares characters, so other forms of a word count in part, in any language",
)
def graph_similarity(topic: TopicCounts) -> Floats:
    """Mean value similarity between the character 3-gram graphs of each summary and each of its references."""
    similarities = topic.graphs.value_similarities[:, topic.ngrams.references]
    return topic.total(similarities) / np.maximum(topic.n_met, 1)


@dataclass(frozen=True, eq=False)
class Tiers:
    """Weights of n-grams, and those in each summary; all properties have shape (..., n_summaries)."""

    ngrams: NgramCounts  # those of the references in each summary
    n_distinct: IntArray  # (n_summaries,): distinct n-grams of each, with those that no reference holds
    set_of: IntArray  # (..., n_summaries): which set of references each summary meets
    weights: SmallIntegers  # (n_sets, n_ngrams): how many references of each set hold the n-gram
    sizes: IntArray  # (n_sets, n_references + 1): n-grams of a weight of 1, 2, ... at least; the last is 0

    @classmethod
    def of(cls, topic: TopicCounts, ngrams: NgramCounts, n_distinct: IntArray) -> Tiers:
        """Weigh the n-grams for each set of references that a summary meets."""
        holds, set_of = topic.once(reference_sets)
        weights = exact_product(holds, ngrams.references.T > 0)
        sizes = (weights[:, None] > np.arange(holds.shape[1] + 1, dtype=np.float32)[:, None]).sum(axis=2)
        return cls(ngrams, n_distinct, set_of, weights, sizes)

    @property
    def weight(self) -> IntArray:
        """Sum of the weights of the distinct n-grams that each summary holds."""
        return self._held[..., 0]

    @property
    def n_known(self) -> IntArray:
        """Number of distinct n-grams that each summary shares with some reference."""
        return self._held[..., 1]

    @property
    def n_shared(self) -> IntArray:
        """Number of distinct n-grams of each summary that two references hold; one, if no two hold the same."""
        return self._held[..., 2]

    @property
    def most_shared(self) -> IntArray:
        """Number of n-grams that two references hold; one, if no two hold the same."""
        in_both: IntArray = self.sizes[np.arange(len(self.sizes)), self._least_shared - 1]
        return in_both[self.set_of]

    @property
    def ideal_weight(self) -> IntArray:
        """Largest sum of weights that as many n-grams as the summary has can have."""
        # The k n-grams of largest weight hold min(k, size) of each tier, and each tier adds 1 to a weight.
        ideal: IntArray = np.minimum(self.n_distinct[:, None], self.sizes[self.set_of]).sum(axis=-1)
        return ideal

    @property
    def total_weight(self) -> IntArray:
        """Sum of the weights of all n-grams."""
        total: IntArray = self.sizes.sum(axis=1)[self.set_of]
        return total

    @cached_property
    def _least_shared(self) -> IntArray:
        """Least weight of n-grams that count as shared, for each set of references: 2, if two share any, or 1."""
        return np.where(self.sizes[:, 1:2].any(axis=1), 2, 1)

    @cached_property
    def _held(self) -> IntArray:
        """Weight, number of known and number of shared n-grams of each summary, shape (..., n_summaries, 3)."""
        is_shared = self.weights >= self._least_shared[:, None]
        counted = np.concatenate([self.weights, self.weights > 0, is_shared])
        sums = self.ngrams.held_sums(counted).reshape(self.n_distinct.size, 3, len(self.weights))
        held: IntArray = sums[np.arange(self.n_distinct.size), :, self.set_of]
        return held


def reference_sets(topic: TopicCounts) -> tuple[Booleans, IntArray]:
    """Give the distinct sets of references (n_sets, n_references), all of them first, and which each summary meets."""
    *shape, n_references = topic.meets.shape
    rows = topic.meets.reshape(prod(shape), n_references)
    of_row, sets = np.zeros(len(rows), np.intp), {np.ones(n_references, bool).tobytes(): 0}
    for at in np.flatnonzero(~rows.all(axis=1)).tolist():  # few: most meet all references
        of_row[at] = sets.setdefault(rows[at].tobytes(), len(sets))
    return np.frombuffer(b"".join(sets), bool).reshape(len(sets), n_references), of_row.reshape(shape)


def word_tiers(topic: TopicCounts) -> Tiers:
    """Words that are not stop words, by how many of the references met hold them."""
    return Tiers.of(topic, topic.ngrams.content_words, topic.summaries.n_content_words)


def bigram_tiers(topic: TopicCounts) -> Tiers:
    """Bigrams by how many of the references met hold them."""
    return Tiers.of(topic, topic.bigrams, topic.summaries.n_distinct_bigrams)
