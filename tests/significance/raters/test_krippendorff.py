"""Alpha without each unit: the same as of an array without its column."""

import numpy as np
import pytest

from classy_aesop.significance.raters import krippendorff
from classy_aesop.significance.raters.krippendorff import NO_INTERVAL, RATING_SCALES, krippendorff_alpha


def leave_out_each_unit(ratings, scale):
    counts, values, _ = krippendorff._count_ratings(ratings, scale)
    return krippendorff._alphas(counts, values, scale)[1]


@pytest.mark.slow(after=6)
@pytest.mark.parametrize("scale", RATING_SCALES)
@pytest.mark.parametrize("decimals", [0, 2])
@pytest.mark.parametrize("max_cells", [1, 50, 2**21])
def test_alpha_without_each_unit_is_that_of_the_other_units(monkeypatch, scale, decimals, max_cells):
    monkeypatch.setattr(krippendorff, "MAX_BLOCK_CELLS", max_cells)
    rng = np.random.default_rng(decimals)
    ratings = np.abs(np.round(rng.normal(3, 1, 30) + rng.normal(0, 0.7, (5, 30)), decimals))
    ratings[rng.random(ratings.shape) < 0.2] = np.nan
    ratings[:, 0] = 7  # of one unit alone, and all ratings of a unit equal
    assert np.count_nonzero(~np.isnan(ratings), axis=0).min() > 1
    expected = [krippendorff_alpha(np.delete(ratings, unit, axis=1), scale=scale).value for unit in range(30)]
    np.testing.assert_allclose(leave_out_each_unit(ratings, scale), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("scale", RATING_SCALES)
def test_no_interval_where_one_unit_alone_is_rated_unequally(scale):
    ratings = np.repeat([[1.1, 2.3, 5.7, 1.7]], 10, axis=0).reshape(1, -1).repeat(4, axis=0)
    ratings[0, 0] = 2.3
    alpha = krippendorff_alpha(ratings, scale=scale)
    assert leave_out_each_unit(ratings, scale)[0] == 1
    assert (alpha.flag, alpha.value < 1) == (NO_INTERVAL, True)


def test_ratings_that_lose_their_variation_without_one_unit():
    alphas = leave_out_each_unit([[1, 1, 1, 5], [1, 1, 1, 5]], "interval")
    np.testing.assert_array_equal(alphas, [1, 1, 1, np.nan])


def test_shares_of_equal_pairs_and_of_the_most_frequent_rating_by_hand():
    # pairs: 1 of 1 equal; 1 of 3 equal; the single rating is left out; of 5 ratings 3 are 2
    alpha = krippendorff_alpha([[2, 2, 4], [2, 1, np.nan], [np.nan, 1, np.nan]])
    assert (alpha.agreement, alpha.mode_share) == (2 / 4, 3 / 5)
    alpha = krippendorff_alpha([[1, 2]])
    assert np.isnan([alpha.agreement, alpha.mode_share]).all()
