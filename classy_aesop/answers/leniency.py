"""Subtract the effects of raters from ratings, where raters vary within topics, and give the errors left in means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from classy_aesop.answers.rater_shares import SHARE_TOLERANCE
from classy_aesop.errors import warn
from classy_aesop.significance.additive.additive_model import fit_additive_model
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.raters.rater_effects import NOT_ESTIMABLE, RaterEffects, rater_effects
from classy_aesop.significance.raters.ratings import Ratings


@dataclass(frozen=True)
class Leniency:
    """Effects of raters that were subtracted from the ratings of a year and task; ``systems`` are in their order."""

    effects: RaterEffects
    systems: tuple[str, ...]

    def mean_errors(self, systems: tuple[str, ...], unit: float) -> tuple[FloatArray, int]:
        """Give the covariance of the errors that the estimated effects leave in the means of systems.

        Shapes: gives (n_systems, n_systems).
        """
        errors = pd.DataFrame(self.effects.system_errors, self.systems, self.systems)
        ordered = errors.reindex(index=systems, columns=systems, fill_value=0.0).to_numpy()
        n_raters = len(self.effects.effect)
        return ordered / unit / unit, 0 if self.effects.is_random else n_raters - 1


def subtract_leniency(
    ratings: pd.DataFrame, *, label: str, is_warned: bool
) -> tuple[pd.DataFrame, Leniency | None, dict[str, int] | None]:
    """Subtract the effects of raters from the ratings of a year and task by one measure, where raters vary.

    Effects have the mean 0 over the ratings, so that their mean stays. Where raters separate systems, also give the
    number of each system: those of two numbers cannot be compared.
    """
    if "assessor" not in ratings or (ratings["assessor"] == "").any() or ratings["assessor"].nunique() < 2:
        return ratings, None, None
    systems, system = np.unique(ratings["summarizer"].astype(str), return_inverse=True)
    names, rater = np.unique(ratings["assessor"].astype(str), return_inverse=True)
    message = ""
    leniency = None
    groups = None
    numbered = Ratings.from_arrays(ratings["score"], system, ratings["topic"], rater)
    effects = rater_effects(numbered)
    if effects.flag == NOT_ESTIMABLE:
        message = f"{NOT_ESTIMABLE}: means include the leniency of the raters"
        sizes = {"n_systems": len(systems), "n_raters": len(names)}
        model = fit_additive_model(numbered.scores, system, numbered.topics, rater=rater, **sizes)
        if np.unique(model.group).size > np.unique(model.group_without_raters).size:
            groups = dict(zip(systems.tolist(), model.group.tolist(), strict=True))
    elif not effects.flag and np.abs(effects.system_shares).max() > SHARE_TOLERANCE:
        added = effects.effect[rater]
        ratings = ratings.assign(score=ratings["score"] - (added - added.mean()))
        leniency = Leniency(effects, tuple(systems.tolist()))
    if message and is_warned:
        warn(f"{label and f'{label}: '}{message}")
    return ratings, leniency, groups
