import numpy as np
import pytest

from classy_aesop.baselines.rouge import rouge
from classy_aesop.data.topics import Reference, Summary, Topic
from classy_aesop.features.content import r1, r3, r4, rl
from classy_aesop.features.table import feature_table

FEATURES = {"r1": r1, "r3": r3, "r4": r4, "rl": rl}


def test_recall_by_hand(values):
    # the cat sat: 2 of 3; the dog the: 2 of 3 and once more "the" is 3 of 3
    summaries = [["The cat", "ran"], ["The dog ran to the dog"], []]
    assert values(r1, summaries, [["The cat sat"], ["The dog the"]]) == [2 / 3, 1, 0]
    assert np.isnan(values(r1, summaries)).all()


def test_longer_sequences_by_hand(values):
    references = [["a b c d", "e"], ["a b c"]]
    # abc bcd cde of the first, abc of the second; abcd bcde of the first, none of the second
    assert values(r3, [["b c d e"], ["a b", "c"], ["a b"], []], references) == [2 / 3, 1, 0, 0]
    assert values(r4, [["b c d e"], ["a b", "c"], ["a b"], []], references) == [1 / 2, 0, 0, 0]


def test_subsequences_by_hand(values):
    # "a c" and "e" of five words; of the second reference, "a" of one
    references = [["a b c", "d e"], ["f"]]
    assert values(rl, [["a x c e"], ["e a", "f"], ["c b a"], []], references) == [3 / 5, 1, 1 / 5, 0]


@pytest.mark.parametrize("name", FEATURES)
def test_no_reference_and_empty_references(values, name):
    assert np.isnan(values(FEATURES[name], [["a b"], []])).all()
    assert values(FEATURES[name], [["a b"], []], [[], ["..."]]) == [0, 0]


@pytest.mark.parametrize("seed", range(5))
def test_one_reference_against_the_baseline(seed):
    rng = np.random.default_rng(seed)

    def text():
        return tuple(" ".join(rng.choice(list("abc"), 6)) for _ in range(rng.integers(0, 4)))

    summaries = tuple(Summary(str(number), text()) for number in range(5))
    topic = Topic("2010", "D1", "A", summaries, (Reference("A", text()),))
    table = feature_table([topic], names=["rouge"])
    for name, metric in zip(FEATURES, ("ROUGE-1", "ROUGE-3", "ROUGE-4", "ROUGE-L"), strict=True):
        scores = rouge([topic], jackknife=False, metrics=[metric])["score"]
        np.testing.assert_allclose(table[name], scores, atol=1e-12)
