"""One table in six formats, dates and formulas among its cells: every command gives one answer."""

import datetime
import gzip
import io
import json
import re
import sys
import zipfile
from decimal import Decimal
from itertools import product

import pandas as pd
import pytest

from classy_aesop.cli import main

DAYS = [datetime.date(2021, 5, day) for day in (1, 2, 3)]
TEXTS = {"a": "It rained all day.", "b": "Sun shone.", "c": "Rain fell.", "d": "Rain fell all day here."}
ROWS = [
    {
        "doc_id": day,
        "system": system,
        "summary": text,
        "reference": "Rain fell all day.",
        "relevance": 1 + (at + day.day) % 5,
        "fluency": 2.5 + at / 2,
        "rouge1": (3 * at + day.day) / 16,
    }
    for day in DAYS
    for at, (system, text) in enumerate(TEXTS.items())
]
COMMANDS = [
    "validate {}",
    "evaluate {} --target relevance",
    "compare {} --metric relevance",
    "estimate {} --target relevance --scores {} --metric rouge1",
    "assessors {} --columns ratings=relevance,fluency",
    "features {} --names r1,su4",
    "rouge {} --metric 2",
    "baselines {} -m rouge",
    "evaluate {} --target relevance -m rouge",
    "predict published/news-content {} --means",
]


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """The table in each format; in the workbook the judgments are formulas with stored values."""
    pytest.importorskip("openpyxl")
    pytest.importorskip("pyarrow")
    place, frame = tmp_path_factory.mktemp("formats"), pd.DataFrame(ROWS)
    frame.to_csv(place / "x.csv", index=False)
    frame.to_csv(place / "x.tsv", index=False, sep="\t")
    frame.assign(rouge1=frame["rouge1"].map(Decimal)).to_parquet(place / "x.parquet", index=False)
    rows = [{**row, "doc_id": str(row["doc_id"])} for row in ROWS]
    (place / "x.json").write_text(json.dumps(rows))
    (place / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    frame.to_excel(place / "plain.xlsx", index=False)
    with zipfile.ZipFile(place / "plain.xlsx") as plain, zipfile.ZipFile(place / "x.xlsx", "w") as book:
        for name in plain.namelist():
            xml = re.sub(rb'(<c r="E\d+")[^>]*><v>', rb"\1><f>1+1</f><v>", plain.read(name))
            book.writestr(name, xml)
            assert name != "xl/worksheets/sheet1.xml" or xml.count(b"<f>") == len(ROWS)
    return sorted(place.glob("x.*"))


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_every_answer_is_one(tables, capsys, command):
    answers = set()
    for path in tables:
        assert main([*command.format(path, path).split(), "-q", "-f", "tsv"]) == 0, path
        answers.add(capsys.readouterr().out)
    assert (len(tables), len(answers)) == (6, 1)


MORE = [
    "convert {} -o -",
    "power {} --metric relevance --difference 1",
    "predict published/news-content {} --explain",
]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("ending", ["csv", "jsonl.gz", "tsv", "jsonl", "json", "csv.gz", "tsv.gz", "json.gz"])
def test_bytes_that_are_not_utf8_are_refused_alike(run, tmp_path, monkeypatch, ending):
    path, form = tmp_path / f"x.{ending}", ending.split(".")[0]
    frame = pd.DataFrame([*ROWS[:-1], {**ROWS[-1], "summary": "caf\xe9"}]).astype({"doc_id": str})
    as_text = {"sep": "\t" if form == "tsv" else ",", "index": False}
    as_json = {"orient": "records", "lines": form == "jsonl", "force_ascii": False}
    text = frame.to_json(**as_json) if "json" in form else frame.to_csv(**as_text)
    data = text.encode("latin-1")
    path.write_bytes(gzip.compress(data) if ending.endswith("gz") else data)
    for command, typed in product([*COMMANDS, *MORE], [str(path), "-", "/dev/stdin"]):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
        code, out, err = run(*command.split(" --scores")[0].format(typed).split(), "-q")
        assert (code, out, err.count("\n")) == (1, "", 1)
        assert re.search(f"({path}|standard input), line \\d+: byte 0xe9 at position \\d+ is not UTF-8", err)
        assert (" --encoding" in err) == (form in ("csv", "tsv") and typed == str(path))


def test_join_keeps_the_types_of_parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.Table.from_pandas(pd.DataFrame(ROWS), preserve_index=False)
    odd = {
        "when": pyarrow.array([datetime.datetime(2021, 5, 1, 10, 11)] * len(ROWS)),
        "tags": pyarrow.array([["x", None]] * len(ROWS)),
        "big": pyarrow.array([2**64 - 1] * len(ROWS), pyarrow.uint64()),
        "price": pyarrow.array([None, *range(1, len(ROWS))]).cast(pyarrow.decimal128(21, 2)),
    }
    for name, column in odd.items():
        table = table.append_column(name, column)
    parquet.write_table(table, tmp_path / "x.parquet")
    out = tmp_path / "out.parquet"
    command = f"predict published/news-content {tmp_path / 'x.parquet'} --join -q -o {out}"
    assert main(command.split()) == 0
    assert parquet.read_table(out).select(table.column_names).equals(table.replace_schema_metadata())


def test_raters_that_are_people_are_named_one_after_the_other(tmp_path, capsys):
    people = pd.DataFrame(ROWS).rename(columns={"relevance": "anna", "fluency": "ben"})
    people.to_csv(tmp_path / "x.csv", index=False)
    assert main(["assessors", str(tmp_path / "x.csv"), "--columns", "topic=doc_id,ratings=anna,ben"]) == 0
    assert "ratings=anna,ben" in capsys.readouterr().err
    assert main(["assessors", str(tmp_path / "x.csv"), "--columns", "ben"]) == 2
    assert "columns: 'ben'; expected ROLE=NAME, e.g. topic=story,text=out" in capsys.readouterr().err
