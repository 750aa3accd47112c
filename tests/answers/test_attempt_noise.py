"""What runs say in answers: the sentence, the columns, when they are silent, and a gate on a system and itself."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from classy_aesop import compare, compare_pairs, read_scores
from classy_aesop.answers.answer_options import PairTest
from classy_aesop.answers.gates import evaluate_gate
from classy_aesop.answers.self_comparisons import describe_self_failures
from classy_aesop.answers.strata import stratify_scores
from classy_aesop.cli import main
from classy_aesop.pages.formats import read_result, save_result
from classy_aesop.reading.given_tables import read_score_table

INF = float("inf")
BY_HAND = {("t1", "a"): "1011", ("t2", "a"): "0000", ("t1", "b"): "1100", ("t2", "b"): "1111"}
"""Passes of four runs of two systems on two topics."""


def frame_of(passes):
    rows = [
        (topic, system, run, float(passed))
        for (topic, system), runs in passes.items()
        for run, passed in enumerate(runs)
    ]
    return pd.DataFrame(rows, columns=["item", "model", "run", "passed"])


def runs_of(n_topics=30, n_runs=4, interaction=1.0, seed=0, systems=("new", "old"), passes=False):
    rng = np.random.default_rng(seed)
    shape = (len(systems), n_topics, n_runs)
    scores = rng.normal(size=(1, n_topics, 1)) + interaction * rng.normal(size=(*shape[:2], 1))
    scores = scores + rng.normal(size=shape)
    system, topic, run = (numbers.ravel() for numbers in np.indices(shape))
    quality = scores.ravel() > 0 if passes else scores.ravel()
    return pd.DataFrame(
        {"item": topic, "model": np.array(systems)[system], "run": run, "quality": quality * 1.0}
    )


def test_flips_and_passes_by_hand():
    table = compare(frame_of(BY_HAND)).table.set_index("summarizer")
    assert table["flips"].round(3).to_dict() == {"a": 0.25, "b": 0.333}  # 3 and 4 of 6 pairs, and none
    passes = table.filter(like="pass_").round(3)
    assert list(passes) == [f"pass_{name}_{k}" for name in ("all", "any") for k in (2, 3, 4)]
    assert passes.loc["a"].tolist() == [0.25, 0.125, 0, 0.5, 0.5, 0.5]
    assert passes.loc["b"].tolist() == [0.583, 0.5, 0.5, 0.917, 1, 1]
    assert table["share_of_attempts"].isna().all()  # two topics
    assert "a difference's error comes" not in compare(frame_of(BY_HAND)).sentence
    assert "two attempts at a topic disagree in 29 %." in compare(frame_of(BY_HAND)).sentence


@pytest.mark.parametrize("lower_is_better", [None, "failed"])
def test_runs_of_failures_are_counted_as_those_of_passes(lower_is_better):
    frame = frame_of(BY_HAND).rename(columns={"passed": "failed"})
    frame["failed"] = frame["failed"] if lower_is_better is None else 1 - frame["failed"]
    table = compare(frame, lower_is_better=lower_is_better).table.set_index("summarizer")
    assert table.loc["b", ["pass_all_2", "pass_any_2"]].round(3).tolist() == [0.583, 0.917]
    assert table.loc["b", "flips"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("interaction", "claim"),
    [
        (
            2.0,
            r"(\d+) % \[(\d+), (\d+)\] of a difference's error comes from topics: more attempts narrow",
        ),
        (
            0.0,
            r"(\d+) % \[(\d+), (\d+)\] of a difference's error comes from attempts: twice as many narrow",
        ),
    ],
)
@pytest.mark.parametrize("ask", [compare, compare_pairs])
def test_the_sentence_says_where_the_error_comes_from(ask, interaction, claim):
    result = ask(runs_of(interaction=interaction, n_runs=3))
    row = result.table.iloc[0]
    share = row[["share_of_attempts", "share_low", "share_high"]].to_numpy(float)
    share = share if interaction == 0 else 1 - share[[0, 2, 1]]
    assert [*map(int, re.search(claim, result.sentence).groups())] == [*map(round, 100 * share)]
    assert f"one attempt a topic must differ by {row['least_difference']:.3f} to be" in result.sentence


@pytest.mark.slow
def test_more_runs_narrow_intervals_as_it_says():
    result = compare(runs_of(interaction=1.5, n_runs=3))
    narrower = int(re.search(r"by (\d+) % at most", result.sentence)[1])
    share = result.table["share_of_attempts"].iloc[0]
    assert narrower == round(100 * (1 - np.sqrt(1 - share)))
    table = runs_of(interaction=0.0, n_runs=3)
    twice = int(re.search(r"twice as many narrow intervals by (\d+) %", compare(table).sentence)[1])
    assert twice == round(100 * (1 - np.sqrt(1 - compare(table).table["share_of_attempts"].iloc[0] / 2)))


@pytest.mark.slow
def test_files_and_tables_that_were_read_say_the_same(tmp_path):
    frame = runs_of(passes=True)
    frame.to_csv(tmp_path / "runs.csv", index=False)
    expected = compare(frame)
    for scores in (tmp_path / "runs.csv", read_scores(tmp_path / "runs.csv")):
        pd.testing.assert_frame_equal(compare(scores).table, expected.table)
    years = [frame.assign(year="1"), frame[frame["run"].lt(3)].assign(year="2")]
    table = compare(years).table
    assert table.groupby("year")["pass_all_4"].count().tolist() == [2, 0]
    assert table.groupby("year")["pass_all_3"].count().tolist() == [2, 2]
    assert table.groupby("year")["icc"].nunique().tolist() == [2, 2]


@pytest.mark.slow
def test_the_columns_come_back_from_a_file(tmp_path):
    frame = runs_of(passes=True)
    single = frame[frame["run"].eq(0)]
    for tables in (frame, [frame.assign(year="1"), single.assign(year="2")]):
        result = compare(tables)
        save_result(result, tmp_path / "result.tsv", "tsv")
        pd.testing.assert_frame_equal(read_result(tmp_path / "result.tsv").table, result.table)


def rated(frame):
    return pd.concat([frame.assign(rater=name) for name in "xy"])


@pytest.mark.parametrize(
    "scores",
    [
        runs_of().query("run == 0"),
        runs_of().query("run == 0 or item < 10"),
        runs_of().query("run == 0 or model == 'new'"),
        rated(runs_of()),
        runs_of().groupby(["item", "model"])["quality"].mean().reset_index(),
    ],
    ids=["one run", "one run in most cells", "one run of a system", "raters", "means"],
)
def test_what_runs_do_not_show_is_not_said(scores):
    for result in (compare(scores), compare_pairs(scores, baseline="old")):
        assert not {"icc", "share_of_attempts", "least_difference"} & set(result.table)
        assert "attempts" not in result.sentence
    assert (
        describe_self_failures(
            stratify_scores(read_score_table(scores), "quality"), PairTest(), "old", "worse"
        )
        == ""
    )


def test_scores_that_were_changed_are_no_longer_those_of_their_runs():
    table = read_score_table(runs_of())
    assert stratify_scores(table, "quality")[0].attempt_scores is not None
    table["score"] *= 10
    assert stratify_scores(table, "quality")[0].attempt_scores is None


def test_systems_that_are_left_out_take_their_runs_with_them():
    frame = runs_of(systems=("a", "b", "c"))
    table = read_score_table(frame)
    of_two = compare(table[table["summarizer"].ne("c")]).table
    pd.testing.assert_frame_equal(of_two, compare(frame[frame["model"].ne("c")]).table)


# --- a gate on a system and itself ---


def failures(frame, gate="worse", *, strata=None, **options):
    strata = stratify_scores(read_score_table(frame), "quality") if strata is None else strata
    text = describe_self_failures(strata, PairTest(**options), "old", gate)
    words = re.fullmatch(r"; of 100 such comparisons of old with itself (\d+|none) would fail", text)
    return int(words[1].replace("none", "0"))


@pytest.mark.slow
def test_a_gate_by_significance_fails_at_its_level():
    assert 1 <= failures(runs_of(n_topics=40)) <= 4
    assert failures(runs_of(n_topics=40), gate="not-better") >= 96
    assert failures(runs_of(n_topics=40), test="additive") == failures(runs_of(n_topics=40))


def test_lengths_of_outputs_are_not_compared_with_halves_of_runs():
    frame = runs_of(n_topics=10)
    assert failures(frame.assign(length=range(len(frame)))) == failures(frame)


@pytest.mark.slow
def test_a_wide_margin_lets_a_system_pass_beside_itself_and_a_narrow_one_does_not():
    frame = runs_of(n_topics=40)
    assert failures(frame, "not-as-good", equivalence=(-5.0, INF)) == 0
    assert failures(frame, "not-as-good", equivalence=(-0.01, INF)) > 80


def test_runs_that_are_all_alike_leave_the_gate_undecided_which_is_no_pass():
    frame = runs_of().assign(quality=lambda rows: rows["item"] * 1.5)
    assert failures(frame) == 100
    assert not evaluate_gate(compare_pairs(frame, baseline="old").table, "worse")[0]


@pytest.mark.slow
def test_a_gate_on_two_years_needs_both():
    years = pd.concat([runs_of(seed=seed, n_topics=40).assign(year=str(seed)) for seed in range(3)])
    assert 4 <= failures(years) <= 12  # 1 - 0.975 ** 3 is .073


@pytest.mark.slow
def test_lower_values_can_be_better_for_gates():
    frame = runs_of(n_topics=40)
    turned = frame.assign(quality=-frame["quality"])
    strata = stratify_scores(read_score_table(turned), "quality", lower_is_better="quality")
    expected = failures(frame, "not-as-good", equivalence=(-0.2, INF))
    assert 5 < expected < 95
    assert failures(None, "not-as-good", strata=strata, equivalence=(-INF, 0.2)) == expected


@pytest.mark.slow
def test_halves_of_attempts_are_tested_by_what_topics_lie_in():
    """By passages of five questions, one of which the baseline lacks: as many fail as of independent topics."""
    frame = runs_of(n_topics=60).query("item != 7 or model != 'old'")
    (stratum,) = stratify_scores(read_score_table(frame.assign(passage=frame["item"] // 5)), "quality")
    assert stratum.clusters is not None
    by_passage = failures(None, strata=[stratum])
    by_topic = failures(None, strata=[replace(stratum, clusters=None)])
    assert by_passage == pytest.approx(by_topic, abs=4)


def test_the_share_is_not_said_of_errors_by_what_topics_lie_in():
    frame = runs_of(n_topics=60)
    by_passage = compare(frame.assign(passage=frame["item"] // 5))
    assert "errors are by passage" in by_passage.sentence
    assert by_passage.table["share_of_attempts"].isna().all()
    assert "error comes from" not in by_passage.sentence
    assert "Means of one attempt a topic must differ by" in by_passage.sentence
    assert "error comes from" in compare(frame).sentence


def test_the_command_says_it_after_the_decision(tmp_path, capsys):
    runs_of(n_topics=40).to_csv(tmp_path / "runs.csv", index=False)
    arguments = ["compare", str(tmp_path / "runs.csv"), "--baseline", "old", "--fail-if", "worse"]
    main(arguments)
    assert re.search(
        r"gate \w+: .*; of 100 such comparisons of old with itself \d would fail\n", capsys.readouterr().err
    )


@pytest.mark.slow
@pytest.mark.parametrize(("gate", "margin"), [("worse", None), ("not-as-good", (-0.15, INF))])
def test_failures_beside_itself_are_those_of_new_runs(gate, margin):
    """100 systems, each a year: what four runs of one say, and how often four new ones fail the gate against them."""
    n_draws = 100
    runs = runs_of(n_topics=30 * n_draws, n_runs=8, systems=("old",), passes=True)
    is_new = runs["run"].ge(4)
    frame = runs.assign(
        year=(runs["item"] // 30).astype(str),
        item=runs["item"] % 30,
        model=np.where(is_new, "new", "old"),
        run=runs["run"] % 4,
    )
    strata = stratify_scores(read_score_table(frame), "quality")
    expected = np.mean([failures(None, gate, strata=[part], equivalence=margin) for part in strata]) / 100
    pairs = compare_pairs(frame, baseline="old", equivalence=margin).table
    failed = [not evaluate_gate(rows, gate)[0] for _, rows in pairs.groupby("year")]
    assert len(failed) == n_draws
    assert np.mean(failed) == pytest.approx(expected, abs=3 * np.sqrt(expected * (1 - expected) / n_draws))
