"""The rows of a year at one task and peer set, as arrays."""

import dataclasses

import numpy as np
import pandas as pd

from classy_aesop.config import Place
from classy_aesop.training.arrays import on_scale_of
from classy_aesop.training.years import PlaceData, extract

NAMES = ("r2", "coverage", "redundancy1", "neg_log2_sentences")


def test_human_measures_on_the_scale_of_the_latest_year_by_hand(four, config_of):
    years = extract(config_of("1", "2", "4"), four)
    one, latest = (
        year.places[Place("A", "no_models")].design(NAMES, ["responsiveness", "pyramid"])
        for year in years[:2]
    )
    Y = one.Y.copy()
    Y[3, 0] = np.nan
    one = dataclasses.replace(one, Y=Y)
    scaled = on_scale_of(latest, one)
    np.testing.assert_allclose(np.nanmean(scaled.Y, axis=0), latest.Y.mean(axis=0))
    np.testing.assert_allclose(np.nanstd(scaled.Y, axis=0), latest.Y.std(axis=0))
    assert np.isnan(scaled.Y[3, 0])
    assert on_scale_of(latest, latest) is latest
    constant = dataclasses.replace(one, Y=np.ones_like(one.Y))
    np.testing.assert_allclose(
        on_scale_of(latest, constant).Y, np.broadcast_to(latest.Y.mean(axis=0), one.Y.shape)
    )


def test_a_jackknifed_twin_stands_for_its_measure_among_all_peers_alone():
    """A measure is there if any row is judged by it, also where only its twin goes on to be used."""
    features = pd.DataFrame({"summarizer": ["A", "1", "2"]}, index=[4, 5, 6])
    judgments = pd.DataFrame(
        {
            "pyramid": [0.5, 0.6, np.nan],
            "merit": [1.0, 2.0, 3.0],
            "pyramid_jackknifed": [0.4, 0.3, np.nan],
            "unjudged": np.nan,
            "other_jackknifed": 1.0,
        },
        index=features.index,
    )
    everyone, systems = (PlaceData.of(features, judgments, peers) for peers in ("all_peers", "no_models"))
    assert list(everyone.judgments) == list(systems.judgments) == ["pyramid", "merit"]
    np.testing.assert_array_equal(everyone.judgments["pyramid"], [0.4, 0.3, np.nan])
    np.testing.assert_array_equal(systems.judgments["pyramid"], [0.5, 0.6, np.nan])
    assert list(PlaceData.of(features, judgments[["unjudged"]], "all_peers").judgments) == []


def test_each_place_has_its_rows_side_by_side(corpora, config_of):
    [year, *_] = extract(config_of(), corpora)
    assert set(year.places) == {Place(task, peers) for task in "AB" for peers in ("no_models", "all_peers")}
    systems, everyone = (year.places[Place("B", peers)] for peers in ("no_models", "all_peers"))
    assert not systems.features["human"].any()
    assert everyone.features["human"].any()
    for part in (systems, everyone):
        assert set(part.features["task"]) == {"B"}
        assert part.features.index.equals(part.judgments.index)
    rows = systems.features.index
    np.testing.assert_array_equal(systems.judgments["pyramid"], year.judgments.loc[rows, "pyramid"])
