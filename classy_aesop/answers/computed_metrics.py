"""Known metrics and predictors computed on a corpus of judged summaries, beside imported metrics.

Where humans are among the summarizers there are two peer sets, as in the main job: ``no_models``, systems only, which
meet all references; ``all_peers``, with the humans, where known metrics leave out one reference at a time for systems,
and a measure's jackknifed twin stands for it if there is one; humans alone, ``models_only``, are scored likewise.
Predictors and imported scores are as they are.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence

import pandas as pd

from classy_aesop.answers.metrics_and_humans import EvaluatedMetrics, MetricSelection
from classy_aesop.answers.score_matrices import name_sequence, select_rows
from classy_aesop.answers.selection import Selection
from classy_aesop.baselines.baseline_scores import score_baselines
from classy_aesop.config import PEERS as DEFAULT_PEER_SETS
from classy_aesop.data import COLUMNS, JACKKNIFED, KEYS, drop_unscored_strata, key_table
from classy_aesop.data.directions import lower_measures, set_directions
from classy_aesop.data.scores import add_stratum_columns
from classy_aesop.errors import NOTE, InputError, UsageError, join_names, warn
from classy_aesop.predictor import Predictor
from classy_aesop.reading import align_scores, all_metrics
from classy_aesop.reading.corpus import Corpus

_LOG = logging.getLogger(__name__)


def compute_metrics(
    corpus: Corpus,
    scores: pd.DataFrame | None,
    targets: Sequence[str] | None,
    selection: MetricSelection,
    *,
    peers: Selection,
    predictors: Sequence[Predictor],
) -> list[EvaluatedMetrics]:
    """Score a corpus by known metrics and predictors; give them, imported metrics and judgments, by peer set."""
    corpus = Selection(year=selection.year, task=selection.task).select_stratum(corpus)
    names = choose_measures(corpus, targets)
    known_names = None
    if selection.compute is not None:
        known_names = [name for name in name_sequence(selection.compute) if name != "none"]
    imported = all_metrics(corpus.scores, scores)
    directed = set_directions(
        [corpus.judgments, *([] if imported is None else [imported])], selection.lower_is_better
    )
    lower = lower_measures(*directed)
    says_nothing = selection.lower_is_better is None and not lower
    if known_names == [] and not predictors and imported is None:
        raise UsageError("nothing to compare; expected known metrics, predictors or imported scores")
    lower |= {learned.name for learned in predictors if learned.target in lower}
    other_scores = _predict_and_import(corpus, predictors, imported, selection)
    evaluated: list[EvaluatedMetrics] = []
    for peer_set, compared in peer_sets(peers.select_corpus(corpus), peers.peers).items():
        tables = [*other_scores]
        try:
            if known_names is None or known_names:
                baseline_scores = score_baselines(
                    compared,
                    known_names,
                    jackknife=peer_set != "no_models",
                    tokenizer=selection.tokenizer,
                    progress=selection.progress,
                )
                tables.insert(0, add_stratum_columns(baseline_scores).assign(source="baseline"))
        except InputError as error:
            if not evaluated and (known_names is not None or not other_scores):
                raise
            warn(f"{peer_set}: known metrics are left out: {error}")
        if not tables:
            continue
        table = select_rows(_make_names_distinct(compared, tables), "metric", selection.metric)
        judged = [_select_judgments(compared, name, twins=peer_set != "no_models") for name in names]
        lower_names = None if says_nothing else [*_names_of_lower(table, lower), *sorted(lower & {*names})]
        scored, truth = set_directions([table[COLUMNS], pd.concat(judged, ignore_index=True)], lower_names)
        source_of = dict(zip(table["metric"].map(str), table["source"].map(str), strict=True))
        evaluated.append(EvaluatedMetrics(scored, truth, peer_set, source_of))
    _LOG.log(NOTE, "human measures: %s", join_names(names, limit=20))
    return evaluated


def choose_measures(corpus: Corpus, targets: Sequence[str] | None) -> list[str]:
    """Give the human measures of a corpus that are asked for; all by default, without jackknifed twins of others."""
    measures = [str(name) for name in corpus.judgments["metric"].unique()]
    if targets is None:
        names = [name for name in measures if name.removesuffix(JACKKNIFED) not in {*measures} - {name}]
        if not names:
            raise UsageError("the corpus has no human measures; expected judgments beside its summaries")
        return names
    if unknown := [name for name in targets if name not in measures]:
        raise UsageError(
            f"no human measure {unknown[0]!r}; the corpus has {join_names(measures, limit=20) or 'none'}"
        )
    return list(targets)


def peer_sets(corpus: Corpus, peers: str | None = None) -> dict[str, Corpus]:
    """Give the corpus of each peer set, or of one only.

    There is one where all are systems or all are humans; else there are two: systems only, and all summarizers.
    """
    human = {summary.human for _, summary in corpus.summaries()}
    if len(human) == 1:
        return {"models_only" if True in human else "no_models": corpus}
    sets: dict[str, Corpus] = {
        name: Selection(peers=name).select_corpus(corpus) for name in DEFAULT_PEER_SETS
    }
    return sets if peers is None else {peers: sets[peers]}


def _predict_and_import(
    corpus: Corpus,
    predictors: Sequence[Predictor],
    scores: pd.DataFrame | None,
    selection: MetricSelection,
) -> list[pd.DataFrame]:
    """Give the predictions and the imported scores, which are the same for every peer set."""
    tables = []
    for predictor in predictors:
        predicted = predictor.predict(
            corpus.topics, scores=scores, n_jobs=selection.n_jobs, progress=selection.progress
        )
        tables.append(drop_unscored_strata(predicted).assign(source="predictor"))
    if scores is not None:
        instances = _list_instances(corpus)
        wide = instances.join(align_scores(instances, scores))
        long = wide.melt(id_vars=KEYS, var_name="metric", value_name="score")
        tables.append(long.assign(source="imported"))
    return tables


def _select_judgments(corpus: Corpus, target: str, *, twins: bool) -> pd.DataFrame:
    """Give the human scores; a jackknifed twin stands for the plain measure if there is one."""
    twin = target + JACKKNIFED
    judged = corpus.judgments
    has_twin = twins and (judged["metric"] == twin).any()
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


def _list_instances(corpus: Corpus) -> pd.DataFrame:
    """List the year, topic, task and summarizer of each summary."""
    return key_table((*topic.key, summary.summarizer) for topic, summary in corpus.summaries())
