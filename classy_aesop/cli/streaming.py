"""Commands over files of any size: read, computed and written block by block, in order, by one or more workers."""

from __future__ import annotations

import argparse
import hashlib
import io
import sys
import warnings
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.files import whole_file
from classy_aesop.unfinished import Unfinished, unfinished_file

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.corpus.corpus import Corpus
    from classy_aesop.corpus.streaming import Block, Subject

Work = Callable[["Corpus"], "pd.DataFrame | None"]
"""From the corpus of a block to its rows; None if the block has nothing for the command."""

FORMATS = ("tsv", "jsonl")
NOTHING = "nothing for the command"
"""Set in the ``attrs`` of a table whose block has nothing for the command, but rows."""


def add_streaming(parser: argparse.ArgumentParser) -> None:
    """Add the options of commands that can work block by block."""
    parser.add_argument("more", metavar="IN", nargs="*", help="with --stream, further files")
    parser.add_argument(
        "--stream",
        action="store_true",
        help="read JSON lines topic by topic, in bounded memory, and write as it goes; "
        "all rows of a topic must be together; - is standard input",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="with --stream and -o: keep what is done in FILE.partial when interrupted, and continue it",
    )


def is_streamed(options: argparse.Namespace, **whole: str) -> bool:
    """Whether to work block by block; ``whole`` are attributes and names of options that need the whole corpus."""
    if not options.stream:
        if options.more or options.resume:
            raise UsageError(f"{'further files need' if options.more else '--resume needs'} --stream")
        return False
    for attribute, name in whole.items():
        if getattr(options, attribute):
            raise UsageError(f"{name} needs the whole corpus; it does not go with --stream")
    if options.format not in FORMATS:
        raise UsageError(
            f"-f {options.format} does not go with --stream; expected one of {', '.join(FORMATS)}"
        )
    if options.columns:
        raise UsageError(
            "--columns does not go with --stream, which reads JSON lines with the names of fields"
        )
    if options.layout not in ("auto", "jsonl"):
        raise UsageError(f"--format {options.layout} does not go with --stream, which reads JSON lines")
    if options.resume and (options.output is None or "-" in _inputs(options)):
        raise UsageError("--resume needs -o FILE, and files that can be read again")
    return True


def refuse_jobs(options: argparse.Namespace) -> None:
    """Refuse workers where only a stream has any."""
    if options.jobs > 1:
        raise UsageError("-j needs --stream")


def stream(options: argparse.Namespace, work: Work, signature: str) -> None:
    """Do the work on the files of a command, and write its rows as they come.

    The bytes do not depend on the number of workers.

    Raises
    ------
    InputError
        If a topic goes on in a later block, or no block has anything for the command.
    """
    if options.resume:
        with unfinished_file(options.output, _identity(options, signature)) as file:
            _write(options, work, signature, file.write, file)
    elif options.output is not None:
        with whole_file(options.output) as target:
            _write(options, work, signature, lambda text, head: _put(target, text))
    else:
        _write(options, work, signature, lambda text, head: _put(sys.stdout, text))


def _put(target: Any, text: str) -> None:
    target.write(text)
    target.flush()


@dataclass(frozen=True)
class _Part:
    """What a worker made of a block: its head and rows as text, its topics, and its warnings."""

    name: str
    subjects: dict[Subject, int]
    head: str
    text: str
    warnings: list[str]
    is_empty: bool = False


def _write(
    options: argparse.Namespace,
    work: Work,
    signature: str,
    write: Callable[..., None],
    done: Unfinished | None = None,
) -> None:
    from classy_aesop.corpus.streaming import Order, blocks

    waiting, order = blocks(_inputs(options)), Order()
    head = "" if done is None else done.head
    is_empty = not head
    for block in islice(waiting, 0 if done is None else done.n_parts):
        order.check(block.subjects(), block.name)
    with closing(_parts(waiting, options.jobs, work, options.format, signature)) as parts:
        for part in parts:
            order.check(part.subjects, part.name)
            for message in part.warnings:
                warnings.warn(message, DataWarning, stacklevel=2)
            if head and part.head and part.head != head:
                raise InputError(
                    "its topics give other columns than those before: some have earlier references, others none; "
                    "expected one kind",
                    path=part.name,
                    line=min(part.subjects.values()),
                )
            is_first = not head and options.format == "tsv"
            write((part.head if is_first else "") + part.text, head=head or part.head)
            head, is_empty = head or part.head, is_empty and part.is_empty
    if is_empty:
        raise InputError("nothing in the input is for this command")


def _parts(
    waiting: Iterable[Block], n_jobs: int, work: Work, format: str, signature: str
) -> Generator[_Part, None, None]:
    if n_jobs == 1:
        yield from (_part(block, work, format, signature) for block in waiting)
        return
    from joblib import Parallel, delayed

    tasks = (delayed(_part)(block, work, format, signature) for block in waiting)
    parallel = Parallel(n_jobs=n_jobs, return_as="generator", batch_size=1, pre_dispatch="2*n_jobs")
    yield from parallel(tasks)


def _part(block: Block, work: Work, format: str, signature: str) -> _Part:
    """Work on one block; in a worker process."""
    from classy_aesop.corpus.corpus import assemble
    from classy_aesop.report.table import write_table

    records = block.records()
    subjects: dict[Subject, int] = {}
    for record in records:
        subjects.setdefault(record.key[:2], record.where.line or block.first)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", DataWarning)
        table = work(assemble(records, path=block.name))
    messages = [str(warning.message) for warning in caught]
    if table is None:
        return _Part(block.name, subjects, "", "", messages, is_empty=True)
    stream = io.StringIO()
    write_table(table, stream, format, signature)
    head, text = "\t".join(map(str, table)) + "\n", stream.getvalue()
    if format == "tsv":
        head, _, text = text.partition("\n")
        head += "\n"
    return _Part(block.name, subjects, head, text, messages, is_empty=NOTHING in table.attrs)


def _inputs(options: argparse.Namespace) -> list[str]:
    return [options.input, *options.more]


def _identity(options: argparse.Namespace, signature: str) -> str:
    """Name the work of a command and its files by a digest; a file that was changed is another one."""
    files = [(str(Path(path).resolve()), *_stamp(path)) for path in _inputs(options)]
    asked = {name: value for name, value in vars(options).items() if name not in ("jobs", "quiet", "command")}
    return hashlib.sha256(repr((sorted(map(repr, asked.items())), files, signature)).encode()).hexdigest()


def _stamp(path: str) -> tuple[int, int]:
    found = Path(path).stat()
    return found.st_size, found.st_mtime_ns
