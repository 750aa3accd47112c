"""The feature table: the features of all summaries of a corpus or of a plain list, and imported metrics beside them."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from classy_aesop.data import KEYS, align_scores, format_key
from classy_aesop.data.scores import drop_empty_stratum_columns
from classy_aesop.data.topics import ReferenceTexts, Texts, Topic, text_rows
from classy_aesop.errors import InputError, listed, warn
from classy_aesop.features.batches import topic_groups
from classy_aesop.features.counts import FeatureOptions, is_human
from classy_aesop.features.registry import (
    FEATURES,
    Names,
    abridged,
    alone,
    columns,
    columns_of,
    given_references,
    needs_references,
    ordered,
)
from classy_aesop.features.relative import VOICE
from classy_aesop.features.rows import Extractor, TopicRows
from classy_aesop.reading.corpora import read_corpus
from classy_aesop.reading.streaming import Stream, StreamedTable
from classy_aesop.text.tokens import describe_lost_letters
from classy_aesop.work.workers import map_workers, show_progress

if TYPE_CHECKING:
    import pandas as pd


FACTS = ["human", "empty", "n_references", "n_earlier"]
"""Columns of a feature table between the key and the features."""

_LOG = logging.getLogger(__name__)
_DEFAULTS = FeatureOptions()


Source = str | Path | Iterable[Topic]
"""Summaries and their references: what `read_corpus` reads, a corpus, or topics."""


def topics_of(source: Source) -> Iterable[Topic]:
    """Read a path as `read_corpus` does; give anything else, a corpus or topics, as it is."""
    return read_corpus(source) if isinstance(source, str | Path) else source


def n_topics(topics: Iterable[Topic]) -> int | None:
    """Count topics, unless they are a generator."""
    return len(topics) if isinstance(topics, Sized) else None


@overload
def feature_table(
    corpus: Source,
    options: FeatureOptions = ...,
    *,
    names: Names | None = ...,
    voices: bool = ...,
    n_jobs: int = ...,
    progress: bool = ...,
) -> pd.DataFrame: ...


@overload
def feature_table(corpus: Stream, options: FeatureOptions = ..., **how: Any) -> StreamedTable: ...


def feature_table(  # type: ignore[misc]
    corpus: Source | Stream,
    options: FeatureOptions = _DEFAULTS,
    *,
    names: Names | None = None,
    voices: bool = False,
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
    voices : bool
        Whether lightly edited copies are near copies too, and a column ``voice`` names the first system that a summary
        is a near copy of, often its own; where features look at the other summaries.
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
        As `feature_rows`; or no topic has a reference to leave out.

    Examples
    --------
    >>> from classy_aesop import Corpus
    >>> rows = [{"topic": "1", "system": "a", "summary": "Rain fell.", "reference": "Rain fell all day."}]
    >>> feature_table(Corpus.from_rows(rows), names=["r1", "r2"])[["summarizer", "r2", "r1"]].round(3).values.tolist()
    [['a', 0.333, 0.5]]
    """
    selected = given_references(names, options.references)
    if isinstance(corpus, Stream):
        return corpus.table(partial(feature_table, options=options, names=selected), n_jobs=n_jobs)
    few, topics = FewReferences(), topics_of(corpus)
    total = n_topics(topics)
    if _LOG.isEnabledFor(logging.INFO):
        topics = _logged(topics, options)
    if options.references == "jackknife":
        topics = few.watch(topics)
    extractor = Extractor(options, tuple(selected), voices=voices)
    done = extractor.rows(topics)
    if n_jobs != 1:
        parts = zip(repeat(extractor), topic_groups(topics))
        done = chain.from_iterable(map_workers(_compute_rows, parts, n_jobs=n_jobs))
    rows = list(show_progress(done, "features", "topics", shown=progress, total=total))
    few.warn()
    if options.tokenizer == "rouge":
        warn_of_lost_letters(row.letters for row in rows)
    table = _framed(rows, selected)
    table.attrs["features"] = options.to_dict()
    return drop_empty_stratum_columns(table)


def _compute_rows(extractor: Extractor, topics: Sequence[Topic]) -> list[TopicRows]:
    return list(extractor.rows(topics))


def _logged(topics: Iterable[Topic], options: FeatureOptions) -> Iterator[Topic]:
    """Pass topics on; after the last one log how they were read."""
    n_topics, met, found = 0, Counter[int](), Counter[str]()
    for topic in topics:
        n_topics += 1
        met.update(sum(topic.meets(summary)) for summary in topic.summaries)
        for text in (summary.text for summary in topic.summaries):
            in_one_piece = options.sentences == "auto" and len(text) == 1 and "\n" not in text[0]
            found["split by rule" if in_one_piece or options.sentences == "split" else "as given"] += 1
        yield topic
    counts = ", ".join(f"{number} ({met[number]} summaries)" for number in sorted(met))
    _LOG.info("features of %d summaries on %d topics; references met: %s", met.total(), n_topics, counts)
    ways = ", ".join(f"{way} in {number} summaries" for way, number in found.items())
    _LOG.info("sentences (%s): %s; tokenizer: %s", options.sentences, ways, options.tokenizer)


def warn_of_lost_letters(counts: Iterable[tuple[int, int]]) -> None:
    """Warn if more than 5 % of all letters are outside ASCII; ``counts`` come from `text.tokens.letter_counts`."""
    if message := describe_lost_letters(counts):
        warn(message)


def _framed(rows: Sequence[TopicRows], names: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    sizes = np.array([len(row.values) for row in rows], np.intp)
    keys = {
        name: pd.Series([row.key[at] for row in rows], dtype=str).array.repeat(sizes)
        for at, name in enumerate(KEYS[:-1])
    }
    summarizers = chain.from_iterable(row.summarizers for row in rows)
    facts = (
        _stacked([row.is_human for row in rows], bool),
        _stacked([row.empty for row in rows], bool),
        _stacked([row.n_met for row in rows], np.int64),
        np.array([row.n_earlier for row in rows], np.int64).repeat(sizes),
    )
    last = pd.Series(list(summarizers), dtype=str)
    table = pd.DataFrame({**keys, KEYS[-1]: last, **dict(zip(FACTS, facts, strict=True))})
    if any(row.voice for row in rows):
        table[VOICE] = pd.Series([name for row in rows for name in row.voice], dtype=str)
    present = {column for row in rows for column in row.columns} or set(columns(names))
    possible = (
        column for name in names for is_update in (False, True) for column in columns_of(name, is_update)
    )
    order = [column for column in dict.fromkeys(possible) if column in present]
    values = np.full((len(table), len(order)), np.nan)
    start, place = 0, {column: at for at, column in enumerate(order)}
    for row in rows:
        stop, complete = start + len(row.values), row.columns == tuple(order)
        values[start:stop, slice(None) if complete else [place[column] for column in row.columns]] = (
            row.values
        )
        start = stop
    return pd.concat([table, pd.DataFrame(values, columns=order)], axis=1)


def _stacked(parts: Sequence[NDArray[np.generic]], dtype: type) -> NDArray[np.generic]:
    return np.concatenate(parts).astype(dtype) if parts else np.zeros(0, dtype)


def summary_features(
    summaries: Texts,
    references: ReferenceTexts,
    *,
    names: Names | None = None,
    options: FeatureOptions = _DEFAULTS,
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
        As `text_rows` and `registry.alone`.

    Examples
    --------
    >>> summary_features(["It rained all day.", "Snow fell."], ["Rain fell all day.", "Snow fell."], names=["r1"])
         r1
    0  0.75
    1  1.00
    """
    selected = alone(names)
    rows = text_rows(summaries, references, topics=topics, summarizers=summarizers)
    found = feature_table(rows.topics, options, names=selected, n_jobs=n_jobs, progress=progress)
    table = rows.table(found.drop(columns=FACTS), like=summaries)
    return table.drop(columns=["topic", "summarizer"]) if topics is None and summarizers is None else table


class FewReferences:
    """Collects, from a stream of topics, those whose systems cannot be scored by leaving one reference out."""

    def __init__(self) -> None:
        self._few: list[Topic] = []
        self._enough = 0

    def watch(self, topics: Iterable[Topic]) -> Iterator[Topic]:
        """Pass the topics on."""
        for topic in topics:
            if len(topic.references) < 2 and not is_human(topic).all():
                self._few.append(topic)
            else:
                self._enough += 1
            yield topic

    def warn(self) -> None:
        """Warn of these topics (`DataWarning`), or refuse them if there are no others (`InputError`)."""
        if self._few and not self._enough:
            first = self._few[0]
            found = f"topic {' '.join(filter(None, first.key))} has {len(first.references)} references"
            raise InputError(f"{found}; expected 2 or more to leave one out")
        if self._few:
            message = (
                f"{len(self._few)} topics have fewer than two references, of which one is left out; "
                f"their systems get no score: {listed(format_key(topic.key) for topic in self._few)}"
            )
            warn(message)


def with_imported(
    table: pd.DataFrame,
    scores: pd.DataFrame,
    *,
    names: Iterable[str] | None = None,
    known: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Append to a feature table a column for each metric of a score table, NaN where a summary has no score.

    Those of ``names``, by default all; ``known`` is as for `align_scores`. A metric that does not exist, or has the
    name of a column of the table or of a feature, is an `InputError`.
    """
    selected = list(dict.fromkeys(scores["metric"] if names is None else names))
    absent = sorted(set(selected) - set(scores["metric"]))
    if absent:
        there = listed(dict.fromkeys(scores["metric"]), most=40)
        raise InputError(f"no imported metric {listed(absent)}; the scores have {there}")
    taken = [name for name in selected if name in table or name.split("@")[0] in FEATURES]
    if taken:
        raise InputError(
            f"imported metric {listed(taken)} has the name of a column or a feature; expected another name"
        )
    wanted = scores[scores["metric"].isin(selected)]
    joined = table.join(
        align_scores(table, wanted, instances_of_corpus=known, subject="imported scores")[selected]
    )
    joined.attrs |= table.attrs
    return joined


def without_basis(topics: Iterable[Topic], *, names: Names | None = None) -> list[str]:
    """Say which features, by default of `DEFAULT_FEATURES`, have no value, and for how many summaries."""
    met = [any(topic.meets(one)) for topic in topics for one in topic.summaries]
    every: Sequence[str] = ordered(names)
    content = list(filter(needs_references, every))
    if all(met) or not content:
        return []
    return [
        f"{len(content)} of {len(every)} features ({listed(content, most=3)}) compare with references; "
        f"{met.count(False)} of {len(met)} summaries have none to be compared with"
    ]


def options_for(topics: Iterable[Topic], options: FeatureOptions, names: Sequence[str]) -> FeatureOptions:
    """Return options with ``references = "none"`` where no topic has one, with a warning of what is left out."""
    needy = list(filter(needs_references, names))
    if options.references == "none" or not needy:
        return options
    if any(topic.references or topic.earlier_references for topic in topics):
        return options
    message = f"left out is what needs references: {listed(abridged(needy), most=30)}"
    warn(message)
    return replace(options, references="none")
