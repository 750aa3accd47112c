"""Designs have the differences that they are said to have, and packages that do the same find the same."""

import numpy as np
import pytest
from scipy.stats import norm

from benchmarks import peers
from benchmarks.peer_designs import Design


@pytest.mark.parametrize(
    ("kind", "shift", "difference"),
    [
        ("pass.8", 0.35, norm.cdf(norm.ppf(0.8) + 0.35) - 0.8),
        ("lognormal", 0.27, np.exp(0.5) * np.expm1(0.27)),
        ("mixture", -0.66, -0.132),
        ("grades", 0.0, 0.0),
    ],
)
def test_true_differences(kind, shift, difference):
    assert Design(kind, 40, shift).difference() == pytest.approx(difference, abs=0.003)


@pytest.mark.parametrize("kind", ["grades", "pass.95", "lognormal", "mixture", "points"])
@pytest.mark.parametrize("feature", ["", "attempts"])
def test_drawn_systems_differ_by_the_true_difference(kind, feature):
    design = Design(kind, 50_000, 0.3, feature)
    a, b = design.draw(np.random.default_rng(1)).means
    assert np.mean(a - b) == pytest.approx(design.difference(), abs=4 * np.std(a - b) / np.sqrt(50_000))


def test_a_fifth_is_missing_at_random_or_of_one_system_among_hard_topics():
    at_random, hard = (
        np.isnan(Design("grades", 20_000, feature=feature).draw(np.random.default_rng(2)).means)
        for feature in ("missing", "missing-hard")
    )
    np.testing.assert_allclose(at_random.mean(axis=1), 0.2, atol=0.015)
    np.testing.assert_allclose(hard.mean(axis=1), [0.2, 0], atol=0.015)
    a, b = Design("lognormal", 20_000, feature="missing-hard").draw(np.random.default_rng(2)).means
    assert np.mean(b[np.isnan(a)]) < np.mean(b[~np.isnan(a)])


def test_three_raters_judge_four_fifths_of_a_system():
    frame = Design("points", 20_000, feature="raters").draw(np.random.default_rng(3)).frame
    shares = (frame["rater"] < 3).groupby(frame["model"]).mean()
    np.testing.assert_allclose(shares[["a", "b"]], [0.8, 0.2], atol=0.015)


def test_judged_draw_lists_the_labels_and_all_scores_of_the_judge():
    draw = Design("pass.75", 200).draw_judged("useless", 40, np.random.default_rng(4))
    labels, scores = draw.tables()
    assert (len(labels), len(scores)) == (80, 400)
    first = labels.iloc[0]
    assert (first["model"], first["score"]) == ("a", draw.human[0, first["item"]])
    assert abs(np.corrcoef(draw.human[0], draw.judge[0])[0, 1]) < 0.25


def test_missing_ends_of_intervals_exclude_nothing():
    answers = np.array([[0.5, -1, 1], [0.01, 0.1, 1], [1, np.nan, np.nan], [0.5, -np.inf, 0.0]])
    assert peers.covers(answers, 0.0).tolist() == [True, False, True, True]


def test_packages_that_are_not_installed_are_left_out(monkeypatch):
    monkeypatch.setattr(peers, "find_spec", lambda name: None)
    assert peers.present(peers.COMPARERS) == ["package", "its paired_t"]
    assert peers.present(peers.MEANS) == ["labels", "package", "package, a alone"]


@pytest.mark.parametrize(
    "design", [Design("grades", 40, 0.35), Design("grades", 40, 0.35, "missing")], ids=str
)
def test_paired_t_of_errorbars_is_ours(design):
    pytest.importorskip("errorbars")
    draw = design.draw(np.random.default_rng(5))
    np.testing.assert_allclose(peers.COMPARERS["its paired_t"](draw), peers.by_errorbars(draw), rtol=1e-5)
