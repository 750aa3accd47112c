"""A variance for each system: by hand, against definitions, the common one where chance explains all, what holds."""

from dataclasses import asdict

import numpy as np
import pytest
from scipy import stats

from classy_aesop.significance.few_judgments.direct_means import direct_means, moderate_variances
from classy_aesop.significance.few_judgments.estimated_means import estimate_means
from classy_aesop.significance.multiplicity.simultaneous import simultaneous_differences


def test_two_systems_have_one_variance():
    """Their residuals mirror each other."""
    y = np.random.default_rng(0).normal(size=(2, 12)) * np.array([[9.0], [1.0]])
    found = direct_means(y)
    assert found.own_variance == pytest.approx(found.variance)
    assert set(found.own_df) == {np.inf}
    y = np.random.default_rng(0).normal(size=200) * np.array([[1.0], [0], [0]])
    found = direct_means(y + 1)
    assert found.own_variance[0] > 10 * found.own_variance[1] > 0
    found, df = moderate_variances(np.array([4.0, 2, 3, 3]), np.full(4, 3.0), np.full(4, 2.0), 1.0)
    assert (found.tolist(), set(df)) == ([1.0] * 4, {np.inf})


def residual_maker(judged):
    """Give what least squares on systems and topics leaves of judged cells, and the system of each cell."""
    system, topic = np.nonzero(judged)
    X = np.hstack([np.eye(judged.shape[0])[system], np.eye(judged.shape[1])[topic]])
    return np.eye(len(X)) - X @ np.linalg.pinv(X), system


@pytest.mark.parametrize("share", [0.25, 0.5, 1.0])
def test_degrees_of_freedom_against_least_squares(share):
    """A residual maker's trace is exact for any cells; what is a system's own is exact where topics are shared."""
    rng = np.random.default_rng(1)
    judged = rng.random((6, 20)) < share
    maker, system = residual_maker(judged)
    y = np.where(judged, rng.normal(size=judged.shape), np.nan)
    squares = np.bincount(system, (maker @ y[judged]) ** 2)
    exact = np.bincount(system, np.diag(maker))
    blocks = np.array(
        [[(maker[np.ix_(system == i, system == j)] ** 2).sum() for j in range(6)] for i in range(6)]
    )
    own = np.diag(blocks) - (blocks.sum(axis=1) - np.diag(blocks)) / 5
    found = direct_means(y)
    more = np.maximum(squares / found.variance - exact, -own)
    beyond = (more**2).sum() * 6 / 5 - 2 * own.sum()
    prior = 4 + (2 * (own * (own + 2)).sum() / beyond if beyond > 0 else np.inf)
    rel = 1e-9 if share == 1 else 0.03
    assert found.own_variance == pytest.approx(found.variance * (1 + more / (own + prior)), rel=rel)


def test_variances_are_right_on_average():
    """Of many topics each system has its own variance (Grubbs, 1948)."""
    sizes = np.array([3.0, 1.0, 0.5, 1.0, 2.0, 1.0])
    y = np.random.default_rng(0).normal(size=(6, 4000)) * sizes[:, None]
    y[np.random.default_rng(1).random(y.shape) < 0.3] = np.nan
    assert direct_means(y).own_variance == pytest.approx(sizes**2, rel=0.12)


def test_systems_that_vary_alike_are_compared_as_before():
    """With one variance for all: to the last digit, by the same draws."""
    y = np.random.default_rng(5).normal(size=(8, 12))
    found = estimate_means(y, method="control-variate", finite=False)
    assert set(found.direct.own_df) == {np.inf}
    expected = simultaneous_differences(
        found.mean, found.direct.covariance, np.random.default_rng(0), df=found.df
    )
    np.testing.assert_equal(asdict(found.differences(np.random.default_rng(0))), asdict(expected))


@pytest.mark.parametrize(
    ("own", "own_df", "df"), [([0, 4], [np.inf, 5], 5), ([4, 1], [12, 9], 25 / (16 / 12 + 1 / 9))]
)
def test_a_difference_of_two_variances_against_student_and_welch(own, own_df, df):
    """One mean without an error has the other's degrees of freedom; else Welch's, of Behrens and Fisher's problem."""
    V, rng = np.diag(own) * 1.0, np.random.default_rng(0)
    found = simultaneous_differences(
        np.array([0.0, 1.0]), V, rng, own_variance=own, own_df=own_df, n_draws=100_000
    )
    half = (found.high - found.low)[0] / 2
    assert half == pytest.approx(np.sqrt(sum(own)) * stats.t.ppf(0.975, df), rel=0.02)


def all_held(y, f, n_judged, n_draws=100):
    """Share of draws of topics in which all differences hold."""
    rng = np.random.default_rng(0)
    held = []
    for _ in range(n_draws):
        judged = rng.random(y.shape[1]).argsort() < n_judged
        found = estimate_means(np.where(judged, y, np.nan), f, method="control-variate")
        pairs = found.differences(rng)
        truth = y.mean(axis=1)[pairs.first] - y.mean(axis=1)[pairs.second]
        held.append(((pairs.low <= truth) & (truth <= pairs.high)).all())
    return np.mean(held)


@pytest.mark.slow
@pytest.mark.parametrize(("target", "least"), [("consistency", 0.89), ("relevance", 0.92)])
def test_differences_hold_on_summeval(shared, target, least):
    """Nearly all grades of consistency are the best one; with one variance .77 to .79 of the study's draws held."""
    for package in ("msgspec", "pandas"):  # which readers need, but not what is tested
        pytest.importorskip(package)
    from classy_aesop.data import matrix
    from classy_aesop.reading import read_scores

    y, _, _ = matrix(read_scores(shared / "data/summeval/judgments.jsonl"), target)
    f, _, _ = matrix(read_scores(shared / "data/summeval/scores_rouge.jsonl"), "rouge-2.f1")
    for n_judged in (5, 10, 20):
        assert least <= all_held(y, f, n_judged) <= 0.99


def test_slopes_of_two_systems_are_drawn_to_what_is_stated():
    """Where judged cells tell nothing, to .4 times the slope less .1 times it."""
    y, other = np.random.default_rng(0).normal(size=(2, 2, 6))
    judged = np.where(np.arange(6) < 3, y, np.nan)
    for scores, slope in ((y / 2, 2.0), (-y / 2, -2.0), (1e-9 * other, 0.6)):
        assert direct_means(judged, scores, slope_prior=2.0).slope == pytest.approx([slope], rel=1e-3)


def test_slopes_of_few_cells_are_less_where_their_scores_are_closer_than_others():
    f, y = np.array([[0.0, 2, 4, 2, 2], [1, 3, 5, 3, 3]]), [[1.0, 2, 3, None, None], [1, 2, 3.01, None, None]]
    further = f * [1, 1, 1, 3, -1]
    (slope,), (less,) = (direct_means(y, scores, slope_prior=0).slope for scores in (f, further))
    share = 16 / (4 * further.var(axis=1, ddof=1).mean())  # the sum of squares of four degrees of freedom
    assert (slope, less) == (pytest.approx(0.5, abs=0.01), pytest.approx(slope * share))


@pytest.mark.parametrize(("second", "n_unlike"), [([5, 5, 4], 1), ([5, 4, 3], 2), ([5, 5, 5], 0)])
def test_few_grades_that_are_nearly_all_equal_may_vary_more(second, n_unlike):
    """Two degrees of freedom for each of the others, of five possible; of equal differences nothing is known."""
    times = (stats.t.ppf(0.975, 2 * n_unlike) / stats.t.ppf(0.975, 10)) ** 2 if n_unlike else np.inf
    assert direct_means([[5, 5, 5, None], [*second, None]]).variance_inflation == pytest.approx(times)
    found = direct_means([[3, 4, 5, None], [0, 1, 2, None]])
    assert (found.variance_inflation, found.variance) == (np.inf, pytest.approx(1 / 12))


def failing(A):
    """Fail as numpy did for one of the covariances of 50 systems in a study, of a condition number of 12."""
    raise np.linalg.LinAlgError("Eigenvalues did not converge")


def estimated():
    y = np.random.default_rng(0).normal(size=(8, 12))
    y[:, 6:] = np.nan
    found = estimate_means(y)
    return found.mean, found.interval(), found.differences(np.random.default_rng(0)).high


def test_estimates_do_not_end_in_a_fault(monkeypatch):
    expected = estimated()
    monkeypatch.setattr(np.linalg, "eigh", failing)
    for one, other in zip(estimated(), expected, strict=True):
        assert np.asarray(one) == pytest.approx(np.asarray(other))


@pytest.mark.parametrize("n_judged", [2, 3, 4])
def test_errors_of_slopes_of_few_topics_are_those_of_least_squares(n_judged):
    """Two metrics of very different units; with four topics the errors are small beside the rest, and left out."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=(6, 9))
    f = np.stack([y + rng.normal(size=y.shape), 1e-7 * rng.normal(size=y.shape)])
    found = direct_means(np.where(np.arange(9) < n_judged, y, np.nan), f)
    system, topic = np.divmod(np.arange(6 * n_judged), n_judged)
    units = np.array([1.0, 1e-7])[:, None, None]
    centred = (f - f.mean(axis=1, keepdims=True)) / units
    effects = np.hstack([np.eye(6)[system], np.eye(n_judged)[topic][:, 1:]])
    design = np.hstack([effects, centred[:, system, topic].T])
    of_slopes = np.linalg.inv(design.T @ design)[-2:, -2:]
    change = centred.mean(axis=2) - centred[:, :, :n_judged].mean(axis=2)
    expected = found.variance * change.T @ of_slopes @ change
    assert found.slope_covariance == pytest.approx(expected * (n_judged < 4))
