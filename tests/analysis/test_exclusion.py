"""Leaving out the worst assessors: by hand, with metrics, at the edges."""

import json

import numpy as np
import pandas as pd
import pytest

from classy_aesop import Corpus, assessor_exclusion
from classy_aesop.analysis.assessors import EXCLUSION
from classy_aesop.errors import InputError, UsageError

# Systems 1 and 2 wrote one text in every topic, so alpha compares their ratings: E gives 1 and 1, 4 and 4 (alpha 1),
# F 2 and 3, 4 and 4 (two units, (2, 3) and (4, 4)), C 1 and 5, 4 and 2.
RATED = {
    "D1": ("E", (1, 1, 2, 5)),
    "D2": ("E", (4, 4, 5, 3)),
    "D3": ("F", (2, 3, 4, 5)),
    "D4": ("F", (4, 4, 1, 2)),
    "D5": ("C", (1, 5, 3, 3)),
    "D6": ("C", (4, 2, 2, 4)),
}
TEXTS = ("It rained.", "It rained.", "Sun.", "Snow.")


def ratings_of(rated, metric="overall"):
    rows = [
        ("2021", topic, "A", str(system), metric, assessor, float(score))
        for topic, (assessor, scores) in rated.items()
        for system, score in enumerate(scores, start=1)
    ]
    return pd.DataFrame(rows, columns=["year", "topic", "task", "summarizer", "metric", "assessor", "score"])


@pytest.fixture
def ratings():
    return ratings_of(RATED)


@pytest.fixture
def texts():
    return Corpus.from_records(
        {
            "year": "2021",
            "topic": topic,
            "task": "A",
            "summarizer": str(system),
            "text": [text],
            "references": {"A": "Rain fell."},
        }
        for topic in RATED
        for system, text in enumerate(TEXTS, start=1)
    )


def means(topics):
    return np.mean([RATED[topic][1] for topic in topics], axis=0)


def test_the_worst_go_first_by_hand(ratings, texts):
    found = assessor_exclusion(ratings, texts)
    assert list(found) == EXCLUSION
    assert found["excluded"].tolist() == ["C", "C+F"]
    assert found[["n_topics", "n_left", "n_summarizers"]].to_numpy().tolist() == [[6, 4, 4], [6, 2, 4]]
    # all: 16/6, 19/6, 17/6, 22/6; without C: 11/4, 3, 3, 15/4; with E only: 5/2, 5/2, 7/2, 4
    everyone = np.array([16, 19, 17, 22]) / 6
    for row, left in zip(found.itertuples(), ([11 / 4, 3, 3, 15 / 4], [5 / 2, 5 / 2, 7 / 2, 4]), strict=True):
        assert row.pearson == pytest.approx(np.corrcoef(everyone, left)[0, 1])
    # ranks 1 3 2 4 with 1 2.5 2.5 4 and with 1.5 1.5 3 4
    assert found["spearman"].tolist() == pytest.approx([0.948683, 0.632456], abs=1e-6)
    assert found[["r_before", "by_assessor_after"]].isna().all(axis=None)


def test_a_metrics_correlations_before_and_after(ratings, texts):
    rng = np.random.default_rng(1)
    scores = ratings.drop(columns="assessor").assign(metric="r2", score=rng.random(len(ratings)))
    (row,) = assessor_exclusion(ratings, texts, worst=1, scores=scores).itertuples()
    assert (row.metric, row.excluded) == ("r2", "C")
    r2 = scores["score"].to_numpy().reshape(6, 4)
    people = np.array([given for _, given in RATED.values()])
    assert row.r_before == pytest.approx(np.corrcoef(r2.mean(axis=0), people.mean(axis=0))[0, 1])
    assert row.r_after == pytest.approx(np.corrcoef(r2[:4].mean(axis=0), people[:4].mean(axis=0))[0, 1])
    pooled = [np.corrcoef(r2[t : t + 2].ravel(), people[t : t + 2].ravel())[0, 1] for t in (0, 2, 4)]
    assert row.by_assessor_before == pytest.approx(np.mean(pooled))
    assert row.by_assessor_after == pytest.approx(np.mean(pooled[:2]))


def test_the_order_of_rows_does_not_matter(ratings, texts, shuffle):
    pd.testing.assert_frame_equal(
        assessor_exclusion(shuffle(ratings), texts), assessor_exclusion(ratings, texts)
    )


def test_nothing_may_be_left(ratings, texts):
    found = assessor_exclusion(ratings, texts, worst=9)
    assert found["n_left"].tolist() == [4, 2, 0]
    assert found["n_summarizers"].tolist()[-1] == 0
    assert np.isnan(found["pearson"].iloc[-1])


def test_every_measure_has_its_own_worst(ratings, texts):
    turned = {topic: ({"E": "C", "C": "E"}.get(who, who), given) for topic, (who, given) in RATED.items()}
    both = pd.concat([ratings, ratings_of(turned, metric="form")])
    found = assessor_exclusion(both, texts, worst=1)
    assert dict(zip(found["target"], found["excluded"], strict=True)) == {"form": "E", "overall": "C"}


def test_bad_requests_are_refused(ratings, texts):
    with pytest.raises(UsageError, match="worst is 0"):
        assessor_exclusion(ratings, texts, worst=0)
    with pytest.raises(InputError, match="no assessor with a name"):
        assessor_exclusion(ratings.drop(columns="assessor"), texts)


def test_the_command_prints_it(ratings, texts, tmp_path, capsys):
    from classy_aesop.cli import main

    ratings.to_csv(tmp_path / "ratings.tsv", sep="\t", index=False)
    rows = [
        {
            "topic": topic.topic,
            "task": "A",
            "year": "2021",
            "summarizer": one.summarizer,
            "text": list(one.text),
            "references": {"A": "Rain fell."},
        }
        for topic, one in texts.summaries()
    ]
    (tmp_path / "summaries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = ["assessors", str(tmp_path / "ratings.tsv"), "--corpus", str(tmp_path / "summaries.jsonl")]
    assert main([*command, "--worst", "2"]) == 0
    assert "C+F" in capsys.readouterr().out
    assert main([*command, "--identical-texts", "--confusion"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("year 2021, task A, metric overall\n")
    _, rows, _ = printed.split("\n\n")
    assert len(rows.splitlines()) == 1 + 5 + 3 * 2  # a header; all together, then each
