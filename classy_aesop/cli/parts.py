"""What a worker does of a command: it reads a piece of the input and gives back the bytes of the output."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
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
    """What a worker made of a block: the head of its table and the bytes of its rows, its topics, and its warnings.

    The block comes without its lines, unless something in it is wrong: then it is all there is.
    """

    block: Block
    subjects: dict[Subject, int] = field(default_factory=dict)
    messages: tuple[str, ...] = ()
    head: str = ""
    data: bytes = b""
    is_empty: bool = False


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
        """Work on all blocks of a piece; one with an error is given back, as its lines are counted elsewhere."""
        return [self._tried(block) for block in piece.blocks()]

    def part(self, block: Block) -> Part:
        """Work on a block.

        Raises
        ------
        InputError
            If something in it is wrong; with the line.
        """
        from classy_aesop.corpus.corpus import assemble
        from classy_aesop.corpus.streaming import subjects_of

        records = block.records()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", DataWarning)
            table = self.work(assemble(records, path=block.name))
        messages = tuple(str(warning.message) for warning in caught)
        part = Part(replace(block, data=b""), subjects_of(block, records), messages, is_empty=True)
        if table is None:
            return part
        head = "\t".join([*map(str, table), *(["signature"] if self.signature else [])])
        return replace(part, head=head, data=self._written(table), is_empty=NOTHING in table.attrs)

    def opening(self, head: str) -> bytes:
        """Give the bytes that begin the output."""
        return self._packed(f"{head}\n") if head and self.format == "tsv" else b""

    def _tried(self, block: Block) -> Part:
        try:
            return self.part(block)
        except InputError:
            return Part(block)

    def _written(self, table: pd.DataFrame) -> bytes:
        from classy_aesop.report.parquet import encoded
        from classy_aesop.report.table import write_table

        if self.format == "parquet":
            return encoded(table)
        stream = io.StringIO()
        write_table(table, stream, self.format, self.signature)
        text = stream.getvalue()
        return self._packed(text.partition("\n")[2] if self.format == "tsv" else text)

    def _packed(self, text: str) -> bytes:
        from classy_aesop.scores.opening import compress

        return compress(text.encode(), self.path or "")
