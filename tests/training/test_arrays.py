"""The rows of several years together, and folds of their topics."""

import numpy as np
import pandas as pd

from classy_aesop.search import Design
from classy_aesop.training.year_arrays import Rows


def design(seed, n_summarizers=8, n_topics=6):
    rng = np.random.default_rng(seed)
    who, topic = np.repeat(np.arange(n_summarizers), n_topics), np.tile(np.arange(n_topics), n_summarizers)
    return Design(rng.normal(size=(who.size, 3)), rng.normal(size=(who.size, 1)), who, topic)


def named(design, name=str):
    """Name the topics and the summarizers of a design, as the table of a year does."""
    names = {"topic": map(name, design.topics), "summarizer": map(str, design.summarizers)}
    return pd.DataFrame({**names, "human": False})


def test_topics_of_one_name_are_on_one_side():
    one, two = design(0), design(1)
    stacked = Rows.join([one, two], [named(one, lambda t: f"D{t}"), named(two, lambda t: f"D{t + 3}")])
    assert np.unique(stacked.topics).size == 12
    for part in (stacked, stacked.take(stacked.topic_names % 3 > 0)):
        folds = part.topic_folds(3, 0)
        np.testing.assert_array_equal(np.sum(folds, axis=0), 1)
        for held in folds:
            assert held.any()
            assert not set(part.topic_names[held]) & set(part.topic_names[~held])
    assert np.unique(stacked.topic_names).size == 9
