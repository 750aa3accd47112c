"""Tables on a screen, as wide as it is: the answer first, then what all rows share, then the rows.

What is the same in every row stands once, above. Where that is not enough, names lose their middle, and at last columns
are left out, which a line below names. Other formats have everything.
"""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator
from os.path import commonprefix
from typing import TextIO

import pandas as pd

from classy_aesop.errors import visible
from classy_aesop.report.arrangement import aligned, cell, without_constants
from classy_aesop.report.kinds import Kind, kind_of, readable
from classy_aesop.report.result import Result

_SHORTEST = 12
"""Characters that a name keeps, at least."""

_ROOM = 30
"""Characters that sentences in the last column need."""

_SELDOM = (
    "seed", "statistic", "preset", "n_skipped", "low_all", "high_all", "flag", "error", "effect", "correction",
)  # fmt: skip
"""Columns that are left out first."""


def write_screen(result: Result, stream: TextIO) -> None:
    """Aligned columns to be read, as wide as the terminal, or 80 columns where there is none."""
    if result.lines is not None:
        stream.writelines(f"{line}\n" for line in (*result.lines(), "", result.signature))
        return
    width = shutil.get_terminal_size().columns
    shown = [result.first(), result] if result.first else [result]
    parts = [part for one in shown for part in _parts(one, width)]
    notes = [_wrapped(note, width) for note in result.notes]
    parts += filter(None, ["\n".join([*notes, visible(result.signature)])])
    stream.write("\n\n".join(parts) + "\n")


def _parts(result: Result, width: int) -> Iterator[str]:
    """Say what was found, where the kind has a sentence for it, and what all rows share; lay out the rows."""
    kind, table = kind_of(result), readable(result)
    if len(result.table) and kind.sentence is not Kind.sentence:
        yield _wrapped(kind.sentence(result.table), width)
    if len(table) == 1 and _width(table) > width:
        yield aligned_by_name(table, width)
    else:
        rows, shared = without_constants(table)
        if shared:
            yield _wrapped(", ".join(f"{name} {cell(value)}" for name, value in shared.items()), width)
        yield from _fitting(rows, width, kind.columns.split())


def aligned_by_name(table: pd.DataFrame, width: int) -> str:
    """Show a single row, each value after its name on a line of its own."""
    values = [cell(values.iat[0]) for _, values in table.items()]
    return _last_wrapped(pd.DataFrame({"name": list(map(str, table)), "value": values}), width)


def _fitting(table: pd.DataFrame, width: int, main: list[str]) -> Iterator[str]:
    """Lay out a table in a width: with short names, and without columns where these are not enough."""
    left_out: list[str] = []
    shown = _short(table, width)
    for name in _by_need(table, main):
        if shown is not None:
            break
        left_out += [one for one in _ends(name, table) if one not in left_out]
        shown = _short(table.drop(columns=left_out), width)
    yield aligned(table.drop(columns=left_out)) if shown is None else shown
    if left_out:
        names = ", ".join(name for name in table if name in left_out)
        yield _wrapped(f"Not shown: {names} (another -f shows all).", width)


def _ends(name: str, table: pd.DataFrame) -> list[str]:
    """Give a column, and with one end of an interval the other."""
    both = {"low": "high", "high": "low"}
    other = "_".join(both.get(part, part) for part in name.split("_"))
    return [one for one in dict.fromkeys((name, other)) if one in table]


def _by_need(table: pd.DataFrame, main: list[str]) -> list[str]:
    """Name the columns that may be left out, the least needed first; not the first column."""
    names = [str(name) for name in table][1:]
    seldom = [name for name in _SELDOM if name in names]
    others = [name for name in reversed(names) if name not in (*seldom, *main)]
    return [*seldom, *others, *(name for name in reversed(names) if name in main and name not in seldom)]


def _short(table: pd.DataFrame, width: int) -> str | None:
    """Lay out a table with names as long as the width allows; None if the shortest are too long."""
    if _width(table) <= width:
        return aligned(table)
    names = [name for name in table if pd.api.types.is_string_dtype(table[name])]
    if names and names[-1] == table.columns[-1] and _width(table.iloc[:, :-1]) + 2 + _ROOM <= width:
        return _last_wrapped(table, width)
    cells = {name: table[name].map(cell) for name in names if not _are_figures(table[name])}
    longest = max((len(name) for column in cells.values() for name in column.unique()), default=0)
    for most in range(min(longest - 1, width), _SHORTEST - 1, -1):
        short = table.assign(**{str(name): _shortened(one, most) for name, one in cells.items()})
        if _width(short) <= width:
            return aligned(short)
    return None


def _are_figures(values: pd.Series) -> bool:
    """Whether text is of numbers with their intervals or spreads, which mean nothing without their middle."""
    return bool(values.map(cell).str.fullmatch(r"[-+\d.e]* ?(\[.*\]|\(.*\))|").all())


def _shortened(names: pd.Series, most: int) -> pd.Series:
    """Take out the middle of long names, or what they share, so that different names stay different."""
    every = [str(name) for name in names.unique()]
    for kept in (every, _without_shared(every)):
        short = [middle_out(name, most) for name in kept]
        if len(set(short)) == len(every):
            return names.map(dict(zip(every, short, strict=True)))
    return names


def _without_shared(names: list[str]) -> list[str]:
    """Take out how all names begin and how all end."""
    start, end = (len(commonprefix([name[::step] for name in names])) for step in (1, -1))  # noqa: RUF071
    return [f"...{name[start : len(name) - end]}..." for name in names]


def middle_out(name: str, most: int) -> str:
    """Shorten a name to ``most`` characters in its middle, so that both ends stay.

    Examples
    --------
    >>> middle_out("published/news-relevance", 15)
    'publis...evance'
    """
    if len(name) <= most:
        return name
    end = (most - 3) // 2
    return f"{name[: most - 3 - end]}...{name[len(name) - end :]}"


def _last_wrapped(table: pd.DataFrame, width: int) -> str:
    """Lay out a table whose last column has sentences, which go on below themselves."""
    last = table.columns[-1]
    before = _width(table.iloc[:, :-1]) + 2
    lines = table[last].map(lambda value: textwrap.wrap(cell(value), max(width - before, _ROOM)) or [""])
    first, *rows = aligned(table.assign(**{str(last): lines.str[0]})).splitlines()
    for row, more in zip(rows, lines, strict=True):
        first += "".join(f"\n{line}" for line in [row, *(" " * before + one for one in more[1:])])
    return first


def _width(table: pd.DataFrame) -> int:
    """Give the width of a table that is laid out."""
    widths = [
        max([len(str(name)), *(len(cell(value)) for value in values.unique())])
        for name, values in table.items()
    ]
    return sum(widths) + 2 * (len(widths) - 1)


def _wrapped(text: str, width: int) -> str:
    """Break a sentence into lines."""
    return textwrap.fill(visible(text), width, break_on_hyphens=False)
