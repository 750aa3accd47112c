"""Tab-separated tables as this package writes and reads them: one row per line, quoted as in CSV.

A cell that holds a tab, a line break or a quotation mark, or that begins or ends with a space, is put in quotation
marks, and those inside it are doubled (RFC 4180). When reading, only a cell that is quoted from end to end counts as
quoted. Any other cell is taken as it is, without the spaces around it, since many programs write no quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_SPECIAL = re.compile('[\t\r\n"]')
_QUOTED = re.compile(r'[^\S\t\n]*+"((?:[^"]++|"")*+)"[^\S\t\n]*+(?=[\t\n]|\Z)')


def tsv_line(cells: Iterable[str]) -> str:
    r"""Write one row, its line break included.

    Examples
    --------
    >>> print(tsv_line(["D1", 'no "B"!', " 7 "]).expandtabs(), end="")
    D1      "no ""B""!"     " 7 "
    """
    return "\t".join(map(quoted, cells)) + "\n"


def quoted(text: str) -> str:
    """Write one cell, in quotation marks where it needs them."""
    if text == text.strip() and not _SPECIAL.search(text):
        return text
    return '"' + text.replace('"', '""') + '"'


def tsv_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    r"""Read rows: for each, the line on which it begins and its cells. Blank lines are skipped.

    A quoted cell may hold line breaks. If reading it so would give a row with more or fewer cells than the first row,
    its quotation mark is read as an ordinary character.

    Examples
    --------
    >>> list(tsv_rows('a\t"b\nc"\n\n 1 \t"2" or "3"\n'))
    [(1, ['a', 'b\nc']), (4, ['1', '"2" or "3"'])]
    """
    at, line, length = 0, 1, 0
    while at < len(text):
        end = after = _next("\n", text, at)
        cells = [cell.strip() for cell in text[at:end].split("\t")]
        if '"' in text[at:end]:
            unquoted, stop = _unquoted(text, at)
            if stop == end or length in (0, len(unquoted)):
                cells, after = unquoted, stop
        if text[at:after].strip():
            length = length or len(cells)
            yield line, cells
        line += text.count("\n", at, after) + 1
        at = after + 1


def _unquoted(text: str, at: int) -> tuple[list[str], int]:
    """Read the row that begins at a position, quoted cells and others; return its end too."""
    cells = []
    while True:
        if found := _QUOTED.match(text, at):
            cells.append(found[1].replace('""', '"'))
            at = found.end()
        else:
            line = _next("\n", text, at)
            end = _next("\t", text, at, line)
            cells.append(text[at:end].strip())
            at = end
        if text[at : at + 1] != "\t":
            return cells, at
        at += 1


def _next(character: str, text: str, at: int, end: int | None = None) -> int:
    """Find the next position of a character, or else the end (by default that of the text)."""
    found = text.find(character, at, end)
    return found if found >= 0 else len(text) if end is None else end
