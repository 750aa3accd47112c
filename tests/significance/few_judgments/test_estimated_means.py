"""Means from a part of the judgments: by hand, against other programs, by identities, and safe with bad scores."""

import numpy as np
import pytest
from scipy import stats

from classy_aesop.significance.few_judgments.direct_means import direct_means
from classy_aesop.significance.few_judgments.estimated_means import (
    METHODS_OF_MEANS,
    estimate_means,
    half_widths,
    sandwich_covariance,
)
from classy_aesop.significance.few_judgments.small_area import _Contrasts, hierarchical
from classy_aesop.significance.multiplicity.simultaneous import rank_intervals, simultaneous_differences
from classy_aesop.significance.planning.precision import plan_precision

F = np.array([[3, 4, 2, 3, 5, 3], [2, 3, 2, 2, 4, 2], [4, 4, 3, 4, 5, 4], [2, 2, 1, 3, 3, 2]], dtype=float)
Y = np.array([[3, 5, 3], [2, 2, 3], [4, 5, 3], [1, 1, 1]], dtype=float)
"""The worked example: scores and judgments of four systems on six topics, of which the first three are judged.

1. Without the topics' means, the plain means are 11/12, -5/12, 5/4, -7/4. The means of F are 1/3, -1/2, 1, -5/6 over
   all topics and 1/3, -1/3, 1, -1 over the judged ones.
2. The slope is (11/12) / (5/6) = 1.1 within systems and topics, so the control variates are 11/12, -3/5, 5/4, -47/30.
   The residual sum of squares is 2.825 on 6 degrees of freedom, and the variance of a mean over the six topics
   2.825/6/3 x (1 - 3/6) = 0.0785. For topics like them it is 0.157, plus 0.036 because the mean of F is known of six.
3. With a variance of 0.1 around the line 1.538 F, a mean keeps 0.1/(0.1 + 0.0785) = 0.560 of its distance from it:
   0.739, -0.674, 1.377, -1.441, with mean squared errors 0.089, 0.091, 0.104, 0.099.
"""


def part(y, n_topics):
    """Put judged topics before others that are not."""
    return np.hstack([y, np.full((len(y), n_topics - y.shape[1]), np.nan)])


def centred(x):
    return x - np.mean(x)


def made(seed, n_systems=20, n_topics=40, fit=0.3, interaction=0.8):
    """Draw judgments of which scores know the systems' means, and some of the rest."""
    rng = np.random.default_rng(seed)
    mean, noise = rng.normal(size=n_systems) / 2, interaction * rng.normal(size=(n_systems, n_topics))
    y = mean[:, None] + noise + rng.normal(size=n_topics) / 2
    f = (mean + fit / 2 * rng.normal(size=n_systems))[:, None] + noise / 2
    return y, f + rng.normal(size=f.shape) / 2


def few(y, n):
    return np.where(np.arange(y.shape[-1]) < n, y, np.nan)


def level_variance(found):
    """Give the variance of the judged topics' error, which all systems share."""
    left = 1 - found.n_judged_topics / found.n_topics if found.finite else 1.0
    return found.topic_variance / found.n_judged_topics * left


def test_control_variates_by_hand():
    found = direct_means(part(Y, 6))
    assert centred(found.mean) == pytest.approx([11 / 12, -5 / 12, 5 / 4, -7 / 4])
    assert found.mean.mean() == pytest.approx(Y.mean())
    found = direct_means(part(Y, 6), F)
    assert found.slope == pytest.approx([1.1])
    assert centred(found.mean) == pytest.approx([11 / 12, -3 / 5, 5 / 4, -47 / 30])
    assert (found.variance, found.df) == (pytest.approx(2.825 / 6), 6)
    own = np.diag(found.covariance) - level_variance(found)
    assert own == pytest.approx(0.0784722, abs=1e-7)
    # Of 0.156944 = s^2 / 3; the scores' own mean over six topics is known of these six only.
    found = direct_means(part(Y, 6), F, finite=False)
    rest = F - F.mean(axis=0)
    rest -= rest.mean(axis=1, keepdims=True)
    scores = 1.1**2 * (rest**2).sum() / (3 * 5) / 6
    own = np.diag(found.covariance) - level_variance(found)
    assert scores == pytest.approx(0.0358518, abs=1e-7)
    assert own == pytest.approx(2.825 / 6 / 3 + scores)


def test_means_given_the_variance_around_the_line_by_hand():
    direct = direct_means(part(Y, 6), F)
    X = np.column_stack([np.ones(4), direct.score_mean[0]])

    def given_variance(d, V):
        contrasts = _Contrasts(d, V, X)
        weights = 1 / (contrasts.roots + 0.1)
        return contrasts.mean(weights), np.diag(contrasts.covariance(weights))

    means, errors = given_variance(centred(direct.mean), 0.0784722 * np.eye(4))
    assert means == pytest.approx([0.739009, -0.674272, 1.376559, -1.441296], abs=1e-6)
    known = direct.score_mean[0] - direct.score_mean[0].mean()
    leverage = 1 / 4 + known**2 / (known @ known)
    kept = 0.1 / (0.1 + 0.0784722)
    assert errors == pytest.approx(0.0784722 * (kept + (1 - kept) * leverage), abs=1e-6)  # g1 + g2
    shared, _ = given_variance(direct.mean, direct.covariance)
    assert centred(shared) == pytest.approx(means, abs=1e-6)
    assert level_variance(direct) > 0


def test_control_variate_against_ppi_python():
    """ppi_mean_pointestimate of ppi-python 0.2.3 gives 3.15235602, with its weight slope / (1 + n / N)."""
    y, f = [3.0, 5, 2, 4, 4, 1], [2.5, 4.2, 2.8, 3.1, 4.4, 1.9]
    more = [3.3, 2.2, 4.8, 1.7, 3.9, 2.6, 4.1, 3.6, 2.9, 1.1, 4.4, 3.0]
    scores = np.array([*f, *more])
    # of two systems that mirror each other only one is to be estimated
    found = direct_means(part(np.array([y, np.negative(y)]), 18), [scores, -scores])
    assert found.slope == pytest.approx([1.2879581151832462])
    assert found.mean - found.mean.mean() == pytest.approx([3.15235602, -3.15235602])


@pytest.mark.slow
def test_random_topics_against_statsmodels():
    mixedlm = pytest.importorskip("statsmodels.regression.mixed_linear_model")
    y, f = made(0, n_systems=6, n_topics=25)
    found = direct_means(y, f, finite=False)
    scores = f - f.mean(axis=0)
    system, topic = np.indices(y.shape).reshape(2, -1)
    moved = (y - found.slope[0] * scores).ravel()
    other = mixedlm.MixedLM(moved, np.eye(6)[system], groups=topic).fit(reml=True)
    assert other.scale == pytest.approx(found.variance, rel=1e-3)
    assert np.ravel(other.cov_re) == pytest.approx(found.topic_variance, rel=1e-3)
    assert other.fe_params == pytest.approx(found.mean - found.slope[0] * found.score_mean[0], abs=1e-6)


def test_the_posterior_of_many_systems_is_the_mean_at_the_true_variance():
    rng = np.random.default_rng(1)
    x, V = rng.normal(size=400), 0.3 * np.eye(400)
    X = np.column_stack([np.ones(400), x])
    d = x + rng.normal(size=400) * np.sqrt(0.3 + 0.5)
    mean, covariance, _ = hierarchical(d, V, X)
    line = X @ np.linalg.lstsq(X, d, rcond=None)[0]
    assert mean == pytest.approx(line + 0.5 / 0.8 * (d - line), abs=0.15)
    assert np.diag(covariance) == pytest.approx(0.3 * 0.5 / 0.8, rel=0.12)


@pytest.mark.parametrize("method", METHODS_OF_MEANS)
def test_systems_topics_and_scores_may_be_turned_round(method):
    y, f = made(2)
    one, other = (estimate_means(few(y, 8), g, method=method) for g in (f, 100 - 7 * f))
    assert one.mean == pytest.approx(other.mean)
    assert one.covariance == pytest.approx(other.covariance)
    y, f = made(3)
    y[np.random.default_rng(0).random(y.shape) < 0.7] = np.nan
    rows, columns = np.random.default_rng(1).permutation(20), np.random.default_rng(2).permutation(40)
    one = estimate_means(y, f, method=method)
    other = estimate_means(y[rows][:, columns], f[rows][:, columns], method=method)
    assert one.mean[rows] == pytest.approx(other.mean)


def test_a_constant_score_says_nothing():
    y, _ = made(5)
    found, plain = (estimate_means(few(y, 8), f) for f in (np.ones_like(y), None))
    assert found.mean == pytest.approx(plain.mean)
    y, f = made(8)
    assert estimate_means(few(y, 10), method="plain").effective_n_topics == pytest.approx(10)
    assert estimate_means(few(y, 10), f).effective_n_topics > 15
    y, f = made(4)
    found = estimate_means(y, f)
    assert found.mean == pytest.approx(y.mean(axis=1))
    assert np.subtract(*found.interval()) == pytest.approx(0, abs=1e-5)


def test_an_unjudged_system_has_what_its_scores_say_and_several_metrics_help_together():
    y, f = made(6, fit=0.1)
    y = np.where(np.arange(20)[:, None] == 3, np.nan, few(y, 15))
    found = estimate_means(y, f)
    X = np.column_stack([np.ones(19), np.delete(found.direct.score_mean[0], 3)])
    line = np.linalg.lstsq(X, np.delete(found.mean, 3))[0]
    assert found.mean[3] == pytest.approx(line @ [1, found.direct.score_mean[0, 3]], abs=0.1)
    errors = np.diag(found.covariance)
    assert np.median(np.delete(errors, 3)) < errors[3] < 1
    y, f = made(7, fit=0.8)
    other = f - f.mean(axis=1, keepdims=True) + (2 * y.mean(axis=1) - f.mean(axis=1))[:, None]
    truth = centred(y.mean(axis=1))
    errors = [((centred(estimate_means(few(y, 5), g).mean) - truth) ** 2).mean() for g in (f, [f, other])]
    assert errors[1] < errors[0] / 2


@pytest.mark.slow
@pytest.mark.parametrize("n_systems", [2, 3, 4])
def test_few_systems_have_the_control_variate(n_systems):
    """Which is no worse than plain means whatever the scores are, and whose differences hold."""
    rng = np.random.default_rng(0)
    squares, held = {"good": [], "worthless": [], "plain": []}, []
    for seed in range(150):
        y, f = made(seed, n_systems=n_systems)
        truth = y.mean(axis=1)
        for name, scores in (("good", f), ("worthless", rng.normal(size=f.shape))):
            found = estimate_means(few(y, 6), scores)
            assert found.method == "control-variate"
            pairs = found.differences(rng)
            differences = truth[pairs.first] - truth[pairs.second]
            held.append((pairs.low <= differences) & (differences <= pairs.high))
            squares[name].append((pairs.difference[0] - differences[0]) ** 2)
            effects = found.effects()
            assert -effects[1] == pytest.approx(effects[2][::-1]) or n_systems > 2
        squares["plain"].append((found.plain.mean[0] - found.plain.mean[1] - differences[0]) ** 2)
    good, worthless, plain = (np.mean(values) for values in squares.values())
    assert good < 0.9 * plain
    assert worthless < 1.1 * plain
    assert 0.92 <= np.mean([together.all() for together in held]) <= 0.98


def errors_of(spoil, n_judged, n_trials=60, **sizes):
    """Mean squared errors of effects against plain means, and the share of intervals that cover the value."""
    ours, theirs, held = [], [], []
    for seed in range(n_trials):
        y, f = made(seed, **sizes)
        truth = centred(y.mean(axis=1))
        found = estimate_means(few(y, n_judged), spoil(f, np.random.default_rng(seed)))
        effect, low, high = found.effects()
        ours.append(((effect - truth) ** 2).mean())
        theirs.append(((centred(found.plain.mean) - truth) ** 2).mean())
        held.append(((low <= truth) & (truth <= high)).mean())
    return np.mean(ours) / np.mean(theirs), np.mean(held)


SPOILT = {
    "good": (lambda f, rng: f, 0.6),
    "worthless": (lambda f, rng: rng.permutation(f), 1.05),
    "reversed": (lambda f, rng: -f, 0.6),
    "biased": (lambda f, rng: f + (rng.permutation(len(f)) < len(f) // 3)[:, None], 1.05),
}


@pytest.mark.slow
@pytest.mark.parametrize("n_judged", [3, 5, 10, 20])
@pytest.mark.parametrize("name", SPOILT)
def test_no_worse_than_plain_means_and_intervals_hold(name, n_judged):
    spoil, most = SPOILT[name]
    ratio, held = errors_of(spoil, n_judged)
    assert ratio <= (most if n_judged <= 10 else 1.05)
    assert 0.92 <= round(held, 3) <= 0.985  # a mean of means may be off by its last bit


@pytest.mark.slow
def test_a_control_variate_of_few_cells_is_no_worse_than_plain_means():
    """A twentieth of the cells tells nothing of the slope; taken all the same, it gave 1.2 times the error."""
    rng = np.random.default_rng(0)
    y, f = (np.array(one) for one in zip(*(made(seed, 16, 100) for seed in range(150)), strict=True))
    y = 2 * y.mean(axis=2, keepdims=True) + rng.normal(size=y.shape)
    f = rng.permuted(f, axis=1)
    judged = rng.random((150, 16 * 100)).argsort(axis=1).reshape(y.shape) < 80
    truth = y.mean(axis=2) - y.mean(axis=(1, 2))[:, None]
    draws = list(zip(np.where(judged, y, np.nan), f, strict=True))
    ours, plain = (
        np.square([estimate_means(*draw, method=method).effects()[0] for draw in draws] - truth).mean()
        for method in ("control-variate", "plain")
    )
    assert ours <= 1.05 * plain


@pytest.mark.slow
def test_simultaneous_intervals_against_tukey():
    rng = np.random.default_rng(0)
    found = simultaneous_differences(np.zeros(6), np.eye(6), rng, df=20, n_draws=100_000)
    half = stats.studentized_range.ppf(0.95, 6, 20)
    assert found.high - found.difference == pytest.approx(half, rel=0.01)


def test_against_a_baseline_against_dunnett():
    rng = np.random.default_rng(0)
    samples = [rng.normal(size=12) + shift for shift in (0, 0.4, 0.9, 1.2)]
    expected = stats.dunnett(*samples[1:], control=samples[0], rng=rng).pvalue
    variance = np.mean([one.var(ddof=1) for one in samples]) / 12
    means = np.array([one.mean() for one in samples])
    pairs = np.array([[1, 0], [2, 0], [3, 0]])
    found = simultaneous_differences(means, variance * np.eye(4), rng, df=44, pairs=pairs, n_draws=100_000)
    assert found.p == pytest.approx(expected, abs=0.005)


def test_equal_means_have_equal_ranks():
    for means, error, ranks in (
        ([1, 5, 3], 1e-8, ([3, 1, 2], [3, 1, 2])),
        ([0, 0, 0], 1, ([1] * 3, [3] * 3)),
    ):
        found = rank_intervals(np.array(means), error * np.eye(3), np.random.default_rng(0))
        assert tuple(one.tolist() for one in found) == ranks
    y = np.array([[1.1, 2.3, 3.2], [0.1, 0.2, 0.4], [2.3, 3.2, 1.1], [3.2, 1.1, 2.3]])
    found = estimate_means(y, method="plain", finite=False)
    assert found.ranks(np.random.default_rng(0))[0].tolist() == [1, 4, 1, 1]


@pytest.mark.slow(after=7)
@pytest.mark.parametrize("method", METHODS_OF_MEANS)
@pytest.mark.parametrize("equal", [0.1, 4 + 2 / 3, 5.0])
@pytest.mark.parametrize("n_judged", [4, 7])
def test_equal_judgments_have_equal_ranks(method, equal, n_judged):
    """Means that rounding had parted were ranked by it; equal judgments tell nothing of those of other topics."""
    f = np.random.default_rng(0).random((16, 7))
    found = estimate_means(part(np.full((16, n_judged), equal), 7), f, method=method, finite=n_judged < 7)
    pairs = found.differences(np.random.default_rng(0))
    assert set(found.ranks(np.random.default_rng(0))[0]) == {1}
    assert (found.effective_n_topics, found.effects()[0].tolist()) == (n_judged, [0] * 16)
    assert (set(pairs.p), set(pairs.low), set(found.interval()[1])) == ({1}, {-np.inf}, {np.inf})
    if n_judged == 7:
        assert np.ptp(estimate_means(np.full((16, 7), equal), f, method=method).interval()) < 0.01


def test_a_plan_foresees_the_widths_that_come():
    y, f = made(9, n_systems=30)
    found = plan_precision(estimate_means(few(y, 8), f), np.array([8, 20, 40]), np.random.default_rng(0))
    for n, (middle, low, high) in zip([8, 20], found.width, strict=False):
        _, least, most = estimate_means(few(y, n), f).effects()
        assert low <= np.mean(most - least) <= high
        assert low < middle < high
    assert found.width[2] == pytest.approx(0)
    assert (np.diff(found.plain_width) < 0).all()


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("method", ["hierarchical", "control-variate", "plain"])
def test_a_plan_for_as_many_topics_foresees_the_pilots_own_widths(method):
    """Of plain means too; without the errors that topics tell it foresaw .93 to .94 of them."""
    ratios = []
    for seed in range(12):
        y, f = made(seed, n_systems=30)
        pilot = estimate_means(few(y, 8), f, method=method)
        found = plan_precision(pilot, np.array([8]), np.random.default_rng(0))
        plain = estimate_means(few(y, 8), method="plain")
        widths = [np.mean(np.subtract(*one.effects()[:0:-1])) for one in (pilot, plain)]
        ratios.append(np.array([found.width[0, 0], found.plain_width[0]]) / widths)
    assert np.mean(ratios, axis=0) == pytest.approx(1, abs=0.06)


@pytest.mark.slow
def test_a_wholly_judged_year_plans_for_campaigns_that_tell_the_variance_themselves():
    """With scores nearly right of systems few topics tell little of the line: .76 of the width was promised."""
    ratios = []
    for seed in range(6):
        y, f = made(seed, n_systems=16, fit=0.1)
        plan = plan_precision(estimate_means(y, f), np.array([5, 10, 20, 30]), np.random.default_rng(0))
        come = [np.mean(np.subtract(*estimate_means(few(y, n), f).effects()[:0:-1])) for n in (5, 10, 20, 30)]
        ratios.append(plan.width[:, 0] / come)
    assert np.mean(ratios, axis=0) == pytest.approx(1, abs=0.15)


@pytest.mark.parametrize("method", METHODS_OF_MEANS)
def test_judgments_without_an_error_have_narrow_intervals(method):
    y, _ = made(0, n_systems=8, n_topics=6)
    found = estimate_means(part(y[:, :3], 6), y, method=method)
    rng = np.random.default_rng(0)
    compared = found.differences(rng)
    assert np.isfinite(found.covariance).all()
    assert (compared.low <= compared.high).all()
    assert found.effective_n_topics > 0
    rank, low, high = found.ranks(rng)
    assert (low <= rank).all()
    assert (rank <= high).all()
    if method != "plain":
        _, effect_low, effect_high = found.effects()
        assert (effect_high - effect_low).max() < 0.05


@pytest.mark.slow(after=5)
@pytest.mark.parametrize("exponent", [-8, -3, 6])
@pytest.mark.parametrize("shift", [0.0, 5.0])
@pytest.mark.parametrize("method", METHODS_OF_MEANS)
def test_the_unit_of_judgments_and_scores_changes_nothing(method, shift, exponent):
    y, f = made(1, n_systems=12, n_topics=20)
    unit = 10.0**exponent
    one = estimate_means(few(y, 6), f, method=method)
    other = estimate_means(few((y + shift) * unit, 6), (f - shift) / unit, method=method)
    for expected, found in zip(one.interval(), other.interval(), strict=True):
        assert found / unit - shift == pytest.approx(expected, rel=1e-6, abs=1e-7)
    pairs, others = (found.differences(np.random.default_rng(0)) for found in (one, other))
    assert others.p == pytest.approx(pairs.p)
    assert others.high / unit == pytest.approx(pairs.high, rel=1e-6)
    for expected, found in zip(*(one.ranks(np.random.default_rng(0)) for one in (one, other)), strict=True):
        assert found.tolist() == expected.tolist()
    assert other.effective_n_topics == pytest.approx(one.effective_n_topics)


def test_errors_as_topics_tell_them_by_hand():
    """Of the worked example: the residuals of judged topics around the plain means, topic by topic."""
    direct = direct_means(part(Y, 6))
    rest = Y - Y.mean(axis=1, keepdims=True)
    expected = rest @ rest.T / (3 * 2) * (1 - 3 / 6)
    contrasts = np.eye(4) - 1 / 4
    assert contrasts @ direct.clustered_covariance @ contrasts == pytest.approx(
        contrasts @ expected @ contrasts
    )
    # two degrees of freedom count as much as the model's two
    found, told = sandwich_covariance(direct.covariance, direct)
    assert told == pytest.approx(direct.clustered_covariance / 2)
    assert found == pytest.approx((direct.clustered_covariance + direct.covariance) / 2)
    effects = [
        (contrasts @ C @ contrasts)[0, 0] for C in (direct.clustered_covariance, direct.covariance, found)
    ]
    assert effects == pytest.approx([0.0868, 0.0799, 0.0833], abs=1e-4)


def test_degrees_of_freedom_are_never_more_than_there_are():
    """Few cells on many topics: most judgments only tell of their topic."""
    y, f = made(0, n_systems=16, n_topics=100)
    y[np.random.default_rng(0).random(y.shape) > 0.06] = np.nan
    found = estimate_means(y, f)
    assert found.df == found.direct.df < found.direct.n_judged_topics / 2


ONE, NONE = np.array([1.0]), np.array([0.0])


@pytest.mark.parametrize("told", [1, 0.75])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_a_variance_is_students_and_two_have_satterthwaites_degrees_of_freedom(confidence, told):
    df = 1 / (told**2 / 6 + (1 - told) ** 2 / 100)
    found = half_widths(confidence, 4 * ONE, 4 * told * ONE, NONE, topics_df=6, df=100)
    assert found == pytest.approx(2 * stats.t.ppf((1 + confidence) / 2, df))


@pytest.mark.parametrize("spread", [0.05, 0.3, 1.0])
def test_a_mixture_of_normal_errors_has_its_variance_once(spread):
    """The variance has an inverse gamma distribution of mean 1; the wider t held .955 to .976 of such errors."""
    rng = np.random.default_rng(0)
    shape = 2 + 1 / spread
    variances = (shape - 1) / rng.gamma(shape, size=400_000)
    assert variances.mean() == pytest.approx(1, rel=0.01)
    errors = rng.normal(size=variances.size) * np.sqrt(variances)
    how = {"topics_df": np.inf, "df": np.inf}
    half = half_widths(0.95, ONE, NONE, spread * ONE, **how, shares_topics=False)
    assert (np.abs(errors) <= half).mean() == pytest.approx(0.95, abs=0.002)
    assert half_widths(0.95, ONE, NONE, spread * ONE, **how) > half
