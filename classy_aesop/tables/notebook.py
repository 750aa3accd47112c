"""The table of a result in a notebook: few columns, those that matter most, and every p-value."""

from __future__ import annotations

import pandas as pd

from classy_aesop.errors import join_names
from classy_aesop.tables.layout import Layout, names_of_columns, texts_of_columns
from classy_aesop.tables.result_columns import Purpose

MAX_COLUMNS = 10
"""Columns that a notebook shows; more are shown only if they are p-values or strata."""


def notebook_table(layout: Layout, *, max_rows: int) -> tuple[str, str]:
    """Write the table of a result as HTML for a notebook; also say which columns it leaves out."""
    names = names_of_columns(layout.table)
    always_shown = layout.names_of(Purpose.P_VALUE, Purpose.STRATUM)
    by_need = sorted(names, key=lambda name: (name not in always_shown, -layout.priority(name)))
    left_out = by_need[max(MAX_COLUMNS, len(always_shown)) :]
    hidden = [name for name in names if name in left_out]
    texts = {head: cells for head, *cells in texts_of_columns(layout.table.drop(columns=hidden))}
    note = f"in .table also: {join_names(hidden, most=30)}" if hidden else ""
    return str(pd.DataFrame(texts).to_html(index=False, max_rows=max_rows, border=0)), note
