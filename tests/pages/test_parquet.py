"""Parquet: typed columns with the signature, read back by our own readers."""

import io

import numpy as np
import pandas as pd
import pytest

from classy_aesop.errors import InputError
from classy_aesop.pages.formats import write_result
from classy_aesop.reading import read_scores
from classy_aesop.tables import result_files
from classy_aesop.tables.result import Result

pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed (extra parquet)")

TABLE = pd.DataFrame(
    {
        "topic": ["01", "02", "03", "04", "05"],
        "summarizer": list("ABCDE"),
        "human": [True, False, False, True, False],
        "n_references": [3, 4, 4, 3, 4],
        "r2": [0.1 + 0.2, np.nan, -1e-300, 2.0, 3.5],
        "outside": ["", "r2", None, "", "x"],
    }
)


def test_a_file_has_the_signature_and_small_groups_of_rows(monkeypatch):
    monkeypatch.setattr(result_files, "ROWS_OF_GROUP", 2)
    stream = io.TextIOWrapper(io.BytesIO())
    write_result(Result(TABLE, signature="seed:1"), stream, "parquet")
    file = pq.ParquetFile(io.BytesIO(stream.buffer.getvalue()))
    assert [file.metadata.row_group(at).num_rows for at in range(file.num_row_groups)] == [2, 2, 1]
    assert file.schema_arrow.metadata == {b"classy_aesop.signature": b"seed:1"}
    types = dict(zip(file.schema_arrow.names, map(str, file.schema_arrow.types), strict=True))
    assert types["human"] == "bool"
    assert types["n_references"] == "int64"
    assert types["r2"] == "double"
    assert "string" in types["topic"]
    rows = file.read().to_pydict()
    assert rows["r2"] == [0.1 + 0.2, None, -1e-300, 2.0, 3.5]
    assert rows["outside"] == ["", "r2", None, "", "x"]


def test_scores_come_back(tmp_path):
    path = tmp_path / "some.parquet"
    with path.open("w") as stream:
        write_result(Result(TABLE.drop(columns="outside"), signature="seed:1"), stream, "parquet")
    scores = read_scores(path)
    assert scores["topic"].tolist() == TABLE["topic"].tolist()
    np.testing.assert_array_equal(scores["score"], TABLE["r2"])
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError, match="not a whole Parquet file"):
        read_scores(path)
