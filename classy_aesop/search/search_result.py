"""The result of a search: every subset's score, and the ranking with its rule for ties.

What is used of one or more searches: the best subset, or an average of winners; and the optimism of the best score.

The best score of thousands of subsets is too high, because the best subset is selected on it. Each bootstrap resample
of topics and summarizers (`classy_aesop.search.subset_scores`) has a best subset, its winner:

- The *corrected* score is the mean score of the winners on the summarizers outside their resample. It estimates the
  score of a selected subset on new summarizers. The best score minus the corrected one is its *optimism*. The idea is
  Efron and Gong's (1983, The American Statistician 37). Selecting on every resample and scoring outside of it is the
  method of Tsamardinos, Greasidou and Borboudakis (2018, Machine Learning 107: BBC-CV).
- The average weights subsets by how often they win (Buckland, Burnham and Augustin 1997, Biometrics 53). The stability
  of a name is the share of winners that contain it (Sauerbrei and Schumacher 1992, Statistics in Medicine 11).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.formulas.base import Array
from classy_aesop.search.design import Integers, Mask
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
        Scores no further apart are equal: then the higher of `pearson` wins, then fewer names, then the earlier mask.
    on_resamples : (2 or 3, n_resamples, n_subsets), optional
        Scores of the same predictions on bootstrap resamples (see `search.subset_scores`): inside a resample, on
        the summarizers outside of it, and with `pearson` this correlation inside; -inf where there is none.
    pearson : (n_subsets,), optional
        Pearson's correlations, if they are not the scores.
    """

    names: tuple[str, ...]
    masks: Integers
    scores: Array
    converged: Mask
    notes: Integers
    tie: float = 1e-9
    on_resamples: Array | None = None
    pearson: Array | None = None

    @property
    def has_winner(self) -> bool:
        """Whether any subset has a score."""
        return bool(np.isfinite(self.scores).any())

    @property
    def criteria(self) -> tuple[Array, ...]:
        """What ranks the subsets: their scores, and of equal ones Pearson's correlations."""
        return (self.scores,) if self.pearson is None else (self.scores, self.pearson)

    @property
    def inside(self) -> Array:
        """The criteria inside each resample, (n_criteria, n_resamples, n_subsets)."""
        scores = self._scores_on_resamples()
        return scores[[0, *range(2, len(scores))]]

    @property
    def outside(self) -> Array:
        """The scores on the summarizers outside each resample, (n_resamples, n_subsets)."""
        scores: Array = self._scores_on_resamples()[1]
        return scores

    def _scores_on_resamples(self) -> Array:
        if self.on_resamples is None:
            raise ValueError("no resamples; expected some")
        return self.on_resamples

    def _repr_html_(self) -> str:
        """Show a notebook the ten best subsets, escaped."""
        return str(self.top(10).to_html(index=False, border=0))

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

        From the top: all scores within `tie` of the best remaining one are equal, and ordered by Pearson's correlation
        (by the same rule), size and mask.
        """
        return self._rank(np.arange(self.masks.size), n, self.criteria)

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
        best = [self._rank(np.flatnonzero(sizes == size), 1, self.criteria) for size in np.unique(sizes)]
        return self._frame(np.concatenate(best))

    def inclusion(self, n: int) -> pd.DataFrame:
        """Return how often each name is in the n best subsets: columns name, count and share.

        With resamples also ``resamples``: the share of resamples with a winner whose winner contains it.
        """
        import pandas as pd

        ranked = self.ranking(n)
        count = membership(self.masks[ranked], len(self.names)).sum(axis=0)
        frame = pd.DataFrame({"name": self.names, "count": count, "share": count / max(1, ranked.size)})
        if self.on_resamples is None:
            return frame
        inside = np.where(np.isfinite(self.scores), self.inside, -np.inf)
        order = np.lexsort((self.masks, self._sizes()))
        winners = self.masks[order[winners_of(inside, order, self.tie)[1]]]
        contained = membership(winners, len(self.names)).sum(axis=0)
        return frame.assign(resamples=contained / max(1, winners.size))

    def to_frame(self) -> pd.DataFrame:
        """Return all subsets: columns mask, n_names, names (with spaces between), score, converged, note.

        Also ``pearson``, if that is not the score, and with resamples ``resampled``, the mean score over them.
        """
        return self._frame(np.arange(self.masks.size))

    def _rank(self, positions: Integers, n: int, criteria: Sequence[Array]) -> Integers:
        """Rank subsets by the first criterion, equal ones by the other criteria; then by size and mask."""
        if not criteria:
            return positions[np.lexsort((self.masks[positions], self._sizes()[positions]))][:n]
        first, *other_criteria = criteria
        positions = positions[np.argsort(-first[positions], kind="stable")]
        falling = -first[positions]
        selected: list[int] = []
        start = 0
        while start < positions.size and len(selected) < n:
            end = max(start + 1, int(np.searchsorted(falling, falling[start] + self.tie, side="right")))
            selected += self._rank(positions[start:end], n - len(selected), other_criteria).tolist()
            start = end
        return np.array(selected, dtype=np.int64)

    def _sizes(self) -> Integers:
        """Return the number of names in each subset."""
        return np.asarray(np.bitwise_count(self.masks), dtype=np.int64)

    def _frame(self, positions: Integers) -> pd.DataFrame:
        """Return some subsets as rows, see `to_frame`."""
        import pandas as pd

        subsets = [self.subset_at(int(position)) for position in positions]
        optional = {} if self.pearson is None else {"pearson": self.pearson[positions]}
        if self.on_resamples is not None:
            optional["resampled"] = self.on_resamples[0][:, positions].mean(axis=0)
        return pd.DataFrame(
            {
                "mask": [subset.mask for subset in subsets],
                "n_names": [len(subset.names) for subset in subsets],
                "names": [" ".join(subset.names) for subset in subsets],
                "score": [subset.score for subset in subsets],
                **optional,
                "converged": [subset.converged for subset in subsets],
                "note": [subset.note for subset in subsets],
            }
        )


def winners_of(scores: Array, order: Integers, tie: float) -> tuple[Integers, Integers]:
    """Find the best subset on each resample; of those within a tie the first in some order.

    Parameters
    ----------
    scores : (n_criteria, n_resamples, n_subsets)
        -inf where there is none; subsets with equal scores are compared by the next criterion, then by ``order``.
    order : (n_subsets,) integers
        The positions of the subsets, the preferred one first.
    tie : float
        Scores no further apart are equal.

    Returns
    -------
    resamples : (n,) integers
        Those on which any subset has a score.
    winners : (n,) integers
        Where the winner of each is in ``order``.
    """
    rank = np.empty_like(order)
    rank[order] = np.arange(rank.size)
    is_candidate = np.ones(scores.shape[1:], dtype=bool)
    for criterion in scores:
        candidates = np.where(is_candidate, criterion, -np.inf)
        is_candidate &= candidates >= candidates.max(axis=1, keepdims=True) - tie
    winners = np.where(is_candidate, rank, rank.size).min(axis=1)
    resamples = np.flatnonzero(np.isfinite(scores[0].max(axis=1)))
    return resamples, winners[resamples]


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
    on_resamples = [result.on_resamples for result in results if result.on_resamples is not None]
    pearson = [result.pearson for result in results if result.pearson is not None]
    return replace(
        first,
        scores=np.mean([result.scores for result in results], axis=0),
        converged=np.logical_and.reduce([result.converged for result in results]),
        notes=np.bitwise_or.reduce([result.notes for result in results]),
        on_resamples=np.mean(on_resamples, axis=0) if on_resamples else None,
        pearson=np.mean(pearson, axis=0) if pearson else None,
    )


RULES = ("best", "average")
"""The best subset, or the average over the winners of all resamples."""


@dataclass(frozen=True)
class Member:
    """A subset that is used, with the name of its search (its fitter) and its weight; weights sum to 1."""

    fitter: str
    subset: Subset
    weight: float


@dataclass(frozen=True)
class SelectedSubsets:
    """The subsets that are used, and how reliable the best score is.

    Parameters
    ----------
    members : tuple of Member
        Largest weight first; of equal ones the smaller, earlier subset.
    score : float
        Of the best subset on the selection year.
    n_resamples : int
        Number of resamples with a winner; if 0, the following are nan or empty.
    corrected : float
        Mean score of the winners on the summarizers outside their resample; nan if there is none.
    error : float
        Standard deviation of the best subset's score over the resamples.
    stability : mapping of str to float
        Share of the winners that contain each name.
    """

    members: tuple[Member, ...]
    score: float
    n_resamples: int = 0
    corrected: float = float("nan")
    error: float = float("nan")
    stability: Mapping[str, float] = field(default_factory=dict)

    @property
    def fitters(self) -> tuple[str, ...]:
        """The fitters of the members, each once."""
        return tuple(dict.fromkeys(member.fitter for member in self.members))

    @property
    def optimism(self) -> float:
        """The score minus the corrected one."""
        return self.score - self.corrected


def select_subsets(searches: Mapping[str, SearchResult], rule: str = "best") -> SelectedSubsets:
    """Select among the subsets of several searches, one per fitter, that share their target and resamples.

    Raises
    ------
    ValueError
        If the rule is unknown or needs resamples and there are none, or no subset has a score.
    """
    if rule not in RULES:
        raise ValueError(f"rule is {rule!r}; expected one of {', '.join(RULES)}")
    fitter = _best_fitter(searches)
    best = searches[fitter].best()
    only_best = SelectedSubsets((Member(fitter, best, 1.0),), best.score)
    if any(search.on_resamples is None for search in searches.values()):
        if rule != "best":
            raise ValueError(f"rule {rule!r} needs resamples")
        return only_best
    candidates = _Candidates.join(searches)
    resamples, ranks = candidates.find_winners()
    if not ranks.size:
        return only_best
    winners = candidates.order[ranks]
    outside = np.array(
        [
            candidates.score_outside(winner, resample)
            for resample, winner in zip(resamples, winners, strict=True)
        ]
    )
    outside = outside[np.isfinite(outside)]
    scores = candidates.inside[0][:, candidates.position_of(fitter, best)]
    scores = scores[np.isfinite(scores)]
    names = searches[fitter].names
    stability = membership(candidates.masks[winners], len(names)).mean(axis=0)
    return SelectedSubsets(
        members=candidates.average_members(ranks) if rule == "average" else only_best.members,
        score=best.score,
        n_resamples=winners.size,
        corrected=float(np.mean(outside)) if outside.size else float("nan"),
        error=float(np.std(scores, ddof=1)) if scores.size > 1 else 0.0,
        stability=dict(zip(names, map(float, stability), strict=True)),
    )


@dataclass(frozen=True)
class _Candidates:
    """The subsets of all searches in one row."""

    searches: Mapping[str, SearchResult]
    masks: Integers  # (n,)
    owner: Integers  # (n,): the number of each subset's search
    position: Integers  # (n,): where it is in its search
    order: Integers  # (n,): of equal winners the smaller one comes first, then the earlier mask
    inside: Array  # (n_criteria, n_resamples, n): -inf for a subset without a score

    @classmethod
    def join(cls, searches: Mapping[str, SearchResult]) -> _Candidates:
        """Put the subsets of all searches side by side."""
        results = list(searches.values())
        masks = np.concatenate([result.masks for result in results])
        inside = np.concatenate([result.inside for result in results], axis=2)
        inside[..., ~np.isfinite(np.concatenate([result.scores for result in results]))] = -np.inf
        return cls(
            searches=searches,
            masks=masks,
            owner=np.repeat(np.arange(len(results)), [result.masks.size for result in results]),
            position=np.concatenate([np.arange(result.masks.size) for result in results]),
            order=np.lexsort((masks, np.bitwise_count(masks))),
            inside=inside,
        )

    def find_winners(self) -> tuple[Integers, Integers]:
        """Return the resamples with a winner, and the rank of each winner in ``order``."""
        return winners_of(self.inside, self.order, max(search.tie for search in self.searches.values()))

    def position_of(self, fitter: str, subset: Subset) -> int:
        """Return the position of a subset of one fitter's search."""
        is_owner = self.owner == list(self.searches).index(fitter)
        [position] = np.flatnonzero(is_owner & (self.masks == subset.mask))
        return int(position)

    def score_outside(self, position: int, resample: int) -> float:
        """Return the score of a subset on the summarizers outside of a resample."""
        search = list(self.searches.values())[self.owner[position]]
        return float(search.outside[resample, self.position[position]])

    def average_members(self, ranks: Integers) -> tuple[Member, ...]:
        """Weight each winner by the share of resamples that it wins, given the winners' ranks in ``order``."""
        distinct, count = np.unique(ranks, return_counts=True)
        by_count = np.argsort(-count, kind="stable")
        members = []
        for rank, n_wins in zip(distinct[by_count], count[by_count], strict=True):
            position = self.order[rank]
            fitter, search = list(self.searches.items())[self.owner[position]]
            subset = search.subset_at(int(self.position[position]))
            members.append(Member(fitter, subset, float(n_wins / ranks.size)))
        return tuple(members)


def _best_fitter(searches: Mapping[str, SearchResult]) -> str:
    """Name the search with the best subset, by each criterion in turn; of several equal to rounding, the first."""
    tie = min(search.tie for search in searches.values())
    candidates = {}
    for name, search in searches.items():
        [best] = search.ranking(1)
        candidates[name] = [criterion[best] for criterion in search.criteria]
    for number in range(min(map(len, candidates.values()))):
        lowest_tied = max(scores[number] for scores in candidates.values()) - tie
        candidates = {name: scores for name, scores in candidates.items() if scores[number] >= lowest_tied}
    return next(iter(candidates))
