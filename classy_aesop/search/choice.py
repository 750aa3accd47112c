"""What to use of one or more searches: the best subset, the smallest that is as good, or an average; and how
much of the best one's score is luck.

The best of thousands of subsets is partly the luckiest. On each bootstrap draw of topics and summarizers
(`classy_aesop.search.resample`) the search has a winner again:

- its mean score on the summarizers that were not drawn estimates what a winner is worth on others: the *corrected*
  score; the score of the best less this is its *optimism*. The idea is Efron and Gong's (1983, The American
  Statistician 37); the form, a choice repeated on every draw and scored outside of it, Tsamardinos, Greasidou and
  Borboudakis's (2018, Machine Learning 107: BBC-CV);
- how often each subset wins are the weights of the average (Buckland, Burnham and Augustin 1997, Biometrics 53), and
  how often each name is in the winner is its stability (Sauerbrei and Schumacher 1992, Statistics in Medicine 11);
- the spread of the difference between a subset and the best is the standard error of the rule that takes the smallest
  subset within one of it (Breiman et al. 1984, Classification and Regression Trees, section 3.4.3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from classy_aesop.search.design import Array, Integers
from classy_aesop.search.result import SearchResult, Subset
from classy_aesop.search.subsets import membership

RULES = ("best", "one_se", "average")
"""The best subset, the smallest within one standard error, the average over the winners of all draws."""


@dataclass(frozen=True)
class Member:
    """A subset that is used, with the name of its search (its fitter) and its weight; weights sum to 1."""

    fitter: str
    subset: Subset
    weight: float


@dataclass(frozen=True)
class Chosen:
    """What is used, and what the draws say of the best.

    Parameters
    ----------
    members : tuple of Member
        Heaviest first; of equals the smaller and earlier subset.
    score : float
        Of the best subset on the selection year.
    n_draws : int
        0 where nothing was drawn; the following are then nan and empty.
    corrected : float
        Mean score of the draws' winners on the summarizers that were not drawn; nan where no draw has one.
    error : float
        Standard deviation of the best subset's score over the draws.
    stability : mapping of str to float
        Share of the draws whose winner holds each name.
    """

    members: tuple[Member, ...]
    score: float
    n_draws: int = 0
    corrected: float = float("nan")
    error: float = float("nan")
    stability: Mapping[str, float] = field(default_factory=dict)

    @property
    def fitters(self) -> tuple[str, ...]:
        """The fitters of the members, each once."""
        return tuple(dict.fromkeys(member.fitter for member in self.members))

    @property
    def optimism(self) -> float:
        """The score less the corrected one."""
        return self.score - self.corrected


def choose(searches: Mapping[str, SearchResult], rule: str = "best") -> Chosen:
    """Choose among the subsets of several searches (each a fitter's), all for the same target and the same draws.

    Raises
    ------
    ValueError
        For an unknown rule, one that needs draws where there are none, or searches without a score.
    """
    if rule not in RULES:
        raise ValueError(f"rule is {rule!r}; expected one of {', '.join(RULES)}")
    name = _ahead(searches)
    best = searches[name].best()
    alone = (Member(name, best, 1.0),)
    if any(search.drawn is None for search in searches.values()):
        if rule != "best":
            raise ValueError(f"rule {rule!r} needs draws")
        return Chosen(alone, best.score)
    pool = _Pool(searches)
    at_best, (draws, winners) = pool.find(name, best.mask), pool.winners()
    if not winners.size:
        return Chosen(alone, best.score)
    out = pool.outside(draws, winners)
    members: dict[str, Callable[[], tuple[Member, ...]]] = {
        "best": lambda: alone,
        "one_se": lambda: (pool.member(pool.smallest(at_best), 1.0),),
        "average": lambda: pool.average(winners),
    }
    return Chosen(
        members=members[rule](),
        score=best.score,
        n_draws=winners.size,
        corrected=float(np.mean(out[np.isfinite(out)])) if np.isfinite(out).any() else float("nan"),
        error=float(_spread(pool.drawn(at_best)[:, None])[0]),
        stability=pool.stability(winners),
    )


def _ahead(searches: Mapping[str, SearchResult]) -> str:
    """Name the search with the best subset; of several that are as good to rounding, the first."""
    scores = {name: search.best().score for name, search in searches.items()}
    least = max(scores.values()) - _rounding(searches)
    return next(name for name, score in scores.items() if score >= least)


def _rounding(searches: Mapping[str, SearchResult]) -> float:
    return min(search.tie for search in searches.values())


class _Pool:
    """All subsets of several searches in one row, smaller ones first, then the earlier mask.

    Their scores on draws, which are many, stay in the order of the searches; `order` says where each subset is there.
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
        scores = np.concatenate([one.scores for one in found])
        self.scores, without = scores[self.order], np.flatnonzero(~np.isfinite(scores))
        self.on_draws = np.concatenate([one.drawn[0] for one in found if one.drawn is not None], axis=1)
        self.on_draws[:, without] = -np.inf
        self.tie = max(one.tie for one in found)

    def find(self, name: str, mask: int) -> int:
        return int(np.flatnonzero((self.owner == self.names.index(name)) & (self.masks == mask))[0])

    def member(self, at: int, weight: float) -> Member:
        name = self.names[self.owner[at]]
        return Member(name, self.searches[name].at(int(self.place[at])), weight)

    def drawn(self, at: int) -> Array:
        """Return the scores of a subset on the draws, (n_draws,)."""
        return np.asarray(self.on_draws[:, self.order[at]])

    def winners(self) -> tuple[Integers, Integers]:
        """Return the draws (n,) that have a winner, which are those with any score, and the winners' positions (n,)."""
        rank = np.empty_like(self.order)
        rank[self.order] = np.arange(rank.size)
        best = self.on_draws.max(axis=1, keepdims=True)
        won = np.where(self.on_draws >= best - self.tie, rank, rank.size).min(axis=1)
        draws = np.flatnonzero(np.isfinite(best[:, 0]))
        return draws, won[draws]

    def outside(self, draws: Integers, winners: Integers) -> Array:
        """Return the scores (n,) of winners on the summarizers that were not drawn."""
        drawn = [self.searches[self.names[owner]].drawn for owner in self.owner[winners]]
        each = zip(drawn, draws, self.place[winners], strict=True)
        return np.array([one[1][at, place] for one, at, place in each if one is not None])

    def smallest(self, best: int) -> int:
        """Return the position of the best of the smallest subsets within one standard error of the best."""
        with np.errstate(invalid="ignore"):
            error = _spread(self.on_draws - self.drawn(best)[:, None])[self.order]
        near = np.flatnonzero(self.scores[best] - self.scores <= np.maximum(error, self.tie))
        sizes = np.bitwise_count(self.masks[near])
        smallest = near[sizes == sizes.min()]
        scores = self.scores[smallest]
        return int(smallest[(scores >= scores.max() - _rounding(self.searches)).argmax()])

    def average(self, winners: Integers) -> tuple[Member, ...]:
        at, count = np.unique(winners, return_counts=True)
        order = np.argsort(-count, kind="stable")
        return tuple(self.member(int(at[one]), float(count[one] / winners.size)) for one in order)

    def stability(self, winners: Integers) -> dict[str, float]:
        names = next(iter(self.searches.values())).names
        share = membership(self.masks[winners], len(names)).mean(axis=0)
        return dict(zip(names, map(float, share), strict=True))


def _spread(values: Array) -> Array:
    """Return the standard deviation (n,) over draws (n_draws, n) where both scores exist; 0 for one draw or none."""
    exists = np.isfinite(values)
    count = exists.sum(axis=0)
    mean = np.where(exists, values, 0.0).sum(axis=0) / np.maximum(count, 1)
    squares = np.where(exists, values - mean, 0.0) ** 2
    return np.asarray(np.sqrt(squares.sum(axis=0) / np.maximum(count - 1, 1)))
