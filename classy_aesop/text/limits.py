"""Texts cut to a length, as in ROUGE-1.5.5, which cuts summaries and references before tokenizing them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BLANKS = re.compile(r"[ \t\n\v\f\r]+")


def first_words(sentences: Sequence[str], limit: int) -> list[str]:
    """Keep the first words, separated by white space (``-l``); a blank at the start of a sentence counts as a word.

    Examples
    --------
    >>> first_words(["One two.", " Three - four."], 4)
    ['One two.', ' Three']
    """
    kept: list[str] = []
    left = limit
    for sentence in sentences:
        ended = sentence.rstrip(" \t\n\v\f\r")
        words = _BLANKS.split(ended) if ended else []
        if len(words) >= left:
            return [*kept, " ".join(words[:left])]
        kept.append(sentence)
        left -= len(words)
    return kept


def first_bytes(sentences: Sequence[str], limit: int, *, of_text: bool = True) -> list[str]:
    """Keep the first bytes of UTF-8, not counting separators between sentences (``-b``).

    Parameters
    ----------
    sentences : sequence of str
        A text.
    limit : int
        Number of bytes.
    of_text : bool
        Whether to count bytes through the whole text, as for n-grams. For ROUGE-L and ROUGE-W the original counts
        each sentence separately: sentences are kept up to the first one that alone reaches the limit, which is cut.

    Examples
    --------
    >>> first_bytes(["One two.", "Three.", "Four."], 10)
    ['One two.', 'Th']
    >>> first_bytes(["One two.", "Three.", "Four."], 8, of_text=False)
    ['One two.']
    """
    kept: list[str] = []
    left = limit
    for sentence in sentences:
        coded = sentence.encode("utf-8", "replace")
        if len(coded) >= left:
            return [*kept, coded[:left].decode("utf-8", "replace")]
        kept.append(sentence)
        left -= len(coded) if of_text else 0
    return kept
