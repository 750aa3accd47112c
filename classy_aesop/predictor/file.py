"""The file of a predictor: JSON with a version and a checksum, checked when it is read; no code is run by it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from classy_aesop.errors import InputError
from classy_aesop.features.counts import FeatureOptions
from classy_aesop.formulas import FORMULAS, Formula
from classy_aesop.reading.byte_sources import read_text
from classy_aesop.text.sentence_splitting import SPLITTERS
from classy_aesop.work.files import atomic_file
from classy_aesop.work.records import TypedReader, from_json

Made = TypeVar("Made")

FORMAT = "classy_aesop predictor"
FORMAT_VERSION = 1

_NUMBERS = re.compile(r"\[\s+([-+.\deE,\s]+?)\s+\]")
"""A list of numbers over several lines, which is written in one."""

_READER = TypedReader(families={Formula: FORMULAS}, finite=True)


def write_body(body: Mapping[str, Any], path: str | Path) -> None:
    """Write what `Predictor.to_dict` gives with its checksum, whole or not at all."""
    with atomic_file(path) as stream:
        text = json.dumps({**body, "checksum": checksum(body)}, indent=2, ensure_ascii=False)
        stream.write(_NUMBERS.sub(lambda numbers: f"[{' '.join(numbers[1].split())}]", text) + "\n")


def read_body(path: str | Path, make: type[Made]) -> Made:
    """Read a predictor from a file, as `from_text`; errors name the path."""
    text = read_text(path)
    try:
        return from_text(text, make)
    except InputError as error:
        raise InputError(str(error), path=path) from None
    except RecursionError:
        raise InputError("is not valid JSON: it is nested too deeply", path=path) from None
    except ValueError as error:
        raise InputError(f"is not valid JSON: {error}", path=path) from None


def from_text(text: str, make: type[Made]) -> Made:
    """Check the text of a file and make a predictor of the class ``make`` from its fields."""
    body = from_json(text)
    if not isinstance(body, dict) or body.get("format") != FORMAT:
        raise InputError(f"is not a predictor: expected a JSON object with format = {FORMAT!r}")
    version = body.get("version")
    if version != FORMAT_VERSION or type(version) is not int:
        raise InputError(
            f"has version {str(version)[:40]}; expected {FORMAT_VERSION}: train the predictor again"
        )
    if body.pop("checksum", None) != checksum(body):
        raise InputError("does not match its checksum: it was changed or cut after it was written")
    fields = {key: value for key, value in body.items() if key not in ("format", "version", "signature")}
    features = asdict(_READER.build(_Options, {"features": fields.pop("features", None)}).features)
    return _READER.build(make, fields, extra_fields={"features": FeatureOptions.from_dict(features)})


@dataclass(frozen=True)
class _Features(FeatureOptions):
    splitter: str = SPLITTERS["rouge"]


@dataclass(frozen=True)
class _Options:
    """The options of the features, under their key."""

    features: _Features


def checksum(body: Mapping[str, Any]) -> str:
    """Give the checksum of a body without one."""
    plain = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(plain.encode()).hexdigest()
