"""Permutation tests of two metrics: every exchange by its definition, against nlpstats, by identities."""

import itertools
import json
import math

import numpy as np
import pytest

from classy_aesop.significance.choices import LEVELS
from classy_aesop.significance.correlation import correlation
from classy_aesop.significance.metric_tests import UNDEFINED, permutation_test, resampling_p
from classy_aesop.significance.resampling import SWAPS, Swaps, draw_swaps, exchanged, permutation_values

COEFFICIENTS = ["pearson", "spearman", "kendall"]


def matrices(seed, shape=(8, 11), missing=0.0, grades=False):
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(shape[0], 1))
    X, Y, Z = (quality + rng.normal(size=shape) for _ in range(3))
    if grades:
        X, Y, Z = np.round(X), np.round(Y), np.round(Z)
    X[rng.random(shape) < missing] = np.nan
    return X, Y, Z


def standard(X, cells):
    return (X - X[cells].mean()) / X[cells].std()


@pytest.mark.slow(after=7)
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("swap", SWAPS)
@pytest.mark.parametrize(("missing", "grades"), [(0.0, False), (0.0, True), (0.3, False), (0.5, True)])
def test_exchanges_are_the_definition(coefficient, level, swap, missing, grades):
    X, Y, Z = matrices(1, missing=missing, grades=grades)
    swaps = draw_swaps(X.shape, swap, 20, np.random.default_rng(1))
    found = permutation_values(X, Y, Z, swaps, level=level, coefficient=coefficient)
    cells = ~np.isnan(X)
    hidden = np.where(cells, Z, np.nan)
    X, Y = standard(X, cells), standard(Y, cells)
    expected = []
    for k in range(20):
        mask = exchanged(swaps, k, X.shape)
        first, second = np.where(mask, Y, X), np.where(mask, X, Y)
        sides = [correlation(S, hidden, level=level, coefficient=coefficient).value for S in (first, second)]
        expected.append(sides[0] - sides[1])
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_swaps_exchange_what_they_say():
    rng = np.random.default_rng(0)
    mask = rng.random((3, 4, 11)) < 0.5
    cells = Swaps(cells=np.packbits(mask, axis=2))
    assert all((exchanged(cells, k, (4, 11)) == mask[k]).all() for k in range(3))
    both = Swaps(np.array([[True, False]]), np.array([[True, False, False]]))
    assert exchanged(both, 0, (2, 3)).tolist() == [[False, True, True], [True, False, False]]
    for swap in SWAPS:  # every cell is exchanged half of the time
        drawn = draw_swaps((3, 9), swap, 4_000, rng)
        share = np.mean([exchanged(drawn, k, (3, 9)) for k in range(4_000)], axis=0)
        assert share == pytest.approx(np.full((3, 9), 0.5), abs=0.04)


def test_p_is_the_share_of_all_exchanges():
    X, Y, Z = matrices(5, shape=(7, 4))
    masks = np.array(list(itertools.product([False, True], repeat=7)))
    values = permutation_values(X, Y, Z, Swaps(rows=masks), level="system", coefficient="pearson")
    cells = np.ones(X.shape, dtype=bool)
    observed = correlation(standard(X, cells), Z).value - correlation(standard(Y, cells), Z).value
    for alternative, extreme in [
        ("greater", values >= observed - 1e-12),
        ("less", values <= observed + 1e-12),
        ("two-sided", np.abs(values) >= abs(observed) - 1e-12),
    ]:
        found = permutation_test(
            X, Y, Z, swap="systems", alternative=alternative, rng=np.random.default_rng(0)
        )
        assert found.p == pytest.approx(extreme.mean(), abs=4 * math.sqrt(0.25 / 9_999))
        assert found.difference == pytest.approx(observed)


def test_p_is_never_zero():
    Z = np.arange(30.0).reshape(10, 3)
    noise = np.random.default_rng(0).normal(size=Z.shape)
    assert permutation_test(Z, noise, Z, n_resamples=199, rng=np.random.default_rng(1)).p == 1 / 200
    assert resampling_p(np.zeros(4), 1.0, "greater") == 0.2
    assert resampling_p(np.array([1.0 - 1e-15, 0.0]), 1.0, "greater") == pytest.approx(2 / 3)


@pytest.mark.slow(after=11)
@pytest.mark.parametrize("level", ["system", "input"])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("swap", SWAPS)
def test_a_metric_is_not_better_than_itself(level, coefficient, swap):
    X, _, Z = matrices(6)
    options = {"level": level, "coefficient": coefficient, "n_resamples": 99}
    for alternative in ("greater", "less", "two-sided"):
        found = permutation_test(
            X, 3 * X + 2, Z, swap=swap, alternative=alternative, rng=np.random.default_rng(0), **options
        )
        assert found.p == 1.0


@pytest.mark.parametrize("level", LEVELS)
def test_undefined_correlations_are_flagged(level):
    X, Y, Z = matrices(7, shape=(4, 3))
    rng = np.random.default_rng(0)
    constant = np.ones_like(Z)
    for scores in [
        (constant, Y, Z),
        (X, Y, constant),
        (X, Y, np.full_like(Z, np.nan)),
        (X[:1], Y[:1], Z[:1]),
    ]:
        found = permutation_test(*scores, level=level, n_resamples=9, rng=rng)
        if level == "global" and len(scores[0]) == 1:
            continue  # one summarizer on several topics has a global correlation
        assert (found.p, found.flag) == (1.0, UNDEFINED)
        json.dumps(found.to_dict())


def test_bad_requests_are_refused():
    X, Y, Z = matrices(0)
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="swap is 'both'"):
        permutation_test(X, Y, Z, swap="both", rng=rng)
    with pytest.raises(ValueError, match="alternative is 'better'"):
        permutation_test(X, Y, Z, alternative="better", rng=rng)
    with pytest.raises(ValueError, match="n_resamples is 0"):
        permutation_test(X, Y, Z, n_resamples=0, rng=rng)
    with pytest.raises(ValueError, match="shapes differ"):
        permutation_test(X, Y[:2], Z, rng=rng)


def oracle(shared, section):
    scores = np.load(shared / "data/score_matrices/scores_fabbri2020.npz")
    cases = json.loads((shared / "oracles/resampling/expected.json").read_text())[section]["fabbri2020"]
    for pair, answers in cases.items():
        X, Y = (scores[name] for name in pair.split(" vs "))
        for case, answer in answers.items():
            yield (X, Y, scores["expert.relevance"]), case.split("."), answer


def test_permutation_p_against_nlpstats(shared):
    rng = np.random.default_rng(11)
    for scores, (level, coefficient, swap), answer in oracle(shared, "permutation"):
        options = {"level": level, "coefficient": coefficient, "swap": swap.replace("both", "systems_inputs")}
        n = 1_999 if level == "system" else 499
        for alternative, name in [("two-sided", "p_ge_tol"), ("greater", "p_greater_tol")]:
            found = permutation_test(*scores, alternative=alternative, n_resamples=n, rng=rng, **options)
            theirs = answer[name]
            low = answer["p_gt_tol"]["mean"] if alternative == "two-sided" else theirs["mean"]
            p = theirs["mean"]
            error = 4 * math.sqrt(max(p * (1 - p), 1e-3) * (1 / n + 1 / (9_999 * theirs["n_runs"])))
            assert low - error <= found.p <= p + error, (level, coefficient, swap, alternative)
