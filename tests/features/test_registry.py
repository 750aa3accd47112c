"""What a feature declares, and what holds for each of them."""

from pathlib import Path

import numpy as np
import pytest

from classy_aesop.data.topics import Reference, Summary, Topic
from classy_aesop.features import feature_table, registry
from classy_aesop.features.peers import Peers
from classy_aesop.features.registry import (
    ALONE_FEATURES,
    CONSENSUS,
    DEFAULT_FEATURES,
    FEATURES,
    TOPICWISE,
    columns,
    feature,
    sort_features,
    stack_feature_values,
)
from classy_aesop.features.rows import FeatureError
from classy_aesop.features.source_documents import Sources
from classy_aesop.text.common_subsequences import CommonSubsequences
from classy_aesop.text.ngram_graphs import Graphs
from classy_aesop.text.ngrams import Ngrams
from classy_aesop.text.tokens import blank_like_rouge
from classy_aesop.text.vocabulary import Vocabulary
from tests.features.counting import count_texts


def test_decorator_returns_the_function_and_records_it(monkeypatch):
    monkeypatch.setattr(registry, "FEATURES", {})

    def r2(topic):
        return topic

    assert feature(kind="linguistic", group="form", bounds=(0, 2), source="nowhere", why="why not")(r2) is r2
    assert registry.FEATURES["r2"] == ("r2", r2, "linguistic", "form", (0, 2), "nowhere", "why not")


def test_name_taken_is_an_error():
    def su4(topic):
        return topic

    with pytest.raises(ValueError, match="feature 'su4' exists already"):
        feature(kind="content", group="rouge", source="nowhere")(su4)


def test_group_is_one_of_those_known_and_no_feature_has_its_name():
    with pytest.raises(ValueError, match="unknown group 'style'; expected one of classic, "):
        feature(kind="content", group="style", source="nowhere")

    def flow(topic):
        return topic

    with pytest.raises(ValueError, match="feature 'flow' has the name of a group"):
        feature(kind="linguistic", group="flow", source="nowhere")(flow)


def given(known, topic, references, summaries):
    """Give what a feature looks at: the topic, its summaries as peers, or its references as documents.

    The first of the peers is by a human.
    """
    if known.kind == "sources":
        return Sources.from_texts(references, summaries, Vocabulary(blank_like_rouge))
    n_summaries = topic.summaries.n_texts
    no_topic, is_human = np.zeros(n_summaries, np.intp), np.arange(n_summaries) == 0
    return Peers(topic.summaries, no_topic, is_human) if known.kind == "peers" else topic


@pytest.mark.parametrize("seed", range(10))
def test_every_value_lies_within_its_bounds(seed):
    rng = np.random.default_rng(seed)
    words = ["a", "b", "C", "D", "3", ".", ",", "“", ")", "Это", "it", "também", "🙂", "\u0301"]
    texts = [[" ".join(rng.choice(words, 7)) for _ in range(rng.integers(0, 4))] for _ in range(9)]
    topic = count_texts(texts[:6], texts[6:], np.ones((6, 3), bool), vocabulary=Vocabulary(str.lower))
    for name, known in FEATURES.items():
        values, (least, greatest) = known.function(given(known, topic, texts[6:], texts[:6])), known.bounds
        assert values.shape == (6,)
        assert values.dtype == float
        assert ((values >= least) & (values <= greatest)).all(), name


@pytest.mark.slow(after=14)
@pytest.mark.parametrize("name", FEATURES)
def test_no_summaries_and_texts_without_tokens(name):
    for summaries in ([], [[], [""], ["..."], ["a"], ["ß"]]):
        for references in ([], [[]], [["..."], ["a b c d e"]]):
            meets = np.ones((len(summaries), len(references)), bool)
            topic = count_texts(summaries, references, meets, vocabulary=Vocabulary(blank_like_rouge))
            values = FEATURES[name].function(given(FEATURES[name], topic, references, summaries))
            missing = FEATURES[name].kind in ("content", "sources") and not references
            assert np.isnan(values).tolist() == [missing] * len(summaries)
            assert len(topic.leaving_one_out) == len(references)
            for remaining in topic.leaving_one_out:
                values = FEATURES[name].function(given(FEATURES[name], remaining, references, summaries))
                assert values.shape == (len(summaries),)


def test_features_side_by_side_are_checked_each():
    one, other, values = FEATURES["r2"], FEATURES["neg_log2_sentences"], np.array([0.5, np.nan])
    found = stack_feature_values([(one, values), (other, -values)], 2)
    assert np.array_equal(found, np.column_stack([values, -values]), equal_nan=True)
    assert stack_feature_values([], 3).shape == (3, 0)
    for wrong in ([(one, values), (other, values)], [(other, values)]):
        with pytest.raises(ValueError, match=r"feature neg_log2_sentences is 0\.5; expected -inf to 0"):
            stack_feature_values(wrong, 2)
    with pytest.raises(ValueError, match=r"feature r2 gives values of shape \(2, 1\); expected \(2,\)"):
        stack_feature_values([(one, values[:, None])], 2)
    with pytest.raises((ValueError, TypeError)):
        stack_feature_values([(one, values), (other, np.array(["a", "b"]))], 2)


TEXT = ("Storms hit the coast.", "Rain fell on the hills.")


TOPIC = Topic("", "D1", "", (Summary("1", TEXT), Summary("2", TEXT[:1])), (Reference("A", TEXT),))


def test_sets():
    assert sort_features(CONSENSUS) == columns(["consensus"])
    assert sort_features(DEFAULT_FEATURES) == sort_features(ALONE_FEATURES) + sort_features(CONSENSUS)
    assert set(sort_features(TOPICWISE)) < set(sort_features(DEFAULT_FEATURES))


@pytest.mark.parametrize(
    "costly",
    [
        (Graphs, "value_similarities"),
        (CommonSubsequences, "subsequences"),
        (Ngrams, "trigrams"),
        (Ngrams, "fourgrams"),
    ],
    ids=lambda part: part[1],
)
def test_what_the_lean_set_leaves_out_is_not_computed(monkeypatch, costly):
    def refused(_):
        raise AssertionError("computed")

    monkeypatch.setattr(*costly, property(refused))
    with pytest.raises(FeatureError, match=r"feature \w+, topic D1: AssertionError: computed"):
        feature_table([TOPIC], names=ALONE_FEATURES)
    assert feature_table([TOPIC], names=TOPICWISE).notna().all(axis=None)


PAGE = (Path(__file__).parents[2] / "docs" / "features.md").read_text(encoding="utf-8")


def test_every_source_is_listed():
    listed = PAGE[PAGE.index("## Sources") :]
    for known in FEATURES.values():
        authors, _, year = known.source.partition(")")[0].partition(" (")
        assert f"- {authors.partition(' and others')[0]}" in listed
        assert f"({year}):" in listed
