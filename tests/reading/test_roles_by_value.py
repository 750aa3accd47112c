"""Roles are taken from the values of columns where names do not say them, or say otherwise."""

import itertools
import json
import random
import re
import shlex

import numpy as np
import pandas as pd
import pytest

from classy_aesop import read_preferences, read_scores
from classy_aesop.cli import main
from classy_aesop.data.scores import origin_of
from classy_aesop.errors import DataWarning, InputError
from classy_aesop.reading.file_report import inspect_file
from classy_aesop.reading.given_tables import read_score_table, read_scores_or_preferences
from classy_aesop.reading.sides import side_of


def write(path, header, rows):
    path.write_text("\n".join(",".join(map(str, row)) for row in [header, *rows]) + "\n")
    return path


def means(scores, measure=None):
    scores = scores if measure is None else scores[scores["metric"] == measure]
    return scores.groupby("summarizer")["score"].mean().round(3).to_dict()


def win_rates(preferences):
    """Give the share of its comparisons that each system wins."""
    table = preferences.table().assign(wins=preferences.wins)
    sides = [(row.first, row.wins) for row in table.itertuples()]
    sides += [(row.second, 1 - row.wins) for row in table.itertuples()]
    systems = {system for system, _ in sides}
    return {
        system: round(
            sum(win for name, win in sides if name == system) / sum(n == system for n, _ in sides), 3
        )
        for system in systems
    }


def grade(item, system):
    return 1 + (item * 3 + system * 2) % 5


@pytest.mark.parametrize(
    ("word", "side"),
    [
        ("Sentence A", 0),
        ("Text B", 1),
        ("[[A>>B]]", 0),
        ("B>A", 0 + 1),
        ("A<<B", 1),
        ("A=B", 0.5),
        ("[[C]]", 0.5),
        ("left", 0),
        ("alpha", None),
        ("5", None),
    ],
)
def test_words_of_sides(word, side):
    assert side_of(word) == side


def test_a_column_of_sides_is_of_winners_whatever_its_name(tmp_path):
    rows = [
        (f"t{n}", "xyz"[n % 3], "xyz"[(n + 1) % 3], f"w{n % 4}", f"Sentence {'AB'[n % 2]}", "yes")
        for n in range(24)
    ]
    path = write(
        tmp_path / "x.csv", ["Input.id", "Input.model1", "Input.model2", "WorkerId", "Answer.s", "ok"], rows
    )
    preferences = read_preferences(path)
    assert preferences.systems == ("x", "y", "z")
    first_wins = {row["first"]: row["winner"] for row in preferences.table().to_dict("records")[:2]}
    assert first_wins == {"x": "first", "y": "second"}
    rows[9] = (*rows[9][:4], "5", "yes")
    write(path, ["Input.id", "Input.model1", "Input.model2", "WorkerId", "Answer.s", "ok"], rows)
    with pytest.raises(InputError, match=r"line 11: Answer.s is '5'; expected x, y or a tie"):
        read_preferences(path)


def test_numbers_that_both_sides_share_are_systems(tmp_path):
    votes = [(f"p{n}", *((7, 13) if n % 2 else (13, 7)), "AB"[n % 4 == 0]) for n in range(16)]
    path = write(tmp_path / "x.csv", ["prompt_id", "model1", "model2", "vote"], votes)
    assert win_rates(read_preferences(path)) == {"7": 0.75, "13": 0.25}


def test_one_pair_throughout_is_named_by_its_values(tmp_path):
    votes = [(f"s{n}", "alpha", "beta", ["left", "right", "left"][n % 3]) for n in range(12)]
    path = write(tmp_path / "x.csv", ["story", "left_sys", "right_sys", "vote"], votes)
    assert win_rates(read_preferences(path)) == {"alpha": 0.667, "beta": 0.333}
    named = {"topic": "story", "first": "left_sys", "second": "right_sys", "winner": "vote"}
    assert win_rates(read_preferences(path, columns=named)) == {"alpha": 0.667, "beta": 0.333}


def test_winner_and_loser_are_systems(tmp_path):
    votes = [(f"s{n}", *(("a", "b") if n % 4 else ("b", "a"))) for n in range(12)]
    path = write(tmp_path / "x.csv", ["item_id", "winner", "loser"], votes)
    assert win_rates(read_preferences(path)) == {"a": 0.75, "b": 0.25}


def test_a_choice_among_three_outputs_has_a_system_that_never_wins(tmp_path):
    texts = [f"a long enough text number {n}" for n in range(3)]
    rows = [(f"question {n} of a kind", *texts, ["one", "two"][n % 2]) for n in range(8)]
    path = write(tmp_path / "x.csv", ["prompt", "zero", "one", "two", "winner"], rows)
    assert means(read_scores(path)) == {"zero": 0, "one": 0.5, "two": 0.5}
    assert any(
        "a row became one of each system" in str(line) for line in inspect_file(path, siblings=[]).lines
    )


@pytest.mark.parametrize("pattern", ["{}{}", "KNEE_Q{}_{}", "d{}:{}"])
def test_identifiers_of_item_and_system_are_split_and_this_is_said(tmp_path, pattern, capsys):
    rows = [
        (pattern.format(n, s), grade(n, k), 3 + n % 2) for n in range(6) for k, s in enumerate(("A", "bot"))
    ]
    path = write(tmp_path / "x.csv", ["output", "accuracy", "clarity"], rows)
    by_hand = {name: sum(grade(n, k) for n in range(6)) / 6 for k, name in enumerate(("A", "bot"))}
    assert means(read_scores(path), "accuracy") == pytest.approx(by_hand, abs=0.001)
    main(["validate", str(path)])
    assert "output holds the item and the system: " in capsys.readouterr().out
    assert (
        read_scores(path, columns={"topic": "output", "system": [], "measures": "accuracy"})[
            "topic"
        ].nunique()
        == 12
    )


@pytest.mark.parametrize("pattern", ["{s}_story{n}", "story{n}_{s}", "{s}/s-{n}", "d{n:03d}#{s}"])
@pytest.mark.parametrize("systems", [("tiny-x", "lead"), ("tiny_x", "big_x")])
def test_the_part_of_an_identifier_with_fewer_names_is_the_system_on_either_side(tmp_path, pattern, systems):
    rows = [(pattern.format(n=n, s=s), grade(n, k)) for n in range(7) for k, s in enumerate(systems)]
    path = write(tmp_path / "x.csv", ["output", "accuracy"], rows)
    by_hand = {name: sum(grade(n, k) for n in range(7)) / 7 for k, name in enumerate(systems)}
    assert means(read_scores(path), "accuracy") == pytest.approx(by_hand, abs=0.001)


def test_identifiers_that_are_not_crossed_are_not_split(tmp_path):
    rows = [(f"{n}{'AB'[n % 2]}", n % 5) for n in range(12)]
    path = write(tmp_path / "x.csv", ["output", "accuracy"], rows)
    assert "holds the item" not in str(inspect_file(path, siblings=[]))


def test_numbers_of_rouge_are_metrics_and_no_raters(tmp_path):
    chance = random.Random(1)
    rows = [
        (n, s, *(round(chance.random(), 4) for _ in range(3)), grade(n, k))
        for n in range(12)
        for k, s in enumerate("ab")
    ]
    path = write(tmp_path / "x.csv", ["doc_id", "system", "R1", "R2", "RL", "Faithful"], rows)
    scores = read_scores(path)
    assert "assessor" not in scores
    assert {*scores["metric"]} == {"R1", "R2", "RL", "Faithful"}
    report = str(inspect_file(path, siblings=[]))
    assert [f"metric: {name}" in report for name in ("R1", "R2", "RL", "Faithful")] == [True] * 3 + [False]


def test_an_object_of_computed_numbers_is_no_second_rater(tmp_path):
    import json

    chance = random.Random(2)
    records = [
        {
            "id": n,
            "system": s,
            "scores": {"overall": grade(n, k), "style": 2 + (n + k) % 3},
            "predict_scores": {"overall": chance.random(), "style": chance.random()},
        }
        for n in range(10)
        for k, s in enumerate("ab")
    ]
    path = tmp_path / "x.json"
    path.write_text(json.dumps(records))
    scores = read_scores(path)
    assert "assessor" not in scores
    measure = next(name for name in scores["metric"].unique() if "overall" in name and "predict" not in name)
    by_hand = {s: round(sum(grade(n, k) for n in range(10)) / 10, 3) for k, s in enumerate("ab")}
    assert means(scores, measure) == by_hand


def test_counts_that_add_up_are_no_raters(tmp_path):
    counts = [(1, 2, 5), (0, 3, 5), (4, 4, 0), (2, 2, 4), (6, 1, 1), (8, 0, 0)]
    path = write(
        tmp_path / "x.csv",
        ["Question", "Vote1", "Vote2", "Vote3"],
        [(f"q{n}", *c) for n, c in enumerate(counts)],
    )
    with pytest.raises(
        InputError, match="Vote1, Vote2, Vote3 add up to 8 in every row: they look like counts"
    ):
        read_scores(path)


def test_ranks_that_add_up_are_scores(tmp_path):
    orders = [(1, 2, 3), (2, 1, 3), (3, 1, 2), (1, 3, 2)]
    rows = [
        (f"d{n}", s, rank) for n, order in enumerate(orders) for s, rank in zip("abc", order, strict=True)
    ]
    path = write(tmp_path / "x.csv", ["document", "system", "rank"], rows)
    assert means(read_scores(path)) == {"a": 1.75, "b": 1.75, "c": 2.5}


def test_rows_of_quality_control_divide_the_data_and_are_pointed_out(tmp_path, capsys):
    rows = [(n, s, "TGT", grade(n, k)) for n in range(6) for k, s in enumerate("ab")]
    rows += [(n, s, "BAD", 0) for n in range(2) for s in "ab"]
    path = write(tmp_path / "x.csv", ["segment_id", "system", "itemType", "score"], rows)
    assert {*read_scores(path)["task"]} == {"TGT", "BAD"}
    main(["validate", str(path)])
    printed = capsys.readouterr().out
    assert "rows of quality control (BAD) are left out by --task TGT" in printed
    [command] = [line.split() for line in printed.splitlines() if "classy-aesop compare" in line]
    assert command[-2:] == ["--task", "TGT"]
    assert main(["compare", str(path), "--metric", "score", "--task", "TGT"]) == 0
    compared = capsys.readouterr()
    assert "b has the highest mean (3.000" in compared.out
    assert "are left out by --task TGT" in compared.err


def test_a_command_takes_one_of_several_kinds_of_rows_beside_quality_control(tmp_path, capsys):
    kinds = (("SRC", range(3)), ("TGT", range(3, 8)))
    rows = [(n, s, kind, grade(n, k)) for kind, ns in kinds for n in ns for k, s in enumerate("ab")]
    rows += [(n, s, "BAD", 0) for n in range(2) for s in "ab"]
    path = write(tmp_path / "x.csv", ["segment_id", "system", "itemType", "score"], rows)
    main(["validate", str(path)])
    printed = capsys.readouterr().out
    assert "rows of quality control (BAD) are left out by --task SRC or --task TGT" in printed
    [command] = [line.split() for line in printed.splitlines() if "classy-aesop compare" in line]
    assert main(command[1:]) == 0
    compared = capsys.readouterr().out
    assert "task SRC" in compared
    assert "BAD" not in compared


def test_a_value_that_differs_in_every_row_is_no_rater(tmp_path):
    rows = [(n, s, f"r{n}{s}", grade(n, k)) for n in range(8) for k, s in enumerate("ab")]
    path = write(tmp_path / "x.csv", ["doc_id", "system", "response_id", "score"], rows)
    assert "16 scores: 8 topics, 2 systems, no raters named" in str(inspect_file(path, siblings=[]))


def test_a_property_of_items_is_no_system(tmp_path):
    rows = [(f"case{n}", ["flu", "cold"][n % 2], n % 5 + 1, n % 3 + 1) for n in range(12)]
    path = write(tmp_path / "x.csv", ["case_id", "disease", "fluency", "relevance"], rows)
    report = str(inspect_file(path, siblings=[]))
    assert "disease is the system" not in report


def test_remarks_without_a_name_are_no_raters(tmp_path):
    rows = [
        (n, s, grade(n, k), "cut off early" if n == 2 else "") for n in range(6) for k, s in enumerate("ab")
    ]
    path = write(tmp_path / "x.csv", ["doc_id", "system", "quality", ""], rows)
    assert "assessor" not in read_scores(path)


def test_two_systems_a_row_in_changing_order_with_a_score_each(tmp_path):
    # by hand: pine has 4, 5, 3, 4; oak has 2, 3, 3; elm has 1, 2, 2, 1, 1
    rows = [
        ("q1", "pine", 4, "oak", 2),
        ("q2", "elm", 1, "pine", 5),
        ("q3", "oak", 3, "elm", 2),
        ("q4", "pine", 3, "elm", 2),
        ("q5", "elm", 1, "oak", 3),
        ("q6", "pine", 4, "elm", 1),
    ]
    path = write(tmp_path / "x.csv", ["question", "sysA", "scoreA", "sysB", "scoreB"], rows)
    by_hand = {"pine": 4.0, "oak": 8 / 3, "elm": 7 / 5}
    assert means(read_scores(path), "score") == pytest.approx(by_hand, abs=0.001)


BEST_AND_WORST = [
    # by hand: ash is best in 2 of 4 rows, yew worst in 2 of 4, fir best once and worst once in 4,
    # bay best once and worst once in 4
    ("t1", "ash", "bay", "fir", "yew", "ash", "yew"),
    ("t2", "yew", "fir", "ash", "bay", "fir", "bay"),
    ("t3", "bay", "ash", "yew", "fir", "ash", "yew"),
    ("t4", "fir", "yew", "bay", "ash", "bay", "fir"),
]


def test_best_and_worst_of_several_systems_in_a_row_are_scores(tmp_path, capsys):
    header = ["tuple_id", "first_text", "second_text", "third_text", "fourth_text", "BestItem", "WorstItem"]
    path = write(tmp_path / "x.csv", header, BEST_AND_WORST)
    by_hand = {"ash": 0.5, "bay": 0.0, "fir": 0.0, "yew": -0.5}
    assert means(read_scores(path), "best_worst") == by_hand
    main(["validate", str(path)])
    printed = capsys.readouterr().out
    assert "BestItem, WorstItem choose among first_text, second_text" in printed
    assert "16 scores: 4 topics, 4 systems" in printed


@pytest.mark.parametrize(
    ("names", "is_read"), [(["ash", "bay", "fir", "yew"], True), (["A", "B", "C", "D"], False)]
)
def test_best_and_worst_may_name_systems_that_no_other_column_has(tmp_path, names, is_read):
    """Letters are the places of what was shown, and name no systems."""
    name_of = dict(zip(["ash", "bay", "fir", "yew"], names, strict=True))
    rows = [
        (row[0], rater, name_of[row[5]], name_of[row[6]]) for row in BEST_AND_WORST for rater in ("p1", "p2")
    ]
    report = inspect_file(write(tmp_path / "x.csv", ["item", "turker", "best", "worst"], rows), siblings=[])
    assert ("ash 0.500, bay 0.000, fir 0.000, yew -0.500" in str(report)) == is_read


def test_a_best_that_is_none_of_its_row_leaves_the_table_as_it_is(tmp_path):
    rows = [*BEST_AND_WORST[:3], ("t4", "fir", "yew", "bay", "ash", "elm", "fir")]
    path = write(tmp_path / "x.csv", ["tuple_id", "item1", "item2", "item3", "item4", "best", "worst"], rows)
    assert "best_worst" not in str(inspect_file(path, siblings=[]))


@pytest.mark.parametrize("start", [0, 1])
def test_a_number_that_counts_the_rows_is_no_measure(tmp_path, start):
    rows = [(start + n, f"item{n // 2}", "ab"[n % 2], grade(n // 2, n % 2)) for n in range(24)]
    path = write(tmp_path / "x.csv", ["line", "item", "system", "score"], rows)
    with pytest.warns(DataWarning, match="by their names or values no scores: line;"):
        assert {*read_scores(path)["metric"]} == {"score"}


def test_a_number_that_counts_groups_of_rows_is_the_topic(tmp_path):
    rows = [(n, s, grade(n, k)) for n in range(1, 15) for k, s in enumerate("ab")]
    path = write(tmp_path / "x.csv", ["tuple", "system", "score"], rows)
    assert "28 scores: 14 topics, 2 systems" in str(inspect_file(path, siblings=[]))


def test_scores_in_their_order_are_no_numbers_of_rows(tmp_path):
    rows = [(f"t{n}", s, n // 2) for n in range(22) for s in "ab"]  # from 0 to 10
    path = write(tmp_path / "x.csv", ["topic", "system", "kudos"], rows)
    assert {*read_scores(path)["metric"]} == {"kudos"}


def test_columns_beside_a_rater_and_no_system_are_asked_for(tmp_path):
    orders = [(1, 2, 3), (2, 1, 3), (1, 3, 2), (2, 3, 1)] * 3
    rows = [(f"ex{n}", f"u{n % 3}", *order) for n, order in enumerate(orders)]
    path = write(tmp_path / "x.csv", ["item", "annotator", "Larch", "Maple", "Rowan"], rows)
    printed = str(inspect_file(path, siblings=[]))
    assert "are Larch, Maple, Rowan systems or measures?" in printed
    assert "if 1 is the best rank, --lower-is-better METRIC says so" in printed
    tied = write(
        tmp_path / "tied.csv", ["item", "annotator", "Larch", "Maple", "Rowan"], [*rows, ("z", "u", 1, 1, 3)]
    )
    assert "--lower-is-better" not in str(inspect_file(tied, siblings=[]))
    scores = read_scores(path, columns={"rater": "annotator", "systems": ["Larch", "Maple", "Rowan"]})
    assert scores.groupby("summarizer")["score"].mean().to_dict() == {
        "Larch": 1.5, "Maple": 2.25, "Rowan": 2.25
    }  # fmt: skip


def test_parts_of_questions_of_a_survey_are_named_by_the_ends_of_their_texts(tmp_path):
    header = ["ResponseId", "Q1_1", "Q1_2", "Q2_1", "Q2_2"]
    texts = ["Response ID", *(f"How good is summary {q}? - {s}" for q in (1, 2) for s in ("Larch", "Rowan"))]
    rows = [texts, *((f"R_{n}x", 4 + n % 2, 1 + n % 2, 3 + n % 2, 3 - n % 2) for n in range(6))]
    path = write(tmp_path / "x.csv", header, rows)
    printed = str(inspect_file(path, siblings=[]))
    assert "layout: parts of questions are named by the ends of their texts" in printed
    assert "reading 1: topics x systems as columns" in printed
    assert "cells = {topic}.{system}: 24 scores: 2 topics, 2 systems, 6 raters" in printed
    scores = read_scores(path, columns={"rater": "ResponseId", "cells": "{topic}.{system}"})
    assert scores.groupby(["topic", "summarizer"])["score"].mean().to_dict() == {
        ("Q1", "Larch"): 4.5,
        ("Q1", "Rowan"): 1.5,
        ("Q2", "Larch"): 3.5,
        ("Q2", "Rowan"): 2.5,
    }


def test_both_orders_of_unknown_parts_of_names_are_offered(tmp_path):
    header = ["item", *(f"{first}_{second}" for first in ("larch", "rowan") for second in ("zig", "zag"))]
    path = write(
        tmp_path / "x.csv", header, [(f"d{n}", 1 + n % 3, 2 + n % 3, 3 - n % 2, 1 + n % 2) for n in range(8)]
    )
    printed = str(inspect_file(path, siblings=[]))
    assert "{system}_{measure} or {measure}_{system} or {system}_{rater}?" in printed


def test_who_answered_a_survey_is_no_topic(tmp_path):
    rows = [(f"R_{n}x", 3 + n % 3, 2 + n % 3, 1 + n % 2) for n in range(12)]
    path = write(tmp_path / "x.csv", ["ResponseId", "Q1_larch", "Q1_maple", "Q1_rowan"], rows)
    printed = str(inspect_file(path, siblings=[]))
    assert "reading 1: systems as columns; systems = Q1_larch, Q1_maple, Q1_rowan" in printed
    assert "topic = ResponseId" not in printed
    with pytest.raises(InputError):
        read_scores(path)


def test_a_winner_that_is_no_system_is_named_with_its_line(tmp_path):
    winners = ["larch", "rowan", "larch", "maple"]
    rows = [(f"d{n}", "larch", "rowan", winners[n % 4]) for n in range(12)]
    path = write(tmp_path / "x.csv", ["item", "model_a", "model_b", "winner"], rows)
    expected = "line 5: winner is 'maple'; expected larch, rowan or a tie"
    assert expected in str(inspect_file(path, siblings=[]))
    with pytest.raises(InputError, match=expected):
        read_preferences(path)


def test_degrees_in_words_are_votes_and_not_texts(tmp_path):
    """The systems a and b were shown by turns; a was better in each of the nine items."""
    winners = [("A much better", "B slightly better"), ("A slightly better", "B much better")]
    rows = [
        (f"p{item}", *("ab" if item % 2 else "ba"), winners[item % 4 // 2][0 if item % 2 else 1])
        for item in range(9)
    ]
    path = write(tmp_path / "degrees.csv", ["prompt_id", "system A", "system B", "preference"], rows)
    assert win_rates(read_preferences(path)) == {"a": 1.0, "b": 0.0}


def test_lettered_versions_are_systems(tmp_path):
    """A and B alone might be two sides; with C beside them they are three of one kind."""
    rows = [(f"q{item}", *(f"{grade(item, system)}/5" for system in range(3))) for item in range(12)]
    path = write(tmp_path / "versions.csv", ["Question", "Version A", "Version B", "Version C"], rows)
    line = "read as: systems as columns; topic = Question; systems = Version A, Version B, Version C"
    assert line in str(inspect_file(path))


def test_a_metric_is_compared_with_people_without_systems(tmp_path, capsys):
    """Pairs of sentences have a human score and one of a model: no systems, and a correlation over all pairs."""
    rows = [
        (item, "One sentence.", "And another one.", item % 6, item % 6 / 10 + item / 1000)
        for item in range(30)
    ]
    header = ["pair_id", "sentence1", "sentence2", "gold_score", "model_score"]
    path = write(tmp_path / "pairs.csv", header, rows)
    command = next(line for line in inspect_file(path).commands if "evaluate" in line)
    assert command.endswith("--level global")
    assert main(command.replace("classy-aesop ", "").split()) == 0
    assert "model_score agrees with gold_score (pearson, global level): 0.99" in capsys.readouterr().out


def test_places_in_words_are_ranks(tmp_path):
    """Places may be called the first place or the second choice."""
    orders = [("a", "b", "c"), ("a", "c", "b"), ("b", "a", "c")] * 4
    rows = [(item, *order) for item, order in enumerate(orders)]
    path = write(tmp_path / "places.csv", ["query", "first place", "second place", "third place"], rows)
    assert means(read_scores(path)) == {"a": 1.333, "b": 2.0, "c": 2.667}


def test_columns_of_seeds_are_attempts_whatever_their_values(tmp_path):
    """Each algorithm has a score of three seeds on each task: 20 scores once the seeds are averaged."""
    rows = [
        (f"t{task}", algo, *(round((task * 7 + seed * 3 + len(algo)) % 11 / 7, 3) for seed in range(3)))
        for task in range(10)
        for algo in ("ppo", "trpo")
    ]
    path = write(tmp_path / "seeds.csv", ["task", "algo", "seed_0", "seed_1", "seed_2"], rows)
    scores = read_scores(path)  # which averages attempts
    assert len(scores) == 20
    assert scores["score"].tolist() == pytest.approx([np.mean(row[2:]) for row in rows])


def test_metrics_are_compared_with_people_by_a_row_a_system(tmp_path, capsys):
    rows = [(f"s{system}", system % 5, system % 5 / 10 + system / 100) for system in range(12)]
    path = write(tmp_path / "systems.csv", ["system", "human_DA", "BLEU"], rows)
    command = next(line for line in inspect_file(path).commands if "evaluate" in line)
    assert main(shlex.split(command)[1:]) == 0
    human, metric = (np.array([row[column] for row in rows], float) for column in (1, 2))
    assert f"{np.corrcoef(human, metric)[0, 1]:.3f}" in capsys.readouterr().out


def test_lists_of_errors_belong_to_their_output_also_if_they_are_empty(tmp_path):
    """Of a three outputs have no, one minor and one major error: 0, 1 and 5, the mean of which is 2."""
    spans = {"a": [[], ["minor"], ["major"]], "b": [["minor"], ["minor", "major"], []]}
    records = [
        {
            "doc": f"d{item}",
            "system": system,
            "spans": [{"start": place, "severity": word} for place, word in enumerate(words)],
        }
        for system, of_system in spans.items()
        for item, words in enumerate(of_system)
    ]
    path = tmp_path / "spans.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    assert means(read_scores(path)) == {"a": 2.0, "b": round(7 / 3, 3)}


def test_the_name_of_merged_cells_is_repeated_and_it_is_said(tmp_path):
    """A document stands in the first of its rows only; the systems are the same in each."""
    rows = [
        ("" if system else f"Doc {item}", "abc"[system], grade(item, system))
        for item in range(10)
        for system in range(3)
    ]
    path = write(tmp_path / "merged.csv", ["Document", "Model", "Fluency"], rows)
    scores = read_scores(path)
    assert scores["topic"].value_counts().tolist() == [3] * 10
    assert "Document stands once for each 3 rows" in str(inspect_file(path))


def test_an_empty_name_is_not_repeated_where_items_differ(tmp_path):
    rows = [
        ("" if system else f"Doc {item}", "abc"[system], grade(item, system))
        for item in range(10)
        for system in range(3)
    ]
    path = write(tmp_path / "gaps.csv", ["Document", "Model", "Fluency"], rows[:-1])
    with pytest.raises(InputError, match="line 3: Document is empty"):
        read_scores(path)


GRADES_OF_ITEMS = [[3, 4, 2, 5, 3, 1, 4, 2], [3, 5, 2, 4, 3, 1, 4, 2], [2, 4, 2, 5, 3, 2, 4, 1]]
"""Three rows of grades for eight items."""


@pytest.mark.parametrize(
    ("header", "names", "roles"),
    [
        (["rater"], ["ann", "bob", "eve"], "rater=rater,"),
        ([""], ["ann", "bob", "eve"], "rater=#,"),
        ([], [], "rater=#,"),
    ],
)
@pytest.mark.parametrize("item", ["q{}", "item_{}", "doc {}"])
def test_a_row_a_rater_and_a_column_an_item(tmp_path, header, names, roles, item):
    items = [item.format(number) for number in range(1, 9)]
    rows = [[*names[n : n + 1], *grades] for n, grades in enumerate(GRADES_OF_ITEMS)]
    path = write(tmp_path / "x.csv", [*header, *items], rows)
    [command] = inspect_file(path, siblings=[]).commands
    assert shlex.split(command)[1:4:2] == ["assessors", "--columns"]
    assert shlex.split(command)[-1] == f"{roles}topics={','.join(items)}"
    scores = read_scores(path, columns=shlex.split(command)[-1])
    assert scores.groupby("topic", sort=False)["score"].mean().round(2).tolist() == [
        2.67, 4.33, 2, 4.67, 3, 1.33, 4, 1.67
    ]  # fmt: skip
    assert scores["assessor"].nunique() == 3


def test_a_row_a_system_and_a_column_an_item(tmp_path):
    rows = [(name, *grades) for name, grades in zip("abc", GRADES_OF_ITEMS, strict=True)]
    path = write(tmp_path / "x.csv", ["system", *(f"doc{n}" for n in range(1, 9))], rows)
    scores = read_scores(path)
    assert means(scores) == {"a": 3.0, "b": 3.0, "c": 2.875}
    assert scores["topic"].nunique() == 8
    few = write(tmp_path / "few.csv", ["system", "q1", "q2", "q3"], [row[:4] for row in rows])
    assert "are q1, q2, q3 measures or topics?" in str(inspect_file(few, siblings=[]))


@pytest.mark.parametrize("name", ["id", "participant"])
def test_independent_samples_are_read_and_nothing_is_compared(tmp_path, name, capsys):
    rows = [(f"p{n}", "ab"[n % 2], 1 + n % 2 + n % 3) for n in range(18)]
    path = write(tmp_path / "x.csv", [name, "group", "rating"], rows)
    report = inspect_file(path, siblings=[])
    assert not report.commands
    assert "no two systems share a topic, so that no paired test can be made" in str(report)
    assert "means: b 3.000, a 2.000" in str(report)
    assert main(["compare", str(path)]) == 0
    printed = " ".join("".join(capsys.readouterr()).split())
    assert "a paired test needs scores of several systems on the same topics" in printed
    assert "Nothing is compared" in printed
    unequal = write(tmp_path / "y.csv", ["group", "rating"], [row[1:] for row in rows[:-1]])
    assert "systems have unequal numbers of rows" in str(inspect_file(unequal, siblings=[]))


FILES_OF_VALUES = {
    "a mean of raters is no measure": (
        "item,system,Ann. 1,Ann. 2,Avg",
        [f"d{n // 2},{'ab'[n % 2]},{1 + n % 3},{2 + n % 2},{(3 + n % 3 + n % 2) / 2}" for n in range(8)],
        {"Ann"},
    ),
    "a measure of 0 and 1 is no system, whatever its name": (
        "sample_id,model,model_graded_qa",
        [f"s{n},gpt,{int(n % 3 > 0)}" for n in range(9)],
        {"model_graded_qa"},
    ),
    "spreads and times are no measures": (
        "item,system,rating,std,rt_ms",
        [f"d{n // 2},{'ab'[n % 2]},{1 + n % 3},0.{n},{n * 311}" for n in range(8)],
        {"rating"},
    ),
    "a measure without any number is none beside others": (
        "item,system,error,fluency",
        [f"d{n // 2},{'ab'[n % 2]},,{1 + n % 3}" for n in range(8)],
        {"fluency"},
    ),
}


@pytest.mark.parametrize("name", FILES_OF_VALUES)
@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
def test_measures_are_known_by_their_values(tmp_path, name):
    header, rows, measures = FILES_OF_VALUES[name]
    path = tmp_path / "x.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    assert {*read_scores(path)["metric"]} == measures


def test_verdicts_in_brackets_are_read_and_models_may_be_systems(tmp_path):
    rows = [("[PASS] yes", "[FAIL] Expected x"), ("[FAIL] no", "[ERROR] 429"), ("[PASS]", "[PASS] a b")]
    numbered = [(f"q{n}", *row) for n, row in enumerate(rows * 3)]
    path = write(tmp_path / "x.csv", ["question", "gpt-4o: {{q}}", "llama3: {{q}}"], numbered)
    printed = str(inspect_file(path, siblings=[]))
    assert "are gpt-4o: {{q}}, llama3: {{q}} systems or metrics?" in printed
    scores = read_scores(path, columns={"topic": "question", "systems": ["gpt-4o: {{q}}", "llama3: {{q}}"]})
    assert scores["score"].fillna(-1).tolist() == [1, 0, 0, -1, 1, 1] * 3


def test_rows_of_means_and_a_remark_below_a_table_are_left_out(tmp_path):
    rows = [(f"d{n // 2}", "ab"[n % 2], 1 + n % 2) for n in range(6)]
    path = write(
        tmp_path / "x.csv", ["doc", "system", "rating"], [*rows, ("Mean", "a", 1), ("* note", "", "")]
    )
    printed = str(inspect_file(path, siblings=[]))
    assert "1 of 8 rows left out: a remark below the table (first: line 9)" in printed
    assert "1 of 8 rows left out: a row of totals (first: line 8)" in printed
    assert len(read_scores(path)) == 6


def test_raters_who_failed_a_check_and_automatic_judges_are_pointed_out(tmp_path):
    rows = [(f"d{n // 4}", "ab"[n % 2], f"p{n // 2 % 2}", 1 + n % 3, n > 3) for n in range(16)]
    path = write(tmp_path / "x.csv", ["doc", "system", "rater", "rating", "attention_pass"], rows)
    assert "rows of quality control (False) are left out by --task True" in str(
        inspect_file(path, siblings=[])
    )
    rows = [(*row[:2], "gpt-4" if row[2] == "p0" else "ann", row[3]) for row in rows]
    path = write(tmp_path / "x.csv", ["doc", "system", "judge", "rating"], rows)
    assert "gpt-4 in judge looks like an automatic judge" in str(inspect_file(path, siblings=[]))
    with pytest.raises(InputError, match="automatic judge"):
        read_scores(path)


def test_a_topic_has_several_pairs_and_a_task_of_each_pair_is_none(tmp_path):
    pairs = [("a", "b"), ("b", "c"), ("a", "c")]
    rows = [(3 * n + k, f"p{n}", *pair, pair[(n + k) % 2]) for n in range(6) for k, pair in enumerate(pairs)]
    path = write(tmp_path / "x.csv", ["task_id", "prompt_id", "model1", "model2", "winner"], rows)
    assert len(read_preferences(path).topics) == 6


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("{system}_{measure}_r{rater}", "{system} {measure} {rater}"),
        ("Text {topic} - {measure} [System {system}]", "{topic} {measure} {system}"),
    ],
)
def test_names_of_columns_combine_three_things(tmp_path, name, pattern):
    systems = ["gpt2", "bart", "t5"] if "rater" in name else ["A", "B", "C"]
    cells = {
        name.format(system=system, measure=measure, topic=number, rater=number): (s + m + number) % 5 + 1
        for s, system in enumerate(systems)
        for m, measure in enumerate(("fluency", "factuality"))
        for number in (1, 2)
    }
    rows = [(f"d{n}", *((grade + n - 1) % 5 + 1 for grade in cells.values())) for n in range(4)]
    path = write(tmp_path / "x.csv", ["doc_id" if "rater" in name else "rater", *cells], rows)
    command = shlex.split(inspect_file(path, siblings=[]).commands[0])
    assert f"cells={pattern}" in command[-1]
    scores = read_scores(path, columns=command[-1])
    assert scores["summarizer"].nunique() == 3
    assert {*scores["metric"]} == {"fluency", "factuality"}
    assert len(scores) == 48
    assert scores["score"].sum() == sum(sum(row[1:]) for row in rows)


@pytest.mark.parametrize("name", ["D{topic}_{system}_{measure}", "{system}_D{topic}_{measure}"])
def test_models_tell_which_of_three_parts_is_the_system_and_else_a_number_is_first_a_topic(tmp_path, name):
    for systems, n_readings in ((("BB2", "GPT2", "Retrieval"), 1), (("larch", "maple", "rowan"), 2)):
        cells = {
            name.format(system=system, measure=measure, topic=topic): s + m + topic % 2
            for s, system in enumerate(systems, 1)
            for m, measure in enumerate(("fluent", "relevant"))
            for topic in range(1, 5)
        }
        rows = [(f"R_{n}x", *((grade + n) % 5 + 1 for grade in cells.values())) for n in range(5)]
        path = write(tmp_path / "x.csv", ["ResponseId", *cells], rows)
        patterns = [re.search(r"cells=([^']*)", c)[1] for c in inspect_file(path, siblings=[]).commands]
        first = re.sub(r"[D_]", " ", name).strip().replace("  ", " ")
        assert patterns[0] == first
        swapped = first.replace("topic", "?").replace("system", "topic").replace("?", "system")
        assert {*patterns} == {first, swapped} if n_readings > 1 else {first}
        scores = read_scores(path, columns=f"rater=ResponseId,cells={first}")
        assert {*scores["summarizer"]} == {*systems}
        assert {*scores["metric"]} == {"fluent", "relevant"}


@pytest.mark.parametrize("name", ["P{topic}_{system}", "{system} - item_{topic}"])
@pytest.mark.parametrize("systems", [("GPT2", "BART", "human"), ("lead", "ours", "oracle")])
def test_names_of_a_topic_and_a_model_are_no_metrics(tmp_path, name, systems):
    """A model in the names says which part is the system; else it is asked."""
    names = [name.format(topic=topic, system=system) for topic in range(1, 5) for system in systems]
    rows = [(f"w{n}@x.org", *((n + k * k) % 5 + 1 for k in range(12))) for n in range(11)]
    path = write(tmp_path / "x.csv", ["Email Address", *names], rows)
    pattern = re.sub(r"P|item_", "", name)
    patterns = [re.search(r"cells=([^']*)", c)[1] for c in inspect_file(path, siblings=[]).commands]
    pattern = pattern.replace(" - ", "-")
    assert patterns[0] == pattern
    assert ({*patterns} == {pattern}) == ("GPT2" in systems)
    scores = read_scores(path, columns=f"rater=Email Address,cells={pattern}")
    assert {*scores["summarizer"]} == {*systems}
    assert scores[["topic", "assessor"]].nunique().tolist() == [4, 11]


@pytest.mark.parametrize(
    ("key", "name", "parts", "expected"),
    [
        ("item", "{}_{}", (["bart", "gpt4"], ["ann1", "ann2"]), ["system rater"]),
        ("item", "{}_{}", (["judge_a", "judge_b"], ["fluency", "style_error"]), ["rater measure"]),
        (
            "item",
            "{}-{}",
            (["base", "ft"], ["judge_score", "rouge_l", "bleu"]),
            ["system measure", "rater measure"],
        ),
        (
            "item",
            "{}_{}",
            (["oak", "elm"], ["zest", "grit"]),
            ["system measure", "measure system", "system rater"],
        ),
        ("rater", "{}_{}", (["item_1", "item_2"], ["oak", "elm"]), ["topic system", "topic measure"]),
        (
            "rater",
            "{}: {} {}",
            (["Text 1", "Text 2"], ["how apt", "how neat"], ["ChatGPT", "Woebot"]),
            ["topic measure system"],
        ),
        (
            "id",
            "{}.{}",
            (["T01", "T02"], ["GPT4", "LLAMA"]),
            ["topic system", "measure system"],
        ),
    ],
)
def test_parts_of_names_are_what_no_column_names(tmp_path, key, name, parts, expected):
    """Models, raters, metrics and known measures are told by their words, and else it is asked."""
    names = [name.format(*combination) for combination in itertools.product(*parts)]
    rows = [
        (f"d{n}" if key == "item" else n + 3, *((n * 2 + c * c) % 5 + 1 for c in range(len(names))))
        for n in range(12)
    ]
    path = write(tmp_path / "x.csv", [key, *names], rows)
    printed = re.findall(r"cells = (.*?)(?:: |\n)", str(inspect_file(path, siblings=[])))
    assert [" ".join(re.findall(r"{(\w+)}", pattern)) for pattern in printed] == expected


def test_a_mean_of_numbered_columns_is_no_rater(tmp_path):
    names = [f"{system}-{measure}" for system in ("oak", "elm") for measure in ("s", "n")]
    header = [f"{name}{rater}" for name in names for rater in (1, 2, "")]
    grades = [[(n + c * c) % 4 + 1 for c in range(8)] for n in range(12)]
    rows = [
        (f"d{n}", *(x for c in range(0, 8, 2) for x in (row[c], row[c + 1], (row[c] + row[c + 1]) / 2)))
        for n, row in enumerate(grades)
    ]
    command = shlex.split(
        inspect_file(write(tmp_path / "x.csv", ["sample", *header], rows), siblings=[]).commands[0]
    )
    assert command[-1] == "topic=sample,cells={system} {measure} {rater}"
    scores = read_scores(tmp_path / "x.csv", columns=command[-1])
    assert scores[["summarizer", "metric", "assessor"]].nunique().tolist() == [2, 2, 2]


def test_metrics_in_names_of_systems_are_compared_with_the_measure(tmp_path):
    names = [f"{system}_{measure}" for system in ("gpt4", "llama") for measure in ("quality", "rouge_l")]
    rows = [
        (f"d{n}", *((n + c * c) % 5 + 1 if c % 2 == 0 else (n * 7 + c) % 31 / 31 for c in range(4)))
        for n in range(30)
    ]
    commands = inspect_file(write(tmp_path / "x.csv", ["item", *names], rows), siblings=[]).commands
    assert [command.split()[1] for command in commands] == ["compare", "evaluate"]
    assert "--target quality --metric rouge_l" in commands[1]


def test_respondents_of_one_condition_each_rate_its_topics(tmp_path):
    names = [f"Q{topic}.{measure}" for topic in (1, 2, 3) for measure in ("Clarity", "Usefulness")]
    rows = [
        (f"R_{n}x", ["control", "llm"][n % 2], *((n + c * c) % 5 + 1 for c in range(6))) for n in range(12)
    ]
    path = write(tmp_path / "x.csv", ["ResponseId", "cond", *names], rows)
    assert (
        "system=cond,rater=ResponseId,cells={topic}.{measure}" in inspect_file(path, siblings=[]).commands[0]
    )


def test_a_choice_beside_columns_of_topic_and_system_is_no_key(tmp_path):
    header = [f"Prompt {topic} [Story {story}]" for topic in (1, 2) for story in "ABC"]
    header += [f"Prompt {topic}: which is the best?" for topic in (1, 2)]
    grades = [[1 + (n * 2 + k * 3) % 5 for k in range(6)] for n in range(11)]
    rows = [
        (f"user{n}@uni.edu", *grades[n], f"Story {'ABC'[n % 3]}", f"Story {'ABC'[n // 2 % 3]}")
        for n in range(11)
    ]
    path = write(tmp_path / "x.csv", ["Email Address", *header], rows)
    command = inspect_file(path, siblings=[]).commands[0]
    assert "rater=Email Address,cells={topic} {system}" in command
    assert {*read_scores(path, columns=shlex.split(command)[-1])["summarizer"]} == {
        "Story A",
        "Story B",
        "Story C",
    }


GRADES_OF_SYSTEMS = {"ours": [5, 4, 5, 3], "base": [2, 3, 1, 3], "third": [4, 4, 2, 5]}


@pytest.mark.parametrize("name", ["Human", "GPT-4", "Reference", "Source", "Lead-3"])
def test_grades_under_a_name_of_something_else_may_be_of_a_system(name):
    ours, base, third = GRADES_OF_SYSTEMS.values()
    table = pd.DataFrame({"item": range(4), "BART": ours, "T5": base, name: third})
    with pytest.raises(InputError, match=f"systems=BART,T5,{name}|systems={name},BART,T5"):
        read_score_table(table)


def test_a_judge_beside_qualities_is_no_system():
    ours, base, third = GRADES_OF_SYSTEMS.values()
    table = pd.DataFrame({"item": range(4), "fluency": ours, "coherence": base, "gpt4": third})
    assert set(read_score_table(table)["summarizer"]) == {"system"}


def test_words_of_several_columns_are_numbered_by_one_scale():
    low = ["Poor", "Fair", "Good", "Very good"]
    high = ["Good", "Very good", "Excellent", "Excellent"]
    table = pd.DataFrame({"item": range(4), "s1": low, "s2": high})
    scores = read_score_table(table, columns="topic=item,systems=s1,s2")
    assert scores[scores["summarizer"] == "s2"]["score"].tolist() == [3, 4, 5, 5]


def test_codes_of_three_answers_are_asked_about():
    votes = {"item": range(6), "model_a": "x", "model_b": "y", "winner": [0, 1, 2, 0, 1, 2]}
    with pytest.raises(InputError, match="if 0 is model_a, 1 model_b and 2 a tie"):
        read_scores_or_preferences(pd.DataFrame(votes))


def test_a_model_that_judges_is_a_rater_and_a_vote_that_cannot_be_is_left_out():
    rows = [
        {"item": item, "model_a": "x", "model_b": "y", "judge_model": judge, "winner": winner}
        for item in range(4)
        for judge, winner in (("m1", "model_a"), ("m2", "model_b" if item else "can't choose"))
    ]
    with pytest.warns(DataWarning, match="1 of 8 rows left out: no winner"):
        preferences = read_scores_or_preferences(pd.DataFrame(rows))
    assert preferences.raters == ("m1", "m2")
    assert len(preferences) == 7


def crossed(n_items=10, systems=("x", "y"), raters=("p", "q")):
    """Give item, system, rater and an uneven grade from 1 to 5 of each combination."""
    combinations = itertools.product(range(n_items), systems, raters)
    return [
        (f"d{item}", system, rater, 1 + number**2 % 5)
        for number, (item, system, rater) in enumerate(combinations)
    ]


@pytest.mark.parametrize("name", ["Confidence", "I trust this", "Comment quality", "Note", "Repetition"])
def test_grades_on_the_scale_of_a_measure_are_one_whatever_their_name(name):
    rows = [(*row, 5 - number**2 % 5) for number, row in enumerate(crossed())]
    table = pd.DataFrame(rows, columns=["item", "system", "rater", "fluency", name])
    scores = read_score_table(table)
    assert set(scores["metric"]) == {"fluency", name}
    assert "attempt" not in scores
    assert means(scores, name) == table.groupby("system")[name].mean().round(3).to_dict()


@pytest.mark.parametrize(
    ("name", "values"),
    [("order", [1, 2, 3, 3, 5]), ("confidence", [1, 2, 3, 4, 5]), ("confidence", [10, 20, 30, 30, 50])],
)
def test_counts_and_other_scales_are_no_measure(name, values):
    """A count has its values equally often, or the name of a count, or is beyond the scale of the measure."""
    rows = [(*row, values[number % 5]) for number, row in enumerate(crossed())]
    with pytest.warns(DataWarning, match=f"no scores: {name}"):
        scores = read_score_table(pd.DataFrame(rows, columns=["item", "system", "rater", "fluency", name]))
    assert set(scores["metric"]) == {"fluency"}


def test_what_raters_differ_in_is_theirs_and_what_topics_have_is_no_metric():
    rows = [
        (*row, 7 * number % 3, round(0.1 + number // 2 * 0.37 % 1, 4), int(row[0][1:]) * 5)
        for number, row in enumerate(crossed())
    ]
    names = ["item", "system", "rater", "human_score", "gm", "nll", "ref_len"]
    with pytest.warns(DataWarning, match="ignored columns: ref_len"):
        scores = read_score_table(pd.DataFrame(rows, columns=names))
    assert set(scores["metric"]) == {"human_score", "gm", "nll"}
    assert origin_of(scores)["metrics"] == ["nll"]


def test_many_fractions_beside_a_human_score_are_computed():
    rows = [(*row, round(number * 0.0137, 4)) for number, row in enumerate(crossed())]
    scores = read_score_table(
        pd.DataFrame(rows, columns=["item", "system", "rater", "human_score", "toxicity"])
    )
    assert origin_of(scores)["metrics"] == ["toxicity"]


@pytest.mark.parametrize(
    ("name", "is_metric"), [("P", False), ("auto_score", True), ("prometheus_score", True), ("Fl", True)]
)
def test_grades_on_the_scale_of_a_human_score_are_of_people_but_for_another_score(name, is_metric):
    """``P`` has grades as ``human_score`` has; ``auto_score`` is called as the other kind of score."""
    rows = [(*row, -0.1 * (n % 3) if name == "Fl" else 5 - n**2 % 5) for n, row in enumerate(crossed())]
    rows = [(*row[:2], *row[3:]) for row in rows[::2]]
    scores = read_score_table(pd.DataFrame(rows, columns=["item", "system", "human_score", name]))
    assert origin_of(scores).get("metrics", []) == [name] * is_metric


def test_many_fractions_beyond_the_grades_of_people_are_computed_whatever_their_name():
    rows = [(*row, 6 - row[3], (7 * n % 40) / 41) for n, row in enumerate(crossed())]
    names = ["item", "system", "rater", "fluency", "creativity", "novelty"]
    assert origin_of(read_score_table(pd.DataFrame(rows, columns=names)))["metrics"] == ["novelty"]
    inside = pd.DataFrame(rows, columns=names).assign(novelty=lambda table: 1 + 4 * table["novelty"])
    assert "metrics" not in origin_of(read_score_table(inside))


def test_questions_beside_known_measures_are_measures_and_these_come_first(tmp_path):
    rows = [
        (*row, 6 - row[3], *((row[3] * k + n) % 5 + 1 for k in range(8))) for n, row in enumerate(crossed())
    ]
    names = ["passage", "architecture", "annotator", "fluency", "coherence", *(f"a_{k}x" for k in range(8))]
    table = pd.DataFrame(rows, columns=names)
    path = tmp_path / "x.csv"
    table[[*names[:3], *names[5:], *names[3:5]]].to_csv(path, index=False)
    commands = [shlex.split(command) for command in inspect_file(path, siblings=[]).commands]
    assert [command[command.index("--metric") + 1] for command in commands[:2]] == ["fluency", "coherence"]
    assert read_scores(path, columns=commands[0][-1])["metric"].nunique() == 10


def test_remarks_of_a_rater_are_no_rater_and_an_id_may_come_first():
    remarks = ["", "good", "wrong number"]
    rows = [(*row[:2], row[3], n / 97, remarks[n % 3]) for n, row in enumerate(crossed()) if row[2] == "p"]
    table = pd.DataFrame(rows, columns=["question_id", "system", "fluency", "ID (ignore)", "rater_note"])
    with pytest.warns(DataWarning, match=r"ignored columns: rater_note|no scores: ID \(ignore\)"):
        scores = read_score_table(table)
    assert "assessor" not in scores
    assert {*scores["metric"]} == {"fluency"}


@pytest.mark.parametrize("keys", [["event", "source_model", "worker"], ["item", "system", "rater"]])
def test_a_number_of_administration_is_no_measure_beside_labels(tmp_path, keys):
    """Beside labels these are what was judged; seconds alone are a measure where topic and system are named."""
    rows = [(*row[:3], "pn"[n % 3 > 0], 60 + 7 * n) for n, row in enumerate(crossed())]
    names = [*keys, "aspect_found", "WorkTimeInSeconds"]
    path = write(tmp_path / "x.csv", names, rows)
    report = inspect_file(path, siblings=[])
    assert "words without order in aspect_found: n, p" in str(report)
    assert [command.split()[1] for command in report.commands] == ["assessors"]
    path = write(tmp_path / "y.csv", [*names[:3], names[4]], [(*row[:3], row[4]) for row in rows])
    assert bool(inspect_file(path, siblings=[]).commands) == ("system" in keys)


def test_questions_of_a_form_name_no_topic_and_no_system(tmp_path):
    """What respondents answered in words says nothing of what they rated."""
    names = ["Timestamp", "Which story was better?", "How well do you know it?", "Rate the overall quality"]
    rows = [(f"2024-01-{n:02} 10:00:00", f"Story {n % 3}", f"level {n % 4}", 1 + n % 5) for n in range(1, 25)]
    assert not inspect_file(write(tmp_path / "x.csv", names, rows), siblings=[]).commands


def test_columns_of_slots_stand_in_any_order(tmp_path):
    pairs = itertools.combinations(["gg", "c6", "ht"], 2)
    rows = [(k, j, *pair, k % 2 + 1, 2 - k % 2) for k, pair in enumerate([*pairs] * 4) for j in ("a", "b")]
    path = write(tmp_path / "x.csv", ["segment", "judge", "sys1", "sys2", "sys2quality", "sys1quality"], rows)
    commands = inspect_file(path, siblings=[]).commands
    assert "measures=sys1quality,sys2quality" in commands[0]


def test_the_places_of_a_leaderboard_are_no_measure():
    rows = [(place, f"m{place}", 9 - place * 0.3, 70 - place * 2.5) for place in range(1, 14)]
    table = pd.DataFrame(rows, columns=["Rank", "Model", "Human rating", "MMLU"])
    with pytest.warns(DataWarning, match="ignored columns: Rank"):
        scores = read_score_table(table, columns="topic=#")
    assert set(scores["metric"]) == {"Human rating", "MMLU"}


@pytest.mark.parametrize("name", ["GPT", "Human"])
def test_all_columns_that_each_row_orders_are_ranked(name, tmp_path):
    orders = [(1, 2, 3), (2, 1, 3), (3, 2, 1), (1, 3, 2), (2, 3, 1)]
    path = write(
        tmp_path / "x.csv",
        ["item", "annotator", "rank_T5", "rank_BART", f"rank_{name}"],
        [(item, rater, *orders[(item + rater) % 5]) for item in range(6) for rater in (1, 2)],
    )
    command = inspect_file(path, siblings=[]).commands[0]
    assert f"systems=rank_T5,rank_BART,rank_{name}" in command
    assert command.endswith("--lower-is-better rank")


def test_a_status_of_outcomes_is_a_measure():
    rows = [(f"t{n // 2}", "xy"[n % 2], ("passed", "failed")[n % 3 == 0], n * 1.5) for n in range(12)]
    with pytest.warns(DataWarning, match="no scores: duration_s"):
        scores = read_score_table(pd.DataFrame(rows, columns=["task_id", "agent", "status", "duration_s"]))
    assert means(scores) == {"x": 0.667, "y": 0.667}


def test_fractions_under_a_name_of_something_else_may_be_of_a_system():
    ours, base, third = GRADES_OF_SYSTEMS.values()
    halves = [grade - 0.5 for grade in third]
    table = pd.DataFrame({"item": range(4), "GPT": ours, "LLaMA": base, "Luminous": halves})
    with pytest.raises(InputError, match="systems=GPT,LLaMA,Luminous"):
        read_score_table(table)


@pytest.mark.parametrize(("respondent", "rater"), [("Email Address", "Email Address"), ("id", "#")])
def test_a_grid_that_repeats_a_question_has_a_topic_a_question_and_a_row_a_respondent(
    tmp_path, respondent, rater
):
    names = [f"Q{topic}. How good is it? [System {system}]" for topic in (1, 2, 3) for system in "AB"]
    rows = [
        (f"p{n}@x.org" if rater != "#" else n + 7, *((n * 2 + c * c) % 5 + 1 for c in range(6)))
        for n in range(12)
    ]
    path = write(tmp_path / "x.csv", [respondent, *names], rows)
    option = shlex.split(inspect_file(path, siblings=[]).commands[0])[-1]
    assert option == f"rater={rater},cells={{topic}} {{system}}"
    scores = read_scores(path, columns=option)
    assert scores[["topic", "summarizer", "assessor"]].nunique().tolist() == [3, 2, 12]
    assert means(scores)["System B"] == round(np.mean([row[2::2] for row in rows]), 3)


def test_codes_of_two_numbers_are_asked_about_of_each_respondent(tmp_path):
    """``R2Q1`` may be the first question on the second report, or on the second system; no rater is in the names."""
    names = [f"R{report}Q{question}" for report in (1, 2, 3) for question in (1, 2)]
    rows = [(f"k{n}", *((n * 2 + c * c) % 5 + 1 for c in range(6))) for n in range(12)]
    path = write(tmp_path / "x.csv", ["token", *names], rows)
    commands = inspect_file(path, siblings=[]).commands
    assert [shlex.split(command)[-1] for command in commands] == [
        "rater=token,cells={topic}{measure}",
        "rater=token,cells={system}{measure}",
    ]
    scores = read_scores(path, columns=shlex.split(commands[0])[-1])
    assert {*scores["topic"]} == {"R1", "R2", "R3"}
    assert {*scores["metric"]} == {"Q1", "Q2"}
    assert len(scores) == 72


def test_brackets_are_stripped_in_pairs_only(tmp_path):
    names = [f"System {n} - {measure} (1-5)" for n in (1, 2) for measure in ("Fluency", "Adequacy")]
    rows = [(item, rater, *((item + n) % 5 + 1 for n in range(4))) for item in range(5) for rater in "XY"]
    path = write(tmp_path / "x.csv", ["Item", "Annotator", *names], rows)
    scores = read_scores(path)
    assert {*scores["metric"]} == {"Fluency (1-5)", "Adequacy (1-5)"}
    assert {*scores["summarizer"]} == {"System 1", "System 2"}


def test_numbers_whose_combinations_come_once_are_items_systems_and_raters(tmp_path):
    """Of 10 x 3 x 2 rows each number comes as often; the score does not."""
    rows = [
        (q, m, a, 1 + (q * m + a) ** 2 % 5) for q, m, a in itertools.product(range(1, 11), (1, 2, 3), (1, 2))
    ]
    path = write(tmp_path / "x.csv", ["q", "m", "a", "s"], rows)
    report = inspect_file(path, siblings=[])
    assert "question: is the system m or a" in str(report)
    option = shlex.split(report.commands[0])[-1]
    assert option == "topic=q,system=m,rater=a,measures=s"
    scores = read_scores(path, columns=option)
    assert scores[["topic", "summarizer", "assessor"]].nunique().tolist() == [10, 3, 2]
    write(path, ["q", "m", "a", "s"], rows[:-1])  # one is missing: no design
    assert "system=m" not in str(inspect_file(path, siblings=[]))


@pytest.mark.parametrize(("lower", "upper"), [("inconsistent", "consistent"), ("irrelevant", "relevant")])
@pytest.mark.parametrize("in_list", [False, True])
def test_a_label_of_a_word_and_its_denial_is_a_score_of_yes_and_no(lower, upper, in_list, tmp_path):
    labels = {"a": [upper, upper, upper, ""], "b": [upper, lower, lower, lower]}
    rows = [
        {"doc_id": item, "model": system, "label": [label] * bool(label) if in_list else label}
        for system, of_system in labels.items()
        for item, label in enumerate(of_system)
    ]
    path = tmp_path / "labels.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    assert means(read_scores(path), "label") == {"a": 1.0, "b": 0.25}


@pytest.mark.parametrize(("highest", "is_metric"), [(60, True), (5, False)])
def test_many_numbers_beyond_all_grades_are_of_a_metric(highest, is_metric, tmp_path):
    rows = [
        (item, system, grade(item, n), 1 + (item * 7 + n) % highest, grade(item, n + 1))
        for item in range(30)
        for n, system in enumerate("ab")
    ]
    path = write(tmp_path / "scores.csv", ["item", "system", "quality", "lev.dist", "fluency"], rows)
    report = str(inspect_file(path))
    assert ("scores = lev.dist" in report) == is_metric
    assert ("--target lev.dist" in report) is False
    assert ("--target quality" in report) == is_metric
