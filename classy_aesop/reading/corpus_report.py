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

from classy_aesop.data.doubts import find_doubts
from classy_aesop.data.leaks import Leak, count_characters, find_leaks
from classy_aesop.data.scores import format_key, natural
from classy_aesop.data.topics import Topic, all_sentences
from classy_aesop.errors import join_names
from classy_aesop.reading.corpus import Corpus, judged_tables, list_concerns
from classy_aesop.text.near_copies import NgramSets, group_near_copies
from classy_aesop.text.sentence_splitting import split_sentences
from classy_aesop.text.stems import STEMMERS
from classy_aesop.text.term_ids import term_ids
from classy_aesop.text.tokens import TOKENIZERS, Tokenizer, count_letters, describe_lost_letters
from classy_aesop.text.vocabulary import Vocabulary
from classy_aesop.work.workers import show_progress

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class NearCopies:
    """Two systems that are near copies on ``n_topics`` of the ``of_topics`` topics that both have."""

    first: str
    second: str
    n_topics: int
    of_topics: int


def find_near_copies(topics: Iterable[Topic], *, tokenizer: Tokenizer = "rouge") -> list[NearCopies]:
    """Find the systems that are near copies of each other on some topic, those on most topics first."""
    vocabulary = Vocabulary(TOKENIZERS[tokenizer], STEMMERS["exceptions" if tokenizer == "rouge" else "none"])
    n_topics_of_pair: Counter[tuple[str, str]] = Counter()
    topics_of_system: defaultdict[str, set[int]] = defaultdict(set)
    for number, topic in enumerate(topics):
        summaries = tuple(summary for summary in topic.summaries if not summary.human)
        for summary in summaries:
            topics_of_system[summary.summarizer].add(number)
        ids = term_ids([split_sentences(summary.text) for summary in summaries], vocabulary)
        no_topic = np.zeros(len(summaries), np.intp)
        sets = [NgramSets.bigrams(ids, no_topic), NgramSets.content_words(ids, no_topic)]
        group_of_summary = group_near_copies(sets, no_topic, ids.n_tokens > 0).tolist()
        systems_of_group: dict[int, list[str]] = {}
        for group, summary in zip(group_of_summary, summaries, strict=True):
            systems_of_group.setdefault(group, []).append(summary.summarizer)
        for names in systems_of_group.values():
            n_topics_of_pair.update(combinations(sorted(names, key=natural), 2))
    pairs = sorted(n_topics_of_pair, key=lambda pair: (-n_topics_of_pair[pair], *map(natural, pair)))
    return [
        NearCopies(a, b, n_topics_of_pair[a, b], len(topics_of_system[a] & topics_of_system[b]))
        for a, b in pairs
    ]


@dataclass(frozen=True, slots=True)
class MeasureCount:
    """One measure, or metric in the table (``scores``): how many summaries have it and lack it; its range."""

    measure: str
    judged: int
    missing: int
    minimum: float
    mean: float
    maximum: float
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
    near_copies: tuple[NearCopies, ...]
    warnings: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def to_frame(self) -> pd.DataFrame:
        """Make a readable table of the report: the columns ``what`` and ``found``, both text."""
        import pandas as pd

        return pd.DataFrame(_report_lines(self), columns=["what", "found"], dtype=str)


def validate(corpus: Corpus, *, progress: bool = False) -> CorpusReport:
    """Count what is in a corpus and look for leaks, empty summaries and gaps; with a progress bar if asked for."""
    summaries = list(corpus.summaries())
    for topic in corpus:
        count_characters(topic)
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
            *_count_measures(corpus.judgments, len(summaries), "judgments"),
            *_count_measures(corpus.scores, len(summaries), "scores"),
        ),
        empty=tuple(
            format_key((*topic.key, summary.summarizer))
            for topic, summary in summaries
            if not " ".join(summary.text).strip()
        ),
        leaks=tuple(find_leaks(show_progress(corpus, "leaks", "topics", shown=progress, total=len(corpus)))),
        near_copies=tuple(
            find_near_copies(
                show_progress(corpus, "copies", "topics", shown=progress, total=len(corpus)),
                tokenizer="unicode" if lost_letters else "rouge",
            )
        ),
        warnings=(
            *list_concerns(corpus),
            *([lost_letters] if lost_letters else []),
            *find_doubts(*judged_tables(corpus)),
        ),
        notes=corpus.notes,
    )


def _report_lines(report: CorpusReport) -> Iterator[tuple[str, str]]:
    for note in report.notes:
        subject, _, content = note.partition(": ")
        yield subject, content
    yield "years", ", ".join(report.years) or "-"
    yield "tasks", ", ".join(report.tasks) or "-"
    yield "topics", str(report.n_topics)
    yield "summaries", f"{report.n_summaries}, {report.n_human} of them by humans"
    yield "summarizers", f"{report.n_summarizers}, {report.n_humans} of them human"
    for n_references, n_topics in report.references:
        yield "references", f"{n_references} in {n_topics} topics"
    for count in report.measures:
        spread = f"{count.minimum:g} to {count.maximum:g}, mean {count.mean:.4g}"
        yield f"{count.kind}: {count.measure}", f"{count.judged}, {count.missing} missing; {spread}"
    yield from (("empty summary", name) for name in report.empty)
    for leak in report.leaks:
        summary = format_key((leak.year, leak.topic, leak.task, leak.summarizer))
        yield "leak", f"{summary} repeats {leak.share:.0%} of reference {leak.reference}"
    if report.near_copies:
        pairs = (
            f"{pair.first} and {pair.second} on {pair.n_topics} of {pair.of_topics} topics"
            for pair in report.near_copies
        )
        yield "near copies", join_names(pairs, most=3)
    yield from (("warning", message) for message in report.warnings)


def _count_measures(table: pd.DataFrame, n_summaries: int, kind: str) -> Iterator[MeasureCount]:
    of_measures = {str(measure): scores.dropna() for measure, scores in table.groupby("metric")["score"]}
    for measure in sorted(of_measures, key=natural):
        numbers = of_measures[measure]
        yield MeasureCount(
            measure=measure,
            judged=len(numbers),
            missing=n_summaries - len(numbers),
            minimum=float(numbers.min()),
            mean=float(numbers.mean()),
            maximum=float(numbers.max()),
            kind=kind,
        )
