"""The arrays of a year at one place."""

import dataclasses

import numpy as np

from classy_aesop.config import Place
from classy_aesop.training.extract import extract
from classy_aesop.training.pool import on_scale_of

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
