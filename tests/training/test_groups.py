"""Learning in groups: who is in them, and that their columns are those of a year without the others."""

from dataclasses import replace

import numpy as np
import pytest

from classy_aesop.config import Config, RunTable, Year
from classy_aesop.features.counts import FeatureOptions
from classy_aesop.features.registry import is_of_peers
from classy_aesop.features.relative import plain_columns
from classy_aesop.training.experiment import train_runs
from classy_aesop.training.forms import dealt, in_groups
from classy_aesop.training.plan import plan_runs, training_tasks
from classy_aesop.training.years import extract, extract_year

CONFIG = Config(
    tuple(map(Year, ("2021", "2022", "2023"))),
    runs=(RunTable("x", "pyramid", tasks=("A",)),),
    features=FeatureOptions(references="none"),
    seed=2,
)


@pytest.fixture(scope="module")
def tasks(corpora):
    def made(config=CONFIG):
        years = extract(config, corpora)
        return training_tasks(config, years, plan_runs(config, years)[0])

    return made


def test_groups_are_dealt_by_the_seed_and_the_year():
    names = list("abcdefgh")
    groups = dealt(names, 3, 1, "2021")
    assert sorted(map(len, groups)) == [3, 3]
    assert len({*groups[0], *groups[1]}) == 6
    assert groups == dealt(names[::-1], 3, 1, "2021")
    assert groups != dealt(names, 3, 1, "2022")


@pytest.mark.slow
def test_a_group_is_a_year_without_the_others(tasks, corpora):
    task = next(one for one in tasks() if one.run.peers == "no_models")
    rows, columns = in_groups(task), task.arrays.columns
    systems = task.years[0].places[task.run.place].features["summarizer"].unique().tolist()
    group = dealt(systems, 3, CONFIG.seed, "2021")[0]
    corpus = corpora["2021"].select(exclude_peers=sorted(set(systems) - set(group)))
    few = extract_year(corpus, CONFIG.years[0], CONFIG).places[task.run.place]
    expected = few.design(
        columns[: -len(task.arrays.relative)],
        task.arrays.measures,
        compared=plain_columns(task.arrays.relative),
    )
    n_rows = len(expected.X)
    np.testing.assert_array_equal(rows.design.X[:n_rows], expected.X)
    np.testing.assert_array_equal(rows.design.Y[:n_rows], expected.Y)
    assert any(is_of_peers(name.partition("~")[0]) for name in columns)
    whole = task.arrays.designs[0]
    assert not np.array_equal(whole.X[:n_rows], expected.X)


@pytest.mark.slow
def test_only_predictors_of_systems_that_need_no_reference_learn_so(tasks):
    """With references, groups of three to five are predicted better by themselves (docs/prediction.md)."""
    few = {one.run.peers: one.predictor.within.few for one in train_runs(tasks(), with_intervals=False)[0]}
    assert few["no_models"] is not None
    assert few["all_peers"] is None
    with_references = tasks(replace(CONFIG, features=FeatureOptions(), peers=("no_models",)))
    [found] = train_runs(with_references, with_intervals=False)[0]
    assert found.predictor.within.few is None
    assert found.predictor.within.n_least == 6
