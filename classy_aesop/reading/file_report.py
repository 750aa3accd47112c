"""What is in a file of judgments or scores: roles, counts, means, doubts, and the commands that answer questions.

A command is named only if its ``--columns``, read again by `read_scores`, gives the same scores as are shown here.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from classy_aesop.data.attempts import describe_attempts
from classy_aesop.data.cells import Fields
from classy_aesop.data.directions import is_lower_by_name
from classy_aesop.data.preference_records import describe_one_order
from classy_aesop.data.scores import origin_of
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.column_names import (
    COMMENT_WORDS,
    REFERENCE_NAMES,
    SCORE_NAMES,
    TEXT_NAMES,
    TOPIC_TEXT_NAMES,
    is_administration,
    is_human_measure_name,
    spell_name,
    words_of,
)
from classy_aesop.reading.documents import read_document
from classy_aesop.reading.judged_scores import list_names, score_table, select_sheet
from classy_aesop.reading.judged_tables import MAX_SCALE_WORDS, JudgedColumn, JudgedTable
from classy_aesop.reading.preference_readings import preferences_of_reading
from classy_aesop.reading.preference_shapes import unnamed_sides
from classy_aesop.reading.preference_tables import find_preferences
from classy_aesop.reading.readings import (
    BY_FILE,
    SCALE,
    SHEET,
    Reading,
    TidyRow,
    parse_columns_option,
    preference_rows,
    tidy_rows,
)
from classy_aesop.reading.score_files import read_scores
from classy_aesop.reading.shapes import find_readings

if TYPE_CHECKING:
    import pandas as pd

MAX_COMMANDS_A_QUESTION = 3
MAX_SYSTEMS_WITH_MEANS = 12
MAX_MEASURES = 12
MAX_SIBLINGS = 30
COMMAND = "command"
BEST_SYSTEM = "Which system is best?"


@dataclass(frozen=True)
class Line:
    """A line of the report: what it is about, and what is said of it; a command stands on a line of its own."""

    subject: str
    text: str

    def __str__(self) -> str:
        return f"    {self.text}" if self.subject == COMMAND else f"  {self.subject}: {self.text}"


@dataclass(frozen=True)
class FileReport:
    """What is in a file, for readers.

    Attributes
    ----------
    lines : tuple of Line
        In order of reading.
    is_judged : bool
        Whether it holds scores or preferences.
    """

    lines: tuple[Line, ...]
    is_judged: bool

    def __str__(self) -> str:
        return "\n".join(map(str, self.lines))

    @property
    def commands(self) -> list[str]:
        """The commands that it names."""
        return [line.text for line in self.lines if line.subject == COMMAND]

    def to_frame(self) -> pd.DataFrame:
        """Make a table of the report: the columns ``what`` and ``found``, both text."""
        import pandas as pd

        return pd.DataFrame(
            [(line.subject, line.text) for line in self.lines], columns=["what", "found"], dtype=str
        )


def inspect_file(
    path: str | Path,
    *,
    columns: Fields | None = None,
    encoding: str | None = None,
    siblings: Sequence[str] | None = None,
) -> FileReport:
    """Say what is in a file of judgments or scores, and which commands answer questions about it.

    Parameters
    ----------
    path : path-like
        The file.
    columns : mapping, optional
        What its columns are, by role, as far as the user says it.
    encoding : str, optional
        The encoding of a text table that is not in UTF-8.
    siblings : sequence of str, optional
        Files of one system each that have the same columns; by default those that are named like it.

    Returns
    -------
    FileReport
        Its lines and its commands.

    Raises
    ------
    InputError
        If the file is damaged, or holds no table.
    UsageError
        If ``columns`` does not fit the file.

    Examples
    --------
    >>> report = inspect_file("data_samples/2021/judgments.jsonl", columns={"topic": "instance_id"})
    >>> report.is_judged
    True
    """
    all_requested = {role: list_names(names) for role, names in (columns or {}).items()}
    source, roles = select_sheet(Source.from_path(path).select_encoding(encoding), all_requested)
    requested = {role: list_names(names) for role, names in roles.items()}
    table = read_document(source)
    readings = find_readings(table, requested)
    inspected = _Inspection(str(path), table, all_requested, encoding, siblings)
    return FileReport(tuple(inspected.lines(readings)), bool(readings))


@contextmanager
def _silent() -> Iterator[None]:
    """Read without the notes and warnings that the command itself will give."""
    log = logging.getLogger("classy_aesop")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    finally:
        log.setLevel(level)


@dataclass(frozen=True)
class _Inspection:
    """A file that is looked at, and what the user says of it."""

    path: str
    table: JudgedTable
    requested: Mapping[str, Sequence[str]]
    encoding: str | None
    siblings: Sequence[str] | None = None

    def lines(self, readings: Sequence[Reading]) -> Iterator[Line]:
        """Give the lines on a table that can be read in these ways."""
        table = self.table
        kind = "" if table.source == "table" else f", from {table.source}"
        yield Line("file", f"{self.path}, {table.n_rows} rows, {len(table.columns)} columns{kind}")
        yield from (Line("layout", note) for note in table.notes)
        if not readings:
            yield Line("contents", "no scores and no preferences were found")
            for name, words in unnamed_sides(table):
                text = f"{name} says which side is preferred ({join_names(words)}), but no column names the systems"
                yield Line("doubtful", f"{text} of the sides; join the file with the one that does")
            yield from _other_columns(table, None)
            yield from self._predictions()
            return
        if len(readings) > 1:
            text = f"{len(readings)} readings are possible, the most likely first; no command chooses one of them"
            yield Line("doubtful", text)
        for number, reading in enumerate(readings, 1):
            yield Line("shape" if len(readings) == 1 else f"reading {number}", reading.shape)
            yield from self._describe_reading(reading)
        yield from _other_columns(table, readings[0])

    def _describe_reading(self, reading: Reading) -> Iterator[Line]:
        yield from (Line("role", text) for text in reading.why)
        yield from (Line("note", text) for text in reading.notes)
        try:
            rows = list(tidy_rows(self.table, reading))
            one_order = ""
            if reading.is_preference:
                one_order = describe_one_order(preferences_of_reading(self.table, reading))
        except (InputError, UsageError) as error:
            yield Line("doubtful", f"it cannot be read so: {error}")
            return
        yield from self._contents(reading, rows)
        yield from (Line("doubtful", doubt) for doubt in reading.doubts)
        if one_order:
            yield Line("doubtful", one_order)
        if self.table.other_sheets:
            yield Line("doubtful", f"the sheets {join_names(self.table.other_sheets)} are not read")
        repeated = find_repeated(rows)
        if repeated and not any("given again" in doubt for doubt in reading.doubts):
            yield Line("doubtful", repeated)
        if repeated:
            yield Line(
                "no command",
                "first name the column that separates those rows, or rater=# if they are raters, "
                "attempt=# if they are attempts",
            )
            return
        if any(row.attempt for row in rows) and not reading.is_preference:
            with _silent():
                cells = score_table(self.table, reading)
            if message := describe_attempts(origin_of(cells).get("attempts", {})):
                yield Line("attempts", f"{message}, which are averaged")
            rows = rows_of_scores(cells)
        yield from self._questions(reading, rows)

    def _contents(self, reading: Reading, rows: Sequence[TidyRow]) -> Iterator[Line]:
        topics = {(row.task, row.topic) for row in rows}
        systems = {row.system for row in rows}
        raters = {row.rater for row in rows if row.rater}
        n_missing = sum(row.value != row.value for row in rows)
        raters_text = f"{len(raters)} raters" if raters else "no raters named"
        if reading.is_preference:
            n_preferences = len(list(preference_rows(self.table, reading)))
            text = f"{n_preferences} preferences between {len(systems)} systems on {len(topics)} topics, {raters_text}"
        else:
            missing = f", {n_missing} of them missing" if n_missing else ""
            text = f"{len(rows)} scores{missing}: {len(topics)} topics, {len(systems)} systems, {raters_text}"
        yield Line("contents", text)
        yield from measure_lines(rows, reading.metrics, is_preference=reading.is_preference)
        yield from _scale_lines(self.table, reading)

    def _questions(self, reading: Reading, rows: Sequence[TidyRow]) -> Iterator[Line]:
        """Give the questions that the file answers, each with its commands."""
        measures = list(dict.fromkeys(row.measure for row in rows))
        metrics = [measure for measure in measures if measure in reading.metrics]
        humans = [measure for measure in measures if measure not in reading.metrics]
        systems = {row.system for row in rows}
        option = reading.columns_option()
        files: Sequence[str] = [self.path]
        is_shared = share_topics(rows)
        options = (option, f"{option},rater=", f"{option},rater=,task=")
        option = next((written for written in options if self._is_read_again(written, reading, rows)), option)
        is_again = self._is_read_again(option, reading, rows)
        siblings: Sequence[str] = ()
        if len(systems) < 2 and not reading.is_preference:
            siblings = find_siblings(self.table, self.path) if self.siblings is None else self.siblings
        if siblings:
            by = f"named by {reading.keys.system}" if reading.keys.system else "named by its file"
            yield Line(
                "files", f"{len(siblings)} files have these columns; if each is of one system, it is {by}"
            )
            if not reading.keys.system:
                option = f"system={BY_FILE},{option}"
                is_again = self._is_read_again(
                    option, reading, [row._replace(system=Path(self.path).stem) for row in rows]
                )
            files = siblings
            is_shared = True
        if not is_again:
            text = "--columns cannot name its columns so that the file is read in this way again"
            yield Line("no command", text)
            return
        ending = self._flags(option, reading)
        names = " ".join(map(quote, files))
        is_leaderboard = (
            len(systems) > 1 and not siblings and len({(row.task, row.topic) for row in rows}) == 1
        )
        if is_leaderboard and not reading.is_preference:
            yield Line(
                "no comparison",
                "a row a system, as a leaderboard has: with one value of each system nothing can be tested; "
                "expected a row for each output",
            )
        elif (len(systems) > 1 or siblings) and is_shared:
            n_systems = len({*systems, *siblings})
            if reading.is_preference:
                yield Line("question", BEST_SYSTEM)
                yield Line(COMMAND, f"classy-aesop compare {names}{ending}")
            else:
                yield from comparison_lines(names, humans, metrics, ending, n_systems, rows)
        elif len(systems) > 1:
            yield Line("no comparison", "no two systems share a topic, so that nothing pairs their scores")
        elif not reading.keys.system and not reading.is_preference:
            yield Line(
                "no comparison",
                "no column names the systems; --columns system=NAME takes one, systems=NAME,NAME columns of one each",
            )
        if _have_several_raters(rows):
            yield Line("question", "How far do raters agree?")
            yield Line(COMMAND, f"classy-aesop assessors {names}{ending}")

    def _flags(self, option: str, reading: Reading) -> str:
        """Write how the file is read in this way: its columns, its sheet, words in order, its encoding."""
        flags = f" --columns {quote(option)}"
        for name, values in self._sheet_and_scale(reading).items():
            flags += "".join(f" --{name} {quote(value)}" for value in values)
        return flags if self.encoding is None else f"{flags} --encoding {quote(self.encoding)}"

    def _sheet_and_scale(self, reading: Reading) -> dict[str, list[str]]:
        """Give what the user says beside the columns."""
        return {SHEET: [*self.requested.get(SHEET, ())], SCALE: [*reading.roles.get(SCALE, ())]}

    def _is_read_again(self, option: str, reading: Reading, rows: Sequence[TidyRow]) -> bool:
        """Whether ``--columns`` as it is printed gives the same scores, but for missing ones, or preferences."""
        columns = parse_columns_option(option)
        columns |= {name: values for name, values in self._sheet_and_scale(reading).items() if values}
        try:
            with _silent():
                if reading.is_preference:
                    return self._has_same_preferences(columns, reading)
                scores = read_scores(self.path, columns=columns, encoding=self.encoding)
        except (InputError, UsageError):
            return False
        read, shown = (
            sorted(row[1:] for row in either if row.value == row.value)  # without places
            for either in (rows_of_scores(scores), rows)
        )
        return read == shown

    def _has_same_preferences(self, columns: Fields, reading: Reading) -> bool:
        """Whether the preferences are read again."""
        preferences = find_preferences(self.path, columns=columns, encoding=self.encoding)
        if preferences is None:
            return False
        shown = preferences_of_reading(self.table, reading)
        return shown.table().equals(preferences.table())

    def _predictions(self) -> Iterator[Line]:
        """Give the command for a table of outputs that nobody judged."""
        texts = [
            name
            for name, column in self.table.columns.items()
            if spell_name(name) in TEXT_NAMES and column.is_text
        ]
        if len(texts) == 1:
            yield Line("question", "Which output would people prefer? (a prediction)")
            columns = quote(f"text={texts[0]}")
            yield Line(
                COMMAND, f"classy-aesop predict published/news-content {quote(self.path)} --columns {columns}"
            )


def comparison_lines(
    names: str,
    humans: Sequence[str],
    metrics: Sequence[str],
    ending: str,
    n_systems: int,
    rows: Sequence[TidyRow],
) -> Iterator[Line]:
    """Give the commands that compare systems, and metrics with people.

    Parameters
    ----------
    names : str
        The files, as a shell takes them.
    humans, metrics : sequence of str
        The measures.
    ending : str
        What the commands take to read the files.
    n_systems : int
        The number of systems in all files.
    rows : sequence of TidyRow
        The scores.
    """
    lower = measures_named_as_lower(rows)
    yield Line("question", BEST_SYSTEM)
    for measure in (humans or metrics)[:MAX_COMMANDS_A_QUESTION]:
        direction = direction_flag({measure} & lower)
        yield Line(COMMAND, f"classy-aesop compare {names} --metric {quote(measure)}{ending}{direction}")
    if not (metrics and humans):
        return
    yield Line("question", "Which metric agrees with people?")
    if n_systems == 2:
        yield Line(
            "note", "two systems: nothing can be said at system level; see the levels input and global"
        )
    metrics = metrics[:MAX_COMMANDS_A_QUESTION]
    chosen = " ".join(f"--metric {quote(listed_name(metric))}" for metric in metrics)
    for measure in humans[:MAX_COMMANDS_A_QUESTION]:
        direction = direction_flag({measure, *metrics} & lower)
        target = quote(listed_name(measure))
        yield Line(COMMAND, f"classy-aesop evaluate {names} --target {target} {chosen}{ending}{direction}")


def measures_named_as_lower(rows: Iterable[TidyRow]) -> frozenset[str]:
    """Name the measures that have a name by which less is better, and no negative values."""
    negative = set()
    names = set()
    for row in rows:
        names.add(row.measure)
        if row.value < 0:
            negative.add(row.measure)
    return frozenset(name for name in names - negative if is_lower_by_name(name))


def direction_flag(measures: Iterable[str]) -> str:
    """Write which of the measures of a command are better if lower; nothing if none is."""
    names = ",".join(listed_name(name) for name in sorted(measures))
    return f" --lower-is-better {quote(names)}" if names else ""


def listed_name(name: str) -> str:
    """Write a name so that an option that takes several, between commas, takes it as one."""
    return f'"{name}"' if "," in name else name


def measure_lines(
    rows: Sequence[TidyRow], metrics: Collection[str], *, is_preference: bool = False
) -> Iterator[Line]:
    """Give ranges, and means by system, of each measure.

    Parameters
    ----------
    rows : sequence of TidyRow
        The scores.
    metrics : collection of str
        The measures that are metrics.
    is_preference : bool
        Whether the other measures are shares of preferences.
    """
    scores: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row.value == row.value:
            scores[row.task, row.measure][row.system].append(row.value)
    lower = measures_named_as_lower(rows)
    for (task, measure), by_system in list(scores.items())[:MAX_MEASURES]:
        values = [value for values in by_system.values() for value in values]
        means = sorted(
            ((sum(values) / len(values), system) for system, values in by_system.items()),
            key=lambda pair: (-pair[0], pair[1]),
        )
        kind = "metric" if measure in metrics else "preference" if is_preference else "measure"
        text = f"{f'{task}: ' if task else ''}{measure}, {len(values)} values from {min(values):g} to {max(values):g}"
        if 1 < len(means) <= MAX_SYSTEMS_WITH_MEANS:
            text += f"; means: {', '.join(f'{system} {mean:z.3f}' for mean, system in means)}"
        if measure in lower:
            text += (
                "; its name suggests that lower is better (--lower-is-better; omit it if higher is better)"
            )
        yield Line(kind, text)
    if len(scores) > MAX_MEASURES:
        yield Line("measures", f"and {len(scores) - MAX_MEASURES} more")


def _scale_lines(table: JudgedTable, reading: Reading) -> Iterator[Line]:
    """Give the numbers that words stand for."""
    seen = set()
    for name in reading.cells:
        scale = reading.scale if table[name].numbers is None and reading.scale else table[name].scale
        if scale is None or reading.adds_up:
            continue
        numbers = [
            (number, word) for word in table[name].words if (number := scale.number_of(word)) == number
        ]
        text = ", ".join(f"{word} = {number:g}" for number, word in sorted(numbers))
        if text not in seen:
            yield Line("words", f"of {name} are numbers: {text}")
        seen.add(text)


def rows_of_scores(scores: pd.DataFrame) -> list[TidyRow]:
    """Give the rows of a score table, without their places."""
    raters = scores["assessor"] if "assessor" in scores else [""] * len(scores)
    names = (scores[name] for name in ("task", "topic", "summarizer", "metric"))
    return [
        TidyRow(Where(), task, topic, system, measure, rater, float(value))
        for task, topic, system, measure, rater, value in zip(*names, raters, scores["score"], strict=True)
    ]


def find_repeated(rows: Iterable[TidyRow]) -> str:
    """Say which score is given again, if any."""
    seen: dict[tuple[str, ...], TidyRow] = {}
    for row in rows:
        first = seen.setdefault((row.task, row.topic, row.system, row.measure, row.rater, row.attempt), row)
        if first is not row:
            score = f"the {row.measure} of {row.system} on {row.topic}"
            first_place = first.place.describe_within(row.place.path)
            return f"rows are given again: {row.place} has {score} that {first_place} has"
    return ""


def share_topics(rows: Iterable[TidyRow]) -> bool:
    """Whether two systems share a topic."""
    first: dict[tuple[str, str], str] = {}
    return any(first.setdefault((row.task, row.topic), row.system) != row.system for row in rows)


def _have_several_raters(rows: Iterable[TidyRow]) -> bool:
    """Whether some output was rated by two people."""
    first: dict[tuple[str, ...], str] = {}
    return any(
        first.setdefault((row.task, row.topic, row.system, row.measure), row.rater) != row.rater
        for row in rows
    )


def find_siblings(table: JudgedTable, path: str) -> list[str]:
    """Find files that are named like a file but for the last part of the name, and have its columns."""
    here = Path(path)
    parts = re.split(r"[_.-]", here.stem)
    if len(parts) < 2 or not here.is_file():
        return []
    start = here.stem[: len(here.stem) - len(parts[-1])]
    candidates = sorted(
        candidate for candidate in here.parent.glob(f"*{here.suffix}") if candidate.stem.startswith(start)
    )
    siblings = []
    for candidate in candidates[:MAX_SIBLINGS]:
        try:
            has_same_columns = candidate == here or [
                *read_document(Source.from_path(str(candidate))).columns
            ] == [*table.columns]
        except (InputError, UsageError):
            has_same_columns = False
        if has_same_columns:
            siblings.append(str(candidate))
    return siblings if len(siblings) > 1 else []


def _other_columns(table: JudgedTable, reading: Reading | None) -> Iterator[Line]:
    """Say what the columns without a role are."""
    used = frozenset() if reading is None else reading.used_columns()
    kinds: dict[str, list[str]] = defaultdict(list)
    for name, column in table.columns.items():
        if name not in used:
            kind, text = _kind_of_other(table, column)
            kinds[kind].append(text)
    yield from (
        Line("other columns", f"{kind}: {join_names(names, most=8)}") for kind, names in kinds.items()
    )


def _kind_of_other(table: JudgedTable, column: JudgedColumn) -> tuple[str, str]:
    """Give what a column without a role is, and its name with what is to be said of it."""
    name = column.name
    spelled = spell_name(name)
    if column.n_filled == 0:
        return "empty", name
    if column.n_distinct == 1:
        return "constant", name
    if spelled in REFERENCE_NAMES and (column.numbers is not None or not column.has_scores):
        return "references", name
    if set(words_of(name)) & COMMENT_WORDS:
        return "comments", name
    if spelled in TEXT_NAMES and not column.has_scores:
        return "outputs", name
    if spelled in TOPIC_TEXT_NAMES:
        return "sources", name
    if is_administration(name) or column.is_time:
        return "administration", name
    if column.kind.kind == "mixed" and column.kind.strange is not None:
        where, value = column.kind.strange
        return "not used", f"{name} (numbers, but {value!r:.30} in {where.describe_within(table.name)})"
    is_grade = is_human_measure_name(name) or spelled in SCORE_NAMES
    if is_grade and column.numbers is None and not column.is_list and column.n_distinct <= MAX_SCALE_WORDS:
        words = ", ".join(column.words)
        return (
            "words of no known scale",
            f"{name} ({words}; --scale 'LEAST<...<MOST' gives their order)",
        )
    return "not used", name
