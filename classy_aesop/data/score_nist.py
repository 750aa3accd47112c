"""NIST's ROUGE and BE output."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from classy_aesop.data.nist_names import summary_name
from classy_aesop.data.opening import Where, numbered_lines
from classy_aesop.data.score_rows import number
from classy_aesop.data.scores import Rating, mean_ratings, table
from classy_aesop.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

STATISTICS = {"R:": "recall", "P:": "precision", "F:": "f1"}


def read_nist_output(path: str | Path) -> pd.DataFrame:
    """Read NIST's ROUGE or BE output, e.g. ``rouge_A.m.out``, as a tidy score table.

    Only the lines of single summaries are read; the averages are skipped. Metrics have names like
    ``rouge-2.recall``, and scores are fractions. A summary that appears several times, once for each reference
    left out (``rougejk_A.m.out``), gets the mean. The year comes from the topic's name (``D0845`` is of 2008).
    """
    frame = table(_rows_of_output(path))
    if frame.empty:
        raise InputError(
            "no lines of single summaries; expected lines 'peer metric Eval file R: P: F:'", path=path
        )
    return mean_ratings(frame)


def _rows_of_output(path: str | Path) -> Iterator[tuple[Where, Rating]]:
    times: dict[tuple[str, ...], int] = {}
    for where, line in numbered_lines(path):
        fields = line.split()
        if len(fields) != 7 or fields[2] != "Eval":
            continue
        topic, task, summarizer = _summary(fields[3], where)
        metric = fields[1].lower()
        times[topic, task, summarizer, metric] = time = times.get((topic, task, summarizer, metric), 0) + 1
        for field, (mark, name) in zip(fields[4:], STATISTICS.items(), strict=True):
            if not field.startswith(mark):
                raise where.error(f"found {field!r}; expected a number after {mark}")
            score = number(field.removeprefix(mark), f"{metric}.{name}", where, text=True)
            yield where, (f"20{topic[1:3]}", topic, task, summarizer, f"{metric}.{name}", str(time), score)


def _summary(name: str, where: Where) -> tuple[str, str, str]:
    key = summary_name(name)
    if key is None:
        raise where.error(f"{name!r} is not the file name of a summary; expected one like D0845-A.M.100.H.E")
    return key
