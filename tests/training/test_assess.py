"""Does a prediction beat ROUGE-2: the numbers, and the sentences that say it."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from classy_aesop import train
from classy_aesop.data import KEYS
from classy_aesop.pages.run_sentences import verdict_sentences as sentences
from classy_aesop.training.assess import add_intervals, compare_metrics_by_permutation
from classy_aesop.training.run_columns import VERDICT


@pytest.fixture(scope="module")
def experiment(config_of, corpora):
    return train(config_of(run="nonnegative"), corpora)


@pytest.mark.slow
def test_the_verdict_agrees_with_the_assessment(experiment):
    [row] = experiment.verdict.to_dict("records")
    system = experiment.assessment.query("level == 'system' and coefficient == 'pearson'").set_index("metric")
    assert list(experiment.verdict) == [column.name for column in VERDICT]
    assert row["value"] == pytest.approx(system["value"]["x-A-no_models"], abs=1e-12)
    assert row["rival"] == pytest.approx(system["value"]["ROUGE-2"], abs=1e-12)
    assert row["difference"] == pytest.approx(row["value"] - row["rival"], abs=1e-12)
    assert 0 < row["p"] <= 1
    assert row["p_adjusted"] == row["p"]


def scores(values, name="score"):
    n_summarizers, n_topics = values.shape
    keys = [("2023", f"T{topic}", "A", str(one)) for one in range(n_summarizers) for topic in range(n_topics)]
    return pd.DataFrame(keys, columns=KEYS).assign(metric=name, score=values.ravel())


def test_no_common_instance_gives_nothing():
    values = scores(np.ones((3, 2)))
    assert (
        compare_metrics_by_permutation(
            values, values, values.assign(year="1999"), rng=np.random.default_rng(0)
        )
        is None
    )


def test_intervals_are_fishers_and_of_system_means_only(experiment):
    rows = experiment.assessment
    assert (rows["low"].notna() == (rows["level"] == "system")).all()
    system = rows[rows["level"] == "system"]
    assert ((system["low"] < system["value"]) & (system["value"] < system["high"])).all()
    assert {"low", "high"} <= set(add_intervals(rows.iloc[:0].drop(columns=["low", "high"])))


def verdict(*differences, p=0.001, here=0.001, value=0.8):
    n = len(differences)
    table = pd.DataFrame({"difference": differences}, dtype=float)
    names = [f"{at}-A-all_peers" for at in range(n)]
    table = table.assign(
        metric=names, target="responsiveness", selected=0.9, value=value, rival=0.7, against="ROUGE-2"
    )
    return table.assign(p=p, p_adjusted=p, p_here=here, p_here_adjusted=here, n_resamples=999)


@pytest.mark.parametrize(
    ("table", "first", "second"),
    [
        (verdict(0.1), "The prediction agrees better with people than ROUGE-2, by 0.100: significant for other",
         "significant for other systems like these (p = 0.001), and for these (p = 0.001)."),
        (verdict(0.1, p=0.4), "by 0.100: not significant for other systems like these (p = 0.400), but", ""),
        (verdict(0.1, here=0.4), "better with people", "(p = 0.001), but not for these (p = 0.400)."),
        (verdict(-0.1), "agrees worse with people than ROUGE-2, by 0.100", "significant for other systems like these"),
        (verdict(0.1, -0.2, 0.3), "The predictions agree better with people than ROUGE-2 in 2 of 3 cases,",
         "for other systems like these in 2, and significantly worse in 1."),
        (verdict(0.1, 0.2, p=0.5), "in 2 of 2 cases, significantly for other systems like these in 0.",
         "do not show that they are better than ROUGE-2 on other systems like these: at most 9 summarizers were"),
        (verdict(0.1, np.nan), "in 1 of 1 cases, significantly for other systems like these in 1.", ""),
        (verdict(np.nan, p=np.nan).assign(rival=np.nan), "is 0.800; that of ROUGE-2 is undefined", ""),
        (verdict(np.nan, np.nan, p=np.nan, value=np.nan), "Nothing was learned: on 2023 all systems get the same",
         "or use ROUGE-2 itself (up to 0.700)."),
        (verdict(np.nan, p=np.nan, value=np.nan).assign(rival=np.nan), "Nothing was learned", "more features"),
    ],
)  # fmt: skip
def test_a_sentence_or_two_say_it(table, first, second):
    found = sentences(table, ["2022", "2023"], 9)
    assert first in found[0]
    assert second in found[-1]
    assert all(one.endswith(".") for one in found)


def test_a_year_without_human_scores_is_not_one_where_nothing_was_learned():
    found = sentences(verdict(np.nan, value=np.nan), ["2022", "2023"], 0)
    assert "2023 has no human scores of responsiveness" in found[0]
    assert "0.900" in found[1]


@pytest.mark.slow
def test_a_year_without_judgments_is_reported(config_of, corpora):
    last = corpora["2023"]
    bare = dataclasses.replace(last, judgments=last.judgments.iloc[:0])
    found = train(config_of(run="nonnegative"), {**corpora, "2023": bare})
    assert found.verdict["p"].isna().all()
    assert found.points["judged"].isna().all()
    assert "has no human scores" in sentences(found.verdict, ["2022", "2023"], 0)[0]


def test_points_hold_the_interval_and_the_judgment(experiment):
    points, [one] = experiment.points, experiment.trained
    assert len(points.dropna(subset=["judged"])) == len(points) > 0
    assert not points["human"].any()
    half = (
        one.predictor.calibration.summary_half_width(0.9)
        if 0.9 in one.predictor.calibration.levels
        else np.nan
    )
    np.testing.assert_allclose(points["high"] - points["score"], half)
    pd.testing.assert_frame_equal(experiment.predictions, points[[*KEYS, "metric", "score"]])


def test_the_spread_of_contributions_is_that_of_the_explanation(experiment, corpora):
    [one] = experiment.trained
    parts = one.predictor.explain(corpora["2023"].select(tasks=["A"]))
    systems = set(experiment.points["summarizer"])
    parts = parts[parts["summarizer"].isin(systems) & (parts["part"] != "baseline")]
    spread = parts.groupby("part")["contribution"].std(ddof=0)
    found = experiment.contributions.set_index("part")["spread"]
    np.testing.assert_allclose(found, spread[found.index], atol=1e-12)


def test_predictions_are_compared_with_four_forms_of_rouge(experiment):
    assert {"ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4"} <= set(experiment.assessment["metric"])
