"""Deutsch et al. (2021): the power of tests of two metrics, coverage and normality, intervals, and which is better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, permutations

import numpy as np
import pandas as pd

from classy_aesop.answers.correlation_options import INTERVALS, IntervalMethod
from classy_aesop.answers.correlation_tables import COEFFICIENT, EVALUATION, LEVEL
from classy_aesop.answers.metric_pairs import METRIC_COMPARISON, metric_places
from classy_aesop.answers.metrics import evaluate
from classy_aesop.answers.score_matrices import (
    judged_grids,
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
    RESAMPLES,
    SEED_COLUMN,
    SIGNIFICANCE_LEVEL,
    SIGNIFICANT_PAIRS,
    TESTED_PAIRS,
    TRIALS,
    count_significant_tests,
    draw_power,
    draw_rows,
    name_most_powerful,
    printed_columns,
    state_range,
    study_result,
)
from classy_aesop.plots.captioned import Picture, pairs_picture
from classy_aesop.plots.pictures import curves
from classy_aesop.reading.corpus import Corpus
from classy_aesop.significance.additive.system_means import summarizer_means
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.choices import ALPHA, N_RESAMPLES, Coefficient
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.correlations.resampled_correlations import bootstrap_values
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.draws import draw_resamples
from classy_aesop.significance.equality import is_constant
from classy_aesop.significance.metrics.metric_tests import PERM_BOTH, three_correlations, williams_t
from classy_aesop.significance.multiplicity.corrections import adjust_p_matrix
from classy_aesop.significance.planning.trials import interval_coverage, metric_power
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import (
    MAIN,
    METRIC,
    TARGET,
    TASK,
    YEAR,
    count,
    estimate,
    item,
    optional,
    p_value,
    setting,
)
from classy_aesop.text.arrays import Booleans, Floats, IndexArray
from classy_aesop.text.count_tables import NgramCounts
from classy_aesop.text.stems import stem
from classy_aesop.text.term_ids import term_ids
from classy_aesop.text.tokens import blank_like_rouge
from classy_aesop.text.vocabulary import Vocabulary
from classy_aesop.work.seeds import seeded_rng
from classy_aesop.work.workers import show_progress

HEIGHT_OF_NAME = 0.09
"""Inches that a name in the legend, which has two columns, adds to a picture."""


def draw_distributions(rows: pd.DataFrame) -> Picture:
    """Draw the percentiles of the resampled correlations, a line a metric."""
    caption = "percentiles of the resampled correlations"
    picture = draw_rows(rows, caption, curves, x="value", y="percent", by="metric")
    return replace(picture, height=picture.height + HEIGHT_OF_NAME * rows["metric"].nunique())


def draw_better(rows: pd.DataFrame) -> Iterator[Picture]:
    """Draw which metric is better than which, without correction and with either one: Figures 5 and 6."""
    for name, title in (
        ("better", "uncorrected"),
        ("better_by_first", "corrected for the tests of one first metric"),
        ("better_overall", "corrected for all pairs"),
    ):
        tested = rows.assign(difference=rows["r_first"] - rows["r_second"], significant=rows[name])
        yield replace(pairs_picture(tested, f"which metric correlates better, {title}"), title=title)


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
        COEFFICIENT,
        setting("confidence", "of the intervals", "float"),
        estimate("coverage", "share of the trials whose interval covers the left-out value", priority=MAIN),
        estimate("error", MONTE_CARLO_ERROR, priority=MAIN),
        estimate("width", "mean width of the intervals"),
        TRIALS,
        UNDEFINED,
        RESAMPLES,
        SEED_COLUMN,
        *printed_columns("coverage"),
    ),
    needs=("method", "coverage", "error", "level"),
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
        COEFFICIENT,
        SIGNIFICANCE_LEVEL,
        estimate("power", "share of the trials in which the test detects it", priority=MAIN),
        estimate("error", MONTE_CARLO_ERROR),
        estimate("difference", "mean difference of the two correlations"),
        TRIALS,
        UNDEFINED,
        RESAMPLES,
        setting("variant", "of ROUGE-1: recall or f1"),
        SEED_COLUMN,
    ),
    needs=("share", "test", "power"),
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
        SIGNIFICANCE_LEVEL,
        *printed_columns("normality"),
    ),
    needs=("percent_rejected",),
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
        RESAMPLES,
        count("n_undefined", "resamples without a correlation"),
        SEED_COLUMN,
    ),
    needs=("metric", "percent", "value"),
    pictures=draw_distributions,
    drawn_together=("metric",),
)

BETTER = "whether the first is significantly better"

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
        estimate("better", f"{BETTER} without correction", "bool"),
        estimate("better_by_first", f"{BETTER} by p_by_first", "bool"),
        estimate("better_overall", f"{BETTER} by p_overall", "bool"),
        p_value(
            "p_by_first", "p corrected for the tests of one first metric", is_corrected=True, priority=MAIN
        ),
        p_value("p_overall", "p corrected for all pairs", is_corrected=True, priority=MAIN),
        METRIC_COMPARISON["test"],
        METRIC_COMPARISON["correction"],
        METRIC_COMPARISON["n_resamples"],
        METRIC_COMPARISON["seed"],
    ),
    needs=(
        "first",
        "second",
        "r_first",
        "r_second",
        "better",
        "better_by_first",
        "better_overall",
        "p_overall",
    ),
    sentence=count_significant_tests(
        "{} between metrics {verb} significant (p_overall, corrected for all pairs, at most {}).",
        "difference",
        "p_overall",
    ),
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
        SIGNIFICANCE_LEVEL,
    ),
)

# --- coverage, normality and intervals ---


def coverage(
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
    rows = []
    for ids, grid, X, level in tqdm(jobs, disable=not progress, unit="metric"):
        coverages = interval_coverage(
            X,
            grid.truth,
            level=level,
            n_trials=n_trials,
            n_resamples=n_resamples,
            rng=seeded_rng(seed, grid.year, grid.task, ids["metric"], target, level, "pearson"),
        )
        rows += [{**ids, **coverage, "seed": seed} for coverage in coverages]
    return study_result(pd.DataFrame(rows), COVERAGE, tables.judgments_of_paper)


def score_normality(data: StudyData, target: str, *, metrics: Sequence[str] | None = None) -> Result:
    """Shapiro-Wilk tests of the human scores and of each metric: Table 2."""
    tables = data.tables("no_models")
    scores, truth = tables.sides(target, metrics)
    rows = [{**matrix.ids, **normality(matrix.X)} for matrix in (*matrices(truth), *matrices(scores))]
    return study_result(pd.DataFrame(rows), NORMALITY, tables.judgments_of_paper)


def normality(X: FloatArray, alpha: float = ALPHA) -> dict[str, float]:
    """Test whether scores within each topic, and means over topics, come from a normal distribution.

    Topics with fewer than three scores, or with equal ones, are skipped.

    Examples
    --------
    >>> tested = normality(np.array([[1, 2, 5.0], [2, 2, 6], [3, 2, 7], [4, 2, 30]]))
    >>> tested["n_tested"], tested["n_skipped"], tested["percent_rejected"]
    (2, 1, 50.0)
    """
    *p_of_topics, p_means = (_shapiro_wilk(x) for x in (*X.T, summarizer_means(X, ~np.isnan(X))))
    n_tested = int(np.count_nonzero(~np.isnan(p_of_topics)))
    n_rejected = np.count_nonzero(is_significant(p_of_topics, alpha))
    return {
        "percent_rejected": 100 * n_rejected / n_tested if n_tested else np.nan,
        "p_means": p_means,
        "n_tested": n_tested,
        "n_skipped": len(p_of_topics) - n_tested,
        "alpha": alpha,
    }


def _shapiro_wilk(x: FloatArray) -> float:
    """P-value of the scores that are not missing; NaN for fewer than three or equal ones."""
    from scipy.stats import shapiro

    scores = x[~np.isnan(x)]
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
    evaluated = add_stratum_columns(
        evaluate(
            *tables.sides(target, metrics),
            level=LEVELS,
            coefficient=coefficient,
            interval=interval,
            n_resamples=n_resamples if INTERVALS[interval] else None,
            seed=seed,
        ).table
    )
    if coefficient == "kendall" and "low" in evaluated:
        is_of_means = evaluated["level"] == "system"
        evaluated = evaluated.assign(
            least_percent_misranked=(50 * (1 - evaluated["high"])).where(is_of_means),
            most_percent_misranked=(50 * (1 - evaluated["low"])).where(is_of_means),
        )
    best_first = [
        rows[rows["level"] == level].sort_values("value", ascending=False, kind="stable")
        for rows in split_by_stratum(evaluated).values()
        for level in LEVELS
    ]
    return study_result(pd.concat(best_first, ignore_index=True), METRIC_INTERVALS, tables.judgments_of_paper)


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
            part = pd.DataFrame({"percent": PERCENTILES, "value": percentiles})
            parts.append(part.assign(**ids, level=level, n_undefined=n_resamples - len(defined)))
    table = pd.concat(parts, ignore_index=True)
    table = table.assign(coefficient=coefficient, n_resamples=n_resamples, seed=seed)
    return study_result(table, DISTRIBUTIONS)


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
    grids = judged_grids(*data.tables("no_models", needs_metrics=True).sides(target, metrics), target)
    strata = metric_places(grids, pair_levels_with_coefficients(LEVELS, [coefficient]))
    parts = []
    for stratum in show_progress(iter(strata), "metrics", "levels", shown=progress, total=len(strata)):
        ordered = list(permutations(range(len(stratum.metrics)), 2))
        cells = tuple(np.transpose(ordered))
        comparisons = PERM_BOTH.test_pairs(
            stratum.strata(seed),
            ordered,
            alternative="greater",
            level=stratum.level,
            coefficient=coefficient,
            n_resamples=n_resamples,
        )
        rows = pd.DataFrame(
            [{"r_first": pair.first, "r_second": pair.second, "p": pair.p} for pair in comparisons]
        )
        rows[["first", "second"]] = [[stratum.metrics[position] for position in pair] for pair in ordered]
        P = np.full((len(stratum.metrics),) * 2, np.nan)
        P[cells] = rows["p"]
        for name, family in (("p_by_first", "rows"), ("p_overall", "smaller")):
            rows[name] = adjust_p_matrix(P, family=family, correction=correction)[cells]
        parts.append(rows.assign(**stratum.ids))
    table = pd.concat(parts, ignore_index=True).assign(target=target, test="perm-both", correction=correction)
    p_columns = {"better": "p", "better_by_first": "p_by_first", "better_overall": "p_overall"}
    better = {name: is_significant(table[p].fillna(1.0).to_numpy(), ALPHA) for name, p in p_columns.items()}
    return study_result(table.assign(n_resamples=n_resamples, seed=seed, **better), METRIC_PAIRS)


SHIFTED_MEAN = 0.6
"""The mean correlation to which the paper moves those of WMT 2019."""


def williams_shift(
    data: StudyData,
    target: str,
    *,
    metrics: Sequence[str] | None = None,
    shifted_mean: float = SHIFTED_MEAN,
    alpha: float = ALPHA,
) -> Result:
    """Count the significant pairs of metrics by Williams' test, as they are and with lower correlations: section 5.2.

    Of the 231 pairs of metrics of WMT 2019 (German to English) 81 are significant in the paper, where the mean
    correlation with humans is .9; 3 are, if all these correlations are moved to a mean of .6. The metrics' correlations
    with each other stay, which the paper does not say. A pair is significant if the better metric is, one-sided.
    """
    rows = []
    for grid in data.tables("no_models", needs_metrics=True).grids(target, metrics):
        if len(grid.metrics) < 2:
            raise InputError(f"{len(grid.metrics)} metrics; expected two or more, of which pairs are tested")
        with_humans = [correlation(X, grid.truth) for X in grid.metrics.values()]
        pairs = [
            three_correlations(first, second, grid.truth)
            for first, second in combinations(grid.metrics.values(), 2)
        ]
        mean = float(np.mean([estimate.value for estimate in with_humans]))
        for name, shift in (("observed", 0.0), ("shifted", shifted_mean - mean)):
            tests = [
                williams_t(higher, lower, between.value, first.n, alternative="greater")
                for first, second, between in pairs
                for lower, higher in [sorted((first.value + shift, second.value + shift))]
            ]
            p_values = np.array([p for t, p in tests if not np.isnan(t)])
            rows.append(
                {
                    "year": grid.year,
                    "task": grid.task,
                    "target": target,
                    "correlations": name,
                    "mean_correlation": mean + shift,
                    "n_metrics": len(grid.metrics),
                    "n_pairs": len(pairs),
                    "n_significant": int(is_significant(p_values, alpha).sum()),
                    "n_undefined": len(pairs) - len(p_values),
                    "n": max(estimate.n for estimate in with_humans),
                    "alpha": alpha,
                }
            )
    return study_result(pd.DataFrame(rows), WILLIAMS_SHIFT)


SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""The shares of tokens that are kept in the paper."""

VARIANTS = ("recall", "f1")
"""The variants of ROUGE-1."""

GROUND_TRUTH = "ground-truth"
"""The reference of SummEval that came with its articles; ten others were written later."""


def power_of_metrics(
    data: StudyData,
    target: str,
    *,
    references: Sequence[str] | None = None,
    shares: Sequence[float] = SHARES,
    variant: str | None = None,
    n_trials: int = 1_000,
    n_resamples: int = 1_000,
    seed: int = 0,
    progress: bool = False,
) -> Result:
    """Power of tests of two metrics to distinguish ROUGE-1 from ROUGE-1 on a share of tokens: section 5.2, Figure 3.

    ROUGE-1 on all tokens of a summary is compared with ROUGE-1 on a random share of them, which should agree less with
    human judgments: the more tokens are dropped, the more likely a test should detect it. Every trial drops other
    tokens. Summaries by humans are left out, as in the paper; correlations are Pearson's.
    """
    from tqdm import tqdm

    for share in shares:
        if not 0 < share <= 1:
            raise UsageError(f"share is {share}; expected a number above 0 and up to 1")
    [corpus, *other_corpora] = data.selected_corpora("all_peers")
    if other_corpora or len({(topic.year, topic.task) for topic in corpus.topics}) > 1:
        raise InputError("the corpora have several years or tasks; select one of each first")
    is_summeval = "SummEval" in recognize_paper_data(corpus.judgments).values()
    if variant is None:
        variant = "f1" if is_summeval else "recall"
    if references is None and is_summeval and has_ground_truth(corpus):
        references = [GROUND_TRUTH]
    if variant not in VARIANTS:
        raise UsageError(f"variant is {variant!r}; expected one of {', '.join(VARIANTS)}")
    warn_of_few_resamples(n_resamples, 1)
    Z, topics = systems_tokens(corpus.select(references=references), target)
    rows = []
    for level in LEVELS:
        rng = seeded_rng(seed, target, variant, level, "pearson")
        X = rouge_1(topics, Z.shape, 1.0, variant, rng)
        for share in tqdm(shares, disable=not progress, unit="share"):
            worse = (rouge_1(topics, Z.shape, share, variant, rng) for _ in range(n_trials))
            powers = metric_power(X, Z, worse, level=level, n_resamples=n_resamples, rng=rng)
            rows += [{"share": share, **power} for power in powers]
    table = pd.DataFrame(rows).assign(year=corpus.topics[0].year, task=corpus.topics[0].task, target=target)
    return study_result(table.assign(variant=variant, seed=seed), METRIC_POWER)


def has_ground_truth(corpus: Corpus) -> bool:
    """Whether every topic has the reference that came with its article."""
    return all(
        any(reference.summarizer == GROUND_TRUTH for reference in topic.references) for topic in corpus.topics
    )


@dataclass(frozen=True)
class TopicTokens:
    """The tokens of the systems' summaries of one topic; terms of the references come first."""

    rows: IndexArray
    text: IndexArray
    term: IndexArray
    references: IndexArray
    meets: Booleans

    def rouge(self, share: float, variant: str, rng: np.random.Generator) -> Floats:
        """ROUGE-1 of each summary on a random ``share`` of its tokens, rounded down, shape (n_summaries,)."""
        lengths = np.bincount(self.text, minlength=len(self.rows))
        order = np.argsort(self.text + rng.random(self.text.size))
        rank_in_text = np.arange(self.text.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        # share times length may be slightly below a whole number because of rounding
        sampled = order[rank_in_text < np.floor(share * lengths + 1e-9)[self.text]]
        n = len(self.rows)
        n_terms = self.references.shape[1]
        in_any_reference = sampled[self.term[sampled] < n_terms]
        cells = np.bincount(
            self.text[in_any_reference] * n_terms + self.term[in_any_reference], minlength=n * n_terms
        )
        counts = NgramCounts(cells.reshape(n, n_terms), self.references)
        hits = (counts.clipped_hits * self.meets).sum(axis=1)
        in_references = (counts.reference_totals * self.meets).sum(axis=1)
        if variant == "recall":
            return np.asarray(hits / np.maximum(in_references, 1))
        # hits are summed over references, so the summary's tokens count once per reference
        in_summary = np.bincount(self.text[sampled], minlength=n) * self.meets.sum(axis=1)
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
    vocabulary = Vocabulary(blank_like_rouge, stem)
    topics = [_tokens_of(by_name[name], row_of, vocabulary) for name in names]
    return Z[[name in row_of for name in summarizers]], topics


def _tokens_of(topic: Topic, row_of: dict[str, int], vocabulary: Vocabulary) -> TopicTokens:
    summaries = [summary for summary in topic.summaries if summary.summarizer in row_of]
    n_references = len(topic.references)
    texts = [reference.text for reference in topic.references] + [summary.text for summary in summaries]
    ids = term_ids(texts, vocabulary)
    n_written = int(np.searchsorted(ids.text, n_references))
    n_terms = int(ids.term[:n_written].max(initial=-1)) + 1  # references and their terms come first
    cells = ids.text[:n_written] * n_terms + ids.term[:n_written]
    return TopicTokens(
        rows=np.array([row_of[summary.summarizer] for summary in summaries], dtype=np.intp),
        text=ids.text[n_written:] - n_references,
        term=ids.term[n_written:],
        references=np.bincount(cells, minlength=n_references * n_terms).reshape(n_references, n_terms),
        meets=np.array([topic.meets(summary) for summary in summaries], bool).reshape(
            len(summaries), n_references
        ),
    )
