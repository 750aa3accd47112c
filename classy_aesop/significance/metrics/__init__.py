"""Which metric is better, and what do its differences between systems say?

=====================  ==============================================================================================
metric_tests           ``METRIC_TESTS``: does one metric correlate better with humans than another?
difference_intervals   intervals of the difference of two correlations, and of means over years, tasks or corpora
label_agreement        does a metric find the significant differences that humans find?
judge_bias             for which system are a judge's scores too high?
=====================  ==============================================================================================
"""
