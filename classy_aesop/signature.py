"""The line that makes a number repeatable: what was computed, with which options, by which version."""

from __future__ import annotations

from collections.abc import Iterable

from classy_aesop.version import __version__


def signature(**parts: object) -> str:
    """Join names and values in the given order, and end with the version.

    Lists are joined with ``+``; an empty list and None become ``none``.

    Examples
    --------
    >>> signature(columns=["r2", "su4"], seed=7).rsplit("|", 1)[0]
    'columns:r2+su4|seed:7'
    """
    return joined(**parts, version=__version__)


def joined(**parts: object) -> str:
    """Join names and values as `signature` does, without the version."""
    return "|".join(f"{name}:{_text(value)}" for name, value in parts.items())


def _text(value: object) -> str:
    if isinstance(value, Iterable) and not isinstance(value, str):
        return "+".join(map(str, value)) or "none"
    return "none" if value is None else str(value)
