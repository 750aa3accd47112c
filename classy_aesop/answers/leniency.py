"""Subtract the effects of raters from ratings, where raters vary within topics, and give the errors left in means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from classy_aesop.answers.rater_shares import SHARE_TOLERANCE
from classy_aesop.errors import warn
from classy_aesop.significance.additive.additive_model import AdditiveModel, fit_additive_model
from classy_aesop.significance.base import FloatArray

NOT_ESTIMABLE = "raters cannot be separated from systems and topics"


@dataclass(frozen=True)
class Leniency:
    """Effects of raters that were subtracted from the ratings of a year and task; ``systems`` are in their order."""

    model: AdditiveModel
    systems: tuple[str, ...]

    def mean_errors(self, systems: tuple[str, ...], unit: float) -> tuple[FloatArray, int]:
        """Give the covariance of the errors that the estimated effects leave in the means of systems.

        Shapes: gives (n_systems, n_systems).
        """
        errors = pd.DataFrame(self.model.errors_by_raters, self.systems, self.systems)
        ordered = errors.reindex(index=systems, columns=systems, fill_value=0.0).to_numpy()
        rater_df = 0 if self.model.raters == "random" else len(self.model.rater_effect) - 1
        return ordered / unit / unit, rater_df


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
    topics = np.unique(ratings["topic"], return_inverse=True)[1]
    sizes = {"n_systems": len(systems), "n_raters": len(names)}
    model = fit_additive_model(ratings["score"], system, topics, rater=rater, **sizes)
    if not model.raters_vary:
        return ratings, None, None
    is_separated = model.group.max() > model.equations.group.max()
    if is_separated or np.isnan(model.rater_effect).any():
        if is_warned:
            warn(f"{label and f'{label}: '}{NOT_ESTIMABLE}: means include the leniency of the raters")
        groups = dict(zip(systems.tolist(), model.group.tolist(), strict=True))
        return ratings, None, groups if is_separated else None
    if not model.has_residuals or np.abs(model.equations.system_shares).max() <= SHARE_TOLERANCE:
        return ratings, None, None
    added = model.rater_effect[rater]
    leniency = Leniency(model, tuple(systems.tolist()))
    return ratings.assign(score=ratings["score"] - (added - added.mean())), leniency, None
