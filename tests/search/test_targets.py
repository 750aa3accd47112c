"""One search for several targets gives what a search for each gives."""

import numpy as np
import pytest

from classy_aesop.fitters import CanonicalRegression, NonNegativeRegression
from classy_aesop.search import Rows, search_subsets, search_targets

GROUPS = [[k] for k in range(7)]
NAMES = [f"f{k}" for k in range(7)]


def compare(fitter, splits, **levels):
    ask = {"names": NAMES, **levels}
    together = search_targets(fitter, splits, GROUPS, targets=[2, 0, 1], **ask)
    for target, found in zip([2, 0, 1], together, strict=True):
        alone = search_subsets(fitter, splits, GROUPS, target=target, **ask)
        np.testing.assert_allclose(found.scores, alone.scores, rtol=0, atol=1e-10)
        np.testing.assert_array_equal(found.notes, alone.notes)
        assert found.best().names == alone.best().names
    assert not np.allclose(together[0].scores, together[1].scores)


def with_arrays(design, *, X=None, Y=None):
    X, Y = (design.X if X is None else X), (design.Y if Y is None else Y)
    return Rows(X, Y, design.summarizers, design.topics)


@pytest.mark.parametrize("level", ["system", "input", "global", "centred"])
@pytest.mark.parametrize("calibrate", [True, False])
def test_canonical_targets_share_fits(years, calibrate, level):
    compare(CanonicalRegression(calibrate=calibrate), [years], level=level)


@pytest.mark.parametrize("fit_level", ["summary", "system"])
def test_targets_that_pull_apart_turn_the_same_direction(years, fit_level):
    pulled = [with_arrays(design, Y=design.Y * [1, -1, 1]) for design in years]
    compare(CanonicalRegression(), [pulled], fit_level=fit_level)


def test_folds_and_gaps_are_searched_one_by_one(years):
    whole, Y = years[0], years[1].Y.copy()
    held = whole.topics % 2 == 0
    compare(
        CanonicalRegression(), [(whole.take(held), whole.take(~held)), (whole.take(~held), whole.take(held))]
    )
    Y[::9, 1] = np.nan
    compare(CanonicalRegression(), [(whole, with_arrays(years[1], Y=Y))])
    compare(NonNegativeRegression(), [years])


def test_a_target_without_variation_has_no_score_and_spoils_no_other(years):
    constant = [with_arrays(design, Y=np.where([True, False, True], design.Y, 2.0)) for design in years]
    found = search_targets(CanonicalRegression(), [constant], GROUPS, targets=[0, 1], names=NAMES)
    assert found[0].has_winner
    assert not found[1].has_winner
