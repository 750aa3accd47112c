"""Parquet files, read by pyarrow (extra ``parquet``)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

from classy_aesop.errors import InputError
from classy_aesop.scores.opening import whole


def parquet_rows(stream: BinaryIO, path: str | Path) -> tuple[list[str], list[dict[str, Any]]]:
    """Give the names of the columns, and the rows; a missing value is None.

    Raises
    ------
    InputError
        The file is not whole, or pyarrow is not installed.
    MemoryError
        The file, or what is damaged in it, asks for more memory than there is.
    """
    try:
        from pyarrow import ArrowException, ArrowMemoryError
        from pyarrow.parquet import ParquetFile
    except ModuleNotFoundError:
        message = "reading Parquet needs pyarrow: pip install classy-aesop[parquet]"
        raise InputError(message, path=path) from None
    try:
        with whole(path):
            file = ParquetFile(stream, pre_buffer=False)
            rows = [row for batch in file.iter_batches(use_threads=False) for row in batch.to_pylist()]
    except InputError:
        raise
    except ArrowMemoryError as error:
        raise MemoryError(f"{path}: {error}") from None
    except (ArrowException, OSError, ValueError, OverflowError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # the disk's, not the file's
            raise
        raise InputError(f"not a whole Parquet file ({error})", path=path) from None
    return list(file.schema_arrow.names), rows
