"""The additive model: means of systems that were not all rated on the same topics, nor by the same raters.

``score = system + topic (+ rater) + error``.

=====================  ============================================================================================
additive_model         the least-squares fit, with fixed or random raters; which systems can be compared
contrasts              differences of least-squares means, their standard errors, degrees of freedom and intervals
clustered_errors       variances clustered by topic (CR2) and their Satterthwaite degrees of freedom
system_means           the same means without raters, for a metric's matrix and for many resamples of it at once
=====================  ============================================================================================
"""
