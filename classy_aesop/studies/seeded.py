"""The studies that repeat an experiment with the seeds 1 to N, with the parameters of their commands."""

from __future__ import annotations

from typing import Any

import pandas as pd

from classy_aesop.config import Config
from classy_aesop.errors import UsageError
from classy_aesop.studies import intervals as prediction_intervals
from classy_aesop.studies import methods as learning
from classy_aesop.studies.repeats import mean_and_spread, over_seeds
from classy_aesop.studies.samples import TAC_SIZE, over_samples
from classy_aesop.studies.settings import LEARNERS, SETTINGS, learned_by


def repeats(
    config: Config,
    *,
    method: str | None = None,
    seeds: int = 10,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Mean and spread of every correlation of an experiment, at both fit levels."""
    changed = learned_by(config, method)
    return mean_and_spread(over_seeds(changed, range(1, seeds + 1), n_jobs=n_jobs, progress=progress))


def samples(*, seeds: int = 20, n_jobs: int = 1, progress: bool = False) -> pd.DataFrame:
    """Mean and spread of every correlation of run 25 on made-up samples."""
    return mean_and_spread(over_samples(range(1, seeds + 1), n_jobs=n_jobs, progress=progress))


def methods(
    config: Config | None = None,
    *,
    seeds: int = 10,
    n_resamples: int = 200,
    other_systems: bool = False,
    tac_size: bool = False,
    learners: bool = False,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Compare 2011's protocol with each part of honest learning, on a configuration or on made-up samples.

    Raises
    ------
    UsageError
        If other systems are wanted without a configuration, or years of TAC's size with one.
    """
    if config is None and other_systems:
        raise UsageError("--other-systems is for a CONFIG; made-up years have other systems anyway")
    if config is not None and tac_size:
        raise UsageError("--tac-size is for made-up years; expected no CONFIG")
    numbers = range(1, seeds + 1)
    how: dict[str, Any] = {"n_resamples": n_resamples, "n_jobs": n_jobs, "progress": progress}
    how["settings"] = {name: SETTINGS[name] for name in (LEARNERS if learners else SETTINGS)}
    if config is None:
        found = learning.over_made(numbers, sizes=TAC_SIZE if tac_size else None, **how)
    else:
        found = learning.over_cuts(config, numbers, other_systems=other_systems, **how)
    return learning.summarized(found, independent=config is None)


def intervals(
    config: Config | None = None,
    *,
    seeds: int = 10,
    confidence: float = 0.9,
    method: str | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Say how often intervals of predictions hold the judgments of the last year."""
    how: dict[str, Any] = {"method": method, "n_jobs": n_jobs, "progress": progress}
    found = prediction_intervals.over_cuts(config, range(1, seeds + 1), confidence=confidence, **how)
    return prediction_intervals.mean_coverage(found)
