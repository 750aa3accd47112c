"""The command ``study``: each study of the registry with the arguments that it declares."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from classy_aesop.cli.base import (
    add_command,
    add_imported,
    add_input,
    add_jobs,
    add_layout,
    add_output,
    add_resamples,
    add_seed,
    add_tables,
    corpus_of,
    given,
    progress,
    write,
)
from classy_aesop.cli.choices import Choices, add_choice
from classy_aesop.cli.chosen import PLACE, WHO, add_part, chosen_corpus, chosen_tables, signed_choices
from classy_aesop.cli.values import positive, seed, share, simulated
from classy_aesop.studies import STUDIES

if TYPE_CHECKING:
    from classy_aesop.cli.base import Commands
    from classy_aesop.studies.base import Argument, Study


Read = Iterator[tuple[str, Any]]


def _add_study(commands: Commands) -> None:
    text = "repeat an experiment, or remake a table or figure of a paper"
    study = commands.add_parser("study", help=text, description=text)
    studies = study.add_subparsers(title="studies", required=True, metavar="STUDY")
    for name, declared in STUDIES.items():
        parser = add_command(studies, name, declared.help, partial(_run, name, declared))
        for argument in declared.arguments:
            KINDS[argument.kind].add(parser, argument)
        add_output(parser, default="text")


def _run(name: str, study: Study, options: argparse.Namespace) -> None:
    from classy_aesop.report import wide
    from classy_aesop.signature import signature
    from classy_aesop.studies.misprints import misprints

    module, _, function = study.function.partition(":")
    values = {key: value for one in study.arguments for key, value in KINDS[one.kind].read(options, one)}
    if study.bar:
        values["progress"] = progress(options)
    table = getattr(import_module(f"classy_aesop.studies.{module}"), function)(**values)
    signed_parts = dict(part for part in _signed_parts(study, options) if part is not None)
    signed_parts |= {name: own for name, own in signed_choices(options).items() if name not in signed_parts}
    rearranged = getattr(wide, study.wide) if study.wide else None
    signed = signature(study=name, **signed_parts)
    write(table, options, signed, wide=rearranged, notes=misprints(name))


def _signed_parts(study: Study, options: argparse.Namespace) -> Iterator[tuple[str, Any] | None]:
    """Give what the signature says of each argument that the study names."""
    by_name = {argument.name: argument for argument in study.arguments}
    for part in study.signed_parts:
        label, _, name = part.rpartition("=")
        yield _shown(label or name, by_name.get(name), getattr(options, name))


def _shown(label: str, argument: Argument | None, value: Any) -> tuple[str, Any] | None:
    if argument is None:
        return label, value
    if argument.kind == "seeds":
        return label, f"1-{value}"
    if argument.kind == "config":
        return label, Path(value).name if value else argument.shown
    if argument.kind == "flag" and argument.shown:
        return (label, argument.shown) if value else None
    return label, argument.shown if value is None and argument.shown else value


def _read_labels(options: argparse.Namespace, argument: Argument) -> Read:
    from classy_aesop.studies.topic_labels import read_topic_labels

    path = getattr(options, argument.name)
    if path:
        yield argument.name, read_topic_labels(path)


def _read_units(options: argparse.Namespace, argument: Argument) -> Read:
    from classy_aesop.studies.pyramid_gap import read_units

    yield argument.name, read_units(getattr(options, argument.name))


def _read_marked(options: argparse.Namespace, argument: Argument) -> Read:
    from classy_aesop.studies.marked_units import read_marked

    yield argument.name, read_marked(getattr(options, argument.name))


class Kind(NamedTuple):
    """How a kind of argument is asked for, and how its parameters are read from the options."""

    add: Callable[[argparse.ArgumentParser, Argument], None]
    read: Callable[[argparse.Namespace, Argument], Read]


def _read_option(options: argparse.Namespace, argument: Argument) -> Read:
    """Give the option's value; without one the function has its default."""
    yield from given(options, argument.name).items()


def _plain(type: Callable[[str], object]) -> Kind:
    """Make the kind of an option whose text is read by ``type``."""

    def add(parser: argparse.ArgumentParser, argument: Argument) -> None:
        parser.add_argument(
            argument.option,
            dest=argument.name,
            type=type,
            default=argument.default,
            required=argument.required,
            action="append" if argument.repeated else "store",
            metavar=argument.metavar,
            help=argument.help,
        )

    return Kind(add, _read_option)


def _add_choice(parser: argparse.ArgumentParser, argument: Argument) -> None:
    add_choice(
        parser,
        argument.option,
        choices=Choices(*argument.choices),
        metavar=argument.metavar or "NAME",
        text=argument.help,
        otherwise=argument.otherwise,
        dest=argument.name,
        default=argument.default,
        action="append" if argument.repeated else "store",
    )


def _add_flag(parser: argparse.ArgumentParser, argument: Argument) -> None:
    parser.add_argument(argument.option, dest=argument.name, action="store_true", help=argument.help)


def _add_share(parser: argparse.ArgumentParser, argument: Argument) -> None:
    parser.add_argument(
        argument.option,
        dest=argument.name,
        type=share,
        default=argument.default,
        metavar=argument.metavar,
        help=f"{argument.help} (default: %(default)s)",
    )


def _share_or_1(text: str) -> float:
    return 1.0 if text in ("1", "1.0") else share(text)


def _add_config(parser: argparse.ArgumentParser, argument: Argument) -> None:
    if argument.shown:
        text = f"{argument.help} (default: {argument.otherwise})"
        parser.add_argument(argument.name, metavar="CONFIG", nargs="?", help=text)
    else:
        parser.add_argument(argument.name, metavar="CONFIG", help=argument.help)


def _read_config(options: argparse.Namespace, argument: Argument) -> Read:
    from classy_aesop.config import read_config

    path = getattr(options, argument.name)
    if path:
        yield argument.name, read_config(path)


def _add_corpus(parser: argparse.ArgumentParser, _: Argument) -> None:
    add_input(parser)
    add_part(parser, *PLACE, *WHO)


def _read_corpus(options: argparse.Namespace, argument: Argument) -> Read:
    yield argument.name, chosen_corpus(options)


def _add_data(parser: argparse.ArgumentParser, argument: Argument) -> None:
    """Add judged corpora, metrics, and who and what of them is looked at."""
    parser.add_argument("corpora", metavar="IN", nargs="+", help=argument.help)
    add_layout(parser, "their layout")
    add_imported(parser)
    add_part(parser, *PLACE, *WHO, peers=argument.default)


def _read_data(options: argparse.Namespace, argument: Argument) -> Read:
    from classy_aesop.features.imported import all_imported
    from classy_aesop.scores import read_metrics
    from classy_aesop.studies.judged import StudyData

    corpora = [corpus_of(options, path) for path in options.corpora]
    scores = read_metrics(options.scores, format=options.scores_format) if options.scores else None
    for corpus in corpora:
        scores = all_imported(corpus, scores)
    yield (
        argument.name,
        StudyData(corpora, scores, **{name: getattr(options, name) for name in (*WHO, *PLACE)}),
    )


def _add_table(parser: argparse.ArgumentParser, argument: Argument) -> None:
    parser.add_argument(argument.name, metavar=argument.name.upper(), help=argument.help)
    add_part(parser, *PLACE, "exclude", "only")


def _read_table(options: argparse.Namespace, argument: Argument) -> Read:
    (table,) = chosen_tables(options).tables
    yield argument.name, table


def _add_tables(parser: argparse.ArgumentParser, _: Argument) -> None:
    add_tables(parser)
    add_part(parser, *PLACE, *WHO, corpus=True)


def _read_tables(options: argparse.Namespace, _: Argument) -> Read:
    yield from zip(("scores", "judgments"), chosen_tables(options).tables, strict=True)


def _add_humans(parser: argparse.ArgumentParser, argument: Argument) -> None:
    parser.add_argument(argument.option, nargs="+", metavar="S", required=True, help=argument.help)


KINDS = {
    "text": _plain(str),
    "positive": _plain(simulated),
    "natural": _plain(seed),
    "seeds": _plain(positive),
    "share": Kind(_add_share, _read_option),
    "shares": _plain(share),
    "share or 1": _plain(_share_or_1),
    "shares or 1": _plain(_share_or_1),
    "flag": Kind(_add_flag, _read_option),
    "choice": Kind(_add_choice, _read_option),
    "config": Kind(_add_config, _read_config),
    "corpus": Kind(_add_corpus, _read_corpus),
    "data": Kind(_add_data, _read_data),
    "labels": Kind(_plain(str).add, _read_labels),
    "table": Kind(_add_table, _read_table),
    "marked": Kind(_add_table, _read_marked),
    "units": Kind(_plain(str).add, _read_units),
    "tables": Kind(_add_tables, _read_tables),
    "humans": Kind(_add_humans, _read_option),
    "resamples": Kind(
        lambda parser, own: add_resamples(parser, default=own.default, text=own.help), _read_option
    ),
    "seed": Kind(lambda parser, _: add_seed(parser), _read_option),
    "jobs": Kind(lambda parser, _: add_jobs(parser), lambda options, own: iter([(own.name, options.jobs)])),
}
"""The kinds of arguments that a study can declare."""

COMMANDS = (_add_study,)
"""What adds the command to the parser."""
