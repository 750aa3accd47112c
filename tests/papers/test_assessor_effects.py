"""The additive model of assessors and categories: against statsmodels' formulas, by hand, and what cannot be tested."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from classy_aesop.papers.assessor_effects import assessor_effects

CASES_EFFECTS = json.loads((Path(__file__).parents[1] / "oracles/effects.json").read_text())["cases"]


@pytest.mark.parametrize("case", CASES_EFFECTS, ids=lambda case: f"n={len(case['scores'])}")
def test_effects_against_statsmodels(case):
    found = assessor_effects(case["scores"], case["assessors"], case["categories"])
    expected = case["expected"]
    assert found.statistic == pytest.approx(expected["F"], rel=1e-9)
    assert found.p == pytest.approx(expected["p"], abs=1e-10)
    assert (found.df_error, found.mean) == pytest.approx((expected["df_error"], expected["mean"]), rel=1e-10)
    assert found.assessor_effects[:-1] == pytest.approx(np.array(expected["assessor_effects"]), abs=1e-10)
    assert found.assessor_errors[:-1] == pytest.approx(np.array(expected["assessor_errors"]), abs=1e-10)
    assert found.assessor_effects.sum() == pytest.approx(0, abs=1e-12)
    assert found.category_effects.sum() == pytest.approx(0, abs=1e-12)


def test_balanced_effects_are_means_less_the_mean():
    found = assessor_effects([1, 2, 3, 4, 5, 9], list("AABBCC"), list("uvuvuv"))
    assert found.assessor_effects == pytest.approx([-2.5, -0.5, 3.0])
    assert found.category_effects == pytest.approx([-1.0, 1.0])
    # residuals +-1/2, +-1/2, -+1: rest 3; between assessors 2(6.25 + .25 + 9) = 31 on 2, rest on 2
    assert found.statistic == pytest.approx(31 / 3)
    assert found.n == 6
    found = assessor_effects([1, 2, 3, 4.5, math.nan], [1, 1, 2, 2, 3], list("uvuvu"))
    assert (found.assessors, found.n) == (("1", "2"), 4)
    # Before, an assessor without an effect had -2e-17.
    found = assessor_effects([0.1, 0.7, 0.3, 0.5, 0.2, 0.9], list("AABBCC"), list("uvuvuv"))
    effects = np.append(found.assessor_effects, found.category_effects)
    assert effects == pytest.approx([-0.05, -0.05, 0.1, -0.25, 0.25])
    middle = assessor_effects([0.1, 0.7, 0.3, 0.9, 0.2, 0.8], list("AABBCC"), list("uvuvuv"))
    assert middle.assessor_effects.tolist()[2] == 0
    assert np.signbit(middle.assessor_effects).tolist() == [True, False, False]


def test_nothing_to_test_is_flagged_of_effects():
    one = assessor_effects([1, 2, 4], list("AAA"), list("uvv"))
    assert (one.p, one.flag) == (1.0, "one assessor")
    full = assessor_effects([1, 2, 4], list("ABB"), list("uuv"))
    assert (full.p, full.flag) == (1.0, "no degrees of freedom left")
    assert np.isnan(full.assessor_errors).all()
    exact = assessor_effects([1, 2, 3, 4], list("AABB"), list("uvuv"))
    assert (exact.p, exact.flag) == (1.0, "the model fits without rest")  # nothing is known of the variance
    flat = assessor_effects([2, 2, 2, 2], list("AABB"), list("uvuv"))
    assert (flat.p, flat.flag) == (1.0, "the model fits without rest")
    json.dumps([found.to_dict() for found in (one, full, exact, flat)])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([1, 2], ["A"], ["u", "v"]), "2 scores, 1 assessors, 2 categories"),
        (([math.nan], ["A"], ["u"]), "no score is left"),
        (([1, 2, 3, 4], list("AABB"), list("uuvv")), "share no category"),
    ],
)
def test_what_is_no_model_is_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        assessor_effects(*arguments)
