"""Writing: the cut and the traits, by hand and over seeds."""

import numpy as np
import pytest

from benchmarks.made_up import writing
from benchmarks.made_up.chance import bell, shuffled
from benchmarks.made_up.stories import imagine
from benchmarks.made_up.writers import Writer, cast

SENTENCES = [
    writing.Sentence(((0, "the dam broke"), (1, "two men left")), joiner=", while "),
    writing.Sentence(((2, "rain fell"),), opening="he also said that", dangling=True),
]


@pytest.mark.parametrize(
    ("n_words", "text", "facts", "dangling", "truncated"),
    [
        (
            20,
            ("The dam broke, while two men left.", "He also said that rain fell."),
            ((0, 1), (2,)),
            1,
            False,
        ),
        (
            13,
            ("The dam broke, while two men left.", "He also said that rain fell."),
            ((0, 1), (2,)),
            1,
            False,
        ),
        (12, ("The dam broke, while two men left.", "He also said that rain"), ((0, 1), ()), 1, True),
        (7, ("The dam broke, while two men left.",), ((0, 1),), 0, False),
        (6, ("The dam broke, while two men",), ((0,),), 0, True),
        (2, ("The dam",), ((),), 0, True),
    ],
)
def test_cut_by_hand(n_words, text, facts, dangling, truncated):
    assert writing._cut(SENTENCES, n_words) == writing.Draft(text, facts, dangling, truncated)


def drafts(**traits):
    """Drafts of one writer over 20 stories."""
    habits = {"skill": 50, "own_words": 0, "compress": 100, "length": 100, "stale": 50} | traits
    writer = Writer("1", False, **habits)
    made = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        story = imagine(rng)
        sources = writing.documents(story, "A", rng)
        made.append(writing.write(writer, story, "A", sources, n_words=100, rng=rng))
    return made


def facts_of(draft):
    return [fact for sentence in draft.facts for fact in sentence]


def test_writer_without_bad_habits_damages_nothing():
    for draft in drafts():
        facts = facts_of(draft)
        assert len(facts) == len(set(facts))
        starts = [sentence[0] for sentence in draft.facts if sentence]
        assert starts == sorted(starts)
        assert draft.dangling == 0
        assert not draft.truncated
        assert all(sentence.endswith((".", '."')) for sentence in draft.text)


@pytest.mark.slow
def test_habits_show():
    assert sum(len(facts_of(draft)) > len(set(facts_of(draft))) for draft in drafts(repetition=100)) > 15
    assert sum(draft.dangling > 0 for draft in drafts(dangling=100)) > 15
    assert sum(draft.truncated for draft in drafts(overrun=100)) > 15
    disordered = [[s[0] for s in draft.facts if s] for draft in drafts(disorder=100)]
    assert sum(starts != sorted(starts) for starts in disordered) > 15


@pytest.mark.parametrize("seed", range(5))
def test_every_trait_is_spread_over_the_systems(seed):
    humans, systems = cast(np.random.default_rng(seed), 11, 30)
    assert sorted(system.skill for system in systems) == [9 * i for i in range(11)]
    assert len({writer.name for writer in [*humans, *systems]}) == 41
    assert [humans[25].name, humans[26].name, humans[29].name] == ["Z", "AA", "AD"]


def test_bell_has_mean_zero_and_variance_one():
    numbers = bell(np.random.default_rng(0), 100_000)
    # standard errors 0.003 and 0.0045
    assert abs(numbers.mean()) < 0.015
    assert abs(numbers.var() - 1) < 0.02
    assert np.abs(numbers).max() < 6


def test_shuffled_keeps_all_items():
    order = shuffled(np.random.default_rng(0), range(50))
    assert sorted(order) == list(range(50))
    assert order != list(range(50))
