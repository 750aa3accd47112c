"""What `evaluate` compares: metrics of tables, or those that are computed on the texts of a judged corpus."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from classy_aesop.answers.metrics_and_humans import (
    EvaluatedMetrics,
    MetricSelection,
    PredictorSource,
    read_evaluated_tables,
)
from classy_aesop.answers.score_matrices import (
    name_sequence,
)
from classy_aesop.answers.selection import Selection
from classy_aesop.errors import InputError, UsageError, warn
from classy_aesop.reading.corpus import Corpus
from classy_aesop.reading.given_tables import (
    ScoreTables,
    ensure_corpus,
    read_score_table,
)
from classy_aesop.reading.memory_tables import is_table
from classy_aesop.reading.summary_tables import DOUBTFUL_MEASURES
from classy_aesop.text.tokens import TOKENIZERS

if TYPE_CHECKING:
    from classy_aesop.predictor import Predictor


def read_evaluated(
    scores: ScoreTables,
    judgments: ScoreTables | None,
    target: str | Sequence[str] | None,
    selection: MetricSelection,
) -> list[EvaluatedMetrics]:
    """Read the metrics and judgments that are compared: those of tables, or of each peer set of a corpus of texts.

    A corpus is scored where ``compute`` or ``predictor`` says so, or where it is alone and holds no scores of metrics.
    """
    if selection.tokenizer not in TOKENIZERS:
        raise UsageError(f"tokenizer is {selection.tokenizer!r}; expected one of {', '.join(TOKENIZERS)}")
    peers = selection.peers if isinstance(selection.peers, Selection) else Selection(peers=selection.peers)
    predictors = _load_predictors(selection.predictor)
    columns = selection.columns
    metrics = name_sequence(selection.metric or ())
    corpus = None
    if selection.compute is not None or predictors:
        corpus = ensure_corpus(scores if judgments is None else judgments, columns=columns)  # type: ignore[arg-type]
    elif judgments is None and _holds_texts(scores):
        corpus = find_unscored_corpus(partial(ensure_corpus, scores, columns=columns))  # type: ignore[arg-type]
        if corpus is not None and not set(corpus.judgments["metric"]).isdisjoint(metrics):
            corpus = None  # its judgments are scores of a metric that is named
    if corpus is not None:
        from classy_aesop.answers.computed_metrics import compute_metrics

        imported = None if judgments is None else read_score_table(scores)
        targets = None if target is None else name_sequence(target)
        return compute_metrics(corpus, imported, targets, selection, peers=peers, predictors=predictors)
    if selection.peers is not None:
        raise UsageError("peers are of a corpus of texts; expected one, or rows of these summarizers only")
    return [read_evaluated_tables(scores, judgments, target, selection.metric, selection)]


def _holds_texts(data: ScoreTables) -> bool:
    """Whether something may be a corpus: no list of tables."""
    return isinstance(data, Corpus | str | os.PathLike) or is_table(data)


def find_unscored_corpus(read: Callable[[], Corpus]) -> Corpus | None:
    """Give the corpus of texts that something holds, unless it holds numbers that may be of metrics; else None."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            corpus = read()
        except (InputError, UsageError):  # a table of scores; what is wrong is said where it is read as one
            return None
    if not corpus.scores.empty or any(DOUBTFUL_MEASURES in note for note in corpus.notes):
        return None
    for warning in caught:
        warn(str(warning.message))
    return corpus


def _load_predictors(predictor: PredictorSource | Sequence[PredictorSource]) -> list[Predictor]:
    """Load predictors, one or several."""
    if not predictor:
        return []
    from classy_aesop.predictor import Predictor

    sources = [predictor] if isinstance(predictor, Predictor | str | Path) else predictor
    return [source if isinstance(source, Predictor) else Predictor.load(source) for source in sources]
