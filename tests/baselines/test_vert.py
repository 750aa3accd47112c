import numpy as np
import pytest
from scipy.stats import chi2_contingency

from classy_aesop.baselines.ngram import chi_square_similarity, vert_like


def test_bigrams_by_hand(topic_of, values_of):
    # a b, b a against a b, b c: one of two each. Table (1, 1, 0), (1, 0, 1): X2 = 4 * 0.25 / 0.5 = 2, df = 2.
    found = values_of(vert_like, topic_of("a b a", references=("a b c",)))
    assert (found.loc["1"] == 0.5).all()
    assert list(found) == [f"VERT-like-{name}" for name in ("chi2", "f1", "precision", "recall")]


def test_unequal_lengths_by_hand(topic_of, values_of):
    # a b, b c, c d against a b: precision 1/3, recall 1, F1 1/2; against itself all 1.
    found = values_of(vert_like, topic_of("a b c d", references=("a b", "a b c d")))
    expected = {"precision": (1 / 3 + 1) / 2, "recall": 1.0, "f1": (1 / 2 + 1) / 2}
    for name, value in expected.items():
        assert found.loc["1", f"VERT-like-{name}"] == pytest.approx(value)


@pytest.mark.parametrize("seed", range(5))
def test_chi_square_against_scipy(seed):
    first, second = np.random.default_rng(seed).poisson(1.0, size=(2, 12)) + np.eye(2, 12, dtype=int)
    kept = first + second > 0
    found = chi2_contingency(np.array([first, second])[:, kept], correction=False)
    expected = 1 / (1 + found.statistic / found.dof)
    assert chi_square_similarity(first, second) == pytest.approx(expected)


def test_equal_shares_are_one():
    assert chi_square_similarity(np.array([2, 4]), np.array([1, 2])) == 1.0
    assert chi_square_similarity(np.array([3]), np.array([1])) == 1.0
