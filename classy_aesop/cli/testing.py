"""Commands on score tables: do metrics agree with humans, which differ, and what do a part of the judgments, the raters
and the number of topics allow to say?
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from classy_aesop.cli.commands import Command, How
from classy_aesop.cli.sources import GROUPS, NOT_DRAWN, CorpusOfTables, Group, Names, imported
from classy_aesop.errors import NOTE, DataWarning, InputError, UsageError, listed
from classy_aesop.significance.choices import ALPHA
from classy_aesop.tables.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.answers.gates import Gate
    from classy_aesop.answers.judgments import Population
    from classy_aesop.answers.pair_testing import PairTest
    from classy_aesop.cli.sources import Intervals, Table, Tables
    from classy_aesop.data import Corpus
    from classy_aesop.significance.choices import (
        JudgeScale,
        Means,
        MethodOfMeans,
        Preset,
        RaterModel,
        Scale,
        SystemTest,
    )

_LOG = logging.getLogger(__name__)


def evaluate(
    score_tables: Tables,
    intervals: Intervals,
    metrics: Names = None,
    targets: Names = None,
    ceiling: bool = False,
    system_means: Means = "least-squares",
    bias: bool = False,
    judge_scale: JudgeScale = "auto",
    *,
    how: How,
) -> Result:
    """Correlate scores with human judgments."""
    from classy_aesop.answers.metrics import evaluate

    if bias:
        unused = {"ceiling": ceiling, "interval": intervals.interval}
        unused |= {name: how.get(name) for name in ("levels", "coefficients")}
        if options := [name for name, value in unused.items() if value]:
            raise UsageError(
                f"--{options[0].removesuffix('s')} does not go with --bias; expected one of them"
            )
        if system_means == "plain":
            raise UsageError("--means plain does not go with --bias, whose means are of the cells with both")
        return _bias(score_tables, intervals, metrics, targets, judge_scale)
    how |= intervals.how()
    if intervals.is_drawn:
        how = {"levels": ("system", "input"), **how}
    scores, judgments = score_tables.read(metrics, targets).tables
    table = evaluate(scores, judgments, ceiling=ceiling, means=system_means, **how)
    return Result(table, {"kendall": "tau-b", "judge_scale": None, **intervals.signed()})


def _bias(
    score_tables: Tables, intervals: Intervals, metrics: Names, targets: Names, judge_scale: JudgeScale
) -> Result:
    """Say which system each metric picks, which the people pick, and to whom it is too kind."""
    from classy_aesop.answers.bias import evaluate_bias

    scores, judgments = score_tables.read(metrics, targets).tables
    confidence = intervals.confidence or 0.95
    table = evaluate_bias(scores, judgments, judge_scale=judge_scale, confidence=confidence)
    return Result(table, {"means": None, "confidence": confidence, "correction": "holm", **NOT_DRAWN})


def compare(
    score_table: Table,
    metric: str,
    pair_test: PairTest,
    pairwise: bool = False,
    mixed: bool = False,
    baseline: str | None = None,
    fail_if: Gate | None = None,
    *,
    progress: bool,
) -> Result:
    """Say which summarizers are best, and which differ significantly, by a metric or a human measure."""
    from classy_aesop.answers.gates import gate_message
    from classy_aesop.answers.systems import compare_summarizers, rank_summarizers

    if mixed and baseline is not None:
        raise UsageError("--mixed does not go with --baseline; expected one of them")
    if fail_if is not None and baseline is None:
        raise UsageError("--fail-if needs --baseline NAME, which others are compared with")
    if fail_if == "not-as-good" and not pair_test.is_one_sided:
        raise UsageError("--fail-if not-as-good needs a margin below 0 only: --equivalence=-0.1,inf")
    (scores,), humans = score_table.read([metric], default="all_peers" if mixed else None)
    shows_pairs = pairwise or mixed or baseline is not None or pair_test.equivalence is not None
    if not shows_pairs:
        ranking = rank_summarizers(scores, metric, pair_test, progress=progress)
        shows_raters = len(ranking.table) == PAIR and ranking.table["rater_range"].notna().all()
        pair = partial(_difference_of_two, scores, metric, pair_test) if shows_raters else None
        return replace(ranking, first=pair)
    pairs = compare_summarizers(
        scores,
        metric,
        pair_test,
        among="mixed" if mixed else "all",
        humans=humans,
        baseline=baseline,
        progress=progress,
    )
    return pairs if fail_if is None else replace(pairs, gate=gate_message(pairs.table, fail_if))


PAIR = 2
"""Rows of a ranking of two, whose difference by each rater stands above it."""


def _difference_of_two(scores: pd.DataFrame, metric: str, options: PairTest) -> Result:
    """Give the difference of two summarizers, with that of each rater."""
    from classy_aesop.answers.systems import compare_summarizers

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the ranking has given them
        return compare_summarizers(scores, metric, options)


def compare_metrics(
    score_tables: Tables,
    target: str,
    intervals: Intervals,
    metrics: Names = None,
    pairwise: bool = False,
    system_means: Means = "least-squares",
    *,
    how: How,
) -> Result:
    """Say which metrics correlate best with humans, and which differ significantly."""
    from classy_aesop.answers.metric_pairs import compare_metrics, rank_metrics

    alpha = how.pop("alpha")
    scores, judgments = score_tables.read(metrics, [target]).tables
    how |= {**intervals.how(always=True), "means": system_means}
    how.setdefault("n_jobs", -1)
    if pairwise:
        table = compare_metrics(scores, judgments, target, metrics=metrics, **how)
    else:
        table = rank_metrics(scores, judgments, target, metrics=metrics, alpha=alpha, **how)
    signed = {"interval": table["interval"].iat[0], "confidence": table["confidence"].iat[0]}
    return Result(table, signed | ({"alpha": None} if pairwise else {}))


def agreement(score_tables: Tables, target: str, metrics: Names = None, *, how: How) -> Result:
    """Say how far metrics find the significant differences that humans find."""
    from classy_aesop.answers.metrics import agree

    scores, judgments = score_tables.read(metrics, [target]).tables
    return Result(agree(scores, judgments, target, metrics=metrics, **how), {"correction": "none"})


@dataclass(frozen=True, kw_only=True)
class PartlyJudged(CorpusOfTables):
    """Judgments of a part, scores of everything, and how means are estimated from them."""

    judgments: Sequence[str]
    target: str
    scores: Names = ()
    metrics: Names = None
    predictors: Names = ()
    estimator: MethodOfMeans = "hierarchical"
    population: Population | None = None
    confidence: float = 0.95
    seed: int = 0
    n_jobs: int = 1

    def names(self, what: str) -> Iterable[str]:
        """Give the human measures that there are."""
        return self.tables((), self.judgments, self.corpus)[0][0]["metric"]

    def found_by(self, function: Callable[..., pd.DataFrame], progress: bool, **how: Any) -> pd.DataFrame:
        """Call a function of `answers` with the tables; say what helps where just humans lack scores."""
        from classy_aesop.answers.judgments import IncompleteScoresError

        if not self._known:
            self._known.update(self._read(progress))
        how |= {
            name: getattr(self, name)
            for name in ("target", "metrics", "year", "task", "estimator", "population", "confidence", "seed")
        }
        try:
            return function(**self._known, **how)
        except IncompleteScoresError as error:
            _, humans = self.tables((), self.judgments, self.corpus)
            if not all(humans.get(one) for one in error.summarizers):
                raise
            raise InputError(
                f"{error}; humans alone lack scores, and --peers no_models leaves them out"
            ) from None

    @cached_property
    def _known(self) -> dict[str, Any]:
        """What is read already."""
        return {}

    def _read(self, progress: bool) -> dict[str, Any]:
        """Give the judgments, the scores if there are any, and the only predictor; name the metrics."""
        from classy_aesop.data.doubts import warn_of_doubts

        corpus, who = self.corpus, self.selection()
        tables, humans = self.tables((), self.judgments, corpus)
        scores = imported(self.scores or (), corpus)
        if self.metrics and scores is None and not self.predictors:
            raise UsageError("--metric goes with --scores or --predictor")
        if scores is not None and not self.metrics:
            used = dict.fromkeys(one for one in scores["metric"] if one != self.target)
            _LOG.log(NOTE, "metrics: %s", listed(used, most=20))
        learned: list[Predictor] = []
        if self.predictors:
            import pandas as pd

            from classy_aesop.predictor import Predictor

            if corpus is None:
                raise UsageError("--predictor needs the summaries; expected --corpus IN")
            # those who are left out are no company of the others, as in `predict`
            topics = self.of(corpus).topics
            learned += [Predictor.load(path) for path in self.predictors]
            beside: dict[str, Any] = {"scores": scores, "n_jobs": self.n_jobs, "progress": progress}
            scores = pd.concat([one.predict(topics, **beside) for one in learned], ignore_index=True)
            summarizers = {*tables[0]["summarizer"], *scores["summarizer"]}
            who = replace(who, exclude=tuple(one for one in who.exclude if one in summarizers))
        tables += [] if scores is None else [scores]
        found = dict(zip(("judgments", "scores"), who.of_tables(tables, humans=humans), strict=False))
        names = {"judgments": [self.target], "scores": self.metrics}
        warn_of_doubts(*(_of_metrics(table, names[what]) for what, table in found.items()))
        return {**found, "predictor": learned[0] if len(learned) == 1 else None}


def _of_metrics(table: pd.DataFrame, metrics: Names) -> pd.DataFrame:
    """Keep the rows of these metrics; all, if none is named."""
    return table[table["metric"].isin(metrics)] if metrics else table


GROUPS["partly_judged"] = Group(PartlyJudged)


def estimate(
    partly_judged: PartlyJudged,
    differences: bool = False,
    baseline: str | None = None,
    equivalence: float | tuple[float, float] | None = None,
    rater_model: RaterModel = "model",
    *,
    progress: bool,
) -> Result:
    """Estimate the mean human scores of systems from a part of the judgments."""
    from classy_aesop.answers.estimates import estimate, estimate_differences, estimate_plan
    from classy_aesop.answers.judgments import UntoldError
    from classy_aesop.significance.few_judgments.direct_means import MIN_SYSTEMS_FOR_POOLED_VARIANCE

    if not differences and (baseline is not None or equivalence is not None):
        raise UsageError("--baseline and --equivalence go with --differences")
    raters: dict[str, Any] = {"rater_model": rater_model}
    if differences:
        how: dict[str, Any] = {"baseline": baseline, "equivalence": equivalence, **raters}
        return Result(partly_judged.found_by(estimate_differences, progress, **how))
    try:
        table = partly_judged.found_by(estimate, progress, **raters)
    except UntoldError as error:
        plan = partly_judged.found_by(estimate_plan, progress, **raters)
        warnings.warn(error.why, DataWarning, stacklevel=2)
        return Result(plan, {"command": "estimate-plan"}, kind="estimate-plan")
    few = 1 < table["summarizer"].nunique() < MIN_SYSTEMS_FOR_POOLED_VARIANCE and table["worth"].notna().all()
    return Result(table, first=partial(_told_apart, partly_judged, rater_model) if few else None)


def _told_apart(partly_judged: PartlyJudged, rater_model: RaterModel) -> Result:
    """Compare few systems, whose differences are what is asked for."""
    from classy_aesop.answers.estimates import estimate_differences
    from classy_aesop.data.scores import with_places

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the means have said it
        table = with_places(partly_judged.found_by(estimate_differences, False, rater_model=rater_model))
    return Result(table, kind="estimate --differences")


def estimate_plan(
    partly_judged: PartlyJudged,
    width: float | None = None,
    difference: float | None = None,
    power: float = 0.8,
    raters: int | None = None,
    *,
    progress: bool,
) -> Result:
    """Say how many judged topics make estimates precise enough (for a test of two summarizers: power)."""
    from classy_aesop.answers.estimates import estimate_plan

    wanted: dict[str, Any] = {"width": width, "difference": difference, "power": power, "raters": raters}
    return Result(partly_judged.found_by(estimate_plan, progress, **wanted))


def assessors(
    corpus_of_tables: CorpusOfTables,
    ratings: Names = None,
    labels: pd.DataFrame | None = None,
    metrics: Names = None,
    scale: Scale = "interval",
    confidence: float = 0.95,
    confusion: bool = False,
    reliability: bool = False,
    worst: int | None = None,
    identical_texts: bool = False,
    scores: Names = (),
    *,
    how: How,
) -> Result:
    """Say how far raters agree with each other, or with themselves on identical texts."""
    from classy_aesop.answers.assessors import assessor_agreement, assessor_confusion, assessor_exclusion
    from classy_aesop.answers.raters import rater_reliability
    from classy_aesop.data.doubts import warn_of_doubts
    from classy_aesop.data.scores import with_places
    from classy_aesop.papers.printed import CONSISTENCY, misprints, with_printed, with_printed_exclusion

    if scores and not worst:
        raise UsageError("--scores goes with --worst; expected both or none")
    if sum(map(bool, (confusion, reliability, worst))) > 1:
        raise UsageError("expected only one of --confusion, --reliability and --worst")
    corpus = corpus_of_tables.corpus
    if identical_texts and corpus is None:
        raise UsageError("--identical-texts needs the texts; expected --corpus IN")
    rated = _rated(ratings, corpus, corpus_of_tables, labels)
    warn_of_doubts(_of_metrics(rated, metrics))
    texts = corpus if identical_texts else None
    part: dict[str, Any] = {"metrics": metrics, "year": corpus_of_tables.year, "task": corpus_of_tables.task}
    signed: dict[str, object] = {"of": "identical-texts" if identical_texts or worst else "summaries"}
    if confusion:
        table = assessor_confusion(rated, corpus=texts, **part)
        signed |= {"scale": None, "confidence": None}
    elif reliability:
        if scale != "interval":
            raise UsageError(f"--scale {scale} is for alpha; --reliability takes ratings as interval-scaled")
        table = rater_reliability(rated, n_jobs=how["n_jobs"], progress=how["progress"], **part)
        signed |= {"scale": None, "confidence": None, "of": None}
        return Result(table, signed)
    elif worst:
        if corpus is None:
            raise UsageError("--worst needs --corpus, to find who agrees least on identical texts")
        found = imported(scores or (), corpus)
        table = assessor_exclusion(rated, corpus, scores=found, scale=scale, worst=worst, **part)
        table = with_printed_exclusion(with_places(table), corpus.judgments)
        signed |= {"confidence": None}
    else:
        table = assessor_agreement(rated, corpus=texts, scale=scale, confidence=confidence, **how, **part)
        if texts is not None:
            keys = ["metric", "assessor"]
            table = with_printed(with_places(table), texts.judgments, CONSISTENCY, keys, {"value": "printed"})
    return Result(table, signed, misprints("assessors") if identical_texts or worst else ())


def _rated(
    paths: Names, corpus: Corpus | None, part: CorpusOfTables, labels: pd.DataFrame | None
) -> pd.DataFrame:
    """Read the ratings of those who take part, with the assessors of a table of topics."""
    from classy_aesop.papers.judged import with_labels
    from classy_aesop.reading import joined_humans

    humans = {} if corpus is None else corpus.humans()
    if paths:
        (ratings,), known = part.tables((), paths, None)
        humans = joined_humans(known, humans)
    elif corpus is not None:
        ratings = corpus.judgments if corpus.ratings.empty else corpus.ratings
    else:
        raise UsageError("nothing to read; expected RATINGS, --corpus IN or both")
    if labels is not None:
        ratings = with_labels(ratings, labels, "assessor")
    return part.selection().of(ratings, humans=humans) if part.names_peers else ratings


def power(
    score_table: Table,
    metric: str,
    difference: float | None = None,
    systems: Names = None,
    power: float = 0.8,
    system_test: SystemTest | None = None,
    alpha: float = ALPHA,
    rater_model: RaterModel = "model",
    preset: Preset = "standard",
    n_trials: int = 2_000,
    seed: int = 0,
    n_jobs: int = 1,
    *,
    progress: bool,
) -> Result:
    """Say how many topics a test takes to show a difference (for estimates: estimate-plan)."""
    from classy_aesop.answers.topic_plans import plan_topics

    (scores,), _ = score_table.read([metric], default="all_peers" if systems else None)
    table = plan_topics(
        scores,
        metric,
        difference,
        systems=systems,
        power=power,
        test=system_test,
        preset=preset,
        raters=rater_model,
        alpha=alpha,
        n_trials=n_trials,
        seed=seed,
        n_jobs=n_jobs,
        progress=progress,
    )
    return Result(table)


COMMANDS = (
    Command(evaluate, passed="levels coefficients n_jobs", tables=("bias",)),
    Command(compare, tables=("pairwise mixed baseline equivalence fail_if",)),
    Command(
        compare_metrics,
        passed="metric_test levels coefficients correction alpha together n_jobs",
        defaults={"n_jobs": None},
        tables=("pairwise",),
    ),
    Command(agreement, passed="top test alpha combine n_jobs"),
    Command(assessors, passed="n_jobs", tables=("confusion", "reliability", "worst")),
    Command(power),
    Command(estimate, tables=("differences",)),
    Command(estimate_plan),
)
