"""Tokens of a text, by the rules of ROUGE-1.5.5 or of Unicode.

A tokenizer is a function that replaces everything outside tokens by blanks (U+0020) and lower-cases the rest, so that
``str.split`` gives the tokens. Line feeds are kept, so that many texts can be joined by them, blanked at once and
split again. In ROUGE's rules only ASCII letters and digits form tokens: a hyphen separates words, and an accented
letter becomes a blank (``café`` gives ``caf``). They are followed exactly, since published scores depend on them; for
other scripts use ``"unicode"``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from typing import Literal

import numpy as np

_LOWERED = bytes(
    ord(chr(byte).lower()) if (byte < 128 and chr(byte).isalnum()) or chr(byte) == "\n" else ord(" ")
    for byte in range(256)
)
_A, _N_LETTERS = np.uint8(ord("a")), 26
_LOWER_CASE = np.uint8(0x20)  # the bit that makes "A" "a", and of no other ASCII character a letter


def rouge_blanked(text: str) -> str:
    """Lower-case A-Z, and replace every character except ASCII letters, digits and line feeds by a blank.

    ROUGE separates hyphens and then drops tokens that begin with one, which has the same effect.

    Examples
    --------
    >>> rouge_blanked("U.S.-led: café").split()
    ['u', 's', 'led', 'caf']
    """
    return text.encode("ascii", "replace").translate(_LOWERED).decode("ascii")


class _UnicodeTable(dict[int, str]):
    """The replacement of each character, computed on first use."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        # Marks (category M) are parts of letters; without them Indic words would be split.
        is_kept = character == "\n" or character.isalnum() or unicodedata.category(character).startswith("M")
        return self.setdefault(code, character if is_kept else " ")


_UNICODE_TABLE = _UnicodeTable()


def unicode_blanked(text: str) -> str:
    """Lower-case all letters; everything except letters, marks, digits and line feeds becomes a blank.

    Examples
    --------
    >>> unicode_blanked("Дом-1, CAFÉ").split()
    ['дом', '1', 'café']
    """
    return text.lower().translate(_UNICODE_TABLE)


Tokenizer = Literal["rouge", "unicode"]
"""The name of a tokenizer."""

TOKENIZERS: dict[str, Callable[[str], str]] = {"rouge": rouge_blanked, "unicode": unicode_blanked}
"""The tokenizers by name."""


def tokens(text: str, tokenizer: str = "rouge") -> list[str]:
    """Split a text into tokens, lower-cased and unstemmed; the list may be empty.

    Parameters
    ----------
    text : str
        Any text.
    tokenizer : {"rouge", "unicode"}
        ROUGE-1.5.5's rules, or letters and digits of any script.

    Examples
    --------
    >>> tokens("It cost $5, didn't it?")
    ['it', 'cost', '5', 'didn', 't', 'it']
    """
    return TOKENIZERS[tokenizer](text).split()


def letter_counts(texts: Iterable[str]) -> tuple[int, int]:
    """Count the letters outside ASCII, which ROUGE's tokenizer drops, and all letters.

    Examples
    --------
    >>> letter_counts(["naïve", "9 x"])
    (1, 6)
    """
    text = "".join(texts)
    lowered = np.frombuffer(text.encode("ascii", "ignore"), np.uint8) | _LOWER_CASE
    plain = int(np.count_nonzero(lowered - _A < _N_LETTERS))  # what is below "a" wraps around
    foreign = 0 if text.isascii() else sum(map(str.isalpha, text)) - plain
    return foreign, plain + foreign
