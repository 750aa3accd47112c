"""Files of scores: every format becomes the same tidy table. Which summarizers are human, according to such a file.

A row has the field or column ``summarizer_type`` (``reference`` or ``peer``) or ``human`` (true or false). In NIST's
and AESOP's tables numbers are systems and letters are humans.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from classy_aesop.data.cells import (
    Fields,
    GivenColumns,
    is_by_human,
    read_identifier,
    read_number,
    require_field,
)
from classy_aesop.data.doubts import refuse_aggregate_topics
from classy_aesop.data.scales import warn_of_rater_scales
from classy_aesop.data.scores import concatenate_scores, mean_ratings, table
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, UsageError, shorten_message
from classy_aesop.outside import load_outside
from classy_aesop.reading.byte_sources import Source, numbered_lines, plain_name
from classy_aesop.reading.column_kinds import kinds_of
from classy_aesop.reading.column_names import is_named_measure
from classy_aesop.reading.documents import read_document
from classy_aesop.reading.judged_scores import (
    MAX_DOUBT,
    describe_choices,
    has_repeated_rows,
    is_unambiguous,
    list_names,
    needs_shapes,
    read_judged_scores,
    select_sheet,
)
from classy_aesop.reading.judged_tables import JudgedTable
from classy_aesop.reading.nist import is_human_name, read_aesop, read_nist_output
from classy_aesop.reading.roles import OF_SCORES, ROLES, plain
from classy_aesop.reading.score_rows import is_record_table, ratings_of_record, scores_of_table
from classy_aesop.reading.shapes import find_readings
from classy_aesop.reading.table_columns import find_identifiers, marks_of_humans, requested_columns
from classy_aesop.reading.table_files import (
    SUFFIXES,
    TEXT_FORMS,
    TableFile,
    form_of,
    read_table_file,
    split_header,
)

if TYPE_CHECKING:
    import pandas as pd


def read_mt_scores(path: str | Path | Source, *, year: str = "") -> pd.DataFrame:
    """Read one metric, which is named after the file: ``BLEU-refA.seg.score`` is ``BLEU-refA``.

    If each system has one line, these are system scores, of the topic ``""``. Several lines are segments in order, the
    topics ``1``, ``2``, ... ``None`` marks a missing score.
    """
    rows = []
    for where, line in numbered_lines(path):
        cells = line.split()
        if len(cells) != 2:
            raise where.error(f"{len(cells)} columns; expected a system and its score")
        rows.append((where, cells[0], read_number(cells[1], "score", where, may_be_text=True)))
    counts = Counter(system for _, system, _ in rows)
    if len(set(counts.values())) > 1:
        shortest = min(counts, key=counts.__getitem__)
        longest = max(counts, key=counts.__getitem__)
        raise InputError(
            f"system {shortest} has {counts[shortest]} lines and {longest} has {counts[longest]}; "
            "expected equally many",
            path=str(path),
        )
    name = Path(plain_name(str(path))).name.removesuffix(".score")
    stem, _, level = name.rpartition(".")
    metric = stem if stem and level in ("sys", "seg", "doc", "domain") else name
    n_so_far = Counter[str]()
    ratings = []
    for where, system, score in rows:
        n_so_far[system] += 1
        topic = str(n_so_far[system]) if counts[system] > 1 else ""
        ratings.append((where, (year, topic, "", system, metric, "", score)))
    return table(ratings)


def read_table_scores(
    path: str | Path | Source,
    *,
    year: str = "",
    form: str | None = None,
    columns: GivenColumns | None = None,
    of_humans: bool = False,
    encoding: str | None = None,
) -> pd.DataFrame:
    """Read a table, long or wide; rows of JSON may hold the scores in ``metrics``; other shapes by `judged_scores`.

    Parameters
    ----------
    path, year, columns, of_humans, encoding
        As for `read_scores`.
    form : str, optional
        A value of `SUFFIXES`; by default recognized.

    Notes
    -----
    Plain tables are read as they are. Where their columns are not found by name, or where no two systems share a value
    of the column that is called like a topic, roles and shape are looked for in the data.
    """
    source, roles = select_sheet(Source.from_path(path).select_encoding(encoding), columns)
    if needs_shapes(roles):
        return read_judged_scores(source, roles, year=year)
    source_table: TableFile | None = None
    try:
        source_table = read_table_file(source, form)
        if not roles and is_record_table(source_table):
            return table(
                rating for where, row in source_table.rows for rating in ratings_of_record(row, where, year)
            )
        plain_table = scores_of_table(source_table, year, columns=roles, of_humans=of_humans)
    except InputError as error:
        return _read_other_shape(source, source_table, roles, year, error)
    except UsageError as error:
        if not roles:
            raise
        return _read_other_shape(source, source_table, roles, year, error)
    if roles:
        return plain_table
    if not of_humans and "assessor" not in plain_table:
        _refuse_ambiguous_names(source, source_table, plain_table)
    if _share_topic(plain_table):
        return plain_table
    judged = read_document(source, source_table)
    with suppress(InputError, UsageError):
        return read_judged_scores(source, year=year, judged=judged)
    if not {"topic", "summarizer"} <= {*source_table.columns}:
        _refuse_if_others_pair(judged)
    return plain_table


def _refuse_if_others_pair(judged: JudgedTable) -> None:
    """Refuse scores whose topics no two systems share, if another column would pair them, which no name says."""
    paired = [
        reading
        for reading in find_readings(judged)
        if reading.keys.shared > 0 and not has_repeated_rows(reading)
    ]
    if paired:
        raise InputError(
            "no two systems share a topic", path=judged.name, advice=describe_choices(judged, paired)
        )


MAX_AMBIGUOUS_NAMES = 60
"""Columns that may be raters as well as measures; more are measures."""


def _refuse_ambiguous_names(source: Source, source_table: TableFile, scores: pd.DataFrame) -> None:
    """Refuse columns of grades that may be raters as well as measures, since no name says which."""
    names = [str(name) for name in scores["metric"].unique()]
    has_keys = {"topic", "summarizer"} <= {*source_table.columns}
    if (
        has_keys
        or not 2 <= len(names) <= MAX_AMBIGUOUS_NAMES
        or any(is_named_measure(name) for name in names)
    ):
        return
    judged = read_document(source, source_table)
    readings = find_readings(judged)
    if len(readings) > 1:
        raise InputError(
            shorten_message(readings[0].doubts[0], most=MAX_DOUBT),
            path=source.name,
            advice=describe_choices(judged, readings),
        )


def _read_other_shape(
    source: Source, plain: TableFile | None, columns: Fields, year: str, error: InputError | UsageError
) -> pd.DataFrame:
    """Read a table of another shape; raise ``error`` if it has none, with advice if it is ambiguous."""
    try:
        judged = read_document(source, plain)
        requested = {role: list_names(value) for role, value in columns.items()}
        readings = find_readings(judged, requested)
    except (InputError, UsageError):
        raise error from None
    if not readings:
        raise error
    if columns or is_unambiguous(judged, readings):
        return read_judged_scores(source, columns, year=year, judged=judged, readings=readings)
    repeated = [doubt for reading in readings for doubt in reading.doubts if "differ in" in doubt]
    is_separated = readings[0].keys.rater in judged.columns
    if isinstance(error, UsageError) or (IS_REPEATED in str(error) and not (repeated or is_separated)):
        raise error
    message = shorten_message(str(error).removesuffix(error.advice), most=MAX_DOUBT)
    error_with_advice = InputError(message, advice=(repeated or [describe_choices(judged, readings)])[0])
    error_with_advice.path = error.path
    error_with_advice.line = error.line
    raise error_with_advice from None


IS_REPEATED = "is given again"
"""What a message says of rows with one key."""


def _share_topic(scores: pd.DataFrame) -> bool:
    """Whether two systems, if there are as many, share a topic."""
    if scores["summarizer"].nunique() < 2:
        return True
    pairs = scores[["year", "topic", "task", "summarizer"]].drop_duplicates()
    return bool(pairs.duplicated(["year", "topic", "task"]).any())


TABLES = dict.fromkeys(SUFFIXES.values(), read_table_scores)
"""The readers of tables, which take the ``form`` too."""

SCORE_READERS: dict[str, Callable[..., pd.DataFrame]] = {
    **TABLES,
    "nist": read_nist_output,
    "aesop": read_aesop,
    "mt-metrics-eval": read_mt_scores,
}
"""The readers by format; each takes a path and the ``year`` of rows without one."""

_FIRST_LINES = 10
_NIST = re.compile(r"\S+ \S+ (Eval \S+ R:|Average_[RPF]:)")
_AESOP = re.compile(r"S\S+\s+T[0-9]+\s")


def read_scores(
    path: str | Path | Source,
    *,
    year: str = "",
    layout: str = "auto",
    columns: GivenColumns | None = None,
    of_humans: bool = False,
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
    layout : str
        A key of `SCORE_READERS`, or ``auto``: recognized as above.
    columns : mapping, optional
        What the columns of a table are, where their names do not say so, e.g. ``{"topic": "story"}``.
    of_humans : bool
        Whether the scores are human. Columns that differ by a number only (``A1``, ``A2``) are then those of raters;
        otherwise only where they are called so (``rating_1``, ``rater_2``).
    encoding : str, optional
        The encoding of a text table that is not in UTF-8, such as ``cp1252``.

    Raises
    ------
    InputError
        If the file is not valid JSON or UTF-8, a score is not a finite number, or a row repeats another; with file
        and line.
    UsageError
        If there is no such format.
    FileNotFoundError
        If the file does not exist.

    Examples
    --------
    >>> read_scores("classy_aesop/sample/tutorial/autumn-judge.tsv").head(2).values.tolist()
    [['', 'D2201', '', 'system-01', 'judge', 7.0], ['', 'D2201', '', 'system-02', 'judge', 2.0]]
    """
    load_outside("readers")
    source = Source.from_path(path)
    name = _choose_layout(layout, source, encoding)
    options: dict[str, object] = {}
    if SCORE_READERS[name] is read_table_scores:
        options = {"form": name, "columns": columns, "of_humans": of_humans, "encoding": encoding}
    elif encoding or columns:
        raise UsageError(f"{source}: columns or an encoding are named for {name}; expected a table")
    elif name == "aesop" and source.content is not None:
        raise InputError("a table of AESOP needs the name of its file; found a pipe", path=source.name)
    frame = SCORE_READERS[name](source.name if source.content is None else source, year=year, **options)
    if frame.empty:
        raise InputError("the file holds no scores; expected one or more", path=source.name)
    refuse_aggregate_topics(frame, source.name)
    warn_of_rater_scales(frame, f"{source.name}: ")
    return frame


def _choose_layout(layout: str, source: Source, encoding: str | None) -> str:
    """Choose the requested layout or, for ``auto``, recognize it; UsageError for an unknown one."""
    if layout not in ("auto", *SCORE_READERS):
        raise UsageError(
            f"unknown layout of scores {layout!r}; expected auto or one of {', '.join(SCORE_READERS)}"
        )
    return recognize_format(source, encoding) if layout == "auto" else layout


def recognize_format(source: Source, encoding: str | None = None) -> str:
    """Find the format of a file, a key of `SCORE_READERS`, by its name and its first lines."""
    source = source.select_encoding(encoding)
    if source.suffix == ".score":
        return "mt-metrics-eval"
    form = form_of(source)
    if source.suffix == ".csv" or form not in TEXT_FORMS or encoding is not None:
        return form
    first = [line for _, line in islice(numbered_lines(source), _FIRST_LINES)]
    if not first:  # other blanks than those of ASCII
        raise InputError("the file is empty", path=source.name)
    with suppress(InputError):  # the first line is no header of a table of scores
        find_identifiers(split_header(first[0], "\t" if "\t" in first[0] else ",;")[1], Where())
        return form
    if any(map(_NIST.match, first)):
        return "nist"
    return "aesop" if any(map(_AESOP.match, first[1:])) else form


def read_metrics(
    paths: Iterable[str | Path],
    *,
    year: str = "",
    layout: str = "auto",
    columns: GivenColumns | None = None,
    of_humans: bool = False,
    encoding: str | None = None,
) -> pd.DataFrame:
    """Read several files of metric scores as one table; ratings by several assessors are averaged.

    Parameters
    ----------
    paths : iterable of path-like
        The files.
    year, layout, columns, of_humans, encoding
        As for `read_scores`.

    Raises
    ------
    InputError
        As `read_scores`; or two files have a score of one metric and summary.
    """
    return concatenate_scores(
        (
            path,
            mean_ratings(
                read_scores(
                    path, year=year, layout=layout, columns=columns, of_humans=of_humans, encoding=encoding
                )
            ),
        )
        for path in paths
    )


Humans = Mapping[tuple[str, str], bool]
"""Maps year and summarizer to whether it is human; a summarizer that is missing is unknown."""


def read_humans(
    path: str | Path | Source,
    *,
    year: str = "",
    layout: str = "auto",
    columns: GivenColumns | None = None,
    encoding: str | None = None,
) -> dict[tuple[str, str], bool]:
    """Read which summarizers are human from a file of scores or judgments; empty if the file has no such field.

    Parameters
    ----------
    path, year, layout, columns, encoding
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
    source, roles_requested = select_sheet(Source.from_path(path).select_encoding(encoding), columns)
    name = _choose_layout(layout, source, encoding)
    if name in ("nist", "aesop"):
        rows = read_scores(source, year=year, layout=name)[["year", "summarizer"]].drop_duplicates()
        return {(row_year, name): is_human_name(name) for row_year, name in rows.itertuples(index=False)}
    if name not in TABLES:
        return {}
    try:
        source_table = read_table_file(source, name)
    except InputError:
        read_document(source)  # a table in another layout, or none
        return {}
    human_columns = [name for name in source_table.columns if plain(name) in ROLES["human"]]
    marks = marks_of_humans(kinds_of(source_table.rows, human_columns, written=True))
    if not marks and "summarizer_type" not in source_table.columns:
        return {}
    roles = find_identifiers(
        source_table.columns,
        source_table.header,
        requested_columns(source_table.columns, roles_requested, OF_SCORES),
    )
    humans: dict[tuple[str, str], bool] = {}
    for where, row in source_table.rows:
        if (human := is_by_human(row, where, marks)) is not None:
            summarizer = require_field(
                row, where, str(roles.only("summarizer")), "summarizer_id", "summarizer"
            )
            summarizer = read_identifier(summarizer, str(roles.only("summarizer")), where, is_cell=True)
            _add_human(humans, (roles.name(row, "year", where, "") or year, summarizer), human, where.error)
    return humans


def merge_humans(*parts: Humans) -> dict[tuple[str, str], bool]:
    """Merge which summarizers are human by several files; raise `InputError` if two contradict each other."""
    humans: dict[tuple[str, str], bool] = {}
    for key, human in (item for part in parts for item in part.items()):
        _add_human(humans, key, human, InputError)
    return humans


def _add_human(
    humans: dict[tuple[str, str], bool], key: tuple[str, str], human: bool, error: Callable[[str], InputError]
) -> None:
    """Add whether a summarizer is human; raise an error if it was added with the opposite."""
    if humans.setdefault(key, human) != human:
        name = " ".join(filter(None, key))
        raise error(f"summarizer {name} is a human in one place and a system in another")
