"""Syllables of English words by rule: groups of vowels, without a silent e at the end."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_CACHED_WORDS = 1 << 17
_VOWELS = re.compile(r"[aeiouy]+")
_SILENT = re.compile(r"(?<=[^aeiouy])(?:e|(?<![cgsxz])(?<!sh)(?<!ch)es|(?<![dt])ed)$")
_SPOKEN = re.compile(r"[^aeiouylr]l(?:e|es|ed)$")


@lru_cache(maxsize=_CACHED_WORDS)
def syllables(word: str) -> int:
    """Number of syllables of a word, at least 1; accents are ignored.

    This is a rule of thumb that is right for most English words. A word without Latin vowels has one syllable.

    Examples
    --------
    >>> [syllables(word) for word in ("cat", "make", "table", "wanted", "walked", "beautiful", "café")]
    [1, 1, 2, 2, 1, 3, 2]
    """
    letters = unicodedata.normalize(
        "NFKD", word.lower()
    )  # an accent follows its e, which then is not the last character, so it is not silent
    spoken = letters if _SPOKEN.search(letters) else _SILENT.sub("", letters)
    return max(len(_VOWELS.findall(spoken)), 1)
