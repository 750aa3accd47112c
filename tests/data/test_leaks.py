import dataclasses
import warnings

import numpy as np
import pytest

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop import DataWarning, InputError, Predictor, feature_table, train
from classy_aesop.config import Config, RunTable, SearchOptions, Year, check_config
from classy_aesop.data import Leak, Reference, Summary, Topic, find_leaks, treat_copies
from classy_aesop.data.leaks import find_shared_items
from classy_aesop.formulas import Linear

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
    [leak] = find_leaks([topic_of(Summary("2", shuffled), references=[("A", " ".join(sentences))])])
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


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("name", ["summeval", "realsumm"])
def test_published_corpora_leak_nothing(shared, name):
    from classy_aesop.reading import read_jsonl

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
    found = find_shared_items(years, sources={"1": "a", "2": "b", "3": "c"})
    assert {(one.kind, one.first, one.second) for one in found} == {
        ("reference", ("1", "x", "A"), ("2", "z", "A")),
        ("document", ("1", "y", "A"), ("2", "w", "A")),
    }


def test_a_topic_is_shared_within_one_corpus_only():
    years = {"1": [of_year("1", "x", "one two")], "2": [of_year("2", "x", "three four")]}
    assert [one.kind for one in find_shared_items(years, sources={"1": "a", "2": "a"})] == ["topic"]
    assert not find_shared_items(years, sources={"1": "a", "2": "b"})


CAT, DOG = "The cat sat on the mat all day long.", "A dog ran over the green hill at noon."


def corpus_of(references, texts=None):
    texts = texts or {"copy": CAT, "own": "The cat ran over the hill at noon."}
    return corpus_of_records(
        {"topic": "T", "summarizer": name, "text": text, "references": references}
        for name, text in texts.items()
    )


BOTH, ONE = {"A": CAT, "B": DOG}, {"A": CAT}


def test_without_the_reference_by_hand():
    corpus = corpus_of(BOTH)
    with pytest.warns(DataWarning, match="1 summaries repeat a reference and are scored without it: T copy"):
        topics, notes = treat_copies(corpus, "without")
    assert len(notes) == 1
    assert [topics[0].meets(one) for one in topics[0].summaries] == [(False, True), (True, True)]
    table = feature_table(topics, names=["r2"])
    # the copy shares no bigram with the other reference
    assert table["r2"].tolist()[0] == 0
    assert table["n_references"].tolist() == [1, 2]


def test_a_copy_of_the_only_reference_has_no_value():
    with pytest.warns(
        DataWarning, match=r"without it: T copy|1 of them have no other reference and get no value: T copy"
    ):
        topics, notes = treat_copies(corpus_of(ONE), "without")
    assert len(notes) == 2
    assert np.isnan(feature_table(topics, names=["r2"])["r2"]).tolist() == [True, False]


def test_left_out_with_its_judgments():
    corpus = corpus_of(BOTH)
    with pytest.warns(DataWarning, match="1 summaries repeat a reference and are left out: T copy"):
        topics, _ = treat_copies(corpus, "exclude")
    assert [one.summarizer for one in topics[0].summaries] == ["own"]
    assert len(topics[0].references) == 2


def test_what_has_no_copies_is_unchanged_and_nothing_but_copies_refused():
    """A human does not copy their own reference."""
    rows = [{"topic": "T", "summarizer": "A", "text": CAT, "human": True, "references": BOTH}]
    own, kept = corpus_of_records(rows).topics, corpus_of(BOTH).topics
    assert treat_copies(own, "exclude") == (own, ())
    assert treat_copies(kept, "keep") == (kept, ())
    with pytest.raises(InputError, match="every summary repeats a reference"):
        treat_copies(corpus_of(BOTH, {"copy": CAT}), "exclude")


@pytest.mark.parametrize(
    ("how", "names"), [("keep", ["copy", "own"]), ("without", ["copy", "own"]), ("exclude", ["own"])]
)
def test_predictions_settle_copies(how, names):
    predictor = Predictor("x", "t", "", "no_models", "robust", ("r2",), Linear((1.0,), 0.0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        found = predictor.predict(corpus_of(ONE), copies=how)
    assert found["summarizer"].tolist() == names
    assert found["score"].isna().tolist() == [how == "without"] * (len(names) - 1) + [False]


@pytest.mark.slow
@pytest.mark.parametrize("how", ["keep", "without", "exclude"])
def test_an_experiment_says_what_was_done(corpora, how):
    """One system's summary of a topic of each year becomes a copy of its first reference."""
    leaky = {}
    for name, corpus in corpora.items():
        topic = corpus.topics[0]
        at = next(at for at, one in enumerate(topic.summaries) if not one.human)
        copied = Summary(topic.summaries[at].summarizer, topic.references[0].text)
        summaries = (*topic.summaries[:at], copied, *topic.summaries[at + 1 :])
        topics = (dataclasses.replace(topic, summaries=summaries), *corpus.topics[1:])
        leaky[name] = dataclasses.replace(corpus, topics=topics)
    run = RunTable("x", "responsiveness", "canonical", tasks=("A",), peers=("no_models",))
    years = tuple(Year(name, copies=how) for name in leaky)
    config = Config(
        years, runs=(run,), search=SearchOptions.from_method("classy2011", names=("r2", "redundancy1"))
    )
    if how == "keep":
        done = train(config, leaky)
    else:
        with pytest.warns(DataWarning, match="repeat a reference"):
            done = train(config, leaky)
    ending = {"keep": "", "without": " and are scored without it", "exclude": " and are left out"}[how]
    notes = [note for note in done.notes if note.startswith(f"1 summaries repeat a reference{ending}: ")]
    assert len(notes) == 3
    n_systems, n_topics = 6, 5
    assert len(done.predictions) == n_systems * n_topics - (how == "exclude")


def test_another_word_is_refused():
    config = Config((Year("1", copies="drop"),), runs=(RunTable("x", "t"),))
    with pytest.raises(InputError, match="copies: 'drop'; expected one of keep, without, exclude"):
        check_config(config)
