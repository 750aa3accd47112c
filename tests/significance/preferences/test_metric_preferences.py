"""How often a metric prefers what people prefer: by hand, with ties and missing scores."""

import numpy as np
import pytest
from scipy import stats

from classy_aesop.significance.preferences.paired_comparisons import PairedComparisons
from classy_aesop.significance.preferences.win_rates import metric_preference


def test_ties_of_people_are_left_out_and_ties_of_the_metric_are_half_a_hit():
    comparisons = PairedComparisons.from_arrays(range(5), [0, 1, 0, 0, 0], [1, 0, 1, 1, 1], [1, 1, 0, 0.5, 1])
    scores = [[2, 5, 0.1 + 0.2, 9, np.nan], [1, 1, 0.3, 1, 1]]
    preference = metric_preference(scores, comparisons)
    # a hit, a miss and a tie within rounding; one human tie, one score missing
    assert preference.share == 0.5
    assert (preference.n_comparisons, preference.n_topics) == (3, 3)
    assert (preference.n_human_ties, preference.n_metric_ties, preference.n_missing) == (1, 1, 1)


def test_the_interval_is_by_topics():
    rng = np.random.default_rng(0)
    topic = np.repeat(np.arange(10), 3)
    comparisons = PairedComparisons.from_arrays(
        topic, [0, 0, 1] * 10, [1, 2, 2] * 10, rng.integers(2, size=30)
    )
    scores = rng.standard_normal((3, 10))
    preference = metric_preference(scores, comparisons)
    is_hit = (scores[comparisons.first, topic] > scores[comparisons.second, topic]) == comparisons.wins
    of_topics = is_hit.reshape(10, 3).mean(axis=1)
    share = of_topics.mean()
    error = of_topics.std(ddof=1) / np.sqrt(10) / (share * (1 - share))
    ends = np.log(share / (1 - share)) + stats.t.ppf([0.025, 0.975], 9) * error
    assert preference.share == pytest.approx(share)
    assert [preference.low, preference.high] == pytest.approx(1 / (1 + np.exp(-ends)))
    often = metric_preference(scores, comparisons.subset(np.repeat(np.arange(30), 4)))
    assert (often.low, often.high) == pytest.approx((preference.low, preference.high))


def test_where_there_is_no_share_or_no_interval():
    ties = PairedComparisons.from_arrays([0, 1], [0, 0], [1, 1], [0.5, 0.5])
    assert metric_preference([[1, 1], [0, 0]], ties).flag.startswith("no comparison that people decided")
    always = PairedComparisons.from_arrays([0, 1], [0, 0], [1, 1], [1, 1])
    preference = metric_preference([[1, 1], [0, 0]], always)
    assert (preference.share, preference.flag) == (1.0, "the same on all topics")
    assert np.isnan([preference.low, preference.high]).all()
    single = PairedComparisons.from_arrays([0, 0], [0, 0], [1, 1], [1, 0])
    assert metric_preference([[1], [0]], single).flag == "fewer than two topics"
