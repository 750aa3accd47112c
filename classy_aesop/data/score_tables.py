"""Tables of scores, long or wide, made into ratings: the rows of a tidy table; and joined with their summaries.

The columns of topic and summarizer, and of year, task and assessor where there are any, are known by their common names
(`columns.IDENTIFIERS`). A long table has a column of metrics and one of scores. In a wide one every other column of
numbers is a metric, and columns of raters are one measure each.

Rows of JSON may hold names in ``metrics``. Nested names are joined with a dot, and a list of numbers is read as ratings
by the assessors ``1``, ``2``, ...
"""

from __future__ import annotations

import logging
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from classy_aesop.data.columns import (
    LONG,
    OF_SCORES,
    ROLES,
    Fields,
    Raters,
    asked_columns,
    check_raters,
    described_raters,
    identifiers,
    is_counter,
    named_raters,
    plain,
    recognized_raters,
    tells_rows_apart,
)
from classy_aesop.data.scores import (
    COLUMNS,
    KEYS,
    NO_METRICS,
    Rating,
    mean_ratings,
    named,
    table,
    with_places,
)
from classy_aesop.data.sources import Where
from classy_aesop.data.table_files import TableFile, check_names
from classy_aesop.data.values import (
    Key,
    Kind,
    Row,
    identifier,
    instance_key,
    kinds_of,
    number,
    optional,
    required,
    shown,
    split_instance,
    with_point,
)
from classy_aesop.errors import NOTE, DataWarning, InputError, listed

if TYPE_CHECKING:
    import pandas as pd


_FLAGS = frozenset({"0", "1", "0.0", "1.0", "true", "false"})


@dataclass(frozen=True)
class Layout:
    """What the columns of a table are.

    Parameters
    ----------
    keys : mapping of str to str
        The column of each identifier, ``metric`` in a long table included.
    scores : tuple of str
        The columns of scores: of a long table one.
    of_raters : mapping
        Measures whose columns are single raters.
    commas : frozenset of str
        Columns with decimal commas.
    unread : tuple of str
        Columns that hold no scores.
    doubtful : tuple of str
        Columns of numbers that by their names tell rows apart.
    """

    keys: Mapping[str, str]
    scores: tuple[str, ...]
    of_raters: Raters = field(default_factory=dict)
    commas: frozenset[str] = frozenset()
    unread: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()

    def ratings(self, row: Mapping[str, Any], where: Where, year: str) -> Iterator[tuple[Where, Rating]]:
        """Give the ratings of a row."""
        columns = self.keys
        topic, summarizer = (
            identifier(row.get(columns[role]), columns[role], where, cell=True)
            for role in ("topic", "summarizer")
        )
        year_of_row, task, assessor = (
            optional(row, columns.get(role), where, cell=True) for role in ("year", "task", "assessor")
        )
        if plain(columns["topic"]) == "instance_id":
            topic, task = split_instance(topic, task or None)
        key = year_of_row or year, topic, task, summarizer
        cells = {column: self._cell(row, column) for column in self.scores}
        if "metric" in columns:
            [(column, value)] = cells.items()
            if not isinstance(value, list | tuple | Mapping):
                value = number(value, column, where, text=True)
            cells = {identifier(row.get(columns["metric"]), columns["metric"], where, cell=True): value}
        yield from ratings_of(key, assessor, cells, where, text=True)
        for measure, raters in self.of_raters.items():
            for rater, column in raters.items():
                yield from ratings_of(key, rater, {measure: self._cell(row, column)}, where, text=True)

    def _cell(self, row: Mapping[str, Any], column: str) -> Any:
        value = row.get(column)
        return with_point(value) if column in self.commas and isinstance(value, str) else value


def layout_of(found: TableFile, fields: Fields | None = None, *, of_humans: bool = False) -> Layout:
    """Find what the columns of a table are; the parameters are those of `ratings_of_table`."""
    columns, rows, header = found.columns, found.rows, found.header
    given = asked_columns(columns, fields or {}, OF_SCORES)
    keys = identifiers(columns, header, given)
    check_names(columns, header)
    if "" in columns[1:]:
        raise header.error(f"a column of {listed(columns, most=20)} has no name")
    kinds = kinds_of(rows, columns, written=True)
    kinds = {name: one for name, one in kinds.items() if name not in keys.values()}
    long = _long(kinds, header)
    doubtful: tuple[str, ...] = ()
    if long:
        keys, numbers, free = {**keys, "metric": long["metric"]}, [long["score"]], []
        of_raters: Raters = {}
    else:
        named = (*given.get("measures", ()), *given.get("scores", ()))
        free = (
            [*named, *given.get("ratings", ())]
            if named
            else [
                name
                for name in kinds  # not the numbers of rows, nor a mark of who is human
                if not is_counter(name) and (name not in NO_METRICS or is_measure(name, rows))
            ]
        )
        numbers = [name for name in free if kinds[name].kind != "text" or _has_numbers(name, rows)]
        if not named:
            doubtful = tuple(name for name in numbers if tells_rows_apart(name))
            numbers = [name for name in numbers if name not in doubtful]
            free = [name for name in free if name not in doubtful]
        numbers = numbers or free  # then each cell is refused
        if "ratings" in given:
            of_raters = named_raters(given["ratings"])
        else:
            has_other = bool("assessor" in keys or named)
            of_raters = {} if has_other else recognized_raters(numbers, of_humans=of_humans)
    single = {column for found in of_raters.values() for column in found.values()}
    scores = tuple(name for name in numbers if name not in single)
    if not scores and not of_raters:
        raise header.error(f"no scores among the columns {listed(columns)}")
    check_raters(of_raters, scores, keys.get("assessor"))
    commas = frozenset(name for name in (*scores, *single) if kinds[name].has_commas)
    unread = tuple(name for name in free if name not in numbers and name not in single)
    return Layout(keys, scores, of_raters, commas, unread, doubtful)


def _long(kinds: Mapping[str, Kind], header: Where) -> dict[str, str]:
    """Find the columns of metrics and of scores; nothing in a wide table."""
    names = [name for name in kinds if plain(name) in LONG["metric"]]
    metric = next(
        (name for name in names if name == "metric" or kinds[name].kind in ("text", "nothing")), None
    )
    if metric is None:
        return {}
    scores = [name for name in kinds if plain(name) in LONG["score"]]
    numbers = [name for name, one in kinds.items() if one.kind in ("numbers", "mixed") and name != metric]
    found = (
        "score" if "score" in kinds else next(iter(scores or (numbers if len(numbers) == 1 else [])), None)
    )
    if found is None:
        raise header.error(
            f"a column {metric}, and none of {', '.join(LONG['score'])}; expected both, or none"
        )
    return {"metric": metric, "score": found}


def is_measure(name: str, rows: Sequence[Row]) -> bool:
    """Whether a column is ``human`` and holds human scores, other numbers than 0 and 1, which mark who is human."""
    if name != "human":
        return False
    cells = [str(row[name]).strip().lower() for _, row in rows if row.get(name) not in (None, "")]
    return _has_numbers(name, rows) and any(cell not in _FLAGS for cell in cells)


def _has_numbers(name: str, rows: Sequence[Row]) -> bool:
    """Whether a column of other things has numbers too, each of its cells is then refused."""
    cells = ((where, row.get(name)) for where, row in rows)
    return any(Kind.of([cell], written=True).kind == "numbers" for cell in cells)


def is_record_table(found: TableFile) -> bool:
    """Whether rows of JSON have our own names, and each its own fields: `ratings_of_record` reads them."""
    names = set(found.columns)
    return found.form in ("jsonl", "json") and (
        "metrics" in names or {"instance_id", "summarizer_id"} <= names
    )


def ratings_of_record(
    record: Mapping[str, Any], where: Where, year: str = ""
) -> Iterator[tuple[Where, Rating]]:
    """Give the ratings of a record: its ``metrics``, its ``metric`` and ``score``, or its fields that are not ids."""
    if not isinstance(record, Mapping):
        raise where.error(f"found {shown(record)}; expected named fields")
    key = instance_key(record, where, year)
    return ratings_of(key, optional(record, "assessor", where), _metrics(record, where), where)


def ratings_of(
    key: Key,
    assessor: str,
    metrics: Mapping[str, object],
    where: Where,
    *,
    text: bool = False,
) -> Iterator[tuple[Where, Rating]]:
    """Give the ratings of one summary: a number a metric, or a list of them, one an assessor (``1``, ``2``, ...).

    Names in names are joined by a dot, but for those in a cell that is called like all measures (``metrics``). With
    ``text`` a number may be written as text.
    """
    for metric, value in _flat(metrics, where):
        if not isinstance(value, list | tuple):
            yield where, (*key, metric, assessor, number(value, metric, where, text=text))
            continue
        if assessor:
            raise where.error(f"{metric} is a list and the row has an assessor; expected one of the two")
        for at, one in enumerate(value, 1):
            yield where, (*key, metric, str(at), number(one, metric, where, text=text))


def _metrics(record: Mapping[str, Any], where: Where) -> Mapping[str, object]:
    if record.get("metrics") is None and "metric" in record:
        return {identifier(record["metric"], "metric", where): record.get("score")}
    if record.get("metrics") is None and {"topic", "summarizer"} <= set(record):
        wide = {name: value for name, value in record.items() if name not in NO_METRICS}
        if wide:
            return wide
    metrics = required(record, where, "metrics")
    if not isinstance(metrics, Mapping):
        raise where.error(f"metrics is {shown(metrics)}; expected names with numbers")
    return metrics


_DEEPEST = 10
"""Levels of names inside names."""


def _flat(
    metrics: Mapping[str, object], where: Where, prefix: str = "", level: int = 0
) -> Iterator[tuple[str, object]]:
    if level == _DEEPEST:
        raise where.error(
            f"metrics has names in names of more than {_DEEPEST} levels; expected names with numbers"
        )
    for name, value in metrics.items():
        metric = f"{prefix}{identifier(str(name), 'metric', where, empty=True)}"
        if isinstance(value, Mapping):
            of_all = not level and metric.lower() in ROLES["measures"]
            yield from _flat(value, where, "" if of_all else f"{metric}.", level + 1)
        else:
            yield metric, value


_LOG = logging.getLogger(__name__)


def ratings_of_table(
    found: TableFile, year: str = "", *, fields: Fields | None = None, of_humans: bool = False
) -> Iterator[tuple[Where, Rating]]:
    """Give the ratings of the rows of a table; say what was recognized that another reader may take for something else.

    Parameters
    ----------
    found : TableFile
        The table.
    year, fields, of_humans
        As for `score_files.read_scores`.

    Raises
    ------
    InputError
        A column is missing or there twice, or a cell is not what it should be.
    UsageError
        ``fields`` does not fit the table.

    Warns
    -----
    DataWarning
        Columns that hold no scores.
    """
    layout = layout_of(found, fields, of_humans=of_humans)
    _say(layout, found.header)
    for where, row in found.rows:
        yield from layout.ratings(row, where, year)


def _say(layout: Layout, header: Where) -> None:
    """Say in a line what was recognized by other names than ours, and warn of columns without scores."""
    where = f"{header.path}: " if header.path else ""
    renamed = [f"{name} = {column}" for name, column in layout.keys.items() if name != column]
    said = [*renamed, described_raters(layout.of_raters) if layout.of_raters else ""]
    if layout.commas:
        said.append(f"decimal commas are read as points in {listed(sorted(layout.commas))}")
    if any(said):
        _LOG.log(NOTE, "%s%s", where, "; ".join(filter(None, said)))
    if layout.doubtful:
        message = f"{where}by their names no scores: {listed(layout.doubtful, most=20)}"
        how = "--columns scores=NAME takes such a column (fields={...} in Python)"
        warnings.warn(f"{message}; {how}", DataWarning, stacklevel=5)
    if layout.unread:
        message = f"{where}columns without scores are not read: {listed(layout.unread, most=20)}"
        warnings.warn(message, DataWarning, stacklevel=5)


def tidy(frame: pd.DataFrame, *, fields: Fields | None = None, of_humans: bool = False) -> pd.DataFrame:
    """Check a DataFrame, long or wide, and make it tidy: identifiers as text, scores as floats.

    Parameters
    ----------
    frame : DataFrame
        Columns of topic and summarizer under one of their common names (``topic``, ``doc_id``, ...; ``summarizer``,
        ``system``, ``model``, ...), optionally ``year``, ``task`` and ``assessor``; then ``metric`` and ``score``, or
        one column per metric. They may be its index.
    fields, of_humans
        As for `ratings_of_table`.

    Examples
    --------
    >>> import pandas as pd
    >>> print(tidy(pd.DataFrame({"doc": [1, 1], "system": ["a", "b"], "rouge": [0.2, 0.3]})).to_string())
      year topic task summarizer metric  score
    0          1               a  rouge    0.2
    1          1               b  rouge    0.3
    """
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    columns = [str(column) for column in frame.columns]
    cells = frame.astype(object).where(frame.notna(), None)
    named = (dict(zip(columns, row, strict=True)) for row in cells.itertuples(index=False, name=None))
    found = TableFile("frame", Where(), columns, [(Where(line=at), row) for at, row in enumerate(named, 1)])
    return table(ratings_of_table(found, fields=fields, of_humans=of_humans))


def tidied(frame: pd.DataFrame, *, of_humans: bool = False) -> pd.DataFrame:
    """Give a tidy score table as it is, and any other table as `tidy` makes one of it.

    A table with the right columns is no tidy one if its identifiers are numbers or missing, as in a file that pandas
    read, or a score is infinite.
    """
    whole = with_places(frame) if list(frame.index.names) == [None] else frame
    return whole if _is_tidy(whole) else tidy(frame, of_humans=of_humans)


def _is_tidy(frame: pd.DataFrame) -> bool:
    from pandas.api.types import infer_dtype, is_numeric_dtype

    if not set(COLUMNS) <= set(frame.columns) or not is_numeric_dtype(frame["score"]):
        return False
    names = frame[[name for name in frame if name in COLUMNS[:-1] or name == "assessor"]]
    are_texts = all(infer_dtype(names[name]) in ("string", "empty") for name in names)
    return are_texts and not (names.isna().any(axis=None) or frame["score"].abs().eq(math.inf).any())


def all_metrics(of_corpus: pd.DataFrame | None, given: pd.DataFrame | None) -> pd.DataFrame | None:
    """Join scores of metrics that came with a corpus and given ones, in this order; None if there are none."""
    import pandas as pd

    parts = [mean_ratings(tidied(table)) for table in (of_corpus, given) if table is not None and len(table)]
    return pd.concat(parts, ignore_index=True) if parts else given


def align_scores(
    instances: pd.DataFrame, scores: pd.DataFrame, *, known: pd.DataFrame | None = None, what: str = "scores"
) -> pd.DataFrame:
    """Arrange scores as one row per instance and one column per metric.

    Parameters
    ----------
    instances : DataFrame
        The columns `KEYS`, each key once; other columns are ignored.
    scores : DataFrame
        A score table; ratings by several assessors are averaged.
    known : DataFrame, optional
        All instances of the corpus, if ``instances`` are a part of them: scores of the rest are dropped without a
        warning.
    what : str
        The word for the scores in messages.

    Returns
    -------
    DataFrame
        The index of ``instances``; metrics in the order of the table; NaN where an instance has no score.

    Raises
    ------
    InputError
        If no score belongs to a known instance, a metric has no score for any of ``instances``, or a score appears
        twice.

    Warns
    -----
    DataWarning
        Once, for scores of unknown instances and for metrics that some instances lack.
    """
    import pandas as pd

    scores = mean_ratings(tidied(scores))
    rows = pd.MultiIndex.from_frame(instances[KEYS])
    every = rows if known is None else pd.MultiIndex.from_frame(known[KEYS])
    keys = pd.MultiIndex.from_frame(scores[KEYS])
    again = scores[scores.duplicated([*KEYS, "metric"])]
    if len(again):
        raise InputError(f"{what}: {named(again[KEYS].iloc[0])}: {again['metric'].iloc[0]} appears twice")
    unknown = keys[~keys.isin(every)].unique()
    if len(unknown) == len(keys.unique()):
        raise InputError(
            f"{what}: no summary of the corpus has a score: scores have {_some(unknown)}; "
            f"the corpus has {_some(every)} (year, topic, task, summarizer)"
        )
    columns = {
        str(metric): group.set_index(KEYS)["score"].reindex(rows).to_numpy()
        for metric, group in scores.groupby("metric", sort=False)
    }
    wide = pd.DataFrame(columns, index=instances.index)
    empty = [metric for metric in wide if wide[metric].isna().all()]
    if empty:
        raise InputError(f"{what}: {listed(empty)} has no score for any of the summaries")
    _warn_of_unmatched(wide, rows, unknown, what)
    return wide


def _warn_of_unmatched(wide: pd.DataFrame, rows: pd.MultiIndex, unknown: pd.MultiIndex, what: str) -> None:
    notes = []
    if len(unknown):
        notes.append(f"scored but not in the corpus, and left out: {len(unknown)} ({_some(unknown)})")
    lacking = {metric: rows[wide[metric].isna()] for metric in wide if wide[metric].isna().any()}
    if lacking:
        each = (f"{metric} of {len(keys)} ({_some(keys)})" for metric, keys in lacking.items())
        notes.append(f"missing: {', '.join(each)}")
    if notes:
        warnings.warn(f"{what}: {'; '.join(notes)}", DataWarning, stacklevel=3)


def _some(keys: pd.MultiIndex) -> str:
    return listed(["/".join(key) for key in keys], most=3)
