"""Cells with several things are split; one column or measure that cannot be read leaves the others readable."""

import json
import shlex

import pandas as pd
import pytest

from classy_aesop.cli import main
from classy_aesop.errors import InputError
from classy_aesop.reading.file_report import inspect_file, inspect_scores
from classy_aesop.reading.score_files import read_scores


def write(path, header, rows):
    path.write_text("\n".join(",".join(map(str, row)) for row in [header, *rows]) + "\n")
    return path


def means_by_command(path, metric):
    """Give the means of systems by the first printed command that compares them by a measure, over topics."""
    command = next(text for text in inspect_file(path, siblings=[]).commands if f"--metric {metric} " in text)
    columns = command.split("--columns ")[1].split(" --")[0].strip("'")
    scores = read_scores(path, columns=columns)
    scores = scores[scores["metric"] == metric]
    means = scores.groupby(["topic", "summarizer"])["score"].mean().groupby("summarizer").mean()
    return means.round(3).to_dict()


@pytest.mark.parametrize("order", [(1, 2), (2, 1)], ids=["in order", "second first"])
def test_scores_belong_to_the_system_of_their_number_whichever_stands_first(order, tmp_path):
    systems = ["ada", "bob", "cyd"]
    rows = []
    for n in range(9):
        pair = {1: systems[n % 3], 2: systems[(n + 1) % 3]}
        ranks = {number: systems.index(name) + n // 3 for number, name in pair.items()}
        rows.append((*(ranks[number] for number in order), n // 3, pair[1], pair[2]))
    header = [*(f"system{number}quality" for number in order), "item", "system1Id", "system2Id"]
    path = write(tmp_path / "x.csv", header, rows)
    assert means_by_command(path, "quality") == {"ada": 1.0, "bob": 2.0, "cyd": 3.0}


def test_qualities_are_compared_first_and_errors_are_better_if_fewer(tmp_path):
    rows = [
        (n // 3, ["full", "tuned", "ref"][n % 3], ["yes", "no"][n % 2], n // 9, 1 + n % 5) for n in range(18)
    ]
    path = write(tmp_path / "x.csv", ["id", "cond_sys", "outside", "err_facts", "fluency"], rows)
    commands = inspect_file(path, siblings=[]).commands
    assert "--metric fluency " in commands[0]
    assert "system=cond_sys" in commands[0]
    assert [text.partition("--lower")[2] for text in commands if "--metric err_facts" in text] == [
        "-is-better err_facts"
    ]


def write_records(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def rate(n):
    """Give a grade that is the higher the later its system, and varies by item and rater."""
    return 1 + n % 3 + n // 3 % 2


MODELS = ["claude-4", "gpt-5", "llama-3"]


def test_the_places_of_a_list_become_columns_of_which_several_name_the_topic(tmp_path):
    records = [
        {
            "key": [f"q{item}", MODELS[n % 3], persona, 1],
            "annotator": rater,
            "tone": rate(n),
            "kind": 2 + n % 3,
        }
        for item in range(5)
        for persona in ("teen", "adult")
        for rater in ("ed", "jo")
        for n in range(3)
    ]
    path = write_records(tmp_path / "x.jsonl", records)
    command = inspect_file(path, siblings=[]).commands[0]
    assert "topic=key[0],key[2],system=key[1],rater=annotator" in command
    assert means_by_command(path, "tone") == {"claude-4": 1.0, "gpt-5": 2.0, "llama-3": 3.0}


def test_tags_in_lists_become_columns(tmp_path):
    rows = [
        (n, f"\"['case={n // 3}', 'bot={'abc'[n % 3]}', 'lang:en']\"", 1 + n % 3, 1 + n % 5)
        for n in range(18)
    ]
    path = write(tmp_path / "x.csv", ["trace", "tags", "tone", "fluency"], rows)
    assert means_by_command(path, "tone") == {"a": 1.0, "b": 2.0, "c": 3.0}


def test_two_names_in_a_list_are_the_sides_of_a_comparison(tmp_path):
    pairs = [("ada", "bob"), ("bob", "cyd"), ("cyd", "ada")] * 4
    records = [{"doc": n, "models": pair, "winner": min(pair)} for n, pair in enumerate(pairs)]
    report = inspect_file(write_records(tmp_path / "x.jsonl", records), siblings=[])
    assert report.commands[0].endswith("topic=doc,first=models_1,second=models_2,winner=winner")


@pytest.mark.parametrize(
    "lists", [[["ann1", "bob1"], ["ann2", "bob2"]], [["see it", "a, b"], ["ok"]]], ids=str
)
def test_lists_beside_lists_of_scores_and_of_texts_stay(lists, tmp_path):
    records = [
        {"doc": n // 2, "model": "ab"[n % 2], "annotators": lists[n // 2 % 2], "tone": [1 + n % 4, 2]}
        for n in range(12)
    ]
    report = str(inspect_file(write_records(tmp_path / "x.jsonl", records), siblings=[]))
    assert "several things" not in report


def test_outputs_in_a_list_beside_their_scores_may_be_of_systems_and_other_lists_stay(tmp_path):
    records = [
        {
            "question": f"what is {n}?",
            "answers": [f"it is a kind of {n}", f"it is an old {n}"],
            "scores": [n % 5, 1],
            "marks": [{"a": 1}, None],
        }
        for n in range(6)
    ]
    report = str(inspect_file(write_records(tmp_path / "x.jsonl", records), siblings=[]))
    assert "topic = row; system = position; measures = scores: 12 scores" in report
    assert "lists in answers, scores became rows" in report


def test_a_topic_that_comes_again_is_joined_with_what_tells_its_rows_apart(tmp_path):
    rows = [
        (item, "xyz"[n // 3], order, MODELS[n % 3], n % 2)
        for item in range(8)
        for order in (1, 2)
        for n in range(9)
    ]
    path = write(tmp_path / "x.csv", ["item_id", "part", "order", "model", "correct"], rows)
    command = inspect_file(path, siblings=[]).commands[0]
    assert "--columns cluster=item_id,topic=item_id,part,order,system=model," in command
    # of nine rows three are of each model, in which n is 0, 3, 6, or 1, 4, 7, or 2, 5, 8
    assert means_by_command(path, "correct") == {"claude-4": 0.333, "gpt-5": 0.667, "llama-3": 0.333}


def test_of_two_names_of_systems_the_one_of_language_models_counts_and_outputs_are_no_topics(tmp_path):
    rows = [
        (f"this is {item} of the texts", MODELS[n % 3], f"v{n // 3}", f"{item} as {n} has it", 1 + n % 3)
        for item in range(8)
        for n in range(12)
    ]
    path = write(tmp_path / "x.csv", ["source_sentence", "model", "variant", "translation", "tone"], rows)
    columns = "topic=source_sentence,system=model,attempt=variant,"
    assert columns in inspect_file(path, siblings=[]).commands[0]
    assert means_by_command(path, "tone") == {"claude-4": 1.0, "gpt-5": 2.0, "llama-3": 3.0}


@pytest.mark.parametrize("words", [["[]", "\"['2', '4']\""], ["satire", "news"]], ids=["lists", "words"])
@pytest.mark.parametrize("n_items", [4, 40], ids=["many", "few"])
def test_a_measure_without_numbers_leaves_the_other_measures_readable(words, n_items, tmp_path, capsys):
    rows = [
        (item, rater, measure, words[item % 2] if measure == "Kind" else 1 + item % 3)
        for item in range(6)
        for rater in ("ed", "jo")
        for measure in ("Bias", *(f"Tone{n}" for n in range(n_items // 4)), "Kind")
    ]
    path = write(tmp_path / "x.csv", ["art_id", "ann", "criteriaID", "annotation"], rows)
    report = inspect_file(path, siblings=[])
    assert f"12 of {len(rows)} rows left out: no number in annotation of Kind" in str(report)
    assert main(shlex.split(report.commands[0])[1:]) == 0
    printed = capsys.readouterr()
    assert "no number in annotation of Kind" in printed.err
    assert "Bias" in printed.out


def test_a_list_of_errors_with_few_numbers_among_its_words_says_what_is_lacking(tmp_path):
    kinds = ["NAME", "NUMBER", "CONTEXT"]
    rows = [(f"t{n // 6}", n % 3, n, n + 2, kinds[n % 3], ["zero", "Magic", 13][n % 3]) for n in range(24)]
    header = ["TEXT_ID", "SENTENCE_ID", "TOKEN_START", "TOKEN_END", "TYPE", "CORRECTION"]
    report = inspect_file(write(tmp_path / "x.csv", header, rows), siblings=[])
    assert "no comparison: no column names the systems" in str(report)
    assert not any("compare" in command for command in report.commands)


@pytest.mark.parametrize("has_totals", [True, False], ids=["totals", "parts only"])
def test_columns_with_the_numbers_of_questions_are_parts_of_a_score_and_no_raters(has_totals, tmp_path):
    rows = []
    for n in range(30):  # topic 0 has each system three times, the others twice
        item, system, again = n // 6 if n < 24 else 0, n % 3, n // 3 % 2
        right = [system > 0, system > 1, n % 2 == again]
        asked = [n % 2 == 1, False, False]
        questions = [f"what is said of {item} in line {k} of it?" for k in range(3)]
        totals = [sum(right), sum(asked)] * has_totals
        rows.append((item, MODELS[system], *questions, *right, *asked, *totals))
    header = [
        "doc_id",
        "model",
        *(f"{base}_{k}" for base in ("question", "is_right", "unsure") for k in (1, 2, 3)),
    ]
    path = write(tmp_path / "x.csv", [*header, *["n_right", "n_unsure"] * has_totals], rows)
    report = inspect_file(path, siblings=[])
    measure = "n_right" if has_totals else "is_right"
    by_hand = pd.DataFrame(
        [(row[0], row[1], sum(row[5:8])) for row in rows], columns=["doc", "model", "right"]
    )
    means = by_hand.groupby(["doc", "model"])["right"].mean().groupby("model").mean()
    means = means if has_totals else means / 3
    assert means_by_command(path, measure) == means.round(3).to_dict()
    assert ("attempt=#" in report.commands[0]) is not has_totals


def test_files_of_a_folder_that_each_name_another_system_are_read_as_one_table(tmp_path, capsys):
    for number, model in enumerate(MODELS):
        records = [
            {
                "pair_id": f"p{n // 4}",
                "order": 1 + n % 2,
                "rep": n // 2 % 2,
                "model": model,
                "correct": n % 3 < number,
            }
            for n in range(40)
        ]
        write_records(tmp_path / f"run_{model.replace('-', '')}.jsonl", records)
    report = inspect_scores(str(tmp_path))
    assert "model is another in each file, and they are one table" in str(report)
    files = " ".join(str(file) for file in sorted(tmp_path.iterdir()))
    assert report.commands[0].startswith(
        f"classy-aesop compare {files} --metric correct --columns cluster=pair_id,topic="
    )
    assert main(shlex.split(report.commands[0])[1:]) == 0
    printed = capsys.readouterr().out
    # of 40 rows n % 3 is 0 in 14 and 0 or 1 in 27
    assert all(mean in printed for mean in ("0.000", "0.350", "0.675"))


@pytest.mark.parametrize("has_measure", [True, False], ids=["of the record", "of its sentences only"])
def test_details_of_sentences_are_no_rows_beside_a_measure_of_the_whole_record(has_measure, tmp_path):
    words = ["incorrect", "partial", "correct"]
    records = [
        {
            "id": f"t{item}",
            "model": MODELS[n],
            "retriever": retriever,
            "judge_model": "gemini-2",
            "sentences": [{"text": f"line {k}", "cited": [1 + k, 2], "ok": n != k} for k in range(1 + n)],
            "correctness": "not_applicable" if item == 9 else words[(n + (retriever == "dense")) % 3],
        }
        for item in range(10)
        for retriever in ("bm25", "dense")
        for n in range(3)
    ]
    if not has_measure:
        records = [
            {name: cell for name, cell in record.items() if name != "correctness"} for record in records
        ]
    path = write_records(tmp_path / "x.jsonl", records)
    report = str(inspect_file(path, siblings=[]))
    assert ("the objects in 'sentences' became rows" in report) is not has_measure
    if has_measure:  # of 3, 2, 1 for the first retriever and the next word for the other
        assert "cluster=id,topic=id,retriever,system=model,measures=correctness" in report
        assert "are numbers: incorrect = 1, partial = 2, correct = 3" in report
        assert means_by_command(path, "correctness") == {"claude-4": 1.5, "gpt-5": 2.5, "llama-3": 2.0}


def test_of_named_measures_those_that_nobody_gave_are_metrics_beside_those_of_people(tmp_path):
    rows = [
        (item, model, name, rater, value)
        for item in range(6)
        for n, model in enumerate(MODELS)
        for name, rater, value in (
            ("help", "ed", 1 + n),
            ("help", "jo", 2 + item % 3),
            ("faith", "", 0.1 * item),
        )
    ]
    path = write(tmp_path / "x.csv", ["item", "model", "metric", "rater", "score"], rows)
    commands = inspect_file(path, siblings=[]).commands
    assert any(f"evaluate {path} --target help --metric faith --columns" in command for command in commands)


@pytest.mark.parametrize(
    ("text", "are_clusters"), [("same text of it", True), ("{} is in it", False)], ids=str
)
def test_numbers_that_begin_anew_in_each_corpus_are_no_clusters(text, are_clusters, tmp_path):
    rows = [
        (item, corpus, MODELS[n], rater, n, text.format(f"this of {corpus} {item}"))
        for corpus, n_items in (("news", 8), ("mail", 3))
        for item in range(n_items)
        for rater in ("ed", "jo")
        for n in range(3)
    ]
    path = write(tmp_path / "x.csv", ["item_id", "corpus_file", "model", "rater", "tone", "source"], rows)
    command = inspect_file(path, siblings=[]).commands[0]
    assert "topic=item_id,corpus_file,system=model" in command
    assert ("cluster=" in command) is are_clusters


def test_few_rows_that_are_given_again_do_not_bar_the_commands(tmp_path):
    rows = [(item, system, "ann", rate(n)) for item in range(8) for n, system in enumerate(MODELS)]
    rows.append((0, MODELS[0], "ann", 5))  # of 1 before: their mean is 3, and that of eight items 1.25 more
    path = write(tmp_path / "x.csv", ["item_id", "model", "rater", "tone"], rows)
    report = str(inspect_file(path, siblings=[]))
    assert "the few rows that are given again are averaged here (attempt=#)" in report
    assert means_by_command(path, "tone") == {"claude-4": 1.25, "gpt-5": 2.0, "llama-3": 3.0}
    path = write(
        tmp_path / "y.csv",
        ["item_id", "model", "rater", "tone"],
        [*rows, *((*row[:3], 9) for row in rows[:9])],
    )
    with pytest.raises(StopIteration):
        means_by_command(path, "tone")


def test_a_number_with_a_decimal_comma_that_is_too_great_is_refused_with_its_line(tmp_path):
    path = tmp_path / "x.csv"
    rows = [f"{item};{system};{item % 4},5" for item in range(8) for system in ("ada", "bob")]
    path.write_text("\n".join(["doc_id;system;quality", *rows, f"8;ada;{'9' * 400},5"]) + "\n")
    with pytest.raises(InputError, match=r"x\.csv, line 18: quality is '9{20,}"):
        read_scores(path)


def test_the_best_grades_alone_do_not_make_lower_better(tmp_path):
    rows = [
        (item, system, f"{5 - n} - {'Excellent' if n == 0 else 'Good'}")
        for item in range(8)
        for n, system in enumerate("ab")
    ]
    path = write(tmp_path / "x.csv", ["item_id", "system", "quality"], rows)
    assert "--lower-is-better" not in str(inspect_file(path, siblings=[]))
    grades = {1: "Excellent", 2: "Good", 5: "Poor"}
    rows = [
        (item, system, f"{n} - {word}")
        for item in range(8)
        for system, (n, word) in zip("abc", grades.items(), strict=True)
    ]
    path = write(tmp_path / "y.csv", ["item_id", "system", "quality"], rows)
    assert "--lower-is-better quality" in str(inspect_file(path, siblings=[]))


def test_a_grade_that_each_item_has_is_none_of_its_outputs(tmp_path):
    rows = [(item, system, 9 + item % 4, rate(n)) for item in range(8) for n, system in enumerate(MODELS)]
    path = write(tmp_path / "x.csv", ["item_id", "model", "grade", "clarity"], rows)
    assert "measures = clarity\n" in str(inspect_file(path, siblings=[]))


def test_a_grid_of_models_and_measures_names_the_systems_before_a_column_of_few_names(tmp_path):
    """Each sheet has items of its own, which begin with 1 again."""
    models = ["gpt-4o", "llama-3"]
    header = [
        "sheet",
        "id",
        "evaluator",
        *(f"{model} {kind}" for model in models for kind in ("fluency", "adequacy")),
    ]
    rows = [
        (part, item, rater, 4, 3 + item % 2, 2, 1 + item % 2)
        for part in ("first half", "second half")
        for item in range(1, 11)
        for rater in ("ann", "bob")
    ]
    path = write(tmp_path / "x.csv", header, rows)
    report = str(inspect_file(path, siblings=[]))
    assert "rater = evaluator; cells = {system} {measure}" in report
    assert "20 topics, 2 systems, 2 raters" in report
    assert means_by_command(path, "adequacy") == {"gpt-4o": 3.5, "llama-3": 1.5}


def test_sides_that_became_rows_may_be_systems(tmp_path):
    records = [
        {"question": f"q{n}", "response_a": {"clarity": 1 + n % 3}, "response_b": {"clarity": 3 + n % 3}}
        for n in range(9)
    ]
    path = tmp_path / "x.json"
    path.write_text(json.dumps(records))
    assert "is key the system or the rater?" in str(inspect_file(path, siblings=[]))
    assert means_by_command(path, "clarity") == {"response_a": 2.0, "response_b": 4.0}


def test_ranks_of_label_studio_are_of_the_systems_that_it_orders(tmp_path):
    orders = [["led", "bart", "t5"], ["led", "t5", "bart"], ["bart", "led", "t5"]]
    tasks = [
        {
            "id": n,
            "data": {"question": f"q{n}"},
            "annotations": [
                {
                    "completed_by": 7,
                    "result": [{"value": {"ranker": {"rank": orders[n % 3]}}, "from_name": "rank"}],
                }
            ],
        }
        for n in range(9)
    ]
    path = tmp_path / "x.json"
    path.write_text(json.dumps(tasks))
    assert means_by_command(path, "rank") == {"bart": 2.0, "led": 1.333, "t5": 2.667}
