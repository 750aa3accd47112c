from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from classy_aesop.corpus.data import Summary, Topic
from classy_aesop.features import feature_table
from classy_aesop.features.columns import ordered
from classy_aesop.text.stems import stem
from classy_aesop.text.stop_words import stop_words
from classy_aesop.text.tokens import tokens

NAMES = ordered(["consensus"])
SUMS = ["consensus_sum1", "consensus_sum2"]


def topic_of(texts, people=(), name="D1"):
    written = [Summary(one, text, human=one in people) for one, text in texts.items()]
    return Topic("", name, "", tuple(written))


def values(texts, people=(), names=NAMES):
    """Give the columns of the group, one row a summary."""
    table = feature_table([topic_of(texts, people)], names=names)
    return table.set_index("summarizer")[names]


def sentences_of(*texts):
    return {str(at): tuple(text.split(". ")) for at, text in enumerate(texts)}


def test_worked_example():
    found = values({"a": ("cat fox mat",), "b": ("cat fox hat",), "c": ("dog ran",), "d": ("cat ran mat",)})
    assert found.loc["a"].tolist() == pytest.approx([4 / 9, 1 / 6, 4 / 3, 1 / 3, 2 / 3, 1 / 9, 3 / 6, 1 / 5])
    assert found.loc["b"].tolist() == pytest.approx([1 / 3, 1 / 6, 1, 1 / 3, 5 / 9, 1 / 9, 2 / 5, 1 / 5])
    assert found.loc["c"].tolist()[:6] == pytest.approx([1 / 6, 0, 1 / 3, 0, 1 / 9, 0])
    assert found.loc["d"].tolist()[:6] == pytest.approx([4 / 9, 0, 4 / 3, 0, 2 / 3, 0])


def plain_ngrams(text, n):
    lines = [tokens(line) for line in text]
    if n == 1:
        return {stem(word) for line in lines for word in line if word not in stop_words()}
    return {pair for line in lines for pair in pairwise(map(stem, line))}


def plain_voices(texts, systems):
    """Give the systems that are near copies of each other as lists, by growing each list while it grows."""
    grams = {one: plain_ngrams(texts[one], 1) | plain_ngrams(texts[one], 2) for one in systems}
    left, voices = list(systems), []
    while left:
        voice = [left.pop(0)]
        for one in voice:  # which grows
            near = [
                other
                for other in left
                if len(grams[one] & grams[other]) >= 0.8 * len(grams[one] | grams[other])
            ]
            voice += near
            left = [other for other in left if other not in near]
        voices.append(voice)
    return voices


def plain_values(texts, people, who, n):
    """Compute mean, sum, squares and top from their definition."""
    own = plain_ngrams(texts[who], n)
    voices = plain_voices(texts, [one for one in texts if one not in people])
    others = [
        set().union(*(plain_ngrams(texts[one], n) for one in voice)) for voice in voices if who not in voice
    ]
    df = Counter(gram for other in others for gram in other)
    shares = [df[gram] / max(len(others), 1) for gram in own]
    least = sorted(df.values(), reverse=True)[min(60, len(df)) - 1] if df else 1
    top = {gram for gram in df if df[gram] >= least}
    return (
        sum(shares) / max(len(own), 1),
        sum(shares),
        sum(share**2 for share in shares),
        len(own & top) / max(len(top), 1),
    )


def plain_table(texts, people=()):
    return [
        [
            value
            for both in zip(*(plain_values(texts, people, who, n) for n in (1, 2)), strict=True)
            for value in both
        ]
        for who in texts
    ]


@pytest.mark.parametrize("seed", range(12))
def test_plain_definition(seed):
    rng = np.random.default_rng(seed)
    words = [*"abcdefghijklmnopqrstuvwxyz", "the", "of", "storms", "storm", "raining", "rain"]
    words += [f"{one}{other}" for one in words[:26] for other in "xyz"]
    weight = 1 / np.arange(1, len(words) + 1)

    def a_text():
        n_words = rng.integers(0, 14, size=rng.integers(0, 8))
        return tuple(" ".join(rng.choice(words, n, p=weight / weight.sum())) for n in n_words)

    texts = {str(at): a_text() for at in range(11)} | {"empty": ()}
    for at in range(seed % 4):  # near copies, of each other and of a text that is a copy of another
        texts[f"copy {at}"] = (*texts[str(2 * at)], f"new{at} word")
        texts[f"again {at}"] = (*texts[f"copy {at}"][1:], "another")
    people = ("7", "8", "copy 1")
    np.testing.assert_allclose(values(texts, people), plain_table(texts, people), atol=1e-12)
