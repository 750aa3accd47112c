"""Raters beside metrics, from tables."""

import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest

from classy_aesop.answers.assessors import assessors
from classy_aesop.answers.metrics import evaluate
from classy_aesop.answers.raters import RELIABILITY, rater_reliability
from classy_aesop.errors import InputError
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.raters.rater_reliability import reliability, variance_components
from classy_aesop.significance.raters.ratings import Ratings


@pytest.fixture(scope="module")
def rated(table_of):
    """A metric, and ratings of three raters of whom one missed a summary."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(8, 10)) + np.arange(8)[:, None] / 2
    ratings = {name: truth + rng.normal(size=truth.shape) for name in "PQR"}
    ratings["R"][3, 4] = np.nan
    table = [table_of(values, "human").assign(assessor=name) for name, values in ratings.items()]
    scores = table_of(truth + 2 * rng.normal(size=truth.shape), "m")
    return scores, pd.concat(table, ignore_index=True), ratings


@pytest.mark.slow
def test_the_metric_and_the_rater_meet_the_same_others(rated):
    scores, table, ratings = rated
    found = evaluate(
        scores,
        table,
        level=["system", "input"],
        coefficient=["kendall", "pearson"],
        ceiling=True,
        means="plain",
    ).table
    X = scores.pivot(index="summarizer", columns="topic", values="score").to_numpy()
    Y = np.stack(list(ratings.values()))
    parts = Ratings.from_arrays(Y.ravel(), *(grid.ravel() for grid in np.indices(Y.shape)[[1, 2, 0]]))
    components = variance_components(parts)
    for row in found.to_dict("records"):
        how = {"level": row["level"], "coefficient": row["coefficient"]}
        of_metric, of_rater = [], []
        for one in range(3):
            others = np.nanmean(np.delete(Y, one, axis=0), axis=0)
            others = np.where(np.isnan(Y[one]), np.nan, others)
            of_metric.append(correlation(X, others, **how).value)
            of_rater.append(correlation(Y[one], others, **how).value)
        assert row["of_others"] == pytest.approx(np.mean(of_metric))
        assert row["rater_of_others"] == pytest.approx(np.mean(of_rater))
        if row["coefficient"] == "pearson":
            assert row["ceiling"] == pytest.approx(reliability(parts, components, level=row["level"]).ceiling)
            assert row["value"] < row["ceiling"]
        else:
            assert np.isnan(row["ceiling"])


@pytest.mark.slow
def test_without_raters_or_with_one_nothing_is_said_of_them(rated):
    scores, table, _ = rated
    assert not {"ceiling", "of_others", "rater_of_others"} & set(evaluate(scores, table).table)
    once = table.drop(columns="assessor").drop_duplicates(["topic", "summarizer"])
    with pytest.raises(InputError, match="no single ratings"):
        evaluate(scores, once, ceiling=True)
    found = evaluate(scores, table[table["assessor"] == "P"], ceiling=True).table
    assert found[["ceiling", "of_others", "rater_of_others"]].isna().all(axis=None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = evaluate(scores.assign(score=1.0), table, ceiling=True).table
    assert found["of_others"].isna().all()
    assert found["rater_of_others"].notna().all()


@pytest.mark.slow
def test_reliability_of_a_table(rated):
    _, table, ratings = rated
    found = rater_reliability(table).table
    assert list(found) == RELIABILITY.names
    own = found[found["quantity"].str.startswith("variance")]
    assert own["share"].sum() == pytest.approx(1)
    Y = np.stack(list(ratings.values()))
    parts = Ratings.from_arrays(Y.ravel(), *(grid.ravel() for grid in np.indices(Y.shape)[[1, 2, 0]]))
    known = {f"variance: {one.effect}": one.variance for one in variance_components(parts)}
    np.testing.assert_allclose(own["value"], [known[name] for name in own["quantity"]])
    (ceiling,) = found.loc[(found["quantity"] == "ceiling") & (found["level"] == "input"), "value"]
    assert ceiling == pytest.approx(reliability(parts, variance_components(parts), level="input").ceiling)
    with pytest.raises(InputError, match="no single ratings"):
        rater_reliability(table.drop(columns="assessor"))
    wide = table.pivot(index=["topic", "summarizer", "assessor"], columns="metric", values="score")
    found = rater_reliability(wide.reset_index()).table
    np.testing.assert_allclose(found["value"], rater_reliability(table).table["value"])
    # Three equal ratings of each summary are not one rating of it.
    alike, single = table.assign(score=1.0), table[table["assessor"] == "P"]
    for part, why in ((alike, "nothing varies"), (single, "one rating a summary")):
        found = rater_reliability(part).table
        assert set(found.loc[found["quantity"] == "reliability", "flag"]) == {why}


def test_a_rating_that_is_given_twice_is_refused(rated):
    scores, table, _ = rated
    again = pd.concat([table, table[:1]], ignore_index=True)
    beside = partial(evaluate, scores, ceiling=True)
    for asked in (rater_reliability, assessors, beside):
        with pytest.raises(InputError, match=r"human is given twice by assessor 'P'; expected once"):
            asked(again)
