"""Score files of mt-metrics-eval: two columns, a system and its score, with one or several lines per system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from classy_aesop.data.opening import Where, numbered_lines, plain_name
from classy_aesop.data.score_rows import number
from classy_aesop.data.scores import Rating, table
from classy_aesop.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

LEVELS = ("sys", "seg", "doc", "domain")
"""The possible endings of such files' names before ``.score``."""


def read_mt_scores(path: str | Path, *, year: str = "") -> pd.DataFrame:
    """Read one metric, which is named after the file: ``BLEU-refA.seg.score`` is ``BLEU-refA``.

    If each system has one line, these are system scores; their topic is ``""``, and they join only with other system
    scores. If systems have several lines, these are segments in order; their topics are the numbers ``1``, ``2``, ...,
    since these files hold no other id. ``None`` marks a missing score.

    Raises
    ------
    InputError
        If a line is not a system and a number, or systems have different numbers of lines.
    """
    ratings = list(_lines(path))
    counts = Counter(system for _, system, _ in ratings)
    if len(set(counts.values())) > 1:
        fewest, most = min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)
        raise InputError(
            f"system {fewest} has {counts[fewest]} lines and {most} has {counts[most]}; expected equally many",
            path=path,
        )
    return table(_ratings(ratings, _metric(path), year, are_segments=max(counts.values()) > 1))


def _lines(path: str | Path) -> Iterator[tuple[Where, str, float]]:
    for where, line in numbered_lines(path):
        fields = line.split()
        if len(fields) != 2:
            raise where.error(f"{len(fields)} columns; expected a system and its score")
        yield where, fields[0], number(fields[1], "score", where, text=True)


def _ratings(
    rows: list[tuple[Where, str, float]], metric: str, year: str, *, are_segments: bool
) -> Iterator[tuple[Where, Rating]]:
    so_far: dict[str, int] = {}
    for where, system, score in rows:
        so_far[system] = so_far.get(system, 0) + 1
        topic = str(so_far[system]) if are_segments else ""
        yield where, (year, topic, "", system, metric, "", score)


def _metric(path: str | Path) -> str:
    name = Path(plain_name(path)).name.removesuffix(".score")
    stem, _, level = name.rpartition(".")
    return stem if stem and level in LEVELS else name
