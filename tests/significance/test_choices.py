"""The types that name choices have the names of the registries, no more and no fewer."""

from typing import get_args, get_type_hints

import pytest

import classy_aesop
from classy_aesop.significance import choices, metric_tests, multiplicity, pair_resampling, pairs, recipes

REGISTRIES = {
    choices.Test: pairs.TESTS,
    choices.Resampling: pair_resampling.METHODS,
    choices.Preset: recipes.PRESETS,
    choices.Correction: multiplicity.CORRECTIONS,
    choices.TestOfMetrics: metric_tests.TESTS,
}


@pytest.mark.parametrize("choice", REGISTRIES)
def test_a_type_has_the_names_of_its_registry(choice):
    assert get_args(choice) == tuple(REGISTRIES[choice])


def test_public_functions_are_typed_by_them():
    for name in ("compare", "rank", "agree", "plan_topics"):
        hints = get_type_hints(getattr(classy_aesop, name))
        assert (hints["test"], hints["preset"]) == (choices.Test, choices.Preset), name
    for name in ("compare", "rank", "compare_metrics"):
        assert get_type_hints(getattr(classy_aesop, name))["correction"] == choices.Correction, name
