"""How well does a metric correlate with human scores, and how certain is that?

======================  ===========================================================================================
coefficients            Pearson, Spearman, Kendall, tau_ap and accuracies of pairs of lists, by name
accuracies              shares of pairs in the right order: by tie threshold, soft, and expected by chance
correlation_levels      a metric with humans at system, input, global and centred level
counted_coefficients    coefficients within topics for many draws, from how often each item was drawn
resampled_correlations  correlations on bootstrap resamples and on exchanges of two metrics
correlation_intervals   Fisher's interval and bootstrap intervals of a correlation
======================  ===========================================================================================
"""
