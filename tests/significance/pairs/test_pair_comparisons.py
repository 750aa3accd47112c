"""Pairs of summarizers and their intervals: by hand, against R, exactRankTests and scipy, and by identities."""

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from scipy import stats
from scipy.stats import ttest_rel

from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.differences import (
    DIFFERENT,
    EQUIVALENT,
    NOT_BETTER,
    NOT_WORSE,
    UNDECIDED,
)
from classy_aesop.significance.flags import CONSTANT_DIFFERENCE, NO_DIFFERENCE, TOO_FEW_TOPICS
from classy_aesop.significance.pairs import signed_ranks
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS, compare_pairs
from classy_aesop.significance.pairs.signed_ranks import (
    RECIPES,
    Recipe,
    _bisect_walsh_averages,
    _order_walsh_averages,
    signed_rank_test,
)
from tests.significance.one_pair import compare_pair, equivalence_test

CASES = json.loads((Path(__file__).parents[2] / "oracles/pairs.json").read_text())["cases"]
NORMAL = signed_rank_test(Recipe(continuity=False))
PLAIN = signed_rank_test(Recipe(continuity=False, rounding=False))
OF_2011 = signed_rank_test(RECIPES["rankel2011"])
OF_2013 = signed_rank_test(RECIPES["rankel2013"])
TESTS = [*PAIR_TESTS.values(), OF_2011, OF_2013]
EXACT_BELOW = {"wilcoxon_float": 0, "wilcoxon": 0, "wilcoxon_exact": 10_000}
"""The least number of differences that are compared with the normal distribution, where R was told so."""

DIFFERENCES = [1, 2, 4, 4, -4, 4, 6, 7, -10, 13, -14]


def scores(case):
    return np.array(case["x"], dtype=float), np.array(case["y"], dtype=float)


OTHERS = {
    "wilcoxon_float": {"test": PLAIN},
    "wilcoxon": {"test": NORMAL},
    "wilcoxon_exact": {},
    "r_default": {"test": OF_2011},
    "exact_with_ties": {"test": PLAIN},
    "exact_with_ties_rounded3": {"test": OF_2013},
    "t_paired": {"test": "paired_t"},
    "t_pooled": {"test": "unpaired_t"},
}
"""How the answers of R and exactRankTests are reached here, by their names there."""


def answers():
    """Give what each other program answers, where it has a number; the name of its statistic is that of the file."""
    for name, case in itertools.product(OTHERS, CASES):
        found = case["expected"].get(name)
        found = found if isinstance(found, dict) else {"p": found}
        # R keeps topics that only one of the two wrote in its unpaired t
        if found["p"] is not None and (
            OTHERS[name].get("test") != "unpaired_t" or None not in case["x"] + case["y"]
        ):
            yield pytest.param(name, case, found, id=f"{name}-{case['id']}")


@pytest.mark.parametrize(("name", "case", "expected"), list(answers()))
def test_pairs_against_r_and_exact_rank_tests(name, case, expected, monkeypatch):
    monkeypatch.setattr(signed_ranks, "EXACT_BELOW", EXACT_BELOW.get(name, signed_ranks.EXACT_BELOW))
    found = compare_pair(*scores(case), **OTHERS[name])
    tolerance = {"rel": 1e-10} if name.startswith("exact_with_ties") else {"abs": 1e-10}
    assert found.p == pytest.approx(expected["p"], **tolerance)
    if name == "wilcoxon":
        assert found.statistic == expected["W_plus"]
    if name == "t_paired":
        assert found.statistic == pytest.approx(expected["statistic"], rel=1e-10)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["id"].startswith("pyramid")], ids=lambda case: case["id"]
)
def test_scores_in_decimals_are_tested_as_the_same_scores_in_whole_numbers(case):
    """Where R and R's rules with tolerance differ, R on whole numbers, without rounding, agrees with the latter."""
    decimals, whole = ([np.round(S * factor, 3) for S in scores(case)] for factor in (1.0, 1_000.0))
    found = compare_pair(*decimals, test=signed_rank_test(Recipe(exact_with_ties=False)))
    assert found.p == pytest.approx(compare_pair(*whole, test=OF_2011).p, abs=1e-12)


def test_signed_ranks_by_hand(monkeypatch):
    zeros = np.zeros(len(DIFFERENCES))
    with monkeypatch.context() as patched:
        patched.setattr(signed_ranks, "EXACT_BELOW", 0)
        found = compare_pair(DIFFERENCES, zeros, test=NORMAL)
    assert found.statistic == 41.5
    assert found.p == pytest.approx(0.447551, abs=5e-7)
    assert compare_pair(DIFFERENCES, zeros, test=OF_2011).p == pytest.approx(0.474716, abs=5e-7)
    signs = np.array(list(itertools.product([-1, 1], repeat=len(DIFFERENCES))))
    ranks = stats.rankdata(np.abs(DIFFERENCES))
    as_far = np.abs(signs @ ranks) >= abs(np.sign(DIFFERENCES) @ ranks) - 1e-9
    assert compare_pair(DIFFERENCES, zeros).p == pytest.approx(as_far.mean(), abs=1e-12)
    assert found.effect == pytest.approx(41.5 / 66 - 24.5 / 66)
    x, y = [2.0, 4.0, 6.0], [1.0, 1.0, 4.0]  # differences 1, 3, 2; variances 4 and 3
    assert compare_pair(x, y, test="paired_t").effect == pytest.approx(2.0)
    assert compare_pair(x, y, test="unpaired_t").effect == pytest.approx(2 / math.sqrt(3.5))
    assert compare_pair(x, y).effect == 1.0


@pytest.mark.slow(after=7)
@pytest.mark.parametrize("continuity", [True, False])
def test_dropped_zeros_against_scipy(continuity, monkeypatch):
    monkeypatch.setattr(signed_ranks, "EXACT_BELOW", 0)
    for seed in range(10):
        x, y = np.random.default_rng(seed).integers(1, 6, size=(2, 30)).astype(float)
        found = compare_pair(x, y, test=signed_rank_test(Recipe(continuity=continuity)))
        expected = stats.wilcoxon(x, y, zero_method="wilcox", correction=continuity, method="asymptotic")
        assert found.p == pytest.approx(expected.pvalue, abs=1e-12)


def test_exact_distribution_is_all_sign_patterns():
    for seed in range(8):
        z = np.random.default_rng(seed).integers(-4, 5, size=9).astype(float)
        found = compare_pair(z, np.zeros(9))
        ranks = stats.rankdata(np.abs(z[z != 0]))
        sums = np.array([ranks @ signs for signs in itertools.product([0, 1], repeat=len(ranks))])
        lower, upper = (sums <= found.statistic).mean(), (sums >= found.statistic).mean()
        assert found.p == pytest.approx(min(1, 2 * min(lower, upper)), abs=1e-12)


@pytest.mark.slow(after=3)
@pytest.mark.parametrize("test", TESTS)
def test_all_pairs_are_the_single_pairs(test):
    rng = np.random.default_rng(2)
    X = rng.integers(1, 6, size=(7, 20)) + np.where(rng.random((7, 20)) < 0.2, np.nan, 0.0)
    X[3] = X[2]
    X[4] = np.nan
    found = compare_pairs(X, test=test)
    assert list(zip(found.first, found.second, strict=True)) == list(itertools.combinations(range(7), 2))
    for k, (i, j) in enumerate(itertools.combinations(range(7), 2)):
        one = compare_pair(X[i], X[j], test=test)
        for name in ("statistic", "p", "effect", "difference", "low", "high", "n", "n_used", "flag"):
            np.testing.assert_array_equal(getattr(found, name)[k], getattr(one, name))


@pytest.mark.parametrize("test", PAIR_TESTS)
def test_degenerate_pairs_are_defined_and_flagged(test):
    same, nothing = [1.0, 2.0, 4.0], [math.nan] * 3
    options = {"test": test}
    for x, y, flag in [
        ([], [], TOO_FEW_TOPICS),
        ([1.0], [3.0], TOO_FEW_TOPICS),
        (nothing, same, TOO_FEW_TOPICS),
        (same, same, NO_DIFFERENCE),
        ([2.0, 2.0], [2.0, 2.0], NO_DIFFERENCE),
    ]:
        found = compare_pair(x, y, **options)
        assert (found.p, found.flag) == (1.0, flag)


def test_a_constant_difference_is_no_finding_of_t():
    found = compare_pair([1.1, 2.1, 3.1], [1.0, 2.0, 3.0], test="paired_t")
    assert (found.statistic, found.p, found.flag) == (math.inf, 1.0, CONSTANT_DIFFERENCE)
    assert compare_pair([1.0, 2.0], [1.1, 2.1], test="paired_t").p == 1.0
    found = compare_pair([2.0, 2.0], [1.0, 1.0], test="unpaired_t")
    assert (found.p, found.flag) == (1.0, CONSTANT_DIFFERENCE)
    many = compare_pair(np.arange(20.0) + 1, np.arange(20.0))  # exact signed ranks need no variance
    assert (many.p, many.flag) == (2 / 2**20, "")
    # equal means that vary are no such case
    assert compare_pair([1.0, 2.0], [2.0, 1.0], test="paired_t").flag == ""


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95])
def test_interval_of_any_confidence_against_scipy(confidence):
    x, y = np.random.default_rng(3).normal(size=(2, 12))
    found = compare_pairs(np.stack([x, y]), test="paired_t", confidence=confidence)
    expected = stats.ttest_rel(x, y).confidence_interval(confidence)
    assert (found.low[0], found.high[0]) == pytest.approx((expected.low, expected.high))
    assert found.confidence == confidence


def test_exchange_of_the_two_mirrors_everything():
    for seed in range(10):
        x, y = np.random.default_rng(seed).integers(1, 6, size=(2, 15)).astype(float)
        for test in PAIR_TESTS:
            one = compare_pair(x, y, test=test)
            other = compare_pair(y, x, test=test)
            assert one.p == pytest.approx(other.p, abs=1e-14)
            assert one.effect == pytest.approx(-other.effect, abs=1e-14)


def test_given_pairs_and_their_family():
    X = np.random.default_rng(1).normal(size=(5, 10))
    found = compare_pairs(X, test="wilcoxon", pairs=[[4, 0], [1, 2]], correction="bonferroni")
    z = X[4] - X[0]
    assert found.difference[0] == pytest.approx(np.median((z[:, None] + z)[np.triu_indices(10)] / 2))
    assert found.p_adjusted == pytest.approx(np.minimum(2 * found.p, 1))
    assert found.significant(0.05).tolist() == (found.p_adjusted < 0.05).tolist()
    assert len(compare_pairs(X, pairs=np.zeros((0, 2), dtype=int)).p) == 0
    assert len(compare_pairs(np.zeros((0, 4))).p) == 0
    X = np.random.default_rng(1).normal(size=(5, 12))
    found = compare_pairs(X, test="paired_t", confidence=0.9)
    alone = compare_pairs(X, test="paired_t", confidence=0.99)  # of ten pairs
    assert found.low_all == pytest.approx(alone.low)
    assert found.high_all == pytest.approx(alone.high)
    one = compare_pairs(X[:2], test="paired_t")
    assert (one.low_all, one.high_all) == (one.low, one.high)


def equivalence_scores(seed, n=20, apart=0.0):
    x, y = np.random.default_rng(seed).normal(size=(2, n))
    return x + apart, y


@pytest.mark.parametrize("seed", range(4))
def test_equivalence_against_scipy(seed):
    x, y = equivalence_scores(seed)
    found = equivalence_test(x, y, (-0.7, 0.4))
    sides = [ttest_rel(x + by, y, alternative=side).pvalue for by, side in ((0.7, "greater"), (-0.4, "less"))]
    assert found.p_adjusted == pytest.approx(max(sides), rel=1e-10)
    assert found.p_difference == pytest.approx(ttest_rel(x, y).pvalue, rel=1e-10)
    interval = ttest_rel(x, y).confidence_interval(0.9)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))


def test_signed_ranks_have_no_margin():
    with pytest.raises(ValueError, match="which wilcoxon does not test; expected paired_t"):
        equivalence_test(*equivalence_scores(0), 0.5, test="wilcoxon")


@pytest.mark.parametrize("test", ["paired_t", "unpaired_t"])
def test_an_infinite_side_is_not_tested(test):
    x, y = equivalence_scores(1, apart=0.3)
    how = {"test": test}
    lower, upper = (equivalence_test(x, y, margin, **how) for margin in ((-0.7, math.inf), (-math.inf, 0.4)))
    above, below = compare_pair(x + 0.7, y, **how), compare_pair(x - 0.4, y, **how)
    p_above = above.p / 2 if above.difference > 0 else 1 - above.p / 2
    p_below = below.p / 2 if below.difference < 0 else 1 - below.p / 2
    assert (lower.p_adjusted, upper.p_adjusted) == pytest.approx((p_above, p_below), rel=1e-9)
    both = equivalence_test(x, y, (-0.7, 0.4), **how)
    assert both.p_adjusted == max(lower.p_adjusted, upper.p_adjusted)


def test_all_verdicts():
    x, y = equivalence_scores(7, n=60)
    assert equivalence_test(x, y, 2.0).verdict == EQUIVALENT
    assert equivalence_test(x + 3, y, 2.0).verdict == DIFFERENT
    assert equivalence_test(x[:5], y[:5], 0.1).verdict == UNDECIDED
    small = equivalence_test(x / 50 + 0.5, y / 50, 1.0)  # a real difference that does not matter
    assert (small.verdict, small.p_difference < 0.05) == (EQUIVALENT, True)
    assert equivalence_test(x + 3, y, (-0.5, math.inf)).verdict == NOT_WORSE
    assert equivalence_test(x + 3, y, (-math.inf, 0.5)).verdict == DIFFERENT
    assert equivalence_test(x - 3, y, (-math.inf, 0.5)).verdict == NOT_BETTER
    few = [equivalence_test(list(range(n)), list(range(n)), 9.0) for n in (0, 1)]
    few.append(equivalence_test([1, math.nan, 2], [math.nan, 1, 2], 9.0))
    for found in few:
        assert (found.verdict, found.flag, found.p_adjusted) == (UNDECIDED, TOO_FEW_TOPICS, 1.0)
    x = np.arange(5.0) / 10
    same, within, without = (equivalence_test(x + by, x, 0.1) for by in (0.0, 0.05, 0.2))
    assert (same.verdict, same.flag, same.p_difference) == (UNDECIDED, NO_DIFFERENCE, 1.0)
    assert (within.verdict, within.flag) == (UNDECIDED, CONSTANT_DIFFERENCE)
    assert (without.verdict, without.p_adjusted) == (UNDECIDED, 1.0)
    assert equivalence_test(x + 0.1, x, 0.1).verdict == UNDECIDED  # on the margin is not inside


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_ends_are_walsh_averages_by_hand():
    """Differences 1..6: only W+ = 0 is significant at 95 %, so the ends are the outermost averages, 1 and 6."""
    found = compare_pairs([[1.0, 2, 3, 4, 5, 6], [0] * 6], test="wilcoxon")
    assert (found.low[0], found.high[0]) == (1.0, 6.0)
    assert found.p[0] == 0.03125
    five = compare_pairs([[1.0, 2, 3, 4, 5], [0] * 5], test="wilcoxon")  # p cannot fall below 1/16
    assert (five.low[0], five.high[0]) == (-np.inf, np.inf)


@pytest.mark.parametrize("n", [7, 20, 49, 50, 80])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_scipy_rejects_outside_and_not_inside(n, confidence, rng):
    x, y = rng.normal(0.3, 1, size=n), rng.normal(size=n)
    found = compare_pairs([x, y], test="wilcoxon", confidence=confidence)
    method = "exact" if n < 50 else "asymptotic"
    for end, outwards in ((found.low[0], -1e-9), (found.high[0], 1e-9)):
        for step, accepted in ((outwards, False), (-outwards, True)):
            p = scipy.stats.wilcoxon(x - y - end - step, method=method, correction=n >= 50).pvalue
            assert (p > 1 - confidence) == accepted


def test_averages_that_are_counted_are_those_that_are_made(rng):
    z = np.sort(rng.normal(size=300).round(1))
    for a in (1, 50, 4_000, 20_000):
        made = _order_walsh_averages(z, a)
        assert (_bisect_walsh_averages(z, a), -_bisect_walsh_averages(-z[::-1], a)) == pytest.approx(
            made, abs=1e-12
        )


def outside(low, high, effect, p, alpha):
    """Whether 0 is beyond an end, or is the end itself and rejected: by ties the interval may be open there."""
    is_end = ((low == 0) & (effect > 0) | (high == 0) & (effect < 0)) & is_significant(p, alpha)
    return (low > 0) | (high < 0) | is_end


@pytest.mark.slow
@pytest.mark.parametrize("test", TESTS)
def test_zero_is_outside_exactly_where_p_is_small_with_ties(test, rng):
    """300 tables of 2 to 20 topics with ties, zeros and missing scores; alone, and all together by Bonferroni."""
    n_found = 0
    for _ in range(300):
        X = rng.integers(1, 6, size=(3, rng.integers(2, 21))) + rng.integers(0, 3, size=(3, 1))
        X = np.where(rng.random(X.shape) < 0.1, np.nan, X)
        alpha = rng.choice([0.05, 0.1])
        how = {"test": test, "correction": "bonferroni", "confidence": 1 - alpha}
        found = compare_pairs(X, **how)
        n_found += np.sum(found.p <= alpha)
        known = ~np.isnan(found.low)
        assert (known | (found.flag != "")).all()
        rejected = outside(found.low, found.high, found.effect, found.p, alpha)
        assert (rejected == is_significant(found.p, alpha))[known].all()
        all_rejected = outside(found.low_all, found.high_all, found.effect, found.p_adjusted, alpha)
        assert (all_rejected == found.significant(alpha))[known].all()
        ends = np.abs(np.concatenate([found.low, found.high, found.low_all, found.high_all]))
        assert not ((ends > 0) & (ends < np.finfo(float).tiny)).any()  # no denormal end
    assert 90 < n_found < 810


@pytest.mark.parametrize("exponent", [550, -550, 1000, -1000])
@pytest.mark.parametrize("test", [*PAIR_TESTS.values(), OF_2011])
def test_scores_of_any_size_are_tested_alike(test, exponent):
    """The square of a score times 2^550 has no number: t was infinite, or 0, and p 1."""
    X = np.random.default_rng(0).normal(size=(3, 12)) + np.array([[0.8], [0.2], [0.0]])
    expected, found = (compare_pairs(S, test=test) for S in (X, np.ldexp(X, exponent)))
    for name in ("p", "statistic", "effect", "p_adjusted"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    for name in ("difference", "low", "high"):
        np.testing.assert_array_equal(np.ldexp(getattr(found, name), -exponent), getattr(expected, name))
