"""Rows read = rows used + rows left out by reason, whatever is empty, missing or given again."""

import json
import random

import numpy as np
import pytest

from classy_aesop import read_preferences, read_scores
from classy_aesop.cli import main
from classy_aesop.errors import NOTE, DataWarning, InputError, UsageError
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.file_report import inspect_file
from classy_aesop.reading.judged_scores import choose, judge
from classy_aesop.reading.layouts import read_any_table


def random_rows(seed):
    """Draw the header and the rows of a table of scores, or of preferences, any cell of which may be empty."""
    chance = random.Random(seed)
    share_empty = chance.choice([0, 0.02, 0.1, 0.2])
    systems = ["alpha", "beta", "gamma"]
    if seed % 2:
        header = ["item", "model", "fluency", "relevance"]
        rows = [
            [
                f"q{topic:02}",
                system,
                str(chance.randint(1, 5)),
                chance.choice(["1", "2", "n/a", "0 - not applicable"]),
            ]
            for topic in range(15)
            for system in systems
        ]
    else:
        header = ["item_id", "model_a", "model_b", "winner"]
        rows = [
            [f"q{topic:02}", *chance.sample(systems, 2), chance.choice(["A", "B", "tie"])]
            for topic in range(30)
        ]
    rows = [[cell if chance.random() >= share_empty else "" for cell in row] for row in rows]
    rows += [chance.choice(rows) for _ in range(chance.randint(0, 3))]
    return header, [row for row in rows if any(row)]


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 200, 50))
def test_rows_read_are_used_or_left_out(tmp_path, start):
    n_judged = 0
    for seed in range(start, start + 50):
        header, rows = random_rows(seed)
        path = tmp_path / "x.csv"
        path.write_text("\n".join(",".join(row) for row in [header, *rows]) + "\n")
        table = read_any_table(Source.from_path(str(path)))
        try:
            scores, account = judge(table, choose(table, {}))
        except (InputError, UsageError):
            continue
        n_judged += 1
        counts = account.count_left_out()
        assert account.n_read == account.is_used.sum() + sum(counts.values()) == len(rows)
        assert [line.split(" ")[0] for line, _ in account.lines()][: len(counts)] == [
            *map(str, counts.values())
        ]
        if seed % 2:
            assert account.is_used.sum() == len({*scores["row"][~np.isnan(scores["score"])]})
    assert n_judged > 25


def lines_of(path, reader, **options):
    """Give what a reader warns of a file."""
    with pytest.warns(DataWarning) as warned:
        read = reader(path, **options)
    return read, [str(warning.message).removeprefix(f"{path}: ") for warning in warned]


def write_scores(path, rows):
    path.write_text("\n".join(["item,system,rater,score", *rows]) + "\n")
    return path


ROWS = [f"i{item},{system},r,{item % 3 + 1}" for item in range(6) for system in "ab"]


def test_an_empty_item_costs_its_row_and_this_is_said(tmp_path):
    path = write_scores(tmp_path / "x.csv", [*ROWS[:5], ",b,r,3", *ROWS[6:]])
    scores, lines = lines_of(path, read_scores)
    assert len(scores) == 11
    assert lines == ["1 of 12 rows left out: item is empty (first: line 7)"]


def test_a_column_that_is_mostly_empty_is_refused_with_its_line(tmp_path):
    rows = [row if number % 2 else row[row.index(",") :] for number, row in enumerate(ROWS)]
    with pytest.raises(InputError, match="line 2: item is empty"):
        read_scores(write_scores(tmp_path / "x.csv", rows), columns={"topic": "item"})


def test_equal_rows_are_used_once_and_others_of_their_keys_refused_with_both_lines(tmp_path):
    path = write_scores(tmp_path / "x.csv", [*ROWS, ROWS[3], ROWS[3]])
    scores, lines = lines_of(path, read_scores)
    assert len(scores) == 12
    assert lines == ["2 of 14 rows left out: equal in every cell to a row above (first: line 14)"]
    write_scores(path, [*ROWS, "i1,b,r,5"])
    with pytest.raises(InputError, match=r"given again \(line 14 after line 5\): .*; they differ in score"):
        read_scores(path)
    numbered = write_scores(path, [row.replace(",r,", ",,") for row in [*ROWS, ROWS[3]]])
    assert len(read_scores(numbered, columns={"topic": "item", "system": "system", "rater": "#"})) == 13


def test_votes_without_a_winner_or_a_side_are_counted(tmp_path):
    votes = [f"q{number},{'xy'[number % 2]},{'yx'[number % 2]},A" for number in range(10)]
    path = tmp_path / "x.csv"
    path.write_text("\n".join(["item_id,model_a,model_b,winner", *votes, "q10,x,y,", "q11,z,,A", "q12,y,x,"]))
    preferences, lines = lines_of(path, read_preferences)
    assert len(preferences) == 10
    assert lines == [
        "2 of 13 rows left out: no winner in winner; write a tie as tie (first: line 12)",
        "1 of 13 rows left out: model_b is empty (first: line 13)",
    ]


@pytest.mark.parametrize("nothing", ["None", "n/a", "cannot judge", ""])
def test_a_vote_that_says_nothing_is_no_tie(tmp_path, nothing):
    votes = [f"q{number},x,y,{'AB'[number % 2]}" for number in range(6)]
    path = tmp_path / "x.csv"
    path.write_text("\n".join(["item_id,model_a,model_b,winner", *votes, f"q6,x,y,{nothing}", "q7,x,y,none"]))
    preferences, lines = lines_of(path, read_preferences)
    assert sorted(preferences.wins.tolist()) == [0, 0, 0, 0.5, 1, 1, 1]
    assert lines[0] == "1 of 8 rows left out: no winner in winner (first: line 8)"


def test_validate_counts_rows_and_names_a_system_of_which_none_is_used(tmp_path, capsys):
    path = write_scores(tmp_path / "x.csv", [*ROWS, *(f"i{item},c,r,n/a" for item in range(6))])
    main(["validate", str(path)])
    printed = capsys.readouterr().out
    assert "6 of 18 rows left out: no score in score (first: line 14)" in printed
    assert "no row is used of the system c" in printed


@pytest.mark.slow
def test_rows_shorter_than_the_header_are_filled_where_nothing_is_missed(tmp_path, capsys):
    path = tmp_path / "x.csv"
    path.write_text("\n".join(["item,system,score,Approve,Reject", *(row.replace(",r", "") for row in ROWS)]))
    assert len(read_scores(path)) == 12
    main(["validate", str(path)])
    assert "12 rows have no cell of Approve, Reject (first: line 2)" in capsys.readouterr().out
    path.write_text(path.read_text().replace("i2,a,3", "i2,a"))
    with pytest.raises(InputError, match="line 6: 2 columns; expected 5 as in the header"):
        read_scores(path)


def test_a_typing_error_is_named_before_what_is_doubtful_in_the_columns(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n" + "".join(f"{'xyz'[n % 3]},{n % 4 + 1}\n" for n in range(12)) + "x,3o\n")
    with pytest.raises(InputError, match="line 14: b is '3o'; expected a number"):
        read_scores(path)


def test_rows_that_a_tool_marks_as_no_judgments_are_counted(tmp_path, capsys):
    tasks = [
        {
            "text": f"t{number}",
            "accept": ["good"],
            "answer": "accept",
            "_input_hash": number,
            "_annotator_id": "ann",
        }
        for number in range(6)
    ]
    tasks[2]["answer"] = "reject"
    path = tmp_path / "x.json"
    path.write_text(json.dumps(tasks))
    table = read_any_table(Source.from_path(str(path)))
    assert table.n_rows == 5
    assert [reason for reason, _ in table.left_out] == ["the answer is reject"]


def test_records_that_become_no_row_are_counted(tmp_path):
    outputs = [[{"model": name, "scores": {"fluency": item % 5}} for name in "ab"] for item in range(5)]
    records = [{"id": f"q{item}", "outputs": of_item} for item, of_item in enumerate(outputs)]
    records[3]["outputs"] = []
    path = tmp_path / "x.json"
    path.write_text(json.dumps(records))
    table = read_any_table(Source.from_path(str(path)))
    assert table.n_rows == 8
    assert [(reason, str(where)) for reason, where in table.left_out] == [
        ("nothing in it became a row", f"{path}, record 4")
    ]


def test_rows_without_a_place_in_their_lists_are_counted(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text('item,system,ratings\ni1,a,"[1, 2]"\ni1,b,[]\ni2,a,"[3, 4]"\ni2,b,"[5, 5]"\n')
    assert len(read_scores(path, columns={"topic": "item", "system": "system"})) == 6
    table = read_any_table(Source.from_path(str(path)))
    assert [(reason, where.line) for reason, where in table.left_out] == [("nothing in ratings", 3)]


def test_our_own_records_without_a_score_are_counted(tmp_path, caplog):
    records = [{"topic": "D1", "summarizer": str(n), "metrics": {"m": n} if n else {}} for n in range(3)]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    with caplog.at_level(NOTE):
        assert len(read_scores(path)) == 2
    assert caplog.messages == [f"{path}: 1 of 3 rows left out: no score (first: line 1)"]


def test_longer_lines_below_a_header_of_texts_are_refused(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text("topic\tsummarizer\ta\n1\tx\t0.5\t1e-3\nD1\t2\ty\t.5\n")
    with pytest.raises(InputError, match="line 2: 4 columns; expected 3 as in the header"):
        read_scores(path)


@pytest.mark.parametrize(
    ("name", "cells", "reason"),
    [
        (
            "AssignmentStatus",
            ["Approved", "Rejected", "Approved", "Approved"],
            "AssignmentStatus is Rejected",
        ),
        ("Approve,Reject", ["x,", ",spam", "x,", "x,"], "Reject is filled"),
        ("Progress,Finished", ["100,True", "20,False", "100,True", "100,True"], "Finished is False"),
        ("is_latest", ["true", "false", "true", "true"], "is_latest is false"),
        ("GOLDEN:score", ["", "5", "", ""], "GOLDEN:score is filled, as in control tasks"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*(ignored columns|no scores. Progress)")
def test_rows_that_a_column_says_are_no_judgments_are_left_out(tmp_path, name, cells, reason):
    path = tmp_path / "x.csv"
    rows = [f"d{n // 2},{'ab'[n % 2]},{n + 1},{cell}" for n, cell in enumerate(cells)]
    path.write_text("\n".join([f"item,system,score,{name}", *rows]) + "\n")
    assert read_scores(path)["score"].tolist() == [1, 3, 4]
    assert f"1 of 4 rows left out: {reason} (first: line 3)" in str(inspect_file(path, siblings=[]))
    named = read_scores(
        path, columns={"topic": "item", "system": "system", "measures": "score", "task": name.split(",")[-1]}
    )
    assert len(named) == 4


def test_equal_rows_of_errors_are_several_errors(tmp_path):
    rows = [
        f"{item},{system},{severity}"
        for item in range(4)
        for system, severity in (("a", "major"), ("b", "minor"))
    ]
    path = tmp_path / "errors.csv"
    path.write_text("\n".join(["item,system,severity", *rows, *rows]) + "\n")
    table = read_any_table(Source.from_path(str(path)))
    roles = {"topic": ["item"], "system": ["system"], "errors": ["severity"]}
    scores, account = judge(table, choose(table, roles))
    assert account.is_used.all()
    assert {*zip(scores["summarizer"], scores["score"], strict=True)} == {("a", 10.0), ("b", 2.0)}
