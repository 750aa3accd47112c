"""The file of a predictor: JSON with a version and a checksum, checked when it is read; no code is run by it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from classy_aesop.errors import InputError
from classy_aesop.features.options import FeatureOptions
from classy_aesop.files import whole_file
from classy_aesop.formulas import Trees
from classy_aesop.predictor.calibration import Calibration
from classy_aesop.predictor.training_range import TrainingRange

Made = TypeVar("Made")

FORMAT = "classy_aesop predictor"
VERSION = 2
READ = (1, 2)
"""Versions that are read: the first had no ranges of training and no calibration."""


def write_body(body: Mapping[str, Any], path: str | Path) -> None:
    """Write what `Predictor.to_dict` gives with its checksum, whole or not at all."""
    with whole_file(path) as stream:
        json.dump({**body, "checksum": checksum(body)}, stream, indent=2, ensure_ascii=False)
        stream.write("\n")


def read_body(path: str | Path, make: Callable[..., Made]) -> Made:
    """Read a file and make of its fields what is made of them; see `from_body`.

    Raises
    ------
    InputError
        No JSON, or as `from_body`; with the path.
    """
    try:
        return from_body(json.loads(Path(path).read_text(encoding="utf-8")), make)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is not valid JSON: {error}", path=path) from None
    except InputError as error:
        raise InputError(str(error), path=path) from None


def from_body(body: object, make: Callable[..., Made]) -> Made:
    """Check what a file holds and make of its fields, by name, what is made of them: a `Predictor`.

    Raises
    ------
    InputError
        Not a predictor, another version, or changed after it was written (checksum).
    """
    if not isinstance(body, dict) or body.get("format") != FORMAT:
        raise InputError(f"is no predictor: expected a JSON object with format = {FORMAT!r}")
    if body.get("version") not in READ:
        raise InputError(f"has version {body.get('version')!r}; expected {' or '.join(map(str, READ))}")
    body = dict(body)
    if body.pop("checksum", None) != checksum(body):
        raise InputError("does not match its checksum: it was changed or cut after it was written")
    for key in ("format", "version", "signature"):
        body.pop(key)
    try:
        return make(**_typed(body))
    except (AttributeError, KeyError, TypeError) as error:
        raise InputError(f"lacks or misnames a field: {error}") from None
    except ValueError as error:
        raise InputError(f"holds a tree that cannot be read: {error}") from None


def _typed(body: dict[str, Any]) -> dict[str, Any]:
    """Turn the lists and objects of JSON into what the fields hold."""
    body["references"] = {kind: tuple(counts) for kind, counts in body["references"].items()}
    tuples = {key: tuple(body.pop(key)) for key in ("columns", "weights")}
    tuples["imported"] = tuple(body.pop("imported", ()))
    if "trees" in body:
        body["trees"] = Trees.from_dict(body["trees"], len(tuples["columns"]))
    for key, kind in (("seen", TrainingRange), ("calibration", Calibration)):
        body[key] = kind.from_dict(body[key]) if body.get(key) else None
    return {**body, **tuples, "features": FeatureOptions.from_dict(body["features"])}


def checksum(body: Mapping[str, Any]) -> str:
    """Give the checksum of a body without one."""
    plain = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(plain.encode()).hexdigest()
