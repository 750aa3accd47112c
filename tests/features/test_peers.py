from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from benchmarks.made_up import generate
from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop.data.topics import Summary, Topic
from classy_aesop.errors import InputError
from classy_aesop.estimators import SummaryFeatures
from classy_aesop.features import feature_table
from classy_aesop.features.counts import FeatureOptions
from classy_aesop.features.registry import sort_features
from classy_aesop.features.table import summary_features
from classy_aesop.text.stems import stem
from classy_aesop.text.tokens import blank_like_rouge, stop_words

NAMES = sort_features(["consensus"])


def topic_of(texts, people=(), name="D1"):
    written = [Summary(one, text, human=one in people) for one, text in texts.items()]
    return Topic("", name, "", tuple(written))


def values(texts, people=(), names=NAMES):
    """Give the columns of the group, one row a summary."""
    table = feature_table([topic_of(texts, people)], names=names)
    return table.set_index("summarizer")[names]


def test_worked_example():
    found = values({"a": ("cat fox mat",), "b": ("cat fox hat",), "c": ("dog ran",), "d": ("cat ran mat",)})
    assert found.loc["a"].tolist() == pytest.approx([4 / 9, 1 / 6, 4 / 3, 1 / 3, 2 / 3, 1 / 9, 3 / 6, 1 / 5])
    assert found.loc["b"].tolist() == pytest.approx([1 / 3, 1 / 6, 1, 1 / 3, 5 / 9, 1 / 9, 2 / 5, 1 / 5])
    assert found.loc["c"].tolist()[:6] == pytest.approx([1 / 6, 0, 1 / 3, 0, 1 / 9, 0])
    assert found.loc["d"].tolist()[:6] == pytest.approx([4 / 9, 0, 4 / 3, 0, 2 / 3, 0])


def plain_ngrams(text, n):
    lines = [blank_like_rouge(line).split() for line in text]
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
    said = [Counter(gram for one in voice for gram in plain_ngrams(texts[one], n)) for voice in voices]
    others = [
        {gram for gram in grams if 2 * grams[gram] >= len(voice)}
        for voice, grams in zip(voices, said, strict=True)
        if who not in voice
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


@pytest.mark.slow(after=4)
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


@pytest.fixture(scope="module")
def made_up():
    made = generate(7, n_topics=3, n_systems=14, n_humans=4)
    return corpus_of_records(made.summaries, made.judgments).select(tasks=["A"]).topics


def copied(topic, system, change, n_times=9):
    """Enter a system again under other names; ``change`` makes the words of each copy from its own."""
    (text,) = (one.text for one in topic.summaries if one.summarizer == system)
    again = (Summary(f"{system} again {at}", change(text, at)) for at in range(n_times))
    return replace(topic, summaries=(*topic.summaries, *again))


def with_a_word_changed(word):
    def change(text, at):
        words = text[at % len(text)].split()
        words[at % len(words)] = word(at)
        return (*text[: at % len(text)], " ".join(words), *text[at % len(text) + 1 :])

    return change


CHANGES = {
    "none": lambda text, at: text,
    "the order of sentences": lambda text, at: text[at % len(text) :] + text[: at % len(text)],
    "an unknown word": with_a_word_changed(lambda at: f"unknown{at}"),
    "the same unknown word": with_a_word_changed(lambda at: "unknown"),
    "a word of the topic": with_a_word_changed(lambda at: ("people", "government", "said", "storm")[at % 4]),
}


@pytest.mark.slow(after=4)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("which", ["worst", "best"])
def test_a_system_entered_ten_times_changes_no_value_of_others(made_up, change, which):
    before = feature_table(made_up, names=NAMES)
    mean = before[~before.human].groupby("summarizer").consensus_sum1.mean()
    system = mean.idxmin() if which == "worst" else mean.idxmax()
    after = feature_table([copied(topic, system, CHANGES[change]) for topic in made_up], names=NAMES)
    known = after[~after.summarizer.str.contains("again")].reset_index(drop=True)
    pd.testing.assert_frame_equal(before, known)
    if change == "none":
        copies = after[after.summarizer.str.startswith(f"{system} again")]
        own = before[before.summarizer == system].set_index("topic")[NAMES]
        assert (copies.set_index("topic")[NAMES] == own.loc[copies.topic]).all(axis=None)


TEXT = ("storms hit coast", "rain fell")


@pytest.mark.parametrize(
    "texts",
    [{}, {"1": TEXT}, {"1": ()}, {"1": TEXT, "2": TEXT}, {"1": (), "2": ()}, {"1": ("the",), "2": ("...",)}],
    ids=["no one", "one system", "one without words", "two copies", "two without words", "stop words"],
)
def test_without_another_system_all_are_zero(texts):
    assert (values(texts) == 0).all(axis=None)


def test_references_change_nothing(made_up):
    bare = [replace(topic, references=(), earlier_references=()) for topic in made_up]
    assert bare[0] != made_up[0]
    left_out = FeatureOptions(references="jackknife")
    one, other = (feature_table(topics, names=NAMES)[NAMES] for topics in (made_up, bare))
    pd.testing.assert_frame_equal(one, other)
    pd.testing.assert_frame_equal(one, feature_table(made_up, left_out, names=NAMES)[NAMES])


def test_order_and_company_change_nothing(made_up):
    backwards = [replace(topic, summaries=topic.summaries[::-1]) for topic in made_up[::-1]]
    by_name = [
        feature_table(topics, names=NAMES).set_index(["topic", "summarizer"])[NAMES].sort_index()
        for topics in (made_up, backwards)
    ]
    pd.testing.assert_frame_equal(*by_name)


@pytest.mark.parametrize("names", [["consensus"], ["r2", "consensus_sum1"]])
def test_rows_that_are_no_topics_have_no_consensus(names):
    with pytest.raises(InputError, match=r"consensus_.*needs the other summaries of a topic"):
        summary_features(["It rained."], ["Rain."], names=names)
    with pytest.raises(InputError, match="expected a corpus"):
        SummaryFeatures(names).fit()
    assert not set(NAMES) & set(summary_features(["It rained."], ["Rain."]))


@pytest.mark.parametrize(("n_other", "is_voice"), [(0, True), (3, True), (4, False)])
def test_a_lightly_edited_copy_is_no_voice_of_its_own_if_asked_for(n_other, is_voice):
    """Of 20 words 17 are 85 %, in whatever order; a word that is there twice counts twice."""
    words = ["rain", "rain", *(f"word{at}" for at in range(18))]
    copy = [*words[n_other:][::-1], *(f"other{at}" for at in range(n_other))]
    topic = topic_of(
        {"a": (" ".join(words),), "b": ("sun shone",), "c": (" ".join(copy),), "d": ("rain " * 17,)}
    )
    table = feature_table([topic], names=NAMES, near_copies=True)
    assert table["near_copy_of"].tolist() == ["a", "b", "a" if is_voice else "c", "d"]
    assert "near_copy_of" not in feature_table([topic], names=NAMES)
