import warnings

import numpy as np
import pandas as pd
import pytest

from classy_aesop.data.topics import Reference, Summary, Topic
from classy_aesop.errors import DataWarning, InputError
from classy_aesop.features import FEATURES
from classy_aesop.features.counts import FeatureOptions
from classy_aesop.features.registry import (
    CLASSY2011,
    columns,
    select_computable,
    sort_features,
)
from classy_aesop.features.rows import Extractor
from classy_aesop.features.table import feature_table, summary_features

WORDS = ["storm", "coast", "people", "died", "homes", "power", "lost", "officials", "said", "rain", "wind"]


JACKKNIFE = FeatureOptions(references="jackknife")


def a_text(rng, n_sentences=3):
    return tuple(" ".join(rng.choice(WORDS, 8)).capitalize() + "." for _ in range(n_sentences))


def a_topic(rng, name="D1", *, task="A", n_references=4, earlier=0, n_systems=3):
    own = [Reference(letter, a_text(rng)) for letter in "ABCD"[:n_references]]
    people = [Summary(reference.summarizer, reference.text, human=True) for reference in own[:2]]
    systems = [Summary(str(i), a_text(rng)) for i in range(n_systems)]
    before = [Reference(letter, a_text(rng)) for letter in "ABCD"[:earlier]]
    return Topic("2010", name, task, tuple(systems + people), tuple(own), tuple(before))


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def test_columns_of_both_tasks():
    content = [name for name in CLASSY2011 if FEATURES[name].kind == "content"]
    assert columns(CLASSY2011) == list(CLASSY2011) == sort_features(["classic"])
    update = columns(CLASSY2011, update=True)
    assert len(update) == 19
    assert update[:4] == ["r2@A", "r2@B", "su4@A", "su4@B"]
    assert update[12:] == [name for name in CLASSY2011 if name not in content]


@pytest.mark.parametrize(
    ("names", "message"),
    [(["r2", "r2"], "r2 named twice in r2, r2"), (["classic", "su4"], "su4 named twice in classic, su4")],
)
def test_bad_names_are_an_error(names, message):
    with pytest.raises(InputError, match=message):
        feature_table([], names=names)


def test_jackknifed_system_with_a_reference_text_is_not_a_perfect_match(rng):
    topic = a_topic(rng)
    copy = Topic("", "D1", "", (Summary("copy", topic.references[0].text),), topic.references)
    assert feature_table([copy], names=["r2"]).r2.tolist() == [1]
    (score,) = feature_table([copy], JACKKNIFE, names=["r2"]).r2
    others = [
        Topic("", "D1", "", copy.summaries, tuple(r for r in topic.references if r != out))
        for out in topic.references
    ]
    assert score == pytest.approx(np.mean([feature_table([t], names=["r2"]).r2[0] for t in others]))
    assert score < 1


def test_jackknife_leaves_humans_and_linguistic_features_alone(rng):
    topic = a_topic(rng)
    plain, left_out = feature_table([topic]), feature_table([topic], JACKKNIFE)
    pd.testing.assert_frame_equal(plain[plain.human], left_out[left_out.human])
    linguistic = [name for name in sort_features() if FEATURES[name].kind == "linguistic"]
    pd.testing.assert_frame_equal(plain[linguistic], left_out[linguistic])
    assert (left_out.bigrams < plain.bigrams)[~plain.human].all()


@pytest.mark.parametrize("n_references", [0, 1])
def test_jackknife_needs_two_references(rng, n_references):
    with pytest.raises(InputError, match=f"topic 2010 D7 A has {n_references} reference"):
        feature_table([a_topic(rng, "D7", n_references=n_references)], JACKKNIFE)


def test_a_topic_without_a_reference_to_leave_out_costs_only_itself(rng):
    topics = [a_topic(rng, f"D{n}", n_references=n) for n in (0, 1, 3)]
    with pytest.warns(DataWarning, match="2 topics have fewer than two references, .*: 2010 D0-A, 2010 D1-A"):
        table = feature_table(topics, JACKKNIFE, names=["r2", "term_entropy"])
    assert table[~table["human"]].groupby("topic")["r2"].count().to_dict() == {"D0": 0, "D1": 0, "D3": 3}
    assert table["term_entropy"].notna().all()


@pytest.mark.slow
def test_update_has_a_column_for_each_set(rng):
    topic = a_topic(rng, task="B", earlier=3)
    table = feature_table([topic])
    assert list(table)[8:] == columns(update=True)
    assert table.n_earlier.tolist() == [3] * 5
    initial = Topic("2010", "D1", "A", topic.summaries, topic.earlier_references)
    systems = ~table.human
    for name in ("r2", "su4", "coverage", "bigrams", "bigrams_p2p", "coverage_p2p"):
        own = feature_table([Topic("2010", "D1", "B", topic.summaries, topic.references)])
        assert table[f"{name}@B"].tolist() == own[name].tolist()
        assert table[f"{name}@A"][systems].tolist() == feature_table([initial])[name][systems].tolist()


def test_human_keeps_their_own_earlier_reference(rng):
    text, other = a_text(rng), a_text(rng)
    topic = Topic(
        "", "D1", "B", (Summary("A", text, human=True),), (Reference("B", other),), (Reference("A", text),)
    )
    assert feature_table([topic])["r2@A"].tolist() == [1]


def test_no_references_is_nan_and_said_by_the_count(rng):
    table = feature_table([a_topic(rng, n_references=0)])
    assert table.n_references.tolist() == [0, 0, 0]
    assert table[columns()].isna().all().tolist() == [
        FEATURES[name].kind == "content" for name in sort_features()
    ]


def test_no_topics_make_an_empty_table():
    table = feature_table(iter([]))
    assert table.empty
    assert list(table)[8:] == sort_features()


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [2, 3])
def test_table_does_not_depend_on_the_number_of_jobs(rng, n_jobs):
    topics = [a_topic(rng, f"D{i}", earlier=i % 2) for i in range(20)]
    pd.testing.assert_frame_equal(
        feature_table(topics), feature_table(iter(topics), n_jobs=n_jobs), check_exact=True
    )


def some_topic(rng, name):
    """Make a topic of any size, of an update or not, with empty texts, and summaries that miss a reference."""

    def some_text():
        sizes = rng.choice([0, 1, 8, 70], rng.integers(0, 4))
        return tuple(" ".join(rng.choice(WORDS, size)) for size in sizes)

    n_references, n_earlier = rng.integers(0, 6), rng.choice([0, 0, 1, 4])
    references = tuple(Reference("ABCDEF"[at], some_text()) for at in range(n_references))
    humans = [Summary(one.summarizer, one.text, human=True) for one in references[: rng.integers(0, 3)]]
    met = frozenset(one.summarizer for one in references if rng.random() < 0.6)
    systems = [Summary(str(at), some_text()) for at in range(rng.integers(0, 5))]
    some = [Summary("x", some_text(), references=met)] * int(rng.integers(0, 2))
    earlier = tuple(Reference("ABCDEF"[at], some_text()) for at in range(n_earlier))
    return Topic("", name, "", (*systems, *humans, *some), references, earlier)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("how", ["unequal", "jackknife", "none"])
def test_many_topics_at_once_are_as_each_alone(seed, how):
    rng = np.random.default_rng(seed)
    topics = [some_topic(rng, f"D{at}") for at in range(9)]
    options = FeatureOptions(references=how)
    extractor = Extractor(options, tuple(select_computable(FEATURES, how)))
    together = extractor.compute_batch(topics)
    by_themselves = [extractor.compute_batch([topic]) for topic in topics]
    assert together.letters == tuple(map(sum, zip(*(alone.letters for alone in by_themselves), strict=True)))
    for topic, alone in zip(topics, by_themselves, strict=True):
        rows = together.table[together.table["topic"] == topic.topic].reset_index(drop=True)
        pd.testing.assert_frame_equal(rows[list(alone.table)], alone.table, check_exact=True)
        assert rows[rows.columns.difference(alone.table.columns)].isna().all(axis=None)


def test_options_travel_with_the_table(rng):
    kept = feature_table([a_topic(rng)], FeatureOptions(sentences="split")).attrs["features"]
    chosen = {"sentences": "split", "tokenizer": "rouge", "references": "unequal"}
    assert kept == chosen | {"splitter": "punkt-news-1"}


def test_letters_that_rouge_drops_are_warned_of():
    text = ("Дом стоит на горе.", "Дом стоит у моря.")
    topic = Topic("", "D1", "", (Summary("1", text),), (Reference("A", text),))
    with pytest.warns(DataWarning, match='100% of the letters are outside ASCII.*tokenizer = "unicode"'):
        assert feature_table([topic])["empty"].tolist() == [True]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = feature_table([topic], FeatureOptions(tokenizer="unicode"))
    assert table.r2.tolist() == [1]
    assert table["empty"].tolist() == [False]


@pytest.fixture(scope="module")
def texts(made):
    """Summaries of two systems and their references, from all topics of a year, in no order of topics."""
    rows = [row for row in made["2021"].summaries if row["instance_id"].endswith("-A")]
    references = {}
    for row in rows:
        if row["summarizer_type"] == "reference":
            references.setdefault(row["instance_id"], []).append(row["summary"]["text"])
    peers = [row for row in rows if row["summarizer_type"] == "peer" and row["summarizer_id"] in "12"]
    peers = sorted(peers, key=lambda row: row["summarizer_id"])
    return [row["summary"]["text"] for row in peers], [references[row["instance_id"]] for row in peers], peers


def test_rows_are_those_of_the_corpus(texts, corpora):
    summaries, references, peers = texts
    topics, systems = ([row[name] for row in peers] for name in ("instance_id", "summarizer_id"))
    found = summary_features(summaries, references, topics=topics, summarizers=systems, names=["r2", "flow"])
    corpus = feature_table(corpora["2021"].select(tasks=["A"]), names=["r2", "flow"])
    corpus = corpus.assign(topic=corpus["topic"] + "-A")
    columns = ["topic", "summarizer"]
    expected = found[columns].merge(corpus, on=columns)
    pd.testing.assert_frame_equal(found, expected[found.columns], check_dtype=False)


def test_the_index_is_that_of_the_summaries():
    found = summary_features(pd.Series(["It rained."], index=["x"]), pd.Series(["Rain."]), names=["r1"])
    assert found.index.tolist() == ["x"]


def test_a_summary_of_too_many_sentences_is_refused():
    with pytest.raises(InputError, match="a summary of 2,001 sentences; expected 2,000 or less"):
        summary_features([["A."] * 2001], ["A."], names=["flow"])
    assert summary_features([["A."] * 2001], ["A."], names=["r1"])["r1"].tolist() == [1.0]
