"""Do two summarizers differ, or are they equivalent?

=====================  ============================================================================================
pair_comparisons       ``compare_pairs``: all pairs of a score matrix by a named test, with intervals and corrections
pair_resampling        ``resample_pairs``: the same tests by random exchanges (MC) and resampled topics (HB), of a study
rater_differences      the difference of each pair by each rater alone
pair_statistics        what a test of two summarizers declares, and the recipes by which tests are computed
t_tests                the paired and the unpaired t-test
signed_ranks           the signed-rank test: its exact distribution, and the shifts that it does not reject
few_topics             the few topics, if any, that a significant difference rests on
lowest_p               the lowest p-values that so few topics allow
rank_groups            do topics differ? Kruskal-Wallis, and Tukey's comparisons of mean ranks
=====================  ============================================================================================
"""
