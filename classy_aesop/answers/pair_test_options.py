"""How pairs of summarizers are tested: options of `compare` and `compare_pairs`, in Python and on the command line."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypedDict, get_args

from classy_aesop.answers.shared_options import (
    alpha_option,
    correction_option,
    means_option,
    n_resamples_option,
    seed_option,
    together_option,
)
from classy_aesop.errors import UsageError
from classy_aesop.outside import Choices
from classy_aesop.significance.choices import (
    Correction,
    Margin,
    Means,
    SystemTest,
)
from classy_aesop.work.options import ABOVE_0, check_options, keywords_of, option

DEFAULT_TEST: SystemTest = "paired_t"
"""The test where every summarizer has every topic, and raters do not vary within topics: of the means shown."""

TEST_OF_RANKS: SystemTest = "wilcoxon"
"""A test whose difference is a shift, not one of means."""

ADDITIVE_TEST: SystemTest = "additive"
"""The test of differences of least-squares means, in the model of all scores of a year and task."""

TESTS_OF_SYSTEMS = Choices("significance.pairs.pair_comparisons:PAIR_TESTS", ADDITIVE_TEST, but="unpaired_t")
"""All tests but the one that ignores topics, which the papers have."""

Gate = Literal["worse", "not-better", "not-as-good"]
GATES: tuple[Gate, ...] = get_args(Gate)
"""What fails: a system that is worse than a baseline, no system that is better, one not shown to be as good."""

MARGIN_OF_MEANS = (
    "a margin is one of the difference of means, and signed ranks (wilcoxon) test a shift; "
    "expected paired_t or no test"
)
"""Why signed ranks are refused with a margin."""

MAX_ALPHA_OF_EQUIVALENCE = 0.5
"""An alpha of a test with a margin is below this."""


def read_margin(text: str) -> Margin:
    """Read a margin around 0: a number above 0, or two ends, one of which may be infinite."""
    if "," not in text:
        return ABOVE_0.read(text)
    with suppress(ValueError):
        low, high = map(float, text.split(","))
        if low < 0 < high and not low == -high == -math.inf:
            return low, high
    raise UsageError(f"{text!r}; expected two numbers around 0, such as -0.5,inf")


def read_look(text: str) -> tuple[int, int]:
    """Read a look at data that grow: its number, and how many are planned.

    Examples
    --------
    >>> read_look("2/4")
    (2, 4)
    """
    from classy_aesop.significance.multiplicity.looks import MAX_LOOKS

    with suppress(ValueError):
        look, n_looks = map(int, text.split("/"))
        if 1 <= look <= n_looks <= MAX_LOOKS:
            return look, n_looks
    raise UsageError(
        f"look is {text!r}; expected its number and that of all, such as 2/4, at most {MAX_LOOKS}"
    )


class RankingKeywords(TypedDict, total=False):
    """The fields of `PairTest` but for the margin, as keywords."""

    test: SystemTest | None
    alpha: float
    look: str | None
    means: Means
    correction: Correction
    n_resamples: int
    seed: int
    together: bool


class PairTestKeywords(RankingKeywords, total=False):
    """The fields of `PairTest`, as keywords."""

    equivalence: Margin | None


@dataclass(frozen=True, kw_only=True)
class PairTest:
    """How the pairs of summarizers of a year and task, which are one family, are tested.

    Examples
    --------
    >>> PairTest(correction="bh").alpha
    0.05
    >>> PairTest(alpha=5)
    Traceback (most recent call last):
    ...
    classy_aesop.errors.UsageError: alpha is 5; expected a number between 0 and 1
    """

    test: SystemTest | None = option(
        None,
        "test of two summarizers",
        choices=TESTS_OF_SYSTEMS,
        without="as the data need",
        unset="auto",
    )
    alpha: float = alpha_option()
    look: str | None = option(
        None,
        "a planned look at judgments that grow, the second of four as 2/4: tests at the level that this one may spend",
        metavar="K/N",
        is_seldom=True,
    )
    equivalence: Margin | None = option(
        None,
        "also test whether summarizers differ by less than MARGIN; =-0.5,inf: whether the first is not worse by 0.5",
        metavar="MARGIN",
        read=read_margin,
    )
    means: Means = means_option()
    correction: Correction = correction_option()
    n_resamples: int = n_resamples_option()
    seed: int = seed_option()
    together: bool = together_option()

    def __post_init__(self) -> None:
        check_options(self)
        if self.look is not None:
            read_look(self.look)
        if self.equivalence is not None:
            self._check_margin(self.equivalence)
        if self.test == ADDITIVE_TEST and self.uses_plain_means:
            raise UsageError("the additive model cannot be combined with plain means; expected one of them")
        if self.together and (self.test is not None or self.uses_plain_means):
            raise UsageError(
                "together, least-squares means are compared by t over years and tasks; expected no other test or means"
            )

    def _check_margin(self, margin: Margin) -> None:
        from classy_aesop.significance.differences import margin_ends

        if self.test == TEST_OF_RANKS:
            raise UsageError(MARGIN_OF_MEANS)
        if self.alpha >= MAX_ALPHA_OF_EQUIVALENCE:
            raise UsageError(
                f"alpha is {self.alpha}; expected below {MAX_ALPHA_OF_EQUIVALENCE} with a margin"
            )
        if not (isinstance(margin, tuple) or 0 < margin < math.inf):
            raise UsageError(f"equivalence is {margin}; expected a number above 0")
        try:
            margin_ends(margin)
        except ValueError as error:
            raise UsageError(str(error)) from error

    @cached_property
    def level(self) -> float:
        """What p is compared with: alpha, or of several planned looks the level of this one."""
        if self.look is None:
            return self.alpha
        from classy_aesop.significance.multiplicity.looks import level_of_look

        return level_of_look(*read_look(self.look), alpha=self.alpha)

    @property
    def uses_plain_means(self) -> bool:
        """Whether a mean is that of the topics that a summarizer has, as the papers have it."""
        return self.means == "plain"

    @property
    def usual_test(self) -> SystemTest:
        """The test asked for, or that of a complete table."""
        return self.test or DEFAULT_TEST

    @property
    def margin_text(self) -> str | None:
        """The margin as tables and signatures have it: a number, or its two ends."""
        if isinstance(self.equivalence, tuple):
            return ",".join(f"{end:g}" for end in self.equivalence)
        return None if self.equivalence is None else str(self.equivalence)

    def oriented_margin(self, *, lower_is_better: bool) -> Margin | None:
        """Give the margin for scores of which higher are better, which have the other sign where lower are."""
        if isinstance(self.equivalence, tuple) and lower_is_better:
            low, high = self.equivalence
            return -high, -low
        return self.equivalence

    def is_of_non_inferiority(self, *, lower_is_better: bool) -> bool:
        """Whether the margin has only an end on the side of worse."""
        margin = self.oriented_margin(lower_is_better=lower_is_better)
        return isinstance(margin, tuple) and math.isinf(margin[1])

    def recorded(self) -> dict[str, object]:
        """Give what a signature says of these options: nothing of random numbers, since none are drawn."""
        return {
            **keywords_of(self),
            "test": self.test or "auto",
            "equivalence": self.margin_text,
            "n_resamples": None,
            "seed": None,
            "together": self.together or None,
        }
