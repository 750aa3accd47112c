"""A corpus: topics with their summaries and references, and the human judgments of the summaries.

Whatever its source (records, a table, files), its rows follow the rules in `summary_rows`. There is one judgment per
summary and measure: if several assessors rated a summary, it is the mean of their ratings, which are kept too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from classy_aesop.data.scores import (
    KEYS,
    describe_similar_keys,
    empty_table,
    format_key,
    make_score_table,
    mean_ratings,
    natural,
)
from classy_aesop.data.summary_records import Record, group_by_topic
from classy_aesop.data.topics import Reference, Summary, Topic, is_placeholder
from classy_aesop.errors import InputError, join_names, warn
from classy_aesop.reading.file_columns import columns_by_role
from classy_aesop.reading.summary_tables import drop_repeated, read_rows
from classy_aesop.reading.table_files import TableFile
from classy_aesop.work.options import Fields, GivenColumns

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """Judged summaries by topic.

    Parameters
    ----------
    topics : tuple of Topic
        One for each document set, each with at least one summary.
    judgments : DataFrame
        A tidy table (see `scores`), one row per summary and measure; no rows if nobody judged.
    ratings : DataFrame
        The ratings by single assessors whose means are the judgments; no rows if there were none.
    notes : tuple of str
        How it was read, where that is not given by the format: what the columns of a table are.
    scores : DataFrame
        A score table of metrics that stand in the rows of a table beside the human measures; no rows if none do.

    Examples
    --------
    >>> rows = [{"topic": "1", "system": "a", "summary": "Rain fell.", "reference": "Rain fell all day.", "quality": 4}]
    >>> corpus = Corpus.from_rows(rows)
    >>> corpus
    Corpus(1 topics, 1 summaries by 1 summarizers, judged: quality)
    >>> corpus.topics[0].summaries[0].summarizer, corpus.judgments["score"].tolist()
    ('a', [4.0])
    """

    topics: tuple[Topic, ...]
    judgments: pd.DataFrame = field(default_factory=empty_table)
    ratings: pd.DataFrame = field(default_factory=empty_table)
    notes: tuple[str, ...] = ()
    scores: pd.DataFrame = field(default_factory=empty_table)

    @classmethod
    def from_rows(cls, rows: object, *, columns: GivenColumns | None = None) -> Corpus:
        """Make a corpus from a table in memory, one row a summary.

        Parameters
        ----------
        rows : DataFrame, dataset, dict or iterable of mappings
            The table; a dictionary maps names of columns to their values. Columns are recognized by the names that they
            commonly have (`column_names.ROLES`), and every other column of numbers is a human measure.
        columns : mapping, optional
            What other columns are, e.g. ``{"topic": "story", "references": ["gold_a", "gold_b"]}``. ``measures`` names
            the human measures if not all numbers are, ``scores`` columns that are no human measure but a metric, such
            as an LLM judge, and ``ratings`` columns of a rater each (or a pattern: ``rating_*``), of which the mean is
            the measure.

        Raises
        ------
        InputError
            If there are no rows, a field has the wrong type, a row is repeated, a reference has two texts, or a column
            is missing, or could be several things.
        UsageError
            ``columns`` does not fit the table, or ``rows`` is no table.

        Warns
        -----
        DataWarning
            If topics have no references, some summaries of a judged corpus have no judgment, columns are ignored, or
            rows have no topic, system or text.

        Examples
        --------
        >>> rows = [{"doc_id": 144, "system": "lead", "summary": "It rained.", "reference": "Rain.", "quality": 3}]
        >>> corpus = Corpus.from_rows(rows)
        >>> corpus
        Corpus(1 topics, 1 summaries by 1 summarizers, judged: quality)
        >>> corpus.notes
        ('columns: topic = doc_id, summarizer = system, text = summary, references = reference, measures = quality',)
        """
        return corpus_of_table(TableFile.from_memory(rows), columns_by_role(columns))

    def __repr__(self) -> str:
        """One line: how many topics, summaries and summarizers, and which measures."""
        summaries = [summary for _, summary in self.summaries()]
        measures = sorted(set(self.judgments["metric"]), key=natural)
        metrics = sorted(set(self.scores["metric"]), key=natural)
        years = f"{join_names(self.years)}: " if any(self.years) else ""
        written = (
            f"{len(summaries)} summaries by {len({summary.summarizer for summary in summaries})} summarizers"
        )
        judged = f"judged: {join_names(measures)}" if measures else "not judged"
        scored = f", with scores of {join_names(metrics)}" if metrics else ""
        return f"Corpus({years}{len(self)} topics, {written}, {judged}{scored})"

    def __iter__(self) -> Iterator[Topic]:
        return iter(self.topics)

    def __len__(self) -> int:
        return len(self.topics)

    def summaries(self) -> Iterator[tuple[Topic, Summary]]:
        """Give every summary under evaluation with its topic."""
        return ((topic, summary) for topic in self.topics for summary in topic.summaries)

    @property
    def years(self) -> tuple[str, ...]:
        """The years of its topics, in natural order."""
        return tuple(sorted({topic.year for topic in self.topics}, key=natural))

    def humans(self) -> dict[tuple[str, str], bool]:
        """Map each year and summarizer to whether it is human; who wrote only references is human."""
        of_references = {
            (topic.year, reference.summarizer): True
            for topic in self.topics
            for reference in topic.references
        }
        of_summaries: dict[tuple[str, str], bool] = {}
        for topic, summary in self.summaries():
            key = topic.year, summary.summarizer
            of_summaries[key] = summary.human or of_summaries.get(key, False)
        return of_references | of_summaries

    def select(
        self,
        *,
        years: str | Iterable[str] | None = None,
        topics: str | Iterable[str] | None = None,
        tasks: str | Iterable[str] | None = None,
        references: str | Iterable[str] | None = None,
        exclude: str | Iterable[str] = (),
    ) -> Corpus:
        """Keep a subset of the corpus, with its judgments.

        Parameters
        ----------
        years, topics, tasks : iterables of str, optional
            Which topics to keep; by default all.
        references : iterable of str, optional
            Whose references to keep; by default all. The judged summaries of these humans stay.
        exclude : iterable of str
            Summarizers that are not evaluated. A human's references stay.

        Raises
        ------
        InputError
            If the corpus does not have a year, topic, task or reference, or if nothing is left.

        Warns
        -----
        DataWarning
            If peers to exclude do not exist, or topics are left without a reference or a summary.
        """
        selected = self.topics
        for name, requested in (("year", years), ("topic", topics), ("task", tasks)):
            if requested is not None:
                names = _check_names(requested, {getattr(topic, name) for topic in selected}, name)
                selected = tuple(topic for topic in selected if getattr(topic, name) in names)
        if references is not None:
            authors = {reference.summarizer for topic in selected for reference in topic.references}
            names = _check_names(references, authors, "reference")
            selected = tuple(
                replace(
                    topic,
                    references=_select_references(topic.references, names),
                    earlier_references=_select_references(topic.earlier_references, names),
                )
                for topic in selected
            )
            _warn_each(_name_topics_without_references(selected))
        excluded = _set_of_names(exclude)
        absent = excluded - {summary.summarizer for topic in selected for summary in topic.summaries}
        _warn_each(_count_names("peers to exclude that do not exist", sorted(absent)))
        return self.replace_topics(keep_summaries(selected, lambda _, name: name not in excluded))

    def assign_year(self, year: str) -> Corpus:
        """Assign this year to every topic and judgment, for a corpus from files without years."""
        topics = tuple(replace(topic, year=year) for topic in self.topics)
        if len({topic.key for topic in topics}) < len(topics):
            raise InputError(
                f"topics of several years ({join_names(self.years)}) would be merged; select a year first"
            )
        return self._replace(topics, lambda table: table.assign(year=year))

    def replace_topics(self, topics: tuple[Topic, ...]) -> Corpus:
        """Make a corpus of these topics, some of this corpus's or changed ones, with their judgments.

        Topics without a summary are left out with a warning; it is an `InputError` if none has one.
        """
        topics = _drop_empty_topics(topics, None, False)
        keys = {(*topic.key, summary.summarizer) for topic in topics for summary in topic.summaries}
        return self._replace(topics, lambda table: select_keys(table, keys))

    def _replace(self, topics: tuple[Topic, ...], change: Callable[[pd.DataFrame], pd.DataFrame]) -> Corpus:
        """Make a corpus of these topics; ``change`` is applied to each of its tables of judgments and scores."""
        judgments, ratings, scores = map(change, (self.judgments, self.ratings, self.scores))
        return replace(self, topics=topics, judgments=judgments, ratings=ratings, scores=scores)


def assemble_corpus(
    rows: Iterable[Record],
    judgments: pd.DataFrame | None = None,
    *,
    judged: Collection[tuple[str, ...]] | None = None,
    path: str | Path | None = None,
) -> Corpus:
    """Make a corpus from checked rows and their judgments."""
    judged_keys = set() if judgments is None else set(keys_of_rows(judgments))
    topics = group_by_topic(rows, judged_keys or judged or ())
    if not topics:
        raise InputError("no summaries; a corpus needs at least one", path=path)
    unknown = judged_keys and judged_keys.difference(keys_of_topics(topics))  # takes a while of many topics
    if unknown:
        hint = describe_similar_keys(judged_keys, keys_of_topics(topics))
        message = _count_names("judgments without a summary", [*map(format_key, sorted(unknown))])
        raise InputError(f"{message}{hint and f'; {hint}'}", path=path)
    topics = _drop_empty_topics(topics, path, judged is not None)
    corpus = Corpus(topics)
    if judgments is not None:
        ratings = judgments if "assessor" in judgments else judgments.iloc[:0]
        corpus = replace(corpus, judgments=mean_ratings(judgments), ratings=ratings)
    _warn_each(*(message if path is None else f"{path}: {message}" for message in list_concerns(corpus)))
    return corpus


def corpus_of_table(source: TableFile, columns: Fields | None = None) -> Corpus:
    """Make a corpus of a table, one row a summary; drop scores of references that are not evaluated."""
    contents = read_rows(source, columns)
    records = drop_repeated(contents.rows) if contents.columns["assessor"] else contents.rows
    corpus = assemble_corpus(records, contents.judgments, path=source.header.path)
    scores = select_keys(mean_ratings(make_score_table(contents.scored)), set(keys_of_topics(corpus.topics)))
    return replace(corpus, notes=contents.notes, scores=scores)


def list_concerns(corpus: Corpus) -> list[str]:
    """List warnings of a corpus: topics without references, doubtful references, summaries without a judgment."""
    references = {
        format_key(topic.key): [
            reference.text for reference in (*topic.references, *topic.earlier_references)
        ]
        for topic in corpus
    }
    empty = [name for name, texts in references.items() if not all("".join(text).strip() for text in texts)]
    doubtful = [name for name, texts in references.items() if any(map(is_placeholder, texts))]
    judged = {*keys_of_rows(corpus.judgments)}
    unjudged = [format_key(key) for key in keys_of_topics(corpus) if judged and key not in judged]
    messages = (
        _name_topics_without_references(corpus),
        _count_names("topics with empty references, which count like others", empty),
        _count_names("topics with references that read nan, None or the like; are they missing?", doubtful),
        _count_names("summaries without a judgment", unjudged),
    )
    return [*filter(None, messages)]


def judged_tables(corpus: Corpus, targets: Collection[str] | None = None) -> list[pd.DataFrame]:
    """Give what `data.doubts` looks at in a corpus: single ratings, judgments of measures without them, and scores."""
    rated_measures = set(corpus.ratings["metric"])
    unrated = corpus.judgments[~corpus.judgments["metric"].isin(rated_measures)]
    judged = [corpus.ratings, unrated]
    if targets is not None:
        judged = [table[table["metric"].isin(targets)] for table in judged]
    return [*judged, corpus.scores]


def _name_topics_without_references(topics: Iterable[Topic]) -> str:
    return _count_names(
        "topics without references", [format_key(topic.key) for topic in topics if not topic.references]
    )


def _count_names(subject: str, names: Sequence[str]) -> str:
    """Say how many there are of something, and which; ``""`` if there is none."""
    return f"{len(names)} {subject}: {join_names(names)}" if names else ""


def _warn_each(*messages: str) -> None:
    """Warn of each message that is not empty."""
    for message in filter(None, messages):
        warn(message)


def _drop_empty_topics(
    topics: tuple[Topic, ...], path: str | Path | None, is_subset: bool
) -> tuple[Topic, ...]:
    """Leave out topics without a summary to evaluate, with a warning."""
    bare = [format_key(topic.key) for topic in topics if not topic.summaries]
    if len(bare) == len(topics) and not is_subset:
        raise InputError("no summaries to evaluate are left", path=path)
    _warn_each(_count_names("topics without a summary to evaluate are left out", bare))
    return tuple(topic for topic in topics if topic.summaries)


def keys_of_topics(topics: Iterable[Topic]) -> Iterator[tuple[str, str, str, str]]:
    """Give year, topic, task and summarizer of each summary."""
    return ((*topic.key, summary.summarizer) for topic in topics for summary in topic.summaries)


def keys_of_rows(frame: pd.DataFrame) -> Iterator[tuple[str, str, str, str]]:
    """Give year, topic, task and summarizer of each row."""
    return zip(*(frame[name] for name in KEYS), strict=True)


# --- subsets ---


def _set_of_names(names: str | Iterable[str]) -> set[str]:
    """Make a set of one name, or of several."""
    return {names} if isinstance(names, str) else {*map(str, names)}


def _check_names(names: str | Iterable[str], known_names: set[str], subject: str) -> set[str]:
    """Make a set of names, all of which the corpus must have; ``subject`` is what they name, for the message."""
    requested = _set_of_names(names)
    if unknown := sorted(requested - known_names, key=natural):
        available = join_names(sorted(known_names, key=natural))
        raise InputError(f"no {subject} {join_names(unknown)}; the corpus has {available}")
    return requested


def _select_references(references: tuple[Reference, ...], authors: set[str]) -> tuple[Reference, ...]:
    return tuple(reference for reference in references if reference.summarizer in authors)


def keep_summaries(topics: Iterable[Topic], is_kept: Callable[[str, str], bool]) -> tuple[Topic, ...]:
    """Keep the summaries whose year and summarizer are to be kept, in each topic."""
    return tuple(
        replace(
            topic,
            summaries=tuple(
                summary for summary in topic.summaries if is_kept(topic.year, summary.summarizer)
            ),
        )
        for topic in topics
    )


def select_keys(frame: pd.DataFrame, keys: Collection[tuple[str, ...]]) -> pd.DataFrame:
    """Select the rows of some summaries."""
    rows = [row for row, key in enumerate(keys_of_rows(frame)) if key in keys]
    return frame.iloc[rows].reset_index(drop=True)
