"""Summarizers against summarizers, from a table: by hand, and the same as on the matrix."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import compare
from classy_aesop.errors import DataWarning, UsageError
from classy_aesop.pipeline.chance import generator
from classy_aesop.pipeline.compare import COLUMNS, FOUND
from classy_aesop.significance.pair_resampling import resample_pairs
from classy_aesop.significance.pairs import compare_pairs


def test_two_summarizers_by_hand(table_of):
    # differences 1, 1, 2, 1, 2, 1: W+ = 21 of 21; the normal p with ties and continuity is .030545
    table = compare(table_of([[3, 4, 4, 5, 4, 3], [2, 3, 2, 4, 2, 2]], "m1"), "m1")
    (row,) = table.to_dict("records")
    assert list(table) == COLUMNS
    assert (row["first"], row["second"], row["n"], row["statistic"]) == ("1", "2", 6, 21.0)
    assert row["difference"] == pytest.approx(8 / 6)
    assert row["p"] == pytest.approx(0.030545, abs=5e-7)
    assert row["significant"]
    assert pd.isna(row["seed"])


@pytest.mark.parametrize("test", ["wilcoxon", "paired_t", "unpaired_t"])
@pytest.mark.parametrize("correction", ["holm", "by"])
def test_compare_is_the_test_of_the_matrix(tables, judged, shuffle, test, correction):
    table = compare(shuffle(tables[0]), "m1", test=test, correction=correction)
    for task, X in (("A", judged["m1"]), ("B", judged["m1"][:, ::-1])):
        own = table[table["task"] == task]
        found = compare_pairs(X, test=test, correction=correction)
        for name in FOUND:
            np.testing.assert_allclose(own[name], getattr(found, name), rtol=1e-12)
        assert list(own["significant"]) == list(found.significant())


@pytest.mark.parametrize("method", ["mc", "hb"])
def test_resampling_is_that_of_the_matrix_and_of_its_task_alone(tables, judged, shuffle, method):
    options = {"resample": method, "n_resamples": 199, "seed": 3}
    table = compare(shuffle(tables[0]), "m2", **options)
    rng = generator(3, "2021", "B", "m2")
    found = resample_pairs(judged["m2"][:, ::-1], method=method, n_resamples=199, rng=rng)
    own = table[table["task"] == "B"].reset_index(drop=True)
    np.testing.assert_array_equal(own["p"], found.p)
    assert set(own["seed"]) == {3}
    pd.testing.assert_frame_equal(compare(tables[0], "m2", task="B", **options), own)


def test_a_task_with_one_summarizer_is_left_out_and_said(table_of):
    scores = pd.concat([table_of([[1, 2, 3], [2, 2, 1]], "m1"), table_of([[1, 2]], "m1", task="B")])
    with pytest.warns(DataWarning, match=r"left out: too few summarizers to compare \(2021-B: 1\)"):
        table = compare(scores, "m1")
    assert set(table["task"]) == {"A"}


def test_alpha_is_a_share(tables):
    with pytest.raises(UsageError, match="alpha is 5; expected between 0 and 1"):
        compare(tables[0], "m1", alpha=5)


def test_significance_is_below_alpha(tables):
    table = compare(tables[0], "m1", alpha=0.3)
    assert list(table["significant"]) == list(table["p_adjusted"] < 0.3)
    assert table["significant"].any()
    assert not table["significant"].all()
