"""What is in files of scores that are no tables, and in folders of score files: the commands that answer questions.

These are mt-metrics-eval's files and folders, ROUGE's and NIST's output, AESOP's tables, and records with ``metrics``
as SacreROUGE writes them. They are read without ``--columns``, so that the commands that are printed have none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.reading.byte_sources import STANDARD_INPUT, Source
from classy_aesop.reading.column_names import DOCUMENTS, SURE, TEXTS, is_metric, spell, system_evidence
from classy_aesop.reading.columns import TableColumn
from classy_aesop.reading.corpora import recognize_layout
from classy_aesop.reading.file_report import (
    COMMAND,
    MAX_COMMANDS_A_QUESTION,
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
from classy_aesop.reading.layouts import read_any_table
from classy_aesop.reading.score_files import read_scores, recognize_format
from classy_aesop.reading.score_rows import is_record_table
from classy_aesop.reading.table_files import SUFFIXES, form_of, read_parts

if TYPE_CHECKING:
    import pandas as pd

HUMAN_SCORES = "human-scores"
METRIC_SCORES = "metric-scores"
MAX_STRATA = 6
"""Language pairs and levels of a folder that are shown."""

SCORE_FILE_FORMATS = {
    "nist": "output of ROUGE or BE",
    "aesop": "a table of AESOP",
    "mt-metrics-eval": "mt-metrics-eval",
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
            part = next(read_parts(source, 1)) if form_of(source) in ("json", "jsonl") else None
            if part is None or "metrics" not in part.columns or not is_record_table(part):
                return None
    except (InputError, UsageError):
        return None
    scores = read_scores(source)
    kind = SCORE_FILE_FORMATS.get(name, "records with metrics, such as SacreROUGE's")
    return FileReport.from_lines([("file", f"{path}, {kind}"), *_lines_on_scores(path, scores)])


def _lines_on_scores(path: str, scores: pd.DataFrame) -> ReportLines:
    """Give what scores hold, and the commands."""
    metrics = [name for name in scores["metric"].unique() if is_metric(name)]
    humans = [name for name in scores["metric"].unique() if name not in metrics]
    n_topics = len(scores[["task", "topic"]].drop_duplicates())
    n_systems = scores["summarizer"].nunique()
    lower = measures_named_as_lower(scores)
    yield "contents", count_scores(scores)
    yield from measure_lines(scores, metrics)
    if n_systems > 1 and n_topics > 1 and share_topics(scores):
        yield from comparison_lines(quote(path), humans, metrics, "", lower)
        if humans and metrics:
            yield from correlation_lines(quote(path), humans, metrics, "", lower, n_systems)
    elif n_topics == 1:
        yield "no comparison", "one score a system: nothing says how sure a difference is"


def _inspect_folder(folder: Path) -> FileReport | None:
    """Say what is in a folder of mt-metrics-eval, or of tables of one system each."""
    if (folder / HUMAN_SCORES).is_dir():
        return FileReport.from_lines(_lines_on_mt_folder(folder))
    with suppress(InputError):
        recognize_layout(Source.from_path(folder))
        return None  # a corpus
    tables = sorted(file for file in folder.iterdir() if file.suffix.lower() in SUFFIXES and file.is_file())
    if len(tables) < 2:
        return None
    columns: list[list[str]] = [[] for _ in tables]
    for names, file in zip(columns, tables, strict=True):
        with suppress(InputError, UsageError):
            names += sorted(next(read_parts(Source.from_path(file), 1)).columns)
    [(shared_columns, n_files)] = Counter(map(tuple, columns)).most_common(1)
    files = [str(file) for file, names in zip(tables, columns, strict=True) if tuple(names) == shared_columns]
    other_files = [file.name for file in tables if str(file) not in files]
    if not shared_columns or 2 * n_files <= len(tables):
        message = f"tables of different columns ({join_names(other_files, most=10)})"
        raise InputError(
            f"{message}; expected a file, or a folder of one file a system or a rater", path=str(folder)
        )
    blank_files, are_of_raters = _compare_forms(files)
    files = [file for file in files if file not in blank_files]
    report = inspect_file(files[0], siblings=files, are_of_raters=are_of_raters)
    left_out = [("folder", f"left out, of other columns: {join_names(other_files)}")] * bool(other_files)
    if blank_files:
        left_out.append(
            (
                "folder",
                f"left out, a form without answers: {join_names(Path(file).name for file in blank_files)}",
            )
        )
    return FileReport.from_lines(
        [("folder", f"{folder}, {len(files)} files; the first is shown"), *left_out, *report.lines]
    )


def _compare_forms(files: Sequence[str]) -> tuple[list[str], bool]:
    """Give the files that lack all in which they differ from the fullest, and whether others differ in judgments only.

    The latter are of raters if the outputs, or their systems, are the same in all, in whatever order.
    """
    tables = {file: read_any_table(Source.from_path(file)) for file in files}
    fullest = max(
        tables.values(), key=lambda table: sum(column.n_filled for column in table.columns.values())
    )
    differing = {
        file: [name for name, column in table.columns.items() if _differ(column, fullest[name])]
        for file, table in tables.items()
    }
    blank_files = [
        file
        for file, names in differing.items()
        if names and all(tables[file][name].is_empty for name in names)
    ]
    judged = {name for file, names in differing.items() if file not in blank_files for name in names}
    equal_names = {*fullest.columns} - judged
    have_texts = any(spell(name) in TEXTS for name in equal_names)
    have_systems = any(system_evidence(name) == SURE and fullest[name].n_distinct > 1 for name in equal_names)
    are_judgments = all(
        fullest[name].numbers is not None or (have_texts and spell(name) in DOCUMENTS) for name in judged
    )
    return blank_files, bool(judged) and (have_texts or have_systems) and are_judgments


def _differ(column: TableColumn, other: TableColumn) -> bool:
    """Whether two files differ in a column: in its numbers, or in its names and texts in whatever order."""
    are_equal = column.cells == other.cells
    return not are_equal and (column.numbers is not None or sorted(column.texts()) != sorted(other.texts()))


def _lines_on_mt_folder(folder: Path) -> ReportLines:
    """Describe the language pairs and levels that people judged: ``human-scores/en-de.mqm.seg.score``."""
    humans: dict[tuple[str, str], list[Path]] = defaultdict(list)
    for file in sorted((folder / HUMAN_SCORES).glob("*.score")):
        words = file.name.split(".")
        humans[words[0], words[-2]].append(file)
    kind = "of mt-metrics-eval"
    yield "folder", f"{folder}, {kind}: {len(humans)} language pairs and levels that people judged"
    for (pair, level), files in [*humans.items()][:MAX_STRATA]:
        metrics = sorted((folder / METRIC_SCORES / pair).glob(f"*.{level}.score"))
        names = join_names((file.name for file in files), most=6)
        yield "human scores", f"{pair} ({level}): {names}"
        yield "metrics", f"{len(metrics)} files"
        judged = [quote(str(human)) for human in files[:MAX_COMMANDS_A_QUESTION]]
        if level != "sys":
            yield "question", "Which system is best?"
            yield from ((COMMAND, f"classy-aesop compare {human}") for human in judged)
        if metrics:
            scored = " ".join(quote(str(file)) for file in metrics)
            yield "question", "Which metric agrees with people?"
            yield from ((COMMAND, f"classy-aesop evaluate {scored} {human}") for human in judged)
    if len(humans) > MAX_STRATA:
        yield "more", f"{len(humans) - MAX_STRATA} further language pairs and levels"
