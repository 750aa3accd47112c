"""Two one-sided tests: against scipy, by hand, as identities, at the edges."""

import json
import math

import numpy as np
import pytest
from scipy.stats import t, ttest_rel, wilcoxon

from classy_aesop.significance.multiplicity import adjusted
from classy_aesop.significance.pairs import (
    DIFFERENT,
    EQUIVALENT,
    NO_DIFFERENCE,
    NO_SPREAD,
    NOT_BETTER,
    NOT_WORSE,
    TESTS,
    TOO_FEW,
    UNDECIDED,
    equivalence_pairs,
)
from tests.significance.one_pair import compare_pair, equivalence_test


def scores(seed, n=20, apart=0.0):
    x, y = np.random.default_rng(seed).normal(size=(2, n))
    return x + apart, y


@pytest.mark.parametrize("seed", range(4))
def test_paired_against_scipy(seed):
    x, y = scores(seed)
    found = equivalence_test(x, y, (-0.7, 0.4))
    sides = (
        ttest_rel(x + 0.7, y, alternative="greater").pvalue,
        ttest_rel(x - 0.4, y, alternative="less").pvalue,
    )
    assert found.p_equivalence == pytest.approx(max(sides), rel=1e-10)
    assert found.p_difference == pytest.approx(ttest_rel(x, y).pvalue, rel=1e-10)
    interval = ttest_rel(x, y).confidence_interval(0.9)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))


def test_signed_ranks_against_scipy():
    x, y = scores(1)
    found = equivalence_test(x, y, 0.5, test="wilcoxon")
    sides = [
        wilcoxon(x - y + 0.5, alternative="greater").pvalue,
        wilcoxon(x - y - 0.5, alternative="less").pvalue,
    ]
    assert found.p_equivalence == pytest.approx(max(sides), rel=1e-10)


def test_equivalence_by_hand():
    found = equivalence_test([1, 2, 3, 4], [1.1, 1.9, 3.1, 3.9], 0.5)
    # differences -.1, .1, -.1, .1: mean 0, standard error .1/sqrt(3); t = 5 sqrt(3) either way
    assert found.p_equivalence == pytest.approx(t.sf(5 * math.sqrt(3), 3))
    assert (found.p_difference, found.verdict) == (1.0, EQUIVALENT)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("test", ["paired_t", "unpaired_t"])
def test_verdict_is_that_of_the_interval(seed, test):
    for margin in (0.2, 0.6, 1.2):
        found = equivalence_test(*scores(seed, apart=0.3), margin, test=test)
        assert (found.verdict == EQUIVALENT) == (-margin < found.low and found.high < margin)


@pytest.mark.parametrize("test", TESTS)
def test_exchange_of_the_two_changes_only_signs(test):
    x, y = scores(3, apart=0.2)
    one, other = (
        equivalence_test(x, y, (-0.4, 0.9), test=test),
        equivalence_test(y, x, (-0.9, 0.4), test=test),
    )
    assert one.p_equivalence == pytest.approx(other.p_equivalence)
    assert (one.difference, one.low, one.high) == pytest.approx((-other.difference, -other.high, -other.low))
    assert one.verdict == other.verdict


def test_pairs_are_single_tests_corrected():
    X = np.random.default_rng(5).normal(size=(4, 15))
    X[2, 3] = np.nan
    found = equivalence_pairs(X, 0.8)
    single = [equivalence_test(X[i], X[j], 0.8) for i, j in zip(found.first, found.second, strict=True)]
    assert found.p_equivalence == pytest.approx(adjusted([one.p_equivalence for one in single]))
    assert found.p_difference == pytest.approx(adjusted([one.p_difference for one in single]))
    assert found.n.tolist() == [one.n for one in single]
    json.dumps(found.to_dict())


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("seed", range(3))
def test_an_infinite_side_is_not_tested(seed, test):
    x, y = scores(seed, apart=0.3)
    lower, upper = (
        equivalence_test(x, y, margin, test=test) for margin in ((-0.7, math.inf), (-math.inf, 0.4))
    )
    assert lower.p_equivalence == compare_pair(x + 0.7, y, test=test, alternative="greater").p
    assert upper.p_equivalence == compare_pair(x - 0.4, y, test=test, alternative="less").p
    both = equivalence_test(x, y, (-0.7, 0.4), test=test)
    assert both.p_equivalence == max(lower.p_equivalence, upper.p_equivalence)


def test_much_better_is_not_worse():
    x, y = scores(7, n=60)
    assert equivalence_test(x + 3, y, (-0.5, math.inf)).verdict == NOT_WORSE
    assert equivalence_test(x + 3, y, (-math.inf, 0.5)).verdict == DIFFERENT
    assert equivalence_test(x - 3, y, (-math.inf, 0.5)).verdict == NOT_BETTER


def test_all_three_verdicts():
    x, y = scores(7, n=60)
    assert equivalence_test(x, y, 2.0).verdict == EQUIVALENT
    assert equivalence_test(x + 3, y, 2.0).verdict == DIFFERENT
    assert equivalence_test(x[:5], y[:5], 0.1).verdict == UNDECIDED
    small = equivalence_test(x / 50 + 0.5, y / 50, 1.0)  # a real difference that does not matter
    assert (small.verdict, small.p_difference < 0.05) == (EQUIVALENT, True)


def test_equivalence_needs_evidence():
    few = [equivalence_test(list(range(n)), list(range(n)), 9.0) for n in (0, 1)]
    few.append(equivalence_test([1, math.nan, 2], [math.nan, 1, 2], 9.0))
    for found in few:
        assert (found.verdict, found.flag, found.p_equivalence) == (UNDECIDED, TOO_FEW, 1.0)
        json.dumps(vars(found))


def test_scores_that_never_vary():
    x = np.arange(5.0) / 10
    same, within, without = (equivalence_test(x + by, x, 0.1) for by in (0.0, 0.05, 0.2))
    assert (same.verdict, same.flag, same.p_difference) == (EQUIVALENT, NO_DIFFERENCE, 1.0)
    assert (within.verdict, within.flag) == (EQUIVALENT, NO_SPREAD)
    assert (without.verdict, without.p_equivalence) == (DIFFERENT, 1.0)
    assert equivalence_test(x + 0.1, x, 0.1).verdict == DIFFERENT  # on the margin is not inside


@pytest.mark.parametrize("preset", ["rankel2011", "rankel2013"])
def test_presets_are_those_of_the_pairs(preset):
    x, y = scores(9, n=12)
    found = equivalence_test(x, y, 1.0, test="wilcoxon", preset=preset)
    options = {"test": "wilcoxon", "preset": preset}
    p = [
        compare_pair(x + 1, y, alternative="greater", **options).p,
        compare_pair(x - 1, y, alternative="less", **options).p,
    ]
    assert found.p_equivalence == max(p)


def test_bad_requests_are_refused():
    x, y = scores(0)
    for margin in (0, -1.0, (0.1, 0.5), math.inf, math.nan, (-0.5, math.nan)):
        with pytest.raises(ValueError, match="margin reaches from"):
            equivalence_test(x, y, margin)
    with pytest.raises(ValueError, match=r"alpha is 0\.5; expected"):
        equivalence_test(x, y, 1.0, alpha=0.5)
    with pytest.raises(ValueError, match="test is 'sign'"):
        equivalence_test(x, y, 1.0, test="sign")
