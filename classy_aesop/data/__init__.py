"""Judged summaries and score tables: how they are read, checked and joined.

Metric scores and human judgments share one pandas table with the columns ``year, topic, task, summarizer,
metric, score`` and, for single ratings, ``assessor``. Each row holds one number; identifiers are text. A
missing number is a row with NaN or no row at all; it is never filled in.
"""

from classy_aesop.data.checks import COPIES, Leak, find_leaks, settle_copies
from classy_aesop.data.corpus import Corpus
from classy_aesop.data.jsonl import read_jsonl, write_jsonl
from classy_aesop.data.nist import read_aesop, read_nist, read_nist_output
from classy_aesop.data.reading import READERS, read_corpus, read_table
from classy_aesop.data.score_files import Humans, joined_humans, read_humans, read_metrics, read_scores
from classy_aesop.data.score_tables import align_scores, all_metrics, ratings_of_record, tidied, tidy
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
from classy_aesop.data.streaming import Stream, StreamedTable, corpus_or_stream
from classy_aesop.data.topics import Reference, Summary, Text, Topic

__all__ = [
    "COLUMNS",
    "COPIES",
    "JACKKNIFED",
    "KEYS",
    "READERS",
    "Corpus",
    "Humans",
    "Leak",
    "Reference",
    "Stream",
    "StreamedTable",
    "Summary",
    "Text",
    "Topic",
    "align_scores",
    "all_metrics",
    "as_one_table",
    "between",
    "check_range",
    "corpus_or_stream",
    "empty_table",
    "find_leaks",
    "joined_humans",
    "key_table",
    "matrix",
    "mean_ratings",
    "named",
    "natural",
    "of_scored_tasks",
    "ratings_of_record",
    "read_aesop",
    "read_corpus",
    "read_humans",
    "read_jsonl",
    "read_metrics",
    "read_nist",
    "read_nist_output",
    "read_scores",
    "read_table",
    "settle_copies",
    "table",
    "tidied",
    "tidy",
    "write_jsonl",
]
