"""How well does a metric correlate with human scores, and how certain is that?

======================  ===========================================================================================
coefficients            Pearson, Spearman, Kendall, tau_ap and accuracies of one pair of lists, by name
accuracies              shares of pairs in the right order: by tie threshold, soft, and expected by chance
row_coefficients        the same coefficients for many pairs of lists at once, one pair a row
correlation_levels      a metric with humans at system, input, global, centred and within-system level
counted_coefficients    coefficients within topics for many resamples, from how often each item was drawn
exchanged_coefficients  coefficients within topics for many exchanges of two metrics, from their signs
resampled_correlations  correlations on bootstrap resamples
correlation_intervals   Fisher's interval and bootstrap intervals of a correlation
normality               whether scores are normal (Shapiro-Wilk), as Fisher's interval and Williams' test assume
======================  ===========================================================================================
"""
