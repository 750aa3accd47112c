"""Tests of one pair of summarizers, as those of a matrix of two."""

from types import SimpleNamespace

import numpy as np

from classy_aesop.significance.pairs.equivalence import equivalence_pairs
from classy_aesop.significance.pairs.pair_comparisons import compare_pairs


def compare_pair(x, y, **options):
    return _first(compare_pairs(np.array([x, y], dtype=float), correction="none", **options))


def equivalence_test(x, y, margin, **options):
    found = equivalence_pairs(np.array([x, y], dtype=float), margin, correction="none", **options)
    plain, equal = _first(found.difference), _first(found)
    return SimpleNamespace(
        **vars(plain) | vars(equal) | {"difference": plain.difference, "p_difference": plain.p}
    )


def _first(found):
    values = {name: getattr(found, name) for name in found.__dataclass_fields__}
    return SimpleNamespace(
        **{name: v[0].item() if isinstance(v, np.ndarray) else v for name, v in values.items()}
    )
