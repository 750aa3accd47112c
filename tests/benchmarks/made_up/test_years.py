"""Made-up years: shape, independent streams of chance, and what follows from how the writers differ."""

import numpy as np
import pytest

from benchmarks.made_up import generate, generate_topics, generate_years, writers_of

SEEDS = range(20)


def texts(made):
    return [tuple(row["summary"]["text"]) for row in made.summaries]


def means(made, metric):
    """Mean judgment of every summarizer."""
    scores = {}
    for row in made.judgments:
        scores.setdefault(row["summarizer_id"], []).append(row["metrics"][metric])
    return {name: float(np.mean(values)) for name, values in scores.items()}


@pytest.fixture(scope="module")
def worlds():
    """For each seed its systems, its humans and a small year of task A."""
    made = {}
    for seed in SEEDS:
        humans, systems = writers_of(seed, year="2021", n_systems=12, n_humans=8)
        made[seed] = (systems, humans, generate(seed, n_topics=4, tasks=["A"]))
    return made


def test_same_seed_same_rows():
    assert generate(3, n_topics=2) == generate(3, n_topics=2)


def test_years_do_not_depend_on_one_another():
    alone = generate(3, year="2022", n_topics=2)
    both = generate_years(3, ["2021", "2022"], n_topics=2)
    half = len(both.summaries) // 2
    assert both.summaries[half:] == alone.summaries
    assert both.judgments[half:] == alone.judgments
    assert texts(alone) != texts(generate(3, year="2021", n_topics=2))


def test_a_task_does_not_depend_on_the_other():
    both, update = generate(3, n_topics=2), generate(3, n_topics=2, tasks=["B"])
    assert [row for row in both.summaries if row["instance_id"].endswith("-B")] == update.summaries


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("n_words", [10, 30, 100, 150])
def test_summaries_keep_the_word_limit_and_nothing_is_empty(n_words):
    made = generate(7, n_topics=3, n_words=n_words)
    for text in texts(made):
        assert sum(len(sentence.split()) for sentence in text) <= n_words
        assert all(sentence.strip() for sentence in text)
        assert not set("[]<>|/_") & set("".join(text))
        assert text


@pytest.mark.slow
def test_judgments_are_in_range(worlds):
    for row in (row for _, _, made in worlds.values() for row in made.judgments):
        metrics = row["metrics"]
        assert list(metrics) == ["pyramid", "readability", "responsiveness"]
        assert 0 <= metrics["pyramid"] <= 1
        assert metrics["pyramid"] == round(metrics["pyramid"], 4)
        for name in ("readability", "responsiveness"):
            assert type(metrics[name]) is int
            assert 1 <= metrics[name] <= 5


@pytest.mark.slow
def test_better_choice_of_content_earns_a_higher_pyramid(worlds):
    """Over seeds, skill and mean pyramid of the systems correlate, and the better half is ahead."""
    correlations, gaps = [], []
    for systems, _, made in worlds.values():
        pyramid = means(made, "pyramid")
        skill = np.array([system.skill for system in systems])
        score = np.array([pyramid[system.name] for system in systems])
        correlations.append(np.corrcoef(skill, score)[0, 1])
        gaps.append(score[skill > np.median(skill)].mean() - score[skill <= np.median(skill)].mean())
    assert np.mean(correlations) > 0.5
    assert np.mean(gaps) > 3 * np.std(gaps, ddof=1) / np.sqrt(len(gaps))


@pytest.mark.slow
def test_clean_system_is_more_readable_than_the_others(worlds):
    gaps = []
    for systems, _, made in worlds.values():
        readability = means(made, "readability")
        clean = [s.name for s in systems if s.disorder == s.repetition == s.dangling == s.overrun == 0]
        assert len(clean) == 1
        gaps.append(
            readability.pop(clean[0]) - np.mean([readability[s.name] for s in systems if s.name not in clean])
        )
    assert np.mean(gaps) > 0.5


@pytest.mark.slow
def test_humans_earn_more_than_systems(worlds):
    for metric in ("pyramid", "readability", "responsiveness"):
        gaps = []
        for systems, humans, made in worlds.values():
            score = means(made, metric)
            gaps.append(np.mean([score[h.name] for h in humans]) - np.mean([score[s.name] for s in systems]))
        assert np.mean(gaps) > 0.1


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"n_topics": 0}, "n_topics is 0; expected at least 1"),
        ({"n_systems": 0}, "n_systems is 0; expected at least 1"),
        ({"n_words": 9}, "n_words is 9; expected at least 10"),
        ({"n_references": 1}, "n_references is 1; expected 2 to n_humans = 8"),
        ({"n_humans": 3}, "n_references is 4; expected 2 to n_humans = 3"),
        ({"tasks": []}, "tasks are []; expected A, B or both"),
        ({"tasks": ["A", "A"]}, "tasks are ['A', 'A']; expected A, B or both"),
        ({"tasks": ["C"]}, "tasks are ['C']; expected A, B or both"),
        ({"year": "MMXX"}, "year is 'MMXX'; expected digits"),
    ],
)
def test_bad_sizes_are_refused_at_the_call(sizes, message):
    with pytest.raises(ValueError, match="expected") as error:
        generate_topics(1, **sizes)
    assert str(error.value) == message
