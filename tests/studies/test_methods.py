"""The study of the parts: its numbers are those of single runs, its sums are by hand."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from classy_aesop import train
from classy_aesop.config import DEFAULT_METHOD, Config, Cut, RunTable, SearchOptions, Year
from classy_aesop.errors import DataWarning, InputError
from classy_aesop.report.wide import methods
from classy_aesop.studies.methods import (
    compared,
    over_cuts,
    sign_flip,
    summarized,
    with_names,
)
from classy_aesop.studies.settings import SETS, SETTINGS, Setting
from classy_aesop.studies.some_systems import with_other_systems
from classy_aesop.training.extract import extract

# Of fitters that are equally good, as all are on one column, robust regression comes first; here it has few rows.
pytestmark = pytest.mark.filterwarnings("ignore:robust regression stopped at its cap")

RUN = RunTable("x", "responsiveness", "best", tasks=("A",), peers=("no_models",))


@pytest.fixture(scope="module")
def world(corpora):
    search = SearchOptions.of("classy2011", names=("r2", "coverage", "redundancy1"))
    return Config(tuple(map(Year, corpora)), runs=(RUN,), search=search, seed=2), corpora


FEW, MORE = ("r2", "coverage", "redundancy1"), ("r2", "coverage", "form")
SMALL = {
    name: Setting(
        {**one.search, "names": MORE if "names" in one.search else FEW},
        {**one.run, "names": MORE} if "names" in one.run else one.run,
    )
    for name, one in SETTINGS.items()
    if name != "boosting"
}
"""The settings, as the small years can be learned in: more features than rows fit nothing; boosting finds no leaf."""


@pytest.fixture(scope="module")
def found(world):
    config, years = world
    extracted = extract(with_names(config, SMALL), years)
    return compared(config, extracted, SMALL, n_resamples=20).assign(seed=2)


def value(table, **chosen):
    rows = table[(table[list(chosen)] == list(chosen.values())).all(axis=1)]
    assert len(rows) == 1
    return rows.iloc[0]


@pytest.mark.slow
@pytest.mark.parametrize("setting", SMALL)
def test_settings_that_share_searches_are_those_alone(world, found, setting):
    config, years = world
    search = SearchOptions.of("classy2011", **{"n_resamples": 20, **SMALL[setting].search})
    run = dataclasses.replace(RUN, **SMALL[setting].run)
    alone = train(dataclasses.replace(config, search=search, runs=(run,)), years)
    place = {"level": "system", "coefficient": "pearson"}
    expected = value(alone.assessment, metric="x-A-no_models", **place)["value"]
    row = value(found, setting=setting, seed=2, **place)
    assert row["value"] == pytest.approx(expected, abs=1e-12)
    assert row["corrected"] == pytest.approx(alone.trained[0].subsets.corrected, nan_ok=True)


@pytest.mark.slow
def test_a_setting_that_learns_nothing_is_named(world):
    config, years = world
    both = {
        "faithful": Setting({"names": FEW}),
        "boosting": Setting({"names": FEW}, {"fitter": "boosting", "whole": True, "names": FEW}),
    }
    extracted = extract(with_names(config, both), years)
    with pytest.warns(
        DataWarning,
        match="boosting: run x-A-no_models is left out: with boosting no subset's predictions vary",
    ):
        assert set(compared(config, extracted, both, n_resamples=0)["setting"]) == {"faithful", "ROUGE-2"}
    alone = {"boosting": both["boosting"]}
    with pytest.warns(DataWarning), pytest.raises(InputError, match="no setting learns anything"):
        compared(config, extracted, alone, n_resamples=0)


@pytest.mark.slow
def test_settings_are_tested_against_the_first(world):
    config, years = world
    names = list(SMALL)[1::-1]
    settings = {name: SMALL[name] for name in names}
    table = compared(config, extract(with_names(config, settings), years), settings, n_resamples=5)
    rows = table[(table["level"] == "system") & (table["coefficient"] == "pearson")]
    assert list(rows.loc[rows["p"].notna(), "setting"]) == names[1:]
    gains = summarized(table.assign(seed=1), first=names[0]).set_index("setting")["gain"]
    assert (gains[names[0]] == 0).all()
    assert (gains[names[1]] != 0).any()


def test_sets_of_settings():
    assert all(set(names) <= set(SETTINGS) for names in SETS.values())
    assert SETS["defaults"][-1] == SETS["learners"][-1] == DEFAULT_METHOD


@pytest.mark.slow
def test_every_gain_but_that_of_the_faithful_is_tested(found):
    rows = found[(found["level"] == "system") & (found["coefficient"] == "pearson")]
    tested = set(rows.loc[rows["p"].notna(), "setting"])
    assert set(SMALL) - tested == {"faithful"}
    assert "ROUGE-2" in set(rows["setting"])
    assert rows["p"].dropna().between(0.001, 1).all()


@pytest.mark.slow
def test_each_seed_deals_other_years(folder):
    years = tuple(Year(str(part), path=str(folder / "2021"), cut=Cut(part, parts=2)) for part in (1, 2))
    config = Config(years, runs=(RUN,), search=SearchOptions.of("classy2011", names=("r2", "redundancy1")))
    table = over_cuts(
        config, (1, 2), settings={"faithful": Setting({"names": ("r2", "redundancy1")})}, n_resamples=5
    )
    one, two = (table[table["seed"] == seed]["value"].tolist() for seed in (1, 2))
    assert one != two


@pytest.mark.slow
def test_other_systems_are_none_of_those_learned_from(world):
    config, corpora = world
    *training, last = with_other_systems(extract(config, corpora), seed=3)
    machines = [{*year.features.loc[~year.features["human"], "summarizer"]} for year in (*training, last)]
    assert machines[0] == machines[1]
    assert not machines[0] & machines[2]
    assert len(machines[0]) >= len(machines[2]) >= 3
    whole = extract(config, corpora)[-1]
    humans = whole.features["human"]
    assert {*last.features["summarizer"]} == machines[2] | {*whole.features.loc[humans, "summarizer"]}
    rows = whole.features["summarizer"].isin(last.features["summarizer"])
    assert last.judgments.to_numpy().tolist() == whole.judgments[rows.to_numpy()].to_numpy().tolist()
    assert {one.summarizer for _, one in last.corpus.summaries()} == {*last.features["summarizer"]}


def test_no_setting_has_another_number_of_resamples_than_the_study():
    assert all("n_resamples" not in setting.search for setting in SETTINGS.values())


def test_sums_by_hand():
    gains = [
        ("faithful", 1, 0.5, np.nan),
        ("faithful", 2, 0.6, np.nan),
        ("new", 1, 0.7, 0.01),
        ("new", 2, 0.5, 0.2),
    ]
    rows = [
        {
            "setting": setting,
            "seed": seed,
            "value": score,
            "p": p,
            "selected": 0.9,
            "corrected": 0.4,
            "n_names": 3,
        }
        for setting, seed, score, p in gains
    ]
    place = {
        "task": "A",
        "peers": "no_models",
        "target": "t",
        "run": "x",
        "level": "system",
        "coefficient": "pearson",
    }
    row = value(summarized(pd.DataFrame(rows).assign(**place)), setting="new")
    assert (row["mean"], row["gain"]) == (pytest.approx(0.6), pytest.approx(0.05))
    assert (row["n_seeds"], row["n_tested"], row["better"], row["worse"]) == (2, 2, 1, 0)
    assert np.isnan(row["sign_flip"])


def test_exchanged_signs_by_hand():
    """Of the eight signs of 1, 2 and 3 two make a sum of size 6; of 1, 2 and -3 all do of size 0."""
    assert sign_flip(np.array([1.0, 2.0, 3.0])) == pytest.approx(0.25, abs=0.02)
    assert sign_flip(np.array([1.0, 2.0, -3.0])) == 1.0
    assert np.isnan(sign_flip(np.array([1.0])))


@pytest.mark.slow
def test_the_printed_table_holds_both_levels_and_every_setting(found):
    wide = methods(summarized(found))
    assert list(wide["setting"])[:2] == ["faithful", "ROUGE-2"]
    assert set(wide["setting"]) == {*SMALL, "ROUGE-2"}
    assert wide["system"].str.match(r"-?\d\.\d{3} \(").all()
    assert wide.loc[0, "system p<.05"] == "-"
