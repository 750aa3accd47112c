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


def test_a_signature_names_the_stems_that_were_used(printed, russian):
    out = printed("rouge", russian, "--metric", "rouge1", "--tokenizer", "unicode", "-f", "tsv")
    assert "|stemming:none|" in out
    assert "rouge1-R" in out


@pytest.mark.slow
def test_evaluate_finds_tokens_in_any_script(run, tmp_path):
    lines = ["topic,system,summary,reference,human"]
    for topic in range(4):
        for number, text in enumerate(("Старый дом продали.", "Дом у моря.", "Снег идёт.", "Старый снег.")):
            lines.append(f"{topic},s{number},{text},Старый дом у моря продали.,{(number + topic) % 4}")
    path = tmp_path / "russian.csv"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    command = f"evaluate {path} --target human -m rouge --metric ROUGE-1 -f tsv"
    code, out, err = run(command)
    assert code == 0
    assert LOST in err
    assert "|tokenizer:" not in out
    code, out, err = run(f"{command} --tokenizer unicode")
    assert code == 0, err
    assert LOST not in err
    assert "|tokenizer:unicode|" in out
