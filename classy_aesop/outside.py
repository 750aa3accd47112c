"""Parts that other installed packages add: features, fitters, baselines and readers; and names chosen from registries.

A registry is imported when its names are checked or shown and no sooner, so the parser is made, help on the whole
program is printed and a missing argument is reported without numpy.

A package declares a module of its own as an entry point, for example

    [project.entry-points."classy_aesop.fitters"]
    median = "their_package.median"

and the module adds its parts as ours are added, ``FITTERS["median"] = MedianRegression``, when it is imported. So does
a plug-in, a Python file that needs no package (``--plugin FILE.py``).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType

PLUGINS_VARIABLE = "CLASSY_AESOP_PLUGINS"
"""Environment variable of the paths of plug-ins, by which worker processes import them too."""


PLUGIN_MODULE = "classy_aesop_plugin_"
"""How the names of the modules begin that plug-ins are."""


def plugin_paths() -> list[str]:
    """Give the paths of the plug-ins of this program."""
    return [path for path in os.environ.get(PLUGINS_VARIABLE, "").split(os.pathsep) if path]


@cache
def import_file(path: str) -> None:
    """Run a Python file as a module of its own, once."""
    module = ModuleType(PLUGIN_MODULE + Path(path).stem)
    module.__file__ = path
    sys.modules[module.__name__] = module
    exec(compile(Path(path).read_bytes(), path, "exec"), vars(module))


@cache
def load_outside(group: str) -> None:
    """Import the modules that installed packages declare under ``classy_aesop.GROUP``, once.

    It is called where names are looked up and not where a registry is made, so such a module may import this package
    first or be imported by it. ValueError if one cannot be imported, or adds what there is already.
    """
    from importlib.metadata import entry_points

    for path in plugin_paths():
        import_file(path)
    for entry in entry_points(group=f"classy_aesop.{group}"):
        try:
            entry.load()
        except Exception as error:
            where = f"entry point {entry.name} = {entry.value!r} of classy_aesop.{group}"
            raise ValueError(f"{where} cannot be loaded: {type(error).__name__}: {error}") from error


class Choices:
    """What an option, or a key of a configuration, chooses from.

    Parts are names as they are, and ``module:REGISTRY`` for all names in a dictionary or tuple of this package, ``but``
    for one that studies alone use;
    ``outside`` is the group of what other packages may add. Values that are not ``checked`` here are checked by the
    command.
    """

    def __init__(self, *parts: str, but: str = "", outside: str = "", checked: bool = True) -> None:
        self._parts = parts
        self._but = but
        self._outside = outside
        self._checked = checked

    def __iter__(self) -> Iterator[str]:
        if self._outside:
            load_outside(self._outside)
        for part in self._parts:
            names = resolve_name(f"classy_aesop.{part}") if ":" in part else (part,)
            yield from (name for name in names if name != self._but)

    def __contains__(self, value: object) -> bool:
        """Whether a name is among them, or is checked elsewhere."""
        return not self._checked or value in tuple(self)
