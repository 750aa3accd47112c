"""Every format becomes the same table, recognized or chosen by name."""

import math
from pathlib import Path

import pandas as pd
import pytest

from classy_aesop import read_scores
from classy_aesop.data import COLUMNS, matrix, mean_ratings, read_metrics
from classy_aesop.data.score_files import SCORE_READERS
from classy_aesop.errors import InputError, UsageError
from classy_aesop.report.formats import write_result
from classy_aesop.report.result import Result

FIXTURES = Path(__file__).parents[1] / "data" / "fixtures"
NIST = FIXTURES / "GuidedSumm2010_eval" / "ROUGE" / "rouge_A.m.out"
AESOP = FIXTURES / "AESOP09_eval" / "data" / "aesop_allpeers_A"

TSV = "topic\tsummarizer\tm\nD1\t1\t0.5\nD1\t2\tNA\n"
LONG = "topic\tsummarizer\tmetric\tscore\nD1\t1\tm\t0.5\nD1\t2\tm\tNone\n"
JSONL = '{"instance_id": "D1", "summarizer_id": "1", "metrics": {"m": 0.5}}\n'
JSONL += '{"instance_id": "D1", "summarizer_id": "2", "metrics": {"m": null}}\n'


LIST = f"[{','.join(JSONL.splitlines())}]"


@pytest.mark.parametrize(
    ("name", "text"), [("x.tsv", TSV), ("x", LONG), ("x.jsonl", JSONL), ("x.json", LIST)]
)
def test_one_table_whatever_the_format(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    frame = read_scores(tmp_path / name, year="2001")
    assert frame.iloc[0].tolist() == ["2001", "D1", "", "1", "m", 0.5]
    assert math.isnan(frame["score"].iloc[1])


def test_nist_and_aesop_are_recognized(tmp_path):
    assert set(read_scores(NIST)["metric"]) >= {"rouge-2.recall", "rouge-su4.f1"}
    assert read_scores(NIST, year="third-1")["year"].unique().tolist() == ["2010"]
    assert read_scores(AESOP, year="third-1")["metric"].unique().tolist() == ["1", "2", "3"]
    averages = "".join(f"1 ROUGE-{n} Average_R: 0.1 (95%-conf.int. 0.1 - 0.1)\n" for n in range(12))
    line = "1 BE-HM Eval D1001-A.M.100.F.1 R:0.1 P:0.2 F:0.3\n"
    (tmp_path / "out").write_text("-" * 45 + "\n" + averages + line)
    assert read_scores(tmp_path / "out")["metric"].tolist() == ["be-hm.recall", "be-hm.precision", "be-hm.f1"]


def test_a_format_chosen_by_name(tmp_path):
    (tmp_path / "x.txt").write_text(JSONL)
    assert read_scores(tmp_path / "x.txt", format="jsonl")["score"].iloc[0] == 0.5
    assert read_scores(tmp_path / "x.txt")["score"].iloc[0] == 0.5
    with pytest.raises(
        UsageError,
        match=f"unknown format of scores 'xml'; expected auto or one of {', '.join(SCORE_READERS)}",
    ):
        read_scores(tmp_path / "x.txt", format="xml")


def test_systems_of_mt_metrics_eval(tmp_path):
    (tmp_path / "BLEU-refA.sys.score").write_text("sysA\t30.5\nsysB\tNone\n")
    frame = read_scores(tmp_path / "BLEU-refA.sys.score", year="wmt21")
    assert frame.iloc[0].tolist() == ["wmt21", "", "", "sysA", "BLEU-refA", 30.5]
    assert math.isnan(frame["score"].iloc[1])


def test_segments_of_mt_metrics_eval_are_numbered(tmp_path):
    (tmp_path / "chrF.seg.score").write_text("b\t1\nb\t2\nb\t3\na 4\na 5\na None\n")
    values, systems, topics = matrix(read_scores(tmp_path / "chrF.seg.score"), "chrF")
    assert (systems, topics) == (("a", "b"), ("1", "2", "3"))
    assert values[1].tolist() == [1, 2, 3]
    assert values[0, :2].tolist() == [4, 5]
    assert math.isnan(values[0, 2])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a\t1\na\t2\nb\t1\n", "system b has 1 lines and a has 2; expected equally many"),
        ("a\t1\t2\n", "line 1: 3 columns; expected a system and its score"),
        ("a\tx\n", "line 1: score is 'x'; expected a number"),
        ("", "the file is empty"),
    ],
)
def test_bad_mt_files_are_refused(tmp_path, text, says):
    path = tmp_path / "m.seg.score"
    path.write_text(text)
    with pytest.raises(InputError, match=says) as caught:
        read_scores(path)
    assert str(caught.value).startswith(str(path))


def test_several_files_make_one_table(tmp_path):
    (tmp_path / "one.tsv").write_text(TSV)
    (tmp_path / "two.jsonl").write_text(JSONL.replace('"m"', '"n"'))
    frame = read_metrics([tmp_path / "one.tsv", tmp_path / "two.jsonl"], year="1")
    assert frame["metric"].tolist() == ["m", "m", "n", "n"]


def test_a_metric_in_two_files_is_refused(tmp_path):
    (tmp_path / "one.tsv").write_text(TSV)
    (tmp_path / "two.jsonl").write_text(JSONL)
    with pytest.raises(
        InputError, match=r"two.jsonl: D1 1: m is in another of the files too; expected it in one"
    ):
        read_metrics([tmp_path / "one.tsv", tmp_path / "two.jsonl"])


def test_published_scores_are_read(shared):
    for corpus, n_rows in (("summeval", 1600), ("realsumm", 2400)):
        frame = read_scores(shared / "data" / corpus / "scores_bertscore.jsonl")
        assert frame["metric"].value_counts().to_dict() == {
            f"bertscore.{name}": n_rows for name in ("precision", "recall", "f1")
        }


def test_means_of_ratings_stay_what_they_were(tmp_path):
    """A mean that is read is the mean that was written, to the last digit."""
    table = pd.DataFrame([("", "D1", "", "1", "r", a, s) for a, s in (("x", 0.1), ("y", 0.2), ("z", 0.7))])
    table.columns = [*COLUMNS[:-1], "assessor", "score"]
    means = mean_ratings(table)
    with (tmp_path / "table.tsv").open("w", encoding="utf-8", newline="\n") as stream:
        write_result(Result(table, signature="made:up|version:0"), stream, "tsv")
    found = mean_ratings(read_scores(tmp_path / "table.tsv"))
    pd.testing.assert_frame_equal(found, means, check_exact=True)
