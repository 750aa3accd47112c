"""Tokens of a text, by the rules of ROUGE-1.5.5 or of Unicode; its words and marks as they are written; lists of words.

A tokenizer is a function that replaces everything outside tokens by blanks (U+0020) and lower-cases the rest, so that
``str.split`` gives the tokens. Line feeds are kept, so that many texts can be joined by them, blanked at once and
split again. In ROUGE's rules only ASCII letters and digits form tokens: a hyphen separates words, and an accented
letter becomes a blank (``café`` gives ``caf``). They are followed exactly, since published scores depend on them.

For other scripts use ``"unicode"``: letters and digits of any script. Their case is folded, and they are brought to the
canonical form NFC, so that it does not matter how accents are coded. In scripts without blanks between words (Chinese,
Japanese, Thai) each letter is a token.

As written, a word is a sequence of characters that are neither blanks nor marks; ``don't``, ``3,000`` and ``U.S`` are
one word each, ``well-known`` is two. Everything else is a mark. The Penn Treebank's codes for quotation marks and
brackets (`` `` ``, ``-LRB-``) are read as these marks.

The lists in ``data/`` have words separated by blanks, or phrases by commas; lines with ``#`` are comments.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

import numpy as np

from classy_aesop.text.scripts import unspaced_letter

_ROUGE_TABLE = bytes(
    ord(chr(byte).lower()) if (byte < 128 and chr(byte).isalnum()) or chr(byte) == "\n" else ord(" ")
    for byte in range(256)
)


def blank_like_rouge(text: str) -> str:
    """Lower-case A-Z, and replace every character except ASCII letters, digits and line feeds by a blank.

    ROUGE separates hyphens and then drops tokens that begin with one, which has the same effect.
    """
    return text.encode("ascii", "replace").translate(_ROUGE_TABLE).decode("ascii")


class _UnicodeTable(dict[int, str]):
    """The replacement of each character of folded text, computed on first use."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        category = unicodedata.category(character)
        # Marks (category M) are parts of letters; without them Indic words would be split.
        is_kept = character == "\n" or character.isalnum() or category.startswith("M")
        is_invisible = (category == "Cf" and code != _ZERO_WIDTH_SPACE) or code in _VARIATION_SELECTORS
        return self.setdefault(code, "" if is_invisible else character if is_kept else " ")


_ZERO_WIDTH_SPACE = 0x200B  # separates words, unlike the other invisible characters
_VARIATION_SELECTORS = {*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}
_UNICODE_TABLE = _UnicodeTable()


def blank_any_script(text: str) -> str:
    """Fold the case of all letters; everything except letters, marks, digits and line feeds becomes a blank.

    Canonically equivalent texts (NFC, NFD) give the same result, which is in NFC. Invisible format characters, such as
    soft hyphens and joiners, are removed. Letters of scripts without blanks between words (Chinese, Japanese, Thai,
    Lao, Khmer, Burmese, ...) are surrounded by blanks: each, with its marks, is a token.
    """
    if text.isascii():
        return blank_like_rouge(text)
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())
    return unspaced_letter().sub(r" \g<0> ", folded.translate(_UNICODE_TABLE))


Tokenizer = Literal["rouge", "unicode"]
"""The name of a tokenizer."""

TOKENIZERS: dict[str, Callable[[str], str]] = {"rouge": blank_like_rouge, "unicode": blank_any_script}
"""The tokenizers by name."""


def count_letters(texts: Iterable[str]) -> tuple[int, int]:
    """Count the letters outside ASCII, which ROUGE's tokenizer drops, and all letters: 1 and 5 of "naïve"."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    counts = np.bincount(codes)
    letters = [code for code in np.flatnonzero(counts).tolist() if chr(code).isalpha()]
    foreign = [code for code in letters if not chr(code).isascii()]
    return int(counts[foreign].sum()), int(counts[letters].sum())


_MAX_FOREIGN_SHARE = 0.05


def describe_lost_letters(counts: Iterable[tuple[int, int]]) -> str:
    """Say that more than 5 % of all letters are dropped, given results of `count_letters`; ``""`` if they are not."""
    foreign, letters = np.sum([(0, 0), *counts], axis=0).tolist()
    if foreign <= _MAX_FOREIGN_SHARE * letters:
        return ""
    return (
        f"{foreign / letters:.0%} of the letters are outside ASCII, and ROUGE's tokenizer drops them;"
        ' tokenizer = "unicode" keeps them'
    )


@cache
def word_list(name: str, separator: str | None = None) -> frozenset[str]:
    """Read the entries of a file of ``data/``, which have a separator, or any white space, between them."""
    lines = (files("classy_aesop.text") / "data" / name).read_text(encoding="utf-8").splitlines()
    entries = (entry.strip() for line in lines if not line.startswith("#") for entry in line.split(separator))
    return frozenset(entry for entry in entries if entry)


def stop_words() -> frozenset[str]:
    """Read the list of the SMART system, which ROUGE's option ``-s`` removes before stemming."""
    return word_list("stop_words.txt")


def function_words() -> frozenset[str]:
    """English function words, lower-cased, unstemmed and split like ROUGE's tokens: this package's own list."""
    return word_list("function_words.txt")


def blank_stop_words(text: str) -> str:
    """Blank a text by ROUGE's rules and remove its stop words; line feeds stay."""
    return remove_words(blank_like_rouge(text), stop_words())


def blank_stop_words_any_script(text: str) -> str:
    """Blank a text in any script and remove ROUGE's stop words, which are English; line feeds stay."""
    return remove_words(blank_any_script(text), stop_words())


CONTENT_TOKENIZERS: dict[str, Callable[[str], str]] = {
    "rouge": blank_stop_words,
    "unicode": blank_stop_words_any_script,
}
"""The tokenizers by name, with stop words removed."""


def remove_words(blanked: str, words: Collection[str]) -> str:
    """Remove words from text that was blanked by a tokenizer; line feeds stay."""
    lines = (line.split() for line in blanked.split("\n"))
    return "\n".join(" ".join(word for word in line if word not in words) for line in lines)


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

_TREEBANK_CODE = re.compile(r"-[LRlr][RCSrcs][Bb]-|``|''")


# A word or a mark, in kinds of characters. A mark inside a word is an apostrophe before a letter, or a period or comma
# as in U.S and 3,000.
_ITEM = re.compile(r"([a0~](?:[a0~]+|'(?=[a0~])|(?<=0)[.,](?=0)|(?<=\b\w)\.(?=\w\b))*)|[-_'.,]")


class _CharacterKinds(dict[int, str]):
    r"""A character a kind: ``0`` decimal, ``a`` in words, ``~`` too; marks: ``_`` if ``\w`` of `re`, else ``-``."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if unicodedata.category(character)[0] in "PS" if code < OUTSIDE else code in _PICTOGRAPHS:
            kind = "_" if character.isalnum() or character == "_" else "-"
        elif character.isalnum():
            kind = "0" if character.isdecimal() else "a"
        else:
            kind = " " if character.isspace() else "~"
        return self.setdefault(code, kind)


_KIND_OF_CHARACTER = _CharacterKinds({ord(mark): mark for mark in "\n.,'"} | {ord("’"): "'"})


def find_items(strings: Sequence[str], numbers: Mapping[str, int]) -> Iterator[list[int]]:
    """Find the words and marks of each string; a word has its number and `FIRST_WORD` added."""
    text = _TREEBANK_CODE.sub(lambda code: _TREEBANK[code[0].lower()], "\n".join(strings))
    for string, kinds in zip(text.split("\n"), text.translate(_KIND_OF_CHARACTER).split("\n"), strict=True):
        items: list[int] = []
        for item in _ITEM.finditer(kinds):
            start, stop = item.span()
            is_word = item.lastindex
            items.append(
                FIRST_WORD + numbers[string[start:stop]] if is_word else min(ord(string[start]), OUTSIDE)
            )
        yield items
