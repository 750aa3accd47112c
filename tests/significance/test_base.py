"""One rule for near ties: no test depends on the unit of the scores, on a constant added to them, or on rounding."""

from itertools import chain, islice, product, zip_longest

import numpy as np
import pytest

from classy_aesop.significance.choices import ALPHA, CORRELATION_LEVELS
from classy_aesop.significance.correlations.accuracies import ACCURACIES, CALIBRATED_ACCURACY, SOFT_ACCURACY
from classy_aesop.significance.correlations.coefficients import ROW_COEFFICIENTS
from classy_aesop.significance.correlations.correlation_intervals import bootstrap_interval
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.correlations.counted_coefficients import correlate_exchanged, count_exchanges
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.differences import EQUIVALENT
from classy_aesop.significance.draws import EXCHANGED_UNITS, RESAMPLED_UNITS, draw_exchanges
from classy_aesop.significance.flags import NO_DIFFERENCE
from classy_aesop.significance.metrics.metric_tests import METRIC_TESTS
from classy_aesop.significance.multiplicity.corrections import CORRECTIONS, adjust_p_values, resamples_needed
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS, compare_pairs
from classy_aesop.significance.pairs.signed_ranks import RECIPES, signed_rank_test
from tests.significance.ranked import rank_rows
from tests.significance.two_metrics import permutation_values

ALIKE = np.array([[0.37] * 12, [0.37000000000000005] * 12])
CORRELATED = ("pearson", "spearman", "kendall")

#: The unit of the scores, and a constant that is added to them.
CHANGES = [(10.0**k, 0.0) for k in (-6, -3, -2, -1, 1, 2, 3, 6)]
CHANGES += [(1.0, 0.1), (1.0, -3.0), (1.0, 1000.0), (100.0, 7.7)]


def tables(rng, n=6, topics=14):
    """Give tables with many ties: grades, decimals of 1 to 3 digits, small ones, and these in thousands."""
    yield rng.integers(1, 6, size=(n, topics)).astype(float)
    for digits in (1, 2, 3):
        yield np.round(rng.normal(0.4, 0.2, size=(n, topics)), digits)
        yield np.round(rng.normal(0.4, 0.02, size=(n, topics)), digits) * 1000
    yield rng.integers(0, 4, size=(n, topics)) / 3 + np.arange(n)[:, None] / 10
    yield np.round(rng.normal(size=(n, 1)), 2) + np.zeros((n, topics))  # constant rows, some of them apart


def with_missing(X, rng):
    return np.where(rng.random(X.shape) < 0.1, np.nan, X)


@pytest.mark.parametrize("test", PAIR_TESTS)
def test_scores_that_differ_by_rounding_do_not_differ(test):
    """The last digit of a float is all that parts these two, in every topic."""
    found = compare_pairs(ALIKE, test=test)
    assert (found.p[0], found.effect[0], found.difference[0], found.n_used[0] % 12) == (1.0, 0.0, 0.0, 0)
    assert found.flag.tolist() == [NO_DIFFERENCE]
    assert not found.significant().any()
    clusters = rank_rows(ALIKE, found)
    # equal means have equal ranks
    assert (clusters.cluster.tolist(), clusters.rank.tolist()) == ([1, 1], [1, 1])
    assert rank_rows(ALIKE[::-1], compare_pairs(ALIKE[::-1], test=test)).rank.tolist() == [1, 1]


@pytest.mark.parametrize("coefficient", ROW_COEFFICIENTS)
@pytest.mark.parametrize("level", CORRELATION_LEVELS)
def test_a_metric_that_is_constant_but_for_rounding_says_nothing_at_any_level(level, coefficient):
    rng = np.random.default_rng(0)
    X = np.where(rng.random((8, 12)) < 0.5, *ALIKE[:, :1])
    Z = rng.integers(1, 6, size=X.shape).astype(float)
    found = correlation(X, Z, level=level, coefficient=coefficient).value
    assert found == pytest.approx(
        correlation(np.full_like(X, 0.37), Z, level=level, coefficient=coefficient).value, nan_ok=True
    )
    assert np.isnan(found) == (coefficient not in ACCURACIES)


def test_a_column_that_an_exchange_makes_constant_has_no_correlation():
    z, keep = np.array([1.0, 2, 4, 3]), np.zeros((1, 4), dtype=bool)
    x, y = np.full(4, 1e-5), np.array([0.9, 0.23, -0.71, 0.37])
    for which, (first, second, moved) in enumerate(
        [(x, y, keep), (y, x, keep), (x, y, ~keep), (y, x, ~keep)]
    ):
        found = correlate_exchanged(first, second, z, count_exchanges(moved, "pearson"), "pearson")
        constant = which in (1, 2)
        assert np.isnan(found[int(constant), 0])
        assert found[int(not constant), 0] == pytest.approx(np.corrcoef(y, z)[0, 1])


rng_of = np.random.default_rng


def unchanged(results, seeds=2, changes=CHANGES, step=1):
    """Hold that ``results(scores, factor)``, p-values by name, are the same in other units and moved.

    Each table is changed in a third of the ways, the next one in the next third.
    """
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        for which, table in enumerate(islice(tables(rng), 0, None, step)):
            X = with_missing(table, rng) if which % 2 else table
            plain = results(X, 1.0)
            for factor, constant in changes[which % 3 :: 3]:
                changed = results(X * factor + constant, factor)
                for name in plain:
                    about = f"{name}: {(seed, which, factor, constant)}"
                    np.testing.assert_allclose(changed[name], plain[name], rtol=0, atol=1e-9, err_msg=about)


def pairs(test):
    def results(X, _):
        found = compare_pairs(X, test=test)
        return {"p": found.p, "p_adjusted": found.p_adjusted, "flag": found.flag == "", "n": found.n_used}

    return results


def equivalences(test):
    def results(X, factor):
        tests = compare_pairs(X, test=test)
        equivalence = tests.equivalent(0.25 * factor)
        return {"p_equivalence": equivalence.p_adjusted, "p_difference": tests.p_adjusted}

    return results


def clusters():
    def results(X, _):
        found = rank_rows(X, compare_pairs(X))
        return {"cluster": found.cluster, "rank": found.rank}

    return results


def correlations(level, coefficient):
    Z = rng_of(0).integers(1, 4, size=(6, 14)) / 3

    def results(X, _):
        orders = {"metric": (X, Z), "human": (Z, X)}
        how = {"level": level, "coefficient": coefficient}
        return {name: correlation(*orders[name], **how).value for name in orders}

    return results


def metric_tests(test, level, coefficient):
    """The unit is that of the first metric, of the second, or of the human scores."""
    others = list(rng_of(0).integers(1, 4, size=(2, 6, 14)) / 3)
    how = {"level": level, "coefficient": coefficient, "n_resamples": 20}

    def results(X, _):
        orders = {"first": (X, *others), "second": (others[0], X, others[1]), "human": (*others, X)}
        tests = {name: METRIC_TESTS[test](*scores, rng=rng_of(1), **how) for name, scores in orders.items()}
        return {name: found.p for name, found in tests.items()}

    return results


def intervals(level, coefficient, resample):
    Z = rng_of(0).integers(1, 4, size=(6, 14)) / 3
    how = {"level": level, "coefficient": coefficient, "resample": resample, "n_resamples": 20}

    def results(X, _):
        found = bootstrap_interval(X, Z, rng=rng_of(1), **how)
        return {"low": found.low, "high": found.high, "n_dropped": found.n_dropped}

    return results


FEW = {"seeds": 1, "changes": [(1000.0, 0.0), (1.0, 0.1), (1.0, 1000.0)], "step": 3}
KINDS = [
    [(pairs, (test,), {}) for test in PAIR_TESTS],
    # what rounds to decimals is only moved
    [(pairs, (signed_rank_test(RECIPES["rankel2013"]),), {"changes": CHANGES[8:11]})],
    [(equivalences, (test,), {}) for test in ("paired_t", "unpaired_t")],
    [(correlations, both, {"seeds": 1}) for both in product(CORRELATION_LEVELS, ROW_COEFFICIENTS)],
    [
        (intervals, asked, {"seeds": 1, "step": 2})
        for asked in product(CORRELATION_LEVELS, CORRELATED, RESAMPLED_UNITS)
    ],
    [
        (metric_tests, asked, FEW)
        for asked in product(METRIC_TESTS, CORRELATION_LEVELS, (*CORRELATED, CALIBRATED_ACCURACY))
    ],
    [(intervals, (level, CALIBRATED_ACCURACY, "both"), FEW) for level in CORRELATION_LEVELS],
    [
        (metric_tests, (test, "system", SOFT_ACCURACY), {**FEW, "step": 4})
        for test in ("perm-systems", "boot")
    ],
    [(made, (), {}) for made in (clusters,)],
]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(("made", "asked", "how"), [*filter(None, chain(*zip_longest(*KINDS)))])
def test_units_change_nothing(made, asked, how):
    unchanged(made(*asked), **how)


def grades(rng, shape=(9, 7)):
    return rng.integers(1, 4, size=shape) / 3.0


def blurred(X, rng):
    """Give the scores as sums in another order would be: some a last digit off."""
    return X * (1 + rng.integers(-2, 3, size=X.shape) * 2.0**-52)


@pytest.mark.slow(after=8)
@pytest.mark.parametrize("coefficient", CORRELATED)
@pytest.mark.parametrize("level", CORRELATION_LEVELS)
@pytest.mark.parametrize("swap", EXCHANGED_UNITS)
def test_rounding_moves_no_exchange(level, coefficient, swap):
    """The second metric is the first's, scaled, for half of the summarizers: ties across the exchange."""
    rng = np.random.default_rng(2)
    X, Z = grades(rng), grades(rng)
    Y = np.where(np.arange(len(X))[:, None] % 2, X, grades(rng))
    swaps = draw_exchanges(X.shape, swap, 50, rng)
    found, plain = (
        permutation_values(*scores, swaps, level=level, coefficient=coefficient)
        for scores in ((blurred(X, rng), blurred(Y, rng), blurred(Z, rng)), (X, Y, Z))
    )
    np.testing.assert_allclose(found, plain, rtol=0, atol=1e-12)


RNG = np.random.default_rng(5)
X = RNG.normal(size=(6, 12)) + np.arange(6)[:, None] / 3


PAIRS = compare_pairs(X)


def ranked(alpha):
    better = PAIRS.better(len(X), alpha)
    return (better | better.T)[PAIRS.first, PAIRS.second]


SIGNIFICANT = {
    "pairs": lambda alpha: (PAIRS.p_adjusted, PAIRS.significant(alpha)),
    "ranks": lambda alpha: (PAIRS.p_adjusted, ranked(alpha)),
    "equivalence": lambda alpha: (
        (found := compare_pairs(X).equivalent(2.0, alpha=alpha)).p_adjusted,
        found.verdict == EQUIVALENT,
    ),
}


@pytest.mark.parametrize("test", SIGNIFICANT.values(), ids=list(SIGNIFICANT))
def test_p_of_alpha_is_significant(test):
    p, _ = test(0.05)
    alpha = float(np.sort(p[p < 0.5])[2])
    p, significant = test(alpha)
    assert (p == alpha).any()
    assert significant.tolist() == (p <= alpha).tolist()


@pytest.mark.slow(after=30)
@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize("n_tests", [1, 2, 3, 7, 15, 78, 435])
@pytest.mark.parametrize("alpha", [0.01, ALPHA, 0.1])
def test_resamples_needed_by_the_correction_itself(correction, n_tests, alpha):
    needed = resamples_needed(n_tests, correction=correction, alpha=alpha)
    for n_resamples in (needed, needed - 1):
        best = adjust_p_values(np.full(n_tests, 1 / (n_resamples + 1)), correction=correction).min()
        assert is_significant(best, alpha) == (n_resamples == needed)
