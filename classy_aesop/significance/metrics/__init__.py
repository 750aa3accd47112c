"""Which metric is better, and what do its differences between systems say?

=====================  ==============================================================================================
metric_tests           ``METRIC_TESTS``: does one metric correlate better with humans than another?
metric_comparison      the result of such a test, and the p-value of resampled differences
resampled_differences  differences of two metrics' correlations on exchanged and on resampled scores
williams               Williams' test, from three correlations
difference_intervals   intervals of the difference of two correlations: Zou's and bootstrap
stratified_means       the mean over years, tasks or corpora, and the spread between them
label_agreement        does a metric find the significant differences that humans find?
lin_hovy               recall and precision of significant differences by z-tests, as in Lin and Hovy (2003)
judge_bias             for which system are a judge's scores too high?
=====================  ==============================================================================================
"""
