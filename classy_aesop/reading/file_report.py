"""What is in a file of judgments or scores: roles, counts, means, doubts, and the commands that answer questions.

A command is named only if its ``--columns``, read again, gives the same scores as are shown here. Files of scores that
are no tables are read without ``--columns``: those of mt-metrics-eval, ROUGE's and NIST's output, AESOP's tables, and
records with ``metrics`` as SacreROUGE writes them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from glob import escape
from itertools import chain, filterfalse, islice
from math import prod
from pathlib import Path
from shlex import quote
from typing import NamedTuple

import numpy as np
import pandas as pd

from classy_aesop.data.attempts import average_attempts, describe_attempts
from classy_aesop.data.directions import is_lower_by_name
from classy_aesop.data.preference_records import describe_one_order
from classy_aesop.data.scales import find_missing_value_codes
from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.reading.byte_sources import STANDARD_INPUT, Source
from classy_aesop.reading.close_readings import ask_which
from classy_aesop.reading.column_names import (
    BY_FILE,
    COMMENTS,
    MODEL,
    QUALITIES,
    REFERENCES,
    SCORES,
    SOURCES,
    SURE_WINNERS,
    TEXTS,
    are_raters,
    is_administration,
    is_human,
    is_measure,
    is_metric,
    spell,
    words_of,
)
from classy_aesop.reading.columns import MAX_SCALE_WORDS, Table, TableColumn
from classy_aesop.reading.corpora import recognize_layout
from classy_aesop.reading.file_groups import (
    choose_name_rule,
    compare_forms,
    find_shared_topic,
    group_tables_of_folder,
    join_files,
    join_files_of_owners,
    refuse_systems_elsewhere,
    select_owners,
)
from classy_aesop.reading.judged_scores import (
    MAX_CHOICES,
    choose,
    describe_words,
    judge,
    list_roles,
    name_by_file,
    name_possible_systems,
    open_table,
    scores_of,
    votes_of,
    words_of_name,
)
from classy_aesop.reading.key_columns import BY_ORDER, PAIRS_NOTHING, KeyColumns, has_equal_groups
from classy_aesop.reading.key_evidence import controls_of, options_without_controls
from classy_aesop.reading.labels import find_label_reading
from classy_aesop.reading.layouts import read_any_table
from classy_aesop.reading.score_files import read_scores, recognize_format
from classy_aesop.reading.shapes import Reading, find_readings
from classy_aesop.reading.votes import unnamed_sides
from classy_aesop.work.options import Fields

MAX_SHARE_REPEATED = 0.1
"""Share of scores that are given again up to which they may be mistakes, so that it is said how they are averaged."""
MAX_COMMANDS_A_QUESTION = 3
MAX_SYSTEMS_WITH_MEANS = 12
MAX_MEASURES = 12
MAX_SIBLINGS = 30
COMMAND = "command"
EXAMPLE_OF_ROLES = "--columns topic=NAME,system=NAME,rater=NAME,measures=NAME,NAME"
EXAMPLE_OF_SYSTEMS = "--columns system=NAME takes one, systems=NAME,NAME columns of one each"
EXAMPLE_OF_SIDES = (
    "numbers below and above 0 may prefer one of two: --columns first=NAME,second=NAME,winner=NAME takes the columns "
    "of their names and that of the numbers"
)
NEEDS_COMPARISONS = (
    "with one value of each pair nothing can be tested; expected a row for each output compared"
)
NO_SHARED_TOPIC = f"no two systems share a topic, {PAIRS_NOTHING}"
NEEDS_OUTPUTS = "with one value of each system nothing can be tested; expected a row for each output"
KEY = ["task", "topic", "summarizer", "metric", "assessor", "attempt"]


class Line(NamedTuple):
    """A line of the report: what it is about, and what is said of it; a command stands on a line of its own."""

    subject: str
    text: str

    def __str__(self) -> str:
        return f"    {self.text}" if self.subject == COMMAND else f"  {self.subject}: {self.text}"


@dataclass(frozen=True)
class FileReport:
    """What is in a file, for readers, whether it holds scores or preferences, and whether it may hold texts."""

    lines: tuple[Line, ...]
    is_judged: bool = True
    may_hold_texts: bool = False

    @classmethod
    def from_lines(cls, lines: Iterable[tuple[str, str]], **marks: bool) -> FileReport:
        """Make a report of what its lines are about and say; without marks, of a file that holds scores."""
        return cls(tuple(map(Line._make, lines)), **marks)

    def __str__(self) -> str:
        return "\n".join(map(str, self.lines))

    @property
    def commands(self) -> list[str]:
        """The commands that it names."""
        return [line.text for line in self.lines if line.subject == COMMAND]

    def to_frame(self) -> pd.DataFrame:
        """Make a table of the report: the columns ``what`` and ``found``, both text."""
        return pd.DataFrame(self.lines, columns=["what", "found"], dtype=str)


@dataclass(frozen=True)
class _File:
    """A file with its table, the options that each of its commands has, and the files that are named like it."""

    path: str
    table: Table
    flags: str
    siblings: Sequence[str] | None
    are_of_raters: bool = False
    is_joined: bool = False


ReportLines = Iterator[tuple[str, str]]


def inspect_file(
    path: str | Path,
    *,
    columns: Fields | None = None,
    encoding: str | None = None,
    siblings: Sequence[str] | None = None,
    are_of_raters: bool = False,
    joined: Table | None = None,
) -> FileReport:
    """Say what is in a file of judgments or scores, or in such files, and which commands answer questions about it.

    ``joined`` is one table of the files.
    """
    requested = list_roles(columns)
    table, roles = open_table(Source.from_path(path).select_encoding(encoding), requested)
    table = joined or table
    options = {"sheet": "".join(requested.get("sheet", ())), "encoding": encoding}
    flags = "".join(f" --{name} {quote(value)}" for name, value in options.items() if value)
    readings = find_readings(table, roles)
    labels = None if readings else find_label_reading(table, roles)
    file = _File(str(path), table, flags, siblings, are_of_raters, joined is not None)
    used = readings[0].used_columns() if readings else ()
    may_hold_texts = (
        (not readings or readings[0].keys.system is not None)
        and not table.is_laid_out  # as a corpus is read
        and any(spell(name) in TEXTS and name not in used for name in table.columns)
    )
    lines = _lines(file, readings, labels)
    return FileReport.from_lines(lines, is_judged=bool(readings or labels), may_hold_texts=may_hold_texts)


def _lines(file: _File, readings: Sequence[Reading], labels: Reading | None) -> ReportLines:
    table = file.table
    kind = "" if table.source == "table" else f", from {table.source}"
    yield (
        "file",
        f"{file.path}, {table.n_rows + len(table.left_out)} rows, {len(table.columns)} columns{kind}",
    )
    if not labels and (unrated := _unrated_columns(table, readings)):
        yield "contents", f"all cells of {join_names(unrated)} are empty, so nobody has rated yet"
    if labels:
        yield from _label_lines(file, labels)
    elif readings:
        yield from _choices(file, readings) if len(readings) > 1 else _reading_lines(file, readings[0])
    else:
        yield "contents", "no scores and no preferences were found"
        for name, words in unnamed_sides(table):
            message = f"{name} says which side is preferred ({join_names(words)})"
            lacking = "but no column names the systems of the sides; join the file with the one that does"
            yield "doubtful", f"{message}, {lacking}"
    yield from (("layout", note) for note in table.notes)
    used = {name for reading in (*readings, labels) if reading for name in reading.used_columns()}
    yield from _other_columns(table, used)


def _reading_lines(file: _File, reading: Reading) -> ReportLines:
    """Say what was understood in two lines, then the commands, then means and reasons and what is doubtful."""
    table = file.table
    yield "read as", _describe_roles(reading)
    try:
        columns, account = judge(table, reading)
    except (InputError, UsageError) as error:
        yield "doubtful", f"it cannot be read so: {error}"
        yield from (("role", text) for text in reading.why)
        return
    scores = pd.DataFrame(columns)
    preferences = votes_of(table, reading) if reading.votes else None
    n_raters = scores.loc[scores["assessor"] != "", "assessor"].nunique()
    raters = f"{n_raters} raters" if n_raters else "no raters named"
    contents = count_scores(scores)
    if preferences:
        systems = f"{scores['summarizer'].nunique()} systems on {_count_topics(scores)} topics"
        contents = f"{len(preferences)} preferences between {systems}"
    yield "contents", f"{contents}, {raters}"
    yield from _questions(file, reading, scores)
    yield from (("rows", line) for line, _ in account.lines())
    yield from (("role", text) for text in reading.why)
    if not preferences:
        yield from measure_lines(scores, _name_metrics(reading, scores))
    yield from (("words", text) for text in describe_words(table, reading))
    yield from (("units", note) for name in reading.cells if (note := table[name].note))
    yield from (("doubtful", doubt) for doubt in reading.doubts)
    if preferences and (one_order := describe_one_order(preferences)):
        yield "doubtful", one_order
    if table.other_sheets:
        yield "doubtful", f"the sheets {join_names(table.other_sheets)} are not read"


def _choices(file: _File, readings: Sequence[Reading]) -> ReportLines:
    """Ask which of several readings is meant, and give of each what it contains and its first command."""
    choices = [(reading, [*_reading_lines(file, reading)]) for reading in readings]
    with_commands = [choice for choice in choices if any(subject == COMMAND for subject, _ in choice[1])]
    if not with_commands:
        yield from choices[0][1]
        return
    choices = (with_commands if len(with_commands) > 1 else choices)[:MAX_CHOICES]
    yield "question", ask_which([reading for reading, _ in choices])
    shared_lines: dict[tuple[str, str], None] = {}
    for number, (reading, ((_, roles), (_, contents), *other_lines)) in enumerate(choices, 1):
        yield f"reading {number}", f"{roles}: {contents}"
        commands = [line for line in other_lines if line[0] == COMMAND]
        yield from commands[:1] or [line for line in other_lines if line[0].startswith("no ")]
        measures = dict.fromkeys(cell.measure for cell in reading.cells.values())
        if len(measures) > 1 and commands and " --metric " in commands[0][1]:
            further_measures = [
                name for name in measures if f" --metric {quote(name)} " not in commands[0][1]
            ]
            yield "note", f"--metric also takes {join_names(further_measures, limit=20)}"
        shared_lines |= dict.fromkeys(
            line for line in other_lines if line[0] in ("rows", "words", "units", "doubtful")
        )
    yield "else", f"if none of these is meant: {EXAMPLE_OF_ROLES}"
    yield from shared_lines


def _describe_roles(reading: Reading) -> str:
    """Describe a reading by its shape and the columns of each role."""
    roles = "; ".join(f"{role} = {join_names(names, limit=6)}" for role, names in reading.roles.items())
    return f"{reading.shape}; {roles}"


def _label_lines(file: _File, reading: Reading) -> ReportLines:
    """Describe labels of raters, of which their agreement can be asked."""
    words = sorted({word for name in reading.cells for word in file.table[name].words})
    labels = join_names(words, limit=MAX_SCALE_WORDS)
    columns = quote(reading.columns_option())
    yield "read as", _describe_roles(reading)
    yield "contents", f"words without order in {join_names([*reading.cells])}: {labels}"
    yield "question", "How far do raters agree?"
    yield COMMAND, f"classy-aesop assessors {quote(file.path)} --columns {columns}{file.flags}"
    if reading.keys.system:
        yield (
            "no comparison",
            "words without order have no mean; --scale 'LEAST<...<MOST' gives their order, if any",
        )


def _count_topics(scores: pd.DataFrame) -> int:
    return len(scores[["task", "topic"]].drop_duplicates())


def count_scores(scores: pd.DataFrame) -> str:
    """Count scores, topics and systems."""
    n_missing = int(scores["score"].isna().sum())
    missing = f", {n_missing} of them missing" if n_missing else ""
    counts = f"{_count_topics(scores)} topics, {scores['summarizer'].nunique()} systems"
    return f"{len(scores)} scores{missing}: {counts}"


def find_repeated(table: Table, scores: pd.DataFrame) -> str:
    """Say which score is given again, if any."""
    repeated = scores[scores.duplicated(KEY)]
    if repeated.empty:
        return ""
    second = repeated.iloc[0]
    first = scores[(scores[KEY] == second[KEY]).all(axis=1)].iloc[0]
    place = table.places[first["row"]].describe_within(table.name)
    score = f"the {second['metric']} of {second['summarizer']} on {second['topic']}"
    return f"rows are given again: {table.places[second['row']]} has {score} that {place} has"


def _questions(file: _File, reading: Reading, scores: pd.DataFrame) -> ReportLines:
    """Give the questions that the file answers, each with its commands."""
    table = file.table
    keys = reading.keys
    n_systems = scores["summarizer"].nunique()
    if repeated := find_repeated(table, scores):
        if not any("given again" in doubt for doubt in reading.doubts):
            yield "doubtful", repeated
        if n_systems > 1 and keys.topic and not share_topics(scores):
            yield "no comparison", NO_SHARED_TOPIC
        elif keys.attempt or scores.duplicated(KEY).mean() > MAX_SHARE_REPEATED:
            advice = "or rater=# if they are raters, attempt=# if they are attempts"
            yield "no command", f"first name the column that separates those rows, {advice}"
        else:
            advice = "averaged here (attempt=#); leave out what is wrong"
            yield "note", f"the few rows that are given again are {advice}"
            numbered = replace(reading, keys=keys.replace_column("attempt", BY_ORDER))
            yield from _questions(file, numbered, scores_of(table, numbered))
        return
    option = reading.columns_option()
    files = [file.path]
    of_raters: list[str] = []
    names_raters = bool(reading.votes or keys.rater)
    if file.are_of_raters or file.is_joined:
        files = [*(file.siblings or files)]
        of_raters = files if file.are_of_raters else []
    elif n_systems > 1 and not names_raters:
        of_raters = find_overlapping_files(file.siblings or (), option)
        files = of_raters or files
    elif n_systems < 2 and not reading.votes:
        siblings = find_siblings(table, file.path) if file.siblings is None else file.siblings
        files = [*siblings] or files
    if len(files) > 1 and not (keys.topic or scores.duplicated("metric").any()):
        yield "no comparison", f"{len(files)} files with one value of each measure; {NEEDS_OUTPUTS}"
        return
    if len(files) > 1 and not file.is_joined:
        rules, condition = _name_owners(files, of_raters, keys, are_of_raters=file.are_of_raters)
        yield "files", f"{len(files)} files have these columns; {condition}"
        option = ",".join([*(f"{role}={rule}" for role, rule in rules.items()), option])
        for role, rule in rules.items():
            key = "assessor" if role == "rater" else "summarizer"
            scores = scores.assign(**{key: name_by_file(file.path, rule)})
    options = (option, f"{option},rater=", f"{option},rater=,task=")
    printed_option = next((text for text in options if _is_read_again(table, text, reading, scores)), None)
    if printed_option is None:
        yield "no command", "--columns cannot name its columns so that the file is read in this way again"
        return
    scores, attempts = average_attempts(scores[[*KEY, "score"]])
    if attempts:
        yield "attempts", f"{describe_attempts(attempts)}, which are averaged"
    flags = f" --scale {quote(reading.scale)}{file.flags}" if reading.scale else file.flags
    if keys.task in table.columns and (tasks := options_without_controls(table[keys.task])):
        flags = f" {tasks[0]}{flags}"
        scores = scores[~scores["task"].isin(controls_of(table[keys.task]))]
    ending = f" --columns {quote(printed_option)}{flags}"
    names = " ".join(map(quote, files))
    are_of_systems = len(files) > 1 and not (of_raters or file.is_joined)
    n_systems = len({*scores["summarizer"], *(files[1:] if are_of_systems else ())})
    has_topics = _count_topics(scores) > 1
    n_values = scores.dropna(subset="score")["metric"].value_counts(sort=False)
    measures = sorted(  # qualities before errors and others, means of lists last
        n_values.index,
        key=lambda name: (
            2 * n_values[name] < n_values.max(),
            is_lower_by_name(name) or not {*words_of(name)} & QUALITIES,
        ),
    )
    names_of_metrics = _name_metrics(reading, scores)
    metrics = [name for name in measures if name in names_of_metrics]
    humans = [name for name in measures if name not in names_of_metrics]
    lower = measures_named_as_lower(scores) | {
        cell.measure for name, cell in reading.cells.items() if table[name].is_lower_better
    }
    if reading.votes and reading.votes.are_places:
        sides = join_names(reading.votes.side_names)
        yield "no comparison", f"no column names the systems of {sides}; join the file with the one that does"
    elif reading.votes and _has_totals_of_pairs(table, reading):
        yield "no comparison", f"a row a pair of systems, as a summary has; {NEEDS_COMPARISONS}"
    elif reading.votes:
        yield "question", "Which system is best?"
        yield COMMAND, f"classy-aesop compare {names}{ending}"
    elif BY_ORDER in keys.topic and not has_equal_groups(table, keys):
        yield "no comparison", "systems have unequal numbers of rows, and no topics that they share"
    elif are_of_systems or (has_topics and share_topics(scores)):
        yield from comparison_lines(names, humans, metrics, ending, lower)
    elif n_systems > 1:
        totals = f"a row a system, as a leaderboard has; {NEEDS_OUTPUTS}"
        yield "no comparison", NO_SHARED_TOPIC if has_topics else totals
    elif not keys.system and not (humans and metrics):
        is_signed = scores["score"].min() < 0 < scores["score"].max()
        advice = (
            EXAMPLE_OF_SIDES if is_signed else name_possible_systems(table, reading) or EXAMPLE_OF_SYSTEMS
        )
        yield "no comparison", f"no column names the systems; {advice}"
    if humans and metrics and (has_topics or n_systems > 1):
        level = " --level system" if not has_topics else " --level global" if n_systems < 2 else ""
        yield from correlation_lines(names, humans, metrics, f"{ending}{level}", lower, n_systems)
    if scores.duplicated(KEY[:4]).any() or "rater=#" in option:
        yield "question", "How far do raters agree?"
        yield COMMAND, f"classy-aesop assessors {names}{ending}"
    elif file.siblings is None and n_systems > 1 and not names_raters:
        of_raters = find_files_of_raters(find_siblings(table, file.path), printed_option, scores)
        if of_raters:
            yield "files", f"{len(of_raters)} files have scores of these outputs; if each is of one rater:"
            columns = quote(f"rater={BY_FILE},{printed_option}")
            command = f"classy-aesop assessors {' '.join(map(quote, of_raters))}"
            yield COMMAND, f"{command} --columns {columns}{flags}"


def _name_owners(
    files: Sequence[str], of_raters: Sequence[str], keys: KeyColumns, *, are_of_raters: bool
) -> tuple[dict[str, str], str]:
    """Give the rules by which files are named after their systems or raters, by role, and on which condition."""
    rule = choose_name_rule(files)
    if of_raters:
        condition = "they have scores of some of the same outputs; if each is of one rater:"
        if are_of_raters:
            condition = "they differ in judgments of the same outputs, so that each is of one rater"
        return {"rater": rule}, condition
    if keys.system or keys.rater or not (words := _crossed_words(files)):
        by = keys.system or f"its {rule.removeprefix('#')}"
        condition = f"if each is of one system, it is named by {by}"
        return {} if keys.system else {"system": rule}, condition
    systems, raters = words.values()
    condition = (
        f"if {join_names(systems, limit=6)} in their names are systems and "
        f"{join_names(raters, limit=6)} raters (else exchange the two):"
    )
    return dict(zip(("system", "rater"), words, strict=True)), condition


def _has_totals_of_pairs(table: Table, reading: Reading) -> bool:
    """Whether preferences have one row of each pair of systems, whose topic no column names."""
    preferences = votes_of(table, reading).table()
    pairs = {frozenset(pair) for pair in zip(preferences["first"], preferences["second"], strict=True)}
    return reading.keys.topic in ((), (BY_ORDER,)) and len(pairs) == len(preferences)


def _name_metrics(reading: Reading, scores: pd.DataFrame) -> set[str]:
    """Name the metrics; where a column names the measures, those that no rater gave beside others that raters gave."""
    if reading.measure_column is None:
        return {*reading.metrics}
    of_people = {*scores.loc[scores["assessor"] != "", "metric"]}
    return {*reading.metrics, *({*scores["metric"]} - of_people if of_people else ())}


def _crossed_words(files: Sequence[str]) -> dict[str, list[str]]:
    """Give the two words by which the names of files differ if they are all combined, that of systems first."""
    words = [words_of_name(file) for file in files]
    places = enumerate(zip(*words), 1) if len({*map(len, words)}) == 1 else ()  # noqa: B905
    varying = {f"{BY_FILE}{number}": sorted({*names}) for number, names in places if len({*names}) > 1}
    if len(varying) != 2 or prod(map(len, varying.values())) != len(files):
        return {}
    return dict(
        sorted(
            varying.items(), key=lambda item: (not MODEL.search("_".join(map(spell, item[1]))), -len(item[1]))
        )
    )


def _is_read_again(table: Table, option: str, reading: Reading, scores: pd.DataFrame) -> bool:
    """Whether ``--columns`` as it is printed gives the same scores, but for missing ones, or preferences."""
    columns = list_roles(option) | ({"scale": [reading.scale]} if reading.scale else {})
    with suppress(InputError, UsageError):
        read = choose(table, columns)
        if not reading.votes:
            return _sort_scores(scores_of(table, read)).equals(_sort_scores(scores))
        votes = votes_of(table, reading).table()
        return read.votes is not None and votes_of(table, read).table().equals(votes)
    return False


def _sort_scores(scores: pd.DataFrame) -> pd.DataFrame:
    """Give the scores that are not missing, in the order of their names."""
    columns = [*KEY, "score"]
    return scores.dropna(subset="score")[columns].sort_values(columns, ignore_index=True)


def share_topics(scores: pd.DataFrame) -> bool:
    """Whether two systems share a topic."""
    return bool((scores.groupby(["task", "topic"])["summarizer"].nunique() > 1).any())


def comparison_lines(
    names: str,
    humans: Sequence[str],
    metrics: Sequence[str],
    ending: str,
    lower: Set[str],
) -> ReportLines:
    """Give the commands that compare systems by each measure; of some, lower values are better."""
    yield "question", "Which system is best?"
    measures = humans or metrics
    for measure in measures[:MAX_COMMANDS_A_QUESTION]:
        yield (
            COMMAND,
            f"classy-aesop compare {names} --metric {quote(measure)}{ending}{direction_flag({measure} & lower)}",
        )
    if other_measures := measures[MAX_COMMANDS_A_QUESTION:]:
        yield "note", f"--metric also takes {join_names(other_measures, limit=20)}"


def correlation_lines(
    names: str,
    humans: Sequence[str],
    metrics: Sequence[str],
    ending: str,
    lower: Set[str],
    n_systems: int,
) -> ReportLines:
    """Give the commands that compare metrics with people."""
    yield "question", "Which metric agrees with people?"
    if n_systems == 2:
        yield "note", "two systems: nothing can be said at system level; see the levels input and global"
    chosen = " ".join(f"--metric {quote(quote_comma(metric))}" for metric in metrics)
    for measure in humans[:MAX_COMMANDS_A_QUESTION]:
        direction = direction_flag({measure, *metrics} & lower)
        yield (
            COMMAND,
            f"classy-aesop evaluate {names} --target {quote(quote_comma(measure))} {chosen}{ending}{direction}",
        )
    if other_measures := humans[MAX_COMMANDS_A_QUESTION:]:
        yield "note", f"--target also takes {join_names(other_measures, limit=20)}"


def measures_named_as_lower(scores: pd.DataFrame) -> set[str]:
    """Name the measures that have a name by which less is better, and no negative values."""
    lowest = scores.groupby("metric")["score"].min()
    return {str(name) for name, value in lowest.items() if not value < 0 and is_lower_by_name(str(name))}


def direction_flag(measures: Collection[str]) -> str:
    """Write which of the measures of a command are better if lower; nothing if none is."""
    return f" --lower-is-better {quote(','.join(map(quote_comma, sorted(measures))))}" if measures else ""


def quote_comma(name: str) -> str:
    """Write a name so that an option that takes several, between commas, takes it as one."""
    return f'"{name}"' if "," in name else name


def measure_lines(scores: pd.DataFrame, metrics: Collection[str]) -> ReportLines:
    """Give the range of each measure and the plain means of its systems, over topics as ``compare`` has them."""
    lower = measures_named_as_lower(scores)
    groups = list(scores.dropna(subset="score").groupby(["task", "metric"], sort=False))
    for (task, measure), rows in groups[:MAX_MEASURES]:
        keys = [name for name in ("summarizer", "year", "topic") if name in rows]
        cells = rows.groupby(keys)["score"].mean()
        means = cells.groupby("summarizer").mean().sort_values(ascending=False, kind="stable")
        kind = "metric" if measure in metrics else "measure"
        scale = f"from {rows['score'].min():g} to {rows['score'].max():g}"
        text = f"{f'{task}: ' if task else ''}{measure}, {len(rows)} values {scale}"
        if 1 < len(means) <= MAX_SYSTEMS_WITH_MEANS:
            text += f"; means: {', '.join(f'{system} {mean:z.3f}' for system, mean in means.items())}"
        if measure in lower:
            text += (
                "; its name suggests that lower is better (--lower-is-better; omit it if higher is better)"
            )
        yield kind, text
        values = rows["score"].to_numpy(float)
        if codes := find_missing_value_codes(values):
            n_codes = int(np.isin(values, codes).sum())
            marks = join_names([f"{code:g}" for code in codes])
            yield (
                "doubtful",
                f"{measure} is {marks} in {n_codes} of {len(values)} scores; if missing, leave them empty",
            )
    if len(groups) > MAX_MEASURES:
        yield "measures", f"and {len(groups) - MAX_MEASURES} more"


def find_files_of_raters(files: Sequence[str], option: str, scores: pd.DataFrame) -> list[str]:
    """Find the files that have scores of the outputs of one of them, and of no others, by the same measures."""
    outputs = {*scores[KEY[:4]].itertuples(index=False, name=None)}
    of_raters = [
        file for file, outputs_of_file in _read_outputs(files, option).items() if outputs_of_file <= outputs
    ]
    return of_raters if len(of_raters) > 1 else []


def find_overlapping_files(files: Sequence[str], option: str) -> list[str]:
    """Find the files that share outputs with others; none of two with the same topics, which may be mere numbers.

    Several files that have just the same outputs have them by no chance.
    """
    outputs_of = _read_outputs(files, option)
    if len({*map(frozenset, outputs_of.values())}) == 1 and len(outputs_of) > 2:
        return [*outputs_of]
    if len({frozenset(topic for _, topic, *_ in outputs) for outputs in outputs_of.values()}) < 2:
        return []
    n_files = Counter(chain(*outputs_of.values()))
    return [file for file, outputs in outputs_of.items() if any(n_files[output] > 1 for output in outputs)]


def _read_outputs(files: Sequence[str], option: str) -> dict[str, set[tuple[str, ...]]]:
    """Give the outputs of each file that is read like another, and by which measures they have scores."""
    outputs_of = {}
    for file in files:
        with suppress(InputError, UsageError):
            table, roles = open_table(Source.from_path(file), option)
            scores = scores_of(table, choose(table, roles))
            outputs_of[file] = {*scores[KEY[:4]].itertuples(index=False, name=None)}
    return outputs_of


def find_siblings(table: Table, path: str) -> list[str]:
    """Find files that are named like a file but for the last part of the name, and have its columns."""
    here = Path(path)
    start = here.stem.removesuffix(re.split(r"[_.-]", here.stem)[-1])
    pattern = f"{escape(start)}*{here.suffix}"
    candidates = sorted(here.parent.glob(pattern)) if start and here.is_file() else ()
    files_of_form = (str(file) for file in candidates if file == here or _has_columns_of(table, file))
    siblings = [*islice(files_of_form, MAX_SIBLINGS)]
    return siblings if len(siblings) > 1 else []


def _has_columns_of(table: Table, path: Path) -> bool:
    with suppress(InputError, UsageError):
        return [*read_any_table(Source.from_path(path)).columns] == [*table.columns]
    return False


def _unrated_columns(table: Table, readings: Sequence[Reading]) -> list[str]:
    """Give the empty columns that are for scores, preferences or raters, of a file that holds no judgments."""
    if any(reading.votes or not all(table[name].is_empty for name in reading.cells) for reading in readings):
        return []
    return [
        name
        for name, column in table.columns.items()
        if column.is_empty
        and spell(name) not in REFERENCES | TEXTS
        and not is_administration(name)
        and (is_measure(name) or are_raters([name]) or not SURE_WINNERS.isdisjoint(words_of(name)))
    ]


def _other_columns(table: Table, used: Collection[str]) -> ReportLines:
    """Say what the columns without a role are."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for name, column in table.columns.items():
        if name not in used:
            if spell(name) in ("is_valid", "valid") and column.may_be_truth_value and 0 in column.values:
                yield "doubtful", f"{name} says of some rows that they are not valid, and they are used"
            kind, text = _kind_of_other(table, column)
            kinds[kind].append(text)
    yield from (("other columns", f"{kind}: {join_names(names, limit=8)}") for kind, names in kinds.items())


def _kind_of_other(table: Table, column: TableColumn) -> tuple[str, str]:
    """Give what a column without a role is, and its name with what is to be said of it."""
    name = column.name
    spelled = spell(name)
    kinds: Mapping[str, object] = {
        "empty": column.n_filled == 0,
        "constant": column.n_distinct == 1,
        "references": spelled in REFERENCES,
        "comments": {*words_of(name)} & COMMENTS,
        "outputs": spelled in TEXTS and not column.numbers,
        "sources": spelled in SOURCES,
        "administration": is_administration(name) or column.is_time,
    }
    for kind, holds in kinds.items():
        if holds:
            return kind, name
    may_be_graded = (is_human(name) or spelled in SCORES) and column.is_name and not column.is_list
    if may_be_graded and not column.strange and column.n_distinct <= MAX_SCALE_WORDS:
        words = ", ".join(column.words)
        return "words of no known scale", f"{name} ({words}; --scale 'LEAST<...<MOST' gives their order)"
    return "not used", table.describe_column(name)


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
    name = "table"
    with suppress(InputError, UsageError):
        name = recognize_format(source)
    if name == "table":
        return None
    file_line = ("file", f"{path}, {SCORE_FILE_FORMATS[name]}")
    return FileReport.from_lines([file_line, *_lines_on_scores(path, read_scores(source))])


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
    groups = group_tables_of_folder(folder)
    if sum(map(len, groups)) < 2:
        return None
    judged = [group for group in groups if any(map(_is_judged, group))] or groups
    files = judged[0]
    reasons = {"of other columns": {*chain(*groups)} - {*files}}
    if 2 * len(files) <= sum(map(len, judged)):
        message = f"tables of different columns ({join_files(folder, reasons['of other columns'])})"
        raise InputError(
            f"{message}; expected a file, or a folder of one file a system or a rater", path=str(folder)
        )
    refuse_systems_elsewhere(folder, files, groups)
    of_owners, reason = select_owners(files)
    reasons[reason] = {*files} - {*of_owners}
    reasons["a form without answers"], are_of_raters = compare_forms(of_owners)
    files = [file for file in of_owners if file not in reasons["a form without answers"]]
    joined = None if are_of_raters else join_files_of_owners(files)
    topic = [] if are_of_raters else find_shared_topic(files)
    columns = {"topic": topic} if topic else None
    shown_file = next((file for file in files if not joined and _is_judged(file, columns)), files[0])
    report = inspect_file(
        shown_file, columns=columns, siblings=files, are_of_raters=are_of_raters, joined=joined
    )
    left_out = [
        f"left out, {reason}: {join_files(folder, names)}" for reason, names in reasons.items() if names
    ]
    n_files = "1 file" if len(files) == 1 else f"{len(files)} files"
    description = "the first" if shown_file == files[0] else "the first with scores"
    shown = f"; {description} is shown" if len(files) > 1 and not joined else ""
    notes = [f"{folder}, {n_files}{shown}", *left_out]
    if topic:
        notes.append(
            f"the files share {' + '.join(topic)}, which is the topic, and have outputs of their own"
        )
    return FileReport.from_lines([*(("folder", note) for note in notes), *report.lines])


def _is_judged(file: str, columns: Fields | None = None) -> bool:
    """Whether a file holds judgments, and more than totals, which are one value of each measure."""
    with suppress(InputError, UsageError):
        table, roles = open_table(Source.from_path(file), columns)
        readings = find_readings(table, roles)
        if not readings:
            return find_label_reading(table, roles) is not None
        n_filled = [table[name].n_filled for reading in readings for name in reading.cells]
        return not n_filled or max(n_filled) > 1
    return False


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
