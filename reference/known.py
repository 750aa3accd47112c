"""The names that docstrings may refer to: everything in the package, and what other packages have."""

from __future__ import annotations

import builtins
import importlib
import pkgutil
import warnings
from collections.abc import Iterator
from functools import cache
from types import ModuleType

import classy_aesop


def is_known(name: str) -> bool:
    """Whether there is something of this name, whole or its end: ``Corpus.select``."""
    return name in _ends() or hasattr(builtins, name) or _is_elsewhere(name)


@cache
def _ends() -> frozenset[str]:
    """Give the dotted names of modules, of what is in them and of what classes have, each with all its ends."""
    return frozenset(end for module in modules() for name in _names(module) for end in _ends_of(name))


def modules() -> Iterator[ModuleType]:
    """Import all modules of the package; a warning is an error."""
    found = pkgutil.walk_packages(classy_aesop.__path__, "classy_aesop.")
    names = [one.name for one in found if not one.name.endswith("__main__")]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield from map(importlib.import_module, ["classy_aesop", *names])


def _names(module: ModuleType) -> Iterator[str]:
    yield module.__name__
    for name, value in vars(module).items():
        yield f"{module.__name__}.{name}"
        if isinstance(value, type) and value.__module__.startswith("classy_aesop"):
            fields = getattr(value, "__dataclass_fields__", {})
            yield from (f"{module.__name__}.{name}.{inside}" for inside in {*dir(value), *fields})


def _ends_of(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[at:]) for at in range(len(parts)))


def _is_elsewhere(name: str) -> bool:
    module, *rest = name.split(".")
    try:
        thing = importlib.import_module(module)
        for at, part in enumerate(rest, 1):
            thing = getattr(thing, part, None) or importlib.import_module(".".join([module, *rest[:at]]))
    except ImportError:
        return False
    return True
