"""Figures as Markdown: tables, and sections of a page that are replaced in place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.harness import Spread

HEADER = """# Performance

Each section was written by `python -m benchmarks NAME -o docs/performance.md`; `--help` lists the names. `pip install
-e .[bench]` installs the programs that we compare with. Package and peer run in turns, in one run, with one BLAS thread
each. A ratio is the peer's CPU time divided by the package's: the median over rounds and, in brackets, the range.
*Must* is the goal that was set for it. Seconds are CPU seconds of the whole job.
"""


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


def must(goal: float | None) -> str:
    """Write a goal, or a dash where none was set."""
    return "-" if goal is None else f">= {goal:g} x"


def write_section(path: Path, title: str, text: str) -> None:
    """Replace the section of this title in a page, or add it at the end; make the page if it is not there."""
    page = path.read_text(encoding="utf-8") if path.exists() else HEADER
    section = f"## {title}\n\n{text.strip()}\n"
    pattern = re.compile(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", flags=re.M | re.S)
    page, found = pattern.subn(lambda _: f"{section}\n", page)
    if not found:
        page = f"{page.rstrip()}\n\n{section}"
    path.write_text(page.rstrip() + "\n", encoding="utf-8")
