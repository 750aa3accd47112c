"""Summaries that a predictor cannot score: which they are, and why."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.data import KEYS, key_table, named
from classy_aesop.data.checks import unmet
from classy_aesop.data.streaming import UNSCORED
from classy_aesop.data.topics import Topic
from classy_aesop.errors import listed
from classy_aesop.features.registry import is_of_sources

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.text.arrays import Booleans

Key = tuple[str, str, str, str]
"""Year, topic, task and summarizer."""

_TASK = KEYS.index("task")

Reasons = Mapping[str, Sequence[Key]]
"""Maps each reason why summaries have no score to these summaries."""


@dataclass(frozen=True)
class Division:
    """The topics that a predictor scores, and the summaries of the other topics with the reason."""

    topics: tuple[Topic, ...]
    others: Reasons

    @classmethod
    def of(cls, topics: Iterable[Topic], *, task: str, earlier: bool) -> Division:
        """Set the topics of another task apart; without ``earlier`` no earlier references are compared with."""
        every = list(topics)
        of_task = [topic for topic in every if not _is_other(topic.task, task)]
        read = of_task if earlier else [replace(topic, earlier_references=()) for topic in of_task]
        others = (topic for topic in every if _is_other(topic.task, task))
        return cls(tuple(read), of_other_task(keys(others), task))

    @cached_property
    def unmet(self) -> set[Key]:
        """The summaries that are compared with no reference although their topic has some."""
        return unmet(self.topics)


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


def lacking(
    table: pd.DataFrame, columns: Sequence[str], *, reported: Collection[Key]
) -> tuple[Booleans, dict[str, list[Key]]]:
    """Find the rows of a feature table that lack one of these columns, and why.

    Parameters
    ----------
    table : DataFrame
        The features, one row a summary.
    columns : sequence of str
        Those that are needed.
    reported : collection of keys
        Summaries whose lack is reported elsewhere.

    Returns
    -------
    lacks : array of bool, shape (n_summaries,)
        Whether a row lacks one of the columns.
    reasons : dict
        The reasons, with the summaries that are not in ``reported``.
    """
    missing = np.isnan(table[list(columns)].to_numpy(float))
    if not missing.any():
        return np.zeros(len(table), bool), {}
    lacks = np.asarray(missing.any(axis=1), bool)
    update = np.array(["@" in column for column in columns], bool)
    of_sources = np.array([is_of_sources(column) for column in columns], bool)
    reasons: dict[str, list[Key]] = {}
    some = table.loc[lacks, [*KEYS, "n_references"]].itertuples(index=False, name=None)
    for (*key, n_references), is_missing in zip(some, missing[lacks], strict=True):
        if (*key,) in reported:
            continue
        if is_missing[of_sources].any():
            why = "whose topic has no source documents"
        elif n_references == 0:
            why = "without a reference to be compared with"
        elif is_missing[update].any():
            why = "without earlier references"
        else:
            why = "whose topic has too few references to leave one out, or earlier ones that it does not read"
        reasons.setdefault(why, []).append((key[0], key[1], key[2], key[3]))
    return lacks, reasons


def described(reasons: Reasons) -> str:
    """Count the summaries of each reason, and name the first."""
    return "; ".join(
        f"{len(names)} {why} ({listed(map(named, names), most=3)})" for why, names in reasons.items()
    )
