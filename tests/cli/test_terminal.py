"""A terminal gets answers instead of rows, and what would control it as text, which files and pipes get as it is."""

import itertools
import json

import pytest

from classy_aesop.errors import InputError, escape_controls

EVIL = "sys\x1b]0;owned\x07\x1b[31m\x9b1m\u202e"


@pytest.fixture
def evil(tmp_path):
    """A corpus with judgments, of which the systems, a measure, a topic and a field have such names."""
    same = {"references": {f"A{EVIL}": "The cat sat on the mat."}, f"field{EVIL}": 1}
    rows, scores = [], []
    for topic, (at, who) in itertools.product("123", enumerate("abcd")):
        ids = {"topic": f"{topic}{EVIL}", "summarizer": f"{who}{EVIL}"}
        rows.append({**ids, "text": f"The cat {'sat ' * (at + 1)}.", **same})
        scores.append({**ids, "metrics": {f"good{EVIL}": at}})
    for name, lines in (("summaries", rows), ("judgments", scores)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    "words",
    [
        ("compare", "judgments.jsonl", "--metric", f"good{EVIL}"),
        ("compare", "judgments.jsonl", "--metric", f"bad{EVIL}"),
        ("evaluate", "judgments.jsonl", "judgments.jsonl"),
        ("evaluate", ".", "--target", f"good{EVIL}", "-m", "rouge"),
        ("evaluate", ".", "--target", f"bad{EVIL}"),
        ("rouge", "."),
        ("rouge", ".", "-f", "latex"),
        ("validate", "."),
        ("validate", f"no{EVIL}"),
        ("train", ".", "--target", f"bad{EVIL}", "-o", "out"),
        ("train", "."),
        (f"no{EVIL}",),
        ("compare", "judgments.jsonl", "--metric", "m", "--test", EVIL),
        ("-v", "validate", "."),
    ],
)
def test_what_is_read_by_people_has_no_control_characters(run, evil, monkeypatch, words):
    monkeypatch.chdir(evil)
    _, out, said = run(*words)
    assert escape_controls(out + said, keep="\n") == out + said
    assert out + said


@pytest.mark.slow
def test_data_have_them_unless_they_go_to_a_terminal(run, evil, monkeypatch):
    for format in ("tsv", "json"):
        words = ("baselines", evil, "-m", "rouge", "-f", format, "-q")
        assert "\x9b" in run(*words)[1]
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdout.isatty", lambda: True, raising=False)
            shown = run(*words)[1], run("features", evil / "summaries.jsonl", "-q", "-f", "tsv")[1]
        for text in shown:
            assert not set(text) & {"\x1b", "\x07", "\x9b", "\u202e"}
            assert "\\x9b1m\\u202e" in text


def test_errors_of_the_package_have_none():
    assert str(InputError(f"no {EVIL}", path=EVIL)).isprintable()


@pytest.fixture
def on_terminal(run, monkeypatch):
    def go(*arguments):
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdout.isatty", lambda: True, raising=False)
            code, out, _ = run(*arguments)
        assert code == 0
        lines = out.splitlines()
        assert len(lines) <= 52  # 40 rows, and the lines around them
        assert max(map(len, lines), default=0) <= 80
        return lines

    return go


@pytest.mark.slow
def test_a_terminal_is_answered_and_a_file_has_the_rows(on_terminal, printed, folder, tmp_path, trained):
    predictor = next((trained[0] / "predictors").glob("*.json"))
    commands = ("features",), ("predict", predictor), ("predict", "--explain", predictor)
    first = ("task A", "has the highest mean", "moves the scores most")
    for command, said in zip(commands, first, strict=True):
        asked = (*command, folder / "2021", "--task", "A")
        assert said in " ".join(on_terminal(*asked)[:2])
        rows = printed(*asked, "-q", "-f", "tsv")
        on_terminal(*asked, "-o", tmp_path / "out.tsv")
        assert (tmp_path / "out.tsv").read_text() == rows


@pytest.mark.slow
def test_long_lists_are_cut_on_a_terminal_alone(on_terminal, printed, folder):
    for command in (("rouge", folder / "2021"), ("study", "--list")):
        *_, last = [line for line in on_terminal(*command) if " more lines: " in line]
        assert last.endswith("a pipe has all.")
        assert len(printed(*command).splitlines()) > 45
