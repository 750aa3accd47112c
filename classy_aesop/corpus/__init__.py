"""Corpora of judged summaries, and how to read them."""

from classy_aesop.corpus.copies import COPIES, settle_copies
from classy_aesop.corpus.corpus import Corpus
from classy_aesop.corpus.data import Reference, Summary, Text, Topic
from classy_aesop.corpus.jsonl import read_jsonl, write_jsonl
from classy_aesop.corpus.leaks import Leak, find_leaks
from classy_aesop.corpus.nist import read_nist
from classy_aesop.corpus.reading import READERS, read_corpus, read_table
from classy_aesop.corpus.streaming import Stream, StreamedTable

__all__ = [
    "COPIES",
    "READERS",
    "Corpus",
    "Leak",
    "Reference",
    "Stream",
    "StreamedTable",
    "Summary",
    "Text",
    "Topic",
    "find_leaks",
    "read_corpus",
    "read_jsonl",
    "read_nist",
    "read_table",
    "settle_copies",
    "write_jsonl",
]
