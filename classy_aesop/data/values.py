"""Values of the cells of input rows: identifiers, numbers and what is missing; and what a column of them holds."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from numbers import Integral, Real
from typing import Any

from classy_aesop.data.sources import Where
from classy_aesop.errors import InputError, UsageError, listed

MISSING = frozenset({"", "-", "#n/a", "n/a", "na", "nan", "none", "null"})
"""Spellings of a missing number in a text table, in lower case."""

_LONGEST_MISSING = 20

LARGEST = 1e100
"""Largest score, so that sums of squares of many are finite."""

HALF = re.compile("[\ud800-\udfff]")
"""Half of a character that takes two code units in UTF-16; UTF-8 cannot encode it."""

Key = tuple[str, str, str, str]
"""Year, topic, task and summarizer."""

Row = tuple[Where, dict[str, Any]]
"""A row of a table, and where it was found."""


def instance_key(record: Mapping[str, Any], where: Where, year: str = "") -> Key:
    """Read a record's key: that of its topic, and the summarizer."""
    key = topic_key(record, where, year)
    return *key, identifier(required(record, where, "summarizer_id", "summarizer"), "summarizer_id", where)


def topic_key(record: Mapping[str, Any], where: Where, year: str = "") -> tuple[str, str, str]:
    """Read year, topic, task; ``instance_id`` is the topic, or ``topic-task`` if ``task``, -A or -B says so."""
    row_year, task, instance = record.get("year"), record.get("task"), record.get("instance_id")
    year = year if row_year is None else identifier(row_year, "year", where, empty=True)
    task = None if task is None else identifier(task, "task", where, empty=True)
    topic = required(record, where, "instance_id", "topic") if instance is None else instance
    topic = identifier(topic, "instance_id", where)
    return (year, topic, task or "") if instance is None else (year, *split_instance(topic, task))


def split_instance(instance: str, task: str | None) -> tuple[str, str]:
    """Give the topic and the task of an instance id; the task may be known already."""
    if task is None:
        is_of_task = instance[-2:] in ("-A", "-B") and len(instance) > 2
        return (instance[:-2], instance[-1]) if is_of_task else (instance, "")
    return instance.removesuffix(f"-{task}") if task else instance, task


def required(record: Mapping[str, Any], where: Where, *names: str) -> Any:
    """Give the first of these fields that is present and not null."""
    for name in names:
        if (value := record.get(name)) is not None:
            return value
    raise where.error(f"no field {' or '.join(names)} among {listed(record) or 'none'}")


def identifier(value: object, name: str, where: Where, *, empty: bool = False, cell: bool = False) -> str:
    """Give an identifier as text, without outer white space; it is text or a whole number, or any in a ``cell``."""
    if isinstance(value, str) and ((stripped := value.strip()) or empty):
        if not value.isascii() and HALF.search(value):
            raise where.error(f"{name} is {shown(value)}; expected whole characters, which can be written")
        return stripped
    if not isinstance(value, bool) and isinstance(value, Integral):
        return str(int(value))
    if not cell:
        raise where.error(f"{name} is {shown(value)}; expected text")
    if isinstance(value, bool) or is_missing(value) or not isinstance(value, Real | Decimal):
        found = "empty" if is_missing(value) or value == "" else shown(value)
        raise where.error(f"{name} is {found}; expected text or a whole number")
    size = float(value)
    if abs(size) >= _EXACT:
        raise where.error(f"{name} is {shown(value)}, which may have lost digits; expected text")
    return str(int(size)) if size.is_integer() else repr(size)


_EXACT = 2**53  # greater whole numbers may have lost digits as a float


def reference_field(record: Mapping[str, Any], where: Where) -> bool | None:
    """Whether a row's text is a reference by its ``summarizer_type``; None without this field."""
    kind = record.get("summarizer_type")
    if kind not in (None, "peer", "reference"):
        raise where.error(f"summarizer_type is {shown(kind)}; expected peer or reference")
    return None if kind is None else bool(kind == "reference")


def human_field(record: Mapping[str, Any], where: Where) -> bool | None:
    """Whether a row's summarizer is human by its field ``human``; None without this field."""
    human = record.get("human")
    if human is not None and not isinstance(human, bool):
        raise where.error(f"human is {shown(human)}; expected true or false")
    return human


_TRUTH = {
    **dict.fromkeys(("true", "yes", "1", "1.0"), True),
    **dict.fromkeys(("false", "no", "0", "0.0"), False),
}


def truth(value: Any) -> Any:
    """Read a truth value that is written as text or as 0 or 1; a missing one is None, and anything else as it is."""
    if is_missing(value):
        return None
    text = str(value).strip().lower()
    return None if is_missing_number(text) else _TRUTH.get(text, value)


def is_by_human(row: Mapping[str, Any], where: Where, marks: Iterable[str]) -> bool | None:
    """Whether the summarizer of a row is human, by its type or a column that marks humans; None if none says it."""
    reference = reference_field({"summarizer_type": row.get("summarizer_type") or None}, where)
    human = human_field({"human": truth(next(map(row.get, marks), None))}, where)
    return reference if human is None else bool(reference or human)


def number(value: object, name: str, where: Where, *, text: bool = False) -> float:
    """Check a score: a finite number, or NaN if missing; with ``text`` it may be written as text."""
    if type(value) is float and -LARGEST <= value <= LARGEST:  # nearly always, and fast
        return value
    if value is None or (text and isinstance(value, str) and is_missing_number(value)):
        return math.nan
    kinds = Real | Decimal | str if text else Real | Decimal
    is_odd = isinstance(value, str) and ("_" in value or not value.isascii())  # 1_000, full-width digits
    if isinstance(value, bool) or not isinstance(value, kinds) or is_odd:
        raise where.error(f"{name} is {shown(value)}; expected a number")
    try:
        result = float(value)
    except ValueError:
        raise where.error(f"{name} is {shown(value)}; expected a number") from None
    except OverflowError:  # a whole number beyond 1.8e308
        result = math.inf
    if math.isinf(result) and not isinstance(value, Integral):
        raise where.error(f"{name} is infinite; expected a finite number")
    if abs(result) > LARGEST:
        raise where.error(f"{name} is {shown(value)}; expected a number from -{LARGEST:g} to {LARGEST:g}")
    return result


def is_missing_number(text: str) -> bool:
    """Whether the text of a cell marks a missing number."""
    return len(text) < _LONGEST_MISSING and text.strip().lower() in MISSING


def shown(value: object) -> str:
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


_COMMA = re.compile(r"[+-]?(?:[0-9]*|[1-9][0-9]{0,2}(?:\.[0-9]{3})+),[0-9]+")
"""A number with a comma, which may separate decimals or, in `_THOUSANDS`, thousands."""

_THOUSANDS = re.compile(r"[+-]?(?!0[.,])[0-9]{1,3}[.,][0-9]{3}")

_SHORT = 30

_STRANGE = 0.1
"""Largest share of cells (at least one) without a number in a column of numbers; they are refused one by one."""

_FEW = 20
_LONGEST_SCALE = 100


@dataclass(frozen=True)
class Kind:
    """What a column holds: ``numbers``, ``nothing``, ``text``, ``mixed`` (numbers, but for some cells) or ``places``
    (whole numbers beyond those of a scale, each once, as of rows).

    ``strange`` is the first cell without a number among numbers, and ``missing`` has a word for each missing number. A
    comma or point in text is ``decimal``, ``either`` (it may as well be of thousands), or, by other columns,
    ``thousands`` or ``unclear``. A scale has numbers other than 0 and 1 (who is human).
    """

    kind: str
    strange: tuple[Where, Any] | None = None
    missing: tuple[str, ...] = ()
    comma: str = ""
    point: str = ""
    has_numbers: bool = False
    is_scale: bool = False

    @classmethod
    def of(cls, cells: Iterable[tuple[Where, Any]], *, written: bool = False) -> Kind:
        """Look through the cells of a column; with ``written`` a number may be written as text."""
        found: dict[str, list[Any]] = {"text": [], "comma": [], "numbers": [], "nothing": []}
        first: dict[str, tuple[Where, Any]] = {}
        for where, value in cells:
            kind = _kind(value, written)
            found[kind].append(value)
            first.setdefault(kind, (where, value))
        numbers, n_texts = found["numbers"], len(found["text"])
        n_numbers = len(numbers) + len(found["comma"])
        if not n_numbers:
            return cls("text" if n_texts else "nothing", has_numbers=not n_texts)
        comma = _mark(found["comma"])
        point = _mark([value for value in numbers if isinstance(value, str) and "." in value])
        if comma == "decimal" and any(
            "." in str(value) for value in numbers if not isinstance(value, str) or point == "decimal"
        ):
            comma = "unclear"
        strange = first.get("text") or (None if comma == "decimal" else first.get("comma"))
        missing = tuple(value.strip() for value in found["nothing"] if isinstance(value, str) and value)
        few = max(1 if n_numbers > 1 else 0, _STRANGE * (n_numbers + n_texts))
        kind = "numbers" if strange is None else "mixed" if n_texts <= few else "text"
        if kind == "numbers" and not comma and _only_tell_apart(numbers):
            kind = "places"
        has_numbers = kind != "text" or bool(numbers) or comma == "decimal"
        is_scale = any(str(value).strip() not in _TRUTH for value in (*numbers, *found["comma"]))
        return cls(kind, strange, missing, comma, point, has_numbers, is_scale)

    def plain(self, text: str, name: str, where: Where) -> str:
        """Write a number of this column with a decimal point and without marks of thousands; anything else stays."""
        known = text.strip()
        if self.point == "unclear" and _THOUSANDS.fullmatch(known):
            raise where.error(
                f"{name} is {shown(text)}, and others have decimal commas and decimal points; expected one of the two"
            )
        if self.comma == "decimal" and _COMMA.fullmatch(known):
            return known.replace(".", "").replace(",", ".")
        is_grouped = self.point == "thousands" and _THOUSANDS.fullmatch(known)
        return known.replace(".", "") if is_grouped else text


def _mark(numbers: Sequence[str]) -> str:
    """Say whether the commas, or the points, of a column can only be decimal: 1,234 may be a thousand."""
    if not numbers:
        return ""
    return "either" if all(_THOUSANDS.fullmatch(one.strip()) for one in numbers) else "decimal"


def kinds_of(rows: Sequence[Row], columns: Iterable[str], *, written: bool = False) -> dict[str, Kind]:
    """Give the kind of each column of a table."""
    return {
        name: Kind.of(((where, row[name]) for where, row in rows if name in row), written=written)
        for name in columns
    }


def settled(kinds: Mapping[str, Kind]) -> dict[str, Kind]:
    """Give the kinds of columns of numbers, whose marks the others decide: of one file all decimals are alike."""
    if not any(one.comma == "decimal" for one in kinds.values()):
        return dict(kinds)
    point = "unclear" if any(one.point == "decimal" for one in kinds.values()) else "thousands"
    return {
        name: replace(
            one,
            comma="decimal" if one.comma == "either" and point == "thousands" else one.comma,
            point=point if one.point == "either" else one.point,
        )
        for name, one in kinds.items()
    }


def _only_tell_apart(values: Sequence[Any]) -> bool:
    """Whether numbers are whole, never equal, and beyond any scale: identifiers, not judgments."""
    if len(values) < _FEW or any(isinstance(value, list | tuple | Mapping) for value in values):
        return False
    numbers = [float(value) for value in values]
    return (
        max(numbers) > _LONGEST_SCALE
        and len(set(numbers)) == len(numbers)
        and all(number.is_integer() for number in numbers)
    )


_DEEPEST = 10
"""Most levels of nested named numbers; deeper ones hold no measures."""


def _kind(value: Any, written: bool, level: int = 0) -> str:
    if isinstance(value, str):
        return (_kind_of_short if len(value) < _SHORT else _kind_of_text)(value, written)
    if isinstance(value, bool):
        return "text"
    if isinstance(value, Real | Decimal):
        return "nothing" if value != value else "numbers"
    if isinstance(value, list | tuple | Mapping):
        if level == _DEEPEST:
            return "text"
        items = value.values() if isinstance(value, Mapping) else value
        kinds = {_kind(item, False, level + 1) for item in items}
        return "text" if "text" in kinds else "numbers" if "numbers" in kinds else "nothing"
    return "nothing" if is_missing(value) else "text"


def _kind_of_text(text: str, written: bool) -> str:
    if is_missing_number(text):
        return "nothing"
    if written and _COMMA.fullmatch(text.strip()):
        return "comma"
    try:
        return "numbers" if written and math.isfinite(float(text)) else "text"
    except ValueError:
        return "text"


_kind_of_short = lru_cache(2**14)(_kind_of_text)  # numbers are short, and the same ones come again


# --- tables in memory ---


def rows_of(table: object) -> Iterator[Row]:
    """Give the rows of a table in memory; names of columns become text, arrays lists, missing cells None."""
    if hasattr(table, "notna") and hasattr(table, "to_dict"):
        table = _rows_of_frame(table)
    elif isinstance(table, Mapping):
        table = _rows_of_columns(table)
    if isinstance(table, str | bytes) or not isinstance(table, Iterable):
        raise UsageError(f"rows are {shown(table)}; expected a table, or an iterable of dictionaries")
    for at, row in enumerate(table, 1):
        where = Where(line=at)
        if not isinstance(row, Mapping):
            raise where.error(f"found {shown(row)}; expected named fields")
        cells = {
            str(name): value.tolist() if hasattr(value, "tolist") and hasattr(value, "dtype") else value
            for name, value in row.items()
        }
        yield where, {name: None if is_missing(value) else value for name, value in cells.items()}


def _rows_of_frame(frame: Any) -> object:
    """Give the rows of a DataFrame of pandas; a named index is a column."""
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    names = frame.columns.map(str)
    if not names.is_unique:
        again = dict.fromkeys(names[names.duplicated()])
        raise InputError(f"columns {listed(again)} appear twice")
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


def _rows_of_columns(table: Mapping[Any, Any]) -> Iterator[dict[str, Any]]:
    if any(hasattr(column, "column_names") for column in table.values()):
        raise UsageError(f"rows are a dictionary of the splits {listed(table)}; expected one of them")
    wrong = [
        name for name, column in table.items() if isinstance(column, str) or not hasattr(column, "__len__")
    ]
    if wrong:
        raise InputError(f"column {listed(wrong)} is {shown(table[wrong[0]])}; expected a list of values")
    check_lengths(table)
    return (dict(zip(map(str, table), row, strict=True)) for row in zip(*table.values(), strict=True))


def check_lengths(columns: Mapping[Any, Sequence[object]], path: str | None = None) -> None:
    """Refuse columns of different lengths."""
    if len({len(column) for column in columns.values()}) > 1:
        lengths = listed((f"{name} has {len(column)}" for name, column in columns.items()), most=20)
        raise InputError(f"columns differ in length: {lengths}", path=path)
