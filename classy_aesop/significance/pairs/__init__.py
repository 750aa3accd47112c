"""Do two summarizers differ, or are they equivalent?

=====================  ============================================================================================
pair_comparisons       ``compare_pairs``: all pairs of a score matrix by a named test, with intervals and corrections
pair_statistics        what a test of two summarizers declares, and the recipes by which tests are computed
signed_ranks           the signed-rank test: its exact distribution, and the shifts that it does not reject
few_topics             the few topics, if any, that a significant difference rests on
=====================  ============================================================================================
"""
