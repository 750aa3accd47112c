"""What a predictor says of a corpus of any size, block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from classy_aesop.data.corpus import Corpus
from classy_aesop.data.topics import Topic
from classy_aesop.predictor.division import Reads, is_of_task
from classy_aesop.reading.streaming import Stream, StreamedTable, TopicScores

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.reading.score_rows import ScoreTables


def streamed(
    reads: Reads,
    stream: Stream,
    scores: ScoreTables | None,
    function: Callable[..., pd.DataFrame],
    empty: Callable[[Iterable[Topic]], pd.DataFrame] | None = None,
    *,
    n_jobs: int,
) -> StreamedTable:
    """Apply a function to each block of the task that has each imported metric, to topics of others ``empty``."""
    beside = None if scores is None else TopicScores(scores)
    return stream.table(partial(_of_block, reads, beside, function, empty), n_jobs=n_jobs)


def _of_block(
    reads: Reads,
    beside: TopicScores | None,
    function: Callable[..., pd.DataFrame],
    empty: Callable[[Iterable[Topic]], pd.DataFrame] | None,
    corpus: Corpus,
) -> pd.DataFrame | None:
    scores = None if beside is None else beside.of(corpus)
    there = set() if scores is None else {*scores["metric"], *corpus.scores["metric"]}
    if is_of_task(corpus, reads.task) and (scores is None or there.issuperset(reads.imported)):
        return function(corpus, scores=scores)
    return None if empty is None else empty(corpus.topics)
