"""What ``validate`` says of a file: what is in it, what each column was taken for, what is doubtful, what to type next."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote

from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, UsageError, listed
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.column_names import (
    COMMENT_WORDS,
    REFERENCE_NAMES,
    SCORE_NAMES,
    TEXT_NAMES,
    TOPIC_TEXT_NAMES,
    is_administration,
    is_human_measure,
    lower_is_better,
    spelled,
    words_of,
)
from classy_aesop.reading.documents import read_document
from classy_aesop.reading.judged_tables import MAX_SCALE_WORDS, JudgedTable
from classy_aesop.reading.readings import BY_FILE, Reading, TidyRow, preference_rows, roles_written, tidy_rows
from classy_aesop.reading.shapes import find_readings
from classy_aesop.reading.word_scales import number_in

MAX_COMMANDS_A_QUESTION = 3
MAX_SYSTEMS_WITH_MEANS = 12


def read_judged(
    path: str, asked: Mapping[str, Sequence[str]] | None = None, sheet: str | None = None
) -> list[TidyRow]:
    """Read the scores of any file as tidy rows; a doubtful reading is refused unless the user says which is meant.

    Raises
    ------
    InputError
        If the file holds no scores, or can be read in more than one way; the message names the ways.
    """
    table = read_document(Source.of(path).of_sheet(sheet))
    readings = find_readings(table, asked)
    if not readings:
        raise InputError(f"no scores among the columns {listed(table.columns, most=20)}", path=path)
    best = readings[0]
    if not asked and (len(readings) > 1 or best.doubts):
        ways = " or ".join(f"--columns {quote(reading.columns_option())}" for reading in readings)
        raise InputError(
            f"{best.doubts[0] if best.doubts else 'two readings are possible'}; expected {ways} (validate shows what each means)",
            path=path,
        )
    blocking = [doubt for doubt in best.doubts if "given again" in doubt and "rater=#" not in doubt]
    if blocking:
        raise InputError(blocking[0], path=path)
    rows = list(tidy_rows(table, best))
    if again := given_again(rows):
        raise InputError(again, path=path)
    return rows


def inspect_file(
    path: str, asked: Mapping[str, Sequence[str]] | None = None, sheet: str | None = None
) -> str:
    """Describe a file of judgments or scores, with the commands that answer questions about it."""
    table = read_document(Source.of(path).of_sheet(sheet))
    readings = find_readings(table, asked)
    return "\n".join(_report(table, readings, path))


def _report(table: JudgedTable, readings: Sequence[Reading], path: str) -> Iterator[str]:
    yield f"{path}: {table.n_rows} rows, {len(table.columns)} columns{'' if table.source == 'table' else f' ({table.source})'}"
    yield from (f"  {note}" for note in table.notes)
    if not readings:
        yield "  no scores and no preferences were found"
        yield from _others(table, None)
        yield from _prediction(table, path)
        return
    if len(readings) > 1:
        yield f"\nIt can be read in {len(readings)} ways. No command chooses one for you; the first is the likeliest."
    for number, reading in enumerate(readings, 1):
        title = f"\n({number}) {reading.shape}" if len(readings) > 1 else f"  shape: {reading.shape}"
        yield title
        yield from _reading(table, reading, path)
    yield from _others(table, readings[0])


def _reading(table: JudgedTable, reading: Reading, path: str) -> Iterator[str]:
    yield from (f"  {line}" for line in (*reading.why, *reading.notes))
    try:
        rows = list(tidy_rows(table, reading))
    except UsageError as error:
        yield f"  cannot be read so: {error}"
        return
    yield from (f"  {line}" for line in _contents(table, reading, rows))
    yield from (f"  doubtful: {doubt}" for doubt in reading.doubts)
    if table.other_sheets:
        yield "  doubtful: the workbook has several sheets; the others are not read"
    if (again := given_again(rows)) and not any("given again" in doubt for doubt in reading.doubts):
        yield f"  doubtful: {again}"
        return
    if not _is_read_again(table, reading):
        yield "  no command: its columns cannot be named so that the file is read in this way again"
        return
    yield from _commands(table, reading, rows, path)


def _is_read_again(table: JudgedTable, reading: Reading) -> bool:
    """Whether ``--columns`` as printed gives the same reading: what is shown is what the commands do."""
    again = find_readings(table, roles_written(reading.columns_option()))
    return bool(again) and sorted(map(repr, tidy_rows(table, again[0]))) == sorted(
        map(repr, tidy_rows(table, reading))
    )


def given_again(rows: Sequence[TidyRow]) -> str:
    """Say which score is given again, if any."""
    places: dict[tuple[str, ...], Where] = {}
    for row in rows:
        before = places.setdefault((row.task, row.topic, row.system, row.measure, row.rater), row.place)
        if before is not row.place:
            return f"rows are given again: {row.place} has the {row.measure} of {row.system} on {row.topic} that {before.within(row.place.path)} has"
    return ""


def _contents(table: JudgedTable, reading: Reading, rows: Sequence[TidyRow]) -> Iterator[str]:
    topics, systems, raters = ({getattr(row, role) for row in rows} for role in ("topic", "system", "rater"))
    n_raters = len(raters - {""})
    if reading.is_preference:
        yield f"{len(list(preference_rows(table, reading)))} preferences between {len(systems)} systems on {len(topics)} topics, {n_raters or 'no named'} raters"
    else:
        yield f"{len(rows)} scores: {len(topics)} topics, {len(systems)} systems, {n_raters or 'no named'} raters"
    by_measure: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row.value == row.value:
            by_measure[row.task, row.measure][row.system].append(row.value)
    for (task, measure), by_system in list(by_measure.items())[:12]:
        values = [value for values in by_system.values() for value in values]
        means = sorted(
            ((sum(values) / len(values), system) for system, values in by_system.items()), reverse=True
        )
        shown = (
            f"; means: {', '.join(f'{system} {mean:.3f}' for mean, system in means)}"
            if 1 < len(means) <= MAX_SYSTEMS_WITH_MEANS
            else ""
        )
        kind = (
            "metric" if measure in reading.metrics else "preference" if reading.is_preference else "measure"
        )
        turned = (
            "; by its name less is better (say --lower-is-better)"
            if lower_is_better(measure) and min(values) >= 0
            else ""
        )
        yield f"{kind} {task + ': ' if task else ''}{measure}: {min(values):g} to {max(values):g}, {len(values)} values{shown}{turned}"
    scale_of = {
        name: table[name].scale for name in reading.cells if table[name].scale and not reading.adds_up
    }
    for name, scale in list(scale_of.items())[:3]:
        numbers = sorted(
            (scale.number_of(word), word)
            for word in table[name].words
            if scale.number_of(word) == scale.number_of(word)
        )
        yield f"words of {name} are numbers: {', '.join(f'{word} = {number:g}' for number, word in numbers)}"


def _commands(table: JudgedTable, reading: Reading, rows: Sequence[TidyRow], path: str) -> Iterator[str]:
    measures = list(dict.fromkeys(row.measure for row in rows))
    metrics = [measure for measure in measures if measure in reading.metrics]
    humans = [measure for measure in measures if measure not in reading.metrics]
    systems = {row.system for row in rows}
    raters = {row.rater for row in rows} - {""}
    files = [path]
    option = reading.columns_option()
    has_shared = _share_topics(rows)
    is_named = reading.keys.system is not None
    if len(systems) == 1 and not reading.is_preference and (siblings := _siblings(table, path)):
        by = f"by its {reading.keys.system}" if is_named else "by its file"
        yield f"  one system here, and {len(siblings)} files with these columns; if each is of one system, it is named {by}:"
        files = siblings
        if not is_named:
            option = f"system={BY_FILE}" + (f",{option}" if option else "")
        has_shared = True
        systems = {*siblings}
    is_again = any("given again" in doubt and "rater=#" not in doubt for doubt in reading.doubts)
    tail = f" --columns {quote(option)}"
    names = " ".join(map(quote, files))
    if is_again:
        yield "  no command yet: name the column that tells those rows apart, or rater=# if they are people without names"
        return
    if len(systems) > 1 and not has_shared:
        yield "  no two systems share a topic, so they cannot be compared by pairs"
    if len(systems) > 1 and has_shared:
        yield "  Which system is best?"
        for measure in (humans or metrics)[:MAX_COMMANDS_A_QUESTION]:
            yield f"    classy-aesop compare {names} --metric {quote(measure)}{tail}"
        if metrics and humans:
            yield "  Which metric agrees with people?"
            for measure in humans[:MAX_COMMANDS_A_QUESTION]:
                chosen = " ".join(f"--metric {quote(metric)}" for metric in metrics[:MAX_COMMANDS_A_QUESTION])
                yield f"    classy-aesop evaluate {names} --target {quote(measure)} {chosen}{tail}"
            if len(systems) == 2:
                yield "  (two systems: nothing can be said at system level; look at the levels input and global)"
    if len(raters) > 1 and _have_several_raters(rows):
        yield "  How far do raters agree?"
        yield f"    classy-aesop assessors {names}{tail}"


def _share_topics(rows: Iterable[TidyRow]) -> bool:
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


MAX_SIBLINGS = 30


def _siblings(table: JudgedTable, path: str) -> list[str]:
    """Find files that are named alike but for their last part, and have the same columns."""
    here = Path(path)
    parts = re.split(r"[_.-]", here.stem)
    if len(parts) < 2 or not here.is_file():
        return []
    start = here.stem[: len(here.stem) - len(parts[-1])]
    others = sorted(one for one in here.parent.glob("*" + here.suffix) if one.stem.startswith(start))[
        :MAX_SIBLINGS
    ]
    alike = []
    for other in others:
        try:
            is_alike = other == here or [*read_document(Source.of(str(other))).columns] == [*table.columns]
        except (InputError, UsageError):
            is_alike = False
        if is_alike:
            alike.append(str(other))
    return alike if len(alike) > 1 else []


def _others(table: JudgedTable, reading: Reading | None) -> Iterator[str]:
    used = set()
    if reading is not None:
        used = {*reading.keys.names, *reading.cells, *reading.sides, *reading.winners, reading.measure_column}
        used |= {cell.system_column for cell in reading.cells.values()}
    kinds: dict[str, list[str]] = defaultdict(list)
    for name, column in table.columns.items():
        if name in used:
            continue
        known = spelled(name)
        if column.n_filled == 0:
            kind = "empty"
        elif column.n_distinct == 1:
            kind = "constant"
        elif (known in REFERENCE_NAMES and not column.has_scores) or (
            known in REFERENCE_NAMES and column.numbers is not None
        ):
            kind = "references"
        elif set(words_of(name)) & COMMENT_WORDS:
            kind = "comments"
        elif known in TEXT_NAMES and not column.has_scores:
            kind = "outputs"
        elif known in TOPIC_TEXT_NAMES:
            kind = "sources"
        elif is_administration(name) or column.is_time:
            kind = "administration"
        elif (
            (is_human_measure(name) or known in SCORE_NAMES)
            and 1 < column.n_distinct <= MAX_SCALE_WORDS
            and not column.is_list
            and column.numbers is None
        ):
            kind = "words of no known scale"
            name = f"{name} ({', '.join(column.words)}; in their order: --columns scale='LEAST<...<MOST')"
        else:
            kind = "not used"
            n_numbers = (
                0
                if column.is_list or column.numbers is not None
                else sum(number_in(cell) is not None for cell in column.cells if cell is not None)
            )
            if n_numbers >= 0.5 * column.n_filled > 0 and column.numbers is None:
                strange = next(
                    row
                    for row, cell in enumerate(column.cells)
                    if cell is not None and number_in(cell) is None
                )
                name = f"{name} (numbers, but {str(column.cells[strange])!r:.30} in {table.places[strange].within(table.name)})"
        kinds[kind].append(name)
    if kinds:
        yield "  other columns: " + "; ".join(
            f"{kind}: {listed(names, most=8)}" for kind, names in kinds.items()
        )


def _prediction(table: JudgedTable, path: str) -> Iterator[str]:
    texts = [name for name in table.columns if spelled(name) in TEXT_NAMES and table[name].is_text]
    if len(texts) == 1:
        yield f"    classy-aesop predict published/news-content {quote(path)} --columns {quote(f'text={texts[0]}')}"
