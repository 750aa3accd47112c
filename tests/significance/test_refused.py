"""What does not fit is refused, with what was found and what was expected."""

import math

import numpy as np
import pytest

from classy_aesop.significance.additive.additive_model import fit_additive_model
from classy_aesop.significance.correlations.accuracies import SOFT_ACCURACY
from classy_aesop.significance.correlations.coefficients import kendall, pearson, spearman
from classy_aesop.significance.correlations.correlation_intervals import bootstrap_interval, fisher_limits
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.few_judgments.direct_means import direct_means
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.significance.multiplicity.simultaneous import simultaneous_differences
from classy_aesop.significance.pairs.pair_comparisons import compare_pairs
from classy_aesop.significance.planning.mixture_power import mixture_power
from classy_aesop.significance.planning.topics_needed import topics_needed
from classy_aesop.significance.planning.trials import interval_coverage, metric_power
from classy_aesop.significance.preferences.paired_comparisons import PairedComparisons
from classy_aesop.significance.raters.krippendorff import krippendorff_alpha
from classy_aesop.significance.raters.ratings import Ratings
from tests.significance.ranked import rank_rows
from tests.significance.simulated_scores import matrices
from tests.significance.two_metrics import bootstrap_test, permutation_test, williams_test

X, Y, Z = matrices(0)
x, y = X[0], Y[0]
RNG = {"rng": np.random.default_rng(0)}
FEW = {"n_resamples": 9, **RNG}
EYE, NAN = np.eye(3), math.nan
MIXED = {"values": (1, 2), **RNG}

REFUSED = [
    (r"shapes differ: x \(2,\), z \(3,\)", lambda: pearson([1, 2], [1, 2, 3])),
    ("infinite", lambda: kendall([1, math.inf], [1, 2])),
    ("2 dimensions; expected 1", lambda: spearman([[1, 2]], [[1, 2]])),
    ("level is 'summary'; expected one of system, input, global", lambda: correlation(X, Z, level="summary")),
    (
        "level is 'input'; expected 'system'",
        lambda: correlation(X, X, level="input", coefficient=SOFT_ACCURACY),
    ),
    ("coefficient is 'cosine'", lambda: correlation(X, Z, coefficient="cosine")),
    ("shapes differ", lambda: correlation(X, Z[:2])),
    ("coefficient is 'tau_ap'", lambda: fisher_limits(0.5, 10, coefficient="tau_ap")),
    ("confidence is 95", lambda: fisher_limits(0.5, 10, confidence=95)),
    ("resample is 'rows'", lambda: bootstrap_interval(X, Z, resample="rows", **FEW)),
    ("confidence is 95", lambda: bootstrap_interval(X, Z, confidence=95, **FEW)),
    ("n_resamples is 0", lambda: bootstrap_interval(X, Z, n_resamples=0, **RNG)),
    ("shapes differ", lambda: bootstrap_interval(X, Z[:2], **FEW)),
    ("swap is 'both'", lambda: permutation_test(X, Y, Z, swap="both", **FEW)),
    ("resample is 'cells'", lambda: bootstrap_test(X, Y, Z, resample="cells", **FEW)),
    ("alpha is 5", lambda: permutation_test(X, Y, Z, alpha=5, **FEW)),
    ("n_resamples is 0", lambda: permutation_test(X, Y, Z, n_resamples=0, **RNG)),
    ("n_resamples is 0", lambda: bootstrap_test(X, Y, Z, n_resamples=0, **RNG)),
    ("alternative is 'better'", lambda: permutation_test(X, Y, Z, alternative="better", **FEW)),
    ("alternative is 'better'", lambda: bootstrap_test(X, Y, Z, alternative="better", **FEW)),
    ("alternative is 'better'", lambda: williams_test(X, Y, Z, alternative="better")),
    ("shapes differ", lambda: williams_test(X, Y[:2], Z)),
    ("shapes differ", lambda: interval_coverage(X, np.ones((3, 11)), **RNG)),
    ("shapes differ", lambda: metric_power(X, Z, [X[:3]], **RNG)),
    (
        "topic 1 has no score in common",
        lambda: mixture_power((1, 0), (0, 1), topics=[[0.5, 0.5], [0, 1]], **MIXED),
    ),
    (
        "test is 'anova'; expected one of unpaired_t, paired_t, wilcoxon",
        lambda: compare_pairs(X, test="anova"),
    ),
    ("confidence is 1; expected between 0 and 1", lambda: compare_pairs(X, confidence=1)),
    ("preset is 'rankel'", lambda: compare_pairs(X, preset="rankel")),
    ("pairs name rows 0 to 8; expected 0 to 7", lambda: compare_pairs(X, pairs=[[0, 8]])),
    (r"expected \(n_pairs, 2\) of int", lambda: compare_pairs(X, pairs=[0, 1])),
    *(
        ("margin ranges from", lambda margin=margin: compare_pairs(X).equivalent(margin))
        for margin in (0, -1.0, (0.1, 0.5), math.inf, NAN, (-0.5, NAN))
    ),
    (r"alpha is 0\.5; expected", lambda: compare_pairs(X).equivalent(1.0, alpha=0.5)),
    ("tests name row 7", lambda: rank_rows(X[:2], compare_pairs(X))),
    *(("difference is", lambda d=d: topics_needed(x, y, d, **RNG)) for d in (0, NAN)),
    (r"target 0\.01; expected", lambda: topics_needed(x, y, 1, target=0.01, **RNG)),
    ("max_topics is 1", lambda: topics_needed(x, y, 1, max_topics=1, **RNG)),
    ("test is 'sign'", lambda: topics_needed(x, y, 1, test="sign", **RNG)),
    ("shapes differ", lambda: topics_needed(x, y[:2], 1, **RNG)),
    (r"from 0\.1 to 1\.5; expected 0 to 1", lambda: adjust_p_values([0.1, 1.5])),
    ("correction is 'tukey'", lambda: adjust_p_values([0.1], correction="tukey")),
    ("scale is 'metric'", lambda: krippendorff_alpha([[1, 2], [1, 2]], scale="metric")),
    ("none below 0 on a ratio scale", lambda: krippendorff_alpha([[-1, 2], [1, 2]], scale="ratio")),
    ("confidence is 95", lambda: krippendorff_alpha([[1, 2], [1, 2]], confidence=95)),
    ("2, summarizers x topics", lambda: krippendorff_alpha([1, 2])),
    ("ratings holds an infinite score", lambda: Ratings.from_arrays([1, np.inf], [0, 1], [0, 0], [0, 0])),
    ("are too few; expected more systems", lambda: direct_means([[1, NAN], [2, NAN]])),
    ("are too few for 1 metrics", lambda: direct_means(EYE[:2, :2], EYE[:2, :2] * 2)),
    ("lacks a score", lambda: direct_means(EYE, np.where(EYE > 0, NAN, 0.0))),
    ("expected scores of", lambda: direct_means(EYE, EYE[:, :2])),
    ("missing score", lambda: fit_additive_model([1, NAN], [0, 1], [0, 0], n_systems=2)),
    ("one system twice", lambda: PairedComparisons.from_arrays([0], [0], [0], [1])),
    ("not from 0 to 1", lambda: PairedComparisons.from_arrays([0], [0], [1], [1.3])),
    ("1 means; expected two or more", lambda: simultaneous_differences(np.ones(1), np.eye(1), RNG["rng"])),
]


@pytest.mark.parametrize(
    ("message", "asked"), REFUSED, ids=[f"{at}-{one[0]}" for at, one in enumerate(REFUSED)]
)
def test_what_does_not_fit_is_refused(message, asked):
    with pytest.raises(ValueError, match=message):
        asked()
