"""Results on a screen, and the format of ROUGE-1.5.5."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Hashable, Iterable, Iterator
from typing import TextIO

import pandas as pd

from classy_aesop.answers.declared import answer_of
from classy_aesop.data.scores import add_stratum_columns
from classy_aesop.errors import escape_controls
from classy_aesop.tables.layout import lay_out
from classy_aesop.tables.result import Result
from classy_aesop.tables.screen_tables import first_lines, screen_lines, short_signature


def write_screen(result: Result, stream: TextIO, *, max_rows: int | None = None) -> None:
    """Aligned columns to be read, as wide as the terminal, or 80 columns where there is none."""
    if result.lines is None:
        lines = lines_of_screen(result, max_rows=max_rows)
    else:
        limit = max_rows if sys.stdout.isatty() else None
        lines = lines_of_screen(result, max_rows=limit, source_of_all="-o FILE or a pipe")
    stream.writelines(f"{line}\n" for line in lines)


def lines_of_screen(
    result: Result,
    *,
    max_rows: int | None = None,
    source_of_all: str = "-o FILE",
    source_of_first: str = "-o FILE.html",
) -> list[str]:
    """Lay out a result in the lines of a screen."""
    width = shutil.get_terminal_size().columns
    if result.lines is None:
        results = [*([result.first()] if result.first else []), *(result.parts or [result])]
        layouts = [shown.presentation.apply(lay_out(shown.table, answer_of(shown))) for shown in results]
        return screen_lines(
            layouts,
            result.notes,
            result.signature,
            width=width,
            max_rows=max_rows,
            source_of_all=source_of_all,
            source_of_first=source_of_first,
        )
    lines = list(result.lines())
    signature = result.signature
    if max_rows is not None:
        signature = short_signature(signature, width)
        lines = first_lines(lines, max_rows - 2, source_of_all)
    return [*lines, "", signature] if signature else lines


# --- the format of ROUGE-1.5.5 ---

RULE_LINE = "-" * 45
DOTTED_LINE = "." * 45

_GROUP = ["year", "task", "summarizer", "metric"]


def rouge_lines(averages: pd.DataFrame, scores: pd.DataFrame | None, *, confidence: float) -> Iterator[str]:
    """Write averages, and every score, if scores are given (``-d``).

    ``ID ROUGE-2 Average_R: 0.12345 (95%-conf.int. 0.10000 - 0.15000)``. The average is the plain mean of scores
    (NIST's ``-t 0``); the original prints the mean of its resamples. ID is the summarizer, preceded by year and task
    if there are any. As in the original, the summarizer follows the topic where a score stands for both:
    ``ID ROUGE-2 Eval TOPIC.SUMMARIZER R:0.12345 P:0.12345 F:0.12345``.
    """
    averages = _split_metric_names(averages)
    single = {} if scores is None else dict(list(_split_metric_names(scores).groupby(_GROUP, sort=False)))
    for key, rows in averages.groupby(_GROUP, sort=False):
        name = _join_cells(key[:-1])
        summarizer = _join_cells(key[-2:-1])
        metric = key[-1]
        yield RULE_LINE
        for row in rows.itertuples():
            interval = f"({100 * confidence:g}%-conf.int. {row.low:z.5f} - {row.high:z.5f})"
            yield f"{name} {metric} Average_{row.letter}: {row.mean:z.5f} {interval}"
        if key in single:
            yield DOTTED_LINE
            for summary, values in single[key].groupby(["topic", "task"], sort=False):
                letters = zip(values["letter"], values["score"], strict=True)
                scores_text = " ".join(f"{letter}:{score:z.5f}" for letter, score in letters)
                instance = f"{_join_cells(summary, '-')}.{summarizer}"
                yield f"{name} {metric} Eval {instance} {scores_text}"


def _split_metric_names(table: pd.DataFrame) -> pd.DataFrame:
    """Split names like ``ROUGE-2-R`` into the metric and its letter."""
    parts = table["metric"].str.rsplit("-", n=1, expand=True)
    return add_stratum_columns(table).assign(metric=parts[0], letter=parts[1])


def _join_cells(parts: Iterable[Hashable], sign: str = ".") -> str:
    return escape_controls(sign.join(str(part) for part in parts if part))
