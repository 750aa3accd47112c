"""The features of summaries as a scikit-learn transformer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from classy_aesop.data.cells import format_value
from classy_aesop.errors import InputError, join_names
from classy_aesop.features.counts import FeatureOptions, References
from classy_aesop.features.registry import CLASSY2011, FeatureNames, sort_row_features
from classy_aesop.features.table import summary_features
from classy_aesop.reading.column_names import ROLES
from classy_aesop.text.sentence_splitting import Sentences
from classy_aesop.text.tokens import Tokenizer


@dataclass(eq=False, repr=False)
class SummaryFeatures(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """The features of summaries, from rows of a summary and its references.

    It learns nothing: the features of a row depend on this row alone.

    Parameters
    ----------
    names : iterable of str, optional
        Which features and groups of features; by default `CLASSY2011`, 13 features, of which
        :class:`SubsetSearchRegressor` can search every subset.
    sentences, tokenizer, references : str
        How texts are read and compared, see `FeatureOptions`.
    n_jobs : int
        Number of processes; it does not change the features.

    Examples
    --------
    >>> rows = [("It rained all day.", "Rain fell all day."), ("Snow fell.", ["Snow fell.", "It snowed."])]
    >>> features = SummaryFeatures(names=["r1", "r2"])
    >>> features.get_feature_names_out().tolist()  # in the order of docs/features.md
    ['r2', 'r1']
    >>> features.fit_transform(rows).round(2).tolist()
    [[0.33, 0.75], [1.0, 1.0]]
    """

    names: FeatureNames | None = None
    _: KW_ONLY
    sentences: Sentences = "auto"
    tokenizer: Tokenizer = "rouge"
    references: References = "unequal"
    n_jobs: int = 1

    def fit(self, X: Any = None, y: Any = None) -> Self:
        """Check the names of the features and the options; the rows are not looked at.

        Raises
        ------
        InputError
            A feature is unknown or looks at other summaries, or an option has an unknown value.
        """
        self._sort_names()
        self._options()
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Compute the features of rows.

        Parameters
        ----------
        X : list of pairs, array or DataFrame, shape (n_rows, 2)
            A summary, and its reference or the list of its references. See `summary_features`. Of a DataFrame with
            other columns beside them the columns of summaries and of references are found by their names
            (``summary``, ``reference``), as `Corpus.from_rows` does.

        Returns
        -------
        array, shape (n_rows, n_features)
            With `set_output` a DataFrame. NaN for a content feature of a summary without references.

        Raises
        ------
        InputError
            A row is not a pair, or a value is no text.
        """
        summaries, references = _split_pairs(X)
        table = summary_features(
            summaries, references, names=self._sort_names(), options=self._options(), n_jobs=self.n_jobs
        )
        return table.to_numpy(np.float64)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Give the names of the features, in the order of the columns."""
        return np.array(self._sort_names(), dtype=object)

    def _sort_names(self) -> list[str]:
        return sort_row_features(CLASSY2011 if self.names is None else self.names)

    def _options(self) -> FeatureOptions:
        return FeatureOptions(self.sentences, self.tokenizer, self.references)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.requires_fit = False
        return tags


def _split_pairs(X: Any) -> tuple[list[Any], list[Any]]:
    """Divide rows into summaries and references."""
    if isinstance(getattr(X, "columns", None), Iterable) and len(X.columns) > PAIR_LENGTH:
        X = _select_texts(X)
    rows = X.itertuples(index=False, name=None) if hasattr(X, "itertuples") else X
    if isinstance(rows, str) or not isinstance(rows, Iterable):
        raise InputError(f"X is {format_value(X)}; expected rows of a summary and its references")
    pairs = list(rows)
    for number, row in enumerate(pairs, 1):
        if not isinstance(row, list | tuple | np.ndarray) or len(row) != 2:
            raise InputError(f"X, row {number}: {format_value(row)}; expected a summary and its references")
    return [summary for summary, _ in pairs], [references for _, references in pairs]


PAIR_LENGTH = 2
"""Columns of a table of a summary and its references."""


def _select_texts(frame: Any) -> Any:
    """Give the column of summaries and that of references of a DataFrame, by their common names."""
    by_name = {str(name).strip().lower(): name for name in reversed(list(frame.columns))}
    columns = []
    for role in ("text", "references"):
        names = [by_name[name] for name in ROLES[role] if name in by_name]
        if not names:
            column_names = join_names(frame.columns, limit=20)
            raise InputError(
                f"X has no column of {role} among {column_names}; expected a summary and its references"
            )
        columns.append(names[0])
    return frame[columns]
