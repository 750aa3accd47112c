"""What a predictor refuses of the features that it is given, and what it warns of."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from classy_aesop.data.values import LARGEST
from classy_aesop.errors import DataWarning, InputError, UsageError, listed
from classy_aesop.predictor.unscored import Key, Reasons, described, lacking

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.text.arrays import Booleans

_ADVICE = (
    '; without references, expected a predictor that was trained without: references = "none" in [features]'
)


def check_columns(name: str, columns: Iterable[str], imported: Collection[str], table: pd.DataFrame) -> None:
    """Refuse a feature table that lacks one of the columns, which may be imported metrics."""
    there = set(table)  # to ask the table for each takes longer
    missing = [column for column in columns if column not in there]
    metrics = [column for column in missing if column in imported]
    if metrics:
        raise InputError(
            f"predictor {name} reads the imported metrics {listed(metrics, most=20)}; "
            "expected them in a score table (--scores FILE)"
        )
    if missing:
        of_update = "@" in missing[0]
        why = (
            "update summaries with earlier references"
            if of_update
            else "summaries without earlier references"
        )
        raise InputError(f"predictor {name} is for {why}: the data do not give its columns {listed(missing)}")


def check_values(
    name: str, columns: Sequence[str], table: pd.DataFrame, *, unmet: Collection[Key], others: Reasons
) -> Booleans:
    """Mark the rows that lack one of the columns, (n_rows,), and warn of them; refuse a table where all do.

    The summaries ``others`` are not in the table, and have no score either; ``unmet`` are meant to have no reference,
    and are not counted.
    """
    lacks, found = lacking(table, columns, reported=unmet)
    reasons = {**{why: list(names) for why, names in others.items()}, **found}
    n_summaries = len(table) + sum(map(len, others.values()))
    if reasons and lacks.all():
        raise InputError(
            f"predictor {name} can score none of {n_summaries} summaries: {described(reasons)}"
            f"{'' if table['n_references'].any() else _ADVICE}"
        )
    if reasons:
        n_without = sum(map(len, reasons.values()))
        message = f"predictor {name} gives no score to {n_without} of {n_summaries} summaries: "
        warnings.warn(message + described(reasons), DataWarning, stacklevel=5)
    return lacks


def reference_counts(table: pd.DataFrame) -> dict[str, tuple[int, ...]]:
    """Collect the reference counts of a feature table, for systems, humans and earlier references."""
    human, counts = table["human"].to_numpy(bool), table["n_references"].to_numpy()
    kinds = {
        "own_system": counts[~human],
        "own_human": counts[human],
        "earlier": table["n_earlier"].to_numpy(),
    }
    return {kind: tuple(sorted(set(map(int, counts.tolist())))) for kind, counts in kinds.items()}


_COUNTED = {
    "own_system": "references of a system's summary",
    "own_human": "references of a human summary",
    "earlier": "references of the earlier task",
}


def warn_of_references(name: str, trained: Mapping[str, Sequence[int]], table: pd.DataFrame) -> None:
    """Warn of numbers of references that were not there in training, where these are known."""
    for kind, counts in reference_counts(table).items():
        known = trained.get(kind) or counts
        odd = sorted(set(counts) - set(known))
        if odd:
            numbers = (" or ".join(map(str, some)) for some in (known, odd))
            message = f"predictor {name}, {_COUNTED[kind]}: it learned with {{}}, here are {{}}".format(
                *numbers
            )
            warnings.warn(message, DataWarning, stacklevel=5)


def check_size(name: str, found: NDArray[np.float64], values: NDArray[np.float64]) -> None:
    """Refuse the scores (n_rows,) of rows of values without a missing one if they overflow, or their squares could."""
    wild = ~(np.abs(found) <= LARGEST)  # or missing
    if wild.any():
        wild &= ~np.isnan(values).any(axis=1)
    if wild.any():
        raise InputError(
            f"predictor {name} gives {found[wild][0]:g}; expected numbers from -{LARGEST:g} to {LARGEST:g}: "
            "its weights are too large for these columns"
        )


def check_streamed(scores: pd.DataFrame | None) -> None:
    """Refuse imported scores beside a stream."""
    if scores is not None:
        raise UsageError("imported scores need the whole corpus; they do not go with a stream")
