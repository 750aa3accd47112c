import json
from pathlib import Path

import pytest

from classy_aesop.baselines import BASELINES
from classy_aesop.baselines.elements import (
    Word,
    basic_elements,
    basic_elements_like,
    dependency_pairs,
    read_elements,
)
from classy_aesop.data.topics import Reference, Summary, Topic
from classy_aesop.errors import InputError

ORACLE = json.loads(
    (Path(__file__).parents[1] / "oracles" / "rouge155_basic_elements.json").read_text("utf-8")
)


def topic_of(name, n_references, *, human=False):
    """Make a topic; its texts are never looked at, only the files are."""
    summaries = (Summary("7", ("-",)), *([Summary("0", ("-",), human=True)] if human else []))
    return Topic("", name, "", summaries, tuple(Reference(str(at), ("-",)) for at in range(n_references)))


def write(folder, name, peer, references):
    for writer, lines in (("7", peer), *((str(at), lines) for at, lines in enumerate(references))):
        text = "".join(line + "\n" for line in lines)
        (folder / f"{name}.M.100.T.{writer}").write_text(text, encoding="utf-8")


def test_recall_against_rouge155(tmp_path):
    topics = []
    for case in ORACLE["cases"]:
        write(tmp_path, case["id"], case["peer"], case["references"])
        topics.append(topic_of(case["id"], len(case["references"])))
    table = basic_elements(topics, jackknife=False, folder=tmp_path)
    assert set(table["metric"]) == {"BE-HM"}
    assert len(table) == len(ORACLE["cases"])
    for case, score in zip(ORACLE["cases"], table["score"], strict=True):
        assert score == pytest.approx(case["recall"], abs=ORACLE["made_by"]["tolerance"]), case["id"]


def test_jackknife_by_hand(tmp_path):
    # The summary has one pair of two of the first, none of the second reference's three.
    write(tmp_path, "D1", ["a|b|r"], [["a|b|r", "c|d|r"], ["e|f|r", "g|h|r", "c|d|r"]])
    topic = topic_of("D1", 2, human=True)
    table = basic_elements([topic], jackknife=True, folder=tmp_path).set_index("summarizer")
    assert table.loc["7", "score"] == pytest.approx((1 / 2 + 0 / 3) / 2)
    assert table.loc["0", "score"] == pytest.approx(1 / 3)  # he meets the other reference alone
    plain = basic_elements([topic], jackknife=False, folder=tmp_path).set_index("summarizer")
    assert plain.loc["7", "score"] == pytest.approx(1 / 5)


def test_without_a_reference_is_nan(tmp_path):
    write(tmp_path, "D1", ["a|b|r"], [])
    assert basic_elements([topic_of("D1", 0)], jackknife=False, folder=tmp_path)["score"].isna().all()


def test_blank_lines_are_passed_over(tmp_path):
    path = tmp_path / "one.be"
    path.write_text("\na|B|r\r\n\nC|NIL|r\n", encoding="utf-8")
    assert read_elements(path) == [("a", "b")]


@pytest.mark.parametrize("line", ["a|b", "a|b|", "a", "|||", "a|b|c|d"])
def test_a_line_that_is_no_element_is_an_error(tmp_path, line):
    path = tmp_path / "one.be"
    path.write_text(f"a|b|c\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"one\.be, line 2: found .*; expected head\|modifier\|relation"):
        read_elements(path)


def test_dependency_pairs_by_hand():
    sentence = [
        Word("The", "DET", 2, "det"),
        Word("Ships", "NOUN", 3, "nsubj"),
        Word("Sink", "VERB", 0, "root"),
        Word("in", "ADP", 5, "case"),
        Word("Storms", "NOUN", 3, "obl"),
        Word("here", "_", 3, "advmod"),
        Word(".", "_", 3, "punct"),
    ]
    assert dependency_pairs(sentence) == [("sink", "ships"), ("sink", "storms"), ("sink", "here")]


def test_parses_are_labelled_like_by_hand(tmp_path):
    line = "{}\t{}\t_\t{}\t_\t_\t{}\t{}\t_\t_"
    ships = [line.format(1, "Ships", "NOUN", 2, "nsubj"), line.format(2, "sinking", "VERB", 0, "root")]
    stormy = [*ships, line.format(3, "ÉTÉ", "NOUN", 2, "obl")]
    write(tmp_path, "D1", [row.replace("sinking", "sink") for row in ships], [stormy])
    table = basic_elements_like([topic_of("D1", 1)], jackknife=False, folder=tmp_path)
    assert table[["metric", "score"]].to_numpy().tolist() == [["BE-like-HM", 1 / 2]]


def test_missing_files_are_an_error(tmp_path):
    with pytest.raises(InputError, match="no file for D1 0, D1 7; expected one file per text, named like"):
        basic_elements([topic_of("D1", 1)], jackknife=False, folder=tmp_path)


@pytest.mark.parametrize("name", ["basic_elements", "basic_elements_like"])
def test_without_a_folder_is_an_error(name):
    with pytest.raises(
        InputError, match=r"BE-.*HM has no folder; expected a folder with a file of elements or parses"
    ):
        BASELINES[name]([], jackknife=False)


def test_no_topics_make_an_empty_table(tmp_path):
    assert BASELINES["basic_elements"]([], jackknife=False, folder=tmp_path).empty
    assert BASELINES["basic_elements_like"](iter([]), jackknife=True, folder=tmp_path).empty
