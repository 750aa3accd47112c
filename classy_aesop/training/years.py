"""Step one: each year's part of its corpus as tables that stand row by row side by side.

These are features, imported metrics, of which all years have the same, and human judgments.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from classy_aesop.config import PEERS, RUN_PRESETS, Config, Cut, SearchOptions, TaskPeers, Year
from classy_aesop.data import JACKKNIFED, KEYS, check_range, key_table, natural, treat_copies
from classy_aesop.data.human_copies import describe_human_copy
from classy_aesop.data.leaks import find_summaries_without_references
from classy_aesop.data.scores import add_stratum_columns
from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.features.registry import FEATURES, GROUPS, sort_features
from classy_aesop.features.relative import relative_values
from classy_aesop.features.table import add_imported_metrics, feature_table
from classy_aesop.reading import all_metrics, merge_humans, read_corpus, read_humans, read_metrics
from classy_aesop.reading.column_names import is_human_measure
from classy_aesop.reading.corpus import Corpus
from classy_aesop.training.year_rows import YearRows


@dataclass(frozen=True)
class TaskPeersData:
    """The summaries of one task and peer set, row by row the same in both tables.

    ``judgments`` has the human measures that are judged there, each under its own name. Among all peers a measure's
    jackknifed twin (``pyramid_jackknifed``) stands for it; among systems alone the twin is not used.
    """

    features: pd.DataFrame
    judgments: pd.DataFrame

    @classmethod
    def select(cls, features: pd.DataFrame, judgments: pd.DataFrame, peers: str) -> TaskPeersData:
        """Select the measures by which any of these rows is judged."""
        judged = {str(name): scores for name, scores in judgments.items() if scores.notna().any()}
        plain = {name: scores for name, scores in judged.items() if not name.endswith(JACKKNIFED)}
        if peers == "all_peers":
            plain = {name: judged.get(name + JACKKNIFED, scores) for name, scores in plain.items()}
        return cls(features, pd.DataFrame(plain, index=features.index))

    def rows(
        self, columns: Sequence[str], measures: Sequence[str], *, compared: Sequence[str] = ()
    ) -> YearRows:
        """Return features, human measures, and the summarizer and topic of each row, as arrays."""
        topics, _ = pd.factorize(self.features["topic"])
        summarizers, _ = pd.factorize(self.features["summarizer"])
        plain = self.features[list(columns)].to_numpy(float)
        relative = relative_values(self.features[list(compared)].to_numpy(float), topics)
        return YearRows(
            X=np.hstack([plain, relative]),
            Y=self.judgments[list(measures)].to_numpy(float),
            summarizers=summarizers,
            topics=topics,
            years=np.zeros(len(topics), dtype=np.int64),
            topic_names=self.features["topic"].to_numpy(object),
            summarizer_names=self.features["summarizer"].to_numpy(object),
            human=self.features["human"].to_numpy(bool),
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
        all_keys: Iterable[tuple[str, ...]] | None = None,
        notes: tuple[str, ...] = (),
        source: Hashable = None,
    ) -> YearData:
        """Join judgments and imported metrics to the rows of a feature table."""
        # by topic, task and summarizer, humans first, so that learning does not depend on the order of a file
        keys = zip(table["topic"], table["task"], ~table["human"], table["summarizer"], strict=True)
        sort_keys = [
            (natural(topic), natural(task), of_system, natural(summarizer))
            for topic, task, of_system, summarizer in keys
        ]
        features = table.iloc[sorted(range(len(sort_keys)), key=sort_keys.__getitem__)].reset_index(drop=True)
        judgments = _join_judgments(corpus, year, features)
        imported: tuple[str, ...] = ()
        if scores is not None:
            key_rows = None if all_keys is None else key_table(all_keys)
            try:
                joined = add_imported_metrics(features, scores, names=names, instances_of_corpus=key_rows)
            except InputError as error:
                raise InputError(f"years.{year.name}.scores: {error}") from None
            imported = tuple(joined.columns[features.shape[1] :])
            features = joined
        return cls(year.name, corpus, features, judgments, imported, notes, source)

    @property
    def has_texts(self) -> bool:
        """Whether there are texts, and so features, beside scores."""
        return len(self.corpus) > 0

    @cached_property
    def data_by_task_and_peers(self) -> Mapping[TaskPeers, TaskPeersData]:
        """The rows of each of its tasks and each peer set."""
        places = {}
        for task, features in self.features.groupby("task"):
            for peers in PEERS:
                rows = features if peers == "all_peers" else features[~features["human"]]
                judgments = self.judgments.loc[rows.index]
                places[TaskPeers(str(task), peers)] = TaskPeersData.select(rows, judgments, peers)
        return places

    @cached_property
    def keys_without_references(self) -> set[tuple[str, str, str, str]]:
        """The summaries that are compared with no reference although their topic has some."""
        return find_summaries_without_references(self.corpus)


def _join_judgments(corpus: Corpus, year: Year, features: pd.DataFrame) -> pd.DataFrame:
    """Put the judgments beside the features: a row a summary, a column a measure, NaN where nobody judged."""
    judgments = corpus.judgments
    measures_of_corpus = list(judgments["metric"].unique())
    for key, measures in (("ranges", year.ranges), ("scale", year.scale)):
        missing = [measure for measure in measures if measure not in measures_of_corpus]
        if missing and measures_of_corpus:
            raise InputError(
                f"years.{year.name}.{key}: no measure {join_names(missing)}; "
                f"the corpus has {join_names(measures_of_corpus)}"
            )
    rows = pd.MultiIndex.from_frame(features[KEYS])
    columns = {}
    for name, scores in judgments.groupby("metric", sort=False):
        measure = str(name)
        values = scores.set_index(KEYS)["score"].reindex(rows).to_numpy()
        columns[measure] = (
            ten_to_five_points(values, year.scale[measure]) if measure in year.scale else values
        )
    for table in (judgments, corpus.ratings):
        check_range(table, year.ranges)
    return pd.DataFrame(columns, index=features.index)


def ten_to_five_points(values: np.ndarray, scale: str) -> np.ndarray:
    """Map judgments on 1 to 10 to 1 to 5.

    ``ten_to_five`` is 4/9 (x - 1) + 1. Departs from the paper: Rankel (2016), section 2.4.1, prints 5/9, which sends 10
    to 6. ``bins`` is ceil(x / 2), the verbal labels of Table 2.2.

    Examples
    --------
    >>> [float(ten_to_five_points(np.array([2.0]), scale)[0].round(3)) for scale in ("ten_to_five", "bins")]
    [1.444, 1.0]
    """
    return np.ceil(values / 2) if scale == "bins" else 4 / 9 * (values - 1) + 1


def training_years(years: Sequence[YearData]) -> Sequence[YearData]:
    """Return the years that are learned from: all but the last, or the only one."""
    return years[:-1] or years


def check_imported(years: Sequence[YearData], required: Sequence[str]) -> None:
    """Raise `InputError` for years without the required metrics, with different ones, or with and without texts."""
    if len({year.has_texts for year in years}) > 1:
        bare = join_names([year.name for year in years if not year.has_texts])
        raise InputError(
            f"the years {bare} have scores without texts, others have texts; expected one or the other"
        )
    if len({frozenset(year.imported) for year in years}) > 1:
        listing = "; ".join(
            f"{year.name} has {join_names(year.imported, limit=20) or 'none'}" for year in years
        )
        raise InputError(
            f"the years do not have the same imported metrics: {listing}; search.extra names those wanted"
        )
    absent = [name for name in required if name not in years[0].imported]
    if absent:
        raise InputError(f"search.extra: no imported metric {join_names(absent)}; the years have no scores")


def check_human_copies(years: Sequence[YearData], targets: Collection[str]) -> None:
    """Refuse an imported metric that is a human measure: it would learn the judgments from themselves.

    One table may hold metrics and judgments, and be named as both: a name in both is a human measure if it is a target,
    or called as human measures are.
    """
    for year in years:
        for name in year.imported:
            if name in targets or (name in year.judgments and is_human_measure(name)):
                raise InputError(
                    f"years.{year.name}.scores: {name} has the name of a human measure, which would be learned from "
                    "itself; expected scores of metrics alone (search.extra names those wanted), or another name"
                )
            for measure, human in year.judgments.items():
                if measure in year.imported:
                    continue
                copy = describe_human_copy(name, str(measure), year.features[name], human)
                if copy:
                    raise InputError(
                        f"years.{year.name}.scores: {copy}, which would be learned from itself; expected scores of "
                        "metrics alone (search.extra names those wanted)"
                    )


def extract(
    config: Config, corpora: Mapping[str, Corpus] | None = None, *, n_jobs: int = 1, progress: bool = False
) -> tuple[YearData, ...]:
    """Read every year of the configuration, or take it from memory, and compute its features."""
    corpora_read: dict[tuple[str, ...], Corpus] = {}
    corpora_found = [_find_corpus(year, corpora or {}, corpora_read) for year in config.years]
    years = tuple(
        year_from_scores(year, config, source)
        if corpus is None
        else extract_year(corpus, year, config, source, n_jobs=n_jobs, progress=progress)
        for year, (corpus, source) in zip(config.years, corpora_found, strict=True)
    )
    check_imported(years, config.search.extra or ())
    targets = {run.target for run in config.runs}
    targets |= {run.target for run in RUN_PRESETS.get(config.preset or "", ())}
    check_human_copies(years, targets)
    return years


def _find_corpus(
    year: Year, corpora: Mapping[str, Corpus], corpora_read: dict[tuple[str, ...], Corpus]
) -> tuple[Corpus | None, Hashable]:
    """Find the corpus that a year is a part of, and its source: an object in memory, a path, or score tables alone.

    Several years may be parts of one corpus, which is read once.
    """
    if year.name in corpora:
        return corpora[year.name], id(corpora[year.name])
    if not year.path and year.judgments:
        return None, (*year.scores, *year.judgments)
    if not year.path:
        raise InputError(
            f"years.{year.name}: neither a path nor a corpus is given, nor judgments with scores; "
            f"--data {year.name}=DIR gives a path"
        )
    key = (year.path, year.layout, str(year.encoding), *map(str, year.columns.items()))
    if key not in corpora_read:
        try:
            corpora_read[key] = read_corpus(
                year.path,
                layout=year.layout,
                year=year.name if year.layout == "nist" else None,
                columns=year.columns,
                encoding=year.encoding,
            )
        except UsageError as error:  # of an option of the command, which is a key here
            message = str(error).removeprefix(f"{year.path}: ").replace("--", "")
            raise InputError(f"years.{year.name}: {message}", path=year.path) from None
    return corpora_read[key], str(Path(year.path).resolve())


def extract_year(
    corpus: Corpus,
    year: Year,
    config: Config,
    source: Hashable = None,
    *,
    n_jobs: int = 1,
    progress: bool = False,
) -> YearData:
    """Select a year's part of a corpus, compute its features, and join judgments and imported metrics to them."""
    part = select_year_subset(corpus, year, config.seed)
    topics, notes = treat_copies(part.topics, year.copies)
    part = part.replace_topics(topics) if notes else part
    compares_without_references = config.features.references == "none" or not any(
        topic.references or topic.earlier_references for topic in part
    )
    # where nothing else is compared with, nobody gains by copies; what is learned from is used as it is
    discounts_copies = compares_without_references and year in config.years[1:][-1:]
    table = feature_table(
        part,
        config.features,
        names=_names_of_features(config),
        near_copies=discounts_copies,
        n_jobs=n_jobs,
        progress=progress,
    )
    all_keys = (
        (year.name, topic.topic, topic.task, summary.summarizer) for topic, summary in corpus.summaries()
    )
    return YearData.from_tables(
        year,
        part,
        add_stratum_columns(table),
        _imported_scores(corpus, year, config.search.extra),
        names=config.search.extra,
        all_keys=all_keys,
        notes=notes,
        source=source,
    )


def _names_of_features(config: Config) -> dict[str, None]:
    """Return the features of the search, of the runs, and of the default method if a preset is compared with it."""
    of_runs = [name for run in config.runs for name in run.names or () if name in (*FEATURES, *GROUPS)]
    of_default = SearchOptions().names if config.preset else ()
    names: dict[str, None] = {}
    for feature_set in (config.search.names, tuple(dict.fromkeys(of_runs)), of_default):
        names |= dict.fromkeys(sort_features(feature_set))
    return names


def _imported_scores(corpus: Corpus, year: Year, extra: tuple[str, ...] | None) -> pd.DataFrame | None:
    """Return the imported metrics of a year, of the corpus and of files, or None."""
    if extra == ():
        return None
    from_files = read_metrics(year.scores, year=year.name) if year.scores else None
    scores = all_metrics(corpus.scores, from_files)
    if scores is None:
        return None
    return scores.assign(year=scores["year"].where(~scores["year"].isin(corpus.years), year.name))


def select_year_subset(corpus: Corpus, year: Year, seed: int) -> Corpus:
    """Select the topics, peers and references that the configuration names for a year."""
    names = sorted({topic.topic for topic in corpus.topics})
    selected = _selected_topics(names, year, seed)
    if not selected:
        raise InputError(f"years.{year.name}: no topic is left of {join_names(names)}")
    try:
        part = corpus.select(topics=selected, references=year.references, exclude=year.exclude)
        return part.assign_year(year.name)
    except InputError as error:
        raise InputError(f"years.{year.name}: {error}") from None


def year_from_scores(year: Year, config: Config, source: Hashable = None) -> YearData:
    """Make a year without texts from its score tables.

    Its corpus has judgments and no topics; its rows are the summaries that have a score or a judgment.
    """
    key = f"years.{year.name}"
    if not year.scores:
        raise InputError(f"{key}.scores: none; without a path a year needs scores to learn from")
    if year.references is not None or year.copies != "keep":
        raise InputError(f"{key}: references and copies need texts; expected neither without a path")
    all_judgments = _select_year(read_metrics(year.judgments, year=year.name), year, "judgments")
    all_scores = _select_year(read_metrics(year.scores, year=year.name), year, "scores")
    topics = _selected_topics(sorted({*all_judgments["topic"], *all_scores["topic"]}), year, config.seed)
    judgments = _select_rows(all_judgments, topics, year.exclude)
    scores = _select_rows(all_scores, topics, year.exclude)
    rows = pd.concat([scores, judgments])[KEYS].drop_duplicates(ignore_index=True)
    if rows.empty:
        raise InputError(f"{key}: no scores are left of the topics and peers that are named")
    humans = merge_humans(*(read_humans(path, year=year.name) for path in (*year.scores, *year.judgments)))
    by_name = {summarizer: human for (_, summarizer), human in humans.items()}
    human = rows["summarizer"].map(lambda name: by_name.get(name, False)).astype(bool)
    table = rows.assign(human=human, n_references=0, n_earlier=0)
    return YearData.from_tables(
        year, Corpus((), judgments), table, scores, names=config.search.extra, source=source
    )


def _select_rows(table: pd.DataFrame, topics: Sequence[str], exclude: Sequence[str]) -> pd.DataFrame:
    """Select the rows of some topics, without the excluded summarizers."""
    is_selected = table["topic"].isin(topics) & ~table["summarizer"].isin(exclude)
    return table[is_selected].reset_index(drop=True)


def _select_year(table: pd.DataFrame, year: Year, key: str) -> pd.DataFrame:
    """Select the rows of a year, or all if they are of one year, which then gets the year's name."""
    of_year = table["year"] == year.name
    if of_year.any():
        return table[of_year]
    years = list(dict.fromkeys(table["year"]))
    if len(years) > 1:
        raise InputError(
            f"years.{year.name}.{key}: the files have the years {join_names(years)}; expected {year.name}"
        )
    return table.assign(year=year.name)


def _selected_topics(names: list[str], year: Year, seed: int) -> list[str]:
    """Return the topics that a year names, a cut of them, or all."""
    if year.topics is not None:
        return list(year.topics)
    return cut_topics(names, year.cut, seed) if year.cut else names


def cut_topics(names: list[str], cut: Cut, seed: int) -> list[str]:
    """Divide the topics, sorted by name and shuffled by the seed, into parts of equal size (within one); return one.

    Examples
    --------
    >>> [len(cut_topics([f"t{i:02}" for i in range(10)], Cut(part, 3), seed=1)) for part in (1, 2, 3)]
    [4, 3, 3]
    """
    order = np.random.default_rng(seed if cut.seed is None else cut.seed).permutation(len(names))
    return [sorted(names)[position] for position in np.array_split(order, cut.parts)[cut.part - 1]]
