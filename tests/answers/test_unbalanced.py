"""Comparisons of tables that lack cells, raters or topics: what is said is true, or it is not said."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import compare, compare_pairs, power
from classy_aesop.answers.declared import load_answer
from classy_aesop.answers.gates import evaluate_gate
from classy_aesop.errors import DataWarning

LIMITS = "ignore:.*no difference can be significant:classy_aesop.errors.DataWarning"


def said(table, kind="compare"):
    """Give the headline of a table."""
    return load_answer(kind).sentence(table)


@pytest.fixture(scope="module")
def easy():
    """Two versions on forty topics; the new one, worse by half a point on each, was rated on the easy ones alone."""
    rng = np.random.default_rng(0)
    ease = rng.normal(size=40)
    rows = [
        (f"t{topic}", system, 3 + ease[topic] - (system == "new") / 2 + rng.normal() / 4)
        for topic in range(40)
        for system in ("old", "new")
        if system == "old" or ease[topic] > 0.2
    ]
    return pd.DataFrame(rows, columns=["topic", "system", "quality"])


def test_a_version_rated_on_easy_topics_is_not_the_best(easy):
    ranking = compare(easy, "quality").table
    pairs = compare_pairs(easy, "quality").table
    assert ranking["summarizer"].tolist() == ["old", "new"]
    assert ranking["plain"].iloc[0] < ranking["plain"].iloc[1]
    assert ranking["n_topics"].tolist() == [40, int((easy["system"] == "new").sum())]
    assert set(ranking["test"]) == set(pairs["test"]) == {"additive"}
    assert set(ranking["test_reason"]) == {"cells missing"}
    # one fit: the difference of the means is that of the pair, and its sign that of the win
    gap = ranking["mean"].iloc[1] - ranking["mean"].iloc[0]
    assert pairs["difference"].iloc[0] == pytest.approx(gap, abs=1e-12)
    assert pairs["significant"].all()
    assert ranking["wins"].tolist() == [1, 0]
    headline = said(ranking)
    assert headline.startswith("old has the highest mean (")
    assert "on 40 of 40 topics" in headline
    assert headline.endswith("Tested in the additive model, since cells are missing.")


@pytest.mark.slow
def test_a_test_by_name_looks_at_shared_topics_and_names_no_best(easy):
    n_shared = int((easy["system"] == "new").sum())
    for options in ({"test": "wilcoxon"}, {"test": "paired_t"}, {"means": "plain"}):
        pairs = compare_pairs(easy, "quality", **options).table
        assert pairs["n"].tolist() == [n_shared]
        assert (pairs["n_first"].tolist(), pairs["n_second"].tolist()) == ([n_shared], [40])
        assert set(pairs["test_reason"].str.rpartition(", ")[2]) == {"shared topics only"}
        assert f"on the {n_shared} topics that both have" in said(pairs, "compare --pairs")
        headline = said(compare(easy, "quality", **options).table)
        assert "highest mean" not in headline
        assert "No best is named" in headline


def test_plain_means_are_the_means_of_what_is_there(easy):
    means = easy.groupby("system")["quality"].mean()
    ranking = compare(easy, "quality", means="plain").table
    np.testing.assert_allclose(ranking["mean"], means[ranking["summarizer"]], rtol=1e-12)
    assert ranking["summarizer"].tolist() == ["new", "old"]


def rated(seed, *, gap=1.0, shares=(0.8, 0.3), n_topics=40):
    """Two equal systems, a rating a cell by one of two raters, of whom the first gives more."""
    rng = np.random.default_rng(seed)
    rows = []
    for topic in range(n_topics):
        for system, share in zip("XY", shares, strict=True):
            is_first = rng.random() < share
            rows.append(
                (f"t{topic}", system, "ann" if is_first else "bob", 3 + gap * is_first + rng.normal() / 2)
            )
    return pd.DataFrame(rows, columns=["topic", "system", "rater", "quality"])


@pytest.mark.slow
def test_equal_systems_are_not_told_apart_by_their_raters():
    tables = [rated(seed) for seed in range(20)]
    found = [compare_pairs(table, "quality").table for table in tables]
    assert set(found[0]["test_reason"]) == {"raters vary"}
    assert sum(bool(one["significant"].iloc[0]) for one in found) <= 4
    with pytest.warns(
        DataWarning,
        match="raters are ignored, though their shares differ between systems: rater (ann|bob) gave",
    ):
        ignored = [compare_pairs(table, "quality", means="plain").table for table in tables]
    assert set(ignored[0]["test"]) == {"paired_t"}
    assert sum(bool(one["significant"].iloc[0]) for one in ignored) >= 12


@pytest.mark.slow
def test_raters_are_named_with_their_own_differences():
    table = rated(1)
    ranking = compare(table, "quality").table
    assert said(ranking).endswith("since raters vary within topics, for these raters.")
    pairs = compare_pairs(table, "quality").table
    wide = table.pivot(index="topic", columns="system", values=["quality", "rater"])
    same = wide["rater"]["X"] == wide["rater"]["Y"]
    for name in ("ann", "bob"):
        of_rater = same & (wide["rater"]["X"] == name)
        own = (wide["quality"]["X"] - wide["quality"]["Y"])[of_rater].astype(float)
        assert f"{name} {own.mean():+.3f} ({of_rater.sum()})" in pairs["by_rater"].iloc[0]
    assert "for these raters" in said(pairs, "compare --pairs")


@pytest.mark.slow
def test_raters_who_rate_all_change_nothing():
    rng = np.random.default_rng(3)
    table = pd.DataFrame(
        [(f"t{topic}", system, rater) for topic in range(12) for system in "XYZ" for rater in ("ann", "bob")],
        columns=["topic", "system", "rater"],
    ).assign(quality=rng.integers(1, 6, size=72))
    cells = table.groupby(["topic", "system"])["quality"].mean().reset_index()
    pd.testing.assert_frame_equal(
        compare_pairs(table, "quality").table, compare_pairs(cells, "quality").table
    )
    pd.testing.assert_frame_equal(compare(table, "quality").table, compare(cells, "quality").table)


@pytest.mark.slow
def test_numbered_columns_are_no_persons_unless_they_are_said_to_be():
    rng = np.random.default_rng(4)
    keys = [(f"t{topic}", system) for topic in range(12) for system in "XY"]
    table = pd.DataFrame(keys, columns=["topic", "system"])
    table[["rating_1", "rating_2"]] = rng.integers(1, 6, size=(24, 2)).astype(float)
    table.loc[rng.choice(24, 8, replace=False), "rating_1"] = np.nan
    assert set(compare_pairs(table, "rating").table["test"]) == {"paired_t"}
    from classy_aesop.reading import tidy

    persons = tidy(table, columns={"ratings": "rating_*"})
    assert set(compare_pairs(persons, "rating").table["test_reason"]) == {"raters vary"}
    lists = tidy(
        pd.DataFrame(keys, columns=["topic", "system"]).assign(
            quality=[
                [int(one) for one in row if one == one] for row in table[["rating_1", "rating_2"]].to_numpy()
            ]
        )
    )
    assert set(compare_pairs(lists, "quality").table["test"]) == {"paired_t"}


@pytest.mark.slow
def test_groups_without_shared_topics_are_named_with_their_column():
    rng = np.random.default_rng(5)
    rows = [
        (f"{dataset}{topic}", system, dataset, quality + rng.normal())
        for topic in range(20)
        for system, dataset, quality in (("A", "cnn", 4), ("B", "cnn", 2), ("C", "xsum", 9), ("D", "xsum", 7))
    ]
    table = pd.DataFrame(rows, columns=["topic", "system", "collection", "quality"])
    message = r"share no topics: A, B \(collection cnn\); C, D \(collection xsum\)"
    with pytest.warns(DataWarning) as caught:
        ranking = compare(table, "quality").table
    assert any(pd.Series(str(one.message) for one in caught).str.contains(message))
    assert ranking[["summarizer", "comparable", "rank"]].to_numpy().tolist() == [
        ["A", 1, 1], ["B", 1, 2], ["C", 2, 1], ["D", 2, 2]
    ]  # fmt: skip
    with pytest.warns(DataWarning):
        pairs = compare_pairs(table, "quality").table
    across = pairs["first"].isin(["A", "B"]) & pairs["second"].isin(["C", "D"])
    assert pairs.loc[across, ["difference", "low", "high"]].isna().all(axis=None)
    assert not pairs.loc[across, "significant"].any()
    assert pairs.loc[~across, "significant"].all()
    assert said(ranking).startswith("2 groups of summarizers cannot be compared with each other")
    with pytest.warns(DataWarning):
        passed, message = evaluate_gate(compare_pairs(table, "quality", baseline="A").table, "worse")
    assert not passed


@pytest.mark.slow
def test_raters_of_one_system_each_are_confounded_with_it():
    rng = np.random.default_rng(6)
    rows = [
        (f"t{topic}", system, rater, rng.normal())
        for topic in range(20)
        for system, rater in (("X", "ann"), ("Y", "bob"))
    ]
    table = pd.DataFrame(rows, columns=["topic", "system", "rater", "quality"])
    with pytest.warns(DataWarning, match="each rater rated one system only: X by ann, Y by bob"):
        pairs = compare_pairs(table, "quality").table
    assert pairs["difference"].isna().all()
    with pytest.warns(DataWarning):
        headline = said(compare(table, "quality").table)
    assert headline.startswith("Nothing is compared: no test decides the difference")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*beyond the scores of the file:classy_aesop.errors.DataWarning")
def test_a_column_of_rows_as_topic_compares_nothing(tmp_path):
    table = pd.DataFrame({"row_id": range(24), "system": sorted("abcdef" * 4), "quality": [1.0, 2, 3, 4] * 6})
    from classy_aesop.reading import tidy

    scores = tidy(table, columns={"topic": "row_id"})
    with pytest.warns(DataWarning, match="nothing is compared: no topic has two systems .*column 'row_id'"):
        ranking = compare(scores, "quality").table
    assert ranking["rank"].isna().all()
    assert said(ranking).startswith("Nothing is compared: no test decides any of the 15 differences")
    with pytest.warns(DataWarning):
        every = compare_pairs(scores, "quality").table
    headline = said(every, "compare --pairs")
    assert headline == (
        "Nothing is compared: no test decides any of the 15 differences (no shared topics link them)."
    )
    with pytest.warns(DataWarning):
        pairs = compare_pairs(scores, "quality", baseline="a").table
    for gate in ("worse", "not-better"):
        passed, message = evaluate_gate(pairs, gate)
        assert not passed
        assert message.startswith("gate undecided: ")


EQUAL = "gate undecided: 2 against 1: every difference is the same, so no test knows how far it may vary"


@pytest.mark.slow
def test_no_topics_are_planned_where_raters_are_confounded_with_systems():
    rows = [(topic, system, rater) for topic in range(10) for system, rater in (("a", "ann"), ("b", "bob"))]
    table = pd.DataFrame(rows, columns=["topic", "system", "rater"])
    table["quality"] = np.random.default_rng(0).integers(1, 6, len(table))
    for difference in (None, 1.0):
        plan = power(table, "quality", difference).table
        assert plan["flag"].tolist() == ["raters confounded with systems"]
        assert plan["n_topics"].isna().all()
    unlinked = table[table["topic"].lt(5) == table["system"].eq("a")].drop(columns="rater")
    assert power(unlinked, "quality").table["flag"].tolist() == ["no shared topics link them"]


def ignoring(shares, rater):
    """Rank two systems on twenty topics, of each of which a rater gave a share of the ratings, without raters."""
    rows = [
        (topic, system, rater if topic < 20 * share else "bob")
        for system, share in zip("ab", shares, strict=True)
        for topic in range(20)
    ]
    table = pd.DataFrame(rows, columns=["topic", "system", "rater"])
    return compare(
        table.assign(quality=np.random.default_rng(0).normal(size=len(table))), "quality", means="plain"
    ).table


@pytest.mark.slow
def test_raters_are_ignored_silently_where_their_shares_hardly_differ():
    assert ignoring((0.4, 0.3), "ann")["test"].tolist() == ["paired_t"] * 2  # warnings are errors in tests
    with pytest.warns(DataWarning, match="systems: rater (ann|bob) gave"):
        ignoring((0.4, 0.25), "ann")


@pytest.mark.slow
def test_ratings_without_a_rater_are_called_so():
    with pytest.warns(DataWarning, match="differ between systems: (raters without a name|rater bob) gave"):
        ignoring((0.8, 0.2), "")


@pytest.mark.filterwarnings(LIMITS)
def test_ties_are_named_where_they_leave_too_few_differences(table_of):
    table = table_of([[3, 4, 2, 5, 4, 3, 1, 4], [2, 3, 1, 4, 3, 3, 1, 4]], "m1")
    pairs = compare_pairs(table, "m1", baseline="1", test="wilcoxon").table
    limit = "5 nonzero differences allow no corrected p below 0.062"
    assert limit in said(compare(table, "m1", test="wilcoxon").table)
    assert limit in said(pairs, "compare --pairs")


@pytest.mark.parametrize("test", [None, "paired_t", "additive"])
def test_identical_systems_are_not_shown_to_be_as_good(table_of, test):
    table = table_of([[3, 4, 2, 5, 4, 3, 1, 4]] * 2, "m1")
    pairs = compare_pairs(table, "m1", baseline="1", equivalence=(-0.5, np.inf), test=test).table
    assert pairs["verdict"].tolist() == ["undecided"]
    assert pairs["p_equivalence"].isna().all()
    assert evaluate_gate(pairs, "not-as-good") == (False, EQUAL)


def test_a_gate_writes_no_minus_zero(table_of):
    table = table_of([[3, 4, 2, 5, 4, 3, 1, 4], [1, 2, 1, 3, 1, 2, 0, 3]], "m1")
    pairs = compare_pairs(table, "m1", baseline="1").table.assign(difference=-1e-9, low=-3.0, high=-1e-9)
    assert evaluate_gate(pairs, "worse")[1].startswith(
        "gate failed: 2 minus 1 is -1e-09 (95 % interval -3.000 to 0.000)"
    )


def test_equal_means_have_equal_ranks_whatever_they_are_called(table_of):
    X = [[1, 2, 3, 4, 5, 6, 7], [7, 6, 5, 4, 3, 2, 1], [0, 1, 0, 1, 0, 1, 0]]
    for names in ("abc", "bac"):
        ranking = compare(table_of(X, "m", names=list(names)), "m").table.set_index("summarizer")
        assert ranking.loc[list("abc"), "rank"].tolist() == [1, 1, 3]


@pytest.mark.slow
@pytest.mark.filterwarnings(LIMITS)
def test_rows_and_names_change_nothing_but_names(easy):
    renamed = {"old": "zeta", "new": "alpha"}
    for table in (easy.assign(rater="one"), rated(2).replace({"X": "old", "Y": "new"})):
        other = table.sample(frac=1, random_state=1).assign(system=table["system"].map(renamed))
        one, two = compare(table, "quality").table, compare(other, "quality").table
        assert one["summarizer"].map(renamed).tolist() == two["summarizer"].tolist()
        numbers = ["mean", "low", "high", "plain", "rank", "cluster", "wins", "losses", "n_topics", "p_least"]
        np.testing.assert_allclose(one[numbers], two[numbers], rtol=1e-10, atol=1e-12)
