"""Columns that hold the systems of a row in the order of their places, best first: they become a rank a system.

doc_id, best, second, worst          doc_id, system, rank
d1, bart, lead, t5            ->     d1, bart, 1; d1, lead, 2; d1, t5, 3
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from classy_aesop.errors import join_names
from classy_aesop.reading.column_names import spell_name
from classy_aesop.reading.judged_tables import JudgedTable

MIN_PLACES = 3
SYSTEM = "system"
RANK = "rank"

_NUMBERED_PLACE = re.compile(
    r"(?:rank|ranked|ranking|place|top|position|choice)_?(\d{1,2})|(\d{1,2})_?(?:st|nd|rd|th)"
)
_WORDS = ("best", "first", "second", "third", "fourth", "fifth", "last", "worst")
"""Words of places in order; a table has some of them."""


def unfold_places(table: JudgedTable) -> JudgedTable:
    """Give a row for each system of a ranking that stands in columns of places.

    Parameters
    ----------
    table : JudgedTable
        The table.

    Returns
    -------
    JudgedTable
        The table itself if it has no such columns: three or more named by places, which hold the same names in each
        row, in another order.

    Examples
    --------
    >>> from classy_aesop.data.where import Where
    >>> rows = [{"best": "a", "second": "b", "worst": "c"}, {"best": "b", "second": "a", "worst": "c"}]
    >>> table = JudgedTable.from_rows("x.csv", [(Where("x.csv", line), row) for line, row in enumerate(rows, 2)])
    >>> unfold_places(table)["system"].cells
    ['a', 'b', 'c', 'b', 'a', 'c']
    """
    places = _places(table)
    if len(places) < MIN_PLACES or {SYSTEM, RANK} & {*table.columns}:
        return table
    ranked_systems = [tuple(row[name] for name in places) for row in table.rows()]
    systems = {frozenset(row) for row in ranked_systems}
    if len(systems) != 1 or None in (names := next(iter(systems))) or len(names) != len(places):
        return table
    if len({*ranked_systems}) < 2:
        return table
    rows = [
        (
            where,
            {
                **{name: cell for name, cell in row.items() if name not in places},
                SYSTEM: row[place],
                RANK: rank,
            },
        )
        for where, row in zip(table.places, table.rows(), strict=True)
        for place, rank in places.items()
    ]
    note = f"{join_names(places)} hold the same names in another order in each row: their places became ranks"
    return replace(
        JudgedTable.from_rows(table.name, rows, notes=(*table.notes, note), source=table.source),
        other_sheets=table.other_sheets,
    )


def _places(table: JudgedTable) -> Mapping[str, int]:
    """Give the columns named by places, with the place of each from 1 on; none if they are not 1, 2, ..."""
    numbers: dict[str, int] = {}
    words: dict[str, int] = {}
    for name, column in table.columns.items():
        spelled = spell_name(name)
        if column.numbers is not None or column.is_text or column.is_list:
            continue
        if match := _NUMBERED_PLACE.fullmatch(spelled):
            numbers[name] = int(match[1] or match[2])
        elif spelled in _WORDS:
            words[name] = _WORDS.index(spelled)
    places = numbers or words
    in_order = sorted(places, key=places.__getitem__)
    if numbers and [numbers[name] for name in in_order] != list(range(1, len(numbers) + 1)):
        return {}
    return {name: rank for rank, name in enumerate(in_order, 1)}
