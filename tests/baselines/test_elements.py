"""Basic Elements: the pairs of a parse, the files of parses, and their recall."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from classy_aesop.baselines import BASELINES
from classy_aesop.baselines.base import pooled_recall
from classy_aesop.baselines.elements import (
    Word,
    basic_elements,
    count_pairs,
    dependency_pairs,
    read_conllu,
    text_files,
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
        counts = count_pairs(texts, n)
        [score] = pooled_recall(counts.clipped_hits, counts.reference_totals, np.ones((1, n), bool))
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


def test_without_a_folder_is_an_error():
    with pytest.raises(InputError, match="BE-like-HM has no folder; expected a folder with a file of parses"):
        BASELINES["basic_elements"]([], jackknife=False)


PARSE = """\
# sent_id = 1
1\tThe\tthe\tDET\tDT\t_\t3\tdet\t_\t_
2-3\told ships\t_\t_\t_\t_\t_\t_\t_\t_
2\told\told\tADJ\tJJ\t_\t3\tamod\t_\t_
3\tships\tship\tNOUN\tNNS\t_\t4\tnsubj:pass\t_\tSpaceAfter=No
3.1\twere\tbe\tAUX\t_\t_\t_\t_\t4:aux\t_
4\tsunk\t_\tVERB\t_\t_\t0\troot\t_\t_

1\tRain\train\t_\t_\t_\t0\troot\t_\t_
"""


def write_parse(tmp_path, text):
    (path := tmp_path / "one.conllu").write_text(text, encoding="utf-8")
    return path


def test_words_by_hand(tmp_path):
    first, second = read_conllu(write_parse(tmp_path, PARSE))
    assert first == [
        Word("the", "DET", 3, "det"),
        Word("old", "ADJ", 3, "amod"),
        Word("ship", "NOUN", 4, "nsubj"),
        Word("sunk", "VERB", 0, "root"),
    ]
    assert second == [Word("rain", "_", 0, "root")]


LINE = "1\tRain\train\tNOUN\t_\t_\t0\troot\t_\t_\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Rain falls.\n", "line 1: 1 columns; expected 10, separated by tabs"),
        (LINE.replace("1", "2", 1), "line 1: word number '2'; expected 1"),
        (LINE + LINE.replace("1", "3", 1), "line 2: word number '3'; expected 2 or 1"),
        (LINE.replace("\t0\t", "\t_\t"), "line 1: head is '_'; expected the number of a word, or 0"),
        (
            LINE.replace("\t0\t", f"\t{'9' * 5000}\t"),
            "line 1: head is '9+...; expected the number of a word, or 0",
        ),
        (LINE.replace("\t0\t", "\t2\t"), "line 1: head is 2; expected 0 to 1"),
    ],
)
def test_bad_line_is_an_error(tmp_path, text, message):
    with pytest.raises(InputError, match=rf"one\.conllu, {message}"):
        read_conllu(write_parse(tmp_path, text))


REFERENCES = (Reference("A", ("x",)), Reference("B", ("y",)))


SUMMARIES = (Summary("7", ("z",)), Summary("A", ("x",), human=True))


TOPIC = Topic("2010", "D1001", "B", SUMMARIES, REFERENCES)


NAMES = ("D1001-B.M.100.H.A", "D1001-B.M.100.H.B", "D1001-B.M.100.H.7")


def folder_of(tmp_path, *names):
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    return tmp_path


def test_names_of_nist_by_hand(tmp_path):
    others = ("README.txt", "D1002-B.M.100.H.A", "D1001-A.M.100.H.7", "D1001-B.M.100.H.9", ".listing")
    files = text_files(folder_of(tmp_path, *NAMES, *others), [TOPIC])
    assert {name: path.name for name, path in files.items()} == {
        ("D1001-B", "A"): NAMES[0],
        ("D1001-B", "B"): NAMES[1],
        ("D1001-B", "7"): NAMES[2],
    }


def test_folders_suffixes_and_the_letter_of_2010(tmp_path):
    names = [
        f"{folder}/D1001A-B.M.100.H.{name}.conllu"
        for folder, name in (("models", "A"), ("models", "B"), ("peers", "7"))
    ]
    assert text_files(folder_of(tmp_path, *names), [TOPIC])["D1001-B", "7"] == tmp_path / names[2]


def test_one_message_says_all_that_is_wrong(tmp_path):
    folder_of(tmp_path, NAMES[0], f"models/{NAMES[0]}.conllu", "README.txt", "D1001-B.H.B")
    message = (
        f"{tmp_path}: no file for D1001-B B, D1001-B 7; several files for D1001-B A ({tmp_path / NAMES[0]}, "
        f"{tmp_path / 'models' / NAMES[0]}.conllu); "
        "expected one file per text, named like D0845-A.M.100.H.E"
    )
    with pytest.raises(InputError, match=re.escape(message)):
        text_files(tmp_path, [TOPIC])


def test_topics_that_differ_in_the_year_alone_are_refused(tmp_path):
    other = Topic("2011", "D1001", "B", SUMMARIES, REFERENCES)
    with pytest.raises(InputError, match="topics of several years have the same name"):
        text_files(folder_of(tmp_path, *NAMES), [TOPIC, other])
