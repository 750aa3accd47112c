"""Commands on score tables: evaluate, compare, compare-metrics, agreement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from classy_aesop.cli.commands import Asked, Command
from classy_aesop.cli.sources import GROUPS, Group
from classy_aesop.errors import UsageError
from classy_aesop.report.result import Result
from classy_aesop.significance.defaults import ALPHA, N_RESAMPLES

if TYPE_CHECKING:
    from classy_aesop.analysis.evaluate import IntervalChoice
    from classy_aesop.cli.sources import Names, Table, Tables


def evaluate(
    score_tables: Tables,
    intervals: Intervals,
    metrics: Names = None,
    targets: Names = None,
    levels: Names = None,
    coefficients: Names = None,
    n_jobs: int = 1,
    *,
    asked: Asked,
) -> Result:
    """Correlate scores with human judgments."""
    from classy_aesop.analysis.evaluate import evaluate

    chosen = intervals.choice()
    is_drawn = chosen is not None and chosen.method != "fisher"
    levels = levels or (("system", "input") if is_drawn else None)
    which = given(levels=levels, coefficients=coefficients)
    scores, judgments = score_tables.read(metrics, targets).tables
    table = evaluate(scores, judgments, interval=chosen, n_jobs=n_jobs, progress=asked.progress, **which)
    return Result(table, {"kendall": "tau-b", **intervals.signed()})


def given(**options: object) -> dict[str, Any]:
    """Give the options that were set; functions have defaults for the others."""
    return {name: value for name, value in options.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class Intervals:
    """How intervals of correlations are made."""

    interval: str | None = None
    interval_kind: str | None = None
    confidence: float | None = None
    n_resamples: int = N_RESAMPLES
    seed: int = 0

    def choice(self) -> IntervalChoice | None:
        """Choose how they are made; none without ``--interval``."""
        from classy_aesop.analysis.evaluate import IntervalChoice

        if self.interval is None:
            for name in ("confidence", "interval_kind"):
                if getattr(self, name) is not None:
                    raise UsageError(
                        f"--{name.replace('_', '-')} goes with --interval; expected both or none"
                    )
            return None
        drawn = {"n_resamples": self.n_resamples, "seed": self.seed}
        kind = self.interval_kind or "percentile"
        return IntervalChoice(self.interval, self.confidence or 0.95, **drawn, kind=kind)

    def signed(self) -> dict[str, object]:
        """Say in a signature how they were made, and leave out what made none."""
        undrawn: dict[str, object] = {"resamples": None, "seed": None}
        if self.interval is None:
            return undrawn
        return {"confidence": self.confidence or 0.95} | (undrawn if self.interval == "fisher" else {})


GROUPS["intervals"] = Group(Intervals)


def compare(
    score_table: Table,
    metric: str,
    test: str = "wilcoxon",
    preset: str = "standard",
    alpha: float = ALPHA,
    resample: str | None = None,
    margin: float | tuple[float, float] | None = None,
    clusters: bool = False,
    correction: str = "holm",
    pairs: str = "all",
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    *,
    asked: Asked,
) -> Result:
    """Test which summarizers differ by a metric or a human measure."""
    from classy_aesop.analysis.compare import compare, rank

    if clusters and margin is not None:
        raise UsageError("--clusters does not go with --equivalence; expected one of them")
    if clusters and pairs != "all":
        raise UsageError(f"--clusters needs all pairs; found --pairs {pairs}")
    (scores,), humans = score_table.read([metric], default=None if pairs == "all" else "all_peers")
    how: dict[str, Any] = {
        "test": test,
        "preset": preset,
        "resample": resample,
        "correction": correction,
        "alpha": alpha,
    }
    how |= {"n_resamples": n_resamples, "seed": seed, "progress": asked.progress}
    if clusters:
        table = rank(scores, metric, **how)
    else:
        table = compare(scores, metric, margin=margin, pairs=pairs, humans=humans, **how)
    signed: dict[str, object] = {} if resample else {"resamples": None, "seed": None}
    signed |= {} if margin is None else {"equivalence": table["margin"].iat[0]}
    return Result(table, signed)


def compare_metrics(
    score_tables: Tables,
    target: str,
    metrics: Names = None,
    metric_test: str = "perm-both",
    levels: Names = None,
    coefficients: Names = None,
    correction: str = "holm",
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    n_jobs: int | None = None,
    *,
    asked: Asked,
) -> Result:
    """Test which metrics correlate better with humans than others."""
    from classy_aesop.analysis.compare_metrics import compare_metrics
    from classy_aesop.significance.metric_tests import TESTS

    scores, judgments = score_tables.read(metrics, [target]).tables
    table = compare_metrics(
        scores,
        judgments,
        target,
        metrics=metrics,
        method=metric_test,
        correction=correction,
        n_resamples=n_resamples,
        seed=seed,
        n_jobs=n_jobs or -1,
        progress=asked.progress,
        **given(levels=levels, coefficients=coefficients),
    )
    signed = {} if TESTS[metric_test].resamples else {"resamples": None, "seed": None}
    return Result(table, signed)


def agreement(
    score_tables: Tables,
    target: str,
    metrics: Names = None,
    top: int = 30,
    test: str = "wilcoxon",
    preset: str = "rankel2013",
    alpha: float = ALPHA,
    three_way: bool = False,
    combine: int = 1,
    same_direction: bool = False,
    n_jobs: int = 1,
    *,
    asked: Asked,
) -> Result:
    """Say how far metrics find the significant differences that humans find."""
    from classy_aesop.analysis.agreement import LabelChoice, agree

    scores, judgments = score_tables.read(metrics, [target]).tables
    table = agree(
        scores,
        judgments,
        target,
        choice=LabelChoice(top=top, test=test, preset=preset, alpha=alpha),
        metrics=metrics,
        three_way=three_way,
        combine=combine,
        same_direction=same_direction,
        n_jobs=n_jobs,
        progress=asked.progress,
    )
    return Result(table, {"correction": "none"})


COMMANDS = (
    Command(evaluate),
    Command(compare, tables=("clusters",)),
    Command(compare_metrics),
    Command(agreement),
)
