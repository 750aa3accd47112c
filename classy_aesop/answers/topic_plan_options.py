"""How topics are planned for a test of two summarizers: options of `power`, in Python and on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from classy_aesop.answers.estimate_options import Population
from classy_aesop.answers.pair_test_options import TESTS_OF_SYSTEMS, PairTest
from classy_aesop.answers.shared_options import (
    alpha_option,
    estimator_option,
    population_option,
    raters_per_summary_option,
    seed_option,
)
from classy_aesop.errors import UsageError
from classy_aesop.significance.choices import MethodOfMeans, SystemTest
from classy_aesop.work.options import ABOVE_0, SHARE, SIMULATED, check_options, option


class PlanKeywords(TypedDict, total=False):
    """The fields of `PlanTest` and `PlannedEstimates`, as keywords."""

    power: float
    test: SystemTest | None
    alpha: float
    raters_per_summary: int | None
    max_topics: int
    n_trials: int
    seed: int
    width: float | None
    estimator: MethodOfMeans
    population: Population | None


@dataclass(frozen=True, kw_only=True)
class PlanTest:
    """The test of two summarizers that topics are planned for, and how its power is computed."""

    power: float = option(0.8, "the probability of detecting it", limits=SHARE, metavar="P")
    test: SystemTest | None = option(
        None,
        "test of two summarizers",
        choices=TESTS_OF_SYSTEMS,
        without="as the data need",
        unset="auto",
    )
    alpha: float = alpha_option()
    raters_per_summary: int | None = raters_per_summary_option()
    max_topics: int = option(
        2_000, "look for no more topics than these", limits=SIMULATED, metavar="N", is_seldom=True
    )
    n_trials: int = option(
        2_000,
        "simulated evaluations",
        limits=SIMULATED,
        metavar="N",
        is_seldom=True,
    )
    seed: int = seed_option()

    def __post_init__(self) -> None:
        check_options(self)
        if not self.alpha < self.power:
            raise UsageError(f"alpha is {self.alpha} and power {self.power}; expected 0 < alpha < power < 1")

    @property
    def pair_test(self) -> PairTest:
        """The test of two summarizers."""
        return PairTest(test=self.test, alpha=self.alpha)


@dataclass(frozen=True, kw_only=True)
class PlannedEstimates:
    """The estimates from a part of the judgments that are planned, and how precise they have to be."""

    width: float | None = option(
        None, "the wanted width of the interval of a system's estimated effect", limits=ABOVE_0, metavar="W"
    )
    estimator: MethodOfMeans = estimator_option(is_seldom=True)
    population: Population | None = population_option()

    def __post_init__(self) -> None:
        check_options(self)
