"""One rule everywhere: a p of exactly alpha is significant, a larger one is not."""

import numpy as np
import pytest

from classy_aesop.significance.agreement import hits, significant_labels, z_tests
from classy_aesop.significance.base import ALPHA, is_significant
from classy_aesop.significance.clusters import better_than
from classy_aesop.significance.descriptive import normality, tukey_on_ranks
from classy_aesop.significance.multiplicity import CORRECTIONS, adjusted, resamples_needed
from classy_aesop.significance.pairs import EQUIVALENT, compare_pairs, equivalence_pairs

RNG = np.random.default_rng(5)
X = RNG.normal(size=(6, 12)) + np.arange(6)[:, None] / 3


def labelled(alpha):
    found = compare_pairs(X, preset="rankel2013", correction="none")
    return found.p, significant_labels(X, alpha=alpha).significant


def paired(alpha):
    found = compare_pairs(X)
    return found.p_adjusted, found.significant(alpha)


def ranked(alpha):
    found = compare_pairs(X)
    better = better_than(found, len(X), alpha)
    return found.p_adjusted, (better | better.T)[found.first, found.second]


def equivalent(alpha):
    found = equivalence_pairs(X, 2.0, alpha=alpha)
    return found.p_equivalence, found.verdict == EQUIVALENT


def on_ranks(alpha):
    found = tukey_on_ranks(list(X), alpha=alpha)
    return found.p, found.differs


@pytest.mark.parametrize("test", [labelled, paired, ranked, equivalent, on_ranks])
def test_p_of_alpha_is_significant(test):
    p, _ = test(0.05)
    alpha = float(np.sort(p[p < 0.5])[2])
    p, significant = test(alpha)
    assert (p == alpha).any()
    assert significant.tolist() == (p <= alpha).tolist()


def test_p_of_alpha_is_significant_in_hits_and_normality():
    _, p = z_tests(X)
    (found,) = hits(X, X, alphas=[float(np.median(p))])
    assert found.n_human == (p <= np.median(p)).sum()
    p = float(normality(X[:, :1]).p_means)  # of one topic the means are its scores
    assert normality(X[:, :1], alpha=p).share_rejected == 1.0
    assert normality(X[:, :1], alpha=p * (1 - 1e-9)).share_rejected == 0.0


@pytest.mark.slow(after=30)
@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize("n_tests", [1, 2, 3, 7, 15, 78, 435])
@pytest.mark.parametrize("alpha", [0.01, ALPHA, 0.1])
def test_resamples_needed_by_the_correction_itself(correction, n_tests, alpha):
    needed = resamples_needed(n_tests, correction=correction, alpha=alpha)
    best = [
        adjusted(np.full(n_tests, 1 / (n_resamples + 1)), correction=correction).min()
        for n_resamples in (needed, needed - 1)
    ]
    assert is_significant(best, alpha).tolist() == [True, False]
