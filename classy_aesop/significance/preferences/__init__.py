"""Which system do people prefer? Win rates, strengths and tests from comparisons of two outputs.

paired_comparisons    comparisons as arrays, and their sums by topic and pair of systems
win_rates             the share that a system wins, over its opponents; how often a metric prefers what people do
bradley_terry         strengths of systems by the model of Bradley and Terry
preference_tests      systems compared by win rates, or by strengths
shown_order           what the order of two outputs does, and preferences in a circle
"""
