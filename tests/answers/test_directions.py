"""Measures of which lower values are better: every answer is that of the negated table, with the sign of the file."""

import numpy as np
import pandas as pd
import pytest

import classy_aesop
from classy_aesop.answers.answer_options import GATES
from classy_aesop.answers.gates import evaluate_gate
from classy_aesop.data.directions import DIRECTION, lower_measures, set_directions, warn_of_directions
from classy_aesop.errors import DataWarning, UsageError
from classy_aesop.plots.pictures import _sign_matrix
from classy_aesop.reading.score_tables import ensure_tidy

INF = float("inf")


def errors_by_system():
    """Give the errors of three systems on eight topics, the fewest of alpha."""
    errors = [1, 2, 2, 0, 1, 4, 0, 2, 2, 1, 2, 4, 1, 3, 2, 1, 2, 3, 1, 1, 2, 1, 2, 3]
    topics = np.repeat([f"t{number}" for number in range(1, 9)], 3)
    return pd.DataFrame({"topic": topics, "system": ["alpha", "beta", "gamma"] * 8, "errors": errors})


def negated(table, *names):
    return table.assign(**{name: -table[name] for name in names})


COMPLETE = errors_by_system()
MISSING = COMPLETE.drop(index=[1, 5, 12])
RATED = pd.concat(
    [
        COMPLETE.assign(assessor=np.where(COMPLETE.index % 2, "ann", "bob")),
        COMPLETE.assign(assessor="cem", errors=COMPLETE["errors"] + 1)[::2],
    ]
)
TABLES = {"complete": COMPLETE, "missing": MISSING, "raters": RATED}
VALUES = ["mean", "plain", "difference", "effect", "rater_difference"]
ENDS = [
    ("low", "high"),
    ("low_best", "high_best"),
    ("low_all", "high_all"),
    ("low_equivalence", "high_equivalence"),
]


def assert_turned(table, other):
    """Check that one result is the other one with the sign of its values turned."""
    assert set(table[DIRECTION]) == {"lower is better"}
    expected = other.copy()
    for name in VALUES:
        if name in other:
            expected[name] = -other[name]
    for low, high in ENDS:
        if low in other:
            expected[low] = -other[high]
            expected[high] = -other[low]
    left = {DIRECTION, "statistic", "by_rater", "margin"}
    pd.testing.assert_frame_equal(
        table[[name for name in table if name not in left]],
        expected[[name for name in expected if name not in left]],
        atol=1e-12,
        check_dtype=False,
    )


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("data", TABLES)
@pytest.mark.parametrize("test", [None, "paired_t"])
def test_a_ranking_is_that_of_the_negated_table(data, test):
    table = TABLES[data]
    ranking = classy_aesop.compare(table, "errors", test=test, lower_is_better="errors")
    other = classy_aesop.compare(negated(table, "errors"), "errors", test=test)
    assert_turned(ranking.table, other.table)
    assert ranking.table["summarizer"].tolist() == ["alpha", "beta", "gamma"]
    assert (
        ranking.sentence.startswith("alpha has the lowest (best) mean")
        or "No best is named" in ranking.sentence
    )
    assert ranking.sentence.partition(";")[2] == other.sentence.partition(";")[2]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("data", TABLES)
def test_pairs_are_those_of_the_negated_table(data):
    table = TABLES[data]
    pairs = classy_aesop.compare_pairs(table, "errors", equivalence=(-INF, 0.5), lower_is_better=["errors"])
    other = classy_aesop.compare_pairs(negated(table, "errors"), "errors", equivalence=(-0.5, INF))
    assert_turned(pairs.table, other.table)
    names, signs = _sign_matrix(pairs.table)
    other_names, other_signs = _sign_matrix(other.table)
    assert names == other_names
    np.testing.assert_array_equal(signs, other_signs)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("test", ["wilcoxon", "paired_t"])
def test_the_statistic_is_that_of_the_values_in_the_file(test):
    pairs = classy_aesop.compare_pairs(COMPLETE, "errors", test=test, lower_is_better="errors").table
    as_higher = classy_aesop.compare_pairs(COMPLETE, "errors", test=test, lower_is_better="none").table
    for name in ("difference", "low", "high", "effect", "statistic", "p"):
        assert pairs[name].to_numpy() == pytest.approx(as_higher[name].to_numpy(), abs=1e-12)


def test_differences_by_rater_have_the_sign_of_the_file():
    pairs = classy_aesop.compare_pairs(RATED, "errors", lower_is_better="errors").table
    as_higher = classy_aesop.compare_pairs(RATED, "errors", lower_is_better=[]).table
    assert pairs["by_rater"].str.contains("ann").any()
    assert pairs["by_rater"].tolist() == as_higher["by_rater"].tolist()


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("baseline", ["alpha", "beta", "gamma"])
@pytest.mark.parametrize("gate", GATES)
def test_gates_are_those_of_the_negated_table(gate, baseline):
    margins = ((-INF, 0.5), (-0.5, INF)) if gate == "not-as-good" else (None, None)
    pairs = classy_aesop.compare_pairs(
        COMPLETE, "errors", baseline=baseline, equivalence=margins[0], lower_is_better="errors"
    )
    other = classy_aesop.compare_pairs(
        negated(COMPLETE, "errors"), "errors", baseline=baseline, equivalence=margins[1]
    )
    passed, message = evaluate_gate(pairs.table, gate)
    expected = evaluate_gate(other.table, gate)
    assert passed == expected[0]
    assert message.partition(" is ")[0] == expected[1].partition(" is ")[0]
    assert message.split("(")[-1] == expected[1].split("(")[-1]
    assert "above" not in message


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:3 systems")
def test_metrics_are_judged_as_those_of_negated_tables():
    rng = np.random.default_rng(0)
    table = COMPLETE.assign(ter=COMPLETE["errors"] + rng.normal(size=24), bleu=rng.normal(size=24))
    scores, judgments = table.drop(columns="errors"), table[["topic", "system", "errors"]]
    lower = ["errors", "ter"]
    others = negated(scores, "ter"), negated(judgments, "errors")
    options = {"level": "input", "coefficient": ["pearson", "pairwise_accuracy"]}
    pd.testing.assert_frame_equal(
        classy_aesop.evaluate(scores, judgments, lower_is_better=lower, **options).table,
        classy_aesop.evaluate(*others, **options).table,
    )
    options = {"level": "input", "n_resamples": 99}
    pd.testing.assert_frame_equal(
        classy_aesop.evaluate_pairs(scores, judgments, "errors", lower_is_better=lower, **options).table,
        classy_aesop.evaluate_pairs(*others, "errors", **options).table,
    )
    biases = classy_aesop.evaluate_bias(scores, judgments, lower_is_better=lower).table
    expected = classy_aesop.evaluate_bias(*others).table
    for name in ("human_mean", "judge_mean"):
        expected[name] = -expected[name]
    pd.testing.assert_frame_equal(biases, expected)
    assert biases["summarizer"].iloc[0] == "alpha"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_estimates_are_those_of_the_negated_table():
    table = COMPLETE.assign(ter=COMPLETE["errors"] + np.tile([0.3, 0, 0.6, 0.1], 6))
    judgments = table[["topic", "system", "errors"]][:15]
    scores = table[["topic", "system", "ter"]]
    lower = ["errors", "ter"]
    others = negated(judgments, "errors"), negated(scores, "ter")
    estimates = classy_aesop.estimate(judgments, scores, target="errors", lower_is_better=lower).table
    expected = classy_aesop.estimate(*others, target="errors").table
    assert estimates["summarizer"].tolist() == expected["summarizer"].tolist() == ["alpha", "beta", "gamma"]
    for name in ("plain", "estimate", "effect"):
        assert estimates[name].to_numpy() == pytest.approx(-expected[name].to_numpy())
    for low, high in (("low", "high"), ("effect_low", "effect_high")):
        assert estimates[low].to_numpy() == pytest.approx(-expected[high].to_numpy())
        assert estimates[high].to_numpy() == pytest.approx(-expected[low].to_numpy())
    estimated = classy_aesop.estimate(judgments, scores, target="errors", lower_is_better=lower)
    assert estimated.sentence.startswith("alpha has the lowest estimated mean")
    ranks = ["rank", "rank_low", "rank_high", "together_low", "together_high", "cluster"]
    pd.testing.assert_frame_equal(estimates[ranks], expected[ranks])
    pairs = classy_aesop.estimate_differences(
        judgments, scores, target="errors", equivalence=(-INF, 9.0), lower_is_better=lower
    ).table
    expected = classy_aesop.estimate_differences(*others, target="errors", equivalence=(-9.0, INF)).table
    assert pairs["verdict"].tolist() == expected["verdict"].tolist() == ["not worse"] * 3
    assert pairs["difference"].to_numpy() == pytest.approx(-expected["difference"].to_numpy())
    assert pairs["low"].to_numpy() == pytest.approx(-expected["high"].to_numpy())


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("name", ["errors", "TER", "mean_rank", "latency_ms", "WER.avg"])
def test_names_that_say_so_bring_a_warning_until_the_direction_is_given(name):
    table = COMPLETE.rename(columns={"errors": name})
    with pytest.warns(DataWarning, match=f"{name}: its name suggests that lower values are better"):
        higher = classy_aesop.compare(table, name)
    assert higher.table["summarizer"].iloc[0] == "gamma"  # nothing is turned by name alone


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_no_warning_where_the_direction_is_given_or_values_are_negative():
    classy_aesop.compare(COMPLETE, "errors", lower_is_better="errors")
    classy_aesop.compare(COMPLETE, "errors", lower_is_better=[])
    classy_aesop.compare(COMPLETE, "errors", lower_is_better="none")
    classy_aesop.compare(negated(COMPLETE, "errors"), "errors")
    classy_aesop.compare(COMPLETE.rename(columns={"errors": "quality"}), "quality")


def test_tables_carry_the_direction_through_selections():
    (table,) = set_directions([ensure_tidy(COMPLETE)], "errors")
    assert lower_measures(table[table["topic"] != "t1"]) == {"errors"}
    ranking = classy_aesop.compare(table[table["topic"] != "t1"], "errors").table
    assert ranking["summarizer"].iloc[0] == "alpha"
    assert lower_measures(set_directions([table], [])[0]) == set()


def test_a_measure_that_is_not_there_is_refused():
    with pytest.raises(UsageError, match="lower is better names ter, which is not a measure; known: errors"):
        classy_aesop.compare(COMPLETE, "errors", lower_is_better="ter")


LOWER_BY_NAME = (
    "cost error_rate latency_s num_errors perplexity ppl rank ter wer loss mae mse rmse nll cer brier ece distance "
    "edit_distance divergence fid surprisal hallucinations hallucination_rate contradictions violations mistakes "
    "defects unsupported_claims false_positives toxicity harm refusals duration seconds price valLoss WER.mean"
)
HIGHER_BY_NAME = (
    "accuracy coherence rouge1 non_toxicity no_hallucinations error_free absence-of-errors true_positives "
    "harmlessness closeness terse positives"
)


@pytest.mark.parametrize("name", LOWER_BY_NAME.split())
def test_a_measure_that_is_lower_by_its_name_is_asked_about(name):
    table = COMPLETE.rename(columns={"errors": "score"}).assign(metric=name)
    with pytest.warns(DataWarning, match=f"{name}: its name suggests that lower values are better"):
        warn_of_directions(table, [name])


@pytest.mark.parametrize("name", HIGHER_BY_NAME.split())
def test_a_measure_that_is_higher_by_its_name_is_not(name):
    warn_of_directions(COMPLETE.rename(columns={"errors": "score"}).assign(metric=name), [name])
