"""The data of the benchmarks: made-up years of TAC's size, and real corpora if they are available."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.made_up import generate
from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop import Corpus, feature_table
from classy_aesop.features import columns
from classy_aesop.features.registry import CLASSY2011
from classy_aesop.search import Rows

if TYPE_CHECKING:
    import pandas as pd

KEYS = ["year", "topic", "task", "summarizer"]
SEED = 2011


@dataclass(frozen=True)
class Size:
    """How much is made up, searched and repeated.

    Parameters
    ----------
    n_topics, n_systems, n_humans : int
        Of a year. Four humans write about each topic.
    n_names : int
        The first so many features are searched.
    n_subsets : int
        Most subsets that a slow peer fits.
    n_peer_topics : int
        Topics that a slow peer of ROUGE scores.
    n_rounds : int
        Measured rounds.
    """

    n_topics: int = 44
    n_systems: int = 56
    n_humans: int = 8
    n_names: int = 13
    n_subsets: int = 256
    n_peer_topics: int = 4
    n_rounds: int = 3


FULL = Size()
QUICK = Size(n_topics=4, n_systems=10, n_humans=4, n_names=5, n_subsets=12, n_peer_topics=1, n_rounds=1)


@lru_cache(maxsize=4)
def made_up_year(size: Size, year: str = "2021") -> Corpus:
    """Make up one year, tasks A and B, of 100-word summaries."""
    made = generate(SEED, year=year, n_topics=size.n_topics, n_systems=size.n_systems, n_humans=size.n_humans)
    return corpus_of_records(made.summaries, made.judgments)


@dataclass(frozen=True)
class SearchData:
    """A year to fit on, a year to score on, and the columns of each name.

    Parameters
    ----------
    train, select : Rows
    groups : list of lists of int
    names : tuple of str
    target : int
        Column of Y.
    """

    train: Rows
    select: Rows
    groups: list[list[int]]
    names: tuple[str, ...]
    target: int


def made_up_search(size: Size, task: str) -> SearchData:
    """Make the search of one task: all peers, three measures, 13 columns for task A and 19 for B."""
    train, select = (made_up_year(size, year).select(tasks=[task]) for year in ("2021", "2022"))
    names = CLASSY2011[: size.n_names]
    measures = sorted(set(train.judgments["metric"]))
    held = columns(names, update=task == "B")
    groups = [[held.index(column) for column in columns([name], update=task == "B")] for name in names]
    return SearchData(
        train=design(train, held, measures),
        select=design(select, held, measures),
        groups=groups,
        names=names,
        target=measures.index("responsiveness"),
    )


def read_summeval(shared: Path) -> Corpus:
    """Read SummEval from a folder that holds ``data/summeval``."""
    from classy_aesop import read_corpus

    return read_corpus(shared / "data" / "summeval")


def design(corpus: Corpus, held: Sequence[str], measures: Sequence[str]) -> Rows:
    """Compute features, and join them with the judgments row by row."""
    table = feature_table(corpus, names=CLASSY2011)
    wide = corpus.judgments.pivot(index=KEYS, columns="metric", values="score")
    judged = wide.reindex(table.set_index(KEYS).index)
    return Rows(
        X=table[list(held)].to_numpy(float),
        Y=judged[list(measures)].to_numpy(float),
        summarizers=codes(table["summarizer"]),
        topics=codes(table["topic"]),
    )


def codes(names: pd.Series[str]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Number the distinct names."""
    return np.unique(names.to_numpy(str), return_inverse=True)[1].astype(np.int64)
