"""Commands over files of any size: read, computed and written block by block, in order, by one or more workers."""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from classy_aesop.cli.output import output
from classy_aesop.cli.parts import Part, Work, Worker
from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.running.workers import in_order

if TYPE_CHECKING:
    from classy_aesop.cli.commands import Asked
    from classy_aesop.corpus.streaming import Block

FORMATS = ("tsv", "jsonl", "parquet")
_NOT_ASKED = ("command", "n_jobs", "quiet", "resume", "scheduler", "stream", "verbose")
"""Options that do not change what is written."""


def is_streamed(options: Asked, given: Sequence[str], **whole: object) -> bool:
    """Whether to work block by block.

    Parameters
    ----------
    options : Asked
        What is asked for.
    given : sequence of str
        Options that were given and need the whole corpus.
    **whole
        Values of options that need it, by the names of these.

    Raises
    ------
    UsageError
        If something that is asked for does not go with it.
    """
    why = why_streamed(options)
    if why is None:
        return False
    for name in (*given, *(f"--{name}" for name, value in whole.items() if value)):
        raise UsageError(f"{name} needs the whole corpus; it does not go with {why}")
    if options.format not in FORMATS:
        raise UsageError(f"-f {options.format} does not go with {why}; expected one of {', '.join(FORMATS)}")
    if options.columns:
        raise UsageError(f"--columns does not go with {why}, which reads JSON lines with the names of fields")
    if options.layout not in ("auto", "jsonl"):
        raise UsageError(f"--layout {options.layout} does not go with {why}, which reads JSON lines")
    if options.resume and (options.output is None or "-" in _inputs(options)):
        raise UsageError("--resume needs -o FILE, and files that can be read again")
    if options.scheduler and "-" in _inputs(options):
        raise UsageError("--scheduler needs files that its workers can read; found standard input (-)")
    return True


def why_streamed(options: argparse.Namespace) -> str | None:
    """Say what asks to work block by block; None if nothing does."""
    asked = {
        "--stream": options.stream,
        "--resume": options.resume,
        "--scheduler": options.scheduler,
        "further files": options.more,
    }
    return next((name for name, value in asked.items() if value), None)


def refuse_jobs(options: Asked) -> None:
    """Refuse workers where only a stream has any."""
    if options.n_jobs > 1:
        raise UsageError("-j needs --stream")


def write_stream(options: Asked, work: Work, signature: str) -> None:
    """Do the work on the files of a command, and write its rows as they come.

    The bytes do not depend on the number of workers, nor on where they are.

    Raises
    ------
    InputError
        If a topic goes on in a later block, or no block has anything for the command.
    """
    _check_are_there(options)
    worker = Worker(work, options.format, signature, options.output)
    with _opened(options, signature) as (n_done, head, put):
        _write(options, worker, n_done, head, put)


Put = Callable[[bytes, str], None]
"""Takes what a worker made of a piece, and the head of the table."""


@contextmanager
def _opened(options: Asked, signature: str) -> Iterator[tuple[int, str, Put]]:
    """Open where the output goes; say how many pieces an earlier run has done, and with which head."""
    from classy_aesop.report.parquet import row_groups

    is_parquet = options.format == "parquet"

    def pack(parts: Iterable[bytes], target: BinaryIO) -> None:
        with row_groups(target, signature) as groups:
            for data in parts:
                groups.add_encoded(io.BufferedReader(io.BytesIO(data)))

    if options.resume:
        from classy_aesop.files.unfinished import unfinished_file

        work = _identity(options, signature)
        with unfinished_file(options.output, work, pack if is_parquet else None) as file:
            yield file.n_parts, file.head, file.write
        return
    with output(options.output) as stream:
        if is_parquet:
            with row_groups(stream.buffer, signature) as groups:
                yield 0, "", lambda data, _: groups.add_encoded(io.BufferedReader(io.BytesIO(data)))
        else:
            yield 0, "", lambda data, _: _put(stream.buffer, data)


def _put(stream: BinaryIO, data: bytes) -> None:
    stream.write(data)
    stream.flush()


def _write(options: Asked, worker: Worker, n_done: int, head: str, put: Put) -> None:
    from classy_aesop.corpus.streaming import Order, pieces, subjects_of

    waiting, order, is_empty = pieces(_inputs(options), far=bool(options.scheduler)), Order(), not head
    for block in (block for piece in islice(waiting, n_done) for block in piece.blocks()):
        order.check(order.placed(block), subjects_of(block, block.records()))
    told: set[str] = set()
    with closing(in_order(worker, waiting, options.n_jobs)) as found:
        for parts in found:
            data = b""
            for part in parts:
                block = order.placed(part.block)
                part = worker.part(block) if block.data else part
                order.check(block, part.subjects)
                _check_head(part, block, head)
                for message in dict.fromkeys(part.messages):
                    if message not in told:
                        warnings.warn(message, DataWarning, stacklevel=2)
                told.update(part.messages)
                data += part.data if head else worker.opening(part.head) + part.data
                head, is_empty = head or part.head, is_empty and part.is_empty
            put(data, head)
    if is_empty:
        raise InputError("nothing in the input is for this command")


def _check_head(part: Part, block: Block, head: str) -> None:
    """Raise `InputError` if the columns of a part are others than those before."""
    if head and part.head not in ("", head):
        raise InputError(
            "its topics give other columns than those before: some have earlier references, others none; "
            "expected one kind",
            path=block.name,
            line=block.line + min(part.subjects.values()),
        )


def _check_are_there(options: Asked) -> None:
    """Find a wrong name before any file is worked on."""
    for path in _inputs(options):
        if path != "-" and not os.path.exists(path):
            raise FileNotFoundError(f"{path}: no such file")


def _inputs(options: Asked) -> list[str]:
    return [options.input, *(options.more or ())]


def _identity(options: Asked, signature: str) -> str:
    """Name the work of a command and its files by a digest; a file that was changed is another one."""
    folders = [name.partition("=")[2] for name in vars(options).get("baselines") or ()]
    paths = filter(None, [*_inputs(options), vars(options).get("predictor"), *folders])
    found = [(file.resolve(), file.stat()) for path in paths for file in _below(Path(path))]
    files = [(str(path), stat.st_size, stat.st_mtime_ns) for path, stat in found]
    asked = {name: value for name, value in vars(options).items() if name not in _NOT_ASKED}
    parts = sorted(map(repr, asked.items())), files, signature, bool(options.scheduler)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _below(path: Path) -> list[Path]:
    """List a file, or the files of a folder; none for a predictor that comes with the package."""
    return sorted(path.rglob("*")) if path.is_dir() else [path] if path.exists() else []
