"""How many topics or judgments does it take, and how do intervals and tests perform?

=================  =================================================================================================
topics_needed      topics that a test by ranks needs to detect a difference, by resampling a pilot; search of sizes
t_test_power       the same for a t-test, by the variance that a pilot has estimated
precision          how precise estimated means would be with more judged topics
pilot_variance     the difference on one topic in a pilot: its variance, at another mean, and which it leaves plausible
interval_coverage  how often intervals of a correlation cover that of held-out systems and topics
metric_power       how often tests of two metrics detect that one was made worse
mixture_power      how often tests of two summarizers detect mixtures of the scores of systems and of humans
trials             shares of trials and their standard errors
=================  =================================================================================================
"""
