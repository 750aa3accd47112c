"""How a table of scores is laid out: which columns say what a score belongs to, and which hold scores.

The columns of topic and summarizer, and of year, task and assessor where there are any, are known by their common names
(`columns.IDENTIFIERS`). A long table has a column of metrics and one of scores. In a wide one every other column of
numbers is a metric, and columns of raters are one measure each (`raters`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from classy_aesop.data import raters
from classy_aesop.data.asked import Fields, asked_columns
from classy_aesop.data.kinds import Kind, kinds_of, with_point
from classy_aesop.data.opening import Where
from classy_aesop.data.score_columns import IDENTIFIERS, is_counter, plain, with_own_names
from classy_aesop.data.score_rows import Row, identifier, number, optional, split_instance
from classy_aesop.data.scores import NO_METRICS, Rating
from classy_aesop.data.table_files import TableFile
from classy_aesop.errors import UsageError, listed, shortened

LONG = {
    "metric": ("metric", "metric_name", "measure", "criterion", "dimension"),
    "score": ("score", "value", "rating", "judgment"),
}
"""The columns of a long table, each with its common names."""

_FLAGS = frozenset({"0", "1", "0.0", "1.0", "true", "false"})
_SEVERAL = ("measures", "scores", "ratings")


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
    """

    keys: Mapping[str, str]
    scores: tuple[str, ...]
    of_raters: raters.Raters = field(default_factory=dict)
    commas: frozenset[str] = frozenset()
    unread: tuple[str, ...] = ()

    def rating(self, row: Mapping[str, Any], where: Where, year: str) -> Iterator[Rating]:
        """Give the ratings of a row."""
        named = {name: whole(row.get(column)) for name, column in self.keys.items()}
        topic, summarizer = (identifier(named[name], name, where) for name in ("topic", "summarizer"))
        task = optional(named, "task", where) or None
        if plain(self.keys["topic"]) == "instance_id":
            topic, task = split_instance(topic, task)
        key = optional(named, "year", where) or year, topic, task or "", summarizer
        assessor = optional(named, "assessor", where)
        for column in self.scores:
            metric = identifier(named["metric"], "metric", where) if "metric" in named else column
            yield (*key, metric, assessor, self._number(row, column, where))
        for measure, columns in self.of_raters.items():
            for rater, column in columns.items():
                yield (*key, measure, rater, self._number(row, column, where))

    def _number(self, row: Mapping[str, Any], column: str, where: Where) -> float:
        value = row.get(column)
        if column in self.commas and isinstance(value, str):
            value = with_point(value)
        return number(value, column, where, text=True)


def layout_of(found: TableFile, fields: Fields | None = None, *, of_humans: bool = False) -> Layout:
    """Find what the columns of a table are; the parameters are those of `tidying.ratings_of_table`."""
    columns, rows, header = found.columns, found.rows, found.header
    given = given_columns(columns, fields or {})
    keys = keys_of(columns, header, given)
    _check_names(columns, header)
    kinds = kinds_of(rows, columns, written=True)
    kinds = {name: one for name, one in kinds.items() if name not in keys.values()}
    long = _long(kinds, header)
    if long:
        keys, numbers, free = {**keys, "metric": long["metric"]}, [long["score"]], []
        of_raters: raters.Raters = {}
    else:
        free = _free(kinds, rows, given)
        numbers = [name for name in free if kinds[name].kind != "text" or _has_numbers(name, rows)]
        numbers = numbers or free  # then each cell is refused
        apart = "assessor" in keys or bool(given.get("measures") or given.get("scores"))
        of_raters = _raters(numbers, given, of_humans=of_humans, apart=apart)
    single = {column for found in of_raters.values() for column in found.values()}
    scores = tuple(name for name in numbers if name not in single)
    if not scores and not of_raters:
        raise header.error(f"no scores among the columns {listed(columns)}")
    _check_raters(of_raters, scores, keys)
    commas = frozenset(name for name in (*scores, *single) if kinds[name].has_commas)
    unread = tuple(name for name in free if name not in numbers and name not in single)
    return Layout(keys, scores, of_raters, commas, unread)


def _free(kinds: Mapping[str, Kind], rows: Sequence[Row], given: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Name the columns that may hold scores: those that the user names, or all whose name is not of something else."""
    named = [*given.get("measures", ()), *given.get("scores", ())]
    if named:
        return [*named, *given.get("ratings", ())]
    return [name for name in kinds if not _is_no_metric(name, rows)]


def _raters(
    numbers: Sequence[str], given: Mapping[str, tuple[str, ...]], *, of_humans: bool, apart: bool
) -> dict[str, dict[str, str]]:
    """Find the columns of raters: those that the user names, or else, unless there are none, by their names."""
    if "ratings" in given:
        return raters.named(given["ratings"])
    return {} if apart else raters.recognized(numbers, of_humans=of_humans)


def keys_of(columns: Sequence[str], header: Where, given: Mapping[str, Sequence[str]] = {}) -> dict[str, str]:
    """Find the columns of the identifiers; a column with the very name of one comes before those of other names."""
    taken = {name for names in given.values() for name in names}
    found = {name: given[name][0] for name in IDENTIFIERS if given.get(name)}
    for name in IDENTIFIERS:
        known = [one for one in columns if plain(one) in IDENTIFIERS[name] and one not in taken]
        known = with_own_names(known)
        if name in given or not known:
            continue
        if len(known) > 1 and name not in known:
            how = f"name the one that is meant: --columns {name}=NAME"
            raise header.error(f"{name} could be {' or '.join(known)}", advice=how)
        found[name] = name if name in known else known[0]
    lacking = [name for name in ("topic", "summarizer") if name not in found]
    if lacking:
        names = "; ".join(f"{name}: {', '.join(IDENTIFIERS[name][:5])}" for name in lacking)
        there = listed([shortened(name, most=80) for name in columns])
        raise header.error(
            f"no column {listed(lacking)} among {there}; expected a header with it ({names})",
            advice=f"or its name: --columns {lacking[0]}=NAME",
        )
    return found


def given_columns(columns: Sequence[str], fields: Fields) -> dict[str, tuple[str, ...]]:
    """Give the columns that the user says have a role."""
    return asked_columns(columns, fields, role_of=_role_of, several=_SEVERAL)


def _role_of(name: str) -> str:
    role = next((one for one, names in IDENTIFIERS.items() if plain(name) in names), name)
    if role not in (*IDENTIFIERS, *_SEVERAL):
        raise UsageError(
            f"no column of scores is a {name!r}; expected one of {', '.join((*IDENTIFIERS, *_SEVERAL))}"
        )
    return role


def _check_names(columns: Sequence[str], header: Where) -> None:
    if any(name == "" for name in columns[1:]):
        raise header.error(f"a column of {listed(columns, most=20)} has no name")
    if len(set(columns)) < len(columns):
        raise header.error(f"a column of {listed(columns, most=20)} appears twice")


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


def _is_no_metric(name: str, rows: Sequence[Row]) -> bool:
    """Whether a column is none of scores by its name: a number of rows, or a mark of who is human."""
    return is_counter(name) or (name in NO_METRICS and not is_measure(name, rows))


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


def _check_raters(of_raters: raters.Raters, scores: Sequence[str], keys: Mapping[str, str]) -> None:
    if of_raters and "assessor" in keys:
        raise UsageError(
            f"ratings of {listed(of_raters)} are columns of raters, and the column {keys['assessor']} names the "
            "rater of a row; expected one of the two"
        )
    again = [name for name in of_raters if name in scores]
    if again:
        raise UsageError(
            f"raters of {listed(again)}, and a column of this name; expected another name of one"
        )


def whole(value: Any) -> Any:
    """Give a whole number as one: tables in which a cell of its column is missing hold it as 144.0."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value
