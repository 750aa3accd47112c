"""Power of tests of two metrics: by its definition, as identities, at the edges."""

import json
import math

import numpy as np
import pytest

from classy_aesop.significance.metric_tests import MetricTest, bootstrap_test, permutation_test, williams_test
from classy_aesop.significance.simulations import POWER_TESTS as TESTS
from classy_aesop.significance.simulations import metric_power


def matrices(seed, shape=(10, 15)):
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(shape[0], 1)) + rng.normal(size=shape)
    return Z + rng.normal(size=shape), Z


def versions(X, noise, n, seed):
    rng = np.random.default_rng(seed)
    return [X + noise * rng.normal(size=X.shape) for _ in range(n)]


@pytest.mark.slow
@pytest.mark.parametrize("level", ["system", "input"])
def test_power_is_its_definition(level):
    X, Z = matrices(1)
    spoilt = versions(X, 3.0, 12, 2)
    options = {"level": level, "coefficient": "spearman"}
    found = metric_power(X, Z, spoilt, **options, alpha=0.2, n_resamples=99, rng=np.random.default_rng(3))
    rng = np.random.default_rng(3)
    counts, differences = np.zeros(3), []
    for Y in spoilt:
        tests = (
            permutation_test(X, Y, Z, **options, n_resamples=99, rng=rng),
            bootstrap_test(X, Y, Z, **options, n_resamples=99, rng=rng),
            williams_test(X, Y, Z, **options),
        )
        counts += [test.p <= 0.2 for test in tests]
        differences.append(tests[0].difference)
    assert [row.power for row in found] == pytest.approx(list(counts / 12))
    assert [row.test for row in found] == list(TESTS)
    assert [row.difference for row in found] == pytest.approx([np.mean(differences)] * 3)
    assert [row.n_resamples for row in found] == [99, 99, 0]


def test_a_test_added_by_one_line_has_power(monkeypatch):
    X, Z = matrices(1)
    monkeypatch.setitem(TESTS, "new", MetricTest("new", williams_test, resamples=False))
    spoilt = versions(X, 3.0, 12, 2)
    new, known = metric_power(X, Z, spoilt, tests=["new", "williams"], rng=np.random.default_rng(3))
    assert (new.power, new.n_resamples) == (known.power, 0)


def test_power_grows_with_the_damage():
    X, Z = matrices(4)
    weak, strong = (
        metric_power(
            X,
            Z,
            versions(X, noise, 40, 5),
            tests=["permutation"],
            n_resamples=199,
            rng=np.random.default_rng(6),
        )[0]
        for noise in (0.5, 8.0)
    )
    assert weak.power < strong.power
    assert weak.difference < strong.difference


def test_a_metric_is_not_better_than_itself():
    X, Z = matrices(7)
    for row in metric_power(X, Z, [X] * 3, n_resamples=49, rng=np.random.default_rng(0)):
        assert (row.power, row.error, row.difference) == (0.0, 0.0, 0.0)


def test_undefined_trials_never_count():
    X, Z = matrices(8)
    found = metric_power(X, Z, [np.ones_like(X), X - 100 * Z], n_resamples=49, rng=np.random.default_rng(0))
    for row in found:
        assert (row.n_trials, row.n_undefined) == (2, 1)
        assert row.power <= 0.5
        json.dumps(row.to_dict())
    none = metric_power(X, Z, [], rng=np.random.default_rng(0))
    assert all(math.isnan(row.power) and row.n_trials == 0 for row in none)


def test_bad_requests_are_refused():
    X, Z = matrices(0)
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="test is 'steiger'"):
        metric_power(X, Z, [X], tests=["steiger"], rng=rng)
    with pytest.raises(ValueError, match="alpha is 1"):
        metric_power(X, Z, [X], alpha=1, rng=rng)
    with pytest.raises(ValueError, match="shapes differ"):
        metric_power(X, Z, [X[:3]], rng=rng)
