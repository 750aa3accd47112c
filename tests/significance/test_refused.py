"""What does not fit is refused, with what was found and what was expected."""

import math

import numpy as np
import pytest

from classy_aesop.significance.correlations.accuracies import SOFT_ACCURACY
from classy_aesop.significance.correlations.coefficients import correlate_lists, pearson
from classy_aesop.significance.correlations.correlation_intervals import bootstrap_interval
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.few_judgments.direct_means import direct_means
from classy_aesop.significance.pairs.pair_comparisons import compare_pairs
from classy_aesop.significance.raters.krippendorff import krippendorff_alpha
from tests.significance.simulated_scores import matrices
from tests.significance.two_metrics import williams_test

X, Y, Z = matrices(0)
FEW = {"n_resamples": 9, "rng": np.random.default_rng(0)}
EYE, NAN = np.eye(3), math.nan

REFUSED = [
    (r"shapes differ: x \(1, 2\), z \(1, 3\)", lambda: pearson([1, 2], [1, 2, 3])),
    ("infinite", lambda: correlate_lists("kendall", [1, math.inf], [1, 2])),
    ("level is 'summary'; expected one of system, input, global", lambda: correlation(X, Z, level="summary")),
    ("expected 'system'", lambda: correlation(X, X, level="input", coefficient=SOFT_ACCURACY)),
    ("shapes differ", lambda: correlation(X, Z[:2])),
    ("shapes differ", lambda: bootstrap_interval(X, Z[:2], **FEW)),
    ("shapes differ", lambda: williams_test(X, Y[:2], Z)),
    *(
        ("margin ranges from", lambda margin=margin: compare_pairs(X).equivalent(margin))
        for margin in (0, -1.0, (0.1, 0.5), math.inf, NAN, (-0.5, NAN))
    ),
    ("2, summarizers x topics", lambda: krippendorff_alpha([1, 2])),
    ("are too few; expected more systems", lambda: direct_means([[1, NAN], [2, NAN]])),
    ("are too few for 1 metrics", lambda: direct_means(EYE[:2, :2], EYE[:2, :2] * 2)),
]


@pytest.mark.parametrize(
    ("message", "asked"), REFUSED, ids=[f"{at}-{one[0]}" for at, one in enumerate(REFUSED)]
)
def test_what_does_not_fit_is_refused(message, asked):
    with pytest.raises(ValueError, match=message):
        asked()
