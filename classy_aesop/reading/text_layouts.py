"""How a text table is laid out: its separator, lines above and below its header, or no header."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from classy_aesop.reading.word_scales import number_in

SAMPLE_ROWS = 50
MAX_TITLE_LINES = 3


def find_separator(lines: Sequence[str]) -> str:
    """Find what separates cells: what most lines have equally many of, and most of."""
    sample = lines[:50]
    best, most = "", 0.0
    for separator in ("\t", ",", ";", "|"):
        counts = Counter(_n_separators(line, separator) for line in sample)
        n_separators, n_lines = counts.most_common(1)[0]
        header_has = lines[0].count(separator) or (len(lines) > 1 and lines[1].count(separator))
        if n_separators and header_has and n_lines * min(n_separators, 3) > most:
            best, most = separator, n_lines * min(n_separators, 3)
    if best:
        return best
    widths = {len(line.split()) for line in sample}
    return " " if len(widths) == 1 and widths != {1} else ","


def _n_separators(line: str, separator: str) -> int:
    """Count the separators between the cells of a line; none in one that is damaged, which its reader will name."""
    try:
        return max(len(next(csv.reader([line], delimiter=separator), [])) - 1, 0)
    except csv.Error:
        return 0


def _n_values(row: Sequence[Any]) -> int:
    return sum(1 for cell in row if cell is not None and str(cell).strip())


def _is_headerless(header: Sequence[str], body: Sequence[Sequence[Any]]) -> bool:
    """Whether the first line has numbers below which there are numbers, and is like the lines below it."""
    if not body:
        return False
    is_number = [number_in(cell) is not None and bool(cell) for cell in header]
    below = [row for row in body[:30] if len(row) == len(header)]
    if not any(is_number) or not below:
        return False
    return any(
        (is_one and not re.fullmatch(r"[A-Za-z]?\d{1,2}", header[at]))
        or (is_one and len(set(header)) < len(header))
        for at, is_one in enumerate(is_number)
        if all(number_in(row[at]) is not None for row in below)
    ) or (
        sum(is_number) >= 1
        and not all(is_number)
        and any(
            header[at] in {str(row[at]) for row in below} for at, is_one in enumerate(is_number) if not is_one
        )
    )


def _n_more_headers(names: Sequence[str], body: Sequence[Sequence[Any]]) -> int:
    """Count header lines below the header: texts above columns of numbers, such as questions and Qualtrics' ids."""
    for n_more in (2, 1):
        above, below = body[:n_more], body[n_more : n_more + 30]
        if len(above) < n_more or not below or any(len(row) < len(names) for row in (*above, *below)):
            continue
        numeric = [
            at
            for at in range(len(names))
            if all(number_in(row[at]) is not None for row in below)
            and any(str(row[at]).strip() for row in below)
        ]
        if numeric and all(number_in(row[at]) is None for row in above for at in numeric):
            return n_more
    return 0


@dataclass(frozen=True)
class Header:
    """Where the header stands: lines above it, further lines of it below, and whether there is none."""

    n_above: int = 0
    n_below: int = 0
    is_missing: bool = False


def find_header(rows: Sequence[Sequence[Any]]) -> Header:
    """Find the header among the first rows of a table.

    Parameters
    ----------
    rows : sequence of sequence
        The cells of each row that is not empty, from the first on.

    Examples
    --------
    >>> find_header([["Ratings of May", "", ""], ["doc", "system", "score"], ["1", "a", "4"], ["1", "b", "2"]])
    Header(n_above=1, n_below=0, is_missing=False)
    """
    widths = Counter(_n_values(row) for row in rows[:SAMPLE_ROWS])
    width = widths.most_common(1)[0][0]
    n_above = 0
    while n_above < min(MAX_TITLE_LINES, len(rows) - 1):
        n_values = _n_values(rows[n_above])
        if n_values > max(1, width // 3) or n_values >= _n_values(rows[n_above + 1]):
            break
        n_above += 1
    names = ["" if cell is None else str(cell).strip() for cell in rows[n_above]]
    body = rows[n_above + 1 :]
    if _is_headerless(names, body):
        return Header(n_above, 0, True)
    return Header(n_above, _n_more_headers(names, body))


def number_names(n_columns: int) -> list[str]:
    """Give the names of the columns of a table without a header: 1, 2, ..."""
    return [str(number) for number in range(1, n_columns + 1)]
