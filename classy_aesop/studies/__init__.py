"""Experiments about the method itself: the same job over many cuts or many made-up corpora, mean and spread."""
