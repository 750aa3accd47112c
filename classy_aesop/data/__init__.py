"""What corpora and score tables are: topics, summaries, judgments; how tables are joined and checked.

Metric scores and human judgments share one pandas table with the columns ``year, topic, task, summarizer,
metric, score`` and, for single ratings, ``assessor``. Each row holds one number; identifiers are text. A
missing number is a row with NaN or no row at all; it is never filled in. Files are read by `classy_aesop.reading`.
"""

from classy_aesop.data.leaks import COPIES, Leak, find_leaks, treat_copies
from classy_aesop.data.scales import check_range
from classy_aesop.data.scores import (
    COLUMNS,
    JACKKNIFED,
    KEYS,
    concatenate_scores,
    drop_unscored_strata,
    empty_table,
    format_key,
    format_range,
    key_table,
    make_score_table,
    matrix,
    mean_ratings,
    natural,
)
from classy_aesop.data.topics import Reference, Summary, Text, Topic

__all__ = [
    "COLUMNS",
    "COPIES",
    "JACKKNIFED",
    "KEYS",
    "Leak",
    "Reference",
    "Summary",
    "Text",
    "Topic",
    "check_range",
    "concatenate_scores",
    "drop_unscored_strata",
    "empty_table",
    "find_leaks",
    "format_key",
    "format_range",
    "key_table",
    "make_score_table",
    "matrix",
    "mean_ratings",
    "natural",
    "treat_copies",
]
