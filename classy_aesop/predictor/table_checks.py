"""What a predictor refuses of the features that it is given, and what it warns of."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from classy_aesop.data import KEYS
from classy_aesop.data.cells import LARGEST
from classy_aesop.errors import InputError, join_names, warn
from classy_aesop.features.registry import FEATURES
from classy_aesop.predictor.division import Reasons, SummaryKey, describe_reasons

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.predictor.parts import PredictorParts
    from classy_aesop.text.arrays import Booleans

MARGIN = 0.1
"""Share of its range by which a column may go beyond it at either end before a summary counts as outside."""


@dataclass(frozen=True)
class TrainingRange:
    """Least, greatest and mean value of each column over the summaries that the weights were fitted to.

    Parameters
    ----------
    least, greatest, mean : tuple of float
        One a column, in the order of the predictor's.
    n_summaries : int
        How many there were.
    """

    least: tuple[float, ...]
    greatest: tuple[float, ...]
    mean: tuple[float, ...]
    n_summaries: int

    def __post_init__(self) -> None:
        if any(low > high for low, high in zip(self.least, self.greatest, strict=False)):
            raise InputError("the least value of a column is above the greatest; expected the reverse")

    @classmethod
    def from_rows(cls, X: NDArray[np.float64]) -> TrainingRange:
        """Find the range of the rows (n_summaries, n_columns) of training, one at least and without NaN."""
        minima = tuple(X.min(axis=0).tolist())
        maxima = tuple(X.max(axis=0).tolist())
        return cls(minima, maxima, tuple(X.mean(axis=0).tolist()), len(X))

    def outside(self, X: NDArray[np.float64], columns: Sequence[str]) -> list[str]:
        """Name for each row (n, n_columns) the columns outside, with a space between; ``""`` if there is none.

        The range is widened by `MARGIN`; a missing value is not outside.
        """
        lowest = np.array(self.least)
        highest = np.array(self.greatest)
        margin = MARGIN * (highest - lowest)
        is_outside = np.less(X, lowest - margin) | np.greater(X, highest + margin)
        names = [""] * len(X)
        for row in np.flatnonzero(is_outside.any(axis=1)).tolist():
            names[row] = " ".join(compress(columns, is_outside[row].tolist()))
        return names

    def check_columns(self, n_columns: int) -> None:
        """Raise `InputError` if there is not one value a column."""
        for name in ("least", "greatest", "mean"):
            n = len(getattr(self, name))
            if n != n_columns:
                raise InputError(f"training_range.{name}: {n} values; expected {n_columns}, one a column")


def check_table(
    predictor: PredictorParts,
    table: pd.DataFrame,
    without_reference: Collection[SummaryKey],
    unscored: Reasons,
) -> None:
    """Refuse a feature table that gives no score, and warn of rows without one and of numbers of references."""
    _check_columns(predictor, table)
    lacks = _check_values(
        predictor.name,
        predictor.computed_of(predictor.columns),
        table,
        without_reference=without_reference,
        unscored=unscored,
    )
    _warn_of_references(predictor.name, predictor.references, table[~lacks] if lacks.any() else table)


def _check_columns(predictor: PredictorParts, table: pd.DataFrame) -> None:
    """Refuse a feature table that lacks one of the columns, which may be imported metrics."""
    table_columns = set(table)  # to ask the table for each takes longer
    missing = [column for column in predictor.plain_columns if column not in table_columns]
    metrics = [column for column in missing if column in predictor.imported]
    if metrics:
        raise InputError(
            f"predictor {predictor.name} reads the imported metrics {join_names(metrics, limit=20)}; "
            "expected them in a score table (--scores FILE)"
        )
    if missing:
        why = "update summaries with" if "@" in missing[0] else "summaries without"
        raise InputError(
            f"predictor {predictor.name} is for {why} earlier references: the data do not give its columns "
            f"{join_names(missing)}"
        )


_REASONS = ("whose topic has no source documents", "without a reference", "without earlier references")
_OTHER_REASON = "whose topic has too few references to leave one out, or earlier ones that it does not read"


def _check_values(
    name: str,
    columns: Sequence[str],
    table: pd.DataFrame,
    *,
    without_reference: Collection[SummaryKey],
    unscored: Reasons,
) -> Booleans:
    """Mark the rows (n_rows,) that lack a column; warn of all but ``without_reference``; refuse it if all do."""
    missing = np.isnan(table[list(columns)].to_numpy(float))
    lacks = missing.any(axis=1) if missing.any() else np.zeros(len(table), bool)  # quicker than row by row
    if not (unscored or lacks.any()):
        return lacks
    is_missing = missing[lacks]
    rows = table[lacks]
    lacks_sources = is_missing[
        :, [column in FEATURES and FEATURES[column].kind == "sources" for column in columns]
    ]
    lacks_earlier = is_missing[:, ["@" in column for column in columns]]
    has_no_reference = rows["n_references"].to_numpy() == 0
    conditions = (lacks_sources.any(axis=1), has_no_reference, lacks_earlier.any(axis=1))
    why_of_row = np.select(conditions, _REASONS, _OTHER_REASON)
    reasons = {why: list(names) for why, names in unscored.items()}
    for key, why in zip(rows[KEYS].itertuples(index=False, name=None), why_of_row.tolist(), strict=True):
        if key not in without_reference:
            reasons.setdefault(why, []).append(key)
    if not reasons:
        return lacks
    n_summaries = len(table) + sum(map(len, unscored.values()))
    if lacks.all():
        message = f"predictor {name} can score none of {n_summaries} summaries: {describe_reasons(reasons)}"
        if not table["n_references"].any():
            message += "; without references, expected a predictor that was trained without: "
            message += 'references = "none" in [features]'
        raise InputError(message)
    n_without = sum(map(len, reasons.values()))
    message = f"predictor {name} gives no score to {n_without} of {n_summaries} summaries: "
    warn(message + describe_reasons(reasons))
    return lacks


def reference_counts(table: pd.DataFrame) -> dict[str, tuple[int, ...]]:
    """Collect the reference counts of a feature table, for systems, humans and earlier references."""
    is_human = table["human"].to_numpy(bool)
    n_references = table["n_references"].to_numpy()
    counts_by_kind = {
        "own_system": n_references[~is_human],
        "own_human": n_references[is_human],
        "earlier": table["n_earlier"].to_numpy(),
    }
    return {kind: tuple(sorted(set(map(int, counts.tolist())))) for kind, counts in counts_by_kind.items()}


_COUNTED = {
    "own_system": "references of a system's summary",
    "own_human": "references of a human summary",
    "earlier": "references of the earlier task",
}


def _warn_of_references(name: str, trained: Mapping[str, Sequence[int]], table: pd.DataFrame) -> None:
    """Warn of numbers of references that were not there in training, where these are known."""
    for kind, counts in reference_counts(table).items():
        counts_in_training = trained.get(kind) or counts
        new_counts = sorted(set(counts) - set(counts_in_training))
        if new_counts:
            message = (
                f"predictor {name}, {_COUNTED[kind]}: it learned with {' or '.join(map(str, counts_in_training))}, "
                f"here there are {' or '.join(map(str, new_counts))}"
            )
            warn(message)


def check_overflow(name: str, scores: NDArray[np.float64], values: NDArray[np.float64]) -> None:
    """Refuse scores that overflow, or whose squares could.

    Shapes: ``scores`` (n_rows,), ``values`` (n_rows, n_columns).
    """
    is_too_large = ~(np.abs(scores) <= LARGEST)  # or missing
    if not is_too_large.any():
        return
    is_too_large &= ~np.isnan(values).any(axis=1)
    if is_too_large.any():
        raise InputError(
            f"predictor {name} gives {scores[is_too_large][0]:g}; expected numbers from -{LARGEST:g} to {LARGEST:g}: "
            "its weights are too large for these columns"
        )
