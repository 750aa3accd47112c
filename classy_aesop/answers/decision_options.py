"""How decisions of metrics are compared with human ones: options of `agreement`, in Python and on the command line."""

from __future__ import annotations

from dataclasses import dataclass

from classy_aesop.answers.pair_test_options import DEFAULT_TEST
from classy_aesop.answers.shared_options import alpha_option
from classy_aesop.outside import Choices
from classy_aesop.significance.choices import Test
from classy_aesop.work.options import TWO_OR_MORE, check_options, option


@dataclass(frozen=True, kw_only=True)
class DecisionOptions:
    """Which pairs of summarizers are tested, on human scores and on those of each metric, and how.

    Parameters
    ----------
    top : int, optional
        How many of the best summarizers by human mean are compared, 2 or more; None for all. Of equals the earlier name
        comes in.
    test : {"unpaired_t", "paired_t", "wilcoxon"}
        Of two summarizers; by default the paired t-test.
    alpha : float
        A pair is significant if its p, uncorrected, is at most this.

    Raises
    ------
    UsageError
        A name is not known, or a number is outside its limits.

    Examples
    --------
    >>> DecisionOptions(top=1)
    Traceback (most recent call last):
    ...
    classy_aesop.errors.UsageError: top is 1; expected a whole number from 2 to 1000000
    """

    top: int | None = option(
        30,
        "how many of the best summarizers",
        limits=TWO_OR_MORE,
        metavar="N",
        is_seldom=True,
    )
    test: Test = option(
        DEFAULT_TEST,
        "test of two summarizers",
        choices=Choices("significance.pairs.pair_comparisons:PAIR_TESTS"),
    )
    alpha: float = alpha_option()

    def __post_init__(self) -> None:
        check_options(self)
