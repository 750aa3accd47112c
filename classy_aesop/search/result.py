"""What a search found: every subset's score, and the ranking with its rule for ties.

What is used of one or more searches: the best subset, or an average of winners; and the optimism of the best score.

The best score of thousands of subsets is too high, because the best subset is selected on it. Each bootstrap resample
of topics and summarizers (`classy_aesop.search.scoring`) has a best subset, its winner:

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

from classy_aesop.search.design import Array, Integers, Mask
from classy_aesop.search.subsets import membership

if TYPE_CHECKING:
    import pandas as pd

NOTES = (
    *("constant columns left out", "too few rows", "constant prediction", "fitted by itself"),
    *("not converged", "equal columns used once"),
)
CONSTANT_COLUMN, TOO_FEW, CONSTANT_PREDICTION, BY_ITSELF, UNSETTLED, TWINS = (
    1 << bit for bit in range(len(NOTES))
)


@dataclass(frozen=True)
class Subset:
    """One subset of names and how it did."""

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
        Scores of the same predictions on bootstrap resamples (see `search.scoring`): inside a resample, on
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
        """The same inside each resample, (n_criteria, n_resamples, n_subsets)."""
        found = self._drawn()
        return found[[0, *range(2, len(found))]]

    @property
    def outside(self) -> Array:
        """The scores on the summarizers outside each resample, (n_resamples, n_subsets)."""
        found: Array = self._drawn()[1]
        return found

    def _drawn(self) -> Array:
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
        return self.at(int(first[0]))

    def ranking(self, n: int) -> Integers:
        """Return the positions (at most n,) of the best subsets, best first.

        From the top: all scores within `tie` of the best one left are equal, and ordered by Pearson's correlation (by
        the same rule), size and mask.
        """
        return self._ranked(np.arange(self.masks.size), n, self.criteria)

    def at(self, place: int) -> Subset:
        """Return the subset at a position."""
        mask, bits = int(self.masks[place]), int(self.notes[place])
        note = "; ".join(text for bit, text in enumerate(NOTES) if bits >> bit & 1)
        names = tuple(name for bit, name in enumerate(self.names) if mask >> bit & 1)
        return Subset(mask, names, float(self.scores[place]), bool(self.converged[place]), note)

    def top(self, n: int) -> pd.DataFrame:
        """Return the n best subsets as rows, see `to_frame`, with their rank first."""
        frame = self._frame(self.ranking(n))
        frame.insert(0, "rank", np.arange(1, len(frame) + 1))
        return frame

    def best_per_size(self) -> pd.DataFrame:
        """Return the best subset of each number of names, one row each."""
        sizes = self._sizes()
        of_size = (np.flatnonzero(sizes == size) for size in np.unique(sizes))
        return self._frame(np.concatenate([self._ranked(among, 1, self.criteria) for among in of_size]))

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
        held = membership(winners, len(self.names)).sum(axis=0)
        return frame.assign(resamples=held / max(1, winners.size))

    def to_frame(self) -> pd.DataFrame:
        """Return all subsets: columns mask, n_names, names (with spaces between), score, converged, note.

        Also ``pearson``, if that is not the score, and with resamples ``resampled``, the mean score over them.
        """
        return self._frame(np.arange(self.masks.size))

    def _ranked(self, among: Integers, n: int, criteria: Sequence[Array]) -> Integers:
        """Rank by the first criterion, and what is equal by the others; then by size and mask."""
        if not criteria:
            return among[np.lexsort((self.masks[among], self._sizes()[among]))][:n]
        first, *others = criteria
        among = among[np.argsort(-first[among], kind="stable")]
        falling = -first[among]
        selected: list[int] = []
        start = 0
        while start < among.size and len(selected) < n:
            end = max(start + 1, int(np.searchsorted(falling, falling[start] + self.tie, side="right")))
            selected += self._ranked(among[start:end], n - len(selected), others).tolist()
            start = end
        return np.array(selected, dtype=np.int64)

    def _sizes(self) -> Integers:
        return np.asarray(np.bitwise_count(self.masks), dtype=np.int64)

    def _frame(self, positions: Integers) -> pd.DataFrame:
        import pandas as pd

        subsets = [self.at(int(at)) for at in positions]
        more = {} if self.pearson is None else {"pearson": self.pearson[positions]}
        if self.on_resamples is not None:
            more["resampled"] = self.on_resamples[0][:, positions].mean(axis=0)
        return pd.DataFrame(
            {
                "mask": [subset.mask for subset in subsets],
                "n_names": [len(subset.names) for subset in subsets],
                "names": [" ".join(subset.names) for subset in subsets],
                "score": [subset.score for subset in subsets],
                **more,
                "converged": [subset.converged for subset in subsets],
                "note": [subset.note for subset in subsets],
            }
        )


def winners_of(scores: Array, order: Integers, tie: float) -> tuple[Integers, Integers]:
    """Find the best subset on each resample; of those within a tie the first in some order.

    Scores are (n_criteria, n_resamples, n_subsets), -inf where there is none; those of equal ones decide by the next
    criterion, then ``order`` (n_subsets,), which has their positions. Return the resamples (n,) on which any subset
    has a score, and where the winner of each is in ``order``.
    """
    rank = np.empty_like(order)
    rank[order] = np.arange(rank.size)
    ahead = np.ones(scores.shape[1:], dtype=bool)
    for by in scores:
        left = np.where(ahead, by, -np.inf)
        ahead &= left >= left.max(axis=1, keepdims=True) - tie
    won = np.where(ahead, rank, rank.size).min(axis=1)
    resamples = np.flatnonzero(np.isfinite(scores[0].max(axis=1)))
    return resamples, won[resamples]


def mean_result(results: Sequence[SearchResult]) -> SearchResult:
    """Average the scores of searches among the same subsets, one for each year that was held out.

    A subset without a score in one of them has none.
    """
    first, *others = results
    if not others:
        return first
    drawn = [one.on_resamples for one in results if one.on_resamples is not None]
    pearson = [one.pearson for one in results if one.pearson is not None]
    return replace(
        first,
        scores=np.mean([one.scores for one in results], axis=0),
        converged=np.logical_and.reduce([one.converged for one in results]),
        notes=np.bitwise_or.reduce([one.notes for one in results]),
        on_resamples=np.mean(drawn, axis=0) if drawn else None,
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
    name = _ahead(searches)
    best = searches[name].best()
    members: tuple[Member, ...] = (Member(name, best, 1.0),)
    if any(search.on_resamples is None for search in searches.values()):
        if rule != "best":
            raise ValueError(f"rule {rule!r} needs resamples")
        return SelectedSubsets(members, best.score)
    # the subsets of all searches in one row; of equal winners the smaller one comes first, then the earlier mask
    found = tuple(searches.values())
    masks = np.concatenate([one.masks for one in found])
    owner = np.repeat(np.arange(len(found)), [one.masks.size for one in found])
    place = np.concatenate([np.arange(one.masks.size) for one in found])
    order = np.lexsort((masks, np.bitwise_count(masks)))
    inside = np.concatenate([one.inside for one in found], axis=2)
    inside[..., ~np.isfinite(np.concatenate([one.scores for one in found]))] = -np.inf
    resamples, ranks = winners_of(inside, order, max(one.tie for one in found))
    if not ranks.size:
        return SelectedSubsets(members, best.score)
    winners, names = order[ranks], tuple(searches)
    if rule == "average":
        distinct, count = np.unique(ranks, return_counts=True)
        often = np.argsort(-count, kind="stable")
        members = tuple(
            Member(names[owner[at]], found[owner[at]].at(int(place[at])), float(n / ranks.size))
            for at, n in zip(order[distinct[often]], count[often], strict=True)
        )
    out = np.array(
        [found[owner[at]].outside[one, place[at]] for one, at in zip(resamples, winners, strict=True)]
    )
    out = out[np.isfinite(out)]
    [at] = np.flatnonzero((owner == names.index(name)) & (masks == best.mask))
    scores = inside[0][:, at]
    scores = scores[np.isfinite(scores)]
    held = membership(masks[winners], len(searches[name].names)).mean(axis=0)
    return SelectedSubsets(
        members=members,
        score=best.score,
        n_resamples=winners.size,
        corrected=float(np.mean(out)) if out.size else float("nan"),
        error=float(np.std(scores, ddof=1)) if scores.size > 1 else 0.0,
        stability=dict(zip(searches[name].names, map(float, held), strict=True)),
    )


def _ahead(searches: Mapping[str, SearchResult]) -> str:
    """Name the search with the best subset, by each criterion in turn; of several as good to rounding, the first."""
    tie = min(search.tie for search in searches.values())
    ahead = {name: [by[search.ranking(1)[0]] for by in search.criteria] for name, search in searches.items()}
    for criterion in range(min(map(len, ahead.values()))):
        least = max(scores[criterion] for scores in ahead.values()) - tie
        ahead = {name: scores for name, scores in ahead.items() if scores[criterion] >= least}
    return next(iter(ahead))
