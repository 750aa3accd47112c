"""Scores at any level by any coefficient, also on resamples, are those of the tests of metrics."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from classy_aesop.fitters import CanonicalRegression, NonNegativeRegression, RobustRegression
from classy_aesop.search import Design, ResampleCounts, SearchResult, search_subsets, select_subsets
from classy_aesop.search.kernels.base import Solutions
from classy_aesop.search.subset_scores import COEFFICIENTS, COMBINATION, HeldOutScorer, ResampledScorer
from classy_aesop.significance.choices import CORRELATION_LEVELS
from classy_aesop.significance.correlations.correlation_levels import correlate_at_level
from classy_aesop.significance.equality import rounding_slack

S, T = 8, 6
PLACES = [(level, name) for level in CORRELATION_LEVELS for name in COEFFICIENTS if name != COMBINATION]


def a_year(seed, *, missing=0.2):
    """Make a year of two targets: one of grades with many ties, one without."""
    rng = np.random.default_rng(seed)
    who, topic = np.divmod(np.flatnonzero(rng.random(S * T) > missing), T)
    X = rng.normal(size=(who.size, 3)) + who[:, None] / 3
    X[:, 2] = np.round(X[:, 2])  # predictions by it alone are tied
    y = X @ rng.normal(size=(3, 2)) + rng.normal(size=(who.size, 2))
    return Design(X, np.column_stack([np.round(y[:, 0] / 2), y[:, 1]]), who, topic)


def laid_out(design, values):
    matrix = np.full((S, T), np.nan)
    matrix[design.summarizers, design.topics] = values
    return matrix


def linear(coef):
    every = np.arange(coef.shape[1])
    return Solutions(coef, np.full(every.size, 5.0), every >= 0, every < 0, every)


def one_by_one(X, Z, level, coefficient, topics, summarizers):
    """Correlate the drawn rows and columns of two matrices, -inf for nothing."""
    rows, columns = (np.repeat(np.arange(len(n)), n.astype(int)) for n in (summarizers, topics))
    slacks = rounding_slack(X), rounding_slack(Z)
    cells = np.arange(X.size).reshape(X.shape)[rows][:, columns]
    X, Z = X[rows][:, columns], Z[rows][:, columns]
    value = correlate_at_level(X, Z, ~np.isnan(X), level, coefficient, slacks, cells)[0]
    return -np.inf if np.isnan(value) else value


@pytest.mark.parametrize("missing", [0, 0.2])
@pytest.mark.parametrize(("level", "coefficient"), PLACES)
def test_against_the_coefficient_of_each_prediction(level, coefficient, missing):
    design = a_year(1, missing=missing)
    coef = np.column_stack([np.random.default_rng(9).normal(size=(3, 3)), [0, 0, 1]])
    selection = HeldOutScorer([design], [0, 1], level, coefficient)
    found = selection.score_linear([linear(coef)])
    resamples = ResampleCounts.draw(a_year(1, missing=0), 3, np.random.default_rng(2))
    resampled = ResampledScorer(selection.rows, level, resamples, coefficient).score_linear([linear(coef)])
    every = np.ones(T), np.ones(S)
    for at, weights in enumerate(coef.T):
        for target in (0, 1):
            if coefficient == "tau_ap" and level in ("global", "centred") and (at == 3 or target == 0):
                continue  # of tied cells tau_ap takes the first, and they may lie in any order
            matrices = laid_out(design, design.X @ weights + 5), laid_out(design, design.Y[:, target])
            expected = one_by_one(*matrices, level, coefficient, *every)
            assert found[target, at] == pytest.approx(expected, abs=1e-12)
            for draw, pair in enumerate(resamples.weights()):
                for side, drawn in enumerate(pair):
                    expected = one_by_one(*matrices, level, coefficient, *drawn)
                    assert resampled[side, target, draw, at] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("level", "coefficient"), PLACES)
def test_a_constant_prediction_has_no_score(level, coefficient):
    """As with Pearson's correlation; by ties alone an accuracy would have one."""
    selection = HeldOutScorer([a_year(2)], [0, 1], level, coefficient)
    assert (selection.score_linear([linear(np.zeros((3, 2)))]) == -np.inf).all()
    assert (selection.score_predictions([lambda X: np.full(len(X), 0.1)]) == -np.inf).all()


def test_a_topic_with_equal_judgments_counts_for_nothing():
    """Their mean may differ from them by rounding: 7/3 and 10/3 are no numbers of two to the anything."""
    design = a_year(1, missing=0)
    for value in (7 / 3, 10 / 3, 0.1):
        design.Y[design.topics == 2] = value
        coef, kept = np.eye(3), design.take(design.topics != 2)
        everyone = ResampleCounts(np.ones((1, 6)), np.full((1, 8), 3.0))
        for one in (design, kept):
            selection = HeldOutScorer([one], [0], "input")
            drawn = ResampledScorer(selection.rows, "input", everyone).score_linear([linear(coef)])[0, :, 0]
            if one is design:
                plain, on_resamples = selection.score_linear([linear(coef)]), drawn
        np.testing.assert_allclose(plain, selection.score_linear([linear(coef)]), atol=1e-12)
        np.testing.assert_allclose(on_resamples, drawn, atol=1e-12)


@pytest.mark.parametrize("coefficient", ["acc_eq", "tau_ap"])
@pytest.mark.parametrize(
    "fitter",
    [CanonicalRegression(), RobustRegression(), NonNegativeRegression()],
    ids=lambda one: type(one).__name__,
)
def test_the_scores_of_a_search_are_those_of_its_predictions(fitter, coefficient):
    """Canonical directions are turned towards each of two targets."""
    train, select = a_year(3), a_year(4)
    found = search_subsets(
        fitter, [(train, select)], [[0], [1], [2]], target=1, names="abc", coefficient=coefficient
    )
    for mask, score in zip(found.masks, found.scores, strict=True):
        used = [column for column in range(3) if mask >> column & 1]
        aimed = fitter.for_target(1) if isinstance(fitter, CanonicalRegression) else fitter
        target = train.Y if isinstance(fitter, CanonicalRegression) else train.Y[:, 1]
        predictions = aimed.fit(train.X[:, used], target).predict(select.X[:, used])
        matrices = laid_out(select, predictions), laid_out(select, select.Y[:, 1])
        expected = one_by_one(*matrices, "system", coefficient, np.ones(T), np.ones(S))
        assert score == pytest.approx(expected, abs=1e-9)


def result(scores, pearson, on_resamples=None, tie=1e-9):
    n = len(scores)
    flags = np.ones(n, bool), np.zeros(n, int)
    return SearchResult(
        ("a", "b"), np.arange(1, n + 1), np.array(scores), *flags, tie, on_resamples, np.array(pearson)
    )


def test_of_equal_scores_the_higher_correlation_wins_then_the_smaller_subset():
    found = result([0.8, 0.8 + 1e-12, 0.8], [0.3, 0.4, 0.4])
    assert [found.subset_at(place).names for place in found.ranking(3)] == [("b",), ("a", "b"), ("a",)]
    assert result([0.8, 0.8, 0.9], [0.3, 0.4, 0.1]).best().names == ("a", "b")
    assert found.top(1)["pearson"].tolist() == [0.4]


def test_of_fitters_with_equal_scores_the_higher_correlation_is_ahead():
    first, second = result([0.8, 0.7, 0.6], [0.3, 0.9, 0.9]), result([0.6, 0.8, 0.8], [0.9, 0.4, 0.2])
    found = select_subsets({"first": first, "second": second})
    assert [(one.fitter, one.subset.names) for one in found.members] == [("second", ("b",))]
    assert select_subsets({"first": first, "again": first}).fitters == ("first",)


def test_the_same_rule_on_resamples():
    """Inside, outside, and Pearson's inside: it decides the first resample, the second has one winner."""
    on_resamples = np.array(
        [[[0.8, 0.8, 0.1], [0.5, 0.6, 0.9]], [[0.2, 0.3, 0.4]] * 2, [[0.5, 0.6, 0.7], [0.9, 0.8, 0.1]]]
    )
    found = result([0.8, 0.7, 0.6], [0.3, 0.9, 0.9], on_resamples)
    average = select_subsets({"x": found}, "average")
    assert [(one.subset.names, one.weight) for one in average.members] == [(("b",), 0.5), (("a", "b"), 0.5)]
    assert average.corrected == pytest.approx(0.35)
    assert found.inclusion(3)["resamples"].tolist() == [0.5, 1.0]


NAMES = ("a", "b", "c", "d")
GROUPS = [[0], [1], [2], [3]]
CORRELATION_LEVELS = ["system", "input", "global", "centred"]


def year(seed, *, n_summarizers=8, n_topics=5):
    rng = np.random.default_rng(seed)
    who, topic = np.repeat(np.arange(n_summarizers), n_topics), np.tile(np.arange(n_topics), n_summarizers)
    X = rng.normal(size=(who.size, 4)) + who[:, None] / 4
    Y = X @ [[1, 0], [0.5, 1], [0, 1], [0, 0]] + rng.normal(size=(who.size, 2))
    return Design(X, Y, who, topic)


def written_out(design, topics, summarizers):
    """Repeat summarizers and topics as often as drawn, each copy under a name of its own."""
    rows = [
        (row, 10 * design.summarizers[row] + i, 10 * design.topics[row] + j)
        for row in range(len(design.X))
        for i in range(int(summarizers[design.summarizers[row]]))
        for j in range(int(topics[design.topics[row]]))
    ]
    row, who, topic = (np.array(values) for values in zip(*rows, strict=True))
    return Design(design.X[row], design.Y[row], who, topic)


def splits_of(folds):
    if not folds:
        return [(year(0), year(1))]
    whole = year(0)
    held = [np.isin(whole.topics, part) for part in ([0, 1], [2, 3, 4])]
    return [(whole.take(~fold), whole.take(fold)) for fold in held]


@pytest.mark.slow(after=3)
@pytest.mark.parametrize("folds", [False, True])
@pytest.mark.parametrize("level", CORRELATION_LEVELS)
@pytest.mark.parametrize("fitter", [CanonicalRegression(), NonNegativeRegression(), RobustRegression()])
def test_scores_on_resamples_against_rows_written_out(fitter, level, folds):
    splits = splits_of(folds)
    resamples = ResampleCounts.draw(year(0), 3, np.random.default_rng(5))
    ask = {"target": 1, "names": NAMES, "level": level}
    found = search_subsets(fitter, splits, GROUPS, resamples=resamples, **ask)
    np.testing.assert_array_equal(found.scores, search_subsets(fitter, splits, GROUPS, **ask).scores)
    for at, sides in enumerate(resamples.weights()):
        for side, weights in enumerate(sides):
            drawn = [(train, written_out(select, *weights)) for train, select in splits]
            expected = search_subsets(fitter, drawn, GROUPS, **ask).scores
            np.testing.assert_allclose(found.on_resamples[side, at], expected, atol=1e-7)


def test_subsets_that_are_fitted_by_themselves_and_missing_rows():
    """A column that is the sum of two others leaves the estimator to decide; a missing cell costs its subsets a row."""
    train, select = year(0), year(1)
    for one in (train, select):
        one.X[:, 3] = one.X[:, 0] + one.X[:, 1]
    select.X[7, 2] = np.nan
    resamples = ResampleCounts.draw(select, 3, np.random.default_rng(5))
    ask = {"target": 0, "names": NAMES}
    found = search_subsets(CanonicalRegression(), [(train, select)], GROUPS, resamples=resamples, **ask)
    assert (found.notes & 8).any()
    drawn = [(train, written_out(select, *next(resamples.weights())[0]))]
    expected = search_subsets(CanonicalRegression(), drawn, GROUPS, **ask).scores
    np.testing.assert_allclose(found.on_resamples[0, 0], expected, atol=1e-7)


def test_resamples_of_a_fitter_without_them_are_refused():
    resamples = ResampleCounts.draw(year(1), 2, np.random.default_rng(5))
    with pytest.raises(ValueError, match="Ridge is not a linear fitter of this package"):
        search_subsets(Ridge(), splits_of(False), GROUPS, target=0, names=NAMES, resamples=resamples)
    many = [[0]] * 17
    with pytest.raises(
        ValueError, match="131071 subsets on 2 resamples; with resamples a search takes at most 65536"
    ):
        search_subsets(
            CanonicalRegression(),
            splits_of(False),
            many,
            target=0,
            names=[f"n{k}" for k in range(17)],
            resamples=resamples,
        )
