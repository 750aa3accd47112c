"""Tests of differences of least-squares means: the additive model where cells are missing or raters vary.

t-tests with errors clustered by topic (CR2), see :mod:`classy_aesop.significance.additive.contrasts`. With a complete
table and raters that do not vary, the test of a pair is its paired t-test, whatever the other systems do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.additive.additive_model import AdditiveModel
from classy_aesop.significance.additive.contrasts import estimate_contrasts
from classy_aesop.significance.base import check_choice, check_share
from classy_aesop.significance.choices import ALTERNATIVES
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.significance.pairs.pair_comparisons import PairTests, interval_levels, rows_of_pairs

ADDITIVE = "additive"
"""The name of the test."""


def compare_least_squares_means(
    model: AdditiveModel,
    pairs: ArrayLike | None = None,
    *,
    alternative: str = "two-sided",
    correction: str = "holm",
    confidence: float | None = 0.95,
    pass_or_fail: bool = False,
) -> PairTests:
    """Test differences of least-squares means by t, with errors clustered by topic (CR2).

    Parameters
    ----------
    model : AdditiveModel
        Of :func:`fit_additive_model`.
    pairs : array_like of int, shape (n_pairs, 2), optional
        Systems to compare; by default each with every later one.
    alternative : {"two-sided", "greater", "less"}
        What is tested of the first less the second.
    correction : {"holm", "bonferroni", "bh", "by", "none"}
        For the family of all pairs tested here.
    confidence : float or None
        Of the intervals, which are those of t; with None they are NaN.
    pass_or_fail : bool
        As for :func:`classy_aesop.significance.pairs.pair_comparisons.compare_pairs`.

    Returns
    -------
    PairTests
        As of :func:`classy_aesop.significance.pairs.pair_comparisons.compare_pairs`. ``n`` and ``n_used`` count the
        topics that both have, though the difference may be estimated from others too; ``effect`` is t over the root of
        the degrees of freedom plus 1, which in a complete table is Cohen's d_z. p is 1, with a flag and without an
        interval, where the difference is not estimable (it is NaN then), where nothing is left to estimate its variance
        from, and where it is constant.

    Raises
    ------
    ValueError
        A name is not known, a confidence is out of range, or pairs name systems that do not exist.

    Notes
    -----
    The degrees of freedom are Satterthwaite's for independent errors of one variance (Bell and McCaffrey 2002).
    Residuals are 0 for rows that the model fits exactly, such as the only one of a rater; their share of the variance
    is completed from the pooled error variance. Random raters add the variance of their effects that shrinking leaves
    in the difference.

    Examples
    --------
    >>> from classy_aesop.significance.additive.additive_model import fit_additive_model
    >>> y, system, topic = [3, 1, 4, 2, 6, 5], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2]
    >>> tests = compare_least_squares_means(fit_additive_model(y, system, topic, n_systems=2))
    >>> tests.statistic.round(4).tolist(), tests.p.round(4).tolist()  # the paired t-test
    ([5.0], [0.0377])
    """
    check_choice(alternative, ALTERNATIVES, "alternative")
    if confidence is not None:
        check_share(confidence, "confidence")
    first, second = rows_of_pairs(pairs, len(model.mean))
    estimates = estimate_contrasts(model, first, second, pass_or_fail=pass_or_fail)
    p = estimates.p(0.0, alternative)
    levels = interval_levels(confidence, correction, len(p))
    low, high = estimates.interval(levels.single)
    low_all, high_all = estimates.interval(levels.simultaneous)
    return PairTests(
        ADDITIVE,
        alternative,
        correction,
        first,
        second,
        n=estimates.n,
        n_used=estimates.n,
        difference=estimates.difference,
        low=low,
        high=high,
        low_all=low_all,
        high_all=high_all,
        effect=estimates.t / np.sqrt(estimates.df + 1),
        statistic=estimates.t,
        p=p,
        p_adjusted=adjust_p_values(p, correction=correction),
        flag=estimates.flag,
        confidence=confidence,
        error=estimates.error,
        df=estimates.df,
    )
