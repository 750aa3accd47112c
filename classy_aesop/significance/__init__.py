"""Which summarizers and which metrics really differ: tests on plain arrays, with numpy and scipy only.

Scores are arrays of summarizers x topics, NaN where nobody scored. Each subject has its module:

==================  ==================================================================================
near_ties           which numbers are equal: one rule for every rank, sign and difference
levels              the five levels of a correlation
correlation         a metric with humans, at each level, and the chance level of accuracies
coefficients        Pearson, Spearman, Kendall, tau_ap, pairwise accuracy, of one pair of lists or of many
counted             the same of two lists for many resamples of their items
accuracy            accuracies with calibrated ties, and soft pairwise accuracy
resampling          correlations on resampled and on exchanged scores, and the differences of two metrics there
intervals           intervals of a correlation, and of the difference of two: by formula, and from resamples
strata              several years, tasks or corpora together
metric_tests        metric against metric by name: exchanging, resampling, by three correlations (Williams)
pairs               summarizer against summarizer: t-tests and signed ranks, one pair or all
pair_statistic      what a test of two summarizers declares
pair_t, pair_ranks  the t-tests and the signed ranks as such tests
pair_resampling     the same by random exchanges (MC) and resampled topics (HB)
recipes             how these tests are computed, and the presets behind printed tables
multiplicity        corrections for many tests
ranks               Kruskal-Wallis, Tukey on mean ranks
effects             assessors and categories, an additive model
normality           Shapiro-Wilk within topics and of means
equivalence         summarizer against summarizer: different by no more than a margin
clusters            ranks that summarizers, or metrics, share
topics_needed       how many topics it takes to see a difference
pilot               what a pilot leaves possible of the variance, for both kinds of plans
estimation          means from a part of the judgments and scores for everything, by any method
direct_means        the plain mean and the control variate (PPI++) of judged cells
small_areas         the Fay-Herriot model on top of them
sandwich            errors of these as topics tell them, whatever the model says
simultaneous        differences of estimated means that hold together; intervals of ranks
judgments_needed    how precise estimates would be from more judgments
reliability         variance components of ratings, and what they leave possible
alpha               Krippendorff's alpha of assessors, and which ratings they confuse
coverage            how often intervals hold the correlation of scores held out
mixture_power       power of tests of summarizers along mixed score distributions
metric_power        power of tests of metrics against spoilt versions of one
agreement           a metric's significant differences against the human ones
hits                recall and precision of significant differences; t of a correlation
==================  ==================================================================================

Results are small frozen records with ``to_dict``; whatever is random takes ``rng``.
"""
