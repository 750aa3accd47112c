"""What the values of options may be: text of the command line in, a checked value out."""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import re
from collections.abc import Callable

STANDARD_OUTPUT = "-"

MOST = 10_000_000
"""Most resamples or words that an option takes: what more would cost is not started."""

MOST_SIMULATED = 1_000_000
"""Most trials, and most topics, of a simulation, which keeps a number for each topic of each trial."""

LARGEST_SEED = 2**63 - 1


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Make what reads a whole number between two others, both included; a longer one is not even converted."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"{_cut(text)}; expected a whole number from {least} to {most}")
        return int(text)

    return read


def number(expected: str, is_valid: Callable[[float], bool]) -> Callable[[str], float]:
    """Make what reads a number; ``expected`` says in words which numbers are valid."""

    def read(text: str) -> float:
        with contextlib.suppress(ValueError):
            if is_valid(float(text)):
                return float(text)
        raise argparse.ArgumentTypeError(f"{_cut(text)}; expected a number {expected}")

    return read


def _cut(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


positive = whole_number(1, MOST)
simulated = whole_number(1, MOST_SIMULATED)
two_or_more = whole_number(2, MOST_SIMULATED)
seed = whole_number(0, LARGEST_SEED)
share = number("between 0 and 1", lambda value: 0 < value < 1)
share_or_0_or_1 = number("from 0 to 1", lambda value: 0 <= value <= 1)
above_0 = number("above 0", lambda value: 0 < value < math.inf)
difference = number("that is not 0", lambda value: math.isfinite(value) and value != 0)


def jobs(text: str) -> int:
    """Read a number of workers; more than there are processors would only take memory."""
    return min(positive(text), os.cpu_count() or 1)


def separated(text: str) -> list[str]:
    """Split names at commas, but for those in brackets or in quotation marks.

    Examples
    --------
    >>> separated('ROUGE-2, Ngram(1,4),"a,b"')
    ['ROUGE-2', 'Ngram(1,4)', 'a,b']
    """
    return [name.strip().strip('"') for name in _NAME.findall(text)]


_NAME = re.compile(r'(?:"[^"]*"|\([^()]*\)|[^,])+')


def pair(expected: str) -> Callable[[str], tuple[str, str]]:
    """Make what reads a name and what it stands for, on both sides of ``=``."""

    def read(text: str) -> tuple[str, str]:
        name, separator, value = text.partition("=")
        if not (name and separator):
            raise argparse.ArgumentTypeError(f"{_cut(text)}; expected {expected}")
        return name.strip(), value.strip()

    return read


def rouge_metric(text: str) -> str:
    """Read a variant of ROUGE, with or without ``ROUGE-``."""
    return f"ROUGE-{text.removeprefix('ROUGE-')}"


def margin(text: str) -> float | tuple[float, float]:
    """Read a margin around 0: a number above 0, or two ends, one of which may be infinite."""
    if "," not in text:
        return above_0(text)
    with contextlib.suppress(ValueError):
        low, high = map(float, text.split(","))
        if low < 0 < high and not low == -high == -float("inf"):
            return low, high
    raise argparse.ArgumentTypeError(f"{text!r}; expected two numbers around 0, such as -0.5,inf")


def place(text: str) -> str | None:
    """Read where an output goes; ``-`` is standard output, as without the option."""
    return None if text == STANDARD_OUTPUT else on_disk(text)


def on_disk(text: str) -> str:
    """Read where an output goes that has a name; without one it would be the working folder."""
    if not text:
        raise argparse.ArgumentTypeError("''; expected a name")
    if text == STANDARD_OUTPUT:
        raise argparse.ArgumentTypeError("'-' is standard output; expected the name of a file or a folder")
    return text
