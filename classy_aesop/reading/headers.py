"""Which line of rows of cells is the header: below titles, of one or more lines, or missing; and what is no row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import dropwhile, takewhile, zip_longest
from os.path import commonprefix
from string import ascii_uppercase
from typing import Any

from classy_aesop.data import KEYS
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, join_names
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.column_names import (
    NAMES_OF_MEANS,
    SURE,
    TOTALS,
    rater_evidence,
    spell,
    system_evidence,
    topic_evidence,
)
from classy_aesop.reading.columns import Table
from classy_aesop.reading.table_files import (
    Placed,
    PlacedLine,
    find_separator,
    is_filled,
    match_header,
)
from classy_aesop.reading.written_cells import MISSING_WORDS, number_in, read_cell

LeftOut = tuple[tuple[str, Where], ...]
"""Rows that are left out: why, and where."""
SAMPLE_ROWS = 50
MAX_TITLE_LINES = 3
MAX_HEADER_CHARACTERS = 4_000
"""Longest name of a column, which may be a question of a form."""


def blank_comments(lines: Sequence[PlacedLine]) -> tuple[list[PlacedLine], list[str]]:
    """Blank the lines above a header that begin with ``#`` and have fewer or more cells than it; give their texts."""
    above = [*takewhile(lambda placed: placed[1].startswith("#") or not placed[1].strip(), lines)]
    below = [line for _, line in lines[len(above) :] if line.strip()]
    if not below:
        return list(lines), []
    separator = find_separator(below)
    n_cells = below[0].count(separator)
    comments = {
        where: line.strip()
        for where, line in above
        if line.startswith("#") and line.count(separator) != n_cells
    }
    return [(where, "\n" if where in comments else line) for where, line in lines], [*comments.values()]


MEANING_OF_CODE = re.compile(r"([+-]?\d+)\s*[=:]\s*([^;,()\n]+)")
"""What a name or a comment says that a number means: ``0 = could not judge``."""


def _empty_codes(cells: dict[str, list[Any]], comments: Iterable[str], notes: list[str]) -> None:
    """Empty the grades that comments, or the names of their columns, say stand for none."""
    for name, values in cells.items():
        is_identifier = topic_evidence(name) or system_evidence(name) or rater_evidence(name) == SURE
        texts = [name] if is_identifier else [name, *comments]
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


def are_numbers(rows: Sequence[Sequence[Any]], column: int) -> bool:
    """Whether a column holds numbers and missing ones in these rows, at least one number."""
    cells = [row[column] if column < len(row) else "?" for row in rows]
    return any(map(is_filled, cells)) and all(number_in(cell) is not None for cell in cells)


def name_columns(
    source: Source,
    rows: Sequence[Placed],
    notes: list[str],
    comments: Sequence[str] = (),
    left_out: LeftOut = (),
) -> Table:
    """Find the header among rows of cells: below titles, of one or more lines, or missing; and name the cells."""
    rows = [(where, cells) for where, cells in rows if any(map(is_filled, cells))]
    if not rows:
        raise InputError("the file is empty", path=source.name)
    cells = [[("" if cell is None else cell) for cell in row] for _, row in rows]
    first = count_titles(cells)
    if first or comments:
        title = " ".join([*comments, *(str(cell) for row in cells[:first] for cell in row if cell)])
        notes.append(f"left out above the header: {title.strip()[:60]!r}")
    place = rows[first][0]
    header = [str(cell).strip() for cell in cells[first]]
    names = header
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
    elif joined := join_headers(*(lifted := lift_index_names(header, below))):
        notes.append("two lines of headers are joined by a point")
        names = joined
        body = body[1 + len(below) - len(lifted[1]) :]
    elif n_below := count_lower_headers(len(header), below):
        left_out += tuple(("a line of headers below the first", where) for where, _ in body[:n_below])
        body = body[n_below:]
        names = _label_parts(header, [*map(str, below[0])])
        if names != header:
            notes.append("parts of questions are named by the ends of their texts")
    questions = _name_questions(names)
    if questions != names:
        notes.append("questions are named by their codes, repeated ones by a number")
    names = _name_unnamed(questions, notes)
    longest = max(map(len, names))
    if longest > MAX_HEADER_CHARACTERS:
        raise place.error(f"a name of {longest} characters; expected names of columns")
    body, end = split_end(body, len(names))
    left_out += end
    body, short_rows = _fill_short_rows(body, names, notes)
    names, body = match_header((place, names), body)
    cells_by_name = {name: [row[number] for _, row in body] for number, name in enumerate(names)}
    _empty_codes(cells_by_name, comments, notes)
    if cells_by_name.keys() >= OF_LIMESURVEY:
        _number_answers(cells_by_name, notes)
    return replace(
        Table.from_cells(source.name, cells_by_name, [where for where, _ in body]),
        notes=tuple(notes),
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


def _number_answers(cells: dict[str, list[Any]], notes: list[str]) -> None:
    """Replace the codes of the grades in a grid of LimeSurvey by their numbers."""
    example = ""
    for name, values in cells.items():
        codes = [str(cell) if is_filled(cell) else "" for cell in values]
        filled_codes = [*filter(None, codes)]
        if "." in name and filled_codes and all(map(CODE_OF_ANSWER.fullmatch, filled_codes)):
            cells[name] = [int(code.lstrip(ascii_uppercase)) if code else None for code in codes]
            example = example or filled_codes[0]
    if example:
        notes.append(f"answers are codes of grades, as {example}: their numbers are read")


def _name_questions(names: list[str]) -> list[str]:
    """Name questions of LimeSurvey by their codes (``fluency.alpha``), and number questions that a form repeats."""
    matches = map(CODE_OF_QUESTION.fullmatch, names)
    codes = [".".join(filter(None, match.groups())) if match else "" for match in matches]
    if {*codes} >= OF_LIMESURVEY and all(codes):
        return ["response_id" if code == "id" else code for code in codes]
    counts = Counter(name for name in names if len(name.split()) >= MIN_WORDS_OF_A_QUESTION)
    return [
        f"{name} [{names[:number].count(name)}]" if counts[name] > 1 else name
        for number, name in enumerate(names, 1)
    ]


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


def _name_unnamed(names: list[str], notes: list[str]) -> list[str]:
    """Name columns by their places where several have no name, but for the first column, which may be an index."""
    if names.count("") < 2:
        return names
    own_names = {number: f"column {number + 1}" for number, name in enumerate(names) if number and not name}
    notes.append(f"columns without a name are called by their places: {join_names(own_names.values())}")
    return [own_names.get(number, name) for number, name in enumerate(names)]


def split_end(rows: list[Placed], n_columns: int) -> tuple[list[Placed], LeftOut]:
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
    n_filled = sum(map(is_filled, cells))
    place = [*map(is_filled, cells)].index(True)
    name = spell(str(cells[place]))
    is_total = name in NAMES_OF_MEANS or (name in TOTALS and n_filled < len(cells))
    comes_again = place > 0 and any(row[place : place + 1] == [cells[place]] for row in rows[:-1])
    if is_total and not comes_again:
        return "a row of totals"
    return "a remark below the table" if n_filled == 1 and n_columns > 2 and place == 0 else ""


def _fill_short_rows(
    rows: list[Placed], names: Sequence[str], notes: list[str]
) -> tuple[list[Placed], dict[int, int]]:
    """Fill rows that are shorter than the header, and give their lengths: none may lack a cell that has a role."""
    short_rows = {number: len(cells) for number, (_, cells) in enumerate(rows) if 1 < len(cells) < len(names)}
    if not short_rows:
        return rows, short_rows
    where, first = rows[min(short_rows)]
    lacking = join_names(names[len(first) :], limit=6)
    notes.append(f"{len(short_rows)} rows have no cell of {lacking} (first: {where.unit} {where.line})")
    filled = [(where, [*cells, *[""] * (len(names) - len(cells))]) for where, cells in rows]
    return filled, short_rows


def count_titles(rows: Sequence[Sequence[Any]]) -> int:
    """Count the rows of titles and settings at the top, which fill fewer cells than most."""
    widths = [sum(map(is_filled, row)) for row in rows[:SAMPLE_ROWS]]
    usual = Counter(widths).most_common(1)[0][0]
    n = 0
    while (
        n < min(MAX_TITLE_LINES, len(rows) - 1)
        and (widths[n] <= max(1, usual // 3) or (usual > 3 and _is_setting(rows[n])))
        and not _has_repeated_names(rows[n + 1])
    ):
        n += 1
    return n


def _is_setting(row: Sequence[Any]) -> bool:
    """Whether a row has a name and its number alone, as above a table: ``Year, 2024``."""
    filled = [cell for cell in row if is_filled(cell)]
    return len(filled) == 2 and filled == [*row[:2]] and number_in(filled[1]) is not None


def _has_repeated_names(row: Sequence[Any]) -> bool:
    """Whether a row has names several times, which are those below the header of several columns each."""
    names = [cell for cell in row if number_in(cell) is None]
    return len({*names}) < len(names)


def is_headerless(header: Sequence[str], body: Sequence[Sequence[Any]]) -> bool:
    """Whether the first line has numbers below which there are numbers, and is like the lines below it."""
    below = [row for row in body[:30] if len(row) == len(header)]
    are_ids = len({*header}) == len(header)
    has_numbers = False
    is_like_others = False
    for column, name in enumerate(header):
        if read_cell(name).kind == "number":
            has_numbers = True
            is_short_id = are_ids and re.fullmatch(r"\d{1,2}", name) is not None
            is_like_others |= not is_short_id and are_numbers(below, column)
        else:
            is_like_others |= name in {str(row[column]) for row in below}
    return has_numbers and is_like_others


def count_lower_headers(width: int, body: Sequence[Sequence[Any]]) -> int:
    """Count lines of texts above columns of numbers, such as questions and the ids of Qualtrics."""
    for n in (2, 1):
        above = body[:n]
        below = body[n : n + 30]
        if any(len(row) != width for row in (*above, *below)):
            continue
        numeric = [column for column in range(width) if are_numbers(below, column)]
        if numeric and all(number_in(row[column]) is None for row in above for column in numeric):
            return n
    return 0


def lift_index_names(
    upper: Sequence[str], body: Sequence[Sequence[Any]]
) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    """Lift the names of an index, which pandas writes on a line of their own below two headers, into the first."""
    if len(body) < 3 or len({*map(len, (upper, *body[:3]))}) > 1:
        return upper, body
    index = [str(cell).strip() for cell in body[1]]
    n_names = sum(map(bool, index))
    if not all(index[:n_names]) or not 0 < n_names < len(index) - 1 or not all(map(is_filled, body[2])):
        return upper, body
    columns = [str(cell) for cell in body[0][n_names:]]
    return [*index[:n_names], *upper[n_names:]], [[*[""] * n_names, *columns], *body[2:]]


def join_headers(upper: Sequence[str], body: Sequence[Sequence[Any]]) -> list[str]:
    """Join two lines of headers, the upper of which names several columns at once; none if there is one line."""
    lower = [str(cell).strip() for row in body[:1] for cell in row]
    pairs = [*zip_longest(upper, lower, fillvalue="")]
    has_gaps = any(below and not name for name, below in dropwhile(lambda pair: not pair[0], pairs))
    titles = [name for name in upper if name]
    above_numbers = [below for column, (_, below) in enumerate(pairs) if are_numbers(body[1:], column)]
    if not (has_gaps or len({*titles}) < len(titles)) or not above_numbers:
        return []
    if any(below and number_in(below) is not None for below in above_numbers):
        return []
    names = []
    above = ""
    for name, below in pairs:
        above = name or (above if below else "")
        names.append(".".join(dict.fromkeys(filter(None, (above, below)))))
    return names if all(names) else []
