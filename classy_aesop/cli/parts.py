"""What a worker does of a command: it reads a piece of the input and gives back the bytes of the output."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from classy_aesop.errors import DataWarning, InputError

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.corpus.corpus import Corpus
    from classy_aesop.corpus.streaming import Block, Piece, Subject

Work = Callable[["Corpus"], "pd.DataFrame | None"]
"""From the corpus of a block to its rows; None if the block has nothing for the command."""

NOTHING = "nothing for the command"
"""Set in the ``attrs`` of a table whose block has nothing for the command, but rows."""


@dataclass(frozen=True)
class Part:
    """What a worker made of a block: the head and the bytes of its rows, its topics, and its warnings.

    The block comes without its lines, for messages.
    """

    block: Block
    subjects: dict[Subject, int]
    messages: list[str]
    head: str = ""
    data: bytes = b""
    is_empty: bool = False

    def warn(self) -> None:
        """Give its warnings again."""
        for message in self.messages:
            warnings.warn(message, DataWarning, stacklevel=2)

    def check_head(self, head: str) -> None:
        """Raise `InputError` if its columns are others than those before."""
        if head and self.head and self.head != head:
            raise InputError(
                "its topics give other columns than those before: some have earlier references, others none; "
                "expected one kind",
                path=self.block.name,
                line=min(self.subjects.values()) + (0 if self.block.first else self.block.counted().first),
            )


@dataclass(frozen=True)
class Worker:
    """Does the work of a command on pieces of its input; it can be sent to other machines.

    Parameters
    ----------
    work : callable
        From a corpus to rows.
    format, signature : str
        How the rows are written.
    path : str, optional
        The file they go to, whose name says whether they are compressed.
    """

    work: Work
    format: str
    signature: str
    path: str | None

    def __call__(self, piece: Piece) -> list[Part]:
        """Work on all blocks of a piece.

        Raises
        ------
        InputError
            If something in it is wrong; with the line, for which alone the lines before it are counted.
        """
        return [self._counted_part(block) for block in piece.blocks()]

    def _counted_part(self, block: Block) -> Part:
        try:
            return self._part(block)
        except InputError:
            if block.first:
                raise
            return self._part(block.counted())

    def _part(self, block: Block) -> Part:
        from classy_aesop.corpus.corpus import assemble

        records = block.records()
        subjects: dict[Subject, int] = {}
        for record in records:
            subjects.setdefault(record.key[:2], record.where.line or block.first)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", DataWarning)
            table = self.work(assemble(records, path=block.name))
        part = Part(replace(block, data=b""), subjects, [str(warning.message) for warning in caught])
        if table is None:
            return replace(part, is_empty=True)
        head = "\t".join(map(str, table))
        return replace(part, head=head, data=self._written(table), is_empty=NOTHING in table.attrs)

    def opening(self, head: str) -> bytes:
        """Give the bytes that begin the output."""
        from classy_aesop.scores.opening import compress

        if not head or self.format != "tsv":
            return b""
        columns = f"{head}\tsignature\n" if self.signature else f"{head}\n"
        return compress(columns.encode(), self.path or "")

    def _written(self, table: pd.DataFrame) -> bytes:
        from classy_aesop.report.parquet import encoded
        from classy_aesop.report.table import write_table
        from classy_aesop.scores.opening import compress

        if self.format == "parquet":
            return encoded(table)
        stream = io.StringIO()
        write_table(table, stream, self.format, self.signature)
        text = stream.getvalue()
        if self.format == "tsv":
            text = text.partition("\n")[2]
        return compress(text.encode(), self.path or "")
