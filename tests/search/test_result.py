"""The ranking, the best of several fitters, and the mean over years."""

import numpy as np
import pytest

from classy_aesop.search import SearchResult, best_fitter, mean_result


def result(scores, *, tie=1e-9, names=("a", "b", "c")):
    n = len(scores)
    return SearchResult(names, np.arange(1, n + 1), np.array(scores), np.ones(n, bool), np.zeros(n, int), tie)


def test_equal_scores_go_to_fewer_names_then_to_the_earlier_mask():
    #               a    b    ab        c    ac   bc   abc
    found = result([0.1, 0.2, 0.9 + 1e-10, 0.3, 0.9, 0.9, 0.9 + 1e-10])
    assert found.best().names == ("a", "b")
    assert found.masks[found.ranking(4)].tolist() == [0b011, 0b101, 0b110, 0b111]
    assert result([0.9 - 1e-7, 0, 0.9, 0, 0, 0, 0], tie=1e-6).best().names == ("a",)


def test_tables():
    found = result([0.1, 0.2, 0.5, 0.3, 0.4, -np.inf, 0.6])
    assert found.top(2).to_dict("list") == {
        "rank": [1, 2],
        "mask": [7, 3],
        "n_names": [3, 2],
        "names": ["a b c", "a b"],
        "score": [0.6, 0.5],
        "converged": [True, True],
        "note": ["", ""],
    }
    assert found.best_per_size()["mask"].tolist() == [4, 3, 7]
    assert found.inclusion(2).to_dict("list") == {
        "name": ["a", "b", "c"],
        "count": [2, 2, 1],
        "share": [1, 1, 0.5],
    }
    assert len(found.to_frame()) == 7


def test_no_score_at_all():
    with pytest.raises(ValueError, match="no subset has a score"):
        result([-np.inf] * 7).best()


def test_fitters_that_are_as_good_to_rounding_come_in_their_order():
    """The order must not hang on the last digit, which differs between machines; more than that decides."""
    scores = np.array([0.1, 0.1, 0.8])
    for other, first in ((2e-16, "a"), (1e-6, "b")):
        assert best_fitter({"a": result(scores), "b": result(scores + other)}) == first


def test_mean_over_years():
    both = mean_result([result([0.7, 0.4, 0.8]), result([0.1, -np.inf, 0.4])])
    assert both.scores.tolist() == pytest.approx([0.4, -np.inf, 0.6])
