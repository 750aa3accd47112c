"""What was selected, fitted again: by hand, and averages member by member."""

import dataclasses

import numpy as np
import pytest

from classy_aesop import train
from classy_aesop.config import Place, RunTable
from classy_aesop.fitters import FITTERS
from classy_aesop.training.years import extract

RUN = RunTable("x", "responsiveness", "canonical", peers=("no_models",))


@pytest.mark.slow
def test_refit_on_all_years_by_hand(four, trained_by, config_of, weights):
    found = trained_by(four, "1", "2", "4", refit="all", effects="topic")
    years = extract(config_of("1", "2", "4"), four)
    measures = found.predictor.training["measures"]
    designs = [
        year.places[Place("A", "no_models")].design(found.predictor.columns, measures) for year in years[:2]
    ]
    rows = []
    for design in designs:
        for topic in np.unique(design.topics):
            part = np.column_stack([design.X, design.Y])[design.topics == topic]
            rows.append(part - part.mean(axis=0))
    grand = np.concatenate([np.column_stack([design.X, design.Y]) for design in designs]).mean(axis=0)
    both, n = np.concatenate(rows) + grand, designs[0].X.shape[1]
    fitter = FITTERS["canonical"](target=measures.index("responsiveness")).fit(both[:, :n], both[:, n:])
    np.testing.assert_allclose(weights(found), [*fitter.coef_, fitter.intercept_], rtol=1e-8)
    assert found.predictor.training["refitted_on"] == "1+2"


@pytest.mark.slow
def test_the_average_is_that_of_its_members(corpora, trained_by, config_of):
    """Each member is what the search finds when its names are all there is to fit."""
    found = trained_by(corpora, run="best", choose="average", n_resamples=30)
    assert len(found.subsets.members) > 2
    assert sum(one.weight for one in found.subsets.members) == pytest.approx(1)
    predictions = 0
    for member in found.subsets.members:
        run = dataclasses.replace(RUN, fitter=member.fitter, names=member.subset.names, whole=True)
        alone = train(config_of(run=run), corpora)
        predictions += member.weight * alone.predictions["score"].to_numpy()
    own = train(config_of(run="best", choose="average", n_resamples=30), corpora).predictions
    np.testing.assert_allclose(own["score"], predictions, rtol=1e-9)
