"""Maps of scores and ranks of topics, by hand."""

import numpy as np
import pytest

from classy_aesop.errors import UsageError
from classy_aesop.studies.judged import StudyData
from classy_aesop.studies.rankel_2011 import score_map, topic_ranks
from classy_aesop.studies.rankel_2016 import score_ranks

GROUPS = np.array([[1, 2, 2, 3], [2, 3, 4, 4], [3, 4, 5, 5]]).T
"""Three topics of the specification, four summarizers."""


def test_rows_and_columns_stand_in_order_of_their_means(corpus_of):
    corpus = corpus_of({"overall": [[1, 2], [5, 4], [3, 5]]})  # means 1.5, 4.5, 4 and 3, 11/3
    table = score_map(StudyData([corpus]), "overall")
    assert table["summarizer"].tolist() == ["2", "2", "3", "3", "1", "1"]
    assert table["topic"].tolist() == ["t2", "t1"] * 3
    assert table["score"].tolist() == [4, 5, 5, 3, 2, 1]
    assert table["row"].tolist() == [1, 1, 2, 2, 3, 3]
    assert table["column"].tolist() == [1, 2] * 3
    assert not table["human"].any()


def test_a_summary_without_a_score_is_left_out(corpus_of):
    table = score_map(StudyData([corpus_of({"overall": [[1, 2], [5, np.nan], [3, 5]]})]), "overall")
    assert len(table) == 5
    assert table["row"].iloc[0] == 1


def test_topics_differ_as_in_the_worked_example(corpus_of):
    table = topic_ranks(StudyData([corpus_of({"overall": GROUPS})]), "overall")
    assert table["mean_rank"].tolist() == [3.25, 6.75, 9.5]
    assert table["n_different"].tolist() == [1, 0, 1]  # only the first and the third
    assert table["statistic"].iloc[0] == pytest.approx(6.326007, abs=1e-6)
    assert table["p"].iloc[0] == pytest.approx(0.042298, abs=1e-6)
    assert (table["high"] - table["low"]).tolist() == pytest.approx([5.837906] * 3, abs=1e-6)


def test_equal_scores_share_the_mean_rank(corpus_of):
    table = score_ranks(StudyData([corpus_of({"overall": GROUPS})]))
    assert table["count"].tolist() == [1, 3, 3, 3, 2]
    assert table["mid_rank"].tolist() == [1, 3, 6, 9, 11.5]
    assert table["tie_divisor"].iloc[0] == pytest.approx(6.038462 / 6.326007, abs=1e-6)


def test_each_measure_has_its_distribution(corpus_of):
    table = score_ranks(StudyData([corpus_of({"focus": [[1, 2], [2, 2]], "grammar": [[5, 5], [4, 5]]})]))
    found = table.set_index(["metric", "score"])
    assert found["count"].to_dict() == {
        ("focus", 1): 1,
        ("focus", 2): 3,
        ("grammar", 4): 1,
        ("grammar", 5): 3,
    }
    assert found["share"].tolist() == [0.25, 0.75] * 2
    one = score_ranks(
        StudyData([corpus_of({"focus": [[1, 2], [2, 2]], "a": [[0, 0], [1, 1]]})]), metrics=["focus"]
    )
    assert set(one["metric"]) == {"focus"}


def test_no_metric_is_computed_where_none_is_wanted(corpus_of, monkeypatch):
    monkeypatch.setattr("classy_aesop.studies.judged.Rouge", None)
    corpus = corpus_of({"overall": GROUPS})
    assert len(score_map(StudyData([corpus]), "overall")) == 12
    with pytest.raises(TypeError):
        score_map(StudyData([corpus]), "ROUGE-2-R")


def test_an_unknown_metric_is_named(corpus_of):
    with pytest.raises(UsageError, match="no metric 'form'"):
        score_map(StudyData([corpus_of({"overall": GROUPS})]), "form")
