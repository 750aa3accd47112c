"""Names whose training columns are those of an earlier name, so that a subset gains nothing by both.

With one reference a topic the largest value over references is their mean: `bigrams_p2p` is `bigrams` in every
row. Of equal columns every fitter keeps the first and gives the others the weight 0 (`fitters.least_squares`),
so a subset that holds such names has the solution of the subset without all but the first of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from classy_aesop.fitters.least_squares import first_equals
from classy_aesop.search.base import Training
from classy_aesop.search.design import Integers


def twin_sets(trainings: Sequence[Training]) -> list[int]:
    """Return the masks of all sets of two or more names whose columns are, one by one, equal in training."""
    first = first_equals(np.concatenate([training.X for training in trainings]))
    sets: dict[tuple[int, ...], int] = {}
    for name, columns in enumerate(trainings[0].groups):
        key = tuple(int(first[column]) for column in columns)
        sets[key] = sets.get(key, 0) | 1 << name
    return [held for key, held in sets.items() if key and held.bit_count() > 1]


def without_twins(masks: Integers, sets: Sequence[int]) -> Integers:
    """Keep of each set of equal names the first that each subset (n_subsets,) holds."""
    for names in sets:
        held = masks & names
        masks = masks & ~names | held & -held
    return masks
