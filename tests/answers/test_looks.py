"""Planned looks: compare tests at the level that a look may spend, and says whether to go on."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import compare, compare_pairs
from classy_aesop.answers.gates import evaluate_gate
from classy_aesop.data.preference_records import Preferences
from classy_aesop.errors import UsageError
from classy_aesop.significance.multiplicity.looks import level_of_look


def scores_with_p(p):
    """Two systems on 20 topics whose paired t-test has a p-value."""
    from scipy import stats

    unit = np.tile([1.0, -1.0], 10) * np.linspace(1, 2, 20)
    unit -= unit.mean()
    lead = stats.t.isf(p / 2, 19) * unit.std(ddof=1) / np.sqrt(20)
    rows = [(f"t{topic}", "new", lead + unit[topic]) for topic in range(20)]
    rows += [(f"t{topic}", "old", 0.0) for topic in range(20)]
    return pd.DataFrame(rows, columns=["topic", "system", "quality"])


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    ("p", "look", "is_found"), [(0.01, "2/4", False), (0.002, "2/4", True), (0.043, "4/4", True)]
)
def test_a_look_has_its_level_its_interval_and_its_advice(p, look, is_found):
    row = compare_pairs(scores_with_p(p), look=look).table.iloc[0]
    level = level_of_look(*map(int, look.split("/")))
    assert (row["alpha"], row["p"]) == pytest.approx((level, p))
    assert row["significant"] == is_found == (row["low"] > 0)
    advice = "stop" if is_found else "go on"
    assert compare(scores_with_p(p), look=look).sentence.endswith(f"at a level of {level:.2g}: {advice}.")


def test_the_last_look_is_the_last_one():
    assert (
        "Look 4 of 4, at a level of 0.044: it was the last one."
        in compare(scores_with_p(0.2), look="4/4").sentence
    )


@pytest.mark.slow
def test_a_gate_is_decided_at_the_level_of_the_look():
    scores = scores_with_p(0.01)
    scores["quality"] = -scores["quality"]
    assert not evaluate_gate(compare_pairs(scores, baseline="old").table, "worse")[0]
    assert evaluate_gate(compare_pairs(scores, baseline="old", look="2/4").table, "worse")[0]


def test_the_signature_names_the_level_and_the_look_that_were_asked_for():
    signature = compare(scores_with_p(0.01), look="2/4").signature
    assert "alpha:0.05" in signature
    assert "look:2/4" in signature


@pytest.mark.parametrize("look", ["5/4", "0/4", "2", "two/four", "1/99"])
def test_what_is_no_planned_look_is_refused(look):
    with pytest.raises(UsageError, match=r"expected its number and that of all, such as 2/4, at most 50"):
        compare(scores_with_p(0.01), look=look)


def test_preferences_have_no_looks():
    votes = Preferences.from_names(list("12"), ["a"] * 2, ["b"] * 2, ["first"] * 2)
    with pytest.raises(UsageError, match="look cannot be combined with preferences"):
        compare(votes, look="1/2")
