"""Long tables of judgments: which columns say of what a row is, by the values that they hold."""

from itertools import product
from pathlib import Path

import pytest

from classy_aesop import read_scores
from classy_aesop.cli import main
from classy_aesop.reading.file_report import inspect_file

SYSTEMS = ("ada", "bob", "cyd", "dan")


def grade(*parts: object) -> int:
    """Give a grade from 1 to 5 that is another for each of some parts of a row, in no order."""
    return 1 + sum(map(ord, " ".join(map(str, parts)))) * 7 % 11 % 5


def write(path: Path, header: str, rows: list[tuple[object, ...]]) -> Path:
    """Write a table."""
    path.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return path


def outputs(n_items: int, *others: tuple[object, ...]) -> list[tuple[object, ...]]:
    """Give a row of each item, system and combination of others, with its grade last."""
    return [(*row, grade(*row)) for row in product(range(n_items), SYSTEMS, *others)]


LONG_TABLES = {
    "numbers of segments begin anew in each document": (
        "docid,segid,engine,score",
        [(f"d{item % 3}", item // 3, system, score) for item, system, score in outputs(12)],
        "topic=docid,segid,system=engine,measures=score",
    ),
    "people are numbered": (
        "item,cond,subj,resp",
        [
            (item, SYSTEMS[(item + person) % 4], person, grade(item, person))
            for item, person in product(range(16), range(12))
        ],
        "topic=item,system=cond,rater=subj,measures=resp",
    ),
    "a property of people is no system": (
        "item,cond,subj,sex,resp",
        [
            (item, SYSTEMS[(item + person) % 4], person, "fm"[person % 2], grade(item, person))
            for item, person in product(range(16), range(12))
        ],
        "topic=item,system=cond,rater=subj,measures=resp",
    ),
    "people rated in two sessions": (
        "item,system,rater,session,score",
        outputs(8, ("r1", "r2"), (1, 2)),
        "topic=item,system=system,rater=rater,attempt=session,measures=score",
    ),
    "outputs are repeated": (
        "doc_id,model_name,rep_id,fluency",
        outputs(8, (1, 2)),
        "topic=doc_id,system=model_name,attempt=rep_id,measures=fluency",
    ),
    "a note that few rows have is no rater": (
        "question_id,mode,rater_note,fluency",
        [(item, system, "x" if item == 3 else "", score) for item, system, score in outputs(12)],
        "topic=question_id,system=mode,measures=fluency",
    ),
    "an answer is no system": (
        "Input.id,Input.cond_sys,Answer.match,Answer.score",
        [(item, system, "pqr"[score % 3], score) for item, system, score in outputs(12)],
        "topic=Input.id,system=Input.cond_sys,measures=Answer.score",
    ),
    "what each measure has one of is no system": (
        "trace_id,annotator,name,type,value",
        [
            (item, rater, name, "BOOLEAN" if name == "correct" else "NUMERIC", grade(item, rater, name))
            for item, rater, name in product(range(20), ("r1", "r2"), ("fluency", "relevance", "correct"))
        ],
        "topic=trace_id,rater=annotator,metric=name,score=value",
    ),
    "documents of several corpora are numbered alike": (
        "corpus_file,source_id,source,model,rating",
        [
            (name, item, f"A text of {name} on the subject {item}", system, grade(name, item, system))
            for name, items, system in product(("news", "mail"), range(8), SYSTEMS)
            for item in [items + 3 * (name == "mail")]
        ],
        "topic=source_id,corpus_file,system=model,measures=rating",
    ),
    "an output is no topic where texts are shared": (
        "source_sentence,model,translation,prompt,rating",
        [
            (f"A sentence on {item} and more", system, f"It is {item} by {system} in {prompt}", prompt, score)
            for item, system, prompt, score in outputs(12, ("short", "long"))
        ],
        "cluster=source_sentence,topic=source_sentence,prompt,system=model,measures=rating",
    ),
    "numbers of items beside who wrote and who judged": (
        "sentence_no,generated_by,evaluated_by,naturalness",
        outputs(10, ("r1", "r2")),
        "topic=sentence_no,system=generated_by,rater=evaluated_by,measures=naturalness",
    ),
    "where outputs are from": (
        "text_id,source,rater,clarity",
        outputs(10, ("r1", "r2")),
        "topic=text_id,system=source,rater=rater,measures=clarity",
    ),
    "languages of source and target are no two systems": (
        "src_lang,tgt_lang,seg,sys,score",
        [
            (*pair, item, system, grade(item, system, *pair))
            for item, system, pair in product(range(8), SYSTEMS, (("en", "de"), ("en", "fr"), ("de", "en")))
        ],
        "cluster=seg,topic=seg,tgt_lang,system=sys,measures=score",
    ),
    "numbers of what people each saw once": (
        "participant,shown,cond,naturalness",
        [
            (person, item, SYSTEMS[(person + item) % 4], grade(person, item))
            for person, item in product(range(8), range(12))
        ],
        "topic=shown,system=cond,rater=participant,measures=naturalness",
    ),
    "a response is a grade where nothing else is": (
        "workerid,stimulus,system,rt,response",
        [
            (f"w{person}", f"s{item}", system, 400 + 7 * item + person, score)
            for item, system, person, score in outputs(8, range(3))
        ],
        "topic=stimulus,system=system,rater=workerid,measures=response",
    ),
    "questions are measures": (
        "item,system,question,answer",
        outputs(8, ("Is it fluent?", "Is it any good?")),
        "topic=item,system=system,metric=question,score=answer",
    ),
    "tags in a cell": (
        "trace,tags,value",
        [(f"t{item}{system}", f"model:{system}; item:{item}", score) for item, system, score in outputs(12)],
        "topic=item,system=model,measures=value",
    ),
    "identifiers hold the system of another column": (
        "id,model,fluency",
        [(f"{system}-{item:03d}", system, score) for item, system, score in outputs(12)],
        "topic=item,system=model,measures=fluency",
    ),
}


@pytest.mark.parametrize(("header", "rows", "columns"), LONG_TABLES.values(), ids=LONG_TABLES)
def test_the_columns_of_a_long_table_have_roles_by_their_values(header, rows, columns, tmp_path):
    path = write(tmp_path / "x.csv", header, rows)
    command = next(iter(inspect_file(path, siblings=[]).commands))
    assert f"--columns {columns}" in command
    scores = read_scores(path, columns=columns)
    assert scores["score"].mean() == pytest.approx(sum(row[-1] for row in rows) / len(rows))


def test_measures_of_remarks_are_left_out_of_a_long_table_and_counted(tmp_path, capsys):
    answers = {"fluency": 4, "adequacy": 3, "comment": "well done", "codes": "[2]"}
    rows = [(item, rater, name, answers[name]) for item, rater, name in product(range(12), "ab", answers)]
    path = write(tmp_path / "x.csv", "item,annotator,criterion,annotation", [*rows, (0, "c", "fluency", 2)])
    scores = read_scores(path, columns="topic=item,rater=annotator,metric=criterion,score=annotation")
    assert scores["metric"].unique().tolist() == ["fluency", "adequacy"]
    main(["validate", str(path)])
    assert "48 of 97 rows left out: no number in annotation of comment, codes" in capsys.readouterr().out


def test_gold_numbers_are_no_part_of_the_topic(tmp_path):
    rows = [(split, item, system, grade(item, "x"), score) for item, system, split, score in outputs(8, "pq")]
    report = inspect_file(write(tmp_path / "x.csv", "split,id,model,gold,quality", rows), siblings=[])
    assert "task=split,topic=id,system=model" in report.commands[0]


def test_of_two_columns_of_systems_it_is_asked_which_is_the_system(tmp_path):
    path = write(tmp_path / "x.csv", "item,model,variant,rating", outputs(8, ("v1", "v2")))
    report = str(inspect_file(path, siblings=[]))
    assert "is the system model or variant?" in report
    assert "system = model; attempt = variant" in report


def test_values_that_come_again_by_chance_are_no_topic(tmp_path):
    """What was remarked on some rows pairs nothing, even if two systems have the same."""
    rows = [
        (system, f"remark{item % 3 if system != 'ada' else item}", score)
        for item, system, score in outputs(9)
    ]
    report = str(inspect_file(write(tmp_path / "x.csv", "system,remarked,fluency", rows), siblings=[]))
    assert "topic = remarked" not in report
    assert "no column names the topic" in report


@pytest.mark.parametrize("name", ["severity", "level"])
def test_minor_errors_of_punctuation_weigh_a_tenth(tmp_path, name):
    """Of ada 5 + 0.1 on one item and 0 on the other, the mean of which is 2.55; of bob 1 + 1 and 0.1."""
    rows = [
        ("i1", "ada", "Fluency/Punctuation", "Minor"),
        ("i1", "ada", "Accuracy/Omission", "Major"),
        ("i2", "ada", "No-error", "no-error"),
        ("i1", "bob", "Fluency/Grammar", "minor"),
        ("i1", "bob", "Style/Awkward", "minor"),
        ("i2", "bob", "Fluency/Punctuation", "minor"),
    ]
    path = write(tmp_path / "x.csv", f"item,system,category,{name}", rows)
    report = str(inspect_file(path, siblings=[]))
    assert "major 5, minor 1, minor fluency/punctuation 0.1, no-error 0; lower is better" in report
    means = read_scores(path).groupby("summarizer")["score"].mean()
    assert means.to_dict() == pytest.approx({"ada": 2.55, "bob": 1.05})


@pytest.mark.parametrize(("name", "weight"), [("span_type", {}), ("severity", {1: 1, 2: 2, 3: 3})])
def test_spans_of_errors_are_counted_or_their_severities_are_summed(tmp_path, name, weight):
    kinds = [*weight] or ["entity", "relation"]
    rows = [
        (item, system, 10 * span, 10 * span + 4, kinds[(item + span) % len(kinds)])
        for item, system in product(range(6), SYSTEMS)
        for span in range(1 + (item + len(system) + SYSTEMS.index(system)) % 3)
    ]
    path = write(tmp_path / "x.csv", f"item,system,start,end,{name}", rows)
    assert "those without one are missing, and not 0" in str(inspect_file(path, siblings=[]))
    scores = read_scores(path, columns=f"topic=item,system=system,errors={name}")
    assert scores["metric"].unique().tolist() == ["errors"]
    assert scores["score"].sum() == sum(weight.get(row[-1], 1) for row in rows)
