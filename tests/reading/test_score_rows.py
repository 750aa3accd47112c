"""Tables of scores are read as people write them: their names of columns, raters, CSV, Excel, decimal commas."""

import json

import numpy as np
import pandas as pd
import pytest

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop import read_corpus, read_scores
from classy_aesop.answers.metric_pairs import evaluate_pairs
from classy_aesop.answers.metrics import evaluate
from classy_aesop.answers.raters import rater_reliability
from classy_aesop.answers.systems import compare, compare_pairs
from classy_aesop.answers.topic_plans import power
from classy_aesop.data import COLUMNS, key_table, mean_ratings
from classy_aesop.data.scores import add_stratum_columns, concatenate_scores, origin_of
from classy_aesop.errors import NOTE, DataWarning, InputError, UsageError
from classy_aesop.features.table import add_imported_metrics
from classy_aesop.reading import align_scores, read_humans, tidy
from classy_aesop.reading.shapes import split_measures
from classy_aesop.reading.summary_columns import find_raters

WIDE = pd.DataFrame(
    [
        {"doc_id": f"d{d}", "system": s, "rouge": 0.1 * ((3 * d + at) % 7), "bert": 0.5 + 0.01 * d + 0.1 * at}
        for d in range(6)
        for at, s in enumerate("abc")
    ]
)
RATED = pd.DataFrame(
    [
        {"doc_id": f"d{d}", "system": s, "rating_1": 1 + at, "rating_2": 2 + (d + at) % 3, "rating_3": 3}
        for d in range(6)
        for at, s in enumerate("abc")
    ]
)


def written(frame, path):
    """Write a table as the end of its name says; ``.txt`` as a German spreadsheet does."""
    if path.suffix == ".xlsx":
        pytest.importorskip("openpyxl")
        frame.to_excel(path, index=False)
    elif path.suffix == ".parquet":
        pytest.importorskip("pyarrow")
        frame.to_parquet(path, index=False)
    elif path.suffix == ".jsonl":
        frame.to_json(path, orient="records", lines=True, double_precision=15)
    else:
        separator = {".tsv": "\t", ".csv": ",", ".txt": ";"}[path.suffix]
        decimal = "," if path.suffix == ".txt" else "."
        frame.to_csv(path, index=False, sep=separator, decimal=decimal)
    return path


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("name", ["x.tsv", "x.csv", "x.txt", "x.xlsx", "x.parquet", "x.jsonl"])
@pytest.mark.parametrize("is_long", [False, True])
def test_a_table_reads_alike_in_every_format_wide_and_long(tmp_path, name, is_long):
    frame = WIDE.round(3)
    if is_long:
        frame = frame.melt(["doc_id", "system"], var_name="metric", value_name="score")
    found = read_scores(written(frame, tmp_path / name))
    order = ["metric", "topic", "summarizer"]
    plain = tidy(WIDE.round(3)).sort_values(order).reset_index(drop=True)
    pd.testing.assert_frame_equal(found.sort_values(order).reset_index(drop=True), plain)


def test_decimal_commas_are_read_and_said(tmp_path, caplog):
    caplog.set_level(NOTE, "classy_aesop")
    written(WIDE, tmp_path / "x.txt")
    found = read_scores(tmp_path / "x.txt")
    assert found.loc[found["metric"] == "bert", "score"].tolist() == pytest.approx(WIDE["bert"].tolist())
    (line,) = caplog.messages
    roles = "topic=doc_id,system=system,measures=bert,scores=rouge"
    assert line.endswith(f"x.txt: read as {roles}; decimal commas are read as points in bert, rouge")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('length\n1;a;"1,234"\n1;b;"2,345"\n', "length is '1,234'; expected a number"),
        ("n;m;k\n1;a;1.234;0,5;0.5\n", "n is '1.234', and others have decimal commas and decimal points"),
    ],
)
def test_thousands_are_not_taken_for_decimals(tmp_path, text, says):
    """Also where the other columns say both."""
    (tmp_path / "x.csv").write_text(f"topic;system;{text}")
    with pytest.raises(InputError, match=rf"x.csv, line 2: {says}"):
        read_scores(tmp_path / "x.csv")


@pytest.mark.parametrize(
    ("cell", "other", "number"),
    [
        ("1.234", "0,5", 1234),
        ("2.345,5", "0,5", 2345.5),
        ("1,234", "0,5", 1.234),
        ("1.234", "3", 1.234),
        ("1.234", "0.5", 1.234),
    ],
)
def test_the_other_columns_decide_what_a_mark_is(tmp_path, cell, other, number):
    """``1.234`` beside decimal commas was a bit more than one."""
    (tmp_path / "x.csv").write_text(f"topic;system;n;m\n1;a;{cell};{other}\n1;b;{cell};{other}\n")
    found = read_scores(tmp_path / "x.csv")
    assert set(found.loc[found["metric"] == "n", "score"]) == {number}


@pytest.mark.slow
def test_identifiers_that_look_alike_say_so(tmp_path):
    other = WIDE.replace({"system": {"a": "caf\u00e9"}})
    for spelled in ("cafe\u0301", "caf\u00e9\u200b"):
        same = WIDE.replace({"system": {"a": spelled}})
        with pytest.warns(DataWarning, match="look alike but differ"):
            tidy(pd.concat([other, same[same["system"] == spelled]]))
        with pytest.warns(DataWarning) as told:
            evaluate(
                tidy(other), tidy(same.rename(columns={"rouge": "human"})[["doc_id", "system", "human"]])
            )
        assert any("look alike but differ" in str(one.message) for one in told)
        with pytest.raises(
            InputError, match=r"^no instance is in both tables: .*; 'd0' and 'd0.*' look alike"
        ):
            evaluate(tidy(WIDE), tidy(WIDE.assign(doc_id=WIDE["doc_id"] + "\u200e")))
        rows = [{"topic": "1", "summarizer": "caf\u00e9", "text": "Rain.", "references": {"A": "Rain."}}]
        judged = [{"topic": "1", "summarizer": spelled, "metrics": {"m": 1}}]
        with pytest.raises(InputError, match=r"1 judgments without a summary: 1 .*; 'caf.* look alike but"):
            corpus_of_records(rows, judged)


def test_the_name_of_a_file_stands_once(tmp_path):
    (tmp_path / "x.csv").write_text("topic,system,m\n1,a,3\n1,a,4\n")
    with pytest.raises(
        InputError,
        match=r"x.csv: 1 rows are given again \(line 3 after line 2\): equal in topic, system; they differ in m",
    ):
        read_scores(tmp_path / "x.csv")
    (tmp_path / "x.csv").write_text("topic,system,summary,reference,m\n1,a,,r,3\n1,b,x,r,good\n")
    with pytest.warns(DataWarning) as told:
        read_corpus(tmp_path / "x.csv")
    assert [str(one.message).removeprefix(f"{tmp_path / 'x.csv'}: ") for one in told][:2] == [
        "ignored columns: m (numbers, but 'good' in line 3)",
        "1 rows without a text are empty summaries: line 2",
    ]


def test_a_spreadsheet_ends_with_empty_rows_and_columns(tmp_path):
    (tmp_path / "x.csv").write_text("topic,system,m,,\n1,a,3,,\n1,b,4,,\n,,,,\n,,,,\n")
    assert read_scores(tmp_path / "x.csv")["score"].tolist() == [3, 4]
    (tmp_path / "x.csv").write_text("topic,system,m,\n1,a,3,\n1,b,4,5\n")
    with pytest.raises(InputError, match="a column of topic, system, m,  has no name"):
        read_scores(tmp_path / "x.csv")


def test_identifiers_stay_as_they_are_written(tmp_path):
    (tmp_path / "x.csv").write_text('topic,system,m\n001,1e5,3\n"1,234",1.0,4\n')
    found = read_scores(tmp_path / "x.csv")
    assert found[["topic", "summarizer"]].to_numpy().tolist() == [["001", "1e5"], ["1,234", "1.0"]]
    frame = pd.DataFrame({"topic": [144.0, 145.0], "system": [7, 7], "m": [1, 2]})
    assert tidy(frame)["topic"].tolist() == ["144", "145"]


def test_another_encoding_is_named(tmp_path):
    (tmp_path / "x.csv").write_bytes("topic;system;m\n1;Köln;3\n".encode("cp1252"))
    assert read_scores(tmp_path / "x.csv", encoding="cp1252")["summarizer"].tolist() == ["Köln"]
    for encoding in ("latin-x", "undefined"):
        with pytest.raises(UsageError, match=f"no encoding '{encoding}'; expected one such as cp1252"):
            read_scores(tmp_path / "x.csv", encoding=encoding)
    (tmp_path / "x.csv").write_bytes(b"topic;system;m\n1;\x81;3\n")
    with pytest.raises(InputError, match="byte 0x81 at position 18 is not cp1252"):
        read_scores(tmp_path / "x.csv", encoding="cp1252")


def test_raters_are_columns_whose_names_differ_by_a_number(tmp_path, caplog):
    caplog.set_level(NOTE, "classy_aesop")
    found = read_scores(written(RATED, tmp_path / "x.csv"))
    assert set(found["metric"]) == {"rating"}
    assert list(found["assessor"][:3]) == ["1", "2", "3"]
    assert mean_ratings(found)["score"].tolist() == pytest.approx(
        RATED.filter(like="rating").mean(axis=1).tolist()
    )
    assert "read as topic=doc_id,system=system,ratings=rating_1,rating_2,rating_3" in caplog.text
    letters = RATED.rename(columns={f"rating_{at}": f"A{at}" for at in (1, 2, 3)})
    with pytest.raises(InputError, match=r"A1, A2, A3 are taken as raters.*measures=A1,A2,A3"):
        tidy(letters)
    assert set(tidy(letters, columns={"ratings": "A*"})["metric"]) == {"A"}
    named = ["rating_1", "rating_3"]
    assert set(tidy(RATED, columns={"measures": named})["metric"]) == {*named}


@pytest.mark.parametrize(
    ("names", "raters"),
    [
        (["rating_1", "rating_2"], {"rating": ["1", "2"]}),
        (["A1", "A2", "A3"], {"A": ["1", "2", "3"]}),
        (["Rater 1", "Rater 2"], {"Rater": ["1", "2"]}),
        (["fluency_0", "fluency_1", "relevance_0", "relevance_1"], {"fluency": ["0", "1"], "relevance": ["0", "1"]}),
        (["rating_1"], {}),
        (["rating_2", "rating_3"], {}),  # the first is missing: perhaps they are something else
        (["rating_1", "rating_3"], {}),
        (["rating", "rating_1", "rating_2"], {}),  # the name of their mean is taken
        (["gpt4_1", "gpt4_2"], {}),
        (["Q1", "Q2"], {}),
        (["1", "2"], {}),
    ],
)  # fmt: skip
def test_what_is_taken_for_raters(names, raters):
    assert {measure: list(one) for measure, one in find_raters(names).items()} == raters


def test_raters_that_the_user_names():
    people = ["rating_ann", "rating_bob"]
    assert split_measures(people) == {"rating": dict(zip(("ann", "bob"), people, strict=True))}
    assert split_measures(["x_1", "x_2", "y_1"]) == {"rating": {one: one for one in ("x_1", "x_2", "y_1")}}


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"ratings": "grade_*"}, r"no column grade_\* among doc_id, system"),
        ({"ratings": "rating_*", "assessor": "system"}, "expected one of the two"),
        ({"ratings": "rating_*", "measures": "rating_1"}, "column rating_1 is named twice"),
    ],
)
def test_roles_that_do_not_fit(columns, says):
    with pytest.raises(UsageError, match=says):
        tidy(RATED.assign(summarizer=RATED["system"]), columns=columns)


def test_the_surer_name_of_two_is_that_of_the_topic():
    with pytest.warns(
        DataWarning, match="by their names or values no scores: id; --columns scores=NAME takes such"
    ):
        assert set(tidy(WIDE.assign(id=1))["topic"]) == {*WIDE["doc_id"]}
    both = WIDE.assign(instance_id="t-A", id=1)[["id", "instance_id", "system", "bert"]].iloc[:3]
    with pytest.warns(
        DataWarning, match="by their names or values no scores: id; --columns scores=NAME takes such"
    ):
        assert set(tidy(both)[["topic", "metric"]].itertuples(index=False, name=None)) == {("t", "bert")}
    more = WIDE[["system", "bert"]].assign(topic="t", docid=1, HITId=2).iloc[:3]
    with pytest.warns(DataWarning, match="by their names or values no scores: docid, HITId; "):
        assert set(tidy(more)["metric"]) == {"bert"}
    assert set(tidy(WIDE.assign(topic="t")[["topic", "system", "bert"]].iloc[:3])["topic"]) == {"t"}


def test_columns_without_scores_are_said_and_cells_that_are_no_number_refused():
    with pytest.warns(DataWarning, match="ignored columns: summary"):
        assert set(tidy(WIDE.assign(summary="It rained."))["metric"]) == {"bert", "rouge"}
    wrong = WIDE.astype({"bert": object})
    wrong.loc[4, "bert"] = "n/a?"
    with pytest.raises(InputError, match=r"record 5: bert is 'n/a\?'; expected a number"):
        tidy(wrong)


def test_a_column_human_holds_scores_or_marks_humans(tmp_path):
    scored = WIDE.assign(human=[1, 4, 5] * 6)
    assert set(tidy(scored)["metric"]) == {"rouge", "bert", "human"}
    assert read_humans(written(scored, tmp_path / "s.csv")) == {}
    for name in ("human", "Is Human"):
        marked = WIDE.assign(**{name: [0, 0, 1] * 6})
        assert set(tidy(marked)["metric"]) == {"rouge", "bert"}
        humans = {("", "a"): False, ("", "b"): False, ("", "c"): True}
        assert read_humans(written(marked, tmp_path / "m.csv")) == humans


def test_long_tables_by_other_names():
    long = WIDE.melt(["doc_id", "system"], var_name="measure", value_name="value")
    assert set(tidy(long)["metric"]) == {"rouge", "bert"}
    assert set(tidy(WIDE.set_index(["doc_id", "system"]))["metric"]) == {"rouge", "bert"}
    with pytest.raises(InputError, match="the score could be x or y"):
        tidy(long.rename(columns={"measure": "metric", "value": "x"}).assign(y=range(len(long), 0, -1)))


@pytest.mark.slow
def test_columns_of_json_lines_may_be_named(tmp_path):
    path = written(WIDE.rename(columns={"doc_id": "zz"}), tmp_path / "x.jsonl")
    pd.testing.assert_frame_equal(read_scores(path, columns={"topic": "zz"}), tidy(WIDE))
    assert len(read_scores(path)) == len(tidy(WIDE))  # each system has a row of each zz: it is the topic
    incomplete = written(WIDE[1:].rename(columns={"doc_id": "zz"}), tmp_path / "x.jsonl")
    with pytest.raises(InputError, match="no name says that zz is the topic"):
        read_scores(incomplete)


@pytest.mark.parametrize("ending", ["csv", "jsonl", "xlsx", "parquet"])
def test_who_is_human_is_read_of_every_table_whose_scores_are(tmp_path, ending):
    """As a number with a point too, as a table holds it in which another cell of the column is missing."""
    numbered = WIDE.assign(
        system=WIDE["system"].map({"a": 1.5, "b": 2.0, "c": 3.0}), human=WIDE["system"] == "b"
    )
    path = written(numbered[numbered["system"] > 2 - 1e-9], tmp_path / f"x.{ending}")
    assert sorted(read_humans(path).values()) == [False, True]
    assert set(read_humans(path)) == {("", one) for one in read_scores(path)["summarizer"]}


@pytest.mark.parametrize("mark", ["\u2028", "\x85", "\x0c"])
def test_only_a_line_break_ends_a_row_of_csv(tmp_path, mark):
    system = WIDE["system"].replace("a", f"a{mark}a")
    (tmp_path / "x.csv").write_text(
        WIDE.assign(system=system).to_csv(index=False), encoding="utf-8", newline=""
    )
    assert set(read_scores(tmp_path / "x.csv")["summarizer"]) == {f"a{mark}a", "b", "c"}


def test_no_column_may_have_a_role():
    """As `Fields` say; before, it was an IndexError."""
    assert set(tidy(WIDE.assign(year=1), columns={"year": (), "ratings": ()})["year"]) == {""}
    with pytest.raises(InputError, match="no column topic among doc_id"):
        tidy(WIDE, columns={"topic": ()})


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")  # of so few topics and systems
def test_every_function_takes_any_table():
    """As a tidy table of the same numbers does; before, they stopped with KeyError."""
    scores, judgments = tidy(WIDE), tidy(RATED)
    pd.testing.assert_frame_equal(compare_pairs(WIDE, "rouge").table, compare_pairs(scores, "rouge").table)
    pd.testing.assert_frame_equal(compare(WIDE, "rouge").table, compare(scores, "rouge").table)
    pd.testing.assert_frame_equal(evaluate(WIDE, RATED).table, evaluate(scores, judgments).table)
    how = {"n_resamples": 19, "level": ["input"], "test": "boot"}
    pd.testing.assert_frame_equal(
        evaluate_pairs(WIDE, RATED, "rating", **how).table,
        evaluate_pairs(scores, judgments, "rating", **how).table,
    )
    how = {"systems": ["a", "b"], "n_trials": 20}
    pd.testing.assert_frame_equal(
        power(WIDE, "bert", 0.1, **how).table, power(scores, "bert", 0.1, **how).table
    )
    pd.testing.assert_frame_equal(rater_reliability(RATED).table, rater_reliability(tidy(RATED)).table)


def test_numbered_metrics_are_no_raters(tmp_path):
    """Columns called as metrics are none, though their names differ by a number."""
    path = tmp_path / "x.csv"
    path.write_text("topic,system,rouge1,rouge2,f1\na,s,.1,.2,.3\na,t,.2,.3,.3\nb,s,.3,.1,.2\nb,t,.4,.1,.2\n")
    table = read_scores(path)
    assert list(table["metric"].unique()) == ["rouge1", "rouge2", "f1"]
    assert "assessor" not in table


INSTANCES = key_table([("1", "t1", "A", "x"), ("1", "t1", "A", "y"), ("1", "t2", "A", "x")])


def scores(*rows):
    return pd.DataFrame([("1", *row) for row in rows], columns=COLUMNS)


WHOLE = [("t2", "A", "x", "m", 3.0), ("t1", "A", "y", "m", 2.0), ("t1", "A", "x", "m", 1.0)]


def test_rows_are_joined_by_ids_and_not_by_order(recwarn):
    assert align_scores(INSTANCES, scores(*WHOLE))["m"].tolist() == [1.0, 2.0, 3.0]
    assert align_scores(INSTANCES[:2], scores(*WHOLE), instances_of_corpus=INSTANCES)["m"].tolist() == [
        1.0,
        2.0,
    ]
    assert not recwarn
    again = scores(*WHOLE).assign(assessor="2", score=[4.0, 3.0, 2.0])  # ratings are averaged
    ratings = pd.concat([scores(*WHOLE).assign(assessor="1"), again])
    assert align_scores(INSTANCES, ratings)["m"].tolist() == [1.5, 2.5, 3.5]


def test_what_is_missing_or_unknown_is_said_in_one_warning():
    table = scores(*WHOLE[1:], ("t2", "A", "z", "m", 9.0), ("t2", "A", "x", "n", 5.0))
    with pytest.warns(DataWarning) as caught:
        wide = align_scores(INSTANCES, table)
    assert len(caught) == 1
    assert str(caught[0].message) == (
        "imported scores: scored but not in the corpus, and left out: 1 (1/t2/A/z); "
        "missing: m of 1 (1/t2/A/x), n of 2 (1/t1/A/x, 1/t1/A/y)"
    )
    assert np.isnan(wide["m"].iloc[2])


def test_no_common_instance_and_repeated_ones_are_refused():
    with pytest.raises(InputError, match="no summary of the corpus has a score: scores have 1/t9/A/x"):
        align_scores(INSTANCES, scores(("t9", "A", "x", "m", 1.0)))
    with pytest.raises(InputError, match="1 t1-A x: m appears twice"):
        align_scores(INSTANCES, scores(*WHOLE, WHOLE[-1]))


def test_a_table_keeps_how_its_features_were_made():
    table = INSTANCES.assign(r2=0.5)
    table.attrs["features"] = {"stem": True}
    assert add_imported_metrics(table, scores(*WHOLE)).attrs == table.attrs


def test_names_of_ours_and_metrics_that_are_not_there_are_refused():
    table = INSTANCES.assign(human=False, r2=0.5)
    for taken in ("r2", "su4", "r2@A", "human"):
        with pytest.raises(InputError, match=f"metric {taken} has the name of a column or a feature"):
            add_imported_metrics(table, scores(*WHOLE).assign(metric=taken))
    with pytest.raises(InputError, match="no imported metric k; the scores have m"):
        add_imported_metrics(table, scores(*WHOLE), names=["k"])
    with pytest.raises(InputError, match="imported scores: m has no score for any of the summaries"):
        add_imported_metrics(table[:1], scores(*WHOLE[:2]), instances_of_corpus=INSTANCES)


def test_a_table_says_what_it_was_read_from_and_several_say_it_together(tmp_path):
    """In plain lists and dicts, so that pandas can write the table to Parquet."""
    rows = {"doc": ["1", "2"] * 2, "system": list("aabb"), "set": ["x", "x", "y", "y"]}
    one = pd.DataFrame({**rows, "rating_1": [1, 2, 3, 4], "rating_2": [2, 2, 3, 5]})
    path = tmp_path / "one.csv"
    one.to_csv(path, index=False)
    with pytest.warns(DataWarning, match="ignored columns: set"):
        read = read_scores(path)
    expected = {"topic": "doc", "unnamed_raters": ["rating"], "columns": {"set": {"x": ["a"], "y": ["b"]}}}
    expected["extremes"] = {"rating": [[1.0, str(path), 2, "line"], [5.0, str(path), 5, "line"]]}
    assert origin_of(read) == json.loads(json.dumps(origin_of(read))) == expected
    with pytest.warns(DataWarning):
        other = tidy(pd.DataFrame({"doc": ["3"], "system": ["c"], "set": ["z"], "n": [4]}).assign(doc="3"))
    together = origin_of(
        concatenate_scores([("one", add_stratum_columns(read)), ("two", add_stratum_columns(other))])
    )
    in_memory = {"n": [[4.0, None, 1, "line"]] * 2}
    assert together.pop("extremes") == expected.pop("extremes") | in_memory
    assert together == {**expected, "columns": {"set": {"x": ["a"], "y": ["b"], "z": ["c"]}}}
    assert {*origin_of(tidy(one.drop(columns="set"), columns={"ratings": "rating_*"}))} == {
        "topic",
        "extremes",
    }
