"""Answers from preferences: by hand, for the case of an arena, in Python and on the command line."""

import warnings

import numpy as np
import pandas as pd
import pytest

from classy_aesop import assessors, compare, compare_pairs
from classy_aesop.answers.gates import evaluate_gate
from classy_aesop.answers.preferences import (
    METRIC_PREFERENCES,
    PREFERENCE_PAIRS,
    PREFERENCE_RANKING,
    evaluate_by_preferences,
)
from classy_aesop.cli import main
from classy_aesop.data.preference_records import Preferences
from classy_aesop.errors import DataWarning, InputError, UsageError

WINNERS = "fff fft ftt tfz"  # f the first, z the second, t a tie: pairs a-b, a-c, b-c of four topics, twice
WORDS = {"f": "first", "z": "second", "t": "tie"}


def arena(raters=("ann",)):
    """Give comparisons of a, b and c on eight topics by each rater."""
    winners = [WORDS[letter] for letter in WINNERS.replace(" ", "") * 2]
    topics = [f"t{number}" for number in range(8) for _ in range(3)]
    rows = [
        (topic, *["ab", "ac", "bc"][number % 3], winner, rater)
        for rater in raters
        for number, (topic, winner) in enumerate(zip(topics, winners, strict=True))
    ]
    return Preferences.from_names(*zip(*rows, strict=True))


def test_a_ranking_by_hand():
    result = compare(arena())
    table = result.table
    assert list(table) == PREFERENCE_RANKING.required_names
    assert table["summarizer"].tolist() == ["a", "b", "c"]
    assert table["win_rate"].tolist() == [0.875, 0.3125, 0.3125]
    assert table["rank"].tolist() == [1, 2, 2]
    assert table["test"].unique().tolist() == ["sign_flips"]
    assert result.sentence.startswith("a has the highest win rate (0.875 [")
    assert result.sentence.endswith("for this rater.")


def test_pairs_have_the_share_between_the_two_and_that_of_each_rater():
    with pytest.warns(DataWarning, match="comparisons are of pairs in one order only, as a before b"):
        table = compare_pairs(arena(raters=("ann", "bob"))).table
    assert list(table) == PREFERENCE_PAIRS.names
    first = table.iloc[0]
    assert (first["first"], first["second"], first["direct"], first["n_direct"]) == ("a", "b", 0.875, 16)
    assert first["by_rater"] == "ann 0.875 (8), bob 0.875 (8)"
    assert first["difference"] == 0.5625


def test_a_baseline_and_its_gate():
    pairs = compare_pairs(arena(), baseline="b")
    assert pairs.table["second"].unique().tolist() == ["b"]
    two = compare_pairs(arena(), baseline=["b", "c"]).table
    assert (two["first"] + two["second"]).tolist() == ["ab", "cb", "ac"]
    passed, message = evaluate_gate(pairs.table, "not-better")
    assert passed
    assert message.startswith("gate passed: a minus b is +0.562")
    with pytest.raises(UsageError, match="no summarizer 'z'; expected one of a, b, c"):
        compare_pairs(arena(), baseline="z")


def test_who_wins_everything_has_no_finite_strength_and_it_is_said():
    table = compare(Preferences.from_names(list("123456"), ["a"] * 6, ["b"] * 6, ["first"] * 6)).table
    assert table["strength"].tolist() == pytest.approx([np.log(13) / 2, -np.log(13) / 2])  # 6.5 to 0.5
    assert table["low"].isna().all()
    assert table["flag"].tolist() == [
        "no finite strength: won every comparison",
        "no finite strength: lost every comparison",
    ]
    assert table["wins"].tolist() == [1, 0]  # 2/2^6 = .031


def test_systems_that_never_met_are_ranked_by_strength():
    rng = np.random.default_rng(0)
    topics = np.repeat([f"t{number}" for number in range(40)], 2)
    winners = rng.choice(["first", "tie", "second"], size=80, p=[0.6, 0.2, 0.2])
    turned = {"first": "second", "second": "first", "tie": "tie"}
    rows = [("a", "b"), ("b", "c")] * 40
    shown = [pair[::-1] if number % 4 > 1 else pair for number, pair in enumerate(rows)]
    winners = [turned[name] if number % 4 > 1 else name for number, name in enumerate(winners)]
    preferences = Preferences.from_names(topics, *zip(*shown, strict=True), winners)
    result = compare(preferences)
    assert result.table["test"].unique().tolist() == ["bradley_terry"]
    assert result.table["summarizer"].tolist() == ["a", "b", "c"]
    assert "some pairs never met" in result.sentence


def test_agreement_takes_comparisons_as_units():
    rows = arena(raters=("ann", "bob")).table()
    rows.loc[rows["rater"].eq("bob") & rows["topic"].eq("t0"), "winner"] = "tie"
    row = assessors(Preferences.from_names(*(rows[name].tolist() for name in rows))).table.iloc[0]
    assert (row["n_units"], row["n_ratings"]) == (24, 48)
    assert row["agreement"] == 21 / 24
    swapped = rows.rename(columns={"first": "second", "second": "first"})[list(rows)]
    swapped["winner"] = swapped["winner"].replace({"first": "second", "second": "first"})
    mixed = pd.concat([rows[rows["rater"] == "ann"], swapped[swapped["rater"] == "bob"]])
    other = assessors(Preferences.from_names(*(mixed[name].tolist() for name in mixed)))
    assert other.table["value"].iloc[0] == pytest.approx(row["value"])
    with pytest.raises(InputError, match="no rater is named"):
        assessors(Preferences.from_names(["1"], ["a"], ["b"], ["tie"]))


def scores_of_arena():
    """Give scores by which a is best on each topic, and c before b."""
    keys = [(f"t{number}", name) for number in range(8) for name in "abc"]
    table = pd.DataFrame(keys, columns=["topic", "system"])
    return table.assign(bleu=[3.0, 1.0, 2.0] * 8, errors=[0, 2, 1] * 8)


@pytest.mark.filterwarnings("ignore:errors")
def test_a_metric_is_judged_by_what_people_prefer():
    result = evaluate_by_preferences(scores_of_arena(), arena(), lower_is_better="errors")
    table = result.table
    assert list(table) == METRIC_PREFERENCES.names
    # of eight comparisons of each pair people decide 6, 6 and 4; of b and c they prefer b twice, c twice
    assert table["n_comparisons"].tolist() == [16, 16]
    assert table["n_human_ties"].tolist() == [8, 8]
    assert table["share"].tolist() == [14 / 16, 14 / 16]
    higher = evaluate_by_preferences(scores_of_arena(), arena(), metric="errors", lower_is_better=[])
    assert higher.table["share"].tolist() == [2 / 16]
    with pytest.raises(InputError, match="no compared output has a score"):
        evaluate_by_preferences(scores_of_arena().replace("a", "d").query("system == 'd'"), arena())


@pytest.fixture
def arena_file(tmp_path):
    path = tmp_path / "arena.csv"
    rows = arena(raters=("ann", "bob")).table()
    rows = rows.rename(columns={"first": "model_a", "second": "model_b", "rater": "judge"})
    rows["winner"] = rows["winner"].replace({"first": "model_a", "second": "model_b"})
    rows.to_csv(path, index=False)
    return str(path)


def test_the_command_line_answers_preferences(arena_file, tmp_path, capsys):
    assert main(["compare", arena_file]) == 0
    assert "a has the highest win rate (0.875" in capsys.readouterr().out
    assert main(["compare", arena_file, "--baseline", "a", "--fail-if", "worse"]) == 3
    assert main(["assessors", arena_file]) == 0
    assert "a share of 1.000 are equal" in " ".join(capsys.readouterr().out.split())
    scores = tmp_path / "scores.csv"
    scores_of_arena().to_csv(scores, index=False)
    assert main(["evaluate", str(scores), arena_file, "--lower-is-better", "errors"]) == 0
    assert "prefers what people prefer most often" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    "options", [["--test", "paired_t"], ["--only", "a,b"], ["--mixed"], ["--metric", "x"]]
)
def test_options_that_preferences_do_not_have_are_refused(arena_file, options, capsys):
    assert main(["compare", arena_file, *options]) == 2
    assert "preferences" in capsys.readouterr().err


def test_the_headline_of_two_has_the_rate_its_interval_and_p():
    winners = ["first"] * 9 + ["second"]
    judged = Preferences.from_names(list(range(10)), ["a"] * 10, ["b"] * 10, winners)
    ranking = compare(judged)
    p = 2 * (1 + 10) / 2**10  # flips as extreme as nine of ten
    assert ranking.table["p"].tolist() == pytest.approx([p, p])
    row = ranking.table.iloc[0]
    assert ranking.sentence == (
        f"a has the highest win rate (0.900 [{row['low']:.3f}, {row['high']:.3f}]); the difference is significant "
        f"(p = {p:.3f})."
    )
    few = compare(Preferences.from_names(["1", "2"], ["a"] * 2, ["b"] * 2, ["first"] * 2)).sentence
    assert (
        "the difference cannot be significant (p = 0.500): 2 topics allow no corrected p below 0.500" in few
    )
    assert "p" not in compare(arena()).table


def rows_of_pairs(n, *pairs, winner=lambda number: "first"):
    """Give preferences of pairs on n topics."""
    rows = [(f"t{topic}", *pair, winner(topic)) for topic in range(n) for pair in pairs]
    return Preferences.from_names(*zip(*rows, strict=True))


def test_a_group_that_always_wins_is_first_and_its_pairs_are_tested_by_their_own_comparisons():
    alternating = ["first", "second"]
    rows = [
        row
        for topic in range(10)
        for row in (
            (f"t{topic}", "a1", "b1", "first"),
            (f"t{topic}", "a1", "a2", alternating[topic % 2]),
            (f"t{topic}", "b1", "b2", alternating[topic % 3 == 0]),
        )
    ]
    preferences = Preferences.from_names(*zip(*rows, strict=True))
    result = compare(preferences)
    assert result.table["summarizer"].tolist() == ["a1", "a2", "b1", "b2"]
    assert result.sentence.startswith("a1, a2 have the highest strength, of no finite size")
    pairs = compare_pairs(preferences).table.set_index(["first", "second"])
    assert pairs.loc[("a1", "b1"), "p"] == pytest.approx(2 / 2**10)
    assert pairs.loc[("a2", "b2"), "p"] == 1


def test_one_order_alone_is_said():
    with pytest.warns(
        DataWarning,
        match="40 of 40 comparisons are of pairs in one order only, as a before b, and the first wins a share of",
    ):
        compare(rows_of_pairs(40, ("a", "b"), winner=lambda topic: "second" if topic % 3 else "first"))


def test_a_first_place_that_always_wins_is_said():
    with pytest.warns(
        DataWarning, match="raters prefer the output that stands first: of equal outputs the first"
    ):
        compare(rows_of_pairs(12, ("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")))


def test_a_circle_is_said():
    shown = [("a", "b"), ("b", "c"), ("c", "a")]
    with pytest.warns(DataWarning, match="in a circle: a to b, b to c and c to a"):
        compare(rows_of_pairs(11, *shown))


def test_notes_say_why_there_is_no_finite_strength_and_stay_readable(capsys, tmp_path):
    rows = [
        (f"t{topic}", *pair, "first") for topic in range(12) for pair in (("a", "b"), ("b", "c"), ("c", "d"))
    ]
    path = tmp_path / "chain.csv"
    pd.DataFrame(rows, columns=["doc_id", "model_a", "model_b", "winner"]).replace("first", "model_a").to_csv(
        path, index=False
    )
    assert main(["compare", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    text = " ".join(lines)
    assert "a: no finite strength: won every comparison" in text
    assert (
        "b, c: the same on all topics; no finite strength: won every comparison with some and lost every "
        "comparison with others" in text
    )
    assert "…" not in text


def test_groups_that_no_comparison_links_are_said_first():
    first, second = ["a", "a", "c", "c"] * 4, ["b", "b", "d", "d"] * 4
    topics = [str(number) for number in range(16)]
    result = compare(Preferences.from_names(topics, first, second, ["first", "tie", "second", "second"] * 4))
    assert result.sentence.startswith(
        "No comparison links the 2 groups of summarizers, so no order holds for all; of the first, of 2, a has the "
        "highest strength"
    )
    assert result.table["rank"].tolist() == [1, 2, 1, 2]
    assert result.table["summarizer"].tolist() == ["a", "b", "d", "c"]
    assert "4 cannot be tested (no comparison links the two)" in result.sentence


def champion():
    """Give 12 topics on which champ beats b, and b, c and d meet in a ring."""
    ring = {("b", "c"): "second", ("c", "d"): "first", ("d", "b"): "first"}
    turned = {"first": "second", "second": "first"}
    rows = [
        (f"t{topic}", *pair, winner if topic % 4 else turned[winner])
        for topic in range(12)
        for pair, winner in ring.items()
    ]
    rows += [(f"t{topic}", "champ", "b", "first") for topic in range(12)]
    return Preferences.from_names(*zip(*rows, strict=True))


@pytest.mark.filterwarnings("ignore:.*in one order only")
def test_a_gate_prints_what_was_tested_where_a_difference_has_no_finite_size():
    pairs = compare_pairs(champion(), baseline="b")
    row = pairs.table.set_index("first").loc["champ"]
    assert (row["test"], row["p"]) == ("own_comparisons", 2 / 2**12)
    passed, message = evaluate_gate(pairs.table, "not-better")
    assert passed
    assert message.startswith(
        "gate passed: champ won a share of 1.000 of 12 comparisons with b, significantly better (corrected p = 0.001)"
    )
    failed = evaluate_gate(compare_pairs(champion(), baseline="champ").table, "worse")
    assert not failed[0]
    assert failed[1].startswith(
        "gate failed: b won a share of 0.000 of 12 comparisons with champ, significantly worse"
    )
    assert pairs.sentence.startswith(
        "Compared with b: champ is significantly better; none is significantly worse"
    )
    assert "1 is tested by the comparisons of the two alone" in pairs.sentence


def draw_preferences(seed):
    """Draw comparisons of all kinds: one-sided or even, sparse or complete, in any order, with ties or shares."""
    rng = np.random.default_rng(seed)
    n_systems, n_topics = rng.integers(2, 6), rng.integers(2, 24)
    strength = rng.normal(0, rng.choice([0.0, 1.0, 3.0]), n_systems)
    pairs = [(i, j) for i in range(n_systems) for j in range(i + 1, n_systems) if rng.random() < 0.7] or [
        (0, 1)
    ]
    share_in_order = rng.choice([0.5, 0.85, 1.0])
    winners = rng.choice(["decided", "ties", "shares"])
    rows = []
    for topic in range(n_topics):
        for i, j in (pairs[number] for number in rng.integers(len(pairs), size=rng.integers(1, 4))):
            first, second = (i, j) if rng.random() < share_in_order else (j, i)
            chance = 1 / (1 + np.exp(strength[second] - strength[first]))
            winner = "first" if rng.random() < chance else "second"
            if winners == "ties" and rng.random() < 0.3:
                winner = "tie"
            if winners == "shares":
                winner = round(rng.beta(2 * chance + 0.1, 2 - 2 * chance + 0.1), 2)
            rows.append((f"t{topic}", f"s{first}", f"s{second}", winner))
    return Preferences.from_names(*zip(*rows, strict=True))


@pytest.mark.slow(after=2)
@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
@pytest.mark.parametrize("seed", range(40))
def test_what_is_printed_is_what_is_tested(seed):
    preferences = draw_preferences(seed)
    ranking = compare(preferences, n_resamples=499)
    pairs = compare_pairs(preferences, n_resamples=499)
    rows, tests = ranking.table.set_index("summarizer"), pairs.table
    bounded = tests.dropna(subset=["low", "high"])
    assert (bounded["low"] <= bounded["difference"]).all()
    assert (bounded["difference"] <= bounded["high"]).all()
    assert (((bounded["low"] > 0) | (bounded["high"] < 0)) == (bounded["p"] <= 0.05)).all()
    found = tests[tests["significant"]]
    assert found["flag"].eq("").all()
    winners = found["first"].where(found["difference"] > 0, found["second"])
    assert rows["wins"].tolist() == [int(winners.eq(name).sum()) for name in rows.index]
    n_untested = int(tests["flag"].ne("").sum())
    counts = f"{len(found) or 'none'} of the {len(tests) - n_untested} {'tested ' if n_untested else ''}diff"
    assert len(tests) == 1 or "can be" in ranking.sentence or counts in ranking.sentence
    for row in tests.itertuples():
        is_linked = rows.loc[row.first, "comparable"] == rows.loc[row.second, "comparable"]
        assert is_linked == (not np.isnan(row.difference))
        if is_linked:
            places = rows.loc[row.second, "rank"] - rows.loc[row.first, "rank"]
            assert np.sign(round(row.difference, 9)) == np.sign(places)
        if row.test == "own_comparisons":
            assert row.difference * (row.direct - 0.5) >= 0
            assert np.isnan(row.low)
    last = rows.index[-1]
    against = compare_pairs(preferences, baseline=last, n_resamples=499).table.set_index("first")
    both = tests[tests["second"].eq(last)].set_index("first")
    assert against.loc[both.index, "p"].tolist() == pytest.approx(both["p"].tolist(), abs=1e-12)
    texts = [ranking.sentence, pairs.sentence, *(evaluate_gate(against.reset_index(), "worse"))[1:]]
    assert not any(word in text.split() for text in texts for word in ("nan", "inf", "+inf", "-inf"))


def test_a_preference_for_the_first_place_and_a_circle_are_not_said_of_fair_data():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compare(
            rows_of_pairs(12, ("a", "b"), ("b", "a"), winner=lambda topic: ["first", "second"][topic % 2])
        )


def test_unequal_orders_are_weighted_alike():
    shown = [("a", "b") if topic % 5 else ("b", "a") for topic in range(40)]
    preferences = Preferences.from_names(
        [f"t{topic}" for topic in range(40)], *zip(*shown, strict=True), ["first"] * 40
    )
    with pytest.warns(DataWarning, match="as a before b in 32 of 40 comparisons, so both orders"):
        table = compare(preferences).table
    with pytest.warns(DataWarning, match="so both orders"):
        pairs = compare_pairs(preferences).table
    assert table["win_rate"].tolist() == pytest.approx([0.5, 0.5])
    assert table["wins"].tolist() == [0, 0]
    assert pairs["direct"].tolist() == pytest.approx([0.5])  # weighted as in the test


CASES = {
    "preferences-always-win.csv": (
        "a1, a2 have the highest strength",
        {"a1": 1, "a2": 1, "b1": 3, "b2": 4},
        {},
    ),
    "preferences-undefeated.csv": (
        "champ has the highest strength",
        {"champ": 1, "c": 2, "b": 3, "d": 3},
        {},
    ),
    "preferences-two-tiers-complete.csv": (
        "a1, a2 have the highest win rate",
        {"a1": 1, "a2": 1, "b1": 3, "b2": 4},
        {},
    ),
    "winner-blank.csv": ("beta has the highest win rate (0.622", {"beta": 1, "alpha": 2, "gamma": 3}, {}),
    "verdict-labels.csv": (
        "alpha has the highest win rate",
        {},
        {"alpha": 0.646, "beta": 0.583, "gamma": 0.271},
    ),
    "alpaca-weighted.json": ("mine has the highest win rate (0.643", {}, {"mine": 0.643, "base": 0.357}),
    "first-confounded.csv": ("alpha has the highest win rate", {"alpha": 1, "beta": 2, "gamma": 3}, {}),
    "one-pair-throughout.csv": ("alpha has the highest win rate", {}, {"alpha": 0.667, "beta": 0.333}),
}
CAUTIONS = {
    "winner-blank.csv": "8 of 36 rows left out: no winner in winner",
    "first-always-wins.csv": "raters prefer the output that stands first: of equal outputs the first would win",
    "first-confounded.csv": "comparisons are of pairs in one order only",
    "one-pair-throughout.csv": "12 of 12 comparisons are of pairs in one order only, as alpha before beta",
}


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("name", CASES)
def test_what_users_reported(name, shared, tmp_path, capsys):
    headline, ranks, rates = CASES[name]
    options = []
    if name == "one-pair-throughout.csv":
        options = ["--columns", "topic=story,first=left_sys,second=right_sys,winner=vote"]
    path = tmp_path / "ranking.csv"
    assert main(["compare", str(shared / "cases6-reports" / name), *options, "-o", str(path)]) == 0
    main(["compare", str(shared / "cases6-reports" / name), *options])
    assert " ".join(capsys.readouterr().out.split()).startswith(headline)
    table = pd.read_csv(path, comment="#").set_index("summarizer")
    assert {system: table.loc[system, "rank"] for system in ranks} == ranks
    assert {system: round(table.loc[system, "win_rate"], 3) for system in rates} == rates


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("name", CAUTIONS)
def test_what_users_should_have_been_told(name, shared, capsys):
    columns = ["--columns", "topic=story,first=left_sys,second=right_sys,winner=vote"]
    options = columns if name == "one-pair-throughout.csv" else []
    for command in ["compare", "validate"] if "one order" in CAUTIONS[name] else ["compare"]:
        assert main([command, str(shared / "cases6-reports" / name), *options]) == 0
        captured = capsys.readouterr()
        assert CAUTIONS[name] in captured.out + captured.err


def wordy_preferences():
    """System b writes more, and the longer output is preferred in three of four comparisons."""
    rng = np.random.default_rng(3)
    rows = []
    for number in range(80):
        sides = ("a", "b") if number % 2 else ("b", "a")
        words = [int(rng.integers(4, 12)) + 3 * (side == "b") for side in sides]
        longer = int(words[1] > words[0])
        winner = longer if rng.random() < 0.75 else 1 - longer
        texts = ["word " * n for n in words]
        rows.append((number, *sides, *texts, ("model_a", "model_b")[winner]))
    columns = ["topic", "model_a", "model_b", "response_a", "response_b", "winner"]
    return pd.DataFrame(rows, columns=columns)


def test_win_rates_at_equal_length_stand_beside_the_others():
    by_text = wordy_preferences()
    ranking = compare(by_text)
    rows = ranking.table.set_index("summarizer")
    assert rows.loc["b", "win_rate"] > rows.loc["b", "win_rate_at_length"] > 0.4
    assert rows.loc["b", "low_at_length"] < 0.5 < rows.loc["b", "high_at_length"]
    assert " At equal length of outputs " in ranking.sentence
    plain = by_text.drop(columns=["response_a", "response_b"])
    beside = ["win_rate_at_length", "low_at_length", "high_at_length"]
    unadjusted = compare(plain).table
    pd.testing.assert_frame_equal(ranking.table.drop(columns=[*beside, "length_flag"]), unadjusted)
    lengths = {f"length_{side}": by_text[f"response_{side}"].str.strip().str.len() for side in "ab"}
    pd.testing.assert_frame_equal(compare(plain.assign(**lengths)).table, ranking.table)


def test_lengths_that_tell_nothing_are_said_and_missing_ones_counted():
    plain = wordy_preferences().drop(columns=["response_a", "response_b"])
    always = plain.assign(
        length_a=plain["model_a"].map({"a": 1, "b": 2}), length_b=plain["model_b"].map({"a": 1, "b": 2})
    )
    sentence = compare(always).sentence
    assert (
        "at equal length are unknown: of two systems one has the longer output fewer than 3 times."
        in sentence
    )
    texts = wordy_preferences()
    texts.loc[0, "response_a"] = None
    with pytest.warns(DataWarning, match="1 of 80 comparisons lack a length"):
        compare(texts)


@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
def test_equal_win_rates_at_equal_length_have_no_single_leader():
    ties = [(topic, "a", "b", 100 + topic, 120 - topic, "tie") for topic in range(30)]
    names = ["item", "model_a", "model_b", "length_a", "length_b", "winner"]
    assert "At equal length of outputs a, b have the highest win rate (0.500)." in (
        compare(pd.DataFrame(ties, columns=names)).sentence
    )
