"""Several outputs of a system on one topic are averaged where a table is read, and no persons."""

import json
import logging

import numpy as np
import pandas as pd
import pytest

from classy_aesop import read_corpus, read_preferences, read_scores
from classy_aesop.data.scores import origin_of
from classy_aesop.errors import InputError, UsageError
from classy_aesop.reading.column_names import ATTEMPT_NAMES
from classy_aesop.reading.file_report import inspect_file
from classy_aesop.reading.given_tables import read_score_table

ATTEMPTS = pd.DataFrame(
    [
        ("t1", "a", 1, 1),
        ("t1", "a", 2, 0),
        ("t1", "b", 1, 1),
        ("t1", "b", 2, 1),
        ("t1", "b", 3, 0),
        ("t1", "b", 4, 1),
        ("t2", "a", 1, 0),
        ("t2", "b", 1, 0),
        ("t2", "b", 2, 1),
    ],
    columns=["topic", "system", "attempt", "passed"],
)
CELLS = {("t1", "a"): 1 / 2, ("t1", "b"): 3 / 4, ("t2", "a"): 0, ("t2", "b"): 1 / 2}


def cells_of(scores):
    return dict(zip(zip(scores["topic"], scores["summarizer"], strict=True), scores["score"], strict=True))


def written(frame, path, name="scores.csv"):
    frame.to_csv(path / name, index=False)
    return path / name


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("name", ATTEMPT_NAMES)
@pytest.mark.parametrize(("topic", "system"), [("topic", "system"), ("item", "model")])
def test_attempts_are_averaged_by_hand(name, topic, system, tmp_path):
    frame = ATTEMPTS.rename(columns={"attempt": name, "topic": topic, "system": system})
    for scores in (read_score_table(frame), read_scores(written(frame, tmp_path))):
        assert cells_of(scores) == CELLS
        assert list(scores["metric"].unique()) == ["passed"]
        assert "assessor" not in scores
        (attempts,) = origin_of(scores)["attempts"].values()
        scores_of = attempts.pop("scores")
        assert attempts["cells"] == {"n_attempts": [2, 4, 1, 2], "is_pass_or_fail": [True]}
        assert [*zip(scores_of["topic"], scores_of["summarizer"], scores_of["score"], strict=True)] == [
            *ATTEMPTS[["topic", "system", "passed"]].itertuples(index=False, name=None)
        ]


@pytest.mark.slow
def test_one_line_says_how_many_were_averaged(tmp_path, caplog):
    path = written(ATTEMPTS, tmp_path)
    with caplog.at_level(logging.DEBUG):
        read_scores(path)
    assert f"{path}: 1 to 4 attempts a topic were averaged" in caplog.messages
    caplog.clear()
    even = ATTEMPTS[ATTEMPTS["attempt"].le(2) & ATTEMPTS["topic"].eq("t1")].replace({"attempt": {2: 7}})
    with caplog.at_level(logging.DEBUG):
        read_scores(written(even, tmp_path))
    assert f"{path}: 2 attempts a topic were averaged" in caplog.messages
    caplog.clear()
    single = ATTEMPTS[ATTEMPTS["attempt"].eq(1)]
    with caplog.at_level(logging.DEBUG):
        assert "attempts" not in origin_of(read_scores(written(single, tmp_path)))
    assert not any("averaged" in message for message in caplog.messages)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("form", ["csv", "jsonl", "frame", "records", "columns"])
def test_every_form_of_a_table_gives_the_same_cells(form, tmp_path):
    if form == "csv":
        scores = read_scores(written(ATTEMPTS, tmp_path))
    elif form == "jsonl":
        ATTEMPTS.to_json(tmp_path / "scores.jsonl", orient="records", lines=True)
        scores = read_scores(tmp_path / "scores.jsonl")
    else:
        scores = read_score_table(
            {"frame": ATTEMPTS, "records": ATTEMPTS.to_dict("records"), "columns": ATTEMPTS.to_dict("list")}[
                form
            ]
        )
    pd.testing.assert_frame_equal(scores, read_score_table(ATTEMPTS))
    assert origin_of(scores)["attempts"] == origin_of(read_score_table(ATTEMPTS))["attempts"]


def test_records_with_metrics_may_have_attempts(tmp_path):
    path = tmp_path / "records.jsonl"
    rows = [
        {
            **row,
            "instance_id": row["topic"],
            "summarizer_id": row["system"],
            "metrics": {"passed": row["passed"]},
        }
        for row in ATTEMPTS.to_dict("records")
    ]
    names = ("instance_id", "summarizer_id", "attempt", "metrics")
    path.write_text("\n".join(json.dumps({name: row[name] for name in names}) for row in rows))
    assert cells_of(read_scores(path)) == CELLS


def test_a_tidy_frame_may_have_attempts():
    names = {"system": "summarizer", "passed": "score"}
    tidy = ATTEMPTS.rename(columns=names).assign(year="", task="", metric="passed")
    tidy["score"] = tidy["score"].astype(float)
    assert cells_of(read_score_table(tidy)) == CELLS


def test_attempts_are_averaged_within_raters_first(tmp_path):
    ratings = pd.DataFrame(
        [
            ("t1", "a", "ann", 1, 1.0),
            ("t1", "a", "ann", 2, 3.0),
            ("t1", "a", "bob", 1, 5.0),
            ("t1", "b", "ann", 1, 4.0),
            ("t1", "b", "bob", 1, 2.0),
            ("t1", "b", "bob", 2, 2.0),
            ("t2", "a", "ann", 1, 1.0),
            ("t2", "b", "ann", 1, 2.0),
        ],
        columns=["topic", "system", "rater", "run", "quality"],
    )
    scores = read_score_table(ratings)
    assert scores[["summarizer", "assessor", "score"]].values.tolist() == [
        ["a", "ann", 2.0],
        ["a", "bob", 5.0],
        ["b", "ann", 4.0],
        ["b", "bob", 2.0],
        ["a", "ann", 1.0],
        ["b", "ann", 2.0],
    ]
    renamed = ratings.rename(columns={"topic": "item", "system": "model", "rater": "annotator"})
    pd.testing.assert_frame_equal(read_scores(written(renamed, tmp_path)), scores)


def test_missing_attempts_are_not_counted():
    frame = ATTEMPTS.astype({"passed": float})
    frame.loc[frame["attempt"].gt(1) & frame["system"].eq("b"), "passed"] = np.nan
    scores = read_score_table(frame)
    assert cells_of(scores) == {("t1", "a"): 0.5, ("t1", "b"): 1.0, ("t2", "a"): 0.0, ("t2", "b"): 0.0}
    assert origin_of(scores)["attempts"]["passed"]["cells"]["n_attempts"] == [2, 1, 1, 1]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    "columns",
    [
        {"topic": "prompt", "system": "bot", "attempt": "turn"},
        {"topic": "prompt", "system": "bot", "sample": "turn"},
    ],
)
def test_any_column_can_be_named(columns, tmp_path):
    frame = ATTEMPTS.rename(columns={"topic": "prompt", "system": "bot", "attempt": "turn"})
    assert cells_of(read_score_table(frame, columns=columns)) == CELLS
    assert cells_of(read_scores(written(frame, tmp_path), columns=columns)) == CELLS
    by_order = {**columns, "attempt": "#", "measures": "passed"}
    by_order.pop("sample", None)
    assert cells_of(read_scores(written(frame.drop(columns="turn"), tmp_path), columns=by_order)) == CELLS


def test_several_columns_number_attempts_together():
    frame = ATTEMPTS.assign(seed=ATTEMPTS["attempt"] % 2, epoch=ATTEMPTS["attempt"] // 2).drop(
        columns="attempt"
    )
    assert cells_of(read_score_table(frame)) == CELLS


def test_a_run_is_a_system_where_no_other_column_is():
    frame = ATTEMPTS.rename(columns={"system": "run", "attempt": "seed"})
    assert cells_of(read_score_table(frame)) == CELLS


def test_attempts_are_no_measures_where_rows_differ_without_them():
    first = ATTEMPTS[ATTEMPTS["attempt"].eq(1)]
    assert list(read_score_table(first)["metric"].unique()) == ["passed"]
    assert list(read_score_table(first.rename(columns={"topic": "item"}))["metric"].unique()) == ["passed"]


def test_an_attempt_given_twice_is_refused_where_it_differs(tmp_path):
    changed = ATTEMPTS[:1].assign(passed=1 - ATTEMPTS["passed"])
    path = written(pd.concat([ATTEMPTS, changed]), tmp_path)
    with pytest.raises(InputError, match=r"given again \(line 11 after line 2\): .*; they differ in passed"):
        read_scores(path)


def test_attempts_without_topics_ask_for_topics(tmp_path):
    frame = ATTEMPTS[ATTEMPTS["topic"].eq("t1")].drop(columns="topic")
    with pytest.raises(InputError, match=r"no column names the topic.*expected topic=NAME") as error:
        read_scores(written(frame, tmp_path))
    assert "given again" not in str(error.value)
    assert "topic=#" not in str(error.value)
    as_topics = read_scores(written(frame, tmp_path), columns={"topic": "attempt"})
    assert sorted(as_topics["topic"].unique()) == ["1", "2", "3", "4"]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("base", ["run_", "score_run", "score_seed_", "attempt "])
def test_numbered_columns_are_attempts_by_the_same_rule(base, tmp_path):
    wide = ATTEMPTS.pivot(index=["topic", "system"], columns="attempt", values="passed").reset_index()
    wide.columns = ["topic", "system", *(f"{base}{number}" for number in (1, 2, 3, 4))]
    renamed = wide.rename(columns={"topic": "item", "system": "model"})
    for scores in (
        read_score_table(wide),
        read_scores(written(wide, tmp_path)),
        read_scores(written(renamed, tmp_path)),
        read_score_table(wide, columns={"ratings": [f"{base}{number}" for number in (1, 2, 3, 4)]}),
    ):
        assert cells_of(scores) == CELLS
        assert "assessor" not in scores
        assert [max(parts["cells"]["n_attempts"]) for parts in origin_of(scores)["attempts"].values()] == [4]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(("topic", "system"), [("topic", "system"), ("item", "model")])
def test_measures_and_attempts_are_crossed(topic, system, tmp_path):
    wide = pd.DataFrame(
        {
            topic: ["t1", "t1", "t2", "t2"],
            system: ["a", "b", "a", "b"],
            "fluency_run1": [1, 2, 3, 4],
            "fluency_run2": [3, 4, 3, 5],
            "coherence_run1": [5, 2, 4, 4],
            "coherence_run2": [1, 2, 2, 5],
        }
    )
    scores = read_scores(written(wide, tmp_path))
    assert "assessor" not in scores
    assert scores[scores["metric"].str.startswith("fluency")]["score"].tolist() == [2.0, 3.0, 3.0, 4.5]
    assert scores[scores["metric"].str.startswith("coherence")]["score"].tolist() == [3.0, 2.0, 3.0, 4.5]
    assert inspect_file(tmp_path / "scores.csv").commands


def test_the_user_decides_what_is_an_attempt():
    frame = ATTEMPTS.assign(seed=ATTEMPTS["attempt"] * 10)
    measures = read_score_table(frame, columns={"measures": ["passed", "seed"]})
    assert sorted(measures["metric"].unique()) == ["passed", "seed"]
    raters = read_score_table(ATTEMPTS, columns={"rater": "attempt"})
    assert sorted(raters["assessor"].unique()) == ["1", "2", "3", "4"]
    with pytest.raises(InputError, match="given again"):
        read_score_table(ATTEMPTS, columns={"attempt": []})


def test_numbered_attempts_go_with_a_column_of_raters():
    wide = pd.DataFrame(
        {"topic": ["t", "t"], "system": ["a", "a"], "rater": ["x", "y"], "run_1": [1, 2], "run_2": [2, 4]}
    )
    scores = read_score_table(wide)
    assert scores[["assessor", "score"]].values.tolist() == [["x", 1.5], ["y", 3.0]]


@pytest.mark.parametrize("names", [("topic", "system", "attempt"), ("item", "model", "run")])
def test_the_command_of_validate_reads_attempts(names, tmp_path):
    frame = ATTEMPTS.rename(columns=dict(zip(("topic", "system", "attempt"), names, strict=True)))
    path = written(frame, tmp_path)
    report = inspect_file(path)
    topic, system, attempt = names
    assert report.commands == [
        f"classy-aesop compare {path} --metric passed --columns "
        f"topic={topic},system={system},attempt={attempt},measures=passed"
    ]
    assert "1 to 4 attempts a topic, which are averaged" in str(report)


def test_summaries_have_no_attempts(tmp_path):
    path = written(ATTEMPTS.assign(summary="A text."), tmp_path)
    with pytest.raises(UsageError, match="no column is a 'attempt'"):
        read_corpus(path, columns={"attempt": "attempt"})


VOTES = pd.DataFrame(
    [
        (topic, "a", "b", attempt, "model_a" if attempt < 3 else "model_b")
        for topic in ("1", "2", "3")
        for attempt in (1, 2, 3)
    ],
    columns=["topic", "model_a", "model_b", "run", "winner"],
)


@pytest.mark.parametrize("is_plain", [True, False])
def test_attempts_of_preferences_are_one_observation(is_plain, tmp_path, caplog):
    votes = VOTES
    if not is_plain:
        names = {"topic": "item", "model_a": "left_model", "model_b": "right_model", "winner": "vote"}
        votes = VOTES.rename(columns=names).replace({"vote": {"model_a": "left", "model_b": "right"}})
    path = written(votes, tmp_path)
    with caplog.at_level(logging.DEBUG):
        preferences = read_preferences(path)
    assert f"{path}: 3 attempts a topic were pooled: each topic counts as one observation" in caplog.messages
    assert preferences.raters == ()
    assert (len(preferences), preferences.topics) == (9, ("1", "2", "3"))
