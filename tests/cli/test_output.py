"""Where commands write: found out before the work, named when it fails, nothing half-written, nothing foreign lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from classy_aesop import read_corpus

COMMANDS = [f"{name} no" for name in ("features", "validate", "rouge", "baselines", "assessors")]
COMMANDS += ["predict no no", "predict no no --explain", "evaluate no no", "evaluate no --target t"]
COMMANDS += ["compare no --metric m", "power no --metric m"]
COMMANDS += ["evaluate no no --pairs --target t", "study coverage no --target t"]


@pytest.mark.parametrize("command", COMMANDS)
def test_an_output_that_cannot_be_written_is_found_before_the_work(run, tmp_path, command):
    code, out, err = run(*command.split(), "-o", tmp_path / "no" / "out.tsv")
    assert (code, out) == (2, ""), err
    assert err == f"classy-aesop: error: {tmp_path}/no/out.tsv: the folder to write in does not exist\n"


def test_a_folder_that_cannot_be_written_is_found_before_the_work(run, tmp_path):
    (tmp_path / "file").touch()
    code, out, err = run("train", "no.toml", "-o", tmp_path / "file" / "out")
    assert (code, out, err) == (2, "", f"classy-aesop: error: {tmp_path}/file/out: Not a directory\n")


ROW = '{"topic": "D1", "summarizer": "1", "text": "It rained.", "references": {"A": "Rain."}}\n'


@pytest.mark.slow
def test_a_dash_is_standard_output(run, printed, refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in.jsonl").write_text(ROW)
    for command in ("validate in.jsonl", "features in.jsonl"):
        code, out, _ = run(*command.split(), "-q", "-o", "-")
        assert (code, out) == run(*command.split(), "-q")[:2]
        assert out
    out = printed("convert", "in.jsonl", "-o", "-")
    Path("again.jsonl").write_text(out)
    assert read_corpus("again.jsonl").topics == read_corpus("in.jsonl").topics
    for command in ("train in.jsonl --target t -o -", "report in.jsonl -o -", "init --sample -"):
        refused(2, "'-' is standard output; expected the name of a file or a folder", *command.split())
    assert sorted(os.listdir()) == ["again.jsonl", "in.jsonl"]


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="has no /dev/full")
def test_a_full_standard_output_is_one_line(folder):
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "classy_aesop", "features", folder / "2021", "--names", "r2"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    said = "classy-aesop: error: standard output: No space left on device\n"
    assert (done.returncode, done.stderr) == (1, said)


SCORES = "topic\tsummarizer\tmetric\tscore\n" + "".join(
    f"{topic}\t{who}\tm\t{score}\n" for who, score in (("a", 1), ("b", 2), ("c", 4)) for topic in "wxyz"
)


BEGINS = {"tsv": b"year\t", "csv": b"year,", "jsonl": b"{", "json": b"{", "parquet": b"PAR1", "xlsx": b"PK"}


@pytest.mark.slow
@pytest.mark.parametrize("ending", [*BEGINS, "CSV", "Parquet", "JSON"])
def test_the_ending_of_a_name_says_the_format_and_the_table_comes_back(run, tmp_path, ending):
    for name, package in (("parquet", "pyarrow"), ("xlsx", "openpyxl")):
        if ending.lower() == name:
            pytest.importorskip(package)
    from classy_aesop.pages.formats import read_result

    (tmp_path / "scores.tsv").write_text(SCORES)
    compare = ["compare", tmp_path / "scores.tsv", "--metric", "m"]
    assert run(*compare, "-f", "json", "-o", tmp_path / "known.json")[0] == 0
    assert run(*compare, "-q", "-o", tmp_path / f"out.{ending}") == (0, "", "")
    known, found = (read_result(tmp_path / name) for name in ("known.json", f"out.{ending}"))
    assert (found.kind, found.signature) == ("compare", known.signature)
    assert found.table.equals(known.table)
    assert (tmp_path / f"out.{ending}").read_bytes().startswith(BEGINS[ending.lower()])
    if ending in ("tsv", "csv", "jsonl"):
        text = (tmp_path / f"out.{ending}").read_text()
        assert text.count(known.signature) == 1  # once, not in each of three rows


@pytest.mark.slow
def test_a_format_that_is_named_is_stronger_than_the_ending(run, tmp_path):
    (tmp_path / "scores.tsv").write_text(SCORES)
    compare = ["compare", tmp_path / "scores.tsv", "--metric", "m"]
    for name, format, start in (
        ("a.csv", "tsv", "year\t"),
        ("a.tsv", "csv", "year,"),
        ("b.tex", "latex", "% command:"),
    ):
        assert run(*compare, "-o", tmp_path / name, "-f", format)[0] == 0
        assert (tmp_path / name).read_text().startswith(start)
    assert run(*compare, "-o", tmp_path / "c.tex")[0] == 0
    assert (tmp_path / "c.tex").read_text() == (tmp_path / "b.tex").read_text()
    assert run(*compare, "-o", tmp_path / "out.other")[0] == 0
    last = (tmp_path / "out.other").read_text().splitlines()[-1]
    assert last.startswith("command:compare|")  # text, its default


def test_excel_without_its_package_is_one_line_before_the_work(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    code, out, err = run("compare", tmp_path / "none.tsv", "--metric", "m", "-o", tmp_path / "out.xlsx")
    expected = "classy-aesop: error: -f xlsx needs openpyxl: pip install openpyxl\n"
    assert (code, out, err) == (2, "", expected)


def test_a_text_is_no_formula_in_excel(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    import pandas as pd

    from classy_aesop.errors import InputError
    from classy_aesop.pages.formats import read_result, save_result
    from classy_aesop.tables.result import Result

    path = tmp_path / "t.xlsx"
    table = pd.DataFrame({"name": ["=1+1", "a\x00b"], "score": [0.1 + 0.2, float("inf")]})
    save_result(Result(table, signature="s"), path, "xlsx")
    book = openpyxl.load_workbook(path)
    assert [[cell.value for cell in row] for row in book.active] == [
        ["name", "score"], ["=1+1", 0.1 + 0.2], ["a\\x00b", "inf"]
    ]  # fmt: skip
    assert book.active["A2"].data_type == "s"
    (tmp_path / "bad.xlsx").write_bytes(b"PK\x03\x04")
    with pytest.raises(InputError, match=r"bad\.xlsx: not a whole workbook of Excel"):
        read_result(tmp_path / "bad.xlsx")


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("command", ["rouge", "compare"])
def test_formulas_are_escaped_if_asked(run, tmp_path, command):
    """In a table of all rows at once, and in one that is written part by part."""
    texts = "" if command == "compare" else ",summary,reference"
    cells = "" if command == "compare" else ",It rained today.,Rain fell today."
    lines = [
        f"{topic},{system},{number}{cells}"
        for topic in "abc"
        for number, system in enumerate(("=1+1", "@x", "-2", "plain"))
    ]
    path = tmp_path / "rows.csv"
    path.write_text("\n".join([f"topic,system,m{texts}", *lines, ""]))
    options = ["--metric", "m"] if command == "compare" else []
    given = [command, path, *options, "-q", "-f"]
    code, plain, err = run(*given, "csv")
    assert code == 0, err
    assert ",=1+1," in plain
    code, safe, err = run(*given, "csv", "--safe-csv")
    assert code == 0, err
    assert safe == plain.replace(",=1+1,", ",'=1+1,").replace(",@x,", ",'@x,")
    code, _, err = run(*given, "json", "--safe-csv")
    assert (code, err) == (2, "classy-aesop: error: --safe-csv is for CSV and TSV; found json\n")
