"""What is used of one or more searches: the best subset, or an average of winners; and the optimism of the best score.

The best score of thousands of subsets is too high, because the best subset is selected on it. Each bootstrap resample
of topics and summarizers (`classy_aesop.search.resample`) has a best subset, its winner:

- The *corrected* score is the mean score of the winners on the summarizers outside their resample. It estimates the
  score of a selected subset on new summarizers. The best score minus the corrected one is its *optimism*. The idea is
  Efron and Gong's (1983, The American Statistician 37). Selecting on every resample and scoring outside of it is the
  method of Tsamardinos, Greasidou and Borboudakis (2018, Machine Learning 107: BBC-CV).
- The average weights subsets by how often they win (Buckland, Burnham and Augustin 1997, Biometrics 53). The stability
  of a name is the share of winners that contain it (Sauerbrei and Schumacher 1992, Statistics in Medicine 11).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from classy_aesop.search.design import Array, Integers
from classy_aesop.search.result import SearchResult, Subset, winners_of
from classy_aesop.search.subsets import membership

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
    alone = (Member(name, best, 1.0),)
    if any(search.on_resamples is None for search in searches.values()):
        if rule != "best":
            raise ValueError(f"rule {rule!r} needs resamples")
        return SelectedSubsets(alone, best.score)
    subsets = _AllSubsets(searches)
    at_best, (resamples, winners) = subsets.find(name, best.mask), subsets.winners()
    if not winners.size:
        return SelectedSubsets(alone, best.score)
    out = subsets.outside(resamples, winners)
    return SelectedSubsets(
        members=subsets.average(winners) if rule == "average" else alone,
        score=best.score,
        n_resamples=winners.size,
        corrected=float(np.mean(out[np.isfinite(out)])) if np.isfinite(out).any() else float("nan"),
        error=_spread(subsets.scores_of(at_best)),
        stability=subsets.stability(winners),
    )


def _ahead(searches: Mapping[str, SearchResult]) -> str:
    """Name the search with the best subset, by each criterion in turn; of several as good to rounding, the first."""
    tie = min(search.tie for search in searches.values())
    best = {name: [by[search.ranking(1)[0]] for by in search.criteria] for name, search in searches.items()}
    for criterion in range(min(map(len, best.values()))):
        least = max(scores[criterion] for scores in best.values()) - tie
        best = {name: scores for name, scores in best.items() if scores[criterion] >= least}
    return next(iter(best))


class _AllSubsets:
    """All subsets of several searches in one row, smaller ones first, then the earlier mask.

    Scores on resamples stay in the order of the searches, as they are large; ``order`` maps subsets to this order.
    """

    def __init__(self, searches: Mapping[str, SearchResult]) -> None:
        self.searches = searches
        self.names = tuple(searches)
        found = tuple(searches.values())
        masks = np.concatenate([one.masks for one in found])
        self.order = np.lexsort((masks, np.bitwise_count(masks)))
        owner = np.repeat(np.arange(len(found)), [one.masks.size for one in found])
        place = np.concatenate([np.arange(one.masks.size) for one in found])
        self.masks, self.owner, self.place = (values[self.order] for values in (masks, owner, place))
        without = np.flatnonzero(~np.isfinite(np.concatenate([one.scores for one in found])))
        self.inside = np.concatenate([one.inside for one in found], axis=2)
        self.inside[..., without] = -np.inf
        self.tie = max(one.tie for one in found)

    def find(self, name: str, mask: int) -> int:
        return int(np.flatnonzero((self.owner == self.names.index(name)) & (self.masks == mask))[0])

    def member(self, at: int, weight: float) -> Member:
        name = self.names[self.owner[at]]
        return Member(name, self.searches[name].at(int(self.place[at])), weight)

    def scores_of(self, at: int) -> Array:
        """Return the scores of a subset on the resamples, (n_resamples,)."""
        return np.asarray(self.inside[0][:, self.order[at]])

    def winners(self) -> tuple[Integers, Integers]:
        """Return the resamples (n,) with any score, and the positions (n,) of their winners."""
        return winners_of(self.inside, self.order, self.tie)

    def outside(self, resamples: Integers, winners: Integers) -> Array:
        """Return the scores (n,) of winners on the summarizers outside their resample."""
        scores = [self.searches[self.names[owner]].on_resamples for owner in self.owner[winners]]
        each = zip(scores, resamples, self.place[winners], strict=True)
        return np.array([one[1][at, place] for one, at, place in each if one is not None])

    def average(self, winners: Integers) -> tuple[Member, ...]:
        at, count = np.unique(winners, return_counts=True)
        order = np.argsort(-count, kind="stable")
        return tuple(self.member(int(at[one]), float(count[one] / winners.size)) for one in order)

    def stability(self, winners: Integers) -> dict[str, float]:
        names = next(iter(self.searches.values())).names
        share = membership(self.masks[winners], len(names)).mean(axis=0)
        return dict(zip(names, map(float, share), strict=True))


def _spread(values: Array) -> float:
    """Return the standard deviation of the existing values (n_resamples,); 0 for one or none."""
    existing = values[np.isfinite(values)]
    return float(np.std(existing, ddof=1)) if existing.size > 1 else 0.0
