"""The names that tests, recipes and corrections are chosen by, as types that editors and mypy know, and default values.

Without numpy, so that the command line can offer them.
"""

from typing import Literal, get_args

Test = Literal["unpaired_t", "paired_t", "wilcoxon"]
"""A test of two summarizers."""

SystemTest = Literal[Test, "additive"]
"""A test of two summarizers on the topics that both have, or by the additive model of all scores."""

RaterModel = Literal["model", "ignore"]
"""Whether named raters have effects of their own in the additive model."""

Resampling = Literal["mc", "hb"]
"""How its p-values are resampled."""

Preset = Literal["standard", "rankel2011", "rankel2013"]
"""How it is computed."""

Correction = Literal["holm", "bonferroni", "bh", "by", "none"]
"""Of p-values for many tests."""

Level = Literal["system", "input", "global", "centred"]
"""Of a correlation."""

AnyLevel = Literal[Level, "within_system"]
"""Of a correlation, with the one that is given where it is asked for."""

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
"""Of correlation."""

Means = Literal["least-squares", "plain"]
"""Of systems that lack topics, at system level."""

MEANS: tuple[Means, ...] = get_args(Means)
"""Fitted means over all topics, in the model system + topic; or the means over the topics that a system has."""

JudgeScale = Literal["auto", "as-is", "matched"]
"""How the scores of a judge come to the human scale."""

JUDGE_SCALES: tuple[JudgeScale, ...] = get_args(JudgeScale)
"""As they are where they fit the human range, else matched; as they are; or with the human mean and deviation."""

IntervalKind = Literal["percentile", "bca", "normal"]
"""What a bootstrap interval is made of."""

Scale = Literal["interval", "ordinal", "nominal", "ratio"]
"""Of ratings."""

MethodOfMeans = Literal["hierarchical", "fay-herriot", "control-variate", "plain"]
"""How means are estimated from a part of the judgments."""

TestOfMetrics = Literal["perm-systems", "perm-both", "perm-inputs", "boot", "williams", "williams-turned"]
"""A test of two metrics."""

N_RESAMPLES = 9_999
"""Number of resamples by default, everywhere in this package."""

ALPHA = 0.05
"""Level of every test."""

LEVELS: tuple[Level, ...] = get_args(Level)
"""Of the summarizers' means over topics; within each topic, then their mean; over all instances; over all instances
less their topic's mean."""

ALL_LEVELS: tuple[AnyLevel, ...] = get_args(AnyLevel)
"""Also within each summarizer, over its topics, then their mean; given where it is asked for."""
