"""Answers about attempts are those about the means of their cells."""

import numpy as np
import pandas as pd
import pytest
from scipy import special

from classy_aesop import Preferences, assessors, compare, compare_pairs, estimate, evaluate, power
from classy_aesop.answers.strata import stratify_scores
from classy_aesop.errors import InputError
from classy_aesop.reading.given_tables import read_score_table

KEYS = ["topic", "system"]


def graded_attempts(seed=0, n_topics=16, systems="abc", uneven=False):
    """Scores of attempts at each topic: five, or one to five."""
    rng = np.random.default_rng(seed)
    level = rng.normal(0, 1, n_topics)
    counts = rng.integers(1, 6, (n_topics, len(systems))) if uneven else np.full((n_topics, len(systems)), 5)
    rows = [
        (f"t{topic}", system, attempt, level[topic] + 0.4 * number + rng.normal(0, 1))
        for topic in range(n_topics)
        for number, system in enumerate(systems)
        for attempt in range(counts[topic, number])
    ]
    return pd.DataFrame(rows, columns=[*KEYS, "run", "quality"])


def means_of_cells(attempts):
    return attempts.groupby(KEYS, sort=False)["quality"].mean().reset_index()


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("uneven", [False, True])
@pytest.mark.parametrize(
    "ask",
    [
        compare,
        compare_pairs,
        lambda scores: power(scores, difference=0.5, systems=["a", "b"]),
        lambda scores: compare_pairs(scores, baseline="a"),
        lambda scores: estimate(scores, target="quality"),
    ],
)
def test_answers_are_those_of_the_means_of_cells(ask, uneven):
    attempts = graded_attempts(systems="abcdefg", uneven=uneven)
    of_attempts = ask(attempts).table.drop(columns="n_ratings", errors="ignore")
    of_means = ask(means_of_cells(attempts)).table.drop(columns="n_ratings", errors="ignore")
    pd.testing.assert_frame_equal(of_attempts[of_means.columns], of_means, rtol=1e-12, atol=1e-12)


@pytest.mark.slow
def test_metrics_are_evaluated_on_the_means_of_cells():
    attempts = graded_attempts(systems="abcdefg")
    attempts["rouge"] = attempts["quality"] + np.random.default_rng(1).normal(0, 1, len(attempts))
    means = attempts.groupby(KEYS, sort=False)[["quality", "rouge"]].mean().reset_index()
    of_attempts = evaluate(attempts, target="quality").table
    pd.testing.assert_frame_equal(
        of_attempts, evaluate(means, target="quality").table, rtol=1e-12, atol=1e-12
    )
    assert of_attempts["n_topics"].eq(16).all()


@pytest.mark.slow
def test_equal_attempts_count_once():
    once = graded_attempts(seed=2)
    once = once[once["run"].eq(0)]
    repeated = pd.concat([once.assign(run=number) for number in range(5)])
    of_repeated = compare_pairs(repeated).table
    of_one = compare_pairs(once).table
    pd.testing.assert_frame_equal(of_repeated[of_one.columns], of_one, rtol=1e-12, atol=1e-12)
    assert of_repeated["n"].eq(16).all()


@pytest.mark.slow
def test_with_raters_the_model_is_of_each_raters_means():
    rng = np.random.default_rng(3)
    attempts = graded_attempts(seed=3)
    ratings = pd.concat(
        [
            attempts.assign(rater=name, quality=attempts["quality"] + lenient)
            for name, lenient in (("x", 0), ("y", 1))
        ]
    )
    ratings["quality"] += rng.normal(0, 0.3, len(ratings))
    ratings = ratings[
        ~(ratings["rater"].eq("y") & ratings["topic"].isin(["t1", "t2"]) & ratings["system"].eq("a"))
    ]
    means = ratings.groupby([*KEYS, "rater"], sort=False)["quality"].mean().reset_index()
    of_attempts = compare_pairs(ratings).table
    pd.testing.assert_frame_equal(of_attempts, compare_pairs(means).table, rtol=1e-9, atol=1e-9)
    assert of_attempts["test"].eq("additive").all()
    alpha = assessors(ratings).table
    pd.testing.assert_frame_equal(alpha, assessors(means).table, rtol=1e-9, atol=1e-9)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("lower_is_better", [None, "failed"])
def test_that_every_attempt_passed_or_failed_stays_known(lower_is_better):
    attempts = graded_attempts().rename(columns={"quality": "failed"})
    attempts["failed"] = (attempts["failed"] > 0.5) * 1.0
    [stratum] = stratify_scores(
        read_score_table(attempts), "failed", None, None, lower_is_better=lower_is_better
    )
    assert stratum.is_pass_or_fail
    assert set(np.abs(stratum.cells.X).ravel()) - {0.0, 1.0}
    graded = attempts.assign(failed=attempts["failed"] / 2)
    [stratum] = stratify_scores(
        read_score_table(graded), "failed", None, None, lower_is_better=lower_is_better
    )
    assert not stratum.is_pass_or_fail
    table = compare(attempts, lower_is_better=lower_is_better).table
    assert table["low"].gt(0).all()
    assert table["high"].lt(1).all()


def test_a_plan_counts_every_attempt():
    plan = power(graded_attempts(systems="ab"), difference=0.5).table.iloc[0]
    assert plan["n_observed"] == 16
    assert plan["n_ratings"] == 2 * 5 * max(plan["n_topics"], 16)


def test_passes_of_attempts_are_planned_by_the_variance_of_their_means():
    attempts = graded_attempts(systems="ab")
    attempts["quality"] = (attempts["quality"] > 0.5) * 1.0
    columns = ["n_topics", "low", "high", "power", "power_now"]
    plans = [power(scores, difference=0.2).table[columns] for scores in (attempts, means_of_cells(attempts))]
    pd.testing.assert_frame_equal(*plans)


def test_attempts_are_no_raters():
    with pytest.raises(
        InputError, match=r"5 attempts a topic .* not ratings by several raters; .* needs a column of raters"
    ):
        assessors(graded_attempts())


def test_joined_tables_remember_their_attempts():
    attempts = graded_attempts()
    tables = [attempts[attempts["run"].lt(2)].assign(year="1"), attempts.assign(year="2")]
    joined = read_score_table(tables)
    counts = joined.attrs["classy_aesop"]["attempts"]["quality"]["cells"]["n_attempts"]
    assert (min(counts), max(counts), sum(counts), len(counts)) == (2, 5, 7 * 48, 96)


def test_attempts_of_preferences_count_once_a_topic():
    rng = np.random.default_rng(5)
    topics = [str(topic) for topic in range(20)]
    winners = list(rng.choice(["first", "second", "tie"], 20, p=[0.6, 0.3, 0.1]))

    def preferences(n_attempts):
        return Preferences.from_names(
            topics * n_attempts,
            ["a", "b"] * 10 * n_attempts,
            ["b", "a"] * 10 * n_attempts,
            winners * n_attempts,
        )

    columns = ["difference", "low", "high", "p"]
    once, repeated = (compare_pairs(preferences(n)).table[columns] for n in (1, 5))
    pd.testing.assert_frame_equal(once, repeated, rtol=1e-9)


@pytest.mark.slow
def test_equal_systems_are_rarely_told_apart_by_attempts():
    """Chances that differ by prompt and system: attempts taken as topics reject .12 of 300 draws."""
    rng = np.random.default_rng(7)
    n_draws, n_topics, n_attempts = 300, 20, 5
    shape = (n_draws, n_topics, n_attempts)
    chance = rng.normal(0.5, 1.5, (n_draws, n_topics, 1))
    draw, topic, attempt = (numbers.ravel() for numbers in np.indices(shape))
    tables = [
        pd.DataFrame(
            {"year": draw, "topic": topic, "system": system, "attempt": attempt, "passed": passed.ravel()}
        )
        for system in "ab"
        for passed in [
            (rng.random(shape) < special.expit(chance + rng.normal(size=(n_draws, n_topics, 1)))) * 1.0
        ]
    ]
    attempts = pd.concat(tables)
    rejected = compare_pairs(attempts, "passed").table["p"] <= 0.05
    assert len(rejected) == n_draws
    assert 0.02 <= rejected.mean() <= 0.08
    as_topics = attempts.assign(topic=attempts["topic"] * n_attempts + attempts["attempt"])
    assert (compare_pairs(as_topics.drop(columns="attempt"), "passed").table["p"] <= 0.05).mean() > 0.09
