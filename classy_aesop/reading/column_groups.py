"""Columns whose names belong together: numbered ones, and those that cross two parts (``delta_fluency``)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from classy_aesop.reading.column_names import HUMAN_WORDS, SCORE_NAMES, is_metric, spell_name, words_of

SEPARATORS = " _.-:|/"

PEOPLE = frozenset({"human", "annotation"})
"""Words of human measures that name people, or say nothing of what is measured."""


def group_numbered(names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Give names that differ by a number or a letter at their end, or in the middle, by what they have in common."""
    groups: dict[str, dict[str, str]] = defaultdict(dict)
    for name in names:
        if match := re.fullmatch(r"(.*?[^\d])[ _.#-]*(\d{1,3})", name):
            groups[match[1].rstrip(SEPARATORS + "#")][match[2]] = name
        elif match := re.fullmatch(r"(.*?[^\d])[ _.#-]*(\d{1,3})([ _.-].*)", name):
            groups[f"{match[1].rstrip(SEPARATORS)}{match[3]}"][match[2]] = name
        elif match := re.fullmatch(r"(.+)[ _.-]([abAB])", name):
            groups[match[1]][match[2].lower()] = name
    return {base: columns for base, columns in groups.items() if len(columns) > 1}


class Crossing(NamedTuple):
    """Columns whose names are all combinations of a first and a second part."""

    columns: Mapping[str, tuple[str, str]]
    firsts: tuple[str, ...]
    seconds: tuple[str, ...]
    separator: str


def find_crossing(names: Sequence[str]) -> Crossing | None:
    """Find the most columns whose names are all combinations of two parts: ``delta_fluency``."""
    best: Crossing | None = None
    for separator in SEPARATORS:
        firsts_of: dict[str, set[str]] = defaultdict(set)
        for name in names:
            parts = name.split(separator)
            for n_words in range(1, len(parts)):
                firsts_of[separator.join(parts[n_words:])].add(separator.join(parts[:n_words]))
        groups: dict[frozenset[str], list[str]] = defaultdict(list)
        for second, firsts in firsts_of.items():
            if len(firsts) > 1:
                groups[frozenset(firsts)].append(second)
        for parts_before, seconds in groups.items():
            first_parts = tuple(sorted(parts_before))
            if len(seconds) < 2 or (best and len(first_parts) * len(seconds) <= len(best.columns)):
                continue
            columns = {
                f"{first}{separator}{second}": (first, second)
                for first, second in product(first_parts, seconds)
            }
            best = Crossing(columns, first_parts, tuple(seconds), separator)
    return best


def count_measure_words(parts: Iterable[str]) -> int:
    """Count the parts of names that are those of measures."""
    return sum(1 for part in parts if set(words_of(part)) & HUMAN_WORDS or is_metric(part))


def are_raters(parts: Iterable[str]) -> bool:
    """Whether names are those of raters: ``rater 1``, ``Anna's rating``, ``annotator2``."""
    people = {
        "rater",
        "annotator",
        "assessor",
        "coder",
        "worker",
        "expert",
        "judge",
        "evaluator",
        "reviewer",
        "human",
        "ann",
        "participant",
        "r",
    }
    return all(people & {re.sub(r"\d+$", "", word) for word in words_of(part)} for part in parts)


def split_common_measure(names: Sequence[str]) -> tuple[str, list[str]]:
    """Split the measure off names that share it as their first or last word, beside other words.

    Examples
    --------
    >>> split_common_measure(["rank_lead", "rank_bart"]), split_common_measure(["lead", "rank_bart"])
    (('rank', ['lead', 'bart']), ('', ['lead', 'rank_bart']))
    """
    for position, pattern in ((1, r"([^ _.:|/-]+)[ _.:|/-]+(.+)"), (2, r"(.+)[ _.:|/-]+([^ _.:|/-]+)")):
        parts = [re.fullmatch(pattern, name) for name in names]
        measures = {part[position] for part in parts if part}
        rests = [part[3 - position] for part in parts if part]
        if len(names) < 2 or len(rests) < len(names) or len(measures) != 1 or len({*rests}) < len(names):
            continue
        measure = measures.pop()
        is_score = spell_name(measure) in SCORE_NAMES or {*words_of(measure)} <= HUMAN_WORDS - PEOPLE
        if is_score and not any({*words_of(words)} & HUMAN_WORDS or words.isdigit() for words in rests):
            return measure, rests
    return "", [*names]


def common_start(names: Sequence[str]) -> str:
    """Give what a numbered name has before its number."""
    start = re.sub(r"[ _.#-]*(\d+|[abAB])$", "", names[0])
    return start or names[0]


def base_of_pair(pair: Sequence[str]) -> str:
    """Give what the names of two sides have in common."""
    return re.sub(r"[ _.-]*(?:[aAbB12]|left|right|first|second)$", "", pair[0], flags=re.IGNORECASE)
