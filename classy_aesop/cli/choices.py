"""The names that options choose from, taken from the registries of the package when they are checked or shown.

A registry is imported no sooner, so the parser is made, help on the whole program is printed and a missing argument is
reported without numpy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pkgutil import resolve_name

from classy_aesop.outside import load_outside


class Choices:
    """What an option chooses from.

    Parameters
    ----------
    *parts : str
        Names as they are, and ``module:REGISTRY`` for all names in a dictionary or tuple of this package.
    outside : str
        What other installed packages may add to the names, see `classy_aesop.outside`.
    checked : bool
        Whether a value must be one of the names. Others are checked by the command.
    """

    def __init__(self, *parts: str, outside: str = "", checked: bool = True) -> None:
        self._parts, self._outside, self._checked = parts, outside, checked

    def __iter__(self) -> Iterator[str]:
        if self._outside:
            load_outside(self._outside)
        return (name for part in self._parts for name in _names(part))

    def __contains__(self, value: object) -> bool:
        """Whether a name is among them, or is checked elsewhere."""
        return not self._checked or value in tuple(self)


def _names(part: str) -> Iterable[str]:
    return resolve_name(f"classy_aesop.{part}") if ":" in part else (part,)
