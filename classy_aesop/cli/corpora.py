"""Commands on corpora themselves: validate, convert."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from classy_aesop.cli.commands import Asked, Command
from classy_aesop.cli.output import write_lines
from classy_aesop.errors import UsageError
from classy_aesop.report.result import Result

if TYPE_CHECKING:
    from classy_aesop.cli.sources import CorpusSource, Names


def validate(source: CorpusSource, targets: Names = None, *, asked: Asked) -> Result:
    """Read a corpus and say what is in it and what looks wrong."""
    from classy_aesop.data.validate import validate
    from classy_aesop.features.table import without_basis

    corpus = source.read(targets)
    report = validate(corpus, progress=asked.progress).to_frame()
    for message in without_basis(corpus):
        report.loc[len(report)] = ["features without basis", message]
    return Result(report)


def convert(source: CorpusSource, place: str | None, targets: Names = None) -> None:
    """Write any corpus as JSON lines: a folder with summaries.jsonl and judgments.jsonl."""
    from classy_aesop.data import write_jsonl
    from classy_aesop.data.jsonl import summary_lines
    from classy_aesop.data.sources import plain_name
    from classy_aesop.work.files import atomic_folder, check_file, check_folder

    is_file = place is None or Path(plain_name(place)).suffix.lower() == ".jsonl"
    if place is not None:
        (check_file if is_file else check_folder)(place)
    corpus = source.read(targets)
    if not is_file:
        assert place is not None
        with atomic_folder(place) as folder:
            write_jsonl(corpus, folder)
    elif len(corpus.judgments) or len(corpus.scores):
        raise UsageError(
            f"{place or 'standard output'}: one file holds no judgments and no scores, and the corpus has some; "
            "name a folder"
        )
    else:
        write_lines(summary_lines(corpus), place)


COMMANDS = (Command(validate), Command(convert, format=None))
