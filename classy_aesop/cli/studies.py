"""The command ``study``: one experiment many times, for its mean and spread, a coverage or a power."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from classy_aesop.cli.base import (
    add_command,
    add_input,
    add_jobs,
    add_output,
    add_place,
    add_resamples,
    add_seed,
    add_tables,
    given,
    positive,
    progress,
    share,
    simulated,
    write,
)
from classy_aesop.cli.choices import METHODS, REPORTED_COEFFICIENTS, VARIANTS, Choices, add_choice

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.cli.base import Commands

N_TRIALS = 1_000
"""Trials of a simulation, and resamples in each, as in the paper."""


def _add_study(commands: Commands) -> None:
    study = commands.add_parser("study", help="repeat an experiment and give mean and spread")
    studies = study.add_subparsers(title="studies", required=True, metavar="STUDY")
    repeats = add_command(studies, "repeats", "train with the seeds 1 to N, at both fit levels", _repeats)
    repeats.add_argument("config", metavar="CONFIG", help="the experiment, a TOML file")
    samples = add_command(
        studies, "samples", "run 25 of 2011 on N made-up samples (task A, all peers)", _samples
    )
    causes = add_command(studies, "rouge", "say how far ROUGE moves with each choice of a program", _causes)
    add_input(causes)
    add_output(causes, default="text")
    methods = add_command(
        studies, "methods", "compare 2011's protocol with each part of honest learning", _methods
    )
    methods.add_argument(
        "config", metavar="CONFIG", nargs="?", help="the experiment, a TOML file (default: made-up samples)"
    )
    add_resamples(methods, default=200, text="number of resamples of each selection")
    methods.add_argument(
        "--other-systems",
        action="store_true",
        help="deal the systems: the predicted year has none of those learned from",
    )
    for parser, n_seeds in ((repeats, 10), (samples, 20), (methods, 10)):
        parser.add_argument(
            "--seeds", type=positive, default=n_seeds, metavar="N", help="default: %(default)s"
        )
        add_jobs(parser)
        add_output(parser, default="text")
    _add_intervals(studies)
    _add_coverage(studies)
    _add_metric_power(studies)
    _add_mixture_power(studies)


def _add_intervals(studies: Commands) -> None:
    text = "say how often the intervals of predictions hold the judgments of the last year"
    parser = add_command(studies, "intervals", text, _intervals)
    parser.add_argument(
        "config",
        metavar="CONFIG",
        nargs="?",
        help="the experiment, a TOML file (default: a made-up sample for each seed)",
    )
    add_choice(
        parser,
        "--method",
        choices=METHODS,
        metavar="METHOD",
        text="learn by it, whatever CONFIG says",
        otherwise="as it says",
    )
    parser.add_argument(
        "--confidence", type=share, default=0.9, metavar="C", help="of the intervals (default: %(default)s)"
    )
    parser.add_argument("--seeds", type=positive, default=10, metavar="N", help="default: %(default)s")
    add_jobs(parser)
    add_output(parser, default="text")


def _add_coverage(studies: Commands) -> None:
    text = "say how often intervals of a correlation hold that of summarizers and topics left out"
    parser = add_command(studies, "coverage", text, _coverage)
    add_tables(parser, target=True)
    parser.add_argument(
        "--confidence", type=share, default=0.95, metavar="C", help="of the intervals (default: %(default)s)"
    )
    add_place(parser)
    _add_simulation(parser)


def _add_metric_power(studies: Commands) -> None:
    text = "say which test of two metrics sees that ROUGE-1 lost tokens"
    parser = add_command(studies, "metric-power", text, _metric_power)
    add_input(parser)
    parser.add_argument("--target", metavar="T", required=True, help="the human measure")
    parser.add_argument(
        "--reference",
        metavar="R",
        action="append",
        dest="references",
        help="only this reference; may be repeated",
    )
    add_choice(parser, "--variant", choices=VARIANTS, metavar="VARIANT", default="recall", text="of ROUGE-1")
    parser.add_argument(
        "--share",
        type=_share,
        action="append",
        dest="shares",
        metavar="S",
        help="of the tokens that is kept; may be repeated (default: those of the paper, .05 to 1)",
    )
    add_place(parser)
    _add_simulation(parser)


def _add_mixture_power(studies: Commands) -> None:
    text = "say which test of two summarizers sees that one writes more like humans"
    parser = add_command(studies, "mixture-power", text, _mixture_power)
    parser.add_argument("scores", metavar="SCORES", help="a table of judgments, TSV or JSON lines")
    parser.add_argument("--metric", metavar="M", required=True, help="the human measure")
    humans = parser.add_mutually_exclusive_group(required=True)
    humans.add_argument("--humans", nargs="+", metavar="S", help="the summarizers who are human")
    humans.add_argument(
        "--people", dest="humans", nargs="+", default=argparse.SUPPRESS, help=argparse.SUPPRESS
    )
    parser.add_argument(
        "--topic-effects", action="store_true", help="topics have their own distributions of scores"
    )
    for name, default, what in (
        ("--topics", 60, "of an evaluation"),
        ("--trials", 10_000, "simulated for each share of humans"),
        ("--null", 50_000, "simulated without humans, for the cutoffs"),
    ):
        parser.add_argument(
            name, type=simulated, default=default, metavar="N", help=f"{what} (default: %(default)s)"
        )
    add_place(parser)
    add_seed(parser)
    add_output(parser, default="text")


def _add_simulation(parser: argparse.ArgumentParser) -> None:
    """Add the correlation that is studied, and how often."""
    add_choice(
        parser,
        "--level",
        choices=Choices("system", "input"),
        metavar="LEVEL",
        action="append",
        dest="levels",
        text="only this one; may be repeated",
        otherwise="both",
    )
    add_choice(
        parser,
        "--coefficient",
        choices=REPORTED_COEFFICIENTS,
        metavar="COEFFICIENT",
        default="pearson",
        text="of correlation",
    )
    parser.add_argument(
        "--trials",
        type=simulated,
        default=N_TRIALS,
        metavar="N",
        help="number of simulated trials (default: %(default)s)",
    )
    add_resamples(parser, default=N_TRIALS, text="number of resamples in each trial")
    add_seed(parser)
    add_output(parser, default="text")


def _share(text: str) -> float:
    return 1.0 if text in ("1", "1.0") else share(text)


def _repeats(options: argparse.Namespace) -> None:
    from classy_aesop.config import read_config
    from classy_aesop.studies.repeats import over_seeds

    config, seeds = read_config(options.config), range(1, options.seeds + 1)
    found = over_seeds(config, seeds, n_jobs=options.jobs, progress=progress(options))
    _write_repeated(found, options, study="repeats", config=Path(options.config).name)


def _samples(options: argparse.Namespace) -> None:
    from classy_aesop.studies.samples import over_samples

    seeds = range(1, options.seeds + 1)
    found = over_samples(seeds, n_jobs=options.jobs, progress=progress(options))
    _write_repeated(found, options, study="samples")


def _methods(options: argparse.Namespace) -> None:
    from classy_aesop.config import read_config
    from classy_aesop.errors import UsageError
    from classy_aesop.report.wide import methods
    from classy_aesop.signature import signature
    from classy_aesop.studies.methods import over_cuts, over_made, summarized

    ask = {"draws": options.n_resamples, "n_jobs": options.jobs, "progress": progress(options)}
    seeds, made, other = range(1, options.seeds + 1), options.config is None, options.other_systems
    if made and other:
        raise UsageError("--other-systems is for a CONFIG; made-up years have other systems anyway")
    found = (
        over_made(seeds, **ask)
        if made
        else over_cuts(read_config(options.config), seeds, other_systems=other, **ask)
    )
    table = summarized(found, independent=made)
    name = "made" if made else Path(options.config).name
    dealt = {"systems": "other"} if other else {}
    said = signature(
        study="methods", config=name, seeds=f"1-{options.seeds}", draws=options.n_resamples, **dealt
    )
    write(table, options, said, wide=methods)


def _write_repeated(found: pd.DataFrame, options: argparse.Namespace, **parts: str) -> None:
    from classy_aesop.report.wide import spread
    from classy_aesop.signature import signature
    from classy_aesop.studies.repeats import mean_and_spread

    signed = signature(**parts, seeds=f"1-{options.seeds}")
    write(mean_and_spread(found), options, signed, wide=spread)


def _causes(options: argparse.Namespace) -> None:
    from classy_aesop.corpus import read_corpus
    from classy_aesop.signature import signature
    from classy_aesop.studies.rouge_causes import rouge_causes

    table = rouge_causes(read_corpus(options.input, format=options.layout))
    write(table, options, signature(study="rouge"))


def _intervals(options: argparse.Namespace) -> None:
    from classy_aesop.config import read_config
    from classy_aesop.signature import signature
    from classy_aesop.studies.intervals import mean_coverage, over_cuts

    config = read_config(options.config) if options.config else None
    seeds, name = range(1, options.seeds + 1), Path(options.config).name if config else "sample"
    ask = {name: getattr(options, name) for name in ("confidence", "method")}
    found = over_cuts(config, seeds, **ask, n_jobs=options.jobs, progress=progress(options))
    said = {"config": name, **ask, "seeds": f"1-{options.seeds}"}
    write(mean_coverage(found), options, signature(study="intervals", **said))


def _coverage(options: argparse.Namespace) -> None:
    from classy_aesop.scores import read_scores
    from classy_aesop.studies.coverage import table_coverage

    names = ("metrics", "coefficient", "confidence", "year", "task", "seed")
    table = table_coverage(
        read_scores(options.scores),
        read_scores(options.judgments),
        options.target,
        n_trials=options.trials,
        n_resamples=options.n_resamples,
        progress=progress(options),
        **{name: getattr(options, name) for name in names},
        **given(options, "levels"),
    )
    _write_simulated(table, options, study="coverage", confidence=options.confidence)


def _metric_power(options: argparse.Namespace) -> None:
    from classy_aesop.corpus import read_corpus
    from classy_aesop.studies.metric_power import corpus_power

    names = ("target", "variant", "coefficient", "references", "year", "task", "seed")
    table = corpus_power(
        read_corpus(options.input, format=options.layout),
        n_trials=options.trials,
        n_resamples=options.n_resamples,
        progress=progress(options),
        **{name: getattr(options, name) for name in names},
        **given(options, "levels", "shares"),
    )
    _write_simulated(table, options, study="metric-power", target=options.target, variant=options.variant)


def _mixture_power(options: argparse.Namespace) -> None:
    from classy_aesop.report.wide import comparisons
    from classy_aesop.scores import read_scores
    from classy_aesop.signature import signature
    from classy_aesop.studies.mixture_power import table_mixture_power

    said = {name: getattr(options, name) for name in ("topic_effects", "seed")}
    said |= {"n_topics": options.topics, "n_null": options.null, "n_trials": options.trials}
    place = {"year": options.year, "task": options.task}
    table = table_mixture_power(read_scores(options.scores), options.metric, options.humans, **said, **place)
    signed = signature(study="mixture-power", metric=options.metric, people=options.humans, **said)
    write(table, options, signed, wide=comparisons)


def _write_simulated(table: pd.DataFrame, options: argparse.Namespace, **parts: str | float) -> None:
    from classy_aesop.report.wide import comparisons
    from classy_aesop.signature import signature

    said = {"trials": options.trials, "draws": options.n_resamples, "seed": options.seed}
    signed = signature(**parts, coefficient=options.coefficient, **said)
    write(table, options, signed, wide=comparisons)


COMMANDS = (_add_study,)
"""What adds the command to the parser."""
