"""The line that makes a number repeatable: what was computed, with which options, by which version."""

from __future__ import annotations

import hashlib
import json
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


def digest(plain: object) -> str:
    """Give twelve digits that differ where plain data differ: a name for what is too long to be written out.

    Examples
    --------
    >>> digest({"names": ["r2", "su4"], "seed": 1}) == digest({"seed": 1, "names": ("r2", "su4")})
    True
    >>> digest({"names": ["r2"]}) == digest({"names": ["su4"]})
    False
    """
    written = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()[:12]


def _text(value: object) -> str:
    if isinstance(value, Iterable) and not isinstance(value, str):
        return "+".join(map(str, value)) or "none"
    return "none" if value is None else str(value)
