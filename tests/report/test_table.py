"""One formatter for all commands: what goes in comes out again in every format."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from classy_aesop.report.table import FORMATS, aligned, write_table

TABLE = pd.DataFrame(
    {"topic": ["01", "B"], "score": [0.1 + 0.2, np.nan], "n": [3, 14], "human": [True, False]}
)


def written(format, signature="seed:1"):
    stream = io.StringIO()
    write_table(TABLE, stream, format, signature)
    return stream.getvalue()


def test_tsv_is_read_back_to_the_last_digit():
    back = pd.read_csv(io.StringIO(written("tsv")), sep="\t", dtype={"topic": str})
    pd.testing.assert_frame_equal(back.drop(columns="signature"), TABLE, check_dtype=False, check_exact=True)
    assert set(back["signature"]) == {"seed:1"}


def test_json_lines_hold_null_for_a_missing_number():
    rows = [json.loads(line) for line in written("jsonl").splitlines()]
    assert rows[0] == {"topic": "01", "score": 0.1 + 0.2, "n": 3, "human": True, "signature": "seed:1"}
    assert rows[1]["score"] is None


def test_json_carries_the_signature_once():
    body = json.loads(written("json"))
    assert body["signature"] == "seed:1"
    assert [row["topic"] for row in body["rows"]] == ["01", "B"]
    assert "signature" not in body["rows"][0]


def test_text_is_aligned_by_kind():
    assert aligned(TABLE).splitlines() == [
        "topic  score   n  human",
        "01     0.300   3  True",
        "B          -  14  False",
    ]


@pytest.mark.parametrize("format", sorted(FORMATS))
def test_an_empty_table_is_written(format):
    stream = io.StringIO()
    write_table(TABLE.head(0), stream, format)
    assert "B" not in stream.getvalue()
