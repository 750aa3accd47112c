"""How agreement of raters is measured: options of `assessors`, in Python and on the command line."""

from __future__ import annotations

from dataclasses import dataclass

from classy_aesop.answers.shared_options import confidence_option
from classy_aesop.outside import Choices
from classy_aesop.significance.choices import Scale
from classy_aesop.work.options import check_options, option


@dataclass(frozen=True, kw_only=True)
class RatingOptions:
    """How the agreement of raters is measured.

    Examples
    --------
    >>> RatingOptions(confidence=95)
    Traceback (most recent call last):
    ...
    classy_aesop.errors.UsageError: confidence is 95; expected a number between 0 and 1
    """

    scale: Scale = option(
        "interval",
        "of the ratings",
        choices=Choices("significance.raters.krippendorff:RATING_SCALES"),
        in_command_line=False,  # whose --scale also names words of ratings
        is_seldom=True,
    )
    confidence: float = confidence_option()

    def __post_init__(self) -> None:
        check_options(self)
