"""The names that tests, recipes and corrections are chosen by, as types: editors and mypy know them."""

from typing import Literal

Test = Literal["unpaired_t", "paired_t", "wilcoxon"]
"""A test of two summarizers."""

Resampling = Literal["mc", "hb"]
"""How its p-values are resampled."""

Preset = Literal["standard", "rankel2011", "rankel2013"]
"""How it is computed."""

Correction = Literal["holm", "bonferroni", "bh", "by", "none"]
"""Of p-values for many tests."""

BaselineCorrection = Literal["holm", "bonferroni", "bh", "by", "none", "dunnett"]
"""Of p-values for many tests, of which those against one baseline know one more."""

TestOfMetrics = Literal["perm-both", "perm-systems", "perm-inputs", "boot", "williams"]
"""A test of two metrics."""
