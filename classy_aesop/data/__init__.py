"""What corpora and score tables are: topics, summaries, judgments; how tables are joined and checked.

Metric scores and human judgments share one pandas table with the columns ``year, topic, task, summarizer,
metric, score`` and, for single ratings, ``assessor``. Each row holds one number; identifiers are text. A
missing number is a row with NaN or no row at all; it is never filled in. Files are read by `classy_aesop.reading`.
"""

from classy_aesop.data.corpus import Corpus
from classy_aesop.data.leaks import COPIES, Leak, find_leaks, settle_copies
from classy_aesop.data.score_tables import align_scores, all_metrics, tidied, tidy
from classy_aesop.data.scores import (
    COLUMNS,
    JACKKNIFED,
    KEYS,
    as_one_table,
    between,
    check_range,
    empty_table,
    key_table,
    matrix,
    mean_ratings,
    named,
    natural,
    of_scored_tasks,
    table,
)
from classy_aesop.data.topics import Reference, Summary, Text, Topic

__all__ = [
    "COLUMNS",
    "COPIES",
    "JACKKNIFED",
    "KEYS",
    "Corpus",
    "Leak",
    "Reference",
    "Summary",
    "Text",
    "Topic",
    "align_scores",
    "all_metrics",
    "as_one_table",
    "between",
    "check_range",
    "empty_table",
    "find_leaks",
    "key_table",
    "matrix",
    "mean_ratings",
    "named",
    "natural",
    "of_scored_tasks",
    "settle_copies",
    "table",
    "tidied",
    "tidy",
]
