"""Values as readers get them: three decimals, a dash for what is missing, names without control characters."""

from __future__ import annotations

from typing import Any

import pandas as pd

from classy_aesop.errors import visible


def is_number(values: Any) -> bool:
    """Whether a column, or one of this type, holds numbers, and not truth values."""
    return pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)


def cells_of(table: pd.DataFrame) -> list[list[str]]:
    """Give each column as text, its name first."""
    return [[visible(str(name)), *map(cell, values.tolist())] for name, values in table.items()]


def cell(value: Any) -> str:
    """Write a value for reading; a number that would be rounded to zero is written with a power of ten.

    Examples
    --------
    >>> cell(0.25), cell(0.0001), cell(float("nan")), cell(3)
    ('0.250', '1e-04', '-', '3')
    """
    if pd.api.types.is_scalar(value) and pd.isna(value):
        return "-"
    if isinstance(value, float):
        return f"{value:.0e}" if 0 < abs(value) < 0.0005 else f"{value:.3f}"
    return visible(str(value))
