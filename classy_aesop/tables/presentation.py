"""How readers want a table: which columns, under which names, and with which label of LaTeX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from classy_aesop.errors import UsageError

if TYPE_CHECKING:
    from classy_aesop.tables.layout import Layout


@dataclass(frozen=True)
class Presentation:
    """How a table is shown in text, LaTeX and Markdown; files for programs do not depend on it.

    Attributes
    ----------
    columns_shown : sequence of str
        The columns, in this order; by default all that readers get.
    rename : mapping of str to str
        Other names of metrics, systems and columns.
    label : str
        Of LaTeX's table, for references to it; by default ``tab:`` and the command.
    """

    columns_shown: Sequence[str] = ()
    rename: Mapping[str, str] = field(default_factory=dict)
    label: str = ""

    def apply(self, layout: Layout) -> Layout:
        """Give the layout of a table with these columns and names."""
        if not (self.columns_shown or self.rename):
            return layout
        table = layout.table
        shared = layout.shared
        if self.columns_shown:
            names = [_find_column(layout, name) for name in self.columns_shown]
            table = layout.whole[list(dict.fromkeys(names))]
            shared = {name: text for name, text in shared.items() if name not in names}
        texts = table.select_dtypes(exclude=["number", "bool"])
        cells = {str(name): values.map(self._rename_cell) for name, values in texts.items()}
        return replace(
            layout,
            table=table.assign(**cells).rename(columns=self.rename),
            shared={self._rename(name): self._rename(text) for name, text in shared.items()},
            best=[self._rename(name) for name in layout.best],
            marked=[self._rename(name) for name in layout.marked],
            starred=self._rename(layout.starred),
            columns={self._rename(name): column for name, column in layout.columns.items()},
        )

    def _rename(self, name: str) -> str:
        return self.rename.get(name, name)

    def _rename_cell(self, cell: object) -> object:
        return self.rename.get(cell, cell) if isinstance(cell, str) else cell


def _find_column(layout: Layout, name: str) -> str:
    """Give the name of a column that readers get, which may be typed with underscores."""
    columns = [str(column) for column in layout.whole]
    for column in columns:
        if name.replace("_", " ") == column.replace("_", " "):
            return column
    raise UsageError(f"columns_shown: no column {name!r}; expected one of {', '.join(columns)}")
