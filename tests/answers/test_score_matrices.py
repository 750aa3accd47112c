"""What two score tables share and how it is laid out; who is compared, and which pairs of them."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop import DataWarning, InputError, Selection, compare_pairs, evaluate
from classy_aesop.answers.score_matrices import (
    judged_grids,
    keep_large_enough,
    mixed_pairs,
    select_rows,
    split_by_stratum,
)
from classy_aesop.errors import UsageError


def test_grids_are_the_matrices_in_natural_order(tables, judged, shuffle):
    grids = judged_grids(*map(shuffle, tables), "human")
    assert [(grid.year, grid.task) for grid in grids] == [("2021", "A"), ("2021", "B")]
    assert list(grids[0].metrics) == ["m1", "m2", "m10"]
    assert grids[0].summarizers == tuple("123456")
    np.testing.assert_array_equal(grids[0].truth, judged["human"])
    np.testing.assert_array_equal(grids[0].metrics["m1"], judged["m1"])
    np.testing.assert_array_equal(grids[1].metrics["m10"], judged["m10"][:, ::-1])
    with pytest.raises(UsageError, match="no metric 'm3'; known: m1, m2, m10"):
        select_rows(tables[0], "metric", ["m1", "m3"])


def test_what_only_one_table_has_is_left_out_with_a_warning(table_of):
    scores = pd.concat([table_of([[1, 2], [3, 4], [5, 6]], "m1"), table_of([[7, 8]], "m2")])
    judgments = table_of([[1, 2], [2, 3], [9, 9]], "human", names=["1", "2", "9"])
    with pytest.warns(DataWarning) as told:
        (grid,) = judged_grids(scores, judgments, "human")
    assert [str(warning.message).split(" are")[0] for warning in told] == [
        "2 scores without a judgment", "2 judgments without a score"
    ]  # fmt: skip
    assert grid.summarizers == ("1", "2")
    np.testing.assert_array_equal(grid.metrics["m2"], [[7, 8], [np.nan, np.nan]])
    values = {"x": [[1], [2]], "y": [[3], [2]]}
    ratings = [table_of(values[name], "human").assign(assessor=name) for name in values]
    (grid,) = judged_grids(table_of([[1], [2]], "m1"), pd.concat(ratings), "human")
    np.testing.assert_array_equal(grid.truth, [[2], [2]])


def test_places_with_too_few_are_reported(tables):
    assert list(split_by_stratum(tables[0])) == [("2021", "A"), ("2021", "B")]
    one, two = (SimpleNamespace(year="2021", task=task, n=n) for task, n in (("A", 2), ("B", 1)))
    with pytest.warns(DataWarning, match=r"left out: too few metrics to compare \(2021-B: 1\); expected 2"):
        assert keep_large_enough([one, two], lambda part: part.n, 2, "metrics") == [one]
    with pytest.raises(InputError, match=r"too few summarizers to compare \(0\)"):
        keep_large_enough([SimpleNamespace(year="", task="")], lambda _: 0, 2, "summarizers")
    with pytest.raises(InputError, match=r"too few summarizers to compare \(none\)"):
        keep_large_enough([], len, 2, "summarizers")


def test_a_task_of_which_a_metric_has_no_score_is_as_if_it_were_not_there():
    keys = [("1", topic, task, one) for topic in "xy" for task in "AB" for one in "ab"]
    table = pd.DataFrame(keys, columns=["year", "topic", "task", "summarizer"]).assign(metric="m", score=1.0)
    scores = table.assign(score=table["score"].where(table["task"] == "A"))
    with pytest.warns(DataWarning):
        assert [grid.task for grid in judged_grids(scores, table.assign(metric="t"), "t")] == ["A"]


NAMES = ["1", "2", "3", "A", "B"]
HUMANS = {("2021", name): name in "AB" for name in NAMES}
SYSTEMS = Selection(peers="no_models")


@pytest.fixture(scope="module")
def table(table_of):
    values = np.random.default_rng(4).normal(size=(5, 9)) + np.arange(5)[:, None] / 2
    return table_of(values, "m", names=NAMES)


def names_of(table):
    return sorted(set(table["summarizer"]))


@pytest.mark.parametrize(
    ("selection", "names"),
    [
        (Selection(peers="all_peers"), NAMES),
        (SYSTEMS, ["1", "2", "3"]),
        (Selection(peers="models_only"), ["A", "B"]),
        (Selection(peers="all_peers", exclude=("2", "A")), ["1", "3", "B"]),
        (Selection(only=("1", "A")), ["1", "A"]),
        (Selection(peers="no_models", exclude=("3",)), ["1", "2"]),
        (Selection(peers="models_only", only=("1", "A")), ["A"]),
    ],
)
def test_rows_of_those_who_take_part_are_kept_as_they_are(table, selection, names):
    (found,) = selection.select_tables([table], humans=HUMANS)
    pd.testing.assert_frame_equal(found, table[table["summarizer"].isin(names)])
    assert names_of(found) == names


def test_who_is_in_one_of_two_tables_need_not_be_known(table):
    """Whoever is not in both cannot take part: the comparison of the two says that the rows are left out."""
    more = pd.concat([table, table[table["summarizer"] == "1"].assign(summarizer="9")])
    scores, judgments = SYSTEMS.select_tables([more, table], humans=HUMANS)
    assert (names_of(scores), names_of(judgments)) == (["1", "2", "3", "9"], ["1", "2", "3"])
    with pytest.warns(DataWarning, match="9 scores without a judgment are left out"):
        evaluate(scores.assign(score=scores["score"] ** 2), judgments)
    with pytest.raises(
        UsageError, match=r"peers no_models: it is not known which of 9 are humans; .*--corpus"
    ):
        SYSTEMS.select_tables([more, more], humans=HUMANS)
    unscored = pd.concat([table, more[more["summarizer"] == "9"].assign(score=np.nan)])
    SYSTEMS.select_tables([unscored], humans=HUMANS)


def test_humans_who_were_not_asked_for_are_named(table):
    said = r"2 of 5 summarizers are humans \(A, B\); peers no_models leaves them out"
    with pytest.warns(DataWarning, match=said):
        Selection().select_tables([table], humans=HUMANS)
    Selection().select_tables([table])  # nobody is known to be human
    Selection(exclude=("A", "B")).select_tables([table], humans=HUMANS)
    unscored = table.assign(score=table["score"].where(~table["summarizer"].isin(["A", "B"])))
    Selection().select_tables([unscored], humans=HUMANS)


CANNOT_BE_MEANT = [
    (Selection(exclude=("bart",)), "no summarizer 'bart' to compare; known: "),
    (Selection(only=("Zz",)), "no summarizer 'Zz' to compare; known: 10, BART_out, bert_out"),
    (
        Selection(exclude=("10", "BART_out", "bert_out")),
        "no summarizer is left to compare; expected other peers",
    ),
    (SYSTEMS, "peers no_models: it is not known which of 10, BART_out, bert_out are humans; expected scores"),
]


@pytest.mark.parametrize(("selection", "message"), CANNOT_BE_MEANT)
def test_names_that_cannot_be_meant_are_refused(table_of, selection, message):
    with pytest.raises(UsageError, match=message):
        selection.select_tables([table_of(np.ones((3, 2)), "m", names=["bert_out", "BART_out", "10"])])


def test_names_that_leave_nobody_are_refused(table):
    with pytest.raises(UsageError, match="no summarizer is left to compare; expected other peers"):
        Selection(peers="models_only", only=("1",)).select_tables([table], humans=HUMANS)


def test_mixed_pairs_need_humans_and_systems(table):
    assert mixed_pairs("2021", NAMES, HUMANS).tolist() == [[0, 3], [0, 4], [1, 3], [1, 4], [2, 3], [2, 4]]
    with pytest.raises(UsageError, match="pairs mixed: it is not known which of 1, 2, 3, A, B are humans"):
        compare_pairs(table, "m", among="mixed")
    (systems,) = SYSTEMS.select_tables([table], humans=HUMANS)
    with pytest.raises(InputError, match="too few pairs of a human and a system to compare"):
        compare_pairs(systems, "m", among="mixed", humans=HUMANS)
    both = pd.concat([table, systems.assign(year="2022")])
    humans = HUMANS | {("2022", name): False for name in "123"}
    with pytest.warns(DataWarning, match="left out: too few pairs of a human and a system .* .2022-A: 0"):
        found = compare_pairs(both, "m", among="mixed", humans=humans).table
    assert set(found["year"]) == {"2021"}


@pytest.mark.parametrize("how", [{}, {"equivalence": 1.0}])
def test_mixed_pairs_are_rows_of_all_pairs_and_a_family_of_their_own(table, how):
    every = compare_pairs(table, "m", correction="none", **how).table
    mixed = compare_pairs(table, "m", correction="none", among="mixed", humans=HUMANS, **how).table
    crossing = every["first"].isin(["A", "B"]) != every["second"].isin(["A", "B"])
    assert crossing.sum() == 3 * 2
    of_family = {"columns": "unseen"}  # of the pair of middle variance
    expected = every[crossing].reset_index(drop=True).drop(**of_family)
    pd.testing.assert_frame_equal(mixed.drop(**of_family), expected)
    corrected = compare_pairs(table, "m", correction="holm", among="mixed", humans=HUMANS, **how).table
    order = np.argsort(mixed["p"].to_numpy())
    steps = np.maximum.accumulate(mixed["p"].to_numpy()[order] * np.arange(6, 0, -1)).clip(max=1)
    np.testing.assert_array_equal(corrected["p_adjusted"].to_numpy()[order], steps)


@pytest.fixture(scope="module")
def corpus(corpora):
    return corpora["2021"]


def test_a_corpus_says_who_is_human(corpus):
    humans = corpus.humans()
    for topic, summary in corpus.summaries():
        assert humans[topic.year, summary.summarizer] == summary.human
    alone = corpus_of_records([{"topic": "D1", "summarizer": "7", "text": "x", "references": {"A": "y"}}])
    assert alone.humans() == {("", "7"): False, ("", "A"): True}


def test_of_a_corpus_summaries_go_and_references_stay(corpus):
    systems = SYSTEMS.select_corpus(corpus)
    assert systems.humans() == corpus.humans()  # the references say it
    assert not any(summary.human for _, summary in systems.summaries())
    assert [topic.references for topic in systems] == [topic.references for topic in corpus]
    humans = Selection(peers="models_only", exclude=("A",)).select_corpus(corpus)
    left = {summary.summarizer for _, summary in humans.summaries()}
    assert left == {name for (_, name), human in corpus.humans().items() if human} - {"A"}
    with pytest.raises(UsageError, match="no summarizer 'AA' to compare; known: "):
        Selection(exclude=("AA",)).select_corpus(corpus)
    with pytest.raises(UsageError, match="no summarizer is left to compare; expected other peers"):
        Selection(peers="models_only", only=("1",)).select_corpus(corpus)


def test_scores_of_the_target_alone_are_no_missing_values():
    scores = pd.DataFrame({"topic": ["1", "2"], "summarizer": "a", "metric": "quality", "score": [1.0, 2.0]})
    with pytest.raises(InputError, match="no metric beside the human measures"):
        evaluate(scores, target="quality")
