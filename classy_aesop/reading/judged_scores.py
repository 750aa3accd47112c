"""Scores and preferences of any file of judgments: one reading of it is chosen, or the user is asked."""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.data.attempts import describe_counts, describe_labels
from classy_aesop.data.cells import Fields, GivenColumns, format_value, split_instance
from classy_aesop.data.preference_records import Preferences
from classy_aesop.data.scores import (
    KEYS,
    NO_METRICS,
    ORIGIN,
    Origin,
    joined_origin,
    origin_of,
    table_of_columns,
)
from classy_aesop.errors import (
    NOTE,
    InputError,
    UsageError,
    escape_controls,
    join_names,
    shorten_message,
    warn,
)
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.column_names import (
    ATTEMPT_NAMES,
    COUNTERS,
    LONG_SCORES,
    MEASURE_COLUMNS,
    POSITION,
    is_administration,
    is_measure,
    spell,
)
from classy_aesop.reading.columns import ERROR_WEIGHTS, Table, TableColumn, WordScale
from classy_aesop.reading.file_columns import columns_by_role
from classy_aesop.reading.key_columns import BY_FILE, BY_ORDER, OF_TOTALS
from classy_aesop.reading.layouts import read_any_table
from classy_aesop.reading.shapes import SCORE_ROLES, Reading, find_readings, match_roles
from classy_aesop.reading.table_files import form_of
from classy_aesop.reading.votes import preferences_of

if TYPE_CHECKING:
    import pandas as pd

ONLY_SYSTEM = "system"
"""The system of a table that names none."""
MAX_DOUBT = 1_200
MAX_ADVICE = 600
MAX_CHOICES = 3
BESIDE_PREDICTIONS = re.compile("low|high|outside")
"""Columns of predictions that are no scores, beside ``metric`` and ``score``."""
NAMES = ["task", "topic", "summarizer", "assessor", "attempt"]

_LOG = logging.getLogger(__name__)


def list_names(value: object) -> list[str]:
    """Make a list of one or several names of columns."""
    return [value] if isinstance(value, str) else [*map(str, value)]  # type: ignore[call-overload]


def list_roles(columns: GivenColumns | None) -> dict[str, list[str]]:
    """List the names of columns of each role."""
    return {role: list_names(names) for role, names in (columns_by_role(columns) or {}).items()}


def open_table(source: Source, columns: GivenColumns | None) -> tuple[Table, dict[str, list[str]]]:
    """Read a file, of a workbook the sheet that is named among the roles; give the other roles, too."""
    roles = list_roles(columns)
    for sheet in roles.pop("sheet", ()):
        if form_of(source) != "xlsx":
            raise UsageError(f"{source}: --sheet is given; expected a workbook of Excel")
        source = source.select_sheet(sheet)
    return read_any_table(source), roles


def read_judged(
    source: Source, columns: Fields | None = None, *, year: str = "", of_humans: bool = False
) -> pd.DataFrame:
    """Read the scores of any file of judgments as a make_tidy table."""
    table, roles = open_table(source, columns)
    return read_scores_of_table(table, roles, year=year, of_humans=of_humans)


def read_scores_of_table(
    table: Table, requested: Mapping[str, Sequence[str]], *, year: str = "", of_humans: bool = False
) -> pd.DataFrame:
    """Make the make_tidy table of a table by the one reading that is possible, and say how it was read."""
    table = replace(table, of_humans=of_humans)
    reading = choose(table, requested)
    prefix = f"{table.name}: " if table.name else ""
    commas = sorted(name for name in reading.cells if table[name].has_decimal_commas)
    notes = [] if _has_own_names(reading) else [f"read as {reading.columns_option()}"]
    notes += [f"decimal commas are read as points in {join_names(commas)}"] if commas else []
    notes += describe_left_out(table)
    if notes:
        _LOG.log(NOTE, "%s%s", prefix, "; ".join(notes))
    if not requested.keys() & {*SCORE_ROLES, "cells", "score"}:
        for message in _describe_unused(table, reading):
            warn(f"{prefix}{message}")
    scores = make_tidy(table, reading, year)
    origin = _describe_origin(table, reading, requested)
    scores.attrs[ORIGIN] = joined_origin([origin_of(scores), origin])
    return scores


def describe_left_out(table: Table) -> list[str]:
    """Say for each reason how many rows of a file are none of judgments, and which is the first."""
    n_read = table.n_rows + len(table.left_out)
    reasons = [reason for reason, _ in table.left_out]
    return [
        f"{reasons.count(reason)} of {n_read} rows left out: {reason} (first: {where.describe_within(table.name)})"
        for reason, where in dict(reversed(table.left_out)).items()
    ]


def _has_own_names(reading: Reading) -> bool:
    """Whether a reading uses the names of our own files only."""
    return {*reading.keys.names} <= {*KEYS, "assessor"} and not {*reading.roles} & {
        "ratings",
        "systems",
        "cells",
    }


def _describe_unused(table: Table, reading: Reading) -> Iterator[str]:
    """Name the columns that are not used: numbers with no name of scores, and others of a plain table."""
    used = reading.used_columns()
    unused = [
        column
        for name, column in table.columns.items()
        if name not in (*used, *NO_METRICS)
        and spell(name) not in COUNTERS | {"human", "is_human", *ATTEMPT_NAMES}
        and not ({"metric", "score"} <= table.columns.keys() and BESIDE_PREDICTIONS.fullmatch(name))
        and column.n_filled
    ]
    is_plain = table.is_flat
    numbers = [
        column.name
        for column in unused
        if column.is_number
        and not is_measure(column.name)
        and (is_plain or not is_administration(column.name))
    ]
    if numbers:
        advice = "--columns scores=NAME takes such a column (columns={...} in Python)"
        yield f"by their names no scores: {join_names(numbers, most=20)}; {advice}"
    other_columns = [
        column
        for column in unused
        if column.name not in numbers
        and (is_plain or (column.is_number and not is_administration(column.name)))
    ]
    if other_columns:
        yield f"ignored columns: {join_names([_describe_column(table, column) for column in other_columns], most=20)}"


def _describe_column(table: Table, column: TableColumn) -> str:
    """Name a column, with the first cell that is no number if others are."""
    if not column.strange or column.scale:
        return column.name
    place = table.places[column.cells.index(column.strange[0])].describe_within(table.name)
    return f"{column.name} (numbers, but {format_value(column.strange[0])} in {place})"


MAX_VALUES = 20
"""Maximum number of values of a column without a role that can separate groups of systems."""


def _describe_origin(table: Table, reading: Reading, requested: Mapping[str, Sequence[str]]) -> Origin:
    """Say what scores are read from: see `ORIGIN`."""
    keys = reading.keys
    origin: Origin = {"topic": next(iter(keys.topic), "")}
    by_place = keys.rater == BY_ORDER or (keys.rater and POSITION.fullmatch(keys.rater))
    unnamed = {
        cell.measure
        for cell in reading.cells.values()
        if by_place or (cell.rater and cell.rater.isdigit() and "ratings" not in requested)
    }
    if scales := _scales_of_words(table, reading):
        origin["scales"] = scales
    if unnamed:
        origin["unnamed_raters"] = sorted(unnamed)
    if keys.system in table.columns:
        columns = _systems_of_values(table, str(keys.system), reading.used_columns())
        origin |= {"columns": columns} if columns else {}
    return origin


def _scales_of_words(table: Table, reading: Reading) -> dict[str, list[float]]:
    """Give the ends of the scale of each measure whose cells are all words of one scale."""
    if reading.votes or reading.adds_up or reading.measure_column:
        return {}
    scales: dict[str, set[WordScale | None]] = defaultdict(set)
    for name, cell in reading.cells.items():
        scales[cell.measure].add(None if table[name].strange else table[name].scale)
    single = {measure: next(iter(values)) for measure, values in scales.items() if len(values) == 1}
    return {measure: [*scale.ends] for measure, scale in single.items() if scale is not None}


def _systems_of_values(table: Table, system: str, used: Collection[str]) -> dict[str, dict[str, list[str]]]:
    """Give the systems of each value of the columns without a role, but for several values that all systems share."""
    import pandas as pd

    systems = table[system].texts()
    columns: dict[str, dict[str, list[str]]] = {}
    for name, column in table.columns.items():
        n_values = column.n_distinct + (column.n_filled < table.n_rows)
        if name in used or name in NO_METRICS or spell(name) in COUNTERS or n_values > MAX_VALUES:
            continue
        pairs = pd.DataFrame({"value": column.texts(), "system": systems}).drop_duplicates()
        groups = pairs.groupby("value", sort=False)["system"]
        of_value = {str(value): sorted(names) for value, names in groups}
        if len(of_value) < 2 or len({*map(tuple, of_value.values())}) > 1:
            columns[name] = of_value
    return columns


def read_votes(source: Source, columns: Fields | None = None) -> Preferences | None:
    """Read the preferences of a file; None if it holds none."""
    return votes_of_table(*open_table(source, columns))


def votes_of_table(table: Table, requested: Mapping[str, Sequence[str]]) -> Preferences | None:
    """Give the preferences of a table; None if it holds none."""
    readings = find_readings(table, requested)
    return votes_of(table, choose(table, requested)) if readings and readings[0].votes else None


def choose(table: Table, requested: Mapping[str, Sequence[str]]) -> Reading:
    """Choose the reading of a table; an error if it holds no scores, or several readings are possible."""
    nameless = [name for name in [*table.columns][1:] if not name]
    if nameless and table[""].numbers is not None:
        raise table.place.error(f"a column of {join_names(table.columns)} has no name")
    readings = find_readings(table, requested)
    if not readings:
        raise _error_without_scores(table)
    best = readings[0]
    if "topic" in requested and not requested["topic"]:
        raise table.place.error(f"no column topic among {join_names(table.columns, most=20)}")
    doubts = [doubt for doubt in best.doubts if OF_TOTALS not in doubt]
    names_all = best.roles.keys() <= match_roles(table, requested).keys() and not is_repeated(best)
    if (len(readings) == 1 and not doubts and (requested or _is_whole(best))) or names_all:
        return best
    lacking = [] if doubts or _is_whole(best) else ["topic"] if not best.keys.topic else ["summarizer"]
    if lacking and len(readings) == 1:
        message = f"no column {lacking[0]} among {', '.join(table.columns)}; expected a header with it"
        raise table.place.error(
            shorten_message(escape_controls(message), most=MAX_DOUBT),
            advice=describe_choices(table, readings),
        )
    doubt = doubts[0] if doubts else "it can be read in more than one way"
    raise InputError(
        shorten_message(escape_controls(doubt), most=MAX_DOUBT),
        path=table.name or None,
        advice=describe_choices(table, readings),
    )


def _error_without_scores(table: Table) -> InputError:
    """Make the error of a table without scores: the cell that is none, or the columns among which there are none."""
    measures = [name for name in table.columns if spell(name) in MEASURE_COLUMNS]
    scores = [column for name, column in table.columns.items() if spell(name) in {*LONG_SCORES, "scores"}]
    for column in scores:
        if column.n_filled:
            place = table.places[int(np.argmax(column.codes >= 0))]
            return place.error(f"{column.name} is {format_value(column.distinct[0])}; expected a number")
    if measures:
        names = f"a column {measures[0]}, and none of {', '.join(LONG_SCORES)}"
        return table.place.error(f"{names}; expected both, or none")
    return table.place.error(
        f"no scores among the columns {join_names(table.columns, most=20)} (validate shows the role of each)"
    )


def _is_whole(reading: Reading) -> bool:
    """Whether a reading names systems and topics."""
    names_systems = (
        reading.keys.system
        or reading.votes
        or any(cell.system or cell.system_column for cell in reading.cells.values())
    )
    return bool(names_systems and reading.keys.topic and BY_ORDER not in reading.keys.topic)


def is_repeated(reading: Reading) -> bool:
    """Whether several rows of a reading have one key, so that no command can use it."""
    lacks_topics = bool(reading.keys.attempt) and not reading.keys.topic
    return lacks_topics or any("given again" in doubt and "rater=#" not in doubt for doubt in reading.doubts)


def describe_choices(table: Table, readings: Sequence[Reading]) -> str:
    """Write the options to pass for each reading of a table that a command can use."""
    options = [reading.flags() for reading in readings if not is_repeated(reading)][:MAX_CHOICES]
    advice = f"expected {' or '.join(options)} (validate shows what each means)"
    is_short = options and len(advice) <= MAX_ADVICE
    return (
        advice
        if is_short
        else f"validate {shorten_message(table.name, most=MAX_ADVICE // 2)} shows what can be passed"
    )


def name_rows(table: Table, reading: Reading) -> pd.DataFrame:
    """Give task, topic, system, rater and attempt of each row; an empty topic or system is an error."""
    import pandas as pd

    keys = reading.keys
    columns = {"task": keys.task, "summarizer": keys.system, "assessor": keys.rater}
    names = {
        role: table[name].identifiers(table.places) if name in table.columns else ""
        for role, name in columns.items()
    }
    rows = pd.DataFrame(names, index=range(table.n_rows), dtype=object)
    if keys.system not in table.columns:
        rows["summarizer"] = Path(table.name).stem if keys.system == BY_FILE else ONLY_SYSTEM
    if keys.rater == BY_FILE:
        rows["assessor"] = Path(table.name).stem
    topics = [table[name].identifiers(table.places) for name in keys.topic if name in table.columns]
    attempts = [table[name].identifiers(table.places) for name in keys.attempt if name in table.columns]
    rows["attempt"] = _join(attempts) if attempts else ""
    by = [] if not keys.system and not topics else ["task", "summarizer", "assessor", "attempt"]
    rows["topic"] = _join(topics) if topics else _number_rows(rows, by)
    if keys.topic == ("instance_id",):
        pairs = [
            split_instance(*pair) for pair in zip(rows["topic"], rows["task"].replace("", None), strict=True)
        ]
        rows[["topic", "task"]] = pairs
    if keys.rater == BY_ORDER:
        rows["assessor"] = _number_rows(rows, ["task", "topic", "summarizer", "attempt"])
    if keys.attempt == (BY_ORDER,):
        rows["attempt"] = _number_rows(rows, ["task", "topic", "summarizer", "assessor"])
    for role, name in (("topic", "/".join(keys.topic)), ("summarizer", keys.system)):
        for row in np.flatnonzero(rows[role] == "")[:1]:
            raise table.places[row].error(f"{name} is empty; expected text or a whole number")
    return rows


def _join(texts: Sequence[np.ndarray]) -> np.ndarray:
    joined = texts[0]
    for text in texts[1:]:
        joined = joined + "/" + text
    return joined


def _number_rows(rows: pd.DataFrame, by: list[str]) -> pd.Series:
    """Number the rows that have the same names: 1, 2, ..."""
    import pandas as pd

    numbers = rows.groupby(by).cumcount() if by else pd.Series(range(len(rows)))
    return (numbers + 1).astype(str)


def scores_of(table: Table, reading: Reading) -> pd.DataFrame:
    """Give the scores of a table with the number of their row: in the order of rows and, within a row, of columns."""
    import pandas as pd

    if reading.votes:
        return _win_rates(table, reading)
    names = name_rows(table, reading)
    if reading.adds_up:
        [name] = reading.cells
        names["score"] = [ERROR_WEIGHTS[str(cell or "none").lower()] for cell in table[name].cells]
        sums = (
            names.assign(row=range(len(names)))
            .groupby(NAMES, sort=False)
            .agg(score=("score", "sum"), row=("row", "first"))
        )
        return sums.reset_index().assign(metric="errors")
    parts = []
    order = {name: number for number, name in enumerate(table.columns)}
    for name, cell in sorted(reading.cells.items(), key=lambda item: order[item[0]]):
        column = table[name]
        part = names.assign(metric=cell.measure, score=column.scores(table.places), row=range(len(names)))
        fixed = {"summarizer": cell.system, "assessor": cell.rater, "topic": cell.topic}
        part = part.assign(**{role: value for role, value in fixed.items() if value})
        if cell.attempt:
            part["attempt"] = (part["attempt"] + "/" + cell.attempt).str.lstrip("/")
        if cell.system_column:
            part["summarizer"] = table[cell.system_column].texts()
        if reading.measure_column:
            part["metric"] = table[reading.measure_column].texts()
            for row in np.flatnonzero(part["metric"] == "")[:1]:
                raise table.places[row].error(
                    f"{reading.measure_column} is empty; expected text or a whole number"
                )
        is_used = column.codes >= 0
        if name in table.objects:
            is_used &= ~pd.Series(table.objects[name]).duplicated().to_numpy()
            if reading.keys.rater in table.columns and not table.is_within_objects(
                name, [str(reading.keys.rater)]
            ):
                part["assessor"] = ""
        if table.is_flat or (table.source == "JSON" and not table.objects):
            is_used |= column.codes < 0
        parts.append(part[is_used])
    return pd.concat(parts).sort_values("row", kind="stable", ignore_index=True)


def _win_rates(table: Table, reading: Reading) -> pd.DataFrame:
    """Give the share of opponents that each system beats on each topic, by rater: the mean over opponents equally."""
    import pandas as pd

    preferences = votes_of(table, reading)
    first = preferences.table().assign(task="", attempt="", row=0, score=preferences.wins)
    second = first.rename(columns={"first": "second", "second": "first"}).assign(score=1 - first["score"])
    sides = pd.concat([first, second]).rename(columns={"first": "summarizer", "rater": "assessor"})
    by_opponent = sides.groupby([*NAMES, "second"], sort=False)["score"].mean()
    return by_opponent.groupby(NAMES, sort=False).mean().reset_index().assign(metric="win", row=0)


def votes_of(table: Table, reading: Reading) -> Preferences:
    """Make preferences of a table by one reading of it."""
    rows = name_rows(table, reading)
    assert reading.votes is not None
    preferences = preferences_of(table, reading.votes, rows["topic"].tolist(), rows["assessor"].tolist())
    _note_attempts(preferences, {*rows["attempt"]}, table.name)
    return preferences


def _note_attempts(preferences: Preferences, labels: Collection[str], path: str) -> None:
    """Say how many attempts of a topic there are, which count as one observation."""
    if not any(labels):
        return
    pairs = np.sort([preferences.first, preferences.second], axis=0)
    keys = np.vstack([preferences.topic, preferences.rater, pairs])
    counts = np.unique(keys, axis=1, return_counts=True)[1]
    if counts.max() > 1:
        pooled = (
            f"{describe_counts(int(counts.min()), int(counts.max()))} were pooled{describe_labels(labels)}"
        )
        message = f"{pooled}: each topic counts as one observation"
        _LOG.log(NOTE, "%s%s", f"{path}: " if path else "", message)


def make_tidy(table: Table, reading: Reading, year: str = "") -> pd.DataFrame:
    """Make the make_tidy table of a reading; rows that are given again are an error."""
    scores = scores_of(table, reading)
    places = [table.places[row] for row in scores["row"]]
    names = {
        name: scores[name].to_numpy(object)
        for name in ("topic", "task", "summarizer", "metric", "assessor", "attempt")
    }
    years = (
        table[str(reading.year)].texts()[scores["row"]]
        if reading.year in table.columns
        else np.full(len(scores), "", object)
    )
    names = {"year": np.where(years == "", year, years)} | names
    return table_of_columns(names, scores["score"].to_numpy(float), places.__getitem__)
