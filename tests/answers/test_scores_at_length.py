"""Scores at equal length: a judge of length alone, texts and columns of lengths, and what they cannot say."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import compare, compare_pairs
from classy_aesop.errors import DataWarning

AT_LENGTH = ["difference_at_length", "difference_at_length_low", "difference_at_length_high", "p_at_length"]


def wordy_scores(systems="ab", n_topics=40, seed=0):
    """Make scores of a judge who likes long outputs; those of the first system are the longest."""
    rng = np.random.default_rng(seed)
    shape = len(systems), n_topics
    means = np.linspace(130, 100, len(systems))[:, None]
    n_words = np.maximum(means + 20 * rng.normal(size=shape), 1).astype(int)
    columns = {
        "item": np.tile([f"t{number}" for number in range(n_topics)], len(systems)),
        "model": np.repeat(list(systems), n_topics),
        "score": (3 * np.log(n_words) + 0.5 * rng.normal(size=shape)).round(2).ravel(),
        "n_words": n_words.ravel(),
    }
    return pd.DataFrame(columns)


def test_a_judge_of_length_alone_sees_no_difference_at_equal_length():
    rows = wordy_scores()
    ranking = compare(rows)
    first, second = ranking.table.to_dict("records")
    assert first["summarizer"] == "a"
    assert first["difference_low"] > 0
    assert first["difference_at_length_low"] < 0 < first["difference_at_length_high"]
    assert first["difference_at_length"] == pytest.approx(-second["difference_at_length"])
    assert first["difference_at_length_low"] == pytest.approx(-second["difference_at_length_high"])
    assert " At equal length a minus b is " in ranking.sentence
    pair = compare_pairs(rows).table.loc[0, AT_LENGTH].tolist()
    assert [first[name] for name in AT_LENGTH] == pytest.approx(pair)
    beside = [*AT_LENGTH, "length_flag"]
    without = compare(rows.drop(columns="n_words")).table
    pd.testing.assert_frame_equal(ranking.table.drop(columns=beside), without)


def test_texts_have_the_lengths_of_their_characters():
    rows = wordy_scores()
    texts = rows.assign(output=[("word " * n)[:-1] for n in rows["n_words"]]).drop(columns="n_words")
    lengths = rows.assign(n_characters=5 * rows["n_words"] - 1).drop(columns="n_words")
    pd.testing.assert_frame_equal(compare(texts).table, compare(lengths).table)


@pytest.mark.parametrize("systems", ["ab", "abc"])
def test_where_lower_is_better_signs_are_turned_back(systems):
    rows = wordy_scores(systems)
    turned = compare(rows.assign(score=-rows["score"]), lower_is_better="score").table
    table = compare(rows).table
    assert turned["summarizer"].tolist() == table["summarizer"].tolist()
    if systems == "abc":
        assert (-turned["mean_at_length"]).tolist() == pytest.approx(table["mean_at_length"].tolist())
    else:
        ends = turned[["difference_at_length_high", "difference_at_length_low"]].to_numpy(float)
        assert -ends == pytest.approx(table[AT_LENGTH[1:3]].to_numpy(float))


def test_of_three_systems_means_differ_as_their_pairs_do():
    rows = wordy_scores("abc")
    ranking = compare(rows)
    means = ranking.table.set_index("summarizer")["mean_at_length"]
    pairs = compare_pairs(rows)
    expected = [means[first] - means[second] for first, second in pairs.table[["first", "second"]].to_numpy()]
    assert pairs.table["difference_at_length"].tolist() == pytest.approx(expected)
    assert " At equal length 0 of the 3 differences are significant." in pairs.sentence
    leader = means.idxmax()
    assert (
        f" At equal length {leader} has the best mean ({means.max():.3f}); 0 differences are significant."
        in ranking.sentence
    )


def test_lengths_are_those_of_attempts_and_errors_those_of_clusters():
    rows = wordy_scores()
    attempts = pd.concat([rows.assign(run=1), rows.assign(run=2, n_words=rows["n_words"] + 2)])
    means = rows.assign(n_words=rows["n_words"] + 1)
    at_length = compare(attempts).table[AT_LENGTH[:3]]
    pd.testing.assert_frame_equal(at_length, compare(means).table[AT_LENGTH[:3]])
    clustered = compare(rows.assign(passage=rows["item"].str[:2])).table
    assert clustered["difference_at_length"].tolist() == pytest.approx(
        compare(rows).table["difference_at_length"].tolist()
    )
    assert clustered.loc[0, "difference_at_length_low"] != pytest.approx(
        compare(rows).table.loc[0, "difference_at_length_low"]
    )


def test_lengths_that_tell_nothing_are_said_and_missing_ones_counted():
    rows = wordy_scores()
    always = rows.assign(n_words=rows["n_words"].where(rows["model"] == "b", 1000))
    reason = "of two systems one has the longer output fewer than 3 times"
    assert f"Scores at equal length are unknown: {reason}." in compare(always).sentence
    by_topic = rows.assign(n_words=rows["item"].str[1:].astype(int) + 50)
    assert "unknown: all outputs are equally long." in compare_pairs(by_topic).sentence
    rows.loc[0, "n_words"] = np.nan
    with pytest.warns(DataWarning, match="1 output without a length"):
        compare(rows)


@pytest.mark.filterwarnings("ignore:.*no scores:classy_aesop.errors.DataWarning")
@pytest.mark.parametrize("name", ["prompt_tokens", "length_of_input", "reference_words"])
def test_lengths_of_other_texts_are_not_taken(name):
    assert "length_flag" not in compare(wordy_scores().rename(columns={"n_words": name}), "score").table


def test_grades_of_length_and_signed_ranks_have_no_length():
    rows = wordy_scores()
    grades = rows.assign(length=np.tile([1, 2, 3, 4, 5, 2, 1], 12)[:80]).drop(columns="n_words")
    assert "length_flag" not in compare(grades, "score").table
    assert "length_flag" not in compare(rows, test="wilcoxon").table
