"""A report on a corpus: counts of its contents, and what a careful user should know about it.

Systems whose summaries are near copies of each other's are often one system under two names. The features of the group
``consensus`` count near copies once; see `text.near_copies`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.data.corpus import Corpus, concerns
from classy_aesop.data.doubts import find_doubts, judged_tables
from classy_aesop.data.leaks import Leak, checked_length, find_leaks
from classy_aesop.data.scores import named, natural
from classy_aesop.data.topics import Topic, all_sentences
from classy_aesop.errors import listed
from classy_aesop.text.near_copies import NgramSets, find_near_copies
from classy_aesop.text.sentence_splitting import split_sentences
from classy_aesop.text.stems import STEMMERS
from classy_aesop.text.terms import term_ids
from classy_aesop.text.tokens import TOKENIZERS, Tokenizer, count_letters, describe_lost_letters
from classy_aesop.text.vocabulary import Vocabulary
from classy_aesop.work.workers import show_progress

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Alike:
    """Two systems, the number of topics on which they are near copies, and of those that both have."""

    first: str
    second: str
    n_topics: int
    of_topics: int


def find_alike(topics: Iterable[Topic], *, tokenizer: Tokenizer = "rouge") -> list[Alike]:
    """Find the systems that are near copies of each other on some topic, those on most topics first."""
    vocabulary = Vocabulary(TOKENIZERS[tokenizer], STEMMERS["exceptions" if tokenizer == "rouge" else "none"])
    alike, topics_of = Counter[tuple[str, str]](), defaultdict[str, set[int]](set)
    for number, topic in enumerate(topics):
        systems = tuple(one for one in topic.summaries if not one.human)
        for one in systems:
            topics_of[one.summarizer].add(number)
        ids = term_ids([split_sentences(one.text) for one in systems], vocabulary)
        no_topic = np.zeros(len(systems), np.intp)
        sets = [NgramSets.bigrams(ids, no_topic), NgramSets.content_words(ids, no_topic)]
        voices: dict[int, list[str]] = {}
        for at, one in zip(find_near_copies(sets, no_topic, ids.n_tokens > 0).tolist(), systems, strict=True):
            voices.setdefault(at, []).append(one.summarizer)
        for names in voices.values():
            alike.update(combinations(sorted(names, key=natural), 2))
    most = sorted(alike, key=lambda pair: (-alike[pair], *map(natural, pair)))
    return [Alike(a, b, alike[a, b], len(topics_of[a] & topics_of[b])) for a, b in most]


@dataclass(frozen=True, slots=True)
class MeasureCount:
    """One measure, or metric in the table (``scores``): how many summaries have it and lack it; its range."""

    measure: str
    judged: int
    missing: int
    least: float
    mean: float
    greatest: float
    kind: str = "judgments"


@dataclass(frozen=True, slots=True)
class CorpusReport:
    """A corpus in numbers.

    ``n_human`` are summaries by humans, and ``n_humans`` summarizers. ``references`` has each number of references that
    occurs, and how many topics have so many. ``empty`` are the summaries without a word.
    """

    years: tuple[str, ...]
    tasks: tuple[str, ...]
    n_topics: int
    n_summaries: int
    n_human: int
    n_summarizers: int
    n_humans: int
    references: tuple[tuple[int, int], ...]
    measures: tuple[MeasureCount, ...]
    empty: tuple[str, ...]
    leaks: tuple[Leak, ...]
    alike: tuple[Alike, ...]
    warnings: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def to_frame(self) -> pd.DataFrame:
        """Make a readable table of the report: the columns ``what`` and ``found``, both text."""
        import pandas as pd

        return pd.DataFrame(_lines(self), columns=["what", "found"], dtype=str)


def validate(corpus: Corpus, *, progress: bool = False) -> CorpusReport:
    """Count what is in a corpus and look for leaks, empty summaries and gaps; with a progress bar if asked for."""
    summaries = list(corpus.summaries())
    for topic in corpus:
        checked_length(topic)
    lost_letters = describe_lost_letters(count_letters(all_sentences(topic)) for topic in corpus)
    return CorpusReport(
        years=corpus.years,
        tasks=tuple(sorted({topic.task for topic in corpus})),
        n_topics=len(corpus),
        n_summaries=len(summaries),
        n_human=sum(summary.human for _, summary in summaries),
        n_summarizers=len({summary.summarizer for _, summary in summaries}),
        n_humans=len({summary.summarizer for _, summary in summaries if summary.human}),
        references=tuple(sorted(Counter(len(topic.references) for topic in corpus).items())),
        measures=(
            *_measures(corpus.judgments, len(summaries), "judgments"),
            *_measures(corpus.scores, len(summaries), "scores"),
        ),
        empty=tuple(
            named((*topic.key, summary.summarizer))
            for topic, summary in summaries
            if not " ".join(summary.text).strip()
        ),
        leaks=tuple(find_leaks(show_progress(corpus, "leaks", "topics", shown=progress, total=len(corpus)))),
        alike=tuple(
            find_alike(
                show_progress(corpus, "copies", "topics", shown=progress, total=len(corpus)),
                tokenizer="unicode" if lost_letters else "rouge",
            )
        ),
        warnings=(
            *concerns(corpus),
            *([lost_letters] if lost_letters else []),
            *find_doubts(*judged_tables(corpus)),
        ),
        notes=corpus.notes,
    )


def _lines(report: CorpusReport) -> Iterator[tuple[str, str]]:
    yield from ((what, found) for what, _, found in (note.partition(": ") for note in report.notes))
    yield "years", ", ".join(report.years) or "-"
    yield "tasks", ", ".join(report.tasks) or "-"
    yield "topics", str(report.n_topics)
    yield "summaries", f"{report.n_summaries}, {report.n_human} of them by humans"
    yield "summarizers", f"{report.n_summarizers}, {report.n_humans} of them human"
    yield from (("references", f"{count} in {topics} topics") for count, topics in report.references)
    for one in report.measures:
        spread = f"{one.least:g} to {one.greatest:g}, mean {one.mean:.4g}"
        yield f"{one.kind}: {one.measure}", f"{one.judged}, {one.missing} missing; {spread}"
    yield from (("empty summary", name) for name in report.empty)
    for leak in report.leaks:
        summary = named((leak.year, leak.topic, leak.task, leak.summarizer))
        yield "leak", f"{summary} repeats {leak.share:.0%} of reference {leak.reference}"
    if report.alike:
        pairs = (
            f"{one.first} and {one.second} on {one.n_topics} of {one.of_topics} topics"
            for one in report.alike
        )
        yield "near copies", listed(pairs, most=3)
    yield from (("warning", message) for message in report.warnings)


def _measures(table: pd.DataFrame, n_summaries: int, kind: str) -> Iterator[MeasureCount]:
    of_measures = {str(measure): scores.dropna() for measure, scores in table.groupby("metric")["score"]}
    for measure in sorted(of_measures, key=natural):
        numbers = of_measures[measure]
        yield MeasureCount(
            measure=measure,
            judged=len(numbers),
            missing=n_summaries - len(numbers),
            least=float(numbers.min()),
            mean=float(numbers.mean()),
            greatest=float(numbers.max()),
            kind=kind,
        )
