"""The tidy score table, and the only way from it to matrices.

Metric scores and human judgments share one pandas table with the columns ``year, topic, task, summarizer,
metric, score`` and, for single ratings, ``assessor``. Each row holds one number; identifiers are text. A
missing number is a row with NaN or no row at all; it is never filled in.
"""

from classy_aesop.scores.aesop import read_aesop
from classy_aesop.scores.humans import Humans, joined_humans, read_humans
from classy_aesop.scores.joining import align_scores, all_metrics
from classy_aesop.scores.jsonl import ratings_of_record
from classy_aesop.scores.nist import read_nist_output
from classy_aesop.scores.reading import READERS, read_metrics, read_scores
from classy_aesop.scores.sharing import shared_out
from classy_aesop.scores.table import (
    COLUMNS,
    JACKKNIFED,
    KEYS,
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
from classy_aesop.scores.tidying import tidied, tidy

__all__ = [
    "COLUMNS",
    "JACKKNIFED",
    "KEYS",
    "READERS",
    "Humans",
    "align_scores",
    "all_metrics",
    "between",
    "check_range",
    "empty_table",
    "joined_humans",
    "key_table",
    "matrix",
    "mean_ratings",
    "named",
    "natural",
    "of_scored_tasks",
    "ratings_of_record",
    "read_aesop",
    "read_humans",
    "read_metrics",
    "read_nist_output",
    "read_scores",
    "shared_out",
    "table",
    "tidied",
    "tidy",
]
