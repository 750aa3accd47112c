"""Step one: each year's part of its corpus, the feature table, and the judgments beside it."""

from __future__ import annotations

import fnmatch
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from classy_aesop.config import Config, Cut, Year
from classy_aesop.corpus import read_corpus, settle_copies
from classy_aesop.corpus.corpus import Corpus
from classy_aesop.errors import InputError, listed
from classy_aesop.features.base import FEATURES, GROUPS
from classy_aesop.features.columns import ordered
from classy_aesop.features.imported import all_imported, with_imported
from classy_aesop.features.table import feature_table
from classy_aesop.scores import KEYS, check_range, key_table, natural, read_metrics
from classy_aesop.training.scored import COUNTS, read_scored


@dataclass(frozen=True)
class YearData:
    """One year: its corpus, its feature table, and the judgments as one column a measure, row by row the same.

    ``imported`` names those columns of the feature table that are imported metrics; ``notes`` say what was done with
    summaries that repeat a reference; years of one ``source`` are parts of one corpus.
    """

    name: str
    corpus: Corpus
    features: pd.DataFrame
    judgments: pd.DataFrame
    imported: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    source: Hashable = None

    @property
    def has_texts(self) -> bool:
        """Whether there are texts, and so features, beside scores."""
        return len(self.corpus) > 0


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
    given = corpora or {}
    found = [None if _is_scored(year, given) else _corpus(year, given, read) for year in config.years]
    years = []
    for year, corpus in zip(config.years, found, strict=True):
        if corpus is None:
            years.append(_scored_year(year, config))
            continue
        data = extract_year(corpus, year, config, n_jobs=n_jobs, progress=progress)
        years.append(replace(data, source=_source(year, given)))
    _check_imported(years, config.search.extra or ())
    return tuple(years)


def _is_scored(year: Year, given: Mapping[str, Corpus]) -> bool:
    """Whether a year has no texts, but score tables."""
    return bool(year.judgments and not year.path and year.name not in given)


def _scored_year(year: Year, config: Config) -> YearData:
    """Take a year from its score tables alone."""
    corpus, table = read_scored(
        year, config.search.extra, lambda names, year: _chosen_topics(names, year, config.seed)
    )
    table = _sorted_rows(table)
    imported = tuple(str(column) for column in table if column not in (*KEYS, *COUNTS))
    source = *year.scores, *year.judgments
    return YearData(year.name, corpus, table, judge(corpus, year, table), imported, source=source)


def _source(year: Year, given: Mapping[str, Corpus]) -> Hashable:
    """Tell where a year's corpus comes from: an object in memory, or a path."""
    return id(given[year.name]) if year.name in given else str(Path(year.path).resolve())


def _corpus(year: Year, given: Mapping[str, Corpus], read: dict[tuple[str, ...], Corpus]) -> Corpus:
    """Find a year's whole corpus; several years may be parts of one, which is read once."""
    if year.name in given:
        return given[year.name]
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
    return read[key]


def extract_year(
    corpus: Corpus, year: Year, config: Config, *, n_jobs: int = 1, progress: bool = False
) -> YearData:
    """Take a year's part of a corpus and compute its features."""
    whole = part_of(corpus, year, config.seed)
    topics, notes = settle_copies(whole.topics, year.copies)
    part = whole.with_topics(topics) if notes else whole
    features = _sorted_rows(
        feature_table(part, config.features, names=_names(config), n_jobs=n_jobs, progress=progress)
    )
    judgments = judge(part, year, features)
    if not year.scores and corpus.scores.empty:
        return YearData(year.name, part, features, judgments, notes=notes)
    table = _import(features, corpus, year, config.search.extra)
    return YearData(year.name, part, table, judgments, tuple(table.columns[features.shape[1] :]), notes)


def _sorted_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Sort by topic, task and summarizer, humans first, so that learning does not depend on the order of a file."""
    keys = zip(table["topic"], table["task"], ~table["human"], table["summarizer"], strict=True)
    names = [(natural(topic), natural(task), is_system, natural(who)) for topic, task, is_system, who in keys]
    return table.iloc[sorted(range(len(names)), key=names.__getitem__)].reset_index(drop=True)


def _names(config: Config) -> list[str]:
    """List the features that the search or a run of its own names; what is none of them is an imported metric."""
    own = [name for run in config.runs for name in run.names or () if name in (*FEATURES, *GROUPS)]
    return list(dict.fromkeys((*ordered(config.search.names), *ordered(dict.fromkeys(own)))))


def _import(
    features: pd.DataFrame, corpus: Corpus, year: Year, names: tuple[str, ...] | None
) -> pd.DataFrame:
    """Put the year's imported metrics beside its features; all of the corpus is known, whatever part is used."""
    given = read_metrics(year.scores, year=year.name, format=year.scores_format) if year.scores else None
    scores = all_imported(corpus, given)
    if scores is None or names == ():
        return features
    scores = scores.assign(year=scores["year"].where(~scores["year"].isin(corpus.years), year.name))
    known = key_table(
        (year.name, topic.topic, topic.task, one.summarizer) for topic, one in corpus.summaries()
    )
    try:
        return with_imported(features, scores, names=names, known=known)
    except InputError as error:
        raise InputError(f"years.{year.name}.scores: {error}") from None


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


def judge(corpus: Corpus, year: Year, features: pd.DataFrame) -> pd.DataFrame:
    """Put the judgments beside the features: a row a summary, a column a measure, NaN where nobody judged."""
    judgments = corpus.judgments
    _check_known(year, "ranges", year.ranges, judgments)
    _check_known(year, "scale", year.scale, judgments)
    for table in (judgments, corpus.ratings):
        check_range(table, year.ranges)
    rows = pd.MultiIndex.from_frame(features[KEYS])
    columns = {}
    for name, scores in judgments.groupby("metric", sort=False):
        measure = str(name)
        values = scores.set_index(KEYS)["score"].reindex(rows).to_numpy()
        columns[measure] = rescale(values, year.scale[measure]) if measure in year.scale else values
    return pd.DataFrame(columns, index=features.index)


def _check_known(year: Year, key: str, measures: Mapping[str, object], judgments: pd.DataFrame) -> None:
    known = list(judgments["metric"].unique())
    unknown = [measure for measure in measures if measure not in known]
    if unknown and known:
        raise InputError(
            f"years.{year.name}.{key}: no measure {listed(unknown)}; the corpus has {listed(known)}"
        )


def rescale(values: np.ndarray, scale: str) -> np.ndarray:
    """Map judgments on 1 to 10 to 1 to 5.

    ``ten_to_five`` is 4/9 (x - 1) + 1. Departs from the paper: Rankel (2016), section 2.4.1, prints 5/9 (``printed``),
    which sends 10 to 6. ``bins`` is ceil(x / 2), the verbal labels of Table 2.2.

    Examples
    --------
    >>> [float(rescale(np.array([10.0]), scale)[0]) for scale in ("ten_to_five", "printed", "bins")]
    [5.0, 6.0, 5.0]
    """
    if scale == "bins":
        return np.ceil(values / 2)
    return {"ten_to_five": 4, "printed": 5}[scale] / 9 * (values - 1) + 1
