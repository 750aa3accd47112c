"""The agreement of a metric with humans on the best summarizers, from the labels of both."""

from classy_aesop.papers.label_agreement import compare_labels, label_by_both, select_best_rows
from classy_aesop.significance.base import score_matrices


def agreement_with_humans(X, Z, *, top=30, test="paired_t", preset="standard", alpha=0.05):
    X, Z = score_matrices(X=X, Z=Z)
    rows = select_best_rows(Z, top)
    human, metric = label_by_both(X[rows], Z[rows], test=test, preset=preset, alpha=alpha)
    return compare_labels(metric, human)
