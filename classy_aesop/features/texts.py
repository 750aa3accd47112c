"""The features of a plain list of summaries, in one call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from classy_aesop.data.texts import ReferenceTexts, Texts, text_rows
from classy_aesop.features.columns import Names, alone
from classy_aesop.features.options import FeatureOptions
from classy_aesop.features.table import FACTS, feature_table

if TYPE_CHECKING:
    import pandas as pd

_DEFAULTS = FeatureOptions()


def summary_features(
    summaries: Texts,
    references: ReferenceTexts,
    *,
    names: Names | None = None,
    options: FeatureOptions = _DEFAULTS,
    topics: Iterable[object] | None = None,
    systems: Iterable[object] | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Compute the features of a list of summaries.

    Parameters
    ----------
    summaries : iterable of str
        One text a row; a list of strings is a text in sentences.
    references : iterable of str or of lists
        The reference of each summary, or the list of its references; an empty list if it has none.
    names : iterable of str, optional
        Which features and groups of features; by default `ALONE_FEATURES`.
    options : FeatureOptions
        How texts are read and compared.
    topics, systems : iterables, optional
        What each row is about, and who wrote it. They change no value, only the columns.
    n_jobs, progress
        As for `feature_table`.

    Returns
    -------
    DataFrame
        A row a summary, in their order and with their index if they are a pandas Series; a column a feature. If
        topics or systems are given, the columns ``topic, summarizer`` come first, see `text_rows`.

    Raises
    ------
    InputError
        As `text_rows` and `columns.alone`.

    Examples
    --------
    >>> summary_features(["It rained all day.", "Snow fell."], ["Rain fell all day.", "Snow fell."], names=["r1"])
         r1
    0  0.75
    1  1.00
    """
    selected = alone(names)
    rows = text_rows(summaries, references, topics=topics, systems=systems)
    found = feature_table(rows.topics, options, names=selected, n_jobs=n_jobs, progress=progress)
    table = rows.table(found.drop(columns=FACTS), like=summaries)
    return table.drop(columns=["topic", "summarizer"]) if topics is None and systems is None else table
