"""The rows of several years together, and their division into folds of topics and of summarizers.

Two years may have a topic or a summarizer of one name. They are different rows for every fit and every correlation, but
they are held out together: if a name does stand for the same text or system in both years, nothing of it is then on
both sides of a fold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from classy_aesop.search import Design, stack
from classy_aesop.training.designs import Integers, Mask, folds, on_latest_scale, year_of_rows


@dataclass(frozen=True)
class Pool:
    """The rows of several years.

    Parameters
    ----------
    design : Design
        All rows, with codes of topics and summarizers that no two years share.
    years : (n_rows,) integers
        The year of each row, the latest the greatest.
    topics, summarizers : (n_rows,) integers
        The name of each row's topic and summarizer; years that have a name share its number.
    """

    design: Design
    years: Integers
    topics: Integers
    summarizers: Integers

    @classmethod
    def of(cls, designs: Sequence[Design], tables: Sequence[pd.DataFrame]) -> Pool:
        """Put years together, given the ``topic`` and ``summarizer`` of each row of each year's design."""
        names = pd.concat([table[["topic", "summarizer"]] for table in tables], ignore_index=True)
        topics, summarizers = (pd.factorize(names[name], sort=True)[0] for name in names)
        return cls(stack(designs), year_of_rows(designs), topics, summarizers)

    def take(self, rows: Mask) -> Pool:
        """Return the rows of a mask."""
        return Pool(self.design.take(rows), self.years[rows], self.topics[rows], self.summarizers[rows])

    def columns(self, positions: Sequence[int]) -> Pool:
        """Return all rows with some columns of ``X``."""
        return replace(self, design=self.design.columns(list(positions)))

    def on_latest_scale(self, known: Mask | None = None) -> Pool:
        """Bring the human measures of earlier years to the latest one's scale, by the ``known`` rows (n_rows,)."""
        return replace(self, design=on_latest_scale(self.design, self.years, known))

    def topic_folds(self, n_folds: int, seed: int) -> list[Mask]:
        """Deal the names of topics into folds by the seed; each marks its rows (n_rows,)."""
        return folds(self.topics, n_folds, seed)

    def crossed_folds(self, n_folds: int, seed: int) -> Iterator[tuple[Mask, Mask]]:
        """Deal topics and summarizers into folds by the seed.

        Yields
        ------
        held, known : (n_rows,) bool
            The rows of one fold of topics by one of summarizers, and those that share neither fold.
        """
        by_summarizer = folds(self.summarizers, n_folds, seed, of="summarizer")
        for topics in self.topic_folds(n_folds, seed):
            for summarizers in by_summarizer:
                if (topics & summarizers).any():
                    yield topics & summarizers, ~topics & ~summarizers
