"""Where the time of a prediction goes: each step alone, in one process, on lines that were read before."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterable
from itertools import islice

from classy_aesop.data.corpus import assemble
from classy_aesop.data.records import parse_lines
from classy_aesop.data.sources import Where
from classy_aesop.features.registry import GROUPS
from classy_aesop.features.rows import feature_rows
from classy_aesop.features.table import feature_table
from classy_aesop.predictor import Predictor
from classy_aesop.report.table import write_table

_ROUNDS = 5


def steps(given: Iterable[bytes], predictor: Predictor, n: int) -> list[list[str]]:
    """Measure the steps on the first ``n`` lines: CPU microseconds a summary, the least of several rounds.

    The features of a group are measured by themselves, less what is counted for all of them; groups share some of their
    work, so that all together take less than the sum.
    """
    lines = list(islice(given, n))
    numbered = [(Where("lines", at), line) for at, line in enumerate(lines, 1)]
    records = list(parse_lines(numbered))
    topics = assemble(records).topics
    table = feature_table(topics, names=GROUPS)
    scores = predictor.score(table)

    def features(*names: str) -> Callable[[], object]:
        return lambda: list(feature_rows(topics, names=names))

    least = _least(
        {
            "a line to a row": lambda: list(parse_lines(numbered)),
            "rows to topics": lambda: assemble(records),
            "tokens and n-grams": features(),
            **{f"features: {group}": features(group) for group in GROUPS},
            "all features, with tokens and n-grams": features(*GROUPS),
            "their table": lambda: feature_table(topics, names=GROUPS),
            "scores": lambda: predictor.score(table),
            "writing": lambda: write_table(scores, io.StringIO(), "tsv", "signature"),
        }
    )
    for group in GROUPS:
        least[f"features: {group}"] -= least["tokens and n-grams"]
    least["their table"] -= least["all features, with tokens and n-grams"]
    return [[name, f"{max(value, 0) / len(lines) * 1e6:.1f}"] for name, value in least.items()]


def _least(works: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Measure CPU seconds, the least of several rounds; each round has all of them, as a machine's speed varies."""
    times = dict.fromkeys(works, float("inf"))
    for _ in range(_ROUNDS):
        for name, work in works.items():
            start = time.process_time()
            work()
            times[name] = min(times[name], time.process_time() - start)
    return times
