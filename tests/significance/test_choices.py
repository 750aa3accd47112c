"""The types that name choices have the names of the registries, no more and no fewer."""

from typing import get_args

import pytest

from classy_aesop.significance import choices
from classy_aesop.significance.correlations.coefficients import ALL_COEFFICIENTS
from classy_aesop.significance.few_judgments.estimated_means import METHODS_OF_MEANS
from classy_aesop.significance.metrics.metric_tests import METRIC_TESTS
from classy_aesop.significance.multiplicity.corrections import CORRECTIONS
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS
from classy_aesop.significance.raters.krippendorff import RATING_SCALES

REGISTRIES = {
    choices.Test: PAIR_TESTS,
    choices.Correction: CORRECTIONS,
    choices.Level: choices.CORRELATION_LEVELS,
    choices.Coefficient: ALL_COEFFICIENTS,
    choices.Scale: RATING_SCALES,
    choices.MethodOfMeans: METHODS_OF_MEANS,
    choices.TestOfMetrics: METRIC_TESTS,
}


@pytest.mark.parametrize("choice", REGISTRIES)
def test_a_type_has_the_names_of_its_registry(choice):
    assert get_args(choice) == tuple(REGISTRIES[choice])
