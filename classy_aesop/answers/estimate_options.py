"""How means are estimated from a part of the judgments: options of `estimate` and its kin, and of the command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from classy_aesop.answers.shared_options import (
    confidence_option,
    estimator_option,
    population_option,
    seed_option,
)
from classy_aesop.significance.choices import MethodOfMeans
from classy_aesop.work.options import check_options, option

if TYPE_CHECKING:
    from classy_aesop.predictor import Predictor

Population = Literal["at-hand", "like"]
"""The name of a population."""

POPULATIONS: dict[Population, bool] = {"at-hand": True, "like": False}
"""Whose mean is estimated: that over the topics at hand, or over topics like them."""


class EstimateKeywords(TypedDict, total=False):
    """The fields of `EstimateOptions`, as keywords."""

    predictor: Predictor | None
    estimator: MethodOfMeans
    population: Population | None
    confidence: float
    seed: int


@dataclass(frozen=True, kw_only=True)
class EstimateOptions:
    """How means are estimated."""

    # a Predictor, whose type is imported where one is used
    predictor: Any = option(None, "whose predictions the scores are", in_command_line=False)
    estimator: MethodOfMeans = estimator_option()
    population: Population | None = population_option()
    confidence: float = confidence_option()
    seed: int = seed_option()

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def alpha(self) -> float:
        """The error, one less the confidence."""
        return 1 - self.confidence

    def predictor_of(self, target: str) -> Predictor | None:
        """Give the predictor if its predictions are of this target and on its scale."""
        predictor: Predictor | None = self.predictor
        return (
            predictor if predictor is not None and predictor.grades and predictor.target == target else None
        )
