"""CSV and TSV: carriage returns come back, other bytes are pandas'."""

import io

import numpy as np
import pandas as pd
import pytest

from classy_aesop.pages.formats import read_result, write_result
from classy_aesop.tables.result import Result


def text_of(table, format):
    stream = io.StringIO(newline="")
    write_result(Result(table), stream, format)
    return stream.getvalue()


@pytest.mark.parametrize("format", ["csv", "tsv"])
@pytest.mark.parametrize("name", ["a\rb", "a\r\nb", "a\nb"])
def test_carriage_returns_in_names_come_back(tmp_path, format, name):
    table = pd.DataFrame({"topic": ["1", "2"], "sum\rmarizer": [name, "plain"], "score": [1.5, 2.5]})
    path = tmp_path / f"t.{format}"
    path.write_bytes(text_of(table, format).encode())
    pd.testing.assert_frame_equal(read_result(path).table.astype({"topic": str}), table)


def test_csv_has_the_bytes_that_pandas_writes():
    numbers = [0.1 + 0.2, 1e-5, 1e16, 1e15, -0.0, np.nan, np.inf, 1 / 3, -1e-300, 123456789.125, 1.0]
    texts = ["", "a,b", 'a"b', "a\nb", " a ", "é", "=1", "a;b\tc", None, "'", "x"]
    whole = pd.array([1, -7, None] * 3 + [0, 1], dtype="Int64")
    table = pd.DataFrame({"text": texts, "a, number": numbers, "whole": whole, "truth": np.arange(11) > 5})
    for written in (table, pd.DataFrame({"only": ["", "x"]})):
        assert text_of(written, "csv") == written.to_csv(index=False, lineterminator="\n")
