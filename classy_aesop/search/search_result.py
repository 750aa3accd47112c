"""The result of a search: every subset's score, the ranking with its rule for ties, and the best fitter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.formulas.base import Array
from classy_aesop.search.row_arrays import Integers, Mask
from classy_aesop.search.subsets import membership

if TYPE_CHECKING:
    import pandas as pd

NOTES = (
    *("constant columns left out", "too few rows", "constant prediction", "fitted by itself"),
    *("not converged", "equal columns used once"),
)
"""What a bit of a note says, from the lowest bit up."""

CONSTANT_COLUMN = 1 << 0
TOO_FEW_ROWS = 1 << 1
CONSTANT_PREDICTION = 1 << 2
FITTED_BY_ESTIMATOR = 1 << 3
NOT_CONVERGED = 1 << 4
IDENTICAL_COLUMNS = 1 << 5


@dataclass(frozen=True)
class Subset:
    """One subset of names and its score."""

    mask: int
    names: tuple[str, ...]
    score: float
    converged: bool
    note: str


@dataclass(frozen=True)
class SearchResult:
    """Every subset of a search, in ascending order of masks.

    Parameters
    ----------
    names : tuple of str
        Feature names; bit k - 1 of a mask is name k.
    masks : (n_subsets,) integers
        The subsets.
    scores : (n_subsets,)
        How well the held-out predictions agree with the target; -inf where there is no score, see `notes`.
    converged : (n_subsets,) of bool
        False where an iterative fit met its cap.
    notes : (n_subsets,) integers
        Bits that say what was special, in the order of `NOTES`.
    tie : float
        Scores no further apart are equal: then fewer names win, then the earlier mask.
    """

    names: tuple[str, ...]
    masks: Integers
    scores: Array
    converged: Mask
    notes: Integers
    tie: float = 1e-9

    @property
    def has_winner(self) -> bool:
        """Whether any subset has a score."""
        return bool(np.isfinite(self.scores).any())

    def best(self) -> Subset:
        """Return the winner.

        Raises
        ------
        ValueError
            When no subset has a score.
        """
        first = self.ranking(1)
        if not np.isfinite(self.scores[first[0]]):
            raise ValueError("no subset has a score: every prediction is constant or could not be made")
        return self.subset_at(int(first[0]))

    def ranking(self, n: int) -> Integers:
        """Return the positions (at most n,) of the best subsets, best first.

        From the top: all scores within `tie` of the best remaining one are equal, and ordered by size and mask.
        """
        return self._rank(np.arange(self.masks.size), n)

    def subset_at(self, position: int) -> Subset:
        """Return the subset at a position."""
        mask = int(self.masks[position])
        names = tuple(name for bit, name in enumerate(self.names) if mask >> bit & 1)
        note = note_text(int(self.notes[position]))
        return Subset(mask, names, float(self.scores[position]), bool(self.converged[position]), note)

    def top(self, n: int) -> pd.DataFrame:
        """Return the n best subsets as rows, see `to_frame`, with their rank first."""
        frame = self._frame(self.ranking(n))
        frame.insert(0, "rank", np.arange(1, len(frame) + 1))
        return frame

    def best_per_size(self) -> pd.DataFrame:
        """Return the best subset of each number of names, one row each."""
        sizes = self._sizes()
        best = [self._rank(np.flatnonzero(sizes == size), 1) for size in np.unique(sizes)]
        return self._frame(np.concatenate(best))

    def inclusion(self, n: int) -> pd.DataFrame:
        """Return how often each name is in the n best subsets: columns name, count and share."""
        import pandas as pd

        ranked = self.ranking(n)
        count = membership(self.masks[ranked], len(self.names)).sum(axis=0)
        return pd.DataFrame({"name": self.names, "count": count, "share": count / max(1, ranked.size)})

    def to_frame(self) -> pd.DataFrame:
        """Return all subsets: columns mask, n_names, names (with spaces between), score, converged, note."""
        return self._frame(np.arange(self.masks.size))

    def _rank(self, positions: Integers, n: int) -> Integers:
        """Rank subsets by their scores, equal ones by size and mask."""
        positions = positions[np.argsort(-self.scores[positions], kind="stable")]
        falling = -self.scores[positions]
        selected: list[int] = []
        start = 0
        while start < positions.size and len(selected) < n:
            end = max(start + 1, int(np.searchsorted(falling, falling[start] + self.tie, side="right")))
            tied = positions[start:end]
            selected += tied[np.lexsort((self.masks[tied], self._sizes()[tied]))].tolist()
            start = end
        return np.array(selected[:n], dtype=np.int64)

    def _sizes(self) -> Integers:
        """Return the number of names in each subset."""
        return np.asarray(np.bitwise_count(self.masks), dtype=np.int64)

    def _frame(self, positions: Integers) -> pd.DataFrame:
        """Return some subsets as rows, see `to_frame`."""
        import pandas as pd

        subsets = [self.subset_at(int(position)) for position in positions]
        return pd.DataFrame(
            {
                "mask": [subset.mask for subset in subsets],
                "n_names": [len(subset.names) for subset in subsets],
                "names": [" ".join(subset.names) for subset in subsets],
                "score": [subset.score for subset in subsets],
                "converged": [subset.converged for subset in subsets],
                "note": [subset.note for subset in subsets],
            }
        )


def note_text(bits: int) -> str:
    """Return the words of a note.

    Examples
    --------
    >>> note_text(5)
    'constant columns left out; constant prediction'
    """
    return "; ".join(text for bit, text in enumerate(NOTES) if bits >> bit & 1)


def mean_result(results: Sequence[SearchResult]) -> SearchResult:
    """Average the scores of searches among the same subsets, one for each year that was held out.

    A subset without a score in one of them has none.
    """
    first, *later = results
    if not later:
        return first
    return replace(
        first,
        scores=np.mean([result.scores for result in results], axis=0),
        converged=np.logical_and.reduce([result.converged for result in results]),
        notes=np.bitwise_or.reduce([result.notes for result in results]),
    )


def best_fitter(searches: Mapping[str, SearchResult]) -> str:
    """Name the search, of several of one target, with the best subset; of several equal up to rounding the first."""
    tie = min(search.tie for search in searches.values())
    best_scores = {name: search.scores[search.ranking(1)[0]] for name, search in searches.items()}
    lowest_tied = max(best_scores.values()) - tie
    return next(name for name, score in best_scores.items() if score >= lowest_tied)
