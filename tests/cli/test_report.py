"""The command report, and train --report."""

import os
import shutil

import pytest

from classy_aesop.answers.declared import load_answer

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")

COLUMNS = [column for column in load_answer("compare --pairs").columns if not column.is_optional]
CELLS = {column.name: "0" if column.type in ("int", "float") else "" for column in COLUMNS} | {
    "first": "a",
    "second": "b",
    "difference": "1.0",
    "low": "",
    "high": "",
    "p_adjusted": "",
    "significant": "True",
    "alpha": "0.05",
    "signature": "command:compare --pairs|version:1",
}
TABLE = "\t".join(CELLS) + "\n" + "\t".join(CELLS.values()) + "\n"


@pytest.mark.slow
def test_a_table_becomes_a_page_with_its_numbers_inside(run, tmp_path):
    (tmp_path / "pairs.tsv").write_text(TABLE)
    out = tmp_path / "page.html"
    assert run("report", tmp_path / "pairs.tsv", "-o", out) == (0, "", "")
    assert "a minus b is +1.000, which is significant." in out.read_text()
    assert 'download="001-pairs.tsv"' in out.read_text()
    assert run("report", tmp_path / "pairs.tsv", "-o", out)[0] == 0  # again, over the first
    (tmp_path / "null").symlink_to(os.devnull)
    assert run("report", tmp_path / "pairs.tsv", "-o", tmp_path / "null") == (0, "", "")
    assert sorted(os.listdir(tmp_path)) == ["null", "page.html", "pairs.tsv"]


@pytest.mark.slow(after=3)
@pytest.mark.parametrize(
    ("inputs", "code", "said"),
    [
        (["none.tsv"], 2, "none.tsv"),
        ([".", "pairs.tsv"], 2, "a page is of one run, or of one or more tables"),
        (["."], 1, "no run.json; expected a folder that this version of train wrote"),
        (["bad.tsv"], 1, "bad.tsv, line 1: expected a header of two or more different names"),
        (["list.jsonl"], 1, "list.jsonl, line 1: score is '[1]'; expected text or a number"),
        (
            ["half.jsonl"],
            1,
            "half.jsonl: 'm\\ud800' holds half a character (an unpaired surrogate); expected whole ones",
        ),
    ],
)
def test_wrong_inputs_are_one_line_and_write_nothing(inputs, code, said, refused, tmp_path):
    (tmp_path / "pairs.tsv").write_text(TABLE)
    (tmp_path / "bad.tsv").write_text("one\n1\n")
    (tmp_path / "list.jsonl").write_text('{"metric": "m", "score": [1]}\n')
    (tmp_path / "half.jsonl").write_text('{"metric": "m\\ud800", "score": 1}\n')
    refused(code, said, "report", *(tmp_path / name for name in inputs), "-o", tmp_path / "page.html")
    assert not list(tmp_path.glob("page*"))


@pytest.mark.slow
def test_a_damaged_file_of_a_run_is_named(refused, trained, tmp_path):
    """A byte that is not UTF-8, or text where a page needs a number, in any file of the folder."""
    best = next((trained[0] / "search").glob("*.top.tsv")).name.removesuffix(".top.tsv")
    for name, place, put, expected in (
        ("config.toml", 0, b"\xff", ", line 1: byte 0xff at position 1 is not UTF-8"),
        ("summary.tsv", 0, b"\xff", ", line 1: byte 0xff at position 1 is not UTF-8"),
        (f"search/{best}.sizes.tsv", 0, b"\xff", ", line 1: byte 0xff at position 1 is not UTF-8"),
        (f"search/{best}.top.tsv", "score", b"high", ", line 2: score is 'high'; expected a number"),
        (
            f"search/{best}.sizes.tsv",
            "n_names",
            b"one",
            ", line 2: n_names is 'one'; expected a whole number",
        ),
        ("verdict.tsv", "n_resamples", b"x", ", line 2: n_resamples is 'x'; expected a whole number"),
    ):
        damaged = shutil.copytree(trained[0], tmp_path / "run", dirs_exist_ok=True)
        lines = (damaged / name).read_bytes().split(b"\n")
        if isinstance(place, int):
            lines[0] = put + lines[0]
        else:
            cells = lines[1].split(b"\t")
            cells[lines[0].decode().split("\t").index(place)] = put
            lines[1] = b"\t".join(cells)
        (damaged / name).write_bytes(b"\n".join(lines))
        said = f"classy-aesop: error: {damaged / name}{expected}"
        refused(1, said, "report", damaged, "-o", tmp_path / "page.html")
    assert not list(tmp_path.glob("page*"))


def test_without_matplotlib_one_line_says_what_to_install(refused, tmp_path, monkeypatch, small):
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    (tmp_path / "pairs.tsv").write_text(TABLE)
    for command in (["report", tmp_path / "pairs.tsv", "-o", tmp_path / "page.html"],
                    ["train", small / "one.toml", "-o", tmp_path / "out", "--report"]):  # fmt: skip
        said = "matplotlib is not installed; pictures and reports need it: pip install matplotlib jinja2"
        refused(2, said, *command)
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_train_makes_the_page_that_report_makes(run, small, tmp_path):
    assert run("train", small / "one.toml", "-o", tmp_path / "out", "--report")[0] == 0
    assert run("report", tmp_path / "out", "-o", tmp_path / "report.html")[0] == 0
    assert (tmp_path / "out" / "report.html").read_bytes() == (tmp_path / "report.html").read_bytes()
    assert run("train", small / "one.toml", "-o", tmp_path / "out")[0] == 2  # never over what is there
