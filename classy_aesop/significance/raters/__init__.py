"""How reliable are human scores?

=================  ==================================================================================
ratings            ratings of systems on topics by raters, as arrays
rater_reliability  variance components of ratings, and the correlations that their noise allows
krippendorff       Krippendorff's alpha with the jackknife's interval; which ratings are confused
=================  ==================================================================================
"""
