"""The sheets of a workbook as one table: those with one header, of raters or systems, and the keys to their rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, product
from typing import Any

from classy_aesop.data.where import Where
from classy_aesop.errors import join_names
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.column_names import (
    SURE,
    rater_evidence,
    spell,
    system_evidence,
    words_of,
)
from classy_aesop.reading.columns import MAX_NAME_CHARACTERS, Table, TableColumn
from classy_aesop.reading.headers import (
    SAMPLE_ROWS,
    LeftOut,
    are_numbers,
    count_titles,
    join_headers,
    name_columns,
    split_end,
)
from classy_aesop.reading.table_files import (
    Placed,
    Sheet,
    is_filled,
    read_sheet,
)
from classy_aesop.reading.workbook_checks import describe_uncomputed
from classy_aesop.reading.written_cells import number_in, read_cell

SHEET = "sheet"
"""The column of the names of sheets."""


@dataclass(frozen=True)
class _SheetParts:
    """A sheet in parts: titles at its top, the header below, the usual rows, and those at its end that are none."""

    sheet: Sheet
    titles: Sequence[Placed]
    header: Sequence[Placed]
    body: Sequence[Placed]
    left_out: LeftOut

    @property
    def title(self) -> str:
        """The name of the sheet."""
        return self.sheet.title

    @property
    def uncomputed_cells(self) -> list[str]:
        """The cells of formulas without a value in its header and its usual rows."""
        other_lines = {
            where.line for where in (*(row[0] for row in self.titles), *(row[1] for row in self.left_out))
        }
        return [cell for line, cell in self.sheet.structure.uncomputed if line not in other_lines]

    @property
    def names(self) -> list[list[str]]:
        """The names in each line of the header, without empty ones at the end."""
        lines = [["" if cell is None else str(cell).strip() for cell in cells] for _, cells in self.header]
        widths = [max((n for n, name in enumerate(line, 1) if name), default=0) for line in lines]
        return [line[:width] for line, width in zip(lines, widths, strict=True)]

    @cached_property
    def columns(self) -> dict[str, TableColumn]:
        """The columns by their names in the first line of the header."""
        names = self.names[0] if self.header else []
        return {
            name: TableColumn(name, [cells[number] for _, cells in self.body])
            for number, name in enumerate(names)
            if name
        }

    @property
    def has_grades(self) -> bool:
        """Whether half of the cells of a column are numbers, some of which come again."""
        for column in self.columns.values():
            numbers = [value for value in column.distinct if read_cell(value).kind == "number"]
            n_cells = column.is_among(numbers).sum()
            if len(numbers) < n_cells and 2 * n_cells >= column.n_filled:
                return True
        return False

    def add_columns(self, columns: Mapping[str, Iterable[Any]]) -> _SheetParts:
        """Add named columns after its last one with a cell."""
        rows = [*self.header, *self.body]
        width = max((n for _, row in rows for n, cell in enumerate(row, 1) if is_filled(cell)), default=0)
        n_lines = len(self.header)
        below_names = [[""] * len(columns)] * (n_lines - 1)
        added = [[*columns], *below_names, *zip(*columns.values(), strict=True)]
        rows = [
            (where, [*row[:width], *[None] * (width - len(row)), *cells])
            for (where, row), cells in zip(rows, added, strict=True)
        ]
        return replace(self, header=rows[:n_lines], body=rows[n_lines:])


def _divide_sheet(sheet: Sheet) -> _SheetParts:
    """Divide a sheet; its header has one line, or two that belong together."""
    cells = [["" if cell is None else cell for cell in row] for _, row in sheet.rows[: SAMPLE_ROWS + 2]]
    if not cells:
        return _SheetParts(sheet, [], [], [], ())
    n_titles = count_titles(cells)
    header = [str(cell).strip() for cell in cells[n_titles]]
    n_above = n_titles + (2 if join_headers(header, cells[n_titles + 1 :]) else 1)
    body, left_out = split_end(sheet.rows[n_above:], len(header))
    return _SheetParts(sheet, sheet.rows[:n_titles], sheet.rows[n_titles:n_above], body, left_out)


def _choose_sheets(sheets: Sequence[_SheetParts]) -> list[_SheetParts]:
    """Choose the first sheet and those with its header, or those of another header that hold more rows.

    That is one of several sheets, or of one with grades where the first has none: instructions may be the first sheet.
    """
    by_header: list[list[_SheetParts]] = []
    for parts in sheets:
        group = next((group for group in by_header if _have_one_header(group[0], parts)), [])
        if not group:
            by_header.append(group)
        group.append(parts)
    first, *other_groups = by_header
    may_be_other = not first[0].has_grades
    rivals = [group for group in other_groups if len(group) > 1 or (may_be_other and group[0].has_grades)]
    return max(
        [first, *rivals], key=lambda group: (sum(len(parts.body) for parts in group), group[0].has_grades)
    )


def _have_one_header(first: _SheetParts, second: _SheetParts) -> bool:
    """Whether two sheets have the same names; one may have further columns of no numbers at its end, as for remarks."""
    shorter, longer = sorted((first, second), key=lambda parts: len(parts.columns))
    width = len(shorter.columns)
    further_words = chain(*(column.words for column in [*longer.columns.values()][width:]))
    is_alike = len(longer.names) == 1 < width and [longer.names[0][:width]] == shorter.names
    has_numbers = any(number_in(word) is not None for word in further_words)
    return shorter.names == longer.names or (is_alike and not has_numbers)


def _name_titles(sheets: Sequence[_SheetParts]) -> str:
    """Name the column of titles of sheets by a role that they begin with, as ``Rater A`` and ``Rater B``, if any."""
    words = {words_of(parts.title)[:1] for parts in sheets}
    word = spell(" ".join(*words)) if len(words) == 1 else ""
    is_role = SURE in (system_evidence(word), rater_evidence(word))
    return word if is_role and word not in map(spell, sheets[0].columns) else SHEET


def _join_sheets(sheets: Sequence[_SheetParts], name: str) -> _SheetParts:
    """Join sheets of one header, each row with the title of its sheet in a column of a name."""
    body: list[Placed] = []
    left_out: LeftOut = ()
    titles: list[str] = []
    for parts in sheets:
        unit = f"{parts.title}, row"
        body += [(Where(where.path, where.line, unit), cells) for where, cells in parts.body]
        left_out += tuple((reason, Where(where.path, where.line, unit)) for reason, where in parts.left_out)
        titles += [parts.title] * len(parts.body)
    widest = max(sheets, key=lambda parts: len(parts.columns))
    return replace(widest, body=body, left_out=left_out).add_columns({name: titles})


def read_workbook(source: Source) -> Table:
    """Read the sheet that is asked for; or those of one header, each row with its sheet, and the keys to the rows."""
    first = read_sheet(source)
    sheets = [_divide_sheet(first)]
    if not any(SHEET in names for names in sheets[0].names):
        sheets += [_divide_sheet(read_sheet(source.select_sheet(title))) for title in first.visible_sheets]
    chosen = _choose_sheets(sheets)
    joined = chosen[0]
    notes = []
    sheets_read = [*chosen]
    if any(parts.sheet.structure.merged for parts in chosen):
        notes.append("cells that are merged over several rows count for each of them")
    if len(chosen) > 1:
        name = _name_titles(chosen)
        joined = _join_sheets(chosen, name)
        titles = join_names(parts.title for parts in chosen)
        notes.append(f"the sheets {titles} have one header; their names are the column '{name}'")
    for parts in sheets:
        columns, note = ({}, "") if parts in chosen else _read_key(joined, parts)
        if columns:
            joined = joined.add_columns(columns)
            notes.append(note)
            sheets_read.append(parts)
    uncomputed = []
    for parts in sheets_read:
        parts.sheet.warn_of_hidden(source)
        of_sheet = f" of the sheet {parts.title}" if len(sheets_read) > 1 else ""
        uncomputed += [f"{cell}{of_sheet}" for cell in parts.uncomputed_cells]
    notes += describe_uncomputed(uncomputed)
    titles_read = [parts.title for parts in sheets_read]
    other_sheets = [title for title in (first.title, *first.unread_sheets) if title not in titles_read]
    if other_sheets:
        are_read = (
            f"sheets {join_names(titles_read)} are" if len(titles_read) > 1 else f"sheet {titles_read[0]} is"
        )
        notes.insert(0, f"only the {are_read} read, not {join_names(other_sheets)} (--sheet NAME)")
    rows = [*joined.titles, *joined.header, *joined.body]
    table = name_columns(source, rows, notes, left_out=joined.left_out)
    return replace(table, is_laid_out=titles_read != [first.title], other_sheets=tuple(other_sheets))


def _read_key(rated: _SheetParts, key: _SheetParts) -> tuple[dict[str, list[Any]], str]:
    """Give the columns that a key adds to rated rows, and a note; none if the sheet is no key.

    A key has the ids of the rows, each once, in columns of the same names, or in one with the same words. It orders the
    same names anew for each, where its other columns are ends of others (``A`` and ``B`` of ``Score A`` and
    ``Score B``); or it has words that come again, such as the system that was blinded. Longer texts are not added.
    """
    columns = rated.columns
    columns_of_key = key.columns
    shared = [name for name in columns_of_key if name in columns]
    unique = [name for name, column in columns_of_key.items() if column.n_distinct == len(key.body)]
    pairs = [(shared, shared)] if shared else [([a], [b]) for a, b in product(unique, columns)]
    for names_of_key, names in pairs:
        ids = _list_ids(columns, names)
        row_of = {ids_of_key: row for row, ids_of_key in enumerate(_list_ids(columns_of_key, names_of_key))}
        if len(row_of) < len(key.body) or not row_of.keys() & {*ids}:
            continue
        rows = [row_of.get(ids_of_row) for ids_of_row in ids]
        further = {name: column for name, column in columns_of_key.items() if name not in names_of_key}
        orders = {*map(frozenset, _list_ids(further, further))}
        are_ends = all(any(name.endswith(f" {place}") for name in columns) for place in further)
        if len(orders) == 1 < len(further) and are_ends:
            note = f"the sheet {key.title} names the systems of each row: they became columns"
            return {f"system {place}": _repeat_cells(column, rows) for place, column in further.items()}, note
        are_words_of_key = {*ids} == row_of.keys() and not are_numbers(ids, 0)
        if None in rows or not (shared or are_words_of_key) or not _identify_rows(rated, names, ids):
            continue
        are_unique = len({*ids}) == len(ids)
        short = [name for name, column in further.items() if column.longest <= MAX_NAME_CHARACTERS]
        with_names = [name for name in short if _has_names(further[name])]
        taken = short if are_unique else with_names
        if with_names:
            untaken = [name for name in further if name not in taken]
            note = f"rows are joined by {join_names(names)} with the sheet {key.title}: {join_names(taken)}"
            note += f" (not {join_names(untaken)})" if untaken else ""
            return {name: _repeat_cells(further[name], rows) for name in taken}, note
    return {}, ""


def _repeat_cells(column: TableColumn, rows: Iterable[int | None]) -> list[Any]:
    return [None if row is None else column.cells[row] for row in rows]


def _identify_rows(rated: _SheetParts, names: Sequence[str], ids: Sequence[tuple[str, ...]]) -> bool:
    """Whether each of the ids in columns comes once in a sheet, or equally often, as where several people rated each.

    A person or a system comes again as well, and what another sheet says of it is no key.
    """
    units = (where.unit for where, _ in rated.body)  # which name the sheets of joined ones
    counts = {*Counter(zip(units, ids, strict=True)).values()}
    is_of_thing = len(names) > 1 or rater_evidence(names[0]) < SURE
    may_come_again = is_of_thing and SURE not in map(system_evidence, rated.columns)
    return counts == {1} or (len(counts) == 1 and may_come_again)


def _has_names(column: TableColumn) -> bool:
    """Whether a column holds several words, which come again."""
    are_words = all(number_in(word) is None for word in column.words)
    return are_words and 1 < column.n_distinct < column.n_filled


def _list_ids(columns: Mapping[str, TableColumn], names: Iterable[str]) -> list[tuple[str, ...]]:
    """List the identifiers of rows in some of their columns."""
    return [*zip(*(columns[name].texts().tolist() for name in names), strict=True)]
