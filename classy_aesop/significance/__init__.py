"""Which summarizers and which metrics really differ: tests on plain arrays, with numpy and scipy only.

Each question has a room:

=============  ====================================================================================================
correlations   How well does a metric correlate with human scores, and how certain is that?
metrics        Which of two metrics is better, and for which system are its scores too high?
pairs          Do two summarizers differ, or are they equivalent? Which ones share a rank?
preferences    Which system do people prefer? Win rates and strengths from comparisons of two outputs
few_judgments  What are the mean human scores, from judgments of a part and scores for everything?
raters         How reliable are human scores? Do raters agree, and who scores higher?
planning       How many topics or judgments does it take?
=============  ====================================================================================================

What they share:

================  ====================================================================================================
base              types of arrays, checks of input
equality          which numbers are equal: one rule for every rank, sign and difference
decisions         what is significant, which of two is better, and which share a cluster
differences       differences of pairs with their tests: significant, equivalent within a margin, ranks and clusters
flags             why a value, a p-value or an interval is missing
choices           names that tests, levels and corrections are chosen by, and defaults; without numpy
mean_differences  p-values and intervals of mean differences, by t or exact
pass_rates        differences of two pass rates: the score test and its interval
attempt_scores    how much several outputs of a system on a topic vary, and which share of an error that is
multiplicity      many tests at once: corrections of p-values, intervals that hold together
draws             resampled systems and topics, exchanges of two metrics' scores
sign_flips        exact or random signs of differences: p-values of sums, and the intervals that they invert
leave_one_out     standard errors of any estimates, from what they are without each topic
additive          the additive model: means of systems that lack topics or were rated by different raters
================  ====================================================================================================

Parameters of one name are the same in all functions: ``X`` and ``Y``, scores of summarizers or of metrics, and ``Z``,
human scores, are arrays of shape (n_summarizers, n_topics), NaN where nobody scored; ``metrics`` are several such
arrays, and ``pairs`` are pairs of row numbers, or of positions in ``metrics``; ``level`` and ``coefficient`` are those
of :func:`classy_aesop.significance.correlations.correlation_levels.correlation`; ``confidence`` is between 0 and 1;
``rng`` is the source of random numbers, ``n_resamples`` or ``n_draws`` the number of random draws. Results are small
frozen dataclasses.
"""
