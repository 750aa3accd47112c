"""Stems as in ROUGE-1.5.5: the base form from WordNet 2.0's exception lists, or else Porter's stem.

``data/exceptions.txt`` holds the lists, each line with a base form and its inflected forms; its licence is in the same
folder.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib.resources import files
from typing import Literal

from classy_aesop.text.porter import porter

_CACHED_WORDS = 1 << 17


@lru_cache(maxsize=_CACHED_WORDS)
def stem(token: str, *, exceptions: bool = True, shortest: int = 4) -> str:
    """Stem of a lower-cased token; by default, tokens of at most three characters are their own stem.

    Parameters
    ----------
    token : str
        A token of `tokens.tokens`.
    exceptions : bool
        Whether to look in WordNet's exception list first, as ROUGE with its full data does (``children`` gives
        ``child``).
    shortest : int
        Length of the shortest tokens that are stemmed.

    Examples
    --------
    >>> stem("agreements"), stem("mice"), stem("mice", exceptions=False)
    ('agreem', 'mouse', 'mice')
    """
    if len(token) < shortest:
        return token
    base = _exceptions().get(token) if exceptions else None
    return porter(token) if base is None else base


def stem_without_exceptions(token: str) -> str:
    """Stem by Porter's rules alone, as ROUGE does without its exception list."""
    return stem(token, exceptions=False)


def stem_to_well(token: str) -> str:
    """Stem with exceptions, but *better* and *best* become *well*, as in some builds of the exception list."""
    return "well" if token in ("better", "best") else stem(token)


Stemming = Literal["exceptions", "well", "porter", "none"]
"""The name of a way to stem."""

STEMMERS: dict[str, Callable[[str], str] | None] = {
    "exceptions": stem,
    "well": stem_to_well,
    "porter": stem_without_exceptions,
    "none": None,
}
"""Ways to stem: with WordNet's exception list (ROUGE's ``-m``), the same with *better* and *best* to *well*, by
Porter's rules alone, not at all."""


@lru_cache(maxsize=1)
def _exceptions() -> dict[str, str]:
    lines = (files("classy_aesop.text") / "data" / "exceptions.txt").read_text(encoding="ascii").splitlines()
    return {form: base for base, *forms in map(str.split, lines) for form in forms}
