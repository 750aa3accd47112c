"""Nested JSON and lists in cells, unfolded into flat rows by one step: a row becomes one for each of its children.

Objects in lists are children named by their place, objects of one form by their key; other objects become columns.
"""

from __future__ import annotations

import ast
import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, count
from typing import Any

import numpy as np

from classy_aesop.data.cells import Row
from classy_aesop.errors import InputError, join_names
from classy_aesop.reading.column_names import (
    ERRORS,
    SCORES,
    SURE,
    are_measures,
    group_numbered,
    is_administration,
    is_computed,
    is_measure,
    rater_evidence,
    spell,
    strip_container,
    system_evidence,
    topic_evidence,
    words_of,
)
from classy_aesop.reading.columns import LEFT_OUT, MAX_NAME_CHARACTERS, Table, TableColumn
from classy_aesop.reading.memory_tables import records_of_pandas
from classy_aesop.reading.votes import are_votes, find_pairs, may_be_votes, names_in_pairs, side_pairs
from classy_aesop.reading.written_cells import number_in

MAX_LEVELS = 6
SAMPLE = 200
KNOWN_LISTS = {"results", "rows", "data", "records", "samples", "instances", "annotations"}
JsonObject = dict[str, Any]
"""An object of JSON: its fields by name."""
Children = Iterable[tuple[JsonObject, JsonObject]]
"""The children of a row: what names each, and its fields."""


def are_objects(value: Any) -> bool:
    """Whether a value is a list of objects, at least one."""
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def plain_fields(record: Mapping[str, Any]) -> JsonObject:
    """Give the fields of a record that hold a text or a number."""
    return {name: value for name, value in record.items() if isinstance(value, str | int | float)}


def find_records(document: Any, path: str, notes: list[str]) -> list[JsonObject]:
    """Find the list of rows in a document."""
    if isinstance(document, list) and all(isinstance(record, dict) for record in document):
        return document
    if rows := records_of_pandas(document):
        return rows
    if not isinstance(document, dict):
        raise InputError("neither a list of objects nor an object; expected a list of rows", path=path)
    values = [*document.values()]
    lists = {name: value for name, value in document.items() if are_objects(value)}
    of_lists = [name for name, value in document.items() if _holds_lists_of_objects(value)]
    if len(of_lists) == 1 and not lists:
        notes.append(f"the rows are those of {of_lists[0]!r}")
        return find_records(document[of_lists[0]], path, notes)
    are_all_lists = 1 < len(document) == len(lists) and not KNOWN_LISTS & {*lists}
    if are_all_lists or _have_common_fields(values):
        kind = "lists" if are_all_lists else "objects"
        notes.append(f"the names of the {len(document)} {kind} are the column 'key'")
        groups = lists or {name: [value] for name, value in document.items()}
        return [{"key": name, **record} for name, records in groups.items() for record in records]
    if lists:
        name = max(lists, key=lambda field: len(lists[field]))
        notes.append(f"the rows are those of {name!r}")
        constants = plain_fields(document)
        return [{**constants, **record} for record in lists[name]]
    if len(document) == 1 and isinstance(values[0], dict | list):
        return find_records(values[0], path, notes)
    if all(isinstance(column, list) for column in values) and len({*map(len, values)}) == 1:
        return [dict(zip(document, cells, strict=True)) for cells in zip(*values, strict=True)]
    return [document]


def _holds_lists_of_objects(value: Any) -> bool:
    """Whether a value is an object of several lists, whose objects share most of their fields."""
    lists = [*value.values()] if isinstance(value, dict) else []
    return (
        len(lists) > 1 and all(map(are_objects, lists)) and _have_common_fields([items[0] for items in lists])
    )


def _have_common_fields(values: Sequence[Any]) -> bool:
    """Whether values are two objects or more that share most of their fields, or whose inner objects do."""
    if len(values) < 2 or not all(isinstance(value, dict) for value in values):
        return False
    common = set.intersection(*(set(value) for value in values[:SAMPLE]))
    inner = [item for value in values[:50] for item in value.values()]
    is_nested = all(isinstance(item, dict) for item in inner)
    return 2 * len(common) >= max(map(len, values)) or (is_nested and _have_common_fields(inner))


@dataclass
class Unfolded:
    """Rows, the fields that lists repeat, and for each of these the numbers of the objects that its cells are of."""

    rows: list[Row]
    outer: set[str] = field(default_factory=set)
    level_of: dict[str, int] = field(default_factory=dict)
    numbers: list[tuple[int, ...]] = field(default_factory=list)

    def expand(self, dropped: Sequence[str], children_of_rows: Iterable[Children]) -> None:
        """Give each row a row for each of its children, with the row's other fields."""
        rows: list[Row] = []
        numbers = []
        for number, ((where, row), children) in enumerate(zip(self.rows, children_of_rows, strict=True)):
            constants = {name: value for name, value in row.items() if name not in dropped}
            for name in constants:
                self.level_of.setdefault(name, len(self.numbers[number]))
            for labels, inner in children:
                renamed = {
                    f"inner.{name}" if name in constants else name: value for name, value in inner.items()
                }
                rows.append((where, {**constants, **labels, **renamed}))
                numbers.append((*self.numbers[number], number))
        self.rows = rows
        self.numbers = numbers

    def rename(self, new: Mapping[str, str]) -> None:
        """Rename fields."""
        self.rows = [
            (where, {new.get(name, name): value for name, value in row.items()}) for where, row in self.rows
        ]
        self.outer = {new.get(name, name) for name in self.outer}
        self.level_of = {new.get(name, name): level for name, level in self.level_of.items()}

    def object_codes(self) -> dict[str, np.ndarray]:
        """Number the object of each cell of the repeated fields."""
        return {
            name: np.array([numbers[level] for numbers in self.numbers], np.int64)
            for name, level in self.level_of.items()
        }

    def names(self) -> list[str]:
        """Give all fields, in order of first appearance."""
        return list(dict.fromkeys(name for _, row in self.rows for name in row))


def _new_name(name: str, used: Collection[str]) -> str:
    """Give a name that no field has yet: ``key``, ``key2``, ..."""
    names = chain([name], (f"{name}{number}" for number in count(2)))
    return next(new for new in names if new not in used)


def unfold(rows: Sequence[Row], notes: list[str]) -> Unfolded:
    """Turn nested rows into flat ones; what was done is added to the notes."""
    result = Unfolded(list(rows), numbers=[()] * len(rows))
    for _ in range(MAX_LEVELS):
        cells = {name: [row.get(name) for _, row in result.rows] for name in result.names()}
        nested = [name for name, values in cells.items() if any(isinstance(value, dict) for value in values)]
        lists = [name for name, values in cells.items() if any(map(are_objects, values))]
        cells_of_objects = (_cells_in(cells[name]) for name in nested)
        flat_cells = dict(chain(cells.items(), *(inner.items() for inner in cells_of_objects)))
        has_measure = any(is_measure(name) and _holds_grades(values) for name, values in flat_cells.items())
        scored = [name for name in lists if _hold_scores(cells[name], by_names=has_measure)]
        pairs = [name for name in lists if name not in scored and _are_pairs(cells[name])]
        fields = _keyed_fields([row for _, row in result.rows])
        if fields and not _are_sides(fields, cells):
            key = _new_name("key", cells)
            notes.append(f"{join_names(fields, limit=4)} became rows; their names are the column {key!r}")
            objects_of_rows = ({name: row.get(name) for name in fields} for _, row in result.rows)
            result.expand(fields, (_name_objects(objects, key) for objects in objects_of_rows))
        elif keyed := next((name for name in nested if _holds_similar_objects(cells[name])), ""):
            key = _new_name("key", cells) if spell(keyed) in ("data", "scores", "values") else f"{keyed}_name"
            notes.append(f"the objects in {keyed!r} became rows; their names are the column {key!r}")
            result.expand([keyed], (_name_objects(row.get(keyed) or {}, key) for _, row in result.rows))
        elif pairs:
            notes.append(
                f"the two objects in {', '.join(map(repr, pairs))} became columns that end with _1 and _2"
            )
            result.rows = [(where, _number_sides(row, pairs)) for where, row in result.rows]
        elif scored:
            result.outer |= {*cells} - {*scored}
            notes.append(f"the objects in {', '.join(map(repr, scored))} became rows")
            position = _new_name("position", cells)
            by_rater = next(
                (group for base, group in group_numbered(scored).items() if spell(base) in SCORES), {}
            )
            expanded = [*by_rater.values()] or scored
            if by_rater:
                other_lists = join_names(sorted({*scored} - {*expanded}))
                left_out = f"; {other_lists} beside them is left out" if other_lists else ""
                notes.append(f"each of {join_names(expanded)} is of one rater{left_out}")
            kind = "rater" if by_rater else "list"
            result.expand(scored, (_number_items(row, expanded, kind, position) for _, row in result.rows))
        elif nested:
            result.rows = [(where, _flatten(row)) for where, row in result.rows]
            result.level_of |= {
                field: result.level_of[name]
                for field in result.names()
                for name in nested
                if name in result.level_of and field.startswith(f"{name}.")
            }
        else:
            break
    short = {name: strip_container(name) for name in result.names()}
    counts = Counter(short.values())
    result.rename({name: new for name, new in short.items() if counts[new] == 1})
    return result


def _name_objects(objects: Mapping[str, Any], key: str) -> Children:
    """Give the objects among some fields, each with the name of its field."""
    return (({key: name}, value) for name, value in objects.items() if isinstance(value, dict))


def _number_items(row: Mapping[str, Any], fields: Sequence[str], kind: str, place: str) -> Children:
    """Give the objects in lists of a row, each with its place, and with the name of its list if there are several."""
    for name in fields:
        for number, item in enumerate(row[name] if are_objects(row.get(name)) else (), 1):
            is_single = len(fields) == 1
            yield {place: number} if is_single else {kind: name, place: f"{name} {number}"}, item


def _flatten(row: Mapping[str, Any]) -> JsonObject:
    flat: JsonObject = {}
    for name, value in row.items():
        is_object = isinstance(value, dict)
        flat |= {f"{name}.{field}": cell for field, cell in value.items()} if is_object else {name: value}
    return flat


def _number_sides(row: Mapping[str, Any], fields: Sequence[str]) -> JsonObject:
    cells = {name: value for name, value in row.items() if name not in fields}
    for name in fields:
        for number, item in enumerate(row.get(name) or (), 1):
            for key, cell in item.items():
                new = f"{key}_{number}"
                cells[f"{name}.{new}" if new in row else new] = cell
    return cells


def _cells_in(objects: Sequence[Any]) -> dict[str, list[Any]]:
    """Give the cells of the fields of objects, some of which may be none."""
    cells = defaultdict[str, list[Any]](list)
    for item in objects:
        for name, cell in item.items() if isinstance(item, dict) else ():
            cells[name].append(cell)
    return cells


def _holds_grades(cells: Sequence[Any]) -> bool:
    """Whether cells hold numbers, or words of a known scale, and nothing else."""
    column = TableColumn("", [cell for cell in cells if cell is not None])
    column.settle(commas=False, points=False)
    return column.numbers is not None and not column.strange


def _hold_scores(lists: Sequence[Any], *, by_names: bool = False) -> bool:
    """Whether objects in lists hold numbers or words of a known scale that are no names, or further lists.

    Beside a measure of the whole record those ``by_names`` only: of measures, or of who judges or is judged.
    """
    items = [item for cell in lists[:50] if are_objects(cell) for item in cell]
    cells_of = {name: cells for name, cells in _cells_in(items).items() if not TableColumn("", cells).is_text}
    if by_names and not any(
        is_measure(name) or rater_evidence(name) or system_evidence(name) or spell(name) in ERRORS
        for name in cells_of
    ):
        return False
    for name, cells in cells_of.items():
        is_nested = any(
            isinstance(cell, dict)
            or are_objects(cell)
            or (isinstance(cell, list) and _is_number_or_list(cell))
            for cell in cells
            if cell
        )
        is_key = topic_evidence(name) > 1 or rater_evidence(name) > 1 or is_administration(name)
        if is_nested or rater_evidence(name) == SURE or (not is_key and _holds_grades(cells)):
            return True
    return False


def _are_pairs(lists: Sequence[Any]) -> bool:
    """Whether lists hold two flat objects each, as the two sides of a comparison."""
    return all(
        are_objects(pair)
        and len(pair) == 2
        and not any(isinstance(cell, list | dict) for item in pair for cell in item.values())
        for pair in lists
        if pair
    )


def _are_sides(fields: Sequence[str], cells: Mapping[str, Sequence[Any]]) -> bool:
    """Whether two fields are called as the sides of a comparison, and hold flat objects without scores."""
    lists = [[value for value in cells[name] if value] for name in fields]
    return side_pairs(fields) == [(*fields,)] and not _hold_scores(lists)


def _form(value: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(f"{name}{{}}" if isinstance(cell, dict) else name for name, cell in value.items())


def _keyed_fields(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Find fields of objects of one form, such as one a system or a rater, but for those named as computed."""
    counts: Counter[frozenset[str]] = Counter()
    for row in rows[:SAMPLE]:
        of_row = Counter(_form(value) for value in row.values() if isinstance(value, dict) and value)
        counts.update(form for form, n in of_row.items() if n > 1)
    form = max(counts, key=counts.__getitem__, default=frozenset())
    names = list(
        dict.fromkeys(
            name
            for row in rows
            for name, value in row.items()
            if isinstance(value, dict) and value and _form(value) == form and not is_computed(name)
        )
    )
    are_kinds = are_measures(names) or all({*words_of(name)} & SCORES for name in names)
    return [] if are_kinds or len(names) < 2 else names


def _holds_similar_objects(cells: Sequence[Any]) -> bool:
    objects = [value for value in cells[:50] if isinstance(value, dict)]
    names = list(dict.fromkeys(name for value in objects for name in value))
    inner = [item for value in objects for item in value.values()]
    return _have_common_fields(inner) and not are_measures(names)


# --- lists in cells ---


def parse_written(cell: Any) -> Any:
    """Read a list or an object that is written in a cell, as JSON or as Python; anything else stays as it is."""
    if isinstance(cell, str) and (cell[:1], cell[-1:]) in (("[", "]"), ("{", "}")):
        with suppress(KeyError):
            for read in (partial(json.loads, object_pairs_hook=_name_fields), ast.literal_eval):
                with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
                    return read(cell)
    return cell


def _name_fields(pairs: Sequence[tuple[str, Any]]) -> JsonObject:
    """Make an object of its fields; a `KeyError` if one is given twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise KeyError
    return fields


def read_places(name: str, cells: Sequence[Any]) -> list[JsonObject]:
    """Give what stands at each place of lists of one length, if these are the parts of a key; else nothing.

    Those are names, of which some places vary and have each value several times, and others at each place.
    """
    lists = [*map(parse_written, cells)]
    if not all(isinstance(items, list) for items in lists) or len({*map(len, lists)}) != 1:
        return []
    if not all(isinstance(item, str | int) for item in chain(*lists)):
        return []
    places = [TableColumn("", place) for place in zip(*lists, strict=True)]
    varying = [column for column in places if column.n_distinct > 1]
    words = [{*column.words} for column in places]
    are_apart = len(set().union(*words)) == sum(map(len, words))
    are_names = all(column.n_distinct < column.n_filled and not column.is_text for column in varying)
    are_numbers = all(isinstance(item, int) for column in varying for item in column.distinct)
    if not (are_apart and are_names) or are_numbers:
        return []
    return [{f"{name}[{place}]": item for place, item in enumerate(items)} for items in lists]


def explode_lists(table: Table) -> Table:
    """Make a row of each place of lists of numbers or votes, and of names or texts beside them; twice if nested."""
    table = _number_places(table)
    names_of_pair = names_in_pairs(find_pairs(table)[1])
    for _ in range(2):
        lists = _list_columns(table)
        has_measure = any(is_measure(name) and column.values for name, column in table.columns.items())
        flat = {name: [item for cell in cells for item in cell] for name, cells in lists.items()}
        scored = [
            name
            for name, items in flat.items()
            if (
                items
                and all(map(_is_number_or_list, items))
                and not (has_measure and _are_spans(name, lists[name]))
            )
            or _hold_votes(items, names_of_pair)
        ]
        if not scored:
            break
        lengths = [*map(len, lists[scored[0]])]
        parallel = [
            name
            for name, cells in lists.items()
            if [*map(len, cells)] == lengths
            and (name in scored or all(isinstance(item, str) for item in flat[name]))
        ]
        names_systems = bool(table.made_keys) or any(
            system_evidence(name) == SURE and column.n_distinct > 1 for name, column in table.columns.items()
        )
        texts = [item for name in parallel if name not in scored for item in flat[name]]
        of_systems = not names_systems and any(text.count(" ") > 2 for text in texts)
        position = _new_name("position", table.columns)
        lists_of_rows = zip(*(lists[name] for name in parallel), strict=True)
        items_of_rows = (
            [
                {
                    **({"row": number} if of_systems else {}),
                    position: place,
                    **dict(zip(parallel, items, strict=True)),
                }
                for place, items in enumerate(zip(*lists_of_row, strict=True), 1)
            ]
            or [{LEFT_OUT: f"nothing in {scored[0]}"}]
            for number, lists_of_row in enumerate(lists_of_rows, 1)
        )
        old_rows = np.repeat(np.arange(table.n_rows), lengths)
        objects = {
            name: table.objects[name][old_rows] if name in table.objects else old_rows
            for name in table.columns
            if name not in parallel
        }
        note = f"lists in {', '.join(parallel)} became rows; the place in them is the column {position!r}"
        table = replace(
            spread_rows(table, (), items_of_rows, note),
            objects=objects,
            made_keys=(*table.made_keys, *["row"] * of_systems),
            output_places=(*table.output_places, *[position] * of_systems),
        )
    for name, cells in _list_columns(table).items() if may_be_votes(table.columns) else ():
        if all(map(_are_two_names, cells)):
            table = _spread_places(table, name, cells, "12")
    return table


def spread_rows(
    table: Table, names: Collection[str], items_of_rows: Iterable[Iterable[JsonObject]], note: str
) -> Table:
    """Make a row for each item of a row, in place of some columns."""
    rows = []
    for (where, row), items in zip(table.rows(), items_of_rows, strict=True):
        other_cells = {name: cell for name, cell in row.items() if name not in names}
        rows += [(where, {**other_cells, **item}) for item in items]
    return table.replace_rows(rows, note)


def _number_places(table: Table) -> Table:
    """Make a column of each place of lists of numbers that are as long as columns are numbered: ``answer1_id``."""
    groups = group_numbered(table.columns).values()
    numbers = {len(group): [*group] for group in groups if all(map(str.isdigit, group))}
    for name, cells in _list_columns(table).items() if numbers else ():
        [length, *other_lengths] = {*map(len, cells)}
        if other_lengths or length not in numbers or not all(map(_is_number_or_list, cells)):
            continue
        table = _spread_places(table, name, cells, numbers[length])
    return table


def _spread_places(table: Table, name: str, cells: Sequence[Sequence[Any]], numbers: Iterable[str]) -> Table:
    """Make a column of each place of the lists of a column, named by numbers: ``votes_1``."""
    columns = dict(zip((f"{name}_{number}" for number in numbers), zip(*cells, strict=True), strict=True))
    return table.add_columns(columns, f"{name} became {join_names(columns)}", without=[name])


def _are_spans(name: str, lists: Sequence[Sequence[Any]]) -> bool:
    """Whether lists of numbers have any length, and a name of no score: places in a text, or tokens."""
    is_scored = is_measure(name) or rater_evidence(name)
    return not is_scored and len({*map(len, lists)}) > 1


def _are_two_names(items: Sequence[Any]) -> bool:
    return (
        [*map(type, items)] == [str, str]
        and items[0] != items[1]
        and max(map(len, items)) <= MAX_NAME_CHARACTERS
    )


def _hold_votes(items: Sequence[Any], names: Collection[str]) -> bool:
    """Whether each item of lists is a word for a side or a tie, or the name of a system of a pair."""
    words = {*map(str, items)}
    return len(words) > 1 and are_votes(words, names)


def _list_columns(table: Table) -> dict[str, list[list[Any]]]:
    """Give the cells of the columns of lists, which may be written as texts; an empty one is an empty list."""
    lists = {}
    for name, column in table.columns.items():
        if any(word.startswith("[") for word in column.words[:1]):
            cells = [parse_written(cell) for cell in column.cells]
            if all(cell is None or isinstance(cell, list) for cell in cells):
                lists[name] = [cell or [] for cell in cells]
    return lists


def _is_number_or_list(item: Any) -> bool:
    return (
        all(_is_number_or_list(inner) for inner in item)
        if isinstance(item, list)
        else number_in(item) is not None
    )
