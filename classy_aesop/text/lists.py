"""The word lists of ``data/``: words apart by blanks, or phrases apart by commas; lines with ``#`` are comments."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def word_list(name: str, separator: str | None = None) -> frozenset[str]:
    """Entries of a list by its file name.

    Parameters
    ----------
    name : str
        A file of ``data/``.
    separator : str, optional
        What stands between entries on one line; by default any blanks.

    Examples
    --------
    >>> "herself" in word_list("pronouns.txt"), "as a result" in word_list("connectives.txt", ",")
    (True, True)
    """
    lines = (files("classy_aesop.text") / "data" / name).read_text(encoding="utf-8").splitlines()
    entries = (entry.strip() for line in lines if not line.startswith("#") for entry in line.split(separator))
    return frozenset(entry for entry in entries if entry)
