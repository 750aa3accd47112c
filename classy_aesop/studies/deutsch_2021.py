"""Deutsch et al. (2021): the power of tests of two metrics, coverage and normality, intervals, and which is better."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from classy_aesop.analysis.metric_pairs import compare_metrics
from classy_aesop.analysis.metrics import IntervalMethod, IntervalOptions, evaluate
from classy_aesop.analysis.tables import judged_grids, only, places, warn_of_few_resamples
from classy_aesop.data import matrix, mean_ratings, natural
from classy_aesop.data.corpus import Corpus
from classy_aesop.data.scores import with_places
from classy_aesop.data.topics import Topic
from classy_aesop.errors import InputError
from classy_aesop.significance.base import ALPHA, is_significant
from classy_aesop.significance.choices import AnyLevel, Coefficient, Correction, TestOfMetrics
from classy_aesop.significance.descriptive import normality
from classy_aesop.significance.simulations import INTERVALS as METHODS
from classy_aesop.significance.simulations import POWER_TESTS as TESTS
from classy_aesop.significance.simulations import interval_coverage, metric_power
from classy_aesop.studies.judged import Judged, StudyData, only_metrics
from classy_aesop.studies.printed import with_printed
from classy_aesop.text.arrays import Booleans, Floats, IntArray
from classy_aesop.text.ngrams import NgramCounts
from classy_aesop.text.stems import stem
from classy_aesop.text.terms import term_ids
from classy_aesop.text.tokens import rouge_blanked
from classy_aesop.text.vocabulary import Vocabulary
from classy_aesop.work.seeding import seeded_rng

TABLE_1 = "Deutsch et al. (2021), Table 1"

IDS = ["year", "task", "metric", "target"]
"""The first columns of a row, before the attributes of `Coverage`."""


def table_coverage(
    tables: Sequence[pd.DataFrame],
    target: str,
    *,
    metrics: Sequence[str] | None = None,
    levels: Iterable[str] = ("system", "input"),
    coefficient: str = "pearson",
    methods: Iterable[str] = METHODS,
    confidence: float = 0.95,
    year: str | None = None,
    task: str | None = None,
    n_trials: int = 1_000,
    n_resamples: int = 1_000,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Share of intervals from one half of the summarizers and topics that contain the other half's correlation.

    Parameters
    ----------
    tables : sequence of DataFrame
        Scores and judgments.
    target, metrics, year, task
        As for :func:`classy_aesop.analysis.tables.judged_grids`.
    levels : iterable of str
        As for :func:`classy_aesop.significance.correlation.correlation`.
    coefficient, methods, confidence, n_trials, n_resamples
        As for :func:`classy_aesop.significance.simulations.interval_coverage`.
    seed : int
        Every metric and level has its own resamples, which depend on the seed and its name.
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame
        A row for each metric, level and method: ``year, task, metric, target``, the attributes of `Coverage`, and
        ``seed``; with ``printed`` where the data are the paper's.

    Raises
    ------
    UsageError
        If the target, a metric, the year or the task does not exist.
    InputError
        If no instance is in both tables.
    """
    from tqdm import tqdm

    grids = judged_grids(tables[0], tables[1], target, metrics=metrics, year=year, task=task)
    jobs = [(grid, name, level) for grid in grids for name in grid.metrics for level in levels]
    if not jobs:
        raise InputError("no metric is left to study; expected one or more")
    rows = []
    for grid, name, level in tqdm(jobs, disable=not progress, unit="metric"):
        ids = dict(zip(IDS, (grid.year, grid.task, name, target), strict=True))
        found = interval_coverage(
            grid.metrics[name],
            grid.truth,
            methods=methods,
            level=level,
            coefficient=coefficient,
            confidence=confidence,
            n_trials=n_trials,
            n_resamples=n_resamples,
            rng=seeded_rng(seed, *ids.values(), level, coefficient),
        )
        rows += [{**ids, **one.to_dict(), "seed": seed} for one in found]
    keys = ["metric", "target", "coefficient", "method", "level"]
    printed, as_there = {"coverage": "printed"}, confidence == 0.95
    return with_printed(
        pd.DataFrame(rows), mean_ratings(tables[1]), TABLE_1, keys, printed, as_there=as_there
    )


TABLE_2 = "Deutsch et al. (2021), Table 2"


def score_normality(
    data: StudyData,
    target: str,
    *,
    metrics: Sequence[str] | None = None,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Shapiro-Wilk tests of the human scores and of each metric.

    Parameters
    ----------
    data : StudyData
        The corpora, metrics and peers.
    target : str
        The human measure.
    metrics : sequence of str, optional
        Only these metrics.
    alpha : float
        As for :func:`classy_aesop.significance.descriptive.normality`.

    Returns
    -------
    DataFrame
        ``year, task, metric, percent_rejected`` (of the topics, those whose scores are not normal), ``p_means`` (of the
        summarizers' means), ``n_tested, n_skipped`` (topics), ``alpha``; the human measure first. With
        ``printed_percent, printed_p`` where the data are the paper's.
    """
    tables = data.tables("no_models")
    truth = only(tables.judgments, "metric", [target], what="target")
    rows = [
        {"year": place[0], "task": place[1], "metric": name, **_tested(group, name, alpha)}
        for side in (truth, only_metrics(tables.scores, metrics))
        for place, group in places(side.dropna(subset="score")).items()
        for name in sorted(set(group["metric"]), key=natural)
    ]
    printed = {"percent_rejected": "printed_percent", "p_means": "printed_p"}
    return with_printed(
        pd.DataFrame(rows), tables.judgments, TABLE_2, ["metric"], printed, as_there=alpha == ALPHA
    )


def _tested(rows: pd.DataFrame, metric: str, alpha: float) -> dict[str, float]:
    found = normality(matrix(rows, metric)[0], alpha=alpha).to_dict()
    return {"percent_rejected": 100 * found.pop("share_rejected"), **found}


SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""The shares of tokens that are kept in the paper."""

VARIANTS = ("recall", "f1")


@dataclass(frozen=True)
class TopicTokens:
    """The tokens of the systems' summaries of one topic.

    Parameters
    ----------
    rows : array of int, shape (n_summaries,)
        Each summary's row in the score matrix.
    text, term : array of int, shape (n_tokens,)
        Summary and term of each token, summaries ascending.
    references : array of int, shape (n_references, n_terms)
        How often each reference has each term of the references.
    meets : array of bool, shape (n_summaries, n_references)
        Which references a summary is compared with.
    """

    rows: IntArray
    text: IntArray
    term: IntArray
    references: IntArray
    meets: Booleans

    def rouge(self, share: float, variant: str, rng: np.random.Generator) -> Floats:
        """ROUGE-1 of each summary on a random ``share`` of its tokens, rounded down, shape (n_summaries,)."""
        kept = self._kept(share, rng)
        n, n_terms = len(self.rows), self.references.shape[1]
        known = kept[self.term[kept] < n_terms]
        cells = np.bincount(self.text[known] * n_terms + self.term[known], minlength=n * n_terms)
        counts = NgramCounts(cells.reshape(n, n_terms), self.references)
        hits = (counts.clipped_hits * self.meets).sum(axis=1)
        in_references = (counts.reference_totals * self.meets).sum(axis=1)
        if variant == "recall":
            return np.asarray(hits / np.maximum(in_references, 1))
        # hits are summed over references, so the summary's tokens count once per reference
        in_summary = np.bincount(self.text[kept], minlength=n) * self.meets.sum(axis=1)
        return np.asarray(2 * hits / np.maximum(in_references + in_summary, 1))

    def _kept(self, share: float, rng: np.random.Generator) -> IntArray:
        lengths = np.bincount(self.text, minlength=len(self.rows))
        order = np.argsort(self.text + rng.random(self.text.size))
        place = np.arange(self.text.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        # share times length may be slightly below a whole number because of rounding
        return np.asarray(order[place < np.floor(share * lengths + 1e-9)[self.text]])


def corpus_power(
    corpus: Corpus,
    target: str,
    *,
    levels: Iterable[str] = ("system", "input"),
    references: Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
    shares: Sequence[float] = SHARES,
    variant: str = "recall",
    coefficient: str = "pearson",
    n_trials: int = 1_000,
    n_resamples: int = 1_000,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Power of `rouge_power` at several levels, on one year and task of a corpus.

    Parameters
    ----------
    corpus, target, shares, variant, coefficient, n_trials, n_resamples, progress
        As for :func:`rouge_power`.
    levels : iterable of str
        The levels; each has its own random numbers, which depend on the seed and its name.
    references : sequence of str, optional
        Use only these references.
    year, task : str, optional
        Required if the corpus has several.
    seed : int
        Seed of the random numbers.

    Returns
    -------
    DataFrame
        As of :func:`rouge_power`, with ``target``, ``variant`` and ``seed``.

    Raises
    ------
    InputError
        As :func:`rouge_power`, and if a year, task or reference does not exist.
    """
    warn_of_few_resamples(n_resamples, 1)
    part = corpus.select(
        years=None if year is None else [year], tasks=None if task is None else [task], references=references
    )
    tables = [
        rouge_power(
            part,
            target,
            shares=shares,
            variant=variant,
            level=level,
            coefficient=coefficient,
            n_trials=n_trials,
            n_resamples=n_resamples,
            rng=seeded_rng(seed, target, variant, level, coefficient),
            progress=progress,
        )
        for level in levels
    ]
    return pd.concat(tables, ignore_index=True).assign(target=target, variant=variant, seed=seed)


def rouge_power(
    corpus: Corpus,
    target: str,
    *,
    shares: Sequence[float] = SHARES,
    variant: str = "recall",
    tests: Iterable[str] = TESTS,
    level: str = "system",
    coefficient: str = "pearson",
    n_trials: int = 1_000,
    n_resamples: int = 1_000,
    rng: np.random.Generator,
    progress: bool = False,
) -> pd.DataFrame:
    """Power of tests of two metrics to distinguish ROUGE-1 from ROUGE-1 on a share of the tokens.

    Parameters
    ----------
    corpus : Corpus
        Judged summaries of one year and task; those by humans are left out, as in the paper.
    target : str
        The judgment that the metrics are correlated with.
    shares : sequence of float
        Shares of tokens that are kept, above 0 and up to 1.
    variant : {"recall", "f1"}
        ROUGE-1's recall (in the paper for TAC and REALSumm) or F1 (for SummEval), over all references of a summary.
    tests, level, coefficient, n_trials, n_resamples, rng
        As for :func:`classy_aesop.significance.simulations.metric_power`; every trial drops other tokens.
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame
        A row for each share and test: ``share`` and the attributes of `MetricPower`.

    Raises
    ------
    InputError
        If the variant is unknown, a share is out of range, there are several years or tasks, or nobody judged the
        target.
    """
    from tqdm import tqdm

    if variant not in VARIANTS:
        raise InputError(f"variant is {variant!r}; expected one of {', '.join(VARIANTS)}")
    for share in shares:
        if not 0 < share <= 1:
            raise InputError(f"share is {share}; expected a number above 0 and up to 1")
    Z, topics = systems_tokens(corpus, target)
    X = rouge_1(topics, Z.shape, 1.0, variant, rng)
    rows = []
    for share in tqdm(shares, disable=not progress, unit="share"):
        spoilt = (rouge_1(topics, Z.shape, share, variant, rng) for _ in range(n_trials))
        found = metric_power(
            X, Z, spoilt, tests=tests, level=level, coefficient=coefficient, n_resamples=n_resamples, rng=rng
        )
        rows += [{"share": share, **power.to_dict()} for power in found]
    return pd.DataFrame(rows)


def rouge_1(
    topics: Sequence[TopicTokens],
    shape: tuple[int, ...],
    share: float,
    variant: str,
    rng: np.random.Generator,
) -> Floats:
    """ROUGE-1 on a share of the tokens as summarizers x topics, NaN where a summary or its references are missing."""
    scores = np.full(shape, np.nan)
    for column, topic in enumerate(topics):
        has_reference = topic.meets.any(axis=1)
        scores[topic.rows[has_reference], column] = topic.rouge(share, variant, rng)[has_reference]
    return scores


def systems_tokens(corpus: Corpus, target: str) -> tuple[Floats, list[TopicTokens]]:
    """Human scores of the systems as summarizers x topics, and the tokens of each column's topic."""
    Z, summarizers, names = matrix(corpus.judgments, target)
    humans = {summary.summarizer for _, summary in corpus.summaries() if summary.human}
    systems = [name for name in summarizers if name not in humans]
    row_of = {name: row for row, name in enumerate(systems)}
    by_name = {topic.topic: topic for topic in corpus.topics}
    if len(by_name) < len(corpus.topics):
        raise InputError("the corpus has several years or tasks; select one of each first")
    vocabulary = Vocabulary(rouge_blanked, stem)
    topics = [_tokens_of(by_name[name], row_of, vocabulary) for name in names]
    return Z[[name in row_of for name in summarizers]], topics


def _tokens_of(topic: Topic, row_of: dict[str, int], vocabulary: Vocabulary) -> TopicTokens:
    summaries = [summary for summary in topic.summaries if summary.summarizer in row_of]
    n_references = len(topic.references)
    texts = [one.text for one in topic.references] + [one.text for one in summaries]
    ids = term_ids(texts, vocabulary)
    n_written = int(np.searchsorted(ids.text, n_references))
    n_terms = int(ids.term[:n_written].max(initial=-1)) + 1  # references and their terms come first
    cells = ids.text[:n_written] * n_terms + ids.term[:n_written]
    return TopicTokens(
        rows=np.array([row_of[summary.summarizer] for summary in summaries], dtype=np.intp),
        text=ids.text[n_written:] - n_references,
        term=ids.term[n_written:],
        references=np.bincount(cells, minlength=n_references * n_terms).reshape(n_references, n_terms),
        meets=np.array([topic.meets(one) for one in summaries], bool).reshape(len(summaries), n_references),
    )


LEVELS: tuple[AnyLevel, ...] = ("system", "input")
FIGURE_4 = "Deutsch et al. (2021), Figure 4"


def metric_intervals(
    data: StudyData,
    target: str,
    *,
    metrics: Sequence[str] | None = None,
    levels: Sequence[AnyLevel] = LEVELS,
    coefficient: Coefficient = "kendall",
    interval: IntervalMethod = "boot-both",
    confidence: float = 0.95,
    n_resamples: int = 1_000,
    seed: int = 0,
) -> pd.DataFrame:
    """Correlation of each metric with one human measure, and its interval: the bars of the figures.

    Parameters
    ----------
    data : StudyData
        The corpora, metrics and peers.
    target : str
        The human measure.
    metrics : sequence of str, optional
        Only these.
    levels, coefficient : str
        As for :func:`classy_aesop.analysis.metrics.evaluate`.
    interval : str
        A key of `INTERVALS` of :mod:`classy_aesop.analysis.metrics`; in Rankel (2016) ``boot-systems``.
    confidence, n_resamples, seed
        Of the interval.

    Returns
    -------
    DataFrame
        As of `evaluate`, the best metric first in each year, task and level; with ``printed_low, printed_high`` where
        the data are a paper's.
    """
    tables = data.tables("no_models")
    options = IntervalOptions(interval, confidence, n_resamples, seed)
    found = evaluate(
        *_sides(tables, target, metrics), levels=levels, coefficients=[coefficient], interval=options
    )
    found = with_places(found)
    places = {name: at for at, name in enumerate(sorted(set(found["year"]), key=natural))}
    order = found.assign(year=found["year"].map(places), level=found["level"].map(list(levels).index))
    order = order.sort_values(
        ["year", "task", "level", "value"], ascending=[True, True, True, False], kind="stable"
    )
    keys = ["metric", "target", "level", "coefficient", "interval"]
    printed = {end: f"printed_{end}" for end in ("low", "high")}
    table = found.loc[order.index].reset_index(drop=True)
    return with_printed(table, tables.judgments, FIGURE_4, keys, printed, as_there=confidence == 0.95)


def metric_pairs(
    data: StudyData,
    target: str,
    *,
    metrics: Sequence[str] | None = None,
    levels: Sequence[AnyLevel] = LEVELS,
    coefficient: Coefficient = "pearson",
    metric_test: TestOfMetrics = "perm-both",
    correction: Correction = "holm",
    alpha: float = 0.05,
    n_resamples: int = 9_999,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Which metric correlates better with humans than which other: the cells of the figures.

    Parameters
    ----------
    data, target, metrics, levels
        As for :func:`metric_intervals`.
    coefficient, metric_test, correction, n_resamples, seed, progress
        As for :func:`classy_aesop.analysis.metric_pairs.compare_metrics`.
    alpha : float
        The first metric is better if its p is at most this.

    Returns
    -------
    DataFrame
        A row for each ordered pair: ``year, task, target, level, coefficient, first, second, r_first, r_second, p``;
        ``better`` (without correction), ``better_by_first`` (corrected for the tests of one first metric, Figure 5)
        and ``better_overall`` (corrected for all pairs of a year, task and level, Figure 6); ``p_by_first,
        p_overall, test, correction, n_resamples, seed``.
    """
    tables = data.tables("no_models")
    found = compare_metrics(
        *_sides(tables, target, metrics),
        target,
        metric_test=metric_test,
        levels=levels,
        coefficients=[coefficient],
        correction=correction,
        n_resamples=n_resamples,
        seed=seed,
        progress=progress,
    )
    columns = {"better": "p", "better_by_first": "p_by_first", "better_overall": "p_overall"}
    better = {name: is_significant(found[p].fillna(1.0).to_numpy(), alpha) for name, p in columns.items()}
    keys = ["year", "task", "target", "level", "coefficient", "first", "second", "r_first", "r_second", "p"]
    rest = ["p_by_first", "p_overall", "test", "correction", "n_resamples", "seed"]
    return with_places(found).assign(**better)[[*keys, *columns, *rest]]


def _sides(tables: Judged, target: str, metrics: Sequence[str] | None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Give the scores of the metrics and those of the target."""
    return only_metrics(tables.scores, metrics), only(tables.judgments, "metric", [target], what="target")
