"""Effects of assessors by hand; retraining leaves out what it says and nothing else."""

import dataclasses

import pandas as pd
import pytest

from classy_aesop import read_config, train
from classy_aesop.errors import InputError, UsageError
from classy_aesop.studies.judged import StudyData, read_topic_labels
from classy_aesop.studies.rankel_2016_assessors import effects_table, retraining


@pytest.fixture
def labels(tmp_path):
    """Make a table of topics from lines."""

    def made(*lines):
        path = tmp_path / "topics.tsv"
        path.write_text("".join("\t".join(line) + "\n" for line in lines))
        return read_topic_labels(path)

    return made


HEADER = ("topic", "assessor", "category")
TOPICS = (("t1", "A", "u"), ("t2", "A", "v"), ("t3", "B", "u"), ("t4", "B", "v"))


def test_effects_are_those_of_the_worked_example(corpus_of, labels):
    corpus = corpus_of({"overall": [[0, 1, 2, 3], [2, 3, 4, 6]]})  # means 1, 2, 3, 4.5
    table = effects_table(StudyData([corpus]), labels(HEADER, *TOPICS)).set_index("name")
    assert table.loc[["A", "B"], "effect"].tolist() == pytest.approx([-1.125, 1.125])
    assert table.loc[["u", "v"], "effect"].sum() == pytest.approx(0)
    assert table["p"].iloc[0] == pytest.approx(0.0704, abs=1e-4)
    assert set(table["n"]) == {4}


def test_a_topic_without_an_assessor_is_named(corpus_of, labels):
    corpus = corpus_of({"overall": [[0, 1, 2, 3], [2, 3, 4, 6]]})
    with pytest.raises(InputError, match="no assessor of topic 't4'"):
        effects_table(StudyData([corpus]), labels(HEADER, *TOPICS[:3]))
    with pytest.raises(InputError, match="no column category"):
        effects_table(StudyData([corpus]), labels(*(line[:2] for line in (HEADER, *TOPICS))))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            [("topic", "year"), ("t1", "2021")],
            "line 1: the columns are topic, year; expected topic, and assessor",
        ),
        ([HEADER, ("t1", "A")], "line 2: 2 cells; expected 3"),
        ([HEADER, TOPICS[0], TOPICS[0]], "line 3: topic 't1' is there twice"),
    ],
)
def test_a_wrong_table_of_topics_is_refused_with_its_line(labels, lines, message):
    with pytest.raises(InputError, match=message):
        labels(*lines)


@pytest.fixture
def config(small):
    return read_config(small / "one.toml")


@pytest.fixture
def assessors(corpora):
    """The first topic of each year is of P, the others are of Q."""
    rows = [
        {"year": year, "topic": topic, "assessor": "Q" if at else "P"}
        for year, corpus in corpora.items()
        for at, topic in enumerate(sorted({topic.topic for topic in corpus.topics}))
    ]
    return pd.DataFrame(rows)


@pytest.mark.slow
def test_retraining_is_training_on_the_other_topics(config, assessors):
    table = retraining(config, labels=assessors, assessors=["P"]).set_index("level")
    assert table[["n_topics", "n_left"]].drop_duplicates().to_numpy().tolist() == [[20, 16]]
    left = {
        year: tuple(own["topic"]) for year, own in assessors[assessors["assessor"] == "Q"].groupby("year")
    }
    *years, last = config.years
    fewer = [dataclasses.replace(year, topics=left[year.name]) for year in years]
    for column, own in (("before", config), ("after", dataclasses.replace(config, years=(*fewer, last)))):
        found = train(own).assessment.query("run != '' and coefficient == 'pearson'").set_index("level")
        for level in ("system", "input"):
            assert table.loc[level, column] == pytest.approx(found.loc[level, "value"])
    assert (table["change"] != 0).any()


def test_one_assessor_at_least_is_left_out(config):
    with pytest.raises(UsageError, match="worst is 0"):
        retraining(config, worst=0)


@pytest.mark.slow
def test_what_cannot_be_left_out_is_reported(config, assessors):
    with pytest.raises(InputError, match="no judgment names its assessor"):
        retraining(config)
    with pytest.raises(InputError, match="no topic of the training years is of R"):
        retraining(config, labels=assessors, assessors=["R"])
