"""Files and folders are whole or not there, and nothing foreign is replaced or removed."""

import os
import subprocess
import sys
import threading

import pytest

from classy_aesop.work import files
from classy_aesop.work.files import atomic_file, atomic_folder, check_file, check_folder


def test_a_file_appears_when_the_block_ends(tmp_path):
    with atomic_file(tmp_path / "a.txt") as stream:
        stream.write("é")
        assert not (tmp_path / "a.txt").exists()
    assert (tmp_path / "a.txt").read_bytes() == "é".encode()
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_interrupted_file_leaves_the_older_one(tmp_path, error):
    (tmp_path / "a.txt").write_text("older")

    with pytest.raises(error), atomic_file(tmp_path / "a.txt") as stream:
        stream.write("half")
        raise error
    assert (tmp_path / "a.txt").read_text() == "older"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_rights_are_those_of_any_new_file_or_of_what_is_replaced(tmp_path):
    (tmp_path / "plain.txt").touch()
    with atomic_file(tmp_path / "whole.txt"):
        pass
    assert (tmp_path / "whole.txt").stat().st_mode == (tmp_path / "plain.txt").stat().st_mode
    for mode in (0o600, 0o664):
        (tmp_path / "plain.txt").chmod(mode)
        with atomic_file(tmp_path / "plain.txt"):
            pass
        assert (tmp_path / "plain.txt").stat().st_mode & 0o777 == mode


def test_a_link_stays_and_what_it_points_to_is_replaced(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "target.txt").write_text("older")
    (tmp_path / "link.txt").symlink_to("there/target.txt")
    (tmp_path / "dangling.txt").symlink_to("there/new.txt")
    for name in ("link.txt", "dangling.txt"):
        with atomic_file(tmp_path / name) as stream:
            stream.write("newer")
        assert (tmp_path / name).is_symlink()
    written = {path.name: path.read_text() for path in (tmp_path / "there").iterdir()}
    assert written == dict.fromkeys(("target.txt", "new.txt"), "newer")


def test_a_pipe_is_written_through(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_text()))
    reader.start()
    check_file(tmp_path / "pipe")  # does not open it: a reader would take that for the end
    with atomic_file(tmp_path / "pipe") as stream:
        stream.write("é")
    reader.join()
    assert read == ["é"]
    assert (tmp_path / "pipe").is_fifo()


def test_a_device_is_written_through():
    before = os.stat(os.devnull)
    check_file(os.devnull)
    with atomic_file(os.devnull) as stream:
        stream.write("lost")
    assert os.path.samestat(before, os.stat(os.devnull))


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="has no /dev/stdout")
def test_standard_output_is_written_where_it_stands(tmp_path):
    code = (
        "from classy_aesop.work.files import atomic_file\n"
        "print('first')\n"
        "with atomic_file('/dev/stdout') as stream: stream.write('second\\n')\n"
        "print('third')"
    )
    with (tmp_path / "out.txt").open("w") as stream:
        subprocess.run([sys.executable, "-c", code], stdout=stream, check=True)
    assert (tmp_path / "out.txt").read_text() == "first\nsecond\nthird\n"


def test_what_cannot_be_written_is_found_before_the_work_and_named(tmp_path):
    check_file(tmp_path / "a.txt")
    check_folder(tmp_path / "deep" / "out", written="a.txt")
    assert os.listdir(tmp_path) == []
    for path in (tmp_path / "no" / "a.txt", tmp_path):
        with pytest.raises(OSError, match=str(path)):
            check_file(path)
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError, match="file: exists and is not a folder"):
        check_folder(tmp_path / "file")
    with pytest.raises(NotADirectoryError, match="file/out"):
        check_folder(tmp_path / "file" / "out")


def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path, monkeypatch):
    """The rights of its folder would allow it."""
    path, access = tmp_path / "kept.txt", os.access
    path.write_text("older")
    path.chmod(0o444)
    # Root may write everything, and the tests may be run by root.
    monkeypatch.setattr(os, "access", lambda place, mode: place != path and access(place, mode))
    for writing in (check_file, lambda path: atomic_file(path).__enter__()):
        with pytest.raises(PermissionError, match=str(path)):
            writing(path)
    assert path.read_text() == "older"
    assert os.listdir(tmp_path) == ["kept.txt"]


def test_a_disk_that_fills_leaves_the_older_file(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("older")
    full = lambda place, mode, **how: open("/dev/full", "w", **how)  # noqa: E731, SIM115
    monkeypatch.setattr(files, "open", full, raising=False)
    with (
        pytest.raises(OSError, match=r"No space left on device: .*a\.txt"),
        atomic_file(tmp_path / "a.txt") as stream,
    ):
        stream.write("newer")
    assert (tmp_path / "a.txt").read_text() == "older"
    assert os.listdir(tmp_path) == ["a.txt"]


def fill(folder, *names, **how):
    with atomic_folder(folder, **how) as place:
        for name in names:
            (place / name).parent.mkdir(exist_ok=True)
            (place / name).write_text("new")


@pytest.mark.parametrize("is_there", [False, True])
def test_a_folder_appears_when_the_block_ends(tmp_path, is_there):
    if is_there:
        (tmp_path / "deep" / "out").mkdir(parents=True)
    fill(tmp_path / "deep" / "out", "a.txt", "in/b.txt")
    assert os.listdir(tmp_path / "deep") == ["out"]
    assert sorted(os.listdir(tmp_path / "deep" / "out")) == ["a.txt", "in"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("is_there", [False, True])
def test_an_interrupted_folder_leaves_what_was_there(tmp_path, error, is_there):
    if is_there:
        fill(tmp_path / "out", "a.tsv")
    before = sorted(path.name for path in tmp_path.rglob("*"))
    with pytest.raises(error), atomic_folder(tmp_path / "out", written=r".+\.tsv") as place:
        (place / "half").touch()
        raise error
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


def test_a_folder_is_replaced_if_it_holds_nothing_else(tmp_path):
    fill(tmp_path / "out", "run.json", "in/b.txt")
    (tmp_path / "out" / "run.json").write_text("older")
    fill(tmp_path / "out", "run.json", "in/b.txt", "in/c.txt", written=r"run\.json|in/.*")
    assert (tmp_path / "out" / "run.json").read_text() == "new"
    assert sorted(os.listdir(tmp_path / "out" / "in")) == ["b.txt", "c.txt"]


@pytest.mark.parametrize("foreign", ["in/notes.txt", "notes.txt", "run.json/deep"])
@pytest.mark.parametrize("how", [{}, {"written": r"run\.json|in/b\.txt"}])
def test_a_foreign_file_is_named_and_everything_stays(tmp_path, foreign, how):
    fill(tmp_path / "out", foreign, "in/b.txt") if foreign[:2] == "in" else fill(tmp_path / "out", foreign)
    before = sorted(tmp_path.rglob("*"))
    named = foreign.removesuffix("/deep")
    with pytest.raises(FileExistsError, match=rf"out: holds {named}.*; choose another folder, or empty"):
        fill(tmp_path / "out", "run.json", "in/b.txt", **how)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_of_others_is_refused_without_walking_through_it(tmp_path, monkeypatch):
    """As ``train -o /`` is."""
    for name in ("bin/sh", "home/one/paper.txt", "usr/lib/x"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    walked, scandir = [], os.scandir
    monkeypatch.setattr(os, "scandir", lambda place: walked.append(place) or scandir(place))
    with pytest.raises(FileExistsError, match=f"{tmp_path}: holds bin/sh, which this command did not write"):
        check_folder(tmp_path, written=r"run\.json|in/.*")
    assert walked == [tmp_path, tmp_path / "bin"]


def test_what_comes_meanwhile_is_kept(tmp_path):
    with pytest.raises(OSError, match="out"), atomic_folder(tmp_path / "out") as place:
        (place / "a.txt").touch()
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "notes.txt").touch()
    assert os.listdir(tmp_path / "out") == ["notes.txt"]
    assert os.listdir(tmp_path) == ["out"]


def test_old_and_new_files_never_mix(tmp_path):
    fill(tmp_path / "out", "old.tsv")
    fill(tmp_path / "out", "new.tsv", written=r".+\.tsv")
    assert os.listdir(tmp_path / "out") == ["new.tsv"]


def test_a_link_to_a_folder_stays(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there")
    fill(tmp_path / "link", "a.txt")
    assert (tmp_path / "link").is_symlink()
    assert os.listdir(tmp_path / "there") == ["a.txt"]
