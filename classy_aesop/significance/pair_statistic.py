"""What a test of two summarizers declares: its statistic, and how it is resampled.

A new test is one :class:`PairStatistic` and its line in ``TESTS`` of :mod:`classy_aesop.significance.pairs`. It is then
known to everything that compares pairs: equivalence, clusters, agreement with humans, the number of topics needed.
The resampling tests take it if it declares how it is resampled, and refuse it otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray
from classy_aesop.significance.recipes import Recipe
from classy_aesop.significance.t_tests import MeanDifference

#: Of any precision: sums of ranks are exact in small floats, which are faster.
Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """What a test finds for a batch of pairs; arrays of shape (n_pairs,).

    Attributes
    ----------
    mean : MeanDifference
        The mean difference that is reported, and what its interval by t is made of.
    statistic : ndarray
        Infinite where the p-value is only a limit, because the difference is the same on all topics.
    p : ndarray
        For the alternative asked for. Where fewer than two topics are shared or nothing differs it is not used.
    effect : ndarray
        Effect size: positive if the first summarizer is better, negative if the second is.
    n_used : ndarray of int
        Topics that the statistic rests on.
    same : ndarray of bool
        Whether the two have the same scores on all shared topics.
    """

    mean: MeanDifference
    statistic: FloatArray
    p: FloatArray
    effect: FloatArray
    n_used: IntArray
    same: BoolArray


#: From scores of pairs, (n_pairs, n_topics) each and NaN where missing, a recipe and an alternative.
Outcome = Callable[[FloatArray, FloatArray, Recipe, str], PairOutcome]

#: From scores of pairs and a recipe to one value for each pair and topic, 0 where a score is missing. An exchange
#: of the two scores of a topic changes the sign of its value; the test's statistic grows with the size of their sum.
#: Values are ranks, or in units of the pair's largest score: sums no further apart than `ROUNDING` a topic are equal.
SignedValues = Callable[[FloatArray, FloatArray, Recipe], Floats]

#: From how often each topic is drawn, and how often it is drawn and kept less drawn and exchanged, (n_resamples,
#: n_topics) each, to two arrays of shape (n_resamples, n_pairs): the statistic's size is the first over the root of
#: the second. The second is never 0. What holds for the sums of `SignedValues` holds for the first.
SizeParts = Callable[[FloatArray, FloatArray], tuple[Floats, FloatArray]]

#: From scores of pairs without missing topics and a recipe to the parts of the statistic on any resample.
ResampledParts = Callable[[FloatArray, FloatArray, Recipe], SizeParts]


@dataclass(frozen=True, slots=True)
class PairStatistic:
    """A test of two summarizers on their scores by topic.

    Attributes
    ----------
    name : str
        What callers ask for; its key in ``TESTS``.
    outcome : callable
        The test itself, see ``Outcome``.
    mc : callable, optional
        Its values under exchanges of scores, see ``SignedValues``. Without it the test cannot be resampled by MC.
    hb : callable, optional
        Its statistic on topics drawn with replacement and exchanged, see ``ResampledParts``. Without it the test
        cannot be resampled by HB.
    hb_needs : mapping of str to str
        Settings of the recipe that ``hb`` rests on; with other values it is refused.
    about : str
        What it tests, in a few words.
    """

    name: str
    outcome: Outcome
    mc: SignedValues | None = None
    hb: ResampledParts | None = None
    hb_needs: Mapping[str, str] = field(default_factory=dict)
    about: str = ""

    def of(self, x: FloatArray, y: FloatArray, recipe: Recipe, alternative: str) -> PairOutcome:
        """Test pairs, see ``Outcome``.

        Raises
        ------
        TypeError, ValueError
            If the outcome is none, has other shapes, or lacks the p-value of two summarizers who differ.
        """
        found = self.outcome(x, y, recipe, alternative)
        if not isinstance(found, PairOutcome):
            raise TypeError(f"test {self.name} gives {type(found).__name__}; expected a PairOutcome")
        for name in ("statistic", "p", "effect", "n_used", "same"):
            shape = np.shape(getattr(found, name))
            if shape != (len(x),):
                raise ValueError(f"test {self.name} gives {name} of shape {shape}; expected ({len(x)},)")
        p = found.p[(found.mean.n > 1) & ~found.same]
        wrong = p[~((p >= 0) & (p <= 1))]
        if wrong.size:
            raise ValueError(f"test {self.name} gives p {wrong[0]:g}; expected 0 to 1 where the two differ")
        return found
