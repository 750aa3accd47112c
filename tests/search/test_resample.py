"""Scores on resamples are those of the drawn rows written out."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from classy_aesop.fitters import CanonicalRegression, NonNegativeRegression, RobustRegression
from classy_aesop.search import Design, Resamples, search_subsets, search_targets

NAMES = ("a", "b", "c", "d")
GROUPS = [[0], [1], [2], [3]]
LEVELS = ["system", "input", "global", "centred"]


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
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("fitter", [CanonicalRegression(), NonNegativeRegression(), RobustRegression()])
def test_scores_on_resamples_against_rows_written_out(fitter, level, folds):
    splits = splits_of(folds)
    resamples = Resamples.of(year(0), 3, np.random.default_rng(5))
    ask = {"target": 1, "names": NAMES, "level": level}
    found = search_subsets(fitter, splits, GROUPS, resamples=resamples, **ask)
    np.testing.assert_array_equal(found.scores, search_subsets(fitter, splits, GROUPS, **ask).scores)
    for at, sides in enumerate(resamples.pairs()):
        for side, weights in enumerate(sides):
            drawn = [(train, written_out(select, *weights)) for train, select in splits]
            expected = search_subsets(fitter, drawn, GROUPS, **ask).scores
            np.testing.assert_allclose(found.on_resamples[side, at], expected, atol=1e-7)


def test_all_targets_at_once_and_one_by_one():
    resamples = Resamples.of(year(1), 4, np.random.default_rng(5))
    ask = {"names": NAMES, "resamples": resamples}
    both = search_targets(CanonicalRegression(), splits_of(False), GROUPS, targets=[1, 0], **ask)
    for target, found in zip((1, 0), both, strict=True):
        alone = search_subsets(CanonicalRegression(), splits_of(False), GROUPS, target=target, **ask)
        np.testing.assert_allclose(found.on_resamples, alone.on_resamples, atol=1e-9)


def test_subsets_that_are_fitted_by_themselves_and_missing_rows():
    """A column that is the sum of two others leaves the estimator to decide; a missing cell costs its subsets a row."""
    train, select = year(0), year(1)
    for one in (train, select):
        one.X[:, 3] = one.X[:, 0] + one.X[:, 1]
    select.X[7, 2] = np.nan
    resamples = Resamples.of(select, 3, np.random.default_rng(5))
    ask = {"target": 0, "names": NAMES}
    found = search_subsets(CanonicalRegression(), [(train, select)], GROUPS, resamples=resamples, **ask)
    assert (found.notes & 8).any()
    weights = next(resamples.pairs())[0]
    drawn = [(train, written_out(select, *weights))]
    expected = search_subsets(CanonicalRegression(), drawn, GROUPS, **ask).scores
    np.testing.assert_allclose(found.on_resamples[0, 0], expected, atol=1e-7)


def test_workers_change_nothing():
    resamples = Resamples.of(year(1), 4, np.random.default_rng(5))
    ask = {"target": 0, "names": NAMES, "resamples": resamples}
    one, two = (
        search_subsets(RobustRegression(), splits_of(False), GROUPS, n_jobs=n_jobs, **ask)
        for n_jobs in (1, 2)
    )
    assert one.on_resamples.tolist() == two.on_resamples.tolist()


def test_resamples_of_a_fitter_without_them_are_refused():
    resamples = Resamples.of(year(1), 2, np.random.default_rng(5))
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
