"""Reading a corpus in any layout: the table of readers, and how a path's layout is recognized."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from classy_aesop.corpus.corpus import Corpus
from classy_aesop.corpus.jsonl import SUMMARIES, read_jsonl
from classy_aesop.corpus.nist import read_nist
from classy_aesop.corpus.releases import is_release
from classy_aesop.errors import InputError, listed
from classy_aesop.outside import load_outside

_LOG = logging.getLogger(__name__)

READERS: dict[str, Callable[..., Corpus]] = {"jsonl": read_jsonl, "nist": read_nist}
"""The readers by layout; each takes a path and ``year``."""


def read_corpus(
    path: str | Path, format: str = "auto", *, year: str | None = None, judgments: str | Path | None = None
) -> Corpus:
    """Read a corpus from a folder, a file of summaries, or an archive.

    Parameters
    ----------
    path : path-like
        The folder, file or archive.
    format : str
        A key of `READERS`, or ``auto``: a folder or tar archive with ``ROUGE/peers`` is ``nist``; a folder
        with ``summaries.jsonl`` or a file ``.jsonl`` or ``.json`` (also ``.gz``) is ``jsonl``.
    year : str, optional
        The year of rows without one; for ``nist`` the year of the release, if its name does not contain it.
    judgments : path-like, optional
        A file of judgments to use instead of the folder's own (``jsonl`` only).

    Raises
    ------
    InputError
        If something in a file is wrong, or the layout is unknown.
    FileNotFoundError
        If ``path`` does not exist.
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file or folder")
    load_outside("readers")
    name = recognize_layout(path) if format == "auto" else format
    if name not in READERS:
        raise InputError(f"unknown layout {name!r}; expected auto or one of {listed(READERS)}")
    if judgments is not None and name != "jsonl":
        raise InputError(f"judgments {judgments} given for a corpus of layout {name}; expected layout jsonl")
    options = {"year": year, "judgments": judgments}
    corpus = READERS[name](path, **{option: value for option, value in options.items() if value is not None})
    _log(path, name, corpus)
    return corpus


def _log(path: str | Path, layout: str, corpus: Corpus) -> None:
    """Log what was read."""
    n_summaries = sum(len(topic.summaries) for topic in corpus)
    n_human = sum(summary.human for _, summary in corpus.summaries())
    measures = ", ".join(map(str, corpus.judgments["metric"].unique())) or "none"
    told = "read %s (layout %s): %d topics, %d summaries, %d of them human; human measures: %s"
    _LOG.info(told, path, layout, len(corpus), n_summaries, n_human, measures)


def recognize_layout(path: Path) -> str:
    """Find the layout of an existing path."""
    if {".jsonl", ".json"} & set(path.suffixes) or any((path / name).is_file() for name in SUMMARIES):
        return "jsonl"
    if is_release(path):
        return "nist"
    raise InputError("neither summaries.jsonl nor a TAC release (ROUGE/peers) found", path=path)
