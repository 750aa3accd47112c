"""The words and marks of a string as they are written.

A word is a sequence of characters that are neither blanks nor marks; ``don't``, ``3,000`` and ``U.S`` are one word
each, ``well-known`` is two. Everything else is a mark. The Penn Treebank's codes for quotation marks and brackets
(`` `` ``, ``-LRB-``) are read as these marks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

OUTSIDE = 0x10000
"""The number of every mark above it; those below have their code points."""

FIRST_WORD = OUTSIDE + 1
"""The number of the first word; all above are words."""

_PICTOGRAPHS = range(0x1F000, 0x1FB00)  # above `OUTSIDE` only these are marks

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
_CODES = re.compile(r"-[LRlr][RCSrcs][Bb]-|``|''")

# A word or a mark, in kinds of characters. A mark inside a word is an apostrophe before a letter, or a period or comma
# as in U.S and 3,000.
_ITEM = re.compile(r"([a0~](?:[a0~]+|'(?=[a0~])|(?<=0)[.,](?=0)|(?<=\b\w)\.(?=\w\b))*)|[-_'.,]")


class _Kinds(dict[int, str]):
    r"""A character for each kind of character, found on first use.

    ``0`` is a decimal digit, ``a`` another letter or digit, ``~`` what else is part of words; ``_`` a mark that is
    ``\w`` of `re`, and ``-`` another one.
    """

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if unicodedata.category(character)[0] in "PS" if code < OUTSIDE else code in _PICTOGRAPHS:
            kind = "_" if character.isalnum() or character == "_" else "-"
        elif character.isalnum():
            kind = "0" if character.isdecimal() else "a"
        else:
            kind = " " if character.isspace() else "~"
        return self.setdefault(code, kind)


_KINDS = _Kinds({ord(one): one for one in "\n.,'"} | {ord("’"): "'"})


def items_of(strings: Sequence[str], numbers: Mapping[str, int]) -> Iterator[list[int]]:
    """Find the words and marks of each string; a word has its number and `FIRST_WORD` added.

    Examples
    --------
    >>> [[max(item - FIRST_WORD, -1) for item in items] for items in items_of(["(a", "a-b."], {"a": 0, "b": 1})]
    [[-1, 0], [0, -1, 1, -1]]
    """
    text = _CODES.sub(lambda code: _TREEBANK[code[0].lower()], "\n".join(strings))
    for string, kinds in zip(text.split("\n"), text.translate(_KINDS).split("\n"), strict=True):
        items: list[int] = []
        for item in _ITEM.finditer(kinds):
            start, stop = item.span()
            is_word = item.lastindex
            items.append(
                FIRST_WORD + numbers[string[start:stop]] if is_word else min(ord(string[start]), OUTSIDE)
            )
        yield items
