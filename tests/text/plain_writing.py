"""Words and marks of one sentence after the other, by a regular expression: what `Writing` finds chunk by chunk."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

CAPITALIZED, OTHER = "C", "w"

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

_PLANE = 0x10000  # a character class with many characters above it is slow
_PICTOGRAPHS = "\U0001f000-\U0001faff"


class Sentence(NamedTuple):
    """The words of a sentence, and its shape: its marks, with `CAPITALIZED` or `OTHER` in place of each word."""

    words: list[str]
    shape: str


def as_written(sentence: str) -> Sentence:
    """Find the words and the shape of a sentence."""
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
    """Pattern that matches a mark, or matches and captures a word."""
    every = map(chr, range(_PLANE))
    mark = re.escape("".join(one for one in every if unicodedata.category(one)[0] in "PS")) + _PICTOGRAPHS
    letter = rf"[^\s{mark}]"
    inner = rf"['’](?={letter})|(?<=\d)[.,](?=\d)|(?<=\b\w)\.(?=\w\b)"
    return re.compile(rf"-[LRlr][RCSrcs][Bb]-|``|''|({letter}(?:{letter}|{inner})*)|[{mark}]")
