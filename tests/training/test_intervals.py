"""Held-out residuals, variance components, quantiles that cover; trained predictors know their errors."""

import dataclasses
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from classy_aesop import train
from classy_aesop.config import Config, RunTable, SearchOptions, Year
from classy_aesop.data import KEYS
from classy_aesop.training.held_out_errors import (
    Components,
    calibrate_groups,
    conformal_calibration,
    covering_quantiles,
    prediction_accuracy,
)
from tests.training.samples import stacked_years

NAMES = ("r2", "redundancy1", "neg_log2_sentences")


def test_quantiles_of_one_value_a_group_are_order_statistics():
    # the greatest of the other nine covers nine of ten left out, from the level 8/9 on: of ten values the ninth
    found = covering_quantiles(np.arange(1.0, 11), np.arange(10), [0.5, 0.9, 0.95])
    assert found[1] == 9
    assert 5 <= found[0] <= 6
    assert np.isnan(found[2])


@pytest.mark.slow
def test_quantiles_cover_new_groups():
    rng = np.random.default_rng(0)
    covered = []
    for _ in range(150):
        values = np.abs(rng.normal(size=(21, 1)) + rng.normal(size=(21, 8)))
        limit = covering_quantiles(values[:20].ravel(), np.repeat(np.arange(20), 8), [0.9])[0]
        covered.append((values[20] <= limit).mean())
    assert np.mean(covered) == pytest.approx(0.9, abs=0.04)


def test_a_confidence_beyond_the_topics_is_not_kept():
    stacked = stacked_years(4, 12)
    found = conformal_calibration(np.random.default_rng(3).normal(size=48), stacked)
    assert (found.n_topics, found.n_summarizers) == (12, 4)
    assert found.levels == (0.5, 0.6, 0.7, 0.8, 0.9)  # 12 / 13 = .923
    assert list(found.summaries) == sorted(found.summaries)


def test_more_topics_narrow_an_interval_to_the_part_between_summarizers_and_years():
    rng, stacked = np.random.default_rng(4), stacked_years(20, 30, n_years=2)
    residuals = rng.normal(size=len(stacked.years)) + rng.normal(size=60)[stacked.topics]
    residuals += 0.4 * (2 * stacked.years - 1)
    parts = Components.estimate(residuals, stacked)
    between = parts.years[0] + parts.summarizers[0] + parts.topics[0] / parts.n_topics
    widths = conformal_calibration(residuals, stacked, n_years=2).mean_half_widths(0.9, np.arange(1, 200))
    assert (np.diff(widths) <= 0).all()
    assert (
        widths[19] > parts.half_widths(20, [0.9])[0]
    )  # the formula alone is narrower for 20 topics than for 100
    assert widths[-1] == parts.half_widths(100, [0.9])[0] > 1.645 * np.sqrt(between)


def residuals_of_groups(rng, stacked, human):
    """Humans are predicted too low and judged alike; systems are predicted right, and judged less alike."""
    errors = rng.normal(scale=np.where(human, 0.2, 1.0)) + np.where(human, 0.6, 0.0)
    return errors + rng.normal(scale=0.1, size=stacked.summarizer_names.max() + 1)[stacked.summarizer_names]


@pytest.mark.slow
def test_systems_and_humans_have_intervals_of_their_own_that_cover():
    rng, stacked, covered = np.random.default_rng(7), stacked_years(20, 30), []
    human = stacked.summarizer_names >= 12
    stacked = replace(stacked, human=human)
    for _ in range(60):
        found = calibrate_groups(residuals_of_groups(rng, stacked, human), stacked)
        new = residuals_of_groups(rng, stacked, human)
        means = np.bincount(stacked.summarizer_names, new) / 30
        is_human = np.arange(20) >= 12
        inside = [np.abs(new) <= found.half_widths(0.9, human)]
        inside += [np.abs(means) <= found.half_widths(0.9, is_human, np.full(20, 30))]
        rows = (~human, human), (~is_human, is_human)
        covered.append([one[of].mean() for one, each in zip(inside, rows, strict=True) for of in each])
    systems, humans, of_systems, of_humans = np.mean(covered, axis=0)
    assert (systems, humans, of_systems) == pytest.approx((0.9, 0.9, 0.9), abs=0.03)
    assert of_humans > 0.9  # their common error is in the width, which is the same above and below
    n_topics = np.array([30])
    assert 2 * found.mean_half_widths(0.9, n_topics) < conformal_calibration(new, stacked).mean_half_widths(
        0.9, n_topics
    )


@pytest.mark.parametrize(("n_humans", "n_topics"), [(2, 30), (8, 5)])
def test_a_group_that_is_too_small_falls_back_to_all(n_humans, n_topics):
    rng, stacked = np.random.default_rng(8), stacked_years(20, 30)
    stacked = stacked.take(
        (stacked.summarizer_names < 12)
        | (stacked.topic_names < n_topics) & (stacked.summarizer_names < 12 + n_humans)
    )
    human = stacked.summarizer_names >= 12
    residuals = residuals_of_groups(rng, stacked, human)
    found = calibrate_groups(residuals, replace(stacked, human=human))
    assert found.humans is None
    assert found == conformal_calibration(residuals, stacked)


@pytest.fixture(scope="module")
def trained(corpora):
    """A calibrated and an uncalibrated run. Only to be read."""
    runs = (
        RunTable("x", "responsiveness", "canonical", tasks=("A",), peers=("no_models",)),
        RunTable("raw", "responsiveness", "canonical", tasks=("A",), peers=("no_models",), calibrate=False),
    )
    config = Config(
        tuple(map(Year, corpora)),
        runs=runs,
        search=SearchOptions.from_method("classy2011", names=NAMES),
        about={"licence": "none"},
    )
    return {one.run.name: one.predictor for one in train(config, corpora).trained}


@pytest.mark.slow
def test_two_training_years_are_in_the_intervals_and_in_the_record(corpora, config_of):
    run = RunTable("x", "responsiveness", "ridge", peers=("all_peers",))
    given = {name: with_raters(corpus) for name, corpus in corpora.items()}
    [found] = train(config_of(run=run, refit="all", scale="standardize"), given).trained
    predictor = found.predictor
    assert predictor.calibration.n_years == 2
    assert predictor.grades == (1, 5)
    worth = predictor.training["worth"]
    assert 0 < worth["error"] < 5
    assert worth["rater_error"] == 1  # each pair of raters is one apart
    assert worth["rater_within_topics"] == pytest.approx(1)
    predicted = predictor.predict(corpora["2023"].select(tasks=["A"]), confidence=0.8)  # warns of nothing
    assert predicted["low"].notna().all()


def with_raters(corpus):
    """Let two raters have judged each summary, half a grade above and below."""
    parts = [
        corpus.judgments.assign(assessor=name, score=corpus.judgments["score"] + by)
        for name, by in (("P", -0.5), ("Q", 0.5))
    ]
    return dataclasses.replace(corpus, ratings=pd.concat(parts, ignore_index=True))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.* intervals come from one year")
def test_a_trained_predictor_knows_its_errors(trained, corpora):
    predictor = trained["x"]
    assert predictor.calibration is not None
    assert predictor.calibration.n_topics == 5
    assert trained["raw"].calibration is None
    assert predictor.training["about"] == {"licence": "none"}
    corpus = corpora["2023"].select(tasks=["A"])
    found = predictor.predict(corpus, confidence=0.8)
    assert (found["low"] < found["score"]).all()
    for one in trained.values():
        sums = one.explain(corpus).groupby(["topic", "summarizer"], sort=False)["contribution"].sum()
        np.testing.assert_allclose(sums, one.predict(corpus)["score"], atol=1e-9)


def test_components_by_hand():
    # the means of summarizers are 1, 5, of topics 1, 3, 5; the mean 3; what is left -1, 1, 0, 1, -1, 0; chance alone
    # moves the mean by (8 - 2/3) / 2 + (4 - 1) / 3 + 2 / 6 = 5, in squares
    found = Components.estimate(np.array([-2.0, 2.0, 3.0, 4.0, 4.0, 7.0]), stacked_years(2, 3))
    assert found.years == (0, 1)
    assert found.summarizers == pytest.approx((8 - 2 / 3 + 9 - 5, 1))
    assert found.topics == pytest.approx((4 - 2 / 2, 2))
    assert found.residual == (2.0, 2)
    parts = 8 - 2 / 3 + 4, 3 * (1 / 6 + 1 / 3), 2 / 6
    variance = sum(parts)
    degrees = variance**2 / (parts[0] ** 2 / 1 + parts[1] ** 2 / 2 + parts[2] ** 2 / 2)
    [width] = found.half_widths(6, [0.9])
    assert width == pytest.approx(np.sqrt(variance) * t.ppf(0.95, degrees))


def test_widths_cover_another_year():
    """Of two years that were each predicted from the other, the third is as far; what was held out knows how far."""
    rng, stacked, covered, without = np.random.default_rng(6), stacked_years(20, 30, n_years=2), [], []
    at = stacked.years, stacked.summarizers, stacked.topics
    for _ in range(300):
        level, (own, other, new) = rng.normal(scale=0.3, size=3), rng.normal(scale=0.2, size=(3, 20))
        errors = (
            np.concatenate([own, other])[at[1]]
            + rng.normal(scale=0.5, size=60)[at[2]]
            + rng.normal(size=1200)
        )
        distance = level[1] - level[0]
        found = Components.estimate(errors + distance * (2 * at[0] - 1), stacked)
        mean = (
            new
            + level[2]
            - level[1]
            + (rng.normal(scale=0.5, size=(1, 30)) + rng.normal(size=(20, 30))).mean(axis=1)
        )
        for parts, kept in ((found, covered), (replace(found, years=(0.0, 1)), without)):
            kept.append((np.abs(mean) <= parts.half_widths(30, [0.9])[0]).mean())
    assert np.mean(covered) == pytest.approx(0.9, abs=0.05)
    assert np.mean(without) < 0.75


NOBODY = pd.DataFrame(columns=[*KEYS, "score"])


def test_predictions_by_hand():
    # two topics of three: the first in order, the second with the last two exchanged
    truth = np.array([1.0, 2, 3, 1, 2, 3])
    found = prediction_accuracy(
        truth, truth - np.array([1.0, 2, 3, 2, 4, 3]), np.array([4, 4, 4, 7, 7, 7]), NOBODY
    )
    assert found["error"] == pytest.approx((1 + 2 + 0) / 6)
    assert found["error_of_mean"] == pytest.approx(4 / 6)
    assert found["within_topics"] == pytest.approx((1 + 0.5) / 2)
    assert found["rater_error"] is found["rater_within_topics"] is None


def test_raters_by_hand():
    rated = {"P": (1, 2, 3), "Q": (1, 2, 3), "R": (3, 2, 1)}
    rows = [
        ("1", "T", "", f"s{at}", name, score) for name, own in rated.items() for at, score in enumerate(own)
    ]
    ratings = pd.DataFrame([*rows, ("1", "T", "", "s9", "P", 9)], columns=[*KEYS, "assessor", "score"])
    found = prediction_accuracy(np.ones(2), np.zeros(2), np.zeros(2, int), ratings)
    # the others of P and of Q say 2 everywhere, those of R the reverse of R; s9 has one rater alone
    assert found["rater_error"] == pytest.approx((1 + 0 + 1 + 1 + 0 + 1 + 2 + 0 + 2) / 9)
    assert found["rater_within_topics"] == pytest.approx(-1)
    assert found["within_topics"] is None
