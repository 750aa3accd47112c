"""The additive model: against statsmodels and the dense definitions, by hand, and what must not matter."""

import itertools
import tracemalloc

import numpy as np
import pytest
from scipy import stats

from classy_aesop.significance.additive.additive_model import MIN_RANDOM_RATERS, fit_additive_model
from classy_aesop.significance.additive.contrasts import (
    compare_least_squares_means,
    deviation_on_a_topic,
    errors_of_least_squares_means,
    rater_differences,
)
from classy_aesop.significance.base import difference_forms
from classy_aesop.significance.differences import NOT_WORSE, UNDECIDED
from classy_aesop.significance.flags import (
    CONSTANT_DIFFERENCE,
    NO_DEGREES_OF_FREEDOM,
    NO_DIFFERENCE,
    NOT_CONNECTED,
    TOO_FEW_CLUSTERS,
)


def unbalanced_ratings(seed, n_systems=4, n_topics=9, n_raters=3, most=2):
    """Single ratings of cells that are missing at random, one to ``most`` raters a cell."""
    rng = np.random.default_rng(seed)
    rows = [
        (system, topic, rater)
        for system, topic in itertools.product(range(n_systems), range(n_topics))
        if rng.random() < 0.8
        for rater in rng.choice(n_raters, rng.integers(1, most + 1), replace=False)
    ]
    system, topic, rater = np.array(rows).T
    y = rng.normal(size=len(rows)) + system * 0.3 + topic * 0.5 + rater
    return y, system, topic, rater


def fitted(seed, **design):
    y, system, topic, rater = unbalanced_ratings(seed, **design)
    sizes = {"n_systems": system.max() + 1, "n_raters": rater.max() + 1}
    return fit_additive_model(y, system, topic, rater=rater, **sizes)


@pytest.mark.parametrize("seed", range(6))
def test_differences_are_those_of_statsmodels(seed):
    """statsmodels 0.15, OLS with a column for each topic and for each system and rater but the first."""
    sm = pytest.importorskip("statsmodels.api")
    y, system, topic, rater = unbalanced_ratings(seed)
    model = fit_additive_model(y, system, topic, n_systems=4, rater=rater, n_raters=3)
    topic = np.unique(topic, return_inverse=True)[1]
    design = np.hstack([np.eye(topic.max() + 1)[topic], np.eye(4)[system][:, 1:], np.eye(3)[rater][:, 1:]])
    result = sm.OLS(y, design).fit()
    effects = np.concatenate([[0.0], result.params[-5:-2]])
    tests = compare_least_squares_means(model)
    assert tests.difference == pytest.approx(effects[tests.first] - effects[tests.second], abs=1e-10)
    assert model.error_deviation == pytest.approx(np.sqrt(result.ssr / result.df_resid), rel=1e-9)
    assert model.df == result.df_resid
    rater_effects = np.concatenate([[0.0], result.params[-2:]])
    assert model.rater_effect == pytest.approx(rater_effects - rater_effects.mean(), abs=1e-10)


def test_errors_by_raters_are_what_their_estimation_adds_to_those_of_differences():
    y, system, topic, rater = unbalanced_ratings(1)
    model = fit_additive_model(y, system, topic, n_systems=4, rater=rater, n_raters=3)
    known = fit_additive_model(y, system, topic, n_systems=4)  # as if raters' effects were known
    first, second = np.triu_indices(4, 1)
    added = difference_forms(model.inverse[:4, :4] - known.inverse[:4, :4], first, second)
    errors = difference_forms(model.errors_by_raters, first, second)
    assert errors == pytest.approx(model.error_deviation**2 * added)
    assert model.has_residuals
    assert not fit_additive_model(1.0 * system + topic, system, topic, n_systems=4).has_residuals


def test_complete_table_gives_plain_means_and_the_paired_t_test():
    Y = np.random.default_rng(0).normal(size=(5, 20))
    system, topic = np.divmod(np.arange(100), 20)
    model = fit_additive_model(Y.ravel(), system, topic, n_systems=5)
    assert model.mean.tolist() == Y.mean(axis=1).tolist()
    tests = compare_least_squares_means(model)
    expected = [stats.ttest_rel(Y[i], Y[j]) for i, j in zip(tests.first, tests.second, strict=True)]
    assert tests.p == pytest.approx([result.pvalue for result in expected], abs=1e-12)
    ends = np.array([result.confidence_interval() for result in expected])
    assert np.stack([tests.low, tests.high], axis=1) == pytest.approx(ends, abs=1e-12)
    deviations = np.array([(Y[i] - Y[j]).std(ddof=1) for i, j in zip(tests.first, tests.second, strict=True)])
    assert tests.effect == pytest.approx(tests.difference / deviations, abs=1e-12)  # Cohen's d_z
    half = stats.t.ppf(0.975, 19) * Y.std(axis=1, ddof=1) / np.sqrt(20)
    errors = errors_of_least_squares_means(model)
    low, high = errors.interval(errors.quantile(0.95))
    assert low == pytest.approx(Y.mean(axis=1) - half, abs=1e-12)
    assert high == pytest.approx(Y.mean(axis=1) + half, abs=1e-12)


def test_with_clusters_of_one_size_it_is_the_t_test_of_their_means_by_hand():
    """Differences of -1, 1, 0, 2 and 3, 5 in three passages: t of the means 0, 1, 4 is 1.667 / (2.082 / 3 ** .5)."""
    differences = np.array([-1.0, 1, 0, 2, 3, 5])
    system, topic = np.divmod(np.arange(12), 6)
    of_second = np.array([4.0, 3, 2, 1, 5, 6])
    y = np.concatenate([of_second + differences, of_second])
    tests = compare_least_squares_means(fit_additive_model(y, system, topic, n_systems=2, cluster=topic // 2))
    assert tests.statistic == pytest.approx([1.3868], abs=1e-4)
    assert tests.p == pytest.approx([stats.ttest_1samp([0, 1, 4], 0).pvalue], abs=1e-12)
    assert (tests.df.round(9).tolist(), tests.n.tolist(), tests.n_used.tolist()) == ([2.0], [6], [3])
    assert compare_least_squares_means(fit_additive_model(y, system, topic, n_systems=2)).p[0] < tests.p[0]


@pytest.mark.parametrize("n_topics_a_cluster", [4, 40])
def test_means_with_clusters_of_one_size_have_the_errors_of_cluster_means(n_topics_a_cluster):
    """Clusters of 40 topics have so many rows that they are compressed."""
    Y = np.random.default_rng(1).normal(size=(3, 6, n_topics_a_cluster))
    system, topic = np.divmod(np.arange(Y.size), 6 * n_topics_a_cluster)
    model = fit_additive_model(Y.ravel(), system, topic, n_systems=3, cluster=topic // n_topics_a_cluster)
    of_clusters = Y.mean(axis=2)
    tests = compare_least_squares_means(model)
    expected = [
        stats.ttest_rel(of_clusters[i], of_clusters[j]).pvalue
        for i, j in zip(tests.first, tests.second, strict=True)
    ]
    assert tests.p == pytest.approx(expected, abs=1e-12)
    errors = errors_of_least_squares_means(model)
    assert errors.error == pytest.approx(of_clusters.std(axis=1, ddof=1) / np.sqrt(6), abs=1e-12)
    assert errors.df == pytest.approx(5.0, abs=1e-9)
    deviation, df = deviation_on_a_topic(model, 0, 1)
    assert (deviation, df) == pytest.approx(((of_clusters[0] - of_clusters[1]).std(ddof=1), 5), abs=1e-12)


def test_each_topic_in_a_cluster_of_its_own_changes_nothing():
    y, system, topic, _ = unbalanced_ratings(3, most=1)
    models = [fit_additive_model(y, system, topic, n_systems=4, cluster=c) for c in (None, 7 - topic)]
    tests, same_tests = map(compare_least_squares_means, models)
    assert same_tests.p == pytest.approx(tests.p, abs=1e-12)
    assert same_tests.n_used.tolist() == tests.n_used.tolist() == tests.n.tolist()


def test_all_topics_in_one_cluster_show_nothing():
    y, system, topic, rater = unbalanced_ratings(3)
    sizes = {"n_systems": 4, "rater": rater, "n_raters": 3, "cluster": np.zeros(len(y))}
    tests = compare_least_squares_means(fit_additive_model(y, system, topic, **sizes))
    assert (set(tests.flag), set(tests.p)) == ({TOO_FEW_CLUSTERS}, {1.0})
    assert np.isnan(errors_of_least_squares_means(fit_additive_model(y, system, topic, **sizes)).error).all()


def test_a_system_rated_on_easy_topics_only():
    y = [2.0, 3.0, 5.0, 1.0, 2.0, 4.0, 6.0]
    model = fit_additive_model(y, [0, 0, 0, 0, 1, 1, 1], [0, 1, 2, 3, 1, 2, 4], n_systems=2)
    # topics 1 and 2 have both: 3 and 5 against 2 and 4; the plain means are 2.75 and 4
    assert np.diff(model.mean)[0] == pytest.approx(-1.0)


def test_raters_who_rate_whole_topics_change_nothing():
    rng = np.random.default_rng(1)
    system, topic = np.divmod(np.arange(40), 10)
    y = rng.normal(size=40)
    alone = fit_additive_model(y, system, topic, n_systems=4)
    with_raters = fit_additive_model(y, system, topic, n_systems=4, rater=topic % 3, n_raters=3)
    assert (with_raters.raters, with_raters.df) == ("none", alone.df)
    assert with_raters.mean == pytest.approx(alone.mean, abs=1e-12)


def test_each_rater_rates_one_system_only():
    system, topic = np.divmod(np.arange(20), 10)
    y = np.random.default_rng(0).normal(size=20)
    model = fit_additive_model(y, system, topic, n_systems=2, rater=system, n_raters=2)
    tests = compare_least_squares_means(model)
    assert model.group.tolist() == [0, 1]
    assert model.equations.group.tolist() == [0, 0]  # the raters are the reason
    assert tests.flag.tolist() == [NOT_CONNECTED]
    assert tests.p.tolist() == [1.0]
    assert np.isnan([tests.difference, tests.low, tests.high, tests.effect]).all()
    assert np.isnan(model.rater_effect).all()
    assert tests.equivalent(5.0).verdict.tolist() == [UNDECIDED]


def test_shared_raters_do_not_connect_systems_without_shared_topics():
    system, topic = np.array([0, 1, 0, 1, 2, 3, 2, 3]), np.array([0, 0, 1, 1, 2, 2, 3, 3])
    rater = np.array([0, 1, 1, 0, 0, 1, 1, 0])
    model = fit_additive_model(np.arange(8.0), system, topic, n_systems=5, rater=rater, n_raters=2)
    assert model.group.tolist() == [0, 0, 1, 1, -1]
    assert np.isnan(model.mean[4])


def test_systems_without_a_shared_topic_may_be_connected_where_others_are_not():
    # topic 0: system 0 by rater 0, system 2 by rater 1; topic 1: system 1 by rater 0, system 2 by rater 1
    y = [3.0, 1.0, 5.0, 1.0]
    model = fit_additive_model(y, [0, 2, 1, 2], [0, 0, 1, 1], n_systems=3, rater=[0, 1, 0, 1], n_raters=2)
    assert model.group.tolist() == [0, 0, 1]
    assert model.mean[1] - model.mean[0] == pytest.approx(2.0)


def test_a_rater_with_one_cell_does_not_make_errors_vanish():
    system, topic = np.divmod(np.arange(20), 10)
    rater = system.copy()
    rater[0] = 1  # only this cell connects the raters
    y = np.random.default_rng(2).normal(size=20)
    model = fit_additive_model(y, system, topic, n_systems=2, rater=rater, n_raters=2)
    tests = compare_least_squares_means(model)
    # rater and system are nearly one column: the difference is little more than that one topic tells
    assert tests.difference[0] / tests.statistic[0] > model.error_deviation


def test_constant_differences_and_one_topic_are_no_finding():
    system, topic = [0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]
    constant = fit_additive_model([1, 2, 3, 2, 3, 4], system, topic, n_systems=2)
    equal = fit_additive_model([1, 2, 3, 1, 2, 3], system, topic, n_systems=2)
    one_topic = fit_additive_model([1, 2], [0, 1], [0, 0], n_systems=2)
    expected = {CONSTANT_DIFFERENCE: constant, NO_DIFFERENCE: equal, NO_DEGREES_OF_FREEDOM: one_topic}
    for flag, model in expected.items():
        tests = compare_least_squares_means(model)
        assert (tests.flag.tolist(), tests.p.tolist()) == ([flag], [1.0])
        assert np.isnan([tests.low, tests.high]).all()
        assert tests.equivalent(10.0).verdict.tolist() == [UNDECIDED]


def crowd(seed, n_raters=100, deviation=1.0, n_topics=40, ratings=1):
    rng = np.random.default_rng(seed)
    system, topic = np.divmod(np.arange(4 * n_topics * ratings) % (4 * n_topics), n_topics)
    rater = rng.integers(0, n_raters, len(system))
    effects = rng.normal(0, deviation, n_raters)
    y = effects[rater] + rng.normal(0, 1, n_topics)[topic] + rng.normal(0, 0.7, len(system))
    return y, system, topic, rater


def test_many_raters_of_few_ratings_are_random():
    y, system, topic, rater = crowd(0)
    given = {"n_systems": 4, "rater": rater, "n_raters": 100}
    assert fit_additive_model(y, system, topic, **given).raters == "random"
    few = rater % (MIN_RANDOM_RATERS - 1)
    assert fit_additive_model(y, system, topic, **{**given, "rater": few}).raters == "fixed"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_the_variance_of_random_raters_is_that_of_statsmodels(seed):
    """statsmodels 0.15 MixedLM by REML, topics and systems fixed."""
    sm = pytest.importorskip("statsmodels.api")
    y, system, topic, rater = crowd(seed, n_raters=60, n_topics=20, ratings=3)
    model = fit_additive_model(y, system, topic, n_systems=4, rater=rater, n_raters=60)
    design = np.hstack([np.eye(20)[topic], np.eye(4)[system][:, 1:]])
    result = sm.MixedLM(y, design, groups=rater).fit(reml=True)
    assert model.rater_deviation**2 == pytest.approx(float(result.cov_re[0, 0]), rel=1e-3)
    assert model.error_deviation**2 == pytest.approx(result.scale, rel=1e-3)
    differences = compare_least_squares_means(model, [(1, 0), (2, 0), (3, 0)])
    assert differences.difference == pytest.approx(result.fe_params[20:23], rel=1e-3, abs=1e-4)
    # errors are clustered by topic, so they are near those of the model, not equal
    errors = differences.difference / differences.statistic
    assert errors == pytest.approx(result.bse_fe[20:23], rel=0.5)


def test_a_crowd_without_differences_is_like_no_raters():
    y, system, topic, rater = crowd(5, deviation=0.0)
    model = fit_additive_model(y, system, topic, n_systems=4, rater=rater, n_raters=100)
    plain = fit_additive_model(y, system, topic, n_systems=4)
    assert model.raters == "random"
    if model.rater_deviation < 0.01:
        p = compare_least_squares_means(model).p
        assert p == pytest.approx(compare_least_squares_means(plain).p, abs=1e-2)


def test_rater_differences_by_hand():
    y = [3, 1, 4, 3, 5, 5, 2]
    system, topic, rater = [0, 1, 0, 1, 0, 1, 0], [0, 0, 1, 1, 2, 2, 0], [0, 0, 0, 0, 1, 0, 1]
    differences, n_topics = rater_differences(y, system, topic, rater, n_systems=2, n_raters=2)
    assert differences[0, 0] == pytest.approx(1.5)  # 3 - 1 and 4 - 3
    assert np.isnan(differences[0, 1])
    assert n_topics.tolist() == [[2, 0]]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("raters", ["fixed", "random", "none"])
def test_no_name_and_no_order_matters(seed, raters):
    rng = np.random.default_rng(seed)
    y, system, topic, rater = (
        crowd(seed) if raters == "random" else unbalanced_ratings(seed, most=2 if raters == "fixed" else 1)
    )
    n_raters = rater.max() + 1
    given = {} if raters == "none" else {"rater": rater, "n_raters": n_raters}
    model = fit_additive_model(y, system, topic, n_systems=4, **given)
    assert model.raters == raters
    tests = compare_least_squares_means(model, [(0, 1), (2, 3)])
    order = rng.permutation(len(y))
    systems = rng.permutation(4)
    topics = rng.permutation(topic.max() + 1)
    renamed = (
        {} if raters == "none" else {"rater": rng.permutation(n_raters)[rater][order], "n_raters": n_raters}
    )
    again = fit_additive_model(y[order], systems[system][order], topics[topic][order], n_systems=4, **renamed)
    pairs = [(systems[0], systems[1]), (systems[2], systems[3])]
    renamed_tests = compare_least_squares_means(again, pairs)
    assert again.mean[systems] == pytest.approx(model.mean, abs=1e-10)
    for name in ("difference", "low", "high", "p", "effect"):
        assert getattr(renamed_tests, name) == pytest.approx(getattr(tests, name), rel=1e-7, abs=1e-10)


@pytest.mark.parametrize("factor", [2.0**-330, 2.0**-40, 2.0**40, 2.0**330])
def test_the_unit_of_scores_does_not_matter(factor):
    y, system, topic, rater = unbalanced_ratings(7)
    sizes = {"n_systems": 4, "rater": rater, "n_raters": 3}
    tests = compare_least_squares_means(fit_additive_model(y, system, topic, **sizes))
    scaled = fit_additive_model(y * factor, system, topic, **sizes)
    scaled_tests = compare_least_squares_means(scaled)
    assert scaled_tests.p.tolist() == tests.p.tolist()
    assert (scaled_tests.difference / factor).tolist() == tests.difference.tolist()
    assert np.isfinite(errors_of_least_squares_means(scaled).error).all()


@pytest.mark.parametrize("seed", range(40))
def test_any_table_gives_numbers_or_flags(seed):
    rng = np.random.default_rng(seed)
    n_systems, n_topics, n_raters = rng.integers(1, 6), rng.integers(1, 8), rng.integers(1, 5)
    n_rows = rng.integers(1, 40)
    system = rng.integers(0, n_systems, n_rows)
    topic = rng.integers(0, n_topics, n_rows)
    rater = rng.integers(0, n_raters, n_rows)
    y = rng.integers(1, rng.integers(2, 6), n_rows).astype(float)
    model = fit_additive_model(y, system, topic, n_systems=n_systems, rater=rater, n_raters=n_raters)
    tests = compare_least_squares_means(model)
    assert ((tests.p >= 0) & (tests.p <= 1)).all()
    assert (np.isnan(tests.low) == (tests.flag != "")).all()
    assert (tests.p[tests.flag != ""] == 1).all()
    connected = model.group[tests.first] == model.group[tests.second]
    assert (np.isfinite(tests.difference) == (connected & (model.group[tests.first] >= 0))).all()
    errors_of_least_squares_means(model)
    verdicts = tests.equivalent((-0.5, np.inf)).verdict
    assert (verdicts[tests.flag != ""] != NOT_WORSE).all()


def rated_rows(n_systems, n_topics, n_raters, n_ratings, seed=0):
    rng = np.random.default_rng(seed)
    system, topic, rater = (rng.integers(0, n, n_ratings) for n in (n_systems, n_topics, n_raters))
    return rng.normal(size=n_ratings), system, topic, rater


def test_topics_of_many_rows_are_compressed_without_loss(monkeypatch):
    y, system, topic, rater = rated_rows(4, 6, 5, 300)
    model = fit_additive_model(y, system, topic, n_systems=4, rater=rater, n_raters=5)
    expected = compare_least_squares_means(model)
    monkeypatch.setattr("classy_aesop.significance.additive.clustered_errors.MAX_ROWS_OF_BATCHED_CLUSTER", 5)
    compressed = compare_least_squares_means(model)
    assert compressed.statistic == pytest.approx(expected.statistic, rel=1e-10)
    assert compressed.p == pytest.approx(expected.p, rel=1e-9)


def test_degrees_of_freedom_have_one_value_however_they_are_summed(monkeypatch):
    y, system, topic, rater = rated_rows(5, 40, 30, 600)
    model = fit_additive_model(y, system, topic, n_systems=5, rater=rater, n_raters=30)
    expected = compare_least_squares_means(model).p
    monkeypatch.setattr("classy_aesop.significance.additive.clustered_errors.MAX_DENSE", 0)
    assert compare_least_squares_means(model).p == pytest.approx(expected, rel=1e-10)
    monkeypatch.setattr("classy_aesop.significance.additive.clustered_errors.MAX_PRODUCTS", 0)
    bounded = compare_least_squares_means(model).p  # fewer degrees of freedom, but not many fewer
    assert (bounded >= expected * (1 - 1e-9)).all()
    assert bounded == pytest.approx(expected, rel=0.2)


@pytest.mark.slow
def test_a_hundred_thousand_ratings_of_few_topics_need_no_square_of_a_topic():
    y, system, topic, rater = rated_rows(10, 20, 50, 100_000)
    tracemalloc.start()
    model = fit_additive_model(y, system, topic, n_systems=10, rater=rater, n_raters=50)
    tests = compare_least_squares_means(model)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert np.isfinite(tests.statistic).all()
    assert peak < 150e6  # a matrix of one topic's 5,000 rows would be 200 MB


@pytest.mark.parametrize("raters_a_system", [1, 2])
def test_a_crowd_whose_raters_rated_one_system_each_shows_nothing(raters_a_system):
    rng = np.random.default_rng(5)
    system, topic = np.divmod(np.arange(24 * 6), 6)
    rater = system * raters_a_system + topic % raters_a_system
    n_raters = 24 * raters_a_system
    y = rng.normal(size=len(system)) + 3 * rng.normal(size=n_raters)[rater]
    model = fit_additive_model(y, system, topic, n_systems=24, rater=rater, n_raters=n_raters)
    tests = compare_least_squares_means(model)
    assert set(model.group.tolist()) == set(range(24))
    assert set(model.equations.group.tolist()) == {0}
    assert (tests.p == 1).all()
    assert (tests.flag != "").all()


def test_a_crowd_in_which_nobody_rated_twice_is_part_of_the_errors():
    rng = np.random.default_rng(6)
    system, topic = np.divmod(np.arange(40), 20)
    y = rng.normal(size=40)
    with_raters = fit_additive_model(y, system, topic, n_systems=2, rater=np.arange(40), n_raters=40)
    alone = fit_additive_model(y, system, topic, n_systems=2)
    assert with_raters.raters == "none"
    assert compare_least_squares_means(with_raters).p == pytest.approx(compare_least_squares_means(alone).p)
