"""The additive model: means of systems that were not all rated on the same topics, nor by the same raters.

``score = system + topic (+ rater) + error``.

=====================  ============================================================================================
additive_model         the least-squares fit, with fixed or random raters; which systems can be compared
contrasts              differences of least-squares means, their standard errors and degrees of freedom
estimated_differences  p-values and intervals of differences of means with an error, by t
equal_differences      the exact bounds of differences of pass and fail that are all equal
clustered_errors       variances clustered by topic (CR2) and their Satterthwaite degrees of freedom
system_means           the same means without raters, for a metric's matrix and for many resamples of it at once
=====================  ============================================================================================
"""
