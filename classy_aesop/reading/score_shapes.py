"""The shapes of tables of scores: how each is recognized, and which column has which role in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from classy_aesop.errors import UsageError, join_names
from classy_aesop.reading.checked_keys import find_checked_keys, key_roles
from classy_aesop.reading.column_groups import (
    Crossing,
    are_raters,
    common_start,
    count_measure_words,
    find_crossing,
    group_numbered,
    split_common_measure,
)
from classy_aesop.reading.column_names import (
    ATTEMPT_NAMES,
    MAX_EVIDENCE,
    MEASURE_NAME_NAMES,
    SCORE_NAMES,
    SCORE_OR_RATER_NAMES,
    SUBSET_NAMES,
    are_measures,
    is_administration,
    is_bare_measure,
    is_human_measure_name,
    is_metric,
    is_named_measure,
    leave_out_texts,
    numbers_attempts,
    rater_evidence,
    spell_name,
    system_evidence,
    topic_evidence,
    words_of,
)
from classy_aesop.reading.judged_tables import JudgedColumn, JudgedTable
from classy_aesop.reading.key_columns import KEY_ROLES, KeyColumns, find_key_columns
from classy_aesop.reading.readings import BY_ORDER, Cell, Reading
from classy_aesop.reading.roles import is_counter
from classy_aesop.reading.unfolding import POSITION
from classy_aesop.reading.word_scales import ERROR_WEIGHTS

_NEVER_SCORES = frozenset({"time", "seconds", "duration", "comment", "comments", "count", "status", "turn"})


def score_columns(table: JudgedTable, keys: Sequence[str]) -> list[str]:
    """Give the columns of scores: numbers, or words of a known scale, that are no identifiers and no administration.

    A number that is called like administration (latency, cost, length) or like the names of measures (metric) is a
    measure where there is no other. One that is called like a text (output, reference) is none beside a named measure.
    """
    possible = [name for name in table.columns if name not in keys and _may_be_score(table, name)]
    possible = [name for name in possible if name not in table.outer] or possible
    scores = [name for name in possible if not _is_only_administration(table[name])]
    varied = [
        name
        for name in scores
        if table[name].n_numbers > 1 or is_named_measure(name) or numbers_attempts(name)
    ]
    if varied or scores:
        numeric = [name for name in varied or scores if table[name].numbers is not None]
        texts = {*numeric} - {*leave_out_texts(numeric)}
        return [name for name in varied or scores if name not in texts]
    names_of_measures = [
        name
        for name in table.columns
        if name not in keys and spell_name(name) in MEASURE_NAME_NAMES and table[name].numbers is not None
    ]
    return names_of_measures or [
        name for name in possible if table[name].numbers is not None and not {*words_of(name)} & _NEVER_SCORES
    ]


def _may_be_score(table: JudgedTable, name: str) -> bool:
    """Whether a column holds numbers or graded words and has no name of another role."""
    column = table[name]
    if (
        is_counter(name)
        or not column.has_scores
        or column.is_time
        or name in table.keys
        or re.fullmatch(rf"{POSITION}\d?", name)
    ):
        return False
    spelled = spell_name(name)
    if spelled in {*SUBSET_NAMES, *ATTEMPT_NAMES} or (
        spelled in MEASURE_NAME_NAMES and (column.numbers is None or column.is_whole)
    ):
        return False
    is_rater = rater_evidence(name) == MAX_EVIDENCE and spelled not in SCORE_OR_RATER_NAMES
    if is_rater and not re.search(r"\d$", name):
        return False
    return topic_evidence(name) < 1 or spelled in SCORE_NAMES


def _is_only_administration(column: JudgedColumn) -> bool:
    """Whether a column is named like a time, a price or a counter, and not like a measure, too."""
    if not is_administration(column.name):
        return False
    return not is_named_measure(column.name) or bool({*words_of(column.name)} & _NEVER_SCORES)


def system_slots(table: JudgedTable, requested: Mapping[str, tuple[str, ...]]) -> Iterator[Reading]:
    """Find readings of several systems a row, in changing order: ``sys1, sys2, quality1, quality2``."""
    if len(requested.get("system", ())) > 1:
        columns = requested["system"]
        measures = requested.get("measures", ())
        names_by_measure = [
            measures[start : start + len(columns)] for start in range(0, len(measures), len(columns))
        ]
        groups = {common_start(names): dict(zip(columns, names, strict=False)) for names in names_by_measure}
    elif requested.keys() & {
        "system",
        "measures",
        "scores",
        "ratings",
        "systems",
        "cells",
        "winner",
        "score",
    }:
        return
    else:
        numbered = group_numbered(table.columns)
        slots_of_systems = {
            base: slots
            for base, slots in numbered.items()
            if system_evidence(base)
            and all(table[name].numbers is None and not table[name].is_text for name in slots.values())
        }
        if not slots_of_systems:
            return
        slots_of = next(iter(slots_of_systems.values()))
        columns = tuple(slots_of.values())
        groups = {}
        for measure, columns_of in numbered.items():
            if (
                columns_of.keys() == slots_of.keys()
                and all(table[name].has_scores for name in columns_of.values())
                and not is_administration(measure)
            ):
                groups[measure] = {slots_of[number]: name for number, name in columns_of.items()}
    if not groups:
        return
    cells = {
        name: Cell(measure, system_column=column)
        for measure, by_slot in groups.items()
        for column, name in by_slot.items()
    }
    used_columns = {*columns, *cells}
    other_columns = replace(
        table, columns={name: column for name, column in table.columns.items() if name not in used_columns}
    )
    fixed = {role: names for role, names in requested.items() if role in KEY_ROLES and role != "system"}
    keys = (
        find_key_columns(other_columns, {**fixed, "system": ()})[0]
        if other_columns.columns
        else KeyColumns((), None, None)
    )
    doubts = [] if keys.topic else ["no column names the topic: every row is one of its own"]
    topic = keys.topic or (BY_ORDER,)
    option = {
        "topic": topic,
        **({"rater": (keys.rater,)} if keys.rater else {}),
        **({"attempt": keys.attempt} if keys.attempt else {}),
        "system": tuple(columns),
        "measures": tuple(cells),
    }
    yield Reading(
        "k systems a row",
        replace(keys, topic=topic),
        cells,
        roles=option,
        doubts=tuple(doubts),
        why=(f"{join_names(columns)} name the systems, {join_names(cells)} hold their scores",),
    )


def long_measures(table: JudgedTable, requested: Mapping[str, tuple[str, ...]]) -> Iterator[Reading]:
    """Find readings with a row a measure: ``aspect, score``."""
    if requested.keys() & {"measures", "scores", "ratings", "systems", "cells", "winner"}:
        return
    names = requested.get("metric") or [
        name
        for name, column in table.columns.items()
        if column.n_distinct > 1
        and (
            (
                spell_name(name) in MEASURE_NAME_NAMES
                and (column.numbers is None or (column.is_whole and spell_name(name).endswith("id")))
            )
            or _names_measures(column)
        )
    ]
    scores = requested.get("score") or [
        name
        for name, column in table.columns.items()
        if spell_name(name) in SCORE_NAMES and column.has_scores
    ]
    if not scores and names:
        scores = score_columns(table, names)
    if not (names and scores):
        return
    doubts = [] if len(scores) == 1 else [f"the score could be {join_names(scores, by=' or ')}"]
    fixed = {role: columns for role, columns in requested.items() if role in KEY_ROLES}
    other_columns = replace(
        table,
        columns={
            name: column
            for name, column in table.columns.items()
            if name not in (names[0], scores[0]) and not _is_other_name_of(table, name, names[0])
        },
    )
    for keys in find_checked_keys(table, other_columns, fixed, [names[0]]):
        option = {**key_roles(keys.keys), "metric": (names[0],), "score": (scores[0],)}
        yield Reading(
            "a row a measure",
            keys.keys,
            {scores[0]: Cell("")},
            roles=option,
            measure_column=names[0],
            doubts=(*doubts, *keys.doubts),
            why=(f"{names[0]} names the measure, {scores[0]} holds its score", *keys.why),
        )


MAX_MEASURE_NAMES = 30


def _names_measures(column: JudgedColumn) -> bool:
    """Whether the few values of a column called like no other role are names of measures: ``rouge_1``, ``fluency``."""
    return (
        spell_name(column.name).split("_")[-1] in ("name", "key", "question", "item", "label", "category")
        and not column.is_text
        and column.n_distinct <= min(MAX_MEASURE_NAMES, column.n_filled // 2)
        and are_measures(column.words)
    )


def _is_other_name_of(table: JudgedTable, name: str, measure: str) -> bool:
    """Whether a column goes one to one with that of measures, as their places in a list do."""
    is_place = re.fullmatch(rf"{POSITION}\d?", name) is not None
    return is_place and table.determines(name, measure) and table.determines(measure, name)


def error_spans(table: JudgedTable, requested: Mapping[str, tuple[str, ...]]) -> Iterator[Reading]:
    """Find readings with a row an error (MQM): the weights of severities are added up for each output."""
    names = [name for name in table.columns if spell_name(name) == "severity"]
    if not names or requested.keys() - {"topic", "system", "rater", "task", "errors"}:
        return
    words = {word.lower() for word in table[names[0]].words}
    if not words & {"minor", "major", "critical"} or words - {*ERROR_WEIGHTS}:
        return
    fixed = {role: columns for role, columns in requested.items() if role in KEY_ROLES}
    dropped = {name for name in table.columns if spell_name(name) in ("category", "severity", "error_type")}
    other_columns = replace(
        table, columns={name: column for name, column in table.columns.items() if name not in dropped}
    )
    choices = find_key_columns(other_columns, fixed)
    keys = choices[0]
    documents = [
        name for name in table.columns if spell_name(name) in ("doc", "doc_id", "document_id", "document")
    ]
    if (
        "topic" not in fixed
        and len(keys.topic) == 1
        and documents
        and not table.determines(keys.topic[0], documents[-1])
    ):
        keys = replace(keys, topic=(documents[-1], *keys.topic))
    weights = ", ".join(f"{word} {ERROR_WEIGHTS[word]:g}" for word in sorted(words))
    note = f"errors are summed: {weights}; lower is better"
    option = {**key_roles(keys), "errors": (names[0],)}
    doubts = () if keys.topic and keys.system else ("no column names the topic or the system",)
    yield Reading(
        "a row an error",
        keys,
        {names[0]: Cell("errors")},
        roles=option,
        notes=(note,),
        doubts=doubts,
        adds_up=True,
        why=(f"{names[0]} holds severities of errors",),
    )


def wide_scores(table: JudgedTable, requested: Mapping[str, tuple[str, ...]]) -> Iterator[Reading]:
    """Find readings with a row an output and columns of scores: of measures, raters, systems, or two of these."""
    if requested.keys() & {"winner", "metric", "score", "errors"} or len(requested.get("system", ())) > 1:
        return
    fixed = {role: names for role, names in requested.items() if role in KEY_ROLES}
    requested_scores = [
        name for role in ("measures", "scores", "ratings", "systems") for name in requested.get(role, ())
    ]
    other_columns = replace(
        table,
        columns={name: column for name, column in table.columns.items() if name not in requested_scores},
    )
    for checked in find_checked_keys(table, other_columns, fixed):
        keys = checked.keys
        if requested_scores:
            cells, metrics, option, shape = _requested_cells(requested)
            arrangements = [Arrangement(shape, cells, option, (), metrics)]
        else:
            arrangements = list(_find_arrangements(table, keys, requested))
        for arrangement in arrangements:
            if not arrangement.cells:
                continue
            doubts = [*checked.doubts, *arrangement.doubts]
            if keys.system is None and not any(cell.system for cell in arrangement.cells.values()):
                doubts = [doubt for doubt in doubts if "topic" not in doubt]
            repeated = [doubt for doubt in checked.doubts if "given again" in doubt]
            if (
                repeated
                and keys.rater is None
                and keys.system
                and arrangement.shape == "measures as columns"
                and "rater" not in fixed
            ):
                by_order = replace(keys, rater=BY_ORDER)
                other_doubts = [doubt for doubt in checked.doubts if doubt not in repeated]
                doubt = (
                    f"{repeated[0]}. If these are ratings by people without names, rater=# numbers them; "
                    "attempts of a system are averaged by attempt=#"
                )
                yield Reading(
                    arrangement.shape,
                    by_order,
                    arrangement.cells,
                    frozenset(arrangement.metrics),
                    {**key_roles(by_order), **arrangement.option},
                    checked.why,
                    (*other_doubts, doubt),
                )
                continue
            yield Reading(
                arrangement.shape,
                keys,
                arrangement.cells,
                frozenset(arrangement.metrics),
                {**key_roles(keys), **arrangement.option},
                checked.why,
                tuple(doubts),
            )


@dataclass(frozen=True)
class Arrangement:
    """One interpretation of the columns of scores: of which measure, system or rater each is."""

    shape: str
    cells: Mapping[str, Cell]
    option: Mapping[str, tuple[str, ...]]
    doubts: tuple[str, ...] = ()
    metrics: Sequence[str] = ()


def _requested_cells(
    requested: Mapping[str, tuple[str, ...]],
) -> tuple[dict[str, Cell], list[str], dict[str, tuple[str, ...]], str]:
    """Interpret columns as the user says; give their cells, the metrics, the roles to print and the shape."""
    cells = {name: Cell(name) for role in ("measures", "scores") for name in requested.get(role, ())}
    cells |= _rater_cells(requested.get("ratings", ()))
    cells |= _system_cells(requested.get("systems", ()))
    option = {
        role: requested[role] for role in ("measures", "scores", "ratings", "systems") if role in requested
    }
    shape = (
        "systems as columns"
        if "systems" in requested
        else "raters as columns"
        if "ratings" in requested
        else "measures as columns"
    )
    return cells, [*requested.get("scores", ())], option, shape


def _system_cells(names: Sequence[str]) -> dict[str, Cell]:
    """Interpret columns as one a system: names that differ by a number only are of one measure."""
    numbered = group_numbered(names)
    if len(numbered) == 1 and sum(map(len, numbered.values())) == len(names):
        [(measure, columns)] = numbered.items()
        if is_named_measure(measure):
            return {name: Cell(measure, system=number) for number, name in columns.items()}
    measure, systems = split_common_measure(names)
    return {
        name: Cell(measure or "score", system=system) for name, system in zip(names, systems, strict=True)
    }


def _rater_cells(names: Sequence[str]) -> dict[str, Cell]:
    """Interpret columns as one a rater, of one or several measures."""
    from classy_aesop.reading.roles import named_raters

    numbered = group_numbered(names)
    is_numbered = bool(numbered) and sum(map(len, numbered.values())) == len(names)
    raters = numbered if is_numbered else named_raters(names) if names else {}
    return {
        column: _numbered_cell(measure, rater)
        for measure, columns in raters.items()
        for rater, column in columns.items()
    }


def _numbered_cell(measure: str, number: str) -> Cell:
    """Interpret a numbered column as an attempt, if its name says so, or a rater."""
    return Cell(measure, attempt=number) if numbers_attempts(measure) else Cell(measure, rater=number)


def _find_arrangements(
    table: JudgedTable, keys: KeyColumns, requested: Mapping[str, tuple[str, ...]]
) -> Iterator[Arrangement]:
    """Find the possible interpretations of the columns of scores, the likeliest first."""
    names = score_columns(table, keys.names)
    of_outputs = [name for name in (*keys.topic, keys.system) if name in table.columns]
    names = [name for name in names if table.is_within_objects(name, list(map(str, of_outputs)))]
    if "cells" in requested:
        yield _requested_crossing(table, names, requested["cells"][0])
        return
    has_human = any(is_human_measure_name(name) and not is_metric(name) for name in names)
    of_models = _measures_of_models(names)
    metrics = [
        name
        for name in names
        if name not in of_models and (is_metric(name) or (has_human and _is_metric_by_data(table, name)))
    ]
    measures = sorted(
        (name for name in names if name not in metrics), key=lambda name: not is_human_measure_name(name)
    )
    numbered = {
        base: columns
        for base, columns in group_numbered(measures).items()
        if (not keys.rater or numbers_attempts(base)) and _are_of_one_scale(table, columns.values())
    }
    crossing = find_crossing(measures)
    if crossing and len(crossing.columns) >= 4 and len(crossing.columns) >= len(measures) / 2:
        yield from _arrange_crossing(table, keys, crossing, metrics)
        return
    outputs = _numbered_outputs(table, numbered)
    if outputs and keys.system is None:
        yield _sides_as_systems(numbered, outputs)
        return
    raters = {
        base: columns
        for base, columns in numbered.items()
        if not base.lower().endswith(("system", "model", "summary", "output", "question", "q", "item"))
    }
    rated_columns = {name for columns in raters.values() for name in columns.values()}
    if raters and rated_columns:
        cells = {
            name: _numbered_cell(base, number)
            for base, columns in raters.items()
            for number, name in columns.items()
        }
        other_measures = [name for name in measures if name not in rated_columns]
        cells |= {name: Cell(name) for name in (*other_measures, *metrics)}
        is_sure = keys.system is not None or all(
            are_raters([base]) or spell_name(base) in SCORE_NAMES or is_human_measure_name(base)
            for base in raters
        )
        kinds = {"attempts" if numbers_attempts(base) else "raters" for base in raters}
        doubts = () if is_sure else (f"{join_names(rated_columns)} are taken as {join_names(sorted(kinds))}",)
        option: dict[str, tuple[str, ...]] = {
            "ratings": tuple(name for name in names if name in rated_columns)
        }
        option |= {"measures": tuple(other_measures)} if other_measures else {}
        option |= {"scores": tuple(metrics)} if metrics else {}
        yield Arrangement("raters as columns", cells, option, doubts, metrics)
        return
    yield from _arrange_single_columns(table, keys, measures, metrics)


def _measures_of_models(names: Sequence[str]) -> frozenset[str]:
    """Give columns that cross systems with human measures, though systems are called like judges: ``gpt-4.quality``."""
    crossing = find_crossing(names)
    if crossing is None or len(crossing.columns) < len(names) / 2:
        return frozenset()
    are_crossed = any(all(map(is_bare_measure, parts)) for parts in (crossing.firsts, crossing.seconds))
    return frozenset(crossing.columns) if are_crossed else frozenset()


def _numbered_outputs(
    table: JudgedTable, numbered: Mapping[str, Mapping[str, str]]
) -> dict[str, dict[str, str]]:
    """Find columns of texts that are numbered like columns of scores: their outputs."""
    texts = group_numbered(name for name, column in table.columns.items() if column.is_text)
    numbers = [columns.keys() for columns in numbered.values()]
    return {base: columns for base, columns in texts.items() if columns.keys() in numbers}


def _sides_as_systems(
    numbered: Mapping[str, Mapping[str, str]], outputs: Mapping[str, Mapping[str, str]]
) -> Arrangement:
    """Interpret the numbers of outputs as systems, with a doubt, since they may change from row to row."""
    sides = {*next(iter(outputs.values()))}
    cells = {
        name: Cell(base, system=number)
        for base, columns in numbered.items()
        if columns.keys() == sides
        for number, name in columns.items()
    }
    texts = join_names(name for columns in outputs.values() for name in columns.values())
    doubt = (
        f"no column names the systems of {texts}: their numbers are systems only if they are so in every row"
    )
    return Arrangement("outputs as columns", cells, {"systems": tuple(cells)}, (doubt,))


MIN_VALUES_OF_A_METRIC = 25


def _is_metric_by_data(table: JudgedTable, name: str) -> bool:
    """Whether an unknown column beside human measures has the values of a metric: many fractions."""
    column = table[name]
    return (
        not is_human_measure_name(name)
        and column.numbers is not None
        and not column.is_whole
        and column.n_distinct >= MIN_VALUES_OF_A_METRIC
        and not group_numbered([name, *table.columns]).keys() & {re.sub(r"[ _.#-]*\d+$", "", name)}
    )


def _are_of_one_scale(table: JudgedTable, names: Iterable[str]) -> bool:
    """Whether columns hold words of scales, or numbers each of which spans much of their common range."""
    columns = [table[name] for name in names]
    if all(column.scale is not None for column in columns):
        return True
    if not all(column.numbers is not None for column in columns):
        return False
    lows, highs = zip(*(column.ends for column in columns), strict=True)
    width = max(highs) - min(lows)
    return width > 0 and all(
        high - low >= width / 4 or column.n_distinct < 3
        for column, low, high in zip(columns, lows, highs, strict=True)
    )


def _arrange_single_columns(
    table: JudgedTable, keys: KeyColumns, measures: Sequence[str], metrics: Sequence[str]
) -> Iterator[Arrangement]:
    """Interpret columns without common parts of names: as measures, raters or systems, those that the data allow."""
    option: dict[str, tuple[str, ...]] = {"measures": tuple(measures)} if measures else {}
    option |= {"scores": tuple(metrics)} if metrics else {}
    plain = Arrangement(
        "measures as columns", {name: Cell(name) for name in (*measures, *metrics)}, option, (), metrics
    )
    if (
        keys.system is None
        and split_common_measure(measures)[0]
        and not are_raters(split_common_measure(measures)[1])
    ):
        yield from _arrange_common_measure(keys, measures, metrics, plain)
        return
    unknown = [
        name for name in measures if not is_human_measure_name(name) and spell_name(name) not in SCORE_NAMES
    ]
    is_ambiguous = (
        len(unknown) > 1
        and len(unknown) == len(measures)
        and not keys.rater
        and _are_of_one_scale(table, unknown)
    )
    are_grades = all(table[name].is_whole or table[name].scale is not None for name in unknown)
    is_export = table.source not in ("table", "JSON")
    if not is_ambiguous or is_export or (keys.system and not are_grades):
        yield plain
        return
    of_metrics = {"scores": tuple(metrics)} if metrics else {}
    raters = Arrangement(
        "raters as columns",
        {**_rater_cells(unknown), **{name: Cell(name) for name in metrics}},
        {"ratings": tuple(unknown), **of_metrics},
        (),
        metrics,
    )
    systems = Arrangement(
        "systems as columns",
        _system_cells(unknown),
        {"systems": tuple(unknown)},
    )
    if are_raters(unknown):
        yield raters
        return
    named_as_raters = [name for name in unknown if are_raters([name])]
    if len(named_as_raters) > 1 and keys.system is None:
        other_measures = [name for name in measures if name not in named_as_raters]
        cells = {
            **_rater_cells(named_as_raters),
            **{name: Cell(name) for name in (*other_measures, *metrics)},
        }
        option = {"ratings": tuple(named_as_raters), "measures": tuple(other_measures), **of_metrics}
        yield Arrangement("raters as columns", cells, option, (), metrics)
        return
    if not keys.system and all(system_evidence(re.sub(r"[ _-]?\w?\d*$", "", name)) for name in unknown):
        yield systems
        return
    doubt = f"no name says what {join_names(unknown)} are: " + (
        "raters or measures" if keys.system else "systems, raters or measures"
    )
    for arrangement in (raters, plain) if keys.system else (systems, raters, plain):
        yield replace(arrangement, doubts=(doubt,))


def _arrange_common_measure(
    keys: KeyColumns, names: Sequence[str], metrics: Sequence[str], plain: Arrangement
) -> Iterator[Arrangement]:
    """Interpret columns that share the name of a measure: the other part names systems, or raters, or questions."""
    measure, owners = split_common_measure(names)
    doubt = (
        f"no name says whether {join_names(owners)} are systems, each with its {measure}, or something else"
    )
    systems = Arrangement("systems as columns", _system_cells(names), {"systems": tuple(names)}, (doubt,))
    yield systems
    if not keys.rater:
        of_metrics = {"scores": tuple(metrics)} if metrics else {}
        cells = {**_rater_cells(names), **{name: Cell(name) for name in metrics}}
        yield Arrangement(
            "raters as columns", cells, {"ratings": tuple(names), **of_metrics}, (doubt,), metrics
        )
    yield replace(plain, doubts=(doubt,))


def _arrange_crossing(
    table: JudgedTable, keys: KeyColumns, crossing: Crossing, metrics: Sequence[str]
) -> Iterator[Arrangement]:
    """Interpret columns whose names combine a system, or a rater, with a measure."""
    n_first = count_measure_words(crossing.firsts)
    n_second = count_measure_words(crossing.seconds)
    is_first = n_first * len(crossing.seconds) > n_second * len(crossing.firsts)
    owners = crossing.seconds if is_first else crossing.firsts
    is_sure = n_first != n_second
    are_numbers = all(re.fullmatch(r"[a-zA-Z]{0,6}[ _-]?\d{1,3}", owner) for owner in owners) and not any(
        system_evidence(re.sub(r"[ _-]?\d+$", "", owner)) for owner in owners
    )
    owners_are_raters = (
        are_raters(owners)
        or keys.system is not None
        or (are_numbers and all(owner.isdigit() for owner in owners))
    )
    are_systems = any(system_evidence(re.sub(r"[ _-]?\w?\d*$", "", owner)) for owner in owners)
    if not is_sure and n_first == 0 and keys.rater and not keys.topic and not keys.system:
        yield from _arrange_systems_by_topics(crossing)
        return
    if keys.system is not None and all(map(numbers_attempts, owners)):
        kinds: tuple[str, ...] = ("attempt",)
    else:
        kinds = ("rater",) if owners_are_raters else ("system",) if are_systems else ("system", "rater")
    for kind in kinds:
        pattern = (
            f"{{measure}}{crossing.separator}{{{kind}}}"
            if is_first
            else f"{{{kind}}}{crossing.separator}{{measure}}"
        )
        cells = {}
        for name, (first, second) in crossing.columns.items():
            owner, measure = (second, first) if is_first else (first, second)
            cells[name] = Cell(_strip_brackets(measure), **{kind: _strip_brackets(owner)})
        doubts = (
            [] if len(kinds) == 1 else [f"no name says whether {join_names(owners)} are systems or raters"]
        )
        if not is_sure:
            doubts.append(f"no name says which part of {join_names(crossing.columns, most=3)} is the measure")
        if kind == "system" and are_numbers:
            doubts.append(f"{join_names(owners)} are taken as the same system in every row")
        yield Arrangement(f"{kind}s x measures as columns", cells, {"cells": (pattern,)}, tuple(doubts))


def _strip_brackets(part: str) -> str:
    """Strip brackets: a grid of Google Forms has ``Rate the fluency [alpha]``."""
    return part.strip("[]() ")


def _arrange_systems_by_topics(crossing: Crossing) -> Iterator[Arrangement]:
    """Interpret columns whose names combine a system with a topic, with a row a rater, as surveys export them."""
    for kinds in (("system", "topic"), ("topic", "system")):
        pattern = crossing.separator.join(f"{{{kind}}}" for kind in kinds)
        cells = {
            name: Cell("rating", **dict(zip(kinds, parts, strict=True)))
            for name, parts in crossing.columns.items()
        }
        doubt = f"no name says which part of {join_names(crossing.columns, most=3)} is the system and which the topic"
        yield Arrangement("systems x topics as columns", cells, {"cells": (pattern,)}, (doubt,))


def _requested_crossing(table: JudgedTable, names: Sequence[str], pattern: str) -> Arrangement:
    kinds = "system|rater|attempt|measure|topic"
    match = re.fullmatch(rf"\{{({kinds})\}}(.)\{{({kinds})\}}", pattern)
    if not match:
        raise UsageError(f"cells={pattern}; expected a pattern such as {{system}}_{{measure}}")
    crossing = find_crossing(names)
    if crossing is None:
        raise UsageError(f"cells={pattern}: no columns have such names")
    cells = {
        name: Cell(
            **{"measure": "rating", match[1]: _strip_brackets(first), match[3]: _strip_brackets(second)}
        )
        for name, (first, second) in crossing.columns.items()
    }
    kind = next((kind for kind in ("system", "attempt") if kind in (match[1], match[3])), "rater")
    return Arrangement(f"{kind}s x measures as columns", cells, {"cells": (pattern,)})
