"""The search against a plain loop written from the definitions, with pandas for means and topics."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import Ridge

from classy_aesop.fitters import CanonicalRegression, NonNegativeRegression, RobustRegression
from classy_aesop.search import Rows, search_subsets
from tests.search.conftest import GROUPS

NAMES = [f"f{k}" for k in range(13)]
FITTERS = [CanonicalRegression(), NonNegativeRegression(), RobustRegression()]
SLOW_IF_ROBUST = [*FITTERS[:2], pytest.param(FITTERS[2], marks=pytest.mark.slow)]
LEVELS = ["system", "input", "global", "centred"]


def correlation(a, b):
    return np.corrcoef(a, b)[0, 1] if np.ptp(a) > 1e-9 and np.ptp(b) > 0 else np.nan


def score_at(level, table):
    if level == "system":
        means = table.groupby("who")[["p", "y"]].mean()
        return correlation(means.p, means.y)
    if level == "input":
        return np.nanmean([correlation(part.p, part.y) for _, part in table.groupby("topic")])
    if level == "centred":
        table = table[["p", "y"]] - table.groupby("topic")[["p", "y"]].transform("mean")
    return correlation(table.p, table.y)


def loop(fitter, splits, groups, mask, *, target, level="system", fit_level="summary"):
    """Fit, predict and score one subset, by the definitions."""
    columns = [column for k, group in enumerate(groups) if mask >> k & 1 for column in group]
    tables = []
    for train, select in splits:
        train, select = train.select_columns(columns), select.select_columns(columns)
        fitted = (train.means() if fit_level == "system" else train).fit(fitter, target)
        select = select.take(select.mark_complete_rows([target]))
        table = pd.DataFrame({"who": select.summarizers, "topic": select.topics})
        tables.append(table.assign(y=select.Y[:, target], p=fitted.predict(select.X)))
    return score_at(level, pd.concat(tables))


def loop_of_all(fitter, splits, groups, masks, **ask):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = np.array([loop(fitter, splits, groups, int(mask), **ask) for mask in masks])
    return np.where(np.isnan(scores), -np.inf, scores)


def compare(fitter, splits, groups, masks, *, tolerance=1e-10, target=0, **levels):
    result = search_subsets(fitter, splits, groups, target=target, names=NAMES[: len(groups)], **levels)
    fitter = clone(fitter).set_params(target=target) if isinstance(fitter, CanonicalRegression) else fitter
    expected = loop_of_all(fitter, splits, groups, masks, target=target, **levels)
    np.testing.assert_allclose(result.scores[masks - 1], expected, rtol=0, atol=tolerance)
    return result


def seeded_masks(n):
    return np.sort(np.random.default_rng(7).choice(np.arange(1, 8192), n, replace=False))


@pytest.mark.slow
@pytest.mark.parametrize("fit_level", ["summary", "system"])
@pytest.mark.parametrize("fitter", SLOW_IF_ROBUST, ids=str)
def test_search_against_plain_loop(years, fitter, fit_level):
    result = compare(fitter, [years], GROUPS[False], seeded_masks(100), fit_level=fit_level)
    again = compare(fitter, [years], GROUPS[False], result.masks[result.ranking(20)], fit_level=fit_level)
    assert again.best() == result.best()


@pytest.mark.slow
@pytest.mark.parametrize("fit_level", ["summary", "system"])
@pytest.mark.parametrize("fitter", SLOW_IF_ROBUST, ids=str)
def test_search_against_plain_loop_on_pairs_of_columns(update_years, fitter, fit_level):
    compare(fitter, [update_years], GROUPS[True], seeded_masks(40), fit_level=fit_level, target=2)


def multiple_correlation(table, measures):
    """The correlation of p with its least-squares fit by all measures."""
    design = np.column_stack([np.ones(len(table)), table[measures]])
    fitted = design @ np.linalg.lstsq(design, table.p, rcond=None)[0]
    return correlation(table.p, fitted)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("level", ["system", "global", "input"])
@pytest.mark.parametrize("fitter", [CanonicalRegression(), NonNegativeRegression()], ids=str)
def test_a_combination_of_all_measures_selects_by_the_multiple_correlation(years, fitter, level):
    """Rankel (2016), the end of section 5.5."""
    groups, target = GROUPS[False][:4], 1
    result = search_subsets(
        fitter, [years], groups, target=target, names=NAMES[:4], level=level, coefficient="combination"
    )
    by_target = search_subsets(fitter, [years], groups, target=target, names=NAMES[:4], level=level)
    assert np.all(result.scores >= by_target.scores - 1e-12)  # the target is one of the combinations
    train, select = years
    for mask in (1, 6, 15):
        columns = [k for k in range(4) if mask >> k & 1]
        fitted = train.select_columns(columns).fit(clone(fitter), target)
        measures = [f"y{k}" for k in range(select.Y.shape[1])]
        table = pd.DataFrame(select.Y, columns=measures).assign(
            p=fitted.predict(select.X[:, columns]), who=select.summarizers, topic=select.topics
        )
        if level == "system":
            expected = multiple_correlation(table.groupby("who").mean(), measures)
        elif level == "global":
            expected = multiple_correlation(table, measures)
        else:
            expected = np.mean([multiple_correlation(rows, measures) for _, rows in table.groupby("topic")])
        assert result.scores[mask - 1] == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_folds_are_scored_together(years, level):
    whole = years[0]
    splits = [
        (whole.take(whole.topics % 3 != fold), whole.take(whole.topics % 3 == fold)) for fold in range(3)
    ]
    for fitter in FITTERS[:2]:
        compare(fitter, splits, GROUPS[False], seeded_masks(20), level=level)


def gaps(design, seed):
    rng = np.random.default_rng(seed)
    X, Y = design.X.copy(), design.Y.copy()
    for columns in ([0], [3, 7]):
        X[np.ix_(rng.choice(len(X), 25, replace=False), columns)] = np.nan
    for target in (0, 2):
        Y[rng.choice(len(Y), 20, replace=False), target] = np.nan
    return Rows(X, Y, design.summarizers, design.topics)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["system", "input"])
@pytest.mark.parametrize("fit_level", ["summary", "system"])
@pytest.mark.parametrize("fitter", FITTERS, ids=str)
def test_missing_values_cost_only_the_subsets_that_use_them(years, fitter, fit_level, level):
    split = gaps(years[0], 1), gaps(years[1], 2)
    compare(fitter, [split], GROUPS[False][:9], np.arange(1, 512, 13), level=level, fit_level=fit_level)


@pytest.mark.slow
@pytest.mark.parametrize("fitter", FITTERS, ids=str)
def test_number_of_jobs_changes_nothing(years, fitter):
    small = [(years[0].take(slice(0, 200)), years[1])]
    runs = [
        search_subsets(fitter, small, GROUPS[False][:11], target=0, names=NAMES[:11], n_jobs=n_jobs)
        for n_jobs in (1, 2, 4)
    ]
    for other in runs[1:]:
        np.testing.assert_array_equal(other.scores, runs[0].scores)
        np.testing.assert_array_equal(other.notes, runs[0].notes)
        np.testing.assert_array_equal(other.ranking(100), runs[0].ranking(100))


@pytest.mark.slow
def test_fitter_without_a_kernel(years):
    groups = [[0], [2, 3], [8], [12]]
    assert set(compare(Ridge(), [years], groups, np.arange(1, 16)).to_frame().note) == {"fitted by itself"}


def test_constant_columns_get_nothing(years):
    train, select = years
    X = train.X.copy()
    X[:, 1] = 0.1
    split = [(Rows(X, train.Y, train.summarizers, train.topics), select)]
    for fitter in FITTERS:
        result = search_subsets(fitter, split, [[0], [1], [2]], target=0, names=["a", "b", "c"])
        assert result.scores[0b010 - 1] == -np.inf
        assert result.scores[0b011 - 1] == pytest.approx(result.scores[0b001 - 1], abs=1e-12)
        assert result.to_frame().note[1] == "constant columns left out; constant prediction"
        assert "b" not in result.best().names


@pytest.mark.slow
@pytest.mark.parametrize(("fitter", "largest"), [(FITTERS[0], 5), (FITTERS[1], 5), (FITTERS[2], 4)], ids=str)
def test_fewer_rows_than_columns(years, fitter, largest):
    train = years[0].take(slice(0, 120, 20))  # six rows
    result = search_subsets(fitter, [(train, years[1])], GROUPS[False], target=1, names=NAMES)
    frame = result.to_frame()
    np.testing.assert_array_equal(frame.note.str.contains("too few rows"), frame.n_names > largest)
    assert np.all(result.scores[frame.n_names > largest] == -np.inf)
    with pytest.raises(ValueError, match="no subset can be fitted: 1 rows"):
        search_subsets(fitter, [(train.take([0]), years[1])], GROUPS[False], target=1, names=NAMES)


def test_more_names_than_a_search_takes_are_refused(years):
    with pytest.raises(ValueError, match="at most 20: leave names out"):
        search_subsets(FITTERS[1], [years], [[0]] * 21, target=0, names=["a"] * 21)


def test_a_target_without_variation_has_no_score(years):
    constant = [
        Rows(design.X, np.where([True, False, True], design.Y, 2.0), design.summarizers, design.topics)
        for design in years
    ]
    ask = {"names": NAMES[:3]}
    assert search_subsets(CanonicalRegression(), [constant], GROUPS[False][:3], target=0, **ask).has_winner
    assert not search_subsets(
        CanonicalRegression(), [constant], GROUPS[False][:3], target=1, **ask
    ).has_winner
