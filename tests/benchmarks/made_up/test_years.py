"""Made-up years: their shape, and independent streams of chance."""

import pytest

from benchmarks.made_up import generate, generate_topics, generate_years


def texts(made):
    return [tuple(row["summary"]["text"]) for row in made.summaries]


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
