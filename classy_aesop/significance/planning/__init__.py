"""How many topics or judgments does it take, and how do intervals and tests perform?

=================  =================================================================================================
topics_needed      topics that a test needs, by the variance of a pilot or by drawing its topics
precision          how precise estimated means would be with more judged topics
mixture_power      how often tests of two summarizers detect mixtures of the scores of systems and of humans
trials             how often intervals cover a correlation, and tests detect that a metric was made worse
=================  =================================================================================================
"""
