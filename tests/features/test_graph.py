import numpy as np
import pytest

from classy_aesop.baselines.graphs import ngram_graphs
from classy_aesop.data.topics import Reference, Summary, Topic
from classy_aesop.features.content import graph_similarity
from classy_aesop.features.counts import FeatureOptions
from classy_aesop.features.table import feature_table


def test_similarity_by_hand(values):
    # "abcd." and a line feed: 3-grams abc bcd cd. d.\n, 6 edges; "abc." has abc bc. c.\n, 3 edges, none of them there
    assert values(graph_similarity, [["abcd."]], [["abcd."], ["abc."]]) == [1 / 2]
    # "abcde": abc bcd cde de\n; "abcd": abc bcd cd\n shares the edge of abc and bcd, 1 of 6
    assert values(graph_similarity, [["abcd"]], [["abcde"]]) == pytest.approx([1 / 6])


def test_short_texts_have_no_graph_and_no_reference_is_nan(values):
    assert values(graph_similarity, [[], ["a"], ["abcd"]], [["abcd"], []]) == [0, 0, 1 / 2]
    assert np.isnan(values(graph_similarity, [["abcd"], []])).all()


@pytest.mark.parametrize("how", ["unequal", "jackknife"])
def test_similarity_against_the_baseline(how):
    rng = np.random.default_rng(1)
    texts = [tuple(" ".join(rng.choice(["ab", "bc", "é"], 5)) for _ in range(3)) for _ in range(6)]
    summaries = tuple(Summary(str(number), text) for number, text in enumerate(texts[:3]))
    references = tuple(Reference(str(number), text) for number, text in enumerate(texts[3:]))
    topic = Topic("2010", "D1", "A", summaries, references)
    options = FeatureOptions(tokenizer="unicode", references=how)
    found = feature_table([topic], options, names=["graph"])["graph_similarity"]
    scores = ngram_graphs([topic], jackknife=how == "jackknife", metrics=["AutoSummENG"])["score"]
    np.testing.assert_allclose(found, scores, rtol=1e-12)
