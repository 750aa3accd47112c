"""The part of its data that a year takes: topics, summarizers and references of a corpus, or of score tables alone."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence

import numpy as np
import pandas as pd

from classy_aesop.config import Cut, Year
from classy_aesop.corpus.corpus import Corpus
from classy_aesop.errors import InputError, listed
from classy_aesop.scores import KEYS, read_metrics
from classy_aesop.scores.humans import joined_humans, read_humans


def part_of(corpus: Corpus, year: Year, seed: int) -> Corpus:
    """Take the topics, peers and references that the configuration names for a year."""
    names = sorted({topic.topic for topic in corpus.topics})
    chosen = _chosen_topics(names, year, seed)
    if not chosen:
        raise InputError(f"years.{year.name}: no topic is left of {listed(names)}")
    try:
        part = corpus.select(topics=chosen, references=year.references, exclude_peers=year.exclude_peers)
        return part.with_year(year.name)
    except InputError as error:
        raise InputError(f"years.{year.name}: {error}") from None


def part_of_scores(year: Year, seed: int) -> tuple[Corpus, pd.DataFrame, pd.DataFrame]:
    """Take a year without texts from its score tables.

    Parameters
    ----------
    year : Year
        With ``judgments`` and ``scores``, and without a ``path``.
    seed : int
        Of the cut.

    Returns
    -------
    corpus : Corpus
        Without topics, but with the judgments.
    table : DataFrame
        As a feature table: the keys of every summary that has a score or a judgment, ``human``, ``n_references`` and
        ``n_earlier`` (0).
    scores : DataFrame
        The score table of the metrics.

    Raises
    ------
    InputError
        There are no scores, or the year asks for what needs texts; a file that cannot be read.
    """
    where = f"years.{year.name}"
    if not year.scores:
        raise InputError(f"{where}.scores: none; without a path a year needs scores to learn from")
    if year.references is not None or year.copies != "keep":
        raise InputError(f"{where}: references and copies need texts; expected neither without a path")
    judgments = _of_year(read_metrics(year.judgments, year=year.name), year, "judgments")
    scores = _of_year(read_metrics(year.scores, year=year.name, format=year.scores_format), year, "scores")
    topics = _chosen_topics(sorted({*judgments["topic"], *scores["topic"]}), year, seed)
    judgments, scores = (_rows_of(table, topics, year) for table in (judgments, scores))
    rows = pd.concat([scores, judgments])[KEYS].drop_duplicates(ignore_index=True)
    if rows.empty:
        raise InputError(f"{where}: no scores are left of the topics and peers that are named")
    humans = joined_humans(*(read_humans(path, year=year.name) for path in (*year.scores, *year.judgments)))
    by_name = {summarizer: human for (_, summarizer), human in humans.items()}
    human = rows["summarizer"].map(lambda name: by_name.get(name, False)).astype(bool)
    return Corpus((), judgments), rows.assign(human=human, n_references=0, n_earlier=0), scores


def _of_year(table: pd.DataFrame, year: Year, what: str) -> pd.DataFrame:
    """Take the rows of a year, or all if they are of one year, which then has the year's name."""
    own = table["year"] == year.name
    if own.any():
        return table[own]
    years = list(dict.fromkeys(table["year"]))
    if len(years) > 1:
        raise InputError(
            f"years.{year.name}.{what}: the files have the years {listed(years)}; expected {year.name}"
        )
    return table.assign(year=year.name)


def _rows_of(table: pd.DataFrame, topics: Sequence[str], year: Year) -> pd.DataFrame:
    kept = table["topic"].isin(list(topics)) & ~table["summarizer"].isin(list(year.exclude_peers))
    return table[kept].reset_index(drop=True)


def _chosen_topics(names: list[str], year: Year, seed: int) -> list[str]:
    if year.topics is not None:
        return list(year.topics)
    if year.pattern is not None:
        return fnmatch.filter(names, year.pattern)
    return cut_topics(names, year.cut, seed) if year.cut else names


def cut_topics(names: list[str], cut: Cut, seed: int) -> list[str]:
    """Deal the topics, sorted by name and shuffled by the seed, into parts of equal size (within one); give one part.

    Examples
    --------
    >>> [len(cut_topics([f"t{i:02}" for i in range(10)], Cut(part, 3), seed=1)) for part in (1, 2, 3)]
    [4, 3, 3]
    """
    order = np.random.default_rng(seed if cut.seed is None else cut.seed).permutation(len(names))
    return [sorted(names)[place] for place in np.array_split(order, cut.parts)[cut.part - 1]]
