"""The feature table: the features of all summaries of a corpus or of a plain list, and imported metrics beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import replace
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, overload

from classy_aesop.data import format_key
from classy_aesop.data.scores import drop_empty_stratum_columns
from classy_aesop.data.topics import ReferenceTexts, Texts, Topic, text_rows
from classy_aesop.errors import InputError, join_names, warn
from classy_aesop.features.counts import DEFAULT_OPTIONS, FeatureOptions, mark_humans
from classy_aesop.features.registry import (
    FEATURES,
    FeatureNames,
    abridge_columns,
    columns_of,
    needs_references,
    select_computable,
    sort_features,
    sort_row_features,
)
from classy_aesop.features.rows import BatchTable, Extractor
from classy_aesop.features.topic_batches import group_topics
from classy_aesop.keywords import explain_keywords
from classy_aesop.reading import align_scores
from classy_aesop.reading.given_tables import CorpusData, ensure_corpus
from classy_aesop.reading.streaming import Stream, StreamedTable
from classy_aesop.text.tokens import describe_lost_letters
from classy_aesop.work.workers import map_workers, progress_bar

if TYPE_CHECKING:
    import pandas as pd


FACTS = {
    "human": "whether a human wrote the summary",
    "empty": "whether it has no token",
    "n_references": "references that it is compared with",
    "n_earlier": "references of the earlier set",
}
"""Columns of a feature table between the key and the features, and what they say."""

TopicSource = CorpusData | Iterable[Topic]
"""Summaries and their references: what `ensure_corpus` takes (a corpus, a path, a table in memory), or topics."""


def read_topics(source: TopicSource) -> Iterable[Topic]:
    """Read what is no corpus yet: a path, or a table in memory; give topics as they are."""
    if isinstance(source, Iterator) or (
        isinstance(source, list | tuple) and all(isinstance(topic, Topic) for topic in source)
    ):
        return source  # type: ignore[return-value]
    return ensure_corpus(source)  # type: ignore[arg-type]


def count_topics(topics: Iterable[Topic]) -> int | None:
    """Count topics, unless they are a generator."""
    return len(topics) if isinstance(topics, Sized) else None


@overload
def feature_table(
    corpus: TopicSource,
    options: FeatureOptions = ...,
    *,
    names: FeatureNames | None = ...,
    near_copies: bool = ...,
    n_jobs: int = ...,
    progress: bool = ...,
) -> pd.DataFrame: ...


@overload
def feature_table(
    corpus: Stream,
    options: FeatureOptions = ...,
    *,
    names: FeatureNames | None = ...,
    near_copies: bool = ...,
    n_jobs: int = ...,
    progress: bool = ...,
) -> StreamedTable: ...


@explain_keywords(
    features="names=",
)
def feature_table(
    corpus: TopicSource | Stream,
    options: FeatureOptions = DEFAULT_OPTIONS,
    *,
    names: FeatureNames | None = None,
    near_copies: bool = False,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame | StreamedTable:
    """Compute the features of all summaries, one row each, in the order of the corpus.

    Parameters
    ----------
    corpus : Corpus, iterable of Topic, path-like or Stream
        The summaries and their references.
    options : FeatureOptions
        How texts are read and compared; stored in the table's ``attrs["features"]``.
    names : iterable of str, optional
        Which features and groups of features; by default `DEFAULT_FEATURES`.
    near_copies : bool
        Whether lightly edited copies are near copies too, and a column ``near_copy_of`` names the first system that a
        summary is a near copy of, often its own; where features look at the other summaries.
    n_jobs : int
        Number of processes, as for joblib; it does not change the table.
    progress : bool
        Show a progress bar on standard error.

    Returns
    -------
    pandas.DataFrame
        Columns ``year, topic, task, summarizer``, then `FACTS` (``n_references`` counts the references that the
        summary is compared with), then the features in the order of `columns`. If only some topics have earlier
        references, the table has the columns of both kinds, with NaN where a row lacks one. Of a `Stream` it is a
        `StreamedTable`.

    Warns
    -----
    DataWarning
        If ROUGE's tokenizer is used, which drops letters outside ASCII, and these are more than 5 % of the letters; if
        references are left out one at a time, and some topics have fewer than two.

    Raises
    ------
    InputError
        If a feature or group is unknown, or all need references and the options allow none; a summary has more than
        `MAX_SENTENCES` sentences; or no topic has a reference to leave out.

    Examples
    --------
    >>> from classy_aesop import Corpus
    >>> rows = [{"topic": "1", "system": "a", "summary": "Rain fell.", "reference": "Rain fell all day."}]
    >>> feature_table(Corpus.from_rows(rows), names=["r1", "r2"])[["summarizer", "r2", "r1"]].round(3).values.tolist()
    [['a', 0.333, 0.5]]
    """
    selected = select_computable(names, options.references)
    if isinstance(corpus, Stream):
        return corpus.table(partial(feature_table, options=options, names=selected), n_jobs=n_jobs)
    few_references = FewReferences()
    topics = read_topics(corpus)
    total = count_topics(topics)
    if options.references == "jackknife":
        topics = few_references.watch(topics)
    extractor = Extractor(options, tuple(selected), near_copies=near_copies)
    tasks = zip(repeat(extractor), group_topics(topics))
    batches: list[BatchTable] = []
    with progress_bar("features", total, "topics", shown=progress) as advance:
        for batch in map_workers(Extractor.compute_batch, tasks, n_jobs=n_jobs):
            batches.append(batch)
            advance(batch.n_topics)
    few_references.warn()
    warn_of_lost_letters(batch.letters for batch in batches)
    table = _join_tables([batch.table for batch in batches or [extractor.compute_batch([])]], selected)
    table.attrs["features"] = options.to_dict()
    return drop_empty_stratum_columns(table)


def warn_of_lost_letters(counts: Iterable[tuple[int, int]]) -> None:
    """Warn if more than 5 % of all letters are outside ASCII; ``counts`` come from `text.tokens.count_letters`."""
    if message := describe_lost_letters(counts):
        warn(message)


def _join_tables(tables: Sequence[pd.DataFrame], names: Sequence[str]) -> pd.DataFrame:
    """Join the tables of topics, with columns in table order; NaN in a column that a topic lacks."""
    import pandas as pd

    table = pd.concat(tables, ignore_index=True)
    possible = (column for name in names for update in (False, True) for column in columns_of(name, update))
    features = [column for column in dict.fromkeys(possible) if column in table]
    columns = [*(column for column in table if column not in features), *features]
    return table if columns == list(table) else table[columns]


@explain_keywords(
    features="names=",
)
def summary_features(
    summaries: Texts,
    references: ReferenceTexts,
    *,
    names: FeatureNames | None = None,
    options: FeatureOptions = DEFAULT_OPTIONS,
    topics: Iterable[object] | None = None,
    summarizers: Iterable[object] | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Compute the features of a list of summaries.

    Parameters
    ----------
    summaries, references
        As for `text_rows`.
    names : iterable of str, optional
        Which features and groups of features; by default `ALONE_FEATURES`.
    options : FeatureOptions
        How texts are read and compared.
    topics, summarizers : iterables, optional
        What each row is about, and who wrote it. They change no value, only the columns.
    n_jobs, progress
        As for `feature_table`.

    Returns
    -------
    DataFrame
        A row a summary, in their order and with their index if they are a pandas Series; a column a feature. If
        topics or summarizers are given, the columns ``topic, summarizer`` come first, see `text_rows`.

    Raises
    ------
    InputError
        As `text_rows` and `registry.sort_row_features`.

    Examples
    --------
    >>> summary_features(["It rained all day.", "Snow fell."], ["Rain fell all day.", "Snow fell."], names=["r1"])
         r1
    0  0.75
    1  1.00
    """
    selected = sort_row_features(names)
    rows = text_rows(summaries, references, topics=topics, summarizers=summarizers)
    features = feature_table(rows.topics, options, names=selected, n_jobs=n_jobs, progress=progress)
    table = rows.table(features.drop(columns=[*FACTS]), like=summaries)
    return table.drop(columns=["topic", "summarizer"]) if topics is None and summarizers is None else table


class FewReferences:
    """Collects, from a stream of topics, those whose systems cannot be scored by leaving one reference out."""

    def __init__(self) -> None:
        self._topics: list[Topic] = []
        self._n_other_topics = 0

    def watch(self, topics: Iterable[Topic]) -> Iterator[Topic]:
        """Yield the topics, and note those with too few references."""
        for topic in topics:
            if len(topic.references) < 2 and not mark_humans(topic).all():
                self._topics.append(topic)
            else:
                self._n_other_topics += 1
            yield topic

    def warn(self) -> None:
        """Warn of these topics (`DataWarning`), or refuse them if there are no others (`InputError`)."""
        if self._topics and not self._n_other_topics:
            first = self._topics[0]
            problem = f"topic {' '.join(filter(None, first.key))} has {len(first.references)} references"
            raise InputError(f"{problem}; expected 2 or more to leave one out")
        if self._topics:
            message = (
                f"{len(self._topics)} topics have fewer than two references, of which one is left out; "
                f"their systems get no score: {join_names(format_key(topic.key) for topic in self._topics)}"
            )
            warn(message)


def add_imported_metrics(
    table: pd.DataFrame,
    scores: pd.DataFrame,
    *,
    names: Iterable[str] | None = None,
    instances_of_corpus: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Append to a feature table a column for each metric of a score table, NaN where a summary has no score."""
    selected = list(dict.fromkeys(scores["metric"] if names is None else names))
    absent = sorted(set(selected) - set(scores["metric"]))
    if absent:
        present = join_names(dict.fromkeys(scores["metric"]), limit=40)
        raise InputError(f"no imported metric {join_names(absent)}; the scores have {present}")
    clashing = [name for name in selected if name in table or name.split("@")[0] in FEATURES]
    if clashing:
        raise InputError(
            f"imported metric {join_names(clashing)} has the name of a column or a feature; expected another name"
        )
    selected_scores = scores[scores["metric"].isin(selected)]
    aligned = align_scores(table, selected_scores, instances_of_corpus=instances_of_corpus)
    joined = table.join(aligned[selected])
    joined.attrs |= table.attrs
    return joined


def describe_missing_references(topics: Iterable[Topic]) -> list[str]:
    """Say which of `DEFAULT_FEATURES` have no value, and for how many summaries."""
    is_compared = [any(topic.meets(summary)) for topic in topics for summary in topic.summaries]
    selected = sort_features(None)
    content = list(filter(needs_references, selected))
    if all(is_compared):
        return []
    return [
        f"{len(content)} of {len(selected)} features ({join_names(content, limit=3)}) compare with references; "
        f"{is_compared.count(False)} of {len(is_compared)} summaries have none to be compared with"
    ]


def adapt_options(topics: Iterable[Topic], options: FeatureOptions, names: Sequence[str]) -> FeatureOptions:
    """Give options that topics allow: with ``references = "none"`` where no topic has one."""
    content = list(filter(needs_references, names))
    if options.references == "none" or not content:
        return options
    if any(topic.references or topic.earlier_references for topic in topics):
        return options
    message = f"columns that need references are left out: {join_names(abridge_columns(content), limit=30)}"
    warn(message)
    return replace(options, references="none")
