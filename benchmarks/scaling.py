"""Seconds and memory of a search as the number of subsets grows, each in a fresh process."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import QUICK, Size, made_up_search, more_columns
from benchmarks.report import digits, table
from benchmarks.stages import PARTS, YEARS, alone

TITLE = "Scaling"

SIZES = (13, 16, 18, 20)
FITTERS = ("canonical", "nonnegative", "robust")
QUICK_ROBUST = 16
"""So many columns robust regression gets unless it is asked for more: beyond, it takes minutes."""

MUST = {"canonical": 5, "nonnegative": 2, "robust": 300}


def text(size: Size, *, long: bool = False) -> str:
    """Measure, and write the section."""
    rows = [row for n in ((4,) if size == QUICK else SIZES) for row in _measured(size, n, long)]
    return "\n\n".join(
        [
            "All subsets of single columns on made-up years of task A, with one worker. The columns are the "
            "13 features, and from 2^16 on also synthetic ones (mixtures of two features with noise). "
            "*Search* is the memory beyond what the process held after its imports.",
            table(("fitter", "subsets", "s", "CPU s", "peak, MB", "search, MB", "must at 2^20, s"), rows),
        ]
    )


def _measured(size: Size, n: int, long: bool) -> list[list[str]]:
    data = more_columns(made_up_search(size, "A"), n)
    arrays = {
        f"{year}_{part}": getattr(one, part)
        for year, one in zip(YEARS, (data.train, data.select), strict=True)
        for part in PARTS
    }
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "designs.npz"
        np.savez(file, target=np.array(data.target), **arrays)
        return [_cells(fitter, n, alone("search", file, fitter)) for fitter in _asked(n, long)]


def _asked(n: int, long: bool) -> list[str]:
    return [fitter for fitter in FITTERS if fitter != "robust" or long or n <= QUICK_ROBUST]


def _cells(fitter: str, n: int, found: dict[str, Any]) -> list[str]:
    (_, wall, cpu, peak), before = found["stages"][0], found["before"]
    must = f"{MUST[fitter]}" if n == max(SIZES) else "-"
    return [fitter, f"2^{n}", digits(wall), digits(cpu), f"{peak:.0f}", f"{peak - before:.0f}", must]
