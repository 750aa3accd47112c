"""What the papers propose or do beside their tables: by hand, by other software, and by invariants."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop import Corpus
from classy_aesop.baselines.corpus_scores import corpus_scores
from classy_aesop.errors import InputError, UsageError
from classy_aesop.papers.deutsch_2021 import (
    bootstrap_distributions,
    metric_intervals,
    williams_shift,
)
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.lin_hovy_2003 import bleu_correlations
from classy_aesop.papers.rankel_2011 import topic_ranks
from classy_aesop.papers.rankel_2016 import find_components
from classy_aesop.significance.metrics.metric_tests import williams_t
from classy_aesop.work.seeds import seeded_rng

NAMES = ("1", "2", "10", "4", "A", "B")


@pytest.fixture
def scores():
    rng = seeded_rng(4, "papers")
    return rng.normal(size=(6, 12)) + np.array([[0, 0.5, 1, 1.5, 2, 2.5]]).T


def test_components_are_those_of_scikit_learn(scores):
    from sklearn.decomposition import PCA

    weights, explained, components = find_components(scores.T)
    Z = (scores.T - scores.T.mean(axis=0)) / scores.T.std(axis=0, ddof=1)
    pca = PCA().fit(Z)
    signs = np.sign(pca.components_.sum(axis=1))
    np.testing.assert_allclose(weights, pca.components_ * signs[:, None], atol=1e-10)
    np.testing.assert_allclose(explained, pca.explained_variance_ratio_, atol=1e-10)
    np.testing.assert_allclose(components, pca.transform(Z) * signs, atol=1e-10)
    with pytest.raises(
        InputError, match="1 scores of 12 summaries or summarizers; expected two scores or more"
    ):
        find_components(scores[:1].T)


def topic_ranks_of(X, **options):
    rows = [
        {"topic": f"t{topic + 1}", "summarizer": NAMES[row], "score": score}
        for row, of_row in enumerate(X)
        for topic, score in enumerate(of_row)
        if not np.isnan(score)
    ]
    judgments = pd.DataFrame(rows).assign(year="", task="", metric="a")
    records = [
        {"topic": row["topic"], "year": "", "task": "", "summarizer": row["summarizer"], "text": "x"}
        | {"human": row["summarizer"] in "AB", "references": {"Z": "y"}}
        for row in rows
    ]
    return topic_ranks(StudyData([corpus_of_records(records, judgments)]), "a", **options).table


def test_the_topics_that_differ_from_one_are_marked(scores):
    shifted = scores.copy()
    shifted[:, 0] += 50
    table = topic_ranks_of(shifted).set_index("topic")
    assert table.loc["t1", "highlight"] == "selected"
    assert (table["highlight"] == "differs").sum() == table.loc["t1", "n_different"] > 0
    chosen = topic_ranks_of(shifted, topic="t2").set_index("topic")
    assert chosen.loc["t2", "highlight"] == "selected"
    with pytest.raises(UsageError, match="--topic x: no scores of a are of that topic"):
        topic_ranks_of(shifted, topic="x")


@pytest.fixture
def with_metrics(corpus_of, table_of):
    rng = seeded_rng(7, "metrics")
    truth = rng.normal(size=(10, 8)) + np.arange(10)[:, None] / 3
    names = tuple(str(number) for number in range(1, 11))
    noisy = {f"m{size}": truth + size * rng.normal(size=truth.shape) for size in (1, 2, 4)}
    return StudyData([corpus_of({"h": truth}, names=names)], table_of(noisy, names=names))


def test_percentiles_are_those_of_the_resamples_behind_the_interval(with_metrics):
    intervals = metric_intervals(with_metrics, "h", n_resamples=199).table.set_index(["metric", "level"])
    table = bootstrap_distributions(with_metrics, "h", n_resamples=199).table
    for (metric, level), rows in table.groupby(["metric", "level"]):
        values = rows.set_index("percent")["value"]
        assert values.is_monotonic_increasing
        ends = intervals.loc[(metric, level), ["low", "high"]].tolist()
        assert [values[2.5], values[97.5]] == pytest.approx(ends)


def test_wrong_rankings_follow_from_the_ends_of_kendalls_interval(with_metrics):
    table = metric_intervals(with_metrics, "h", n_resamples=99).table
    of_means = table[table["level"] == "system"]
    assert of_means["least_percent_misranked"].tolist() == pytest.approx(
        (50 - 50 * of_means["high"]).tolist()
    )
    assert of_means["most_percent_misranked"].tolist() == pytest.approx((50 - 50 * of_means["low"]).tolist())
    assert table.loc[table["level"] == "input", "least_percent_misranked"].isna().all()
    assert (
        "least_percent_misranked"
        not in metric_intervals(with_metrics, "h", coefficient="pearson", n_resamples=9).table
    )
    assert (50 * (1 - np.array([0.84, -0.09]))).round(1).tolist() == [8.0, 54.5]  # section 6.1 says 9 to 54


def test_williams_finds_less_where_correlations_are_lower(with_metrics):
    table = williams_shift(with_metrics, "h").table.set_index("correlations")
    assert table["n_pairs"].tolist() == [3, 3]
    assert table.loc["shifted", "mean_correlation"] == pytest.approx(0.6)
    assert table.loc["observed", "n_significant"] >= table.loc["shifted", "n_significant"]
    [grid] = with_metrics.tables("no_models").grids("h")
    means = {name: X.mean(axis=1) for name, X in grid.metrics.items()}
    truth = grid.truth.mean(axis=1)
    n_significant = 0
    for first, second in (("m1", "m2"), ("m1", "m4"), ("m2", "m4")):
        r = [np.corrcoef(means[name], truth)[0, 1] for name in (first, second)]
        between = np.corrcoef(means[first], means[second])[0, 1]
        n_significant += williams_t(max(r), min(r), between, 10, alternative="greater")[1] <= 0.05
    assert table.loc["observed", "n_significant"] == n_significant
    with pytest.raises(InputError, match="1 metrics; expected two or more"):
        williams_shift(with_metrics, "h", metrics=["m1"])


@pytest.mark.slow
def test_bleu_of_all_summaries_is_ranked_beside_the_human_means():
    texts = ["the cat sat on the mat", "the cat sat on a mat", "a dog ran off", "the cat ran on a mat today"]
    references = {"X": "the cat sat on a mat today", "Y": "a cat was on the mat"}
    rows = [
        {"topic": topic, "summarizer": str(number), "text": text, "references": references, "h": 4 - number}
        for topic in ("t1", "t2")
        for number, text in enumerate(texts)
    ]
    corpus = Corpus.from_rows(rows)
    table = bleu_correlations(StudyData([corpus]), "h").table.set_index(["metric", "n_references"])
    assert set(table.index) == {("BLEU", 1), ("BLEU", 2), ("NIST", 1), ("NIST", 2)}
    for metric in ("BLEU", "NIST"):
        scores = corpus_scores(corpus.topics).query("metric == @metric")["score"]
        assert table.loc[(metric, 2), "spearman"] == pytest.approx(spearmanr(scores, [4, 3, 2, 1]).statistic)
    assert (table["n"] == 4).all()


def test_relative_efficiencies_are_as_printed():
    """Of signed ranks to the paired t: 3 / pi for normal differences, never less than 108 / 125 (Hodges, Lehmann)."""
    from classy_aesop.papers.printed import printed_cells

    printed = {
        cell.cell: cell.value
        for cell in printed_cells().itertuples()
        if cell.item == "Rankel et al. (2011), section 3"
    }
    assert round(3 / np.pi, 2) == printed["relative_efficiency"]
    assert printed["least_relative_efficiency"] == 108 / 125
