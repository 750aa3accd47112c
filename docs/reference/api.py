"""The pages of the Python interface: which names each shows, from ``__all__`` and the registry of studies."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module

from classy_aesop.papers import STUDIES
from docs.reference.markdown import code, first_line, table

_PACKAGES = (
    "classy_aesop",
    "classy_aesop.data",
    "classy_aesop.reading",
    "classy_aesop.features",
    "classy_aesop.config",
    "classy_aesop.fitters",
    "classy_aesop.formulas",
    "classy_aesop.search",
    "classy_aesop.baselines",
    "classy_aesop.plots",
)
"""Packages that offer names by ``__all__``, those that most users need first."""

_MODULES = ("classy_aesop.errors", "classy_aesop.significance")
"""Modules, and packages of modules, that offer everything that is in them."""

_HEAD = """# Python

What `import classy_aesop` offers, and the packages beneath it. The site has a page for each with all parameters;
without it `help(classy_aesop.train)` prints the same. [Using classy_aesop](usage.md#in-python) has examples."""


def python_page() -> str:
    """Write the page."""
    sections = [
        f"## {name}\n\n{first_line(import_module(name))}\n\n{_table(names)}" for name, names in pages()
    ]
    return "\n\n".join([_HEAD, *sections]) + "\n"


def _table(names: list[str]) -> str:
    return table(["name", "is"], [[code(name.split(".")[-1]), first_line(_thing(name))] for name in names])


def pages() -> Iterator[tuple[str, list[str]]]:
    """Give each package or module with the full names of the classes and functions that its page shows, each once."""
    shown: set[int] = set()
    for title, names in _offers():
        new = [name for name in names if _is_shown(_thing(name)) and id(_thing(name)) not in shown]
        shown.update(id(_thing(name)) for name in new)
        yield title, new


def _offers() -> Iterator[tuple[str, list[str]]]:
    for package in _PACKAGES:
        yield package, [f"{package}.{name}" for name in import_module(package).__all__]
    for module in (name for start in _MODULES for name in _with_modules(start)):
        yield module, [f"{module}.{name}" for name in _defined(module)]
    yield "classy_aesop.papers", [_study(name) for name in STUDIES]


def _with_modules(name: str) -> list[str]:
    inside = getattr(import_module(name), "__path__", [])
    return [name, *(module.name for module in pkgutil.walk_packages(inside, f"{name}."))]


def _defined(module: str) -> list[str]:
    here = vars(import_module(module)).items()
    return [name for name, thing in here if name[0] != "_" and getattr(thing, "__module__", None) == module]


def _study(name: str) -> str:
    return "classy_aesop.papers." + STUDIES[name].function.replace(":", ".")


def _thing(name: str) -> object:
    module, _, last = name.rpartition(".")
    return getattr(import_module(module), last)


def _is_shown(thing: object) -> bool:
    return inspect.isclass(thing) or inspect.isfunction(thing)


def entry(name: str) -> str:
    """Write the directive that shows a class or function with its docstring."""
    if inspect.isclass(_thing(name)):
        return f".. autoclass:: {name}\n   :members:\n"
    return f".. autofunction:: {name}\n"
