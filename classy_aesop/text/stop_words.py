"""Stop words, which ROUGE's option ``-s`` removes before stemming: the list of the SMART system."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from classy_aesop.text.tokens import rouge_blanked


@lru_cache(maxsize=1)
def stop_words() -> frozenset[str]:
    """Read the words of ``data/stop_words.txt``; its licence is in the same folder.

    Examples
    --------
    >>> "the" in stop_words(), "first" in stop_words()
    (True, False)
    """
    lines = (files("classy_aesop.text") / "data" / "stop_words.txt").read_text(encoding="ascii").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def content_blanked(text: str) -> str:
    r"""Blank a text by ROUGE's rules and remove its stop words; line feeds stay.

    Examples
    --------
    >>> content_blanked("The cat\nis on the mat.")
    'cat\nmat'
    """
    out = stop_words()
    lines = rouge_blanked(text).split("\n")
    return "\n".join(" ".join(word for word in line.split() if word not in out) for line in lines)
