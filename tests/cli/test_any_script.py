"""Texts in any script, and the names of metrics, at the command line."""

import pytest

ROWS = (
    "topic,system,summary,reference",
    "1,a,Старый дом у моря продали.,Старый дом у моря продали.",
    "1,b,Снег идёт.,Старый дом у моря продали.",
)
LOST = "100% of the letters are outside ASCII, and ROUGE's tokenizer drops them"


@pytest.fixture
def russian(tmp_path):
    path = tmp_path / "russian.csv"
    path.write_text("\n".join(ROWS) + "\n", "utf-8")
    return path


@pytest.mark.parametrize("command", ["rouge {} --metric rouge1,rougeL", "baselines {} -m rouge,js,lsa"])
def test_dropped_letters_are_warned_of_once(run, russian, command):
    code, _, err = run(command.format(russian))
    assert code == 0
    assert err.count("warning: ") == err.count(LOST) == 1
    code, out, err = run(f"{command.format(russian)} --tokenizer unicode -f tsv")
    assert (code, err) == (0, "")
    assert "|tokenizer:unicode|" in out
    assert out.splitlines()[1].split("\t")[5] == "1.0"


def test_validate_warns_of_dropped_letters(printed, russian):
    assert LOST in " ".join(printed("validate", russian).split())


def test_a_signature_names_the_stems_that_were_used(printed, russian):
    out = printed("rouge", russian, "--metric", "rouge1", "--tokenizer", "unicode", "-f", "tsv")
    assert "|stemming:none|" in out
    assert "rouge1-R" in out


def test_baselines_are_selected_by_the_names_of_rouge_score(printed, refused, russian):
    command = f"baselines {russian} -m rouge --tokenizer unicode"
    lines = printed(f"{command} --metric rouge1,rougeLsum").splitlines()[1:]
    assert {line.split("\t")[4] for line in lines} == {"ROUGE-1", "ROUGE-L"}
    refused(2, "no metric 'rougeX'; known: ROUGE-1", f"{command} --metric rougeX")


def test_two_limits_are_refused(refused, russian):
    words = "--limit-words does not go with --limit-bytes"
    refused(2, words, f"rouge {russian} --limit-words 5 --limit-bytes 5")
