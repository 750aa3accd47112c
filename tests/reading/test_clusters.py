"""Which column says what topics lie in: by its name where topics do lie in it, or named."""

import itertools

import pandas as pd
import pytest

from classy_aesop.data.clusters import count_prefixes, prefix_of
from classy_aesop.data.scores import concatenate_scores, origin_of
from classy_aesop.errors import InputError
from classy_aesop.reading.given_tables import read_score_table
from classy_aesop.reading.score_files import read_scores

pytestmark = pytest.mark.filterwarnings("ignore")


def questions(cluster="passage", topic="question", n_clusters=6, *, is_numbered_anew=False):
    """Two systems' scores of four questions on each of some passages."""
    rows = [
        (
            f"q{q if is_numbered_anew else 4 * p + q}",
            f"p{p}",
            system,
            (7 * p + 3 * q + 5 * (system == "b")) % 5,
        )
        for p, q, system in itertools.product(range(n_clusters), range(4), "ab")
    ]
    return pd.DataFrame(rows, columns=[topic, cluster, "system", "quality"])


def clusters_of(table, **columns):
    """Give the cluster of each topic, and the name of its column."""
    clusters = origin_of(read_score_table(table, **columns)).get("clusters", {})
    return by_topic(clusters), {*clusters.get("column", ())}


def by_topic(clusters):
    return dict(zip(clusters.get("topic", ()), clusters.get("cluster", ()), strict=True))


EXPECTED = {f"q{number}": f"p{number // 4}" for number in range(24)}


@pytest.mark.parametrize(
    "name",
    ["passage", "passage_id", "PassageID", "document", "article", "conversation_id", "cluster", "story"],
)
def test_a_usual_name_is_that_of_clusters_where_topics_lie_in_them(name):
    clusters, columns = clusters_of(questions(name))  # topics of two identifiers have the names of both
    assert ({topic.split("/")[-1]: cluster for topic, cluster in clusters.items()}, columns) == (
        EXPECTED,
        {name},
    )
    assert clusters_of(questions(name), columns={"cluster": []}) == ({}, set())


def test_texts_are_clusters_too():
    table = questions()
    table["passage"] = table["passage"].map("A passage of some length, about the subject {}.".format)
    clusters, _ = clusters_of(table)
    assert len(set(clusters.values())) == 6


@pytest.mark.parametrize("name", ["blatt", "source", "group"])
def test_another_name_and_few_groups_or_sources_have_to_be_named(name):
    assert clusters_of(questions(name)) == ({}, set())
    assert clusters_of(questions(name), columns={"cluster": name}) == (EXPECTED, {name})


@pytest.mark.parametrize("name", ["source", "group_id"])
def test_many_groups_or_sources_are_clusters(name):
    clusters, columns = clusters_of(questions(name, n_clusters=8))
    assert (len(set(clusters.values())), columns) == (8, {name})


@pytest.mark.parametrize("name", ["document", "passage", "source"])
def test_what_is_the_topic_itself_is_no_cluster(name):
    alone = questions().drop(columns="passage").rename(columns={"question": name})
    assert clusters_of(alone) == ({}, set())
    beside = questions().drop(columns="passage").assign(**{name: lambda rows: "text " + rows["question"]})
    assert clusters_of(beside) == ({}, set())
    assert read_score_table(beside)["topic"].nunique() == 24


def test_a_column_in_which_topics_do_not_lie_is_none():
    table = questions()
    table["passage"] = table["passage"].where(table["system"] == "a", "p0")
    assert clusters_of(table) == ({}, set())


@pytest.mark.parametrize(
    "names",
    [("passage", "question"), ("passage_id", "question_id"), ("conversation_id", "turn"), ("blatt", "frage")],
)
def test_numbers_that_begin_anew_name_topics_with_their_cluster(names):
    table = questions(*names, is_numbered_anew=True)
    columns = {"cluster": names[0]} if names[0] == "blatt" else None
    clusters, _ = clusters_of(table, columns=columns)
    assert len(clusters) == 24
    assert all(cluster in topic.split("/") for topic, cluster in clusters.items())


def test_naming_all_other_roles_is_enough():
    """Whoever names the columns of a table that is doubtful is not asked again because of a cluster that is found."""
    table = questions("passage", "frage").rename(columns={"system": "wer"})
    roles = {"topic": "frage", "system": "wer", "measures": "quality"}
    assert clusters_of(table, columns=roles) == (EXPECTED, {"passage"})


def test_the_finest_of_several_is_the_cluster():
    table = questions().assign(
        article=lambda rows: rows["passage"].isin(["p0", "p1"]).map({True: "x", False: "y"})
    )
    assert clusters_of(table) == (EXPECTED, {"passage"})


def test_files_are_read_alike_and_what_is_written_names_the_role(tmp_path, caplog):
    caplog.set_level(0)
    path = tmp_path / "x.csv"
    questions().to_csv(path, index=False)
    assert by_topic(origin_of(read_scores(path))["clusters"]) == EXPECTED
    assert "read as cluster=passage,topic=question,system=system,measures=quality" in caplog.text


@pytest.mark.parametrize("name", ["passage", "cluster"])
def test_records_of_our_own_are_read_alike(tmp_path, name):
    path = tmp_path / "x.jsonl"
    records = [
        {"instance_id": topic, "summarizer_id": system, name: cluster, "metrics": {"quality": score}}
        for topic, cluster, system, score in questions().itertuples(index=False)
    ]
    pd.DataFrame(records).to_json(path, orient="records", lines=True)
    scores = read_scores(path)
    assert by_topic(origin_of(scores)["clusters"]) == EXPECTED
    assert scores["score"].tolist() == questions()["quality"].tolist()


def test_a_tidy_table_is_read_alike():
    tidy = (
        questions(topic="topic")
        .rename(columns={"system": "summarizer", "quality": "score"})
        .assign(metric="m")
    )
    assert clusters_of(tidy) == (EXPECTED, {"passage"})
    ours = tidy.assign(year="", task="")
    assert clusters_of(ours) == (EXPECTED, {"passage"})


@pytest.mark.parametrize(
    ("cell", "message"), [("p5", "topic q0 lies in two values of blatt"), (None, "topic q0 has no blatt")]
)
def test_a_topic_in_two_clusters_or_none_is_an_error_with_its_line(tmp_path, cell, message):
    table = questions("blatt")
    table.loc[1, "blatt"] = cell
    table.to_csv(tmp_path / "x.csv", index=False)
    with pytest.raises(InputError, match=f"x.csv, line 3: {message}; expected one of each topic"):
        read_scores(tmp_path / "x.csv", columns={"topic": "question", "cluster": "blatt"})


def test_clusters_of_several_tables_are_joined():
    table = questions()
    parts = [(name, read_score_table(table[table["system"] == name])) for name in "ab"]
    assert by_topic(origin_of(concatenate_scores(parts))["clusters"]) == EXPECTED


@pytest.mark.parametrize(
    ("topic", "prefix"),
    [
        ("p12_q3", "p12"),
        ("12-3", "12"),
        ("doc1/turn2", "doc1"),
        ("p1q3", "p1"),
        ("q3", ""),
        ("cnn_3", ""),
        ("D7-A", ""),
    ],
)
def test_the_prefix_of_a_topic(topic, prefix):
    assert prefix_of(topic) == prefix


def test_prefixes_are_shared_by_topics_that_all_have_one():
    assert count_prefixes([f"p{p}_q{q}" for p in range(3) for q in range(2)]) == 3
    assert count_prefixes([f"p{p}_q{q}" for p in range(3) for q in range(2)] + ["x"]) == 0
    assert count_prefixes([f"p{p}_q1" for p in range(6)]) == 0
    assert count_prefixes([f"p1_q{q}" for q in range(6)]) == 0
