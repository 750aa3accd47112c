"""Reading a corpus, whatever its layout: a table of readers, and a look at the path to choose one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from classy_aesop.corpus.corpus import Corpus
from classy_aesop.corpus.jsonl import SUMMARIES, read_jsonl
from classy_aesop.corpus.nist import read_nist
from classy_aesop.corpus.releases import is_release
from classy_aesop.errors import InputError, listed
from classy_aesop.outside import load_outside

READERS: dict[str, Callable[..., Corpus]] = {"jsonl": read_jsonl, "nist": read_nist}
"""From the name of a layout to the function of path and ``year`` that reads it."""


def read_corpus(
    path: str | Path, format: str = "auto", *, year: str | None = None, judgments: str | Path | None = None
) -> Corpus:
    """Read a corpus from a folder, a file of summaries, or an archive.

    Parameters
    ----------
    path : path-like
        Where it is.
    format : str
        A name in `READERS`, or ``auto``: a folder or tar archive with ``ROUGE/peers`` is ``nist``, a folder
        with ``summaries.jsonl`` and a file ``.jsonl`` or ``.json`` (or ``.gz``) are ``jsonl``.
    year : str, optional
        The year of rows that name none; for ``nist`` the year of the release, if its name does not tell.
    judgments : path-like, optional
        A file of judgments (``jsonl`` only) in place of the folder's own.

    Raises
    ------
    InputError
        For anything inside a file, and for a path whose layout is not known.
    FileNotFoundError
        If ``path`` is not there.
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file or folder")
    load_outside("readers")
    name = recognised(path) if format == "auto" else format
    if name not in READERS:
        raise InputError(f"no layout {name!r}; known: auto, {listed(READERS)}")
    if judgments is not None and name != "jsonl":
        raise InputError(f"judgments {judgments} beside a corpus of layout {name}; expected layout jsonl")
    options = {"year": year, "judgments": judgments}
    return READERS[name](path, **{option: value for option, value in options.items() if value is not None})


def recognised(path: Path) -> str:
    """Name the layout of a path that is there."""
    if {".jsonl", ".json"} & set(path.suffixes) or any((path / name).is_file() for name in SUMMARIES):
        return "jsonl"
    if is_release(path):
        return "nist"
    raise InputError("neither summaries.jsonl nor a TAC release (ROUGE/peers) found", path=path)
