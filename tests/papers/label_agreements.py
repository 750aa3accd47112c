"""The agreement of a metric with humans on the best summarizers, from the labels of both."""

from dataclasses import replace

from classy_aesop.papers.label_agreement import (
    compare_labels,
    select_best_rows,
    significant_labels,
)
from classy_aesop.significance.base import score_matrices
from classy_aesop.significance.pairs.pair_statistics import get_recipe


def agreement_with_humans(X, Z, *, top=30, test="paired_t", preset="standard", alpha=0.05):
    X, Z = score_matrices(X=X, Z=Z)
    rows = select_best_rows(Z, top)
    recipes = replace(get_recipe(preset), decimals=None), get_recipe(preset)
    labels = (
        significant_labels(scores[rows], test=test, preset=recipe, alpha=alpha)
        for scores, recipe in zip((X, Z), recipes, strict=True)
    )
    return compare_labels(*labels)
