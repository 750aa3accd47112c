"""Scores and preferences of any file of judgments: one reading of it is chosen, or the user is asked."""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.data.attempts import SharedLists, describe_counts, join_lists
from classy_aesop.data.cells import format_value, split_instance
from classy_aesop.data.clusters import BY_PREFIX, prefix_of
from classy_aesop.data.preference_records import Preferences
from classy_aesop.data.scores import (
    KEYS,
    NO_METRICS,
    ORIGIN,
    Origin,
    joined_origin,
    note_origin,
    origin_of,
    table_of_columns,
)
from classy_aesop.data.where import Where
from classy_aesop.errors import (
    NOTE,
    InputError,
    UsageError,
    escape_controls,
    join_names,
    shorten_message,
    warn,
)
from classy_aesop.reading.account import RowAccount
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.column_names import (
    ATTEMPT_NAMES,
    BY_FILE,
    BY_FOLDER,
    COUNTERS,
    LONG_SCORES,
    MEASURE_COLUMNS,
    MODEL,
    POSITION,
    are_raters,
    is_administration,
    is_measure,
    rater_evidence,
    spell,
    system_evidence,
    topic_evidence,
)
from classy_aesop.reading.columns import MAX_SCALE_WORDS, Table, WordScale
from classy_aesop.reading.file_columns import columns_by_role
from classy_aesop.reading.key_columns import BY_ORDER, OF_TOTALS, PAIRS_NOTHING
from classy_aesop.reading.key_evidence import Roles, automatic_judges, describe_controls, names_in
from classy_aesop.reading.layouts import lay_out_by_value, read_any_table
from classy_aesop.reading.output_lengths import find_length_column, measure_lengths
from classy_aesop.reading.shapes import NO_KEYS, SCORE_ROLES, Reading, find_readings, match_roles
from classy_aesop.reading.votes import preferences_of
from classy_aesop.reading.workbook_checks import UNCOMPUTED
from classy_aesop.work.options import Fields, GivenColumns

if TYPE_CHECKING:
    import pandas as pd

ONLY_SYSTEM = "system"
"""The system of a table that names none."""
MAX_DOUBT = 1_200
MAX_ADVICE = 600
MAX_CHOICES = 3
MAX_TYPING_ERRORS = 0.1
"""Share of a column's cells that are typing errors in it; with more of them it may hold something else."""
MAX_EMPTY = 0.25
"""Share of rows without a topic or a system that are left out; with more of them the column is not the one."""
BESIDE_PREDICTIONS = re.compile("low|high|outside|beyond|form")
"""Columns of predictions that are no scores, beside ``metric`` and ``score``."""
NAMES = ["task", "topic", "summarizer", "assessor", "attempt"]
NamesOfRows = dict[str, np.ndarray]
"""Those of each row of a table, by their role."""

_LOG = logging.getLogger(__name__)


def list_roles(columns: GivenColumns | None) -> dict[str, list[str]]:
    """List the names of columns of each role."""
    return {
        role: [names] if isinstance(names, str) else [*map(str, names)]
        for role, names in (columns_by_role(columns) or {}).items()
    }


def open_table(source: Source, columns: GivenColumns | None) -> tuple[Table, dict[str, list[str]]]:
    """Read a file, of a workbook the sheet that is named among the roles; give the other roles, too."""
    roles = list_roles(columns)
    for sheet in roles.pop("sheet", ()):
        source = source.select_sheet(sheet)
    return lay_out_by_value(read_any_table(source), roles), roles


def read_judged(source: Source, columns: Fields | None = None, *, year: str = "") -> pd.DataFrame:
    """Read a table, long, wide or in another shape: names of columns and the data say what it is."""
    table, roles = open_table(source, columns)
    return read_scores_of_table(table, roles, year=year)


def read_scores_of_table(
    table: Table,
    requested: Mapping[str, Sequence[str]],
    *,
    year: str = "",
    readings: Sequence[Reading] | None = None,
) -> pd.DataFrame:
    """Make the make_tidy table of a table by the one reading that is possible, and say how it was read."""
    for note in table.notes:  # before a score that is missing is refused
        if note.startswith(UNCOMPUTED):
            warn(f"{table.prefix}{note}")
    reading = choose(table, requested, readings)
    scores, account = judge(table, reading)  # first, so that a bad cell is the only thing that is said
    tidy_scores = make_tidy_scores(table, reading, scores, year)
    if notes := [*_describe_reading(table, reading)]:
        _LOG.log(NOTE, "%s%s", table.prefix, "; ".join(notes))
    account.say()
    are_named = reading.adds_up or requested.keys() & {*SCORE_ROLES, "cells", "score"}
    unused = () if are_named else _describe_unused(table, reading)
    for message in chain(automatic_judges(table, reading.keys.rater), unused):
        warn(f"{table.prefix}{message}")
    origin = _describe_origin(table, reading, requested)
    tidy_scores.attrs[ORIGIN] = joined_origin([origin_of(tidy_scores), origin])
    return tidy_scores


def _describe_reading(table: Table, reading: Reading) -> Iterator[str]:
    """Say how a table is read, if not by the names of our own files only."""
    has_own_names = {*reading.keys.names} <= {*KEYS, "assessor"}
    if not has_own_names or {*reading.roles} & {"ratings", "systems", "cells"}:
        yield f"read as {reading.columns_option()}"
    yield from (note for note in table.notes if table.is_flat and not note.startswith(UNCOMPUTED))
    if commas := sorted(name for name in reading.cells if table[name].has_decimal_commas):
        yield f"decimal commas are read as points in {join_names(commas)}"
    yield from describe_words(table, reading)
    tasks = names_in(table, [reading.keys.task])
    yield from filter(
        None, [*(table[name].note for name in reading.cells), *(describe_controls(table[n]) for n in tasks)]
    )


def _describe_unused(table: Table, reading: Reading) -> Iterator[str]:
    """Name the columns that are not used: numbers with no name of scores, and others of a plain table."""
    used = reading.used_columns() | {_length_column(table, reading)}
    unused = [
        column
        for name, column in table.columns.items()
        if name not in (*used, *NO_METRICS)
        and spell(name) not in COUNTERS | {"human", "is_human", *ATTEMPT_NAMES}
        and not ({"metric", "score"} <= table.columns.keys() and BESIDE_PREDICTIONS.fullmatch(name))
        and column.n_filled
        and not column.is_text
        and (table.is_flat or (column.is_number and not is_administration(name)))
    ]
    numbers = [column.name for column in unused if column.is_number and not is_measure(column.name)]
    if numbers:
        advice = "--columns scores=NAME takes such a column (columns={...} in Python)"
        yield f"by their names or values no scores: {join_names(numbers, limit=20)}; {advice}"
    ignored = [table.describe_column(column.name) for column in unused if column.name not in numbers]
    if ignored:
        yield f"ignored columns: {join_names(ignored, limit=20)}"


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
    if requested.get("cluster") == []:
        origin["clusters"] = join_lists()
    if scales := _scales_of_words(table, reading):
        origin["scales"] = scales
    if unnamed:
        origin["unnamed_raters"] = sorted(unnamed)
    if reading.metrics:
        origin["metrics"] = sorted(reading.metrics)
    for system in names_in(table, [keys.system]):
        if columns := _systems_of_values(table, system, reading.used_columns()):
            origin["columns"] = columns
    return origin


def _scales_of_words(table: Table, reading: Reading) -> dict[str, list[float]]:
    """Give the ends of the scale of each measure whose cells are all words of one scale."""
    if reading.adds_up or reading.measure_column:
        return {}
    scales: dict[str, set[WordScale | None]] = defaultdict(set)
    for name, cell in reading.cells.items():
        scales[cell.measure].add(None if table[name].strange else table[name].scale)
    return {
        measure: [*scale.ends]
        for measure, values in scales.items()
        for scale in values
        if scale and len(values) == 1
    }


def describe_words(table: Table, reading: Reading) -> Iterator[str]:
    """Say which numbers the words of each scale are."""
    columns_of_scale: dict[WordScale, list[str]] = defaultdict(list)
    for name in reading.cells:
        if (scale := table[name].scale) and not reading.adds_up:
            columns_of_scale[scale].append(name)
    for scale, names in columns_of_scale.items():
        words = {word for name in names for word in table[name].words}
        numbers = sorted((number, word) for word in words if (number := scale.number_of(word)) == number)
        text = ", ".join(f"{word} = {number:g}" for number, word in numbers)
        yield f"of {join_names(names, limit=3)} are numbers: {text}"


def _systems_of_values(table: Table, system: str, used: Collection[str]) -> dict[str, dict[str, list[str]]]:
    """Give the systems of each value of the columns without a role, but for several values that all systems share."""
    systems = table[system].texts()
    columns: dict[str, dict[str, list[str]]] = {}
    for name, column in table.columns.items():
        n_values = column.n_distinct + (column.n_filled < table.n_rows)
        if name in used or name in NO_METRICS or spell(name) in COUNTERS or n_values > MAX_VALUES:
            continue
        texts = column.texts()
        values = dict.fromkeys(texts.tolist())
        of_value = {str(value): sorted({*systems[texts == value].tolist()}) for value in values}
        if len(of_value) < 2 or len({*map(tuple, of_value.values())}) > 1:
            columns[name] = of_value
    return columns


def votes_of_table(
    table: Table, requested: Mapping[str, Sequence[str]], readings: Sequence[Reading] | None = None
) -> Preferences | None:
    """Give the preferences of a table, whose readings may have been found already; None if it holds none."""
    readings = find_readings(table, requested) if readings is None else readings
    if not readings or not readings[0].votes:
        return None
    reading = choose(table, requested, readings)
    preferences, account = count_votes(table, reading)
    account.say()
    for message in automatic_judges(table, reading.keys.rater):
        warn(f"{table.prefix}{message}")
    return preferences


def choose(
    table: Table, requested: Mapping[str, Sequence[str]], readings: Sequence[Reading] | None = None
) -> Reading:
    """Choose the reading of a table; an error if it holds no scores, or several readings are possible."""
    if "" in [*table.columns][1:] and table[""].numbers is not None:
        raise table.place.error(f"a column of {join_names(table.columns)} has no name")
    readings = find_readings(table, requested) if readings is None else readings
    used = readings[0].used_columns() if readings else table.columns
    _refuse_short_rows(table, used)
    _refuse_typing_errors(table, readings[0].cells if readings else table.columns)
    if not readings:
        raise _error_without_scores(table)
    best = readings[0]
    if requested.get("topic") == []:
        raise table.place.error(f"no column topic among {join_names(table.columns, limit=20)}")
    doubts = [doubt for doubt in best.doubts if OF_TOTALS not in doubt and PAIRS_NOTHING not in doubt]
    is_single = len(readings) == 1 and not doubts
    roles = best.roles.keys() - {"cluster"}
    names_all = roles <= match_roles(table, requested).keys() and not is_repeated(best)
    if names_all or (is_single and (requested or _is_whole(best))):
        return best
    message = [*doubts, "it can be read in more than one way"][0]
    place = Where(table.name or None)
    advice = describe_choices(table, readings)
    if is_single:
        lacking = "summarizer" if has_topics(best) else "topic"
        message = f"no column {lacking} among {', '.join(table.columns)}; expected a header with it"
        place = table.place
        if options := name_possible_systems(table, best):
            advice = f"expected {options}, if these are the systems"
    raise place.error(shorten_message(escape_controls(message), limit=MAX_DOUBT), advice=advice)


def _refuse_short_rows(table: Table, names: Collection[str]) -> None:
    """Refuse a row that is shorter than the header where it lacks one of these columns."""
    last = max((number for number, name in enumerate(table.columns, 1) if name in names), default=0)
    for row, n_cells in table.short_rows.items():
        if n_cells < last:
            message = f"{n_cells} columns; expected {len(table.columns)} as in the header"
            raise table.places[row].error(message)


def _refuse_typing_errors(table: Table, names: Iterable[str]) -> None:
    """Refuse the few cells of a score that are no numbers, before anything is said of other columns."""
    for name in names:
        column = table[name]
        if column.strange and not column.scale:
            n_strange = column.counts[[value in column.strange for value in column.distinct]].sum()
            if n_strange <= MAX_TYPING_ERRORS * column.n_filled:
                column.scores(table.places)


def _error_without_scores(table: Table) -> InputError:
    """Make the error of a table without scores: the cell that is none, or the columns among which there are none."""
    for name, column in table.columns.items():
        if spell(name) in {*LONG_SCORES, "scores"} and column.n_filled:
            place = table.places[int(np.argmax(column.codes >= 0))]
            return place.error(f"{name} is {format_value(column.distinct[0])}; expected a number")
    if measures := [name for name in table.columns if spell(name) in MEASURE_COLUMNS]:
        names = f"a column {measures[0]}, and none of {', '.join(LONG_SCORES)}"
        return table.place.error(f"{names}; expected both, or none")
    may_be_graded = any(
        column.is_name
        and 1 < column.n_distinct <= MAX_SCALE_WORDS
        and not (
            topic_evidence(name) or system_evidence(name) or rater_evidence(name) or is_administration(name)
        )
        for name, column in table.columns.items()
    )
    scale = "; --scale 'LEAST<...<MOST' gives the order of words" * may_be_graded
    names = join_names(table.columns, limit=20)
    return table.place.error(f"no scores among the columns {names} (validate shows the role of each{scale})")


def _is_whole(reading: Reading) -> bool:
    """Whether a reading names topics, and either systems or both what people and what metrics gave."""
    names_systems = (
        reading.keys.system
        or reading.votes
        or any(cell.system or cell.system_column for cell in reading.cells.values())
        or reading.other_roles.keys() >= {"measures", "scores"}
    )
    return bool(names_systems and has_topics(reading))


def has_topics(reading: Reading) -> bool:
    """Whether columns, or the names of columns, say what the topics are."""
    return bool(reading.keys.topic) or any(cell.topic for cell in reading.cells.values())


def is_repeated(reading: Reading) -> bool:
    """Whether several rows of a reading have one key, so that no command can use it."""
    lacks_topics = bool(reading.keys.attempt) and not reading.keys.topic
    return lacks_topics or any("given again" in doubt and "rater=#" not in doubt for doubt in reading.doubts)


def describe_choices(table: Table, readings: Sequence[Reading]) -> str:
    """Write the options to pass for each reading of a table that a command can use."""
    options = [reading.flags(table.source) for reading in readings if not is_repeated(reading)][:MAX_CHOICES]
    meaning = "" if table.source == "frame" else " (validate shows what each means)"
    advice = f"expected {' or '.join(options)}{meaning}"
    if options and len(advice) <= MAX_ADVICE:
        return advice
    return f"validate {shorten_message(table.name, limit=MAX_ADVICE // 2)} shows what can be passed"


def name_possible_systems(table: Table, reading: Reading) -> str:
    """Write the options by which columns of a reading without systems name these; nothing if none may be them."""
    topic = reading.keys.topic
    possible_roles: list[Roles] = []
    if len(topic) > 1:
        possible_roles.append({"system": (min(topic, key=lambda name: table[name].n_distinct),)})
    if len(reading.cells) > 1 and not any(
        cell.topic or are_raters([name]) or (is_measure(name) and not MODEL.match(spell(name)))
        for name, cell in reading.cells.items()
    ):
        possible_roles.append({"systems": tuple(reading.cells)})
    options = " or ".join(
        replace(reading, keys=NO_KEYS, other_roles=roles).flags(table.source) for roles in possible_roles
    )
    return options if len(options) <= MAX_ADVICE else ""


def name_by_file(path: str, rule: str | None) -> str:
    """Give the name of a file, one of its words, or a folder, as a rule in place of a column says; else nothing."""
    stem = Path(path).stem
    match = re.fullmatch(f"({BY_FILE}|{BY_FOLDER})(.*)", rule or "")
    if not match or rule == BY_FILE:
        return stem if match else ""
    kind = "words"
    names = words_of_name(path)
    if match[1] == BY_FOLDER:
        kind = "folders"
        names = [folder.name for folder in Path(path).absolute().parents if folder.name]
    number = int(match[2] or 1)
    if number > len(names):
        raise UsageError(f"{rule}: the name {stem} has {len(names)} {kind}")
    return names[number - 1]


def words_of_name(path: str) -> list[str]:
    """Give the words of the name of a file: ``annot_JD_gpt4`` has three."""
    return re.split("[_.-]", Path(path).stem)


def name_rows(table: Table, reading: Reading) -> tuple[NamesOfRows, RowAccount]:
    """Give task, topic, system, rater and attempt of each row, and the account of the rows.

    A row without a topic or a system is left out; where many lack it, this is an error with the place of the first.
    Equal rows are used once, where a topic names each row: what stands there twice was not judged twice.
    """
    keys = reading.keys

    def read_names(columns: Iterable[str | None], other: str = "") -> np.ndarray:
        """Join the identifiers of the columns that the table has; the same name for all without any."""
        names = [table[name].identifiers(table.places) for name in names_in(table, columns)]
        return reduce(_join, names) if names else np.full(table.n_rows, other, object)

    rows = {
        "task": read_names([keys.task]),
        "summarizer": read_names([keys.system], name_by_file(table.name, keys.system) or ONLY_SYSTEM),
        "assessor": read_names([keys.rater], name_by_file(table.name, keys.rater)),
        "attempt": read_names(keys.attempt),
    }
    rows["topic"] = (
        read_names(keys.topic, "in columns")
        if names_in(table, keys.topic) or (has_topics(reading) and not keys.topic)
        else _number_rows(rows, [*rows] if keys.system else ["summarizer"])
    )
    if keys.topic == ("instance_id",):
        tasks = [task or None for task in rows["task"]]
        pairs = [*map(split_instance, rows["topic"], tasks)]
        rows["topic"], rows["task"] = np.array(pairs, object).T
    if keys.rater == BY_ORDER:
        rows["assessor"] = _number_rows(rows, NAMES)
    if BY_ORDER in keys.attempt:
        rows["attempt"] = _number_rows(rows, NAMES)
    account = RowAccount(table)
    for role, name in (("topic", "/".join(keys.topic)), ("summarizer", keys.system)):
        is_empty = rows[role] == ""
        if is_empty.mean() > MAX_EMPTY:
            place = table.places[int(np.argmax(is_empty))]
            raise place.error(f"{name} is empty; expected text or a whole number")
        account.leave_out(is_empty, f"{name} is empty")
    is_named = bool(keys.topic) and BY_ORDER not in (*keys.topic, keys.rater, *keys.attempt)
    names = names_in(table, (*keys.names, reading.measure_column))
    may_be_again = is_named and not (reading.adds_up or table.objects) and (keys.rater or not reading.votes)
    if may_be_again and table.share_distinct(names) < 1:
        account.leave_out(table.equal_rows(), "equal in every cell to a row above")
    return rows, account


def _join(text: np.ndarray, other_text: np.ndarray) -> np.ndarray:
    joined: np.ndarray = text + "/" + other_text
    return joined


def _number_rows(rows: NamesOfRows, by: list[str]) -> np.ndarray:
    """Number the rows that have the same names: 1, 2, ..."""
    import pandas as pd

    numbers = pd.DataFrame({name: rows[name] for name in by}).groupby(by).cumcount() + 1
    return numbers.astype(str).to_numpy(object)


def scores_of(table: Table, reading: Reading) -> pd.DataFrame:
    """Give the scores of a table with the number of their row: in the order of rows and, within a row, of columns."""
    import pandas as pd

    return pd.DataFrame(judge(table, reading)[0])


def judge(table: Table, reading: Reading) -> tuple[NamesOfRows, RowAccount]:
    """Give the columns of the scores of a table, as `scores_of` does, and the account of its rows."""
    import pandas as pd

    if reading.votes:
        preferences, account = count_votes(table, reading)
        return _arrays_of_frame(_win_rates(preferences)), account
    names, account = name_rows(table, reading)
    scores = _list_scores(table, reading, names, account.is_used)
    has_score = np.zeros(table.n_rows, bool)
    has_score[scores["row"][~np.isnan(scores["score"])]] = True
    if not (table.is_flat or reading.adds_up):  # events beside a score of their output
        listed = pd.DataFrame(scores)
        is_event = listed.duplicated([*NAMES, "metric"], keep=False) & ~has_score[listed["row"]]
        scores = _arrays_of_frame(listed[~is_event])
    if not reading.adds_up:
        reason = f"no score in {join_names(reading.cells, limit=4)}"
        account.leave_out(~has_score, reason, is_stated=True)
    for name in names_in(table, [reading.keys.system]):
        systems = table[name].texts()
        account.note_unused_systems(systems, systems[account.is_used])
    return scores, account


def _arrays_of_frame(frame: pd.DataFrame) -> NamesOfRows:
    """Give the columns of a table of scores as arrays."""
    return {str(name): frame[name].to_numpy() for name in frame}


def _list_scores(table: Table, reading: Reading, names: NamesOfRows, is_used_row: np.ndarray) -> NamesOfRows:
    import pandas as pd

    rows = {**names, "row": np.arange(table.n_rows)}
    if reading.adds_up:
        [(name, cell)] = reading.cells.items()
        is_sum = cell.measure == "errors"
        errors, weights = table.weigh_errors(name)
        scores = pd.Series(errors).map(weights) if is_sum else table[name].is_stated.astype(float)
        outputs = pd.DataFrame({**rows, "score": scores})[is_used_row].groupby(NAMES, sort=False)
        sums = outputs.agg(score=("score", "sum" if is_sum else "max"), row=("row", "first"))
        return _arrays_of_frame(sums.reset_index().assign(metric=cell.measure))
    parts: list[NamesOfRows] = []
    for name in filter(reading.cells.get, table.columns):
        cell = reading.cells[name]
        column = table[name]
        roles = {"summarizer": cell.system, "assessor": cell.rater, "topic": cell.topic}
        fixed = {"metric": cell.measure, **{role: value for role, value in roles.items() if value}}
        is_used = is_used_row & (column.codes >= 0)
        if name in table.objects:
            is_used &= ~pd.Series(table.objects[name]).duplicated().to_numpy()
            if not table.is_within_objects(name, names_in(table, [reading.keys.rater])):
                fixed["assessor"] = ""
        elif table.is_flat or (table.source == "JSON" and not table.objects):
            is_used = is_used_row
        part = rows | {role: np.full(table.n_rows, value, object) for role, value in fixed.items()}
        part["score"] = column.scores(table.places)
        if cell.attempt:
            numbered = [f"{text}/{cell.attempt}".lstrip("/") for text in part["attempt"]]
            part["attempt"] = np.array(numbered, object)
        if cell.system_column:
            part["summarizer"] = table[cell.system_column].texts()
        if reading.measure_column:
            part["metric"] = table[reading.measure_column].texts()
            for row in np.flatnonzero((part["metric"] == "") & is_used_row)[:1]:
                expected = "expected text or a whole number"
                raise table.places[row].error(f"{reading.measure_column} is empty; {expected}")
        parts.append({role: values[is_used] for role, values in part.items()})
    joined = {role: np.concatenate([part[role] for part in parts]) for role in parts[0]}
    by_row = np.argsort(joined["row"], kind="stable")
    return {role: values[by_row] for role, values in joined.items()}


def _win_rates(preferences: Preferences) -> pd.DataFrame:
    """Give the share of opponents that each system beats on each topic, by rater: the mean over opponents equally."""
    import pandas as pd

    first = preferences.table().assign(task="", attempt="", row=0, score=preferences.wins)
    second = first.rename(columns={"first": "second", "second": "first"}).assign(score=1 - first["score"])
    sides = pd.concat([first, second]).rename(columns={"first": "summarizer", "rater": "assessor"})
    by_opponent = sides.groupby([*NAMES, "second"], sort=False)["score"].mean()
    return by_opponent.groupby(NAMES, sort=False).mean().reset_index().assign(metric="win", row=0)


def votes_of(table: Table, reading: Reading) -> Preferences:
    """Make preferences of a table by one reading of it."""
    return count_votes(table, reading)[0]


def count_votes(table: Table, reading: Reading) -> tuple[Preferences, RowAccount]:
    """Make preferences of a table by one reading of it, and the account of its rows."""
    assert reading.votes is not None
    rows, account = name_rows(table, reading)
    preferences = preferences_of(table, reading.votes, rows["topic"], rows["assessor"], account)
    if any(rows["attempt"]):
        pairs = np.sort([preferences.first, preferences.second], axis=0)
        comparisons = np.vstack([preferences.topic, preferences.rater, pairs])
        counts = np.unique(comparisons, axis=1, return_counts=True)[1]
        if counts.max() > 1:
            pooled = describe_counts(int(counts.min()), int(counts.max()))
            _LOG.log(NOTE, "%s%s were pooled: each topic counts as one observation", table.prefix, pooled)
    if reading.keys.cluster is not None:
        warn(
            f"{table.prefix}preferences take topics as independent: the cluster ({reading.keys.cluster}) is ignored"
        )
    present = [name for side in reading.votes.sides for name in table[side].texts()]
    account.note_unused_systems(present, preferences.systems)
    return preferences, account


def make_tidy_scores(table: Table, reading: Reading, scores: NamesOfRows, year: str = "") -> pd.DataFrame:
    """Make the tidy table of the scores of a reading; rows that are given again are an error."""
    row = scores["row"]
    years = np.full(len(row), "", object)
    for name in names_in(table, [reading.year]):
        years = table[name].texts()[row]
    names = {"year": np.where(years == "", year, years)}
    names |= {name: scores[name] for name in ("topic", "task", "summarizer", "metric", "assessor", "attempt")}
    tidy_scores = table_of_columns(names, scores["score"], lambda number: table.places[row[number]])
    by_output = {
        "clusters": _list_clusters(table, reading, names, row),
        "lengths": _list_lengths(table, reading, names, row),
    }
    return note_origin(tidy_scores, **{name: lists for name, lists in by_output.items() if lists})


def _list_clusters(
    table: Table, reading: Reading, names: Mapping[str, np.ndarray], row: np.ndarray
) -> SharedLists | None:
    """Give the cluster of each topic; an error with the place of a row without one, or of a topic in two."""
    import pandas as pd

    column = reading.keys.cluster
    if column is None:
        return None
    keys = ["year", "task", "topic"]
    cells = list(map(prefix_of, names["topic"])) if column == BY_PREFIX else table[column].texts()[row]
    outputs = pd.DataFrame(names, columns=keys).assign(cluster=cells, row=row)
    topics = outputs.drop_duplicates([*keys, "cluster"])
    is_wrong = topics["cluster"].eq("") | topics.duplicated(keys)
    for _, first in topics[is_wrong][:1].iterrows():
        lies = f"lies in two values of {column}" if first["cluster"] else f"has no {column}"
        raise table.places[first["row"]].error(f"topic {first['topic']} {lies}; expected one of each topic")
    return join_lists(topics.drop(columns="row").assign(column=column).to_dict("list"))


def _list_lengths(
    table: Table, reading: Reading, names: Mapping[str, np.ndarray], row: np.ndarray
) -> SharedLists | None:
    """Give how long the output of each system on each topic is, on average over attempts; None if that is not known."""
    import pandas as pd

    column = _length_column(table, reading)
    if column is None:
        return None
    lengths = measure_lengths(table[column], table.places)[row]
    outputs = pd.DataFrame(names, columns=KEYS).assign(length=lengths)
    return join_lists(outputs.groupby(KEYS, sort=False).mean().reset_index().to_dict("list"))


def _length_column(table: Table, reading: Reading) -> str | None:
    """Name the column by which outputs have lengths, where each row is of one output."""
    return None if reading.keys.system is None else find_length_column(table, reading.keys.names)
