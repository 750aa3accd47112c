"""Small experiments on made-up years that several tests train."""

import numpy as np
import pytest

from benchmarks.made_up import generate
from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop import Config, train
from classy_aesop.config import RunTable, SearchOptions, Year

NAMES = ("r2", "coverage", "redundancy1", "neg_log2_sentences")


@pytest.fixture(scope="session")
def config_of():
    """Make a configuration of years by name: one run on task A, by the method of 2011 but for some options."""

    def make(*names, run="canonical", method="classy2011", **options):
        if isinstance(run, str):
            run = RunTable("x", "responsiveness", run, peers=("no_models",))
        years = tuple(map(Year, names or ("2021", "2022", "2023")))
        search = SearchOptions.from_method(method, **{"names": NAMES, **options})
        return Config(years, runs=(run,), search=search, tasks=("A",))

    return make


@pytest.fixture(scope="session")
def trained_by(config_of):
    """Train such a configuration and give its only run."""

    def trained(corpora, *names, **options):
        [found] = train(config_of(*names, **options), corpora).trained
        return found

    return trained


@pytest.fixture(scope="session")
def weights():
    """Give the weights of a trained run with its constant."""
    return lambda trained: np.array([*trained.predictor.formula.weights, trained.predictor.formula.intercept])


@pytest.fixture(scope="module")
def four():
    """Four made-up years by name."""
    made = {
        name: generate(4, year=name, n_topics=5, n_systems=6, n_humans=4) for name in ("1", "2", "3", "4")
    }
    return {name: corpus_of_records(year.summaries, year.judgments) for name, year in made.items()}
