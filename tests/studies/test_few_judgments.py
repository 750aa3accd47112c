"""The study of estimates from a part of the judgments, on made-up scores."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop.errors import DataWarning, InputError
from classy_aesop.studies.few_judgments import COLUMNS, SCORES, few_judgments


def table(values, metric):
    rows = [(f"t{t}", str(s), values[s, t]) for s in range(values.shape[0]) for t in range(values.shape[1])]
    frame = pd.DataFrame(rows, columns=["topic", "summarizer", "score"])
    return frame.assign(year="2021", task="A", metric=metric)


@pytest.fixture(scope="module")
def tables():
    rng = np.random.default_rng(0)
    mean, noise = rng.normal(size=(10, 1)), rng.normal(size=(10, 12))
    return [table(mean + noise / 2 + rng.normal(size=noise.shape) / 2, "m"), table(mean + noise, "human")]


def test_every_part_by_every_method(tables):
    found = few_judgments(tables, "human", n_trials=2)
    assert list(found) == COLUMNS
    assert set(found["scores"]) == set(SCORES)
    assert found["judged"].unique().tolist() == [
        "3 topics",
        "5 topics",
        "10 topics",
        "20 % of cells",
        "40 % of cells",
    ]
    plain = found[found["method"] == "plain"]
    assert plain["mse_ratio"].to_numpy() == pytest.approx(1)
    assert plain.loc[plain["judged"] == "5 topics", "worth"].to_numpy() == pytest.approx(5)
    given = found[(found["scores"] == "given") & (found["method"] == "hierarchical")]
    assert given["mse_ratio"].mean() < 0.8


@pytest.mark.slow
def test_seed_and_processes_change_nothing(tables):
    one = few_judgments(tables, "human", n_trials=1, seed=3)
    other = few_judgments(tables, "human", n_trials=1, seed=3, n_jobs=2)
    pd.testing.assert_frame_equal(one, other)


def test_a_year_that_is_judged_in_part_is_no_year_to_learn_from(tables):
    part = tables[1].drop(index=3)
    with (
        pytest.warns(DataWarning, match="1 scores without a judgment"),
        pytest.raises(
            InputError, match="nothing to learn from: 2021 A m; expected all scores and judgments of 5 "
        ),
    ):
        few_judgments([tables[0], part], "human", n_trials=1)


def test_four_systems_are_too_few_for_every_method(tables):
    few = [table[table["summarizer"].astype(int) < 4] for table in tables]
    with pytest.raises(
        InputError, match="2021 A m; expected all scores and judgments of 5 systems on 4 topics"
    ):
        few_judgments(few, "human", n_trials=1)
    enough = [table[table["summarizer"].astype(int) < 5] for table in tables]
    assert len(few_judgments(enough, "human", n_trials=1))


def test_a_metric_that_lacks_scores_is_left_out_with_a_warning(tables):
    holes = tables[0].assign(metric="holes")[1:]
    with pytest.warns(DataWarning, match="left out: 2021 A holes; expected all scores"):
        found = few_judgments(
            [pd.concat([tables[0], holes], ignore_index=True), tables[1]], "human", n_trials=1
        )
    assert set(found["metric"]) == {"m"}


def test_equal_judgments_have_no_ratio_of_errors(tables):
    equal = tables[1].assign(score=1.0)
    found = few_judgments([tables[0], equal], "human", n_trials=1)
    assert found.loc[found["method"] == "plain", "mse_ratio"].isna().any()


def test_a_fault_of_the_program_stops_the_study(tables, monkeypatch):
    """`LinAlgError` is a `ValueError` too; draws of which it was raised used to be left out."""

    def fails(*_, **__):
        raise np.linalg.LinAlgError("Singular matrix")

    monkeypatch.setattr("classy_aesop.studies.few_judgments.estimates_by_method", fails)
    with pytest.raises(np.linalg.LinAlgError):
        few_judgments(tables, "human", n_trials=1)


def test_draws_with_too_few_judgments_are_left_out():
    """A tenth of the cells of five systems and ten topics are five: nothing is told of their error."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(5, 10))
    found = few_judgments(
        [table(values + rng.normal(size=values.shape), "m"), table(values, "human")], "human", n_trials=40
    )
    assert "5 % of cells" not in set(found["judged"])
    few = found[found["judged"] == "20 % of cells"]
    assert (few["n_trials"] < 40).all()
    assert set(found.loc[found["judged"] == "5 topics", "n_trials"]) == {40}
