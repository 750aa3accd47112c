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
    sample = lines[:SAMPLE_ROWS]
    best_separator = ""
    best_score = 0
    for separator in ("\t", ",", ";", "|"):
        counts = Counter(_count_separators(line, separator) for line in sample)
        n_separators, n_lines = counts.most_common(1)[0]
        in_header = separator in lines[0] or (len(lines) > 1 and separator in lines[1])
        score = n_lines * min(n_separators, 3)
        if in_header and score > best_score:
            best_separator = separator
            best_score = score
    if best_separator:
        return best_separator
    widths = {len(line.split()) for line in sample}
    return " " if len(widths) == 1 and widths != {1} else ","


def _count_separators(line: str, separator: str) -> int:
    """Count the separators between the cells of a line; none in one that is damaged, which its reader will name."""
    try:
        return max(len(next(csv.reader([line], delimiter=separator), [])) - 1, 0)
    except csv.Error:
        return 0


def _count_filled(row: Sequence[Any]) -> int:
    return sum(1 for cell in row if cell is not None and str(cell).strip())


def _is_headerless(header: Sequence[str], body: Sequence[Sequence[Any]]) -> bool:
    """Whether the first line has numbers below which there are numbers, and is like the lines below it."""
    if not body:
        return False
    is_number = [number_in(cell) is not None and bool(cell) for cell in header]
    below = [row for row in body[:30] if len(row) == len(header)]
    if not any(is_number) or not below:
        return False
    columns_of_numbers = [
        column for column in range(len(header)) if all(number_in(row[column]) is not None for row in below)
    ]
    has_repeated_names = len(set(header)) < len(header)
    for column in columns_of_numbers:
        is_short_id = re.fullmatch(r"[A-Za-z]?\d{1,2}", header[column]) is not None
        if is_number[column] and (not is_short_id or has_repeated_names):
            return True
    columns_of_words = [column for column, is_numeric in enumerate(is_number) if not is_numeric]
    return any(header[column] in {str(row[column]) for row in below} for column in columns_of_words)


def _count_lower_headers(names: Sequence[str], body: Sequence[Sequence[Any]]) -> int:
    """Count header lines below the header: texts above columns of numbers, such as questions and Qualtrics' ids."""
    for n_more in (2, 1):
        above = body[:n_more]
        below = body[n_more : n_more + 30]
        if len(above) < n_more or not below or any(len(row) < len(names) for row in (*above, *below)):
            continue
        numeric = [
            column
            for column in range(len(names))
            if all(number_in(row[column]) is not None for row in below)
            and any(str(row[column]).strip() for row in below)
        ]
        if numeric and all(number_in(row[column]) is None for row in above for column in numeric):
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
    widths = Counter(_count_filled(row) for row in rows[:SAMPLE_ROWS])
    width = widths.most_common(1)[0][0]
    n_above = 0
    while n_above < min(MAX_TITLE_LINES, len(rows) - 1):
        n_values = _count_filled(rows[n_above])
        if n_values > max(1, width // 3) or n_values >= _count_filled(rows[n_above + 1]):
            break
        n_above += 1
    names = ["" if cell is None else str(cell).strip() for cell in rows[n_above]]
    body = rows[n_above + 1 :]
    if _is_headerless(names, body):
        return Header(n_above, 0, True)
    return Header(n_above, _count_lower_headers(names, body))


def _header_names(row: Sequence[Any], width: int) -> list[str]:
    """Give the cells of a line of headers as text; ``""`` for those that are empty or lacking."""
    names = ["" if cell is None else str(cell).strip() for cell in row]
    return [*names, *[""] * (width - len(names))]


def join_headers(rows: Sequence[Sequence[Any]]) -> list[str]:
    """Join two lines of headers, the upper of which names several columns at once, as merged cells do.

    Parameters
    ----------
    rows : sequence of sequence
        The first rows of a table, from the header on.

    Returns
    -------
    list of str
        The names, joined by a point; none if the table has one line of headers.

    Examples
    --------
    >>> join_headers([["doc", "bart", "", "lead"], ["", "fluency", "style", "fluency"], ["d1", 5, 4, 2]])
    ['doc', 'bart.fluency', 'bart.style', 'lead.fluency']
    >>> join_headers([["doc", "fluency", ""], ["d1", 5, 4]])
    []
    """
    if len(rows) < 3:
        return []
    width = max(len(rows[0]), len(rows[1]))
    upper = _header_names(rows[0], width)
    lower = _header_names(rows[1], width)
    upper_names = [name for name in upper if name]
    has_gaps = any(lower[column] and not upper[column] and any(upper[:column]) for column in range(width))
    is_shared = has_gaps or len(set(upper_names)) < len(upper_names)
    columns_of_numbers = [
        column
        for column in range(width)
        if all(len(row) > column and number_in(row[column]) is not None for row in rows[2:])
    ]
    if not is_shared or not columns_of_numbers:
        return []
    if any(not lower[column] or number_in(lower[column]) is not None for column in columns_of_numbers):
        return []
    names = []
    above = ""
    for column, below in enumerate(lower):
        above = upper[column] or (above if below else "")
        names.append(".".join(filter(None, (above, below))))
    return names if len(set(names)) == len(names) and all(names) else []


def number_names(n_columns: int) -> list[str]:
    """Give the names of the columns of a table without a header: 1, 2, ..."""
    return [str(number) for number in range(1, n_columns + 1)]
