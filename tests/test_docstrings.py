"""Every public function and class shows in its documentation how it is used; pytest runs these examples."""

import ast
import doctest
import inspect
import re
from pathlib import Path

import pytest

import classy_aesop

PACKAGE = Path(classy_aesop.__file__).parent
MIN_PARAMETERS = 3
"""Functions of so many parameters explain each; of fewer, names and types say enough."""


@pytest.mark.parametrize("name", sorted(set(classy_aesop.__all__) - {"__version__"}))
def test_it_has_an_example_with_an_answer(name):
    examples = doctest.DocTestParser().get_examples(inspect.getdoc(getattr(classy_aesop, name)))
    assert [one for one in examples if one.want], name
    assert not [one for one in examples if doctest.SKIP in one.options], name


def public_functions(tree):
    """Give the functions that the package exports and the public methods of its classes, but for overloads."""
    is_module = isinstance(tree, ast.Module)
    for node in tree.body:
        if is_module and getattr(node, "name", "") not in classy_aesop.__all__:
            continue
        if isinstance(node, ast.ClassDef):
            yield from public_functions(node)
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            is_overload = "overload" in map(ast.unparse, node.decorator_list)
            yield from () if is_overload else (node,)


def names_of_parameters(function):
    """Give the names in the signature of a function."""
    arguments = function.args
    every = [
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        arguments.vararg,
        arguments.kwarg,
    ]
    return [
        argument.arg for argument in every if argument is not None and argument.arg not in ("self", "cls")
    ]


def names_explained(function):
    """Give the names that the section on parameters explains, in its order."""
    docstring = ast.get_docstring(function) or ""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n---|\Z)", docstring, flags=re.S | re.M)
    entries = re.findall(r"^(\w[\w, *]*|\*[\w, *]*)(?: :.*)?$", section[1] if section else "", flags=re.M)
    return [name.strip(" *") for entry in entries for name in entry.split(",")]


@pytest.mark.slow
def test_functions_of_several_parameters_explain_each():
    wrong = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for function in public_functions(ast.parse(path.read_text())):
            names = names_of_parameters(function)
            if len(names) >= MIN_PARAMETERS and sorted(names) != sorted(names_explained(function)):
                differences = set(names) ^ set(names_explained(function))
                wrong.append(f"{path.relative_to(PACKAGE)}:{function.lineno} {function.name}: {differences}")
    assert not wrong
