"""Words that sentences about tables share: counts, intervals, and which of several strata is meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from classy_aesop.errors import join_names
from classy_aesop.plots.base import shorten_names

MAX_NAME_LENGTH = 60
"""Most characters of a name in a sentence."""


LEAST_WITH_DECIMALS = 0.0005
"""Smaller numbers would be written as 0.000."""


def count_text(n: int, noun: str) -> str:
    """Write a number and what it counts."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{n:,} {noun if n == 1 else plural}"


def verb(n: int, singular: str = "is", plural: str = "are") -> str:
    """Choose the form of a verb by the number of its subjects."""
    return singular if n == 1 else plural


def number_text(value: float, sign: str = "") -> str:
    """Write a number with three decimals, or one that these would show as zero in scientific form.

    Examples
    --------
    >>> number_text(0.0412), number_text(1e-200, "+"), number_text(-0.0)
    ('0.041', '+1e-200', '0.000')
    """
    return f"{value:{sign}.0e}" if 0 < abs(value) < LEAST_WITH_DECIMALS else f"{value:{sign}z.3f}"


def interval_text(row: pd.Series, low: str = "low", high: str = "high") -> str:
    """Write an interval in brackets; nothing if it has no ends."""
    lower = row.get(low)
    upper = row.get(high)
    if pd.isna(lower) or pd.isna(upper):
        return ""
    if max(abs(lower), abs(upper)) < LEAST_WITH_DECIMALS:
        return f" [{number_text(lower)}, {number_text(upper)}]"
    return f" [{lower:z.3f}, {upper:z.3f}]"


def p_text(p: float) -> str:
    """Write a p-value for a sentence: one that would be rounded to zero as smaller than what can be written.

    Examples
    --------
    >>> p_text(0.0412), p_text(0.0004), p_text(0.0)
    ('p = 0.041', 'p < 0.001', 'p < 0.001')
    """
    return "p < 0.001" if p < LEAST_WITH_DECIMALS else f"p = {p:z.3f}"


def names_text(names: Iterable[object], all_names: Iterable[object], *, limit: int = 3) -> str:
    """Write the first of some names in a sentence, and count the others; long ones are cut where all stay distinct.

    Examples
    --------
    >>> long = ["model-" + "x" * 80 + size for size in ("-small", "-large")]
    >>> names_text(long[:1], long)
    '…small'
    """
    distinct = list(dict.fromkeys(map(str, all_names)))
    short = dict(zip(distinct, shorten_names(distinct, MAX_NAME_LENGTH), strict=True))
    return join_names([short.get(str(name), str(name)) for name in names], limit=limit)


def range_text(values: pd.Series, form: str) -> str:
    """Write the least and the greatest value, once if they look the same; nothing of none."""
    return " to ".join(dict.fromkeys(f"{end:{form}}" for end in (values.min(), values.max()) if len(values)))


def reasons_text(flags: Iterable[object]) -> str:
    """Write the reasons of several flags, each once."""
    return "; ".join(dict.fromkeys(reason for flag in flags for reason in str(flag).split("; ") if reason))


def varying_strata(rows: pd.DataFrame, strata: Sequence[str]) -> list[str]:
    """Name those columns of strata that differ between rows."""
    return [name for name in strata if name in rows and rows[name].nunique(dropna=False) > 1]


def first_stratum(rows: pd.DataFrame, strata: Sequence[str]) -> pd.DataFrame:
    """Give the rows of the stratum that comes first."""
    names = varying_strata(rows, strata)
    return rows[rows[names].eq(rows[names].iloc[0]).all(axis=1)]


def split_first_stratum(rows: pd.DataFrame, strata: Sequence[str]) -> tuple[pd.DataFrame, str]:
    """Give the rows of the stratum that comes first, and words that name it, as `stratum_text`."""
    return first_stratum(rows, strata), stratum_text(rows, strata)


def stratum_text(rows: pd.DataFrame, strata: Sequence[str]) -> str:
    """Name the first of several strata in brackets, and count the others; nothing if there is only one."""
    names = varying_strata(rows, strata)
    if not names:
        return ""
    n_more = len(rows[names].drop_duplicates()) - 1
    first = ", ".join(f"{name} {rows[name].iloc[0]}" for name in names)
    return f" ({first}; {n_more:,} more below)"
