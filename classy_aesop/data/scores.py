"""The tidy score table: made from rows, averaged over assessors, checked, and turned into matrices.

Where nothing has a year or a task, tables in Python have no columns of them; files have both always.
"""

from __future__ import annotations

import logging
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, reduce
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, cast

from msgspec import structs

from classy_aesop.data.attempts import (
    ATTEMPT,
    Attempts,
    SharedLists,
    average_attempts,
    describe_attempts,
    join_lists,
)
from classy_aesop.data.cells import HALF, is_missing, read_identifier
from classy_aesop.data.where import Where
from classy_aesop.errors import NOTE, InputError, join_names, warn
from classy_aesop.significance.choices import CORRELATION_LEVELS

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from classy_aesop.significance.choices import Coefficient, Level


_LOG = logging.getLogger(__name__)

STRATUM_COLUMNS = ("year", "task")
"""The columns that may be absent where nothing has a year or a task."""


class UnnamedRater(str):
    """The number of a rating in a list or among numbered columns, whose rater may be another person in each row."""


def drop_empty_stratum_columns(table: pd.DataFrame) -> pd.DataFrame:
    """Leave out the columns ``year`` and ``task`` where no row has one. A table without rows keeps its columns."""
    whole = table.copy(deep=False)
    for name in STRATUM_COLUMNS if len(table) else ():
        if name in table and all(is_missing(cell) or cell == "" for cell in {*table[name].tolist()}):
            del whole[name]
    return whole


def add_stratum_columns(table: pd.DataFrame) -> pd.DataFrame:
    """Give a table both columns, as files have them: ``year`` first, ``task`` after it, or after the topic."""
    import pandas as pd

    missing = [name for name in STRATUM_COLUMNS if name not in table]
    whole = table.copy(deep=False) if missing else table
    for name in missing:
        previous = "topic" if "topic" in whole else "year"
        position = 0 if name == "year" else list(whole).index(previous) + 1
        whole.insert(position, name, pd.Series("", index=whole.index, dtype=str))
    return whole


KEYS = ["year", "topic", "task", "summarizer"]
"""The columns that name an instance: one summarizer on one topic and task."""

COLUMNS = [*KEYS, "metric", "score"]
"""The columns of a score table, in this order; ``assessor`` may follow ``metric``."""

MEANING_OF_COLUMN = {
    "year": "the evaluation that the topic belongs to; may be missing",
    "topic": "what is summarized",
    "task": "``A``, the initial summary, or ``B``, the update; may be missing",
    "summarizer": "who wrote the summary",
    "metric": "the metric or human measure that gives the score",
    "assessor": "who gave the score, where several humans judge a summary; may be missing",
    "attempt": "which of several outputs of the summarizer; their scores are averaged when the table is read; may be "
    "missing",
    "score": "a finite number, or nothing",
}
"""What each column means."""

JACKKNIFED = "_jackknifed"
"""Ending of a measure that is comparable between systems and humans, by jackknifing (Lin, 2004, section 2.1)."""

NO_METRICS = {*KEYS, "assessor", "human", "empty", "n_references", "n_earlier", "signature"}
"""Columns of a wide table that are not metrics."""

Rating = tuple[str, str, str, str, str, str, float]
"""The key, the metric, the assessor (``""`` if there is only one) and the score."""

PlacedRating = tuple[Where, Rating] | tuple[Where, Rating, str]
"""A rating with its place, and the attempt that it is of, if there are several."""


ORIGIN = "classy_aesop"
"""Key of ``DataFrame.attrs`` under which a table says what it was read from, as plain lists and dicts: ``topic``, the
column of topics; ``unnamed_raters``, the measures whose raters are positions (`UnnamedRater`); ``metrics``, the
measures that are automatic metrics though rows have raters; ``attempts``, how many attempts of a measure were
averaged, and their scores (`classy_aesop.data.attempts`); ``columns``, for each column without a role that not all
systems share, the systems of each value; ``lower_is_better``, the measures that are better if lower
(`classy_aesop.data.directions`); ``scales``, the least and the greatest score that measures can have
(`classy_aesop.data.scales`); ``clusters``, what topics lie in (`data.clusters`); ``lengths``, how long outputs are;
``labels``, the words that the numbers 1, 2, ... of measures without order stand for (`classy_aesop.reading.labels`);
``extremes``, the least and the greatest that they have, with file, line and its unit."""


class Origin(TypedDict, total=False):
    """What a table was read from, see `ORIGIN`."""

    topic: str
    unnamed_raters: list[str]
    metrics: list[str]
    attempts: dict[str, Attempts]
    lower_is_better: list[str]
    columns: dict[str, dict[str, list[str]]]
    scales: dict[str, list[float]]
    labels: dict[str, list[str]]
    clusters: SharedLists
    lengths: SharedLists
    extremes: SharedLists


def origin_of(frame: pd.DataFrame) -> Origin:
    """Give what a table was read from, see `ORIGIN`; nothing of a table that was not read."""
    origin = frame.attrs.get(ORIGIN)
    return cast("Origin", origin) if isinstance(origin, dict) else {}


def note_origin(table: pd.DataFrame, **parts: object) -> pd.DataFrame:
    """Give a table that says more of what it was read from, see `ORIGIN`."""
    noted = table.copy(deep=False)
    noted.attrs = {**table.attrs, ORIGIN: {**origin_of(table), **parts}}
    return noted


def joined_origin(origins: Iterable[Origin]) -> Origin:
    """Join what several tables were read from: the columns of topics and the values of all."""
    return cast("Origin", reduce(_join_parts, origins, {}))


def _join_parts(first: Any, second: Any) -> Any:
    """Join a part of two origins: what both have within it; lists of what is in either, sorted."""
    if isinstance(first, str):
        return first or second
    if isinstance(first, SharedLists):
        return join_lists(first, second)
    if isinstance(first, dict):
        return {
            **first,
            **second,
            **{name: _join_parts(first[name], second[name]) for name in first if name in second},
        }
    return sorted({*first, *second})


def _find_extremes(table: pd.DataFrame, places: Callable[[int], Where]) -> SharedLists:
    """Find the least and the greatest score of each measure, with their places."""
    scored = table[table["score"].notna()]
    rows_of_ends = scored.groupby("metric", sort=False)["score"].agg(["idxmin", "idxmax"])
    return SharedLists(
        {
            str(measure): [[float(table["score"][row]), *structs.astuple(places(int(row)))] for row in ends]
            for measure, *ends in rows_of_ends.itertuples(name=None)
        }
    )


def natural(identifier: str) -> str:
    """Sort key that puts ``2`` before ``10`` and numbers before letters.

    Examples
    --------
    >>> sorted(["10", "B", "2", "01", "1"], key=natural)
    ['01', '1', '2', '10', 'B']
    """

    def number(match: re.Match[str]) -> str:
        """Put its length before a number."""
        digits = match[0].lstrip("0")
        return f"\0{len(digits):09}{digits}\0{match[0]}\0"

    return re.sub("[0-9]+", number, identifier)


def format_key(key: Iterable[str]) -> str:
    """Write a key as readable text.

    Examples
    --------
    >>> format_key(("2010", "D1001", "A", "7"))
    '2010 D1001-A 7'
    """
    year, topic, task, *summarizer = key
    return " ".join(filter(None, [year, f"{topic}-{task}" if task else topic, *summarizer]))


_UNSEEN = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]")
_BREAKS = re.compile("[\\s_\u2010-\u2015\u2212-]+")
_BREAK_BESIDE_A_LETTER = re.compile("(?<![0-9])-|-(?![0-9])")
_LATIN = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0455\u0456\u0458\u0501\u051b\u051d\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7",
    "abekmhopctyxsijdqwabezhikmvoptyx",
)
"""Letters of Cyrillic and Greek that look like Latin ones, in lower case or in upper case."""


def normal_form(name: str) -> str:
    """Give a name in Unicode's compatible form, without characters that are not seen."""
    return name if name.isascii() else _UNSEEN.sub("", unicodedata.normalize("NFKC", name))


def letters_of(name: str) -> str:
    """Give a name without case, blanks, hyphens and underscores, its letters in Latin where they look so.

    What stands between two digits is kept, as a hyphen: 1-11 is not 11-1.

    Examples
    --------
    >>> letters_of("GPT-4_turbo"), letters_of("gpt 4 Turbo"), letters_of("D 1-11"), letters_of("\u0421\u0430t")
    ('gpt4turbo', 'gpt4turbo', 'd1-11', 'cat')
    """
    joined = _BREAKS.sub("-", normal_form(name).casefold())
    short = _BREAK_BESIDE_A_LETTER.sub("", joined)
    return short if short.isascii() else short.translate(_LATIN)


def pair_similar_names(names: Iterable[str], form: Callable[[str], str]) -> list[tuple[str, str]]:
    """Pair each name with the first other one that has the same form, in the order of their characters."""
    first_of_form: dict[str, str] = {}
    pairs = ((first_of_form.setdefault(form(name), name), name) for name in sorted({*names}))
    return [(first, name) for first, name in pairs if first != name]


def describe_similar_names(names: Iterable[str], form: Callable[[str], str] = normal_form) -> str:
    """Say which two identifiers look alike but differ: in normal form, or by characters that are not seen."""
    distinct = sorted({*names})
    if form is normal_form and all(map(str.isascii, distinct)):
        return ""
    for first, second in pair_similar_names(distinct, form):
        return f"{first!a} and {second!a} look alike but differ"
    return ""


def describe_similar_keys(*keys: Iterable[tuple[str, ...]]) -> str:
    """Say which identifiers of keys look alike but differ, as topics or as summarizers, also in case or hyphens."""
    columns = zip(*chain.from_iterable(keys), strict=True)
    return next(filter(None, (describe_similar_names(names, letters_of) for names in columns)), "")


def empty_table() -> pd.DataFrame:
    """Make a score table without rows."""
    return _empty().copy()


_empty = cache(lambda: make_score_table(()))


def key_table(keys: Iterable[tuple[str, ...]]) -> pd.DataFrame:
    """Make a table of keys: the columns `KEYS`, one row per instance."""
    import pandas as pd

    return pd.DataFrame(list(keys), columns=KEYS, dtype=str)


_RATING_COLUMNS = (*KEYS, "metric", "assessor", "score", ATTEMPT)


def make_score_table(ratings: Iterable[PlacedRating]) -> pd.DataFrame:
    """Make the tidy table of ratings, in their order; it has the column ``assessor`` if any of them names one.

    Attempts are averaged. Two ratings of one key, metric, assessor and attempt are an `InputError`.
    """
    import numpy as np

    places: list[Where] = []
    rows: list[tuple[Any, ...]] = []
    for where, rating, *attempt in ratings:
        places.append(where)
        rows.append((*rating, *(attempt or [""])))
    columns = zip(*rows, strict=True) if rows else [()] * len(_RATING_COLUMNS)
    names = {name: np.array(cells, object) for name, cells in zip(_RATING_COLUMNS, columns, strict=True)}
    scores = names.pop("score").astype(float)
    unnamed = {row[4] for row in rows if isinstance(row[5], UnnamedRater)}
    frame = table_of_columns(names, scores, places.__getitem__)
    return note_origin(frame, unnamed_raters=sorted(unnamed)) if unnamed else frame


def _average_cells(ratings: pd.DataFrame, path: str | None) -> pd.DataFrame:
    """Average the attempts of a table, say so, and note how many there were."""
    cells, attempts = average_attempts(ratings)
    if counts := describe_attempts(attempts):
        _LOG.log(NOTE, "%s%s were averaged", f"{path}: " if path else "", counts)
    cells.attrs[ORIGIN] = {**origin_of(ratings), "attempts": attempts}
    return cells


def table_of_columns(
    names: Mapping[str, NDArray[Any]], scores: NDArray[Any], places: Callable[[int], Where]
) -> pd.DataFrame:
    """Make the tidy table of columns, as `table` makes it of ratings.

    Shapes: ``scores`` (n_scores,).
    """
    import numpy as np
    import pandas as pd

    for values in names.values():
        for name in filter(HALF.search, pd.unique(values)):
            read_identifier(name, "a name", places(int(np.argmax(values == name))), may_be_empty=True)
    frame = pd.DataFrame(names, dtype=str)
    if message := describe_similar_names((*frame["topic"].unique(), *frame["summarizer"].unique())):
        warn(f"{places(0).path or 'scores'}: {message}")
    for number, row in frame[frame.duplicated()][:1].iterrows():
        place = places(int(str(number)))
        first = places(int(np.argmax((frame == row).all(axis=1)))).describe_within(place.path)
        raise place.error(f"{format_key(row[KEYS])}: {row['metric']} is given again; the first is {first}")
    empty = [name for name in ("assessor", ATTEMPT) if frame[name].eq("").all()]
    frame = frame.drop(columns=empty).assign(score=scores)
    frame.attrs[ORIGIN] = {"extremes": _find_extremes(frame, places)}
    return _average_cells(frame, places(0).path) if ATTEMPT in frame else frame


def concatenate_scores(tables: Iterable[tuple[str | Path, pd.DataFrame]]) -> pd.DataFrame:
    """Put score tables together, each given with its file or what it is called in a message.

    Two tables with the same metric's score of the same summary (by the same assessor) are an `InputError`.
    """
    import pandas as pd

    named_tables = list(tables)
    whole_tables = [add_stratum_columns(table).assign(file=str(path)) for path, table in named_tables]
    joined = pd.concat(whole_tables, ignore_index=True)
    if origin := joined_origin(origin_of(table) for _, table in named_tables):
        joined.attrs[ORIGIN] = origin
    keys = [name for name in (*KEYS, "metric", "assessor") if name in joined]
    repeated = joined[joined.duplicated(keys)]
    if len(repeated):
        row = repeated.iloc[0]
        role = "system" if joined["summarizer"].nunique() == 1 else "rater"
        rule = (
            "#file" if len({Path(path).stem for path, _ in named_tables}) == len(named_tables) else "#folder"
        )
        raise InputError(
            f"{format_key(row[KEYS])}: {row['metric']} is in another of the files too; expected it in one, or "
            f"--columns {role}={rule} if each file is of one {role}",
            path=row["file"],
        )
    return joined.drop(columns="file")


def mean_ratings(frame: pd.DataFrame) -> pd.DataFrame:
    """Average over assessors: one row per key and metric, with the mean of the ratings that are not missing.

    The mean is NaN if all ratings are missing. A table without ``assessor`` is returned unchanged.
    """
    if "assessor" not in frame.columns:
        return frame
    return (
        add_stratum_columns(frame)
        .groupby([*KEYS, "metric"], sort=False)["score"]
        .mean()
        .reset_index()[COLUMNS]
    )


def drop_unscored_strata(frame: pd.DataFrame) -> pd.DataFrame:
    """Leave out the years and tasks of a metric in which it has no score at all."""
    whole = add_stratum_columns(frame)
    counts = whole.groupby(["year", "task", "metric"], sort=False)["score"].transform("count")
    return whole[counts > 0].reset_index(drop=True)


def average_scores(tables: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Average scores by year, task, summarizer and metric; the tables are held one at a time.

    ``n_topics`` counts the scores; of the columns ``group`` and ``form``, if there are such, the text that comes first
    in the order of characters is kept. What `drop_unscored_strata` leaves out is left out here.
    """
    import pandas as pd

    def add_up(rows: pd.DataFrame, of_scores: Mapping[str, tuple[str, str]]) -> pd.DataFrame:
        texts = {name: (name, "min") for name in ("group", "form") if name in rows}
        return rows.groupby(["year", "task", "summarizer", "metric"], sort=False).agg(**of_scores, **texts)

    per_table = {"n_topics": ("score", "count"), "total": ("score", "sum")}
    of_tables = {"n_topics": ("n_topics", "sum"), "total": ("total", "sum")}
    parts = [add_up(add_stratum_columns(table), per_table) for table in tables]
    averages = add_up(pd.concat(parts), of_tables).reset_index().fillna({"group": "", "form": ""})
    averages.insert(5, "mean", averages.pop("total") / averages["n_topics"])
    return averages[
        averages.groupby(["year", "task", "metric"])["n_topics"].transform("sum") > 0
    ].reset_index(drop=True)


def matrix(frame: pd.DataFrame, metric: str) -> tuple[np.ndarray, tuple[str, ...], tuple[str, ...]]:
    """Turn one metric into a matrix of summarizers by topics.

    Parameters
    ----------
    frame : DataFrame
        A tidy score table of one year and task.
    metric : str
        The metric.

    Returns
    -------
    values : ndarray, shape (n_summarizers, n_topics)
        The scores; NaN where there is none.
    summarizers, topics : tuple of str
        The names of rows and columns, in natural order.

    Raises
    ------
    InputError
        If the metric does not exist; if there are several years or tasks, which are never pooled; or if a summary has
        two scores (average single ratings first, with `mean_ratings`).
    """
    has_metric = (frame["metric"] == metric).to_numpy()
    rows = add_stratum_columns(frame if has_metric.all() else frame[has_metric])
    if rows.empty:
        names = join_names(sorted({*frame["metric"]}, key=natural), limit=20) or "none"
        raise InputError(f"no scores with metric {metric!r}; known: {names}")
    for column in STRATUM_COLUMNS:
        if len(values := sorted(rows[column].unique(), key=natural)) > 1:
            raise InputError(
                f"the table holds several values of {column} ({join_names(values)}); expected one"
            )
    return lay_out_cells(rows)


def lay_out_cells(rows: pd.DataFrame) -> tuple[np.ndarray, tuple[str, ...], tuple[str, ...]]:
    """Turn the scores of one year, task and metric into a matrix as `matrix` does; InputError for two of a summary."""
    import numpy as np

    system, summarizers = _number_names(rows["summarizer"])
    topic, topics = _number_names(rows["topic"])
    is_set = np.zeros((len(summarizers), len(topics)), bool)
    is_set[system, topic] = True
    if is_set.sum() < len(rows):
        repeated = rows[rows.duplicated(["topic", "summarizer"])]
        key = format_key(repeated[KEYS].iloc[0])
        raise InputError(
            f"{key}: {repeated['metric'].iloc[0]} has several scores; expected one (mean_ratings averages assessors)"
        )
    cells = np.full(is_set.shape, np.nan)
    cells[system, topic] = rows["score"]
    return cells, summarizers, topics


def _number_names(names: pd.Series) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Number names in natural order; give the number of each, and the names in this order."""
    import numpy as np
    import pandas as pd

    codes, uniques = pd.factorize(names.to_numpy(object))
    different: list[str] = uniques.tolist()
    order = sorted(range(len(different)), key=lambda code: natural(different[code]))
    return np.argsort(order)[codes], tuple(different[code] for code in order)


def format_range(low: float, high: float) -> str:
    """Write a range as readable text."""
    return f"{low:g} to {high:g}" if math.isfinite(high) else f"{low:g} or more"


DEFAULT_COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman", "kendall")
"""The coefficients reported by default; Kendall's is tau-b, which corrects for ties."""


class MetricCorrelation(NamedTuple):
    """A correlation of a metric with a human measure, and how many summarizers and topics it rests on.

    ``n_skipped`` counts topics without a value: at level ``input`` those whose scores are constant or fewer than two,
    at level ``centred`` those with one score; 0 at other levels.
    """

    level: Level
    coefficient: Coefficient
    value: float
    n_summarizers: int
    n_topics: int
    n_skipped: int


def correlations(scores: pd.DataFrame, truth: pd.DataFrame) -> Iterator[MetricCorrelation]:
    """Correlate a metric with a human measure, at each level, over the instances that have both, if any."""
    from classy_aesop.significance.correlations.correlation_levels import correlation

    joined = join_scores(scores, truth)
    if joined is None:
        return
    for level in CORRELATION_LEVELS:
        for coefficient in DEFAULT_COEFFICIENTS:
            result = correlation(joined.X, joined.Z, level=level, coefficient=coefficient)
            yield MetricCorrelation(
                level,
                coefficient,
                result.value,
                result.n_summarizers,
                result.n_topics,
                result.n_skipped,
            )


class JoinedScores(NamedTuple):
    """Scores of a metric and of humans, matrices of summarizers by topics, NaN where one of them is missing."""

    X: NDArray[np.float64]
    Z: NDArray[np.float64]
    summarizers: tuple[str, ...]
    topics: tuple[str, ...]


def join_scores(scores: pd.DataFrame, truth: pd.DataFrame) -> JoinedScores | None:
    """Join a metric and a human measure by their ids into matrices of summarizers by topics; None without a pair."""
    if warning := describe_similar_names(
        name for frame in (scores, truth) for key in ("topic", "summarizer") for name in frame[key].unique()
    ):
        warn(warning)
    joined = scores[[*KEYS, "score"]].merge(truth[[*KEYS, "score"]], on=KEYS, suffixes=("_metric", "_human"))
    joined = joined.dropna().assign(metric="")
    if joined.empty:
        return None
    X, summarizers, topics = matrix(joined.rename(columns={"score_metric": "score"}), "")
    Z, _, _ = matrix(joined.rename(columns={"score_human": "score"}), "")
    return JoinedScores(X, Z, tuple(summarizers), tuple(topics))
