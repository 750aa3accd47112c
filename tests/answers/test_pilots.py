"""Plans start from what `compare` prints, and those of pairs and of estimates give one number."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import compare_pairs, estimate_differences, power
from classy_aesop.data.directions import set_directions
from classy_aesop.errors import UsageError
from classy_aesop.reading.given_tables import read_score_table
from classy_aesop.significance.planning.topics_needed import t_test_power

WIDE = 1e6
"""A width that two topics reach, so that the difference alone is planned for."""

GRADES = np.repeat([-1, 0, 1, 2, 3], [9, 27, 18, 4, 2])
PASSES = np.repeat([-1, 0, 0, 1], [5, 5, 145, 45])


def table_of_cells(scores, names="abcdefgh"):
    """Make a table of systems x topics, without the cells that are NaN."""
    rows = [
        (topic, names[system], score)
        for system, of_system in enumerate(np.asarray(scores, dtype=float))
        for topic, score in enumerate(of_system)
        if not np.isnan(score)
    ]
    return pd.DataFrame(rows, columns=["topic", "system", "quality"])


def rated_table(n_topics, n_raters, *, seed, share=1.0, passes=False):
    """Make ratings of three systems; raters are lenient or strict, and some ratings are missing."""
    rng = np.random.default_rng(seed)
    quality = (
        rng.normal(size=(3, n_topics, 1)) + rng.normal(size=(1, n_topics, 1)) + [[[0.0]], [[0.4]], [[0.9]]]
    )
    ratings = quality + rng.normal(size=n_raters) + rng.normal(size=(3, n_topics, n_raters)) / 2
    rows = [
        (topic, "abc"[system], f"r{rater}", float(rating > 0) if passes else rating)
        for (system, topic, rater), rating in np.ndenumerate(ratings)
        if rng.random() < share
    ]
    return pd.DataFrame(rows, columns=["topic", "system", "rater", "quality"])


def some_missing(scores, seed=0):
    scores = np.array(scores, dtype=float)
    scores[np.random.default_rng(seed).random(scores.shape) < 0.2] = np.nan
    return scores


RNG = np.random.default_rng(5)
NORMAL = RNG.normal(size=(4, 40)) + np.array([[0.0], [0.3], [0.1], [1.0]])
PASSED = (RNG.random((3, 60)) < [[0.5], [0.7], [0.9]]) * 1.0
TABLES = {
    "two, complete": table_of_cells([np.zeros(60), GRADES]),
    "four, cells missing": table_of_cells(some_missing(NORMAL)),
    "raters vary": rated_table(25, 4, seed=1, share=0.6),
    "passes, cells missing": table_of_cells(some_missing(PASSED)),
    "four, complete": table_of_cells(NORMAL),
    "two, cells missing": table_of_cells(some_missing(NORMAL[:2])),
    "passes": table_of_cells([np.zeros(200) + (PASSES < 0), np.maximum(PASSES, 0)]),
    "raters vary, passes": rated_table(40, 3, seed=2, share=0.7, passes=True),
    "every rater rates all": rated_table(25, 3, seed=3),
}


@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_plans_of_pairs_and_of_estimates_give_one_number_from_what_compare_prints(name):
    table = TABLES[name]
    pairs = compare_pairs(table, "quality").table.set_index(["first", "second"])
    means = table.groupby("system")["quality"].mean()
    planned = power(table, "quality", 0.3, width=WIDE).table
    observed = power(table, "quality").table
    by_name = power(table, "quality", -0.3).table.set_index(["first", "second"])
    for pair, row in by_name.iterrows():
        for end in ("", "_low", "_high"):
            assert row[f"observed{end}"] == pairs.loc[pair, "difference" if not end else end[1:]]
        assert row["test"] == pairs.loc[pair, "test"]
    leaders = max(by_name.index, key=lambda pair: means[pair[0]] + means[pair[1]])
    row = by_name.loc[leaders]
    assert planned["population"].eq("like").all()
    assert (
        planned.loc[0, ["needed", "needed_low", "needed_high"]].tolist()
        == row[["n_topics", "low", "high"]].tolist()
    )
    is_of_leaders = observed["first"].eq(leaders[0]) & observed["second"].eq(leaders[1])
    first = observed[is_of_leaders].iloc[0]
    assert first["difference"] == abs(first["observed"])
    assert planned["settled"][0] == first["n_topics"]
    shown = planned.set_index("n_topics")
    assert (
        shown.loc[row["n_topics"], "difference"] <= 0.3 < shown.loc[: row["n_topics"] - 1, "difference"].min()
    )
    n_systems = table["system"].nunique()
    assert planned["n_observed"].eq(row["n_observed"]).all()
    assert planned["n_more"].tolist() == np.maximum(planned["n_topics"] - row["n_observed"], 0).tolist()
    ratings = len(table) / len(table.drop_duplicates(["topic", "system"]))
    assert planned["n_ratings"].tolist() == np.ceil(n_systems * planned["n_topics"] * ratings).tolist()


@pytest.mark.slow(after=1)
@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
@pytest.mark.parametrize("name", TABLES)
def test_compare_estimate_and_power_give_one_difference_and_one_interval_to_the_bit(name):
    """Of several pairs `compare --pairs` gives each interval by itself, and those that hold together."""
    table = TABLES[name]
    compared, estimated, planned = (
        answer.table.set_index(["first", "second"])
        for answer in (
            compare_pairs(table, "quality"),
            estimate_differences(table, target="quality"),
            power(table, "quality", 0.3),
        )
    )
    for answer, columns, known in (
        (estimated, ["difference", "low", "high"], ["difference", "low_all", "high_all"]),
        (planned, ["observed", "observed_low", "observed_high"], ["difference", "low", "high"]),
    ):
        numbers = answer.loc[compared.index, columns].to_numpy(dtype=float)
        assert not np.isnan(numbers).any()
        assert (numbers == compared[known].to_numpy(dtype=float)).all()
    if len(compared) == 1:
        assert (compared[["low", "high"]].to_numpy() == compared[["low_all", "high_all"]].to_numpy()).all()


def test_the_plan_of_grades_by_hand():
    """Variance (61 - 23^2 / 60) / 59 = .8845; see test_t_test_power."""
    result = power(TABLES["two, complete"], "quality", 0.25, systems=["b", "a"])
    assert result.sentence == (
        "114 [80, 176] topics are needed to see a difference of 0.25 with a power of 0.8: "
        "54 more than the 60 at hand, whose power is 0.53, and 228 ratings in all."
    )
    row = result.table.iloc[0]
    assert row[["n_more", "n_ratings"]].tolist() == [54, 228]
    assert row["observed"] == pytest.approx(23 / 60)
    assert row[["seed", "error"]].isna().all()
    assert "seed" not in result.signature
    enough = power(TABLES["two, complete"], "quality", 0.45).sentence
    assert enough == (
        "37 [26, 56] topics are needed to see a difference of 0.45 with a power of 0.8; "
        "60 are at hand, whose power is 0.95."
    )
    asked = power(TABLES["two, complete"], "quality")
    assert asked.sentence.startswith(
        "50 [35, 76] topics are needed to see the observed difference of 0.383, as if it were true, with a power of "
        "0.8; 60 are at hand, whose power is 0.87. A difference of 0.94 takes 10 topics, one of 0.24 takes 123"
    )


@pytest.mark.slow
def test_a_complete_pair_is_planned_alike_beside_one_that_lacks_cells():
    scores = NORMAL[:3].copy()
    alone = power(table_of_cells(scores[:2]), "quality", 0.5).table.iloc[0]
    scores[2, ::3] = np.nan
    beside = power(table_of_cells(scores), "quality", 0.5, systems=["a", "b"]).table.iloc[0]
    assert (alone["test"], beside["test"]) == ("paired_t", "additive")
    names = ["n_topics", "low", "high", "n_more"]
    assert alone[names].tolist() == beside[names].tolist()
    names = ["observed", "observed_low", "observed_high", "power", "power_now"]
    assert alone[names].tolist() == pytest.approx(beside[names].tolist())


@pytest.mark.slow
def test_ratings_are_counted_by_raters_and_attempts():
    rated = TABLES["every rater rates all"]
    assert (
        power(rated, "quality", 0.5)
        .table["n_ratings"]
        .eq(6 * power(rated, "quality", 0.5).table["n_topics"])
        .all()
    )
    attempts = pd.concat([TABLES["passes"].assign(attempt=number) for number in range(5)])
    row = power(attempts, "quality", 0.15).table.iloc[0]
    assert row["n_ratings"] == 2 * 5 * row["n_topics"]


@pytest.mark.slow
def test_more_raters_take_fewer_topics():
    rated = TABLES["every rater rates all"]
    fewer = power(rated, "quality", 0.5, width=WIDE, raters_per_summary=1).table
    more = power(rated, "quality", 0.5, width=WIDE, raters_per_summary=9).table
    assert fewer["n_ratings"].tolist() == (3 * fewer["n_topics"]).tolist()
    assert fewer["needed"][0] > more["needed"][0]


@pytest.mark.slow
def test_raters_of_a_plan_are_those_asked_for_whatever_each_adds():
    """One rater may be more lenient throughout: both systems get as much more."""
    first = np.array([[4.0, 3, 5, 2, 4, 3], [3, 2, 3, 2, 3, 1]])
    second = first + np.array([[1, -1, 0, 0, -1, 1], [0, 1, -1, 1, 0, -1]])
    rows = [
        (topic, "ab"[system], f"r{number}", score)
        for number, of_rater in enumerate((first, second))
        for (system, topic), score in np.ndenumerate(of_rater)
    ]
    table = pd.DataFrame(rows, columns=["topic", "system", "rater", "quality"])
    lenient = table.assign(quality=table["quality"] + 2 * (table["rater"] == "r1"))
    plans = {
        (name, n): power(ratings, "quality", 0.5, raters_per_summary=n).table.iloc[0]
        for name, ratings in (("equal", table), ("lenient", lenient))
        for n in (None, 1, 2, 4)
    }
    for n in (None, 1, 2, 4):
        assert plans["equal", n]["n_topics"] == plans["lenient", n]["n_topics"]
        assert plans["equal", n]["n_ratings"] == 2 * (n or 2) * plans["equal", n]["n_topics"]
    assert plans["equal", 2]["n_topics"] == plans["equal", None]["n_topics"]
    # differences of the raters within cells, of mean 0: 8 squares of 1, so a rating has the variance 8 / 2 / 11
    differences = ((first + second)[0] - (first + second)[1]) / 2
    deviation = np.sqrt(differences.var(ddof=1) + 2 * (8 / 2 / 11) * (1 - 1 / 2))
    n_topics = plans["equal", 1]["n_topics"]
    below, reached = t_test_power([n_topics - 1, n_topics], 0.5, deviation)
    assert below < 0.8 <= reached
    with pytest.raises(UsageError, match="needs a test of means, and wilcoxon"):
        power(table, "quality", 0.5, raters_per_summary=1, test="wilcoxon")
    with pytest.raises(UsageError, match="how raters differ is unknown"):
        power(TABLES["two, complete"], "quality", 0.5, raters_per_summary=1)


@pytest.mark.slow
def test_passes_cannot_differ_by_1():
    for difference in (1.0, -1.5):
        with pytest.raises(UsageError, match="expected one below 1, since quality is 0 or 1"):
            power(TABLES["passes"], "quality", difference)
        with pytest.raises(UsageError, match="expected one below 1, since quality is 0 or 1"):
            power(TABLES["passes"], "quality", difference, width=WIDE)
    all_won = table_of_cells([np.ones(20), np.zeros(20)])
    plans = [power(all_won, "quality", size).table["n_topics"][0] for size in (0.3, 0.6, 0.9)]
    assert plans == sorted(plans, reverse=True)
    observed = power(all_won, "quality").table
    assert observed["n_topics"].isna().all()
    assert observed["flag"].tolist() == ["constant difference"]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("lower", [(), ("quality",)])
def test_the_sign_is_the_observed_one_and_that_of_the_file(lower):
    (table,) = set_directions([read_score_table(TABLES["passes"])], lower)
    pairs = compare_pairs(table, "quality").table
    for difference in (0.2, -0.2):
        for sign, systems in ((-1, ["a", "b"]), (1, ["b", "a"])):
            plan = power(table, "quality", difference, systems=systems).table.iloc[0]
            assert plan[["difference", "n_topics"]].tolist() == [0.2, 45]
            assert plan["observed"] == pytest.approx(sign * 0.2)
            assert plan["observed_low"] < plan["observed"] < plan["observed_high"]
    assert pairs[["difference", "low", "high"]].to_numpy() == pytest.approx(
        -plan[["observed", "observed_high", "observed_low"]].to_numpy(dtype=float)[None]
    )


@pytest.mark.slow
def test_pilots_that_say_little_or_nothing():
    two = power(table_of_cells([[1.0, 2.0], [1.5, 3.0]]), "quality", 0.5).table.iloc[0]
    assert (two["n_observed"], two["low"] < two["n_topics"], pd.isna(two["high"])) == (2, True, True)
    apart = table_of_cells([[1, 2, 3, np.nan, np.nan], [np.nan, np.nan, np.nan, 2, 1]])
    nothing = power(apart, "quality", 0.5)
    assert nothing.table["flag"].tolist() == ["no shared topics link them"]
    assert nothing.table[["n_topics", "n_more", "n_ratings"]].isna().all(axis=None)
    linked = table_of_cells([[1, 2, 3, np.nan, 4, np.nan], [np.nan] * 3 + [2, np.nan, 1], [2, 2, 4, 3, 3, 3]])
    row = power(linked, "quality", 0.5, systems=["a", "b"]).table.iloc[0]
    assert (row["n_observed"], row["n_more"]) == (0, row["n_topics"])
    equal = power(table_of_cells([[1.0, 2, 3], [1.0, 2, 3]]), "quality").table
    assert equal["flag"].tolist() == ["constant difference"]


@pytest.mark.slow
def test_ranks_are_planned_on_their_grid_and_not_beyond_it():
    grades = TABLES["two, complete"]
    beyond = power(grades, "quality", 3.5, test="wilcoxon", n_trials=20)
    assert beyond.table["flag"].tolist() == ["beyond the differences of the pilot"]
    assert beyond.sentence == "No number of topics was found (beyond the differences of the pilot)."
    row = power(grades, "quality", 0.6, test="wilcoxon", n_trials=100, max_topics=64).table.iloc[0]
    assert row["observed"] == pytest.approx(-23 / 60)
    assert row[["observed_low", "observed_high"]].isna().all()
    assert (row["seed"], row["error"] > 0, row["power_now"] > 0.9) == (0, True, True)


@pytest.mark.slow
def test_a_pilot_of_passes_without_a_difference_leads_to_a_plan():
    passes = (np.arange(40) % 4 > 0) * 1.0
    other = passes.copy()
    other[[0, 1]] = 1 - other[[0, 1]]
    pilot = table_of_cells([passes, other])
    plans = [power(pilot, difference=size).table["n_topics"].iloc[0] for size in (0.1, 0.2, 0.3)]
    assert plans == sorted(plans, reverse=True)
    assert plans[0] > 2 * plans[2]
