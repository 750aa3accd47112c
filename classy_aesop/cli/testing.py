"""Commands on score tables: evaluate, compare, compare-metrics, agreement."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from classy_aesop.cli.base import (
    add_command,
    add_jobs,
    add_output,
    add_pair_test,
    add_resampling,
    add_tables,
    given,
    progress,
    write,
)
from classy_aesop.cli.choices import (
    COEFFICIENTS,
    CORRECTIONS,
    INTERVAL_KINDS,
    INTERVALS,
    LEVELS,
    METRIC_TESTS,
    PAIRS,
    RESAMPLES,
    add_choice,
)
from classy_aesop.cli.chosen import PLACE, WHO, add_part, chosen_tables
from classy_aesop.cli.values import margin, positive, share
from classy_aesop.errors import UsageError

if TYPE_CHECKING:
    from classy_aesop.analysis.evaluate import IntervalChoice
    from classy_aesop.cli.base import Commands


def _add_evaluate(commands: Commands) -> None:
    parser = add_command(commands, "evaluate", "correlate metric scores with human judgments", _evaluate)
    add_tables(parser)
    add_correlation(parser, "all four; with a bootstrap system and input", "pearson, spearman, kendall")
    add_interval(parser)
    add_part(parser, "metrics", "targets", *PLACE, *WHO, corpus=True)
    add_jobs(parser)
    add_output(parser, default="text")


def _add_compare(commands: Commands) -> None:
    parser = add_command(commands, "compare", "test which summarizers differ on one metric", _compare)
    parser.add_argument("scores", metavar="SCORES", help="a table of scores or judgments, TSV or JSON lines")
    add_part(parser, "metric", *PLACE, *WHO, corpus=True)
    add_pair_test(parser, preset="standard")
    add_choice(
        parser,
        "--resample",
        choices=RESAMPLES,
        metavar="HOW",
        text="take p-values from random exchanges",
        otherwise="from the test",
    )
    more = parser.add_mutually_exclusive_group()
    more.add_argument(
        "--equivalence",
        type=margin,
        metavar="MARGIN",
        help="also test whether summarizers differ by less than MARGIN; LOW,HIGH, one of them inf, asks whether the "
        "first is not worse, or not better: --equivalence=-0.5,inf",
    )
    more.add_argument(
        "--clusters", action="store_true", help="instead rank summarizers in significantly different clusters"
    )
    _add_correction(parser)
    add_choice(
        parser,
        "--pairs",
        choices=PAIRS,
        metavar="PAIRS",
        default="all",
        text="all pairs, or mixed ones of a human and a system",
    )
    add_resampling(parser)
    add_output(parser, default="text")


def _add_compare_metrics(commands: Commands) -> None:
    text = "test which metrics correlate better with humans than others"
    parser = add_command(commands, "compare-metrics", text, _compare_metrics)
    add_tables(parser)
    add_part(parser, "target", "metrics", *PLACE, *WHO, corpus=True)
    add_choice(
        parser,
        "--method",
        choices=METRIC_TESTS,
        metavar="TEST",
        default="perm-both",
        text="test of two metrics",
    )
    add_correlation(parser, "system", "pearson")
    _add_correction(parser)
    add_resampling(parser)
    add_jobs(parser)
    add_output(parser, default="text")


def _add_agreement(commands: Commands) -> None:
    text = "say how far metrics find the significant differences that humans find"
    parser = add_command(commands, "agreement", text, _agreement)
    add_tables(parser)
    add_part(parser, "target", "metrics", *PLACE, *WHO, corpus=True)
    parser.add_argument(
        "--top",
        type=positive,
        default=30,
        metavar="N",
        help="best summarizers by human scores (default: %(default)s)",
    )
    add_pair_test(parser, preset="rankel2013")
    parser.add_argument("--three-way", action="store_true", help="opposite directions count as wrong")
    parser.add_argument(
        "--combine",
        type=positive,
        default=1,
        metavar="N",
        help="also combine up to N metrics, joined by 'and'",
    )
    parser.add_argument(
        "--same-direction", action="store_true", help="combined metrics must agree who is better"
    )
    add_jobs(parser)
    add_output(parser, default="text")


def add_interval(parser: argparse.ArgumentParser) -> None:
    """Add intervals of correlations, and what is drawn for them."""
    add_choice(
        parser,
        "--interval",
        choices=INTERVALS,
        metavar="INTERVAL",
        text="add confidence intervals",
        otherwise="none",
    )
    add_choice(
        parser,
        "--interval-kind",
        choices=INTERVAL_KINDS,
        metavar="KIND",
        text="what a bootstrap interval is made of",
        otherwise="percentile",
    )
    parser.add_argument("--confidence", type=share, metavar="C", help="of the intervals (default: 0.95)")
    add_resampling(parser)


def add_correlation(parser: argparse.ArgumentParser, levels: str, coefficients: str) -> None:
    """Add which correlations; the texts say what is chosen by default."""
    for name, known, default in (("level", LEVELS, levels), ("coefficient", COEFFICIENTS, coefficients)):
        add_choice(
            parser,
            f"--{name}",
            choices=known,
            metavar=name.upper(),
            action="append",
            dest=f"{name}s",
            text="only this one; may be repeated",
            otherwise=default,
        )


def _add_correction(parser: argparse.ArgumentParser) -> None:
    add_choice(
        parser,
        "--correction",
        choices=CORRECTIONS,
        metavar="CORRECTION",
        default="holm",
        text="of p-values for many tests",
    )


def _evaluate(options: argparse.Namespace) -> None:
    from classy_aesop.analysis.evaluate import evaluate
    from classy_aesop.report.wide import evaluation
    from classy_aesop.signature import signature

    interval = interval_of(options)
    drawn = interval is not None and interval.method != "fisher"
    who = chosen_tables(options)
    scores, judgments = who.tables
    which = ({"levels": ("system", "input")} if drawn else {}) | given(options, "levels", "coefficients")
    how = {"n_jobs": options.jobs, "progress": progress(options)}
    table = evaluate(scores, judgments, interval=interval, **which, **how)
    parts = interval_parts(interval)
    signed = signature(evaluate="levels+coefficients", kendall="tau-b", **who.signed_parts, **parts)
    write(table, options, signed, wide=evaluation)


def interval_of(options: argparse.Namespace) -> IntervalChoice | None:
    """Make the choice of an interval that the options say; none without ``--interval``."""
    from classy_aesop.analysis.evaluate import IntervalChoice

    if options.interval is None:
        for name in ("confidence", "interval_kind"):
            if getattr(options, name) is not None:
                raise UsageError(f"--{name.replace('_', '-')} goes with --interval; expected both or none")
        return None
    drawn = {"n_resamples": options.n_resamples, "seed": options.seed}
    kind = options.interval_kind or "percentile"
    return IntervalChoice(options.interval, options.confidence or 0.95, **drawn, kind=kind)


def interval_parts(interval: IntervalChoice | None) -> dict[str, object]:
    """Say in a signature how intervals were made."""
    if interval is None:
        return {}
    parts: dict[str, object] = {"interval": interval.method, "confidence": interval.confidence}
    parts |= {} if interval.kind == "percentile" else {"kind": interval.kind}
    drawn = {"resamples": interval.n_resamples, "seed": interval.seed}
    return parts if interval.method == "fisher" else parts | drawn


def _compare(options: argparse.Namespace) -> None:
    from classy_aesop.analysis.compare import compare, rank
    from classy_aesop.report.wide import comparisons
    from classy_aesop.signature import signature

    if options.clusters and options.pairs != "all":
        raise UsageError(f"--clusters needs all pairs; found --pairs {options.pairs}")
    who = chosen_tables(options)
    (scores,) = who.tables
    names = ("test", "preset", "resample", "correction", "alpha", "seed")
    how = {name: getattr(options, name) for name in names}
    if not options.clusters:
        how |= {"margin": options.equivalence, "pairs": options.pairs, "humans": who.humans}
    test = rank if options.clusters else compare
    shown = progress(options)
    table = test(scores, options.metric, n_resamples=options.n_resamples, progress=shown, **how)
    signed_parts = who.signed_parts | {
        name: how[name] for name in ("test", "preset", "resample", "correction", "alpha")
    }
    signed_parts |= {"clusters": "WMT"} if options.clusters else {}
    signed_parts |= {"margin": table["margin"].iat[0]} if options.equivalence else {}
    signed_parts |= {"resamples": options.n_resamples, "seed": options.seed} if options.resample else {}
    write(table, options, signature(compare=options.metric, **signed_parts), wide=comparisons)


def _compare_metrics(options: argparse.Namespace) -> None:
    from classy_aesop.analysis.compare_metrics import compare_metrics
    from classy_aesop.report.wide import comparisons
    from classy_aesop.signature import signature
    from classy_aesop.significance.metric_tests import TESTS

    who = chosen_tables(options)
    scores, judgments = who.tables
    names = ("target", "method", "correction", "metrics", "seed")
    table = compare_metrics(
        scores,
        judgments,
        n_resamples=options.n_resamples,
        n_jobs=options.jobs,
        progress=progress(options),
        **{name: getattr(options, name) for name in names},
        **given(options, "levels", "coefficients"),
    )
    signed_parts = {"compare-metrics": options.target, **who.signed_parts}
    signed_parts |= {"test": options.method, "correction": options.correction}
    signed_parts |= (
        {"resamples": options.n_resamples, "seed": options.seed} if TESTS[options.method].resamples else {}
    )
    write(table, options, signature(**signed_parts), wide=comparisons)


def _agreement(options: argparse.Namespace) -> None:
    from classy_aesop.analysis.agreement import LabelChoice, agree
    from classy_aesop.report.wide import comparisons
    from classy_aesop.signature import signature

    who = chosen_tables(options)
    scores, judgments = who.tables
    labels = {name: getattr(options, name) for name in ("top", "test", "preset", "alpha")}
    how = {name: getattr(options, name) for name in ("three_way", "combine", "same_direction")}
    table = agree(
        scores,
        judgments,
        options.target,
        choice=LabelChoice(**labels),
        metrics=options.metrics,
        n_jobs=options.jobs,
        progress=progress(options),
        **how,
    )
    signed = signature(agreement=options.target, **who.signed_parts, **labels, **how, correction="none")
    write(table, options, signed, wide=comparisons)


COMMANDS = (_add_evaluate, _add_compare, _add_compare_metrics, _add_agreement)
"""What adds each command to the parser."""
