"""Tables in which one cell is odd: a measure with such a cell is read, refused or named, and never just dropped."""

import random
import warnings
from pathlib import Path

from benchmarks.fuzz.readers import Reader
from classy_aesop import read_corpus, read_scores

ODD = (
    "N/A", "n/a", "NA", "-", "--", ".", "", " ", "3,5", "3.5 ", "1_0", "５", "0x1", "1e308", "1e400",
    "inf", "-Infinity", "nan", "None", "null", "#DIV/0!", "TRUE", "false", "1/5", "4 of 5", "3.5*", "≈3", "−1", "+1",
    "1e-400", "'3", "3\u00a0", "\x1b[31m3", "D1", "x" * 300,
)  # fmt: skip
_MEASURES = ("overall", "fluency")


def _odd(content: bytes, rng: random.Random) -> bytes:
    """Replace the cell of one measure, in one row or in several."""
    header, *lines = content.decode().splitlines()
    separator = "\t" if "\t" in header else ","
    column = header.split(separator).index(rng.choice(_MEASURES))
    for at in rng.sample(range(len(lines)), rng.choice((1, 1, 2, _N_ROWS // 2))):
        cells = lines[at].split(separator)
        cell = rng.choice(ODD)
        cells[column] = f'"{cell}"' if separator in cell else cell
        lines[at] = separator.join(cells)
    return "".join(f"{line}\n" for line in (header, *lines)).encode()


def _has_all(found: set[str], said: str) -> bool:
    """Whether each measure is there, or a message names it and the line of a cell."""
    return all(name in found or (name in said and "line " in said) for name in _MEASURES)


def _scores(path: Path) -> bool:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        frame = read_scores(path, year="1")
    assert len(frame) == _N_ROWS * len(_MEASURES) or caught, "scores are dropped without a word"
    return _has_all(set(frame["metric"]), _said(caught))


def _corpus(path: Path) -> bool:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        judgments = read_corpus(path).judgments
    return _has_all(set(judgments["metric"]), _said(caught))


def _said(caught: list[warnings.WarningMessage]) -> str:
    return " ".join(str(one.message) for one in caught)


def _table(header: str, start: str, separator: str) -> bytes:
    rows = [
        separator.join([f"D{at % 4}", str(at // 4), *start.split("|"), str(at % 5 + 1), f"{at / 3:.2f}"])
        for at in range(_N_ROWS)
    ]
    return "".join(f"{line}\n" for line in (header.replace(" ", separator), *rows)).encode()


_N_ROWS = 12
ODD_CELLS = {
    "scores odd cells": Reader(
        "x.tsv", _table("topic summarizer assessor overall fluency", "x", "\t"), _scores, spoil=_odd
    ),
    "corpus odd cells": Reader(
        "x.csv",
        _table("topic system summary reference overall fluency", "One two.|One.", ","),
        _corpus,
        spoil=_odd,
    ),
}
"""Readers of tables with measures as columns."""
