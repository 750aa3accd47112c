"""Command line of the benchmarks."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from benchmarks.data import FULL, QUICK, Size
from benchmarks.machine import describe

NAMES = (
    "search",
    "features",
    "rouge_pairs",
    "pair_files",
    "resampling",
    "pairs",
    "peers",
    "startup",
    "memory",
    "predicting",
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one benchmark and print its section."""
    options = _parser().parse_args(arguments)
    module = import_module(f"benchmarks.{options.name}")
    text = run(options, QUICK if options.quick else FULL)
    print(f"## {module.TITLE}\n\n{text}\n\n{describe()}")


def run(options: argparse.Namespace, size: Size) -> str:
    """Run the named benchmark with its options."""
    module = import_module(f"benchmarks.{options.name}")
    if options.name in ("rouge_pairs", "pair_files"):
        return str(module.text(size, options.shared))
    if options.name == "predicting":
        return str(module.text(size, options.summaries))
    return str(module.text(size))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--quick", action="store_true", help="a small size, in seconds; not for quoting")
    parser.add_argument(
        "--shared",
        type=Path,
        metavar="DIR",
        help="rouge_pairs and pair_files: of SummEval",
    )
    parser.add_argument("--summaries", type=int, metavar="N", help="predicting: how many (default: 100,000)")
    return parser


if __name__ == "__main__":
    main()
