from collections import Counter

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

from classy_aesop.features.content import js_divergence1, js_divergence2
from classy_aesop.features.counts import jackknifed, topic_counts
from classy_aesop.text.vocabulary import Vocabulary

FEATURES = [js_divergence1, js_divergence2]


def test_divergence_by_hand(values):
    # p = (1, 0), q = (1/2, 1/2): (log2(4/3) + log2(2/3) / 2 + 1/2) / 2
    expected = (np.log2(4 / 3) + np.log2(2 / 3) / 2 + 1 / 2) / 2
    assert values(js_divergence1, [["a"]], [["a b"]]) == pytest.approx([expected])
    # bigrams ab against ab and bc, of two references pooled
    assert values(js_divergence2, [["a b"]], [["a b"], ["b c"]]) == pytest.approx([expected])


@pytest.mark.parametrize("function", FEATURES)
def test_divergence_from_itself_is_zero_and_from_nothing_one(values, function):
    summaries = [["a b c", "a b"], ["x y z"], [], ["a"]]
    assert values(function, summaries, [["a b c", "a b"]])[:3] == pytest.approx([0, 1, 1], abs=1e-15)
    assert values(function, summaries, [[]]) == [1, 1, 1, 1]
    assert np.isnan(values(function, summaries)).all()


def test_one_token_has_no_bigram(values):
    assert values(js_divergence2, [["a"]], [["a b"]]) == [1]


def grams(text, n):
    return Counter(zip(*(text[place:] for place in range(n)), strict=False))


@pytest.mark.parametrize("seed", range(8))
def test_divergence_against_scipy(seed, values):
    rng = np.random.default_rng(seed)
    texts = [rng.choice(list("abcdef"), rng.integers(3, 20)).tolist() for _ in range(7)]
    for n, function in enumerate(FEATURES, 1):
        pooled = sum((grams(text, n) for text in texts[4:]), Counter())
        found = values(function, *([[" ".join(text)] for text in part] for part in (texts[:4], texts[4:])))
        for value, text in zip(found, texts, strict=False):
            own = grams(text, n)
            both = [[counts[gram] for gram in own | pooled] for counts in (own, pooled)]
            assert value == pytest.approx(jensenshannon(*both, base=2) ** 2, abs=1e-12)


@pytest.mark.parametrize("function", FEATURES)
def test_jackknife_against_a_loop(function):
    references = ["a b c", "b c d", "c d e"]
    meets = np.ones((2, 3), bool)

    def counts(references, meets):
        texts = [["a b c d"], ["c d"]], [[reference] for reference in references]
        return topic_counts(*texts, meets, vocabulary=Vocabulary(str.lower))[0]

    sets = [[references[i] for i in range(3) if i != left_out] for left_out in range(3)]
    expected = np.mean([function(counts(kept, meets[:, :2])) for kept in sets], axis=0)
    np.testing.assert_allclose(jackknifed(function, counts(references, meets), np.zeros(2, bool)), expected)
