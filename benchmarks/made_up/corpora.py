"""A corpus of rows in memory, as JSON lines hold them, and of judgments beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from classy_aesop.data.scores import make_score_table
from classy_aesop.data.where import Where
from classy_aesop.reading import Corpus, ratings_of_record, tidy
from classy_aesop.reading.corpus import assemble_corpus
from classy_aesop.reading.summary_rows import parse_rows


def corpus_of_records(
    records: Iterable[Mapping[str, Any]], judgments: pd.DataFrame | Iterable[Mapping[str, Any]] | None = None
) -> Corpus:
    """Make a corpus of rows of summaries, and of a tidy table of judgments, or rows of them with ``metrics``."""
    if judgments is None or isinstance(judgments, pd.DataFrame):
        table = None if judgments is None else tidy(judgments)
    else:
        placed = _place_rows(judgments)
        table = make_score_table(rating for where, row in placed for rating in ratings_of_record(row, where))
    return assemble_corpus(parse_rows(_place_rows(records)), table)


def _place_rows(rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Where, Mapping[str, Any]]]:
    return ((Where(line=number), row) for number, row in enumerate(rows, 1))
