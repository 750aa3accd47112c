"""Tables on a screen, as wide as it is: the answer first, then what all rows share, then the rows.

What is the same in every row stands once, above. Where that is not enough, names lose what they share or their middle,
and at last columns are left out, which a line below names. Other formats have everything.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TextIO

import pandas as pd

from classy_aesop.data.scores import with_places
from classy_aesop.errors import visible
from classy_aesop.plots.base import shorten_names
from classy_aesop.report.arrangement import aligned, are_figures, cell, head_of
from classy_aesop.report.kinds import answer, kind_of, layout, readable
from classy_aesop.report.result import Result

_SHORTEST = 12
"""Characters that a name keeps, at least."""

_LEAST = 5
"""Rows of a table that a screen shows, at least."""

_ROOM = 30
"""Characters that sentences in the last column need."""

_SELDOM = (
    "seed", "statistic", "preset", "n_skipped", "low_all", "high_all", "flag", "error", "effect", "correction",
)  # fmt: skip
"""Columns that are left out first."""

LINES = 40
"""Lines of a screen."""


def write_screen(result: Result, stream: TextIO, *, most: int | None = None) -> None:
    """Aligned columns to be read, as wide as the terminal, or 80 columns where there is none.

    Of more than ``most`` lines the last rows are left out, and counted; of a result's own lines on a terminal alone.
    """
    width = shutil.get_terminal_size().columns
    if result.lines is not None:
        lines, signature = list(result.lines()), result.signature
        if most is not None and sys.stdout.isatty():
            signature = short_signature(signature, width)
            lines = first_lines(lines, most - 2, "-o FILE or a pipe")
        stream.writelines(f"{line}\n" for line in (*lines, *(["", signature] if signature else [])))
        return
    shown = [*([result.first()] if result.first else []), result]
    notes = [_wrapped(note, width) for note in result.notes]
    end = "\n".join(filter(None, [*notes, short_signature(result.signature, width)]))
    n_rows = [len(readable(one)) for one in shown]
    while True:
        parts = [part for one, n in zip(shown, n_rows, strict=True) for part in _parts(one, width, n)]
        lines = "\n\n".join(filter(None, [*parts, end])).splitlines()
        longest = max(range(len(shown)), key=n_rows.__getitem__)
        if most is None or len(lines) <= most or n_rows[longest] <= _LEAST:
            break
        n_rows[longest] = max(_LEAST, n_rows[longest] - max(1, (len(lines) - most) // 2))
    stream.writelines(f"{line}\n" for line in lines)


def first_lines(lines: Sequence[str], most: int, whole: str) -> list[str]:
    """Keep so many lines, the last of which counts those that are left out: ``whole`` has all."""
    if len(lines) <= most:
        return list(lines)
    return [*lines[: most - 2], "", f"{len(lines) - most + 2} more lines: {whole} has all."]


def short_signature(signature: str, width: int) -> str:
    """Cut a signature where a line ends; files have all of it."""
    signature = visible(signature)
    return signature if len(signature) <= width else signature[: width - 2].rpartition("|")[0] + "|…"


def _parts(result: Result, width: int, n_rows: int) -> Iterator[str]:
    """Say what was found and what all rows share; lay out the first rows, a single one that is too long in lines."""
    kind, shown, table = kind_of(result), layout(result), readable(result)
    yield _wrapped(answer(result), width)
    main = [*kind.columns.split(), "p_adjusted", "p_here_adjusted", "low", "high", "verdict"]
    if shown.best:
        main = ["metric", *shown.best]
    if len(table) != 1 or _width(table) <= width:
        yield _wrapped(shown.said_once(), width)
        yield from _fitting(shown.table.head(n_rows), width, main)
        if n_rows < len(table):
            yield _wrapped(f"{len(table) - n_rows:,} more rows: -o FILE has all.", width)
        return
    cells = {str(name): cell(table[name].iat[0]) for name in table}
    if {"first", "difference"} <= set(main):  # one pair
        rest = [
            f"{name} {value}" for name, value in cells.items() if name not in main and value not in ("", "-")
        ]
        yield _wrapped(", ".join(rest), width)
        yield from _fitting(table[[name for name in table if name in main]], width, main)
    else:
        yield _last_wrapped(pd.DataFrame({"name": list(cells), "value": list(cells.values())}), width)


def _fitting(table: pd.DataFrame, width: int, main: list[str]) -> Iterator[str]:
    """Lay out a table in a width: with short names, and without columns, the least needed first, but not the first."""
    left_out: list[str] = []
    shown, widths, kept = _short(table, width), _widths(table), table
    least = {name: min(size, _SHORTEST) if _is_text(table[name]) else size for name, size in widths.items()}
    names = [str(name) for name in table][:0:-1]
    last = [name for name in names if name in main and name not in _SELDOM]
    seldom = [name for name in _SELDOM if name in names]
    for name in (*seldom, *(one for one in names if one not in (*seldom, *last)), *last):
        if shown is not None:
            break
        other = "_".join({"low": "high", "high": "low"}.get(part, part) for part in name.split("_"))
        left_out += [one for one in (name, other) if one in kept and one not in left_out]  # both ends
        kept = table.drop(columns=left_out)
        if sum(size + 2 for one, size in least.items() if one in kept) - 2 <= width:
            shown = _short(kept, width)
    yield aligned(kept) if shown is None else shown
    if left_out:
        left = ", ".join(name for name in table if name in left_out)
        yield _wrapped(f"Not shown: {left} (-o FILE has all).", width)


def _is_text(values: pd.Series) -> bool:
    return bool(pd.api.types.is_string_dtype(values))


def _short(table: pd.DataFrame, width: int) -> str | None:
    """Lay out a table with names as long as the width allows; None if the shortest are too long."""
    over = _width(table) - width
    if over <= 0:
        return aligned(table)
    names = [name for name in table if _is_text(table[name])]
    if names and names[-1] == table.columns[-1] and _width(table.iloc[:, :-1]) + 2 + _ROOM <= width:
        return _last_wrapped(table, width)
    short = [name for name in names if name != "beats" and not are_figures(table[name])]
    cells = {name: table[name].map(cell) for name in short}
    longest = [(len(str(name)), max(map(len, column), default=0)) for name, column in cells.items()]
    for most in range(width, _SHORTEST - 1, -1):
        if sum(max(head, n) - max(head, min(n, most)) for head, n in longest) >= over:
            cut = {str(name): shorten_names(column.tolist(), most) for name, column in cells.items()}
            return aligned(table.assign(**cut))
    return None


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
    widths = _widths(table)
    return sum(widths.values()) + 2 * (len(widths) - 1)


def _widths(table: pd.DataFrame) -> dict[str, int]:
    """Give the width of each column."""
    widths = {}
    for name, values in table.items():
        cells = values.drop_duplicates().map(cell).tolist()
        widths[str(name)] = max(map(len, (*head_of(name, cells), *cells)))
    return widths


def _wrapped(text: str, width: int) -> str:
    """Break a sentence into lines."""
    return textwrap.fill(visible(text), width, break_on_hyphens=False)


# --- the format of ROUGE-1.5.5 ---

RULE = "-" * 45
DOTS = "." * 45

_GROUP = ["year", "task", "summarizer", "metric"]


def rouge_lines(
    averages: pd.DataFrame, scores: pd.DataFrame, *, confidence: float, per_summary: bool
) -> Iterator[str]:
    """Write averages, and with ``per_summary`` every score (``-d``).

    ``ID ROUGE-2 Average_R: 0.12345 (95%-conf.int. 0.10000 - 0.15000)``. The average is the plain mean of scores
    (NIST's ``-t 0``); the original prints the mean of its resamples. ID is the summarizer, preceded by year and task
    if there are any.

    ``averages`` and ``scores`` are results of `baselines.rouge_averages` and `Rouge.table`, with metrics named like
    ``ROUGE-2-R``; ``confidence`` is that of the intervals.
    """
    averages, scores = _by_letter(averages), _by_letter(scores)
    single = dict(list(scores.groupby(_GROUP, sort=False))) if per_summary else {}
    for key, rows in averages.groupby(_GROUP, sort=False):
        name, metric = _joined(key[:-1]), key[-1]
        yield RULE
        for row in rows.itertuples():
            interval = f"({100 * confidence:g}%-conf.int. {row.low:.5f} - {row.high:.5f})"
            yield f"{name} {metric} Average_{row.letter}: {row.mean:.5f} {interval}"
        if key in single:
            yield DOTS
            for summary, values in single[key].groupby(["topic", "task"], sort=False):
                letters = zip(values["letter"], values["score"], strict=True)
                found = " ".join(f"{letter}:{score:.5f}" for letter, score in letters)
                yield f"{name} {metric} Eval {_joined(summary, '-')} {found}"


def _by_letter(table: pd.DataFrame) -> pd.DataFrame:
    """Split names like ``ROUGE-2-R`` into the metric and its letter."""
    parts = table["metric"].str.rsplit("-", n=1, expand=True)
    return with_places(table).assign(metric=parts[0], letter=parts[1])


def _joined(parts: Iterable[Hashable], sign: str = ".") -> str:
    return visible(sign.join(str(part) for part in parts if part))
