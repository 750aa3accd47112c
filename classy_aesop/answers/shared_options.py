"""Options that several commands share, each declared once: fields of the option dataclasses beside this module."""

from __future__ import annotations

from typing import Any

from classy_aesop.outside import Choices
from classy_aesop.significance.choices import ALPHA, N_RESAMPLES, Level
from classy_aesop.work.options import COUNT, SEED, SHARE, SIMULATED, option

CONFIDENCE = 0.95
"""The confidence of intervals by default."""


def alpha_option() -> Any:
    """Declare the level of significance."""
    return option(ALPHA, "significant if p is at most this", limits=SHARE, metavar="A", is_seldom=True)


def confidence_option() -> Any:
    """Declare the confidence of intervals."""
    return option(
        CONFIDENCE, "of intervals", limits=SHARE, metavar="C", flags=("-c", "--confidence"), is_seldom=True
    )


def correction_option() -> Any:
    """Declare the correction of p-values."""
    return option(
        "holm",
        "of p-values for many tests",
        choices=Choices("significance.multiplicity.corrections:CORRECTIONS"),
        is_seldom=True,
    )


def estimator_option(*, is_seldom: bool = False) -> Any:
    """Declare how means of summarizers are estimated from a part of the judgments."""
    return option(
        "hierarchical",
        "how means are estimated",
        choices=Choices("significance.few_judgments.estimated_means:METHODS_OF_MEANS"),
        metavar="METHOD",
        is_seldom=is_seldom,
    )


WORDS_OF_LEVELS: dict[str, Level] = {"summary": "input", "segment": "input"}
"""What papers call levels of correlations."""


def level_option() -> Any:
    """Declare the levels of correlations."""
    return option(
        None,
        "only these levels",
        choices=Choices("significance.choices:CORRELATION_LEVELS", "answers.shared_options:WORDS_OF_LEVELS"),
        without="system, input",
        is_list=True,
    )


def means_option() -> Any:
    """Declare how means of summarizers are computed."""
    return option(
        "least-squares",
        "over all topics, or of those that each summarizer has",
        choices=Choices("significance.choices:MEANS"),
        is_seldom=True,
    )


def n_resamples_option() -> Any:
    """Declare the number of resamples."""
    return option(
        N_RESAMPLES,
        "number of resamples",
        limits=COUNT,
        metavar="N",
        flags=("-r", "--n-resamples"),
        is_seldom=True,
    )


def population_option() -> Any:
    """Declare whose mean is estimated."""
    return option(
        None,
        "whose mean is estimated: that of the topics at hand, or of all topics like them",
        choices=Choices("answers.estimate_options:POPULATIONS"),
        without="at-hand, if not everything is judged",
        is_seldom=True,
    )


def raters_per_summary_option() -> Any:
    """Declare how many raters a plan has for each summary."""
    return option(
        None,
        "raters of a summary that are planned",
        limits=SIMULATED,
        metavar="N",
        without="as many as now",
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
