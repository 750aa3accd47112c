"""Commands on corpora themselves: validate, convert."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from classy_aesop.cli.base import add_command, add_input, add_output, progress, write, write_lines
from classy_aesop.cli.chosen import PLACE, WHO, add_part, chosen_corpus, signed_choices
from classy_aesop.cli.values import place
from classy_aesop.errors import UsageError

if TYPE_CHECKING:
    from classy_aesop.cli.base import Commands


def _add_validate(commands: Commands) -> None:
    parser = add_command(
        commands, "validate", "read a corpus and say what is in it and what looks wrong", _validate
    )
    add_input(parser)
    add_part(parser, *PLACE, *WHO, "targets")
    add_output(parser, default="text")


def _add_convert(commands: Commands) -> None:
    text = "write any corpus as JSON lines: a folder with summaries.jsonl and judgments.jsonl"
    parser = add_command(commands, "convert", text, _convert)
    add_input(parser)
    add_part(parser, *PLACE, *WHO, "targets")
    parser.add_argument(
        "-o",
        "--output",
        dest="place",
        metavar="OUT",
        required=True,
        type=place,
        help="the folder; or, for a corpus without judgments, a file of summaries (.jsonl), or -, standard output",
    )


def _validate(options: argparse.Namespace) -> None:
    from classy_aesop.corpus.validate import validate
    from classy_aesop.features.basis import without_basis
    from classy_aesop.signature import signature

    corpus = chosen_corpus(options)
    report = validate(corpus, progress=progress(options)).to_frame()
    for message in without_basis(corpus):
        report.loc[len(report)] = ["features without basis", message]
    write(report, options, signature(validate="corpus", **signed_choices(options)))


def _convert(options: argparse.Namespace) -> None:
    from classy_aesop.corpus import write_jsonl
    from classy_aesop.corpus.jsonl import summary_lines
    from classy_aesop.files import check_file, check_folder, whole_folder
    from classy_aesop.scores.opening import plain_name

    is_file = options.place is None or Path(plain_name(options.place)).suffix == ".jsonl"
    if options.place is not None:
        (check_file if is_file else check_folder)(options.place)
    corpus = chosen_corpus(options)
    if not is_file:
        with whole_folder(options.place) as folder:
            write_jsonl(corpus, folder)
    elif len(corpus.judgments) or len(corpus.scores):
        where = options.place or "standard output"
        raise UsageError(
            f"{where}: one file holds no judgments and no scores, and the corpus has some; name a folder"
        )
    else:
        write_lines(summary_lines(corpus), options.place)


COMMANDS = (_add_validate, _add_convert)
"""What adds each command to the parser."""
