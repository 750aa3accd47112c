"""The table of a result in a notebook: few columns, those that matter most, and every p-value."""

from __future__ import annotations

import pandas as pd

from classy_aesop.errors import join_names
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.layout import Layout, names_of_columns, texts_of_columns
from classy_aesop.tables.result_columns import Purpose

MAX_COLUMNS = 10
"""Columns that a notebook shows; more are shown only if they are p-values or strata."""

_ALWAYS_SHOWN = {Purpose.P_VALUE, Purpose.STRATUM}


def notebook_table(layout: Layout, answer: Answer, *, max_rows: int) -> tuple[str, str]:
    """Write the table of a result as HTML for a notebook."""
    names = names_of_columns(layout.table)
    texts = texts_of_columns(layout.table)
    is_always_shown = [
        name in answer.columns_by_name and answer[name].purpose in _ALWAYS_SHOWN for name in names
    ]
    order = sorted(
        range(len(names)),
        key=lambda number: (not is_always_shown[number], -layout.priority(names[number]), number),
    )
    n_shown = max(MAX_COLUMNS, sum(is_always_shown))
    shown = sorted(order[:n_shown])
    hidden = [names[number] for number in sorted(order[n_shown:])]
    rows = list(zip(*(texts[number][1:] for number in shown), strict=True))
    frame = pd.DataFrame(rows, columns=[texts[number][0] for number in shown])
    note = f"in .table also: {join_names(hidden, most=30)}" if hidden else ""
    return str(frame.to_html(index=False, max_rows=max_rows, border=0)), note
