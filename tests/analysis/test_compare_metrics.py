"""Metric against metric, from tables: the same as on the matrices, corrected in both families."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from classy_aesop import compare_metrics
from classy_aesop.analysis.metric_pairs import COMPARISON, DECIDED
from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.significance import resampling
from classy_aesop.significance.metric_tests import (
    TESTS,
    MetricTest,
    bootstrap_test,
    permutation_test,
    williams_test,
)
from classy_aesop.significance.multiplicity import adjusted_matrix
from classy_aesop.significance.resampling import draw_swaps
from classy_aesop.work.records import seeded_rng

NAMES = ["m1", "m2", "m10"]


def by_library(judged, method, pair, level, coefficient):
    X, Y, Z = judged[pair[0]], judged[pair[1]], judged["human"]
    options = {"level": level, "coefficient": coefficient}
    if method == "williams":
        return williams_test(X, Y, Z, **options)
    options |= {"n_resamples": 99, "rng": seeded_rng(4, "2021", "A", level, coefficient)}
    if method == "boot":
        return bootstrap_test(X, Y, Z, **options)
    swap = {"perm-both": "cells", "perm-systems": "systems", "perm-inputs": "inputs"}[method]
    return permutation_test(X, Y, Z, swap=swap, **options)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("method", ["perm-both", "perm-systems", "perm-inputs", "boot", "williams"])
def test_comparisons_are_those_of_the_matrices(tables, judged, shuffle, method):
    table = compare_metrics(
        *map(shuffle, tables),
        "human",
        metric_test=method,
        levels=["system", "input"],
        coefficients=["kendall"],
        n_resamples=99,
        seed=4,
        task="A",
    )
    assert list(table) == [*COMPARISON, *DECIDED]
    for level in ("system", "input"):
        own = table[table["level"] == level]
        assert list(zip(own["first"], own["second"], strict=True)) == list(itertools.permutations(NAMES, 2))
        P = np.full((3, 3), np.nan)
        for row in own.to_dict("records"):
            found = by_library(judged, method, (row["first"], row["second"]), level, "kendall")
            assert (row["p"], row["difference"], row["n"]) == (found.p, found.difference, found.n)
            P[NAMES.index(row["first"]), NAMES.index(row["second"])] = found.p
        for column, family in (("p_by_first", "rows"), ("p_overall", "smaller")):
            expected = adjusted_matrix(P, family=family)[~np.eye(3, dtype=bool)]
            np.testing.assert_array_equal(own[column], expected)


def test_tests_are_known_by_their_own_names():
    assert [test.name for test in TESTS.values()] == list(TESTS)


def test_a_test_added_by_one_line_is_compared(monkeypatch, tables, judged):
    def halved(X, Y, Z, *, level, coefficient):
        found = williams_test(X, Y, Z, level=level, coefficient=coefficient)
        return replace(found, p=found.p / 2)

    monkeypatch.setitem(TESTS, "new", MetricTest("new", halved, resamples=False))
    table = compare_metrics(
        *tables, "human", metric_test="new", task="A", n_resamples=1
    )  # no warning of too few
    for row in table.to_dict("records"):
        p = williams_test(judged[row["first"]], judged[row["second"]], judged["human"]).p
        assert (row["p"], row["n_resamples"], row["test"]) == (p / 2, 0, "new")
    assert table["seed"].isna().all()


def test_a_resampling_test_added_by_one_line_gets_its_resamples(monkeypatch, tables, judged):
    def systems_drawn(X, Y, Z, **options):
        return bootstrap_test(X, Y, Z, resample="systems", **options)

    monkeypatch.setitem(TESTS, "new", MetricTest("new", systems_drawn, resamples=True))
    options = {"metric_test": "new", "task": "A", "seed": 4}
    table = compare_metrics(*tables, "human", n_resamples=99, **options)
    for row in table.to_dict("records"):
        pair = row["first"], row["second"]
        rng = seeded_rng(4, "2021", "A", "system", "pearson")
        scores = (judged[name] for name in (*pair, "human"))
        expected = systems_drawn(*scores, level="system", coefficient="pearson", n_resamples=99, rng=rng)
        assert (row["p"], row["n_resamples"], row["seed"]) == (expected.p, 99, 4)
    with pytest.warns(DataWarning, match="9 resamples cannot make"):
        compare_metrics(*tables, "human", n_resamples=9, **options)


def test_p_does_not_depend_on_what_else_is_tested(tables):
    options = {"n_resamples": 99, "seed": 1}
    everything = compare_metrics(*tables, "human", levels=["system", "input"], **options)
    alone = compare_metrics(*tables, "human", metrics=["m10", "m1"], task="B", **options)
    key = ["task", "level", "first", "second"]
    both = alone.merge(everything, on=key, suffixes=("", "_all"))
    assert len(both) == 2
    assert list(both["p"]) == list(both["p_all"])


def test_a_family_is_one_task_level_and_coefficient(tables):
    """By Bonferroni, by hand: two tests share their first metric, three pairs are a family."""
    table = compare_metrics(
        *tables, "human", metric_test="williams", coefficients=["pearson", "kendall"], correction="bonferroni"
    )
    assert len(table) == 2 * 2 * 6
    np.testing.assert_allclose(table["p_by_first"], np.minimum(2 * table["p"], 1))
    tested = table[table["p_overall"].notna()]
    assert len(tested) == 2 * 2 * 3
    np.testing.assert_allclose(tested["p_overall"], np.minimum(3 * tested["p"], 1))
    assert (tested.loc[tested["flag"] == "", "p"] <= 0.5).all()


def test_a_constant_metric_is_flagged(tables):
    scores = tables[0].assign(score=tables[0]["score"].where(tables[0]["metric"] != "m2", 1.0))
    table = compare_metrics(scores, tables[1], "human", n_resamples=59)
    touched = (table["first"] == "m2") | (table["second"] == "m2")
    assert set(table.loc[touched, "flag"]) == {"undefined correlation"}
    assert set(table.loc[touched, "p"]) == {1.0}
    assert set(table.loc[~touched, "flag"]) == {""}


def test_too_few_resamples_for_the_pairs_are_reported(tables):
    with pytest.warns(DataWarning, match=r"58 resamples cannot make a p of 3 tests .*; 59 or more can"):
        compare_metrics(*tables, "human", n_resamples=58)
    compare_metrics(*tables, "human", n_resamples=59)
    compare_metrics(*tables, "human", metric_test="williams", n_resamples=1)


def test_wrong_requests(tables):
    with pytest.raises(UsageError, match="metric_test is 'sign'; expected one of perm-both"):
        compare_metrics(*tables, "human", metric_test="sign")
    with pytest.raises(InputError, match="too few metrics to compare"):
        compare_metrics(*tables, "human", metrics=["m1"])
    with pytest.raises(InputError, match="no instance is in both tables"):
        compare_metrics(tables[0].assign(topic="x"), tables[1], "human")


def test_all_pairs_share_their_exchanges_in_one_pass(tables, monkeypatch):
    """Exchanges were drawn for every ordered pair: six times for three metrics."""
    drawn = []

    def counted(shape, swap, n_swaps, rng):
        drawn.append(n_swaps)
        return draw_swaps(shape, swap, n_swaps, rng)

    monkeypatch.setattr(resampling, "draw_swaps", counted)
    table = compare_metrics(*tables, "human", levels=["input"], task="A", n_resamples=99)
    assert drawn == [99]
    assert len(table) == 6


@pytest.mark.slow(after=3)
def test_parts_and_workers_change_nothing(tables, monkeypatch, capsys):
    """Pairs that are tested in different parts have the same exchanges, too."""
    how = {"levels": ["input", "system"], "coefficients": ["acc_eq", "pearson"], "n_resamples": 99}
    together = compare_metrics(*tables, "human", progress=True, **how)
    assert "24/24" in capsys.readouterr().err  # 3 pairs of 2 tasks, 2 levels and 2 coefficients
    monkeypatch.setattr("classy_aesop.analysis.metric_pairs._SIDE", 1)
    pd.testing.assert_frame_equal(compare_metrics(*tables, "human", **how), together)
    pd.testing.assert_frame_equal(compare_metrics(*tables, "human", n_jobs=2, **how), together)
