"""The metrics of ROUGE-1.5.5: what is matched, how recall, precision and F follow, and their averages over topics.

With several references, hits are summed over them and divided by the sum of their counts (``-f A``, the average), or
only the reference with the highest recall is used (``-f B``, the best; the first one among equals). Summaries and
references may be cut to a length before they are tokenized (``-l``, ``-b``).

NIST's averages (``-t 0``) are plain means of the scores of single summaries. The original prints the mean over
bootstrap resamples of the topics instead (``-r 1000``), which differs slightly from the plain mean; its interval
(``-c 95``) is given by two of the sorted resampled means. The original's random numbers come from Perl's ``rand`` and
cannot be reproduced; ours come from a numpy `Generator`. As in the original, all metrics and summarizers share the
resamples, so that differences between them have less noise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, get_args

import numpy as np

from classy_aesop.data import natural
from classy_aesop.data.scores import with_places, without_empty_places
from classy_aesop.errors import InputError, listed
from classy_aesop.features.counts import FeatureFunction, TopicCounts
from classy_aesop.text.arrays import Floats, IntArray
from classy_aesop.text.ngrams import SPAN, NgramCounts
from classy_aesop.text.subsequences import WEIGHT

if TYPE_CHECKING:
    import pandas as pd

Name = TypeVar("Name", bound=str)
Aggregate = Literal["average", "best"]
AGGREGATES: tuple[Aggregate, ...] = get_args(Aggregate)
Statistic = Literal["R", "P", "F"]

STATISTICS: tuple[Statistic, ...] = get_args(Statistic)
"""The letters of recall, precision and F in ROUGE's output."""


@dataclass(frozen=True)
class Matches:
    """Matches between the summaries and references of a topic by one metric."""

    hits: Floats | IntArray  # (n_summaries, n_references): n-grams or words that are repeated
    wanted: Floats | IntArray  # (n_references,): all of each
    given: Floats | IntArray  # (n_summaries,)
    power: float = 1.0  # by which all are weighted (ROUGE-W); its root is taken of ratios
    rounds: bool = True  # whether the best reference is chosen by recall of five decimals

    def of_best(self, topic: TopicCounts) -> tuple[Floats, Floats, Floats]:
        """Hits, wanted and given for the reference with the highest recall; NaN if none is met."""
        recalls = _ratio(self.hits, np.asarray(self.wanted ** (1 / self.power), float))
        if not recalls.size:
            return self.pooled(topic)
        ranked = rounded(recalls) if self.rounds else recalls
        best = np.where(topic.meets, ranked, -1.0).argmax(axis=-1)
        hits = self.hits[np.arange(len(self.hits)), best] + topic.nothing_met
        return hits, self.wanted[best] + topic.nothing_met, self.given + topic.nothing_met

    def pooled(self, topic: TopicCounts) -> tuple[Floats, Floats, Floats]:
        """Sums of hits, wanted and given over the references met; NaN if none is met."""
        return topic.total(self.hits), topic.total(self.wanted), topic.total(self.given[:, None])


def _of_ngrams(ngrams: NgramCounts, given: IntArray) -> Matches:
    return Matches(ngrams.clipped_hits, ngrams.reference_totals, given)


def _n_words(topic: TopicCounts, n: int) -> IntArray:
    """Number of sequences of ``n`` words in each summary."""
    return np.maximum(topic.summaries.n_tokens - n + 1, 0)


def _n_pairs(topic: TopicCounts) -> IntArray:
    """Number of skip-bigrams in each summary."""
    pairs: IntArray = np.sum([_n_words(topic, distance + 1) for distance in range(1, SPAN + 1)], axis=0)
    return pairs


def _weighted(topic: TopicCounts) -> Matches:
    """Match by ROUGE-W like the original, which weights the references' sentences, and then their sum again."""
    lines, read = topic.lines, topic.lines.references
    weights = np.bincount(read.text_of_sentence, read.sentence_lengths**WEIGHT, minlength=read.n_texts)
    wanted, given = (np.asarray(n, float) ** WEIGHT for n in (weights, topic.summaries.n_tokens))
    return Matches(lines.weighted_subsequences, wanted, given, power=WEIGHT, rounds=False)


MATCHES: dict[str, Callable[[TopicCounts], Matches]] = {
    "ROUGE-1": lambda topic: _of_ngrams(topic.ngrams.unigrams, _n_words(topic, 1)),
    "ROUGE-2": lambda topic: _of_ngrams(topic.bigrams, _n_words(topic, 2)),
    "ROUGE-3": lambda topic: _of_ngrams(topic.ngrams.trigrams, _n_words(topic, 3)),
    "ROUGE-4": lambda topic: _of_ngrams(topic.ngrams.fourgrams, _n_words(topic, 4)),
    "ROUGE-L": lambda topic: Matches(
        topic.lines.subsequences, topic.lines.references.n_tokens, topic.summaries.n_tokens, rounds=False
    ),
    "ROUGE-W-1.2": _weighted,
    "ROUGE-S4": lambda topic: _of_ngrams(topic.ngrams.skip_pairs, _n_pairs(topic)),
    "ROUGE-SU4": lambda topic: _of_ngrams(topic.skip_bigrams, _n_pairs(topic) + _n_words(topic, 2)),
}
"""The matches of each metric. ROUGE-SU4 counts as many unigrams as bigrams, since it misses the last unigram."""


class Score(NamedTuple):
    """Recall, precision and F of one metric: arrays with one number per summary."""

    recall: Floats
    precision: Floats
    f: Floats


@dataclass(frozen=True)
class Scoring:
    """How scores are computed from matches."""

    aggregate: Aggregate = "average"  # of several references, "average" or "best"
    alpha: float = 0.5  # weight of recall: F = P R / ((1 - alpha) P + alpha R)
    rounded: bool = False  # to five decimals, before F, as the original does

    def score(self, metric: str, topic: TopicCounts) -> Score:
        """Score every summary of a topic by one metric; 0 if nothing matches, NaN if no reference is met."""
        matches = MATCHES[metric](topic)
        best = self.aggregate == "best"
        hits, wanted, given = matches.of_best(topic) if best else matches.pooled(topic)
        recall = self._kept(_ratio(hits, wanted) ** (1 / matches.power))
        precision = self._kept(_ratio(hits, given) ** (1 / matches.power))
        mixed = (1 - self.alpha) * precision + self.alpha * recall
        return Score(recall, precision, self._kept(_ratio(precision * recall, mixed)))

    def functions(
        self, metrics: Iterable[str], statistics: Iterable[Statistic] | None = None
    ) -> dict[str, FeatureFunction]:
        """Make a function for each metric and letter of ``statistics`` (``ROUGE-2-F``), by default of recall."""
        names = checked(metrics, MATCHES, "ROUGE metric")
        if statistics is None:
            return {name: self._function(name, "R") for name in names}
        letters = checked(list(statistics), STATISTICS, "statistic")
        return {f"{name}-{letter}": self._function(name, letter) for name in names for letter in letters}

    def _function(self, metric: str, letter: str) -> FeatureFunction:
        place = STATISTICS.index(letter)
        return lambda topic: self.score(metric, topic)[place]

    def _kept(self, values: Floats) -> Floats:
        return rounded(values) if self.rounded else values


def checked(names: Iterable[Name], known: Iterable[str], what: str) -> list[Name]:
    """Check that all names are known, and return them as a list."""
    listing: list[Any] = [names] if isinstance(names, str) else list(names)
    unknown = [name for name in listing if name not in set(known)]
    if unknown:
        raise InputError(f"no {what} is named {listed(unknown)}; expected some of {', '.join(known)}")
    return listing


def rounded(values: Floats) -> Floats:
    """Round to five decimals like C's printf, by the exact binary value, which `numpy.round` multiplies first."""
    flat = [round(value, 5) for value in values.ravel().tolist()]
    return np.array(flat).reshape(values.shape)


def _ratio(count: Floats | IntArray, total: Floats | IntArray) -> Floats:
    """Divide; the result is 0 where the divisor is 0."""
    zero = total == 0
    shares: Floats = np.where(zero, 0.0, count / np.where(zero, 1, total))
    return shares


RougeMetric = Literal[
    "ROUGE-1", "ROUGE-2", "ROUGE-3", "ROUGE-4", "ROUGE-L", "ROUGE-W-1.2", "ROUGE-S4", "ROUGE-SU4"
]
"""The name of a metric."""

METRICS: dict[RougeMetric, FeatureFunction] = dict(
    zip(get_args(RougeMetric), Scoring().functions(MATCHES).values(), strict=True)
)
"""Recall by every metric, as functions with which `features.rows.feature_rows` computes ROUGE too."""

PLACE = ["year", "task", "summarizer", "metric"]
N_RESAMPLES = 1_000


def rouge_averages(
    scores: pd.DataFrame,
    rng: np.random.Generator,
    *,
    n_resamples: int = N_RESAMPLES,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Average every metric of every summarizer over topics.

    Parameters
    ----------
    scores : DataFrame
        A score table; with rounded scores, the averages are those that NIST printed.
    rng : Generator
        Source of the resamples.
    n_resamples : int
        Number of bootstrap resamples of the topics, 2 or more (``-r``).
    confidence : float
        Confidence of the interval, above 0 and below 1 (``-c``, in percent there).

    Returns
    -------
    DataFrame
        ``year, task, summarizer, metric``; ``n_topics``; ``mean``, the plain mean; ``resampled``, the mean over
        the resamples; ``low`` and ``high``, the ends of the interval. Summarizers are in natural order. The averages
        are NaN if a score is.

    Raises
    ------
    InputError
        As `check_resampling`.
    """
    import pandas as pd

    check_resampling(n_resamples, confidence)
    groups = {
        key: part.to_numpy(float) for key, part in with_places(scores).groupby(PLACE, sort=False)["score"]
    }
    shares: dict[int, Floats] = {}
    rows = []
    for key in sorted(groups, key=lambda key: [natural(str(name)) for name in key[:-1]]):
        values, n = groups[key], groups[key].size
        if n not in shares:
            shares[n] = rng.multinomial(n, np.full(n, 1 / n), size=n_resamples) / n
        means = shares[n] @ values
        rows.append((*key, n, values.mean(), means.mean(), *percentiles(means, confidence)))
    table = pd.DataFrame(rows, columns=[*PLACE, "n_topics", "mean", "resampled", "low", "high"])
    return without_empty_places(table)


def check_resampling(n_resamples: int, confidence: float) -> None:
    """Check the arguments of `rouge_averages`, so that a command can do it before any scoring."""
    if n_resamples < 2:
        raise InputError(f"n_resamples is {n_resamples}; expected 2 or more")
    if not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence}; expected a number between 0 and 1")


def percentiles(means: Floats, confidence: float) -> tuple[float, float]:
    """Ends of the interval by the original's rule; both ends interpolate with the fraction of the upper end."""
    ordered, n = np.sort(means), means.size
    outside = n * round((1 - confidence) / 2, 12)
    upper, lower = int(n - outside - 1), int(outside)
    fraction = n - outside - 1 - upper
    low, high = (
        float(ordered[at] + (ordered[min(at + 1, n - 1)] - ordered[at]) * fraction) for at in (lower, upper)
    )
    return low, high


_BLANKS = re.compile(r"[ \t\n\v\f\r]+")


def first_words(sentences: Sequence[str], limit: int) -> list[str]:
    """Keep the first words, separated by white space (``-l``); a blank at the start of a sentence counts as a word."""
    kept: list[str] = []
    left = limit
    for sentence in sentences:
        ended = sentence.rstrip(" \t\n\v\f\r")
        words = _BLANKS.split(ended) if ended else []
        if len(words) >= left:
            return [*kept, " ".join(words[:left])]
        kept.append(sentence)
        left -= len(words)
    return kept


def first_bytes(sentences: Sequence[str], limit: int, *, of_text: bool = True) -> list[str]:
    """Keep the first bytes of UTF-8, not counting separators between sentences (``-b``).

    They count through the whole text, as for n-grams, or, as the original's for ROUGE-L and ROUGE-W, for each sentence:
    sentences are kept up to the first one that alone reaches the limit, which is cut.
    """
    kept: list[str] = []
    left = limit
    for sentence in sentences:
        coded = sentence.encode("utf-8", "replace")
        if len(coded) >= left:
            return [*kept, coded[:left].decode("utf-8", "replace")]
        kept.append(sentence)
        left -= len(coded) if of_text else 0
    return kept
