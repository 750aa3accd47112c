"""What the values of options may be: text of the command line in, a checked value out."""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import re

STANDARD_OUTPUT = "-"

MOST = 10_000_000
"""Most resamples or words that an option takes: what more would cost is not started."""

MOST_SIMULATED = 1_000_000
"""Most trials, and most topics, of a simulation, which keeps a number for each topic of each trial."""

LARGEST_SEED = 2**63 - 1


def whole_number(text: str, least: int, most: int) -> int:
    """Read a whole number between two others, both included; a longer one is not even converted."""
    if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
        raise argparse.ArgumentTypeError(f"{_cut(text)}; expected a whole number from {least} to {most}")
    return int(text)


def positive(text: str) -> int:
    """Read a whole number from 1."""
    return whole_number(text, 1, MOST)


def simulated(text: str) -> int:
    """Read a number of trials or topics of a simulation."""
    return whole_number(text, 1, MOST_SIMULATED)


def two_or_more(text: str) -> int:
    """Read a number of topics or resamples of which there must be two."""
    return whole_number(text, 2, MOST_SIMULATED)


def seed(text: str) -> int:
    """Read a seed, which a table can hold."""
    return whole_number(text, 0, LARGEST_SEED)


def jobs(text: str) -> int:
    """Read a number of workers; more than there are processors would only take memory."""
    return min(positive(text), os.cpu_count() or 1)


def _cut(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


def share(text: str) -> float:
    """Read a number between 0 and 1."""
    with contextlib.suppress(ValueError):
        if 0 < float(text) < 1:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r}; expected a number between 0 and 1")


def above_0(text: str) -> float:
    """Read a number above 0."""
    with contextlib.suppress(ValueError):
        if 0 < float(text) < float("inf"):
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r}; expected a number above 0")


def share_or_0_or_1(text: str) -> float:
    """Read a number from 0 to 1."""
    with contextlib.suppress(ValueError):
        if 0 <= float(text) <= 1:
            return float(text)
    raise argparse.ArgumentTypeError(f"{_cut(text)}; expected a number from 0 to 1")


def difference(text: str) -> float:
    """Read a finite number that is not 0."""
    with contextlib.suppress(ValueError):
        if math.isfinite(float(text)) and float(text) != 0:
            return float(text)
    raise argparse.ArgumentTypeError(f"{_cut(text)}; expected a number that is not 0")


def separated(text: str) -> list[str]:
    """Split names at commas, but for those in brackets or in quotation marks.

    Examples
    --------
    >>> separated('ROUGE-2, Ngram(1,4),"a,b"')
    ['ROUGE-2', 'Ngram(1,4)', 'a,b']
    """
    return [name.strip().strip('"') for name in _NAME.findall(text)]


_NAME = re.compile(r'(?:"[^"]*"|\([^()]*\)|[^,])+')


def roles(text: str) -> tuple[str, str]:
    """Read what a column is: its role and its name."""
    role, separator, name = text.partition("=")
    if not (role and separator):
        raise argparse.ArgumentTypeError(f"{_cut(text)}; expected ROLE=NAME, e.g. topic=story,text=out")
    return role.strip(), name.strip()


def name_and_path(text: str) -> tuple[str, str]:
    """Read the name of a year and the place of its corpus."""
    name, separator, path = text.partition("=")
    if not (name and separator and path):
        raise argparse.ArgumentTypeError(f"{_cut(text)}; expected NAME=PATH")
    return name, path


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
    return None if text == STANDARD_OUTPUT else text


def on_disk(text: str) -> str:
    """Read where an output goes that is a folder, or has one beside it."""
    if text == STANDARD_OUTPUT:
        raise argparse.ArgumentTypeError("'-' is standard output; expected a name, since a folder is written")
    return text
