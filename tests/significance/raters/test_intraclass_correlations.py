"""Intraclass correlations follow from our variance components: the worked example of Shrout and Fleiss (1979).

Their Table 2 has four judges' ratings of six targets, their Table 4 the six coefficients in two digits.
"""

import numpy as np
import pytest

from classy_aesop.significance.raters.rater_reliability import reliability, variance_components
from classy_aesop.significance.raters.ratings import Ratings

RATINGS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float
)
TARGET, JUDGE = np.indices(RATINGS.shape)
N_JUDGES = RATINGS.shape[1]


def variances(judges):
    ratings = Ratings.from_arrays(RATINGS.ravel(), TARGET.ravel(), np.zeros(RATINGS.size, int), judges)
    components = variance_components(ratings)
    return ratings, components, {part.effect: part.variance for part in components}


@pytest.mark.parametrize(
    ("n_raters", "one_way", "two_way", "fixed"), [(1, 0.17, 0.29, 0.71), (4, 0.44, 0.62, 0.91)]
)
def test_the_coefficients_of_shrout_and_fleiss(n_raters, one_way, two_way, fixed):
    """As docs/significance.md writes them; a rater for each rating where nobody knows who rated."""
    _, _, unnamed = variances(np.arange(RATINGS.size))
    _, _, crossed = variances(JUDGE.ravel())
    target = crossed["system"]
    noise = crossed["residual"]
    assert round(unnamed["system"] / (unnamed["system"] + unnamed["residual"] / n_raters), 2) == one_way
    assert round(target / (target + (crossed["rater"] + noise) / n_raters), 2) == two_way
    assert round(target / (target + noise / n_raters), 2) == fixed


def test_reliability_of_raters_who_rated_everything_is_icc_3_k():
    """Means of the same raters differ by none of the raters' own effects, as in ICC(3,k)."""
    ratings, components, parts = variances(JUDGE.ravel())
    icc = parts["system"] / (parts["system"] + parts["residual"] / N_JUDGES)
    found = reliability(ratings, components, level="system")
    assert found.reliability == pytest.approx(icc)
    assert round(icc, 2) == 0.91
