"""Commands that make predictors: init writes a configuration, train learns by one or from a corpus without one."""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classy_aesop.cli.base import (
    add_command,
    add_jobs,
    add_layout,
    add_place,
    columns_of,
    progress,
    write_lines,
)
from classy_aesop.cli.chosen import WHO, add_part, left_out
from classy_aesop.cli.values import on_disk, seed
from classy_aesop.errors import UsageError

if TYPE_CHECKING:
    from classy_aesop.cli.base import Commands
    from classy_aesop.config import Config
    from classy_aesop.config.from_corpora import Years
    from classy_aesop.corpus.corpus import Corpus

SAMPLE = "sample.toml"
"""The configuration that ``init --sample`` writes."""

SAMPLE_TARGET = "responsiveness"
"""The human measure that it predicts."""


def _add_init(commands: Commands) -> None:
    parser = add_command(commands, "init", "write a commented configuration for a corpus, or a sample", _init)
    parser.add_argument(
        "input", nargs="?", metavar="IN", help="a judged corpus: a folder, a file or an archive"
    )
    _add_years(parser, "a human measure to predict; may be repeated (default: every one)")
    parser.add_argument("--seed", type=seed, default=0, metavar="N", help="seed to write (default: 0)")
    add_place(parser)
    parser.add_argument("--force", action="store_true", help="replace a configuration that is there")
    parser.add_argument(
        "--sample",
        metavar="DIR",
        type=on_disk,
        help="instead write three made-up years and their configuration to a folder",
    )


def _add_train(commands: Commands) -> None:
    parser = add_command(
        commands, "train", "learn predictors from judged years and assess them on the last", _train
    )
    parser.add_argument(
        "input",
        nargs="?",
        metavar="CONFIG",
        help="the experiment, a TOML file; or a judged corpus, with --target",
    )
    parser.add_argument(
        "-o", "--output", dest="folder", metavar="DIR", type=on_disk, help="folder for the results"
    )
    _add_years(
        parser, "the human measure to predict from a corpus; may be repeated; without it they are listed"
    )
    parser.add_argument(
        "--data", metavar="NAME=DIR", action="append", default=[], type=_pair, help="where the year NAME lies"
    )
    parser.add_argument("--seed", type=seed, help="use this seed instead of the one in the file")
    parser.add_argument("--all-subsets", action="store_true", help="write every subset's score too")
    parser.add_argument("--report", action="store_true", help="make a page of the results too, report.html")
    add_jobs(parser)


def _add_years(parser: argparse.ArgumentParser, target: str) -> None:
    """Add what stands in for a configuration."""
    parser.add_argument("--target", metavar="T", action="append", default=[], dest="targets", help=target)
    parser.add_argument(
        "--year",
        metavar="NAME=PATH",
        action="append",
        default=[],
        type=_pair,
        dest="years",
        help="a year's corpus, in place of IN; may be repeated, the predicted year last",
    )
    add_part(parser, "task", *WHO)
    add_layout(parser, "layout of the corpora")


def _pair(text: str) -> tuple[str, str]:
    name, separator, folder = text.partition("=")
    if not (name and separator and folder):
        raise argparse.ArgumentTypeError(f"{text!r}; expected NAME=DIR")
    return name, folder


def _init(options: argparse.Namespace) -> None:
    if options.sample is not None:
        _init_sample(options)
        return
    from classy_aesop.config import ends_of, to_toml

    _check_one(options, "IN")
    if options.output and Path(options.output).is_file() and not options.force:
        raise UsageError(f"{options.output}: is there; expected another name, or --force to replace it")
    config, corpora = _planned(options)
    folder = Path(options.output).parent if options.output else Path()
    examples = {"ranges": ends_of(corpora[config.years[0].name])}
    text = to_toml(config, folder, commented=True, examples=examples)
    write_lines([*_heading(options.output or "FILE"), text.rstrip("\n")], options.output)


def _init_sample(options: argparse.Namespace) -> None:
    """Write the sample and its configuration, completely or not at all."""
    from classy_aesop.config import config_for, ends_of, read_named_years, to_toml
    from classy_aesop.corpus.generator.sample import YEARS, write_sample
    from classy_aesop.files import check_folder, whole_folder

    if options.input or options.years or options.output or _choices(options):
        raise UsageError(
            "--sample DIR goes with no corpus, no choice of a part and no -o; it makes up its own"
        )
    check_folder(options.sample)
    written = Path(options.sample) / SAMPLE
    with whole_folder(options.sample) as place:
        write_sample(place)
        years, corpora = read_named_years((year, str(place / year)) for year in YEARS)
        config = config_for(years, corpora, [SAMPLE_TARGET], seed=options.seed)
        examples = {"ranges": ends_of(corpora[YEARS[0]])}
        text = to_toml(config, place, commented=True, examples=examples)
        (place / SAMPLE).write_text("\n".join([*_heading(str(written)), text]), encoding="utf-8")
    print(f"classy-aesop train {written} -o out")


def _heading(path: str) -> list[str]:
    return [
        f"# classy-aesop train {path if path.isprintable() else 'FILE'} -o DIR",
        "# One file is one experiment. Keys in comments show defaults or examples; an unknown key is an error.",
        "# The years stand in order and the last one is predicted; a single one is predicted by folds of its topics.",
    ]


def _train(options: argparse.Namespace) -> None:
    from classy_aesop.files import check_folder, held_folder
    from classy_aesop.report.experiment import save, summary
    from classy_aesop.training.experiment import train

    _check_one(options, "CONFIG")
    if options.report:
        from classy_aesop.report.html import check_report

        check_report()
    is_config = bool(options.input) and Path(options.input).suffix.lower() == ".toml"
    if is_config or options.targets:
        if options.folder is None:
            raise UsageError("-o is missing; expected a folder for the results")
        check_folder(options.folder)
    with held_folder(options.folder) if options.folder else nullcontext():
        config, corpora = _configured(options) if is_config else _asked(options)
        check_folder(options.folder)  # that it holds nothing of what the configuration names
        experiment = train(config, corpora, n_jobs=options.jobs, progress=progress(options))
        drawing = 1 if options.scheduler else options.jobs
        save(
            experiment,
            options.folder,
            all_subsets=options.all_subsets,
            report=options.report,
            n_jobs=drawing,
        )
    print(summary(experiment))


def _configured(options: argparse.Namespace) -> tuple[Config, None]:
    """Read the configuration."""
    from classy_aesop.config import read_config

    asked = _choices(options)
    if asked:
        raise UsageError(f"{asked[0]} goes with a corpus; {options.input} is a configuration with its own")
    return read_config(options.input, data=dict(options.data), seed=options.seed), None


def _choices(options: argparse.Namespace) -> list[str]:
    """Name the options that are given and go with a corpus."""
    names = {name: name for name in (*WHO, "task", "columns")} | {"target": "targets", "format": "layout"}
    given = {name: getattr(options, own) for name, own in names.items()}
    return [f"--{name}" for name, own in given.items() if own and own != "auto"]


def _asked(options: argparse.Namespace) -> tuple[Config, dict[str, Corpus]]:
    """Make a configuration for corpora to learn from; without a target say which there are."""
    from classy_aesop.config import measures_of

    if options.data:
        raise UsageError("--data goes with a configuration; expected --year NAME=PATH for corpora")
    if not options.targets:
        found = ", ".join(measures_of(_years(options)[1].values())) or "none"
        raise UsageError(f"--target is missing; the human measures there are: {found}")
    return _planned(options)


def _planned(options: argparse.Namespace) -> tuple[Config, dict[str, Corpus]]:
    """Make a configuration for corpora, of what the options choose."""
    from classy_aesop.config import config_for

    years, corpora = _years(options)
    out = left_out(options, corpora)
    years = tuple(replace(year, exclude_peers=out[year.name]) for year in years)
    chosen: dict[str, Any] = {"tasks": options.task, "peers": options.peers}
    asked = {name: (value,) for name, value in chosen.items() if value is not None}
    config = config_for(years, corpora, options.targets, seed=options.seed or 0, **asked)
    return config, corpora


def _years(options: argparse.Namespace) -> Years:
    """Read the corpora that the options name."""
    from classy_aesop.config import read_named_years, read_years

    how: dict[str, Any] = {"format": options.layout, "columns": columns_of(options)}
    return read_named_years(options.years, **how) if options.years else read_years(options.input, **how)


def _check_one(options: argparse.Namespace, name: str) -> None:
    if bool(options.input) == bool(options.years):
        found = "both" if options.years else "neither"
        raise UsageError(f"expected {name}, or --year NAME=PATH once or more; found {found}")


COMMANDS = (_add_init, _add_train)
"""What adds each command to the parser."""
