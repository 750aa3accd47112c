"""JSON text to plain values: by msgspec, or by Python's own reader for what only Python writes (NaN, Infinity)."""

from __future__ import annotations

import json
from typing import Any

import msgspec

_decode = msgspec.json.Decoder().decode

MOST_DIGITS = 1000
"""Digits of the longest whole number that is read; one of 309 digits no longer fits a score."""


def from_json(text: str) -> Any:
    """Read one value.

    Raises
    ------
    ValueError
        No JSON, a lone surrogate (half a character), a whole number longer than `MOST_DIGITS`, or brackets nested too
        deeply to be read.

    Examples
    --------
    >>> from_json('{"score": NaN, "of": [1, 2.5]}')
    {'score': nan, 'of': [1, 2.5]}
    """
    try:
        return _decode(text)
    except (msgspec.DecodeError, RecursionError):
        return _without_lone_surrogates(json_of_python(text))


def json_of_python(text: str) -> Any:
    """Read one value as Python does, with NaN, infinite numbers and lone surrogates.

    Raises
    ------
    ValueError
        As `from_json`, but for surrogates.
    """
    try:
        return json.loads(text, parse_int=_whole)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _without_lone_surrogates(value: Any) -> Any:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise ValueError(f"half a character, U+{ord(half):04X}, a surrogate without the other") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return value


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a whole number of {len(digits)} digits")
    return int(digits)
