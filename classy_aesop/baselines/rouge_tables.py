"""Score tables of many metrics, put together from the scores of several topics at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.data import COLUMNS
from classy_aesop.data.topics import Topic
from classy_aesop.text.arrays import Floats, IndexArray, places_in_runs, starts_from_sizes

if TYPE_CHECKING:
    import pandas as pd


class RougeTable:
    """A row for each topic, metric and summary, in this order."""

    def __init__(self, metrics: Sequence[str]) -> None:
        self._metrics = list(metrics)
        self._keys: list[tuple[str, str, str]] = []
        self._sizes: list[int] = []
        self._summarizers: list[str] = []
        self._scores: list[Floats] = []

    def append(self, topics: Sequence[Topic], scores: Floats) -> None:
        """Add the scores (n_metrics, n_summaries) of the summaries of topics."""
        self._keys += [topic.key for topic in topics]
        self._sizes += [len(topic.summaries) for topic in topics]
        self._summarizers += [summary.summarizer for topic in topics for summary in topic.summaries]
        self._scores.append(scores)

    def to_frame(self) -> pd.DataFrame:
        """Give the table."""
        import pandas as pd

        topic, metric, summary = self._rows
        columns = [pd.Series(column, dtype=str) for column in zip(*self._keys, strict=True)]
        keys = [column.array.take(topic) for column in columns or [pd.Series([], dtype=str)] * 3]
        summarizers = pd.Series(self._summarizers, dtype=str).array.take(summary)
        metrics = pd.Series(self._metrics, dtype=str).array.take(metric)
        scores = np.concatenate([np.zeros((len(self._metrics), 0)), *self._scores], axis=1)
        arrays = (*keys, summarizers, metrics, scores[metric, summary])
        return pd.DataFrame(dict(zip(COLUMNS, arrays, strict=True)))

    @property
    def _rows(self) -> tuple[IndexArray, IndexArray, IndexArray]:
        """Topic, metric and summary of each row."""
        n_metrics = len(self._metrics)
        sizes = np.array(self._sizes, np.intp)
        size_of_run = np.repeat(sizes, n_metrics)  # a run has the summaries of a topic with one metric
        run, summary = places_in_runs(size_of_run, np.repeat(starts_from_sizes(sizes), n_metrics))
        topic, metric = np.divmod(run, max(n_metrics, 1))
        return topic, metric, summary
