"""Commands on score tables: evaluate, compare, compare-metrics, agreement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from classy_aesop.cli.commands import Asked, Command
from classy_aesop.errors import UsageError
from classy_aesop.report.result import Result
from classy_aesop.significance.defaults import ALPHA, N_RESAMPLES

if TYPE_CHECKING:
    from classy_aesop.analysis.evaluate import IntervalChoice
    from classy_aesop.cli.sources import Names, Table, Tables


def evaluate(
    score_tables: Tables,
    metrics: Names = None,
    targets: Names = None,
    levels: Names = None,
    coefficients: Names = None,
    interval: str | None = None,
    confidence: float | None = None,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    n_jobs: int = 1,
    *,
    asked: Asked,
) -> Result:
    """Correlate scores with human judgments."""
    from classy_aesop.analysis.evaluate import evaluate

    chosen = interval_choice(interval, confidence, n_resamples, seed)
    is_drawn = chosen is not None and chosen.method != "fisher"
    levels = levels or (("system", "input") if is_drawn else None)
    which = given(levels=levels, coefficients=coefficients)
    scores, judgments = score_tables.read(metrics, targets).tables
    table = evaluate(scores, judgments, interval=chosen, n_jobs=n_jobs, progress=asked.progress, **which)
    return Result(table, {"kendall": "tau-b", **interval_parts(chosen)})


def given(**options: object) -> dict[str, Any]:
    """Give the options that were set; functions have defaults for the others."""
    return {name: value for name, value in options.items() if value is not None}


def interval_choice(
    interval: str | None, confidence: float | None, n_resamples: int, seed: int
) -> IntervalChoice | None:
    """Choose how intervals are made; none without ``--interval``."""
    from classy_aesop.analysis.evaluate import IntervalChoice

    if interval is None:
        if confidence is not None:
            raise UsageError("--confidence goes with --interval; expected both or none")
        return None
    return IntervalChoice(interval, confidence or 0.95, n_resamples, seed)


def interval_parts(interval: IntervalChoice | None) -> dict[str, object]:
    """Say in a signature how intervals were made, and leave out what made none."""
    if interval is None:
        return {"resamples": None, "seed": None}
    parts: dict[str, object] = {"confidence": interval.confidence}
    return parts | ({"resamples": None, "seed": None} if interval.method == "fisher" else {})


def compare(
    score_table: Table,
    metric: str,
    test: str = "wilcoxon",
    preset: str = "rankel2011",
    alpha: float = ALPHA,
    resample: str | None = None,
    margin: float | None = None,
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
    return Result(table, {} if resample else {"resamples": None, "seed": None})


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
    n_jobs: int = 1,
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
        n_jobs=n_jobs,
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
