"""The group of content features that weighs n-grams by how many references hold them, against its definition."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from classy_aesop.data.topics import Reference, Summary, Topic
from classy_aesop.features import feature_table
from classy_aesop.features.counts import FeatureOptions
from classy_aesop.features.registry import sort_features
from classy_aesop.text.stems import stem
from classy_aesop.text.tokens import blank_like_rouge, stop_words

NAMES = sort_features(["pyramid"])


JACKKNIFE = FeatureOptions(references="jackknife")


WORDS = ["change", "changes", "changed", "the", "of", "a"]
WORDS += ["dog", "dogs", "cat", "storm", "storms", "rain", "river"]


@cache
def plain_ngrams(text, n):
    words = blank_like_rouge(" ".join(text)).split()
    if n == 1:
        return {stem(word) for word in words if word not in stop_words()}
    return set(pairwise(map(stem, words)))


def plain_values(summary, references):
    """Compute the group from its definition."""
    return [
        value
        for parts in zip(*(plain_of(summary, references, n) for n in (1, 2)), strict=True)
        for value in parts
    ]


def plain_of(summary, references, n):
    own, others = plain_ngrams(summary, n), [plain_ngrams(reference, n) for reference in references]
    weights = {gram: sum(gram in other for other in others) for other in others for gram in other}
    agreed = [gram for gram in weights if weights[gram] >= min(2, len(others))] or list(weights)
    found = sum(weights.get(gram, 0) for gram in own)
    ideal = sum(sorted(weights.values(), reverse=True)[: len(own)])
    known = sum(gram in weights for gram in own)
    shared = sum(gram in own for gram in agreed)
    wholes = [(found, ideal), (shared, len(agreed)), (found, sum(weights.values())), (known, len(own))]
    return [part / whole if whole else 0.0 for part, whole in wholes]


def plain_table(topic, *, jackknife):
    rows = []
    for summary in topic.summaries:
        met = [
            reference.text
            for reference, is_met in zip(topic.references, topic.meets(summary), strict=True)
            if is_met
        ]
        if not met:
            rows.append([np.nan] * 8)
        elif jackknife and not summary.human:
            left = [met[:i] + met[i + 1 :] for i in range(len(met))]
            rows.append(np.mean([plain_values(summary.text, rest) for rest in left], axis=0))
        else:
            rows.append(plain_values(summary.text, met))
    return np.array(rows)


def a_text(rng, most=14):
    return tuple(" ".join(rng.choice(WORDS, rng.integers(0, most))) for _ in range(rng.integers(0, 4)))


def a_topic(rng, n_references=4, n_systems=6):
    """Make up systems, people who wrote a reference each and one who wrote none; some texts are empty."""
    references = tuple(Reference(chr(ord("A") + i), a_text(rng)) for i in range(n_references))
    systems = [Summary(str(i), a_text(rng)) for i in range(n_systems)]
    people = [Summary(one.summarizer, one.text, human=True) for one in references[:3]]
    other = Summary("Z", a_text(rng), human=True)
    return Topic("", "D1", "", (*systems, *people, other), references)


def values_of(topic, options=None):
    return feature_table([topic], options or FeatureOptions(), names=["pyramid"])[NAMES].to_numpy()


def one_summary(text, references):
    written = tuple(Reference(f"M{i}", reference) for i, reference in enumerate(references))
    return Topic("", "D1", "", (Summary("7", text),), written)


@pytest.mark.slow(after=4)
@pytest.mark.parametrize("n_references", [1, 2, 4, 9, 70])
@pytest.mark.parametrize("seed", range(4))
def test_values_against_the_definition(seed, n_references):
    topic = a_topic(np.random.default_rng(seed), n_references)
    np.testing.assert_allclose(values_of(topic), plain_table(topic, jackknife=False), rtol=1e-14)
    if n_references > 1:
        np.testing.assert_allclose(
            values_of(topic, JACKKNIFE), plain_table(topic, jackknife=True), rtol=1e-13
        )


def test_stop_words_go_before_stemming():
    # "changes" is on ROUGE's list, "change" with the same stem is not.
    topic = one_summary(("The changes.",), [("Change the dog.",), ("Changes",)])
    assert values_of(topic)[0, ::2].tolist() == [0, 0, 0, 0]
    # Weights: dog 2, change 1. No reference has "the chang".
    topic = one_summary(("The change.",), [("Change the dog.",), ("Changes of the dogs",)])
    assert values_of(topic)[0].tolist() == [1 / 2, 0, 0, 0, 1 / 3, 0, 1, 0]


def test_ideal_summary_is_made_of_the_fullest_tiers():
    # Weights: storm 3, rain and flood 2, river and cat 1. Two words have at most 3 + 2.
    references = [("storm rain flood",), ("storm rain river",), ("storm flood cat",)]
    assert values_of(one_summary(("river storm",), references))[0, 0] == 4 / 5
    assert values_of(one_summary(("storm dog rain",), references))[0, 0] == 5 / 7
    assert (
        values_of(one_summary(("one wild dog ran home after the storm",), references))[0, 0] == 3 / 9
    )  # of five words or more


def test_one_token_and_stop_words_alone():
    # "storm" has no bigram; "the of" has no content word
    assert values_of(one_summary(("storm",), [("storm rain",)])).tolist() == [[1, 0, 0.5, 0, 0.5, 0, 1, 0]]
    assert values_of(one_summary(("the of",), [("of the of",)])).tolist() == [[0, 1, 0, 0.5, 0, 0.5, 0, 1]]
