"""How many topics or judgments does it take, and how do intervals and tests perform?

=================  =================================================================================================
topics_needed      topics that a test needs to detect a difference, by resampling a pilot
t_test_power       the same for a t-test, given a variance that a model has estimated
precision          how precise estimated means would be with more judged topics
pilot_variance     which variances a pilot leaves plausible
interval_coverage  how often intervals of a correlation cover that of held-out systems and topics
metric_power       how often tests of two metrics detect that one was made worse
mixture_power      how often tests of two summarizers detect mixtures of the scores of systems and of humans
trials             shares of trials and their standard errors
=================  =================================================================================================
"""
