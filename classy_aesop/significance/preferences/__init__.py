"""Which system do people prefer? Win rates, strengths and tests from comparisons of two outputs.

paired_comparisons    comparisons as arrays, and their sums by topic and pair of systems
win_rates             the share of comparisons that a system wins, over its opponents
bradley_terry         strengths of systems by the model of Bradley and Terry
sign_flips            the test of a sum over topics by random signs, and the interval that it inverts
preference_tests      systems compared by win rates, or by strengths
shown_order           what the order of two outputs does, and preferences in a circle
metric_preferences    how often a metric prefers what people prefer
"""
