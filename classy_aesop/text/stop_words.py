"""Stop words of two lists: those of ROUGE, and the function words that baselines of all n-grams leave out."""

from __future__ import annotations

from collections.abc import Collection

from classy_aesop.text.lists import word_list
from classy_aesop.text.tokens import rouge_blanked


def stop_words() -> frozenset[str]:
    """Read the list of the SMART system, which ROUGE's option ``-s`` removes before stemming.

    Examples
    --------
    >>> "the" in stop_words(), "first" in stop_words()
    (True, False)
    """
    return word_list("stop_words.txt")


def function_words() -> frozenset[str]:
    """English function words, lower-cased, unstemmed and split like ROUGE's tokens: this package's own list."""
    return word_list("function_words.txt")


def content_blanked(text: str) -> str:
    r"""Blank a text by ROUGE's rules and remove its stop words; line feeds stay.

    Examples
    --------
    >>> content_blanked("The cat\nis on the mat.")
    'cat\nmat'
    """
    return without(rouge_blanked(text), stop_words())


def without(blanked: str, words: Collection[str]) -> str:
    r"""Remove words from text that was blanked by a tokenizer; line feeds stay.

    Examples
    --------
    >>> without("the cat and\na dog", {"and", "the"})
    'cat\na dog'
    """
    lines = (line.split() for line in blanked.split("\n"))
    return "\n".join(" ".join(word for word in line if word not in words) for line in lines)
