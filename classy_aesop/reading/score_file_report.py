"""What is in files of scores that are no tables, and in folders of score files: the commands that answer questions.

These are mt-metrics-eval's files and folders, ROUGE's and NIST's output, AESOP's tables, and records with ``metrics``
as SacreROUGE writes them. They are read without ``--columns``, so that the commands that are printed have none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import filterfalse
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.reading.byte_sources import STANDARD_INPUT, Source
from classy_aesop.reading.column_names import (
    DOCUMENTS,
    SURE,
    TEXTS,
    is_metric,
    rater_evidence,
    spell,
    system_evidence,
)
from classy_aesop.reading.columns import Table, TableColumn
from classy_aesop.reading.corpora import recognize_layout
from classy_aesop.reading.file_report import (
    COMMAND,
    FileReport,
    ReportLines,
    comparison_lines,
    correlation_lines,
    count_scores,
    inspect_file,
    measure_lines,
    measures_named_as_lower,
    share_topics,
)
from classy_aesop.reading.judged_scores import open_table
from classy_aesop.reading.layouts import read_any_table
from classy_aesop.reading.score_files import read_scores, recognize_format
from classy_aesop.reading.table_files import SUFFIXES, read_parts

if TYPE_CHECKING:
    import pandas as pd

HUMAN_SCORES = "human-scores"
METRIC_SCORES = "metric-scores"
MAX_FILES = 6
"""Files of human scores of a folder that are shown."""

SCORE_FILE_FORMATS = {
    "nist": "output of ROUGE or BE",
    "aesop": "a table of AESOP",
    "mt-metrics-eval": "mt-metrics-eval",
    "records": "records with metrics, such as SacreROUGE's",
}
"""What the formats are called."""


def inspect_scores(path: str) -> FileReport | None:
    """Say what is in a file or a folder of scores; None if it is a table, or something else.

    Examples
    --------
    >>> inspect_scores("data_samples/2021/summaries.jsonl") is None
    True
    """
    if path == STANDARD_INPUT or not Path(path).exists():
        return None
    if Path(path).is_dir():
        return _inspect_folder(Path(path))
    source = Source.from_path(path)
    try:
        name = recognize_format(source)
        if name == "table":
            return None
    except (InputError, UsageError):
        return None
    scores = read_scores(source)
    return FileReport.from_lines(
        [("file", f"{path}, {SCORE_FILE_FORMATS[name]}"), *_lines_on_scores(path, scores)]
    )


def _lines_on_scores(path: str, scores: pd.DataFrame) -> ReportLines:
    """Give what scores hold, and the commands."""
    names = scores["metric"].unique()
    metrics = [*filter(is_metric, names)]
    humans = [*filterfalse(is_metric, names)]
    lower = measures_named_as_lower(scores)
    yield "contents", count_scores(scores)
    yield from measure_lines(scores, metrics)
    if scores["topic"].nunique() == 1:
        yield "no comparison", "one score a system: nothing says how sure a difference is"
    elif share_topics(scores):
        yield from comparison_lines(quote(path), humans, metrics, "", lower)
        if humans and metrics:
            n_systems = scores["summarizer"].nunique()
            yield from correlation_lines(quote(path), humans, metrics, "", lower, n_systems)


def _inspect_folder(folder: Path) -> FileReport | None:
    """Say what is in a folder of mt-metrics-eval, or of tables of one system or rater each."""
    if (folder / HUMAN_SCORES).is_dir():
        return FileReport.from_lines(_lines_on_mt_folder(folder))
    with suppress(InputError):
        recognize_layout(Source.from_path(folder))
        return None  # a corpus
    names_in = {
        str(file): _names_of_columns(file)
        for file in sorted(folder.iterdir())
        if file.suffix.lower() in SUFFIXES and file.is_file()
    }
    if len(names_in) < 2:
        return None
    [(shared_names, n_files)] = Counter(names_in.values()).most_common(1)
    files = [file for file, names in names_in.items() if names == shared_names]
    reasons = {"of other columns": names_in.keys() - {*files}}
    if not shared_names or 2 * n_files <= len(names_in):
        message = f"tables of different columns ({_join_files(reasons['of other columns'])})"
        raise InputError(
            f"{message}; expected a file, or a folder of one file a system or a rater", path=str(folder)
        )
    blank_files, are_of_raters = _compare_forms(files)
    files = [file for file in files if file not in blank_files]
    joined = None if are_of_raters else _join_parts(files)
    report = inspect_file(files[0], siblings=files, are_of_raters=are_of_raters, joined=joined)
    reasons["a form without answers"] = blank_files
    left_out = [f"left out, {reason}: {_join_files(others)}" for reason, others in reasons.items() if others]
    shown = "read as one table" if joined else "the first is shown"
    notes = [f"{folder}, {len(files)} files; {shown}", *left_out]
    return FileReport.from_lines([*(("folder", note) for note in notes), *report.lines])


def _names_of_columns(file: Path) -> tuple[str, ...]:
    """Give the columns of a table, in the order of their names; none of a file that is no table."""
    with suppress(InputError, UsageError):
        return tuple(sorted(next(read_parts(Source.from_path(file), 1)).columns))
    return ()


def _join_files(files: Iterable[str]) -> str:
    return join_names((Path(file).name for file in sorted(files)), most=10)


def _compare_forms(files: Sequence[str]) -> tuple[set[str], bool]:
    """Give the files that lack all in which they differ from the fullest, and whether others differ in judgments only.

    The latter are of raters if the outputs, or their systems, are the same in all, in whatever order.
    """
    tables = {file: read_any_table(Source.from_path(file)).columns for file in files}
    fullest = max(tables.values(), key=lambda columns: sum(column.n_filled for column in columns.values()))
    differing = {
        file: {name for name, column in columns.items() if _differ(column, fullest[name])}
        for file, columns in tables.items()
    }
    blank_files = {
        file
        for file, names in differing.items()
        if names and all(tables[file][name].is_empty for name in names)
    }
    judged = set[str]().union(*(names for file, names in differing.items() if file not in blank_files))
    equal_names = fullest.keys() - judged
    have_texts = any(spell(name) in TEXTS for name in equal_names)
    have_systems = any(system_evidence(name) == SURE and fullest[name].n_distinct > 1 for name in equal_names)
    are_judgments = all(
        fullest[name].numbers is not None or (have_texts and spell(name) in DOCUMENTS) for name in judged
    )
    return blank_files, bool(judged) and (have_texts or have_systems) and are_judgments


def _join_parts(files: Sequence[str]) -> Table | None:
    """Join files each of which is of a system or a rater of its own, whom a column names; nothing of other files."""
    tables = [open_table(Source.from_path(file), None)[0] for file in files]
    for name in tables[0].columns if not any(table.objects for table in tables) else ():
        values = [table[name].distinct for table in tables if name in table.columns]
        is_key = bool(system_evidence(name)) or rater_evidence(name) == SURE
        if is_key and {*map(len, values)} == {1} and len({str(value) for [value] in values}) == len(tables):
            return Table.join(tables)
    return None


def _differ(column: TableColumn, other: TableColumn) -> bool:
    """Whether two files differ in a column: in its numbers, or in its names and texts in whatever order."""
    are_equal = column.cells == other.cells
    return not are_equal and (column.numbers is not None or sorted(column.texts()) != sorted(other.texts()))


def _lines_on_mt_folder(folder: Path) -> ReportLines:
    """Name the human scores of each language pair and level, ``human-scores/en-de.mqm.seg.score``, and the commands."""
    files = sorted((folder / HUMAN_SCORES).glob("*.score"))
    yield "folder", f"{folder}, of mt-metrics-eval: {len(files)} files of human scores"
    for file in files[:MAX_FILES]:
        pair, *_, level, _ = file.name.split(".")
        metrics = sorted((folder / METRIC_SCORES / pair).glob(f"*.{level}.score"))
        human = quote(str(file))
        yield "human scores", f"{file.name}, beside {len(metrics)} metrics"
        if level != "sys":
            yield COMMAND, f"classy-aesop compare {human}"
        if metrics:
            yield (
                COMMAND,
                f"classy-aesop evaluate {' '.join(quote(str(metric)) for metric in metrics)} {human}",
            )
    if len(files) > MAX_FILES:
        yield "more", f"{len(files) - MAX_FILES} further files of human scores"
