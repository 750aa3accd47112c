"""Power along mixed score distributions: by enumeration, by hand, as identities, at the edges."""

import json
import math

import numpy as np
import pytest
from scipy.stats import multinomial

from classy_aesop.significance.simulations import (
    SHARES,
    STATISTICS,
    draw_scores,
    mixture_power,
    score_shares,
    statistics,
    with_topics,
)

MACHINE, HUMAN = (0.3, 0.4, 0.2, 0.1, 0.0), (0.0, 0.05, 0.1, 0.35, 0.5)


def exact_power(p, n, cutoff):
    """Chance that standardised W+ of 0-1 scores, (n+ - n-)/sqrt(n+ + n-), exceeds the cutoff."""
    q = 0.3  # of a machine's 1
    chances = [p * (1 - q), q * (1 - p), p * q + (1 - p) * (1 - q)]
    power = 0.0
    for plus in range(n + 1):
        for minus in range(n + 1 - plus):
            z = (plus - minus) / math.sqrt(max(plus + minus, 1))
            power += (z > cutoff + 1e-9) * multinomial.pmf([plus, minus, n - plus - minus], n, chances)
    return power


def test_signed_ranks_against_enumeration():
    found = mixture_power(
        (0.7, 0.3),
        (0.1, 0.9),
        values=(0, 1),
        shares=(0.0, 0.3, 0.6),
        n_topics=25,
        n_null=20_000,
        n_trials=10_000,
        rng=np.random.default_rng(3),
    )
    exact = [exact_power(0.3 + 0.6 * t, 25, found.cutoffs[0]) for t in found.shares]
    assert found.power[0] == pytest.approx(exact, abs=4 * np.sqrt(0.25 / 10_000))
    assert found.error[0, 1] == pytest.approx(math.sqrt(exact[1] * (1 - exact[1]) / 10_000), rel=0.1)


def test_topic_distribution_by_hand():
    p, topic = np.array([0.1, 0.3, 0.3, 0.2, 0.1]), np.array([[0, 0, 0, 0.5, 0.5], [0.2] * 5])
    assert with_topics(p, topic) == pytest.approx(np.array([[0, 0, 0, 2 / 3, 1 / 3], p]))


def test_statistics_by_hand():
    x, y = np.array([[3.0, 4, 4, 5], [2, 2, 2, 2]]), np.array([[2.0, 4, 2, 2], [2, 2, 2, 2]])
    # differences 1, 0, 2, 3: W+ 6 of mean 3, variance 14/4; mean 1.5, s^2 5/3; pooled variance (2/3 + 1)/2
    expected = [3 / math.sqrt(3.5), 1.5 / math.sqrt(5 / 12), 1.5 / math.sqrt(5 / 6 * 2 / 4)]
    assert statistics(x, y)[:, 0] == pytest.approx(expected)
    assert statistics(x, y)[:, 1].tolist() == [0, 0, 0]


def test_scores_are_drawn_by_their_chances():
    p = np.array([[0.2, 0.0, 0.8], [1.0, 0.0, 0.0]])
    which = np.repeat([0, 1], 5000).reshape(1, -1)
    drawn = draw_scores(np.cumsum(p, axis=1), np.array([1.0, 2.0, 5.0]), which, np.random.default_rng(0))[0]
    assert (drawn[:5000] == 1).mean() == pytest.approx(0.2, abs=0.025)
    assert set(drawn[:5000]) == {1, 5}
    assert set(drawn[5000:]) == {1}


@pytest.mark.parametrize("topics", [None, [[0.1, 0.1, 0.2, 0.3, 0.3], [0.4, 0.3, 0.1, 0.1, 0.1]]])
def test_power_grows_from_the_size(topics):
    found = mixture_power(
        MACHINE, HUMAN, topics=topics, n_null=4000, n_trials=1500, rng=np.random.default_rng(1)
    )
    assert found.power.shape == (len(STATISTICS), len(SHARES))
    assert (found.power[:, 0] <= 0.05).all()
    assert (np.diff(found.power, axis=1) > -0.05).all()
    assert (found.power[:, -1] > 0.99).all()


def test_equal_distributions_keep_the_size():
    found = mixture_power(
        MACHINE, MACHINE, shares=[0.5, 1], n_null=8000, n_trials=4000, rng=np.random.default_rng(2)
    )
    assert found.power == pytest.approx(np.full((3, 2), 0.05), abs=0.02)


def test_topics_alike_are_no_topics():
    options = {"shares": [0.2], "n_null": 8000, "n_trials": 4000}
    plain = mixture_power(MACHINE, HUMAN, **options, rng=np.random.default_rng(4))
    alike = mixture_power(MACHINE, HUMAN, topics=[[0.2] * 5] * 3, **options, rng=np.random.default_rng(5))
    assert alike.power == pytest.approx(plain.power, abs=0.06)
    assert (plain.topic_effects, alike.topic_effects) == (False, True)


def test_topic_effects_lower_the_cutoff_of_the_unpaired_t():
    topics = np.vstack([[0.45, 0.45, 0.1, 0, 0], [0, 0, 0.1, 0.45, 0.45]])
    machine, human = (0.25, 0.2, 0.25, 0.2, 0.1), (0.1, 0.2, 0.25, 0.2, 0.25)
    found = mixture_power(
        machine,
        human,
        topics=topics,
        shares=[0.8],
        n_null=4000,
        n_trials=2000,
        rng=np.random.default_rng(6),
    )
    wilcoxon, paired, unpaired = found.power[:, 0]
    # each test has the cutoff of its own size, so that the unpaired t need not stay behind
    assert abs(paired - unpaired) < 0.1
    assert abs(paired - wilcoxon) < 0.1
    assert found.cutoffs[2] < found.cutoffs[1]


def test_score_shares_by_hand():
    X = [[1, 2, np.nan], [2, 2, np.nan]]
    assert score_shares(X, (1, 2)).tolist() == [0.25, 0.75]
    by_topic = score_shares(X, (1, 2), by_topic=True)
    assert by_topic[:2].tolist() == [[0.5, 0.5], [0, 1]]
    assert np.isnan(by_topic[2]).all()


def test_scores_that_never_differ_have_no_power():
    found = mixture_power(
        (0, 1, 0), (0, 1, 0), values=(1, 2, 3), n_null=50, n_trials=50, rng=np.random.default_rng(0)
    )
    assert found.power.sum() == 0
    json.dumps(found.to_dict())


def test_bad_requests_are_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match=r"machine is .*sum to 1"):
        mixture_power((0.5, 0.6), (0, 1), values=(1, 2), rng=rng)
    with pytest.raises(ValueError, match=r"human has shape \(3,\)"):
        mixture_power((0.5, 0.5), (0, 0, 1), values=(1, 2), rng=rng)
    with pytest.raises(ValueError, match="topic 1 has no score in common"):
        mixture_power((1, 0), (0, 1), values=(1, 2), topics=[[0.5, 0.5], [0, 1]], rng=rng)
    with pytest.raises(ValueError, match="shares are"):
        mixture_power((1, 0), (0, 1), values=(1, 2), shares=[2], rng=rng)
    with pytest.raises(ValueError, match="n_topics is 1"):
        mixture_power((1, 0), (0, 1), values=(1, 2), n_topics=1, rng=rng)
    with pytest.raises(ValueError, match="alpha is 0"):
        mixture_power((1, 0), (0, 1), values=(1, 2), alpha=0, rng=rng)
    with pytest.raises(ValueError, match=r"a score is 2\.5"):
        score_shares([[1, 2.5]])
