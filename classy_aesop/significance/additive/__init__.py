"""The additive model: means of systems that were not all rated on the same topics, nor by the same raters.

``score = system + topic (+ rater) + error``.

=====================  ============================================================================================
linear_means           the equations of systems, topics and raters that every least-squares fit solves
additive_model         the least-squares fit, with fixed or random raters; which systems can be compared
contrasts              differences of least-squares means: standard errors, degrees of freedom and tests
clustered_errors       variances clustered by topic (CR2) and their Satterthwaite degrees of freedom
two_way_fit            the same means without raters, also of resamples; what is left of each cell
mean_intervals         errors and intervals of means, also within bounds
=====================  ============================================================================================
"""
