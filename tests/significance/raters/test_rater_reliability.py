"""Variance components of ratings and Krippendorff's alpha: by hand, against other software and what was simulated."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from classy_aesop.significance.raters.krippendorff import (
    NO_INTERVAL,
    NO_UNITS,
    NO_VARIATION,
    RATING_SCALES,
    krippendorff_alpha,
    ratings_of_units,
)
from classy_aesop.significance.raters.rater_reliability import (
    generalizability,
    reliability,
    variance_components,
)
from classy_aesop.significance.raters.ratings import EFFECTS, Ratings

DEVIATIONS = dict(zip(EFFECTS, (1, 1.2, 0.8, 0.9, 0.5, 0.4, 0.6), strict=True))


def crossed(seed, n_systems, n_topics, n_raters, deviations=DEVIATIONS):
    """Ratings of everything by everyone, and their effects."""
    rng = np.random.default_rng(seed)
    shape = n_systems, n_topics, n_raters
    axes = {"system": 0, "topic": 1, "rater": 2}
    effects = {}
    for name, deviation in deviations.items():
        own = range(3) if name == "residual" else [axes[part] for part in name.split(":")]
        size = [shape[axis] if axis in own else 1 for axis in range(3)]
        effects[name] = np.broadcast_to(deviation * rng.normal(size=size), shape)
    codes = (grid.ravel() for grid in np.indices(shape))
    return Ratings.from_arrays(sum(effects.values()).ravel() + 3, *codes), effects


def variances(ratings):
    return {one.effect: one.variance for one in variance_components(ratings)}


@pytest.mark.parametrize("unit", [1, 1e-7, 1e6 / 3])
def test_no_variance_is_called_negative_for_its_rounding(unit):
    """Ratings that add up exactly have no interactions: 0, whatever the unit; but one below 0 is called so."""
    (one,) = (one for one in variance_components(crossed(0, 8, 7, 4)[0]) if one.effect == "rater")
    assert (one.variance, one.flag) == (0.0, "negative")
    system, topic, rater = np.indices((5, 7, 3))
    scores = unit * (0.1 * system + 0.7 * topic + 0.3 * rater)
    ratings = Ratings.from_arrays(*(part.ravel() for part in (scores, system, topic, rater)))
    assert all(one.flag != "negative" for one in variance_components(ratings))


def test_two_systems_three_topics_by_hand():
    """The mean squares are 13.5, 10.5 and 0.5; one rater tells neither himself nor interactions from the rest."""
    ratings = Ratings.from_arrays([1, 2, 6, 4, 6, 8], list("aaabbb"), list("xyzxyz"), ["P"] * 6)
    found = {one.effect: one for one in variance_components(ratings)}
    assert found["system"].variance == pytest.approx((13.5 - 0.5) / 3)
    assert found["topic"].variance == pytest.approx((10.5 - 0.5) / 2)
    assert found["residual"].variance == pytest.approx(0.5)
    assert found["system:topic"].flag == "not separable from residual"
    assert np.isnan(found["rater"].variance)
    assert np.isnan(reliability(ratings, tuple(found.values())).ceiling)
    # By hand: the mean squares of two systems and of the rest are 13.5 and .5; each mean is of three ratings.
    ratings = Ratings.from_arrays([1, 2, 6, 4, 6, 8], list("aaabbb"), ["t"] * 6, list("xyzxyz"))
    found = reliability(ratings, variance_components(ratings))
    system = (13.5 - 0.5) / 3
    assert found.reliability == pytest.approx(system / (system + 0.5 / 3))
    assert found.ceiling == pytest.approx(np.sqrt(found.reliability))


@pytest.mark.slow
def test_unbalanced_ratings_are_estimated_without_bias():
    """Half of the ratings are missing at random; the means over 100 samples are the variances that were put in."""
    total = np.zeros(len(EFFECTS))
    for seed in range(100):
        ratings, _ = crossed(seed, 12, 10, 6)
        kept = np.random.default_rng(seed).random(len(ratings.scores)) < 0.5
        parts = (ratings.scores, ratings.systems, ratings.topics, ratings.raters)
        found = variances(Ratings.from_arrays(*(part[kept] for part in parts)))
        total += [found[name] for name in EFFECTS]
    np.testing.assert_allclose(total / 100, np.square(list(DEVIATIONS.values())), rtol=0.15, atol=0.03)


def test_what_is_not_told_apart_depends_neither_on_the_order_of_rows_nor_on_names():
    """Each topic has three raters of its own: what they do there may be the rater's or the topic's."""
    ratings, _ = crossed(3, 8, 6, 3)
    own = Ratings.from_arrays(
        ratings.scores, ratings.systems, ratings.topics, ratings.topics * 3 + ratings.raters
    )
    found = {one.effect: one for one in variance_components(own)}
    assert found["topic:rater"].flag == "not separable from rater"
    assert found["system:rater"].flag == "not separable from residual"
    assert found["system:topic"].variance > 0
    assert 0 < reliability(own, tuple(found.values())).ceiling < 1
    # One rater a topic, who rates each summary once: that he is not separable from the topic was said by chance.
    system, topic = (grid.ravel() for grid in np.indices((4, 5)))
    scores = np.random.default_rng(0).normal(size=20)
    expected = {"residual": "", "system": "", "topic": "negative", "rater": "topic", "topic:rater": "topic"}
    expected |= {"system:topic": "residual", "system:rater": "residual"}
    for order in (np.arange(20), np.random.default_rng(1).permutation(20)):
        for rater in (topic, 4 - topic):
            parts = (part[order] for part in (scores, system, topic, rater))
            found = variance_components(Ratings.from_arrays(*parts))
            assert {one.effect: one.flag.removeprefix("not separable from ") for one in found} == expected


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("level", ["system", "input"])
def test_ceilings_are_the_correlations_of_what_was_simulated(level):
    """From the true variances, against the mean over samples of the correlations with the effects themselves."""
    found, n = np.zeros(2), 60
    for seed in range(n):
        ratings, effects = crossed(seed, 40, 15, 4)
        agreed = effects["system"] + effects["topic"] + effects["system:topic"]
        Y = ratings.scores.reshape(agreed.shape)
        rng = np.random.default_rng(1_000 + seed)
        new = agreed[:, :, 0] + sum(
            DEVIATIONS[name] * rng.normal(size=size)
            for name, size in (("system:rater", (40, 1)), ("topic:rater", (1, 15)), ("residual", (40, 15)))
        )
        means = [part.mean(axis=2) for part in (agreed, Y)] + [new]
        if level == "system":
            pairs = [np.corrcoef(means[k].mean(axis=1), means[1].mean(axis=1))[0, 1] for k in (0, 2)]
        else:
            columns = [[np.corrcoef(means[k][:, t], means[1][:, t])[0, 1] for t in range(15)] for k in (0, 2)]
            pairs = [np.mean(values) for values in columns]
        found += pairs
    known = variance_components(ratings)
    true = tuple(type(one)(one.effect, DEVIATIONS[one.effect] ** 2, one.n) for one in known)
    expected = reliability(ratings, true, level=level)
    np.testing.assert_allclose(found / n, (expected.ceiling, expected.rater), atol=0.02)


def test_generalizability_by_hand():
    """.25 of systems, .81 with topics over 7 of them, .16 with raters over 4, the residual over both."""
    ratings, _ = crossed(0, 8, 7, 4)
    true = tuple(
        type(one)(one.effect, DEVIATIONS[one.effect] ** 2, one.n) for one in variance_components(ratings)
    )
    error = 0.81 / 7 + 0.16 / 4 + 1 / 28
    assert generalizability(ratings, true) == pytest.approx(1.44 / (1.44 + error))
    error = 0.16 / 4 + 1 / 28
    agreed = 1.44 + 0.81 / 7
    assert reliability(ratings, true).reliability == pytest.approx(agreed / (agreed + error))
    agreed, error = 1.44 + 0.81, 0.16 / 4 + 1 / 4
    found = reliability(ratings, true, level="input")
    assert found.reliability == pytest.approx(agreed / (agreed + error))
    assert found.rater == pytest.approx(np.sqrt(found.reliability * agreed / (agreed + 0.16 + 1)))


CASES = json.loads((Path(__file__).parents[2] / "oracles/krippendorff.json").read_text())["cases"]


@pytest.mark.parametrize("scale", RATING_SCALES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_alpha_against_krippendorff_package(case, scale):
    ratings = np.array(case["data"], dtype=float)
    assert krippendorff_alpha(ratings, scale=scale).value == pytest.approx(case["expected"][scale], abs=1e-12)
    for name, printed in case.get("printed", {}).items():
        assert round(krippendorff_alpha(ratings, scale=name).value, 3) == printed


def test_alpha_by_hand():
    ratings = ratings_of_units([(3, 3), (2, 3), (4, 4), (5, 4), (1, 1)])
    # within: (0 + 1 + 0 + 1 + 0) * 2 / 10 = .4; all ordered pairs: 2 (10 * 106 - 30^2) / 90 = 32/9
    assert krippendorff_alpha(ratings).value == pytest.approx(1 - 0.4 / (32 / 9)) == 0.8875
    assert krippendorff_alpha(ratings, scale="ordinal").value == pytest.approx(0.907692, abs=5e-7)
    found = krippendorff_alpha([[0.1 + 0.2, 1.0], [0.3, 1.0]], scale="nominal")
    assert found.value == 1.0
    found = krippendorff_alpha(ratings_of_units([(1, 2), (3,), (), (4, 4, 5)]))
    assert (found.n_units, found.n_ratings, found.n_pairs, found.n_single) == (2, 5, 4, 1)


def units_off_mode(n_units, n_off):
    """Two raters who agree on all units but one; all but ``n_off`` have the commonest grade."""
    ratings = np.ones((2, n_units))
    ratings[:, :n_off] = 2
    ratings[1, 0] = 1
    return ratings


def test_alpha_by_hand_has_the_jackknifes_interval():
    ratings = units_off_mode(20, 8)
    # 1 disagreement; 15 ratings of 40 are 2: alpha = 1 - 39 * 1 / (15 * 25)
    found = krippendorff_alpha(ratings)
    assert found.value == pytest.approx(1 - 39 / 375)
    # without the first unit alpha is 1
    assert (math.isnan(found.low), found.flag) == (True, NO_INTERVAL)
    ratings[1, 1] = 1
    # 2 disagreements, 14 grades of 2 in 40: 1 - 39 * 2 / (14 * 26); without one of the first 2, of the 6, of the 12
    logs = np.repeat(np.log([37 / (13 * 25), 37 * 2 / (12 * 26), 37 * 2 / (14 * 24)]), [2, 6, 12])
    margin = scipy.stats.t.ppf(0.975, 19) * np.sqrt(19 / 20 * np.sum((logs - logs.mean()) ** 2))
    found = krippendorff_alpha(ratings)
    spread = 39 * 2 / (14 * 26)
    assert (found.low, found.high) == pytest.approx(
        (1 - spread * np.exp(margin), 1 - spread / np.exp(margin))
    )


@pytest.mark.parametrize(
    ("n_units", "n_off", "flag"),
    [
        (19, 8, "no interval: 19 units; expected 20 or more"),
        (20, 7, "no interval: 7 units with another rating than the commonest; expected 8 or more"),
        (40, 20, NO_INTERVAL),
    ],
)
def test_no_interval_where_units_are_few_or_alike(n_units, n_off, flag):
    found = krippendorff_alpha(units_off_mode(n_units, n_off))
    assert found.value < 1
    assert (math.isnan(found.low), math.isnan(found.high), found.flag) == (True, True, flag)


def test_intervals_hold_the_true_alpha():
    """Two raters, two grades, 90 % of one, true alpha .73, 100 units: the percentiles held .94, of 50 units .88."""
    rng = np.random.default_rng(2)
    truth = rng.random((300, 100)) < 0.1
    ratings = np.where(rng.random((2, 300, 100)) < 0.73**0.5, truth, rng.random((2, 300, 100)) < 0.1)
    found = [krippendorff_alpha(ratings[:, draw].astype(float)) for draw in range(300)]
    given = [alpha for alpha in found if not alpha.flag]
    assert len(given) > 240
    assert np.mean([alpha.low <= 0.73 <= alpha.high for alpha in given]) > 0.92


@pytest.mark.parametrize("scale", RATING_SCALES)
def test_nothing_to_compare_is_flagged(scale):
    nothing = ([[]], np.zeros((0, 3)), np.full((2, 3), np.nan), [[1, 2, 3]], [[1, np.nan], [np.nan, 2]])
    for ratings in nothing:
        found = krippendorff_alpha(ratings, scale=scale)
        assert (math.isnan(found.value), found.flag) == (True, NO_UNITS)
    alike = krippendorff_alpha(np.full((2, 4), 0.1 + 0.2), scale=scale)
    assert (math.isnan(alike.value), alike.flag) == (True, NO_VARIATION)


def test_everyone_on_everything_is_the_analysis_of_variance():
    ratings, _ = crossed(0, 8, 7, 4)
    Y = ratings.scores.reshape(8, 7, 4)
    means = {axes: Y.mean(axis=axes, keepdims=True) for axes in ((1, 2), (0, 2), (0, 1), 2, 1, 0)}
    s, t, r, st, sr, tr = means.values()
    g = Y.mean()
    rest = Y - st - sr - tr + s + t + r - g
    residual = np.sum(rest**2) / (7 * 6 * 3)
    both = np.sum((st - s - t + g) ** 2) * 4 / (7 * 6)
    with_rater = np.sum((sr - s - r + g) ** 2) * 7 / (7 * 3)
    own = np.sum((s - g) ** 2) * 28 / 7
    found = variances(ratings)
    expected = residual, (both - residual) / 4, (with_rater - residual) / 7
    np.testing.assert_allclose(
        [found[name] for name in ("residual", "system:topic", "system:rater")], expected, rtol=1e-9
    )
    np.testing.assert_allclose(found["system"], (own - both - with_rater + residual) / 28, rtol=1e-9)
    ratings, _ = crossed(0, 8, 7, 4)
    (one,) = (one for one in variance_components(ratings) if one.effect == "rater")
    assert (one.variance, one.flag) == (0.0, "negative")
