"""Studies repeat the main job; their summary is that of the single runs."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from classy_aesop import read_config, train
from classy_aesop.config import Config, Cut, RunTable, SearchOptions, Year
from classy_aesop.report.wide import spread
from classy_aesop.studies.repeats import mean_and_spread, over_seeds
from classy_aesop.studies.samples import made_years
from classy_aesop.training.extract import extract

CONFIGS = Path(__file__).parent.parent.parent / "configs"
RUN = RunTable("x", "responsiveness", "canonical", tasks=("A",), peers=("no_models",))


@pytest.fixture
def cuts(folder):
    """Years that are seeded cuts of one corpus."""
    years = tuple(Year(str(part), path=str(folder / "2021"), cut=Cut(part, parts=2)) for part in (1, 2))
    return Config(
        years=years, runs=(RUN,), search=SearchOptions.of("classy2011", names=("r2", "redundancy1"))
    )


@pytest.mark.slow
def test_mean_and_spread_are_those_of_the_seeds(cuts):
    found = over_seeds(cuts, (1, 2, 3))
    singles = [train(dataclasses.replace(cuts, seed=seed)).assessment for seed in (1, 2, 3)]

    def values(table):
        own = table[(table["metric"] == "x-A-no_models") & (table["level"] == "system")]
        return own[own["coefficient"] == "pearson"]["value"].iloc[0]

    expected = [values(table) for table in singles]
    assert len(set(expected)) == 3
    table = mean_and_spread(found)
    row = table[(table["metric"] == "x-A-no_models") & (table["fit_level"] == "summary")].iloc[0]
    assert (row["level"], row["coefficient"], row["count"]) == ("system", "pearson", 3)
    assert row["mean"] == pytest.approx(np.mean(expected))
    assert row["std"] == pytest.approx(np.std(expected, ddof=1))
    assert (row["min"], row["max"]) == (min(expected), max(expected))


@pytest.mark.slow
def test_rouge_stands_once_for_both_fit_levels(cuts):
    table = mean_and_spread(over_seeds(cuts, (1, 2)))
    rouge = table[table["metric"].str.startswith("ROUGE")]
    assert set(rouge["fit_level"]) == {"-"}
    assert set(rouge["count"]) == {2}
    assert set(table["fit_level"]) == {"summary", "system", "-"}


@pytest.mark.slow
def test_the_printed_table_holds_the_levels_side_by_side(cuts):
    wide = spread(mean_and_spread(over_seeds(cuts, (1, 2))))
    assert list(wide.columns[-4:]) == ["system", "input", "global", "centred"]
    assert len(wide) == 6  # two levels of fitting, four variants of ROUGE
    assert wide["system"].str.fullmatch(r"-?\d\.\d{3} \(\d\.\d{3}\)").all()


@pytest.mark.slow
def test_samples_differ_by_seed_and_hold_three_years():
    one, two = made_years(1), made_years(2)
    assert list(one) == ["2021", "2022", "2023"]
    assert one["2021"].topics != two["2021"].topics


@pytest.mark.parametrize("name", ["summeval", "summeval-1ref", "realsumm"])
def test_the_configs_of_real_corpora_cut_them_in_three(shared, name):
    folder = str(shared / "data" / name.removesuffix("-1ref"))
    config = read_config(CONFIGS / f"{name}.toml", data={f"third-{part}": folder for part in (1, 2, 3)})
    years = extract(config)
    topics = [topic.topic for year in years for topic in year.corpus.topics]
    assert len(topics) == len(set(topics)) == 100
    references = {int(count) for year in years for count in year.features["n_references"]}
    assert references == ({11} if name == "summeval" else {1})
