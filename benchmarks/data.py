"""The data of the benchmarks: made-up years of TAC's size, and real corpora if they are available."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.made_up import generate
from classy_aesop import Corpus, feature_table
from classy_aesop.features import columns
from classy_aesop.features.registry import CLASSY2011
from classy_aesop.search import Rows

if TYPE_CHECKING:
    import pandas as pd

KEYS = ["year", "topic", "task", "summarizer"]
SEED = 2011
REAL = ("summeval", "realsumm")


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
    return Corpus.from_records(made.summaries, made.judgments)


@dataclass(frozen=True)
class SearchData:
    """A year to fit on, a year to score on, and the columns of each name.

    Parameters
    ----------
    title : str
        What the data are.
    train, select : Rows
    groups : list of lists of int
    names : tuple of str
    target : int
        Column of Y.
    """

    title: str
    train: Rows
    select: Rows
    groups: list[list[int]]
    names: tuple[str, ...]
    target: int


def made_up_search(size: Size, task: str) -> SearchData:
    """Make the search of one task: all peers, three measures, 13 columns for task A and 19 for B."""
    years = [made_up_year(size, year).select(tasks=[task]) for year in ("2021", "2022")]
    names = CLASSY2011[: size.n_names]
    train, select = years
    title = f"made-up years, task {task}"
    return _search(title, train, select, names, target="responsiveness", update=task == "B")


def real_corpus(name: str, shared: Path) -> Corpus:
    """Read one of `REAL` from a folder that holds ``data/NAME``."""
    from classy_aesop import read_corpus

    return read_corpus(shared / "data" / name)


def real_search(name: str, corpus: Corpus, size: Size) -> SearchData:
    """Make the search of a real corpus: fitted on every other topic, scored on the rest, first measure predicted."""
    topics = sorted({topic.topic for topic in corpus.topics})
    train, select = (corpus.select(topics=topics[start::2]) for start in (0, 1))
    target = sorted(set(corpus.judgments["metric"]))[0]
    return _search(name, train, select, CLASSY2011[: size.n_names], target=target, update=False)


def _search(
    title: str, train: Corpus, select: Corpus, names: tuple[str, ...], *, target: str, update: bool
) -> SearchData:
    measures = sorted(set(train.judgments["metric"]))
    held = columns(names, update=update)
    designs = [design(corpus, held, measures) for corpus in (train, select)]
    listed = [[held.index(column) for column in columns([name], update=update)] for name in names]
    title = f"{title}: {len(designs[0].X):,} rows, {len(held)} columns in {len(names)} groups"
    return SearchData(title, designs[0], designs[1], listed, names, measures.index(target))


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


def more_columns(data: SearchData, n_names: int) -> SearchData:
    """Give single columns as names: those that there are, then mixtures of two of them with noise."""
    rng = np.random.default_rng(SEED)
    p = data.train.X.shape[1]
    pairs = rng.integers(p, size=(max(0, n_names - p), 2))

    def widened(one: Rows) -> Rows:
        Z = (one.X - data.train.X.mean(axis=0)) / data.train.X.std(axis=0)
        mixed = Z[:, pairs[:, 0]] + Z[:, pairs[:, 1]] + rng.standard_normal((len(Z), len(pairs)))
        return Rows(np.hstack([one.X, mixed])[:, :n_names], one.Y, one.summarizers, one.topics)

    names = tuple(f"column{k}" for k in range(1, n_names + 1))
    listed = [[k] for k in range(n_names)]
    return SearchData(data.title, widened(data.train), widened(data.select), listed, names, data.target)
