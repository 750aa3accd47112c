"""How decisions of metrics are compared with human ones: options of `agreement`, in Python and on the command line."""

from __future__ import annotations

from dataclasses import dataclass

from classy_aesop.answers.pair_test_options import test_of_preset
from classy_aesop.answers.shared_options import alpha_option
from classy_aesop.outside import Choices
from classy_aesop.significance.choices import Preset, Test
from classy_aesop.work.options import SIMULATED, TWO_OR_MORE, check_options, option


@dataclass(frozen=True, kw_only=True)
class DecisionOptions:
    """Which pairs of summarizers are tested, on human scores and on those of each metric, and how.

    Parameters
    ----------
    top : int, optional
        How many of the best summarizers by human mean are compared, 2 or more; None for all. Of equals the earlier name
        comes in.
    test : {"unpaired_t", "paired_t", "wilcoxon"}, optional
        Of two summarizers; by default the paired t-test, and signed ranks with the preset of a paper.
    preset : {"standard", "rankel2011", "rankel2013", "pratt", "split-zeros"}
        How the test is computed.
    alpha : float
        A pair is significant if its p, uncorrected, is at most this.
    combine : int
        Also combine up to so many metrics: a pair is significant if it is for every member.

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
    test: Test | None = option(
        None,
        "test of two summarizers",
        choices=Choices("significance.pairs.pair_comparisons:PAIR_TESTS"),
        without="paired_t, or wilcoxon with a preset",
    )
    preset: Preset = option(
        "standard",
        "how the test is computed: as in a paper",
        choices=Choices("significance.pairs.pair_statistics:RECIPES"),
        is_seldom=True,
    )
    alpha: float = alpha_option()
    combine: int = option(
        1,
        "also combine up to N metrics, joined by 'and'",
        limits=SIMULATED,
        metavar="N",
        is_seldom=True,
    )

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def usual_test(self) -> Test:
        """The test asked for, or that of the preset."""
        return self.test or test_of_preset(self.preset)
