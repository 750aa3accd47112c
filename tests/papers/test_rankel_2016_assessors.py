"""Effects of assessors, training without their topics, and pyramid scores by assessor, by hand."""

import dataclasses
from collections import defaultdict

import pandas as pd
import pytest

from classy_aesop import read_config, train
from classy_aesop.errors import InputError, UsageError
from classy_aesop.papers.judged import StudyData, read_topic_labels
from classy_aesop.papers.lin_hovy_2003 import read_marked_units
from classy_aesop.papers.rankel_2016_assessors import (
    automatic_pyramid,
    effects_table,
    gap_exclusion,
    order_by_gap,
    pyramid_gap,
    read_units,
    retraining,
    topic_counts,
)


@pytest.fixture
def labels(tmp_path):
    """Make a table of topics from lines."""

    def made(*lines):
        (path := tmp_path / "topics.tsv").write_text("".join("\t".join(line) + "\n" for line in lines))
        return read_topic_labels(path)

    return made


HEADER = ("topic", "assessor", "category")
TOPICS = (("t1", "A", "u"), ("t2", "A", "v"), ("t3", "B", "u"), ("t4", "B", "v"))


def test_effects_are_those_of_the_worked_example(corpus_of, labels):
    corpus = corpus_of({"overall": [[0, 1, 2, 3], [2, 3, 4, 6]]})  # means 1, 2, 3, 4.5
    table = effects_table(StudyData([corpus]), labels(HEADER, *TOPICS)).table.set_index("name")
    assert table.loc[["A", "B"], "effect"].tolist() == pytest.approx([-1.125, 1.125])
    assert table.loc[["u", "v"], "effect"].sum() == pytest.approx(0)
    assert table["p"].iloc[0] == pytest.approx(0.0704, abs=1e-4)
    assert set(table["n"]) == {4}
    corpus = corpus_of({"overall": [[0, 1, 2, 3], [2, 3, 4, 6]]})
    with pytest.raises(InputError, match="no assessor of topic 't4'"):
        effects_table(StudyData([corpus]), labels(HEADER, *TOPICS[:3]))
    with pytest.raises(InputError, match="no column category"):
        effects_table(StudyData([corpus]), labels(*(line[:2] for line in (HEADER, *TOPICS))))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            [("assessor", "year"), ("P", "2021")],
            "line 1: the columns are assessor, year; expected also topic",
        ),
        ([HEADER, ("t1", "A")], "line 2: 2 columns; expected 3"),
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
def test_retraining_is_training_on_the_other_topics(config, assessors, monkeypatch):
    orders = defaultdict(lambda: ["P", "Q"])  # of every year and measure
    monkeypatch.setattr("classy_aesop.papers.rankel_2016_assessors.order_by_agreement", lambda *_: orders)
    table = retraining(config, labels=assessors, worst=1).table.set_index("level")
    assert table[["n_topics", "n_left"]].drop_duplicates().to_numpy().tolist() == [[20, 16]]
    kept = {
        year: tuple(own["topic"]) for year, own in assessors[assessors["assessor"] == "Q"].groupby("year")
    }
    *years, last = config.years
    fewer = [dataclasses.replace(year, topics=kept[year.name]) for year in years]
    for column, own in (("before", config), ("after", dataclasses.replace(config, years=(*fewer, last)))):
        found = train(own).assessment.query("run != '' and coefficient == 'pearson'").set_index("level")
        for level in ("system", "input"):
            assert table.loc[level, column] == pytest.approx(found.loc[level, "value"])
    assert (table["after"] != table["before"]).any()


@pytest.mark.slow
def test_row_b_leaves_out_whose_pyramids_are_lowest_beside_automatic_ones(config, assessors, made, corpora):
    units = pd.DataFrame(row for year in made.values() for row in year.units)
    config = dataclasses.replace(
        config, runs=tuple(dataclasses.replace(run, target="pyramid") for run in config.runs)
    )
    table = retraining(config, labels=assessors, units=units, worst=1).table
    lowest = []
    for year in config.years[:-1]:
        gaps = pyramid_gap(StudyData([corpora[year.name]]), units, assessors).table
        sums = gaps.assign(sum=gaps["difference"] * gaps["n_topics"]).groupby("assessor")  # over both tasks
        lowest.append((sums["sum"].sum() / sums["n_topics"].sum()).idxmin())
    assert lowest == ["Q", "P"]
    assert set(table["excluded"]) == {"Q, P"}
    same = retraining(config, labels=assessors, units=units.sample(frac=1, random_state=1), worst=1).table
    pd.testing.assert_frame_equal(table, same)


@pytest.mark.slow
def test_what_cannot_be_left_out_is_reported(config, assessors):
    with pytest.raises(InputError, match="no judgment names its assessor"):
        retraining(config)
    with pytest.raises(UsageError, match="content units need a table of topics and runs that learn pyramid"):
        retraining(config, units=pd.DataFrame())


LABELS = pd.DataFrame({"topic": ["t1", "t2"], "assessor": ["P", "Q"], "category": ["u", "u"]})


@pytest.fixture
def units(tmp_path):
    """Content units; the texts of the corpus are "Of NAME on TOPIC"."""
    path = tmp_path / "units.tsv"
    rows = ["topic\tunit\tsummarizer\ttext"]
    rows += ["t1\t1\tA\ton  t1", "t1\t1\tB\tof t1", "t1\t2\tA\tOf 1", "t1\t2\t2\tnothing", "t2\t1\tA\tOf B"]
    path.write_text("\n".join(rows) + "\n")
    return read_units(path)


def test_the_automatic_score_counts_units_that_others_tell_in_the_same_words(units):
    of_topic = units[units["topic"] == "t1"]
    # weights 2 and 1, three contributors of two humans: two units at best, 3
    assert automatic_pyramid("Of 1 on t1", of_topic, ["A", "B"]) == 1
    assert automatic_pyramid("Of 2 on t1", of_topic, ["A", "B"]) == pytest.approx(2 / 3)
    assert automatic_pyramid("nothing", of_topic, ["A", "B"]) == pytest.approx(1 / 3)  # the words of a system


def test_the_gap_is_averaged_by_topic_then_by_assessor(units, corpus_of):
    scores = [[0.9, 0.5], [0.7, 0.5], [1.0, 0.9], [1.0, 0.5]]
    corpus = corpus_of({"pyramid": scores}, names=["1", "2", "A", "B"])
    table = pyramid_gap(StudyData([corpus]), units, LABELS).table.set_index("assessor")
    # t1: 1 -> 1, 2 -> 2/3, A (units of B and of 2; weight 1) -> 0, B (of A and 2; weights 1 and 1) -> 1/2
    assert table.loc["P", "manual"] == pytest.approx(0.9)
    assert table.loc["P", "automatic"] == pytest.approx((1 + 2 / 3 + 0 + 1 / 2) / 4)
    assert table.loc["P", "difference"] == pytest.approx(0.9 - (1 + 2 / 3 + 1 / 2) / 4)
    # A has no other human's unit and is kept out; of the other three only B tells A's unit
    assert table.loc["Q", ["manual", "automatic"]].tolist() == pytest.approx([0.5, 1 / 3])
    assert table["error"].isna().all()
    with pytest.raises(InputError, match="no summary with a score of pyramid is of a topic with"):
        pyramid_gap(StudyData([corpus]), units.assign(topic="t9"), LABELS)


@pytest.mark.slow
def test_the_assessor_with_the_lowest_gap_is_left_out_first(units, corpus_of):
    rows = [
        ("P", 0.3),
        ("Q", 0.3),
        ("R", 0.9),
        ("S", 0.4),
        ("R", 0.7),
    ]  # means .3, .3, .8 and .4: P and Q missed most; R lies farthest from the mean of all, .45, but found most
    gaps = pd.DataFrame(rows, columns=["assessor", "difference"]).assign(year="2021", metric="pyramid")
    assert order_by_gap(gaps) == {("2021", "pyramid"): ["P", "Q", "S", "R"]}
    labels = pd.concat([LABELS, LABELS.assign(topic=["t3", "t4"], assessor=["P", "Q"])])
    more = pd.concat([units, units[units["topic"] == "t1"].assign(topic="t3")])
    scores = [[0.9, 0.5, 0.8, 0.1], [0.7, 0.5, 0.9, 0.2], [1.0, 0.9, 1.0, 0.3], [1.0, 0.5, 0.7, 0.4]]
    data = StudyData([corpus_of({"pyramid": scores}, names=["1", "2", "A", "B"])])
    table = gap_exclusion(data, more, labels).table.query("n_excluded == 1")
    order = pyramid_gap(data, more, labels).table.set_index("assessor")["difference"]
    assert order["Q"] < order["P"]
    assert set(table["excluded"]) == {"Q"}
    assert set(table["metric"]) == {"ROUGE-1-R", "ROUGE-2-R", "ROUGE-SU4-R"}
    kept = pd.DataFrame(scores)[[0, 2]].mean(axis=1)
    assert table["pearson"].iloc[0] == pytest.approx(pd.DataFrame(scores).mean(axis=1).corr(kept))


def test_topics_are_counted_once_by_assessor_and_category(corpus_of):
    table = topic_counts(StudyData([corpus_of({"a": [[1, 2], [1, 2]], "b": [[1, 2], [1, 2]]})]), LABELS).table
    assert table[["assessor", "category", "n_topics"]].to_numpy().tolist() == [["P", "u", 1], ["Q", "u", 1]]
    apart = LABELS.assign(category=["u", "v"])  # Table 3.1 prints zeros
    table = topic_counts(StudyData([corpus_of({"a": [[1, 2], [1, 2]]})]), apart).table
    rows = [["P", "u", 1], ["P", "v", 0], ["Q", "u", 0], ["Q", "v", 1]]
    assert table[["assessor", "category", "n_topics"]].to_numpy().tolist() == rows


def test_wrong_tables_of_units_are_refused_with_their_line(tmp_path):
    head = "topic\tsummarizer\tmarked\tunits\tcompleteness"
    path = tmp_path / "t.tsv"
    for read, text, said in (
        (read_units, "topic\tunit\n", "line 1: the columns are topic, unit; expected also summarizer, text"),
        (read_units, "topic\tunit\tsummarizer\ttext\nt\t1\tA\t\n", "line 2: no text"),
        (read_units, "topic\tunit\tsummarizer\ttext\nt\t1\tA\n", "line 2: 3 columns; expected 4"),
        (read_marked_units, f"{head}\nt\t1\t5\t4\t1\n", "line 2: .* needs 0 <= marked <= units"),
        (read_marked_units, f"{head}\nt\t1\t3\tmany\t1\n", "line 2: .* marked"),
        (
            read_marked_units,
            f"{head}\nt\t1\t3\t4\t2\n",
            "line 2: the summary of 1 on t needs a completeness from 0 to 1",
        ),
        (read_marked_units, f"{head}\nt\t1\t3\t4\t1\nt\t1\t3\t4\t1\n", "line 3: .* is there twice"),
        (read_marked_units, f"{head}\nt\t1\t3\n", "line 2: 3 columns; expected 5"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=said):
            read(path)
