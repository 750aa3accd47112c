"""Judged summaries: what a corpus is, and how to read one."""

from classy_aesop.corpus.corpus import Corpus
from classy_aesop.corpus.data import Reference, Summary, Text, Topic
from classy_aesop.corpus.jsonl import read_jsonl, write_jsonl
from classy_aesop.corpus.reading import READERS, read_corpus

__all__ = [
    "READERS",
    "Corpus",
    "Reference",
    "Summary",
    "Text",
    "Topic",
    "read_corpus",
    "read_jsonl",
    "write_jsonl",
]
