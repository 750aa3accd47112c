"""Variance components by hand and by simulation; intervals of means that cover new summarizers on new topics."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t

from classy_aesop.training.intervals import Components
from tests.training.stacked import stacked_years


def test_components_by_hand():
    # the means of summarizers are 1, 5, of topics 1, 3, 5; the mean 3; what is left -1, 1, 0, 1, -1, 0; chance alone
    # moves the mean by (8 - 2/3) / 2 + (4 - 1) / 3 + 2 / 6 = 5, in squares
    found = Components.of(np.array([-2.0, 2.0, 3.0, 4.0, 4.0, 7.0]), stacked_years(2, 3))
    assert found.years == (0, 1)
    assert found.summarizers == pytest.approx((8 - 2 / 3 + 9 - 5, 1))
    assert found.topics == pytest.approx((4 - 2 / 2, 2))
    assert found.rest == (2.0, 2)
    parts = 8 - 2 / 3 + 4, 3 * (1 / 6 + 1 / 3), 2 / 6
    variance = sum(parts)
    degrees = variance**2 / (parts[0] ** 2 / 1 + parts[1] ** 2 / 2 + parts[2] ** 2 / 2)
    [width] = found.half_widths(6, [0.9])
    assert width == pytest.approx(np.sqrt(variance) * t.ppf(0.95, degrees))


def test_effects_that_are_there():
    """Variances of 400 summarizers in two years of 60 topics, each 7 from what the other says."""
    rng = np.random.default_rng(1)
    stacked = stacked_years(200, 60, n_years=2)
    summarizers, topics = (rng.normal(scale=s, size=n) for s, n in ((0.5, 400), (2, 120)))
    noise = rng.normal(size=len(stacked.years))
    residuals = (
        summarizers[stacked.design.summarizers]
        + topics[stacked.design.topics]
        + noise
        + 14 * stacked.years
        - 7
    )
    found = Components.of(residuals, stacked)
    spread = [
        np.mean([part.var(ddof=1) for part in np.split(effects, 2)]) for effects in (summarizers, topics)
    ]
    assert found.summarizers[0] == pytest.approx(spread[0], rel=0.1)
    assert found.topics[0] == pytest.approx(spread[1], rel=0.05)
    assert found.rest[0] == pytest.approx(1, rel=0.05)
    assert found.years == (pytest.approx(49, rel=0.1), 1)
    half = found.half_widths(1_000_000, [0.9])[0]
    assert half == pytest.approx(7 * t.ppf(0.95, 1), rel=0.1)  # of one distance nothing better is known


def test_noise_is_no_error_of_a_summarizer():
    found = Components.of(np.random.default_rng(3).normal(size=4000), stacked_years(200, 20))
    assert found.summarizers[0] < 0.02
    assert found.half_widths(100_000, [0.9])[0] < 0.2
    wide, narrow = (found.half_widths(n, [0.5, 0.9]) for n in (5, 50))
    assert (wide > narrow).all()
    assert wide[1] > wide[0]


def test_summarizers_between_known_and_unknown():
    one, other = (Components((0.0, 1), (variance, 3), (1.0, 4), (2.0, 9), 5) for variance in (1.0, 4.0))
    assert one.between(other) == Components((0.0, 1), (2.5, 3), (1.0, 4), (2.0, 9), 5)


def test_what_a_group_has_in_common_is_an_error_of_its_summarizers():
    """Half a grade too low in every year is no distance between years, and is not averaged away by more topics."""
    rng, stacked = np.random.default_rng(2), stacked_years(8, 40, n_years=2)
    found = Components.of(0.5 + 0.1 * rng.normal(size=len(stacked.years)), stacked)
    assert found.years[0] == pytest.approx(0, abs=0.001)
    assert found.summarizers == (pytest.approx(0.25, rel=0.1), 14)
    assert found.half_widths(40, [0.9])[0] > 0.5


def test_widths_cover_another_year():
    """Of two years that were each predicted from the other, the third is as far; what was held out knows how far."""
    rng, stacked, covered, without = np.random.default_rng(6), stacked_years(20, 30, n_years=2), [], []
    at = stacked.years, stacked.design.summarizers, stacked.design.topics
    for _ in range(300):
        level, (own, other, new) = rng.normal(scale=0.3, size=3), rng.normal(scale=0.2, size=(3, 20))
        errors = (
            np.concatenate([own, other])[at[1]]
            + rng.normal(scale=0.5, size=60)[at[2]]
            + rng.normal(size=1200)
        )
        distance = level[1] - level[0]
        found = Components.of(errors + distance * (2 * at[0] - 1), stacked)
        mean = (
            new
            + level[2]
            - level[1]
            + (rng.normal(scale=0.5, size=(1, 30)) + rng.normal(size=(20, 30))).mean(axis=1)
        )
        for parts, kept in ((found, covered), (replace(found, years=(0.0, 1)), without)):
            kept.append((np.abs(mean) <= parts.half_widths(30, [0.9])[0]).mean())
    assert np.mean(covered) == pytest.approx(0.9, abs=0.05)
    assert np.mean(without) < 0.75


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
