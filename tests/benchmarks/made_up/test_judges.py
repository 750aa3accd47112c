"""Judges: pyramid and damage by hand."""

import numpy as np
import pytest

from benchmarks.made_up import judges
from benchmarks.made_up.stories import Fact, Story
from benchmarks.made_up.writing import Draft


def draft(*facts, dangling=0, truncated=False):
    return Draft(tuple("x" for _ in facts), facts, dangling, truncated)


STORY = Story(tuple(Fact(((("x",),),), weight, "A") for weight in (1.0, 0.5, 0.4, 0.2)), (), (), (), 0.0)


@pytest.fixture
def seeing(monkeypatch):
    """An annotator who misses nothing."""
    monkeypatch.setattr(judges, "SEEN", 100)


@pytest.mark.usefixtures("seeing")
def test_pyramid_by_hand():
    # references: A tells 0 1, B tells 0 2, C tells 0 1
    drafts = {"A": draft((0, 1)), "B": draft((0,), (2,)), "C": draft((1, 0)), "1": draft((0,), (3,))}
    pyramid = {
        name: metrics["pyramid"]
        for name, metrics in judges.judge(
            drafts, ["A", "B", "C"], STORY, "A", np.random.default_rng(0)
        ).items()
    }
    # A meets B and C: weights 0:2 1:1 2:1, the best two facts 3, and tells 0 and 1; so does C
    assert pyramid["A"] == pyramid["C"] == 1.0
    # B meets A and C: weights 0:2 1:2, the best two 4; it tells 0 (2) and 2 (0)
    assert pyramid["B"] == 0.5
    # system: without A or without C 2/3, without B 2/4
    assert pyramid["1"] == round((2 / 3 + 2 / 3 + 1 / 2) / 3, 4)


@pytest.mark.usefixtures("seeing")
def test_repeated_fact_earns_nothing_more():
    drafts = {"A": draft((0, 1)), "B": draft((0, 1)), "1": draft((0,)), "2": draft((0,), (0,), (0,))}
    scores = judges.judge(drafts, ["A", "B"], STORY, "A", np.random.default_rng(0))
    assert scores["1"]["pyramid"] == scores["2"]["pyramid"] == 0.5


@pytest.mark.parametrize(
    ("text", "points"),
    [
        (draft((0,), (1, 2), (3,)), 0.0),
        (draft(()), 0.0),
        (draft((3,), (1,), (2,)), 2.0 * 1 / 2),  # one of two steps goes back
        (draft((0,), (), (0, 1)), 0.8),  # given twice; filler is no step
        (draft((0,), (1,), dangling=2), 1.0),
        (draft((0,), (1,), dangling=9), 1.5),
        (draft((0,), (1,), truncated=True), 0.7),
    ],
)
def test_damage_by_hand(text, points):
    assert judges.damage(text) == pytest.approx(points)
