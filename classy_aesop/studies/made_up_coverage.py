"""The coverage of confidence intervals of a correlation on made-up scores, whose correlation is known."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pandas as pd

from classy_aesop.errors import UsageError
from classy_aesop.running.seeding import seeded_rng
from classy_aesop.scores.correlations import COEFFICIENTS
from classy_aesop.significance.coverage import METHODS
from classy_aesop.significance.simulated_coverage import LEVELS, Design, simulated_coverage

CORRELATIONS = (0.0, 0.5, 0.9)
"""Of the true scores of systems, by the metric and by humans."""

NOISE = (1.0, 3.0)
"""Standard deviations of a cell around the true score of its system, in those of systems."""


def made_up_coverage(
    *,
    n_systems: int = 58,
    n_topics: int = 48,
    levels: Sequence[str] = LEVELS,
    coefficients: Sequence[str] = ("pearson", "kendall"),
    confidence: float = 0.95,
    n_trials: int = 200,
    n_resamples: int = 300,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Share of intervals that hold the correlation of very many systems like those on as many topics.

    Parameters
    ----------
    n_systems, n_topics : int
        Of a sample.
    levels, coefficients, confidence, n_trials, n_resamples
        As for :func:`classy_aesop.significance.simulated_coverage.simulated_coverage`.
    seed : int
        Every design, level and coefficient has its own samples, which depend on the seed.
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame
        A row for each design (`CORRELATIONS`, `NOISE`), level, coefficient and method: ``n_systems, n_topics,
        correlation, noise``, the attributes of `Coverage`, and ``seed``.

    Raises
    ------
    UsageError
        There is no such level or coefficient here.
    """
    from tqdm import tqdm

    try:
        for level, coefficient in product(levels, coefficients):
            Design(n_systems, n_topics, CORRELATIONS[0], NOISE[0]).truth(level, coefficient)
    except ValueError as error:
        raise UsageError(str(error)) from error
    jobs = list(product(CORRELATIONS, NOISE, levels, coefficients))
    rows: list[dict[str, object]] = []
    for correlation, noise, level, coefficient in tqdm(jobs, disable=not progress, unit="design"):
        design = Design(n_systems, n_topics, correlation, noise)
        ids = {name: value for name, value in design.to_dict().items() if name != "shared"}
        known = [name for name in METHODS if name != "fisher" or coefficient in COEFFICIENTS]
        found = simulated_coverage(
            design,
            methods=known,
            level=level,
            coefficient=coefficient,
            confidence=confidence,
            n_trials=n_trials,
            n_resamples=n_resamples,
            rng=seeded_rng(seed, *map(str, ids.values()), level, coefficient),
        )
        rows += [{**ids, **one.to_dict(), "seed": seed} for one in found]
    return pd.DataFrame(rows)
