"""Figures as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.harness import Spread


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a Markdown table; every column but the first is set to the right."""
    lines = [list(head), ["---", *["---:"] * (len(head) - 1)], *(list(row) for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def times(spread: Spread) -> str:
    """Write a ratio: ``31 x [29-33]``."""
    return f"{digits(spread.median)} x [{digits(spread.low)}-{digits(spread.high)}]"


def digits(number: float) -> str:
    """Write a positive number with two or three figures that mean something."""
    if number >= 100:
        return f"{number:,.0f}"
    return f"{number:.3g}" if number >= 1 else f"{number:.2g}"
