"""The way in, clause by clause: made-up files, what `validate` prints, and what the printed command answers.

Every file has the grades of `GRADES`, so that the right means are known before anything is read.
"""

import json
import shlex

import pandas as pd
import pytest

from classy_aesop import InputError, evaluate, read_corpus, read_scores
from classy_aesop.cli import main
from tests.reading.judged_files import scores_by

ITEMS = ("i1", "i2", "i3", "i4", "i5", "i6")
GRADES = {"alpha": (5, 4, 5, 4, 5, 4), "beta": (3, 3, 4, 2, 3, 3), "delta": (1, 2, 2, 3, 1, 3)}
MEANS = {"alpha": 4.5, "beta": 3.0, "delta": 2.0}
CELLS = [(item, system, GRADES[system][n]) for n, item in enumerate(ITEMS) for system in GRADES]

pytestmark = pytest.mark.filterwarnings("ignore")


def table(header, line, cells=CELLS):
    """Give a CSV with a line for each item and system."""
    return "\n".join([header, *(line(*cell) for cell in cells)]) + "\n"


def validate(path, capsys, *options):
    """Give what `validate` prints of a file, and the words of the commands in it."""
    capsys.readouterr()
    assert main(["validate", str(path), *options]) == 0
    printed = capsys.readouterr().out
    commands = [shlex.split(line) for line in printed.splitlines() if line.startswith("    classy-aesop ")]
    return printed, commands


def means_of(words, capsys):
    """Run a printed command, and give the means of what it reads: by system, or by measure and system."""
    assert main([*words[1:], "-q"]) == 0
    capsys.readouterr()
    scores = scores_by(words).dropna(subset="score")
    by_measure = {
        measure: rows.groupby("summarizer")["score"].mean().to_dict()
        for measure, rows in scores.groupby("metric")
    }
    return next(iter(by_measure.values())) if len(by_measure) == 1 else by_measure


def raters_of(words):
    """Give the raters that a command reads."""
    scores = scores_by(words)
    return sorted(set(scores["assessor"])) if "assessor" in scores else []


@pytest.fixture
def answer(tmp_path, capsys):
    """Write a file, and give what is printed of it, its first command and the means that this reads."""

    def run(name, content, *options, command=0):
        path = tmp_path / name
        if isinstance(content, str):
            path.write_text(content)
        else:
            content.save(path)
        printed, commands = validate(path, capsys, *options)
        assert commands, printed
        words = commands[command]
        return printed, words, means_of(words, capsys)

    return run


# --- roles by data ---


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("row_id", ["id", "row_id", "annotation_id"])
def test_a_column_that_repeats_across_systems_is_the_topic_and_not_one_that_never_does(answer, row_id):
    text = table(f"{row_id},story,model,rating", lambda i, s, g: f"{i}{s},{i},{s},{g}")
    _, words, means = answer("x.csv", text)
    assert means == MEANS
    assert "topic=story" in words[-1]


@pytest.mark.slow
def test_a_rater_is_what_separates_rows_that_are_else_given_again(answer, tmp_path):
    two = table("doc_id,model,who_knows,score", lambda i, s, g: f"{i},{s},p,{g}\n{i},{s},q,{g}")
    printed, words, means = answer("x.csv", two)
    assert means == MEANS
    assert raters_of(words) == ["p", "q"]
    assert "doubtful" in printed  # no name says that it is a rater
    with pytest.raises(InputError, match="who_knows"):
        read_scores(tmp_path / "x.csv")
    printed, _, _ = answer("y.csv", two.replace("who_knows", "annotator"))
    assert "doubtful" not in printed


def test_what_leaves_rows_given_again_is_no_rater_and_the_columns_that_differ_are_named(tmp_path, capsys):
    path = tmp_path / "x.csv"
    path.write_text(
        table("doc_id,model,part,score", lambda i, s, g: f"{i},{s},p,{g}\n{i},{s},q,{g}\n{i},{s},q,{g}")
    )
    printed, commands = validate(path, capsys)
    assert "given again" in printed
    assert not [words for words in commands if "rater=part" in " ".join(words)]
    with pytest.raises(InputError, match=r"given again.*part|part.*given again"):
        read_scores(path)


@pytest.mark.slow
def test_constants_times_prices_counters_and_free_text_are_no_measures(answer):
    text = table(
        "doc_id,model,rating,campaign,created_at,payment,hit_count,comment",
        lambda i, s, g: f"{i},{s},{g},7,2024-01-0{i[1]},0.{i[1]}5,{i[1]},It is {s} that I like {g} times",
    )
    printed, words, means = answer("x.csv", text)
    assert means == MEANS
    assert "measures=rating" in words[-1]
    for name in ("campaign", "created_at", "payment", "hit_count", "comment"):
        assert name in printed.partition("other columns")[2]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("name", ["latency", "cost", "length"])
def test_administration_is_a_measure_where_it_is_the_only_number(answer, name):
    _, _, means = answer("x.csv", table(f"doc_id,model,{name}", lambda i, s, g: f"{i},{s},{g}"))
    assert means == MEANS


def test_numbered_scores_beside_equally_numbered_texts_are_outputs_and_no_raters(tmp_path, capsys):
    path = tmp_path / "x.csv"
    path.write_text(
        "doc_id,output_1,output_2,score_1,score_2\n"
        + "".join(f"{i},The first of {i}.,The second of {i}.,{n % 3},{n % 2}\n" for n, i in enumerate(ITEMS))
    )
    printed, _ = validate(path, capsys)
    assert "raters" not in printed.replace("no raters", "")
    try:
        scores = read_scores(path)
    except InputError:
        return
    assert "assessor" not in scores
    assert scores["summarizer"].nunique() == 2


def test_judge_with_numbers_that_separate_no_rows_is_a_score(answer):
    _, _, means = answer("x.csv", table("doc_id,model,judge", lambda i, s, g: f"{i},{s},{g}"))
    assert means == MEANS


def test_where_nothing_is_shared_the_column_that_would_do_is_named(tmp_path, capsys):
    path = tmp_path / "x.csv"
    path.write_text(
        table("row_id,question,model,score", lambda i, s, g: f"{i}{s[::-1]},What of {i}?,{s},{g}")
    )
    _, commands = validate(path, capsys)
    assert "topic=question" in commands[0][-1]
    path.write_text(table("row_id,model,score", lambda i, s, g: f"{i}{s[::-1]},{s},{g}"))
    printed, commands = validate(path, capsys)
    assert "no two systems share a topic" in printed
    assert not [words for words in commands if words[1] == "compare"]
    path.write_text(table("doc_id,place,model,score", lambda i, s, g: f"{i}{s[::-1]},{i},{s},{g}"))
    assert main(["compare", str(path)]) == 1
    assert "place" in capsys.readouterr().err


@pytest.mark.slow
def test_a_text_column_that_is_numeric_throughout_stays_text(answer):
    text = table("doc_id,model,output,reference,score", lambda i, s, g: f"{i},{s},{40 + g},42,{g}")
    _printed, words, means = answer("x.csv", text)
    assert means == MEANS
    assert "measures=score" in words[-1]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("name", ["predicted", "target", "gold"])
def test_scores_under_a_name_that_texts_have_too_are_scores(name):
    frame = pd.DataFrame(
        [
            {
                "topic": topic,
                "system": system,
                "summary": f"The cat sat {system}.",
                "human": grade,
                name: grade / 3,
            }
            for topic in "abcd"
            for system, grade in zip("xyz", (1, 3, 5), strict=True)
        ]
    )
    result = evaluate(frame, metric=name, target="human")
    assert result.table["value"].to_numpy() == pytest.approx(1.0)


@pytest.mark.slow
def test_one_bare_number_among_texts_makes_no_score(answer):
    text = table(
        "doc_id,model,answer,rating",
        lambda i, s, g: f"{i},{s},{'7' if (i, s) == ('i1', 'alpha') else 'Some words of ' + s},{g}",
    )
    _, words, means = answer("x.csv", text)
    assert means == MEANS
    assert "answer" not in words[-1]


NAMES = {
    "topic": ("item", "original_id", "sent_id", "hash", "idx", "question", "prompt", "unit", "request"),
    "system": ("sys_name", "version", "policy", "condition", "architecture", "generator", "candidate"),
    "rater": ("worker", "coder", "participant", "completed_by", "user_id", "judge"),
    "measure": ("aspect", "attribute", "dimension", "criterion"),
}
FIRST_NAMES = [(role, names[0]) for role, names in NAMES.items()]
CONTAINERS = ("Input.", "Answer.", "metadata.", "data.")


@pytest.mark.slow(after=4)
@pytest.mark.parametrize(
    ("role", "name"),
    [
        *FIRST_NAMES,
        *((role, name) for role, names in NAMES.items() for name in names[1:]),
        *((role, container + name) for role, name in FIRST_NAMES for container in CONTAINERS),
    ],
)
def test_names_of_roles(answer, role, name):
    names = {"topic": "doc_id", "system": "model", "rater": "rater", "measure": "metric"} | {role: name}
    text = table(
        ",".join([*names.values(), "score"]),
        lambda i, s, g: f"{i},{s},ann,fluency,{g}\n{i},{s},bob,fluency,{g}\n{i},{s},ann,meaning,{6 - g}",
    )
    printed, words, means = answer("x.csv", text)
    assert means["fluency"] == MEANS
    assert set(means) == {"fluency", "meaning"}
    assert raters_of(words) == ["ann", "bob"]
    assert "doubtful" not in printed


def test_predictions_are_texts_of_systems(tmp_path, capsys):
    path = tmp_path / "x.csv"
    path.write_text(
        table(
            "doc_id,model,predictions,reference,rating",
            lambda i, s, g: f"{i},{s},It is {i} of {s}.,It is {i}.,{g}",
        )
    )
    [topic, *_] = read_corpus(path)
    assert topic.summaries[0].text == ("It is i1 of alpha.",)
    _printed, commands = validate(path, capsys)
    assert means_of(commands[0], capsys) == MEANS


# --- shapes ---


@pytest.mark.slow
def test_a_system_a_column_is_read_in_no_way_by_itself(tmp_path, capsys):
    path = tmp_path / "x.csv"
    path.write_text(
        "doc_id,alpha,beta,delta\n"
        + "".join(f"{i},{','.join(str(GRADES[s][n]) for s in GRADES)}\n" for n, i in enumerate(ITEMS))
    )
    printed, commands = validate(path, capsys)
    assert "reading 1" in printed
    assert "reading 2" in printed
    readings = " ".join(word for words in commands for word in words)
    assert "systems=alpha,beta,delta" in readings
    assert "raters=alpha,beta,delta" in readings or "ratings=alpha,beta,delta" in readings
    [compared] = [words for words in commands if words[1] == "compare" and "systems=" in words[-1]][:1]
    assert means_of(compared, capsys) == MEANS
    assert main(["compare", str(path)]) == 1


@pytest.mark.slow
def test_several_systems_a_row_in_changing_order(answer):
    orders = [("alpha", "beta", "delta"), ("delta", "alpha", "beta"), ("beta", "delta", "alpha")]
    lines = [
        f"{i},{','.join(orders[n % 3])},{','.join(str(GRADES[s][n]) for s in orders[n % 3])}\n"
        for n, i in enumerate(ITEMS)
    ]
    printed, _, means = answer(
        "x.csv", "item,system_1,system_2,system_3,rating_1,rating_2,rating_3\n" + "".join(lines)
    )
    assert means == MEANS
    assert "doubtful" not in printed


@pytest.mark.slow
def test_systems_by_measures_as_columns(answer):
    names = [f"{s}_{m}" for s in GRADES for m in ("fluency", "adequacy")]
    lines = [
        f"{i},{','.join(f'{GRADES[s][n]},{6 - GRADES[s][n]}' for s in GRADES)}\n" for n, i in enumerate(ITEMS)
    ]
    _, _, means = answer("x.csv", f"doc_id,{','.join(names)}\n" + "".join(lines))
    assert means["fluency"] == MEANS
    assert means["adequacy"] == {s: 6 - mean for s, mean in MEANS.items()}


def test_items_by_raters_without_systems(tmp_path, capsys):
    path = tmp_path / "x.csv"
    path.write_text(
        "item,rater_1,rater_2,rater_3\n" + "".join(f"{n},{n % 5},{n % 4},{n % 3}\n" for n in range(12))
    )
    _printed, commands = validate(path, capsys)
    [words] = [words for words in commands if words[1] == "assessors"]
    assert main([*words[1:], "-q"]) == 0
    assert "alpha" in capsys.readouterr().out.lower()
    scores = scores_by(words)
    assert (scores["topic"].nunique(), scores["assessor"].nunique()) == (12, 3)
    assert not [words for words in commands if words[1] == "compare"]


def test_a_file_a_system_is_named_by_its_file(tmp_path, capsys):
    for system, grades in GRADES.items():
        rows = "".join(f"{i},{g}\n" for i, g in zip(ITEMS, grades, strict=True))
        (tmp_path / f"run_{system}.csv").write_text(f"doc_id,rating\n{rows}")
    _, commands = validate(tmp_path / "run_alpha.csv", capsys)
    assert means_of(commands[0], capsys) == {f"run_{system}": mean for system, mean in MEANS.items()}


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "cell.csv",
            table(
                "doc_id,model,ratings,annotators",
                lambda i, s, g: f'{i},{s},"[{g}, {g}]","[""ann"", ""bob""]"',
            ),
        ),
        (
            "list.json",
            json.dumps(
                [
                    {"doc_id": i, "model": s, "ratings": [g, g], "annotators": ["ann", "bob"]}
                    for i, s, g in CELLS
                ]
            ),
        ),
    ],
)
def test_lists_with_the_names_of_raters_beside_them(answer, name, content):
    _, words, means = answer(name, content)
    assert means == MEANS
    assert raters_of(words) == ["ann", "bob"]


@pytest.mark.slow
def test_lists_without_names_of_raters(answer):
    _, words, means = answer(
        "x.csv", table("doc_id,model,ratings", lambda i, s, g: f'{i},{s},"[{g}, {g}, {g}]"')
    )
    assert means == MEANS
    assert len(raters_of(words)) == 3


NESTED = {
    "system to scores": [
        {"doc_id": i, "systems": {s: {"fluency": GRADES[s][n], "style": 3} for s in GRADES}}
        for n, i in enumerate(ITEMS)
    ],
    "system to topics": {
        s: {i: {"fluency": g, "style": 3} for i, g in zip(ITEMS, GRADES[s], strict=True)} for s in GRADES
    },
    "responses": [
        {
            "prompt_id": i,
            "responses": [{"model": s, "fluency": GRADES[s][n], "style": 3} for s in GRADES],
        }
        for n, i in enumerate(ITEMS)
    ],
}


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("name", NESTED)
def test_nested_json(answer, name):
    _, _, means = answer("x.json", json.dumps(NESTED[name]))
    assert means["fluency"] == MEANS


@pytest.mark.slow
def test_nested_json_of_topics_raters_and_measures(tmp_path, capsys):
    """No name says that the inner keys are raters and not systems: both readings are shown."""
    path = tmp_path / "x.json"
    document = {
        i: {r: {"fluency": GRADES["alpha"][n], "style": n % 3} for r in ("ann", "bob")}
        for n, i in enumerate(ITEMS)
    }
    path.write_text(json.dumps(document))
    printed, commands = validate(path, capsys)
    assert "no name says whether key2 names systems or raters" in printed
    assert {words[1] for words in commands} == {"assessors", "compare"}
    [words] = [words for words in commands if words[1] == "assessors"]
    assert raters_of(words) == ["ann", "bob"]
    scores = scores_by(words)
    assert scores[scores["metric"] == "fluency"]["score"].mean() == MEANS["alpha"]
    with pytest.raises(InputError, match=r"topic=key,system=key2,.* or --columns topic=key,rater=key2"):
        read_scores(path)


def test_a_second_header_line(answer):
    text = table("item,model,Q1", lambda i, s, g: f"{i},{s},{g}")
    header, _, rows = text.partition("\n")
    printed, _, means = answer("x.csv", f"{header}\nItem,Model,How good is it?\n{rows}")
    assert means == MEANS
    assert "1 of 19 rows left out: a line of headers below the first (first: line 2)" in printed


def test_a_table_without_a_header(answer):
    text = table("", lambda i, s, g: f"{i},{s},{g}").lstrip("\n")
    printed, _, means = answer("x.csv", text, "--columns", "topic=1,system=2")
    assert means == MEANS
    assert "no header" in printed


def test_an_output_a_line_beside_a_reference_a_line(tmp_path, capsys):
    (tmp_path / "alpha.txt").write_text("Rain fell.\nSnow fell.\n")
    (tmp_path / "reference.txt").write_text("Rain fell.\nIt snowed.\n")
    assert main(["validate", str(tmp_path)]) == 0
    assert "2, 0 of them by humans" in capsys.readouterr().out
    assert main(["rouge", str(tmp_path), "--metric", "1", "-q"]) == 0
    assert "alpha ROUGE-1 Average_R: 0.75000" in capsys.readouterr().out


SCALES = {
    "agree": "strongly disagree<disagree<neutral<agree<strongly agree",
    "poor": "poor<fair<good<very good<excellent",
}


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("words", SCALES.values(), ids=SCALES)
def test_words_of_five_grades(answer, words):
    names = words.split("<")
    text = table("doc_id,model,quality", lambda i, s, g: f"{i},{s},{names[g - 1].capitalize()}")
    printed, _, means = answer("x.csv", text)
    assert means == MEANS
    mapping = ", ".join(f"{name.capitalize()} = {n}" for n, name in enumerate(names, 1))
    assert mapping in printed


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    ("least", "most"), [("no", "yes"), ("false", "true"), ("No", "Yes"), ("FALSE", "TRUE")]
)
def test_words_of_two_grades(answer, least, most):
    text = table("doc_id,model,faithful", lambda i, s, g: f"{i},{s},{most if g > 3 else least}")
    _, _, means = answer("x.csv", text)
    assert means == pytest.approx({"alpha": 1.0, "beta": 1 / 6, "delta": 0.0})


@pytest.mark.slow
def test_severities_of_errors(answer):
    text = table(
        "doc_id,model,severity",
        lambda i, s, g: f"{i},{s},{ {5: 'no error', 4: 'minor', 3: 'minor', 2: 'major', 1: 'critical'}[g] }",
    )
    _printed, words, means = answer("x.csv", text)
    assert means["alpha"] < means["beta"] < means["delta"]
    assert "--lower-is-better" in words


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    "header",
    [
        "Beitrag;Modell;Bewerter;Verständlichkeit",
        "identifiant;système;évaluateur;fluidité",
        "tema;sistema;evaluador;puntuación",
    ],
)
def test_headers_in_german_french_and_spanish(answer, header):
    printed, words, means = answer(
        "x.csv", table(header, lambda i, s, g: f"{i};{s};r1;{g}\n{i};{s};r2;{g}").replace("é", "e\u0301")
    )
    assert means == MEANS
    assert raters_of(words) == ["r1", "r2"]
    assert "doubtful" not in printed


MANY = [(f"i{copy}{number}", system, grade) for copy in "ab" for number, system, grade in CELLS]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("name", ["sample", "task"])
def test_many_samples_or_tasks_are_topics(answer, name):
    """Few of them number attempts, or divide the data."""
    row = lambda i, s, g: f"{i},{s},ann,fluency,{g}\n{i},{s},ann,tone,3"  # noqa: E731
    _, words, means = answer("x.csv", table(f"{name},model,annotator,dimension,value", row, MANY))
    assert means["fluency"] == MEANS
    assert words[words.index("--columns") + 1].startswith(f"topic={name},system=model")


@pytest.mark.slow
def test_runs_in_a_list_are_attempts_and_no_raters(answer):
    results = [
        {"task": i, "agent": s, "runs": [{"run": run, "passed": grade > 2} for run in range(2)]}
        for i, s, grade in MANY
    ]
    printed, words, _ = answer("x.json", json.dumps({"results": results}))
    assert "topic = task; system = agent; attempt = run; measures = passed" in printed
    assert raters_of(words) == []


@pytest.mark.slow
def test_participants_who_tried_every_system_pair_their_scores(answer):
    printed, words, means = answer(
        "x.csv", table("participant,variant,satisfaction", lambda i, s, g: f"P{i},{s},{g}")
    )
    assert words[1] == "compare"
    assert means == MEANS
    assert "no column names the topic: participant gave each system one score, and pairs them" in printed


@pytest.mark.slow
def test_columns_called_like_rouge_with_grades_are_raters(answer):
    row = lambda i, s, g: f"{i},{s},{g},{g}"  # noqa: E731
    _, words, means = answer("x.csv", table("doc_id,system,r1,r2", row))
    assert means == MEANS
    assert raters_of(words) == ["1", "2"]
    printed, _, _ = answer("y.csv", table("doc_id,system,r1,r2", lambda i, s, g: f"{i},{s},.{g},.{g}5"))
    assert "metric: r1" in printed


def test_a_row_of_totals_below_is_left_out_and_counted(answer):
    text = table("article,system,fluency", lambda i, s, g: f"{i},{s},{g}")
    printed, _, means = answer("x.csv", f"{text}Average,,3.2\n")
    assert means == MEANS
    assert "1 of 19 rows left out: a row of totals (first: line 20)" in printed


@pytest.mark.slow
def test_measures_above_systems_that_repeat(answer):
    rows = [",".join([i, *(str(GRADES[s][n]) for s in GRADES), "3", "2", "1"]) for n, i in enumerate(ITEMS)]
    names = ",".join([*GRADES, *GRADES])
    printed, _, means = answer("x.csv", "\n".join([",Fluency,,,Adequacy,,", f"Sentence,{names}", *rows]))
    assert "cells = {measure}.{system}" in printed
    assert means["Fluency"] == MEANS


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("order", [" > ".join, list])
def test_systems_in_their_order_in_a_cell_are_ranked(answer, order):
    systems = ["alpha", "beta", "delta"]
    orders = [systems, systems[::-1], systems, ["beta", "alpha", "delta"]]
    rows = [{"prompt_id": n, "annotator": "kim", "ranking": order(names)} for n, names in enumerate(orders)]
    rows.append({"prompt_id": 5, "annotator": "kim", "ranking": None})
    printed, words, means = answer("x.jsonl", "\n".join(map(json.dumps, rows)))
    assert means == {"alpha": 1.75, "beta": 1.75, "delta": 2.5}
    assert "--lower-is-better" in words
    assert "1 of 13 rows left out: ranking is empty" in printed


def test_json_of_pandas(answer):
    frame = pd.DataFrame(CELLS, columns=["item", "system", "rating"])
    printed, _, means = answer("x.json", frame.to_json())
    assert means == MEANS
    assert "18 scores: 6 topics, 3 systems" in printed


@pytest.mark.slow
def test_rows_of_errors_with_a_word_for_the_kind(answer):
    """Of two raters one marks two errors of beta on each item, none of alpha: half the outputs of beta have one."""
    rows = [
        f"{item},{system},{rater},{kind},{start}"
        for item in ITEMS
        for system in ("alpha", "beta")
        for rater in ("ann", "bob")
        for kind, start in (
            [("intrinsic", 3), ("extrinsic", 9)] if (system, rater) == ("beta", "bob") else [("", -1)]
        )
    ]
    text = "\n".join(["doc_id,system,annotator,error_type,span_start", *rows])
    printed, words, means = answer("x.csv", text)
    assert means == {"alpha": 0.0, "beta": 0.5}
    assert words[-2:] == ["--lower-is-better", "has_error"]
    assert "24 scores: 6 topics, 2 systems, 2 raters" in printed


def test_a_kind_of_failure_beside_a_measure_is_no_row_of_errors(answer):
    text = table(
        "doc_id,system,error_type,fluency", lambda i, s, g: f"{i},{s},{'timeout' if g == 1 else ''},{g}"
    )
    assert answer("x.csv", text)[2] == MEANS


def test_a_corpus_is_shown_beside_judgments_only_where_the_file_is_one(tmp_path, capsys, recwarn):
    """Not of nested records, a text that is a system, sheets read together, and columns made of others."""
    openpyxl = pytest.importorskip("openpyxl")
    grades = {"a": [4, 5, 3, 4], "b": [2, 1, 3, 2]}
    outputs = [(item, system, grade[item]) for system, grade in grades.items() for item in range(4)]
    nested = [
        {"info": {"id": n}, "out": {"model": s, "text": "It is so."}, "fluency": g} for n, s, g in outputs
    ]
    listed = [
        {"task": n, "candidate": s, "rubric": [{"criterion": "is clear", "met": g}]} for n, s, g in outputs
    ]
    for name, records in (("nested.json", nested), ("listed.json", listed)):
        (tmp_path / name).write_text(json.dumps(records))
    ticks = [f"{n},{s},It is so.,{','.join(str(g == k) for k in range(1, 6))}" for n, s, g in outputs]
    header = ",".join(["item", "system", "text", *(f"fluency.{k}" for k in range(1, 6))])
    (tmp_path / "ticked.csv").write_text("\n".join([header, *ticks]) + "\n")
    book = openpyxl.Workbook()
    for sheet in (book.active, book.create_sheet("Bob")):
        sheet.append(["ID", "Model", "Text", "Fluency"])
        for number, system, grade in outputs:
            sheet.append([number, system, "It is so.", grade])
    book.save(tmp_path / "sheets.xlsx")
    for name in ("nested.json", "listed.json", "ticked.csv", "sheets.xlsx"):
        main(["validate", str(tmp_path / name)])
        printed = capsys.readouterr()
        assert "2 systems" in printed.out
        assert "classy-aesop predict" not in printed.out
        assert not printed.err
    assert not recwarn.list
