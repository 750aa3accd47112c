"""What compare prints of one system: its mean with an interval, on scales, and the winner's."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from classy_aesop import compare, compare_pairs
from classy_aesop.errors import DataWarning, InputError, UsageError


def table_of_scores(X, measure="quality"):
    """Make a table of a matrix, systems a, b, ... by topics."""
    rows = [
        (topic, chr(97 + system), score)
        for system, scores in enumerate(X)
        for topic, score in enumerate(scores)
        if not np.isnan(score)
    ]
    return pd.DataFrame(rows, columns=["topic", "system", measure])


@pytest.fixture
def graded():
    """12 topics, four systems, grades 1 to 5 near the upper end."""
    rng = np.random.default_rng(1)
    return table_of_scores(np.clip(rng.integers(3, 7, size=(4, 12)), 1, 5))


@pytest.mark.slow
def test_a_declared_scale_is_that_of_passes_mapped(graded):
    shares = graded.assign(quality=(graded["quality"] - 1) / 4)
    table = compare(graded, scale=(1, 5)).table
    expected = compare(shares, scale="0,1").table
    for name in ("mean", "low", "high", "low_best", "high_best"):
        assert table[name].to_numpy() == pytest.approx(1 + 4 * expected[name].to_numpy(), nan_ok=True)
    assert table["high"].le(5).all()
    assert compare(graded, scale="1,5").table.equals(table)
    assert "|scale:1,5|" in compare(graded, scale=(1, 5)).signature


def test_a_scale_of_grades_makes_no_passes_of_grades_1():
    X = np.ones((2, 10))
    X[0, :3] = 0
    passes = compare(table_of_scores(X)).table.iloc[0]
    grades = compare(table_of_scores(X), scale=(0, 4)).table.iloc[0]
    assert passes["high"] == 1.0
    assert grades["high"] == pytest.approx(2.402, abs=1e-3)  # Wilson's of a share of .25 and 10 topics


def test_lower_is_better_turns_the_interval_too(graded):
    lower = compare(graded, scale=(1, 5), lower_is_better="quality").table.set_index("summarizer")
    mirrored = graded.assign(quality=6 - graded["quality"])
    expected = compare(mirrored, scale=(1, 5)).table.set_index("summarizer")
    for name, other in (
        ("low", "high"),
        ("high", "low"),
        ("low_best", "high_best"),
        ("high_best", "low_best"),
    ):
        assert lower[name].to_numpy() == pytest.approx(6 - expected[other].to_numpy(), nan_ok=True)
    best = lower.iloc[0]
    assert best["low_best"] == best["low"] < best["mean"] < best["high"] < best["high_best"]


@pytest.mark.parametrize("scale", [(1, 4), "1,4"])
def test_a_score_outside_the_scale_is_refused(graded, scale, tmp_path):
    path = tmp_path / "grades.csv"
    graded.to_csv(path, index=False)
    line = 2 + int(graded["quality"].eq(5).idxmax())
    with pytest.raises(InputError) as refusal:
        compare(path, scale=scale)
    assert str(refusal.value) == f"{path}, line {line}: quality is 5; expected 1 to 4"
    with pytest.raises(InputError, match=r"quality is 5; expected 1 to 4"):
        compare_pairs(graded, scale=scale)


def test_a_scale_is_that_of_the_metric_alone(graded):
    both = graded.assign(length=100.0 + np.arange(len(graded)))
    assert compare(both, "quality", scale=(1, 5)).table["high"].le(5).all()
    with pytest.raises(InputError, match="length is 147; expected 1 to 5"):
        compare(both, "length", scale=(1, 5))


@pytest.mark.parametrize("scale", ["5,1", "1", "1,2,3", (1,), (1, np.inf), "ordinal", 5, "a,b"])
def test_what_is_no_scale_is_refused(graded, scale):
    with pytest.raises(UsageError, match="expected two numbers, such as 1,5, or words in order"):
        compare(graded, scale=scale)


def test_words_have_the_scale_of_their_order(tmp_path):
    words = ["Meh", "Fine", "Neat"]
    rows = [(t, s, words[grade]) for t in range(12) for s, grade in zip("ab", (2, t % 3), strict=True)]
    table = pd.DataFrame(rows, columns=["topic", "system", "impression"])
    path = tmp_path / "words.csv"
    table.to_csv(path, index=False)
    by_file = compare(path, scale="Meh<Fine<Neat").table
    t = stats.t.ppf(0.975, 11)
    assert by_file["low"].iloc[0] == pytest.approx(1 + 2 / (1 + t**2 / 12))
    assert by_file["high"].iloc[0] == 3.0
    numbers = table.assign(impression=table["impression"].map(words.index) + 1.0)
    expected = compare(numbers, scale=(1, 3)).table
    assert by_file[["mean", "low", "high"]].to_numpy() == pytest.approx(
        expected[["mean", "low", "high"]].to_numpy()
    )


@pytest.mark.slow
def test_grades_beyond_the_file_are_a_caution_that_a_scale_lifts(graded):
    high = table_of_scores(np.where(np.arange(48).reshape(4, 12) % 8 == 0, 3, 5))
    with pytest.warns(
        DataWarning, match="beyond the scores of the file; if their scale ends there, --scale 3,5"
    ):
        compare(high)
    compare(high, scale=(1, 5))
    compare(high.assign(quality=high["quality"] / 7))  # no whole numbers
    compare(table_of_scores(np.arange(20.0).reshape(2, 10)))  # no grades: each score once


def test_the_best_of_several_has_a_lower_end_that_allows_for_the_choice():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(6, 15))
    result = compare(table_of_scores(X))
    best = result.table.iloc[0]
    assert best["low_best"] < best["low"]
    assert best["high_best"] == best["high"]
    assert result.table["low_best"].iloc[1:].isna().all()
    # between one t and Bonferroni's of six
    error = (best["mean"] - best["low"]) / stats.t.ppf(0.975, 14)
    assert best["mean"] - best["low_best"] < error * stats.t.ppf(1 - 0.025 / 6, 14) * 1.02
    ends = f"[{best['low_best']:.3f}, {best['high']:.3f}], allowing for the choice)"
    assert ends in result.sentence
    assert compare(table_of_scores(X)).table.equals(result.table)


def test_of_two_systems_nobody_is_chosen():
    result = compare(table_of_scores(np.random.default_rng(5).normal(size=(2, 9))))
    assert "low_best" not in result.table
    assert "allowing" not in result.sentence


def test_passes_of_the_best_stay_within_their_bounds():
    passes = np.ones((5, 10))
    passes[1:, :4] = 0
    best = compare(table_of_scores(passes)).table.iloc[0]
    assert best["mean"] == best["high_best"] == 1.0
    assert 0 < best["low_best"] < best["low"] == pytest.approx(1 / (1 + stats.t.ppf(0.975, 9) ** 2 / 10))


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(("n_systems", "n_topics"), [(30, 10), (150, 8)])
def test_many_systems_take_bounded_time(n_systems, n_topics):
    X = np.random.default_rng(6).normal(size=(n_systems, n_topics))
    rows = [(t, f"s{s:03}", X[s, t]) for s in range(n_systems) for t in range(n_topics)]
    ranking = compare(pd.DataFrame(rows, columns=["topic", "system", "m"])).table
    assert ranking["low_best"].iloc[0] < ranking["low"].iloc[0]


@pytest.mark.slow
def test_no_mean_lies_outside_its_interval_nor_an_interval_outside_the_scale():
    rng = np.random.default_rng(7)
    for _ in range(12):
        X = np.clip(np.rint(rng.normal(4.6, 0.8, size=(4, rng.integers(3, 15)))), 1, 5)
        hole = rng.random(X.shape) < 0.2
        hole[0] = False
        table = compare(table_of_scores(np.where(hole, np.nan, X)), scale=(1, 5)).table
        known = table[table["low"].notna()]
        assert known["low"].ge(1).all()
        assert known["high"].le(5).all()
        assert (known["low"].le(known["mean"]) & known["mean"].le(known["high"])).all()
        best = table.iloc[0]
        assert not best["low_best"] > best["low"]


@pytest.mark.filterwarnings("ignore:not compared with each other:classy_aesop.errors.DataWarning")
def test_the_best_of_each_group_was_chosen_from_its_own():
    rng = np.random.default_rng(8)
    rows = [
        (f"{group}{t}", name, rng.normal()) for group in ("ab", "cdefg") for t in range(9) for name in group
    ]
    table = compare(pd.DataFrame(rows, columns=["topic", "system", "m"])).table
    of_two, of_five = (rows.iloc[0] for _, rows in table.groupby("comparable"))
    assert np.isnan(of_two["low_best"])
    assert of_five["low_best"] < of_five["low"]
    assert table["low_best"].notna().sum() == 1
