"""Parts that other installed packages add: features, fitters, baselines and readers.

A package declares a module of its own as an entry point, for example

    [project.entry-points."classy_aesop.fitters"]
    median = "their_package.median"

and the module adds its parts as ours are added, ``FITTERS["median"] = MedianRegression``, when it is imported.
"""

from __future__ import annotations

from functools import cache


@cache
def load_outside(group: str) -> None:
    """Import the modules that installed packages declare under ``classy_aesop.GROUP``, once.

    It is called where names are looked up and not where a registry is made, so such a module may import this package
    first or be imported by it.

    Parameters
    ----------
    group : {"features", "fitters", "baselines", "readers"}
        What the modules add.

    Raises
    ------
    ValueError
        A module cannot be imported, or adds what there is already.
    """
    from importlib.metadata import entry_points

    for entry in entry_points(group=f"classy_aesop.{group}"):
        try:
            entry.load()
        except Exception as error:
            where = f"entry point {entry.name} = {entry.value!r} of classy_aesop.{group}"
            raise ValueError(f"{where} cannot be loaded: {type(error).__name__}: {error}") from error
