"""Means of systems when a part of the summaries is judged and all have scores.

===================  ===============================================================================================
estimated_means      ``estimate_means``: all methods by name, with intervals, differences and ranks
direct_means         plain means, and means with the scores as control variates (PPI++)
single_mean          the mean of one system
topic_regression     how hard the judged topics were, by the scores of all
small_area           the Fay-Herriot model: means shrunk toward the line that the scores predict
===================  ===============================================================================================
"""
