"""Every fit of systems, topics and raters gives the numbers that were frozen when each had code of its own.

`python tests/significance/additive/test_linear_means.py` prints the numbers of the present code in the layout of
`oracles/linear_means.json`.
"""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from classy_aesop.significance.additive.additive_model import fit_additive_model
from classy_aesop.significance.additive.contrasts import (
    compare_least_squares_means,
    deviation_on_a_topic,
    errors_of_least_squares_means,
)
from classy_aesop.significance.additive.linear_means import (
    RatingRows,
    group_connected,
    normal_equations,
    rank_of_groups,
)
from classy_aesop.significance.additive.system_means import means_design, resampled_means
from classy_aesop.significance.few_judgments.two_way_fit import TwoWayFit
from classy_aesop.significance.raters.rater_effects import rater_effects
from classy_aesop.significance.raters.ratings import Ratings

FROZEN = Path(__file__).parents[2] / "oracles/linear_means.json"

RATER_DESIGNS = {
    "three raters": {"n_raters": 3},
    "three raters, two ratings a cell": {"n_raters": 3, "ratings_of_cell": 2},
    "raters of own systems": {"n_raters": 4, "are_split": True},
    "crowd": {"n_raters": 40, "n_topics": 20, "ratings_of_cell": 2},
    "crowd of own systems": {"n_raters": 40, "n_topics": 20, "are_split": True},
}


def sparse_cells(seed, n_systems=5, n_topics=9, share=0.5, n_groups=1):
    """Cells at random; with groups, systems and topics of a group share none with those of another."""
    rng = np.random.default_rng(seed)
    valid = rng.random((n_systems, n_topics)) < share
    system, topic = np.ogrid[:n_systems, :n_topics]
    return valid & (system % n_groups == topic % n_groups)


def sparse_ratings(seed, n_raters, n_systems=5, n_topics=9, ratings_of_cell=1, are_split=False):
    """Single ratings of cells at random; raters who are split rate systems of one parity."""
    rng = np.random.default_rng(seed)
    rows = []
    for system, topic in zip(*np.nonzero(sparse_cells(seed, n_systems, n_topics, 0.7)), strict=True):
        for _ in range(rng.integers(1, ratings_of_cell + 1)):
            rater = rng.integers(n_raters)
            rows.append((system, topic, (rater // 2 * 2 + system % 2) if are_split else rater))
    system, topic, rater = np.array(rows).T
    rater_effect = rng.normal(size=n_raters)
    y = rng.normal(size=len(rows)) + 0.4 * system + 0.2 * topic + rater_effect[rater]
    return y, system, topic, rater


def results_of_model(y, system, topic, **raters):
    model = fit_additive_model(y, system, topic, n_systems=6, **raters)
    tests = compare_least_squares_means(model)
    errors = errors_of_least_squares_means(model)
    deviations = [deviation_on_a_topic(model, 0, second) for second in range(1, 6)]
    return {
        "mean": model.mean,
        "group": model.group,
        "group_without_raters": model.group_without_raters,
        "rater_effect": model.rater_effect,
        "rater_deviation": model.rater_deviation,
        "error_deviation": model.error_deviation,
        "df": model.df,
        "raters": model.raters,
        "difference": tests.difference,
        "p": tests.p,
        "low": tests.low,
        "high_all": tests.high_all,
        "flag": tests.flag,
        "ends": np.array(errors.interval(errors.quantile(0.95))),
        "deviations": np.array(deviations),
    }


def results_of_cells(seed, n_groups, share):
    valid = sparse_cells(seed, share=share, n_groups=n_groups)
    rng = np.random.default_rng(seed)
    X = np.where(valid, rng.normal(size=valid.shape) + 3, np.nan)
    design = means_design(valid)
    sums = rng.normal(size=(3, len(X))), rng.normal(size=(3, X.shape[1]))
    row_counts = rng.multinomial(len(X), np.full(len(X), 1 / len(X)), 3).astype(float)
    column_counts = rng.multinomial(X.shape[1], np.full(X.shape[1], 1 / X.shape[1]), 3).astype(float)
    all_rows, all_columns = (np.ones((1, n)) for n in X.shape)
    weights = [(row_counts, all_columns), (all_rows, column_counts), (row_counts, column_counts)]
    return {
        "group": design.group,
        "means": design.means(X),
        "plain_means": means_design(valid, "plain").means(X),
        "means_of_sums": design.means_of_sums(*sums),
        "resampled": np.array([resampled_means([X, X**2], valid, *counts) for counts in weights[1:]]),
        "resampled_systems": np.array(resampled_means([X], valid, *weights[0])),
        **results_of_model(X[valid], *np.nonzero(valid)),
    }


def results_of_two_ways(seed):
    """Three matrices: one connected or nearly so, one in two groups, one with three cells only."""
    few = np.zeros((5, 9), bool)
    few[[0, 1, 1], [0, 0, 4]] = True
    judged = [sparse_cells(seed, share=0.7), sparse_cells(seed, share=0.8, n_groups=2), few]
    Z = np.random.default_rng(seed).normal(size=(3, 2, 5, 9))
    fits = [TwoWayFit(cells) for cells in judged]
    residuals = np.array([fit.residuals(scores) for fit, scores in zip(fits, Z, strict=True)])
    square_sum = np.square(residuals[0, 0]).sum()
    topic_variance = fits[0].topic_variance(Z[0, 0], square_sum)
    means = fits[0].generalized_means(Z[0, 0], square_sum / fits[0].df, topic_variance)
    fixed = [fit.generalized_means(Z[k, 1], 0.5, (0.3, 0.0, 1.0)[k]) for k, fit in enumerate(fits)]
    fixed_means = [np.array(values) for values in zip(*fixed, strict=True)]
    return {
        "df": np.array([fit.df for fit in fits]),
        "rank": np.array([fit.rank for fit in fits]),
        "residuals": residuals,
        "residual_df": np.array([fit.residual_df() for fit in fits]).swapaxes(0, 1),
        "topic_variance": topic_variance,
        "means": means[0],
        "covariances": np.array(means[1:]),
        "fixed_means": fixed_means[0],
        "fixed_covariances": np.array(fixed_means[1:]),
    }


def results_of_raters(seed, **design):
    y, system, topic, rater = sparse_ratings(seed, **design)
    effects = rater_effects(Ratings.from_arrays(y, system, topic, rater))
    return {
        "effect": effects.effect,
        "effect_variances": np.diag(effects.covariance),
        "system_errors": effects.system_errors,
        "effect_df": effects.df,
        "system_shares": effects.system_shares,
        "is_random": effects.is_random,
        "effect_flag": effects.flag,
        **results_of_model(y, system, topic, rater=rater, n_raters=design["n_raters"]),
    }


CASES = {
    **{
        f"cells {n_groups} {share} {seed}": (results_of_cells, (seed, n_groups, share), {})
        for n_groups, share, seed in itertools.product((1, 2), (0.4, 0.8, 1.0), range(2))
    },
    **{f"two ways {seed}": (results_of_two_ways, (seed,), {}) for seed in range(2)},
    **{
        f"{name} {seed}": (results_of_raters, (seed,), design)
        for name, design in RATER_DESIGNS.items()
        for seed in range(2)
    },
}


def results_of_case(name):
    function, arguments, options = CASES[name]
    results = function(*arguments, **options)
    return {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in results.items()}


@pytest.mark.parametrize("name", CASES)
def test_fits_give_the_frozen_numbers(name):
    frozen = json.loads(FROZEN.read_text())[name]
    results = results_of_case(name)
    assert set(results) == set(frozen)
    # The search for the variance of random raters stops within 1e-5 of its maximum; rounding moves where.
    tolerance = 1e-10 if frozen.get("raters") == "random" else 1e-12
    for key, expected in frozen.items():
        if np.asarray(expected).dtype.kind in "US":
            assert results[key] == expected, key
        else:
            np.testing.assert_allclose(results[key], expected, rtol=tolerance, atol=tolerance, err_msg=key)


def test_components_of_graphs():
    path = np.diag(-np.ones(5), 1)
    information = np.stack([path + path.T, np.zeros_like(path), path + path.T])
    information[2, 2, 3] = information[2, 3, 2] = 0
    present = np.array([[1] * 6, [1] + [0] * 5, [1, 1, 1, 0, 0, 0]], dtype=bool)
    assert group_connected(information, present).tolist() == [[0] * 6, [0] + [-1] * 5, [0] * 3 + [-1] * 3]
    everybody = group_connected(information, np.ones((3, 6), bool))
    assert everybody.tolist() == [[0] * 6, list(range(6)), [0, 0, 0, 1, 1, 1]]
    assert rank_of_groups(everybody).tolist() == [5, 0, 4]
    assert rank_of_groups(np.full(3, -1)) == 0


@pytest.mark.parametrize("n_topics", [1, 7, 49])
def test_a_system_alone_has_no_effect(n_topics):
    """Its information is 0 but for rounding, which is not divided by."""
    topic = np.arange(200) % n_topics
    y = np.random.default_rng(0).normal(size=200) + 5
    rows = RatingRows(y, np.zeros(200, np.int64), topic, None, 1, n_topics, 0)
    assert normal_equations(rows).system_effect == pytest.approx([0.0], abs=1e-12)


if __name__ == "__main__":
    print(json.dumps({name: results_of_case(name) for name in CASES}, default=lambda value: value.item()))
