"""Words and marks of texts as they are written: with capitals, punctuation and whole words, which tokens have lost.

A word is a run of characters that are neither blanks nor marks; ``don't``, ``3,000`` and ``U.S`` are one word each,
``well-known`` are two. Everything else is a mark. What the Penn Treebank writes for a quotation mark or a bracket
(`` `` ``, ``-LRB-``) is that mark. Sentences without a word do not count.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from classy_aesop.text.counts import Floats, IntArray

CAPITALIZED, OTHER = "C", "w"
"""What stands for a word in a sentence's shape."""

_TREEBANK = {
    "``": "“",
    "''": "”",
    "-lrb-": "(",
    "-rrb-": ")",
    "-lcb-": "{",
    "-rcb-": "}",
    "-lsb-": "[",
    "-rsb-": "]",
}

_PLANE = 0x10000  # a class with many characters beyond is slow
_PICTOGRAPHS = "\U0001f000-\U0001faff"


class Sentence(NamedTuple):
    """The words of a sentence, and its shape: `CAPITALIZED` or `OTHER` for each word, and the marks between."""

    words: list[str]
    shape: str


def as_written(sentence: str) -> Sentence:
    """Words and shape of a sentence.

    Examples
    --------
    >>> as_written("The U.S. didn't pay $3,000 -LRB- why? -RRB-.")
    Sentence(words=['The', 'U.S', "didn't", 'pay', '3,000', 'why'], shape='CC.ww$w(w?).')
    """
    words, shape = [], []
    for piece in _pieces().finditer(sentence):
        word = piece[1]
        if word is None:
            shape.append(_TREEBANK.get(piece[0].lower(), piece[0]))
        else:
            words.append(word)
            shape.append(CAPITALIZED if word[0].isupper() else OTHER)
    return Sentence(words, "".join(shape))


@lru_cache(maxsize=1)
def _pieces() -> re.Pattern[str]:
    """Pattern of a mark, or of a word, which it captures."""
    every = map(chr, range(_PLANE))
    mark = re.escape("".join(one for one in every if unicodedata.category(one)[0] in "PS")) + _PICTOGRAPHS
    letter = rf"[^\s{mark}]"
    inner = rf"['’](?={letter})|(?<=\d)[.,](?=\d)|(?<=\b\w)\.(?=\w\b)"
    return re.compile(rf"-[LRlr][RCSrcs][Bb]-|``|''|({letter}(?:{letter}|{inner})*)|[{mark}]")


@dataclass(frozen=True)
class Writing:
    """Several texts as they are written, looked at when something is asked for and only once.

    Parameters
    ----------
    texts : sequence of sequences of str
        The sentences of each text.
    """

    texts: Sequence[Sequence[str]]

    @cached_property
    def sentences(self) -> list[list[Sentence]]:
        """Sentences with a word, of each text."""
        return [[found for found in map(as_written, text) if found.words] for text in self.texts]

    @cached_property
    def text(self) -> IntArray:
        """Which text each sentence stands in, ascending."""
        return np.repeat(np.arange(len(self.texts)), np.fromiter(map(len, self.sentences), np.intp))

    @cached_property
    def n_words(self) -> IntArray:
        """Number of words of each text, shape (n_texts,)."""
        n_words: IntArray = self.total(lambda sentence: len(sentence.words)).astype(np.intp)
        return n_words

    def total(self, value: Callable[[Sentence], float]) -> Floats:
        """Sum of a number over the sentences of each text, shape (n_texts,); 0 for a text without words."""
        values = np.fromiter(map(value, chain.from_iterable(self.sentences)), float, self.text.size)
        total: Floats = np.bincount(self.text, values, len(self.texts)).astype(float)
        return total

    def per_sentence(self, value: Callable[[Sentence], float]) -> Floats:
        """Mean of a number over the sentences of each text; 0 for a text without words."""
        return self.total(value) / np.maximum(np.bincount(self.text, minlength=len(self.texts)), 1)

    def per_word(self, value: Callable[[str], float], among: Callable[[str], bool] = bool) -> Floats:
        """Mean of a number over those words of each text that are ``among`` the wanted; 0 where none is.

        Parameters
        ----------
        value : callable
            From a word to its number.
        among : callable
            Which words are wanted; by default all.
        """
        total = self.total(lambda sentence: sum(map(value, filter(among, sentence.words))))
        count = self.total(lambda sentence: sum(map(among, sentence.words)))
        return total / np.maximum(count, 1)
