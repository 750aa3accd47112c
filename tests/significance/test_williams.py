"""Williams' test: against R and nlpstats, by hand, at the edges."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from classy_aesop.significance.metric_tests import UNDEFINED, williams, williams_test

WILLIAMS = json.loads((Path(__file__).parents[1] / "oracles/williams.json").read_text())["cases"]


def cases_of(shared):
    scores = np.load(shared / "data/score_matrices/scores_fabbri2020.npz")
    cases = json.loads((shared / "oracles/resampling/expected.json").read_text())["williams"]["fabbri2020"]
    for pair, answers in cases.items():
        X, Y = (scores[name] for name in pair.split(" vs "))
        for case, answer in answers.items():
            yield (X, Y, scores["expert.relevance"]), case.split("."), answer


@pytest.mark.parametrize(
    "case", WILLIAMS, ids=lambda case: f"n={case['n']}, {case['r12']}, {case['r13']}, {case['r23']}"
)
def test_williams_against_r(case):
    t, p = williams(case["r12"], case["r13"], case["r23"], case["n"], alternative="two-sided")
    assert abs(t) == pytest.approx(abs(case["t"]), abs=1e-10)
    assert p == pytest.approx(case["p_two"], abs=1e-10)


def test_williams_by_hand_and_at_the_edge():
    t, p = williams(0.85, 0.75, 0.9, 20)
    assert (t, p) == pytest.approx((1.749144, 0.049148), abs=5e-7)
    assert williams(0.75, 0.85, 0.9, 20, alternative="less")[1] == pytest.approx(p)
    assert math.isnan(williams(0.85, 0.75, 0.9, 3)[0])
    assert williams(0.8, 0.8, 1.0, 20)[1] == 1.0


def test_williams_against_nlpstats(shared, ranks_noise):
    for scores, (level, coefficient), answer in cases_of(shared):
        for alternative, name in [("two-sided", "p_two_sided"), ("greater", "p_greater")]:
            found = williams_test(*scores, level=level, coefficient=coefficient, alternative=alternative)
            same = found.p == pytest.approx(answer[name], abs=1e-10)
            assert same != any(ranks_noise(X, level, coefficient) for X in scores)


def test_a_metric_is_not_better_than_itself():
    X, Z = np.random.default_rng(0).normal(size=(2, 9, 4))
    found = williams_test(X, X, Z)
    assert (found.p, found.flag) == (1.0, UNDEFINED)
    json.dumps(found.to_dict())


def test_bad_requests_are_refused():
    X, Y, Z = np.zeros((3, 4, 2))
    with pytest.raises(ValueError, match="shapes differ"):
        williams_test(X, Y[:2], Z)
    with pytest.raises(ValueError, match="alternative is 'better'"):
        williams_test(X, Y, Z, alternative="better")
