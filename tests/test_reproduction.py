"""The page of what the papers define names code and tests that are there."""

import ast
import importlib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
STATES = {"yes", "choice", "import", "data", "no"}
PAPERS = 5


def rows():
    """Give the rows of the page: section, what, state, code and test."""
    lines = (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8").splitlines()
    cells = [
        [cell.strip(" `") for cell in line.strip("|").split(" | ")] for line in lines if line.startswith("| ")
    ]
    return [row for row in cells if row[0] != "section"]


@cache
def functions_of(path):
    """Give the names of the tests in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_the_page_has_every_row_with_five_cells():
    assert len(rows()) >= 120
    for row in rows():
        assert len(row) == 5, row
        state, _, note = row[2].partition(": ")
        assert state in STATES, row
        assert note or state in ("yes", "data"), row
        assert (row[3] == "-") == (row[4] == "-"), row
        assert row[3] != "-" or state in ("no", "data"), row
        assert row[3] == "-" or state != "no", row
    text = (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")
    assert text.count("\n## ") == PAPERS


@pytest.mark.parametrize(
    "row", [row for row in rows() if row[3] != "-"], ids=lambda row: f"{row[3]}-{row[0]}"
)
def test_code_and_test_of_a_row_are_there(row):
    module, _, name = row[3].partition(":")
    assert hasattr(importlib.import_module(f"classy_aesop.{module}"), name), row[3]
    path, _, test = row[4].partition("::")
    assert test in functions_of(ROOT / "tests" / path), row[4]
