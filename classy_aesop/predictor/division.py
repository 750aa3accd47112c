"""Which summaries a predictor scores, as rows of a feature table, and which it does not, with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from classy_aesop.data import KEYS, all_metrics, key_table, named, tidied
from classy_aesop.data.leaks import Copies, settle_copies, unmet
from classy_aesop.data.scores import with_places
from classy_aesop.data.topics import Topic
from classy_aesop.errors import InputError, UsageError, listed
from classy_aesop.features.counts import FeatureOptions
from classy_aesop.features.table import Source, feature_table, topics_of, with_imported
from classy_aesop.reading.streaming import UNSCORED

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.reading.score_rows import ScoreTables

Key = tuple[str, str, str, str]
"""Year, topic, task and summarizer."""

_TASK = KEYS.index("task")

Reasons = Mapping[str, Sequence[Key]]
"""Maps each reason why summaries have no score to these summaries."""


class Reads(NamedTuple):
    """What the predictor of a name and a task reads: plain columns, some of them imported metrics."""

    name: str
    task: str
    columns: tuple[str, ...]
    imported: tuple[str, ...]
    features: FeatureOptions

    def computed_of(self, columns: Iterable[str]) -> list[str]:
        """Give those of the columns that are computed from texts, and not imported."""
        imported = set(self.imported)
        return [column for column in columns if column not in imported]


class Rows(NamedTuple):
    """What a predictor scores."""

    table: pd.DataFrame  # a feature table
    unmet: set[Key]  # those that are compared with no reference although their topic has some
    others: Reasons  # the summaries that it does not score
    order: Iterable[Key]  # of all of them


def of_other_task(summaries: Iterable[Key], task: str) -> Reasons:
    """Give the summaries of another task than this, with the reason; ``""`` stands for any task."""
    others = [key for key in summaries if _is_other(key[_TASK], task)]
    tasks = ", ".join(sorted({key[_TASK] for key in others}))
    return {f"of task {tasks}, and it is for task {task}": others} if others else {}


def _is_other(task: str, wanted: str) -> bool:
    return bool(task and wanted and task != wanted)


def keys(topics: Iterable[Topic]) -> Iterator[Key]:
    """Give the keys of all summaries."""
    return ((*topic.key, one.summarizer) for topic in topics for one in topic.summaries)


def is_of_task(topics: Iterable[Topic], task: str) -> bool:
    """Whether one of the topics is of this task."""
    return not all(_is_other(topic.task, task) for topic in topics)


def unscored(
    topics: Iterable[Topic], name: str, numbers: Sequence[str], texts: Sequence[str]
) -> pd.DataFrame:
    """Give the summaries of a block, none of which a predictor can score, with what else its scores have."""
    table = key_table(keys(topics)).assign(metric=name, **dict.fromkeys(numbers, float("nan")))
    table = table.assign(**dict.fromkeys(texts, ""))
    table.attrs[UNSCORED] = True
    return table


def with_others(scores: pd.DataFrame, others: Reasons, order: Iterable[Key]) -> pd.DataFrame:
    """Add the summaries of other topics, without a score, and put all in an order."""
    if not others:
        return scores
    import pandas as pd

    there = {
        *scores[KEYS].itertuples(index=False, name=None),
        *(key for names in others.values() for key in names),
    }
    rows = pd.MultiIndex.from_tuples([key for key in order if key in there], names=KEYS)
    both = scores.set_index(KEYS).reindex(rows).reset_index()
    texts = {name: both[name].fillna("") for name in ("form", "group", "beyond", "outside") if name in both}
    return both.assign(metric=scores["metric"].iloc[0], **texts)


def described(reasons: Reasons) -> str:
    """Count the summaries of each reason, and name the first."""
    return "; ".join(
        f"{len(names)} {why} ({listed(map(named, names), most=3)})" for why, names in reasons.items()
    )


def rows_of_corpus(
    reads: Reads, source: Source, scores: ScoreTables | None, copies: Copies, *, n_jobs: int, progress: bool
) -> Rows:
    """Give the rows of the task's topics with the imported metrics, also those that came with the corpus."""
    corpus = topics_of(source)
    scores, every = all_metrics(getattr(corpus, "scores", None), scores), tuple(corpus)
    topics = [topic for topic in every if not _is_other(topic.task, reads.task)]
    others = keys(topic for topic in every if _is_other(topic.task, reads.task))
    if not topics:
        tasks = sorted({topic.task for topic in every})
        there = f"tasks {tasks}" if tasks else "no topics"
        raise InputError(f"predictor {reads.name} is for task {reads.task!r}; the corpus has {there}")
    if not any("@" in name for name in reads.columns):
        topics = [replace(topic, earlier_references=()) for topic in topics]
    settled, _ = settle_copies(tuple(topics), copies)
    table = feature_table(
        settled,
        reads.features,
        names=dict.fromkeys(column.partition("@")[0] for column in reads.computed_of(reads.columns)),
        voices=reads.features.references == "none",
        n_jobs=n_jobs,
        progress=progress,
    )
    table = with_places(table)
    if reads.imported and scores is not None:
        table = with_imported(table, scores, names=reads.imported, known=key_table(keys(every)))
    return Rows(table, unmet(settled), of_other_task(others, reads.task), keys(every))


def rows_of_scores(reads: Reads, scores: ScoreTables | None) -> Rows:
    """Give the rows of imported metrics alone, all of systems."""
    if scores is None:
        raise UsageError("nothing to score; expected a corpus, or scores of summaries")
    of_texts = reads.computed_of(reads.columns)
    if of_texts:
        raise InputError(
            f"predictor {reads.name} reads {listed(of_texts)} of texts; expected a corpus, not scores alone"
        )
    scores = with_places(tidied(scores))
    every = scores[KEYS].drop_duplicates(ignore_index=True)
    order = list(every.itertuples(index=False, name=None))
    others = of_other_task(order, reads.task)
    left_out = {key for names in others.values() for key in names}
    rows = [key for key in order if key not in left_out]
    if not rows:
        raise InputError(f"predictor {reads.name} can score no summary: {described(others)}")
    table = key_table(rows).assign(human=False, n_references=0, n_earlier=0)
    return Rows(with_imported(table, scores, names=reads.imported, known=every), set(), others, order)
