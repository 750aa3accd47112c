"""How biases of judges are estimated and tested: options of `evaluate_bias`, and of ``evaluate --bias``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from classy_aesop.answers.shared_options import confidence_option
from classy_aesop.outside import Choices
from classy_aesop.significance.choices import ALPHA, Correction, JudgeScale
from classy_aesop.work.options import SHARE, check_options, option


class BiasKeywords(TypedDict, total=False):
    """The fields of `BiasOptions`, as keywords."""

    judge_scale: JudgeScale
    correction: Correction
    alpha: float
    confidence: float


@dataclass(frozen=True, kw_only=True)
class BiasOptions:
    """How biases of judges are estimated and tested.

    Examples
    --------
    >>> BiasOptions(judge_scale="guess")
    Traceback (most recent call last):
    ...
    classy_aesop.errors.UsageError: judge_scale is 'guess'; expected one of auto, as-is, matched
    """

    judge_scale: JudgeScale = option(
        "auto",
        "with --bias: how scores come to the human scale",
        choices=Choices("significance.choices:JUDGE_SCALES"),
        is_seldom=True,
    )
    correction: Correction = option(
        "holm",
        "with --bias: of p-values for many tests",
        choices=Choices("significance.multiplicity.corrections:CORRECTIONS"),
        is_seldom=True,
    )
    alpha: float = option(
        ALPHA, "with --bias: significant if p is at most this", limits=SHARE, metavar="A", is_seldom=True
    )
    confidence: float = confidence_option()

    def __post_init__(self) -> None:
        check_options(self)
