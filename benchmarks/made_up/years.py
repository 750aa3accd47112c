"""Whole years of made-up judged summaries, as rows in the field names of the JSONL format.

Every topic of every year has its own random generator, spawned from the seed by year and position: years do
not depend on one another, and a year with more topics begins with the topics of a shorter one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict, Unpack

import numpy as np

from benchmarks.made_up.chance import shuffled
from benchmarks.made_up.judges import judge
from benchmarks.made_up.stories import Story, imagine
from benchmarks.made_up.writers import Writer, cast
from benchmarks.made_up.writing import Draft, documents, write

Row = dict[str, Any]

ASSESSORS = ("P", "Q", "R")
"""The names that `topic_labels` deals."""

_CAST, _STORY, _TASKS = 0, 1, {"A": 2, "B": 3}


class Made(NamedTuple):
    """Rows of summaries and rows of judgments, in the same order, and the facts in the texts of humans."""

    summaries: list[Row]
    judgments: list[Row]
    units: list[Row]


class Sizes(TypedDict, total=False):
    """The sizes of a year; see `generate_topics`."""

    n_topics: int
    n_systems: int
    n_humans: int
    n_references: int
    n_words: int
    tasks: Sequence[str]
    enough: float


@dataclass(frozen=True, slots=True)
class _Plan:
    year: str
    n_topics: int
    n_systems: int
    n_humans: int
    n_references: int
    n_words: int
    tasks: tuple[str, ...]
    enough: float

    def __post_init__(self) -> None:
        if not (self.year.isascii() and self.year.isdigit()):
            raise ValueError(f"year is {self.year!r}; expected digits")
        for name, least in (("n_topics", 1), ("n_systems", 1), ("n_words", 10)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} is {getattr(self, name)}; expected at least {least}")
        if not 0 < self.enough <= 1:
            raise ValueError(f"enough is {self.enough}; expected above 0 and at most 1")
        if not 2 <= self.n_references <= self.n_humans:
            raise ValueError(f"n_references is {self.n_references}; expected 2 to n_humans = {self.n_humans}")
        if self.tasks not in (("A",), ("B",), ("A", "B"), ("B", "A")):
            raise ValueError(f"tasks are {list(self.tasks)}; expected A, B or both")


def generate_topics(
    seed: int,
    *,
    year: str = "2021",
    n_topics: int = 12,
    n_systems: int = 12,
    n_humans: int = 8,
    n_references: int = 4,
    n_words: int = 100,
    tasks: Sequence[str] = ("A", "B"),
    enough: float = 1.0,
) -> Iterator[Made]:
    """Make up one year of judged summaries topic by topic, which needs little memory.

    Parameters
    ----------
    seed : int
        0 or more; the same seed and sizes give the same rows on every platform.
    year : str
        Digits; part of the seed.
    n_topics, n_systems, n_humans : int
        How many of each, at least 1. All systems summarize all topics.
    n_references : int
        How many of the humans write about a topic, 2 to ``n_humans``; all humans write about equally many
        topics. The same humans write about both document sets of a topic, and all their summaries are judged.
    n_words : int
        The length at which summaries are cut, at least 10; beyond about 150 a topic runs out of facts.
    tasks : sequence of str
        ``"A"`` (initial), ``"B"`` (update) or both.
    enough : float
        As for `judges.judge`: below 1, good summaries crowd at the top of the scale.

    Yields
    ------
    Made
        The rows of one topic, all its tasks, humans before systems. ``summaries`` have year, instance_id,
        summarizer_id, summarizer_type and summary; ``judgments`` the same ids and metrics (pyramid,
        readability, responsiveness). The references of a row are the rows of type ``reference`` of its
        instance. ``units`` have year, topic, task, unit (a fact), summarizer (a human) and text (the sentence that
        tells it).

    Raises
    ------
    ValueError
        If a number is out of range, a task is unknown, or the year is not made of digits.
    """
    return _topics(
        seed, _Plan(year, n_topics, n_systems, n_humans, n_references, n_words, tuple(tasks), enough)
    )


def generate(seed: int, *, year: str = "2021", **sizes: Unpack[Sizes]) -> Made:
    """Make up one year of judged summaries: all rows of `generate_topics`, with the same ``sizes``.

    Examples
    --------
    >>> made = generate(1, n_topics=2, n_systems=3, tasks=["A"])
    >>> len(made.summaries), made.judgments[0]["instance_id"]
    (14, 'D2101-A')
    """
    return _joined(generate_topics(seed, year=year, **sizes))


def generate_years(
    seed: int, years: Sequence[str] = ("2021", "2022", "2023"), **sizes: Unpack[Sizes]
) -> Made:
    """Make up several years; each is the same as `generate` makes it alone."""
    return _joined(generate(seed, year=year, **sizes) for year in years)


def _joined(parts: Iterable[Made]) -> Made:
    joined = Made([], [], [])
    for part in parts:
        joined.summaries.extend(part.summaries)
        joined.judgments.extend(part.judgments)
        joined.units.extend(part.units)
    return joined


def writers_of(seed: int, *, year: str, n_systems: int, n_humans: int) -> tuple[list[Writer], list[Writer]]:
    """Give the humans and the systems of a year, with their traits."""
    return cast(_stream(seed, year, _CAST), n_systems, n_humans)


def topic_labels(seed: int, *, year: str = "2021", n_topics: int = 12) -> list[dict[str, str]]:
    """Give the kind of each topic's story as its category, and an assessor, dealt in turn: no score depends on it.

    Examples
    --------
    >>> [label["assessor"] for label in topic_labels(1, n_topics=5)]
    ['P', 'Q', 'R', 'P', 'Q']
    """
    return [
        {
            "year": year,
            "topic": _topic_name(year, place),
            "assessor": ASSESSORS[(place - 1) % len(ASSESSORS)],
            "category": imagine(_stream(seed, year, place, _STORY)).kind,
        }
        for place in range(1, n_topics + 1)
    ]


def _topic_name(year: str, place: int) -> str:
    return f"D{year[-2:]}{place:02d}"


def _topics(seed: int, plan: _Plan) -> Iterator[Made]:
    humans, systems = writers_of(seed, year=plan.year, n_systems=plan.n_systems, n_humans=plan.n_humans)
    written = [0] * plan.n_humans
    for place in range(1, plan.n_topics + 1):
        lots = _stream(seed, plan.year, place, _CAST)
        authors = [humans[i] for i in _authors(lots, written, plan.n_references)]
        story = imagine(_stream(seed, plan.year, place, _STORY))
        made = Made([], [], [])
        for task in plan.tasks:
            rng = _stream(seed, plan.year, place, _TASKS[task])
            _summarize(made, story, task, place, authors, systems, plan, rng)
        yield made


def _summarize(
    made: Made,
    story: Story,
    task: str,
    place: int,
    authors: Sequence[Writer],
    systems: Sequence[Writer],
    plan: _Plan,
    rng: np.random.Generator,
) -> None:
    """Write and judge the summaries of one document set, and add their rows."""
    team = [*authors, *systems]
    sources = documents(story, task, rng)
    drafts = {w.name: write(w, story, task, sources, n_words=plan.n_words, rng=rng) for w in team}
    judgments = judge(drafts, [w.name for w in authors], story, task, rng, enough=plan.enough)
    for writer in team:
        ids = _ids(plan.year, place, task, writer)
        made.summaries.append({**ids, "summary": {"text": list(drafts[writer.name].text)}})
        made.judgments.append({**ids, "metrics": judgments[writer.name]})
    for writer in authors:
        made.units.extend(
            _units(plan.year, _topic_name(plan.year, place), task, writer.name, drafts[writer.name])
        )


def _units(year: str, topic: str, task: str, name: str, draft: Draft) -> Iterator[Row]:
    """Give the sentences of a summary that hold a fact, once for each fact."""
    ids = {"year": year, "topic": topic, "task": task}
    for text, facts in zip(draft.text, draft.facts, strict=True):
        yield from ({**ids, "unit": str(fact), "summarizer": name, "text": text} for fact in facts)


def _authors(rng: np.random.Generator, written: list[int], n_references: int) -> list[int]:
    """Choose the humans who have written least so far, at random among equals, and count their work."""
    by_lot = shuffled(rng, range(len(written)))
    authors = sorted(sorted(by_lot, key=lambda i: written[i])[:n_references])
    for i in authors:
        written[i] += 1
    return authors


def _ids(year: str, place: int, task: str, writer: Writer) -> Row:
    return {
        "year": year,
        "instance_id": f"{_topic_name(year, place)}-{task}",
        "summarizer_id": writer.name,
        "summarizer_type": "reference" if writer.human else "peer",
    }


def _stream(seed: int, year: str, *place: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(int(year), *place)))
