"""How many topics or judgments does it take?

=================  =================================================================================================
topics_needed      topics that a test needs, by the variance of a pilot or by drawing its topics
precision          how precise estimated means would be with more judged topics
=================  =================================================================================================
"""
