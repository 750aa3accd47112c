"""How long outputs are: by a column of lengths, else by their texts."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from classy_aesop.data.scales import range_of_grades
from classy_aesop.data.where import Where
from classy_aesop.reading.column_names import OUTPUT_WORDS, spell, words_of
from classy_aesop.reading.columns import Table, TableColumn

LENGTH_WORDS = {"length", "len", "characters", "chars", "words", "tokens"}
"""Words in names of columns that hold lengths of outputs."""
OTHER_LENGTHS = {
    "prompt",
    "input",
    "source",
    "document",
    "article",
    "question",
    "reference",
    "ref",
    "max",
    "min",
}
"""Words that say that a length is not that of an output."""


def is_length(column: TableColumn) -> bool:
    """Whether a column holds lengths of outputs, by its name."""
    words = {*words_of(column.name)}
    return column.is_number and bool(words & LENGTH_WORDS) and not words & OTHER_LENGTHS


def find_length_column(table: Table, keys: Collection[str]) -> str | None:
    """Name the only column of lengths, which no grades are, or else of texts of outputs; None of none or several."""
    columns = [column for name, column in table.columns.items() if name not in keys]
    names = [
        column.name
        for column in columns
        if is_length(column) and range_of_grades(column.scores(table.places)) is None
    ] or [column.name for column in columns if spell(column.name) in OUTPUT_WORDS and column.is_text]
    return names[0] if len(names) == 1 else None


def measure_lengths(column: TableColumn, places: Sequence[Where]) -> np.ndarray:
    """Give the lengths in a column, of texts their characters; NaN where it is empty."""
    if column.is_number:
        return column.scores(places)
    return np.take([*map(len, column.words), np.nan], column.codes)
