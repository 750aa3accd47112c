"""Where nothing has a year or a task, tables in Python have no columns of them; files have both always."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

_PLACE = ("year", "task")


def without_empty_places(table: pd.DataFrame) -> pd.DataFrame:
    """Leave out the columns ``year`` and ``task`` where no row has one. A table without rows keeps its columns.

    Examples
    --------
    >>> import pandas as pd
    >>> list(without_empty_places(pd.DataFrame({"year": ["2021"], "task": [""], "metric": ["ROUGE-2"]})))
    ['year', 'metric']
    """
    empty = [name for name in _PLACE if name in table and len(table) and _is_empty(table[name])]
    return table.drop(columns=empty) if empty else table


def _is_empty(cells: pd.Series) -> bool:
    first = cells.iat[0]
    if isinstance(first, str) and first:  # as mostly
        return False
    return bool((cells.isna() | (cells == "")).all())


def with_places(table: pd.DataFrame) -> pd.DataFrame:
    """Give a table both columns, as files have them: ``year`` first, ``task`` after it, or after the topic.

    Examples
    --------
    >>> import pandas as pd
    >>> list(with_places(pd.DataFrame({"topic": ["1"], "summarizer": ["a"]})))
    ['year', 'topic', 'task', 'summarizer']
    """
    import pandas as pd

    missing = [name for name in _PLACE if name not in table]
    whole = table.copy(deep=False) if missing else table
    for name in missing:
        before = "topic" if "topic" in whole else "year"
        at = 0 if name == "year" else list(whole).index(before) + 1
        whole.insert(at, name, pd.Series("", index=whole.index, dtype=str))
    return whole
