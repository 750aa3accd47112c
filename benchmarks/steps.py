"""Where the time of a prediction goes: each step alone, in one process, on lines that were read before."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterable
from itertools import islice

from classy_aesop.corpus.corpus import assemble
from classy_aesop.corpus.json_rows import parse_lines
from classy_aesop.features.base import GROUPS
from classy_aesop.features.rows import feature_rows
from classy_aesop.features.table import feature_table
from classy_aesop.predictor import Predictor
from classy_aesop.report.table import write_table
from classy_aesop.scores.rows import Where

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

    def features(*names: str) -> float:
        return _least(lambda: list(feature_rows(topics, names=names)), len(lines))

    counted, every = features(), features(*GROUPS)
    found = {
        "a line to a row": _least(lambda: list(parse_lines(numbered)), len(lines)),
        "rows to topics": _least(lambda: assemble(records), len(lines)),
        "tokens and n-grams": counted,
        **{f"features: {group}": features(group) - counted for group in GROUPS},
        "all features, with tokens and n-grams": every,
        "their table": _least(lambda: feature_table(topics, names=GROUPS), len(lines)) - every,
        "scores": _least(lambda: predictor.score(table), len(lines)),
        "writing": _least(lambda: write_table(scores, io.StringIO(), "tsv", "signature"), len(lines)),
    }
    return [[name, f"{max(value, 0):.1f}"] for name, value in found.items()]


def _least(work: Callable[[], object], n: int) -> float:
    times = []
    for _ in range(_ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) / n * 1e6
