"""Baselines, predictors and imported metrics in one table, by how well they correlate with humans.

Where humans are among the summarizers there are two peer sets, as in the main job: ``no_models``, systems only, which
meet all references; ``all_peers``, with the humans, where baselines leave out one reference at a time for systems,
and a measure's jackknifed twin stands for it if there is one; humans alone, ``models_only``, are scored likewise.
Predictors and imported scores are as they are.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from classy_aesop.answers.correlation_options import CorrelationOptions, IntervalMethod
from classy_aesop.answers.correlation_tables import SOURCE, declare_correlations
from classy_aesop.answers.metrics import evaluate
from classy_aesop.answers.metrics_and_humans import choose_measure, read_metrics_and_humans
from classy_aesop.answers.raters import check_assessors, warn_of_rater_shares
from classy_aesop.answers.score_matrices import (
    PeerSelection,
    PeerSet,
    name_sequence,
    pair_levels_with_coefficients,
    select_rows,
)
from classy_aesop.answers.shared_options import CONFIDENCE
from classy_aesop.baselines.baseline_scores import score_baselines
from classy_aesop.config import PEERS as DEFAULT_PEER_SETS
from classy_aesop.data import COLUMNS, JACKKNIFED, KEYS, drop_unscored_strata, key_table
from classy_aesop.data.cells import GivenColumns
from classy_aesop.data.directions import lower_measures, set_directions
from classy_aesop.data.scores import DEFAULT_COEFFICIENTS, add_stratum_columns, drop_empty_stratum_columns
from classy_aesop.errors import NOTE, InputError, NoTextError, UsageError, join_names, warn
from classy_aesop.keywords import explain_keywords
from classy_aesop.predictor import Predictor
from classy_aesop.reading import align_scores, all_metrics
from classy_aesop.reading.corpus import Corpus
from classy_aesop.reading.given_tables import (
    CorpusData,
    ScoreTables,
    ensure_corpus,
    is_frame,
    is_of_records,
    read_score_table,
)
from classy_aesop.significance.choices import N_RESAMPLES, Coefficient, IntervalKind, Level, Means
from classy_aesop.significance.flags import TWO_SYSTEMS
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import PEER_SET, TASK, YEAR
from classy_aesop.text.tokens import Tokenizer
from classy_aesop.work.options import keywords_of
from classy_aesop.work.records import signature

DEFAULT_LEVELS: tuple[Level, ...] = ("system", "input")
"""The levels that are reported by default."""

LEADERBOARD = declare_correlations("leaderboard", PEER_SET, SOURCE)

_LOG = logging.getLogger(__name__)

PredictorSource = Predictor | str | Path
"""A predictor, its file, or the name of one that comes with the package."""

METRIC_SOURCES = ("baseline", "predictor", "imported")
"""Where a metric comes from."""


@explain_keywords(
    judgments="evaluate(scores, judgments, target)",
    method="coefficient=",
)
def leaderboard(
    data: CorpusData,
    target: str | None = None,
    *,
    peers: PeerSet | PeerSelection | None = None,
    baselines: str | Sequence[str] | None = None,
    metric: str | Sequence[str] | None = None,
    predictor: PredictorSource | Sequence[PredictorSource] = (),
    scores: ScoreTables | None = None,
    tokenizer: Tokenizer = "rouge",
    level: Level | Sequence[Level] | None = None,
    coefficient: Coefficient | Sequence[Coefficient] | None = None,
    interval: IntervalMethod | None = None,
    interval_kind: IntervalKind = "percentile",
    confidence: float = CONFIDENCE,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    means: Means = "least-squares",
    ceiling: bool = False,
    columns: GivenColumns | None = None,
    lower_is_better: str | Sequence[str] | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> Result:
    """Correlate every baseline, predictor and imported metric with one human measure of a corpus.

    Parameters
    ----------
    data : Corpus, DataFrame or path-like
        Judged summaries: a corpus, a table that `Corpus.from_rows` reads, or what `read_corpus` reads. A DataFrame
        without texts holds scores of metrics beside the human measure, and these alone are compared.
    target : str, optional
        The human measure; by default the only one.
    peers : PeerSelection, or its ``peers``, optional
        Who is compared. Without a choice of systems, humans or all, each peer set is reported that there is.
    baselines : str, or sequence of str, optional
        As for `score_baselines`; none if empty.
    metric : str, or sequence of str, optional
        Only these metrics, by their names in the table; by default all.
    predictor : Predictor, path-like or str, or sequence of these
        Predictors, their files, or names of those that come with the package. Their imported columns, if any, are
        taken from ``scores``.
    scores : DataFrame, or sequence of DataFrame, optional
        Score tables of imported metrics, joined by ids, beside those that came with the corpus.
    tokenizer : {"rouge", "unicode"}
        How baselines find tokens, as for `score_baselines`; predictors have their own.
    lower_is_better : str, or sequence of str, optional
        The target, if lower judgments are better, and imported metrics of which lower scores are, as for `evaluate`.
        Predictions have the direction of what they predict.
    columns : mapping, optional
        What columns of a table are, where their names do not say so, see `Corpus.from_rows`.
    level, coefficient, interval, interval_kind, means, ceiling, confidence, n_resamples, seed
        As for `evaluate`, by default at the levels `LEVELS`. A jackknifed measure has no raters, so no ceiling is
        added where it stands for the plain one.
    n_jobs : int
        Number of processes, as for joblib; the result does not depend on it.
    progress : bool
        Show a progress bar on standard error.

    Returns
    -------
    Result
        The columns of `evaluate` with ``peers`` and ``source`` (one of `METRIC_SOURCES`) before ``metric``, as
        `LEADERBOARD` declares them. Within a year, task and peer set the metrics are sorted by the first level's
        first coefficient, best first; of two systems by the first that is not of their means, which always correlate by
        1 or -1. Metrics of one name from two sources get the source behind it: ``ROUGE-2 (imported)``.

    Raises
    ------
    UsageError
        A name is not known, or there is nothing to compare: no baseline, predictor or imported metric.
    InputError
        ``ceiling`` without single ratings of the measure; two predictors of one name; or as `score_baselines`,
        `Predictor.predict` and `align_scores`.

    Examples
    --------
    >>> rows = pd.DataFrame({"topic": [1, 1, 1, 2, 2, 2], "system": list("abcabc"), "quality": [4, 1, 5, 4, 2, 5]})
    >>> rows["summary"] = ["Rain fell all day.", "It was dry.", "Rain fell in the north."] * 2
    >>> corpus = Corpus.from_rows(rows.assign(reference="Rain fell in the north all day."))
    >>> board = leaderboard(corpus, "quality", baselines="rouge", level="system", coefficient="pearson")
    >>> board.table[["metric", "value"]].round(3).values.tolist()[:2]
    [['ROUGE-1', 0.996], ['ROUGE-L', 0.996]]
    """
    options = CorrelationOptions(
        level=level,
        coefficient=coefficient,
        interval=interval,
        interval_kind=interval_kind,
        confidence=confidence,
        n_resamples=n_resamples,
        seed=seed,
        means=means,
        ceiling=ceiling,
    )
    options.check_interval()
    try:
        corpus = ensure_corpus(data, columns=columns)
    except NoTextError:
        if not (is_frame(data) or is_of_records(data)) or scores is not None or baselines or predictor:
            raise
        return _leaderboard_of_scores(
            *read_metrics_and_humans(data, None, target=target, metric=metric, columns=columns),
            options,
            target=target,
            metric=metric,
            lower_is_better=lower_is_better,
            n_jobs=n_jobs,
            progress=progress,
        )
    predictors = [predictor] if isinstance(predictor, Predictor | str | Path) else predictor
    return rank_all_metrics(
        corpus,
        choose_measure(corpus.judgments, target, "target"),
        options,
        peers=peers,
        baselines=baselines,
        metric=metric,
        predictors=predictors,
        scores=scores,
        tokenizer=tokenizer,
        lower_is_better=lower_is_better,
        n_jobs=n_jobs,
        progress=progress,
    )


def rank_all_metrics(
    corpus: Corpus,
    target: str,
    options: CorrelationOptions,
    *,
    peers: PeerSet | PeerSelection | None = None,
    baselines: str | Sequence[str] | None = None,
    metric: str | Sequence[str] | None = None,
    predictors: Sequence[PredictorSource] = (),
    scores: ScoreTables | None = None,
    tokenizer: Tokenizer = "rouge",
    lower_is_better: str | Sequence[str] | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> Result:
    """Rank baselines, predictors and imported metrics with other_scores options, as :func:`leaderboard` does.

    Parameters
    ----------
    corpus : Corpus
        Judged summaries.
    target : str
        The human measure.
    options : CorrelationOptions
        How correlations are computed.
    predictors : sequence of Predictor, path-like or str
        As ``predictor`` of :func:`leaderboard`.
    peers, baselines, metric, scores, tokenizer, lower_is_better, n_jobs, progress
        As for :func:`leaderboard`.

    Returns
    -------
    Result
        As :func:`leaderboard`.
    """
    options = replace(
        options,
        level=options.level or DEFAULT_LEVELS,
        coefficient=options.coefficient or DEFAULT_COEFFICIENTS,
    )
    measure_names = [str(name) for name in corpus.judgments["metric"].unique()]
    if target not in measure_names:
        raise UsageError(
            f"no human measure {target!r}; the corpus has {join_names(measure_names, most=20) or 'none'}"
        )
    if options.ceiling:
        check_assessors(corpus.ratings[corpus.ratings["metric"] == target])
    measures = pair_levels_with_coefficients(options.level or (), options.coefficient or ())
    if not options.ceiling and not corpus.ratings.empty:  # with a ceiling evaluate says it
        warn_of_rater_shares(corpus.ratings[corpus.ratings["metric"] == target])
    baseline_names = None if baselines is None else name_sequence(baselines)
    scores = all_metrics(corpus.scores, None if scores is None else read_score_table(scores))
    directed = set_directions([corpus.judgments, *([] if scores is None else [scores])], lower_is_better)
    lower = lower_measures(*directed)
    says_nothing = lower_is_better is None and not lower
    if baseline_names is not None and not baseline_names and not predictors and scores is None:
        raise UsageError("nothing to compare; expected baselines, predictors or imported scores")
    loaded_predictors = [
        predictor if isinstance(predictor, Predictor) else Predictor.load(predictor)
        for predictor in predictors
    ]
    lower |= {predictor.name for predictor in loaded_predictors if predictor.target in lower}
    other_scores = _predict_and_import(corpus, loaded_predictors, scores, n_jobs=n_jobs, progress=progress)
    blocks: list[pd.DataFrame] = []
    selection = peers if isinstance(peers, PeerSelection) else PeerSelection(peers)
    for peer_set, compared in peer_sets(selection.select_corpus(corpus), selection.peers).items():
        tables = [*other_scores]
        try:
            if baseline_names is None or baseline_names:
                baseline_scores = score_baselines(
                    compared,
                    baseline_names,
                    jackknife=peer_set != "no_models",
                    tokenizer=tokenizer,
                    progress=progress,
                )
                tables.insert(0, add_stratum_columns(baseline_scores).assign(source="baseline"))
        except InputError as error:
            if not blocks and (baseline_names is not None or not other_scores):
                raise
            warn(f"{peer_set}: baselines are left out: {error}")
        if not tables:
            continue
        table = select_rows(_make_names_distinct(compared, tables), "metric", metric)
        truth = _select_judgments(compared, target, twins=peer_set != "no_models", ceiling=options.ceiling)
        lower_names = None if says_nothing else _names_of_lower(table, lower) + [target] * (target in lower)
        evaluation = evaluate(
            table[COLUMNS],
            truth,
            lower_is_better=lower_names,
            n_jobs=n_jobs,
            progress=progress,
            **{**keywords_of(options), "ceiling": "assessor" in truth},
        )
        correlations = add_stratum_columns(evaluation.table)
        sources = table.drop_duplicates("metric").set_index("metric")["source"]
        blocks.append(
            correlations.assign(peers=peer_set, source=correlations["metric"].map(sources), target=target)
        )
    _LOG.log(NOTE, "human measures: %s", join_names(measure_names, most=20))
    return _make_leaderboard(pd.concat(blocks, ignore_index=True), measures, target, options)


def _leaderboard_of_scores(
    scores: pd.DataFrame,
    judgments: pd.DataFrame,
    options: CorrelationOptions,
    *,
    target: str | None,
    metric: str | Sequence[str] | None,
    lower_is_better: str | Sequence[str] | None,
    n_jobs: int,
    progress: bool,
) -> Result:
    """Rank the metrics of a table without texts."""
    options = replace(
        options,
        level=options.level or DEFAULT_LEVELS,
        coefficient=options.coefficient or DEFAULT_COEFFICIENTS,
    )
    result = evaluate(
        scores,
        judgments,
        target,
        metric=metric,
        lower_is_better=lower_is_better,
        n_jobs=n_jobs,
        progress=progress,
        **keywords_of(options),
    )
    rows = add_stratum_columns(result.table).assign(peers="all_peers", source="imported")
    measures = pair_levels_with_coefficients(options.level or (), options.coefficient or ())
    return _make_leaderboard(rows, measures, str(target), options)


def _make_leaderboard(
    rows: pd.DataFrame, measures: Sequence[tuple[str, str]], target: str, options: CorrelationOptions
) -> Result:
    """Put the rows of all peer sets into the table, the best metric first."""
    table = drop_empty_stratum_columns(LEADERBOARD.order_columns(_sort_best_first(rows, measures)))
    signed = signature(command=LEADERBOARD.name, target=target, means=options.means)
    return Result(table, signature=signed, answer=LEADERBOARD)


def peer_sets(corpus: Corpus, peers: str | None = None) -> dict[str, Corpus]:
    """Give the corpus of each peer set, or of one only.

    There is one where all are systems or all are humans; else there are two: systems only, and all summarizers.
    """
    human = {summary.human for _, summary in corpus.summaries()}
    if len(human) == 1:
        return {"models_only" if True in human else "no_models": corpus}
    sets: dict[str, Corpus] = {name: PeerSelection(name).select_corpus(corpus) for name in DEFAULT_PEER_SETS}
    return sets if peers is None else {peers: sets[peers]}


def _predict_and_import(
    corpus: Corpus,
    predictors: Sequence[Predictor],
    scores: pd.DataFrame | None,
    *,
    n_jobs: int,
    progress: bool,
) -> list[pd.DataFrame]:
    """Give the predictions and the imported scores, which are the same for every peer set."""
    tables = []
    for predictor in predictors:
        predicted = predictor.predict(corpus.topics, scores=scores, n_jobs=n_jobs, progress=progress)
        tables.append(drop_unscored_strata(predicted).assign(source="predictor"))
    if scores is not None:
        instances = _list_instances(corpus)
        wide = instances.join(align_scores(instances, scores, subject="imported scores"))
        long = wide.melt(id_vars=KEYS, var_name="metric", value_name="score")
        tables.append(long.assign(source="imported"))
    return tables


def _select_judgments(corpus: Corpus, target: str, *, twins: bool, ceiling: bool) -> pd.DataFrame:
    """Give the human scores; a jackknifed twin, which has no raters, stands for the plain measure if there is one."""
    twin = target + JACKKNIFED
    has_twin = twins and (corpus.judgments["metric"] == twin).any()
    judged = corpus.ratings if ceiling and not has_twin else corpus.judgments
    return judged[judged["metric"] == (twin if has_twin else target)].assign(metric=target)


def _make_names_distinct(corpus: Corpus, tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Join the scores of a corpus; a name from several sources gets its source, and a source has it once."""
    table = _list_instances(corpus).merge(pd.concat(tables, ignore_index=True), on=KEYS)
    duplicates = table[table.duplicated([*KEYS, "metric", "source"])]
    if len(duplicates):
        name, source = duplicates[["metric", "source"]].iloc[0]
        raise InputError(f"{source} {name} appears twice; expected different names")
    shared = table.groupby("metric")["source"].transform("nunique") > 1
    return table.assign(metric=table["metric"].where(~shared, table["metric"] + " (" + table["source"] + ")"))


def _names_of_lower(table: pd.DataFrame, lower: Collection[str]) -> list[str]:
    """Name the metrics of a table of which lower scores are better, as they are called where names have a source."""
    names = table[["metric", "source"]].drop_duplicates().itertuples(index=False, name=None)
    return [
        name for name, source in names if name.removesuffix(f" ({source})") in lower and source != "baseline"
    ]


def _sort_best_first(board: pd.DataFrame, measures: Sequence[tuple[str, str]]) -> pd.DataFrame:
    """Sort the metrics of each year, task and peer set by the first correlation there that is informative."""
    strata = [board[column.name] for column in (YEAR, TASK, PEER_SET)]
    group = board.groupby(strata, sort=False).ngroup()
    lead = pd.Series(float("nan"), index=board.index)
    for level, coefficient in measures:
        is_meant = (board["level"] == level) & (board["coefficient"] == coefficient)
        values = board["value"].where(is_meant & (board["flag"] != TWO_SYSTEMS))
        is_open = lead.groupby(group).transform("count") == 0
        lead = lead.where(~is_open, values)
    best = lead.groupby([*strata, board["metric"]], sort=False).transform("max")
    order = pd.DataFrame({"group": group, "less": -best}).sort_values(["group", "less"], kind="stable")
    return board.loc[order.index].reset_index(drop=True)


def _list_instances(corpus: Corpus) -> pd.DataFrame:
    """List the year, topic, task and summarizer of each summary."""
    return key_table((*topic.key, summary.summarizer) for topic, summary in corpus.summaries())
