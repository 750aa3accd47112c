"""Any file as a table with one header and one row for each rated thing: text, workbooks, Parquet, JSON."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import chain, islice, permutations, product
from typing import Any

import numpy as np

from classy_aesop.data.cells import Row
from classy_aesop.data.scores import NO_METRICS
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, join_names
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.column_names import (
    ERRORS,
    REJECTED,
    SCORES,
    SEPARATORS,
    SURE,
    is_measure,
    rater_evidence,
    spell,
    system_evidence,
    topic_evidence,
    words_of,
)
from classy_aesop.reading.columns import LEFT_OUT, Table
from classy_aesop.reading.exports import EXPORTS
from classy_aesop.reading.headers import OF_LIMESURVEY, SAMPLE_ROWS, blank_comments, name_columns
from classy_aesop.reading.key_evidence import MIN_SHARED
from classy_aesop.reading.nesting import (
    JsonObject,
    explode_lists,
    find_records,
    parse_written,
    read_places,
    unfold,
)
from classy_aesop.reading.rankings import (
    compare_sides,
    name_places,
    spread_choices,
    spread_counts,
    spread_rankings,
    spread_votes,
)
from classy_aesop.reading.shapes import names_measures
from classy_aesop.reading.sheets import read_workbook
from classy_aesop.reading.summary_rows import json_lines, parse_json
from classy_aesop.reading.table_files import (
    Placed,
    PlacedLine,
    csv_rows,
    find_separator,
    form_of,
    holds_json_lines,
    read_table_file,
    tab_rows,
)
from classy_aesop.work.kept_files import read_once

Requested = Mapping[str, Sequence[str]]
"""The columns of each role that the user names."""
MIN_IDS = 6
MAX_SYSTEMS_IN_IDS = 12
MAX_KEPT_CELLS = 2_000_000
"""Cells of a table that is kept within a command; a greater one is read again, so that memory does not grow."""


def read_any_table(source: Source) -> Table:
    """Read any file as a table, once within a command; an `InputError` with its line if it is damaged or holds none."""
    if source.content is not None:
        return _read_source(source)
    return read_once(source, partial(_read_source, source), is_small=_is_small)


def _is_small(table: Table) -> bool:
    return table.n_rows * len(table.columns) <= MAX_KEPT_CELLS


def _read_source(source: Source) -> Table:
    form = form_of(source)
    if form in ("json", "jsonl"):
        table = _read_json_table(source, form)
    elif form == "parquet":
        table = Table.from_rows(source.name, read_table_file(source).rows)
    elif form == "xlsx":
        table = read_workbook(source)
    else:
        table = _unfold_written_objects(_read_text_table(source))
    return _lay_out_lists(table)


def _lay_out_lists(table: Table) -> Table:
    return spread_rankings(join_ticks(explode_lists(name_places(table))))


def _read_text_table(source: Source) -> Table:
    remaining_lines = source.texts()
    first_lines = list(islice(remaining_lines, SAMPLE_ROWS))
    first_lines, comments = blank_comments(first_lines)
    lines = chain(first_lines, remaining_lines)
    separator = find_separator([line for _, line in first_lines if line.strip()])
    notes = []
    if separator == " ":
        rows = [(where, line.split()) for where, line in lines]
        notes.append("cells are separated by blanks")
    elif separator == "|":
        rows = [*map(_strip_bars, lines)]
        notes.append("cells are separated by bars")
    elif separator == "\t":
        rows = [*tab_rows(lines, source.name)]
    else:
        rows = [*csv_rows(lines, source.name, separator)]
    return name_columns(source, rows, notes, comments=comments)


LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
"""A name with the address that it links to, in Markdown."""


def _strip_bars(line: PlacedLine) -> Placed:
    """Give the cells between the bars of a line, as Markdown and psql print them; none of a rule below a header."""
    where, text = line
    stripped = text.strip()
    if not stripped.strip("-+|: "):
        return where, []
    is_framed = stripped.startswith("|") and stripped.endswith("|")
    cells = (stripped[1:-1] if is_framed else text).split("|")
    return where, [LINK.sub(r"\1", cell).strip(" *`") for cell in cells]


def join_ticks(table: Table) -> Table:
    """Make one column of a question's options, of which each row has ticked one: ``fluency.1``, ``fluency.2``.

    A tick is a mark, or the option itself in its column.
    """
    questions: dict[str, dict[str, str]] = defaultdict(dict)
    for name, column in table.columns.items():
        ticks = {str(cell).lower().removesuffix(".0") for cell in column.distinct}
        question, _, option = TICKED_NUMBER.sub(r"\1.\2", name).rpartition(":::" if ":::" in name else ".")
        option = option.removeprefix("scale_")
        if question and option and ticks <= {"true", "false", option}:
            questions[question][name] = option
    for question, options in questions.items():
        columns = [table[name] for name in options]
        are_ticked = [
            column.spread((str(cell).lower() != "false" for cell in column.distinct), False, bool)
            for column in columns
        ]
        is_empty = np.all([column.codes < 0 for column in columns], axis=0)
        n_ticks = {*np.sum(are_ticked, axis=0)[~is_empty].tolist()}
        if len(options) < 2 or question in table.columns or n_ticks != {1}:
            continue
        cells = np.array([*options.values()], object)[np.argmax(are_ticked, axis=0)]
        cells[is_empty] = None
        first, *_, last = options
        note = f"{first} to {last} became {question}: the one of them that is ticked in each row"
        table = table.add_columns({question: cells.tolist()}, note, without=options)
    return table


TICKED_NUMBER = re.compile(r"(.)_(\d+)\.on$")
"""The option of a radio button in a form of MTurk: ``fluency_5.on``."""


def lay_out_by_value(table: Table, requested: Requested) -> Table:
    """Lay out a table as its values say, but for columns that the user names, which stay as they are."""
    if not table.n_rows:
        header = f" below the header {join_names(table.columns, limit=20)}" if table.columns else ""
        raise table.place.error(f"no rows{header}; expected a row for each output")
    if not requested:
        _refuse_square(table)
    columns_of_user = {*chain(*requested.values())}
    table = leave_out_by_status(table, columns_of_user)
    for lay_out in LAYOUTS_BY_VALUE:
        other_table = lay_out(table)
        if not columns_of_user & (table.columns.keys() - other_table.columns.keys()):
            table = other_table
    return table


MARKS_OF_OTHER_ROWS = (("is", "onboarding"), ("onboarding",), ("is", "document"), ("is", "document", "score"))
"""Names of columns that say by yes or no of which rows the scores are no usual ones: for practice, or of documents."""


def leave_out_by_status(table: Table, columns_of_user: Set[str]) -> Table:
    """Leave out rows that a status rejects, that are unfinished or revised, or that control tasks have an answer to.

    So are those that were for practice, and those of whole documents among segments.
    """
    for name in table.columns:
        column = table[name]
        words = words_of(name)
        is_end = words[-1:] == ("latest",) or (words == ("finished",) and "Progress" in table.columns)
        rejected = []
        if words[-1:] == ("status",) and column.scale is None:  # passed and failed are outcomes
            rejected = [value for value in column.distinct if spell(str(value)) in REJECTED]
        elif (is_end or words in MARKS_OF_OTHER_ROWS) and column.may_be_truth_value:
            numbers = column.numbers or {}
            rejected = [value for value in column.distinct if bool(numbers.get(value)) != is_end]
        is_rejected = column.is_among(rejected)
        values = " or ".join(map(str, rejected))
        if words == ("reject",) and "Approve" in table.columns:
            is_rejected = column.codes >= 0
            values = "filled"
        elif words[:1] == ("golden",) and 2 * column.n_filled < table.n_rows:
            is_rejected = column.codes >= 0
            values = "filled, as in control tasks"
        elif name == "submitdate" and table.columns.keys() >= OF_LIMESURVEY:
            is_rejected = column.codes < 0
            values = "empty"
        if is_rejected.any() and not is_rejected.all() and name not in columns_of_user:
            table = table.leave_out(is_rejected, f"{name} is {values}")
    return table


_TAG = r"[ '\"]*([A-Za-z]\w*)[:=] ?([^,;|'\"\]]+)['\"]?"
_TAGS = re.compile(rf"\[?{_TAG}(?:[,;|]{_TAG})+\]?")
"""Two names or more with their values: ``['model:gpt-4o', 'item:19']``, ``system=bart;doc=12``."""


def spread_objects(table: Table) -> Table:
    """Make columns of objects of numbers, `_TAGS` or parts of a key in cells: ``{"accuracy": 4, "detail": 3}``."""
    for name, column in table.columns.items():
        objects = [*map(_read_object, column.words)]
        objects = objects if any(objects) else read_places(name, column.distinct)
        fields = dict.fromkeys(chain(*objects))
        if not fields or name in NO_METRICS or fields.keys() & table.columns.keys():
            continue
        of_cells = column.spread(objects, {}).tolist()
        if 2 * sum(map(bool, of_cells)) < column.n_filled:
            continue
        cells = {key: [fields_of_cell.get(key) for fields_of_cell in of_cells] for key in fields}
        table = table.add_columns(
            cells, f"{name} holds objects: {join_names(fields)} became columns", without=[name]
        )
    return table


def _read_object(text: str) -> JsonObject:
    """Read an object of numbers, or tags, that are written in a cell; an empty one of anything else."""
    if _TAGS.fullmatch(text):
        tags = re.findall(_TAG, text)
        return dict(tags) if len(dict(tags)) == len(tags) else {}
    value = parse_written(text)
    is_of_numbers = isinstance(value, dict) and all(type(cell) in (int, float) for cell in value.values())
    return value if is_of_numbers else {}


def leave_out_remarks(table: Table) -> Table:
    """Leave out the rows of measures that mostly have texts or lists where those of others have numbers."""
    measures = [column for name, column in table.columns.items() if names_measures(table, name)]
    scores = [column for name, column in table.columns.items() if spell(name) in SCORES and column.strange]
    for measure, score in product(measures, scores):
        is_strange = score.is_among(score.strange)
        share = (
            np.bincount(measure.codes[measure.codes >= 0], is_strange[measure.codes >= 0]) / measure.counts
        )
        if remarks := [
            value for value, of_value in zip(measure.distinct, share, strict=True) if of_value > 0.5
        ]:
            names = join_names(map(str, remarks))
            return table.leave_out(measure.is_among(remarks), f"no number in {score.name} of {names}")
    return table


LEADING_VERDICT = re.compile(r"\[(pass|fail|error)\](?: .*)?", re.DOTALL | re.IGNORECASE)
"""A verdict before what it is of: ``[PASS] the output``."""


def read_verdicts(table: Table) -> Table:
    """Keep of cells that all begin with a verdict in brackets the verdict; an error is none."""
    verdicts: dict[str, list[Any]] = {}
    for name, column in table.columns.items():
        matches = [*filter(None, map(LEADING_VERDICT.fullmatch, column.words))]
        if matches and len(matches) == column.n_distinct:
            words = [None if match[1].lower() == "error" else match[1] for match in matches]
            verdicts[name] = column.spread(words, None).tolist()
    if not verdicts:
        return table
    note = f"of cells of {join_names(verdicts)} only the verdict in brackets is read, and an error as missing"
    return table.add_columns(verdicts, note)


def fill_down(table: Table) -> Table:
    """Repeat the name of an item in the rows below it, where cells that were merged have been saved as empty ones.

    All items have as many rows, in which another column has the same names.
    """
    for name, column in table.columns.items():
        n_of_item = table.n_rows // max(1, column.n_filled)
        starts = np.arange(0, table.n_rows, n_of_item)
        if not 1 < n_of_item < table.n_rows or is_measure(name):
            continue
        if not np.array_equal(np.flatnonzero(column.codes >= 0), starts):
            continue
        names = [other.codes for other in table.columns.values() if other.n_distinct == n_of_item]
        if any((np.sort(codes.reshape(-1, n_of_item)) == np.arange(n_of_item)).all() for codes in names):
            cells = [cell for cell in column.cells if cell is not None for _ in range(n_of_item)]
            note = f"{name} stands once for each {n_of_item} rows, as merged cells do: it was repeated"
            return table.add_columns({name: cells}, note)
    return table


def _refuse_square(table: Table) -> None:
    """Refuse a table of systems by systems, whose cells count how often one won against the other."""
    first, *systems = table.columns or [""]
    is_square = 1 < len(systems) == table.n_rows and sorted(systems) == sorted(table[first].words)
    if is_square and all(table[name].is_whole for name in systems):
        message = f"a table of {join_names(systems, limit=6)} by themselves, as counts of wins are"
        raise table.place.error(
            f"{message}; expected a row for each comparison, with columns winner and loser"
        )


NUMBER_AND_WORD = re.compile(r"(.*?\d)[ _.#-]*([A-Za-z]\w{0,20})")
"""An identifier of an item's number and a system: ``1A``, ``KNEE_Q0_bot``."""
FORMS_OF_PAIRS = (
    NUMBER_AND_WORD,
    *(
        re.compile(form)
        for separator in "#:/_-"
        for form in (f"(.+){separator}([^{separator}]+)", f"([^{separator}]+){separator}(.+)")
    ),
)
"""Forms of identifiers of two names: a number and a word, or two names parted at the last or first of a mark."""


def split_ids(table: Table) -> Table:
    """Split identifiers that hold the item and the system, completely crossed, where nothing else names systems."""
    has_numbers = any(column.is_number for column in table.columns.values())
    names_systems = any(map(system_evidence, table.columns)) or table.made_keys
    if not has_numbers or names_systems or {"item", "system"} & {*table.columns}:
        return table
    raters = [name for name in table.columns if rater_evidence(name) == SURE]
    for name, column in table.columns.items():
        is_id = column.is_name and not column.is_text and column.n_distinct >= MIN_IDS and name not in raters
        if not is_id or table.n_different([name, *raters]) < table.n_rows:
            continue
        for form in FORMS_OF_PAIRS:
            parts = _split_crossed(form, column.words)
            if (
                parts is None
                or all(map(str.isdecimal, parts[1]))
                or (column.n_distinct < table.n_rows and all(map(NUMBERED.fullmatch, parts[1])))
            ):
                continue
            items = column.spread(parts[0], None).tolist()
            systems = column.spread(parts[1], None).tolist()
            note = f"{name} holds the item and the system: {column.cells[0]} is item {items[0]}, system {systems[0]}"
            return table.add_columns({"item": items, "system": systems}, note, without=[name])
    return table


def strip_systems(table: Table) -> Table:
    """Strip the system that another column names off identifiers, if no two systems share any: the rest is the item."""
    ids = [name for name in table.columns if topic_evidence(name) >= 1]
    for system in (name for name in table.columns if system_evidence(name) == SURE):
        if any(table.share_shared([name], system) for name in ids):
            break
        for name in (name for name in ids if name != system):
            cells = [
                (str(cell), str(word))
                for cell, word in zip(table[name].cells, table[system].cells, strict=True)
            ]
            if all(word in text for text, word in cells):
                items = [text.replace(word, "").strip(SEPARATORS) for text, word in cells]
                note = f"{name} holds the item and the system: {cells[0][0]} is item {items[0]}"
                stripped = table.add_columns({"item": items}, note, without=[name])
                if stripped.share_shared(["item"], system) >= MIN_SHARED and "" not in items:
                    return stripped
    return table


def name_systems_after_ids(table: Table) -> Table:
    """Take what follows an item's identifier in a longer one for the system, if no column names it."""
    if any(map(system_evidence, table.columns)):
        return table
    ids = [name for name in table.columns if topic_evidence(name) >= 1 or name in table.made_keys]
    for item, longer in permutations(ids, 2):
        cells = [*zip(table[item].texts(), table[longer].texts(), strict=True)]
        if all(word and text.startswith(word) for word, text in cells):
            systems = [text.removeprefix(word).strip(SEPARATORS) for word, text in cells]
            note = f"{longer} holds {item} and the system: {cells[0][1]} is system {systems[0]}"
            with_systems = table.add_columns({"system": systems}, note, without=[longer])
            are_names = "" not in systems and not all(map(str.isdecimal, systems))
            if are_names and with_systems["system"].n_distinct <= MAX_SYSTEMS_IN_IDS:
                return with_systems if with_systems.share_shared([item], "system") >= MIN_SHARED else table
    return table


NUMBERED = re.compile(r"\D{0,8}\d+")
"""Names that are numbered, as sentences of a document are: no systems, where several people rated each."""


def _split_crossed(form: re.Pattern[str], ids: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """Split identifiers into items and systems, the part with fewer names, if every system has every item once."""
    matches = [*filter(None, map(form.fullmatch, ids))]
    if len(matches) < len(ids):
        return None
    items = [match[1].rstrip(SEPARATORS) for match in matches]
    systems = [match[2].lstrip(SEPARATORS) for match in matches]
    if form is not NUMBER_AND_WORD and len({*items}) < len({*systems}):
        items, systems = systems, items
    n_systems = len({*systems})
    are_crossed = len({*zip(items, systems, strict=True)}) == len(ids) == len({*items}) * n_systems
    return (items, systems) if are_crossed and 2 <= n_systems <= MAX_SYSTEMS_IN_IDS else None


LAYOUTS_BY_VALUE: tuple[Callable[[Table], Table], ...] = (
    spread_objects,
    leave_out_remarks,
    read_verdicts,
    spread_votes,
    spread_counts,
    compare_sides,
    fill_down,
    split_ids,
    strip_systems,
    name_systems_after_ids,
    spread_choices,
)
"""Layouts by what cells hold, in this order; none is read that would replace a column that the user names."""


def _read_json_table(source: Source, form: str) -> Table:
    if form == "jsonl" or holds_json_lines(source):
        documents: list[tuple[Where, Any]] = list(json_lines(source))
    else:
        where = Where(source.name)
        documents = [(where, parse_json(source.text(), where, "a list of objects, or one object a line"))]
    whole = documents[0][1] if len(documents) == 1 else [document for _, document in documents]
    for export in EXPORTS:
        if export.recognizes(whole):
            note = f"an export of {export.name} ({export.documented})"
            try:
                flat = [{str(k): v for k, v in row.items() if k is not None} for row in export.rows(whole)]
            except (AttributeError, IndexError, KeyError, TypeError) as error:
                raise InputError(f"not the form of {note}", path=source.name) from error
            table = Table.from_rows(source.name, _number(source, flat))
            return replace(table, source=export.name, notes=(note,))
    notes: list[str] = []
    rows = documents if len(documents) > 1 else _number(source, find_records(whole, source.name, notes))
    return _unfold_rows(source.name, rows, notes)


def _unfold_rows(name: str, rows: Sequence[Row], notes: list[str]) -> Table:
    unfolded = unfold(rows, notes)
    places = {where for where, _ in unfolded.rows}
    names = {*unfolded.names()}
    holds_errors = not ERRORS.isdisjoint(map(spell, names))
    without_children: list[Row] = []
    for where, row in rows:
        if where not in places:
            plain = {name: cell for name, cell in row.items() if not isinstance(cell, list | dict)}
            is_without_errors = holds_errors and plain.keys() & names
            without_children += [
                (where, plain if is_without_errors else {LEFT_OUT: "nothing in it became a row"})
            ]
    return replace(
        Table.from_rows(name, [*unfolded.rows, *without_children]),
        source="JSON",
        notes=tuple(notes),
        made_keys=tuple(re.findall(r"the column '([^']+)'", "\n".join(notes))),
        outer=frozenset(unfolded.outer),
        objects=unfolded.object_codes(),
    )


def _unfold_written_objects(table: Table) -> Table:
    """Unfold the objects that are written in the cells of a table of text, if no column is called as a measure."""
    written = {
        name
        for name, column in table.columns.items()
        if column.n_filled == table.n_rows > 0
        and all(isinstance(parse_written(cell), dict) for cell in column.distinct)
    }
    if not written or any(is_measure(name) and column.values for name, column in table.columns.items()):
        return table
    rows = [
        (where, {name: parse_written(cell) if name in written else cell for name, cell in row.items()})
        for where, row in table.rows()
    ]
    unfolded = _unfold_rows(table.name, rows, [*table.notes])
    return replace(unfolded, left_out=(*table.left_out, *unfolded.left_out), header=table.header)


def open_memory(data: object, requested: Requested) -> Table:
    """Make a table of one in memory, nested cells and lists of which become columns and rows."""
    table = Table.from_memory(data)
    if any(isinstance(value, dict) for column in table.columns.values() for value in column.distinct):
        table = _unfold_rows("", table.rows(), [])
    return lay_out_by_value(_lay_out_lists(table), requested)


def _number(source: Source, rows: Sequence[JsonObject]) -> list[Row]:
    return [(Where(source.name, number, "record"), row) for number, row in enumerate(rows, 1)]
