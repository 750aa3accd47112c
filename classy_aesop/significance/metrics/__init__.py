"""Which metric is better, and what do its differences between systems say?

=====================  ==============================================================================================
metric_tests           ``METRIC_TESTS``: does one metric correlate better with humans than another?
stratified_means       means over years, tasks or corpora, and their intervals
judge_bias             for which system are a judge's scores too high?
=====================  ==============================================================================================
"""
