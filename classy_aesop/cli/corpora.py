"""Commands on corpora themselves: validate, convert."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from classy_aesop.cli.base import add_command, add_input, add_output, progress, write
from classy_aesop.cli.chosen import PLACE, WHO, add_part, chosen_corpus, signed_choices
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
        help="the folder; or, for a corpus without judgments, a file of summaries (.jsonl)",
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
    from classy_aesop.corpus.jsonl import write_summaries
    from classy_aesop.files import check_file, check_folder, whole_folder

    is_file = Path(options.place).suffix == ".jsonl"
    (check_file if is_file else check_folder)(options.place)
    corpus = chosen_corpus(options)
    if not is_file:
        with whole_folder(options.place) as folder:
            write_jsonl(corpus, folder)
    elif len(corpus.judgments) or len(corpus.scores):
        raise UsageError(
            f"{options.place}: one file holds no judgments and no scores, and the corpus has some; name a folder"
        )
    else:
        write_summaries(corpus, options.place)


COMMANDS = (_add_validate, _add_convert)
"""What adds each command to the parser."""
