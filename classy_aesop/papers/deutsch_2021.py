"""Deutsch et al. (2021): the power of tests of two metrics, coverage and normality, intervals, and which is better."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, compress
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from classy_aesop.answers.answer_options import INTERVALS, IntervalMethod
from classy_aesop.answers.correlation_tables import COEFFICIENT, EVALUATION, LEVEL
from classy_aesop.answers.findings import count_significant
from classy_aesop.answers.metric_pairs import METRIC_COMPARISON, metric_places
from classy_aesop.answers.metrics import evaluate
from classy_aesop.answers.score_matrices import (
    matrices,
    pair_levels_with_coefficients,
    split_by_stratum,
    warn_of_few_resamples,
)
from classy_aesop.data import matrix
from classy_aesop.data.scores import add_stratum_columns
from classy_aesop.data.topics import Topic
from classy_aesop.errors import InputError, UsageError
from classy_aesop.papers.judged import LEVELS, StudyData, scores_by_metric
from classy_aesop.papers.printed import recognize_paper_data
from classy_aesop.papers.study_tables import (
    MONTE_CARLO_ERROR,
    SIGNIFICANT_PAIRS,
    TESTED_PAIRS,
    TRIALS,
    draw_power,
    name_most_powerful,
    printed_columns,
    state_range,
    study_result,
)
from classy_aesop.papers.trials import interval_coverage, metric_power
from classy_aesop.plots.base import BLUE
from classy_aesop.plots.captioned import Picture, forest_height, pairs_picture
from classy_aesop.plots.pictures import forest
from classy_aesop.reading.corpus import Corpus
from classy_aesop.significance.additive.two_way_fit import summarizer_means
from classy_aesop.significance.base import BoolArray, FloatArray
from classy_aesop.significance.choices import ALPHA, N_RESAMPLES, Coefficient
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.correlations.resampled_correlations import bootstrap_values
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.draws import draw_resamples
from classy_aesop.significance.equality import is_constant
from classy_aesop.significance.metrics.metric_tests import PERM_BOTH, three_correlations, williams_t
from classy_aesop.significance.multiplicity.corrections import adjust_p_values, resamples_needed
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import (
    MAIN,
    METRIC,
    TARGET,
    TASK,
    YEAR,
    column_names,
    count,
    estimate,
    item,
    optional,
    p_value,
    setting,
)
from classy_aesop.tables.wording import count_text, first_stratum
from classy_aesop.text.arrays import Floats, IndexArray
from classy_aesop.text.stems import stem
from classy_aesop.text.term_ids import term_ids
from classy_aesop.text.tokens import blank_like_rouge
from classy_aesop.text.vocabulary import Vocabulary
from classy_aesop.work.seeds import seeded_rng
from classy_aesop.work.workers import show_progress

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_distributions(rows: pd.DataFrame) -> Picture:
    """Draw the resampled correlations of each metric as in Figure 4."""
    wide = rows.pivot(index="metric", columns="percent", values="value").reset_index()
    table = rows.drop(columns=["percent", "value"]).drop_duplicates("metric").merge(wide, on="metric")
    table = table.assign(value=table[50.0], low=table[2.5], high=table[97.5])
    ordered = table.sort_values("value", ascending=False, kind="stable")
    caption = "resampled correlations: their median, the middle half of them (thick), and 95 % (thin)"
    return Picture(caption, partial(draw_percentiles, ordered), height=forest_height(len(ordered)))


def draw_percentiles(table: pd.DataFrame, ax: Axes) -> Axes:
    """Draw the median, the quartiles and the 95 % interval of each metric."""
    ax.hlines(range(len(table)), table[25.0], table[75.0], color=BLUE, lw=5)
    return forest(table, ax=ax)


def draw_better(rows: pd.DataFrame) -> Iterator[Picture]:
    """Draw which metric is better than which, without correction and with either one: Figures 5 and 6."""
    for p, title in (
        ("p", "uncorrected"),
        ("p_by_first", "corrected for the tests of one first metric"),
        ("p_overall", "corrected for all pairs"),
    ):
        is_better = is_significant(rows[p])
        tested = rows.assign(difference=rows["r_first"] - rows["r_second"], significant=is_better)
        yield replace(pairs_picture(tested, f"which metric correlates better, {title}"), title=title)


def count_significant_pairs(rows: pd.DataFrame) -> str:
    """Count the pairs of which the first metric is significantly better."""
    p_values = rows["p_overall"].dropna()
    differences = f"{count_text(len(p_values), 'difference')} between metrics"
    counts = count_significant(int(is_significant(p_values).sum()), differences)
    stratum = first_stratum(rows, METRIC_PAIRS.strata_in(rows))
    needed = resamples_needed((len(stratum) + 1) // 2, correction=stratum["correction"].iloc[0])
    few = f" {needed:,} resamples or more are needed for that." if needed > rows["n_resamples"].max() else ""
    return f"{counts} (p_overall, corrected for all pairs, at most {ALPHA:g}).{few}"


# --- the declared tables ---

UNDEFINED = count("n_undefined", "trials without a value")

COVERAGE = Answer(
    name="study coverage",
    caption="Coverage of intervals",
    columns=(
        YEAR,
        TASK,
        METRIC,
        TARGET,
        item("method", "the method of the interval"),
        LEVEL,
        estimate("coverage", "share of the trials whose interval covers the left-out value", priority=MAIN),
        estimate("error", MONTE_CARLO_ERROR, priority=MAIN),
        TRIALS,
        UNDEFINED,
        *printed_columns("coverage"),
    ),
    sentence=state_range("coverage", "Intervals cover the left-out value in {} of the trials."),
)

METRIC_POWER = Answer(
    name="study metric-power",
    caption="Power of tests",
    columns=(
        YEAR,
        TASK,
        TARGET,
        item("share", "share of the tokens that are kept", "float"),
        item("test", "the test of two metrics"),
        LEVEL,
        estimate("power", "share of the trials in which the test detects it", priority=MAIN),
        estimate("error", MONTE_CARLO_ERROR),
        TRIALS,
        UNDEFINED,
        setting("variant", "of ROUGE-1: recall or f1"),
    ),
    sentence=partial(name_most_powerful, share_of_no_difference=1.0),
    pictures=partial(draw_power, of="tokens"),
)

NORMALITY = Answer(
    name="study normality",
    caption="Normality of scores",
    columns=(
        YEAR,
        TASK,
        METRIC,
        estimate("percent_rejected", "percent of the topics whose scores are not normal", priority=MAIN),
        p_value("p_means", "of the summarizers' means", priority=MAIN),
        count("n_tested", "topics that are tested"),
        count("n_skipped", "topics that cannot be tested"),
        *printed_columns("normality"),
    ),
    sentence=state_range("percent_rejected", "Normality is rejected in {} % of tests."),
)

WRONG_ORDER = "percent of the pairs of systems that the {} end of the interval puts in the wrong order"

MISRANKED = (
    estimate("least_percent_misranked", WRONG_ORDER.format("upper")),
    estimate("most_percent_misranked", WRONG_ORDER.format("lower")),
)
"""What the ends of an interval of Kendall's correlation say of wrong rankings."""

METRIC_INTERVALS = replace(
    EVALUATION,
    name="study metric-intervals",
    columns=(
        *EVALUATION.columns,
        setting("interval", "by which method the interval is made"),
        setting("n_resamples", "resamples of each interval; 0 of a formula", "int"),
        *optional(*MISRANKED),
        *printed_columns("metric-intervals"),
    ),
    arrange_rows=None,
    choose_bold_columns=lambda _: ("value",),
)

DISTRIBUTIONS = Answer(
    name="study distributions",
    caption="Percentiles of resampled correlations",
    columns=(
        YEAR,
        TASK,
        TARGET,
        METRIC,
        LEVEL,
        COEFFICIENT,
        item("percent", "of the resampled correlations lie below the value", "float"),
        estimate("value", "the percentile", priority=MAIN),
        count("n_undefined", "resamples without a correlation"),
    ),
    pictures=draw_distributions,
    drawn_together=("metric",),
)

METRIC_PAIRS = replace(
    METRIC_COMPARISON,
    name="study metric-pairs",
    columns=(
        YEAR,
        TASK,
        TARGET,
        LEVEL,
        COEFFICIENT,
        item("first", "the metric that may be better"),
        item("second", "the metric that it is compared with"),
        METRIC_COMPARISON["r_first"],
        METRIC_COMPARISON["r_second"],
        p_value("p", "that the first is better, one-sided"),
        p_value(
            "p_by_first", "p corrected for the tests of one first metric", is_corrected=True, priority=MAIN
        ),
        p_value("p_overall", "p corrected for all pairs", is_corrected=True, priority=MAIN),
        METRIC_COMPARISON["test"],
        METRIC_COMPARISON["correction"],
        METRIC_COMPARISON["n_resamples"],
        METRIC_COMPARISON["seed"],
    ),
    sentence=count_significant_pairs,
    pictures=draw_better,
    shown_first=(),
    sorted_by=("p_overall", "p"),
    arrange_rows=None,
)

WILLIAMS_SHIFT = Answer(
    name="study williams-shift",
    caption="Significant pairs of metrics by Williams' test",
    columns=(
        YEAR,
        TASK,
        TARGET,
        item("correlations", "observed, or shifted to a lower mean"),
        estimate("mean_correlation", "mean correlation of the metrics with the human scores"),
        count("n_metrics", "metrics"),
        TESTED_PAIRS,
        SIGNIFICANT_PAIRS,
        count("n_undefined", "pairs without a test: no three metrics can correlate like this"),
        count("n", "systems, at most"),
    ),
)

# --- coverage, normality and intervals ---


def coverage_of_intervals(
    data: StudyData,
    target: str,
    *,
    metrics: Sequence[str] | None = None,
    n_trials: int = 1_000,
    n_resamples: int = 1_000,
    seed: int = 0,
    progress: bool = False,
) -> Result:
    """Share of intervals from one half of summarizers and topics that hold the other half's correlation: Table 1.

    The intervals are 95 % ones of Pearson's correlation.
    """
    from tqdm import tqdm

    tables = data.tables("no_models", needs_metrics=True)
    by_metric = scores_by_metric(tables.grids(target, metrics), target)
    jobs = [(*of_metric, level) for of_metric in by_metric for level in LEVELS]
    parts = []
    for ids, grid, X, level in tqdm(jobs, disable=not progress, unit="metric"):
        rng = seeded_rng(seed, grid.year, grid.task, ids["metric"], target, level, "pearson")
        options = {"level": level, "n_trials": n_trials, "n_resamples": n_resamples, "rng": rng}
        parts.append((ids | {"level": level}, interval_coverage(X, grid.truth, **options)))
    return tables.result(COVERAGE, parts)


def score_normality(data: StudyData, target: str, *, metrics: Sequence[str] | None = None) -> Result:
    """Shapiro-Wilk tests of the human scores and of each metric: Table 2."""
    tables = data.tables("no_models")
    scores, truth = tables.sides(target, metrics)
    of_measures = [*matrices(truth), *matrices(scores)]
    return tables.result(NORMALITY, ((matrix.ids, [normality(matrix.X)]) for matrix in of_measures))


def normality(X: FloatArray) -> dict[str, object]:
    """Test the scores of each topic, (n_summarizers, n_topics), and the means of summarizers."""
    p = pd.Series([shapiro_wilk(scores) for scores in X.T])
    tested = p.dropna()
    return {
        "percent_rejected": 100 * pd.Series(is_significant(tested), dtype=float).mean(),
        "p_means": shapiro_wilk(summarizer_means(X, ~np.isnan(X))),
        "n_tested": len(tested),
        "n_skipped": len(p) - len(tested),
    }


def shapiro_wilk(scores: FloatArray) -> float:
    """Give p of the scores that are not missing; NaN for fewer than three or equal ones."""
    from scipy.stats import shapiro

    scores = scores[~np.isnan(scores)]
    return np.nan if len(scores) < 3 or is_constant(scores) else float(shapiro(scores).pvalue)


def metric_intervals(
    data: StudyData,
    target: str,
    *,
    metrics: Sequence[str] | None = None,
    coefficient: Coefficient = "kendall",
    interval: IntervalMethod = "boot-both",
    n_resamples: int = 1_000,
    seed: int = 0,
) -> Result:
    """Correlation of each metric with one human measure, and its 95 % interval.

    The bars of Figure 4, and of Rankel (2016), Figures 5.2 to 5.9, whose ``interval`` is ``boot-systems``.
    """
    tables = data.tables("no_models", needs_metrics=True)
    n_drawn = n_resamples if INTERVALS[interval] else None
    evaluated = evaluate(
        *tables.sides(target, metrics),
        level=LEVELS,
        coefficient=coefficient,
        interval=interval,
        n_resamples=n_drawn,
        seed=seed,
    ).table.assign(interval=interval, n_resamples=n_drawn or 0)
    if coefficient == "kendall" and "low" in evaluated:
        ends = evaluated[["high", "low"]].where(evaluated["level"] == "system")
        evaluated[column_names(*MISRANKED)] = (50 * (1 - ends)).to_numpy()
    best_first = evaluated.sort_values("value", ascending=False, kind="stable")
    strata = split_by_stratum(add_stratum_columns(best_first))
    return tables.result(
        METRIC_INTERVALS,
        (({}, rows[rows["level"] == level]) for rows in strata.values() for level in LEVELS),
    )


PERCENTILES = tuple(half_percents / 2 for half_percents in range(5, 200, 5))
"""The percentiles of `bootstrap_distributions`; the first and the last are the ends of a 95 % interval."""


def bootstrap_distributions(
    data: StudyData,
    target: str,
    *,
    metrics: Sequence[str] | None = None,
    coefficient: Coefficient = "kendall",
    n_resamples: int = 1_000,
    seed: int = 0,
) -> Result:
    """Percentiles of the resampled correlations behind the intervals of Figure 4 (BOOT-BOTH)."""
    tables = data.tables("no_models", needs_metrics=True)
    parts = []
    for ids, grid, X in scores_by_metric(tables.grids(target, metrics), target):
        for level in LEVELS:
            rng = seeded_rng(seed, grid.year, grid.task, ids["metric"], target, level, coefficient)
            resamples = draw_resamples(X.shape, "both", n_resamples, rng)
            values = bootstrap_values(X, grid.truth, resamples, level=level, coefficient=coefficient)
            defined = values[~np.isnan(values)]
            percentiles = np.percentile(defined, PERCENTILES) if len(defined) else np.nan
            rows = pd.DataFrame({"percent": PERCENTILES, "value": percentiles, "level": level})
            rows = rows.assign(coefficient=coefficient, n_undefined=n_resamples - len(defined))
            parts.append((ids, rows))
    return tables.result(DISTRIBUTIONS, parts)


# --- which metric is better ---


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
) -> Result:
    """Which metric correlates better with humans than which other, by one-sided PERM-BOTH: cells of Figures 5 and 6."""
    tables = data.tables("no_models", needs_metrics=True)
    strata = metric_places(
        tables.grids(target, metrics), pair_levels_with_coefficients(LEVELS, [coefficient])
    )
    settings: dict[str, object] = {"target": target, "test": "perm-both", "correction": correction}
    settings |= {"n_resamples": n_resamples, "seed": seed}
    parts = []
    for stratum in show_progress(iter(strata), "metrics", "levels", shown=progress, total=len(strata)):
        first, second = np.nonzero(~np.eye(len(stratum.metrics), dtype=bool))
        comparisons = PERM_BOTH.test_pairs(
            stratum.strata(seed),
            [*zip(first.tolist(), second.tolist(), strict=True)],
            alternative="greater",
            level=stratum.level,
            coefficient=coefficient,
            n_resamples=n_resamples,
        )
        names = np.array(stratum.metrics)
        rows = pd.DataFrame(comparisons).rename(columns={"first": "r_first", "second": "r_second"})
        rows = rows.assign(first=names[first], second=names[second])
        parts.append((stratum.ids | settings, adjust_pairs(rows, correction)))
    return tables.result(METRIC_PAIRS, parts)


def adjust_pairs(rows: pd.DataFrame, correction: str) -> pd.DataFrame:
    """Adjust one-sided p-values of first metrics against second ones, where each pair is tested both ways.

    A family is the tests of one first metric (Figure 5), or the smaller p of each pair (Figure 6).

    Examples
    --------
    >>> rows = pd.DataFrame({"first": ["a", "b"], "second": ["b", "a"], "p": [0.02, 0.98]})
    >>> adjust_pairs(rows, "holm")[["p_by_first", "p_overall"]].to_numpy().tolist()
    [[0.02, 0.02], [0.98, nan]]
    """

    def adjust(p: pd.Series) -> pd.Series:
        """Adjust the p-values of a family."""
        return pd.Series(adjust_p_values(p.to_numpy(), correction=correction), p.index)

    ascending = rows.sort_values("p", kind="stable")
    pairs = pd.Series(
        map(frozenset, zip(ascending["first"], ascending["second"], strict=True)), ascending.index
    )
    smaller = ascending[~pairs.duplicated()]
    p_by_first = rows.groupby("first", sort=False)["p"].transform(adjust)
    return rows.assign(p_by_first=p_by_first, p_overall=adjust(smaller["p"]))


SHIFTED_MEAN = 0.6
"""The mean correlation to which the paper moves those of WMT 2019."""


def williams_shift(data: StudyData, target: str, *, metrics: Sequence[str] | None = None) -> Result:
    """Count the significant pairs of metrics by Williams' test, as they are and with lower correlations: section 5.2.

    Of the 231 pairs of metrics of WMT 2019 (German to English) 81 are significant in the paper, where the mean
    correlation with humans is .9; 3 are, if all these correlations are moved to a mean of .6. The metrics' correlations
    with each other stay, which the paper does not say. A pair is significant if the better metric is, one-sided.
    """
    tables = data.tables("no_models", needs_metrics=True)
    parts = []
    for grid in tables.grids(target, metrics):
        if len(grid.metrics) < 2:
            raise InputError(f"{len(grid.metrics)} metrics; expected two or more, of which pairs are tested")
        with_humans = [correlation(X, grid.truth) for X in grid.metrics.values()]
        mean = float(np.mean([estimate.value for estimate in with_humans]))
        pairs = [three_correlations(*pair, grid.truth) for pair in combinations(grid.metrics.values(), 2)]
        ids = {"year": grid.year, "task": grid.task, "target": target, "n_metrics": len(grid.metrics)}
        ids |= {"n": max(estimate.n for estimate in with_humans), "n_pairs": len(pairs)}
        for name, shift in (("observed", 0.0), ("shifted", SHIFTED_MEAN - mean)):
            tests = []
            for first, second, between in pairs:
                lower, higher = sorted((first.value + shift, second.value + shift))
                tests.append(williams_t(higher, lower, between.value, first.n, alternative="greater"))
            t, p = np.transpose(tests)
            row = {"n_significant": int(is_significant(p).sum()), "n_undefined": int(np.isnan(t).sum())}
            parts.append((ids, [{"correlations": name, "mean_correlation": mean + shift, **row}]))
    return tables.result(WILLIAMS_SHIFT, parts)


SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""The shares of tokens that are kept in the paper."""

GROUND_TRUTH = "ground-truth"
"""The reference of SummEval that came with its articles; ten others were written later."""


def power_of_metrics(
    data: StudyData,
    target: str,
    *,
    shares: Sequence[float] = SHARES,
    n_trials: int = 1_000,
    n_resamples: int = 1_000,
    seed: int = 0,
    progress: bool = False,
) -> Result:
    """Power of tests of two metrics to distinguish ROUGE-1 from ROUGE-1 on a share of tokens: section 5.2, Figure 3.

    ROUGE-1 on all tokens of a summary is compared with ROUGE-1 on a random share of them, which should agree less with
    human judgments: the more tokens are dropped, the more likely a test should detect it. Every trial drops other
    tokens. As in the paper, summaries by humans are left out, correlations are Pearson's, and ROUGE is F1 on the
    reference of its articles for SummEval, else recall.
    """
    from tqdm import tqdm

    for share in shares:
        if not 0 < share <= 1:
            raise UsageError(f"share is {share}; expected a number above 0 and up to 1")
    [corpus, *other_corpora] = data.selected_corpora("all_peers")
    if other_corpora or len({(topic.year, topic.task) for topic in corpus.topics}) > 1:
        raise InputError("the corpora have several years or tasks; select one of each first")
    variant = "recall"
    if "SummEval" in recognize_paper_data(corpus.judgments).values():
        variant = "f1"
        names = [{reference.summarizer for reference in topic.references} for topic in corpus.topics]
        corpus = corpus.select(references=[GROUND_TRUTH] if all(GROUND_TRUTH in of for of in names) else None)
    warn_of_few_resamples(n_resamples, 1)
    Z, topics = tokens_of_systems(corpus, target)
    rows = []
    for level in LEVELS:
        rng = seeded_rng(seed, target, variant, level, "pearson")
        X = score_systems(topics, Z.shape, 1.0, variant, rng)
        for share in tqdm(shares, disable=not progress, unit="share"):
            worse = (score_systems(topics, Z.shape, share, variant, rng) for _ in range(n_trials))
            powers = metric_power(X, Z, worse, level=level, n_resamples=n_resamples, rng=rng)
            rows += [{"share": share, "level": level, **power} for power in powers]
    table = pd.DataFrame(rows).assign(year=corpus.topics[0].year, task=corpus.topics[0].task, target=target)
    return study_result(table.assign(variant=variant), METRIC_POWER)


@dataclass(frozen=True)
class TopicTokens:
    """The tokens of the systems' summaries of a topic, one after another, with their numbers of summary and term.

    ``rows`` are those of the summaries in a score matrix, ``references`` the counts of the terms of the references,
    (n_references, n_terms); ``meets`` says which of them each summary is compared with, (n_summaries, n_references).
    """

    rows: Sequence[int]
    summary: IndexArray
    term: IndexArray
    references: IndexArray
    meets: BoolArray

    def rouge_1(self, share: float, variant: str, rng: np.random.Generator) -> Floats:
        """ROUGE-1 on a random ``share`` of the tokens of each summary, rounded down; NaN without a reference."""
        n = len(self.rows)
        lengths = np.bincount(self.summary, minlength=n)
        order = np.argsort(self.summary + rng.random(self.summary.size))
        rank = np.arange(self.summary.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        # share times length may be slightly below a whole number because of rounding
        sampled = order[rank < np.floor(share * lengths + 1e-9)[self.summary]]
        counts = count_term_ids(self.summary[sampled], self.term[sampled], (n, self.references.shape[1]))
        hits = (np.minimum(counts[:, None], self.references).sum(axis=2) * self.meets).sum(axis=1)
        n_terms = self.meets @ self.references.sum(axis=1)
        if variant == "f1":
            n_terms = (n_terms + self.meets.sum(axis=1) * counts.sum(axis=1)) / 2
        return np.where(self.meets.any(axis=1), hits / np.maximum(n_terms, 0.5), np.nan)


def count_term_ids(text: IndexArray, term: IndexArray, shape: tuple[int, int]) -> IndexArray:
    """Count the terms of texts, as (n_texts, n_terms)."""
    return np.bincount(text * shape[1] + term, minlength=shape[0] * shape[1]).reshape(shape)


def tokenize_topic(topic: Topic, row_of_system: Mapping[str, int], vocabulary: Vocabulary) -> TopicTokens:
    """Tokenize the summaries of some systems on a topic, and its references."""
    summaries = [summary for summary in topic.summaries if summary.summarizer in row_of_system]
    n_references = len(topic.references)
    texts = [*(reference.text for reference in topic.references), *(summary.text for summary in summaries)]
    ids = term_ids(texts, vocabulary)
    is_reference = ids.text < n_references
    return TopicTokens(
        [row_of_system[summary.summarizer] for summary in summaries],
        ids.text[~is_reference] - n_references,
        ids.term[~is_reference],
        count_term_ids(ids.text[is_reference], ids.term[is_reference], (n_references, ids.n_terms)),
        np.array([topic.meets(summary) for summary in summaries], bool).reshape(-1, n_references),
    )


def tokens_of_systems(corpus: Corpus, target: str) -> tuple[Floats, list[TopicTokens]]:
    """Human scores of the systems as summarizers x topics, and the tokens of their summaries of each topic."""
    Z, summarizers, names = matrix(corpus.judgments, target)
    humans = {name for (_, name), is_human in corpus.humans().items() if is_human}
    is_system = [name not in humans for name in summarizers]
    if not any(is_system):
        raise InputError(f"no summary of a system is judged by {target}; expected systems besides humans")
    row_of_system = {name: row for row, name in enumerate(compress(summarizers, is_system))}
    topics = {topic.topic: topic for topic in corpus.topics}
    vocabulary = Vocabulary(blank_like_rouge, stem)
    return Z[is_system], [tokenize_topic(topics[name], row_of_system, vocabulary) for name in names]


def score_systems(
    topics: Sequence[TopicTokens],
    shape: tuple[int, ...],
    share: float,
    variant: str,
    rng: np.random.Generator,
) -> Floats:
    """ROUGE-1 on a random ``share`` of the tokens of each summary, as summarizers x topics; NaN without one."""
    X = np.full(shape, np.nan)
    for column, topic in enumerate(topics):
        X[topic.rows, column] = topic.rouge_1(share, variant, rng)
    return X
