"""A corpus: topics with their summaries and references, and the human judgments of the summaries.

Whatever its source (records, a table, files), its rows follow the rules in `summary_rows`. There is one judgment per
summary and measure: if several assessors rated a summary, it is the mean of their ratings, which are kept too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classy_aesop.data.cells import Fields
from classy_aesop.data.score_tables import tidy
from classy_aesop.data.scores import KEYS, alike_in_keys, empty_table, mean_ratings, named, natural, table
from classy_aesop.data.summary_records import Record, topics_of
from classy_aesop.data.topics import Summary, Topic, is_placeholder
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, listed, warn

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.reading.summary_tables import Table


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
    Corpus(1 topic, 1 summary by 1 summarizer, judged: quality)
    >>> corpus.topics[0].summaries[0].summarizer, corpus.judgments["score"].tolist()
    ('a', [4.0])
    """

    topics: tuple[Topic, ...]
    judgments: pd.DataFrame = field(default_factory=empty_table)
    ratings: pd.DataFrame = field(default_factory=empty_table)
    notes: tuple[str, ...] = ()
    scores: pd.DataFrame = field(default_factory=empty_table)

    @classmethod
    def from_records(
        cls,
        records: Iterable[Mapping[str, Any]],
        judgments: pd.DataFrame | Iterable[Mapping[str, Any]] | None = None,
    ) -> Corpus:
        """Make a corpus from rows in memory.

        Parameters
        ----------
        records : iterable of mappings
            The rows, with the fields that `summary_rows` names; `from_rows` takes other names too.
        judgments : DataFrame or iterable of mappings, optional
            A table, long or wide, or rows with ``metrics``.

        Raises
        ------
        InputError
            If there are no rows, a field is missing or has the wrong type, a row is repeated, a reference has
            two texts, or a judgment belongs to no summary.

        Warns
        -----
        DataWarning
            If topics have no references, some summaries of a judged corpus have no judgment, or nothing reads a field.

        Examples
        --------
        >>> row = {"topic": "D1", "summarizer": "7", "text": "It rained.", "references": {"A": "Rain."}}
        >>> [(topic.topic, summary.summarizer) for topic, summary in Corpus.from_records([row]).summaries()]
        [('D1', '7')]
        """
        from classy_aesop.reading.summary_rows import parse_all

        rows = ((Where(line=at), record) for at, record in enumerate(records, 1))
        return assemble(parse_all(rows), None if judgments is None else _judgment_table(judgments))

    @classmethod
    def from_rows(
        cls,
        rows: object,
        judgments: pd.DataFrame | Iterable[Mapping[str, Any]] | None = None,
        *,
        columns: Fields | None = None,
        year: str = "",
    ) -> Corpus:
        """Make a corpus from a table in memory, one row a summary.

        Parameters
        ----------
        rows : DataFrame, dataset, dict or iterable of mappings
            The table; a dictionary maps names of columns to their values. Columns are recognized by the names that they
            commonly have (`roles.ROLES`), and every other column of numbers is a human measure.
        judgments : DataFrame or iterable of mappings, optional
            As for `from_records`, in place of the measures in the rows.
        columns : mapping, optional
            What other columns are, e.g. ``{"topic": "story", "references": ["gold_a", "gold_b"]}``. ``measures`` names
            the human measures if not all numbers are, ``scores`` columns that are no human measure but a metric, such
            as an LLM judge, and ``ratings`` columns of a rater each (or a pattern: ``rating_*``), of which the mean is
            the measure.
        year : str
            The year of rows without one.

        Raises
        ------
        InputError
            As `from_records`; or a column is missing, or could be several things.
        UsageError
            ``columns`` does not fit the table, or ``rows`` is no table.

        Warns
        -----
        DataWarning
            As `from_records`; ignored columns; rows without a topic, a system or a text.

        Examples
        --------
        >>> rows = [{"doc_id": 144, "system": "lead", "summary": "It rained.", "reference": "Rain.", "quality": 3}]
        >>> corpus = Corpus.from_rows(rows)
        >>> corpus
        Corpus(1 topic, 1 summary by 1 summarizer, judged: quality)
        >>> corpus.notes
        ('columns: topic = doc_id, summarizer = system, text = summary, references = reference, measures = quality',)
        """
        from classy_aesop.reading.summary_tables import read_rows
        from classy_aesop.reading.table_files import TableFile

        asked = dict(columns or {}) | ({} if judgments is None else {"measures": ()})
        found = read_rows(TableFile.of(rows), asked, year=year)
        frame = found.judgments if judgments is None else _judgment_table(judgments)
        return of_table(found, frame)

    def __repr__(self) -> str:
        """One line: how many topics, summaries and summarizers, and which measures."""
        summaries = [one for _, one in self.summaries()]
        measures, metrics = (
            sorted(set(table["metric"]), key=natural) for table in (self.judgments, self.scores)
        )
        n_topics, n_summaries = len(self), len(summaries)
        n_summarizers = len({one.summarizer for one in summaries})
        years = f"{listed(self.years)}: " if any(self.years) else ""
        topics = f"{n_topics} topic{'s' * (n_topics != 1)}"
        written = f"{n_summaries} {'summary' if n_summaries == 1 else 'summaries'}"
        by = f"{n_summarizers} summarizer{'s' * (n_summarizers != 1)}"
        judged = f"judged: {listed(measures)}" if measures else "not judged"
        scored = f", with scores of {listed(metrics)}" if metrics else ""
        return f"Corpus({years}{topics}, {written} by {by}, {judged}{scored})"

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
        found = {(topic.year, one.summarizer): True for topic in self.topics for one in topic.references}
        found |= {(topic.year, one.summarizer): False for topic, one in self.summaries()}
        return found | {(topic.year, one.summarizer): True for topic, one in self.summaries() if one.human}

    def select(
        self,
        *,
        years: Iterable[str] | None = None,
        topics: Iterable[str] | None = None,
        tasks: Iterable[str] | None = None,
        references: Iterable[str] | None = None,
        exclude: Iterable[str] | Mapping[str, Iterable[str]] = (),
    ) -> Corpus:
        """Keep a part of the corpus, with its judgments.

        Parameters
        ----------
        years, topics, tasks : iterables of str, optional
            Which topics to keep; by default all.
        references : iterable of str, optional
            Whose references to keep; by default all. The judged summaries of these humans stay.
        exclude : iterable of str, or mapping of year to iterable of str
            Summarizers that are not evaluated, e.g. ``{"2009": ["2", "3"]}``; years that the corpus does not
            have are ignored. A human's references stay.

        Raises
        ------
        InputError
            If the corpus does not have a year, topic, task or reference, or if nothing is left.

        Warns
        -----
        DataWarning
            If peers to exclude do not exist, or topics are left without a reference or a summary.
        """
        kept = self.topics
        for name, wanted in (("year", years), ("topic", topics), ("task", tasks)):
            if wanted is not None:
                names = _known(wanted, {getattr(topic, name) for topic in kept}, name)
                kept = tuple(topic for topic in kept if getattr(topic, name) in names)
        if references is not None:
            names = _known(
                references, {one.summarizer for topic in kept for one in topic.references}, "reference"
            )
            kept = tuple(
                replace(
                    topic,
                    references=tuple(one for one in topic.references if one.summarizer in names),
                    earlier_references=tuple(
                        one for one in topic.earlier_references if one.summarizer in names
                    ),
                )
                for topic in kept
            )
            _warn(without_references(kept))
        return self.with_topics(_without_peers(kept, exclude))

    def with_year(self, year: str) -> Corpus:
        """Assign this year to every topic and judgment, for a corpus from files without years."""
        topics = tuple(replace(topic, year=year) for topic in self.topics)
        if len({topic.key for topic in topics}) < len(topics):
            raise InputError(
                f"topics of several years ({listed(self.years)}) would be merged; select a year first"
            )
        return self._changed(topics, lambda table: table.assign(year=year))

    def with_topics(self, topics: tuple[Topic, ...]) -> Corpus:
        """Make a corpus of these topics, some of this corpus's or changed ones, with their judgments.

        Topics without a summary are left out with a warning; it is an `InputError` if none has one.
        """
        topics = _evaluated(topics, None, False)
        keys = {(*topic.key, summary.summarizer) for topic in topics for summary in topic.summaries}
        return self._changed(topics, lambda table: _of_keys(table, keys))

    def _changed(self, topics: tuple[Topic, ...], change: Callable[[pd.DataFrame], pd.DataFrame]) -> Corpus:
        judgments, ratings, scores = map(change, (self.judgments, self.ratings, self.scores))
        return replace(self, topics=topics, judgments=judgments, ratings=ratings, scores=scores)


def assemble(
    rows: Iterable[Record],
    judgments: pd.DataFrame | None = None,
    *,
    judged: Collection[tuple[str, ...]] | None = None,
    path: str | Path | None = None,
) -> Corpus:
    """Make a corpus from checked rows and a tidy table of judgments; ``path`` is named in messages.

    ``judged`` names the judged summaries of a larger corpus, of which these rows are a part: it may have none.
    """
    of_rows = set() if judgments is None else set(keys_of(judgments))
    topics = topics_of(rows, of_rows or judged or ())
    if not topics:
        raise InputError("no summaries; a corpus needs at least one", path=path)
    if of_rows and (unknown := [named(key) for key in sorted(of_rows - set(_instances(topics)))]):
        why = alike_in_keys(of_rows, _instances(topics))
        message = f"{len(unknown)} judgments without a summary: {listed(unknown)}{why and f'; {why}'}"
        raise InputError(message, path=path)
    topics = _evaluated(topics, path, judged is not None)
    corpus = Corpus(topics)
    if judgments is not None:
        ratings = judgments if "assessor" in judgments else judgments.iloc[:0]
        corpus = replace(corpus, judgments=mean_ratings(judgments), ratings=ratings)
    _warn(*(message if path is None else f"{path}: {message}" for message in concerns(corpus)))
    return corpus


def of_table(found: Table, judgments: pd.DataFrame | None, *, path: str | Path | None = None) -> Corpus:
    """Make a corpus from the contents of a table and judgments; drop scores of references that are not evaluated."""
    from classy_aesop.reading.summary_tables import settled

    corpus = assemble(settled(found.rows, found.columns), judgments, path=path)
    scores = _of_keys(mean_ratings(table(found.scored)), set(_instances(corpus.topics)))
    return replace(corpus, notes=found.notes, scores=scores)


def concerns(corpus: Corpus) -> list[str]:
    """List what a user should know: topics without references, doubtful references, summaries without a judgment."""
    empty = [
        named(topic.key)
        for topic in corpus
        if not all("".join(one.text).strip() for one in (*topic.references, *topic.earlier_references))
    ]
    messages = [without_references(corpus.topics)]
    messages += [f"empty references, which count like others, in {listed(empty)}"] if empty else []
    doubtful = [
        named(topic.key)
        for topic in corpus
        if any(is_placeholder(one.text) for one in (*topic.references, *topic.earlier_references))
    ]
    if doubtful:
        topics = f"{len(doubtful)} topics: {listed(doubtful)}"
        messages.append(f"references that read nan, None or the like, on {topics}; are they missing?")
    judged = set(keys_of(corpus.judgments)) if len(corpus.judgments) else set()
    lacking = [named(key) for key in _instances(corpus.topics) if key not in judged] if judged else []
    if lacking:
        messages.append(f"{len(lacking)} summaries without a judgment: {listed(lacking)}")
    return list(filter(None, messages))


def without_references(topics: Iterable[Topic]) -> str:
    """Name the topics that have no reference; ``""`` if all have one."""
    bare = [named(topic.key) for topic in topics if not topic.references]
    return f"{len(bare)} topics without references: {listed(bare)}" if bare else ""


def _warn(*messages: str) -> None:
    for message in filter(None, messages):
        warn(message)


def _judgment_table(judgments: pd.DataFrame | Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    from classy_aesop.reading.score_rows import ratings_of_record

    if isinstance(judgments, pd.DataFrame):
        return tidy(judgments)
    rows = ((Where(line=at), row) for at, row in enumerate(judgments, 1))
    return table(rating for where, row in rows for rating in ratings_of_record(row, where))


def _evaluated(topics: tuple[Topic, ...], path: str | Path | None, is_part: bool) -> tuple[Topic, ...]:
    """Leave out topics without a summary to evaluate, with a warning."""
    bare = [named(topic.key) for topic in topics if not topic.summaries]
    if len(bare) == len(topics) and not is_part:
        raise InputError("no summaries to evaluate are left", path=path)
    if bare:
        _warn(f"{len(bare)} topics without a summary to evaluate are left out: {listed(bare)}")
    return tuple(topic for topic in topics if topic.summaries)


def _instances(topics: Iterable[Topic]) -> Iterator[tuple[str, str, str, str]]:
    return ((*topic.key, summary.summarizer) for topic in topics for summary in topic.summaries)


def keys_of(frame: pd.DataFrame) -> Iterator[tuple[str, str, str, str]]:
    """Give year, topic, task and summarizer of each row."""
    return zip(*(frame[name] for name in KEYS), strict=True)


# --- parts ---


def _names(names: Iterable[str]) -> set[str]:
    """Make a set of one or several names; numbers become text."""
    return {names} if isinstance(names, str) else {str(name) for name in names}


def _known(wanted: Iterable[str], known: set[str], what: str) -> set[str]:
    names = _names(wanted)
    if unknown := sorted(names - known, key=natural):
        raise InputError(f"no {what} {listed(unknown)}; the corpus has {listed(sorted(known, key=natural))}")
    return names


def _without_peers(
    topics: tuple[Topic, ...], peers: Iterable[str] | Mapping[str, Iterable[str]]
) -> tuple[Topic, ...]:
    years = {topic.year for topic in topics}
    by_year = peers if isinstance(peers, Mapping) else dict.fromkeys(years, _names(peers))
    out = {(str(year), name) for year, names in by_year.items() for name in _names(names)}
    there = {(topic.year, one.summarizer) for topic in topics for one in topic.summaries}
    absent = [named((year, name, "")) for year, name in sorted(out - there) if year in years]
    if absent:
        _warn(f"peers to exclude that do not exist: {listed(absent)}")
    return tuple(
        replace(topic, summaries=tuple(s for s in topic.summaries if (topic.year, s.summarizer) not in out))
        for topic in topics
    )


def _of_keys(frame: pd.DataFrame, keys: Collection[tuple[str, ...]]) -> pd.DataFrame:
    kept = [at for at, key in enumerate(keys_of(frame)) if key in keys]
    return frame.iloc[kept].reset_index(drop=True)
