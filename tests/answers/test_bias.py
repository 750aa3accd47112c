"""Biases of judges from tables: who picks whom, in words, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng

from classy_aesop import DataWarning, InputError
from classy_aesop.answers.bias import BIAS, BiasOptions, evaluate_bias, name_picks
from classy_aesop.data.scores import add_stratum_columns
from classy_aesop.errors import UsageError


def judged(n_topics=20, kind_to="b", by=1.5):
    """People like a best; the judge is too kind to one of four."""
    rng = default_rng(0)
    frame = pd.DataFrame(
        [(topic, system) for system in "abcd" for topic in range(n_topics)], columns=["topic", "system"]
    )
    mean = frame["system"].map({"a": 4.0, "b": 3.2, "c": 2.5, "d": 2.0})
    quality = mean + 0.4 * rng.normal(size=len(frame))
    judge = quality + 0.3 * rng.normal(size=len(frame)) + by * frame["system"].eq(kind_to)
    return frame.assign(quality=quality, judge=judge)


def sides(frame):
    return frame.drop(columns="quality"), frame.drop(columns="judge")


def test_the_judge_picks_another_one():
    table = evaluate_bias(*sides(judged()), judge_scale="as-is").table
    assert set(table) == set(BIAS.names) - {"year", "task"}
    assert table["summarizer"].tolist() == list("abcd")  # in the order of the people
    row = table.set_index("summarizer").loc["b"]
    assert (row["judge_rank"], row["human_rank"]) == (1, 2)
    assert row["low"] < 1.5 < row["high"]
    assert (row["kinder_than"], row["harsher_than"]) == (3, 0)
    assert row["over_pick"] == pytest.approx(1.5, abs=0.3)
    assert row["p_over_pick"] < 1e-6
    sentence = name_picks(add_stratum_columns(table))
    assert sentence.startswith("judge picks b, the people pick a; it is kinder to b than to a by 1.")
    assert sentence.endswith("It is too kind to b (than to 3 of 3 others).")


@pytest.mark.slow
def test_both_pick_the_same():
    table = evaluate_bias(*sides(judged(by=0))).table
    expected = "judge and the people pick a. No two biases differ significantly."
    assert name_picks(add_stratum_columns(table)) == expected


@pytest.mark.slow
def test_a_judge_of_one_score_picks_nobody_and_has_no_bias():
    table = evaluate_bias(*sides(judged().assign(judge=0.5))).table
    assert set(table["flag"]) == {"constant judge"}
    unknown = ["judge_rank", "judge_mean", "bias", "low", "relative", "over_pick"]
    assert table[unknown].isna().all(axis=None)
    assert table["human_rank"].tolist() == [1, 2, 3, 4]
    assert table["kinder_than"].sum() == 0
    expected = "judge gives all the same score: it picks nobody, and has no bias on the human scale."
    assert name_picks(add_stratum_columns(table)) == expected
    as_is = evaluate_bias(*sides(judged().assign(judge=0.5)), judge_scale="as-is").table
    assert as_is["bias"].notna().all()
    assert name_picks(add_stratum_columns(as_is)).startswith(
        "judge picks nobody (all means are equal), the people pick a."
    )


@pytest.mark.slow
def test_people_to_whom_all_are_equal_pick_nobody():
    table = evaluate_bias(*sides(judged().assign(quality=lambda rows: rows["topic"] % 5))).table
    assert table["over_pick"].isna().all()
    assert " picks b, the people pick nobody (all means are equal)." in name_picks(add_stratum_columns(table))


@pytest.mark.slow
def test_each_task_and_measure_has_its_rows():
    scores, judgments = sides(judged())
    both = [pd.concat([side.assign(task=task) for task in "AB"]) for side in (scores, judgments)]
    table = evaluate_bias(both[0].assign(other=-both[0]["judge"]), both[1]).table
    assert len(table) == 2 * 2 * 4
    assert "3 more below" in name_picks(add_stratum_columns(table))


@pytest.mark.slow
def test_systems_without_shared_topics_have_no_pick():
    frame = judged()
    frame = frame[(frame["topic"] < 10) == frame["system"].isin(["a", "b"])]
    with pytest.warns(DataWarning, match=r"2 groups of systems share no topic \(a, b \| c, d\)"):
        table = evaluate_bias(*sides(frame)).table
    assert table["human_rank"].isna().all()
    assert np.isfinite(table["bias"]).all()
    assert name_picks(add_stratum_columns(table)).startswith("No system is picked")


def test_what_is_refused():
    scores, judgments = sides(judged())
    with pytest.raises(UsageError, match="judge_scale is 'no'; expected one of auto, as-is, matched"):
        evaluate_bias(scores, judgments, judge_scale="no")
    with pytest.raises(UsageError, match="correction is 'no'"):
        BiasOptions(correction="no")
    with pytest.raises(InputError, match="no instance is in both tables"):
        evaluate_bias(scores.assign(topic=scores["topic"] + 100), judgments)
