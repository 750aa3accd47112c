"""Output in the format of ROUGE-1.5.5."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

import pandas as pd

from classy_aesop.data.scores import with_places
from classy_aesop.errors import visible

RULE = "-" * 45
DOTS = "." * 45

_GROUP = ["year", "task", "summarizer", "metric"]


def rouge_lines(
    averages: pd.DataFrame, scores: pd.DataFrame, *, confidence: float, per_summary: bool
) -> Iterator[str]:
    """Write averages, and with ``per_summary`` every score (``-d``).

    ``ID ROUGE-2 Average_R: 0.12345 (95%-conf.int. 0.10000 - 0.15000)``. The average is the plain mean of scores
    (NIST's ``-t 0``); the original prints the mean of its resamples. ID is the summarizer, preceded by year and task
    if there are any.

    Parameters
    ----------
    averages, scores : DataFrame
        The results of `baselines.rouge_averages` and `Rouge.table`, with metrics named like ``ROUGE-2-R``.
    confidence : float
        Confidence of the intervals, 0 to 1.
    per_summary : bool
        Whether to add the lines of single summaries.
    """
    averages, scores = _by_letter(averages), _by_letter(scores)
    single = dict(list(scores.groupby(_GROUP, sort=False))) if per_summary else {}
    for key, rows in averages.groupby(_GROUP, sort=False):
        name, metric = _joined(key[:-1]), key[-1]
        yield RULE
        for row in rows.itertuples():
            interval = f"({100 * confidence:g}%-conf.int. {row.low:.5f} - {row.high:.5f})"
            yield f"{name} {metric} Average_{row.letter}: {row.mean:.5f} {interval}"
        if key in single:
            yield DOTS
            for summary, values in single[key].groupby(["topic", "task"], sort=False):
                letters = zip(values["letter"], values["score"], strict=True)
                found = " ".join(f"{letter}:{score:.5f}" for letter, score in letters)
                yield f"{name} {metric} Eval {_joined(summary, '-')} {found}"


def _by_letter(table: pd.DataFrame) -> pd.DataFrame:
    """Split names like ``ROUGE-2-R`` into the metric and its letter."""
    parts = table["metric"].str.rsplit("-", n=1, expand=True)
    return with_places(table).assign(metric=parts[0], letter=parts[1])


def _joined(parts: Iterable[Hashable], sign: str = ".") -> str:
    return visible(sign.join(str(part) for part in parts if part))
