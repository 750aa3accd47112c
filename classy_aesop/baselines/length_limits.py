"""Texts cut to a number of words or bytes before they are tokenized, as by ROUGE's options ``-l`` and ``-b``."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BLANKS = " \t\n\v\f\r"
_WHITE_SPACE = re.compile(f"[{_BLANKS}]+")


def first_words(sentences: Sequence[str], limit: int) -> list[str]:
    """Keep the first ``limit`` words of a text (``-l``).

    Words are separated by white space; a blank at the start of a sentence counts as a word, as in the original.

    Examples
    --------
    >>> first_words(["One two.", " Three - four."], 4)
    ['One two.', ' Three']
    """
    whole_sentences: list[str] = []
    n_allowed = limit
    for sentence in sentences:
        stripped = sentence.rstrip(_BLANKS)
        words = _WHITE_SPACE.split(stripped) if stripped else []
        if len(words) >= n_allowed:
            return [*whole_sentences, " ".join(words[:n_allowed])]
        whole_sentences.append(sentence)
        n_allowed -= len(words)
    return whole_sentences


def first_bytes(sentences: Sequence[str], limit: int, *, whole_text: bool = True) -> list[str]:
    """Keep the first ``limit`` bytes of a text in UTF-8, not counting separators between sentences (``-b``).

    Examples
    --------
    >>> first_bytes(["Rain fell.", "It stopped."], 12)
    ['Rain fell.', 'It']
    >>> first_bytes(["Rain fell.", "It stopped at noon."], 12, whole_text=False)
    ['Rain fell.', 'It stopped a']
    """
    whole_sentences: list[str] = []
    n_allowed = limit
    for sentence in sentences:
        coded = sentence.encode("utf-8", "replace")
        if len(coded) >= n_allowed:
            return [*whole_sentences, coded[:n_allowed].decode("utf-8", "replace")]
        whole_sentences.append(sentence)
        if whole_text:
            n_allowed -= len(coded)
    return whole_sentences
