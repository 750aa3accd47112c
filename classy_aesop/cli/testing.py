"""Commands on score tables: evaluate, compare, compare-metrics, agreement."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from classy_aesop.cli.commands import NOT_DRAWN, Command, How
from classy_aesop.cli.sources import GROUPS, Group
from classy_aesop.errors import UsageError
from classy_aesop.report.result import Result
from classy_aesop.significance.choices import N_RESAMPLES

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.analysis.metrics import IntervalMethod, IntervalOptions
    from classy_aesop.analysis.systems import Gate
    from classy_aesop.cli.sources import Names, Table, Tables
    from classy_aesop.significance.choices import IntervalKind


@dataclass(frozen=True, kw_only=True)
class Intervals:
    """How intervals of correlations are made."""

    interval: IntervalMethod | None = None
    interval_kind: IntervalKind | None = None
    confidence: float | None = None
    n_resamples: int = N_RESAMPLES
    seed: int = 0

    @property
    def is_drawn(self) -> bool:
        """Whether they are made of resamples."""
        return self.interval not in (None, "fisher")

    def options(self) -> IntervalOptions | None:
        """Give how they are made; None without ``--interval``."""
        from classy_aesop.analysis.metrics import IntervalOptions

        given = {"--confidence": self.confidence, "--interval-kind": self.interval_kind}
        if self.interval is None:
            for name in (name for name, value in given.items() if value is not None):
                raise UsageError(f"{name} goes with --interval; expected both or none")
            return None
        kind = self.interval_kind or "percentile"
        return IntervalOptions(self.interval, self.confidence or 0.95, self.n_resamples, self.seed, kind)

    def signed(self) -> dict[str, object]:
        """Say in a signature how they were made, and leave out what made none."""
        confidence = None if self.interval is None else self.confidence or 0.95
        return {"confidence": confidence} | ({} if self.is_drawn else NOT_DRAWN)


GROUPS["intervals"] = Group(Intervals)


def evaluate(
    score_tables: Tables,
    intervals: Intervals,
    metrics: Names = None,
    targets: Names = None,
    ceiling: bool = False,
    *,
    how: How,
) -> Result:
    """Correlate scores with human judgments."""
    from classy_aesop.analysis.metrics import evaluate
    from classy_aesop.data.scores import with_places

    interval = intervals.options()
    if intervals.is_drawn:
        how = {"levels": ("system", "input"), **how}
    scores, judgments = score_tables.read(metrics, targets).tables
    table = evaluate(scores, judgments, interval=interval, raters=ceiling, **how)
    return Result(with_places(table), {"kendall": "tau-b", **intervals.signed()})


def compare(
    score_table: Table, metric: str, baseline: str | None = None, fail_if: Gate | None = None, *, how: How
) -> Result:
    """Test which summarizers differ by a metric or a human measure."""
    from classy_aesop.analysis.systems import compare, gate_message, rank
    from classy_aesop.data.scores import with_places

    clusters, pairs = how.pop("clusters"), how.pop("pairs")
    if clusters and ("margin" in how or baseline is not None):
        other = "--baseline" if baseline is not None else "--equivalence"
        raise UsageError(f"--clusters does not go with {other}; expected one of them")
    if pairs != "all" and (clusters or baseline is not None):
        raise UsageError(f"--{'clusters' if clusters else 'baseline'} needs all pairs; found --pairs {pairs}")
    if fail_if is not None and baseline is None:
        raise UsageError("--fail-if needs --baseline NAME, which others are compared with")
    (scores,), humans = score_table.read([metric], default=None if pairs == "all" else "all_peers")
    signed: dict[str, object] = {} if "resample" in how else {**NOT_DRAWN}
    if clusters:
        return Result(with_places(rank(scores, metric, **how)), signed)
    table = compare(scores, metric, pairs=pairs, humans=humans, baseline=baseline, **how)
    failed = "" if fail_if is None else gate_message(table, fail_if)
    if "margin" in how:
        signed["equivalence"] = table["margin"].iat[0]
    ranked = {name: value for name, value in how.items() if name not in ("margin", "progress")}
    every = pairs == "all" and baseline is None and len(table) > 1
    first = partial(_ranking, scores, metric, ranked) if every else None
    return Result(with_places(table), signed, first=first, failed=failed)


def _ranking(scores: pd.DataFrame, metric: str, how: How) -> Result:
    """Rank the summarizers that are compared."""
    from classy_aesop.analysis.systems import rank
    from classy_aesop.data.scores import with_places

    return Result(with_places(rank(scores, metric, **how)), kind="compare --clusters")


def compare_metrics(
    score_tables: Tables,
    target: str,
    intervals: Intervals,
    metrics: Names = None,
    clusters: bool = False,
    *,
    how: How,
) -> Result:
    """Test which metrics correlate better with humans than others, or rank them (--clusters)."""
    from classy_aesop.analysis.metric_pairs import compare_metrics, rank_metrics
    from classy_aesop.data.scores import with_places

    alpha = how.pop("alpha")
    scores, judgments = score_tables.read(metrics, [target]).tables
    how |= {"interval": intervals.options(), "n_resamples": intervals.n_resamples, "seed": intervals.seed}
    how.setdefault("n_jobs", -1)
    if clusters:
        table = rank_metrics(scores, judgments, target, metrics=metrics, alpha=alpha, **how)
    else:
        table = compare_metrics(scores, judgments, target, metrics=metrics, **how)
    signed = {"interval": table["interval"].iat[0], "confidence": table["confidence"].iat[0]}
    drawn = {} if table["seed"].notna().any() else NOT_DRAWN
    return Result(with_places(table), signed | drawn | ({} if clusters else {"alpha": None}))


def agreement(score_tables: Tables, target: str, metrics: Names = None, *, how: How) -> Result:
    """Say how far metrics find the significant differences that humans find."""
    from classy_aesop.analysis.metrics import agree
    from classy_aesop.data.scores import with_places

    scores, judgments = score_tables.read(metrics, [target]).tables
    table = agree(scores, judgments, target, metrics=metrics, **how)
    return Result(with_places(table), {"correction": "none"})


COMMANDS = (
    Command(evaluate, passed="levels coefficients n_jobs"),
    Command(
        compare,
        passed="test preset alpha resample margin clusters correction pairs n_resamples seed",
        tables=("clusters",),
    ),
    Command(
        compare_metrics,
        passed="metric_test levels coefficients correction alpha together n_jobs",
        defaults={"n_jobs": None},
        tables=("clusters",),
    ),
    Command(
        agreement,
        passed="top test preset alpha three_way combine same_direction n_jobs",
        defaults={"preset": "rankel2013"},
    ),
)
