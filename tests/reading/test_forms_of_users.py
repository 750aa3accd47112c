"""Tables as people have them: the first command that is printed about each, and what is said of it."""

import json
from itertools import product

import pandas as pd
import pytest

from classy_aesop.cli import main
from classy_aesop.reading import read_scores
from classy_aesop.reading.file_report import inspect_file
from classy_aesop.reading.given_tables import read_preferences


def grade(*numbers):
    """Give a grade from 1 to 5 that depends on each of some numbers."""
    return sum((place + 1) * number**2 for place, number in enumerate(numbers, 1)) % 5 + 1


def write(path, header, rows, separator=","):
    path.write_text("\n".join(separator.join(map(str, row)) for row in [header, *rows]) + "\n")
    return path


def write_json(path, records):
    path.write_text("\n".join(map(json.dumps, records)) + "\n")
    return path


def report_on(path):
    return inspect_file(path, siblings=[])


def roles_in(path, number=0):
    """Give the columns by role that a printed command names, without quotation marks."""
    return report_on(path).commands[number].replace("'", "").split("--columns ")[1]


OUTPUTS = [*product(range(10), "PQR")]
"""Ten items, each with the output of three systems."""


def table_of(header, row_of, outputs=OUTPUTS, separator=","):
    """Write a table of a row for each output."""

    def write_it(folder):
        rows = [row_of(item, "PQR".index(system), system) for item, system in outputs]
        return write(folder / "x.csv", header, rows, separator)

    return write_it


def answers_of_persons(folder):
    """Twelve persons answer three questions on each of four numbered texts; one name has a blank too many."""
    names = [
        "Fluency_1",
        "Fluency_2",
        "Fluency_3",
        "Fluency_4",
        "Honesty_1",
        "Honesty_2",
        "Honesty _3",
        "Honesty_4",
    ]
    rows = [(n, 20 + n, "abc"[n % 3], *(grade(n, column) for column in range(8))) for n in range(12)]
    return write(folder / "x.csv", ["id", "Age", "Studies", *names], rows)


def clips_as_columns(folder):
    """A row a listener; the columns are clips of chosen items by each system, and some columns have no name."""
    clips = [f"{item}-{system}.wav" for item in ("005", "020", "094") for system in ("lstm", "tcn-300")]
    rows = [("No", "", f"2023-09-0{n + 1}", *(60 + 7 * n + 5 * c for c in range(6))) for n in range(5)]
    return write(folder / "x.csv", ["", "", "", *clips], rows)


def grades_keyed_by_graders(folder):
    """Each record has an object of grades for each system, named after it; a grader has the word best in no sense."""
    records = [
        {
            "intent": f"text number {item} of a kind",
            "snippet": [f"only reference {item % 3}"],
            **{
                f"grade-{system}": {f"grader{n}": grade(item, n, number) for n in (number + 1, 7 + item % 2)}
                for number, system in enumerate(("best-one", "codex", "snippet"))
            },
        }
        for item in range(9)
    ]
    return write_json(folder / "x.jsonl", records)


def votes_on_turns(folder):
    """Dialogues of turns; each turn has the votes of three people on a pair."""
    records = [
        {
            "file": f"f{dialogue}",
            "info": [
                {
                    "user": f"what was said as number {turn} of {dialogue}",
                    "ada vs bob": {"Completion": ["ada", "bob", ["ada", "Tie"][turn % 2]]},
                    "ada vs cyd": {"Completion": ["cyd", "ada", "Tie"]},
                }
                for turn in range(3)
            ],
        }
        for dialogue in range(4)
    ]
    return write_json(folder / "x.jsonl", records)


def sentences_of_summaries(folder):
    """A summary a code, its sentences under numbers, of which there are more in some."""
    document = {
        f"{item:03d}ad19b2f4e": {
            "sents": {
                str(n): {
                    "label": ["Correct", "Incorrect"][n * item % 2],
                    "text": f"the sentence {n} of {item}",
                }
                for n in range(1 + item % 3)
            }
        }
        for item in range(9)
    }
    (folder / "x.json").write_text(json.dumps(document))
    return folder / "x.json"


def scores_of_two_answers(folder):
    records = [
        {
            "review_id": f"r{n}x",
            "answer1_id": f"a{n}z",
            "answer2_id": f"b{n}z",
            "score": [grade(n), grade(n + 1)],
            "judge_id": "gpt",
        }
        for n in range(12)
    ]
    return write_json(folder / "x.jsonl", records)


def lists_of_raters(folder):
    records = [
        {
            "question_number": item,
            "model_number": model,
            **{
                f"scores_{rater}": [
                    {"fluency": grade(item, model, rater)},
                    {"accuracy": grade(item, model, rater + 1)},
                ]
                for rater in (1, 2)
            },
            "scores_average": [{"fluency": 3.5}, {"accuracy": 3.5}],
        }
        for item in range(8)
        for model in (2, 3, 9)
    ]
    return write_json(folder / "x.jsonl", records)


def rows_of_two_kinds(folder):
    records = [
        {"model_key": system, **{key: f"{key}{item}"}, "fluency": grade(item, number)}
        for number, system in enumerate("PQR")
        for item in range(12)
        for key in (["sample_id"] if item % 3 else ["dialogue_id"])
    ]
    return write_json(folder / "x.jsonl", records)


def ranks_in_cells(folder):
    """Objects of systems, each with its rank, are written in the cells of one column."""
    rows = [
        (f"e{item}", f"worker{item % 3}", {system: {"text": f"t{item}", "rank": (n + item) % 3 + 1}
                                           for n, system in enumerate(("ours", "base", "gold"))}, item % 4)
        for item in range(9)
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["example_id", "worker", "results", "knowledge"])
    frame["results"] = frame["results"].map(json.dumps)
    frame.to_csv(folder / "x.csv", index=False)
    return folder / "x.csv"


def systems_after_ids(folder):
    document = {
        f"coco_{item:02d}_{system}": {
            "text_id": f"coco_{item:02d}",
            "human_scores": [grade(item, n, 1), grade(item, n, 2)],
        }
        for item in range(10)
        for n, system in enumerate(("mini_dalle", "sd_v1_5", "vq"))
    }
    (folder / "x.json").write_text(json.dumps(document))
    return folder / "x.json"


def scores_beside_dialogues(folder):
    records = [
        {
            "item_id": f"i{item}",
            "worker": f"w{item % 3}",
            "model": system,
            "dialogue": [
                {"round": n, "user": f"what the user said {n}", "bot": f"what the bot said {item}"}
                for n in (1, 2, 3)
            ],
            "raw scores": {"fluent": 10 * grade(item, n)},
            "z scores": {"fluent": grade(item, n) / 7},
        }
        for item in range(9)
        for n, system in enumerate("PQR")
    ]
    return write_json(folder / "x.jsonl", records)


def lists_under_names(folder):
    """Means of systems beside the lists of what was judged, under the names of the systems."""
    judged = {
        system: [
            {"prompt_id": f"p{item}", "empathy": grade(item, n), "safety": grade(n, item)}
            for item in range(9)
        ]
        for n, system in enumerate(("base", "sft", "dpo"))
    }
    summary = {system: {"empathy": 3.5, "safety": 4.5} for system in judged}
    (folder / "x.json").write_text(
        json.dumps({"judge": "gpt", "summary": summary, "detailed_scores": judged})
    )
    return folder / "x.json"


def systems_at_places(folder):
    records = [
        {
            "code": f"the code of number {item}",
            "A": names[item % 2],
            "B": names[1 - item % 2],
            "scores": {
                name: {"A": grade(item, k), "B": grade(item, k, 1)}
                for k, name in enumerate(("accuracy", "clarity"))
            },
        }
        for item in range(9)
        for names in (("zero_shot", "tuned"), ("tuned", "expert"))
    ]
    return write_json(folder / "x.jsonl", records)


def columns_called_by_numbers(folder):
    items = {str(item): {"0": 50 + item, "1": 20 + 3 * item, "HiddenRef": 90 + item % 4} for item in range(8)}
    (folder / "x.json").write_text(json.dumps({"ratings": items, "id": "83f"}))
    return folder / "x.json"


def winners_of_places(folder):
    """The place of the winner beside marks of another judgment that came with the data."""
    header = ["id", "model_a", "model_b", "winner", "winner_tie", "winner_model_a"]
    rows = [
        (
            n,
            *[("ada", "bob"), ("bob", "cyd"), ("cyd", "ada")][n % 3],
            ["a_winner", "b_winner", "tie"][n % 4 % 3],
            n % 2,
            1 - n % 2,
        )
        for n in range(12)
    ]
    return write(folder / "x.csv", header, rows)


def picks_of_winners(folder):
    records = [
        {"item": f"i{n // 2}", "judge": f"judge{n % 2}", "winner": {"pick": ["name", "plain"][grade(n) % 2]}}
        for n in range(20)
    ]
    return write_json(folder / "x.jsonl", records)


LABELS = [f"{number}: {word}{' -- a word' * 8}" for number, word in enumerate(("No", "In part", "Yes"))]
FORMS = {
    "a longer id ends with the system": (
        systems_after_ids,
        "topic=text_id,system=system,rater=position,measures=human_scores",
    ),
    "dialogues beside objects of scores": (
        scores_beside_dialogues,
        "topic=item_id,system=model,rater=worker,measures=raw scores.fluent,z scores.fluent",
    ),
    "lists under names": (lists_under_names, "topic=prompt_id,system=key,measures=empathy,safety"),
    "systems at places A and B": (
        systems_at_places,
        "topic=code,attempt=#,system=A,B,measures=accuracy.A,accuracy.B,clarity.A,clarity.B",
    ),
    "objects of numbers beside a word": (columns_called_by_numbers, "topic=ratings_name,systems=0,1,HiddenRef"),
    "winners of places": (winners_of_places, "topic=id,first=model_a,second=model_b,winner=winner"),
    "a winner's pick": (picks_of_winners, "topic=item,rater=judge,winner=winner.pick"),
    "names with a scale are measures": (
        table_of(["id", "model", "estilo (1-5)", "rigor (1-5)"], lambda i, s, n: (i, n, grade(i, s), grade(s, i))),
        "topic=id,system=model,measures=estilo (1-5),rigor (1-5)",
    ),
    "grades keyed by graders": (grades_keyed_by_graders, "cells={measure} {system} {rater}"),
    "a kind of row is no choice": (
        table_of(
            ["segment", "system", "kind", "score"],
            lambda i, s, n: (i, ["ref", "mt1", "mt2"][s], ["REF", "TGT", "TGT"][s], 20 * grade(i, s)),
        ),
        "topic=segment,system=system,measures=score",
    ),
    "numbered texts of persons": (answers_of_persons, "rater=id,cells={measure}_{topic}"),
    "clips as columns": (clips_as_columns, "rater=#,cells={topic}-{system}"),
    "votes on turns": (votes_on_turns, "topic=file,rater=position2,pair=key,winner=Completion"),
    "scores of two answers": (scores_of_two_answers, "topic=review_id,rater=judge_id,systems=score_1,score_2"),
    "lists of raters": (
        lists_of_raters,
        "topic=question_number,position,system=model_number,rater=rater,measures=fluency,accuracy",
    ),
    "rows of two kinds": (rows_of_two_kinds, "topic=dialogue_id,sample_id,system=model_key,measures=fluency"),
    "ranks in cells": (
        ranks_in_cells,
        "topic=example_id,system=results_name,rater=worker,measures=rank --lower-is-better rank",
    ),
    "labels longer than a line": (
        table_of(
            ["docid", "model", "Is it fluent?"],
            lambda i, s, n: (i, n, LABELS[grade(i, s) % 3]),
        ),
        "topic=docid,system=model,measures=Is it fluent?",
    ),
    "questions that are sentences": (
        table_of(
            ["docid", "model", *(f"What is the {a} in the {b} text?" for a in ("aim", "idea") for b in ("new", "old"))],
            lambda i, s, n: (i, n, *(grade(i, s, k) for k in range(4))),
        ),
        "topic=docid,system=model,measures=What is the aim in the new text?,What is the aim in the old text?,"
        "What is the idea in the new text?,What is the idea in the old text?",
    ),
    "quantities beside grades are no raters": (
        table_of(
            ["P_ID", "Condition", "Confidence", "Mental_Effort", "Would_Use_Again"],
            lambda i, s, n: (f"P{i}", n, grade(i, s), grade(s, i), grade(i, s, 1)),
        ),
        "topic=P_ID,system=Condition,measures=Confidence,Mental_Effort,Would_Use_Again",
    ),
    "counts and times are no measures": (
        table_of(
            ["trial_id", "rating_stimulus", "email", "n_votes", "rating_score", "rating_time"],
            lambda i, s, n: (f"trial{i}", n, "kim@example.org", 4 + i % 3, 9 * grade(i, s), 100 * i + 17 * s),
        ),
        "topic=trial_id,system=rating_stimulus,rater=email,measures=rating_score",
    ),
    "an output that is a number is no score": (
        table_of(
            ["question", "model", "answer", "accuracy"],
            lambda i, s, n: (f"q{i}", n, 37 * i - 90 * s, grade(i, s) % 2),
        ),
        "topic=question,system=model,measures=accuracy",
    ),
    "what a rater said is no rater": (
        table_of(
            ["id", "condition", "rater_correct", "rater_severity"],
            lambda i, s, n: (i, n, ["no", "yes"][grade(i, s) % 2], ["silent", "harmless", "degraded"][grade(s, i) % 3]),
        ),
        "topic=id,system=condition,measures=rater_correct",
    ),
    "ids that are names of systems": (
        table_of(
            ["Paragraph", "id", "1_unans", "1_readability", "2_unans", "2_readability"],
            lambda i, s, n: (f"a paragraph as long as a text is number {i}", ["human", "ours", "crqda"][s],
                             *(grade(i, s, k) for k in range(4))),
        ),
        "topic=Paragraph,system=id,cells={rater}_{measure}",
    ),
    "names of items beside a small id": (
        table_of(
            ["name", "model", "id", "tifa_score", "correctness"],
            lambda i, s, n: (f"Item {'ABCDEFGHIJ'[i]}x", n, grade(i, s) - 1, 0.1 * grade(i, s), grade(s, i)),
        ),
        "topic=name,system=model,measures=correctness,scores=tifa_score",
    ),
    "outputs with texts of their own are attempts": (
        table_of(
            ["question", "approach", "answer", "relevance"],
            lambda i, s, n: (f"q{i}", n, f"a text of its own {i} {s} {i % 2}", grade(i, s)),
            OUTPUTS + OUTPUTS,
        ),
        "topic=question,system=approach,measures=relevance",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
def test_the_command_that_is_printed_names_the_columns_rightly(name, tmp_path):
    write_it, roles = FORMS[name]
    assert roles_in(write_it(tmp_path)) == roles


def test_a_tie_beside_two_names_makes_preferences(tmp_path):
    rows = [
        (person, item, ["human", "mt", "tie"][(item + n) % 3])
        for n, person in enumerate("AB")
        for item in range(9)
    ]
    path = write(tmp_path / "x.csv", ["participant_id", "item", "rating"], rows)
    assert roles_in(path) == "topic=item,rater=participant_id,winner=rating"
    preferences = read_preferences(path)
    assert sorted(preferences.systems) == ["human", "mt"]
    # of every three votes of a person one is for each system, and one a tie
    assert sorted(preferences.wins.tolist()) == [0.0] * 6 + [0.5] * 6 + [1.0] * 6


@pytest.mark.parametrize("words", ["positive negative neutral", "yes no same"])
def test_a_middle_between_two_labels_is_no_tie(words, tmp_path):
    rows = [(item, f"r{n}", words.split()[(item + n) % 3]) for item in range(9) for n in range(2)]
    path = write(tmp_path / "x.csv", ["item", "rater", "label"], rows)
    assert "preferences" not in str(report_on(path))


def test_questions_in_a_column_of_votes_are_not_counted_together(tmp_path, capsys):
    rows = [
        (f"p{n}", item, condition, ["human", "mt", "tie"][(item + n) % 3])
        for n, condition in enumerate(("fluency", "adequacy"))
        for item in range(9)
    ]
    path = write(tmp_path / "x.csv", ["participant_id", "item", "condition", "rating"], rows)
    assert main(["compare", str(path)]) == 1
    assert (
        "condition has fluency, adequacy: their preferences are counted together" in capsys.readouterr().err
    )


def test_one_row_of_each_pair_is_a_summary_of_preferences(tmp_path):
    rows = [("ada", "bob", 0.3), ("ada", "cyd", -0.2), ("bob", "cyd", 0.1)]
    report = report_on(write(tmp_path / "x.csv", ["left", "right", "preference"], rows))
    assert not report.commands
    assert "no comparison: a row a pair of systems, as a summary has;" in str(report)


def test_systems_without_a_common_topic_are_said_before_rows_that_are_given_again(tmp_path):
    rows = [
        (f"s{system}{item % 9}", "PQR"[system], "kim", 10 * item) for system in range(3) for item in range(12)
    ]
    report = report_on(write(tmp_path / "x.csv", ["segment", "system", "rater", "score"], rows))
    assert "no comparison: no two systems share a topic" in str(report)
    assert "first name the column that separates those rows" not in str(report)


def test_files_of_items_are_neither_systems_nor_raters(tmp_path):
    rows = [
        (f"sys{n % 4}e", f"sys{n % 4}e-utt{n}.wav", grade(n, age), f"{{}}_{age}0-{age}9_No")
        for n in range(28)
        for age in range(n % 3, 8)
    ]
    path = write(tmp_path / "x.csv", rows[0], rows[1:])
    assert "read as: measures as columns; topic = 2; system = 1; rater = 4; measures = 3" in str(
        report_on(path)
    )


def test_quoted_names_say_what_separates_cells_of_several_lines(tmp_path):
    path = tmp_path / "x.tsv"
    cells = '"def f(a, b):\n    return a, b, 1\n"'
    rows = [
        f'"d{item}"\t"{system}"\t{cells}\t"{grade(item, number)}"'
        for item in range(8)
        for number, system in enumerate("PQ")
    ]
    path.write_text("\n".join(['"doc_id"\t"system"\t"output"\t"quality"', *rows]) + "\n")
    assert len(read_scores(path)) == 16


def test_a_name_that_is_given_twice_in_a_cell_is_no_object(tmp_path):
    rows = [(item, '"{""P"": {""rank"": 1}, ""P"": {""rank"": 2}}"') for item in range(9)]
    report = report_on(write(tmp_path / "x.csv", ["example_id", "results"], rows))
    assert not report.commands


def test_fields_beside_those_of_argilla_name_the_systems(tmp_path):
    records = [
        {
            "id": f"q{n}",
            "fields": {"prompt": "p", "response_A": f"x {n}", "response_B": f"y {n}"},
            "responses": {"preference": [{"value": "AB"[n % 2], "user_id": "u1"}]},
            "model_A": "ada",
            "model_B": "bob",
        }
        for n in range(9)
    ]
    (tmp_path / "x.json").write_text(json.dumps(records))
    assert "first=model_A,second=model_B,winner=preference" in roles_in(tmp_path / "x.json")


def test_sentences_of_summaries_are_parts_of_the_topic(tmp_path):
    report = str(report_on(sentences_of_summaries(tmp_path)))
    assert "topic = key, sents_name; measures = label" in report


def test_marks_in_which_files_differ_are_of_raters(tmp_path, capsys):
    for rater in (1, 2):
        rows = [
            (
                f"q{item}",
                system,
                f"text {item} {system}",
                "x" if (item + rater) % 3 else "",
                grade(item, rater),
            )
            for item in range(9)
            for system in "PQ"
        ]
        write(
            tmp_path / f"annotator_{rater}.csv",
            ["question", "approach", "answer", "poor?", "relevance"],
            rows,
        )
    assert main(["validate", str(tmp_path)]) == 0
    assert "rater=#file,topic=question,system=approach,measures=relevance" in capsys.readouterr().out


@pytest.mark.parametrize("word", ["group ", "run"])
def test_values_that_are_called_as_groups_or_runs_are_not_surely_systems(word, tmp_path):
    rows = [
        (f"d{item}", tool, f"{word}{n}", grade(item, n, number))
        for item in range(9)
        for number, tool in enumerate(("alpha", "beta", "gamma"))
        for n in (1, 2)
    ]
    path = write(tmp_path / "x.csv", ["doc_id", "tool", "which", "quality"], rows)
    assert "system=tool" in roles_in(path) or "question: " in str(report_on(path)).splitlines()[1]


def test_half_a_character_in_a_column_that_is_not_used_is_no_obstacle(tmp_path):
    records = [
        {"item": item, "system": system, "fluency": grade(item, n), "kind": ["\ud800", "b"][item % 2]}
        for item in range(9)
        for n, system in enumerate("PQR")
    ]
    assert len(read_scores(write_json(tmp_path / "x.jsonl", records))) == 27
