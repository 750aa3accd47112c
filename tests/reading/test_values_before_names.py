"""Winners, sides, identifiers, raters and rows of other kinds are found by their values where names do not say them."""

import io
import json
import shlex

import pandas as pd
import pytest

from classy_aesop.cli import main
from classy_aesop.errors import InputError
from classy_aesop.reading.file_report import inspect_file
from classy_aesop.reading.given_tables import read_preferences


def write(path, header, rows):
    path.write_text("\n".join(",".join(map(str, row)) for row in [header, *rows]) + "\n")
    return path


def command_of(path, number=0):
    """Give a command that is printed about a file, without the name of the file."""
    return inspect_file(path, siblings=[]).commands[number].replace(f" {path}", "")


def wins_of(preferences):
    """Give the wins of each system, a tie as half of one."""
    table = preferences.table().assign(wins=preferences.wins)
    first = table.groupby("first")["wins"].sum()
    second = (1 - table["wins"]).groupby(table["second"]).sum()
    return first.add(second, fill_value=0).to_dict()


PAIRS = [("ada", "bob", "ada"), ("bob", "cyd", "Cyd"), ("cyd", "ada", "tie"), ("ada", "cyd", "ada")] * 3


def test_the_winner_is_the_column_of_one_of_two_names_in_its_row(tmp_path):
    rows = [(n // 2, *pair) for n, pair in enumerate(PAIRS)]
    path = write(tmp_path / "x.csv", ["item", "model_1", "model_2", "was_picked"], rows)
    assert command_of(path).endswith("topic=item,first=model_1,second=model_2,winner=was_picked")
    preferences = read_preferences(path, columns="topic=item,first=model_1,second=model_2,winner=was_picked")
    assert wins_of(preferences) == {"ada": 7.5, "bob": 0, "cyd": 4.5}


@pytest.mark.parametrize(
    ("other_word", "is_choice"), [("ours", True), ("draw", True), ("theirs", False)], ids=str
)
def test_one_system_may_be_named_by_the_choices_alone(other_word, is_choice, tmp_path):
    choices = ["base_a", "ours", "ours", other_word]
    rows = [(n, f"base_{'ab'[n % 4 // 2]}", choices[n % 4]) for n in range(16)]
    path = write(tmp_path / "x.csv", ["item", "baseline", "picked"], rows)
    commands = inspect_file(path, siblings=[]).commands
    assert [name.split("--columns ")[1] for name in commands] == [
        "topic=item,second=baseline,winner=picked"
    ] * is_choice


def test_two_objects_of_sides_are_no_rows(tmp_path):
    path = tmp_path / "x.jsonl"
    records = [
        {
            "item": n // 2,
            "is_onboarding": n < 2,
            "output_1": {"text": f"some words of {first}", "model": first},
            "output_2": {"text": f"other words of {second}", "model": second},
            "choice": chosen.lower(),
        }
        for n, (first, second, chosen) in enumerate(PAIRS)
    ]
    path.write_text("\n".join(map(json.dumps, records)))
    report = str(inspect_file(path, siblings=[]))
    assert "first = output_1.model; second = output_2.model; winner = choice" in report
    assert "10 preferences between 3 systems" in report
    assert "2 of 12 rows left out: is_onboarding is True (first: line 1)" in report


def test_lists_of_votes_on_a_pair_in_a_key_are_opened(tmp_path):
    votes = {"ada vs. bob": ["Ada", "tie", "Ada"], "ada vs. cyd": ["cyd", "Cyd", "tie"]}
    records = [
        {
            "item": f"i{n}",
            **{pair: {"Fluency": of_pair, "Ending": of_pair} for pair, of_pair in votes.items()},
        }
        for n in range(6)
    ]
    path = tmp_path / "x.json"
    path.write_text(json.dumps(records))
    report = inspect_file(path, siblings=[])
    assert "is the winner Fluency or Ending?" in str(report)
    columns = "topic=item,rater=position,pair=key,winner=Fluency"
    assert report.commands[0].endswith(columns)
    assert wins_of(read_preferences(path, columns=columns)) == {"ada": 18, "bob": 3, "cyd": 15}


@pytest.mark.parametrize("raters", ["abc", "012"])
def test_a_column_of_raters_is_no_winner(raters, tmp_path):
    rows = [(n // 3, raters[n % 3], *pair) for n, pair in enumerate(PAIRS)]
    path = write(tmp_path / "x.csv", ["item", "rater", "model_1", "model_2", "verdict"], rows)
    assert command_of(path).endswith("topic=item,rater=rater,first=model_1,second=model_2,winner=verdict")


def test_scores_of_whole_documents_are_left_out_of_those_of_segments(tmp_path):
    rows = [(n, system, n == 8, n % 5) for n in range(9) for system in ("ada", "bob")]
    path = write(tmp_path / "x.csv", ["segment_id", "system", "is_document", "score"], rows)
    assert "2 of 18 rows left out: is_document is True" in str(inspect_file(path, siblings=[]))


@pytest.mark.parametrize("rater", [True, False])
def test_whole_numbers_that_cross_systems_are_of_items(rater, tmp_path):
    rows = [
        (f"w{number % 3}", system, number + 10, (number * 7 + len(system) * 13) % 50, number % 3 + 1)
        for number in range(15)
        for system in ("ada", "bobby", "cy")
    ]
    header = ["WID", "SYS", "RID", "SCR", "N"]
    columns = slice(0 if rater else 1, None)
    path = write(tmp_path / "x.csv", header[columns], [row[columns] for row in rows])
    roles = f"topic=RID,system=SYS,{'rater=WID,' * rater}measures=SCR"
    assert command_of(path).endswith(f"--metric SCR --columns {roles}")


def test_scores_of_the_same_range_are_no_items(tmp_path):
    rows = [
        (system, (n * n * 7 + len(system) * 5) % 17, n % 2) for n in range(17) for system in ("ada", "bobby")
    ]
    path = write(tmp_path / "x.csv", ["SYS", "AA", "BB"], rows)
    assert "topic=AA" not in command_of(path)


def test_columns_that_end_as_metrics_and_look_computed_are_metrics(tmp_path):
    rows = [
        (
            n // 2,
            "ab"[n % 2],
            n % 3 == 0,
            *(round((n * factor) % 1, 4) for factor in (0.3719, 0.7127, 0.5431)),
        )
        for n in range(40)
    ]
    header = ["id", "system", "label", "DAE_score", "QuestEval_score", "SummaC_score"]
    report = str(inspect_file(write(tmp_path / "x.csv", header, rows), siblings=[]))
    assert "measures = label; scores = DAE_score, QuestEval_score, SummaC_score" in report


def test_the_number_of_a_system_is_no_score_and_a_second_ranking_is_an_attempt(tmp_path):
    systems = ["ada", "bob", "cyd"]
    rows = []
    for n in range(12):
        order = [systems[(n + place) % 3] for place in range(2)]
        numbers = [systems.index(name) for name in order]
        rows.append((-1, n // 2, "jo" if n < 10 else "ed", *numbers, *order, 1 + n % 2, 2 - n % 2))
    header = [
        "documentId",
        "item",
        "judge",
        "sys1Number",
        "sys2Number",
        "sys1Id",
        "sys2Id",
        "sys1score",
        "sys2score",
    ]
    path = write(tmp_path / "x.csv", header, rows)
    report = str(inspect_file(path, siblings=[]))
    assert "topic = item; rater = judge; attempt = #; system = sys1Id, sys2Id; measures = sys1score" in report
    assert "an output was judged again" in report
    assert "compare" in command_of(path)


def test_numbers_that_begin_anew_in_each_document_are_no_clusters(tmp_path):
    rows = [
        (system, f"talk.{n // 4}", n % 4 // 2 + 1, n, "r1", severity)
        for n in range(12)
        for system, severity in (("ada", "Minor"), ("bob", "Major"))
    ]
    header = ["system", "doc", "doc_id", "seg_id", "rater", "severity"]
    assert "cluster=doc,topic=seg_id" in command_of(write(tmp_path / "x.csv", header, rows))


def test_columns_without_a_header_are_first_of_raters_of_what_the_rows_name(tmp_path):
    path = tmp_path / "x.tsv"
    rows = [f"img{n // 4}.jpg\tcap{n}.jpg#1\t{n % 4 + 1}\t{n * 3 % 4 + 1}\t{n % 3 + 1}" for n in range(40)]
    path.write_text("\n".join(rows) + "\n")
    report = inspect_file(path, siblings=[])
    assert "are 3, 4, 5 raters or systems?" in str(report)
    assert report.commands[0] == f"classy-aesop assessors {path} --columns ratings=3,4,5"


def test_words_of_scales_and_all_measures_are_said_where_a_question_is_asked(tmp_path):
    rows = [(n // 2, "ab"[n % 2], *("Yes" if (n + k) % 3 else "No" for k in range(3))) for n in range(30)]
    path = write(tmp_path / "x.csv", ["gem_id", "model", "question1", "question2", "question3"], rows)
    report = str(inspect_file(path, siblings=[]))
    assert "question: are question1, question2, question3 " in report
    assert "words: of question1, question2, question3 are numbers: No = 0, Yes = 1" in report
    assert "note: --metric also takes question2, question3" in report


def test_comments_above_a_header_say_which_number_is_missing(tmp_path):
    path = tmp_path / "x.csv"
    rows = [(n // 2, "ab"[n % 2], 0 if n == 5 else n % 5 + 1, n % 4 + 1, n % 3 + 1) for n in range(20)]
    body = "\n".join(",".join(map(str, row)) for row in rows)
    comments = "# round 2, exported today\n# scores 1-5; 0 = could not judge\n\n"
    path.write_text(f"{comments}item,system,ann_KL,ann_MT,final\n{body}\n")
    report = str(inspect_file(path, siblings=[]))
    assert "0 (could not judge) is read as missing in ann_KL, as the file says" in report
    assert "ratings = ann_KL, ann_MT\n" in report
    assert "40 scores, 1 of them missing: 10 topics, 2 systems, 2 raters" in report
    assert "not used: final" in report
    path.write_text(f"{comments}item,system,ann_KL,ann_MT\n{body}\n")
    with pytest.raises(InputError, match="line 5: 5 columns; expected 4"):
        inspect_file(path)


def test_the_name_of_a_column_says_which_number_is_missing(tmp_path):
    rows = [(n // 2, "ab"[n % 2], n % 6) for n in range(24)]
    path = write(tmp_path / "x.csv", ["item", "system", "fluency (1-5; 0 = cannot judge)"], rows)
    assert "24 scores, 4 of them missing" in str(inspect_file(path, siblings=[]))


def test_a_header_may_begin_with_a_number_sign(tmp_path):
    rows = [(n // 2, "ab"[n % 2], n % 6) for n in range(24)]
    path = write(tmp_path / "x.csv", ["#item", "system", "fluency"], rows)
    assert command_of(path).endswith("'topic=#item,system=system,measures=fluency'")


def test_marks_of_outputs_that_several_people_saw_are_measures(tmp_path):
    rows = [
        (n // 6, f"the {n // 3}th text that was shown", *((n * factor) % 7 % 2 for factor in (1, 2, 3)))
        for n in range(36)
    ]
    path = write(
        tmp_path / "x.csv", ["Input.story", "Input.text", "a-1-plot.1", "a-2-syntax.1", "a-3-plan.1"], rows
    )
    report = inspect_file(path, siblings=[])
    marks = "a-1-plot.1,a-2-syntax.1,a-3-plan.1"
    assert f"are {marks.replace(',', ', ')} measures or systems?" in str(report)
    assert f"topic=Input.text,rater=#,measures={marks}" in report.commands[0]


def test_spans_are_places_and_a_kind_of_hallucination_is_an_error(tmp_path):
    rows = [
        (
            n // 8,
            "ab"[n // 2 % 2],
            f"w{n % 2}",
            ("NULL", "intrinsic")[n // 2 % 2 == 0 or n < 4],
            n % 5,
            n % 5 + 7,
        )
        for n in range(48)
    ]
    header = [
        "bbcid",
        "system",
        "worker_id",
        "hallucination_type",
        "hallucinated_span_start",
        "hallucinated_span_end",
    ]
    report = str(inspect_file(write(tmp_path / "x.csv", header, rows), siblings=[]))
    assert "errors = hallucination_type" in report
    assert "24 values from 0 to 1; means: a 1.000, b 0.167" in report


def write_form(path, answers, system="id"):
    rows = [
        (n % 3, f"a context of number {n // 3}", f"what system {n % 3} wrote", answer)
        for n, answer in enumerate(answers)
    ]
    return write(path, [system, "context", "response", "engaging"], rows)


def test_a_folder_of_one_form_a_rater_beside_a_blank_one_and_a_key(tmp_path, capsys):
    write_form(tmp_path / "ratings_blank.csv", [""] * 12)
    write_form(tmp_path / "ratings_mia.csv", [1, 3, 5] * 4)
    write_form(tmp_path / "ratings_tom.csv", [2, 4, 4] * 4)
    (tmp_path / "key.json").write_text(json.dumps({"first.txt": 0, "second.txt": 1}))
    assert main(["validate", str(tmp_path)]) == 0
    report = capsys.readouterr().out
    assert "left out, of other columns: key.json" in report
    assert "left out, a form without answers: ratings_blank.csv" in report
    files = f"{tmp_path / 'ratings_mia.csv'} {tmp_path / 'ratings_tom.csv'}"
    command = f"classy-aesop compare {files} --metric engaging --columns 'rater=#file,topic=context,system=id"
    assert command in report
    [line] = [line for line in report.splitlines() if command in line]
    assert main([*shlex.split(line)[1:], "-f", "tsv", "-q"]) == 0
    table = pd.read_csv(io.StringIO(capsys.readouterr().out), sep="\t", comment="#")
    assert dict(zip(table["summarizer"], table["mean"], strict=True)) == {2: 4.5, 1: 3.5, 0: 1.5}


def write_raters(folder, form, key):
    """Write the grades of two raters for two systems, the second in another order; documents are their own."""
    for rater, grades, step in (("mia", [1, 4, 2, 5], 1), ("tom", [3, 5, 4, 5], -1)):
        rows = [
            (f"item {n // 2}", f"{rater}'s document {n // 2}", f"text {n}", "ab"[n % 2], grades[n % 4])
            for n in range(12)
        ][::step]
        if form == "csv":
            write(folder / f"{rater}.csv", ["item", "document", key, "model", "grade"], rows)
            continue
        items = {item: {"document": document} for item, document, *_ in rows}
        for item, _, *cells in rows:
            items[item][f"summary {len(items[item])}"] = dict(
                zip((key, "model", "grade"), cells, strict=True)
            )
        (folder / f"{rater}.json").write_text(json.dumps(items))


@pytest.mark.parametrize("form", ["csv", "json"])
def test_files_of_raters_have_the_same_outputs_in_any_order(form, tmp_path, capsys):
    write_raters(tmp_path, form, "text")
    assert main(["validate", str(tmp_path)]) == 0
    commands = [line for line in capsys.readouterr().out.splitlines() if "'rater=#file," in line]
    assert [shlex.split(line)[1] for line in commands] == ["compare", "assessors"]
    assert main([*shlex.split(commands[0])[1:], "-f", "tsv", "-q"]) == 0
    table = pd.read_csv(io.StringIO(capsys.readouterr().out), sep="\t", comment="#")
    assert dict(zip(table["summarizer"], table["mean"], strict=True)) == {"b": 4.75, "a": 2.5}


def test_files_of_other_documents_are_no_raters_without_the_same_outputs(tmp_path, capsys):
    write_raters(tmp_path, "csv", "note")
    assert main(["validate", str(tmp_path)]) == 0
    assert "rater=#file" not in capsys.readouterr().out


def test_a_folder_of_one_file_a_system_stays_one(tmp_path, capsys):
    for name, shift in (("ada", 0), ("bob", 1)):
        rows = [(n, f"what {name} wrote on {n}", (n + shift) % 5) for n in range(10)]
        write(tmp_path / f"scores_{name}.csv", ["item", "response", "engaging"], rows)
    assert main(["validate", str(tmp_path)]) == 0
    assert "system=#file" in capsys.readouterr().out


@pytest.mark.parametrize("names", ["BH WH", "Best Worst", "Good Bad", "same"], ids=str)
def test_numbers_chosen_as_best_and_worst_are_counted(names, tmp_path):
    best, worst = (names if " " in names else "Best Worst").split()
    blocks = [(1, 4), (1, 3), (2, 3)]
    rows = [(f"p{n}", *(blocks[0] if n % 2 else (1, 3)), *blocks[1], *blocks[2]) for n in range(10)]
    if names == "same":
        rows = [(row[0], *(3, 3) * 3) for row in rows]
    header = ["person", *(f"{side}{number}" for number in (1, 2, 3) for side in (best, worst))]
    report = inspect_file(write(tmp_path / "x.csv", header, rows), siblings=[])
    are_choices = names in ("BH WH", "Best Worst")
    assert (
        "best_worst, 40 values from -3 to 2; means: 1 2.000, 2 1.000, 4 -0.500, 3 -2.500" in str(report)
    ) == are_choices
    assert (
        f"{best}1, {best}2, {best}3, {worst}1 and 2 more choose among 1, 2, 3, 4" in str(report)
    ) == are_choices


def test_every_measure_with_winners_is_asked_about(tmp_path):
    rows = [(n, *pair[:2], pair[2], pair[0]) for n, pair in enumerate(PAIRS)]
    rows = [(*row[:4], row[n % 2 + 1]) for n, row in enumerate(rows)]
    header = ["item", "model_1", "model_2", "Ending winner", "Fluency winner"]
    report = str(inspect_file(write(tmp_path / "x.csv", header, rows), siblings=[]))
    assert "is the winner Ending winner or Fluency winner?" in report


def test_yes_or_no_under_the_name_of_an_attempt_is_a_measure(tmp_path, capsys):
    rows = [(n // 2, "ab"[n % 2], "Yes" if n % 3 else "No", "No" if n % 5 else "Yes") for n in range(30)]
    path = write(tmp_path / "x.csv", ["item", "system", "fluency", "repetition"], rows)
    assert command_of(path).endswith("topic=item,system=system,measures=fluency,repetition")
    assert main(shlex.split(f"compare {path} {command_of(path).removeprefix('classy-aesop compare ')}")) == 0
    assert "of fluency, repetition are numbers: No = 0, Yes = 1" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["overall_label", "lean"])
def test_whole_numbers_about_zero_beside_two_systems_are_degrees_of_preference(name, tmp_path):
    degrees = [-2, 1, 0, 2]
    rows = [(n // 2, "ada", "bob", degrees[n % 4], degrees[n // 2 % 4]) for n in range(16)]
    path = write(tmp_path / "x.csv", ["item", "model_1", "model_2", "fit_label", name], rows)
    printed = str(inspect_file(path, siblings=[]))
    assert (
        f"{name} holds numbers from -2 to 2: it does not say which side is meant; here those below 0 prefer"
        in printed
    )
    assert "fit_label, " + name + " each say which of two is preferred: winner=NAME takes another" in printed
    columns = {"topic": "item", "first": "model_1", "second": "model_2", "winner": name}
    # of each four numbers one is negative, one is a tie and two are positive: those prefer the second side
    assert wins_of(read_preferences(path, columns=columns)) == {"ada": 6.0, "bob": 10.0}


def test_a_pair_in_one_cell_and_a_column_of_winners_a_measure_the_overall_one_first(tmp_path):
    rows = [
        (f'"{first}_b, {second}_b"', f"{first}_b", "same" if winner == "tie" else f"{winner.lower()}_b")
        for first, second, winner in PAIRS
    ]
    path = write(tmp_path / "x.csv", ["options", "plot", "overall_quality"], rows)
    report = inspect_file(path, siblings=[])
    commands = [command.rpartition(",")[2] for command in report.commands]
    assert [command.rstrip("'") for command in commands] == ["winner=overall_quality", "winner=plot"]
    columns = {"pair": "options", "winner": "overall_quality"}
    assert wins_of(read_preferences(path, columns=columns)) == {"ada_b": 7.5, "bob_b": 0.0, "cyd_b": 4.5}


def test_a_column_beside_a_pair_in_one_cell_may_name_its_sides(tmp_path):
    sides = ["left", "right", "tie"]
    rows = [(n, f'"{first},{second}"', sides[n % 3]) for n, (first, second, _) in enumerate(PAIRS)]
    path = write(tmp_path / "x.csv", ["item", "pair", "taste"], rows)
    assert command_of(path).endswith("topic=item,pair=pair,winner=taste")
    # each pair of PAIRS has each side once, and a tie: both its systems win the same
    assert wins_of(read_preferences(path)) == {"ada": 4.5, "bob": 3.0, "cyd": 4.5}


def test_a_column_of_winners_may_hold_ties_most_often(tmp_path):
    others = ["bob", "cyd", "bob", "cyd"]
    fluent = ["ada", "cyd", "ada", "ada"]
    winners = ["similar", "similar", "ada", "cyd"]
    rows = [(n, others[n % 4], fluent[n % 4], winners[n % 4]) for n in range(12)]
    path = write(tmp_path / "x.csv", ["item", "other_system", "fluency winner", "meaning winner"], rows)
    assert "is the winner fluency winner or meaning winner?" in str(inspect_file(path, siblings=[]))


def test_the_question_of_a_direction_names_the_two_systems(tmp_path):
    rows = [(n // 3, "xyz"[n % 3], "ours", "theirs", n % 7 - 3) for n in range(42)]
    path = write(tmp_path / "x.csv", ["utterance", "listener", "system_a", "system_b", "cmos"], rows)
    assert "question: do higher values of cmos prefer system_b or system_a?" in str(
        inspect_file(path, siblings=[])
    )


def test_signed_numbers_without_systems_may_be_preferences_and_raters_are_no_systems(tmp_path):
    rows = [(n, n % 5 - 2, 2 - n % 5, (n + 1) % 5 - 2) for n in range(20)]
    path = write(tmp_path / "x.csv", ["id", "rater1", "rater2", "rater3"], rows)
    printed = str(inspect_file(path, siblings=[]))
    assert (
        "no column names the systems; numbers below and above 0 may prefer one of two: --columns first="
        in printed
    )
    assert "systems=rater1" not in printed


GRADES = [
    (system, f"doc{doc}", (doc + n) % 5 + 1, (doc // 2 + 2 * n) % 4 + 1)
    for doc in range(12)
    for n, system in enumerate("PQR")
]


@pytest.mark.parametrize("word", ["sys", "model ", "system_"])
def test_values_that_are_called_as_systems_and_documents_need_no_header(word, tmp_path):
    rows = [(f"{word}{system}", *others) for system, *others in GRADES]
    path = write(tmp_path / "x.csv", rows[0], rows[1:])
    assert "topic=2,system=1," in command_of(path)


def test_places_in_texts_beside_a_rating_are_no_scores(tmp_path):
    path = tmp_path / "x.jsonl"
    records = [
        {
            "doc_id": doc,
            "system": system[-1],
            "spans": [[n, n + grade] for n in range(grade % 3)],
            "rating": grade,
        }
        for system, doc, grade, _ in GRADES
    ]
    path.write_text("\n".join(map(json.dumps, records)))
    assert command_of(path).endswith("--metric rating --columns topic=doc_id,system=system,measures=rating")


def test_settings_above_a_table_are_no_header(tmp_path):
    path = write(
        tmp_path / "x.csv",
        ["Results", "", "", ""],
        [("Year", 2024, "", ""), ("system", "doc", "fluency", "style"), *GRADES],
    )
    assert command_of(path).endswith(
        "--metric fluency --columns topic=doc,system=system,measures=fluency,style"
    )


def test_a_task_of_marked_spans_in_appraise_has_no_header_either(tmp_path):
    rows = [
        (
            f"user{grade % 2}",
            system,
            doc[3:],
            "TGT",
            "en",
            "de",
            20 * grade,
            "text",
            False,
            "[]",
            1e9 + n,
            2e9 + n,
        )
        for n, (system, doc, grade, _) in enumerate(GRADES)
    ]
    path = write(tmp_path / "x.csv", rows[0], rows[1:])
    assert "topic=segment_id,system=system,rater=annotator,measures=score" in command_of(path)
