"""Options of the answers, a dataclass each: fields that Python, the command line and signatures share.

Functions take them as keywords, ``**options``: an option is a field here, and a key of the keywords.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypedDict, get_args

from classy_aesop.errors import NOTE, UsageError
from classy_aesop.outside import Choices
from classy_aesop.significance.choices import (
    ALPHA,
    N_RESAMPLES,
    Coefficient,
    Correction,
    JudgeScale,
    Level,
    Margin,
    Means,
    MethodOfMeans,
    Scale,
    SystemTest,
    TestOfMetrics,
)
from classy_aesop.work.options import (
    ABOVE_0,
    COUNT,
    SEED,
    SHARE,
    SIMULATED,
    check_options,
    keywords_of,
    option,
)

if TYPE_CHECKING:
    from classy_aesop.predictor import Predictor

# --- what several share ---

CONFIDENCE = 0.95
"""The confidence of intervals by default."""


def alpha_option(needs: str = "") -> Any:
    """Declare the level of significance."""
    return option(
        ALPHA, f"{needs}significant if p is at most this", limits=SHARE, metavar="A", is_seldom=True
    )


def confidence_option() -> Any:
    """Declare the confidence of intervals."""
    return option(
        CONFIDENCE, "of intervals", limits=SHARE, metavar="C", flags=("-c", "--confidence"), is_seldom=True
    )


def correction_option(needs: str = "") -> Any:
    """Declare the correction of p-values."""
    return option(
        "holm",
        f"{needs}of p-values for many tests",
        choices=Choices("significance.multiplicity.corrections:CORRECTIONS"),
        is_seldom=True,
    )


WORDS_OF_LEVELS: dict[str, Level] = {"summary": "input", "segment": "input"}
"""What papers call levels of correlations."""


def means_option() -> Any:
    """Declare how means of summarizers are computed."""
    return option(
        "least-squares",
        "over all topics, or of those that each summarizer has",
        choices=Choices("significance.choices:MEANS"),
        is_seldom=True,
    )


def population_option() -> Any:
    """Declare whose mean is estimated."""
    return option(
        None,
        "whose mean is estimated: that of the topics at hand, or of all topics like them",
        choices=Choices("answers.answer_options:POPULATIONS"),
        without="at-hand, if not everything is judged",
        is_seldom=True,
    )


def seed_option() -> Any:
    """Declare the seed of random numbers."""
    return option(0, "of the random numbers", limits=SEED, metavar="N", is_seldom=True)


def together_option(needs: str = "") -> Any:
    """Declare whether years and tasks are one comparison."""
    return option(
        False, f"{needs}take all years and tasks together, each with the same weight", is_seldom=True
    )


# --- tests of pairs of summarizers ---

DEFAULT_TEST: SystemTest = "paired_t"
"""The test where every summarizer has every topic, and raters do not vary within topics: of the means shown."""

TEST_OF_RANKS: SystemTest = "wilcoxon"
"""A test whose difference is a shift, not one of means."""

ADDITIVE_TEST: SystemTest = "additive"
"""The test of differences of least-squares means, in the model of all scores of a year and task."""

TESTS_OF_SYSTEMS = Choices("significance.pairs.pair_comparisons:PAIR_TESTS", ADDITIVE_TEST, but="unpaired_t")
"""All tests but the one that ignores topics, which the papers have."""


def test_of_systems_option() -> Any:
    """Declare the test of two summarizers."""
    return option(
        None,
        "test of two summarizers",
        choices=TESTS_OF_SYSTEMS,
        without="as the data need",
        unset="auto",
    )


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

    test: SystemTest | None = test_of_systems_option()
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
    n_resamples: int = option(
        N_RESAMPLES,
        "number of resamples",
        limits=COUNT,
        metavar="N",
        flags=("-r", "--n-resamples"),
        is_seldom=True,
    )
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

    def recorded_options(self) -> dict[str, object]:
        """Give what a signature says of these options: nothing of random numbers, since none are drawn."""
        return {
            **keywords_of(self),
            "test": self.test or "auto",
            "equivalence": self.margin_text,
            "n_resamples": None,
            "seed": None,
            "together": self.together or None,
        }


# --- correlations of metrics, and tests of their pairs ---

IntervalMethod = Literal["boot-both", "boot-systems", "boot-inputs", "fisher", "none"]
"""By which method an interval is made: a bootstrap of what its name says, or a formula."""

N_RESAMPLES_OF_INTERVALS = 999
"""Resamples of an interval by default: its ends then vary by a twelfth of a standard error."""

_LOG = logging.getLogger(__name__)


def _name_level(word: str) -> str:
    """Give the level that a word of the papers means, and log it; a level itself stays."""
    if word not in WORDS_OF_LEVELS:
        return word
    level = WORDS_OF_LEVELS[word]
    _LOG.log(NOTE, "level %s is %s: correlations within topics, averaged", word, level)
    return level


INTERVALS: dict[IntervalMethod, str] = {
    "boot-both": "both",
    "boot-systems": "systems",
    "boot-inputs": "inputs",
    "fisher": "",
    "none": "",
}
"""Methods of intervals, with what is resampled."""


class CorrelationKeywords(TypedDict, total=False):
    """The fields of `CorrelationOptions`, as keywords."""

    level: Level | Sequence[Level] | None
    coefficient: Coefficient | Sequence[Coefficient] | None
    interval: IntervalMethod | None
    confidence: float
    n_resamples: int | None
    seed: int
    means: Means


class MetricPairKeywords(CorrelationKeywords, total=False):
    """The fields of `MetricPairTest`, as keywords."""

    test: TestOfMetrics
    correction: Correction
    alpha: float
    together: bool


@dataclass(frozen=True, kw_only=True)
class CorrelationOptions:
    """How correlations of metrics with human scores are computed.

    Examples
    --------
    >>> CorrelationOptions().n_resamples_of_intervals
    999
    >>> CorrelationOptions(interval="none", n_resamples=99).check_unused()
    Traceback (most recent call last):
    ...
    classy_aesop.errors.UsageError: n_resamples is 99 and nothing is resampled; expected interval boot-both, or none
    """

    level: Level | Sequence[Level] | None = option(
        None,
        "only these levels",
        choices=Choices("significance.choices:CORRELATION_LEVELS", "answers.answer_options:WORDS_OF_LEVELS"),
        without="system, input",
        is_list=True,
    )
    coefficient: Coefficient | Sequence[Coefficient] | None = option(
        None,
        "only these",
        choices=Choices("significance.correlations.coefficients:ALL_COEFFICIENTS"),
        metavar="NAME",
        without="the first three",
        is_list=True,
    )
    interval: IntervalMethod | None = option(
        None,
        "how intervals are made",
        choices=Choices("answers.answer_options:INTERVALS"),
        metavar="METHOD",
        without="boot-both",
        is_seldom=True,
    )
    n_resamples: int | None = option(
        None,
        "number of resamples",
        limits=COUNT,
        metavar="N",
        flags=("-r", "--n-resamples"),
        without=f"{N_RESAMPLES_OF_INTERVALS} of intervals, {N_RESAMPLES} of tests",
        is_seldom=True,
    )
    seed: int = seed_option()
    confidence: float = confidence_option()
    means: Means = means_option()

    def __post_init__(self) -> None:
        check_options(self)
        if self.level is not None:
            words = [self.level] if isinstance(self.level, str) else self.level
            object.__setattr__(self, "level", list(map(_name_level, words)))

    @property
    def interval_method(self) -> IntervalMethod:
        """By which method intervals are made."""
        return self.interval or "boot-both"

    @property
    def is_resampled(self) -> bool:
        """Whether intervals are made of resamples."""
        return bool(INTERVALS[self.interval_method])

    @property
    def n_resamples_of_intervals(self) -> int:
        """Resamples of an interval."""
        return self.n_resamples or N_RESAMPLES_OF_INTERVALS

    def check_unused(self) -> None:
        """Raise UsageError for a number of resamples, or a confidence, that nothing has."""
        if self.n_resamples is not None and not self.is_resampled:
            raise UsageError(
                f"n_resamples is {self.n_resamples} and nothing is resampled; expected interval boot-both, or none"
            )
        if self.interval == "none" and self.confidence != CONFIDENCE:
            raise UsageError(
                f"confidence is {self.confidence} and there is no interval; expected both or none"
            )

    def recorded_options(self) -> dict[str, object]:
        """Give what a signature says of these options: of intervals and resamples only where there are some."""
        has_interval = self.interval != "none"
        return {
            "interval": self.interval_method if has_interval else None,
            "confidence": self.confidence if has_interval else None,
            "n_resamples": self.n_resamples_of_intervals if self.is_resampled else None,
            "seed": self.seed if self.is_resampled else None,
            "means": self.means,
        }


@dataclass(frozen=True, kw_only=True)
class MetricPairTest(CorrelationOptions):
    """How pairs of metrics are tested; the pairs of one year, task, target, level and coefficient are a family.

    Parameters
    ----------
    test : str
        A name of ``METRIC_TESTS`` in :mod:`classy_aesop.significance.metrics.metric_tests`: what ``p`` is of.
    level, coefficient : str, or sequence of str, optional
        By default Pearson's at the system level, or, of two systems, whose means correlate by 1 or -1, at the input
        level.
    interval : str
        One of `INTERVALS`, of correlations; that of a difference is what its test leaves open, of confidence 1 - alpha.
    correction : {"holm", "bh", "by", "none"}
        Of the p-values of a family.
    alpha : float
        A pair is significant if its corrected p is at most this; between 0 and 1.
    together : bool
        Whether all years and tasks are taken together, each with the same weight.
    confidence, n_resamples, seed, means
        As of `CorrelationOptions`; the resamples also those of the tests.

    Raises
    ------
    UsageError
        A name is not known, or a number is outside its limits.

    Examples
    --------
    >>> MetricPairTest(test="guess")
    Traceback (most recent call last):
    ...
    classy_aesop.errors.UsageError: test is 'guess'; expected one of perm-systems, perm-both, perm-inputs, boot, \
boot-systems, boot-inputs, williams
    """

    test: TestOfMetrics = option(
        "perm-systems",
        "with --pairs: test of two metrics",
        choices=Choices("significance.metrics.metric_tests:METRIC_TESTS"),
        is_seldom=True,
    )
    correction: Correction = correction_option()
    alpha: float = alpha_option()
    together: bool = together_option("with --pairs: ")

    @property
    def n_resamples_of_tests(self) -> int:
        """Resamples of a test."""
        return self.n_resamples or N_RESAMPLES


# --- biases of judges ---


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
    correction: Correction = correction_option("with --bias: ")
    alpha: float = alpha_option("with --bias: ")
    confidence: float = confidence_option()

    def __post_init__(self) -> None:
        check_options(self)


# --- estimates from a part of the judgments ---

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
    estimator: MethodOfMeans = option(
        "hierarchical",
        "how means are estimated",
        choices=Choices("significance.few_judgments.estimated_means:METHODS_OF_MEANS"),
        metavar="METHOD",
    )
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


# --- plans ---


class PlanKeywords(TypedDict, total=False):
    """The fields of `PlanTest`, as keywords."""

    power: float
    test: SystemTest | None
    alpha: float
    raters_per_summary: int | None
    max_topics: int
    n_trials: int
    seed: int
    width: float | None
    population: Population | None


@dataclass(frozen=True, kw_only=True)
class PlanTest:
    """What topics are planned for: a test of two summarizers, or estimates from a part of the judgments."""

    power: float = option(0.8, "the probability of detecting it", limits=SHARE, metavar="P")
    test: SystemTest | None = test_of_systems_option()
    alpha: float = alpha_option()
    raters_per_summary: int | None = option(
        None,
        "raters of a summary that are planned",
        limits=SIMULATED,
        metavar="N",
        without="as many as now",
        is_seldom=True,
    )
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

    width: float | None = option(
        None, "the wanted width of the interval of a system's estimated effect", limits=ABOVE_0, metavar="W"
    )
    population: Population | None = population_option()

    def __post_init__(self) -> None:
        check_options(self)
        if not self.alpha < self.power:
            raise UsageError(f"alpha is {self.alpha} and power {self.power}; expected 0 < alpha < power < 1")

    @property
    def pair_test(self) -> PairTest:
        """The test of two summarizers."""
        return PairTest(test=self.test, alpha=self.alpha)


# --- agreement of raters ---


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
