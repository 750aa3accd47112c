"""Write the sample corpus: ``python -m classy_aesop.data.generator -o data_samples``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from classy_aesop.data.generator.sample import SEED, write_sample


def main(arguments: Sequence[str] | None = None) -> None:
    """Write three years, each a folder with ``summaries.jsonl`` and ``judgments.jsonl``, and two tables."""
    parser = argparse.ArgumentParser(
        prog="python -m classy_aesop.data.generator",
        description="Write made-up judged summaries of three years.",
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="folder to write to")
    parser.add_argument(
        "--seed", type=int, default=SEED, help="seed of the random numbers, 0 or more (%(default)s)"
    )
    options = parser.parse_args(arguments)
    if options.seed < 0:
        parser.error(f"--seed is {options.seed}; expected 0 or more")
    if str(options.output) == "-":
        parser.error("-o is -, standard output; expected a folder, as there are several files")
    write_sample(options.output, options.seed)


if __name__ == "__main__":
    main()
