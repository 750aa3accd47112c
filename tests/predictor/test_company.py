"""What a predictor without references makes of the other systems of a topic: its limits, and what it says of them."""

import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from classy_aesop import DataWarning, read_corpus, train
from classy_aesop.config import make_config
from classy_aesop.config.keys import Year
from classy_aesop.data.topics import Summary
from classy_aesop.features.counts import FeatureOptions

TABLES = Path(__file__).parents[2] / "classy_aesop/sample/tutorial"


pytestmark = pytest.mark.slow  # learns for ten seconds


@pytest.fixture(scope="module")
def predictor():
    corpus = read_corpus(TABLES / "spring.csv")
    config = make_config([Year("spring")], {"spring": corpus}, ["responsiveness"])
    without = FeatureOptions(references="none")
    return train(replace(config, features=without), {"spring": corpus}).trained[0].predictor


@pytest.fixture(scope="module")
def corpus():
    return read_corpus(TABLES / "autumn.csv")


def means(predictor, topics):
    """Predicted means of systems, best first."""
    found = predictor.means(predictor.predict(topics)).set_index("summarizer")["mean"]
    return found.sort_values(ascending=False)


def changed(topics, change):
    """Give each topic other summaries."""
    return [replace(topic, summaries=tuple(change(topic))) for topic in topics]


def only(n):
    return lambda topic: topic.summaries[:n]


def told(predictor, topics):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        predictor.predict(topics)
    return [str(one.message) for one in found]


def test_systems_that_are_near_copies_are_not_told_apart_and_it_says_so(predictor, corpus):
    def alike(topic):
        first = topic.summaries[0]
        return [Summary(one.summarizer, first.text, first.human) for one in topic.summaries]

    said = told(predictor, changed(corpus.topics, alike))
    assert said == [
        f"predictor {predictor.name}: 12 topics have systems that share only near copies, so consensus "
        "cannot distinguish them: D2201, D2202, D2203, D2204, D2205 and 7 more"
    ]


def test_too_few_systems_are_scored_alone_and_it_says_what_to_do(predictor, corpus):
    topics = changed(corpus.topics, only(2))
    said = told(predictor, topics)
    assert len(said) == 1
    assert (
        "12 topics have fewer than 3 summaries to compare, so each is scored alone; add what other systems wrote"
        in said[0]
    )
    with pytest.warns(DataWarning, match="fewer than 3 summaries"):
        assert set(predictor.predict(topics)["form"]) == {"alone"}
    assert told(predictor.to_standalone(), topics) == []


def test_three_systems_are_compared_as_it_was_learned_in_small_groups(predictor, corpus):
    """Without a formula for few the same systems would be scored by how they are written alone."""
    topics = changed(corpus.topics, only(3))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        few, many = predictor.predict(topics), replace(predictor, within=replace(predictor.within, few=None))
        assert set(few["form"]) == {"few"}
        assert few["score"].tolist() != many.predict(topics)["score"].tolist()
        eight = changed(corpus.topics, only(8))
        assert predictor.predict(eight)["score"].tolist() == many.predict(eight)["score"].tolist()


def test_fewer_systems_than_were_learned_with_are_warned_of(predictor, corpus):
    assert told(predictor, corpus.topics) == []
    (said,) = told(predictor, changed(corpus.topics[:2], only(8)))
    assert said.endswith(
        "2 topics have fewer systems than the 12 of training, so scores are less accurate: D2201, D2202"
    )


def test_humans_among_systems_change_no_system(predictor, corpus):
    def joined(topic):
        return *topic.summaries, Summary("A", topic.references[0].text, human=True)

    with_humans = predictor.predict(changed(corpus.topics, joined))
    systems = with_humans[with_humans["summarizer"] != "A"]
    assert systems["score"].tolist() == predictor.predict(corpus)["score"].tolist()
    assert set(with_humans.loc[with_humans["summarizer"] == "A", "form"]) == {"alone"}
