"""Tests of one pair of summarizers, as those of a matrix of two."""

from types import SimpleNamespace

import numpy as np

from classy_aesop.significance.pairs.pair_comparisons import compare_pairs


def compare_pair(x, y, *, test="wilcoxon", **options):
    return _first(compare_pairs(np.array([x, y], dtype=float), test=test, correction="none", **options))


def equivalence_test(x, y, margin, **options):
    tests = compare_pairs(np.array([x, y], dtype=float), correction="none", **options)
    return SimpleNamespace(**vars(_first(tests.equivalent(margin))), p_difference=tests.p[0].item())


def _first(found):
    values = {name: getattr(found, name) for name in found.__dataclass_fields__}
    return SimpleNamespace(
        **{name: v[0].item() if isinstance(v, np.ndarray) else v for name, v in values.items() if np.size(v)}
    )
