"""Variance components by hand and by simulation; intervals of means that cover new summarizers on new topics."""

import numpy as np
import pytest
from scipy.stats import t

from classy_aesop.training.components import Components
from tests.training.stacked import stacked_years


def test_components_by_hand():
    # the means of summarizers are 1, 5, of topics 1, 3, 5; the mean 3; what is left -1, 1, 0, 1, -1, 0
    found = Components.of(np.array([-2.0, 2.0, 3.0, 4.0, 4.0, 7.0]), stacked_years(2, 3))
    assert found.summarizers == pytest.approx((8 - 2 / 3, 1))
    assert found.topics == pytest.approx((4 - 2 / 2, 2))
    assert found.rest == (2.0, 2)
    parts = 8 - 2 / 3, 3 * (1 / 6 + 1 / 3), 2 / 6
    variance = sum(parts)
    degrees = variance**2 / (parts[0] ** 2 / 1 + parts[1] ** 2 / 2 + parts[2] ** 2 / 2)
    [width] = found.half_widths(6, [0.9])
    assert width == pytest.approx(np.sqrt(variance) * t.ppf(0.95, degrees))


def test_effects_that_are_there():
    """Variances of 400 summarizers in two years of 60 topics; a shift of a year is neither's."""
    rng = np.random.default_rng(1)
    stacked = stacked_years(200, 60, n_years=2)
    summarizers, topics = (rng.normal(scale=s, size=n) for s, n in ((0.5, 400), (2, 120)))
    noise = rng.normal(size=len(stacked.years))
    residuals = (
        summarizers[stacked.design.summarizers] + topics[stacked.design.topics] + noise + 7 * stacked.years
    )
    found = Components.of(residuals, stacked)
    spread = [
        np.mean([part.var(ddof=1) for part in np.split(effects, 2)]) for effects in (summarizers, topics)
    ]
    assert found.summarizers[0] == pytest.approx(spread[0], rel=0.1)
    assert found.topics[0] == pytest.approx(spread[1], rel=0.05)
    assert found.rest[0] == pytest.approx(1, rel=0.05)


def test_noise_is_no_error_of_a_summarizer():
    found = Components.of(np.random.default_rng(3).normal(size=4000), stacked_years(200, 20))
    assert found.summarizers[0] < 0.02
    assert found.half_widths(100_000, [0.9])[0] < 0.2
    wide, narrow = (found.half_widths(n, [0.5, 0.9]) for n in (5, 50))
    assert (wide > narrow).all()
    assert wide[1] > wide[0]


def test_summarizers_between_known_and_unknown():
    one, other = (Components((variance, 3), (1.0, 4), (2.0, 9), 5) for variance in (1.0, 4.0))
    assert one.between(other) == Components((2.5, 3), (1.0, 4), (2.0, 9), 5)


def test_residuals_of_nothing():
    assert Components.of(np.zeros(12), stacked_years(3, 4)).half_widths(5, [0.9]).tolist() == [0]


@pytest.mark.slow
def test_widths_cover_new_summarizers_on_new_topics():
    rng, stacked = np.random.default_rng(5), stacked_years(24, 20)
    for n_topics in (5, 20, 40):
        covered = []
        for _ in range(400):
            topics = rng.normal(size=20 + n_topics)
            errors = 0.5 * rng.normal(size=(25, 1)) + topics + rng.normal(size=(25, 20 + n_topics))
            known = errors[:24, :20] - topics[:20].mean()
            width = Components.of(known.ravel(), stacked).half_widths(n_topics, [0.9])[0]
            covered.append(abs(errors[24, 20:].mean() - topics[:20].mean()) <= width)
        assert np.mean(covered) == pytest.approx(0.9, abs=0.04), n_topics
