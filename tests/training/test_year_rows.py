"""The rows of several years together, and folds of their topics."""

import numpy as np

from classy_aesop.training.year_rows import YearRows, stack_years


def a_year(seed, first_topic, n_summarizers=8, n_topics=6):
    """Make rows of topics whose names are numbers from the first one on."""
    rng = np.random.default_rng(seed)
    who, topic = np.repeat(np.arange(n_summarizers), n_topics), np.tile(np.arange(n_topics), n_summarizers)
    return YearRows(
        X=rng.normal(size=(who.size, 3)),
        Y=rng.normal(size=(who.size, 1)),
        summarizers=who,
        topics=topic,
        years=np.zeros(who.size, int),
        topic_names=topic + first_topic,
        summarizer_names=who,
        human=np.zeros(who.size, bool),
    )


def test_topics_of_one_name_are_on_one_side():
    stacked = stack_years([a_year(0, 0), a_year(1, 3)])
    assert np.unique(stacked.topics).size == 12
    for part in (stacked, stacked.take(stacked.topic_names % 3 > 0)):
        folds = part.topic_folds(3, 0)
        np.testing.assert_array_equal(np.sum(folds, axis=0), 1)
        for held in folds:
            assert held.any()
            assert not set(part.topic_names[held]) & set(part.topic_names[~held])
    assert np.unique(stacked.topic_names).size == 9


def test_years_that_are_stacked_are_numbered_and_share_no_code():
    first, second = a_year(0, 0, n_topics=2), a_year(1, 0, n_topics=3)
    stacked = stack_years([first, second])
    assert stacked.years.tolist() == [0] * 16 + [1] * 24
    assert not {*stacked.summarizers[:16]} & {*stacked.summarizers[16:]}
    assert not {*stacked.topics[:16]} & {*stacked.topics[16:]}
    np.testing.assert_array_equal(stacked.X, np.concatenate([first.X, second.X]))
