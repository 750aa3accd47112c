"""Corrections against R's p.adjust, and by identities."""

import json
from pathlib import Path

import numpy as np
import pytest

from classy_aesop.significance.multiplicity.corrections import (
    CORRECTIONS_OF_STUDIES,
    adjust_p_values,
)

CASES = json.loads((Path(__file__).parents[2] / "oracles/p_values.json").read_text())["cases"]
IN_R = {"holm": "holm", "bonferroni": "bonferroni", "bh": "BH", "by": "BY"}


@pytest.mark.parametrize("correction", IN_R)
@pytest.mark.parametrize("case", CASES)
def test_adjusted_against_r(case, correction):
    expected = np.array(case[IN_R[correction]], dtype=float)
    assert adjust_p_values(np.array(case["p"], dtype=float), correction=correction) == pytest.approx(
        expected, abs=1e-10, nan_ok=True
    )


@pytest.mark.parametrize("correction", CORRECTIONS_OF_STUDIES)
def test_a_missing_p_is_no_test(correction):
    p = np.random.default_rng(0).random((4, 5))
    holed = adjust_p_values(np.append(p, np.nan), correction=correction)
    assert (holed[:-1] == adjust_p_values(p, correction=correction).ravel()).all()
    assert np.isnan(holed[-1])
    assert adjust_p_values([0.03], correction=correction).tolist() == [0.03]
    assert adjust_p_values([], correction=correction).shape == (0,)
