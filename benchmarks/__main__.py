"""Command line of the benchmarks."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from benchmarks.data import FULL, QUICK, Size
from benchmarks.machine import describe
from benchmarks.report import write_section

NAMES = (
    "search",
    "features",
    "rouge_l",
    "rouge_pairs",
    "pair_files",
    "resampling",
    "pairs",
    "startup",
    "memory",
    "scaling",
    "predicting",
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one benchmark, print its section, and write it to a page if one is named."""
    options = _parser().parse_args(arguments)
    module = import_module(f"benchmarks.{options.name}")
    text = f"{run(options, QUICK if options.quick else FULL)}\n\n{describe()}"
    print(f"## {module.TITLE}\n\n{text}")
    if options.output is not None:
        write_section(options.output, module.TITLE, text)


def run(options: argparse.Namespace, size: Size) -> str:
    """Run the named benchmark with its options."""
    module = import_module(f"benchmarks.{options.name}")
    if options.name in ("search", "features", "rouge_pairs", "pair_files"):
        return str(module.text(size, options.shared))
    if options.name == "predicting":
        return str(module.text(size, options.summaries))
    if options.name == "scaling":
        return str(module.text(size, long=options.long))
    return str(module.text(size))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--quick", action="store_true", help="a small size, in seconds; not for quoting")
    parser.add_argument(
        "--shared",
        type=Path,
        metavar="DIR",
        help="search, features, rouge_pairs and pair_files: real corpora too, or SummEval",
    )
    parser.add_argument(
        "--long", action="store_true", help="scaling: robust regression beyond 2^16 too (minutes)"
    )
    parser.add_argument("--summaries", type=int, metavar="N", help="predicting: how many (default: 100,000)")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the section into this page")
    return parser


if __name__ == "__main__":
    main()
