"""Tables as Parquet, by pyarrow (extra ``parquet``); the signature is in the metadata of the file.

A file has row groups of one size, whatever the parts it was written in.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO

from classy_aesop.data.table_files import SIGNATURE
from classy_aesop.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

N_ROWS = 2**16
"""Rows of a row group."""


def check_parquet() -> None:
    """Raise `UsageError` if pyarrow is not installed."""
    try:
        import pyarrow  # noqa: F401
    except ModuleNotFoundError:
        raise UsageError("-f parquet needs pyarrow: pip install classy-aesop[parquet]") from None


def encoded(table: pd.DataFrame) -> bytes:
    """Give a part of a table as bytes, which may follow other parts; `RowGroups` takes it."""
    import pyarrow

    rows, stream = arrow_table(table), pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(stream, rows.schema) as writer:
        writer.write_table(rows)
    return bytes(stream.getvalue())


class RowGroups:
    """A Parquet file that is being written."""

    def __init__(self, stream: BinaryIO, signature: str) -> None:
        self._stream, self._signature = stream, signature
        self._writer: Any = None
        self._held: list[Any] = []

    def add(self, rows: Any) -> None:
        """Add the rows of an arrow table; all have the same columns."""
        from pyarrow.parquet import ParquetWriter

        if self._writer is None:
            schema = rows.schema.with_metadata({SIGNATURE: self._signature.encode()})
            self._writer = ParquetWriter(self._stream, schema)
        self._held.append(rows)
        if sum(map(len, self._held)) >= N_ROWS:
            self._write(is_end=False)

    def add_encoded(self, parts: BinaryIO) -> None:
        """Add what `encoded` gave, part after part to the end of a stream."""
        import pyarrow

        while parts.peek(1):  # type: ignore[attr-defined]
            with pyarrow.ipc.open_stream(parts) as reader:
                self.add(reader.read_all())

    def close(self) -> None:
        """Write what is left, and the end of the file."""
        if self._writer is not None:
            self._write(is_end=True)
            self._writer.close()

    def leave(self) -> None:
        """Write no more: else pyarrow would end the file later, when it is closed."""
        if self._writer is not None:
            self._writer.is_open = False

    def _write(self, *, is_end: bool) -> None:
        """Write all row groups that are full, at the end of the file also one that is not."""
        import pyarrow

        rows = pyarrow.concat_tables(self._held).combine_chunks()
        n_written = len(rows) if is_end else len(rows) // N_ROWS * N_ROWS
        self._writer.write_table(rows[:n_written], row_group_size=N_ROWS)
        self._held = [rows[n_written:]]


@contextmanager
def row_groups(stream: BinaryIO, signature: str) -> Iterator[RowGroups]:
    """Write a Parquet file to a stream; the file is whole if the block ends without an error."""
    groups = RowGroups(stream, signature)
    try:
        yield groups
    except BaseException:
        groups.leave()
        raise
    groups.close()


def arrow_table(table: pd.DataFrame) -> Any:
    """Make an arrow table: whole numbers, numbers, truth values, and anything else as text; what is missing is null."""
    import pyarrow

    kinds = {"i": pyarrow.int64(), "f": pyarrow.float64(), "b": pyarrow.bool_()}
    columns = {}
    for name, values in table.items():
        kind = kinds.get(values.dtype.kind)
        cells = values if kind else values.astype("string").astype(object)
        columns[str(name)] = pyarrow.array(cells, kind or pyarrow.string(), from_pandas=True)
    return pyarrow.table(columns)
