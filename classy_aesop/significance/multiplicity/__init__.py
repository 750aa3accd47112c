"""Many tests at once.

============  ================================================================================================
corrections   p-values adjusted for the number of tests: Holm, Bonferroni, Benjamini and Hochberg or Yekutieli
simultaneous  differences of means whose intervals hold together, and intervals of ranks
============  ================================================================================================
"""
