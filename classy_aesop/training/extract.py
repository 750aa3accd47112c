"""Step one: each year's part of its corpus, the feature table, and the judgments and imported metrics beside it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from classy_aesop.config import Config, Cut, SearchOptions, Year
from classy_aesop.data import (
    KEYS,
    all_metrics,
    joined_humans,
    read_corpus,
    read_humans,
    read_metrics,
    settle_copies,
)
from classy_aesop.data.corpus import Corpus
from classy_aesop.data.scores import with_places
from classy_aesop.errors import InputError, listed
from classy_aesop.features.base import FEATURES, GROUPS
from classy_aesop.features.columns import ordered
from classy_aesop.features.table import feature_table
from classy_aesop.training.years import YearData, check_imported


def extract(
    config: Config, corpora: Mapping[str, Corpus] | None = None, *, n_jobs: int = 1, progress: bool = False
) -> tuple[YearData, ...]:
    """Read every year of the configuration, or take it from memory, and compute its features.

    Raises
    ------
    InputError
        A corpus that cannot be read, or a selection of topics, peers or references that leaves nothing.
    """
    read: dict[tuple[str, ...], Corpus] = {}
    found = [_corpus(year, corpora or {}, read) for year in config.years]
    years = tuple(
        scored_year(year, config, source)
        if corpus is None
        else extract_year(corpus, year, config, source, n_jobs=n_jobs, progress=progress)
        for year, (corpus, source) in zip(config.years, found, strict=True)
    )
    check_imported(years, config.search.extra or ())
    return years


def _corpus(
    year: Year, given: Mapping[str, Corpus], read: dict[tuple[str, ...], Corpus]
) -> tuple[Corpus | None, Hashable]:
    """Find the corpus that a year is a part of, and its source: an object in memory, a path, or score tables alone.

    Several years may be parts of one corpus, which is read once.
    """
    if year.name in given:
        return given[year.name], id(given[year.name])
    if not year.path and year.judgments:
        return None, (*year.scores, *year.judgments)
    if not year.path:
        raise InputError(
            f"years.{year.name}: neither a path nor a corpus is given, nor judgments with scores; "
            f"--data {year.name}=DIR gives a path"
        )
    key = (year.path, year.format, str(year.encoding), *map(str, year.columns.items()))
    if key not in read:
        read[key] = read_corpus(
            year.path,
            format=year.format,
            year=year.name if year.format == "nist" else None,
            columns=year.columns,
            encoding=year.encoding,
        )
    return read[key], str(Path(year.path).resolve())


def extract_year(
    corpus: Corpus,
    year: Year,
    config: Config,
    source: Hashable = None,
    *,
    n_jobs: int = 1,
    progress: bool = False,
) -> YearData:
    """Take a year's part of a corpus, compute its features, and put judgments and imported metrics beside them."""
    part = part_of(corpus, year, config.seed)
    topics, notes = settle_copies(part.topics, year.copies)
    part = part.with_topics(topics) if notes else part
    extra, scores = config.search.extra, None
    if extra != ():
        given = read_metrics(year.scores, year=year.name) if year.scores else None
        scores = all_metrics(corpus.scores, given)
    if scores is not None:
        scores = scores.assign(year=scores["year"].where(~scores["year"].isin(corpus.years), year.name))
    of_runs = [name for run in config.runs for name in run.names or () if name in (*FEATURES, *GROUPS)]
    of_default = SearchOptions().names if config.preset else ()  # which a preset's runs are compared with
    every = (config.search.names, tuple(dict.fromkeys(of_runs)), of_default)
    names = {name: None for some in every for name in ordered(some)}
    table = with_places(feature_table(part, config.features, names=names, n_jobs=n_jobs, progress=progress))
    known = ((year.name, topic.topic, topic.task, one.summarizer) for topic, one in corpus.summaries())
    return YearData.from_tables(
        year, part, table, scores, names=extra, known=known, notes=notes, source=source
    )


def part_of(corpus: Corpus, year: Year, seed: int) -> Corpus:
    """Take the topics, peers and references that the configuration names for a year."""
    names = sorted({topic.topic for topic in corpus.topics})
    selected = _selected_topics(names, year, seed)
    if not selected:
        raise InputError(f"years.{year.name}: no topic is left of {listed(names)}")
    try:
        part = corpus.select(topics=selected, references=year.references, exclude_peers=year.exclude_peers)
        return part.with_year(year.name)
    except InputError as error:
        raise InputError(f"years.{year.name}: {error}") from None


def scored_year(year: Year, config: Config, source: Hashable = None) -> YearData:
    """Take a year without texts from its score tables.

    Its corpus has judgments and no topics; its rows are the summaries that have a score or a judgment.

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
    judgments = _of_year(read_metrics(year.judgments, year=year.name, of_humans=True), year, "judgments")
    scores = _of_year(read_metrics(year.scores, year=year.name), year, "scores")
    topics = _selected_topics(sorted({*judgments["topic"], *scores["topic"]}), year, config.seed)
    judgments, scores = (_rows_of(table, topics, year) for table in (judgments, scores))
    rows = pd.concat([scores, judgments])[KEYS].drop_duplicates(ignore_index=True)
    if rows.empty:
        raise InputError(f"{where}: no scores are left of the topics and peers that are named")
    humans = joined_humans(*(read_humans(path, year=year.name) for path in (*year.scores, *year.judgments)))
    by_name = {summarizer: human for (_, summarizer), human in humans.items()}
    human = rows["summarizer"].map(lambda name: by_name.get(name, False)).astype(bool)
    table = rows.assign(human=human, n_references=0, n_earlier=0)
    return YearData.from_tables(
        year, Corpus((), judgments), table, scores, names=config.search.extra, source=source
    )


def _of_year(table: pd.DataFrame, year: Year, what: str) -> pd.DataFrame:
    """Take the rows of a year, or all if they are of one year, which then has the year's name."""
    of_year = table["year"] == year.name
    if of_year.any():
        return table[of_year]
    years = list(dict.fromkeys(table["year"]))
    if len(years) > 1:
        raise InputError(
            f"years.{year.name}.{what}: the files have the years {listed(years)}; expected {year.name}"
        )
    return table.assign(year=year.name)


def _rows_of(table: pd.DataFrame, topics: Sequence[str], year: Year) -> pd.DataFrame:
    kept = table["topic"].isin(list(topics)) & ~table["summarizer"].isin(list(year.exclude_peers))
    return table[kept].reset_index(drop=True)


def _selected_topics(names: list[str], year: Year, seed: int) -> list[str]:
    if year.topics is not None:
        return list(year.topics)
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
