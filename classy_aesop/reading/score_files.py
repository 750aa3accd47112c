"""Files of scores: every format becomes the same tidy table. Which summarizers are human, according to such a file.

A row has the field or column ``summarizer_type`` (``reference`` or ``peer``) or ``human`` (true or false). In NIST's
and AESOP's tables numbers are systems and letters are humans.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from classy_aesop.data.cells import is_by_human, read_number
from classy_aesop.data.doubts import refuse_aggregate_topics
from classy_aesop.data.scores import concatenate_scores, make_score_table, mean_ratings
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, UsageError
from classy_aesop.outside import load_outside
from classy_aesop.reading.byte_sources import Source, numbered_lines, plain_name
from classy_aesop.reading.column_names import SURE, spell, system_evidence, topic_evidence
from classy_aesop.reading.columns import Table
from classy_aesop.reading.judged_scores import open_table, read_judged
from classy_aesop.reading.nist import is_human_name, read_aesop, read_nist_output
from classy_aesop.reading.score_tables import holds_records, read_records
from classy_aesop.reading.shapes import find_readings
from classy_aesop.reading.table_files import TEXT_FORMS, form_of
from classy_aesop.work.options import GivenColumns

if TYPE_CHECKING:
    import pandas as pd


def read_mt_scores(path: str | Path | Source) -> pd.DataFrame:
    """Read one metric, which is named after the file: ``BLEU-refA.seg.score`` is ``BLEU-refA``.

    If each system has one line, these are system scores, of the topic ``""``. Several lines are segments in order, the
    topics ``1``, ``2``, ... ``None`` marks a missing score.
    """
    rows: list[tuple[Where, str, int, float]] = []
    n_lines: Counter[str] = Counter()
    for where, line in numbered_lines(path):
        cells = line.split()
        if len(cells) != 2:
            raise where.error(f"{len(cells)} columns; expected a system and its score")
        system, score = cells
        n_lines[system] += 1
        rows.append((where, system, n_lines[system], read_number(score, "score", where, may_be_text=True)))
    longest, n_segments = n_lines.most_common()[0]
    shortest, n_fewest = n_lines.most_common()[-1]
    if n_fewest < n_segments:
        lengths = f"system {shortest} has {n_fewest} lines and {longest} has {n_segments}"
        raise InputError(f"{lengths}; expected equally many", path=str(path))
    name = Path(plain_name(str(path))).name.removesuffix(".score")
    metric = re.sub(r"(?<=.)\.(sys|seg|doc|domain)$", "", name)
    return make_score_table(
        (where, ("", str(number) if n_segments > 1 else "", "", system, metric, "", score))
        for where, system, number, score in rows
    )


SCORE_READERS: dict[str, Callable[..., pd.DataFrame]] = {
    "table": read_judged,
    "records": read_records,
    "nist": read_nist_output,
    "aesop": read_aesop,
    "mt-metrics-eval": read_mt_scores,
}
"""The readers by format: of a source; those of tables, records and AESOP take the ``year`` of rows without one."""

_FIRST_LINES = 10
_NIST = re.compile(r"\S+ \S+ (Eval \S+ R:|Average_[RPF]:)")
_AESOP = re.compile(r"S\S+\s+T[0-9]+\s")


def read_scores(
    path: str | Path | Source,
    *,
    year: str = "",
    columns: GivenColumns | None = None,
    encoding: str | None = None,
) -> pd.DataFrame:
    """Read scores or judgments as a tidy table; several ratings of a summary differ by ``assessor``.

    Parameters
    ----------
    path : path-like
        ``.jsonl``, ``.ndjson`` and ``.json`` are read as JSON lines, ``.csv``, ``.xlsx`` and ``.parquet`` as tables,
        ``.score`` as a file of mt-metrics-eval. NIST's ROUGE and BE output and tables of AESOP submissions are
        recognized by their first lines; any other file is read as a table with a header, separated by what the header
        has most of: tabs, commas or semicolons. All may be compressed (``.gz``, ``.zst``). ``-`` is standard input.
    year : str
        The year of rows without one.
    columns : mapping, optional
        What the columns of a table are, where their names do not say so, e.g. ``{"topic": "story"}``.
    encoding : str, optional
        The encoding of a text table that is not in UTF-8, such as ``cp1252``.

    Raises
    ------
    InputError
        If the file is not valid JSON or UTF-8, a score is not a finite number, or a row repeats another; with file
        and line.
    FileNotFoundError
        If the file does not exist.

    Examples
    --------
    >>> read_scores("classy_aesop/sample/tutorial/autumn-judge.tsv").head(2).values.tolist()
    [['', 'D2201', '', 'system-01', 'judge', 7.0], ['', 'D2201', '', 'system-02', 'judge', 2.0]]
    """
    load_outside("readers")
    source = Source.from_path(path).select_encoding(encoding)
    name = recognize_format(source)
    if name == "records" and columns:
        name = "table"
    options: dict[str, object] = {"year": year} if name in ("table", "records", "aesop") else {}
    if name == "table":
        options |= {"columns": columns}
    elif source.encoding or columns:
        raise UsageError(f"{source}: columns or an encoding are named for {name}; expected a table")
    frame = SCORE_READERS[name](source, **options)
    if year:
        frame["year"] = frame["year"].replace("", year)
    if frame.empty:
        raise InputError("the file holds no scores; expected one or more", path=source.name)
    refuse_aggregate_topics(frame, source.name)
    return frame


def recognize_format(source: Source) -> str:
    """Find the format of a file, a key of `SCORE_READERS`, by its name and its first lines."""
    if source.suffix == ".score":
        return "mt-metrics-eval"
    if source.suffix == ".csv" or form_of(source) not in TEXT_FORMS or source.encoding is not None:
        return "records" if holds_records(source) else "table"
    first = [line for _, line in islice(numbered_lines(source), _FIRST_LINES)]
    names = re.split("\t" if "\t" in first[0] else "[,;]", first[0])
    if max(map(topic_evidence, names)) > 1 and max(map(system_evidence, names)) == SURE:
        return "table"
    if any(map(_NIST.match, first)):
        return "nist"
    return "aesop" if any(map(_AESOP.match, first[1:])) else "table"


def read_metrics(paths: Iterable[str | Path], *, year: str = "") -> pd.DataFrame:
    """Read several files of metric scores as one table; ratings by several assessors are averaged.

    Parameters
    ----------
    paths : iterable of path-like
        The files.
    year
        As for `read_scores`.

    Raises
    ------
    InputError
        As `read_scores`; or two files have a score of one metric and summary.
    """
    return concatenate_scores((path, mean_ratings(read_scores(path, year=year))) for path in paths)


Humans = Mapping[tuple[str, str], bool]
"""Maps year and summarizer to whether it is human; a summarizer that is missing is unknown."""


def read_humans(
    path: str | Path | Source,
    *,
    year: str = "",
    columns: GivenColumns | None = None,
    encoding: str | None = None,
) -> dict[tuple[str, str], bool]:
    """Read which summarizers are human from a file of scores or judgments; empty if the file has no such field.

    Parameters
    ----------
    path, year, columns, encoding
        As for :func:`classy_aesop.reading.read_scores`, which reads the scores of the same file.

    Returns
    -------
    dict of (str, str) to bool
        Maps year and summarizer to whether it is human.

    Raises
    ------
    InputError
        If a field is neither true nor false, or a row contradicts another; with file and line.

    Examples
    --------
    >>> humans = read_humans("data_samples/2021/judgments.jsonl")
    >>> humans["2021", "A"], humans["2021", "1"]
    (True, False)
    """
    source = Source.from_path(path).select_encoding(encoding)
    name = recognize_format(source)
    if name in ("nist", "aesop"):
        rows = read_scores(source, year=year)[["year", "summarizer"]].drop_duplicates()
        return {(row_year, name): is_human_name(name) for row_year, name in rows.itertuples(index=False)}
    if name not in ("table", "records"):
        return {}
    return _humans_of_table(*open_table(source, columns), year)


def _humans_of_table(
    table: Table, roles: Mapping[str, Sequence[str]], year: str
) -> dict[tuple[str, str], bool]:
    """Find which summarizers of a table are human; none if no column says it."""
    marks = [
        column
        for column in table.columns
        if spell(column) in ("human", "is_human") and table[column].may_be_truth_value
    ]
    if not marks and "summarizer_type" not in table.columns:
        return {}
    readings = find_readings(table, roles)
    if not readings or readings[0].keys.system not in table.columns:
        return {}  # whoever reads the scores says so
    summarizers = table[str(readings[0].keys.system)].identifiers(table.places)
    years = table["year"].texts() if "year" in table.columns else [""] * table.n_rows
    return _collect_humans(
        (where.error, (row_year or year, summarizer), human)
        for (where, row), row_year, summarizer in zip(table.rows(), years, summarizers, strict=True)
        if (human := is_by_human(row, where, marks)) is not None
    )


def merge_humans(*parts: Humans) -> dict[tuple[str, str], bool]:
    """Merge which summarizers are human by several files; raise `InputError` if two contradict each other."""
    return _collect_humans((InputError, key, human) for part in parts for key, human in part.items())


def _collect_humans(
    marks: Iterable[tuple[Callable[[str], InputError], tuple[str, str], bool]],
) -> dict[tuple[str, str], bool]:
    """Collect whether summarizers are human, each with what makes the error if it was said to be the opposite."""
    humans: dict[tuple[str, str], bool] = {}
    for error, key, human in marks:
        if humans.setdefault(key, human) != human:
            name = " ".join(filter(None, key))
            raise error(f"summarizer {name} is a human in one place and a system in another")
    return humans
