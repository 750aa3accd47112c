"""Estimates from tables: the same as of the arrays, every part that may be judged, and what is refused."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

import classy_aesop
from classy_aesop.answers.estimates import (
    DIFFERENCES,
    ESTIMATES,
    estimate,
    estimate_differences,
)
from classy_aesop.answers.topic_plans import power
from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.significance.few_judgments.estimated_means import estimate_means
from tests.predictor.samples import CALIBRATED


@pytest.fixture(scope="module")
def campaign():
    """Judgments of twelve systems on thirty topics, and a score that knows some of them."""
    rng = np.random.default_rng(4)
    mean, noise = rng.normal(size=12), rng.normal(size=(12, 30))
    y = mean[:, None] + noise + rng.normal(size=30)
    return y, y / 2 + rng.normal(size=12)[:, None] / 4 + rng.normal(size=y.shape) / 2


@pytest.fixture
def first_eight(campaign, table_of):
    """The judgments of the first eight topics, and all scores."""
    y, f = campaign
    return judged_of(table_of, y, range(8)), table_of(f, "m")


def judged_of(table_of, y, topics):
    table = table_of(y, "human")
    return table[table["topic"].isin([f"t{topic}" for topic in topics])]


def by_name(table, column):
    return table.set_index("summarizer")[column].reindex([str(at) for at in range(1, 13)]).to_numpy()


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("method", ["hierarchical", "control-variate", "plain"])
def test_it_is_the_estimate_of_the_arrays(campaign, first_eight, shuffle, method):
    (y, f), (judged, scores) = campaign, first_eight
    table = classy_aesop.estimate(shuffle(judged), shuffle(scores), target="human", estimator=method).table
    assert list(table) == [
        name for name in ESTIMATES.names[:-1] if not name.startswith(("raters_", "plain_"))
    ]
    few = np.where(np.arange(30) < 8, y, np.nan)
    found = estimate_means(few, f, method=method)
    assert by_name(table, "estimate") == pytest.approx(found.mean)
    for name, expected in zip(("low", "high"), found.interval(), strict=True):
        assert by_name(table, name) == pytest.approx(expected)
    for name, expected in zip(("effect", "effect_low", "effect_high"), found.effects(), strict=True):
        assert by_name(table, name) == pytest.approx(expected)
    assert by_name(table, "plain") == pytest.approx(few[:, :8].mean(axis=1))
    assert (table["worth"].nunique(), table["worth"][0]) == (1, pytest.approx(found.effective_n_topics))
    assert table["rank"].tolist() == list(range(1, 13))
    assert (np.diff(table["estimate"]) <= 0).all()
    for kind in ("rank", "together"):
        assert ((table[f"{kind}_low"] <= table["rank"]) & (table["rank"] <= table[f"{kind}_high"])).all()
    assert set(table["population"]) == {"at-hand"}


def test_the_topics_at_hand_are_meant_where_not_everything_is_judged(campaign, table_of):
    y, f = campaign
    tables = table_of(y, "human"), table_of(f, "m")
    assert set(estimate(*tables, target="human").table["population"]) == {"like"}
    part = judged_of(table_of, y, range(8))
    here, like = (
        estimate(part, tables[1], target="human", population=name).table for name in ("at-hand", "like")
    )
    assert (by_name(like, "high") - by_name(like, "low") > by_name(here, "high") - by_name(here, "low")).all()


def test_any_cells_and_systems_may_be_judged(campaign, table_of):
    y, f = campaign
    y = np.where(np.random.default_rng(0).random(y.shape) < 0.3, y, np.nan)
    y[5] = np.nan
    table = estimate(table_of(y, "human").dropna(), table_of(f, "m"), target="human").table
    assert by_name(table, "n_judged").tolist() == (~np.isnan(y)).sum(axis=1).tolist()
    assert np.flatnonzero(np.isnan(by_name(table, "plain"))).tolist() == [5]
    assert (by_name(table, "high") - by_name(table, "low")).argmax() == 5
    with pytest.raises(InputError, match="no judgment of 6; estimator plain needs at least one"):
        estimate(table_of(y, "human").dropna(), table_of(f, "m"), target="human", estimator="plain")


def test_raters_are_averaged(first_eight):
    judged, scores = first_eight
    shift = np.random.default_rng(0).normal(size=len(judged))
    off = {"P": shift, "Q": -shift}
    raters = pd.concat([judged.assign(assessor=name, score=judged["score"] + off[name]) for name in off])
    one, other = (estimate(table, scores, target="human").table for table in (judged, raters))
    assert by_name(one, "estimate") == pytest.approx(by_name(other, "estimate"))
    plans = (power(raters, scores=scores, target="human", raters_per_summary=n).table for n in (1, 4))
    fewer, more = (plan.set_index("n_topics")["plain_width"] for plan in plans)
    both = fewer.index.intersection(more.index)[:-1]
    assert len(both) > 5
    assert (fewer[both] > more[both]).all()
    with pytest.raises(UsageError, match="single ratings by several assessors"):
        power(judged, scores=scores, target="human", raters_per_summary=1)


@pytest.mark.slow
def test_one_table_years_apart_and_judgments_without_a_score(campaign, table_of, first_eight):
    (y, f), (judged, scores) = campaign, first_eight
    both, known = pd.concat([judged, scores]), estimate(judged, scores, target="human").table
    pd.testing.assert_frame_equal(estimate(both, both, target="human").table, known)
    others = judged[judged["summarizer"] == "1"].assign(summarizer="A")
    with pytest.warns(DataWarning, match="8 judgments without a score are left out, among them 2021 t0-A A"):
        table = estimate(pd.concat([judged, others]), scores, target="human").table
    pd.testing.assert_frame_equal(table, known)
    judged = [judged_of(table_of, y, range(8)), judged_of(table_of, -y, range(9)).assign(task="B")]
    scores = [table_of(f, "m"), table_of(f, "m", task="B")]
    table = estimate(pd.concat(judged), pd.concat(scores), target="human").table
    alone = estimate(judged[1], scores[1], target="human", task="B").table
    pd.testing.assert_frame_equal(table[table["task"] == "B"].reset_index(drop=True), alone)
    with pytest.warns(DataWarning, match="2021-B: scores without judgments"):
        estimate(judged[0], pd.concat(scores), target="human")


def test_differences_of_pairs_and_from_a_baseline(campaign, table_of):
    y, f = campaign
    judged, scores = judged_of(table_of, y, range(20)), table_of(f, "m")
    every = estimate_differences(judged, scores, target="human").table
    assert (list(every), len(every)) == (DIFFERENCES.names[:-1], 66)
    assert every["significant"].equals((every["low"] > 0) | (every["high"] < 0))
    assert ((every["p"] <= 0.05) == every["significant"]).all()
    assert every["p"].min() > 0
    some = estimate_differences(
        judged, scores, target="human", baseline="3", equivalence=(-9.0, np.inf)
    ).table
    assert (set(some["second"]), set(some["verdict"])) == ({"3"}, {"not worse"})
    assert (some["high"] - some["low"] < (every["high"] - every["low"]).mean()).all()
    of_two = estimate_differences(judged, scores, target="human", baseline=["3", "1"]).table
    assert (len(of_two), of_two["first"][11:].eq("3").any()) == (21, False)
    equal = judged.assign(score=5.0)
    with pytest.warns(DataWarning, match="explain all 240 judgments of human, so their variance"):
        of_equal = estimate_differences(equal, scores, target="human")
    every = of_equal.table
    reason = "how judgments vary cannot be estimated"
    assert of_equal.sentence.startswith(
        f"Nothing is compared: no test decides any of the 66 differences ({reason})."
    )
    with pytest.warns(DataWarning), pytest.raises(InputError, match="a plan needs judgments that differ"):
        power(equal, scores=scores, target="human")
    assert every[["low", "high", "p"]].isna().all(axis=None)
    additive = judged.assign(
        score=(judged.groupby("summarizer").ngroup() + judged.groupby("topic").ngroup()) / 20
    )
    with pytest.warns(
        DataWarning, match="summarizers and topics explain all 240 judgments of human, so their variance"
    ):
        every = estimate_differences(additive, scores, target="human").table
    assert every[["low", "high", "p"]].isna().all(axis=None)
    with pytest.warns(DataWarning), pytest.raises(InputError, match="a plan needs judgments that differ"):
        power(additive, scores=scores, target="human")


@pytest.mark.slow
def test_a_plan_of_tiny_scores_is_that_of_others():
    """The square of the unit of scores of 1e-200 is 0, and was divided by."""
    y = np.random.default_rng(0).integers(1, 6, (3, 5)).astype(float)
    places = pd.MultiIndex.from_product([list("abc"), range(5)], names=["system", "topic"])
    judged = pd.DataFrame({"q": y.ravel()}, index=places).reset_index()
    expected, found = (
        power(judged.assign(q=judged["q"] * size), target="q", width=size).table for size in (1.0, 2.0**-650)
    )
    np.testing.assert_allclose(found["width"] * 2.0**650, expected["width"], rtol=1e-9)
    assert found["needed"].equals(expected["needed"])


@pytest.fixture
def learned():
    """A predictor of grades 1 to 5, learned from 44 topics."""
    calibration = dataclasses.replace(CALIBRATED.calibration, n_topics=44)
    return dataclasses.replace(CALIBRATED, target="human", grades=(1.0, 5.0), calibration=calibration)


@pytest.mark.parametrize(("top", "is_said"), [(5, False), (6, True)])
def test_judgments_beyond_the_learned_are_said(campaign, table_of, recwarn, learned, top, is_said):
    grades = np.clip(np.rint(campaign[0] + top - 2), 1, top)
    judged, scores = judged_of(table_of, grades, range(8)), table_of(campaign[1] / 2 + 3, "m")
    estimate(judged, scores, target="human", predictor=learned)
    said = ["trained on 1 to 5, on another scale" in str(one.message) for one in recwarn]
    assert said == [True] * is_said


@pytest.mark.slow
def test_a_plan_says_how_many_topics_are_needed(first_eight):
    judged, scores = first_eight
    table = power(judged, scores=scores, target="human", width=0.6).table
    needed = table["needed"][0]
    assert table.loc[table["n_topics"] == needed, "width"].item() <= 0.6
    assert table["needed_low"][0] <= needed <= table["needed_high"][0]
    assert (table.loc[table["n_topics"] < needed, "width"] > 0.6).all()
    assert table["n_topics"].max() == 30
    nothing = power(judged, scores=scores, target="human", population="like", width=1e-6).table
    assert nothing["needed"].isna().all()
    plan = power(judged, scores=scores, target="human", difference=0.5).table
    assert plan.loc[plan["n_topics"] == plan["needed"], "difference"].item() <= 0.5


@pytest.mark.slow
def test_a_plan_of_one_table_is_that_of_judgments_and_scores(first_eight):
    """Without scores it is of plain means, by a width; options of pairs, and of estimates alone, are refused."""
    judged, scores = first_eight
    expected = power(judged, scores=scores, target="human").table
    both = pd.concat([judged, scores])
    pd.testing.assert_frame_equal(power(both, ["m"], target="human").table, expected)
    pd.testing.assert_frame_equal(power(judged, scores=scores).table, expected)
    alone = power(judged, "human", width=0.6).table
    pd.testing.assert_frame_equal(power(judged, target="human", width=0.6).table, alone)
    assert (alone["n_ratings"] == 12 * alone["n_topics"]).all()
    assert alone["wanted"].unique() == 0.8
    pairs = power(judged, "human", 0.5, systems=["1", "2"]).table
    pd.testing.assert_frame_equal(power(judged, None, 0.5, target="human", systems=["1", "2"]).table, pairs)
    for options in ({"systems": ["1", "2"]}, {"test": "paired_t"}):
        with pytest.raises(UsageError, match="test and systems are of pairs"):
            power(judged, scores=scores, target="human", **options)
    with pytest.raises(UsageError, match="population is of estimates"):
        power(judged, "human", population="like")
    with pytest.raises(UsageError, match="metric is human, m; expected one"):
        power(both, ["human", "m"])


@pytest.mark.slow
def test_a_plan_says_when_the_best_is_settled(first_eight):
    judged, scores = first_eight
    best, second = estimate(judged, scores, target="human").table["estimate"].head(2)
    table = power(judged, scores=scores, target="human").table
    assert table.loc[table["n_topics"] == table["settled"], "difference"].item() <= best - second
    assert (table.loc[table["n_topics"] < table["settled"], "difference"] > best - second).all()
    assert table["needed"].isna().all()


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(("times", "plus"), [(1e-100, 0.0), (1e80, 0.0), (1.0, 1e12)])
def test_judgments_of_any_size_are_estimated(campaign, table_of, times, plus):
    y, f = campaign
    y = np.round(4 * y) / 4
    one, other = (
        estimate(judged_of(table_of, judged, range(8)), table_of(f, "m"), target="human").table
        for judged in (y, y * times + plus)
    )
    for name in ("estimate", "low", "high"):
        assert (by_name(other, name) - plus) / times == pytest.approx(by_name(one, name), abs=3e-4)
    assert other["rank"].tolist() == one["rank"].tolist()


def test_what_cannot_be_estimated_is_said(campaign, table_of, first_eight):
    (y, f), (judged, scores) = campaign, first_eight
    lacking = scores.drop(index=scores.index[40])
    with pytest.raises(InputError, match=r"2021 t10-A 2: no score of m \(1 such summaries\)"):
        estimate(judged, lacking, target="human")
    with pytest.raises(InputError, match="96 judgments without a score, among them 2021 t0-A 1"):
        estimate(judged, scores.assign(topic="x" + scores["topic"]), target="human")
    with pytest.raises(InputError, match="2021-A: 12 judgments of 12 systems on 1 topics are too few"):
        estimate(judged_of(table_of, y, [0]), scores, target="human")
    with pytest.raises(UsageError, match="no summarizer 'x'"):
        estimate_differences(judged, scores, target="human", baseline="x")
    with pytest.raises(UsageError, match="margin ranges from"):
        estimate_differences(judged, scores, target="human", equivalence=(1.0, 2.0))
    with pytest.raises(UsageError, match=r"alpha is 0\.05 and power 0\.01; expected 0 < alpha < power < 1"):
        power(judged, scores=scores, target="human", power=0.01)
    with pytest.raises(InputError, match=r"no judgment of human yet.*three topics or more at random"):
        estimate(table_of(y * np.nan, "human"), table_of(f, "m"), target="human")


@pytest.mark.slow
def test_systems_rated_by_different_people_only_are_not_compared():
    rng = np.random.default_rng(0)
    rows = [
        {
            "topic": str(topic),
            "summarizer": system,
            "assessor": rater,
            "metric": "q",
            "score": grade + rater_gap,
        }
        for topic in range(12)
        for system, rater, rater_gap in (("a", "ann", 0), ("b", "ann", 0), ("c", "bob", 2), ("d", "bob", 2))
        for grade in [float(rng.integers(1, 4))]
    ]
    ratings = pd.DataFrame(rows)
    confounding = "not compared, since raters are confounded with systems"
    with pytest.warns(DataWarning, match=confounding):
        pairs = estimate_differences(ratings, None, target="q").table.set_index(["first", "second"])
    confounded = [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]
    assert pairs.loc[confounded, "difference"].isna().all()
    assert (pairs.loc[confounded, "verdict"] == "undecided").all()
    assert pairs.loc[[("a", "b"), ("c", "d")], "difference"].notna().all()
    with pytest.warns(DataWarning, match=confounding):
        means = estimate(ratings, None, target="q").table
    assert (means["cluster"] == 1).all()
    assert (means["rank_high"] == 4).all()


def ratings_table(kind, *, n_systems, n_raters, missing, seed=1):
    rng = np.random.default_rng(seed)
    read = {
        "numbers": float,
        "grades": lambda value: float(np.clip(round(3 + value), 1, 5)),
        "pass": lambda value: float(value > 0.3),
    }[kind]
    rows = []
    for system in range(n_systems):
        for topic in range(12):
            quality = 0.4 * system + rng.normal()
            is_missing = rng.random() < missing
            for rater in range(max(n_raters, 1)):
                value = read(quality + 0.5 * rng.normal())
                if not (is_missing or (rater and rng.random() < 0.3)):
                    rows.append((topic, f"s{system}", f"r{(rater + topic) % 3}", value))
    table = pd.DataFrame(rows, columns=["topic", "system", "assessor", "q"])
    return table if n_raters else table.drop(columns="assessor")


@pytest.mark.slow(after=1)
@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
@pytest.mark.parametrize("lower_is_better", [None, "q"])
@pytest.mark.parametrize(("n_raters", "missing"), [(0, 0.0), (0, 0.2), (2, 0.2)])
@pytest.mark.parametrize("n_systems", [2, 4])
@pytest.mark.parametrize("kind", ["numbers", "grades", "pass"])
def test_where_everything_is_judged_it_is_compare_to_the_bit(
    kind, n_systems, n_raters, missing, lower_is_better
):
    table = ratings_table(kind, n_systems=n_systems, n_raters=n_raters, missing=missing)
    options = {"lower_is_better": lower_is_better}
    found = estimate(table, target="q", **options)
    ranking = classy_aesop.compare(table, "q", **options)
    assert found.sentence == ranking.sentence
    same = {"estimate": "mean", "rank_low": "best_rank", "rank_high": "worst_rank"}
    for name in ("summarizer", "estimate", "low", "high", "rank", "rank_low", "rank_high", "cluster"):
        np.testing.assert_array_equal(found.table[name], ranking.table[same.get(name, name)])
    for margin in (None, 0.5):
        found = estimate_differences(table, target="q", equivalence=margin, **options)
        pairs = classy_aesop.compare_pairs(table, "q", equivalence=margin, **options)
        assert found.sentence == pairs.sentence
        same = {"low": "low_all", "high": "high_all", "p": "p_adjusted"}
        for name in ("first", "second", "difference", "low", "high", "p", "significant"):
            np.testing.assert_array_equal(found.table[name], pairs.table[same.get(name, name)])
    assert found.table["verdict"].tolist() == pairs.table["verdict"].tolist()


def test_systems_that_share_no_topics_are_warned_of():
    rows = [
        (f"{pair}{topic}", system, topic % 5)
        for pair in ("ab", "cd")
        for topic in range(6)
        for system in pair
    ]
    table = pd.DataFrame(rows, columns=["topic", "system", "quality"])
    with pytest.warns(
        DataWarning, match="not compared with each other, since they share no topics: a, b; c, d"
    ):
        estimate(table, target="quality")


@pytest.mark.slow
def test_scores_add_nothing_where_everything_is_judged(campaign, table_of):
    y, f = campaign
    judged, scores = table_of(y, "human"), table_of(f, "m")
    pd.testing.assert_frame_equal(
        estimate(judged, scores, target="human").table, estimate(judged, target="human").table
    )
    ranking = classy_aesop.compare(judged, "human")
    assert estimate(judged, scores, target="human").sentence == ranking.sentence
    others = judged[judged["summarizer"] == "1"].assign(summarizer="A")  # who has no scores
    with pytest.warns(DataWarning, match="30 judgments without a score are left out"):
        found = estimate(pd.concat([judged, others]), scores, target="human")
    assert found.sentence == ranking.sentence
    here = estimate(judged, scores, target="human", population="at-hand").table
    assert (here["high"] - here["low"]).max() < 1e-4  # nothing of these topics is unknown


@pytest.mark.slow
def test_years_that_are_wholly_judged_stand_beside_others(campaign, table_of):
    y, f = campaign
    judged = [judged_of(table_of, y, range(8)), table_of(-y, "human", task="B")]
    scores = [table_of(f, "m"), table_of(f, "m", task="B")]
    found = estimate(pd.concat(judged), pd.concat(scores), target="human")
    estimators = found.table.groupby("task")["estimator"].unique()
    assert [list(names) for names in estimators] == [["hierarchical"], ["least-squares"]]
    ranking = classy_aesop.compare(judged[1], "human").table
    whole = found.table[found.table["task"] == "B"]
    np.testing.assert_array_equal(whole["low"], ranking["low"])
    assert "for the topics at hand; ranks and clusters are for topics like these; 8 judged" in found.sentence
    pairs = estimate_differences(pd.concat(judged), pd.concat(scores), target="human")
    assert set(pairs.table["population"]) == {"like"}
    assert pairs.sentence.endswith("Differences are for topics like these.")


@pytest.mark.slow
def test_means_are_of_these_topics_and_ranks_and_differences_of_topics_like_these(campaign, first_eight):
    judged, scores = first_eight
    table = estimate(judged, scores, target="human").table
    here = estimate(judged, scores, target="human", population="at-hand").table
    like = estimate(judged, scores, target="human", population="like").table
    means, ranks = ["estimate", "low", "high", "effect"], ["together_low", "together_high", "cluster"]
    pd.testing.assert_frame_equal(table[means], here[means])
    for name in ranks:
        assert by_name(table, name).tolist() == by_name(like, name).tolist()
    assert set(table["rank_population"]) == {"like"}
    pairs = estimate_differences(judged, scores, target="human").table
    expected = estimate_differences(judged, scores, target="human", population="like").table
    pd.testing.assert_frame_equal(pairs, expected)


@pytest.mark.parametrize(("n_judged", "is_noted"), [(2, True), (3, True), (4, False)])
def test_few_judged_topics_are_named_as_the_cause_of_wide_intervals(campaign, table_of, n_judged, is_noted):
    y, f = campaign
    sentence = estimate(judged_of(table_of, y, range(n_judged)), table_of(f, "m"), target="human").sentence
    assert (f"With only {n_judged} judged topics, how much topics vary" in sentence) == is_noted


def labels_and_judge(n_judged=40, n_topics=200, seed=0):
    rng = np.random.default_rng(seed)
    passes = (rng.random(n_topics) < 0.8) * 1.0
    judge = np.where(rng.random(n_topics) < 0.9, passes, 1 - passes)
    labels = np.where(np.arange(n_topics) < n_judged, passes, np.nan)
    topics = [f"i{number:03}" for number in range(n_topics)]
    return pd.DataFrame({"topic": topics, "system": "s", "label": labels, "judge": judge}), passes.mean()


def test_one_system_has_a_mean_beside_that_of_its_labels_alone():
    table, truth = labels_and_judge()
    result = estimate(table.drop(columns="judge"), table.drop(columns="label"), target="label")
    row = result.table.iloc[0]
    assert row["low"] < truth < row["high"]
    assert row["high"] - row["low"] < row["plain_high"] - row["plain_low"]
    assert row["plain"] == pytest.approx(table["label"].mean())
    assert row["worth"] > 40
    assert f"the 40 judgments alone give {row['plain']:.3f} [" in result.sentence
    assert f"as precise as {row['worth']:.1f} judgments alone" in result.sentence


def test_an_absurd_score_of_one_system_is_named_and_does_no_harm():
    table, truth = labels_and_judge()
    table.loc[150, "judge"] = 10_000
    with pytest.warns(DataWarning, match="1 of 200 scores of judge is far from all others"):
        row = estimate(table.drop(columns="judge"), table.drop(columns="label"), target="label").table.iloc[0]
    assert row["low"] < truth < row["high"]


def test_one_system_has_a_plan_by_width_and_no_differences():
    table, _ = labels_and_judge()
    given = table.drop(columns="judge"), table.drop(columns="label")
    plan = power(given[0], scores=given[1], target="label", width=0.1)
    needed = int(plan.table["needed"].iloc[0])
    with_so_many, _ = labels_and_judge(n_judged=needed)
    found = estimate(with_so_many.drop(columns="judge"), given[1], target="label").table.iloc[0]
    assert found["high"] - found["low"] == pytest.approx(0.1, abs=0.02)
    with pytest.raises(UsageError, match="a difference is one of two summarizers, and s is the only one"):
        power(given[0], scores=given[1], target="label", difference=0.1)
    with pytest.raises(InputError, match="s is the only summarizer; expected two or more to compare"):
        estimate_differences(*given, target="label")


def test_one_system_without_labels_is_told_how_to_begin():
    table, _ = labels_and_judge()
    unjudged = table.assign(label=np.nan).drop(columns="judge")
    with pytest.raises(InputError, match=r"draw three topics or more at random"):
        estimate(unjudged, table.drop(columns="label"), target="label")
