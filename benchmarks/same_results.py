"""Whether two folders of results are the same: the largest difference of a number in each file.

    python -m benchmarks.same_results out/before out/after

Tables are compared cell by cell, predictors and other JSON value by value. What is text has to be equal. The exit code
is 1 if a file is missing, some text differs or a number differs by more than 1e-12 of the larger one or of 1. Left out
are signatures, and the files that say when and by what the results were made.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

TOLERANCE = 1e-12

UNLIKE = ("signature", "sha256", "version")
"""What differs between two versions of the program that give the same numbers."""


def main(one: Path, other: Path) -> int:
    """Compare two folders; print a line a file, and return the exit code."""
    names = sorted({str(path.relative_to(folder)) for folder in (one, other) for path in _files(folder)})
    worst = {name: _difference(one / name, other / name) for name in names}
    for name, difference in worst.items():
        print(f"{difference:.1e}  {name}")
    print(f"{len(names)} files, largest difference {max(worst.values(), default=float('inf')):.1e}")
    return int(not worst or max(worst.values()) > TOLERANCE)


def _files(folder: Path) -> Iterator[Path]:
    found = (path for path in folder.rglob("*") if path.suffix in (".tsv", ".json"))
    return (path for path in found if path.name not in ("manifest.json", "run.json"))


def _difference(one: Path, other: Path) -> float:
    """Give the largest difference of two numbers at one place; infinite where anything else differs."""
    if not (one.exists() and other.exists()):
        return float("inf")
    first, second = dict(_values(one)), dict(_values(other))
    if first.keys() != second.keys():
        return float("inf")
    return max((_apart(first[place], second[place]) for place in first), default=0.0)


def _values(path: Path) -> Iterator[tuple[tuple[object, ...], object]]:
    """Give each value of a file with its place."""
    with path.open(encoding="utf-8", newline="") as stream:
        if path.suffix == ".json":
            return _leaves(json.load(stream), ())
        rows = list(csv.DictReader(stream, delimiter="\t"))
    return _leaves(rows, ())


def _leaves(value: object, place: tuple[object, ...]) -> Iterator[tuple[tuple[object, ...], object]]:
    pairs: Iterable[tuple[object, object]]
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not isinstance(value, dict | list):
        yield place, value
    for key, part in pairs:
        if key not in UNLIKE:
            yield from _leaves(part, (*place, key))


def _apart(one: object, other: object) -> float:
    if one == other:
        return 0.0
    try:
        first, second = float(str(one)), float(str(other))
    except ValueError:
        return float("inf")
    if first != first and second != second:
        return 0.0
    return abs(first - second) / max(abs(first), abs(second), 1.0)


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
