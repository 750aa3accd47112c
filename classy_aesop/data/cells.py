"""Values of the cells of input rows: identifiers, numbers and what is missing."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

from classy_aesop.data.where import Where
from classy_aesop.errors import join_names

MISSING = frozenset({"", "-", "–", "—", "#n/a", "n/a", "na", "nan", "none", "null"})
"""Spellings of a missing number in a text table, in lower case."""

_LONGEST_MISSING = 20

LARGEST = 1e100
"""Largest score, so that sums of squares of many are finite."""

HALF = re.compile("[\ud800-\udfff]")
"""Half of a character that takes two code units in UTF-16; UTF-8 cannot encode it."""

Key = tuple[str, str, str, str]
"""Year, topic, task and summarizer."""

Row = tuple[Where, Mapping[str, Any]]
"""A row of a table, and where it was found."""


def instance_key(record: Mapping[str, Any], where: Where) -> Key:
    """Read a record's key: that of its topic, and the summarizer."""
    key = topic_key(record, where)
    return *key, read_identifier(
        require_field(record, where, "summarizer_id", "summarizer"), "summarizer_id", where
    )


def topic_key(record: Mapping[str, Any], where: Where) -> tuple[str, str, str]:
    """Read year, topic, task; ``instance_id`` is the topic, or ``topic-task`` if ``task``, -A or -B says so."""
    year = record.get("year")
    task = record.get("task")
    instance = record.get("instance_id")
    year = "" if year is None else read_identifier(year, "year", where, may_be_empty=True)
    task = None if task is None else read_identifier(task, "task", where, may_be_empty=True)
    topic = require_field(record, where, "instance_id", "topic") if instance is None else instance
    topic = read_identifier(topic, "instance_id", where)
    return (year, topic, task or "") if instance is None else (year, *split_instance(topic, task))


def split_instance(instance: str, task: str | None) -> tuple[str, str]:
    """Split an instance id into topic and task; without a known ``task``, by its ending ``-A`` or ``-B``."""
    if task is None:
        is_of_task = instance[-2:] in ("-A", "-B") and len(instance) > 2
        return (instance[:-2], instance[-1]) if is_of_task else (instance, "")
    return instance.removesuffix(f"-{task}") if task else instance, task


def require_field(record: Mapping[str, Any], where: Where, *names: str) -> Any:
    """Give the first of these fields that is present and not null; an error if none is."""
    for name in names:
        if (value := record.get(name)) is not None:
            return value
    raise where.error(f"no field {' or '.join(names)} among {join_names(record) or 'none'}")


def read_identifier(
    value: object, name: str, where: Where, *, may_be_empty: bool = False, is_cell: bool = False
) -> str:
    """Read an identifier as text, without outer white space; an error for anything else."""
    if isinstance(value, str) and ((stripped := value.strip()) or may_be_empty):
        if not value.isascii() and HALF.search(value):
            raise where.error(
                f"{name} is {format_value(value)}; expected whole characters, which can be written"
            )
        return stripped
    if not isinstance(value, bool) and isinstance(value, Integral):
        return str(int(value))
    if not is_cell:
        raise where.error(f"{name} is {format_value(value)}; expected text")
    if isinstance(value, bool) or is_missing(value) or not isinstance(value, Real | Decimal):
        value_text = "empty" if is_missing(value) or value == "" else format_value(value)
        raise where.error(f"{name} is {value_text}; expected text or a whole number")
    as_float = float(value)
    if abs(as_float) >= _MIN_INEXACT:
        raise where.error(f"{name} is {format_value(value)}, which may have lost digits; expected text")
    return str(int(as_float)) if as_float.is_integer() else repr(as_float)


_MIN_INEXACT = 2**53  # greater whole numbers may have lost digits as a float


def read_reference_field(record: Mapping[str, Any], where: Where) -> bool | None:
    """Read from ``summarizer_type`` whether a row's text is a reference; None without this field."""
    kind = record.get("summarizer_type")
    if kind not in (None, "peer", "reference"):
        raise where.error(f"summarizer_type is {format_value(kind)}; expected peer or reference")
    return None if kind is None else bool(kind == "reference")


def read_human_field(record: Mapping[str, Any], where: Where) -> bool | None:
    """Read from the field ``human`` whether a row's summarizer is human; None without this field."""
    human = record.get("human")
    if human is not None and not isinstance(human, bool):
        raise where.error(f"human is {format_value(human)}; expected true or false")
    return human


TRUTH_WORDS = {
    **dict.fromkeys(("true", "yes", "1", "1.0"), True),
    **dict.fromkeys(("false", "no", "0", "0.0"), False),
}


def read_truth_value(value: Any) -> Any:
    """Read ``yes``, ``false``, 0, 1 and the like as a truth value, a missing cell as None; leave anything else."""
    if is_missing(value):
        return None
    text = str(value).strip().lower()
    return None if is_missing_number(text) else TRUTH_WORDS.get(text, value)


def is_by_human(row: Mapping[str, Any], where: Where, marks: Iterable[str]) -> bool | None:
    """Whether the summarizer of a row is human, by its type or a column that marks humans; None if none says it."""
    reference = read_reference_field({"summarizer_type": row.get("summarizer_type") or None}, where)
    human = read_human_field({"human": read_truth_value(next(map(row.get, marks), None))}, where)
    return reference if human is None else bool(reference or human)


def read_number(value: object, name: str, where: Where, *, may_be_text: bool = False) -> float:
    """Read a score: a finite number, or NaN if missing; an error for anything else."""
    if type(value) is float and -LARGEST <= value <= LARGEST:  # nearly always, and fast
        return value
    if value is None or (may_be_text and isinstance(value, str) and is_missing_number(value)):
        return math.nan
    kinds = Real | Decimal | str if may_be_text else Real | Decimal
    has_odd_characters = isinstance(value, str) and (
        "_" in value or not value.isascii()
    )  # 1_000, full-width digits
    if isinstance(value, bool) or not isinstance(value, kinds) or has_odd_characters:
        raise where.error(f"{name} is {format_value(value)}; expected a number")
    try:
        result = float(value)
    except ValueError:
        raise where.error(f"{name} is {format_value(value)}; expected a number") from None
    except OverflowError:  # a whole number beyond 1.8e308
        result = math.inf
    if math.isinf(result) and not isinstance(value, Integral):
        raise where.error(f"{name} is infinite; expected a finite number")
    if abs(result) > LARGEST:
        raise where.error(
            f"{name} is {format_value(value)}; expected a number from -{LARGEST:g} to {LARGEST:g}"
        )
    return result


def is_missing_number(text: str) -> bool:
    """Whether the text of a cell marks a missing number."""
    return len(text) < _LONGEST_MISSING and text.strip().lower() in MISSING


def format_value(value: object) -> str:
    """Write a value for a message, cut to a readable length."""
    try:
        written = repr(value)
    except RecursionError:
        written = "nested too deeply to be shown"
    return written if len(written) <= 40 else written[:37] + "..."


def is_missing(value: object) -> bool:
    """Whether a cell is empty: None, NaN or NaT."""
    if value is None or isinstance(value, str | list | tuple | Mapping):
        return value is None
    try:
        return not bool(value == value)  # NaN and NaT differ from themselves; pandas.NA has no truth
    except TypeError:
        return True
