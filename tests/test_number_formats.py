"""No number is written as -0.000: every format with fixed decimals has the option ``z`` (PEP 682)."""

import ast
import re
from pathlib import Path

import pandas as pd
import pytest

import classy_aesop
from classy_aesop.answers.systems import SYSTEM_RANKING, compare

PACKAGE = Path(classy_aesop.__file__).parent
FIXED = re.compile(r"[-+ ]?(z?)#?0?[\d{}]*,?\.[\d{}]+f")
OLD_STYLE = re.compile(r"%[-+ 0-9]*\.\d+f")


def formats_without_z(source):
    """Give line and format of f-strings, of formats in text, and of those with a percent sign."""
    tree = ast.parse(source)
    docstrings = {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    in_specs = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            parts = node.format_spec.values
            in_specs.update(parts)
            spec = "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in parts)
            match = FIXED.fullmatch(spec)
            if match and not match[1]:
                yield node.lineno, spec
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node not in docstrings | in_specs
        ):
            alone = FIXED.fullmatch(node.value)
            braced = re.search(r"\{\w*:[-+ ]?\d*\.\d+f\}", node.value)
            if (alone and not alone[1]) or braced or OLD_STYLE.search(node.value):
                yield node.lineno, node.value


@pytest.mark.slow
def test_no_format_writes_a_negative_zero():
    found = [
        f"{path.relative_to(PACKAGE)}, line {line}: {spec}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for line, spec in formats_without_z(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_the_check_finds_each_way_to_write_a_number():
    source = (
        "f'{x:.3f}', f'{x:+.{n}f}', '{:.2f}'.format(x), '%.3f' % x, '.3f', f'{x:z.3f}', f'{n:,}', 'z.1f'\n"
    )
    found = [spec for _, spec in formats_without_z(source)]
    assert sorted(found) == ["%.3f", "+.{}f", ".3f", ".3f", "{:.2f}"]


def test_sentences_have_no_negative_zero():
    scores = pd.DataFrame({"topic": [1, 2, 3] * 2, "system": list("aaabbb"), "m": [-1.0, 1, 0, -2, -1, 0]})
    ends = {"mean": [-1e-5, -1.0], "low": [-2e-5, -2.0], "high": [1e-5, 0.0], "difference": [-1e-5, 1e-5]}
    table = compare(scores).table.assign(**ends)
    assert "-0.000" not in SYSTEM_RANKING.sentence(table)
