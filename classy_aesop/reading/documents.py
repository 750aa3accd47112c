"""Files of judgments as people have them, turned into tables with one header and one row for each rated thing.

Bytes, cells, decimal commas, formulas and line numbers are those of `table_files`. Here the layout is found first: the
separator, lines above and below the header, or no header (`text_layouts`); nested JSON is unfolded (`unfolding`), and
exports of tools are read by their form (`exports`).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from classy_aesop.data.cells import Row
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, join_names
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.exports import EXPORTS, Export
from classy_aesop.reading.judged_tables import JudgedTable
from classy_aesop.reading.one_hot_columns import join_ticked_options
from classy_aesop.reading.place_columns import unfold_places
from classy_aesop.reading.summary_rows import json_lines, parse_json
from classy_aesop.reading.table_files import (
    TEXT_FORMS,
    Placed,
    TableFile,
    apply_header,
    csv_rows,
    form_of,
    read_parts,
    read_sheet,
    read_table_file,
    split_header,
    tab_rows,
)
from classy_aesop.reading.text_layouts import (
    Header,
    find_header,
    find_separator,
    join_headers,
    number_names,
)
from classy_aesop.reading.unfolding import HIDDEN, SOURCE_FIELD, explode_lists, find_records, unfold

SAMPLE_LINES = 50
"""Lines of a text table that its separator is found by."""


def read_document(source: Source, plain: TableFile | None = None) -> JudgedTable:
    """Read any file as a table.

    Parameters
    ----------
    source : Source
        The file; of a workbook the sheet that it names, or the first one that holds anything.
    plain : TableFile, optional
        The file as `read_table_file` reads it, if it was read so; where its rows are the same they are not read again.

    Returns
    -------
    JudgedTable
        Columns of cells, with how the file was turned into them.

    Raises
    ------
    InputError
        If the file is damaged, or holds no table; with file and line.

    Examples
    --------
    >>> table = read_document(Source.from_path("data_samples/2021/judgments.jsonl"))
    >>> table.n_rows
    384
    """
    form = form_of(source)
    if form in ("json", "jsonl"):
        table = _read_json_table(source, plain)
    elif form == "xlsx":
        table = _read_sheet(source)
    elif form == "parquet":
        plain = plain or read_table_file(source, form)
        table = JudgedTable.from_rows(source.name, plain.rows)
    else:
        table = _read_text_table(source, plain)
    return unfold_places(join_ticked_options(explode_lists(table)))


MAX_KEY_BYTES = 80

_KEY_OF_JSON = re.compile(rb'"([^"\\]{1,%d})"\s*:' % MAX_KEY_BYTES)


def header_names(source: Source) -> list[str]:
    """Give the names of a file's columns, of JSON those of all levels, as its beginning has them.

    Parameters
    ----------
    source : Source
        The file.

    Raises
    ------
    InputError
        If the file is damaged or empty; with file and line.

    Examples
    --------
    >>> header_names(Source.from_path("classy_aesop/sample/tutorial/preferences.csv"))
    ['doc_id', 'model_a', 'model_b', 'annotator', 'winner']
    """
    form = form_of(source)
    if form in ("json", "jsonl"):
        keys = _KEY_OF_JSON.findall(source.start())
        return [key.decode(errors="replace") for key in dict.fromkeys(keys)]
    if form not in TEXT_FORMS:
        return next(read_parts(source, 1, form=form)).columns
    lines = _sample_lines(source)
    separator = find_separator(lines)
    try:
        rows = [
            line.split() if separator == " " else next(csv.reader([line], delimiter=separator), [])
            for line in lines
        ]
    except csv.Error:
        return []
    header = find_header(rows)
    names = rows[header.n_above]
    return number_names(len(names)) if header.is_missing else [name.strip() for name in names]


def _sample_lines(source: Source) -> list[str]:
    lines = list(islice((line for _, line in source.texts() if line.strip()), SAMPLE_LINES))
    if not lines:
        raise InputError("the file is empty", path=source.name)
    return lines


def _read_text_table(source: Source, plain: TableFile | None) -> JudgedTable:
    lines = _sample_lines(source)
    separator = find_separator(lines)
    if plain is not None and _has_plain_layout(plain, lines, separator):
        return JudgedTable.from_rows(source.name, plain.rows, plain.kinds)
    notes: list[str] = []
    if separator == " ":
        notes.append("cells are separated by blanks")
        placed: Iterator[Placed] = ((where, line.split()) for where, line in source.texts() if line.strip())
    elif separator == "\t":
        placed = tab_rows(source)
    else:
        placed = csv_rows(source, separator)
    return _make_table(source, form_of(source), list(placed), notes)


def _has_plain_layout(plain: TableFile, lines: Sequence[str], separator: str) -> bool:
    """Whether `read_table_file` used the separator and the header that are found here, so that its rows can be used."""
    if separator != ("\t" if plain.form == "tsv" else split_header(lines[0])[0]):
        return False
    first: list[Sequence[Any]] = [
        plain.columns,
        *([row.get(name) for name in plain.columns] for _, row in plain.rows[:SAMPLE_LINES]),
    ]
    return find_header(first) == Header()


def _read_sheet(source: Source) -> JudgedTable:
    sheet = read_sheet(source)
    notes = []
    if sheet.unread_sheets:
        notes.append(
            f"only the sheet {sheet.title} is read, not {join_names(sheet.unread_sheets)} (--sheet NAME)"
        )
    return _make_table(source, "xlsx", sheet.rows, notes, sheet.unread_sheets)


def _make_table(
    source: Source, form: str, rows: Sequence[Placed], notes: list[str], sheets: Sequence[str] = ()
) -> JudgedTable:
    """Find the header among rows of cells, and name the cells below it."""
    rows = [(where, cells) for where, cells in rows if any(cell not in (None, "") for cell in cells)]
    if not rows:
        raise InputError("the file is empty", path=source.name)
    header = find_header([cells for _, cells in rows])
    if header.n_above:
        title = " ".join(str(cell) for _, cells in rows[: header.n_above] for cell in cells if cell)
        notes.append(f"left out above the header: {title.strip()[:60]!r}")
    joined = join_headers([cells for _, cells in rows[header.n_above : header.n_above + SAMPLE_LINES]])
    if header.n_below and not joined:
        notes.append(f"left out below the header: {header.n_below} more lines of headers")
    first = header.n_above
    if header.is_missing:
        notes.append("the file has no header; its columns are named 1, 2, ...")
        names = number_names(len(rows[first][1]))
        body = rows[first:]
        place = Where(source.name)
    else:
        place, names = rows[first]
        body = rows[first + 1 + header.n_below :]
        if joined:
            notes.append("two lines of headers are joined by a point")
            names = joined
            body = rows[first + 2 :]
    table = apply_header(form, (place, names), body, source.name)
    return JudgedTable.from_rows(source.name, table.rows, notes=tuple(notes), other_sheets=tuple(sheets))


def _read_json_table(source: Source, plain: TableFile | None) -> JudgedTable:
    is_read = plain is not None and plain.form == "jsonl"
    documents = plain.rows if plain is not None and is_read else list(_json_documents(source))
    whole = documents[0][1] if len(documents) == 1 else [document for _, document in documents]
    for export in EXPORTS:
        if export.recognizes(whole):
            rows = _export_rows(source, export, whole)
            note = f"an export of {export.name} ({export.documented})"
            return JudgedTable.from_rows(source.name, rows, source=export.name, notes=(note,))
    notes: list[str] = []
    if len(documents) > 1:
        records = [{SOURCE_FIELD: where, **document} for where, document in documents]
    else:
        records = find_records(whole, source.name, notes)
        records = [
            {SOURCE_FIELD: Where(source.name, number, "record"), **record}
            for number, record in enumerate(records, 1)
        ]
    outer: set[str] = set()
    objects: dict[str, str] = {}
    flat = unfold(records, notes, outer, objects)
    keys = [name for note in notes for name in re.findall(r"the column '([^']+)'", note)]
    rows = [
        (row[SOURCE_FIELD], {name: cell for name, cell in row.items() if not name.startswith(HIDDEN)})
        for row in flat
    ]
    numbers = {field: np.array([row[field] for row in flat]) for field in {*objects.values()}}
    return JudgedTable.from_rows(
        source.name,
        rows,
        source="JSON",
        notes=tuple(notes),
        keys=tuple(keys),
        outer=frozenset(outer),
        objects={name: numbers[field] for name, field in objects.items()},
    )


def _export_rows(source: Source, export: Export, document: Any) -> list[Row]:
    """Give the rows of an export; what has another form than is documented is refused."""
    try:
        rows = list(export.rows(document))
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        message = f"not the form of an export of {export.name} ({export.documented})"
        raise InputError(message, path=source.name) from error
    return [
        (
            Where(source.name, number, "record"),
            {str(name): cell for name, cell in row.items() if name is not None},
        )
        for number, row in enumerate(rows, 1)
    ]


def _json_documents(source: Source) -> Iterator[tuple[Where, Any]]:
    """Give the document of a file, or of JSON lines the object of each line."""
    if form_of(source) == "jsonl":
        yield from json_lines(source)
        return
    text = source.text()
    try:
        yield Where(source.name), parse_json(text, Where(source.name), "JSON")
    except InputError:
        if text.lstrip().startswith("[") or "\n{" not in text.strip():
            raise
        yield from json_lines(source)
