"""Where nothing has a year or a task, tables in Python have no columns of them; where something has one they stay."""

import warnings

import numpy as np
import pandas as pd
import pytest

import classy_aesop as ca
from classy_aesop.baselines import rouge_averages
from classy_aesop.cli import main
from classy_aesop.data import COLUMNS, drop_unscored_strata, matrix, mean_ratings
from classy_aesop.data.scores import add_stratum_columns, drop_empty_stratum_columns
from classy_aesop.predictor.within import sum_by_group

QUALITY = {"a": 5, "b": 4, "c": 4, "d": 3, "e": 2, "f": 1}
TEXT = "Rain fell in the north all day and the river rose by a metre"


def rows(year=""):
    """Make six systems on six topics, with two raters each."""
    return pd.DataFrame(
        [
            {
                **({"year": year} if year else {}),
                "topic": f"t{topic}",
                "system": name,
                "summary": " ".join(TEXT.split()[: 2 * quality + topic % 3]),
                "reference": TEXT,
                "rating_1": quality,
                "rating_2": max(1, quality - topic % 2),
            }
            for topic in range(6)
            for name, quality in QUALITY.items()
        ]
    )


def tables(year=""):
    """Make what each public function gives, by its name."""
    data = rows(year)
    corpus = ca.Corpus.from_rows(data)
    ratings = data.drop(columns=["summary", "reference"])
    scores = ca.score_baselines(corpus, ["rouge"], jackknife=False)
    rouge2 = scores[scores["metric"] == "ROUGE-2"]
    how = {"target": "rating", "n_resamples": 99}
    predictor = ca.Predictor.load("published/news-content")
    predictions = predictor.predict(corpus, confidence=0.9)
    features = ca.feature_table(corpus)
    explained = predictor.explain(corpus)
    yield "score_baselines", scores
    yield "rouge", ca.rouge(corpus, jackknife=False)
    yield "rouge_averages", rouge_averages(rouge2, np.random.default_rng(0), n_resamples=9)
    yield "feature_table", features
    yield "Predictor.predict", predictions
    yield "Predictor.means", predictor.means(predictions, confidence=0.9)
    yield "Predictor.score", predictor.score(features)
    yield "Predictor.explain", explained
    yield "sum_by_group", sum_by_group(explained)
    yield "mean_ratings", drop_empty_stratum_columns(mean_ratings(scores))
    yield "evaluate", ca.evaluate(scores, ratings, interval="none").table
    yield "compare_pairs", ca.compare_pairs(ratings, "rating").table
    yield "compare predictions", ca.compare_pairs(predictions[[*scores]], predictor.name).table
    yield "compare", ca.compare(scores, "ROUGE-2").table
    yield "evaluate_pairs", ca.evaluate_pairs(scores, ratings, **how).table
    yield "ranking of metrics", ca.evaluate_pairs(scores, ratings, **how).first().table
    yield "power", ca.power(ratings, "rating", 1.0, systems=["a", "b"], n_trials=50).table
    yield (
        "evaluate a corpus",
        ca.evaluate(rouge2.assign(metric="m"), corpus, "rating", compute=["rouge"], interval="none").table,
    )
    yield "estimate", ca.estimate(ratings, rouge2, target="rating").table
    yield "estimate_differences", ca.estimate_differences(ratings, rouge2, target="rating").table
    yield "power with scores", ca.power(ratings, scores=rouge2, target="rating").table
    yield "assessors", ca.assessors(ratings).table
    yield "rater_reliability", ca.rater_reliability(ratings).table


@pytest.fixture(scope="module")
def found():
    """The tables of a corpus without years and tasks, and of one with a year."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return dict(tables()), dict(tables("2021"))


@pytest.mark.slow
def test_no_table_has_an_empty_column_of_years_or_tasks(found):
    assert [name for name, table in found[0].items() if {"year", "task"} & set(table)] == []


@pytest.mark.slow
def test_a_year_stays_first_and_an_empty_task_goes(found):
    assert [name for name, table in found[1].items() if table.columns[0] != "year"] == []
    assert not any("task" in table for table in found[1].values())


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "score_baselines",
        "feature_table",
        "Predictor.predict",
        "evaluate",
        "compare_pairs",
        "compare",
        "evaluate a corpus",
    ],
)
def test_but_for_the_year_both_tables_are_the_same(found, name):
    pd.testing.assert_frame_equal(found[0][name], found[1][name].drop(columns="year"))


def test_lists_of_texts_have_neither():
    with_names = {"topics": "xy", "summarizers": "ab"}
    texts = ["It rained.", "Snow fell."], ["Rain fell.", "Snow."]
    assert list(ca.score(*texts))[:4] == ["topic", "summarizer", "metric", "score"]
    assert list(ca.score(*texts, **with_names)) == list(ca.score([], []))
    assert list(ca.summary_features(*texts, names=["r1"], **with_names)) == ["topic", "summarizer", "r1"]


@pytest.mark.slow
def test_tables_without_them_go_where_tables_with_them_go(found):
    scores = found[0]["score_baselines"]
    values, names, topics = matrix(scores, "ROUGE-2")
    assert (values.shape, names, topics[0]) == ((6, 6), (*"abcdef",), "t0")
    assert list(mean_ratings(add_stratum_columns(scores).assign(assessor="x"))) == COLUMNS
    assert list(drop_unscored_strata(scores)) == COLUMNS


def test_a_table_without_rows_keeps_its_columns():
    assert list(drop_empty_stratum_columns(add_stratum_columns(pd.DataFrame({"metric": []})))) == [
        "year",
        "task",
        "metric",
    ]


@pytest.mark.slow
def test_files_have_both(tmp_path, capsys):
    source = tmp_path / "x.csv"
    rows().to_csv(source, index=False)
    commands = {
        f"predict published/news-content {source}": "year topic task summarizer metric score outside",
        f"features {source} --names r1": "year topic task summarizer human empty n_references n_earlier r1",
        f"predict published/news-content {source} --means": "year task summarizer metric n_topics mean",
        f"baselines {source} -m rouge": "year topic task summarizer metric score",
        f"rouge {source} -d": "year topic task summarizer metric score",
        f"assessors {source}": "year task metric assessor other value",
        f"compare {source} --metric rating --pairs": "year task metric first second n",
        f"compare {source} --metric rating": "year task metric summarizer mean low high cluster",
        f"evaluate {source} --target rating -m rouge": "year task peers source metric target",
        f"estimate {source} --target rating --estimator plain": "year task metric summarizer n_judged plain",
    }
    for command, columns in commands.items():
        assert main([*command.split(), "-f", "tsv", "-q"]) == 0
        header = capsys.readouterr().out.partition("\n")[0].split("\t")
        assert header[: len(columns.split())] == columns.split(), command
