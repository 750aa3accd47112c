"""Tango's score test of two summarizers that pass or fail, on many rows of paired scores at once."""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.pairs.pair_statistics import PairOutcome, PairStatistic, count_shared
from classy_aesop.significance.pass_rates import PassRateDifferences


def _score_outcome(x: FloatArray, y: FloatArray) -> PairOutcome:
    """Test the difference of the rates of scores of 0 and 1."""
    differences = x - y
    n = count_shared(x, y)
    n_discordant = np.nansum(np.abs(differences), axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        difference = np.nansum(differences, axis=1) / n
        deviation = np.sqrt(np.maximum(n_discordant / n - difference**2, 0.0))
        effect = np.where(difference == 0, 0.0, difference / deviation)
    rates = PassRateDifferences(difference, np.where(n > 0, n_discordant, np.nan), n)
    return PairOutcome(
        n=n,
        n_used=n,
        difference=difference,
        statistic=rates.statistics(),
        effect=effect,
        same=n_discordant == 0,
        p=rates.p(),
        interval=rates.interval,
        n_discordant=n_discordant,
    )


PASS_RATES = PairStatistic("tango", _score_outcome, about="Tango's score test of two pass rates")
