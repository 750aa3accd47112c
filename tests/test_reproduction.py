"""What the papers define, as the page of the papers lists it: each line names code and a test that are there."""

import ast
import importlib
from functools import cache
from pathlib import Path

import pytest

from docs.reference.papers import read_definitions

TESTS = Path(__file__).parent
STATES = {"yes", "choice", "import", "no"}
PAPERS = 5
ROWS = read_definitions()


@cache
def functions_of(path):
    """Give the names of the tests in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_definition_has_its_cells():
    assert len(ROWS) >= 120
    assert len({row[0] for row in ROWS}) == PAPERS
    for row in ROWS:
        assert len(row) == 7, row
        _, _, _, state, note, code, test = row
        assert state in STATES, row
        assert note or state == "yes", row
        assert (code == "-") == (test == "-") == (state == "no"), row


@pytest.mark.parametrize("row", [row for row in ROWS if row[5] != "-"], ids=lambda row: f"{row[5]}-{row[1]}")
def test_code_and_test_of_a_definition_are_there(row):
    *_, code, test = row
    module, _, name = code.partition(":")
    assert hasattr(importlib.import_module(f"classy_aesop.{module}"), name), code
    path, _, function = test.partition("::")
    assert function in functions_of(TESTS / path), test
