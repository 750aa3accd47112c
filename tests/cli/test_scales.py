"""The option --scale: which commands check it, and what they say of a score outside."""

import io

import numpy as np
import pandas as pd
import pytest

from classy_aesop.cli.program import main


@pytest.fixture
def graded():
    """12 topics, four systems, grades 1 to 5 near the upper end."""
    grades = np.clip(np.random.default_rng(1).integers(3, 7, size=48), 1, 5)
    return pd.DataFrame(
        {"topic": np.repeat(range(12), 4), "system": ["a", "b", "c", "d"] * 12, "quality": grades}
    )


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    "command", ["compare", "compare --pairs", "estimate", "power", "assessors", "validate"]
)
def test_every_command_with_scores_checks_their_scale(command, tmp_path, capsys, graded):
    path = tmp_path / "grades.csv"
    graded.assign(rater=["x", "y"] * 24).to_csv(path, index=False)
    words = [*command.split(), str(path)]
    assert main([*words, "--scale", "1,5", "-q"]) == 0
    capsys.readouterr()
    assert main([*words, "--scale", "1,4", "-q"]) == 1
    assert "quality is 5; expected 1 to 4" in capsys.readouterr().err
    with pytest.raises(SystemExit) as refusal:
        main([*words, "--scale", "4,1", "-q"])
    assert refusal.value.code == 2
    assert "expected two numbers, 1,5, words in order" in capsys.readouterr().err


def test_a_wholly_judged_file_has_the_same_means_on_a_scale(tmp_path, capsys, graded):
    """Intervals end at the scale, which estimate passed over."""
    path = tmp_path / "grades.csv"
    graded.to_csv(path, index=False)
    ends = []
    for command in ("compare", "estimate"):
        assert main([command, str(path), "--scale", "1,5", "-q", "-f", "csv"]) == 0
        table = pd.read_csv(io.StringIO(capsys.readouterr().out)).set_index("summarizer").sort_index()
        ends.append(table[["low", "high"]].to_numpy())
    np.testing.assert_array_equal(*ends)
