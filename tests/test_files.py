"""Files and folders are whole or not there."""

import os

import pytest

from classy_aesop.files import whole_file, whole_folder


def test_a_file_appears_when_the_block_ends(tmp_path):
    with whole_file(tmp_path / "a.txt") as stream:
        stream.write("é")
        assert not (tmp_path / "a.txt").exists()
    assert (tmp_path / "a.txt").read_bytes() == "é".encode()
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_interrupted_file_leaves_the_older_one(tmp_path, error):
    (tmp_path / "a.txt").write_text("older")

    with pytest.raises(error), whole_file(tmp_path / "a.txt") as stream:
        stream.write("half")
        raise error
    assert (tmp_path / "a.txt").read_text() == "older"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_folder_replaces_the_older_one(tmp_path):
    for text in ("older", "newer"):
        with whole_folder(tmp_path / "deep" / "out") as place:
            (place / f"{text}.txt").write_text(text)
    assert os.listdir(tmp_path / "deep") == ["out"]
    assert os.listdir(tmp_path / "deep" / "out") == ["newer.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_interrupted_folder_is_not_there(tmp_path, error):
    with pytest.raises(error), whole_folder(tmp_path / "out") as place:
        (place / "half.txt").write_text("half")
        raise error
    assert os.listdir(tmp_path) == []


def test_rights_are_those_of_any_new_file(tmp_path):
    (tmp_path / "plain.txt").touch()
    with whole_file(tmp_path / "whole.txt"):
        pass
    assert (tmp_path / "whole.txt").stat().st_mode == (tmp_path / "plain.txt").stat().st_mode
