"""The made-up news: the facts of a topic and the different wordings of each.

``stories.txt`` lists six kinds of story and what can happen in any of them; its first lines explain the
notation. `imagine` makes one topic from it: places and characters, facts of the initial set (task A) and of the
update (task B), each with a weight for its importance. Important facts mostly come early in a story, but not
always.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.made_up.chance import bell, between, one_of, shuffled

KINDS = ("storm", "mine", "trial", "fever", "wildlife", "strike")
N_GENERAL = {"A": 11, "B": 9}
"""How many general facts, which fit any story, are added to those of its kind."""

_PLACES = ("region", "river", "title", "agency", "group", "firm")
_CHARACTERS = ("chief", "expert", "witness")
_NUMBERS = (
    *("three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)

Wording = tuple[tuple[str, ...], ...]
"""One wording: a sequence of pieces, each with alternative texts."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened: its wordings, its weight (0 to 1), and the task whose documents first report it."""

    forms: tuple[Wording, ...]
    weight: float
    task: str


@dataclass(frozen=True, slots=True)
class Story:
    """The story of one topic.

    Parameters
    ----------
    facts : tuple of Fact
        In the order of the story, those of task A first.
    fillers : tuple of Wording
        Clauses without a fact.
    lead_ins, dangling : tuple of Wording
        Openings that a sentence can do without; those of ``dangling`` refer to something that is missing once
        the sentence is taken out of its document.
    hardness : float
        How hard the topic is to summarize, around 0, mostly -2 to 2.
    kind : str
        One of `KINDS`.
    """

    facts: tuple[Fact, ...]
    fillers: tuple[Wording, ...]
    lead_ins: tuple[Wording, ...]
    dangling: tuple[Wording, ...]
    hardness: float
    kind: str = ""


def imagine(rng: np.random.Generator) -> Story:
    """Make up the story of one topic."""
    sections = _sections()
    slots = _cast_and_places(rng)
    kind = one_of(rng, KINDS)
    hardness = float(bell(rng, 1)[0])
    facts = [fact for task in "AB" for fact in _facts(rng, kind, task, slots, hardness)]
    openings = {
        name: tuple(_wording(line, {**slots, **_details(rng)}) for line in sections[name])
        for name in ("lead-in", "dangling")
    }
    fillers = tuple(_wording(line[3:], {**slots, **_details(rng)}) for line in sections["filler"])
    return Story(tuple(facts), fillers, openings["lead-in"], openings["dangling"], hardness, kind)


def worded(wording: Wording, rng: np.random.Generator) -> str:
    """Write a wording out, with random alternatives."""
    return "".join(piece[0] if len(piece) == 1 else one_of(rng, piece) for piece in wording)


def reworded(fact: Fact, rng: np.random.Generator) -> str:
    """Write a fact in one of its wordings, chosen at random."""
    return worded(one_of(rng, fact.forms), rng)


def _facts(
    rng: np.random.Generator, kind: str, task: str, slots: dict[str, str], hardness: float
) -> list[Fact]:
    general = _blocks("any", task)
    kept = sorted(shuffled(rng, range(len(general)))[: N_GENERAL[task]])
    blocks = [*_blocks(kind, task), *(general[i] for i in kept)]
    weights = _weights(rng, len(blocks), hardness)
    facts = []
    for block, weight in zip(blocks, weights, strict=True):
        filled = {**slots, **_details(rng)}
        facts.append(Fact(tuple(_wording(form, filled) for form in block), weight, task))
    return facts


def _weights(rng: np.random.Generator, n_facts: int, hardness: float) -> list[float]:
    """Give weights that fall with rank from 1; in a hard topic they fall slowly, so importance is unclear."""
    places = np.arange(n_facts) + 4.0 * bell(rng, n_facts)
    floor = 0.1 + 0.05 * max(-2.0, min(2.0, hardness))
    weights = [0.0] * n_facts
    for rank, place in enumerate(np.argsort(places, kind="stable")):
        weights[int(place)] = floor + (1.0 - floor) * 5.0 / (5.0 + rank)
    return weights


def _cast_and_places(rng: np.random.Generator) -> dict[str, str]:
    town, other = shuffled(rng, _names("town"))[:2]
    slots = {"town": town, "other": other} | {name: one_of(rng, _names(name)) for name in _PLACES}
    firsts, lasts = shuffled(rng, _names("first")), shuffled(rng, _names("last"))
    slots["accused"] = f"{one_of(rng, _names('men'))} {lasts[0]}"
    for name, first, last in zip(_CHARACTERS, firsts, lasts[1:], strict=False):
        role = one_of(rng, _names(name))
        slots[name] = f"[{role} {first} {last}/{first} {last}/the {role.lower()}]"
    return slots


def _details(rng: np.random.Generator) -> dict[str, str]:
    """Choose the numbers and days of one fact: the same in all its wordings."""
    return {
        "small": one_of(rng, _NUMBERS),
        "many": str(between(rng, 21, 890)),
        "big": f"{between(rng, 11, 480) * 100:,}",
        "money": f"${between(rng, 1, 48)}.{between(rng, 1, 9)} million",
        "pct": str(between(rng, 3, 48)),
        "raise": str(between(rng, 20, 38)),
        "offer": one_of(rng, _NUMBERS[:7]),
        "deal": one_of(rng, _NUMBERS[7:]),
        "most": str(between(rng, 52, 97)),
        "wind": str(between(rng, 11, 24) * 10),
        "day": one_of(rng, _names("day")),
        "month": one_of(rng, _names("month")),
    }


def _wording(form: str, slots: dict[str, str]) -> Wording:
    filled = re.sub(r"<(\w+)>", lambda slot: slots[slot[1]], form)
    parts = re.split(r"\[([^\]]*)\]", filled)
    return tuple(tuple(part.split("/")) if i % 2 else (part,) for i, part in enumerate(parts) if part)


@cache
def _sections() -> dict[str, tuple[str, ...]]:
    text = Path(__file__).with_name("stories.txt").read_text(encoding="utf-8")
    sections: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("## "):
            lines = sections.setdefault(line[3:], [])
        elif line and not line.startswith(";"):
            lines.append(line)
    return {name: tuple(lines) for name, lines in sections.items()}


@cache
def _blocks(section: str, task: str) -> tuple[Sequence[str], ...]:
    """Give the facts of a section for one task, each a list of its forms."""
    blocks: list[tuple[str, list[str]]] = []
    for line in _sections()[section]:
        if line.startswith(("A: ", "B: ")):
            blocks.append((line[0], [line[3:]]))
        else:
            blocks[-1][1].append(line.strip())
    return tuple(forms for mark, forms in blocks if mark == task)


@cache
def _names(section: str) -> tuple[str, ...]:
    return tuple(name.strip() for line in _sections()[section] for name in line.split(",") if name.strip())
