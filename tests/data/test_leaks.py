import numpy as np
import pytest

from classy_aesop.data import Leak, Reference, Summary, Topic, find_leaks
from classy_aesop.data.checks import find_shared

WORDS = tuple(f"w{at}" for at in range(21))
TEXT = " ".join(WORDS)  # 20 bigrams


def topic_of(*summaries, references=(("A", TEXT),)):
    return Topic(
        "2009", "D0901", "A", tuple(summaries), tuple(Reference(name, (text,)) for name, text in references)
    )


def shares(*texts):
    topic = topic_of(*(Summary(str(at), (text,)) for at, text in enumerate(texts)))
    return {leak.summarizer: leak.share for leak in find_leaks([topic], threshold=0.01)}


def test_repeated_text_is_a_leak_however_it_is_split_and_cased():
    summary = Summary("2", (" ".join(WORDS[:9]).upper(), "  ".join(WORDS[9:])))
    assert find_leaks([topic_of(summary)]) == [Leak("2009", "D0901", "A", "2", "A", 1.0)]


def test_share_by_hand():
    found = shares(
        " ".join((*WORDS[:20], "x")),  # 19 of 20
        " ".join(WORDS[:16]),  # 15 of the reference's 20
        TEXT + " " + TEXT,  # 20 of 41
        "w0 w1 w0 w1",  # w0 w1 once of 20, though there twice
    )
    assert found == {"0": 0.95, "1": 0.75, "2": pytest.approx(20 / 41), "3": 0.05}


def test_threshold_is_of_both_texts():
    nearly, part = Summary("1", (" ".join((*WORDS[:19], "x", "y")),)), Summary("2", (" ".join(WORDS[:18]),))
    assert [(leak.summarizer, leak.share) for leak in find_leaks([topic_of(nearly, part)])] == [("1", 0.9)]


def test_sentences_in_another_order_are_a_leak():
    rng = np.random.default_rng(5)
    sentences = [" ".join(f"s{s}w{w}" for w in range(25)) for s in range(4)]
    shuffled = tuple(sentences[at] for at in rng.permutation(4))
    topic = topic_of(Summary("2", shuffled), references=[("A", " ".join(sentences))])
    [leak] = find_leaks([topic])
    assert leak.share >= 96 / 99


def test_own_reference_and_wordless_texts_are_no_leaks():
    references = [("A", TEXT), ("B", ""), ("C", "word")]
    topic = topic_of(
        Summary("A", (TEXT,), human=True), Summary("1", ()), Summary("2", ("word",)), references=references
    )
    assert find_leaks([topic]) == []


def test_reference_that_is_masked_is_looked_at_too():
    topic = topic_of(Summary("2", (TEXT,), references=("B",)), references=[("A", TEXT), ("B", "other words")])
    assert [leak.reference for leak in find_leaks([topic])] == ["A"]


@pytest.mark.parametrize("name", ["summeval", "realsumm"])
def test_published_corpora_leak_nothing(shared, name):
    from classy_aesop.data import read_jsonl

    assert find_leaks(read_jsonl(shared / "data" / name)) == []


def of_year(year, name, reference, document=""):
    return Topic(
        year, name, "A", (), (Reference("A", (reference,)),), documents=(document,) if document else ()
    )


def test_shared_texts_are_found_wherever_they_come_from():
    years = {
        "1": [of_year("1", "x", "one two three"), of_year("1", "y", "four five", "a document")],
        "2": [of_year("2", "z", "One  two THREE"), of_year("2", "w", "six", "A document")],
        "3": [of_year("3", "v", "six")],  # one word does not count
    }
    found = find_shared(years, sources={"1": "a", "2": "b", "3": "c"})
    assert {(one.what, one.first, one.second) for one in found} == {
        ("reference", ("1", "x", "A"), ("2", "z", "A")),
        ("document", ("1", "y", "A"), ("2", "w", "A")),
    }


def test_a_topic_is_shared_within_one_corpus_only():
    years = {"1": [of_year("1", "x", "one two")], "2": [of_year("2", "x", "three four")]}
    assert [one.what for one in find_shared(years, sources={"1": "a", "2": "a"})] == ["topic"]
    assert not find_shared(years, sources={"1": "a", "2": "b"})
