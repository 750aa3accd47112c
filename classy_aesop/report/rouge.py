"""Output in the format of ROUGE-1.5.5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from classy_aesop.errors import visible

RULE = "-" * 45
DOTS = "." * 45

Key = tuple[str, ...]

_GROUP = ["year", "task", "summarizer"]


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
    single = _single_lines(scores) if per_summary else {}
    level = f"{100 * confidence:g}%-conf.int."
    last = None
    for row in averages.to_dict("records"):
        metric, _, letter = row["metric"].rpartition("-")
        key = (*(row[name] for name in _GROUP), metric)
        if key != last:
            yield from _single(single, last)
            yield RULE
            last = key
        interval = f"({level} {row['low']:.5f} - {row['high']:.5f})"
        yield f"{_named(key[:-1])} {metric} Average_{letter}: {row['mean']:.5f} {interval}"
    yield from _single(single, last)


def _single(lines: Mapping[Key, list[str]], key: Key | None) -> Iterator[str]:
    """Give the lines of single summaries for one key, if there are any."""
    if key is not None and lines:
        yield DOTS
        yield from (f"{_named(key[:-1])} {key[-1]} Eval {line}" for line in lines[key])


def _single_lines(scores: pd.DataFrame) -> dict[Key, list[str]]:
    """Lines of single summaries by summarizer and metric; each has R, P and F."""
    values: dict[Key, dict[str, list[str]]] = {}
    for row in scores.to_dict("records"):
        metric, _, letter = row["metric"].rpartition("-")
        summaries = values.setdefault((*(row[name] for name in _GROUP), metric), {})
        name = _named((row["topic"], row["task"]), joint="-")
        summaries.setdefault(name, []).append(f"{letter}:{row['score']:.5f}")
    return {key: [f"{name} {' '.join(found)}" for name, found in of.items()] for key, of in values.items()}


def _named(parts: Key, joint: str = ".") -> str:
    return visible(joint.join(part for part in parts if part))
