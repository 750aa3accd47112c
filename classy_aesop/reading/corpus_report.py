"""A report on a corpus: counts of its contents, and what a careful user should know about it.

Systems whose summaries are near copies of each other's are often one system under two names. The features of the group
``consensus`` count near copies once; see `text.near_copies`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.data.doubts import find_doubts
from classy_aesop.data.leaks import count_characters, find_leaks
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


def describe_near_copies(topics: Iterable[Topic], *, tokenizer: Tokenizer = "rouge") -> str:
    """Name the systems that are near copies of each other on some topic, those on most topics first."""
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
        systems_of_group: defaultdict[int, list[str]] = defaultdict(list)
        for group, summary in zip(group_of_summary, summaries, strict=True):
            systems_of_group[group].append(summary.summarizer)
        for names in systems_of_group.values():
            n_topics_of_pair.update(combinations(sorted(names, key=natural), 2))
    pairs = sorted(n_topics_of_pair, key=lambda pair: (-n_topics_of_pair[pair], *map(natural, pair)))
    counts = (
        f"{a} and {b} on {n_topics_of_pair[a, b]} of {len(topics_of_system[a] & topics_of_system[b])} topics"
        for a, b in pairs
    )
    return join_names(counts, limit=3)


def report_corpus(corpus: Corpus, *, progress: bool = False) -> pd.DataFrame:
    """Report what is in a corpus, and leaks and gaps: a table of text with the columns ``what`` and ``found``."""
    import pandas as pd

    return pd.DataFrame(_report_lines(corpus, progress), columns=["what", "found"], dtype=str)


def _report_lines(corpus: Corpus, progress: bool) -> Iterator[tuple[str, str]]:
    summaries = [summary for _, summary in corpus.summaries()]
    by_humans = [summary for summary in summaries if summary.human]
    n_summarizers = len({summary.summarizer for summary in summaries})
    n_humans = len({summary.summarizer for summary in by_humans})
    for topic in corpus:
        count_characters(topic)
    for note in corpus.notes:
        subject, _, content = note.partition(": ")
        yield subject, content
    yield "years", ", ".join(corpus.years) or "-"
    yield "tasks", ", ".join(sorted({topic.task for topic in corpus})) or "-"
    yield "topics", str(len(corpus))
    yield "summaries", f"{len(summaries)}, {len(by_humans)} of them by humans"
    yield "summarizers", f"{n_summarizers}, {n_humans} of them human"
    for n_references, n_topics in sorted(Counter(len(topic.references) for topic in corpus).items()):
        yield "references", f"{n_references} in {n_topics} topics"
    yield from _count_measures(corpus.judgments, len(summaries), "judgments")
    yield from _count_measures(corpus.scores, len(summaries), "scores")
    for topic, summary in corpus.summaries():
        if not " ".join(summary.text).strip():
            yield "empty summary", format_key((*topic.key, summary.summarizer))
    for leak in find_leaks(show_progress(corpus, "leaks", "topics", shown=progress, total=len(corpus))):
        name = format_key((leak.year, leak.topic, leak.task, leak.summarizer))
        yield "leak", f"{name} repeats {leak.share:.0%} of reference {leak.reference}"
    lost_letters = describe_lost_letters(count_letters(all_sentences(topic)) for topic in corpus)
    topics = show_progress(corpus, "copies", "topics", shown=progress, total=len(corpus))
    if near_copies := describe_near_copies(topics, tokenizer="unicode" if lost_letters else "rouge"):
        yield "near copies", near_copies
    for message in (*list_concerns(corpus), lost_letters, *find_doubts(*judged_tables(corpus))):
        if message:
            yield "warning", message


def _count_measures(table: pd.DataFrame, n_summaries: int, kind: str) -> Iterator[tuple[str, str]]:
    """Say how many summaries have each measure, or metric in the table (``scores``), and lack it; and its range."""
    of_measures = {str(measure): scores.dropna() for measure, scores in table.groupby("metric")["score"]}
    for measure in sorted(of_measures, key=natural):
        numbers = of_measures[measure]
        spread = f"{numbers.min():g} to {numbers.max():g}, mean {numbers.mean():.4g}"
        yield f"{kind}: {measure}", f"{len(numbers)}, {n_summaries - len(numbers)} missing; {spread}"
