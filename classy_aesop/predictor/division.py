"""Which summaries a predictor scores, as rows of a feature table, and which it does not, with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from classy_aesop.data import KEYS, format_key, key_table
from classy_aesop.data.leaks import Copies, find_summaries_without_references, treat_copies
from classy_aesop.data.scores import add_stratum_columns
from classy_aesop.data.topics import Topic, drop_earlier_references
from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.features.table import TopicSource, add_imported_metrics, feature_table, read_topics
from classy_aesop.reading import all_metrics, ensure_tidy

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.predictor.parts import PredictorParts
    from classy_aesop.reading.score_tables import ScoreTables

SummaryKey = tuple[str, str, str, str]
"""Year, topic, task and summarizer."""

_TASK = KEYS.index("task")

Reasons = Mapping[str, Sequence[SummaryKey]]
"""Maps each reason why summaries have no score to these summaries."""


class ScoredRows(NamedTuple):
    """The rows that a predictor scores, and the summaries that it does not score."""

    table: pd.DataFrame  # a feature table
    without_reference: set[
        SummaryKey
    ]  # those that are compared with no reference although their topic has some
    unscored: Reasons  # the summaries that it does not score
    order: Iterable[SummaryKey]  # of all of them


def find_other_tasks(summaries: Iterable[SummaryKey], task: str) -> Reasons:
    """Give the summaries of another task than this, with the reason; ``""`` stands for any task."""
    unscored = [key for key in summaries if _is_other_task(key[_TASK], task)]
    tasks = ", ".join(sorted({key[_TASK] for key in unscored}))
    return {f"of task {tasks}, and it is for task {task}": unscored} if unscored else {}


def _is_other_task(task: str, task_of_predictor: str) -> bool:
    return bool(task and task_of_predictor and task != task_of_predictor)


def summary_keys(topics: Iterable[Topic]) -> Iterator[SummaryKey]:
    """Give year, topic, task and summarizer of each summary."""
    return ((*topic.key, summary.summarizer) for topic in topics for summary in topic.summaries)


def is_of_task(topics: Iterable[Topic], task: str) -> bool:
    """Whether one of the topics is of this task."""
    return not all(_is_other_task(topic.task, task) for topic in topics)


def add_unscored(scores: pd.DataFrame, unscored: Reasons, order: Iterable[SummaryKey]) -> pd.DataFrame:
    """Add the summaries that have no score, and put all in an order."""
    if not unscored:
        return scores
    import pandas as pd
    from pandas.api.types import is_string_dtype

    listed_keys = {
        *scores[KEYS].itertuples(index=False, name=None),
        *(key for names in unscored.values() for key in names),
    }
    rows = pd.MultiIndex.from_tuples([key for key in order if key in listed_keys], names=KEYS)
    table = scores.set_index(KEYS).reindex(rows).reset_index()
    text_columns = [name for name in map(str, table) if is_string_dtype(scores[name])]
    table[text_columns] = table[text_columns].fillna("")
    return table.assign(metric=scores["metric"].iloc[0])


def describe_reasons(reasons: Reasons) -> str:
    """Count the summaries of each reason, and name the first."""
    return "; ".join(
        f"{len(names)} {why} ({join_names(map(format_key, names), limit=3)})"
        for why, names in reasons.items()
    )


def rows_of_corpus(
    predictor: PredictorParts,
    source: TopicSource,
    scores: ScoreTables | None,
    copies: Copies,
    *,
    n_jobs: int,
    progress: bool,
) -> ScoredRows:
    """Make the feature rows of the topics of the predictor's task, with imported metrics."""
    corpus = read_topics(source)
    scores = all_metrics(getattr(corpus, "scores", None), scores)
    all_topics = tuple(corpus)
    topics = [topic for topic in all_topics if not _is_other_task(topic.task, predictor.task)]
    if not topics:
        tasks = sorted({topic.task for topic in all_topics})
        contents = f"tasks {tasks}" if tasks else "no topics"
        raise InputError(
            f"predictor {predictor.name} is for task {predictor.task!r}; the corpus has {contents}"
        )
    if not any("@" in name for name in predictor.plain_columns):
        topics = [*drop_earlier_references(topics)]
    treated, _ = treat_copies(tuple(topics), copies)
    table = feature_table(
        treated,
        predictor.features,
        names=dict.fromkeys(
            column.partition("@")[0] for column in predictor.computed_of(predictor.plain_columns)
        ),
        near_copies=predictor.features.references == "none",
        n_jobs=n_jobs,
        progress=progress,
    )
    table = add_stratum_columns(table)
    if predictor.imported and scores is not None:
        table = add_imported_metrics(
            table,
            scores,
            names=predictor.imported,
            instances_of_corpus=key_table(summary_keys(all_topics)),
        )
    return ScoredRows(
        table,
        find_summaries_without_references(treated),
        find_other_tasks(summary_keys(all_topics), predictor.task),
        summary_keys(all_topics),
    )


def rows_of_scores(predictor: PredictorParts, scores: ScoreTables | None) -> ScoredRows:
    """Make rows of imported metrics alone, all of systems."""
    if scores is None:
        raise UsageError("nothing to score; expected a corpus, or scores of summaries")
    of_texts = predictor.computed_of(predictor.plain_columns)
    if of_texts:
        raise InputError(
            f"predictor {predictor.name} reads {join_names(of_texts)} of texts; expected a corpus, not scores alone"
        )
    scores = add_stratum_columns(ensure_tidy(scores))
    instances = scores[KEYS].drop_duplicates(ignore_index=True)
    order = list(instances.itertuples(index=False, name=None))
    unscored = find_other_tasks(order, predictor.task)
    left_out = {key for names in unscored.values() for key in names}
    rows = [key for key in order if key not in left_out]
    if not rows:
        raise InputError(f"predictor {predictor.name} can score no summary: {describe_reasons(unscored)}")
    table = key_table(rows).assign(human=False, n_references=0, n_earlier=0)
    return ScoredRows(
        add_imported_metrics(table, scores, names=predictor.imported, instances_of_corpus=instances),
        set(),
        unscored,
        order,
    )
