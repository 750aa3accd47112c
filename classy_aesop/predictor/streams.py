"""What a predictor says of a corpus of any size, block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from classy_aesop.data.topics import Topic
from classy_aesop.predictor.division import is_of_task
from classy_aesop.reading.corpus import Corpus
from classy_aesop.reading.streaming import Stream, StreamedTable, TopicScores

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.predictor.parts import PredictorParts
    from classy_aesop.reading.score_tables import ScoreTables


def predict_stream(
    predictor: PredictorParts,
    stream: Stream,
    scores: ScoreTables | None,
    function: Callable[..., pd.DataFrame],
    make_unscored: Callable[[Iterable[Topic]], pd.DataFrame] | None = None,
    *,
    n_jobs: int,
) -> StreamedTable:
    """Apply a function to each block of a stream that is of the predictor's task and has each imported metric."""
    topic_scores = None if scores is None else TopicScores(scores)
    return stream.table(
        partial(_apply_to_block, predictor, topic_scores, function, make_unscored), n_jobs=n_jobs
    )


def _apply_to_block(
    predictor: PredictorParts,
    topic_scores: TopicScores | None,
    function: Callable[..., pd.DataFrame],
    make_unscored: Callable[[Iterable[Topic]], pd.DataFrame] | None,
    corpus: Corpus,
) -> pd.DataFrame | None:
    """Apply the function to the corpus of a block, or ``make_unscored`` if the predictor can score none of it."""
    scores = None if topic_scores is None else topic_scores.select(corpus)
    metrics = set() if scores is None else {*scores["metric"], *corpus.scores["metric"]}
    if is_of_task(corpus, predictor.task) and (scores is None or metrics.issuperset(predictor.imported)):
        return function(corpus, scores=scores)
    return None if make_unscored is None else make_unscored(corpus.topics)
