"""The types that name choices have the names of the registries, no more and no fewer."""

from typing import get_args

import pytest

from classy_aesop.significance import (
    choices,
    coefficients,
    estimation,
    intervals,
    metric_tests,
    multiplicity,
    pair_resampling,
    pair_tests,
    pairs,
    reliability,
)

REGISTRIES = {
    choices.Test: pairs.TESTS,
    choices.Resampling: pair_resampling.METHODS,
    choices.Preset: pair_tests.PRESETS,
    choices.Correction: multiplicity.CORRECTIONS,
    choices.Level: choices.LEVELS,
    choices.AnyLevel: choices.ALL_LEVELS,
    choices.Coefficient: coefficients.ALL_COEFFICIENTS,
    choices.IntervalKind: intervals.KINDS,
    choices.Scale: reliability.SCALES,
    choices.MethodOfMeans: estimation.METHODS,
    choices.TestOfMetrics: metric_tests.TESTS,
}


@pytest.mark.parametrize("choice", REGISTRIES)
def test_a_type_has_the_names_of_its_registry(choice):
    assert get_args(choice) == tuple(REGISTRIES[choice])
