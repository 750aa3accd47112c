"""Reading a corpus of whatever layout it has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from classy_aesop.corpus.corpus import Corpus
from classy_aesop.corpus.jsonl import read_jsonl

READERS: dict[str, Callable[..., Corpus]] = {"jsonl": read_jsonl}


def read_corpus(path: str | Path, format: str = "auto", *, year: str | None = None) -> Corpus:
    """Read a corpus."""
    return READERS["jsonl" if format == "auto" else format](path, year=year or "")
