"""Least squares of scores on systems and topics: the equations that every such fit solves.

Topics are eliminated first, by subtracting their means (Frisch, Waugh and Lovell), so that no matrix has a column a
topic. What is left is one matrix of systems, or of systems and raters.

The matrix of *systems* is the Laplacian of a graph whose edges weigh, for every two systems, the topics that both have.
Differences are estimable within a connected group of systems, and the rank is the number of systems less that of
groups: both are counted, without a tolerance. A constant added within each group makes the matrix nonsingular and gives
the effects of each group the mean 0. All this has leading axes: tables with different missing cells, or resamples of
one table, are solved as one batch.

Searle (1987), chapter 5.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray


def eliminate_topics(cells: FloatArray, n_of_topic: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Eliminate topics from tables of cells.

    Parameters
    ----------
    cells : ndarray, shape (..., n_systems, n_topics)
        1 for a cell with a score, else 0.
    n_of_topic : ndarray, shape (..., n_topics)
        Cells of each topic; more shrinks the effects of topics.

    Returns
    -------
    information : ndarray, shape (..., n_systems, n_systems)
        The matrix of the systems' normal equations.
    weights : ndarray, shape (..., n_systems, n_topics)
        The share of each topic's sum that is subtracted from the sum of each system.
    """
    weights = cells / np.maximum(n_of_topic, 1.0)[..., None, :]
    n_of_system = cells.sum(axis=-1)
    return n_of_system[..., None] * np.eye(n_of_system.shape[-1]) - weights @ cells.mT, weights


def group_connected(information: FloatArray, present: BoolArray) -> IntArray:
    """Number the systems of each table that topics connect, by their first systems; -1 for absent ones.

    Parameters
    ----------
    information : ndarray, shape (..., n_systems, n_systems)
        Negative where two systems share a topic.
    present : ndarray of bool, shape (..., n_systems)
        Whether a system has a score.

    Examples
    --------
    >>> chain = np.array([[1.0, -1, 0, 0], [-1, 2, -1, 0], [0, -1, 1, 0], [0, 0, 0, 0]])
    >>> group_connected(chain, np.ones(4, bool)).tolist()
    [0, 0, 0, 1]
    """
    n_systems = information.shape[-1]
    adjacent = (information < 0).astype(np.float32)
    group = np.where(present, n_systems, -1)
    for number in range(n_systems):
        is_left = group == n_systems
        if not is_left.any():
            break
        reached = is_left & (np.arange(n_systems) == is_left.argmax(axis=-1)[..., None])
        for _ in range(n_systems):
            further = reached | ((adjacent @ reached[..., None].astype(np.float32))[..., 0] > 0)
            if (further == reached).all():
                break
            reached = further
        group[reached] = number
    return group


def fix_group_means(information: FloatArray, group: IntArray) -> FloatArray:
    """Add a constant within each group, which fixes its mean effect at 0, and the identity for absent systems.

    The matrices, (..., n_systems, n_systems), are nonsingular.
    """
    present = group >= 0
    is_of_group = present[..., None] & (group[..., None] == group[..., None, :])
    size = np.trace(information, axis1=-2, axis2=-1) / np.maximum(present.sum(axis=-1), 1) ** 2
    size = np.where(size > 0, size, 1.0)[..., None, None]
    return information + np.where(is_of_group, size, np.eye(group.shape[-1]))


def rank_of_groups(group: IntArray) -> IntArray:
    """Count the present systems of each table less their groups: the rank of the equations, (...)."""
    return np.asarray((group >= 0).sum(axis=-1) - 1 - group.max(axis=-1, initial=-1))
