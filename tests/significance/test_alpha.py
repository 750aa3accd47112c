"""Krippendorff's alpha: against other software, by hand, by its definition, at the edges."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from classy_aesop.significance.reliability import (
    NO_UNITS,
    NO_VARIATION,
    SCALES,
    confusion_counts,
    krippendorff_alpha,
    ratings_of_units,
)

CASES = json.loads((Path(__file__).parents[1] / "oracles/krippendorff.json").read_text())["cases"]


def some_ratings(seed, shape=(3, 25), missing=0.25):
    rng = np.random.default_rng(seed)
    ratings = np.clip(rng.integers(1, 6, size=shape[1]) + rng.integers(-1, 2, size=shape), 1, 5).astype(float)
    ratings[rng.random(shape) < missing] = np.nan
    return ratings


def by_definition(units, scale):
    """Alpha from loops over pairs; units are lists of two and more ratings."""
    every = sorted(value for unit in units for value in unit)
    n = len(every)

    def delta(c, k):
        low, high = min(c, k), max(c, k)
        between = sum(low <= value <= high for value in every) - (every.count(low) + every.count(high)) / 2
        return {
            "nominal": float(c != k),
            "interval": (c - k) ** 2,
            "ratio": ((c - k) / (c + k)) ** 2 if c + k else 0.0,
            "ordinal": between**2 if c != k else 0.0,
        }[scale]

    def ordered(values):
        return sum(delta(c, k) for i, c in enumerate(values) for j, k in enumerate(values) if i != j)

    return 1 - sum(ordered(unit) / (len(unit) - 1) for unit in units) / n / (ordered(every) / (n * (n - 1)))


@pytest.mark.parametrize("scale", SCALES)
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
    values, counts = confusion_counts(ratings_of_units([(1, 2), (2, 1), (9,), (4, 4, 1)]))
    assert values.tolist() == [1, 2, 4]
    assert counts.tolist() == [[0, 2, 2], [0, 0, 0], [0, 0, 1]]


@pytest.mark.slow
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", range(3))
def test_alpha_and_interval_are_the_definition(scale, seed):
    ratings = some_ratings(seed) - 1  # with zeros, where ratios are delicate
    units = [[v for v in column if not math.isnan(v)] for column in ratings.T]
    units = [unit for unit in units if len(unit) > 1]
    ask = {"scale": scale, "n_resamples": 9, "confidence": 0.9}
    found = krippendorff_alpha(ratings, **ask, rng=np.random.default_rng(seed))
    drawn = np.random.default_rng(seed).integers(len(units), size=(9, len(units)))
    values = [by_definition([units[u] for u in draw], scale) for draw in drawn]
    assert found.value == pytest.approx(by_definition(units, scale), abs=1e-12)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(values, [0.05, 0.95])), abs=1e-12)
    assert math.isnan(krippendorff_alpha(ratings).low)


@pytest.mark.parametrize("seed", range(3))
def test_order_and_scale_change_nothing(seed):
    ratings, rng = some_ratings(seed), np.random.default_rng(seed)
    for scale in SCALES:
        value = krippendorff_alpha(ratings, scale=scale).value
        mixed = rng.permuted(ratings[:, rng.permutation(ratings.shape[1])], axis=0)
        assert krippendorff_alpha(mixed, scale=scale).value == pytest.approx(value, abs=1e-12)
        assert krippendorff_alpha(7 * ratings, scale=scale).value == pytest.approx(value, abs=1e-12)
    moved = krippendorff_alpha(1e6 + ratings).value
    assert moved == pytest.approx(krippendorff_alpha(ratings).value, abs=1e-12)
    monotone = krippendorff_alpha(np.exp(ratings), scale="ordinal").value
    assert monotone == pytest.approx(krippendorff_alpha(ratings, scale="ordinal").value, abs=1e-12)


@pytest.mark.parametrize("scale", SCALES)
def test_nothing_to_compare_is_flagged(scale):
    rng = np.random.default_rng(0)
    nothing = ([[]], np.zeros((0, 3)), np.full((2, 3), np.nan), [[1, 2, 3]], [[1, np.nan], [np.nan, 2]])
    for ratings in nothing:
        found = krippendorff_alpha(ratings, scale=scale, rng=rng)
        assert (math.isnan(found.value), found.flag) == (True, NO_UNITS)
        assert confusion_counts(ratings)[1].sum() == 0
    alike = krippendorff_alpha(np.full((2, 4), 0.1 + 0.2), scale=scale, n_resamples=9, rng=rng)
    assert (math.isnan(alike.value), alike.flag, alike.n_dropped) == (True, NO_VARIATION, 9)
    json.dumps(alike.to_dict())


def test_bad_requests_are_refused():
    with pytest.raises(ValueError, match="scale is 'metric'"):
        krippendorff_alpha([[1, 2], [1, 2]], scale="metric")
    with pytest.raises(ValueError, match="none below 0 on a ratio scale"):
        krippendorff_alpha([[-1, 2], [1, 2]], scale="ratio")
    with pytest.raises(ValueError, match="n_resamples is 0"):
        krippendorff_alpha([[1, 2], [1, 2]], n_resamples=0)
    with pytest.raises(ValueError, match="2, summarizers x topics"):
        krippendorff_alpha([1, 2])
