"""Commands on score tables: do metrics agree with humans, which differ, and what do a part of the judgments, the raters
and the number of topics allow to say?
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classy_aesop.answers.answer_options import CorrelationKeywords
from classy_aesop.cli.commands import Command
from classy_aesop.errors import InputError, UsageError
from classy_aesop.tables.result import Result
from classy_aesop.work.options import declared_options, keywords_of

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.answers.answer_options import (
        BiasOptions,
        EstimateOptions,
        Gate,
        MetricPairTest,
        PairTest,
        PlanTest,
        RatingOptions,
    )
    from classy_aesop.answers.strata import RatedStratum
    from classy_aesop.cli.partly_judged import PartlyJudged, PlannedSource
    from classy_aesop.cli.sources import (
        CorpusOfTables,
        EvaluatedSource,
        JudgedTableSource,
        OptionalNames,
        ScoredSource,
        TableSource,
    )
    from classy_aesop.data.preference_records import Preferences
    from classy_aesop.text.tokens import Tokenizer

_LOG = logging.getLogger(__name__)


def evaluate(
    evaluated_source: EvaluatedSource,
    metric_pair_test: MetricPairTest,
    bias_options: BiasOptions,
    metric: OptionalNames = None,
    target: OptionalNames = None,
    pairs: bool = False,
    ranking: bool = False,
    baseline: OptionalNames = None,
    bias: bool = False,
    compute: OptionalNames = None,
    predictors: OptionalNames = (),
    references: OptionalNames = None,
    tokenizer: Tokenizer = "rouge",
    *,
    n_jobs: int | None = None,
    progress: bool,
) -> Result:
    """Say how well metrics agree with people, and which differ significantly.

    Parameters
    ----------
    evaluated_source : EvaluatedSource
        The options of tables of scores and judgments, or of a judged corpus.
    metric_pair_test : MetricPairTest
        The options of correlations, and of tests of pairs of metrics.
    bias_options : BiasOptions
        The options of biases.
    metric, target, pairs, ranking, baseline, bias, compute, predictors, references, tokenizer, n_jobs
        Options, as declared in `OPTIONS`.
    progress : bool
        Whether to show progress bars.

    Returns
    -------
    Result
        A row a metric, target, level and coefficient; with ``pairs`` or a baseline a row a pair of metrics; with
        ``ranking`` the metrics by rank; with ``bias`` the bias of each metric; for preferences, how often each metric
        prefers what people prefer.
    """
    from classy_aesop.answers import metric_pairs, metrics

    options = metric_pair_test
    tests_pairs = pairs or ranking or baseline is not None
    if ranking and (pairs or baseline):
        raise UsageError("--ranking is by the tests of all pairs; expected no --pairs and no --baseline")
    if tests_pairs and bias:
        raise UsageError("--bias cannot be combined with --pairs and --baseline; expected one of them")
    if len(evaluated_source.files) > 1 and (preferences := evaluated_source.preferences) is not None:
        _check_part_of_preferences(evaluated_source, target)
        if tests_pairs or bias:
            raise UsageError("--pairs, --ranking, --baseline and --bias cannot be combined with preferences")
        _refuse_options(options, ["confidence"], "cannot be combined with preferences")
        return _evaluate_by_preferences(evaluated_source, preferences, options.confidence, metric)
    is_scored = compute is not None or bool(predictors)
    if compute is not None:
        _check_computed(compute)
    if bias and is_scored:
        raise UsageError(
            "--bias is of scores of metrics; expected a table of them, and no --compute or --predictor"
        )
    if bias:
        of_biases = [field.name for field in fields(bias_options)]
        _refuse_options(options, of_biases, "cannot be combined with --bias; expected one of them")
        return _estimate_biases(evaluated_source, options, bias_options, metric, target)
    if not tests_pairs:
        used = CorrelationKeywords.__optional_keys__
        _refuse_options(options, used, "needs --pairs, --ranking or --baseline METRIC")
    _refuse_options(bias_options, [field.name for field in fields(options)], "needs --bias")
    texts = evaluated_source.find_texts(is_scored=is_scored)
    if texts is None and (references or tokenizer != "rouge"):
        raise UsageError("--reference and --tokenizer are of texts that are scored; expected --compute NAME")
    keywords = dict(keywords_of(options))
    if not tests_pairs:
        keywords = {name: keywords[name] for name in CorrelationKeywords.__optional_keys__}
    keywords |= {"metric": metric, "n_jobs": n_jobs or (-1 if tests_pairs else 1), "progress": progress}
    recorded: dict[str, object] = {"tokenizer": None}
    recorded |= {} if options.level is None else {"level": options.level}
    if texts is None:
        scores, judgments = evaluated_source.read(metric, target).tables
    else:
        (scores, judgments), of_texts, recorded_of_texts = _read_texts(
            texts, target, compute, predictors, references, tokenizer, evaluated_source.lower_is_better
        )
        keywords |= of_texts
        recorded |= recorded_of_texts
    if tests_pairs:
        keywords["baseline"] = baseline
        result = metric_pairs.evaluate_pairs(scores, judgments, target, **keywords)
        if ranking and result.first is None:
            raise UsageError("--ranking is of three metrics or more; expected --pairs")
        result = result.first() if ranking and result.first is not None else result
        recorded |= {"judge_scale": None, **result.recorded}
    else:
        result = metrics.evaluate(scores, judgments, target, **keywords)
        recorded |= {"kendall": "tau-b", **UNRECORDED_OPTIONS_OF_TESTS, **result.recorded}
    if "peers" in result.table:
        recorded["peers"] = list(result.table["peers"].unique())
    return replace(result, recorded=recorded)


def _check_computed(names: Sequence[str]) -> None:
    """Raise UsageError, before a corpus is looked for, if a metric is not one that is computed on texts."""
    from classy_aesop.baselines import BASELINES
    from classy_aesop.outside import load_outside

    load_outside("baselines")
    for name in names:
        if name.partition("=")[0] not in {*BASELINES, "none"}:
            choices = ", ".join([*BASELINES, "none"])
            raise UsageError(
                f"-m {name} is not computed on texts; expected one of {choices}, or --metric {name} of scores"
            )


def _read_texts(
    source: ScoredSource,
    target: OptionalNames,
    compute: OptionalNames,
    predictors: OptionalNames,
    references: OptionalNames,
    tokenizer: Tokenizer,
    lower_is_better: OptionalNames,
) -> tuple[tuple[Any, Any], Mapping[str, Any], dict[str, object]]:
    """Read a corpus that is scored, and scores beside it: the two sides, how they are scored, and what is recorded."""
    from classy_aesop.cli.scoring import choose_known_metrics, recorded_tokenizer, select_named_references
    from classy_aesop.data.doubts import warn_of_doubts
    from classy_aesop.predictor import Predictor
    from classy_aesop.reading.corpus import judged_tables

    part = source.select_stratum(source.full)
    imported = source.read_imported_of_subset(part, source.scores or ())
    warn_of_doubts(
        *judged_tables(source.select_summarizers(part), target), *([] if imported is None else [imported])
    )
    learned = [Predictor.load(path) for path in predictors or ()]
    corpus = select_named_references(part, references)
    scoring = {
        "compute": choose_known_metrics(compute),
        "predictor": learned,
        "peers": source.selection,
        "tokenizer": tokenizer,
        "lower_is_better": lower_is_better,
    }
    files = [Path(name).name for name in source.scores or ()]
    recorded: dict[str, object] = {
        "compute": "all" if compute is None else compute,
        "predictors": [predictor.name for predictor in learned],
        "scores": [*files, *part.scores["metric"].unique()],
        "tokenizer": recorded_tokenizer(tokenizer),
    }
    return ((corpus, None) if imported is None else (imported, corpus)), scoring, recorded


UNRECORDED_OPTIONS_OF_TESTS: dict[str, object] = dict.fromkeys(("judge_scale", "test", "correction", "alpha"))
"""Options of tests and of biases, which a signature of correlations leaves out."""


def _refuse_options(options: object, used: Collection[str], reason: str) -> None:
    """Refuse options that are given though a question has no use for them."""
    for option in declared_options(options):
        if option.name not in used and getattr(options, option.name) != option.default:
            raise UsageError(f"{option.option_strings[-1]} {reason}")


def _evaluate_by_preferences(
    score_tables: JudgedTableSource, preferences: Preferences, confidence: float, metric: OptionalNames
) -> Result:
    """Compute how often metrics prefer the output that people prefer."""
    from classy_aesop.answers.preferences import evaluate_by_preferences
    from classy_aesop.reading.score_tables import ensure_tidy

    scores, _ = score_tables.tables(score_tables.files[:-1], (), score_tables.corpus)
    result = evaluate_by_preferences(
        [ensure_tidy(table) for table in scores],
        preferences,
        metric=metric,
        lower_is_better=score_tables.lower_is_better,
        confidence=confidence,
    )
    return replace(result, recorded={"tokenizer": None, **UNRECORDED_OPTIONS_OF_TESTS, **result.recorded})


def _estimate_biases(
    score_tables: JudgedTableSource,
    options: MetricPairTest,
    bias_options: BiasOptions,
    metric: OptionalNames,
    target: OptionalNames,
) -> Result:
    """Estimate for each metric how far it over- or underrates systems, and which system it ranks first."""
    from classy_aesop.answers.bias import evaluate_bias

    scores, judgments = score_tables.read(metric, target).tables
    result = evaluate_bias(scores, judgments, target, metric=metric, **keywords_of(bias_options))
    recorded = dict.fromkeys(options.recorded_options()) | {
        "tokenizer": None,
        "test": None,
        "confidence": bias_options.confidence,
    }
    return replace(result, recorded=recorded)


def compare(
    score_table: TableSource,
    metric: str,
    pairs: bool = False,
    mixed: bool = False,
    baseline: OptionalNames = None,
    fail_if: Gate | None = None,
    *,
    pair_test: PairTest,
) -> Result:
    """Say which summarizers are best, and which differ significantly, by a metric or a human measure.

    Parameters
    ----------
    score_table : TableSource
        The options of tables of scores.
    metric, pairs, mixed, baseline, fail_if
        Options, as declared in `OPTIONS`.
    pair_test : PairTest
        The options of tests of pairs.

    Returns
    -------
    Result
        A row a summarizer, ranked, or a row a pair.
    """
    from classy_aesop.answers.gates import evaluate_gate
    from classy_aesop.answers.joined_strata import join_strata
    from classy_aesop.answers.preferences import (
        check_preference_options,
        compare_preference_pairs,
        rank_preferences,
    )
    from classy_aesop.answers.self_comparisons import describe_self_failures
    from classy_aesop.answers.strata import stratify_scores
    from classy_aesop.answers.systems import compare_summarizers, rank_summarizers

    if mixed and baseline is not None:
        raise UsageError("--mixed cannot be combined with --baseline; expected one of them")
    if fail_if is not None and len(baseline or ()) != 1:
        raise UsageError("--fail-if needs one --baseline NAME, which others are compared with")
    shows_pairs = pairs or mixed or baseline is not None or pair_test.equivalence is not None
    if (preferences := score_table.preferences) is not None:
        check_preference_options(metric, pair_test, {"mixed": mixed or None})
        _check_part_of_preferences(score_table)
        if fail_if == "not-as-good":
            raise UsageError("--fail-if of preferences is worse or not-better")
        if not shows_pairs:
            return rank_preferences(preferences, pair_test)
        differences = compare_preference_pairs(preferences, pair_test, baseline)
        return replace(differences, gate=evaluate_gate(differences.table, fail_if) if fail_if else None)
    lower = metric in (score_table.lower_is_better or ())
    if fail_if == "not-as-good" and not pair_test.is_of_non_inferiority(lower_is_better=lower):
        example = "above 0 only: --equivalence=-inf,0.1" if lower else "below 0 only: --equivalence=-0.1,inf"
        raise UsageError(f"--fail-if not-as-good needs a margin {example}")
    (scores,), humans = score_table.read([metric], default="all_peers" if mixed else None)
    strata: Sequence[RatedStratum] = stratify_scores(scores, metric)
    if pair_test.together:
        strata = join_strata(strata, pair_test)
    if not shows_pairs:
        return rank_summarizers(strata, pair_test)
    differences = compare_summarizers(
        strata,
        pair_test,
        among="mixed" if mixed else "all",
        humans=humans,
        baseline=baseline,
    )
    if fail_if is None:
        return differences
    passed, message = evaluate_gate(differences.table, fail_if)
    for name in baseline or ():
        message += describe_self_failures(strata, pair_test, name, fail_if)
    return replace(differences, gate=(passed, message))


def _check_part_of_preferences(score_table: TableSource, measures: OptionalNames = None) -> None:
    """Refuse to choose a part of preferences, which have no years, tasks, humans or measures."""
    from classy_aesop.data.preference_records import PREFERENCE_MEASURE

    if not score_table.is_all:
        raise UsageError("--year, --task, --peers, --exclude and --only cannot be combined with preferences")
    if unknown := [name for name in measures or () if name != PREFERENCE_MEASURE]:
        raise UsageError(f"no measure {unknown[0]!r}; a table of preferences has {PREFERENCE_MEASURE}")


def _call_quietly(answer: Callable[..., Result], *arguments: object) -> Result:
    """Give a second answer about the same data, whose warnings the first has given."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return answer(*arguments)


def estimate(
    partly_judged: PartlyJudged,
    estimate_options: EstimateOptions,
    differences: bool = False,
    baseline: OptionalNames = None,
    equivalence: float | tuple[float, float] | None = None,
    *,
    progress: bool,
) -> Result:
    """Estimate mean human scores of systems from a part of the judgments.

    Parameters
    ----------
    partly_judged : PartlyJudged
        The options of judgments of a part, and of scores of everything.
    estimate_options : EstimateOptions
        The options of estimates.
    differences, baseline, equivalence
        Options, as declared in `OPTIONS`.
    progress : bool
        Whether to show progress bars.

    Returns
    -------
    Result
        A row a summarizer; with ``differences`` a row a pair.
    """
    from classy_aesop.answers.estimates import estimate, estimate_differences
    from classy_aesop.answers.wholly_judged import LEAST_SQUARES
    from classy_aesop.significance.few_judgments.direct_means import MIN_SYSTEMS_FOR_POOLED_VARIANCE

    if not differences and (baseline is not None or equivalence is not None):
        raise UsageError("--baseline and --equivalence need --differences")
    options = estimate_options
    if differences:
        return partly_judged.call_with_tables(
            estimate_differences, options, progress, baseline=baseline, equivalence=equivalence
        )
    estimates = partly_judged.call_with_tables(estimate, options, progress)
    table = estimates.table
    is_partly_judged = not table["estimator"].eq(LEAST_SQUARES).all()
    few = is_partly_judged and 1 < table["summarizer"].nunique() < MIN_SYSTEMS_FOR_POOLED_VARIANCE
    differences_of_few = partial(
        _call_quietly, partly_judged.call_with_tables, estimate_differences, options, False
    )
    return replace(estimates, first=differences_of_few if few else None)


def assessors(
    rating_tables: CorpusOfTables,
    rating_options: RatingOptions,
    ratings: OptionalNames = None,
    metric: OptionalNames = None,
    scale: str = "interval",
    reliability: bool = False,
    n_jobs: int = 1,
    *,
    progress: bool,
) -> Result:
    """Say how far raters agree with each other.

    Parameters
    ----------
    rating_tables : CorpusOfTables
        The options of tables of ratings.
    rating_options : RatingOptions
        The options of agreement.
    ratings, metric, scale, reliability, n_jobs
        Options, as declared in `OPTIONS`.
    progress : bool
        Whether to show progress bars.

    Returns
    -------
    Result
        The agreement of raters; or with ``reliability`` how reliable means are.
    """
    from classy_aesop.answers.assessors import assessors
    from classy_aesop.answers.raters import rater_reliability
    from classy_aesop.cli.sources import select_metrics
    from classy_aesop.data.doubts import warn_of_doubts
    from classy_aesop.data.scales import set_scale
    from classy_aesop.data.scores import origin_of
    from classy_aesop.significance.raters.krippendorff import RATING_SCALES

    if (
        counts_differences := scale in RATING_SCALES
    ):  # else it gives words of ratings, or the ends of their scale
        rating_options = replace(rating_options, scale=scale)  # type: ignore[arg-type]
    preferences = rating_tables.preferences_of(ratings[0]) if ratings and len(ratings) == 1 else None
    if preferences is not None:
        if not rating_tables.is_all or metric:
            raise UsageError("a part of preferences cannot be chosen; expected --scale or --confidence only")
        if reliability:
            raise UsageError("for preferences only agreement is computed; expected no --reliability")
        result = assessors(preferences, **keywords_of(rating_options))
        return replace(result, recorded={"peers": None})
    rated = _read_part_of_ratings(ratings, rating_tables)
    are_labels = "labels" in origin_of(rated)
    measured = select_metrics(rated, metric)
    warn_of_doubts(measured)
    set_scale(measured, None if counts_differences else scale)
    if reliability:
        if are_labels:
            raise InputError("the ratings are words without order; --reliability needs numbers")
        if rating_options.scale != "interval":
            raise UsageError(f"--scale {scale} is for alpha; --reliability treats ratings as interval-scaled")
        reliability_result = rater_reliability(
            rated,
            metric=metric,
            year=rating_tables.year,
            task=rating_tables.task,
            n_jobs=n_jobs,
            progress=progress,
        )
        return replace(reliability_result, recorded={"scale": None, "confidence": None})
    result = assessors(
        rated,
        metric=metric,
        year=rating_tables.year,
        task=rating_tables.task,
        n_jobs=n_jobs,
        progress=progress,
        **keywords_of(rating_options),
    )
    return replace(result, recorded={"scale": "nominal"} if are_labels else {})


def _read_part_of_ratings(paths: OptionalNames, part: CorpusOfTables) -> pd.DataFrame:
    """Read the ratings of those who take part."""
    from classy_aesop.reading import merge_humans

    corpus = part.corpus
    humans = {} if corpus is None else corpus.humans()
    words = part.labels_of(paths[0]) if paths and len(paths) == 1 else None
    if words is not None:
        ratings = words
    elif paths:
        (ratings,), humans_of_tables = part.tables((), paths, None)
        humans = merge_humans(humans_of_tables, humans)
    elif corpus is not None:
        ratings = corpus.judgments if corpus.ratings.empty else corpus.ratings
    else:
        raise UsageError("nothing to read; expected RATINGS, --corpus IN or both")
    return part.select_tables([ratings], humans=humans)[0] if part.names_peers else ratings


def power(
    planned_source: PlannedSource,
    difference: float | None = None,
    systems: OptionalNames = None,
    *,
    plan_test: PlanTest,
    progress: bool,
) -> Result:
    """Say how many more topics show a difference, or make estimates from scores precise enough.

    Parameters
    ----------
    planned_source : PlannedSource
        The options of judgments, and of scores of everything.
    difference, systems
        Options, as declared in `OPTIONS`.
    plan_test : PlanTest
        The options of what is planned for.
    progress : bool
        Whether to show progress bars.

    Returns
    -------
    Result
        A row a difference and number of topics; of estimates a row a number of topics.
    """
    from classy_aesop.answers.topic_plans import power

    keywords = {
        "difference": difference,
        "systems": systems,
        **keywords_of(plan_test),
    }
    source = planned_source
    of_estimates = bool(source.scores or source.predictors or plan_test.width is not None)
    source.choose_target(
        of_estimates=of_estimates, peers="all_peers" if systems and not of_estimates else None
    )
    result = source.call_with_tables(
        power, None, progress, **keywords, n_jobs=source.n_jobs, progress=progress
    )
    if of_estimates:
        unused = dict.fromkeys(("test", "n_trials", "max_topics"))
        return replace(result, recorded={"metric": source.metric, "target": source.target, **unused})
    recorded = {"metric": source.target, "target": None}
    return replace(result, recorded=recorded | dict(result.recorded))


TESTING_COMMANDS = (
    Command(evaluate, tables=("pairs baseline", "ranking", "bias")),
    Command(compare, tables=("pairs mixed baseline equivalence fail_if",)),
    Command(assessors, tables=("reliability",)),
    Command(power, tables=("scores predictors width",)),
    Command(estimate, tables=("differences",)),
)
