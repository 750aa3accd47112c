"""What is said of correlations that show nothing: few systems, groups, other means, copies of the human scores."""

import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng

from classy_aesop import DataWarning, evaluate, evaluate_pairs
from classy_aesop.answers.correlation_tables import spread_correlations
from classy_aesop.answers.declared import load_answer
from classy_aesop.data.scores import add_stratum_columns
from classy_aesop.errors import UsageError


def table_of(n_systems=8, n_topics=40, *, easy=0.0, seed=3):
    """Scores and judgments whose topics differ; ``easy`` are the points that the second half of the topics gains."""
    rng = default_rng(seed)
    topic = np.repeat([0.0, easy], n_topics // 2)
    names = [(f"s{system}", f"t{place:02}") for system in range(n_systems) for place in range(n_topics)]
    frame = pd.DataFrame(names, columns=["system", "topic"])
    for name in ("rouge", "length", "quality"):
        scores = 0.3 * rng.normal(size=(n_systems, 1)) + topic + rng.normal(size=(n_systems, n_topics))
        frame[name] = scores.ravel()
    return frame


def without_easy(frame):
    """Half of the systems lack most easy topics, in scores and judgments alike."""
    place = frame["topic"].str[1:].astype(int)
    return frame[~(frame["system"].isin(["s0", "s1", "s2", "s3"]) & (place >= 20) & (place % 5 > 0))]


def sides(frame):
    return frame.drop(columns="quality"), frame[["system", "topic", "quality"]]


def headline(table, kind):
    return load_answer(kind).sentence(add_stratum_columns(table))


@pytest.mark.slow
def test_scores_and_judgments_that_lack_the_same_easy_topics():
    options = {"level": "system", "coefficient": "pearson", "metric": "rouge"}
    full = table_of(easy=30)
    of_all = evaluate(*sides(full), **options).table
    said = "64 of 320 cells are missing; rouge quality pearson is -0.[0-9]+ by least-squares means, 0.9[0-9]+ by plain"
    with pytest.warns(DataWarning, match=said):
        table = evaluate(*sides(without_easy(full)), **options).table
    (row,) = table.to_dict("records")
    assert row["means"] == "least-squares"
    assert row["value"] == pytest.approx(of_all["value"].iat[0], abs=0.2)
    with pytest.warns(DataWarning, match="plain means are reported"):
        (plain,) = evaluate(*sides(without_easy(full)), **options, means="plain").table.to_dict("records")
    assert (plain["value"] > 0.95, plain["means"]) == (True, "plain")
    with pytest.raises(UsageError, match="means is 'no'; expected one of least-squares, plain"):
        evaluate(*sides(full), means="no")


@pytest.mark.slow
@pytest.mark.parametrize("interval", ["boot-both", "boot-systems", "fisher"])
def test_intervals_and_tests_are_of_the_same_means(interval):
    part = sides(without_easy(table_of(easy=30)))
    options = {"interval": interval} | ({} if interval == "fisher" else {"n_resamples": 299})
    with pytest.warns(DataWarning, match="by least-squares means"):
        (rouge, _) = evaluate(*part, level="system", coefficient="pearson", **options).table.to_dict(
            "records"
        )
    assert rouge["low"] < rouge["value"] < rouge["high"]
    assert rouge["low"] < 0
    with pytest.warns(DataWarning, match="by least-squares means"):
        (pair,) = evaluate_pairs(*part, "quality", **options).table.to_dict("records")
    assert abs(pair["difference"]) > 0.1
    with pytest.warns(DataWarning, match="plain means are reported"):
        (plain,) = evaluate_pairs(*part, "quality", means="plain", **options).table.to_dict("records")
    assert abs(plain["difference"]) < 0.1
    with pytest.warns(DataWarning, match="by least-squares means"):
        of_three = evaluate_pairs(part[0].assign(noise=part[0]["rouge"] ** 2), part[1], "quality", **options)
    ranked = of_three.first().table.set_index("metric")["value"]
    assert [ranked[name] for name in (pair["first"], pair["second"])] == [pair["r_first"], pair["r_second"]]


@pytest.mark.slow
def test_systems_without_shared_topics_have_no_value_at_system_level():
    frame = table_of()
    first = frame["system"] < "s4"
    frame = frame[first == (frame["topic"] < "t20")]
    with pytest.warns(DataWarning, match=r"2 groups of systems share no topic \(s0, s1, s2 and 1 more"):
        table = evaluate(*sides(frame), coefficient="pearson").table
    of_means = table[table["level"] == "system"]
    assert of_means["value"].isna().all()
    assert set(of_means["flag"]) == {"not connected"}
    assert table.loc[table["level"] != "system", "value"].notna().all()
    assert headline(table, "evaluate").startswith("Systems share no topics: their means cannot be compared. ")
    three = frame.assign(noise=frame["rouge"] ** 2)
    with pytest.warns(DataWarning, match="share no topic"):
        ranking = evaluate_pairs(*sides(three), "quality", n_resamples=99).first().table
    assert (
        headline(ranking, "evaluate --ranking") == "Systems share no topics: their means cannot be compared."
    )
    with pytest.warns(DataWarning, match="share no topic"):
        pairs = evaluate_pairs(*sides(frame), "quality", n_resamples=99).table
    assert (pairs["p"].iat[0], pairs["flag"].iat[0]) == (1, "not connected")


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("interval", ["boot-both", "boot-inputs", "boot-systems", "fisher"])
def test_two_systems_are_no_correlation(interval):
    options = {"coefficient": "pearson", "interval": interval}
    options |= {} if interval == "fisher" else {"n_resamples": 99}
    with pytest.warns(DataWarning, match=r"few systems \(2\): .* that of two is 1 or -1"):
        table = evaluate(*sides(table_of(2)), level=["system", "input"], **options).table
    of_means = table[table["level"] == "system"]
    assert set(of_means["flag"]) == {"two systems"}
    assert of_means[["low", "high"]].isna().all(axis=None)
    assert headline(table, "evaluate").startswith(
        "Two systems are no correlation: that of their means is 1 or -1. "
    )
    assert "input level" in headline(table, "evaluate")
    shown = list(spread_correlations(add_stratum_columns(table)))
    assert shown.index("input") < shown.index("system")


@pytest.mark.slow
def test_metrics_of_two_systems_are_compared_within_topics():
    with pytest.warns(DataWarning, match="few systems"):
        table = evaluate_pairs(*sides(table_of(2)), "quality", n_resamples=99, test="boot").table
    assert set(table["level"]) == {"input"}
    with pytest.warns(DataWarning, match="few systems"):
        table = evaluate_pairs(
            *sides(table_of(2)), "quality", level="system", n_resamples=99, test="boot"
        ).table
    assert (table["p"].iat[0], table["p_here"].iat[0], table["flag"].iat[0]) == (1, 1, "two systems")
    assert table[["low", "high"]].isna().all(axis=None)
    three = table_of(2).assign(noise=lambda table: table["rouge"] ** 2)
    with pytest.warns(DataWarning, match="few systems"):
        result = evaluate_pairs(*sides(three), "quality", level="system", n_resamples=99, test="boot")
    ranking = result.first().table
    assert (
        headline(ranking, "evaluate --ranking")
        == "Two systems are no correlation: that of their means is 1 or -1."
    )


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("n_systems", [2, 3, 5, 6])
def test_fewer_than_six_systems_are_said_once(n_systems, recwarn):
    evaluate(*sides(table_of(n_systems)))
    said = [str(each.message) for each in recwarn if "few systems" in str(each.message)]
    assert len(said) == (n_systems < 6)
    evaluate(*sides(table_of(n_systems)), level="input")
    assert len([each for each in recwarn if "few systems" in str(each.message)]) == len(said)


@pytest.mark.slow
def test_a_metric_that_is_the_human_scores_is_named(recwarn):
    frame = table_of().assign(
        judge=lambda table: 20 * table["quality"], copied=lambda table: table["quality"]
    )
    for function in (evaluate, lambda *both: evaluate_pairs(*both, "quality", n_resamples=299).first()):
        recwarn.clear()
        function(*sides(frame))
        said = [str(each.message).partition(":")[0] for each in recwarn]
        expected = ["copied equals quality in 320 of 320 cells"]
        assert sorted(said) == [*expected, "judge is a linear function of quality in all 320 cells"]


def rated(share):
    """Two raters, a point apart; the first rates this share of the topics of one system, and half of the others'."""
    frame = table_of(6, 20).drop(columns="length")
    place = frame["topic"].str[1:].astype(int)
    is_first = np.where(frame["system"] == "s0", place < 20 * share, place % 2 == 0)
    return frame.assign(rater=np.where(is_first, "ann", "bob"), quality=frame["quality"] + is_first)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("share", [0.5, 0.8])
def test_raters_who_rate_one_system_more_often_are_named(share, recwarn):
    frame = rated(share)
    scores, judgments = frame[["system", "topic", "rouge"]], frame[["system", "topic", "rater", "quality"]]
    evaluate(scores, judgments)
    said = [str(each.message) for each in recwarn]
    assert len(said) == (share > 0.5)
    if said:
        assert said[0].startswith("quality: rater ann gave 80% of the ratings of s0 and 50% of those of s1, ")


BOTH = [
    (lambda scores, judgments: evaluate(scores, judgments, level="system").table),
    (lambda scores, judgments: evaluate_pairs(scores, judgments, "quality", n_resamples=99).table),
]


def warnings_of(call, frame):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(*sides(frame))
    return [str(warning.message) for warning in caught]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("call", BOTH)
def test_one_topic_says_nothing_of_others(call):
    frame = table_of(n_topics=4)
    said = "one topic: the means of systems are its scores"
    assert not any(message.startswith(said) for message in warnings_of(call, frame))
    one = frame[frame["topic"] == "t00"]
    assert sum(message.startswith(said) for message in warnings_of(call, one)) == 1


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("call", BOTH)
def test_metrics_of_different_systems_are_told_with_what_they_lack(call):
    frame = table_of(n_topics=4)
    said = "metrics are compared over different systems"
    assert not any(said in message for message in warnings_of(call, frame))
    lacking = frame.assign(rouge=frame["rouge"].mask(frame["system"].isin(["s1", "s4"])))
    (message,) = [message for message in warnings_of(call, lacking) if said in message]
    assert message.endswith(f"{said}, of 8: rouge lacks s1, s4")


@pytest.mark.slow
def test_measures_that_lack_the_same_systems_are_told_at_once():
    frame = table_of(n_topics=4)
    lacking = frame.assign(rouge=frame["rouge"].mask(frame["system"].eq("s1")))
    scores, judgments = sides(lacking)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        evaluate(scores, judgments.assign(style=-judgments["quality"]), level="system")
    (message,) = [str(one.message) for one in caught if "different systems" in str(one.message)]
    assert message == "quality, style: metrics are compared over different systems, of 8: rouge lacks s1"
