"""Step one: each year's part of its corpus, the feature table, and the judgments and imported metrics beside it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from classy_aesop.config import Config, Year
from classy_aesop.corpus import read_corpus, settle_copies
from classy_aesop.corpus.corpus import Corpus
from classy_aesop.errors import InputError, listed
from classy_aesop.features.base import FEATURES, GROUPS
from classy_aesop.features.columns import ordered
from classy_aesop.features.imported import all_imported
from classy_aesop.features.table import feature_table
from classy_aesop.scores import read_metrics
from classy_aesop.training.parts import part_of, part_of_scores
from classy_aesop.training.years import YearData


def extract(
    config: Config, corpora: Mapping[str, Corpus] | None = None, *, n_jobs: int = 1, progress: bool = False
) -> tuple[YearData, ...]:
    """Read every year of the configuration, or take it from memory, and compute its features.

    Raises
    ------
    InputError
        A corpus that cannot be read, or a choice of topics, peers or references that leaves nothing.
    """
    read: dict[tuple[str, ...], Corpus] = {}
    found = [_corpus(year, corpora or {}, read) for year in config.years]
    years = tuple(
        scored_year(year, config, source)
        if corpus is None
        else extract_year(corpus, year, config, source, n_jobs=n_jobs, progress=progress)
        for year, (corpus, source) in zip(config.years, found, strict=True)
    )
    _check_imported(years, config.search.extra or ())
    return years


def _corpus(
    year: Year, given: Mapping[str, Corpus], read: dict[tuple[str, ...], Corpus]
) -> tuple[Corpus | None, Hashable]:
    """Find a year's whole corpus, and its source: an object in memory, a path, or score tables, which have no corpus.

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
    key = (year.path, year.format, *map(str, year.columns.items()))
    if key not in read:
        read[key] = read_corpus(
            year.path,
            format=year.format,
            year=year.name if year.format == "nist" else None,
            columns=year.columns,
        )
    return read[key], str(Path(year.path).resolve())


def scored_year(year: Year, config: Config, source: Hashable = None) -> YearData:
    """Take a year from its score tables alone."""
    corpus, table, scores = part_of_scores(year, config.seed)
    return YearData.from_tables(year, corpus, table, scores, names=config.search.extra, source=source)


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
    scores = _scores(corpus, year) if config.search.extra != () else None
    part = part_of(corpus, year, config.seed)
    topics, notes = settle_copies(part.topics, year.copies)
    part = part.with_topics(topics) if notes else part
    own = [name for run in config.runs for name in run.names or () if name in (*FEATURES, *GROUPS)]
    names = dict.fromkeys((*ordered(config.search.names), *ordered(dict.fromkeys(own))))
    table = feature_table(part, config.features, names=list(names), n_jobs=n_jobs, progress=progress)
    known = ((year.name, topic.topic, topic.task, one.summarizer) for topic, one in corpus.summaries())
    extra = config.search.extra
    return YearData.from_tables(
        year, part, table, scores, names=extra, known=known, notes=notes, source=source
    )


def _scores(corpus: Corpus, year: Year) -> pd.DataFrame | None:
    """Give the year's imported metrics, of all the corpus."""
    given = read_metrics(year.scores, year=year.name, format=year.scores_format) if year.scores else None
    scores = all_imported(corpus, given)
    if scores is None:
        return None
    return scores.assign(year=scores["year"].where(~scores["year"].isin(corpus.years), year.name))


def _check_imported(years: Sequence[YearData], wanted: Sequence[str]) -> None:
    """Refuse years without the wanted metrics, or with different ones, or of which only some have texts."""
    if len({year.has_texts for year in years}) > 1:
        bare = listed([year.name for year in years if not year.has_texts])
        raise InputError(
            f"the years {bare} have scores without texts, others have texts; expected one or the other"
        )
    if len({frozenset(year.imported) for year in years}) > 1:
        listing = "; ".join(f"{year.name} has {listed(year.imported, most=20) or 'none'}" for year in years)
        raise InputError(
            f"the years do not have the same imported metrics: {listing}; search.extra names those wanted"
        )
    absent = [name for name in wanted if name not in years[0].imported]
    if absent:
        raise InputError(f"search.extra: no imported metric {listed(absent)}; the years have no scores")
