"""How the pairs of summarizers of a year and task are tested: the options, and the test that they come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from classy_aesop.answers.strata import Stratum
from classy_aesop.errors import UsageError
from classy_aesop.significance.base import check_choice
from classy_aesop.significance.choices import (
    ALPHA,
    MEANS,
    N_RESAMPLES,
    Correction,
    Means,
    Preset,
    RaterModel,
    Resampling,
    SystemTest,
    Test,
)
from classy_aesop.significance.multiplicity.corrections import CORRECTIONS
from classy_aesop.significance.pairs.additive_pairs import ADDITIVE
from classy_aesop.significance.pairs.equivalence import Margin, margin_ends
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS
from classy_aesop.significance.pairs.pair_resampling import RESAMPLING_METHODS, check_resampling
from classy_aesop.significance.pairs.pair_statistics import get_recipe

MODELS = (ADDITIVE,)
"""Tests of two summarizers that look at the scores of all: beside those of pairs alone (`PAIR_TESTS`)."""

RATER_MODELS: tuple[RaterModel, ...] = get_args(RaterModel)

DEFAULT_TEST: Test = "wilcoxon"
"""The test where every summarizer has every topic, and raters do not vary within topics."""

SHARED = "shared topics only"
"""The end of the reason of a test whose differences are not those of the means."""

Reason = Literal[
    "complete",
    "cells missing",
    "raters vary",
    "cells missing, raters vary",
    "by name",
    "by name, shared topics only",
    "plain means, shared topics only",
    "preset",
    "preset, shared topics only",
]
"""Why a test was used."""


@dataclass(frozen=True, kw_only=True)
class PairTest:
    """How the pairs of summarizers of a year and task are tested.

    Attributes
    ----------
    test : {"unpaired_t", "paired_t", "wilcoxon", "additive"}, optional
        By default signed ranks, and the additive model where cells are missing or raters vary within topics.
    preset : {"standard", "rankel2011", "rankel2013"}
        How signed ranks and t-tests are computed. Those of papers take plain means, and signed ranks by default.
    means : {"least-squares", "plain"}
        Means over all topics by the additive model, or of the topics that each summarizer has.
    raters : {"model", "ignore"}
        Whether raters that ratings name have effects in the model, or only the mean of a cell's ratings counts.
    resampling : {"mc", "hb"}, optional
        Take p-values from random exchanges.
    correction : {"holm", "bonferroni", "bh", "by", "none"}
        For the pairs of a year and task.
    alpha : float
        Of significance, between 0 and 1.
    equivalence : float or (float, float), optional
        A margin around 0.
    n_resamples, seed : int
        Of ``resampling``.

    Raises
    ------
    UsageError
        A name is not known, a number is out of range, or two options do not go together.

    Examples
    --------
    >>> PairTest(correction="bonferroni").alpha
    0.05
    """

    test: SystemTest | None = None
    preset: Preset = "standard"
    means: Means = "least-squares"
    raters: RaterModel = "model"
    resampling: Resampling | None = None
    correction: Correction = "holm"
    alpha: float = ALPHA
    equivalence: Margin | None = None
    n_resamples: int = N_RESAMPLES
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise UsageError(f"alpha is {self.alpha}; expected between 0 and 1")
        try:
            self._check_names()
        except ValueError as error:
            raise UsageError(str(error)) from error
        if self.equivalence is not None and self.resampling is not None:
            raise UsageError("equivalence has no resampling; expected one of them")
        if self.equivalence is not None and self.alpha >= 0.5:
            raise UsageError(f"alpha is {self.alpha}; expected below 0.5 with a margin")
        if self.test == "additive" and (self.means == "plain" or self.preset != "standard"):
            other = "plain means" if self.means == "plain" else f"the preset {self.preset}"
            raise UsageError(f"the additive model does not go with {other}; expected one of them")

    def _check_names(self) -> None:
        """Raise ValueError for an unknown name, or a test that cannot be resampled."""
        if self.test is not None:
            check_choice(self.test, (*PAIR_TESTS, *MODELS), "test")
        check_choice(self.means, MEANS, "means")
        check_choice(self.raters, RATER_MODELS, "raters")
        check_choice(self.correction, CORRECTIONS, "correction")
        recipe = get_recipe(self.preset)
        if self.resampling is not None:
            check_choice(self.resampling, RESAMPLING_METHODS, "resampling")
            if self.test == "additive":
                raise UsageError(f"the additive model is not resampled by {self.resampling}; expected none")
            check_resampling(self.resampling, self.test or DEFAULT_TEST, recipe)
        if self.equivalence is not None:
            if not (isinstance(self.equivalence, tuple) or 0 < self.equivalence < float("inf")):
                raise UsageError(f"equivalence is {self.equivalence}; expected a number above 0")
            margin_ends(self.equivalence)

    @property
    def uses_plain_means(self) -> bool:
        """Whether a mean is that of the topics that a summarizer has, as the papers have it."""
        return self.means == "plain" or self.preset != "standard"

    def choose(self, stratum: Stratum) -> tuple[SystemTest, Reason]:
        """Give the test of a stratum, and why it is this one.

        Raises
        ------
        UsageError
            For resampling or the unpaired t where cells are missing or raters vary, unless plain means are asked for
            or raters are ignored.
        """
        lacks_cells = stratum.lacks_cells
        raters_vary = stratum.raters_vary and self.raters == "model" and not self.uses_plain_means
        self._check_balance(lacks_cells=lacks_cells, raters_vary=raters_vary)
        if self.test == "additive":
            return "additive", "by name"
        if self.uses_plain_means:
            name = "plain means" if self.preset == "standard" else "preset"
            if lacks_cells:
                return self.test or DEFAULT_TEST, f"{name}, shared topics only"  # type: ignore[return-value]
            if self.test is not None:
                return self.test, "by name"
            return DEFAULT_TEST, "complete" if self.preset == "standard" else "preset"
        if self.test is not None:
            return self.test, "by name, shared topics only" if lacks_cells else "by name"
        if self.resampling is not None or not (lacks_cells or raters_vary):
            return DEFAULT_TEST, "complete"
        if lacks_cells and raters_vary:
            return "additive", "cells missing, raters vary"
        return "additive", "cells missing" if lacks_cells else "raters vary"

    def _check_balance(self, *, lacks_cells: bool, raters_vary: bool) -> None:
        """Refuse tests that unbalanced tables make wrong."""
        if self.resampling is None and self.test != "unpaired_t":
            return
        name = self.test if self.resampling is None else self.resampling
        if raters_vary:
            raise UsageError(
                f"{name} does not know that systems were rated by different raters, which looks like a difference; "
                "expected another test, or raters ignore"
            )
        if lacks_cells and not self.uses_plain_means:
            raise UsageError(
                f"{name} needs every system on every topic, and cells are missing, so that means are over "
                "different topics; expected another test, or means plain"
            )
