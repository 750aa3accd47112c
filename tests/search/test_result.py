"""The ranking, what is chosen by hand, and what resamples say of a winner that is luck or is not."""

import dataclasses

import numpy as np
import pytest

from classy_aesop.fitters import CanonicalRegression
from classy_aesop.search import (
    Design,
    ResampleCounts,
    SearchResult,
    mean_result,
    search_subsets,
    select_subsets,
)


def result(scores, *, tie=1e-9, names=("a", "b", "c")):
    n = len(scores)
    return SearchResult(names, np.arange(1, n + 1), np.array(scores), np.ones(n, bool), np.zeros(n, int), tie)


def test_equal_scores_go_to_fewer_names_then_to_the_earlier_mask():
    #               a    b    ab        c    ac   bc   abc
    found = result([0.1, 0.2, 0.9 + 1e-10, 0.3, 0.9, 0.9, 0.9 + 1e-10])
    assert found.best().names == ("a", "b")
    assert found.masks[found.ranking(4)].tolist() == [0b011, 0b101, 0b110, 0b111]
    assert result([0.9 - 1e-7, 0, 0.9, 0, 0, 0, 0], tie=1e-6).best().names == ("a",)


def test_tables():
    found = result([0.1, 0.2, 0.5, 0.3, 0.4, -np.inf, 0.6])
    assert found.top(2).to_dict("list") == {
        "rank": [1, 2],
        "mask": [7, 3],
        "n_names": [3, 2],
        "names": ["a b c", "a b"],
        "score": [0.6, 0.5],
        "converged": [True, True],
        "note": ["", ""],
    }
    assert found.best_per_size()["mask"].tolist() == [4, 3, 7]
    assert found.inclusion(2).to_dict("list") == {
        "name": ["a", "b", "c"],
        "count": [2, 2, 1],
        "share": [1, 1, 0.5],
    }
    assert len(found.to_frame()) == 7


def test_resamples_count_by_their_winner():
    #          a    b    ab            the first tie goes to fewer names; ab has no score; nothing wins the last
    inside = [[0.5, 0.1, 0.5 + 1e-12], [0.2, 0.6, 0.9], [-np.inf] * 3]
    found = dataclasses.replace(
        result([0.5, 0.4, -np.inf], names=("a", "b")), on_resamples=np.array([inside, inside])
    )
    assert found.inclusion(1)["resamples"].tolist() == [0.5, 0.5]
    nothing = dataclasses.replace(found, on_resamples=np.full((2, 3, 3), -np.inf))
    assert nothing.inclusion(1)["resamples"].tolist() == [0, 0]


def test_no_score_at_all():
    with pytest.raises(ValueError, match="no subset has a score"):
        result([-np.inf] * 7).best()


def drawn_result(scores, drawn, out=None):
    n = len(scores)
    out = drawn if out is None else out
    both = np.array([drawn, out], float)
    flags = np.ones(n, bool), np.zeros(n, int)
    return SearchResult(("a", "b"), np.arange(1, n + 1), np.array(scores), *flags, 1e-9, both)


#                 a    b    ab
SCORES = [0.7, 0.4, 0.8]
DRAWN = [[0.8, 0.3, 0.9], [0.9, 0.4, 0.7], [0.5, 0.6, 0.8], [0.6, 0.1, 0.9]]
OUT = [[0.1, 0.1, 0.5], [0.3, 0.1, 0.1], [0.1, 0.1, 0.4], [0.1, 0.1, -np.inf]]


def test_optimism_by_hand():
    """The winners are ab, a, ab, ab: outside of their resamples .5, .3, .4 and nothing, on average .4."""
    found = select_subsets({"x": drawn_result(SCORES, DRAWN, OUT)})
    assert [(one.subset.names, one.weight) for one in found.members] == [(("a", "b"), 1.0)]
    assert found.corrected == pytest.approx(0.4)
    assert found.optimism == pytest.approx(0.4)
    assert found.stability == {"a": 1.0, "b": 0.75}
    assert found.error == pytest.approx(np.std([0.9, 0.7, 0.8, 0.9], ddof=1))


def test_average_over_fitters():
    """The second search is ahead on the last draw alone."""
    other = [[0.0, 0.0, 0.0]] * 3 + [[0.0, 0.99, 0.0]]
    found = select_subsets(
        {"x": drawn_result(SCORES, DRAWN), "y": drawn_result([0.1, 0.1, 0.1], other)}, "average"
    )
    told = [(one.fitter, one.subset.names, one.weight) for one in found.members]
    assert told == [("x", ("a", "b"), 0.5), ("x", ("a",), 0.25), ("y", ("b",), 0.25)]


def test_a_subset_without_a_score_is_never_used():
    found = select_subsets({"x": drawn_result([0.5, -np.inf, -np.inf], [[0.5, 0.9, 0.9]] * 2)}, "average")
    assert [one.subset.names for one in found.members] == [("a",)]


def test_fitters_that_are_as_good_to_rounding_come_in_their_order():
    """The order must not hang on the last digit, which differs between machines; more than that decides."""
    scores = np.array([0.1, 0.1, 0.8])
    for other, first in ((2e-16, "a"), (1e-6, "b")):
        found = {"a": drawn_result(scores, DRAWN), "b": drawn_result(scores + other, DRAWN)}
        assert select_subsets(found).members[0].fitter == first


def test_without_draws_there_is_the_best_alone():
    plain = SearchResult(("a", "b"), np.arange(1, 4), np.array(SCORES), np.ones(3, bool), np.zeros(3, int))
    found = select_subsets({"x": plain})
    assert (found.score, found.n_resamples, len(found.members)) == (0.8, 0, 1)
    assert np.isnan(found.optimism)
    with pytest.raises(ValueError, match="'average' needs resamples"):
        select_subsets({"x": plain}, "average")
    with pytest.raises(ValueError, match="rule is 'all'; expected one of best, average"):
        select_subsets({"x": plain}, "all")


def test_mean_over_years():
    both = mean_result([drawn_result(SCORES, DRAWN), drawn_result([0.1, -np.inf, 0.4], OUT)])
    assert both.scores.tolist() == pytest.approx([0.4, -np.inf, 0.6])
    assert both.on_resamples[0, 0].tolist() == pytest.approx([0.45, 0.2, 0.7])


def chosen_on(seed, signal):
    """Choose among 255 subsets of 8 columns, of which the first says something about the target, or none does.

    Returns
    -------
    SelectedSubsets
    float
        The winner's score on 2,000 other summarizers.
    """
    rng, fresh = np.random.default_rng(seed), np.random.default_rng(10_000 + seed)
    train, select = made(rng, 20, signal), made(rng, 20, signal)
    ask = {"target": 0, "names": [f"f{k}" for k in range(8)]}
    groups = [[k] for k in range(8)]
    resamples = ResampleCounts.draw(select, 100, rng)
    found = search_subsets(CanonicalRegression(), [(train, select)], groups, resamples=resamples, **ask)
    others = search_subsets(CanonicalRegression(), [(train, made(fresh, 2_000, signal))], groups, **ask)
    return select_subsets({"canonical": found}), others.scores[found.ranking(1)[0]]


def made(rng, n, signal):
    who, topic = np.repeat(np.arange(n), 10), np.tile(np.arange(10), n)
    quality = rng.normal(size=n)
    X = rng.normal(size=(n, 8))[who] + rng.normal(size=(10 * n, 8))
    X[:, 0] += signal * quality[who]
    return Design(X, (quality[who] + rng.normal(size=10 * n))[:, None], who, topic)


@pytest.mark.slow
def test_the_best_of_noise_is_luck():
    found, true = zip(*(chosen_on(seed, 0.0) for seed in range(12)), strict=True)
    assert abs(np.mean(true)) < 0.05
    assert np.mean([one.score for one in found]) > 0.3
    assert np.mean([one.optimism for one in found]) > 0.25
    assert abs(np.mean([one.corrected for one in found])) < 0.15


@pytest.mark.slow
def test_a_real_winner_is_not():
    found, true = zip(*(chosen_on(seed, 3.0) for seed in range(4)), strict=True)
    assert np.mean([one.optimism for one in found]) < 0.1
    assert np.mean([one.corrected for one in found]) == pytest.approx(np.mean(true), abs=0.1)
    assert all(max(one.stability, key=one.stability.get) == "f0" for one in found)
