"""The word lists in ``data/``: words separated by blanks, or phrases by commas; lines with ``#`` are comments."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def word_list(name: str, separator: str | None = None) -> frozenset[str]:
    """Read the entries of a list.

    Parameters
    ----------
    name : str
        A file of ``data/``.
    separator : str, optional
        Separator of the entries on a line; by default any white space.

    Examples
    --------
    >>> "herself" in word_list("pronouns.txt"), "as a result" in word_list("connectives.txt", ",")
    (True, True)
    """
    lines = (files("classy_aesop.text") / "data" / name).read_text(encoding="utf-8").splitlines()
    entries = (entry.strip() for line in lines if not line.startswith("#") for entry in line.split(separator))
    return frozenset(entry for entry in entries if entry)
