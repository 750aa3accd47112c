"""What is learned depends on no order: neither of the rows of a corpus nor of its topics and judgments."""

import numpy as np
import pytest

from benchmarks.made_up import generate
from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop import train
from classy_aesop.config import Config, RunTable, SearchOptions, Year

YEARS = ("1", "2", "3")
NAMES = ("r2", "coverage", "redundancy1")
LEARNERS = ("ridge", "boosting", "extra_trees", "r2")


@pytest.mark.slow
def test_corpora_in_another_order_give_the_same_predictions():
    made = {name: generate(4, year=name, n_topics=8, n_systems=14, n_humans=4) for name in YEARS}
    config = Config(
        tuple(map(Year, YEARS)),
        runs=(RunTable("x", "responsiveness", peers=("no_models",), tasks=("A",)),),
        search=SearchOptions(names=NAMES, units="features", folds=2, learners=LEARNERS),
    )
    rng = np.random.default_rng(1)

    def corpora(shuffled):
        order = rng.permutation if shuffled else np.arange
        return {
            name: corpus_of_records(
                *([rows[at] for at in order(len(rows))] for rows in (year.summaries, year.judgments))
            )
            for name, year in made.items()
        }

    one, other = (
        train(config, corpora(shuffled)).predictions.set_index(["topic", "summarizer"])["score"]
        for shuffled in (False, True)
    )
    assert np.abs(one - other.reindex(one.index)).max() < 1e-10
