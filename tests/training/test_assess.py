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
        (verdict(0.1), "The prediction 0-A-all_peers beats ROUGE-2: on 2023",
         "This difference is significant for other systems like these (p = 0.001), and for these (p = 0.001)."),
        (verdict(0.1).assign(target="human_score"), "of its system means with human_score is 0.800", "is significant"),
        (verdict(0.1, p=0.4), "The prediction 0-A-all_peers has a higher correlation than ROUGE-2: on 2023",
         "This difference is not significant for other systems like these (p = 0.400), but significant for these"),
        (verdict(0.1, here=0.4), "beats ROUGE-2", "(p = 0.001), but not for these (p = 0.400)."),
        (verdict(-0.1), "does not beat ROUGE-2", "is significant for other systems like these (p = 0.001"),
        (verdict(0.0, p=1.0, here=1.0), "equals ROUGE-2", "(p = 1.000), nor for these (p = 1.000)."),
        (verdict(0.1, -0.2, 0.3), "than ROUGE-2 in 2 of 3 runs", "2 gains (0-A-all_peers +0.100, 2-A-all_peers +0"),
        (verdict(0.1, -0.2), "than ROUGE-2 in 1 of 2 runs", "1 gain (0-A-all_peers +0.100) and 1 loss (1-A-"),
        (verdict(0.1, 0.2, p=0.5), "in 2 of 2 runs",
         "None is significant for other systems like these (Holm); tested on these systems alone, 2 of 2 are."),
        (verdict(0.1, np.nan), "in 1 of 1 runs (1 more cannot be compared)",
         "Significant for other systems like these (Holm) is 1 gain"),
        (verdict(np.nan, p=np.nan).assign(rival=np.nan), "is 0.800; that of ROUGE-2 is undefined", ""),
        (verdict(np.nan, np.nan, p=np.nan, value=np.nan), "Nothing was learned: on 2023 all systems get the same",
         "or use ROUGE-2 itself (up to 0.700)."),
        (verdict(np.nan, p=np.nan, value=np.nan).assign(rival=np.nan), "Nothing was learned", "more features"),
    ],
)  # fmt: skip
def test_two_sentences_say_it(table, first, second):
    found = sentences(table, ["2022", "2023"])
    assert first in found[0]
    assert second in found[-1]
    assert all(one.endswith(".") for one in found)


def test_a_year_without_human_scores_is_not_one_where_nothing_was_learned():
    found = sentences(verdict(np.nan, value=np.nan), ["2022", "2023"], is_judged=False)
    assert "2023 has no human scores of responsiveness" in found[0]
    assert "0.900" in found[1]


@pytest.mark.slow
def test_a_year_without_judgments_is_reported(config_of, corpora):
    last = corpora["2023"]
    bare = dataclasses.replace(last, judgments=last.judgments.iloc[:0])
    found = train(config_of(run="nonnegative"), {**corpora, "2023": bare})
    assert found.verdict["p"].isna().all()
    assert found.points["judged"].isna().all()
    assert "has no human scores" in sentences(found.verdict, ["2022", "2023"], is_judged=False)[0]


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
