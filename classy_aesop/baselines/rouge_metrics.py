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
from collections.abc import Callable, Container, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from classy_aesop.data import natural
from classy_aesop.data.scores import add_stratum_columns, drop_empty_stratum_columns
from classy_aesop.errors import InputError, listed
from classy_aesop.features.counts import FeatureFunction, TopicCounts
from classy_aesop.text.arrays import Floats, IntArray
from classy_aesop.text.lines import Lines
from classy_aesop.text.ngrams import SPAN
from classy_aesop.text.pair_counts import PairCounts
from classy_aesop.text.sentence_pairs import SentencePairs
from classy_aesop.text.weighted_subsequences import WEIGHT

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
    """Matches between summaries and references by one metric."""

    hits: Floats | IntArray  # (n_pairs,): n-grams or words that are repeated
    reference_sizes: Floats | IntArray  # (n_references,): number of all n-grams or words
    summary_sizes: Floats | IntArray  # (n_summaries,): the same
    power: float = 1.0  # by which all are weighted (ROUGE-W); its root is taken of ratios
    rounds: bool = True  # whether the best reference is chosen by recall of five decimals

    def select_best(self, topics: TopicCounts) -> tuple[Floats, Floats, Floats]:
        """Hits and sizes for the reference with the highest recall; NaN if none is met."""
        reference_sizes = self.reference_sizes.take(topics.pairs.reference)
        recalls = _ratio(self.hits, np.asarray(reference_sizes ** (1 / self.power), float))
        ranked = rounded(recalls) if self.rounds else recalls
        summary, best = topics.pairs.first_greatest(np.where(topics.meets, ranked, -1.0))
        hits_of_best = topics.nothing_met.copy()
        size_of_best = topics.nothing_met.copy()
        hits_of_best[summary] += self.hits.take(best)
        size_of_best[summary] += reference_sizes.take(best)
        return hits_of_best, size_of_best, self.summary_sizes + topics.nothing_met

    def pool_references(self, topics: TopicCounts) -> tuple[Floats, Floats, Floats]:
        """Sums of hits and sizes over the references met; NaN if none is met."""
        reference_sizes = self.reference_sizes.take(topics.pairs.reference)
        summary_sizes = self.summary_sizes.take(topics.pairs.summary)
        return topics.total(self.hits), topics.total(reference_sizes), topics.total(summary_sizes)


def _match_ngrams(ngrams: PairCounts, summary_sizes: IntArray) -> Matches:
    return Matches(ngrams.clipped_hits, ngrams.totals, summary_sizes)


def _n_words(topics: TopicCounts, n: int) -> IntArray:
    """Number of sequences of ``n`` words in each summary."""
    return np.maximum(topics.texts.n_tokens_of_summaries - n + 1, 0)


def _n_pairs(topics: TopicCounts) -> IntArray:
    """Number of skip-bigrams in each summary."""
    pairs: IntArray = np.sum([_n_words(topics, distance + 1) for distance in range(1, SPAN + 1)], axis=0)
    return pairs


def _match_lines(topics: TopicCounts) -> Matches:
    return _match_subsequences(topics, topics.lines)


def _match_whole_texts(topics: TopicCounts) -> Matches:
    """Match each text as one sentence, as rougeL of the package rouge-score does."""
    return _match_subsequences(topics, Lines(SentencePairs(topics.texts.join_sentences())))


def _match_subsequences(topics: TopicCounts, lines: Lines) -> Matches:
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
    "ROUGE-1": lambda topics: _match_ngrams(topics.ngrams.unigrams, _n_words(topics, 1)),
    "ROUGE-2": lambda topics: _match_ngrams(topics.bigrams, _n_words(topics, 2)),
    "ROUGE-3": lambda topics: _match_ngrams(topics.ngrams.trigrams, _n_words(topics, 3)),
    "ROUGE-4": lambda topics: _match_ngrams(topics.ngrams.fourgrams, _n_words(topics, 4)),
    "ROUGE-L": _match_lines,
    "ROUGE-W-1.2": _match_weighted_lines,
    "ROUGE-S4": lambda topics: _match_ngrams(topics.ngrams.skip_pairs, _n_pairs(topics)),
    "ROUGE-SU4": lambda topics: _match_ngrams(topics.skip_bigrams, _n_pairs(topics) + _n_words(topics, 2)),
}
"""The matches of each metric. ROUGE-SU4 counts as many unigrams as bigrams, since it misses the last unigram."""

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

_MATCHES_BY_NAME = MATCHES | MATCHES_BY_PACKAGE_NAME


class Score(NamedTuple):
    """Recall, precision and F of one metric: arrays with one number per summary."""

    recall: Floats
    precision: Floats
    f: Floats


@dataclass(frozen=True)
class Scoring:
    """How scores are computed from matches."""

    aggregate: Aggregate = "average"  # of several references, "average" or "best"
    recall_weight: float = 0.5  # w of F = 1 / (w / R + (1 - w) / P); ROUGE's alpha is 1 - w
    rounded: bool = False  # to five decimals, before F, as the original does

    def score(self, metric: str, topics: TopicCounts) -> Score:
        """Score every summary by one metric; 0 if nothing matches, NaN if no reference is met."""
        matches = topics.once(_MATCHES_BY_NAME[metric])
        is_best = self.aggregate == "best"
        hits, reference_sizes, summary_sizes = (
            matches.select_best(topics) if is_best else matches.pool_references(topics)
        )
        recall = self._round(_ratio(hits, reference_sizes) ** (1 / matches.power))
        precision = self._round(_ratio(hits, summary_sizes) ** (1 / matches.power))
        mixed = self.recall_weight * precision + (1 - self.recall_weight) * recall
        return Score(recall, precision, self._round(_ratio(precision * recall, mixed)))

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
        return lambda topics: self.score(metric, topics)[place]

    def _round(self, values: Floats) -> Floats:
        return rounded(values) if self.rounded else values


def checked(names: Iterable[Name], known: Iterable[str], what: str) -> list[Name]:
    """Check that all names are known, and return them as a list, each once."""
    expected = f"expected some of {', '.join(known)}"
    if not isinstance(names, Iterable):
        raise InputError(f"no {what} is named {names!r}; {expected}")
    listing: list[Any] = [names] if isinstance(names, str) else list(names)
    unknown = [name for name in listing if not isinstance(name, str) or name not in set(known)]
    if unknown:
        raise InputError(f"no {what} is named {listed(map(str, unknown))}; {expected}")
    if not listing:
        raise InputError(f"no {what} is named; {expected}")
    return list(dict.fromkeys(listing))


def select_known_names(names: Iterable[str], known: Container[str]) -> list[str]:
    """Give names of metrics; one that is not known but a name of rouge-score becomes the original's."""
    return [name if name in known else ORIGINAL_NAMES.get(name, name) for name in names]


def rounded(values: Floats) -> Floats:
    """Round to five decimals like C's printf, by the exact binary value, which `numpy.round` multiplies first.

    Only near a tie does the product with 100,000 not decide; these few are rounded one by one.
    """
    scaled = values * 1e5
    result: Floats = np.rint(scaled) / 1e5
    near_ties = np.flatnonzero(np.abs(scaled - np.floor(scaled) - 0.5) < _NEAR_TIE)
    result.flat[near_ties] = [round(value, 5) for value in values.take(near_ties).tolist()]
    return result


_NEAR_TIE = 1e-6


def _ratio(count: Floats | IntArray, total: Floats | IntArray) -> Floats:
    """Divide; the result is 0 where the divisor is 0."""
    zero = total == 0
    shares: Floats = np.where(zero, 0.0, count / np.where(zero, 1, total))
    return shares


OriginalMetric = Literal[
    "ROUGE-1", "ROUGE-2", "ROUGE-3", "ROUGE-4", "ROUGE-L", "ROUGE-W-1.2", "ROUGE-S4", "ROUGE-SU4"
]
PackageMetric = Literal["rouge1", "rouge2", "rouge3", "rouge4", "rougeLsum", "rougeL"]
RougeMetric = Literal[OriginalMetric, PackageMetric]
"""The name of a metric: the original's, or that of the package rouge-score."""

METRICS: dict[OriginalMetric, FeatureFunction] = dict(
    zip(get_args(OriginalMetric), Scoring().functions(MATCHES).values(), strict=True)
)
"""Recall by every metric, as functions with which `features.rows.feature_rows` computes ROUGE too."""

PLACE = ["year", "task", "summarizer", "metric"]
N_RESAMPLES = 1_000


ScoreGroups = dict[tuple[str, ...], Floats]
"""The scores of each year, task, summarizer and metric, a topic after another."""


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
    return average_groups(group_scores(scores), rng, n_resamples=n_resamples, confidence=confidence)


def group_scores(scores: pd.DataFrame) -> ScoreGroups:
    """Group the scores of a table by year, task, summarizer and metric."""
    groups = add_stratum_columns(scores).groupby(PLACE, sort=False)["score"]
    return {tuple(map(str, key)): group.to_numpy(float) for key, group in groups}


def join_groups(blocks: Iterable[ScoreGroups]) -> ScoreGroups:
    """Join the groups of several tables, in their order."""
    arrays: dict[tuple[str, ...], list[Floats]] = {}
    for groups in blocks:
        for key, values in groups.items():
            arrays.setdefault(key, []).append(values)
    return {key: np.concatenate(values) for key, values in arrays.items()}


def average_groups(
    groups: ScoreGroups,
    rng: np.random.Generator,
    *,
    n_resamples: int = N_RESAMPLES,
    confidence: float = 0.95,
    n_jobs: int = 1,
) -> pd.DataFrame:
    """Average the scores of each group.

    Parameters
    ----------
    groups : dict of tuple to array
        The result of `group_scores`, or of `join_groups`.
    rng, n_resamples, confidence
        As for `rouge_averages`.
    n_jobs : int
        With 2 or more, resamples are averaged while the next ones are drawn.

    Returns
    -------
    DataFrame
        As `rouge_averages`.

    Raises
    ------
    InputError
        As `check_resampling`.
    """
    import pandas as pd

    check_resampling(n_resamples, confidence)
    keys = sorted(groups, key=lambda key: [natural(str(name)) for name in key[:-1]])
    keys_by_size: dict[int, list[Any]] = {}
    for key in keys:
        keys_by_size.setdefault(groups[key].size, []).append(key)
    means: dict[Any, Floats] = {}
    for size_keys in keys_by_size.values():
        columns = [groups[key] for key in size_keys]
        means |= zip(size_keys, _resample_means(columns, rng, n_resamples, n_jobs), strict=True)
    rows = [
        (
            *key,
            groups[key].size,
            groups[key].mean(),
            means[key].mean(),
            *percentiles(means[key], confidence),
        )
        for key in keys
    ]
    table = pd.DataFrame(rows, columns=[*PLACE, "n_topics", "mean", "resampled", "low", "high"])
    return drop_empty_stratum_columns(table)


_CELLS_OF_BLOCK = 1 << 17
"""Topics of resamples that are drawn at once; so many numbers stay in the cache."""


def _resample_means(
    columns: Sequence[Floats], rng: np.random.Generator, n_resamples: int, n_jobs: int
) -> Floats:
    """Means over resamples of the topics of several columns (n_topics,): shape (n_columns, n_resamples)."""
    n_topics = columns[0].size
    n_together = max(1, _CELLS_OF_BLOCK // n_topics)
    means = np.empty((len(columns), n_resamples))

    def average(counts: NDArray[np.int64], start: int) -> None:
        """Average over the resamples from ``start`` on, given how often each has each topic."""
        shares = counts / n_topics
        for number, values in enumerate(columns):
            means[number, start : start + len(counts)] = shares @ values

    with ThreadPoolExecutor(1) as thread:
        averaging = None
        for start in range(0, n_resamples, n_together):
            size = min(n_together, n_resamples - start)
            counts = rng.multinomial(n_topics, np.full(n_topics, 1 / n_topics), size=size)
            if n_jobs == 1:
                average(counts, start)
                continue
            if averaging is not None:
                averaging.result()
            averaging = thread.submit(average, counts, start)
        if averaging is not None:
            averaging.result()
    return means


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
