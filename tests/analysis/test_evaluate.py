"""Correlations and their intervals from tables: the same as on the matrices, and as printed."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import evaluate, read_scores
from classy_aesop.analysis.metrics import COLUMNS, INTERVAL_COLUMNS, INTERVALS, IntervalOptions
from classy_aesop.data import tidy
from classy_aesop.errors import UsageError
from classy_aesop.report.arrangement import evaluation
from classy_aesop.significance.correlation import correlation
from classy_aesop.significance.intervals import bootstrap_interval, fisher_interval
from classy_aesop.work.records import seeded_rng


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("method", INTERVALS)
def test_intervals_are_those_of_the_matrices(tables, judged, shuffle, method):
    interval = IntervalOptions(method, confidence=0.9, n_resamples=99, seed=6)
    table = evaluate(
        *map(shuffle, tables), levels=["system", "input"], coefficients=["kendall"], interval=interval
    )
    row = table.set_index(["task", "metric", "level"]).loc[("A", "m2", "input")]
    options = {"level": "input", "coefficient": "kendall", "confidence": 0.9}
    if method == "fisher":
        found = fisher_interval(judged["m2"], judged["human"], **options)
    else:
        rng = seeded_rng(6, "2021", "A", "m2", "human", "input", "kendall")
        options |= {"resample": INTERVALS[method], "n_resamples": 99, "rng": rng}
        found = bootstrap_interval(judged["m2"], judged["human"], **options)
    assert (row["value"], row["low"], row["high"]) == (found.value, found.low, found.high)
    assert (row["n"], row["n_resamples"], row["interval"]) == (6, found.n_resamples, method)
    assert pd.isna(row["seed"]) if method == "fisher" else row["seed"] == 6


@pytest.mark.slow
def test_an_interval_adds_columns_and_changes_none(tables):
    plain = evaluate(*tables)
    ends = evaluate(*tables, interval=IntervalOptions("fisher"))
    assert list(plain) == ["year", "task", "metric", "target", *COLUMNS]
    pd.testing.assert_frame_equal(ends.drop(columns=INTERVAL_COLUMNS), plain)


def test_levels_and_coefficients_are_chosen(tables):
    table = evaluate(*tables, levels=["global"], coefficients=["tau_ap", "pairwise_accuracy"])
    assert set(zip(table["level"], table["coefficient"], strict=True)) == {
        ("global", "tau_ap"), ("global", "pairwise_accuracy")
    }  # fmt: skip


def test_rounding_noise_within_a_topic_is_skipped_by_every_coefficient():
    """Of two topics one says nothing but for rounding: by hand, the coefficients stand on the other (1, 2, 3)."""
    rows = [("D1", str(at), at) for at in (1, 2, 3)]
    rows += [("D2", "1", -1.0), ("D2", "2", -1.0000000000000002), ("D2", "3", -1.0)]
    scores = pd.DataFrame(rows, columns=["topic", "summarizer", "m"])
    human = scores.assign(m=[1, 2, 3, 1, 2, 3]).rename(columns={"m": "quality"})
    table = evaluate(tidy(scores), tidy(human), levels=["input"])
    assert table["n_skipped"].tolist() == [1, 1, 1]
    assert table["value"].tolist() == pytest.approx([1, 1, 1])
    assert len(evaluation(table)) == 1


def test_wrong_choices(tables):
    with pytest.raises(UsageError, match="interval is 'normal'; expected one of fisher"):
        IntervalOptions("normal")
    with pytest.raises(ValueError, match="confidence is 95"):
        IntervalOptions("fisher", confidence=95)
    with pytest.raises(UsageError, match="kind is 'basic'; expected one of percentile, bca, normal"):
        IntervalOptions("boot-both", kind="basic")
    for method, kind in (("fisher", "normal"), ("boot-both", "bca")):
        with pytest.raises(UsageError, match=f"no {kind} interval by {method}"):
            IntervalOptions(method, kind=kind)
    with pytest.raises(UsageError, match="no Fisher interval of tau_ap"):
        evaluate(*tables, coefficients=["tau_ap"], interval=IntervalOptions("fisher"))
    with pytest.raises(UsageError, match="seed is -1"):
        evaluate(*tables, interval=IntervalOptions("boot-both", seed=-1))


def test_interval_of_rouge_on_summeval_as_printed(shared):
    """Deutsch et al. (2021), Figure 4: ROUGE-2 F1 with relevance, Kendall, system level: [-.09, .84]."""
    scores, judgments = (
        read_scores(shared / "data/summeval" / f"{name}.jsonl") for name in ("scores_rouge", "judgments")
    )
    table = evaluate(
        scores[scores["metric"] == "rouge-2.f1"],
        judgments[judgments["metric"] == "relevance"],
        levels=["system"],
        coefficients=["kendall"],
        interval=IntervalOptions("boot-both"),
    )
    (row,) = table.to_dict("records")
    np.testing.assert_allclose([row["low"], row["high"]], [-0.09, 0.84], atol=0.03)
    assert (row["n_summarizers"], row["n_topics"]) == (16, 100)


@pytest.mark.slow
def test_workers_change_nothing(tables):
    interval = IntervalOptions("boot-both", n_resamples=99)
    one = evaluate(*tables, levels=["system"], interval=interval)
    pd.testing.assert_frame_equal(evaluate(*tables, levels=["system"], interval=interval, n_jobs=2), one)


def test_progress_is_shown_if_asked_for(tables, capsys):
    plain = evaluate(*tables, levels=["system"])
    assert capsys.readouterr().err == ""
    pd.testing.assert_frame_equal(evaluate(*tables, levels=["system"], progress=True), plain)
    assert "correlations: 100%" in capsys.readouterr().err


def test_accuracies_have_their_chance_level_beside_them(tables, judged):
    """Soft accuracy is of systems only, so there is no row of it within topics; correlations have chance 0."""
    names = ["acc_eq", "acc_eq_calibrated", "soft_pairwise_accuracy", "kendall"]
    table = evaluate(*tables, levels=["system", "input"], coefficients=names)
    assert list(table) == ["year", "task", "metric", "target", *COLUMNS, "chance", "epsilon"]
    own = table[(table["task"] == "A") & (table["metric"] == "m2")]
    assert list(own.loc[own["level"] == "system", "coefficient"]) == names
    assert list(own.loc[own["level"] == "input", "coefficient"]) == ["acc_eq", "acc_eq_calibrated", "kendall"]
    for name in ("acc_eq", "acc_eq_calibrated"):
        found = correlation(judged["m2"], judged["human"], level="input", coefficient=name)
        row = own[(own["level"] == "input") & (own["coefficient"] == name)].iloc[0]
        assert (row["value"], row["chance"]) == (found.value, found.chance)
    assert row["epsilon"] == found.epsilon
    assert set(table.loc[table["coefficient"] == "kendall", "chance"]) == {0.0}
    wide = evaluation(table)
    assert {"acc_eq (chance)", "kendall"} <= set(wide)
    assert wide["acc_eq (chance)"].iloc[0].endswith(" (0.500)")


def test_a_coefficient_that_no_level_has_is_refused(tables):
    with pytest.raises(UsageError, match="no soft_pairwise_accuracy at level input; expected level system"):
        evaluate(*tables, levels=["input"], coefficients=["soft_pairwise_accuracy"])
