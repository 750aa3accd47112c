import pytest

from classy_aesop.data.topics import Reference, Summary, Topic
from classy_aesop.features import feature_table
from classy_aesop.features.registry import (
    ALONE_FEATURES,
    CONSENSUS,
    DEFAULT_FEATURES,
    TOPICWISE,
    columns,
    ordered,
)
from classy_aesop.text.ngram_graphs import Graphs
from classy_aesop.text.ngrams import Ngrams
from classy_aesop.text.subsequences import Lines

TEXT = ("Storms hit the coast.", "Rain fell on the hills.")
TOPIC = Topic("", "D1", "", (Summary("1", TEXT), Summary("2", TEXT[:1])), (Reference("A", TEXT),))


def test_sets():
    assert ordered(CONSENSUS) == columns(["consensus"])
    assert ordered(DEFAULT_FEATURES) == ordered(ALONE_FEATURES) + ordered(CONSENSUS)
    assert set(ordered(TOPICWISE)) < set(ordered(DEFAULT_FEATURES))


@pytest.mark.parametrize(
    "costly",
    [(Graphs, "value_similarities"), (Lines, "subsequences"), (Ngrams, "trigrams"), (Ngrams, "fourgrams")],
    ids=lambda part: part[1],
)
def test_what_the_lean_set_leaves_out_is_not_computed(monkeypatch, costly):
    def refused(_):
        raise AssertionError("computed")

    monkeypatch.setattr(*costly, property(refused))
    with pytest.raises(AssertionError, match="computed"):
        feature_table([TOPIC], names=ALONE_FEATURES)
    assert feature_table([TOPIC], names=TOPICWISE).notna().all(axis=None)
