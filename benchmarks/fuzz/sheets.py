"""Tables as spreadsheets write them: decimal commas, raters as columns, and workbooks that are strange inside."""

import datetime
import io
import random
import re
import warnings
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

from openpyxl import Workbook, load_workbook

from benchmarks.fuzz.mutations import damaged, spoiled
from benchmarks.fuzz.odd_cells import ODD
from benchmarks.fuzz.packed import checksummed, scores_of
from benchmarks.fuzz.readers import Reader, sound_corpus, sound_scores
from classy_aesop import read_corpus, read_scores

Rows = Sequence[Sequence[object]]

_SCORES: Rows = [
    ("doc_id", "system", "m", "n"),
    *((f"D{at % 3}", f"s{at // 3}", at / 8, float(at) + 0.5) for at in range(9)),
]
_RATERS: Rows = [
    ("doc_id", "system", "summary", "rating_1", "rating_2", "rating_3"),
    *((f"D{at % 3}", f"s{at // 3}", "Zürich lag still.", at % 5 + 1, at % 4 + 0.5, 3) for at in range(9)),
]
_VALUES: tuple[object, ...] = (
    None, True, False, 0, -1, 1e100, 1e308, 10**20, "", " ", "=1+1", "=A1", "=1/0", "#DIV/0!", "'3", "a\nb", "a\tb",
    datetime.date(2026, 1, 2), datetime.time(3, 4), datetime.timedelta(days=1.5), datetime.datetime(1900, 1, 1), *ODD,
)  # fmt: skip


# --- text ---


def semicolons(rows: Rows) -> bytes:
    """Write rows as a spreadsheet does where a comma is the sign of decimals."""
    return _separated(
        [[re.sub(r"^(-?\d+)\.(\d+)$", r"\1,\2", str(cell)) for cell in row] for row in rows], ";"
    )


def _separated(rows: Rows, separator: str) -> bytes:
    """Write rows with an empty one at the end."""
    return "".join(f"{separator.join(map(str, row))}\r\n" for row in (*rows, [""] * len(rows[0]))).encode()


def _odd_rows(content: bytes, rng: random.Random) -> bytes:
    """Change cells, names of columns, or rows, so that the table is still text with separators."""
    lines = content.decode(errors="replace").split("\r\n")
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.choice((0, rng.randrange(len(lines))))
        cells = lines[at].split(";")
        column = rng.randrange(len(cells))
        odd = rng.choice(
            (*ODD, "3.5", "1.234,5", "1.234", "1,234,567", "0,5 ", ",5", "5,", cells[column - 1], '"', '""')
        )
        lines[at : at + 1] = rng.choice(
            (
                [";".join([*cells[:column], odd, *cells[column + 1 :]])],
                [";".join([*cells[:column], odd, *cells[column + 1 :]])],
                [";".join([*cells, odd])],
                [";" * len(cells), lines[at]],
                [lines[at]] * 2,
                [lines[at].replace(";", rng.choice((",", "\t", "; ")))],
            )
        )
    return "\r\n".join(lines).encode(
        rng.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1252")), "replace"
    )


def _encoded(path: Path) -> bool:
    """Whether text of another encoding is read with its letters, or refused."""
    encoding = random.Random(path.read_bytes()).choice(
        ("cp1252", "utf-16", "latin-1", "utf-8-sig", "shift-jis")
    )
    read_scores(path, encoding=encoding)
    return bool(read_corpus(path, encoding=encoding).topics)


# --- numbers ---


def _same_numbers(content: bytes, rng: random.Random) -> bytes:
    """Give one table of numbers in one of the ways that spreadsheets have for it."""
    empty = [""] * rng.choice((0, 2))
    rows = [[*row, *empty] for row in (_SCORES[0], *rng.sample(list(_SCORES[1:]), len(_SCORES) - 1))]
    return rng.choice((semicolons(rows), _separated(rows, ","), _separated(rows, "\t"), workbook(rows)))


def _right_numbers(path: Path) -> bool:
    """Whether every number is the one that was written."""
    start = path.read_bytes()[:2]
    path = path.rename(path.with_suffix(".xlsx" if start == b"PK" else ".csv"))
    found = read_scores(path).set_index(["topic", "summarizer", "metric"])["score"].to_dict()
    path.unlink()
    return found == {
        (topic, system, name): value
        for topic, system, *values in _SCORES[1:]
        for name, value in zip("mn", values, strict=True)
    }


# --- workbooks ---


def workbook(rows: Rows) -> bytes:
    """Write rows as a workbook."""
    book = Workbook()
    for row in rows:
        book.active.append([None if cell == "" else cell for cell in row])
    return _saved(book)


def _saved(book: Workbook) -> bytes:
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _strange(content: bytes, rng: random.Random) -> bytes:
    """Give a whole workbook with odd cells, formulas, merged cells, empty or hidden rows, or other sheets."""
    book = load_workbook(io.BytesIO(content))
    sheet = book.active
    for _ in range(rng.choice((1, 1, 2, 4))):
        rng.choice((_odd_cell, _odd_cell, _odd_cell, _merged, _other_rows, _other_sheets))(book, sheet, rng)
    return _saved(book)


def _odd_cell(book: Workbook, sheet, rng: random.Random) -> None:  # type: ignore[no-untyped-def]
    at = (rng.choice((1, rng.randint(1, sheet.max_row + 2))), rng.randint(1, sheet.max_column + 1))
    value = rng.choice((*_VALUES, sheet.cell(1, 1).value))
    text = re.sub(r"[\x00-\x08\x0b-\x1f]", "", value) if isinstance(value, str) else value
    cell = sheet.cell(*at)
    if type(cell).__name__ == "Cell":
        cell.value = text


def _merged(book: Workbook, sheet, rng: random.Random) -> None:  # type: ignore[no-untyped-def]
    row, column = rng.randint(1, sheet.max_row), rng.randint(1, sheet.max_column)
    sheet.merge_cells(
        start_row=row,
        start_column=column,
        end_row=row + rng.randint(0, 3),
        end_column=column + rng.randint(0, 2),
    )


def _other_rows(book: Workbook, sheet, rng: random.Random) -> None:  # type: ignore[no-untyped-def]
    at = rng.randint(1, sheet.max_row)
    rng.choice((sheet.insert_rows, sheet.delete_rows, sheet.insert_cols, sheet.delete_cols))(min(at, 7))
    sheet.row_dimensions[at].hidden = True


def _other_sheets(book: Workbook, sheet, rng: random.Random) -> None:  # type: ignore[no-untyped-def]
    name = rng.choice(("other", "a b", "é", "Sheet"))
    rng.choice(
        (
            lambda: book.create_sheet(name),
            lambda: book.create_sheet(name, 0),
            lambda: book.create_chartsheet(name, 0),
            lambda: book.copy_worksheet(sheet),
        )
    )()


def _parts(content: bytes, rng: random.Random) -> bytes:
    """Give a whole archive of which one part is spoiled, gone, huge, or has other places of its cells."""
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        names = old.namelist()
        chosen = rng.choice((*names, *[name for name in names if "sheet" in name] * 3))
        for name in names:
            data = old.read(name)
            if name == chosen:
                if rng.random() < 0.05:
                    continue
                data = rng.choice(_CHANGES)(data, rng)
            new.writestr(name, data)
    return packed.getvalue()


def _places(data: bytes, rng: random.Random) -> bytes:
    """Say another place of a row, a cell or the sheet's end."""
    new = rng.choice((b"0", b"-1", b"999999999", b"1048577", b"XFD1", b"ZZZ9", b"A0", b"", b"A1", b"x"))
    found = list(re.finditer(rb'\b(?:r|ref)="([^"]*)"', data))
    return _replaced(data, rng.choice(found), new) if found else data


def _kinds(data: bytes, rng: random.Random) -> bytes:
    """Say another kind of a cell, or another number."""
    found = list(re.finditer(rb'\bt="([^"]*)"|<v>([^<]*)<', data))
    new = rng.choice(
        (b"s", b"n", b"b", b"e", b"d", b"str", b"inlineStr", b"99", b"1e400", b"NaN", b"9" * 400, b"")
    )
    return _replaced(data, rng.choice(found), new) if found else data


def _replaced(data: bytes, found: re.Match[bytes], new: bytes) -> bytes:
    group = 1 if found[1] is not None else 2
    return data[: found.start(group)] + new + data[found.end(group) :]


def _huge(data: bytes, rng: random.Random) -> bytes:
    """Repeat a part of the XML, or define entities that do."""
    if rng.random() < 0.5:
        return b'<!DOCTYPE x [<!ENTITY a "' + b"a" * 1000 + b'"><!ENTITY b "' + b"&a;" * 1000 + b'">]>' + data
    return data.replace(b"</row>", b"</row>" + b" " * 10**6, 2)


_CHANGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    spoiled, damaged, _places, _places, _kinds, _kinds, _huge,
)  # fmt: skip


def _quiet(read: Callable[[Path], bool]) -> Callable[[Path], bool]:
    """Read without the warnings of openpyxl."""

    def quietly(path: Path) -> bool:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return read(path)

    return quietly


def _corpus_with_columns(path: Path) -> bool:
    """Read a table whose raters are named by a pattern."""
    columns = {"topic": "doc_id", "summarizer": "system", "text": "summary", "ratings": "rating_*"}
    return bool(read_corpus(path, columns=columns).topics)


SHEETS = {
    "scores semicolons": Reader("x.csv", semicolons(_SCORES), sound_scores, spoil=_odd_rows),
    "scores same numbers": Reader("same", semicolons(_SCORES), _right_numbers, spoil=_same_numbers),
    "scores encoded": Reader("x.csv", semicolons(_RATERS), _encoded, spoil=_odd_rows),
    "corpus raters": Reader("x.csv", semicolons(_RATERS), sound_corpus, spoil=_odd_rows),
    "corpus columns": Reader("x.csv", semicolons(_RATERS), _corpus_with_columns, spoil=_odd_rows),
    "scores xlsx": checksummed("x.xlsx", workbook(_SCORES), scores_of),
    "scores xlsx strange": Reader("x.xlsx", workbook(_SCORES), _quiet(sound_scores), spoil=_strange),
    "scores xlsx parts": Reader("x.xlsx", workbook(_SCORES), _quiet(sound_scores), spoil=_parts),
    "corpus xlsx strange": Reader("x.xlsx", workbook(_RATERS), _quiet(sound_corpus), spoil=_strange),
    "corpus xlsx parts": Reader("x.xlsx", workbook(_RATERS), _quiet(sound_corpus), spoil=_parts),
}
"""Readers of tables as spreadsheets have them."""
