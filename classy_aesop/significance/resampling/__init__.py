"""What is random: resampled systems and topics, and exchanges of two metrics' scores.

=========  =================================================================
resamples  rows and columns of a matrix drawn with replacement (bootstrap)
exchanges  which scores of two metrics change places (permutation)
=========  =================================================================
"""
