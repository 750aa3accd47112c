"""The rows of the training years for one search: each unit's columns side by side, then the relative ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from classy_aesop.features.registry import FEATURES, columns
from classy_aesop.features.relative import relative_columns
from classy_aesop.search.row_arrays import Mask
from classy_aesop.training.year_rows import YearRows, deal_folds, rescale_to_year
from classy_aesop.training.years import TaskPeersData


@dataclass(frozen=True)
class TrainingRows:
    """The rows of the training years for one task, peer set and search, and what their columns are."""

    columns: tuple[str, ...]  # of X, those of a unit side by side; then the relative ones, if any
    groups: tuple[tuple[int, ...], ...]  # the positions of each unit's columns
    measures: tuple[str, ...]  # the human measures, which are the columns of Y
    years: tuple[YearRows, ...]  # each year on its own human scale, the latest last
    compared: tuple[str, ...] = ()  # what is compared within topics
    relative: tuple[str, ...] = ()  # the columns that are made from it, the last ones of X

    @classmethod
    def build(
        cls,
        years: Sequence[TaskPeersData],
        units: Sequence[Sequence[str]],
        measures: Sequence[str],
        *,
        update: bool,
        peers: Sequence[str] | None = None,
    ) -> TrainingRows:
        """Build the rows of several years."""
        groups = []
        for names in units:
            features = [name for name in names if name in FEATURES]
            imported = [name for name in names if name not in FEATURES]
            groups.append([*columns(features, update=update), *imported])
        plain = [column for group in groups for column in group]
        compared = () if peers is None else (*plain, *peers)
        relative = relative_columns(compared)
        return cls(
            columns=(*plain, *relative),
            groups=tuple(tuple(plain.index(column) for column in group) for group in groups),
            measures=tuple(measures),
            years=tuple(year.rows(plain, measures, compared=compared) for year in years),
            compared=compared,
            relative=relative,
        )

    def rescale_years(self, scale: str) -> list[YearRows]:
        """Give the years with earlier ones on the latest one's human scale, or with ``none`` as they are."""
        latest = self.years[-1]
        return list(self.years) if scale == "none" else [rescale_to_year(latest, rows) for rows in self.years]

    def topic_folds(self, n_folds: int, seed: int) -> list[Mask]:
        """Divide the topics of the only year into folds; each marks its rows, (n_rows,)."""
        [year] = self.years
        return deal_folds(year.topics, n_folds, seed)
