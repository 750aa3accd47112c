"""How files become corpora and score tables: bytes, tables, JSON, releases of NIST, roles of columns, streaming."""

from classy_aesop.reading.corpora import READERS, read_corpus, read_corpus_table
from classy_aesop.reading.corpus import Corpus
from classy_aesop.reading.jsonl import read_jsonl, write_jsonl
from classy_aesop.reading.nist import read_aesop, read_nist, read_nist_output
from classy_aesop.reading.score_files import Humans, merge_humans, read_humans, read_metrics, read_scores
from classy_aesop.reading.score_tables import align_scores, all_metrics, ensure_tidy, ratings_of_record, tidy
from classy_aesop.reading.streaming import Stream, StreamedTable, corpus_or_stream

__all__ = [
    "READERS",
    "Corpus",
    "Humans",
    "Stream",
    "StreamedTable",
    "align_scores",
    "all_metrics",
    "corpus_or_stream",
    "ensure_tidy",
    "merge_humans",
    "ratings_of_record",
    "read_aesop",
    "read_corpus",
    "read_corpus_table",
    "read_humans",
    "read_jsonl",
    "read_metrics",
    "read_nist",
    "read_nist_output",
    "read_scores",
    "tidy",
    "write_jsonl",
]
