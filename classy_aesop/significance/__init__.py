"""Which summarizers and which metrics really differ: tests on plain arrays, with numpy and scipy only.

What many functions take is only said here: ``X`` and ``Y``, scores of summarizers or of metrics, and ``Z``, human
scores, are arrays of shape (n_summarizers, n_topics), NaN where nobody scored; ``metrics`` are several such arrays, and
``pairs`` of them the places of two each; ``level`` and ``coefficient`` are those of
:func:`classy_aesop.significance.correlation.correlation`; ``confidence`` is between 0 and 1; ``rng`` is the source of
what is random, ``n_resamples`` or ``n_draws`` how often it is drawn. Each subject has its module:

===============  ==================================================================================
base             types and checks; which numbers are equal: one rule for every rank, sign and difference
choices          names that tests, levels and corrections are chosen by, and defaults; without numpy
coefficients     Pearson, Spearman, Kendall, tau_ap, accuracies, of one pair of lists or of many
correlation      a metric with humans, at each level
counted          resamples, exchanges of two metrics' scores, and coefficients within topics for many of either
resampling       correlations on resampled and on exchanged scores, and the differences of two metrics there
intervals        intervals of a correlation, and of the difference of two: by formula, and from resamples
metric_tests     metric against metric by name: exchanging, resampling, by three correlations (Williams); strata
multiplicity     many tests: corrections, differences of means that hold together, intervals of ranks
pair_tests       what a test of two summarizers declares, how it is computed, and the t-tests
signed_ranks     Wilcoxon's signed ranks
pairs            summarizer against summarizer: one is better, or they differ by no more than a margin
pair_resampling  the same by random exchanges (MC) and resampled topics (HB)
clusters         ranks that summarizers, or metrics, share
agreement        a metric's significant differences against the human ones
descriptive      Kruskal-Wallis and Tukey on ranks, normality
reliability      variance components of ratings, and what they leave possible; Krippendorff's alpha
leniency         how much higher or lower each rater scores on the same systems and topics
direct_means     means from a part of the judgments: plain, and with a control variate (PPI++)
small_area       the Fay-Herriot model on top of them
estimation       all methods by name, with errors as topics tell them
plans            how many topics or judgments it takes
simulations      coverage of intervals, power of tests of metrics and of summarizers
===============  ==================================================================================

Results are small frozen records with ``to_dict``; whatever is random takes ``rng``.
"""
