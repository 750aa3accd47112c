"""The tidy score table, and the only way from it to matrices.

Scores (of metrics) and judgments (of people) share one pandas table with the columns ``year, topic, task,
summarizer, metric, score`` and, for single ratings, ``assessor``: a row a number, identifiers as text.
"""

from __future__ import annotations

KEYS = ["year", "topic", "task", "summarizer"]
"""The columns that name an instance: one summarizer on one topic and task."""

COLUMNS = [*KEYS, "metric", "score"]
"""The columns of a score table, in this order; ``assessor`` may follow ``metric``."""
