import subprocess
import sys

import numpy as np
import pytest

from classy_aesop.features import registry
from classy_aesop.features.counts import topic_counts
from classy_aesop.features.peers import Peers
from classy_aesop.features.registry import FEATURES, feature, side_by_side
from classy_aesop.features.sources import Sources
from classy_aesop.text.tokens import rouge_blanked
from classy_aesop.text.vocabulary import Vocabulary


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
        return Sources.of(references, summaries, Vocabulary(rouge_blanked))
    n_summaries = topic.summaries.n_texts
    no_topic, is_human = np.zeros(n_summaries, np.intp), np.arange(n_summaries) == 0
    return Peers(topic.summaries, no_topic, is_human) if known.kind == "peers" else topic


@pytest.mark.parametrize("seed", range(10))
def test_every_value_lies_within_its_bounds(seed):
    rng = np.random.default_rng(seed)
    words = ["a", "b", "C", "D", "3", ".", ",", "“", ")", "Это", "it", "também", "🙂", "\u0301"]
    texts = [[" ".join(rng.choice(words, 7)) for _ in range(rng.integers(0, 4))] for _ in range(9)]
    topic, _ = topic_counts(texts[:6], texts[6:], np.ones((6, 3), bool), vocabulary=Vocabulary(str.lower))
    for name, known in FEATURES.items():
        values, (least, greatest) = known.function(given(known, topic, texts[6:], texts[:6])), known.bounds
        assert values.shape == (6,)
        assert values.dtype == float
        assert ((values >= least) & (values <= greatest)).all(), name


@pytest.mark.parametrize("name", FEATURES)
def test_no_summaries_and_texts_without_tokens(name):
    for summaries in ([], [[], [""], ["..."], ["a"], ["ß"]]):
        for references in ([], [[]], [["..."], ["a b c d e"]]):
            meets = np.ones((len(summaries), len(references)), bool)
            topic, _ = topic_counts(summaries, references, meets, vocabulary=Vocabulary(rouge_blanked))
            values = FEATURES[name].function(given(FEATURES[name], topic, references, summaries))
            missing = FEATURES[name].kind in ("content", "sources") and not references
            assert np.isnan(values).tolist() == [missing] * len(summaries)
            left_out = FEATURES[name].function(
                given(FEATURES[name], topic.leaving_one_out, references, summaries)
            )
            assert left_out.shape[-1:] == (len(summaries),)


def test_features_side_by_side_are_checked_each():
    one, other, values = FEATURES["r2"], FEATURES["neg_log2_sentences"], np.array([0.5, np.nan])
    found = side_by_side([(one, values), (other, -values)], 2)
    assert np.array_equal(found, np.column_stack([values, -values]), equal_nan=True)
    assert side_by_side([], 3).shape == (3, 0)
    for wrong in ([(one, values), (other, values)], [(other, values)]):
        with pytest.raises(ValueError, match=r"feature neg_log2_sentences is 0\.5; expected -inf to 0"):
            side_by_side(wrong, 2)
    with pytest.raises(ValueError, match=r"feature r2 gives values of shape \(2, 1\); expected \(2,\)"):
        side_by_side([(one, values[:, None])], 2)
    with pytest.raises((ValueError, TypeError)):
        side_by_side([(one, values), (other, np.array(["a", "b"]))], 2)


@pytest.mark.slow
def test_importing_features_loads_nothing_heavy():
    heavy = "{'nltk', 'pandas', 'scipy', 'sklearn', 'joblib', 'tqdm'}"
    code = f"import sys, classy_aesop.baselines, classy_aesop.features; print(*{heavy} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_values_of_a_wrong_shape_or_out_of_bounds_name_the_feature():
    one = FEATURES["r2"]
    values = np.array([0, 1 + 1e-12, np.nan])
    assert one.checked(values, 3) is values
    assert one.checked(np.zeros(0), 0).size == 0
    with pytest.raises(ValueError, match=r"feature r2 gives values of shape \(3,\); expected \(2,\)"):
        one.checked(values, 2)
    with pytest.raises(ValueError, match=r"feature r2 is 1\.5; expected 0 to 1 as it declares"):
        one.checked(np.array([np.nan, 1.5]), 2)
    with pytest.raises(ValueError, match=r"feature r2 is -0\.5; expected 0 to 1"):
        one.checked(np.array([-0.5, 0.5]), 2)
