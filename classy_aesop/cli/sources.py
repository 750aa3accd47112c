"""What commands read: a corpus, score tables, or the data of a study, and the part of them that is asked for.

Each class is a group of options: its fields are names of `OPTIONS`. A function takes the group, or what the group
reads, by a name of `OPTION_GROUPS`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from classy_aesop.answers.selection import Selection
from classy_aesop.cli.option_table import SUBSET_OPTIONS
from classy_aesop.errors import NOTE, InputError, UsageError, join_names

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.answers.selection import PeerSet
    from classy_aesop.data.preference_records import Preferences
    from classy_aesop.papers.judged import StudyData
    from classy_aesop.reading import Humans
    from classy_aesop.reading.byte_sources import Source
    from classy_aesop.reading.corpus import Corpus
    from classy_aesop.reading.file_columns import ColumnsByRole
    from classy_aesop.reading.given_tables import Contents
    from classy_aesop.reading.streaming import Stream

_LOG = logging.getLogger(__name__)

OptionalNames = Sequence[str] | None


@dataclass(frozen=True, kw_only=True)
class ReadingOptions(Selection):
    """How corpora are read, and which part of them is used."""

    layout: str = "auto"
    columns: Sequence[tuple[str, str]] = ()
    sheet: str | None = None
    encoding: str | None = None

    @property
    def selection(self) -> Selection:
        """The part alone."""
        return Selection(**{name: getattr(self, name) for name in SUBSET_OPTIONS})

    @cached_property
    def roles(self) -> ColumnsByRole:
        """The columns of each role."""
        from classy_aesop.reading.file_columns import group_by_role

        return group_by_role(self.columns)

    def open(self, path: str, paths: Iterable[str] = ()) -> Source:
        """Open one of several files; ``--sheet`` is of the workbooks among them, if there are any."""
        from classy_aesop.reading.byte_sources import Source

        source = Source.from_path(path).select_encoding(self.encoding)
        is_of_others = not _is_workbook(path) and any(map(_is_workbook, paths))
        return source if self.sheet is None or is_of_others else source.select_sheet(self.sheet)

    def columns_of(self, path: str, paths: Iterable[str]) -> ColumnsByRole:
        """Give those columns of ``--columns`` that a file of several has."""
        from classy_aesop.reading.file_columns import divide_columns, names_in_file

        files = [*dict.fromkeys(paths)]
        if len(files) < 2 or not self.roles:
            return self.roles
        return divide_columns(self.roles, {file: names_in_file(self.open(file, files)) for file in files})[
            path
        ]

    def columns_of_table(self, path: str, paths: Iterable[str]) -> ColumnsByRole:
        """Give those columns of ``--columns`` that a table of scores among several files has."""
        from classy_aesop.reading.file_columns import drop_text_roles

        return drop_text_roles(self.columns_of(path, paths))

    def read_scores(self, path: str, paths: Iterable[str], *, year: str = "") -> pd.DataFrame:
        """Read a table of scores, which is one of several files."""
        from classy_aesop.reading import read_scores

        columns = self.columns_of_table(path, paths)
        return read_scores(self.open(path, paths), year=year, columns=columns)

    def read_corpus(self, path: str, paths: Iterable[str] = ()) -> Corpus:
        """Read a corpus by those columns of ``--columns`` that it has among several files."""
        from classy_aesop import reading

        return reading.read_corpus(self.open(path), self.layout, columns=self.columns_of(path, paths))

    def select_subset(self, corpus: Corpus, targets: OptionalNames = None) -> Corpus:
        """Keep the part of a corpus that is asked for, with the judgments by these human measures."""
        part = self.select_stratum(corpus)
        if targets:
            from classy_aesop.answers.score_matrices import select_rows

            judgments = select_rows(part.judgments, "metric", targets, label="target")
            part = replace(
                part, judgments=judgments, ratings=part.ratings[part.ratings["metric"].isin(targets)]
            )
        part = self.select_summarizers(part)
        if part is not corpus:
            n_kept = sum(len(topic.summaries) for topic in part)
            _LOG.info("%d of %d summaries are kept", n_kept, sum(len(topic.summaries) for topic in corpus))
        return part


@dataclass(frozen=True, kw_only=True)
class CorpusSource(ReadingOptions):
    """A corpus, and the subset of it that is used."""

    input: str

    @property
    def encoding_of_scores(self) -> str | None:
        """The encoding of imported metrics, which are other files than those of which ``--encoding`` speaks."""
        return None

    @cached_property
    def full(self) -> Corpus:
        """The corpus, all of it."""
        return self.read_corpus(self.input)

    def read(self, targets: OptionalNames = None) -> Corpus:
        """Read it and keep its subset, as `select_subset` does."""
        return self.select_subset(self.full, targets)

    def topics(self) -> Corpus | Stream:
        """Read its subset, or give it as a stream where it may be one."""
        return self.read()

    def names(self, option: str) -> Iterable[str]:
        """Give the names that ``--metric`` or ``--target`` may have: of the metrics, or of the human measures."""
        return (self.full.scores if option == "metric" else self.full.judgments)["metric"]

    def read_imported(self, scores: Sequence[str], corpus: Corpus | None) -> pd.DataFrame | None:
        """Read the files of imported metrics, if any, by those columns of ``--columns`` that each has."""
        paths = [*scores, *([] if self.input is None else [self.input])]
        options = replace(self, encoding=self.encoding_of_scores)
        return read_metric_files(scores, corpus, partial(options.read_scores, paths=paths))

    def read_imported_of_subset(self, subset: Corpus, scores: Sequence[str]) -> pd.DataFrame | None:
        """Read imported metrics, without those of summaries that are in the corpus but not in its subset."""
        from classy_aesop.data import KEYS

        table = self.read_imported(scores, self.full)
        if table is None or subset is self.full:
            return table
        keys_left_out = _summary_keys(self.full) - _summary_keys(subset)
        return table[[key not in keys_left_out for key in table[KEYS].itertuples(index=False, name=None)]]


def _summary_keys(corpus: Corpus) -> set[tuple[str, ...]]:
    """Give the keys of the summaries of a corpus: those of their topic, and the summarizer."""
    return {(*topic.key, summary.summarizer) for topic, summary in corpus.summaries()}


@dataclass(frozen=True, kw_only=True)
class ScoredSource(CorpusSource):
    """A corpus beside tables of scores, each of which has columns of its own."""

    scores: OptionalNames = ()

    @property
    def encoding_of_scores(self) -> str | None:
        """The encoding of imported metrics, which are arguments as the corpus is."""
        return self.encoding

    def read_corpus(self, path: str, paths: Iterable[str] = ()) -> Corpus:
        """Read the corpus by those columns of ``--columns`` that it has beside the scores."""
        files = [*self.scores, path] if self.scores and Path(path).is_file() else paths
        return super().read_corpus(path, files)


@dataclass(frozen=True, kw_only=True)
class Streamable(CorpusSource):
    """A corpus of any size, which some workers may read."""

    n_jobs: int = 1

    @cached_property
    def full(self) -> Corpus | Stream:  # type: ignore[override]
        """All of it, or a stream of its part if it is too large."""
        from classy_aesop.reading.streaming import corpus_or_stream

        part = None if self.is_all else self.selection
        return corpus_or_stream(self.open(self.input), part, layout=self.layout, columns=self.roles)

    def hold(self) -> CorpusSource:
        """Give the same corpus to be read at once, whatever its size."""
        options = {option.name: getattr(self, option.name) for option in fields(CorpusSource) if option.init}
        return CorpusSource(**options)

    def topics(self) -> Corpus | Stream:
        """Read its part, or give it as a stream."""
        from classy_aesop.reading.corpus import Corpus

        return self.select_subset(self.full) if isinstance(self.full, Corpus) else self.full


@dataclass(frozen=True, kw_only=True)
class OptionalCorpus(Streamable):
    """A corpus, for which score tables may stand."""

    input: str | None = None  # type: ignore[assignment]


@dataclass(frozen=True, kw_only=True)
class CorpusOfTables(ReadingOptions):
    """A corpus beside tables, which says who is human if they do not."""

    layout: str = field(default="auto", init=False)
    corpus_path: str | None = None
    scale: str | None = None

    @cached_property
    def corpus(self) -> Corpus | None:
        """The corpus that ``--corpus`` names, if any."""
        return None if self.corpus_path is None else self.read_corpus(self.corpus_path)

    def tables(
        self, scores: Sequence[str], judgments: Sequence[str], corpus: Corpus | None
    ) -> tuple[list[pd.DataFrame], Humans]:
        """Read score tables as one, and judgments as one, and who is a human, as far as that is known."""
        from classy_aesop.data import concatenate_scores
        from classy_aesop.reading import merge_humans

        joined_tables: list[pd.DataFrame] = []
        humans_of_files: list[Humans] = [{} if corpus is None else corpus.humans()]
        for paths in (scores, judgments):
            tables = {path: self.scores_of(path, corpus) for path in paths}
            humans_of_files += [humans for _, humans in tables.values()]
            if len(tables) > 1:
                joined_tables.append(concatenate_scores((path, table) for path, (table, _) in tables.items()))
            else:
                joined_tables += [table for table, _ in tables.values()]
        return joined_tables, merge_humans(*humans_of_files)

    def scores_of(self, path: str, corpus: Corpus | None) -> tuple[pd.DataFrame, Humans]:
        """Read a table of scores, or the judgments of a corpus in a folder or an archive, and who is human; once."""
        from classy_aesop.reading import read_corpus, read_humans
        from classy_aesop.reading.byte_sources import plain_name
        from classy_aesop.reading.nist import is_release
        from classy_aesop.reading.table_files import SUFFIXES

        if path in self._tables_by_path:
            return self._tables_by_path[path]
        year = _only_year(corpus)
        is_table_by_name = Path(plain_name(path)).suffix.lower() in SUFFIXES
        if Path(path).is_dir() or (not is_table_by_name and is_release(Path(path))):
            judged = read_corpus(path, year=year or None)
            table = judged.judgments if judged.ratings.empty else judged.ratings
            if table.empty:
                contents = join_names(sorted(os.listdir(path))) if Path(path).is_dir() else "texts"
                message = f"the corpus has no judgments, but {contents}; expected judgments.jsonl, or a table of scores"
                raise InputError(message, path=path)
            humans: Humans = judged.humans()
        else:
            files = self.files_with_columns
            table = self.read_scores(path, files, year=year)
            columns = self.columns_of_table(path, files)
            humans = read_humans(self.open(path, files), year=year, columns=columns)
        self._tables_by_path[path] = table, humans
        return table, humans

    def preferences_of(self, path: str) -> Preferences | None:
        """Read a table of preferences; None if it holds something else."""
        from classy_aesop.reading.judged_scores import votes_of_table

        return self._find_contents(path, votes_of_table)

    def labels_of(self, path: str) -> pd.DataFrame | None:
        """Read a table of labels that raters gave; None if it holds something else."""
        from classy_aesop.reading.labels import labels_of_table

        return self._find_contents(path, labels_of_table)

    def _find_contents(self, path: str, contents_of_table: Callable[..., Contents | None]) -> Contents | None:
        from classy_aesop.reading.given_tables import find_contents

        files = self.files_with_columns
        columns = {**self.columns_of(path, files), **self.scale_role}
        return find_contents(
            path, contents_of_table, columns=columns, open_file=partial(self.open, paths=files)
        )

    @cached_property
    def _tables_by_path(self) -> dict[str, tuple[pd.DataFrame, Humans]]:
        """What is read already: standard input cannot be read twice."""
        return {}

    @property
    def scale_role(self) -> ColumnsByRole:
        """The words of a scale as a role, as readers of tables take them."""
        from classy_aesop.data.scales import words_as_role

        return words_as_role(self.scale)

    def columns_of_table(self, path: str, paths: Iterable[str]) -> ColumnsByRole:
        """Give those columns of ``--columns`` that a table has, of the corpus those of scores; and the scale."""
        from classy_aesop.reading.column_names import IDENTIFIERS, role_of

        columns = super().columns_of_table(path, paths)
        if self.corpus_path is not None and Path(path).resolve() == Path(self.corpus_path).resolve():
            columns = {
                role: names for role, names in columns.items() if role_of(role) in {*IDENTIFIERS, "ratings"}
            }
        return {**columns, **self.scale_role}

    @property
    def paths(self) -> tuple[Sequence[str], Sequence[str]]:
        """The files of scores, and those of judgments."""
        return (), ()

    @property
    def files_with_columns(self) -> list[str]:
        """The files that ``--columns`` is about."""
        corpus = [] if self.corpus_path is None else [self.corpus_path]
        return list(dict.fromkeys((*self.paths[0], *self.paths[1], *corpus)))

    def read_imported(self, scores: Sequence[str], corpus: Corpus | None) -> pd.DataFrame | None:
        """Read the files of imported metrics, if any, by the columns that are named."""
        return read_metric_files(scores, corpus, partial(self.read_scores, paths=self.files_with_columns))


@dataclass(frozen=True, kw_only=True)
class TableSource(CorpusOfTables):
    """Tables of scores, and the subset of them that is used."""

    table: Sequence[str]
    lower_is_better: OptionalNames = None

    @property
    def paths(self) -> tuple[Sequence[str], Sequence[str]]:
        """The files of scores, and those of judgments."""
        return self.table, ()

    @cached_property
    def preferences(self) -> Preferences | None:
        """The preferences in the last table; None if it holds scores."""
        return self.preferences_of([*self.paths[0], *self.paths[1]][-1])

    def all_tables(self) -> tuple[list[pd.DataFrame], Humans]:
        """Read all rows of the tables, marked where lower is better, and which summarizers are human."""
        from classy_aesop.data.directions import set_directions

        tables, humans = self.tables(*self.paths, self.corpus)
        return set_directions(tables, self.lower_is_better), humans

    def names(self, option: str) -> Iterable[str]:
        """Give the names that ``--metric`` or ``--target`` may have: of the first table, or of the last."""
        if self.preferences is not None and (option == "target" or len(self.table) == 1):
            from classy_aesop.data.preference_records import PREFERENCE_MEASURE

            return [PREFERENCE_MEASURE]
        tables, _ = self.all_tables()
        return tables[0 if option == "metric" else -1]["metric"]

    def read(
        self, metrics: OptionalNames = None, targets: OptionalNames = None, *, default: PeerSet | None = None
    ) -> ReadTables:
        """Read the tables; keep these metrics of the first and targets of the second, and the part that is asked for.

        There is a warning of what is doubtful in this part.
        """
        from classy_aesop.data.doubts import warn_of_doubts

        part = self.read_subset(metrics, targets, default=default)
        warn_of_doubts(*part.tables)
        return part

    def read_subset(
        self, metrics: OptionalNames = None, targets: OptionalNames = None, *, default: PeerSet | None = None
    ) -> ReadTables:
        """Read the tables as `read` does, without warnings of doubts."""
        from classy_aesop.answers.score_matrices import select_rows, select_stratum
        from classy_aesop.data.scales import set_scale

        tables, humans = self.all_tables()
        selected = [select_rows(tables[0], "metric", metrics)]
        selected += [select_rows(table, "metric", targets, label="target") for table in tables[1:]]
        selected = [select_stratum(table, self.year, self.task) for table in selected]
        selected[-1] = set_scale(selected[-1], self.scale)
        for judgments in selected[1:]:
            _note_measures(judgments["metric"])
        selection = replace(self.selection, peers=self.peers or default)
        return ReadTables(selection.select_tables(selected, humans=humans), humans)


@dataclass(frozen=True, kw_only=True)
class JudgedTableSource(TableSource):
    """Scores of metrics, and judgments of the same summaries: the last table, or one that holds both."""

    table: Sequence[str] = field(default=(), init=False)
    files: Sequence[str]

    @property
    def paths(self) -> tuple[Sequence[str], Sequence[str]]:
        """The files of scores, and those of judgments; one that holds both is read as judgments."""
        return self.files[:-1], self.files[-1:]

    def all_tables(self) -> tuple[list[pd.DataFrame], Humans]:
        """Read the tables; one that holds scores and judgments stands for both."""
        tables, humans = super().all_tables()
        return tables * (3 - len(tables)), humans

    def read_subset(
        self, metrics: OptionalNames = None, targets: OptionalNames = None, *, default: PeerSet | None = None
    ) -> ReadTables:
        """Read the tables as `TableSource.read_subset` does; in one table of both, human measures are no metrics.

        They are the targets, what ``--columns`` names as measures or ratings, and what is called as human measures
        are.
        """
        from classy_aesop.answers.metrics_and_humans import drop_human_measures, find_only_human_measure

        if len(self.files) == 1 and not targets:
            measures = dict.fromkeys(self.names("target"))
            only = find_only_human_measure(measures, self.roles.get("measures", ()))
            if only is None:
                message = "--target is missing, or a second table with judgments; the first has "
                raise UsageError(message + join_names(measures, limit=20))
            targets = [only]
        part = super().read_subset(metrics, targets, default=default)
        if len(self.files) > 1 or metrics is not None:
            return part
        scores, *judgments = part.tables
        human_measures = {*(targets or ()), *self.roles.get("measures", ())}
        return part._replace(tables=[drop_human_measures(scores, human_measures), *judgments])


@dataclass(frozen=True, kw_only=True)
class EvaluatedSource(JudgedTableSource):
    """Scores of metrics and judgments, or a judged corpus, last or alone, on whose texts metrics are computed."""

    layout: str = "auto"

    def find_texts(self, *, is_scored: bool) -> ScoredSource | None:
        """Give the corpus that is scored: where that is asked for, or one alone that holds no scores of metrics."""
        options = {member.name: getattr(self, member.name) for member in fields(ReadingOptions)}
        source = ScoredSource(input=self.files[-1], scores=self.files[:-1], **options)
        if is_scored:
            return source
        if len(self.files) > 1:
            return None
        from classy_aesop.answers.evaluated_metrics import find_unscored_corpus

        return None if find_unscored_corpus(lambda: source.full) is None else source


class ReadTables(NamedTuple):
    """The tables of those who take part, and who of them is known to be a human or not."""

    tables: list[pd.DataFrame]
    humans: Humans


@dataclass(frozen=True, kw_only=True)
class StudySource:
    """Judged corpora and metrics, and the part of them that a study uses."""

    corpora: Sequence[str]
    year: str | None = None
    task: str | None = None
    peers: PeerSet | None = "all_peers"
    scores: Sequence[str] = ()

    def names(self, option: str) -> Iterable[str]:
        """Give the names that ``--metric`` or ``--target`` may have."""
        tables = [corpus.judgments for corpus in self.data.corpora]
        if option == "metric" and self.data.scores is not None:
            tables.append(self.data.scores)
        return (name for table in tables for name in table["metric"])

    @cached_property
    def data(self) -> StudyData:
        """The judgments and scores that they hold."""
        from classy_aesop.papers.judged import StudyData, read_judged_corpus
        from classy_aesop.reading import all_metrics

        # rows without a year are of the one that is asked for, unless several corpora could be meant
        year = self.year if len(self.corpora) == 1 else None
        corpora = [read_judged_corpus(path, year=year) for path in self.corpora]
        _note_measures(name for corpus in corpora for name in corpus.judgments["metric"])
        scores = read_metric_files(self.scores, None)
        for corpus in corpora:
            scores = all_metrics(corpus.scores, scores)
        return StudyData(corpora, scores, self.peers, self.year, self.task)


def _note_measures(names: Iterable[str]) -> None:
    """Log which measures are used as human ones."""
    _LOG.log(NOTE, "human measures: %s", join_names(dict.fromkeys(names), limit=20))


def choose_only_name(option: str, names: Iterable[str]) -> str:
    """Choose the only name for ``--metric`` or ``--target``, and log it; UsageError for several, or none."""
    unique_names = list(dict.fromkeys(names))
    if len(unique_names) != 1:
        choices = f"expected one of {join_names(sorted(unique_names), limit=20)}"
        raise UsageError(f"--{option} is missing; {choices if unique_names else 'and there is none'}")
    [only_name] = unique_names
    _LOG.log(NOTE, "--%s %s, the only one", option, only_name)
    return only_name


def read_metric_files(
    scores: Sequence[str], corpus: Corpus | None, read: Callable[..., pd.DataFrame] | None = None
) -> pd.DataFrame | None:
    """Read the files of imported metrics, if any."""
    from classy_aesop.data import concatenate_scores, mean_ratings
    from classy_aesop.reading import read_scores

    if not scores:
        return None
    read = read or read_scores
    year = _only_year(corpus)
    return concatenate_scores((path, mean_ratings(read(path, year=year))) for path in scores)


def _is_workbook(path: str) -> bool:
    return path.lower().endswith(".xlsx")


def select_metrics(table: pd.DataFrame, metrics: OptionalNames) -> pd.DataFrame:
    """Keep the rows of these metrics; all, if none is named."""
    return table[table["metric"].isin(metrics)] if metrics else table


def _only_year(corpus: Corpus | None) -> str:
    """Give the year of rows that have none: that of a corpus, if it has but one."""
    return corpus.years[0] if corpus is not None and len(corpus.years) == 1 else ""
