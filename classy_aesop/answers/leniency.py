"""Ratings less what each rater adds, where raters vary within topics, and the errors that this leaves in means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from classy_aesop.answers.score_matrices import split_by_stratum
from classy_aesop.errors import warn
from classy_aesop.significance.additive.additive_model import fit_additive_model
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.choices import RaterModel
from classy_aesop.significance.raters.rater_effects import NOT_ESTIMABLE, RaterEffects, rater_effects
from classy_aesop.significance.raters.ratings import Ratings

MAX_SHARE_DIFFERENCE = 0.1
"""How far the shares of systems' ratings by one rater may lie apart without a warning where raters are ignored."""

VARIES = 1e-9
"""Shares that differ by no more than this are equal within rounding."""


@dataclass(frozen=True)
class Leniency:
    """Effects of raters that were taken from the ratings of a year and task; ``systems`` are in their order."""

    effects: RaterEffects
    systems: tuple[str, ...]

    def options(self, systems: tuple[str, ...], unit: float) -> dict[str, Any]:
        """Give what the means of these systems, in units of scores, have to know of the effects."""
        errors = pd.DataFrame(self.effects.system_errors, self.systems, self.systems)
        ordered = errors.reindex(index=systems, columns=systems, fill_value=0.0).to_numpy()
        n_raters = len(self.effects.effect)
        return {
            "rater_errors": ordered / unit / unit,
            "rater_df": 0 if self.effects.is_random else n_raters - 1,
        }


def group_systems(ratings: pd.DataFrame, raters: RaterModel) -> dict[tuple[str, str], dict[str, int]]:
    """Number the systems of one measure in each year and task by what their raters allow to compare.

    Parameters
    ----------
    ratings : DataFrame
        Single ratings, as for :func:`without_leniency`.
    raters : {"model", "ignore"}
        Whether effects of raters are estimated; if not, nothing is separated.

    Returns
    -------
    dict
        For each year and task in which raters separate systems that share topics, the number of each system: systems
        of two numbers were rated by different people only, so that nobody can say which of them is better.
    """
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


def without_leniency(
    ratings: pd.DataFrame, raters: RaterModel
) -> tuple[pd.DataFrame, dict[tuple[str, str], Leniency]]:
    """Take from ratings of one measure the effects of their raters, in each year and task where raters vary.

    Effects have the mean 0 over the ratings, so that their mean stays.

    Parameters
    ----------
    ratings : DataFrame
        Single ratings; without the column ``assessor``, or where a rating has no name, nothing changes.
    raters : {"model", "ignore"}
        Whether effects are estimated.

    Returns
    -------
    DataFrame
        The ratings, less the effects.
    dict
        The effects by year and task, where some were taken.

    Warns
    -----
    DataWarning
        Where raters are ignored though the shares of a system's ratings by one rater differ between systems, and where
        raters cannot be separated from systems.
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
        where = "-".join(filter(None, (year, task)))
        if raters == "ignore":
            _warn_of_shares(system, rater, systems, names, where)
            continue
        effects = rater_effects(Ratings.of(rows["score"], system, rows["topic"], rater))
        if effects.flag == NOT_ESTIMABLE:
            warn(f"{where + ': ' if where else ''}{NOT_ESTIMABLE}: means carry the leniency of whoever rated")
        if effects.flag or np.abs(effects.system_shares).max() <= VARIES:
            continue
        added = effects.effect[rater]
        blocks[-1] = rows.assign(score=rows["score"] - (added - added.mean()))
        leniency[year, task] = Leniency(effects, tuple(systems.tolist()))
    return pd.concat(blocks), leniency


def _warn_of_shares(
    system: np.ndarray[Any, Any], rater: np.ndarray[Any, Any], systems: Any, names: Any, where: str
) -> None:
    """Warn where one rater gave another share of the ratings of one system than of another."""
    counts = np.zeros((len(systems), len(names)))
    np.add.at(counts, (system, rater), 1.0)
    shares: FloatArray = counts / counts.sum(axis=1, keepdims=True)
    most = int(np.argmax(np.ptp(shares, axis=0)))
    low, high = int(shares[:, most].argmin()), int(shares[:, most].argmax())
    if shares[high, most] - shares[low, most] > MAX_SHARE_DIFFERENCE + VARIES:
        warn(
            f"{where + ': ' if where else ''}rater {names[most]} gave {shares[high, most]:z.2f} of the ratings of "
            f"{systems[high]} and {shares[low, most]:z.2f} of those of {systems[low]}: means carry the leniency of "
            "whoever rated"
        )
