"""Where a table can be read in more than one way, ``validate`` asks one question with a command for each answer."""

import pytest

from classy_aesop.reading.close_readings import ask_which
from classy_aesop.reading.file_report import inspect_file
from classy_aesop.reading.key_columns import KeyColumns
from classy_aesop.reading.shapes import Reading


def reading_of(**roles):
    return Reading(
        "", KeyColumns(), other_roles={role: tuple(names.split(",")) for role, names in roles.items()}
    )


@pytest.mark.parametrize(
    ("readings", "question"),
    [
        (
            [{"topic": "q", "system": "model"}, {"topic": "q", "system": "condition"}],
            "is the system model or condition?",
        ),
        (
            [{"topic": "doc,part", "system": "model"}, {"topic": "doc", "system": "model"}],
            "is the topic doc + part or doc?",
        ),
        (
            [{"systems": "a,b,c"}, {"ratings": "a,b,c"}, {"measures": "a,b,c"}],
            "are a, b, c systems or raters or measures?",
        ),
        (
            [{"system": "who", "measures": "x"}, {"rater": "who", "measures": "x"}],
            "is who the system or the rater?",
        ),
        ([{"scores": "x", "measures": "y"}, {"measures": "y"}], "is x a metric or not used?"),
    ],
)
def test_the_question_names_what_differs(readings, question):
    assert ask_which([reading_of(**roles) for roles in readings]) == question


def test_one_question_and_a_command_for_each_answer(tmp_path):
    path = tmp_path / "wide.csv"
    rows = [f"d{n},{1 + n % 5},{1 + (n + 2) % 5},{1 + (n * n) % 5}" for n in range(12)]
    path.write_text("doc_id,alpha,beta,gamma\n" + "\n".join(rows) + "\n")
    report = inspect_file(path)
    assert [line.text for line in report.lines if line.subject == "question"] == [
        "are alpha, beta, gamma systems or raters?"
    ]
    assert [command.split()[1] for command in report.commands] == ["compare", "assessors"]
    assert len(report.lines) < 10


def test_what_was_understood_comes_first_then_the_commands(tmp_path):
    path = tmp_path / "plain.csv"
    rows = [f"d{n},{s},{1 + n % 5},{n % 3},{n % 4},{n % 2},{n}" for n in range(8) for s in "ab"]
    path.write_text(
        "doc_id,system,fluency,coherence,relevance,consistency,latency\n" + "\n".join(rows) + "\n"
    )
    lines = inspect_file(path).lines
    assert [line.subject for line in lines[:4]] == ["file", "read as", "contents", "question"]
    assert lines[1].text == (
        "measures as columns; topic = doc_id; system = system; measures = fluency, coherence, relevance, consistency"
    )
    assert [line.subject for line in lines[4:8]] == ["command"] * 3 + ["note"]
    assert lines[7].text == "--metric also takes consistency"
    assert lines[-1].text == "administration: latency"
