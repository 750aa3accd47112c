import re

import pytest

from classy_aesop.baselines.elements import text_files
from classy_aesop.data.topics import Reference, Summary, Topic
from classy_aesop.errors import InputError

REFERENCES = (Reference("A", ("x",)), Reference("B", ("y",)))
SUMMARIES = (Summary("7", ("z",)), Summary("A", ("x",), human=True))
TOPIC = Topic("2010", "D1001", "B", SUMMARIES, REFERENCES)
PLAIN = Topic("", "storm", "", SUMMARIES[:1], REFERENCES[:1])

NAMES = ("D1001-B.M.100.H.A", "D1001-B.M.100.H.B", "D1001-B.M.100.H.7")


def folder_of(tmp_path, *names):
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    return tmp_path


def test_names_of_nist_by_hand(tmp_path):
    files = text_files(folder_of(tmp_path, *NAMES), [TOPIC])
    assert {name: path.name for name, path in files.items()} == {
        ("D1001-B", "A"): NAMES[0],
        ("D1001-B", "B"): NAMES[1],
        ("D1001-B", "7"): NAMES[2],
    }


def test_folders_suffixes_and_the_letter_of_2010(tmp_path):
    names = (
        "models/D1001A-B.M.100.H.A.conllu",
        "models/D1001A-B.M.100.H.B.conllu",
        "peers/D1001A-B.M.100.H.7.conllu",
    )
    files = text_files(folder_of(tmp_path, *names), [TOPIC])
    assert files["D1001-B", "7"] == tmp_path / names[2]


def test_a_topic_by_its_own_name(tmp_path):
    files = text_files(folder_of(tmp_path, "storm.M.100.H.A", "storm.M.100.H.7"), [PLAIN])
    assert set(files) == {("storm", "A"), ("storm", "7")}


def test_files_of_others_and_hidden_ones_are_passed_over(tmp_path):
    others = ("D1002-B.M.100.H.A", "D1001-A.M.100.H.7", "D1001-B.M.100.H.9", ".listing")
    assert len(text_files(folder_of(tmp_path, *NAMES, *others), [TOPIC])) == 3


def test_one_message_says_all_that_is_wrong(tmp_path):
    folder_of(tmp_path, NAMES[0], f"models/{NAMES[0]}.conllu", "README.txt", "D1001-B.H.B")
    message = (
        f"{tmp_path}: no file for D1001-B B, D1001-B 7; several files for D1001-B A ({tmp_path / NAMES[0]}, "
        f"{tmp_path / 'models' / NAMES[0]}.conllu); names that are not those of texts: D1001-B.H.B, README.txt; "
        "expected one file per text, named like D0845-A.M.100.H.E"
    )
    with pytest.raises(InputError, match=re.escape(message)):
        text_files(tmp_path, [TOPIC])


def test_topics_that_differ_in_the_year_alone_are_refused(tmp_path):
    other = Topic("2011", "D1001", "B", SUMMARIES, REFERENCES)
    with pytest.raises(InputError, match="topics of several years have the same name"):
        text_files(folder_of(tmp_path, *NAMES), [TOPIC, other])


def test_no_folder_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere: no such folder"):
        text_files(tmp_path / "nowhere", [TOPIC])
