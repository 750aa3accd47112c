"""Step one: each year's part of its corpus as tables that stand row by row side by side.

These are features, imported metrics, of which all years have the same, and human judgments.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from classy_aesop.config import PEERS, Config, Cut, Place, SearchOptions, Year
from classy_aesop.data import (
    JACKKNIFED,
    KEYS,
    all_metrics,
    check_range,
    joined_humans,
    key_table,
    natural,
    read_corpus,
    read_humans,
    read_metrics,
    settle_copies,
)
from classy_aesop.data.checks import unmet
from classy_aesop.data.corpus import Corpus
from classy_aesop.data.human_copies import find_human_copy
from classy_aesop.data.scores import with_places
from classy_aesop.errors import InputError, listed
from classy_aesop.features.registry import FEATURES, GROUPS, ordered
from classy_aesop.features.relative import relative_values
from classy_aesop.features.table import feature_table, with_imported
from classy_aesop.search import Design


@dataclass(frozen=True)
class PlaceData:
    """The summaries of one task and peer set, row by row the same in both tables.

    ``judgments`` has the human measures that are judged there, each under its own name. Among all peers a measure's
    jackknifed twin (``pyramid_jackknifed``) stands for it; among systems alone the twin is not used.
    """

    features: pd.DataFrame
    judgments: pd.DataFrame

    @classmethod
    def of(cls, features: pd.DataFrame, judgments: pd.DataFrame, peers: str) -> PlaceData:
        """Name the measures that any of these rows is judged by."""
        judged = {str(name): scores for name, scores in judgments.items() if scores.notna().any()}
        plain = {name: scores for name, scores in judged.items() if not name.endswith(JACKKNIFED)}
        if peers == "all_peers":
            plain = {name: judged.get(name + JACKKNIFED, scores) for name, scores in plain.items()}
        return cls(features, pd.DataFrame(plain, index=features.index))

    def design(
        self, columns: Sequence[str], measures: Sequence[str], *, compared: Sequence[str] = ()
    ) -> Design:
        """Give features, human measures, and who and what each row is about, as arrays.

        The forms of the ``compared`` columns that are relative to the topic come after the ``columns``.
        """
        topics = pd.factorize(self.features["topic"])[0]
        plain = self.features[list(columns)].to_numpy(float)
        relative = relative_values(self.features[list(compared)].to_numpy(float), topics)
        return Design(
            X=np.hstack([plain, relative]),
            Y=self.judgments[list(measures)].to_numpy(float),
            summarizers=pd.factorize(self.features["summarizer"])[0],
            topics=topics,
        )


@dataclass(frozen=True)
class YearData:
    """One year: its corpus, its feature table, and the judgments as one column a measure, row by row the same."""

    name: str
    corpus: Corpus
    features: pd.DataFrame
    judgments: pd.DataFrame
    imported: tuple[str, ...] = ()  # the columns of the feature table that are imported metrics
    notes: tuple[str, ...] = ()  # what was done with summaries that repeat a reference
    source: Hashable = None  # years of one are parts of one corpus

    @classmethod
    def from_tables(
        cls,
        year: Year,
        corpus: Corpus,
        table: pd.DataFrame,
        scores: pd.DataFrame | None = None,
        *,
        names: Sequence[str] | None = None,
        known: Iterable[tuple[str, ...]] | None = None,
        notes: tuple[str, ...] = (),
        source: Hashable = None,
    ) -> YearData:
        """Put judgments and imported metrics beside the rows of a feature table.

        The corpus may be a part, or judgments alone. ``names`` say which imported metrics to take of the score table,
        by default all; ``known`` are the keys of all that the corpus is a part of: scores of the rest are dropped
        without a warning. A judgment out of its range, a measure that is not judged, or a metric that is not imported
        is an `InputError`.
        """
        # by topic, task and summarizer, humans first, so that learning does not depend on the order of a file
        keys = zip(table["topic"], table["task"], ~table["human"], table["summarizer"], strict=True)
        places = [
            (natural(topic), natural(task), of_system, natural(who)) for topic, task, of_system, who in keys
        ]
        features = table.iloc[sorted(range(len(places)), key=places.__getitem__)].reset_index(drop=True)
        judgments = _judge(corpus, year, features)
        imported: tuple[str, ...] = ()
        if scores is not None:
            every = None if known is None else key_table(known)
            try:
                joined = with_imported(features, scores, names=names, known=every)
            except InputError as error:
                raise InputError(f"years.{year.name}.scores: {error}") from None
            features, imported = joined, tuple(joined.columns[features.shape[1] :])
        return cls(year.name, corpus, features, judgments, imported, notes, source)

    @property
    def has_texts(self) -> bool:
        """Whether there are texts, and so features, beside scores."""
        return len(self.corpus) > 0

    @cached_property
    def places(self) -> Mapping[Place, PlaceData]:
        """The rows of each of its tasks among each peer set."""
        found = {}
        for task, features in self.features.groupby("task"):
            for peers in PEERS:
                rows = features if peers == "all_peers" else features[~features["human"]]
                judgments = self.judgments.loc[rows.index]
                found[Place(str(task), peers)] = PlaceData.of(rows, judgments, peers)
        return found

    @cached_property
    def unmet(self) -> set[tuple[str, str, str, str]]:
        """The summaries that are compared with no reference although their topic has some."""
        return unmet(self.corpus)


def _judge(corpus: Corpus, year: Year, features: pd.DataFrame) -> pd.DataFrame:
    """Put the judgments beside the features: a row a summary, a column a measure, NaN where nobody judged."""
    judgments = corpus.judgments
    known = list(judgments["metric"].unique())
    for key, measures in (("ranges", year.ranges), ("scale", year.scale)):
        unknown = [measure for measure in measures if measure not in known]
        if unknown and known:
            raise InputError(
                f"years.{year.name}.{key}: no measure {listed(unknown)}; the corpus has {listed(known)}"
            )
    rows = pd.MultiIndex.from_frame(features[KEYS])
    columns = {}
    for name, scores in judgments.groupby("metric", sort=False):
        measure = str(name)
        values = scores.set_index(KEYS)["score"].reindex(rows).to_numpy()
        columns[measure] = rescale(values, year.scale[measure]) if measure in year.scale else values
    for table in (judgments, corpus.ratings):
        check_range(table, year.ranges)
    return pd.DataFrame(columns, index=features.index)


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


def training_years(years: Sequence[YearData]) -> Sequence[YearData]:
    """Give the years that are learned from: all but the last, or the only one."""
    return years[:-1] or years


def check_imported(years: Sequence[YearData], wanted: Sequence[str]) -> None:
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


def check_human_copies(years: Sequence[YearData]) -> None:
    """Refuse an imported metric that is a human measure: it would learn the judgments from themselves.

    Raises
    ------
    InputError
        A metric has the name of a human measure, equals one in nearly all cells, or is a linear function of one; see
        :func:`classy_aesop.data.human_copies.find_human_copy`.
    """
    for year in years:
        for name in year.imported:
            if name in year.judgments:
                raise InputError(
                    f"years.{year.name}.scores: {name} has the name of a human measure, which would be learned from "
                    "itself; expected scores of metrics alone (search.extra names those wanted), or another name"
                )
            for measure, human in year.judgments.items():
                copy = find_human_copy(name, str(measure), year.features[name], human)
                if copy is not None:
                    raise InputError(
                        f"years.{year.name}.scores: {copy}, which would be learned from itself; expected scores of "
                        "metrics alone (search.extra names those wanted)"
                    )


def extract(
    config: Config, corpora: Mapping[str, Corpus] | None = None, *, n_jobs: int = 1, progress: bool = False
) -> tuple[YearData, ...]:
    """Read every year of the configuration, or take it from memory, and compute its features."""
    read: dict[tuple[str, ...], Corpus] = {}
    found = [_corpus(year, corpora or {}, read) for year in config.years]
    years = tuple(
        scored_year(year, config, source)
        if corpus is None
        else extract_year(corpus, year, config, source, n_jobs=n_jobs, progress=progress)
        for year, (corpus, source) in zip(config.years, found, strict=True)
    )
    check_imported(years, config.search.extra or ())
    check_human_copies(years)
    return years


def _corpus(
    year: Year, given: Mapping[str, Corpus], read: dict[tuple[str, ...], Corpus]
) -> tuple[Corpus | None, Hashable]:
    """Find the corpus that a year is a part of, read once, and its source: an object, a path, or score tables alone."""
    if year.name in given:
        return given[year.name], id(given[year.name])
    if not year.path and year.judgments:
        return None, (*year.scores, *year.judgments)
    if not year.path:
        raise InputError(
            f"years.{year.name}: neither a path nor a corpus is given, nor judgments with scores; "
            f"--data {year.name}=DIR gives a path"
        )
    key = (year.path, year.layout, str(year.encoding), *map(str, year.columns.items()))
    if key not in read:
        read[key] = read_corpus(
            year.path,
            layout=year.layout,
            year=year.name if year.layout == "nist" else None,
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
    needs_none = config.features.references == "none"
    needs_none = needs_none or not any(one.references or one.earlier_references for one in part)
    # where nothing else is compared with, nobody gains by copies; what is learned from is taken as it is
    voices = needs_none and year in config.years[1:][-1:]
    table = feature_table(part, config.features, names=names, voices=voices, n_jobs=n_jobs, progress=progress)
    known = ((year.name, topic.topic, topic.task, one.summarizer) for topic, one in corpus.summaries())
    return YearData.from_tables(
        year, part, with_places(table), scores, names=extra, known=known, notes=notes, source=source
    )


def part_of(corpus: Corpus, year: Year, seed: int) -> Corpus:
    """Take the topics, peers and references that the configuration names for a year."""
    names = sorted({topic.topic for topic in corpus.topics})
    selected = _selected_topics(names, year, seed)
    if not selected:
        raise InputError(f"years.{year.name}: no topic is left of {listed(names)}")
    try:
        part = corpus.select(topics=selected, references=year.references, exclude=year.exclude)
        return part.with_year(year.name)
    except InputError as error:
        raise InputError(f"years.{year.name}: {error}") from None


def scored_year(year: Year, config: Config, source: Hashable = None) -> YearData:
    """Take a year without texts from its score tables: its corpus has judgments alone, and a row one or a score."""
    where = f"years.{year.name}"
    if not year.scores:
        raise InputError(f"{where}.scores: none; without a path a year needs scores to learn from")
    if year.references is not None or year.copies != "keep":
        raise InputError(f"{where}: references and copies need texts; expected neither without a path")
    judgments = _of_year(read_metrics(year.judgments, year=year.name, of_humans=True), year, "judgments")
    scores = _of_year(read_metrics(year.scores, year=year.name), year, "scores")
    topics = _selected_topics(sorted({*judgments["topic"], *scores["topic"]}), year, config.seed)
    judgments, scores = (
        table[table["topic"].isin(topics) & ~table["summarizer"].isin(year.exclude)].reset_index(drop=True)
        for table in (judgments, scores)
    )
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


def _selected_topics(names: list[str], year: Year, seed: int) -> list[str]:
    if year.topics is not None:
        return list(year.topics)
    return cut_topics(names, year.cut, seed) if year.cut else names


def cut_topics(names: list[str], cut: Cut, seed: int) -> list[str]:
    """Deal the topics, sorted by name and shuffled by the seed, into parts of equal size (within one); give one."""
    order = np.random.default_rng(seed if cut.seed is None else cut.seed).permutation(len(names))
    return [sorted(names)[place] for place in np.array_split(order, cut.parts)[cut.part - 1]]
