"""On the sample, every batched search of all 8,191 subsets equals a plain loop over its estimator."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from classy_aesop import Config, read_corpus
from classy_aesop.config import Place, RunTable, Year
from classy_aesop.errors import DataWarning
from classy_aesop.features.registry import CLASSY2011, columns
from classy_aesop.fitters import CanonicalRegression, NonNegativeRegression, RobustRegression
from classy_aesop.search import KERNELS, SearchResult, search_subsets
from classy_aesop.search.fits import fit_one
from classy_aesop.search.scoring import Selection
from classy_aesop.search.subsets import Training
from classy_aesop.training.years import extract

SAMPLE = Path(__file__).parent.parent.parent / "data_samples"
MEASURES = ["responsiveness", "pyramid", "readability"]
GROUPS = [[at] for at in range(len(CLASSY2011))]
FITTERS = [
    (CanonicalRegression(), 1e-10),
    (NonNegativeRegression(), 1e-10),
    (RobustRegression(), 1e-8),
]


@pytest.fixture(scope="module")
def split():
    corpora = {name: read_corpus(SAMPLE / name) for name in ("2021", "2022")}
    config = Config(years=tuple(map(Year, corpora)), runs=(RunTable("x", "responsiveness"),))
    years = extract(config, corpora)
    return tuple(year.places[Place("A", "all_peers")].design(columns(CLASSY2011), MEASURES) for year in years)


pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("fitter", "tolerance"), FITTERS, ids=lambda value: str(value))
def test_batched_search_against_plain_loop(split, fitter, tolerance):
    masks = np.arange(1, 8192)
    train, select = split
    needed = slice(None) if isinstance(fitter, CanonicalRegression) else slice(0, 1)
    training = Training(train.X, train.Y[:, needed], 0, GROUPS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", DataWarning)
        loop = [fit_one(fitter, training, int(mask))[0] for mask in masks]
    expected = np.column_stack([predict(select.X) for predict in loop])

    solved = KERNELS[type(fitter)](fitter, training).solve(masks)
    found = (select.X @ solved.coef + solved.intercept)[:, solved.owner]
    easy = ~solved.hard
    assert easy.mean() > 0.9
    np.testing.assert_allclose(found[:, easy], expected[:, easy], rtol=0, atol=tolerance)

    result = search_subsets(fitter, [split], GROUPS, target=0, names=CLASSY2011)
    selection = Selection([select], [0], "system")
    scores = np.array([selection.score_any([predict])[0] for predict in loop])
    np.testing.assert_allclose(result.scores[masks - 1], scores, rtol=0, atol=tolerance)
    by_loop = SearchResult(result.names, masks, scores, result.converged, result.notes, result.tie)
    assert by_loop.best().mask == result.best().mask
