"""Subtract the effects of raters from ratings, where raters vary within topics, and give the errors left in means."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

import numpy as np
import pandas as pd

from classy_aesop.answers.rater_shares import SHARE_TOLERANCE, count_rater_shares, describe_ignored_raters
from classy_aesop.answers.score_matrices import split_by_stratum
from classy_aesop.errors import warn
from classy_aesop.significance.additive.additive_model import fit_additive_model
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.choices import RaterModel
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


def group_systems(ratings: pd.DataFrame, raters: RaterModel) -> dict[tuple[str, str], dict[str, int]]:
    """Number the systems of one measure in each year and task by what their raters allow to compare."""
    groups: dict[tuple[str, str], dict[str, int]] = {}
    if raters == "ignore" or "assessor" not in ratings or not len(ratings):
        return groups
    for stratum, rows in split_by_stratum(ratings).items():
        if (rows["assessor"] == "").any() or rows["assessor"].nunique() < 2:
            continue
        systems, system = np.unique(rows["summarizer"].astype(str), return_inverse=True)
        names, rater = np.unique(rows["assessor"].astype(str), return_inverse=True)
        topic = np.unique(rows["topic"].astype(str), return_inverse=True)[1]
        sizes = {"n_systems": len(systems), "n_raters": len(names)}
        model = fit_additive_model(rows["score"], system, topic, rater=rater, **sizes)
        if len(set(model.group.tolist())) > len(set(model.group_without_raters.tolist())):
            groups[stratum] = dict(zip(systems.tolist(), model.group.tolist(), strict=True))
    return groups


def subtract_leniency(
    ratings: pd.DataFrame, raters: RaterModel, *, unwarned: Container[tuple[str, str]] = ()
) -> tuple[pd.DataFrame, dict[tuple[str, str], Leniency]]:
    """Subtract the effects of raters from ratings of one measure, in each year and task where raters vary.

    Effects have the mean 0 over the ratings, so that their mean stays.
    """
    leniency: dict[tuple[str, str], Leniency] = {}
    if "assessor" not in ratings or not len(ratings):
        return ratings, leniency
    blocks = []
    for (year, task), rows in split_by_stratum(ratings).items():
        blocks.append(rows)
        if (rows["assessor"] == "").any() or rows["assessor"].nunique() < 2:
            continue
        systems, system = np.unique(rows["summarizer"].astype(str), return_inverse=True)
        names, rater = np.unique(rows["assessor"].astype(str), return_inverse=True)
        label = "-".join(filter(None, (year, task)))
        prefix = label and f"{label}: "
        warns = (year, task) not in unwarned
        if raters == "ignore":
            shares = count_rater_shares(system, rater, len(systems), len(names))
            message = describe_ignored_raters(shares, systems.tolist(), names.tolist())
            if warns and message:
                warn(f"{prefix}{message}")
            continue
        effects = rater_effects(Ratings.from_arrays(rows["score"], system, rows["topic"], rater))
        if effects.flag == NOT_ESTIMABLE and warns:
            warn(f"{prefix}{NOT_ESTIMABLE}: means include the leniency of the raters")
        if effects.flag or np.abs(effects.system_shares).max() <= SHARE_TOLERANCE:
            continue
        added = effects.effect[rater]
        blocks[-1] = rows.assign(score=rows["score"] - (added - added.mean()))
        leniency[year, task] = Leniency(effects, tuple(systems.tolist()))
    return pd.concat(blocks), leniency
