"""One year as tables that stand row by row side by side: features, imported metrics and human judgments.

All years have the same imported metrics.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from classy_aesop.config import PEERS, Place, Year
from classy_aesop.data import JACKKNIFED, KEYS, check_range, key_table, natural
from classy_aesop.data.checks import unmet
from classy_aesop.data.corpus import Corpus
from classy_aesop.errors import InputError, listed
from classy_aesop.features.imported import with_imported
from classy_aesop.features.relative import relative_values
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

    @property
    def has_references(self) -> bool:
        """Whether any of these summaries is compared with a reference."""
        return bool((self.features[["n_references", "n_earlier"]] > 0).any(axis=None))

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

        Parameters
        ----------
        year : Year
            As configured.
        corpus : Corpus
            Its part of a corpus, or its judgments alone.
        table : DataFrame
            A feature table; rows are sorted here.
        scores : DataFrame, optional
            A score table of imported metrics.
        names : sequence of str, optional
            Which of them to take; by default all.
        known : iterable of tuple of str, optional
            Keys of all that the corpus is a part of: scores of the rest are dropped without a warning.
        notes, source
            As above.

        Raises
        ------
        InputError
            A judgment out of its range, a measure that is not judged, or a metric that is not imported.
        """
        features = _sorted_rows(table)
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


def _sorted_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Sort by topic, task and summarizer, humans first, so that learning does not depend on the order of a file."""
    keys = zip(table["topic"], table["task"], ~table["human"], table["summarizer"], strict=True)
    names = [(natural(topic), natural(task), is_system, natural(who)) for topic, task, is_system, who in keys]
    return table.iloc[sorted(range(len(names)), key=names.__getitem__)].reset_index(drop=True)


def _judge(corpus: Corpus, year: Year, features: pd.DataFrame) -> pd.DataFrame:
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
