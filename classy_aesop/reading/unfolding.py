"""Nested JSON and lists in cells, unfolded into flat rows.

Objects in lists become rows; objects that all have the same fields become rows with their name in the column ``key``;
other objects become columns. Lists of numbers in cells become a row a place.
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from classy_aesop.errors import InputError
from classy_aesop.reading.column_names import (
    MAX_EVIDENCE,
    are_measures,
    is_administration,
    rater_evidence,
    spell_name,
    strip_container,
    system_evidence,
    topic_evidence,
)
from classy_aesop.reading.judged_tables import MAX_SCALE_WORDS, JudgedTable
from classy_aesop.reading.word_scales import number_in, scale_of

FlatRow = dict[str, Any]
"""A row of cells by column, which may hold anything that JSON has."""

Rows = list[FlatRow]


MAX_LEVELS = 6


KEY = "key"


POSITION = "position"


LIST = "list"
"""The column of the names of several lists that became rows."""


ROW = "row"
HIDDEN = "\0"
"""Fields whose names begin with it are no columns."""

SOURCE_FIELD = f"{HIDDEN}place"
"""The field of a row that holds its place in the file."""

OBJECT_FIELD = f"{HIDDEN}object"
"""The fields of a row that number the objects which hold it, the outermost first."""


def find_records(document: Any, path: str, notes: list[str]) -> Rows:
    """Find the list of rows in a document.

    Parameters
    ----------
    document : object
        Parsed JSON.
    path : str
        The file, for messages.
    notes : list of str
        How the rows were found is added to it.

    Raises
    ------
    InputError
        If there are none.
    """
    if isinstance(document, list):
        if all(isinstance(record, dict) for record in document):
            return document
        raise InputError("a list of other things than objects; expected a list of rows", path=path)
    if not isinstance(document, dict):
        raise InputError("neither a list nor an object; expected a list of rows", path=path)
    lists = {name: value for name, value in document.items() if are_objects(value)}
    if len(document) > 1 and len(lists) == len(document) and not _is_known_list(lists):
        rows = []
        for name, value in lists.items():
            rows += [{KEY: name, **record} for record in value]
        notes.append(f"the names of the {len(lists)} lists are the column {KEY!r}")
        return rows
    if lists:
        name = max(lists, key=lambda field: len(lists[field]))
        constants = {
            key: value
            for key, value in document.items()
            if isinstance(value, str | int | float) and len(str(value)) < 100
        }
        notes.append(f"the rows are those of {name!r}")
        return [{**constants, **record} for record in lists[name]]
    if (
        len(document) > 1
        and all(isinstance(value, list) for value in document.values())
        and len({len(value) for value in document.values()}) == 1
    ):
        return [dict(zip(document, values, strict=True)) for values in zip(*document.values(), strict=True)]
    if len(document) == 1 and isinstance(inner := next(iter(document.values())), dict | list):
        return find_records(inner, path, notes)
    if _has_common_fields(list(document.values())):
        notes.append(f"the names of the {len(document)} objects are the column {KEY!r}")
        return [{KEY: name, **value} for name, value in document.items()]
    return [document]


def _is_known_list(lists: Mapping[str, Any]) -> bool:
    return bool({"results", "rows", "data", "records", "samples", "instances", "annotations"} & {*lists})


def are_objects(value: Any) -> bool:
    """Whether a value is a list of objects, at least one."""
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _has_common_fields(values: Sequence[Any]) -> bool:
    """Whether values are two objects or more that share most of their fields."""
    objects = [value for value in values if isinstance(value, dict) and value]
    if len(objects) < 2 or len(objects) < len(values):
        return False
    fields = [set(record) for record in objects]
    common = set.intersection(*fields[:200])
    nested = all(isinstance(inner, dict) for record in objects[:50] for inner in record.values())
    return len(common) >= max(map(len, fields)) / 2 or (
        nested and _has_common_fields([inner for record in objects[:50] for inner in record.values()])
    )


def unfold(rows: Rows, notes: list[str], outer: set[str], objects: dict[str, str]) -> Rows:
    """Turn nested rows into flat ones.

    Parameters
    ----------
    rows : list of dict
        Rows whose cells may be objects, or lists of them.
    notes : list of str
        Gets a note on each change of the rows.
    outer : set of str
        Gets the names of fields that are repeated for each item of a list.
    objects : dict of str to str
        Gets, by the name of each field that is repeated for several rows, the field that numbers its objects.
    """
    for level in range(MAX_LEVELS):
        fields = _keyed_fields(rows)
        if fields:
            rows = _number_objects(rows, fields, level, objects)
            rows = _melt_objects(rows, fields, level, notes)
            continue
        names = dict.fromkeys(name for row in rows for name, value in row.items() if isinstance(value, dict))
        keyed = [name for name in names if _holds_similar_objects(rows, name)]
        if keyed:
            rows = _number_objects(rows, keyed[:1], level, objects)
            rows = _melt_field(rows, keyed[0], notes)
            continue
        lists = [
            name
            for name in dict.fromkeys(name for row in rows for name in row)
            if any(are_objects(row.get(name)) for row in rows)
        ]
        scored = [name for name in lists if _hold_scores([row.get(name) for row in rows])]
        pairs = [name for name in lists if name not in scored and _are_pairs(rows, name)]
        if pairs:
            rows = _number_sides(rows, pairs, notes)
            continue
        if scored:
            outer |= {name for row in rows for name in row if name not in scored}
            rows = _number_objects(rows, scored, level, objects)
            rows = _explode_objects(rows, scored, notes)
            continue
        if not names:
            break
        rows = _flatten_objects(rows, objects)
    return _short_names(rows, outer, objects)


def _number_objects(rows: Rows, unfolded: Collection[str], level: int, objects: dict[str, str]) -> Rows:
    """Number rows that are to be unfolded, and note which of their fields will then be repeated."""
    field = f"{OBJECT_FIELD}{level}"
    for name in dict.fromkeys(name for row in rows for name in row):
        if name not in unfolded and not name.startswith(HIDDEN):
            objects.setdefault(name, field)
    return [{**row, field: number} for number, row in enumerate(rows)]


MAX_SAMPLED_ROWS = 50


def _hold_scores(lists: Sequence[Any]) -> bool:
    """Whether objects in lists hold numbers or words of a known scale that are no names, or further lists."""
    items = [item for cell in lists[:MAX_SAMPLED_ROWS] if are_objects(cell) for item in cell]
    values: dict[str, list[Any]] = {}
    for item in items:
        for name, value in item.items():
            if value is not None:
                values.setdefault(name, []).append(value)
    for name, cells in values.items():
        if any(isinstance(cell, list | dict) and cell for cell in cells):
            return True
        if topic_evidence(name) > 1 or rater_evidence(name) > 1 or is_administration(name):
            continue
        words = {str(cell) for cell in cells}
        if all(number_in(cell) is not None for cell in cells) or scale_of(sorted(words)[:MAX_SCALE_WORDS]):
            return True
    return False


def _are_pairs(rows: Rows, name: str) -> bool:
    """Whether lists of a field hold two flat objects each, as the two sides of a comparison."""
    lists = [row[name] for row in rows if row.get(name)]
    return all(
        are_objects(pair)
        and len(pair) == 2
        and not any(isinstance(cell, list | dict) for item in pair for cell in item.values())
        for pair in lists
    )


def _number_sides(rows: Rows, fields: Sequence[str], notes: list[str]) -> Rows:
    """Make columns of the two objects in lists: ``policy_1``, ``policy_2``."""
    notes.append(f"the two objects in {', '.join(map(repr, fields))} became columns that end with _1 and _2")
    numbered = []
    for row in rows:
        cells = {name: value for name, value in row.items() if name not in fields}
        for field in fields:
            for number, item in enumerate(row.get(field) or (), 1):
                cells |= {
                    f"{name}_{number}" if f"{name}_{number}" not in row else f"{field}.{name}_{number}": value
                    for name, value in item.items()
                }
        numbered.append(cells)
    return numbered


def _keyed_fields(rows: Rows) -> list[str]:
    """Find fields of rows that are objects of the same form, such as one for each system, or each rater."""
    forms: dict[frozenset[str], dict[str, None]] = {}
    counts: Counter[frozenset[str]] = Counter()
    for row in rows[:200]:
        of_row = Counter(_field_names(value) for value in row.values() if isinstance(value, dict) and value)
        for name, value in row.items():
            if isinstance(value, dict) and of_row[_field_names(value)] > 1:
                forms.setdefault(_field_names(value), {})[name] = None
        counts.update({form for form, n_fields in of_row.items() if n_fields > 1})
    if not counts:
        return []
    form, n_rows = counts.most_common(1)[0]
    if n_rows < min(len(rows), 200) / 2:
        return []
    names = forms[form]
    if are_measures([*names]):
        return []
    return [
        *names,
        *dict.fromkeys(
            name
            for row in rows[200:]
            for name, value in row.items()
            if name not in names and isinstance(value, dict) and _field_names(value) == form
        ),
    ]


def _field_names(value: Mapping[str, Any]) -> frozenset[str]:
    """Give the names of an object's fields, those that hold objects marked as such."""
    return frozenset(f"{name}{{}}" if isinstance(cell, dict) else name for name, cell in value.items())


def _position_name(names: Iterable[str]) -> str:
    """Give a name that no column has yet for the places in a list."""
    used = {*names}
    return next(
        name for name in (POSITION, *(f"{POSITION}{number}" for number in range(2, 20))) if name not in used
    )


def _key_name(rows: Rows) -> str:
    names = {name for row in rows[:20] for name in row}
    return next(name for name in (KEY, *(f"{KEY}{number}" for number in range(2, 20))) if name not in names)


def _melt_objects(rows: Rows, fields: Sequence[str], level: int, notes: list[str]) -> Rows:
    key = _key_name(rows)
    notes.append(
        f"{', '.join(fields[:4])}{', ...' if len(fields) > 4 else ''} became rows; their names are the column {key!r}"
    )
    melted = []
    for row in rows:
        constants = {name: value for name, value in row.items() if name not in fields}
        for name in fields:
            if isinstance(row.get(name), dict):
                melted.append({**constants, key: name, **_rename_clashing(row[name], constants)})
    return melted


def _rename_clashing(inner: Mapping[str, Any], constants: Mapping[str, Any]) -> FlatRow:
    """Give inner fields, those of a name that the row has already under another name."""
    return {(name if name not in constants else f"inner.{name}"): value for name, value in inner.items()}


def _holds_similar_objects(rows: Rows, name: str) -> bool:
    values = [row[name] for row in rows[:50] if isinstance(row.get(name), dict)]
    inner = [value for record in values for value in record.values()]
    names = list(dict.fromkeys(name for record in values for name in record))
    is_record_of_several = any(len(record) > 1 for record in values)
    return is_record_of_several and _has_common_fields(inner) and not are_measures(names)


def _melt_field(rows: Rows, field: str, notes: list[str]) -> Rows:
    key = _key_name(rows) if spell_name(field) in ("data", "scores", "values") else f"{field}_name"
    notes.append(f"the objects in {field!r} became rows; their names are the column {key!r}")
    melted = []
    for row in rows:
        constants = {name: value for name, value in row.items() if name != field}
        inner = row.get(field)
        for name, value in inner.items() if isinstance(inner, dict) else ():
            melted.append({**constants, key: name, **_rename_clashing(value, constants)})
    return melted


def _explode_objects(rows: Rows, fields: Sequence[str], notes: list[str]) -> Rows:
    """Make a row of each object in lists; if there are several lists, their names are a column too."""
    notes.append(f"the objects in {', '.join(map(repr, fields))} became rows")
    position = _position_name(name for row in rows for name in row)
    exploded = []
    for row in rows:
        constants = {name: value for name, value in row.items() if name not in fields}
        for field in fields:
            of_list = {LIST: field} if len(fields) > 1 else {}
            inner = row.get(field)
            items = inner if isinstance(inner, list) and are_objects(inner) else []
            for number, item in enumerate(items, 1):
                place = f"{field} {number}" if len(fields) > 1 else number
                exploded.append(
                    {**constants, **of_list, position: place, **_rename_clashing(item, constants)}
                )
    return exploded


def _flatten_objects(rows: Rows, objects: dict[str, str]) -> Rows:
    flat = []
    for row in rows:
        cells: FlatRow = {}
        for name, value in row.items():
            if isinstance(value, dict):
                cells |= {f"{name}.{field}": cell for field, cell in value.items()}
                if name in objects:
                    objects |= {f"{name}.{field}": objects[name] for field in value}
            else:
                cells[name] = value
        flat.append(cells)
    return flat


def _short_names(rows: Rows, outer: set[str], objects: dict[str, str]) -> Rows:
    """Strip containers from names (``scores.fluency``) where no other column has the name then."""
    names = dict.fromkeys(name for row in rows for name in row)
    short = {name: strip_container(name) for name in names}
    counts = Counter(short.values())
    new = {name: shortened if counts[shortened] == 1 else name for name, shortened in short.items()}
    if all(name == shortened for name, shortened in new.items()):
        return rows
    renamed = {new[name] for name in outer if name in new}
    outer.clear()
    outer |= renamed
    numbers = {new[name]: field for name, field in objects.items() if name in new}
    objects.clear()
    objects |= numbers
    return [{new[name]: value for name, value in row.items()} for row in rows]


def _parse_cell(cell: Any) -> Any:
    if isinstance(cell, str) and cell[:1] in "[{" and cell[-1:] in "]}":
        for read in (json.loads, ast.literal_eval):
            with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
                value = read(cell)
                if isinstance(value, list | dict):
                    return value
    return cell


def explode_lists(table: JudgedTable) -> JudgedTable:
    """Make a row of each place of lists of numbers, and of the lists of names or texts beside them."""
    for level in range(2):
        exploded = _explode_lists_once(table, has_rows=level > 0)
        if exploded is table:
            break
        table = exploded
    return table


def _explode_lists_once(table: JudgedTable, *, has_rows: bool) -> JudgedTable:
    """Unfold one level of lists; ``has_rows`` says that the rows before are numbered in a column already."""
    position = _position_name(table.columns)
    lists: dict[str, list[Any]] = {}
    for name, column in table.columns.items():
        first = next((cell for cell in column.cells if cell is not None), None)
        if isinstance(first, list | dict) or (isinstance(first, str) and first[:1] in "[{"):
            cells = [_parse_cell(cell) for cell in column.cells]
            if all(cell is None or isinstance(cell, list) for cell in cells) and any(cells):
                lists[name] = cells
    n_items = {name: [len(cell or ()) for cell in cells] for name, cells in lists.items()}
    scored = [name for name, cells in lists.items() if _all_numbers(cells)]
    if not scored:
        return table
    lengths = n_items[scored[0]]
    parallel = [
        name for name in lists if n_items[name] == lengths and (name in scored or _all_words(lists[name]))
    ]
    texts = [name for name in parallel if name not in scored]
    names_systems = bool(table.keys) or any(
        system_evidence(name) == MAX_EVIDENCE and column.n_distinct > 1
        for name, column in table.columns.items()
    )
    are_systems = not names_systems and any(_are_long(lists[name]) for name in texts)
    old_rows = np.repeat(np.arange(table.n_rows), lengths)
    objects = {
        name: table.objects[name][old_rows] if name in table.objects else old_rows
        for name in table.columns
        if name not in parallel
    }
    rows = []
    for number, (where, row) in enumerate(zip(table.places, table.rows(), strict=True)):
        of_row = {ROW: number + 1} if are_systems and not has_rows else {}
        for place in range(lengths[number]):
            items = {name: lists[name][number][place] for name in parallel}
            rows.append((where, {**row, **of_row, position: place + 1, **items}))
    note = f"lists in {', '.join(parallel)} became rows; the place in them is the column {position!r}"
    return JudgedTable.from_rows(
        table.name,
        rows,
        source=table.source,
        notes=(*table.notes, note),
        keys=(*table.keys, *((ROW,) if are_systems else ())),
        places_of_systems=(*table.places_of_systems, *((position,) if are_systems else ())),
        other_sheets=table.other_sheets,
        objects=objects,
    )


def _are_long(cells: Sequence[Any]) -> bool:
    """Whether lists hold texts of several words."""
    return any(value.count(" ") > 2 for cell in cells[:20] for value in cell or ())


def _all_numbers(cells: Sequence[Any]) -> bool:
    values = [value for cell in cells for value in cell or ()]
    values = [inner for value in values for inner in (value if isinstance(value, list) else [value])]
    return bool(values) and all(
        value is None or (isinstance(value, int | float | str) and number_in(value) is not None)
        for value in values
    )


def _all_words(cells: Sequence[Any]) -> bool:
    return all(isinstance(value, str) for cell in cells for value in cell or ())
