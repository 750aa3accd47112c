import json
import re
from pathlib import Path

import numpy as np
import pytest

from classy_aesop.baselines import BASELINES
from classy_aesop.baselines.elements import (
    Word,
    basic_elements,
    dependency_pairs,
    pair_counts,
    pooled_recall,
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
    for writer, pairs in (("7", peer), *((str(at), pairs) for at, pairs in enumerate(references))):
        rows = (
            f"1\t{head}\t_\tNOUN\t_\t_\t0\troot\t_\t_\n2\t{own}\t_\tNOUN\t_\t_\t1\tobj\t_\t_\n"
            for head, own in pairs
        )
        (folder / f"{name}.M.100.T.{writer}").write_text("".join(rows), encoding="utf-8")


def elements(lines):
    """Pairs of lines ``head|modifier|relation``, which the original reads; NIL is no modifier."""
    fields = (
        re.sub("[A-Z]", lambda letter: letter[0].lower(), line).split("|") for line in lines if line.strip()
    )
    return [(head, modifier) for head, modifier, *_ in fields if modifier != "nil"]


def test_recall_against_rouge155():
    for case in ORACLE["cases"]:
        texts = [elements(lines) for lines in (*case["references"], case["peer"])]
        n = len(case["references"])
        [score] = pooled_recall(pair_counts(texts, n))(np.ones((1, n), bool))
        assert score == pytest.approx(case["recall"], abs=ORACLE["made_by"]["tolerance"]), case["id"]


def test_jackknife_by_hand(tmp_path):
    # The summary has one pair of two of the first, none of the second reference's three.
    write(tmp_path, "D1", ["ab"], [["ab", "cd"], ["ef", "gh", "cd"]])
    topic = topic_of("D1", 2, human=True)
    table = basic_elements([topic], jackknife=True, folder=tmp_path).set_index("summarizer")
    assert table.loc["7", "score"] == pytest.approx((1 / 2 + 0 / 3) / 2)
    assert table.loc["0", "score"] == pytest.approx(1 / 3)  # he meets the other reference alone
    plain = basic_elements([topic], jackknife=False, folder=tmp_path).set_index("summarizer")
    assert plain.loc["7", "score"] == pytest.approx(1 / 5)
    assert basic_elements([topic_of("D1", 0)], jackknife=False, folder=tmp_path)["score"].isna().all()


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


def test_missing_files_are_an_error(tmp_path):
    with pytest.raises(InputError, match="no file for D1 0, D1 7; expected one file per text, named like"):
        basic_elements([topic_of("D1", 1)], jackknife=False, folder=tmp_path)


def test_without_a_folder_is_an_error():
    with pytest.raises(InputError, match="BE-like-HM has no folder; expected a folder with a file of parses"):
        BASELINES["basic_elements"]([], jackknife=False)


def test_no_topics_make_an_empty_table(tmp_path):
    assert BASELINES["basic_elements"](iter([]), jackknife=True, folder=tmp_path).empty
