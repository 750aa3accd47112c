"""The additive model of assessors and categories: against statsmodels' formulas, by hand, and what cannot be tested."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from classy_aesop.errors import InputError
from classy_aesop.papers.assessor_effects import assessor_effects

CASES_EFFECTS = json.loads((Path(__file__).parents[1] / "oracles/effects.json").read_text())["cases"]


def effects_of(scores, assessors, categories):
    return assessor_effects(*map(pd.Series, (scores, list(assessors), list(categories))))


@pytest.mark.parametrize("case", CASES_EFFECTS, ids=lambda case: f"n={len(case['scores'])}")
def test_effects_against_statsmodels(case):
    effects = effects_of(case["scores"], case["assessors"], case["categories"])
    expected = case["expected"]
    first = effects.iloc[0]
    assert first["statistic"] == pytest.approx(expected["F"], rel=1e-9)
    assert first["p"] == pytest.approx(expected["p"], abs=1e-10)
    assert first["df_error"] == expected["df_error"]
    of_assessors = effects[effects["kind"] == "assessor"]
    assert of_assessors["effect"].to_numpy()[:-1] == pytest.approx(
        np.array(expected["assessor_effects"]), abs=1e-10
    )
    assert of_assessors["error"].to_numpy()[:-1] == pytest.approx(
        np.array(expected["assessor_errors"]), abs=1e-10
    )
    assert effects.groupby("kind")["effect"].sum().to_numpy() == pytest.approx(0, abs=1e-12)


def test_balanced_effects_are_means_less_the_mean():
    effects = effects_of([1, 2, 3, 4, 5, 9], "AABBCC", "uvuvuv")
    assert effects["name"].tolist() == list("ABCuv")
    assert effects["effect"].tolist() == pytest.approx([-2.5, -0.5, 3.0, -1.0, 1.0])
    # residuals +-1/2, +-1/2, -+1: rest 3; between assessors 2(6.25 + .25 + 9) = 31 on 2, rest on 2
    assert effects["statistic"][0] == pytest.approx(31 / 3)
    assert effects["n"][0] == 6
    # Before, an assessor without an effect had -2e-17.
    effects = effects_of([0.1, 0.7, 0.3, 0.5, 0.2, 0.9], "AABBCC", "uvuvuv")["effect"]
    assert effects.tolist() == pytest.approx([-0.05, -0.05, 0.1, -0.25, 0.25])
    middle = effects_of([0.1, 0.7, 0.3, 0.9, 0.2, 0.8], "AABBCC", "uvuvuv")["effect"]
    assert middle[2] == 0
    assert np.signbit(middle[:3]).tolist() == [True, False, False]


def test_nothing_to_test_is_flagged_of_effects():
    def test_of(scores, assessors, categories):
        """Give p and the flag of the test."""
        effects = effects_of(scores, assessors, categories)
        return tuple(effects[["p", "flag"]].iloc[0])

    assert test_of([1, 2, 4], "AAA", "uvv") == (1.0, "one assessor")
    assert test_of([1, 2, 4], "ABB", "uuv") == (1.0, "no degrees of freedom left")
    assert effects_of([1, 2, 4], "ABB", "uuv")["error"].isna().all()
    # nothing is known of the variance
    assert test_of([1, 2, 3, 4], "AABB", "uvuv") == (1.0, "the model fits without rest")
    assert test_of([2, 2, 2, 2], "AABB", "uvuv") == (1.0, "the model fits without rest")


def test_assessors_who_share_no_category_are_refused():
    with pytest.raises(InputError, match="share no category"):
        effects_of([1, 2, 3, 4], "AABB", "uuvv")
