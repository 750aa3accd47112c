"""Several years and tasks as one stratum, whose columns they are: each cell is the mean of a system in one of them.

A t-test over these columns holds for tasks like these, each with the same weight. For these tasks alone, a difference
is the mean of independent ones, whose errors add up, with Satterthwaite's degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from classy_aesop.answers.answer_options import PairTest
from classy_aesop.answers.comparability import warn_of_limits
from classy_aesop.answers.comparisons import compare_stratum
from classy_aesop.answers.score_matrices import join_stratum_names, shared_names
from classy_aesop.answers.strata import RatedStratum
from classy_aesop.answers.tested_pairs import all_pairs
from classy_aesop.data.scales import PASS_OR_FAIL
from classy_aesop.errors import InputError, UsageError
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.differences import Differences


def join_strata(strata: Sequence[RatedStratum], options: PairTest) -> Sequence[RatedStratum]:
    """Give years and tasks that are compared together as one stratum."""
    if len(strata) < 2:
        raise UsageError(
            f"{len(strata)} year and task to compare together; expected two or more (--columns task=NAME, or "
            "columns= in Python, names the column of tasks)"
        )
    systems = shared_names([stratum.systems for stratum in strata], "summarizers")
    means = []
    tests = []
    for stratum in strata:
        numbers = np.array([stratum.systems.index(name) for name in systems])
        comparison = compare_stratum(stratum, numbers[all_pairs(len(systems))], options)
        warn_of_limits(comparison)
        if np.ptp(comparison.group[numbers]):
            raise InputError(
                f"{stratum.label}: no topics link all summarizers; expected such in each year and task"
            )
        means.append(comparison.mean[numbers])
        tests.append(comparison.tests)
    cells = replace(
        strata[0].cells,
        X=np.transpose(means),
        summarizers=tuple(systems),
        topics=tuple(stratum.label for stratum in strata),
        **join_stratum_names(strata),
    )
    joined = RatedStratum(
        cells,
        lower_is_better=strata[0].lower_is_better,
        origin=strata[0].origin,
        scale=PASS_OR_FAIL if strata[0].is_pass_or_fail else strata[0].scale,
        grades=strata[0].grades,
        unit="year" if "+" not in cells.task else "task",
        errors_here=_add_errors(tests),
    )
    return [joined]


def _add_errors(tests: Sequence[Differences]) -> tuple[FloatArray, FloatArray]:
    """Give the errors of the means of independent differences of the same pairs, and their degrees of freedom.

    Shapes: gives (n_systems, n_systems) each; NaN where no test knows one of the errors.
    """
    from scipy.spatial.distance import squareform

    error = np.array([np.where(test.flag == "", np.asarray(test.error), np.nan) for test in tests])
    variance = np.square(error / len(tests))
    total = variance.sum(axis=0)
    with np.errstate(invalid="ignore"):
        df = np.square(total) / (np.square(variance) / [test.df for test in tests]).sum(axis=0)
    return squareform(np.sqrt(total)), squareform(df)
