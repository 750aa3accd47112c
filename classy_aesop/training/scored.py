"""Years without texts: score tables of metrics, and of human judgments, are all that is learned from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd

from classy_aesop.config import Year
from classy_aesop.corpus.corpus import Corpus
from classy_aesop.errors import InputError, listed
from classy_aesop.features.imported import with_imported
from classy_aesop.scores import KEYS, read_metrics
from classy_aesop.scores.humans import joined_humans, read_humans

COUNTS = ("human", "n_references", "n_earlier")
"""What a feature table says of each summary beside its key."""

Choose = Callable[[list[str], Year], list[str]]
"""Gives the topics of a year, of all their names."""


def read_scored(year: Year, names: Sequence[str] | None, choose: Choose) -> tuple[Corpus, pd.DataFrame]:
    """Read a year's score tables in place of its texts.

    Parameters
    ----------
    year : Year
        With ``judgments`` and ``scores``, and without a ``path``.
    names : sequence of str, optional
        The metrics that are wanted; by default all.
    choose : callable
        Gives the topics of the year.

    Returns
    -------
    corpus : Corpus
        Without topics, but with the judgments.
    table : DataFrame
        As a feature table: the keys of every summary that has a score or a judgment, ``human``, ``n_references`` and
        ``n_earlier`` (0), and a column for each metric.

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
    topics = choose(sorted({*judgments["topic"], *scores["topic"]}), year)
    judgments, scores = (_part(table, topics, year) for table in (judgments, scores))
    rows = pd.concat([scores, judgments])[KEYS].drop_duplicates(ignore_index=True)
    if rows.empty:
        raise InputError(f"{where}: no scores are left of the topics and peers that are named")
    humans = joined_humans(*(read_humans(path, year=year.name) for path in (*year.scores, *year.judgments)))
    by_name = {summarizer: human for (_, summarizer), human in humans.items()}
    human = rows["summarizer"].map(lambda name: by_name.get(name, False)).astype(bool)
    table = rows.assign(human=human, n_references=0, n_earlier=0)
    try:
        return Corpus((), judgments), with_imported(table, scores, names=names)
    except InputError as error:
        raise InputError(f"{where}.scores: {error}") from None


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


def _part(table: pd.DataFrame, topics: Sequence[str], year: Year) -> pd.DataFrame:
    kept = table["topic"].isin(list(topics)) & ~table["summarizer"].isin(list(year.exclude_peers))
    return table[kept].reset_index(drop=True)
