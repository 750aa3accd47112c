"""Which tables of a folder belong together: those with the same columns, each of one system or of one rater."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.column_names import (
    BY_FILE,
    BY_FOLDER,
    DOCUMENTS,
    RULES,
    SURE,
    TEXTS,
    are_raters,
    group_numbered,
    rater_evidence,
    spell,
    system_evidence,
    words_of,
)
from classy_aesop.reading.columns import LEFT_OUT, Table, TableColumn
from classy_aesop.reading.headers import SAMPLE_ROWS, is_headerless
from classy_aesop.reading.jsonl import summaries_in
from classy_aesop.reading.judged_scores import name_by_file, open_table
from classy_aesop.reading.key_evidence import MIN_SHARED
from classy_aesop.reading.layouts import read_any_table
from classy_aesop.reading.nist import is_release
from classy_aesop.reading.table_files import SUFFIXES, TEXT_FORMS, form_of, read_parts

MAX_FILES_BELOW = 1000
"""Files below a folder that are looked at."""
MAX_WORDS_OF_LABELS = 6
"""Most words of a column that may be the labels, or marks, of raters."""
_NO_LETTERS = re.compile(r"[\W\d_]+")


def group_tables_of_folder(folder: Path) -> list[list[str]]:
    """Group the tables in a folder by their columns, the most first; those below it too, if no two in it are alike."""
    groups = _group_by_columns(folder.iterdir())
    return groups if groups and len(groups[0]) > 1 else _group_by_columns(_find_files_below(folder))


def _group_by_columns(files: Iterable[Path]) -> list[list[str]]:
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for file in sorted(file for file in files if file.suffix.lower() in SUFFIXES and file.is_file()):
        names = _names_of_columns(Source.from_path(file))
        groups[names or (f"no table: {file}",)].append(str(file))
    return sorted(groups.values(), key=len, reverse=True)


def _names_of_columns(source: Source) -> tuple[str, ...]:
    """Give the columns of a table in the order of their names, by its first rows; none of a file that is no table.

    A text is read whole if its first line is no header of different names.
    """
    is_text = False
    with suppress(InputError, UsageError):
        is_text = form_of(source) in TEXT_FORMS
        part = next(read_parts(source, SAMPLE_ROWS))
        body = [[*row.values()] for _, row in part.rows]
        if not (is_text and is_headerless(part.columns, body)):
            return tuple(sorted(part.columns))
    with suppress(InputError, UsageError):
        return tuple(sorted(read_any_table(source).columns)) if is_text else ()
    return ()


def _find_files_below(folder: Path) -> list[Path]:
    """Find the files in a folder and below it, but for hidden ones; an error if there is a corpus or too much."""
    files: list[Path] = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] != ".")
        for name in folders:
            if summaries_in(Path(place, name)) or is_release(Path(place, name)):
                message = f"{name} is a corpus; expected a folder of tables, or that of a corpus"
                raise InputError(message, path=str(folder))
        files += (Path(place, name) for name in names if name[0] != ".")
        if len(files) > MAX_FILES_BELOW:
            message = f"more than {MAX_FILES_BELOW} files; expected a folder with fewer, such as one in it"
            raise InputError(message, path=str(folder))
    return files


def select_owners(files: Sequence[str]) -> tuple[list[str], str]:
    """Keep of folders with files of the same names those of one name, or of one folder, and say what the others are of.

    They are of one folder if a column names the system of each of its files.
    """
    stems = [Path(file).stem for file in files]
    kinds = stems if len({*stems}) < len(stems) else [*map(_letters_of, stems)]
    of_kind: dict[str, list[str]] = defaultdict(list)
    of_folder: dict[Path, list[str]] = defaultdict(list)
    for file, kind in zip(files, kinds, strict=True):
        of_kind[kind].append(file)
        of_folder[Path(file).parent].append(file)
    if not 1 < len(of_folder) < len(files) or len(of_kind) == len(files):
        return [*files], ""
    in_first_folder = next(iter(of_folder.values()))
    if join_files_of_owners(in_first_folder):
        return in_first_folder, "in other folders (validate takes each)"
    of_one_name = max(of_kind.values(), key=len)
    return of_one_name, "of other names (if they are the systems, validate a folder of them)"


def _letters_of(stem: str) -> str:
    return _NO_LETTERS.sub(" ", stem)


def choose_name_rule(files: Sequence[str]) -> str:
    """Choose the rule that names files: by their names, or by folders if the names are the same but for numbers."""
    stems = [Path(file).stem for file in files]
    are_different = len({*stems}) == len(stems)
    if are_different and len({*map(_letters_of, stems)}) > 1:
        return BY_FILE
    with suppress(UsageError):  # above the outermost folder
        for rule in sorted(rule for rule in RULES if rule.startswith(BY_FOLDER)):
            if len({name_by_file(file, rule) for file in files}) == len(files):
                return rule
    if not are_different:
        message = "another file has its name, and no folder tells them apart; expected different names"
        raise InputError(message, path=next(file for file in files if stems.count(Path(file).stem) > 1))
    return BY_FILE


def compare_forms(files: Sequence[str]) -> tuple[set[str], bool]:
    """Give the files that lack all in which they differ from the fullest, and whether others differ in judgments only.

    The latter are of raters if the outputs, or their systems, are the same in all, in whatever order, but for rows
    that one of them lacks.
    """
    tables = {file: read_any_table(Source.from_path(file)) for file in files}
    fullest = max(
        tables.values(), key=lambda table: sum(column.n_filled for column in table.columns.values())
    )
    n_rows = max(table.n_rows + len(table.left_out) for table in tables.values())
    differing = {
        file: {name for name in table.columns if _differ(table, fullest, name, n_rows)}
        for file, table in tables.items()
    }
    blank_files = {
        file
        for file, names in differing.items()
        if names and all(tables[file][name].is_empty for name in names)
    }
    judged = set[str]().union(*(names for file, names in differing.items() if file not in blank_files))
    equal_names = fullest.columns.keys() - judged
    have_texts = any(spell(name) in TEXTS for name in equal_names)
    have_systems = any(system_evidence(name) == SURE and fullest[name].n_distinct > 1 for name in equal_names)
    are_judgments = all(
        fullest[name].numbers is not None
        or (have_texts and spell(name) in DOCUMENTS)
        or _are_labels([table[name] for table in tables.values() if name in table.columns])
        for name in judged
    )
    are_named = _are_called_as_raters(files)
    return blank_files, bool(judged) and (have_texts or have_systems or are_named) and are_judgments


def _are_called_as_raters(files: Sequence[str]) -> bool:
    """Whether names of files differ by a rater's number alone: ``eval_annotator1``, but not ``human_eval_bart``."""
    groups = group_numbered(Path(file).stem for file in files)
    return any(
        len(group) == len(files) and are_raters(words_of(base)[-1:] or [""]) for base, group in groups.items()
    )


def _are_labels(columns: Sequence[TableColumn]) -> bool:
    """Whether a column of several files has few words, of which all have some: the labels, or marks, of raters."""
    words = [{*column.words} for column in columns]
    is_of_systems = bool(system_evidence(columns[0].name))
    return (
        not is_of_systems and max(map(len, words)) <= MAX_WORDS_OF_LABELS and bool(set.intersection(*words))
    )


def _differ(table: Table, other: Table, name: str, n_rows: int) -> bool:
    """Whether two files differ in a column: in its numbers, or in its names and texts in whatever order.

    Of ``n_rows`` rows a file may lack some, and what is in these.
    """
    if name not in other.columns or table[name].cells == other[name].cells:
        return False
    texts = Counter(table[name].texts())
    other_texts = Counter(other[name].texts())
    return (
        table[name].numbers is not None
        or (texts - other_texts).total() > n_rows - other.n_rows
        or (other_texts - texts).total() > n_rows - table.n_rows
    )


def join_files_of_owners(files: Sequence[str]) -> Table | None:
    """Join files each of which is of a system or a rater of its own, whom a column names; nothing of other files."""
    tables = [open_table(Source.from_path(file), None)[0] for file in files]
    for name in tables[0].columns if len(files) > 1 and not any(table.objects for table in tables) else ():
        values = [table[name].distinct for table in tables if name in table.columns]
        is_key = bool(system_evidence(name)) or rater_evidence(name) == SURE
        if is_key and {*map(len, values)} == {1} and len({*map(str, values)}) == len(tables):
            rows = [row for table in tables for row in table.rows()]
            rows += [(where, {LEFT_OUT: reason}) for table in tables[1:] for reason, where in table.left_out]
            return tables[0].replace_rows(rows, f"{name} is another in each file, and they are one table")
    return None


def find_shared_topic(files: Sequence[str]) -> list[str]:
    """Name the columns that tell the rows of each file apart and that files of other outputs share; none of others.

    Without one such column, they are the names of JSON objects, the outermost of which is shared.
    """
    tables = [read_any_table(Source.from_path(file)) for file in files]
    shares = {
        name: _share_of_values([table[name] for table in tables])
        for name in tables[0].columns
        if all(name in table.columns for table in tables)
    }
    have_own_texts = any(spell(name) in TEXTS and share == 0 for name, share in shares.items())
    name_systems = any(system_evidence(name) and tables[0][name].n_distinct > 1 for name in shares)
    if not have_own_texts or name_systems:
        return []
    shared = [name for name, share in shares.items() if share >= MIN_SHARED]
    keys = [[name] for name in sorted(shared, key=lambda name: _rank_as_topic(tables[0][name]))]
    if {*tables[0].made_keys[:1]} & {*shared}:
        keys.append([*tables[0].made_keys])
    return next((names for names in keys if all(_tell_rows_apart(table, names) for table in tables)), [])


def _rank_as_topic(column: TableColumn) -> tuple[bool, int]:
    """Rank identifiers before numbers, which may be of rows, and short ones before longer texts, such as sources."""
    return column.numbers is not None, max(map(len, column.texts()))


def refuse_systems_elsewhere(
    folder: Path, files: Sequence[str], other_groups: Sequence[Sequence[str]]
) -> None:
    """Refuse files without systems whose rows name rows of other files, where a column names the system of each."""
    table = read_any_table(Source.from_path(files[0]))
    if any(system_evidence(name) == SURE for name in table.columns):
        return
    for group in other_groups:
        tables = [*_read_tables(group)]
        systems = [name for other in tables[:1] for name in other.columns if system_evidence(name) == SURE]
        for name in tables[0].columns if systems else ():
            columns = [other[name] for other in tables if name in other.columns]
            identifiers = {value for column in columns for value in column.distinct}
            naming = [
                column.name
                for column in table.columns.values()
                if column.is_name and column.n_distinct > 1 and {*column.distinct} <= identifiers
            ]
            if naming and len(identifiers) == sum(len(column.cells) for column in columns):
                place = f"{name} of {join_files(folder, group)}, where {systems[0]} names the system"
                message = f"{join_names(naming)} in {join_files(folder, files)} gives the {place}"
                raise InputError(f"{message}; expected one table with both", path=str(folder))


def _read_tables(files: Iterable[str]) -> Iterator[Table]:
    for file in files:
        with suppress(InputError, UsageError):
            yield read_any_table(Source.from_path(file))


def join_files(folder: Path, files: Iterable[str]) -> str:
    """Name files by their places in a folder, in order."""
    return join_names((str(Path(file).relative_to(folder)) for file in sorted(files)), limit=10)


def _share_of_values(columns: Sequence[TableColumn]) -> float:
    """Give the share of the values of a column of several files that all of these have."""
    values = [{*map(str, column.distinct)} for column in columns]
    return len(set.intersection(*values)) / max(len(set[str]().union(*values)), 1)


def _tell_rows_apart(table: Table, names: Sequence[str]) -> bool:
    return {*names} <= {*table.columns} and table.share_distinct(names) == 1
