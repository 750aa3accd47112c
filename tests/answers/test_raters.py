"""How reliable ratings of a table are."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop.answers.assessors import assessors
from classy_aesop.answers.raters import RELIABILITY, rater_reliability
from classy_aesop.errors import InputError
from classy_aesop.significance.raters.rater_reliability import reliability, variance_components
from classy_aesop.significance.raters.ratings import Ratings


@pytest.fixture(scope="module")
def rated(table_of):
    """Ratings of three raters of whom one missed a summary."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(8, 10)) + np.arange(8)[:, None] / 2
    ratings = {name: truth + rng.normal(size=truth.shape) for name in "PQR"}
    ratings["R"][3, 4] = np.nan
    table = [table_of(values, "human").assign(assessor=name) for name, values in ratings.items()]
    return pd.concat(table, ignore_index=True), ratings


@pytest.mark.slow
def test_reliability_of_a_table(rated):
    table, ratings = rated
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
    with pytest.raises(InputError, match="no assessors among the ratings"):
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
    table, _ = rated
    again = pd.concat([table, table[:1]], ignore_index=True)
    for asked in (rater_reliability, assessors):
        with pytest.raises(InputError, match=r"human is given twice by assessor 'P'; expected once"):
            asked(again)
