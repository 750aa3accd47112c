"""Any file as a table with one header and one row for each rated thing: text, workbooks, Parquet, JSON."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice, product
from os.path import commonprefix
from string import ascii_uppercase
from typing import Any

import numpy as np

from classy_aesop.data import KEYS
from classy_aesop.data.cells import Row
from classy_aesop.data.scores import NO_METRICS
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, join_names
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.column_names import (
    ERRORS,
    NAMES_OF_MEANS,
    REJECTED,
    SCORES,
    SEPARATORS,
    SURE,
    TOTALS,
    is_measure,
    rater_evidence,
    spell,
    system_evidence,
    topic_evidence,
    words_of,
)
from classy_aesop.reading.columns import LEFT_OUT, MAX_NAME_CHARACTERS, Table
from classy_aesop.reading.exports import EXPORTS
from classy_aesop.reading.key_columns import MIN_SHARED
from classy_aesop.reading.nesting import (
    JsonObject,
    explode_lists,
    find_records,
    parse_written,
    read_places,
    unfold,
)
from classy_aesop.reading.rankings import (
    CellsOfRow,
    compare_sides,
    name_places,
    spread_choices,
    spread_counts,
    spread_rankings,
    spread_votes,
)
from classy_aesop.reading.shapes import names_measures
from classy_aesop.reading.summary_rows import json_lines, parse_json
from classy_aesop.reading.table_files import (
    Placed,
    Sheet,
    csv_rows,
    find_separator,
    form_of,
    holds_json_lines,
    match_header,
    read_sheet,
    read_table_file,
    tab_rows,
)
from classy_aesop.reading.workbook_checks import describe_uncomputed
from classy_aesop.reading.written_cells import MISSING_WORDS, number_in, read_cell
from classy_aesop.work.kept_files import read_once

SHEET = "sheet"
"""The column of the names of sheets."""
LeftOut = tuple[tuple[str, Where], ...]
"""Rows that are left out: why, and where."""
Requested = Mapping[str, Sequence[str]]
"""The columns of each role that the user names."""
SAMPLE_ROWS = 50
MAX_TITLE_LINES = 3
MIN_IDS = 6
MAX_SYSTEMS_IN_IDS = 12
MAX_KEPT_CELLS = 2_000_000
"""Cells of a table that is kept within a command; a greater one is read again, so that memory does not grow."""
MAX_HEADER_CHARACTERS = 4_000
"""Longest name of a column, which may be a question of a form."""


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
        table = _read_workbook(source)
    else:
        table = _unfold_written_objects(_read_text_table(source))
    return _lay_out_lists(table)


def _lay_out_lists(table: Table) -> Table:
    return spread_rankings(join_ticks(explode_lists(name_places(table))))


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
    def uncomputed(self) -> list[str]:
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

    @property
    def columns(self) -> dict[str, list[Any]]:
        """The cells below each name in the first line of the header."""
        names = self.names[0] if self.header else []
        return {name: [cells[number] for _, cells in self.body] for number, name in enumerate(names) if name}

    @property
    def has_grades(self) -> bool:
        """Whether half of the cells of a column are numbers, some of which come again."""
        for column in self.columns.values():
            cells = [*filter(_is_filled, column)]
            numbers = [number for number in map(number_in, cells) if number is not None and number == number]
            if len({*numbers}) < len(numbers) and 2 * len(numbers) >= len(cells):
                return True
        return False

    def add_columns(self, columns: Mapping[str, Iterable[Any]]) -> _SheetParts:
        """Add named columns after its last one with a cell."""
        filled = (
            n for _, row in (*self.header, *self.body) for n, cell in enumerate(row, 1) if _is_filled(cell)
        )
        width = max(filled, default=0)
        lines = [
            [*columns],
            *[[""] * len(columns)] * (len(self.header) - 1),
            *zip(*columns.values(), strict=True),
        ]
        rows = [
            (where, [*row[:width], *[None] * (width - len(row)), *cells])
            for (where, row), cells in zip((*self.header, *self.body), lines, strict=True)
        ]
        n_lines = len(self.header)
        return replace(self, header=rows[:n_lines], body=rows[n_lines:])


def _divide_sheet(sheet: Sheet) -> _SheetParts:
    """Divide a sheet; its header has one line, or two that belong together."""
    cells = [["" if cell is None else cell for cell in row] for _, row in sheet.rows[: SAMPLE_ROWS + 2]]
    n_titles = _count_titles(cells) if cells else 0
    first_lines = cells[n_titles:]
    n_above = n_titles + 1
    if first_lines and _join_headers([str(cell).strip() for cell in first_lines[0]], first_lines[1:]):
        n_above += 1
    width = len(sheet.rows[0][1]) if sheet.rows else 0
    body, left_out = _split_end(sheet.rows[n_above:], width)
    return _SheetParts(sheet, sheet.rows[:n_titles], sheet.rows[n_titles:n_above], body, left_out)


def _choose_sheets(sheets: Sequence[_SheetParts]) -> list[_SheetParts]:
    """Choose the first sheet and those with its header, or those of another header that hold more rows.

    That is one of several sheets, or of one with grades where the first has none: instructions may be the first sheet.
    """
    by_header: list[list[_SheetParts]] = []
    for parts in sheets:
        alike = next((alike for alike in by_header if _have_one_header(alike[0], parts)), [])
        if not alike:
            by_header.append(alike)
        alike.append(parts)
    first, *others = by_header
    may_be_other = not first[0].has_grades
    rivals = [
        alike
        for alike in others
        if len(alike[0].columns) > 1 and (len(alike) > 1 or (may_be_other and alike[0].has_grades))
    ]
    return max(
        [first, *rivals], key=lambda alike: (sum(len(parts.body) for parts in alike), alike[0].has_grades)
    )


def _have_one_header(first: _SheetParts, second: _SheetParts) -> bool:
    """Whether two sheets have the same names; one may have further columns of no numbers at its end, as for remarks."""
    shorter, longer = sorted((first, second), key=lambda parts: len(parts.columns))
    width = len(shorter.columns)
    further_cells = chain(*[*longer.columns.values()][width:])
    is_alike = len(longer.names) == 1 < width and [longer.names[0][:width]] == shorter.names
    has_numbers = any(number_in(cell) is not None for cell in further_cells if _is_filled(cell))
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


def _read_workbook(source: Source) -> Table:
    """Read the sheet that is asked for; or those of one header, each row with its sheet, and the keys to the rows."""
    first = read_sheet(source)
    sheets = [_divide_sheet(first)]
    if not any(SHEET in names for names in sheets[0].names):
        sheets += [_divide_sheet(read_sheet(source.select_sheet(title))) for title in first.visible_sheets]
    chosen = _choose_sheets(sheets)
    joined = chosen[0]
    notes = []
    if any(parts.sheet.structure.merged for parts in chosen):
        notes.append("cells that are merged over several rows count for each of them")
    if len(chosen) > 1:
        name = _name_titles(chosen)
        joined = _join_sheets(chosen, name)
        titles = join_names(parts.title for parts in chosen)
        notes.append(f"the sheets {titles} have one header; their names are the column '{name}'")
    keys = []
    for parts in (parts for parts in sheets if parts not in chosen):
        columns, note = _read_key(joined, parts)
        if columns:
            joined = joined.add_columns(columns)
            notes.append(note)
            keys.append(parts)
    uncomputed = []
    for parts in (*chosen, *keys):
        parts.sheet.warn_of_hidden(source)
        of_sheet = f" of the sheet {parts.title}" if len(chosen) + len(keys) > 1 else ""
        uncomputed += [f"{cell}{of_sheet}" for cell in parts.uncomputed]
    notes += describe_uncomputed(uncomputed)
    titles_read = [parts.title for parts in (*chosen, *keys)]
    other_sheets = [title for title in (first.title, *first.unread_sheets) if title not in titles_read]
    if other_sheets:
        are_read = (
            f"sheets {join_names(titles_read)} are" if len(titles_read) > 1 else f"sheet {titles_read[0]} is"
        )
        notes.insert(0, f"only the {are_read} read, not {join_names(other_sheets)} (--sheet NAME)")
    rows = [*joined.titles, *joined.header, *joined.body]
    table = _name_columns(source, rows, notes, other_sheets, left_out=joined.left_out)
    return replace(table, is_laid_out=titles_read != [first.title])


def _read_key(rated: _SheetParts, key: _SheetParts) -> tuple[dict[str, list[Any]], str]:
    """Give the columns that a key adds to rated rows, and a note; none if the sheet is no key.

    A key has the ids of the rows, each once, in columns of the same names, or in one with the same words. It orders the
    same names anew for each, where its other columns are ends of others (``A`` and ``B`` of ``Score A`` and
    ``Score B``); or it has words that come again, such as the system that was blinded. Longer texts are not added.
    """
    columns = rated.columns
    columns_of_key = key.columns
    shared = [name for name in columns_of_key if name in columns]
    unique = [name for name, cells in columns_of_key.items() if len({*map(str, cells)}) == len(cells)]
    pairs = [(shared, shared)] if shared else [([a], [b]) for a, b in product(unique, columns)]
    for names_of_key, names in pairs:
        ids = _list_ids(columns, names)
        row_of = {ids_of_key: row for row, ids_of_key in enumerate(_list_ids(columns_of_key, names_of_key))}
        if len(row_of) < len(key.body) or not row_of.keys() & {*ids}:
            continue
        rows = [row_of.get(ids_of_row) for ids_of_row in ids]
        further = {name: cells for name, cells in columns_of_key.items() if name not in names_of_key}
        orders = {frozenset(map(str, names_of_item)) for names_of_item in zip(*further.values(), strict=True)}
        are_ends = all(any(name.endswith(f" {place}") for name in columns) for place in further)
        if len(orders) == 1 < len(further) and are_ends:
            note = f"the sheet {key.title} names the systems of each row: they became columns"
            return {f"system {place}": _repeat_cells(cells, rows) for place, cells in further.items()}, note
        are_words_of_key = {*ids} == row_of.keys() and not _are_numbers(ids, 0)
        if None in rows or not (shared or are_words_of_key) or not _identify_rows(rated, names, ids):
            continue
        are_unique = len({*ids}) == len(ids)
        named = [name for name, cells in further.items() if _are_names(cells)]
        taken = [
            name for name, cells in further.items() if name in named or (are_unique and _are_short(cells))
        ]
        if named:
            untaken = [name for name in further if name not in taken]
            note = f"rows are joined by {join_names(names)} with the sheet {key.title}: {join_names(taken)}"
            note += f" (not {join_names(untaken)})" if untaken else ""
            return {name: _repeat_cells(further[name], rows) for name in taken}, note
    return {}, ""


def _repeat_cells(cells: Sequence[Any], rows: Iterable[int | None]) -> list[Any]:
    return [None if row is None else cells[row] for row in rows]


def _identify_rows(rated: _SheetParts, names: Sequence[str], ids: Sequence[tuple[str, ...]]) -> bool:
    """Whether each of the ids in columns comes once in a sheet, or equally often, as where several people rated each.

    A person or a system comes again as well, and what another sheet says of it is no key.
    """
    units = (where.unit for where, _ in rated.body)  # which name the sheets of joined ones
    counts = {*Counter(zip(units, ids, strict=True)).values()}
    is_of_thing = len(names) > 1 or rater_evidence(names[0]) < SURE
    may_come_again = is_of_thing and SURE not in map(system_evidence, rated.columns)
    return counts == {1} or (len(counts) == 1 and may_come_again)


def _are_short(cells: Iterable[Any]) -> bool:
    """Whether any cell is filled, and none has a long text."""
    return any(map(_is_filled, cells)) and all(len(str(cell)) <= MAX_NAME_CHARACTERS for cell in cells)


def _are_names(cells: Sequence[Any]) -> bool:
    """Whether cells are short words, of which there are several, and which come again."""
    words = [str(cell).strip() for cell in cells if _is_filled(cell)]
    are_words = all(number_in(word) is None for word in words)
    return are_words and 1 < len({*words}) < len(words) and _are_short(words)


def _list_ids(columns: Mapping[str, Sequence[Any]], names: Iterable[str]) -> list[tuple[str, ...]]:
    """List the identifiers of rows in some of their columns."""
    return [*zip(*([str(cell).strip() for cell in columns[name]] for name in names), strict=True)]


def _read_text_table(source: Source) -> Table:
    remaining_lines = source.texts()
    first_lines = list(islice(remaining_lines, SAMPLE_ROWS))
    first_lines, comments = _blank_comments(first_lines)
    lines = chain(first_lines, remaining_lines)
    separator = find_separator([line for _, line in first_lines if line.strip()])
    if separator == " ":
        rows = [(where, line.split()) for where, line in lines if line.strip()]
        return _name_columns(source, rows, ["cells are separated by blanks"], comments=comments)
    if separator == "|":
        rows = [row for row in map(_strip_bars, lines) if row[1]]
        return _name_columns(source, rows, ["cells are separated by bars"], comments=comments)
    name = source.name
    rows = list(tab_rows(lines, name) if separator == "\t" else csv_rows(lines, name, separator))
    return _name_columns(source, rows, [], comments=comments)


def _blank_comments(lines: Sequence[tuple[Where, str]]) -> tuple[list[tuple[Where, str]], list[str]]:
    """Blank the lines above a header that begin with ``#`` and have fewer or more cells than it; give their texts."""
    is_above = [line.startswith("#") or not line.strip() for _, line in lines]
    n_above = is_above.index(False) if False in is_above else 0
    below = [line for _, line in lines[n_above:] if line.strip()]
    if not n_above or not below:
        return list(lines), []
    separator = find_separator(below)
    n_cells = below[0].count(separator)
    is_comment = [line.startswith("#") and line.count(separator) != n_cells for _, line in lines[:n_above]]
    comments = [line.strip() for (_, line), is_left_out in zip(lines, is_comment) if is_left_out]  # noqa: B905
    blanked = [
        (where, "\n" if is_left_out else line)
        for (where, line), is_left_out in zip(lines[:n_above], is_comment, strict=True)
    ]
    return [*blanked, *lines[n_above:]], comments


MEANING_OF_CODE = re.compile(r"([+-]?\d+)\s*[=:]\s*([^;,()\n]+)")
"""What a name or a comment says that a number means: ``0 = could not judge``."""


def _empty_codes(cells: dict[str, Sequence[Any]], comments: Iterable[str], notes: list[str]) -> None:
    """Empty the grades that comments, or the names of their columns, say stand for none."""
    for name, values in cells.items():
        is_identifier = bool(topic_evidence(name) or system_evidence(name) or rater_evidence(name) == SURE)
        texts = [name, *(() if is_identifier else comments)]
        meanings = {
            float(number): meaning.strip()
            for text in texts
            for number, meaning in MEANING_OF_CODE.findall(text)
            if MISSING_WORDS.fullmatch(meaning.strip())
        }
        numbers = [*map(number_in, values)] if meanings else []
        if None in numbers or not {*numbers} & {*meanings}:
            continue
        cells[name] = [
            None if number in meanings else value for number, value in zip(numbers, values, strict=True)
        ]
        written = join_names([f"{number:g} ({meaning})" for number, meaning in meanings.items()])
        notes.append(f"{written} is read as missing in {name}, as the file says")


LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
"""A name with the address that it links to, in Markdown."""


def _strip_bars(line: tuple[Where, str]) -> tuple[Where, list[Any]]:
    """Give the cells between the bars of a line, as Markdown and psql print them; none of a rule below a header."""
    where, text = line
    stripped = text.strip()
    if not stripped.strip("-+|: "):
        return where, []
    is_framed = stripped.startswith("|") and stripped.endswith("|")
    cells = (stripped[1:-1] if is_framed else text).split("|")
    return where, [LINK.sub(r"\1", cell).strip(" *`") for cell in cells]


def _is_filled(cell: Any) -> bool:
    return cell is not None and bool(str(cell).strip())


def _are_numbers(rows: Sequence[Sequence[Any]], column: int) -> bool:
    """Whether a column holds numbers and missing ones in these rows, at least one number."""
    cells = [row[column] if column < len(row) else "?" for row in rows]
    return bool(cells) and any(map(_is_filled, cells)) and all(number_in(cell) is not None for cell in cells)


def _name_columns(
    source: Source,
    rows: Sequence[tuple[Where, list[Any]]],
    notes: list[str],
    sheets: Sequence[str] = (),
    comments: Sequence[str] = (),
    left_out: LeftOut = (),
) -> Table:
    """Find the header among rows of cells: below titles, of one or more lines, or missing; and name the cells."""
    rows = [(where, cells) for where, cells in rows if any(map(_is_filled, cells))]
    if not rows:
        raise InputError("the file is empty", path=source.name)
    cells = [[("" if cell is None else cell) for cell in row] for _, row in rows]
    first = _count_titles(cells)
    if first or comments:
        title = " ".join([*comments, *(str(cell) for row in cells[:first] for cell in row if cell)])
        notes.append(f"left out above the header: {title.strip()[:60]!r}")
    place, names = rows[first]
    names = ["" if name is None else name for name in names]
    header = [str(cell).strip() for cell in cells[first]]
    below = cells[first + 1 : first + 1 + SAMPLE_ROWS]
    body = rows[first + 1 :]
    if {*KEYS} <= {*header}:
        pass  # our own table: one line of names, whatever is below
    elif is_headerless(header, below):
        notes.append("the file has no header; its columns are named 1, 2, ...")
        names = [str(number) for number in range(1, len(header) + 1)]
        n_spans = len(header) - len(APPRAISE)
        if n_spans in (0, 1) and {row[3] for row in cells[first:]} <= KINDS_OF_APPRAISE:
            notes[-1] = "the file has no header; its columns are named as those that Appraise exports"
            names = [*APPRAISE[:-2], *["span_errors"] * n_spans, *APPRAISE[-2:]]
        body = rows[first:]
        place = Where(source.name)
    elif joined := _join_headers(*(lifted := _lift_index_names(header, below))):
        notes.append("two lines of headers are joined by a point")
        names = joined
        body = body[1 + len(below) - len(lifted[1]) :]
    elif n_below := count_lower_headers(len(header), below):
        left_out += tuple(("a line of headers below the first", where) for where, _ in body[:n_below])
        body = body[n_below:]
        labelled_names = _label_parts(header, list(map(str, below[0])))
        if labelled_names != header:
            notes.append("parts of questions are named by the ends of their texts")
            names = labelled_names
    questions = _name_questions(list(map(str, names)))
    if questions != names:
        notes.append("questions are named by their codes, repeated ones by a number")
        names = questions
    names = _name_unnamed(names, notes)
    longest = max(len(str(name)) for name in names)
    if longest > MAX_HEADER_CHARACTERS:
        raise place.error(f"a name of {longest} characters; expected names of columns")
    body, end = _split_end(body, len(names))
    left_out += end
    body, short_rows = _fill_short_rows(body, names, notes)
    names, body = match_header((place, names), body, source.name)
    columns = zip(*(row for _, row in body), strict=True) if body else [()] * len(names)
    cells_by_name: dict[str, Sequence[Any]] = dict(zip(names, columns))  # noqa: B905 -- an empty column at the end has no name
    _empty_codes(cells_by_name, comments, notes)
    if cells_by_name.keys() >= OF_LIMESURVEY:
        _number_answers(cells_by_name, notes)
    return replace(
        Table.from_cells(source.name, cells_by_name, [where for where, _ in body]),
        notes=tuple(notes),
        other_sheets=tuple(sheets),
        header=place,
        short_rows=short_rows,
        left_out=left_out,
    )


APPRAISE = (
    "annotator",
    "system",
    "segment_id",
    "item_type",
    "source_language",
    "target_language",
    "score",
    "document",
    "is_document",
    "start_time",
    "end_time",
)
"""The columns of a direct assessment in Appraise, which exports no header (github.com/AppraiseDev/Appraise).

One with marked spans (ESA) has these before the times.
"""
KINDS_OF_APPRAISE = {"TGT", "BAD", "REF", "CHK"}
"""Its kinds of rows: outputs, and those of quality control."""

MIN_WORDS_OF_A_QUESTION = 3
"""Fewest words of a name that stands several times as a question of a form, and by no mistake."""

CODE_OF_QUESTION = re.compile(r"(\w+)(?:\[(\w+)\])?(?:\. .*)?", re.DOTALL)
"""How LimeSurvey names a question: by its code, that of a row of its grid, and perhaps its text."""


OF_LIMESURVEY = frozenset({"submitdate", "startlanguage"})
"""Columns that each of its exports has."""
CODE_OF_ANSWER = re.compile(r"[A-Z]{1,2}\d{1,2}")
"""How it codes the grades of a scale: ``A4``, ``AO04``."""


def _number_answers(cells: dict[str, Sequence[Any]], notes: list[str]) -> None:
    """Replace the codes of the grades in a grid of LimeSurvey by their numbers."""
    codes_of = {
        name: [str(cell) for cell in values if _is_filled(cell)]
        for name, values in cells.items()
        if "." in name
    }
    coded = [name for name, codes in codes_of.items() if codes and all(map(CODE_OF_ANSWER.fullmatch, codes))]
    for name in coded:
        cells[name] = [
            int(str(cell).lstrip(ascii_uppercase)) if _is_filled(cell) else None for cell in cells[name]
        ]
    if coded:
        notes.append(f"answers are codes of grades, as {codes_of[coded[0]][0]}: their numbers are read")


def _name_questions(names: list[str]) -> list[str]:
    """Name questions of LimeSurvey by their codes (``fluency.alpha``), and number questions that a form repeats."""
    matches = [CODE_OF_QUESTION.fullmatch(name.strip()) for name in names]
    codes = [".".join(filter(None, match.groups())) if match else "" for match in matches]
    if {*codes} >= OF_LIMESURVEY and all(codes) and len({*codes}) == len(codes):
        return ["response_id" if code == "id" else code for code in codes]
    counts = Counter(name for name in names if len(name.split()) >= MIN_WORDS_OF_A_QUESTION)
    numbers: Counter[str] = Counter()
    numbered_names = []
    for name in names:
        numbers[name] += 1
        numbered_names.append(f"{name} [{numbers[name]}]" if counts[name] > 1 else name)
    return numbered_names


PART_OF_QUESTION = re.compile(r"(.+)_\d{1,3}")
"""The code of a part of a question in a survey: ``Q1_2``."""


def _label_parts(codes: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Name parts of questions (``Q1_2``) by their labels, the ends of their texts: ``How good is it? - alpha``."""
    parts = {
        code: (part[1], *map(str.strip, text.rsplit(" - ", 1)))
        for code, text in zip(codes, texts, strict=True)
        if " - " in text and (part := PART_OF_QUESTION.fullmatch(code))
    }
    heads = _differing_heads({question: head for question, head, _ in parts.values()})
    labels = {
        code: f"{heads.get(question, question)}.{label}" for code, (question, _, label) in parts.items()
    }
    names = [labels.get(code, code) for code in codes]
    return names if len({*names}) == len(names) else list(codes)


def _differing_heads(heads: Mapping[str, str]) -> dict[str, str]:
    """Give what differs at the beginnings of questions, if it is more than a number: ``Story 1 (alpha). Is it?``."""
    ending = commonprefix([head[::-1] for head in heads.values()])[::-1]  # noqa: RUF071
    end_of_sentence = re.match(r"\W*?(?=[.:?] )", ending)
    stripped = {
        question: head[: len(head) - len(ending)].strip() + (end_of_sentence[0] if end_of_sentence else "")
        for question, head in heads.items()
    }
    are_different = len({*stripped.values()}) == len(heads) and all(stripped.values())
    is_number = len({re.sub(r"\d+", "", head) for head in heads.values()}) < 2
    return stripped if are_different and not is_number else {}


def _name_unnamed(names: Sequence[Any], notes: list[str]) -> list[Any]:
    """Name columns by their places where several have no name, but for the first column, which may be an index."""
    is_unnamed = [not str(name).strip() for name in names]
    if sum(is_unnamed) < 2:
        return list(names)
    own_names = {
        number: f"column {number + 1}" for number, unnamed in enumerate(is_unnamed) if unnamed and number
    }
    notes.append(f"columns without a name are called by their places: {join_names(own_names.values())}")
    return [own_names.get(number, name) for number, name in enumerate(names)]


def _split_end(rows: list[Placed], n_columns: int) -> tuple[list[Placed], LeftOut]:
    """Split rows from those at their end that are no usual ones, which are left out."""
    left_out: LeftOut = ()
    while rows and (reason := _reason_at_end([cells for _, cells in rows], n_columns)):
        left_out += ((reason, rows[-1][0]),)
        rows = rows[:-1]
    return rows, left_out


def _reason_at_end(rows: Sequence[Sequence[Any]], n_columns: int) -> str:
    """Say what the last of rows is that holds means, totals or a remark on the table; nothing of a usual one.

    Its name is its first cell, or the first that is filled if no other row has it there.
    """
    cells = rows[-1]
    n_filled = sum(map(_is_filled, cells))
    place = [*map(_is_filled, cells)].index(True) if n_filled else 0
    name = spell(str(cells[place]))
    is_total = name in NAMES_OF_MEANS or (name in TOTALS and n_filled < len(cells))
    comes_again = place > 0 and any(row[place : place + 1] == [cells[place]] for row in rows[:-1])
    if is_total and len(cells) > 1 and not comes_again:
        return "a row of totals"
    return "a remark below the table" if n_filled == 1 and n_columns > 2 and place == 0 else ""


def _fill_short_rows(
    rows: Sequence[tuple[Where, list[Any]]], names: Sequence[Any], notes: list[str]
) -> tuple[list[tuple[Where, list[Any]]], dict[int, int]]:
    """Fill rows that are shorter than the header, and give their lengths: none may lack a cell that has a role."""
    short_rows = {number: len(cells) for number, (_, cells) in enumerate(rows) if 1 < len(cells) < len(names)}
    if not short_rows:
        return list(rows), short_rows
    first, n_cells = next(iter(short_rows.items()))
    lacking = join_names([str(name) for name in names[n_cells:]], limit=6)
    where = rows[first][0]
    notes.append(f"{len(short_rows)} rows have no cell of {lacking} (first: {where.unit} {where.line})")
    filled = [(where, [*cells, *[""] * (len(names) - len(cells))]) for where, cells in rows]
    return filled, short_rows


def _count_titles(rows: Sequence[Sequence[Any]]) -> int:
    widths = [sum(map(_is_filled, row)) for row in rows[:SAMPLE_ROWS]]
    usual = Counter(widths).most_common(1)[0][0]
    n = 0
    while (
        n < min(MAX_TITLE_LINES, len(rows) - 1)
        and (widths[n] <= max(1, usual // 3) or (usual > 3 and _is_setting(rows[n])))
        and widths[n] <= widths[n + 1]
        and not _has_repeated_names(rows[n + 1])
    ):
        n += 1
    return n


def _is_setting(row: Sequence[Any]) -> bool:
    """Whether a row has a name and its number alone, as above a table: ``Year, 2024``."""
    filled = [cell for cell in row if _is_filled(cell)]
    return len(filled) == 2 and filled == [*row[:2]] and number_in(filled[1]) is not None


def _has_repeated_names(row: Sequence[Any]) -> bool:
    """Whether a row has names several times, which are those below the header of several columns each."""
    names = [cell for cell in row if _is_filled(cell) and number_in(cell) is None]
    return len({*names}) < len(names)


def is_headerless(header: Sequence[str], body: Sequence[Sequence[Any]]) -> bool:
    """Whether the first line has numbers below which there are numbers, and is like the lines below it."""
    below = [row for row in body[:30] if len(row) == len(header)]
    is_number = [read_cell(name).kind == "number" for name in header]
    if not any(is_number) or not below:
        return False
    has_repeated = len({*header}) < len(header)
    for column, name in enumerate(header):
        is_short_id = re.fullmatch(r"[A-Za-z]?\d{1,2}", name) is not None
        if is_number[column] and _are_numbers(below, column) and (not is_short_id or has_repeated):
            return True
    columns = [column for column, is_numeric in enumerate(is_number) if not is_numeric]
    return any(header[column] in {str(row[column]) for row in below} for column in columns)


def count_lower_headers(width: int, body: Sequence[Sequence[Any]]) -> int:
    """Count lines of texts above columns of numbers, such as questions and the ids of Qualtrics."""
    for n in (2, 1):
        above = body[:n]
        below = body[n : n + 30]
        if len(above) < n or any(len(row) != width for row in (*above, *below)):
            continue
        numeric = [column for column in range(width) if _are_numbers(below, column)]
        if numeric and all(number_in(row[column]) is None for row in above for column in numeric):
            return n
    return 0


def _lift_index_names(
    upper: Sequence[str], body: Sequence[Sequence[Any]]
) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    """Lift the names of an index, which pandas writes on a line of their own below two headers, into the first."""
    if len(body) < 3 or len({*map(len, (upper, *body[:3]))}) > 1:
        return upper, body
    index = [str(cell).strip() for cell in body[1]]
    n_names = sum(map(bool, index))
    if not all(index[:n_names]) or not 0 < n_names < len(index) - 1 or not all(map(_is_filled, body[2])):
        return upper, body
    columns = [str(cell) for cell in body[0][n_names:]]
    return [*index[:n_names], *upper[n_names:]], [[*[""] * n_names, *columns], *body[2:]]


def _join_headers(upper: Sequence[str], body: Sequence[Sequence[Any]]) -> list[str]:
    """Join two lines of headers, the upper of which names several columns at once; none if there is one line."""
    if len(body) < 2:
        return []
    lower = [str(cell).strip() for cell in body[0]]
    width = max(len(upper), len(lower))
    upper = [*upper, *[""] * (width - len(upper))]
    lower += [""] * (width - len(lower))
    has_gaps = any(lower[column] and not upper[column] and any(upper[:column]) for column in range(width))
    titles = [name for name in upper if name]
    numeric = [column for column in range(width) if _are_numbers(body[1:], column)]
    if not (has_gaps or len({*titles}) < len(titles)) or not numeric:
        return []
    if any(lower[column] and number_in(lower[column]) is not None for column in numeric):
        return []
    names = []
    above = ""
    for name, below in zip(upper, lower, strict=True):
        above = name or (above if below else "")
        names.append(".".join(dict.fromkeys(filter(None, (above, below)))))
    return names if len({*names}) == len(names) and all(names) else []


def join_ticks(table: Table) -> Table:
    """Make one column of a question's options, of which each row has ticked one: ``fluency.1``, ``fluency.2``.

    A tick is a mark, or the option itself in its column.
    """
    questions: dict[str, dict[str, str]] = defaultdict(dict)
    ticks_of = {name: [*map(_write_tick, column.distinct)] for name, column in table.columns.items()}
    for name, ticks in ticks_of.items():
        question, _, option = TICKED_NUMBER.sub(r"\1.\2", name).rpartition(":::" if ":::" in name else ".")
        option = option.removeprefix("scale_")
        if question and option and {*ticks} <= {"true", "false", option}:
            questions[question][name] = option
    for question, options in questions.items():
        are_ticked = [
            np.array([*(tick in ("true", option) for tick in ticks_of[name]), False])[table[name].codes]
            for name, option in options.items()
        ]
        n_ticks = np.sum(are_ticked, axis=0)
        is_empty = np.all([table[name].codes < 0 for name in options], axis=0)
        if (
            len(options) < 2
            or question in table.columns
            or not n_ticks.any()
            or (n_ticks[~is_empty] != 1).any()
        ):
            continue
        cells = np.array([*options.values()], object)[np.argmax(are_ticked, axis=0)]
        cells[is_empty] = None
        first, *_, last = options
        note = f"{first} to {last} became {question}: the one of them that is ticked in each row"
        table = table.add_columns({question: cells.tolist()}, note, without=options)
    return table


def _write_tick(cell: Any) -> str:
    """Write what stands in a column of ticks, a whole number without a point."""
    return str(cell).lower().removesuffix(".0")


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
        is_status = words[-1:] == ("status",) and column.scale is None  # passed and failed are outcomes
        rejected = [value for value in column.distinct if is_status and spell(str(value)) in REJECTED]
        is_end = words[-1:] == ("latest",) or (words == ("finished",) and "Progress" in table.columns)
        is_end = is_end and column.may_be_truth_value
        rejected += [value for value in column.distinct if is_end and not (column.numbers or {}).get(value)]
        is_mark = words in MARKS_OF_OTHER_ROWS and column.may_be_truth_value
        rejected += [value for value in column.distinct if is_mark and (column.numbers or {}).get(value)]
        values = " or ".join(map(str, rejected))
        is_reason = words == ("reject",) and "Approve" in table.columns
        if is_reason or (words[:1] == ("golden",) and 2 * column.n_filled < table.n_rows):
            rejected = column.distinct
            values = "filled" if is_reason else "filled, as in control tasks"
        is_rejected = np.isin(column.codes, [column.distinct.index(value) for value in rejected])
        if name == "submitdate" and table.columns.keys() >= OF_LIMESURVEY:
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
        fields = dict.fromkeys(key for fields_of_cell in objects for key in fields_of_cell)
        n_objects = int(column.counts[[*map(bool, objects)]].sum()) if objects else 0
        is_spread = name not in NO_METRICS and 2 * n_objects >= column.n_filled
        if not (fields and is_spread) or fields.keys() & table.columns.keys():
            continue
        of_cells = [{} if code < 0 else objects[code] for code in column.codes.tolist()]
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
    if not text.startswith("{"):
        return {}
    try:
        value = parse_json(text, Where(), "an object")
    except InputError:
        return {}
    numbers = value.values() if isinstance(value, dict) else [None]
    return value if all(type(number) in (int, float) for number in numbers) else {}


def leave_out_remarks(table: Table) -> Table:
    """Leave out the rows of measures that mostly have texts or lists where those of others have numbers."""
    measures = [column for name, column in table.columns.items() if names_measures(table, name)]
    scores = [column for name, column in table.columns.items() if spell(name) in SCORES and column.strange]
    for measure, score in product(measures, scores):
        is_strange = np.isin(score.codes, [score.distinct.index(value) for value in score.strange])
        share = np.bincount(measure.codes + 1, is_strange) / np.maximum(1, np.bincount(measure.codes + 1))
        is_remark = share[measure.codes + 1] > 0.5
        if is_remark.any():
            names = join_names(np.array(measure.words)[share[1:] > 0.5].tolist())
            return table.leave_out(is_remark, f"no number in {score.name} of {names}")
    return table


LEADING_VERDICT = re.compile(r"\[(pass|fail|error)\](?: .*)?", re.DOTALL | re.IGNORECASE)
"""A verdict before what it is of: ``[PASS] the output``."""


def read_verdicts(table: Table) -> Table:
    """Keep of cells that all begin with a verdict in brackets the verdict; an error is none."""
    verdicts: dict[str, list[Any]] = {}
    for name, column in table.columns.items():
        matches = [match for word in column.words if (match := LEADING_VERDICT.fullmatch(word))]
        if matches and len(matches) == column.n_distinct:
            words = [None if match[1].lower() == "error" else match[1] for match in matches]
            verdicts[name] = np.array([*words, None], object).take(column.codes).tolist()
    if not verdicts:
        return table
    note = f"of cells of {join_names(verdicts)} only the verdict in brackets is read, and an error as missing"
    return table.add_columns(verdicts, note)


def fill_down(table: Table) -> Table:
    """Repeat the name of an item in the rows below it, where cells that were merged have been saved as empty ones.

    All items have as many rows, in which another column has the same names.
    """
    for name, column in table.columns.items():
        [starts] = np.nonzero(column.codes >= 0)
        n_rows_of_items = np.diff([*starts, table.n_rows])
        n_of_item = int(n_rows_of_items[0]) if len(starts) > 1 and starts[0] == 0 else 0
        if n_of_item < 2 or (n_rows_of_items != n_of_item).any() or is_measure(name):
            continue
        names = [other.codes for other in table.columns.values() if other.n_distinct == n_of_item]
        blocks = [np.sort(codes.reshape(-1, n_of_item)) for codes in names]
        if any((block == np.arange(n_of_item)).all() for block in blocks):
            cells = np.array(column.cells, object)[starts].repeat(n_of_item).tolist()
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
        is_id = column.is_name and not column.is_text and column.n_distinct >= MIN_IDS
        if (
            not is_id
            or name in raters
            or table.n_different([name, *raters]) < table.n_rows
            or -1 in column.codes
        ):
            continue
        for form in FORMS_OF_PAIRS:
            parts = _split_crossed(form, column.words)
            if parts is None or (column.n_distinct < table.n_rows and all(map(NUMBERED.fullmatch, parts[1]))):
                continue
            items = np.array(parts[0], object).take(column.codes).tolist()
            systems = np.array(parts[1], object).take(column.codes).tolist()
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
    n_pairs = len({*zip(items, systems, strict=True)})
    are_crossed = n_pairs == len(ids) == len({*items}) * n_systems
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
    holds_errors = bool({*map(spell, names)} & ERRORS)
    without_children: list[Row] = [
        (where, row if holds_errors and row.keys() & names else {LEFT_OUT: "nothing in it became a row"})
        for where, row in ((where, _keep_plain(row)) for where, row in rows if where not in places)
    ]
    made_keys = [key for note in notes for key in re.findall(r"the column '([^']+)'", note)]
    return replace(
        Table.from_rows(name, [*unfolded.rows, *without_children]),
        source="JSON",
        notes=tuple(notes),
        made_keys=tuple(made_keys),
        outer=frozenset(unfolded.outer),
        objects=unfolded.object_codes(),
    )


def _unfold_written_objects(table: Table) -> Table:
    """Unfold the objects that are written in the cells of a table of text, if no column is called as a measure."""
    written = {
        name: [*map(parse_written, column.cells)]
        for name, column in table.columns.items()
        if str(column.distinct[:1]).startswith("['{")
    }
    written = {
        name: cells for name, cells in written.items() if all(isinstance(cell, dict) for cell in cells)
    }
    if not written or any(is_measure(name) and column.values for name, column in table.columns.items()):
        return table
    rows = [
        (where, {**row, **{name: cells[number] for name, cells in written.items()}})
        for number, (where, row) in enumerate(table.rows())
    ]
    unfolded = _unfold_rows(table.name, rows, [*table.notes])
    return replace(unfolded, left_out=(*table.left_out, *unfolded.left_out), header=table.header)


def _keep_plain(row: CellsOfRow) -> JsonObject:
    """Keep the cells of a row that are no lists and no objects: of an output in which no error was marked."""
    return {name: cell for name, cell in row.items() if not isinstance(cell, list | dict)}


def open_memory(data: object, requested: Requested) -> Table:
    """Make a table of one in memory, nested cells and lists of which become columns and rows."""
    table = Table.from_memory(data)
    if any(isinstance(value, dict) for column in table.columns.values() for value in column.distinct):
        table = _unfold_rows("", table.rows(), [])
    return lay_out_by_value(_lay_out_lists(table), requested)


def _number(source: Source, rows: Sequence[JsonObject]) -> list[Row]:
    return [(Where(source.name, number, "record"), row) for number, row in enumerate(rows, 1)]
