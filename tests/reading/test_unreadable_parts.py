"""Cells with several things are split; one column or measure that cannot be read leaves the others readable."""

import pytest

from classy_aesop.reading.file_report import inspect_file
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
    header = [*(f"system{number}rank" for number in order), "item", "system1Id", "system2Id"]
    path = write(tmp_path / "x.csv", header, rows)
    assert means_by_command(path, "rank") == {"ada": 1.0, "bob": 2.0, "cyd": 3.0}


def test_marks_are_compared_after_grades_and_errors_are_better_if_fewer(tmp_path):
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
