"""Syllables of English words by rule: groups of vowels, without the silent e at the end."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_CACHED_WORDS = 1 << 18
_VOWELS = re.compile(r"[aeiouy]+")
_SILENT = re.compile(r"(?<=[^aeiouy])(?:e|(?<![cgsxz])(?<!sh)(?<!ch)es|(?<![dt])ed)$")
_SPOKEN = re.compile(r"[^aeiouylr]l(?:e|es|ed)$")


@lru_cache(maxsize=_CACHED_WORDS)
def syllables(word: str) -> int:
    """Number of syllables of a word, at least 1; letters with accents count as those without.

    A rule of thumb, right for most English words; a word without the vowels of the Latin script counts as one.

    Examples
    --------
    >>> [syllables(word) for word in ("cat", "make", "table", "wanted", "walked", "beautiful", "café")]
    [1, 1, 2, 2, 1, 3, 2]
    """
    letters = unicodedata.normalize(
        "NFKD", word.lower()
    )  # an accent stands behind its e, which is then not the last
    spoken = letters if _SPOKEN.search(letters) else _SILENT.sub("", letters)
    return max(len(_VOWELS.findall(spoken)), 1)
