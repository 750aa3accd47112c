import math
import warnings
from pathlib import Path

import pytest

from classy_aesop.data import align_scores, key_table, matrix, read_aesop, read_corpus, read_nist_output
from classy_aesop.errors import DataWarning, InputError

FIXTURES = Path(__file__).parents[1] / "data" / "fixtures"
ROUGE = FIXTURES / "GuidedSumm2010_eval" / "ROUGE"
AESOP = FIXTURES / "AESOP09_eval" / "data" / "aesop_allpeers_A"


def test_rouge_output_by_count_and_first_tenth_last():
    frame = read_nist_output(ROUGE / "rouge_A.m.out")
    assert len(frame) == 3 * 2 * 3  # systems, metrics, statistics
    assert frame.iloc[0].tolist() == ["2010", "D1001", "A", "0", "rouge-2.recall", 0.13106]
    assert frame.iloc[9].tolist() == ["2010", "D1001", "A", "0", "rouge-su4.recall", 0.06961]
    assert frame.iloc[-1].tolist() == ["2010", "D1001", "A", "10", "rouge-su4.f1", 0.16102]


def test_jackknifed_output_is_averaged():
    plain, frame = (read_nist_output(ROUGE / f"rouge{kind}_A.m.out") for kind in ("", "jk"))
    assert len(frame) == 4 * 2 * 3  # a person too
    assert "assessor" not in frame
    values, summarizers, _ = matrix(frame, "rouge-2.recall")
    assert summarizers == ("0", "2", "10", "A")
    # left-out values are 0, .01, .02 and .03 above the plain one, so their mean is .015 above
    assert values[:3] == pytest.approx(matrix(plain, "rouge-2.recall")[0] + 0.015)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("1 ROUGE-2 Eval D1001.M.100.F.1 R:0.1 P:0.1 F:0.1", "is not the file name of a summary"),
        ("1 ROUGE-2 Eval D1001-A.M.100.F.1 R:0.1 R:0.1 F:0.1", "found 'R:0.1'; expected a number after P:"),
        ("1 ROUGE-2 Eval D1001-A.M.100.F.1 R:0.1 P:x F:0.1", "rouge-2.precision is 'x'; expected a number"),
    ],
)
def test_bad_output_is_refused_with_its_line(tmp_path, line, says):
    path = tmp_path / "rouge_A.m.out"
    path.write_text("-----\n" + line + "\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_nist_output(path)
    assert str(caught.value).startswith(f"{path}, line 2: ")
    assert says in str(caught.value)


def test_output_without_summaries_is_refused(tmp_path):
    path = tmp_path / "rouge_A.m.out"
    path.write_text("1 ROUGE-2 Average_R: 0.1 (95%-conf.int. 0.1 - 0.1)\n", encoding="utf-8")
    with pytest.raises(InputError, match="no lines of single summaries"):
        read_nist_output(path)


def test_aesop_table_by_count_and_first_tenth_last():
    frame = read_aesop(AESOP)
    assert len(frame) == 27
    assert frame.iloc[0].tolist() == ["2009", "D0901", "A", "A", "1", 0.27494]
    assert frame.iloc[9].tolist() == ["2009", "D0901", "A", "1", "1", 0.07531]
    assert frame.iloc[-1].tolist()[:5] == ["2009", "D0944", "A", "12", "3"]
    assert math.isnan(frame["score"].iloc[-1])


def test_aesop_topics_of_other_years(tmp_path):
    folder = tmp_path / "AESOP2011_eval_V1.2" / "data"
    folder.mkdir(parents=True)
    path = folder / "aesop_allpeers_B"
    path.write_text("peer topic scores\nS7 T5 0.25 0.5\n", encoding="utf-8")
    frame = read_aesop(path)
    assert frame.iloc[0].tolist() == ["2011", "D1105", "B", "7", "1", 0.25]
    assert frame["metric"].tolist() == ["1", "2"]
    path.write_text("peer topic r2 su4\nS7 T5 0.25 0.5\n", encoding="utf-8")
    assert read_aesop(path)["metric"].tolist() == ["r2", "su4"]
    assert read_aesop(path, year="2010", task="A")["topic"].tolist() == ["D1005", "D1005"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("S7 T5 0.25", "1 scores; expected 2"),
        ("7 T5 0.25 1", "expected S<summarizer> T<number> and scores"),
        ("S7 Tx 0.25 1", "expected S<summarizer> T<number> and scores"),
        ("S7", "expected S<summarizer> T<number> and scores"),
        ("S7 T5 0.25 x", "metric 2 is 'x'; expected a number"),
        ("S7 T4 1 1", "given again"),
    ],
)
def test_bad_aesop_line_is_refused(tmp_path, line, says):
    path = tmp_path / "aesop_allpeers_A"
    path.write_text(f"peer topic 1 2\nS7 T4 0 0\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_aesop(path, year="2009")
    assert str(caught.value).startswith(f"{path}, line 3: ")
    assert says in str(caught.value)


def test_aesop_year_and_task_must_be_known(tmp_path):
    path = tmp_path / "table"
    path.write_text("peer topic 1\nS7 T4 0\n", encoding="utf-8")
    with pytest.raises(InputError, match="year is '2008' and task is 'e'; expected 2009 to 2011, and A or B"):
        read_aesop(path, year="2008")


def test_output_joins_the_release_that_it_is_of():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        corpus = read_corpus(FIXTURES / "GuidedSumm2010_eval").select(tasks=["A"])
    instances = key_table((*topic.key, one.summarizer) for topic, one in corpus.summaries())
    frame = read_nist_output(ROUGE / "rougejk_A.m.out")
    with pytest.warns(DataWarning, match=r"missing: rouge-2.recall of "):
        wide = align_scores(instances, frame)
    joined = instances.assign(score=wide["rouge-2.recall"]).dropna()
    expected = frame[frame["metric"] == "rouge-2.recall"].set_index("summarizer")["score"].to_dict()
    assert len(joined) > 0
    for name, score in zip(joined["summarizer"], joined["score"], strict=True):
        assert score == expected[name]
