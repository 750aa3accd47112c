"""What a year takes of its corpus, how judgments come beside the features, and its rows as arrays."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from classy_aesop import Config, InputError
from classy_aesop.config import Cut, RunTable, TaskPeers, Year
from classy_aesop.training.plan import cautions
from classy_aesop.training.year_rows import rescale_to_year
from classy_aesop.training.years import TaskPeersData, cut_topics, extract, extract_year, select_year_subset

NAMES = ("r2", "coverage", "redundancy1", "neg_log2_sentences")


@pytest.mark.slow
def test_human_measures_on_the_scale_of_the_latest_year_by_hand(four, config_of):
    years = extract(config_of("1", "2", "4"), four)
    one, latest = (
        year.data_by_task_and_peers[TaskPeers("A", "no_models")].rows(NAMES, ["responsiveness", "pyramid"])
        for year in years[:2]
    )
    Y = one.Y.copy()
    Y[3, 0] = np.nan
    one = dataclasses.replace(one, Y=Y)
    scaled = rescale_to_year(latest, one)
    np.testing.assert_allclose(np.nanmean(scaled.Y, axis=0), latest.Y.mean(axis=0))
    np.testing.assert_allclose(np.nanstd(scaled.Y, axis=0), latest.Y.std(axis=0))
    assert np.isnan(scaled.Y[3, 0])
    assert rescale_to_year(latest, latest) is latest
    constant = dataclasses.replace(one, Y=np.ones_like(one.Y))
    np.testing.assert_allclose(
        rescale_to_year(latest, constant).Y, np.broadcast_to(latest.Y.mean(axis=0), one.Y.shape)
    )


def test_a_jackknifed_twin_stands_for_its_measure_among_all_peers_alone():
    """A measure is there if any row is judged by it, also where only its twin goes on to be used."""
    features = pd.DataFrame({"summarizer": ["A", "1", "2"]}, index=[4, 5, 6])
    judgments = pd.DataFrame(
        {
            "pyramid": [0.5, 0.6, np.nan],
            "merit": [1.0, 2.0, 3.0],
            "pyramid_jackknifed": [0.4, 0.3, np.nan],
            "unjudged": np.nan,
            "other_jackknifed": 1.0,
        },
        index=features.index,
    )
    everyone, systems = (
        TaskPeersData.select(features, judgments, peers) for peers in ("all_peers", "no_models")
    )
    assert list(everyone.judgments) == list(systems.judgments) == ["pyramid", "merit"]
    np.testing.assert_array_equal(everyone.judgments["pyramid"], [0.4, 0.3, np.nan])
    np.testing.assert_array_equal(systems.judgments["pyramid"], [0.5, 0.6, np.nan])
    assert list(TaskPeersData.select(features, judgments[["unjudged"]], "all_peers").judgments) == []


CONFIG = Config(years=(), runs=(RunTable("x", "y"),))


def test_cuts_share_no_topic_and_leave_none_out():
    names = [f"t{number:03}" for number in range(100)]
    for seed in range(5):
        parts = [cut_topics(names, Cut(part), seed) for part in (1, 2, 3)]
        assert sorted(name for part in parts for name in part) == names
        assert [len(part) for part in parts] == [34, 33, 33]
    assert cut_topics(names, Cut(1), 1) == cut_topics(names[::-1], Cut(1), 1) != cut_topics(names, Cut(1), 2)


def test_both_tasks_of_a_topic_are_in_one_cut(corpora):
    part = select_year_subset(corpora["2021"], Year("2021", cut=Cut(1, parts=5)), seed=1)
    assert {topic.task for topic in part.topics} == {"A", "B"}
    assert len({topic.topic for topic in part.topics}) == 1


def test_a_list_of_topics_and_excluded_peers(corpora):
    corpus = corpora["2021"]
    names = sorted({topic.topic for topic in corpus.topics})
    part = select_year_subset(corpus, Year("2021", topics=tuple(names[:2]), exclude=("1", "2")), 0)
    assert len(part) == 4
    assert not {"1", "2"} & {summary.summarizer for _, summary in part.summaries()}


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"topics": ()}, "years.2021: no topic is left"),
        ({"topics": ("D1", "D2")}, "years.2021: no topic D1, D2"),
        ({"references": ("Z",)}, "years.2021: no reference Z"),
    ],
)
def test_a_choice_that_leaves_nothing_is_refused(corpora, choice, message):
    with pytest.raises(InputError, match=message):
        select_year_subset(corpora["2021"], Year("2021", **choice), 0)


def test_columns_of_a_year_are_named_and_kept_in_the_notes(tmp_path):
    rows = [f"{topic},a,It rained.,Rain.,{topic}" for topic in (1, 2)]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["story,system,summary,reference,quality", *rows]))
    year = Year("2021", path=str(path), columns={"topic": "story", "measures": ("quality",)})
    config = dataclasses.replace(CONFIG, years=(year,), runs=(RunTable("x", "quality"),))
    (found,) = extract(config)
    assert found.judgments["quality"].tolist() == [1.0, 2.0]
    (note,) = found.corpus.notes
    assert note in next(one for one in cautions(config, [found], ()) if one.startswith("2021: columns: "))


LEAKS = {
    "quality": ("quality", lambda grade: grade, "quality has the name of a human measure"),
    "copy": ("copy", lambda grade: grade, "copy equals quality in 12 of 12 cells"),
    "percent": (
        "percent",
        lambda grade: 20 * grade,
        "percent is a linear function of quality in all 12 cells",
    ),
    "turned": ("turned", lambda grade: 6 - grade, "turned is a linear function of quality in all 12 cells"),
}


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("case", LEAKS)
def test_an_imported_metric_that_is_a_human_measure_is_refused(tmp_path, case):
    """It would learn the judgments from themselves."""
    name, score_of, said = LEAKS[case]
    rows = [
        (topic, system, 1 + (topic + 2 * number) % 5)
        for topic in range(4)
        for number, system in enumerate("abc")
    ]
    lines = ["topic,system,summary,reference,quality"]
    lines += [f"{topic},{system},It rained {grade} days.,Rain.,{grade}" for topic, system, grade in rows]
    (tmp_path / "one.csv").write_text("\n".join(lines) + "\n")
    lines = [
        f"topic,system,{name}",
        *(f"{topic},{system},{score_of(grade)}" for topic, system, grade in rows),
    ]
    (tmp_path / "scores.csv").write_text("\n".join(lines) + "\n")
    year = Year("one", path=str(tmp_path / "one.csv"), scores=(str(tmp_path / "scores.csv"),))
    options = dataclasses.replace(CONFIG.search, names=("r2",), extra=None)
    config = dataclasses.replace(CONFIG, years=(year,), runs=(RunTable("x", "quality"),))
    with pytest.raises(InputError, match=rf"years.one.scores: {said}.* learned from itself"):
        extract(dataclasses.replace(config, search=options))
    options = dataclasses.replace(CONFIG.search, names=("r2",), extra=())  # which takes none of them
    assert extract(dataclasses.replace(CONFIG, years=(year,), search=options))[0].imported == ()


@pytest.mark.slow
def test_judgments_are_joined_by_id_not_by_order(corpora):
    corpus = corpora["2021"]
    shuffled = dataclasses.replace(corpus, judgments=corpus.judgments.sample(frac=1, random_state=0))
    year = Year("2021", scale={"responsiveness": "ten_to_five"}, ranges={"pyramid": (0.0, 1.0)})
    one, two = (extract_year(source, year, CONFIG) for source in (corpus, shuffled))
    assert one.judgments.equals(two.judgments[one.judgments.columns])
    row = one.features.iloc[7]
    found = corpus.judgments[
        (corpus.judgments[["topic", "task", "summarizer"]] == row[["topic", "task", "summarizer"]]).all(
            axis=1
        )
    ].set_index("metric")["score"]
    assert one.judgments.loc[7, "pyramid"] == found["pyramid"]
    assert one.judgments.loc[7, "responsiveness"] == pytest.approx(4 / 9 * (found["responsiveness"] - 1) + 1)


def test_a_score_out_of_range_is_refused(corpora):
    with pytest.raises(InputError, match=r"2021 D21\d\d-[AB] \w+: responsiveness is \d; expected 1 to 2"):
        extract_year(corpora["2021"], Year("2021", ranges={"responsiveness": (1.0, 2.0)}), CONFIG)


@pytest.mark.parametrize("key", ["scale", "ranges"])
def test_an_unknown_measure_is_refused(corpora, key):
    with pytest.raises(InputError, match=f"years.2021.{key}: no measure grammar; the corpus has pyramid"):
        extract_year(corpora["2021"], Year("2021", **{key: {"grammar": "bins"}}), CONFIG)
