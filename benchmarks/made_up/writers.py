"""The writers of a year, humans and systems, and their habits."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from benchmarks.made_up.chance import between, shuffled


@dataclass(frozen=True, slots=True)
class Writer:
    """A human or a system and its habits, each in percent.

    Parameters
    ----------
    name : str
        A letter for a human, a number for a system.
    human : bool
        Whether it is a human.
    skill : int
        How far the choice of content follows the weight of the facts instead of chance.
    own_words : int
        How often a fact is written in new words instead of the document's.
    compress : int
        How often a needless lead-in is dropped.
    length : int
        The share of the word limit that the writer aims at.
    stale : int
        How much of its weight a known fact keeps in an update.
    disorder, repetition, dangling : int
        How often sentences are shuffled, facts are repeated, and unclear openings are kept.
    overrun : int
        How often the text exceeds the limit and is cut within a sentence.
    """

    name: str
    human: bool
    skill: int
    own_words: int
    compress: int
    length: int
    stale: int
    disorder: int = 0
    repetition: int = 0
    dangling: int = 0
    overrun: int = 0


def cast(rng: np.random.Generator, n_systems: int, n_humans: int) -> tuple[list[Writer], list[Writer]]:
    """Make up the humans ("A", "B", ...) and systems ("1", "2", ...) of a year.

    The values of each trait are spread evenly and assigned to the systems independently, so that a system that
    chooses content well may write badly, and the reverse. One system makes no faults of language. A quarter of
    the humans (at least one) are careless.
    """
    careless = shuffled(rng, range(n_humans))[: max(1, n_humans // 4)]
    humans = [_human(rng, _letter(i), careless=i in careless) for i in range(n_humans)]
    ladders = [_ladder(rng, n_systems, low, high) for low, high in _SYSTEM_TRAITS]
    systems = [Writer(str(i + 1), False, *traits) for i, traits in enumerate(zip(*ladders, strict=True))]
    clean = between(rng, 0, n_systems - 1)
    systems[clean] = replace(systems[clean], compress=100, disorder=0, repetition=0, dangling=0, overrun=0)
    return humans, systems


_SYSTEM_TRAITS = (
    (0, 90),  # skill
    (0, 50),  # own_words
    (0, 100),  # compress
    (70, 100),  # length
    (20, 100),  # stale
    (0, 70),  # disorder
    (0, 40),  # repetition
    (0, 100),  # dangling
    (0, 100),  # overrun
)


def _ladder(rng: np.random.Generator, n_systems: int, low: int, high: int) -> list[int]:
    steps = [low + (high - low) * i // max(1, n_systems - 1) for i in range(n_systems)]
    return shuffled(rng, steps)


def _human(rng: np.random.Generator, name: str, *, careless: bool) -> Writer:
    return Writer(
        name,
        True,
        skill=between(rng, 70, 90),
        own_words=100,
        compress=100,
        length=between(rng, 92, 100),
        stale=between(rng, 5, 20),
        disorder=between(rng, 25, 50) if careless else between(rng, 0, 6),
        repetition=between(rng, 30, 60) if careless else between(rng, 0, 6),
        dangling=between(rng, 5, 20) if careless else 0,
        overrun=between(rng, 5, 25) if careless else 0,
    )


def _letter(i: int) -> str:
    """Give A to Z, then AA, AB, ..."""
    return chr(65 + i) if i < 26 else _letter(i // 26 - 1) + chr(65 + i % 26)
