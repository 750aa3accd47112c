"""Deutsch et al. (2021): the power of tests of two metrics, coverage and normality, intervals, and which is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd

from classy_aesop.answers.metric_pairs import metric_places
from classy_aesop.answers.metrics import IntervalMethod, evaluate
from classy_aesop.answers.score_matrices import judged_grids, matrices, measured, warn_of_few_resamples
from classy_aesop.data import matrix, mean_ratings, natural
from classy_aesop.data.corpus import Corpus
from classy_aesop.data.scores import with_places
from classy_aesop.data.topics import Topic
from classy_aesop.errors import InputError, UsageError
from classy_aesop.papers.judged import LEVELS, StudyData
from classy_aesop.papers.printed import with_printed
from classy_aesop.significance.choices import ALPHA, N_RESAMPLES, Coefficient
from classy_aesop.significance.correlations.normality import normality
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.metrics.metric_tests import PERM_BOTH
from classy_aesop.significance.multiplicity.corrections import adjust_p_matrix
from classy_aesop.significance.planning.interval_coverage import interval_coverage
from classy_aesop.significance.planning.metric_power import metric_power
from classy_aesop.text.arrays import Booleans, Floats, IntArray
from classy_aesop.text.count_tables import NgramCounts
from classy_aesop.text.stems import stem
from classy_aesop.text.terms import term_ids
from classy_aesop.text.tokens import rouge_blanked
from classy_aesop.text.vocabulary import Vocabulary
from classy_aesop.work.seeds import seeded_rng
from classy_aesop.work.workers import show_progress

PAPER = "Deutsch et al. (2021)"


def table_coverage(
    tables: Sequence[pd.DataFrame],
    target: str,
    *,
    metrics: Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
    n_trials: int = 1_000,
    n_resamples: int = 1_000,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Share of intervals from one half of summarizers and topics that hold the other half's correlation: Table 1.

    The intervals are 95 % ones of Pearson's correlation. The tables are scores and judgments; trials and resamples
    are as for :func:`classy_aesop.significance.planning.interval_coverage.interval_coverage`. Every metric and level
    has its own random numbers.

    A row for each metric, level and method: ``year, task, metric, target``, the attributes of `Coverage`, and
    ``seed``; with ``printed`` where the data are the paper's. InputError if no metric is left.
    """
    from tqdm import tqdm

    grids = judged_grids(tables[0], tables[1], target, metrics=metrics, year=year, task=task)
    jobs = [(grid, name, level) for grid in grids for name in grid.metrics for level in LEVELS]
    if not jobs:
        raise InputError("no metric is left to study; expected one or more")
    rows = []
    for grid, name, level in tqdm(jobs, disable=not progress, unit="metric"):
        ids = {"year": grid.year, "task": grid.task, "metric": name, "target": target}
        rng = seeded_rng(seed, *ids.values(), level, "pearson")
        how = {"level": level, "n_trials": n_trials, "n_resamples": n_resamples}
        found = interval_coverage(grid.metrics[name], grid.truth, rng=rng, **how)
        rows += [{**ids, **one.to_dict(), "seed": seed} for one in found]
    table, judgments = pd.DataFrame(rows), mean_ratings(tables[1])
    keys = ["metric", "target", "coefficient", "method", "level"]
    return with_printed(table, judgments, f"{PAPER}, Table 1", keys, {"coverage": "printed"})


def score_normality(data: StudyData, target: str, *, metrics: Sequence[str] | None = None) -> pd.DataFrame:
    """Shapiro-Wilk tests of the human scores and of each metric: Table 2.

    Columns: ``year, task, metric, percent_rejected`` (of the topics, those whose scores are not normal), ``p_means``
    (of the summarizers' means), ``n_tested, n_skipped`` (topics), ``alpha``; the human measure first. With
    ``printed_percent, printed_p`` where the data are the paper's.
    """
    tables = data.tables("no_models")
    scores, truth = tables.sides(target, metrics)
    rows = []
    for one in (*matrices(truth), *matrices(scores)):
        found = normality(one.X).to_dict()
        rows.append({**one.ids, "percent_rejected": 100 * found.pop("share_rejected"), **found})
    printed = {"percent_rejected": "printed_percent", "p_means": "printed_p"}
    return with_printed(pd.DataFrame(rows), tables.judgments, f"{PAPER}, Table 2", ["metric"], printed)


def metric_intervals(
    data: StudyData,
    target: str,
    *,
    metrics: Sequence[str] | None = None,
    coefficient: Coefficient = "kendall",
    interval: IntervalMethod = "boot-both",
    n_resamples: int = 1_000,
    seed: int = 0,
) -> pd.DataFrame:
    """Correlation of each metric with one human measure, and its 95 % interval.

    The bars of Figure 4, and of Rankel (2016), Figures 5.2 to 5.9, whose ``interval`` is ``boot-systems``. A table as
    of :func:`classy_aesop.answers.metrics.evaluate`, the best metric first in each year, task and level; with
    ``printed_low, printed_high`` where the data are a paper's.
    """
    tables = data.tables("no_models", needs_metrics=True)
    drawn: dict[str, Any] = {"interval": interval, "n_resamples": n_resamples, "seed": seed}
    found = with_places(
        evaluate(*tables.sides(target, metrics), levels=LEVELS, coefficients=coefficient, **drawn).table
    )
    years = sorted(set(found["year"]), key=natural)
    order = found.assign(year=found["year"].map(years.index), level=found["level"].map(LEVELS.index))
    order = order.sort_values(
        ["year", "task", "level", "value"], ascending=[True, True, True, False], kind="stable"
    )
    table = found.loc[order.index].reset_index(drop=True)
    keys = ["metric", "target", "level", "coefficient", "interval"]
    printed = {end: f"printed_{end}" for end in ("low", "high")}
    return with_printed(table, tables.judgments, f"{PAPER}, Figure 4", keys, printed)


def metric_pairs(
    data: StudyData,
    target: str,
    *,
    metrics: Sequence[str] | None = None,
    coefficient: Coefficient = "pearson",
    correction: str = "holm",
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Which metric correlates better with humans than which other, by one-sided PERM-BOTH: cells of Figures 5 and 6.

    A row for each ordered pair: ``year, task, target, level, coefficient, first, second, r_first, r_second, p``;
    whether p is at most .05, ``better`` (without correction), ``better_by_first`` (corrected for the tests of one
    first metric, Figure 5) and ``better_overall`` (corrected for all pairs of a year, task and level, Figure 6);
    ``p_by_first, p_overall, test, correction, n_resamples, seed``. The ``correction`` is ``bonferroni`` in the text,
    Holm's in the authors' code.
    """
    grids = judged_grids(*data.tables("no_models", needs_metrics=True).sides(target, metrics), target)
    places = metric_places(grids, measured(LEVELS, [coefficient]))
    parts = []
    for place in show_progress(iter(places), "metrics", "levels", shown=progress, total=len(places)):
        ordered = list(permutations(range(len(place.metrics)), 2))
        how: dict[str, Any] = {"level": place.level, "coefficient": coefficient, "n_resamples": n_resamples}
        tested = PERM_BOTH.test_pairs(place.strata(seed), ordered, alternative="greater", **how)
        rows = pd.DataFrame([{"r_first": one.first, "r_second": one.second, "p": one.p} for one in tested])
        rows[["first", "second"]] = [[place.metrics[at] for at in pair] for pair in ordered]
        P = np.full((len(place.metrics),) * 2, np.nan)
        P[tuple(np.transpose(ordered))] = rows["p"]
        for name, family in (("p_by_first", "rows"), ("p_overall", "smaller")):
            rows[name] = adjust_p_matrix(P, family=family, correction=correction)[
                tuple(np.transpose(ordered))
            ]
        parts.append(rows.assign(**place.ids))
    found = pd.concat(parts, ignore_index=True).assign(target=target, test="perm-both", correction=correction)
    columns = {"better": "p", "better_by_first": "p_by_first", "better_overall": "p_overall"}
    better = {name: is_significant(found[p].fillna(1.0).to_numpy(), ALPHA) for name, p in columns.items()}
    keys = ["year", "task", "target", "level", "coefficient", "first", "second", "r_first", "r_second", "p"]
    rest = ["p_by_first", "p_overall", "test", "correction", "n_resamples", "seed"]
    return found.assign(n_resamples=n_resamples, seed=seed, **better)[[*keys, *columns, *rest]]


SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""The shares of tokens that are kept in the paper."""

VARIANTS = ("recall", "f1")


def corpus_power(
    corpus: Corpus,
    target: str,
    *,
    references: Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
    shares: Sequence[float] = SHARES,
    variant: str = "recall",
    n_trials: int = 1_000,
    n_resamples: int = 1_000,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Power of tests of two metrics to distinguish ROUGE-1 from ROUGE-1 on a share of tokens: section 5.2, Figure 3.

    ROUGE-1 on all tokens of a summary is compared with ROUGE-1 on a random share of them, which should agree less with
    human judgments: the more tokens are dropped, the more likely a test should detect it. Every trial drops other
    tokens. Summaries by humans are left out, as in the paper; correlations are Pearson's.

    Parameters
    ----------
    corpus, target, references, year, task
        Judged summaries; a corpus of several years or tasks needs one of each (else InputError).
    shares : sequence of float
        Shares of tokens that are kept, above 0 and up to 1.
    variant : {"recall", "f1"}
        ROUGE-1's recall (in the paper for TAC and REALSumm) or F1 (for SummEval), over all references of a summary.
    n_trials, n_resamples, seed, progress
        As for :func:`classy_aesop.significance.planning.metric_power.metric_power`; each level has its own random
        numbers.

    Returns
    -------
    DataFrame
        A row for each level, share and test: ``share``, the attributes of `MetricPower`, ``target, variant, seed``.
    """
    from tqdm import tqdm

    if variant not in VARIANTS:
        raise UsageError(f"variant is {variant!r}; expected one of {', '.join(VARIANTS)}")
    for share in shares:
        if not 0 < share <= 1:
            raise UsageError(f"share is {share}; expected a number above 0 and up to 1")
    warn_of_few_resamples(n_resamples, 1)
    years, tasks = (None if name is None else [name] for name in (year, task))
    Z, topics = systems_tokens(corpus.select(years=years, tasks=tasks, references=references), target)
    rows = []
    for level in LEVELS:
        rng = seeded_rng(seed, target, variant, level, "pearson")
        X = rouge_1(topics, Z.shape, 1.0, variant, rng)
        for share in tqdm(shares, disable=not progress, unit="share"):
            spoilt = (rouge_1(topics, Z.shape, share, variant, rng) for _ in range(n_trials))
            found = metric_power(X, Z, spoilt, level=level, n_resamples=n_resamples, rng=rng)
            rows += [{"share": share, **power.to_dict()} for power in found]
    return pd.DataFrame(rows).assign(target=target, variant=variant, seed=seed)


@dataclass(frozen=True)
class TopicTokens:
    """The tokens of the systems' summaries of one topic; terms of the references come first."""

    rows: IntArray
    text: IntArray
    term: IntArray
    references: IntArray
    meets: Booleans

    def rouge(self, share: float, variant: str, rng: np.random.Generator) -> Floats:
        """ROUGE-1 of each summary on a random ``share`` of its tokens, rounded down, shape (n_summaries,)."""
        lengths = np.bincount(self.text, minlength=len(self.rows))
        order = np.argsort(self.text + rng.random(self.text.size))
        place = np.arange(self.text.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        # share times length may be slightly below a whole number because of rounding
        kept = order[place < np.floor(share * lengths + 1e-9)[self.text]]
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
