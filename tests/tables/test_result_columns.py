"""A table knows its columns: what it declares decides how it is read back and how it is laid out."""

import ast
from pathlib import Path

import pandas as pd
import pytest

from classy_aesop import compare, compare_pairs
from classy_aesop.answers.declared import DECLARED, load_answer, names_of_command
from classy_aesop.cli import main
from classy_aesop.data import COLUMNS
from classy_aesop.errors import InputError
from classy_aesop.pages.formats import read_result, save_result
from classy_aesop.reading.column_names import ROLES
from classy_aesop.tables.layout import lay_out
from classy_aesop.tables.result_columns import Purpose

PACKAGE = Path(__file__).parents[2] / "classy_aesop"
INPUT_ROLES = {*COLUMNS, *ROLES}
NAMES = ("007", "07", "7")


def scores_of(means, n_topics=8):
    rows = [
        {"topic": str(topic), "summarizer": name, "metric": "m", "score": mean + topic % 3}
        for name, mean in means.items()
        for topic in range(n_topics)
    ]
    return pd.DataFrame(rows)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("ending", ["tsv", "csv", "json", "jsonl"])
@pytest.mark.parametrize("margin", [None, (-1.0, float("inf"))])
def test_identifiers_and_types_come_back_as_they_were(tmp_path, ending, margin):
    scores = scores_of(dict.fromkeys(NAMES, 3.0))
    for result in (compare(scores, "m"), compare_pairs(scores, "m", equivalence=margin)):
        save_result(result, tmp_path / f"t.{ending}", ending)
        again = read_result(tmp_path / f"t.{ending}")
        pd.testing.assert_frame_equal(again.table, result.table)
        assert again.answer is result.answer
        assert again.signature == result.signature


def test_columns_of_somebody_else_keep_their_leading_zeros(tmp_path):
    path = tmp_path / "own.tsv"
    path.write_text("system\tstory\tgrade\n007\t1\t0.5\n07\t2\t10\n7\t3\t0\n")
    table = read_result(path).table
    assert table["system"].tolist() == list(NAMES)
    assert table["story"].tolist() == [1, 2, 3]
    assert table["grade"].tolist() == [0.5, 10.0, 0.0]


def test_a_cell_of_another_type_is_refused_with_its_line(tmp_path):
    result = compare(scores_of({"a": 1.0, "b": 2.0}), "m")
    save_result(result, tmp_path / "t.tsv", "tsv")
    text = (tmp_path / "t.tsv").read_text().replace("\t2.875\t", "\thigh\t")
    (tmp_path / "t.tsv").write_text(text)
    with pytest.raises(InputError, match="line 2: mean is 'high'; expected a number"):
        read_result(tmp_path / "t.tsv")


def test_estimates_that_are_equal_in_every_row_stay_in_their_rows():
    result = compare(scores_of(dict.fromkeys("abc", 3.0)), "m")
    layout = lay_out(result.table, result.answer)
    assert set(layout.shared) == {"metric", "n_topics", "flag", "test", "correction"}
    assert {"rank", "mean"} <= set(layout.table)
    assert {"cluster", "wins", "losses"} <= {*layout.whole} - {*layout.table}  # whoever names them gets them
    margin = compare_pairs(scores_of(dict.fromkeys("abc", 3.0)), "m", equivalence=0.5)
    assert "verdict" in lay_out(margin.table, margin.answer).table


@pytest.mark.parametrize("name", DECLARED)
def test_every_column_is_declared_once_with_a_meaning(name):
    answer = load_answer(name)
    assert answer.name == name
    assert len(set(answer.names)) == len(answer.names)
    assert all(column.meaning for column in answer.columns)
    cells = {column.cell for column in answer.columns_of_purpose(Purpose.END)} - {""}
    for names in (answer.sorted_by, filter(None, [answer.block])):
        assert set(names) <= set(answer.names)
    shown = {name.replace(" ", "_") for name in set(answer.shown_first) - cells}
    assert shown <= {*answer.names, *(column.name.replace(" ", "_") for column in answer.arranged_columns)}


COMMANDS = (
    "compare",
    "evaluate",
    "assessors",
    "estimate",
    "power",
    "train",
    "study pair-counts",
    "study check",
)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_columns_lists_each_with_its_meaning(name, capsys):
    with pytest.raises(SystemExit):
        main([*name.split(), "--help-columns"])
    words = " ".join(capsys.readouterr().out.split())
    assert names_of_command(name)
    for answer in map(load_answer, names_of_command(name)):
        assert f"columns of {answer.name}:" in words
        for column in answer.columns:
            assert f"{column.name} {column.meaning}" in words


def lists_of_columns(path, names):
    """Give the literals of three or more strings that are all names of columns, with their lines."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.List | ast.Tuple | ast.Set) and len(node.elts) > 2:
            values = [part.value for part in node.elts if isinstance(part, ast.Constant)]
            if len(values) == len(node.elts) and set(values) <= names and not set(values) <= INPUT_ROLES:
                yield node.lineno, values


@pytest.mark.slow
def test_no_list_of_column_names_stands_outside_a_declaration():
    names = {name for answer in map(load_answer, DECLARED) for name in answer.names}
    for path in sorted(PACKAGE.rglob("*.py")):
        in_declarations = {
            keyword.value.lineno
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Call)
            and getattr(node.func, "id", "") in ("Answer", "PrintedTable", "replace")
            for keyword in node.keywords
        }
        outside = [line for line, _ in lists_of_columns(path, names) if line not in in_declarations]
        assert outside == [], path
