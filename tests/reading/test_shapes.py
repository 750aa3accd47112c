"""Shapes of judged files: each is recognized by data and names, and what its printed command reads is what is shown."""

import json
import shlex

import pytest

from classy_aesop import InputError, read_scores
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.columns import WordScale
from classy_aesop.reading.file_report import inspect_file, inspect_scores
from classy_aesop.reading.headers import count_lower_headers, is_headerless
from classy_aesop.reading.judged_scores import list_roles, open_table, votes_of_table

ITEMS = ("i1", "i2", "i3", "i4")
GRADES = {"alpha": (5, 4, 5, 4), "beta": (3, 3, 4, 2), "gamma": (1, 2, 2, 3)}
MEANS = {"alpha": 4.5, "beta": 3.0, "gamma": 2.0}


def rows_of(line):
    """Give a line for each item and system, made by a function of both and the grade."""
    return [
        line(item, system, grades[number])
        for number, item in enumerate(ITEMS)
        for system, grades in GRADES.items()
    ]


def table(header, line, between="\n"):
    """Give a text table of the grades."""
    return between.join([header, *rows_of(line)]) + "\n"


WORDS = {1: "Poor", 2: "Fair", 3: "Good", 4: "Very good", 5: "Excellent"}
NESTED = {
    system: {item: {"fluency": grades[number]} for number, item in enumerate(ITEMS)}
    for system, grades in GRADES.items()
}
FILES = {
    "plain.csv": table("case,bot,naturalness", lambda *cells: ",".join(map(str, cells))),
    "row_ids.csv": table("id,story_id,model,rating", lambda i, s, g: f"{i}-{s},{i},{s},{g}"),
    "title.csv": "Ratings of May\n" + table("case,bot,rating", lambda *cells: ",".join(map(str, cells))),
    "pipes.txt": table("segment|mt_system|rating", lambda *cells: "|".join(map(str, cells))),
    "blanks.tsv": table("seg_id system rating", lambda *cells: " ".join(map(str, cells))),
    "tabs_and_blanks.tsv": table("seg_id system rating", "{}\t{} {}".format),
    "commas.csv": table("request;policy;score", lambda i, s, g: f"{i};{s};{g},0"),
    "words.csv": table("item,engine,quality", lambda i, s, g: f"{i},{s},{WORDS[g]}"),
    "labelled.csv": table("item,engine,quality", lambda i, s, g: f"{i},{s},{g} - {WORDS[g]}"),
    "aspects.csv": table(
        "item,system,aspect,rating", lambda i, s, g: f"{i},{s},fluency,{g}\n{i},{s},meaning,1"
    ),
    "input.csv": table(
        "HITId,WorkerId,Input.doc,Input.system,Answer.fluency,WorkTimeInSeconds",
        lambda i, s, g: f"H{i}{s},W1,{i},{s},{g},33\nH{i}{s},W2,{i},{s},{g},44",
    ),
    "crossed.csv": "item,annotator,alpha_fluency,beta_fluency,gamma_fluency,alpha_style,beta_style,gamma_style\n"
    + "".join(
        f"{item},{rater},{','.join(str(GRADES[system][number]) for system in GRADES)},1,2,3\n"
        for number, item in enumerate(ITEMS)
        for rater in ("ann", "bob")
    ),
    "slots.csv": "item,sys1,sys2,sys3,quality1,quality2,quality3\n"
    + "".join(
        f"{item},beta,alpha,gamma,{GRADES['beta'][number]},{GRADES['alpha'][number]},{GRADES['gamma'][number]}\n"
        for number, item in enumerate(ITEMS)
    ),
    "lists.csv": table("item,model,ratings", lambda i, s, g: f'{i},{s},"[{g}, {g}]"'),
    "nested.json": json.dumps(
        [{"item": i, "model": s, "scores": {"fluency": g, "style": 3}} for i, s, g in rows_of(lambda *x: x)]
    ),
    "by_item.json": json.dumps(
        {
            item: {system: grades[number] for system, grades in GRADES.items()}
            for number, item in enumerate(ITEMS)
        }
    ),
    "responses.jsonl": "".join(
        json.dumps(
            {"prompt_id": item, "responses": [{"model": s, "score": GRADES[s][number]} for s in GRADES]}
        )
        + "\n"
        for number, item in enumerate(ITEMS)
    ),
    "survey.csv": "item,model,Q1_fluency\nitem,model,How fluent?\n"
    + "\n".join(rows_of(lambda *cells: ",".join(map(str, cells)))),
    "latency.csv": table("request_id,architecture,latency_ms", lambda i, s, g: f"{i},{s},{g}.0"),
}


def first_answer(path):
    """Give the scores that the first printed command reads."""
    words = shlex.split(inspect_file(path).commands[0])
    return read_scores(path, columns=list_roles(words[words.index("--columns") + 1]))


@pytest.mark.slow(after=5)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FILES)
def test_the_first_printed_command_reads_the_right_scores(tmp_path, name):
    path = tmp_path / name
    path.write_text(FILES[name])
    scores = first_answer(path)
    measure = scores["metric"].iloc[0] if "fluency" not in str(set(scores["metric"])) else None
    of_measure = scores["metric"].str.contains("fluency") if measure is None else scores["metric"] == measure
    means = scores[of_measure].groupby("summarizer")["score"].mean()
    assert means.to_dict() == MEANS


EXPORTS = {
    "label_studio.json": [
        {
            "id": number,
            "data": {"doc_id": item, "model": system},
            "annotations": [
                {
                    "completed_by": {"email": "ann@x.org"},
                    "result": [{"from_name": "quality", "value": {"rating": grade}}],
                }
            ],
        }
        for number, (item, system, grade) in enumerate(rows_of(lambda *cells: cells))
    ],
    "argilla.json": [
        {
            "id": f"{item}-{system}",
            "fields": {"text": "An output."},
            "metadata": {"doc_id": item, "model": system},
            "responses": {"quality": [{"value": grade, "user_id": "u1"}, {"value": grade, "user_id": "u2"}]},
        }
        for item, system, grade in rows_of(lambda *cells: cells)
    ],
    "prodigy.jsonl": [
        {
            "text": "An output.",
            "meta": {"doc": item, "system": system},
            "_input_hash": 1,
            "accept": [str(grade)],
            "answer": "accept",
            "_annotator_id": "ann",
        }
        for item, system, grade in rows_of(lambda *cells: cells)
    ],
    "promptfoo.json": {
        "results": {
            "version": 3,
            "results": [
                {
                    "provider": {"id": system},
                    "testIdx": ITEMS.index(item),
                    "score": grade,
                    "success": grade > 2,
                    "gradingResult": {},
                }
                for item, system, grade in rows_of(lambda *cells: cells)
            ],
        }
    },
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", EXPORTS)
def test_exports_are_read(tmp_path, name):
    path = tmp_path / name
    document = EXPORTS[name]
    lines = [json.dumps(row) for row in document] if name.endswith("jsonl") else [json.dumps(document)]
    path.write_text("\n".join(lines))
    report = inspect_file(path)
    assert any("an export of" in line.text for line in report.lines)
    scores = first_answer(path)
    measure = scores["metric"].iloc[0]
    assert scores[scores["metric"] == measure].groupby("summarizer")["score"].mean().to_dict() == MEANS


def test_exports_of_one_system_name_it(tmp_path):
    path = tmp_path / "log.json"
    samples = [{"id": item, "epoch": 1, "scores": {"match": {"value": "C"}}} for item in ITEMS]
    path.write_text(json.dumps({"eval": {"model": "alpha", "task": "qa"}, "samples": samples}))
    assert set(read_scores(path, columns={"topic": "sample_id", "system": "model"})["summarizer"]) == {
        "alpha"
    }
    path.write_text(
        json.dumps(
            {"test_results": [{"name": "t1", "metrics_data": [{"name": "Faithfulness", "score": 0.5}]}]}
        )
    )
    assert "measure: Faithfulness" in str(inspect_file(path))


@pytest.mark.parametrize(
    ("name", "text", "doubt"),
    [
        (
            "people.csv",
            table("Input ID,Version,Anna,Ben", lambda i, s, g: f"{i},{s},{g},{g}"),
            "raters or measures",
        ),
        (
            "systems.csv",
            "doc_id,alpha,beta\n" + "".join(f"{i},{4 - n % 2},{n % 3}\n" for n, i in enumerate(ITEMS)),
            "systems, r",
        ),
        (
            "again.csv",
            table("doc_id,model,score,hour", lambda i, s, g: f"{i},{s},{g},{len(s)}\n{i},{s},{g},9"),
            "differ in hour",
        ),
        (
            "nothing.csv",
            table("row_id,model,score", lambda i, s, g: f"{i}{s[::-1]},{s},{g}"),
            "no two systems share",
        ),
        (
            "totals.csv",
            table("case,bot,rating", lambda *c: ",".join(map(str, c))) + "TOTAL,alpha,18\n",
            "totals",
        ),
        ("codes.csv", "item,model_a,model_b,label\n1,a,b,1\n2,b,a,0\n3,a,b,0\n", "which side is meant"),
        (
            "sides.csv",
            "q,Response A,Response B,Rating A,Rating B\n"
            + "".join(
                f"Why is {i} so?,It is so one.,It is so two.,{n},{5 - n}\n" for n, i in enumerate(ITEMS)
            ),
            "numbers are",
        ),
    ],
)
def test_what_is_doubtful_is_said_and_not_read(tmp_path, name, text, doubt):
    path = tmp_path / name
    path.write_text(text)
    assert doubt in str(inspect_file(path))
    if name not in ("nothing.csv", "totals.csv"):  # nothing is compared, or a warning names the rows
        with pytest.raises(InputError):
            read_scores(path)


@pytest.mark.parametrize(
    ("header", "rows", "sides"),
    [
        ("qid,system_1,system_2,preferred", "1,a,b,a\n2,a,b,tie\n3,b,a,a", [1, 0.5, 0]),
        ("item_id,left_model,right_model,choice", "1,a,b,left\n2,a,b,tie\n3,b,a,right", [1, 0.5, 0]),
        (
            "question_id,model_a,model_b,winner",
            "1,a,b,model_a\n2,a,b,tie (bothbad)\n3,b,a,model_b",
            [1, 0.5, 0],
        ),
    ],
)
def test_preferences_by_other_names(tmp_path, header, rows, sides):
    path = tmp_path / "votes.csv"
    path.write_text(f"{header}\n{rows}\n")
    preferences = votes_of_table(*open_table(Source.from_path(path), None))
    assert preferences.wins.tolist() == sides
    assert preferences.systems == ("a", "b")


def test_a_scale_of_ones_own(tmp_path):
    path = tmp_path / "own.csv"
    words = {1: "Dreadful", 2: "Meh", 3: "Fine", 4: "Neat", 5: "Superb"}
    path.write_text(table("passage_id,engine,impression", lambda i, s, g: f"{i},{s},{words[g]}"))
    asked = {"topic": "passage_id", "system": "engine", "measures": "impression"}
    scale = "Dreadful<Meh<Fine<Neat<Superb"
    means = read_scores(path, columns={**asked, "scale": scale}).groupby("summarizer")["score"].mean()
    assert means.to_dict() == MEANS
    with pytest.raises(
        InputError, match=r"own.csv, line .: impression is 'Superb'; expected a number; --scale"
    ):
        read_scores(path, columns={**asked, "scale": "Meh<Fine"})
    assert WordScale.from_text(scale).number_of("superb") == 5


def test_headers_by_hand():
    assert count_lower_headers(2, [["x", "1"]]) == 0
    assert is_headerless(["x", "a", "1"], [["y", "a", "2"], ["x", "b", "3"]])


def test_order_pairs_rows_only_where_it_is_asked(tmp_path):
    path = tmp_path / "order.csv"
    path.write_text(
        "Model,Relevance\n" + "".join(f"{s},{g}\n" for s, grades in GRADES.items() for g in grades)
    )
    with pytest.raises(InputError, match="topic=#"):
        read_scores(path)
    scores = read_scores(path, columns={"topic": "#", "system": "Model", "measures": "Relevance"})
    assert scores["topic"].tolist() == ["1", "2", "3", "4"] * 3


def test_sheets_are_named(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for number, title in enumerate(("first", "second")):
        sheet = book.active if number == 0 else book.create_sheet()
        sheet.title = title
        sheet.append(["item", "system", "rating"])
        for item, system, grade in rows_of(lambda *cells: cells):
            sheet.append([item, system, grade if number else 1])
    book.save(tmp_path / "x.xlsx")
    assert "the sheets first, second have one header" in str(inspect_file(tmp_path / "x.xlsx"))
    scores = read_scores(tmp_path / "x.xlsx", columns={"sheet": "second"})
    assert scores.groupby("summarizer")["score"].mean().to_dict() == MEANS


@pytest.mark.filterwarnings("ignore")
def test_experts_and_crowds_are_divided(tmp_path):
    rows = [
        {"id": i, "model_id": s, "experts": [{"fluency": g}, {"fluency": g}], "crowd": [{"fluency": 1}]}
        for i, s, g in rows_of(lambda *cells: cells)
    ]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    scores = first_answer(path)
    assert set(scores["task"]) == {"experts", "crowd"}
    of_experts = scores[scores["task"] == "experts"]
    assert of_experts.groupby("summarizer")["score"].mean().to_dict() == MEANS


def test_talks_and_pairs_of_outputs_are_no_raters(tmp_path):
    talk = [{"role": "user", "content": "Hi there you"}, {"role": "assistant", "content": "Hi to you too"}]
    votes = [
        {"question_id": n, "model_a": "a", "model_b": "b", "winner": "model_a", "conversation_a": talk}
        for n in range(5)
    ]
    path = tmp_path / "arena.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in votes))
    assert len(votes_of_table(*open_table(Source.from_path(path), None))) == 5
    pairs = [
        {
            "info": {"id": f"t{n}"},
            "summaries": [{"text": "One of them.", "policy": "a"}, {"text": "Two of them.", "policy": "b"}],
            "choice": n % 2,
            "worker": "w1",
        }
        for n in range(6)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in pairs))
    assert "first = policy_1; second = policy_2" in str(inspect_file(path))
    with pytest.raises(InputError, match="first=policy_1,second=policy_2,winner=choice"):
        read_scores(path)


def test_scores_of_a_row_are_not_repeated_for_its_parts(tmp_path):
    rows = [
        {"doc_id": i, "model": s, "overall": 1, "parts": [{"sentence": "One.", "score": g}, {"score": g}]}
        for i, s, g in rows_of(lambda *cells: cells)
    ]
    path = tmp_path / "parts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert set(first_answer(path)["metric"]) == {"score"}


@pytest.mark.parametrize("name", ["Answer.fluency.{}", "Answer.fluency_{}.on"])
def test_ticked_options_are_one_grade(tmp_path, name):
    ticks = {g: ",".join("true" if g == n else "false" for n in range(1, 6)) for g in range(1, 6)}
    header = "WorkerId,Input.doc,Input.system," + ",".join(map(name.format, range(1, 6)))
    path = tmp_path / "radio.csv"
    path.write_text(table(header, lambda i, s, g: f"W1,{i},{s},{ticks[g]}\nW2,{i},{s},{ticks[g]}"))
    scores = first_answer(path)
    assert scores.groupby("summarizer")["score"].mean().to_dict() == MEANS
    assert read_scores(path)["score"].tolist() == scores["score"].tolist()


def test_options_that_hold_themselves_are_ticks(tmp_path):
    """Nobody gave a 6, whose column is empty."""
    header = "user,doc_id,system," + ",".join(f"clear:::scale_{n}" for n in range(1, 7))
    ticks = {g: ",".join(str(n) if g == n else "" for n in range(1, 7)) for g in range(1, 6)}
    path = tmp_path / "likert.csv"
    path.write_text(table(header, lambda i, s, g: f"u1,{i},{s},{ticks[g]}"))
    assert first_answer(path).groupby("summarizer")["score"].mean().to_dict() == MEANS


def test_percents_and_columns_of_one_measure(tmp_path):
    path = tmp_path / "percent.csv"
    path.write_text(table("doc_id,model,quality", lambda i, s, g: f"{i},{s},{g}%"))
    assert first_answer(path).groupby("summarizer")["score"].mean().to_dict() == MEANS
    path.write_text(
        "document,annotator,rank_lead,rank_bart\n" + "".join(f"{i},r1,1,2\n{i},r2,2,1\n" for i in ITEMS)
    )
    assert "whether lead, bart are systems" in str(inspect_file(path))
    assert first_answer(path).groupby("summarizer")["score"].mean().to_dict() == {"bart": 1.5, "lead": 1.5}
    with pytest.raises(InputError, match="systems=rank_lead,rank_bart"):
        read_scores(path)


def test_a_system_without_any_score_leaves_the_command(tmp_path):
    """Its cells are missing in the file and left out of what is shown: the same scores are read again."""
    rows = [
        f"t{topic},{system},{'' if system == 'c' else topic % 4 + 1}"
        for topic in range(8)
        for system in "abc"
    ]
    path = tmp_path / "x.csv"
    path.write_text("topic,system,quality\n" + "\n".join(rows) + "\n")
    report = str(inspect_file(path))
    assert "no command" not in report
    assert "compare" in report


def test_files_of_means_are_no_outputs(tmp_path):
    for system, mean in zip("abc", (3.5, 4, 4.5), strict=True):
        (tmp_path / f"{system}.csv").write_text(f"measure,mean\nfluency,{mean}\nadequacy,{mean / 2}\n")
    report = inspect_scores(str(tmp_path))
    assert report is not None
    assert not report.commands
    assert "3 files with one value of each measure" in str(report)
