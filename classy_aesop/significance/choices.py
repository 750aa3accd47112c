"""The names that tests, recipes and corrections are chosen by, as types that editors and mypy know, and default values.

Without numpy, so that the command line can offer them.
"""

from typing import Literal, get_args

N_RESAMPLES = 9_999
"""Number of resamples by default, everywhere in this package."""

ALPHA = 0.05
"""Error level of every test by default."""

Test = Literal["unpaired_t", "paired_t", "wilcoxon"]
"""A test of two summarizers."""

SystemTest = Literal["paired_t", "wilcoxon", "additive"]
"""A test of two summarizers on the topics that both have, or by the additive model of all scores."""

Correction = Literal["holm", "bh", "by", "none"]
"""A correction of p-values for many tests."""

Level = Literal["system", "input", "global", "centred"]
"""What a correlation is computed over: the summarizers' means over topics; within each topic, then their mean; all
instances; all instances less their topic's mean."""

CORRELATION_LEVELS: tuple[Level, ...] = get_args(Level)

Coefficient = Literal[
    "pearson",
    "spearman",
    "kendall",
    "tau_ap",
    "pairwise_accuracy",
    "acc_eq",
    "acc_eq_calibrated",
    "soft_pairwise_accuracy",
]
"""A coefficient of correlation, or an accuracy on pairs."""

Means = Literal["least-squares", "plain"]
"""How systems that lack topics are averaged at system level: fitted means over all topics, in the model system +
topic; or means over the topics that a system has."""

MEANS: tuple[Means, ...] = get_args(Means)

JudgeScale = Literal["auto", "as-is", "matched"]
"""How the scores of a judge are mapped to the human scale: unchanged where they fit the human range, else matched;
unchanged; or with the human mean and standard deviation."""

JUDGE_SCALES: tuple[JudgeScale, ...] = get_args(JudgeScale)

Scale = Literal["interval", "ordinal", "nominal"]
"""The scale of ratings."""

MethodOfMeans = Literal["hierarchical", "control-variate", "plain"]
"""How means are estimated from a part of the judgments."""

TestOfMetrics = Literal[
    "perm-systems",
    "perm-both",
    "perm-inputs",
    "boot",
    "boot-systems",
    "boot-inputs",
    "williams",
]
"""A test of two metrics."""

Margin = float | tuple[float, float]
"""Differences that do not matter: up to a size above 0, or between two ends, one of which may be infinite."""
