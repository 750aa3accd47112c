"""Files and folders are whole or not there, and nothing foreign is replaced or removed."""

import errno
import json
import os
import subprocess
import sys
import threading

import pytest

from classy_aesop.work import atomic as files
from classy_aesop.work.atomic import (
    MANIFEST,
    atomic_file,
    atomic_folder,
    check_file,
    check_folder,
    is_complete,
)


def fill(folder, **texts):
    """Write a whole folder of texts, given by name without ending."""
    with atomic_folder(folder) as place:
        for name, text in texts.items():
            (place / "in").mkdir(exist_ok=True)
            (place / "in" / f"{name}.txt").write_text(text)


def inside(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


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


def test_a_folder_replaces_the_older_one(tmp_path):
    for text in ("older", "newer"):
        with atomic_folder(tmp_path / "deep" / "out") as place:
            (place / f"{text}.txt").write_text(text)
    assert os.listdir(tmp_path / "deep") == ["out"]
    assert sorted(os.listdir(tmp_path / "deep" / "out")) == [MANIFEST, "newer.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_interrupted_folder_is_not_there(tmp_path, error):
    with pytest.raises(error), atomic_folder(tmp_path / "out") as place:
        (place / "half.txt").write_text("half")
        raise error
    assert os.listdir(tmp_path) == []


def test_rights_are_those_of_any_new_file(tmp_path):
    (tmp_path / "plain.txt").touch()
    with atomic_file(tmp_path / "whole.txt"):
        pass
    assert (tmp_path / "whole.txt").stat().st_mode == (tmp_path / "plain.txt").stat().st_mode


def test_rights_are_those_of_what_is_replaced(tmp_path):
    for name in ("plain.txt", "out/in/a.txt", f"out/{MANIFEST}"):
        fill(tmp_path / "out", a="older")
        path = tmp_path / name
        path.touch()
        for mode in (0o600, 0o664):
            path.chmod(mode)
            with atomic_file(tmp_path / "plain.txt"):
                pass
            fill(tmp_path / "out", a="newer", b="newer")
            assert path.stat().st_mode & 0o777 == mode


def test_a_link_stays_and_what_it_points_to_is_replaced(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "target.txt").write_text("older")
    (tmp_path / "link.txt").symlink_to("there/target.txt")
    (tmp_path / "dangling.txt").symlink_to("there/new.txt")
    for name in ("link.txt", "dangling.txt"):
        with atomic_file(tmp_path / name) as stream:
            stream.write("newer")
        assert (tmp_path / name).is_symlink()
    assert {path.name: path.read_text() for path in (tmp_path / "there").iterdir()} == {
        "target.txt": "newer",
        "new.txt": "newer",
    }


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
        "from classy_aesop.work.atomic import atomic_file\n"
        "print('first')\n"
        "with atomic_file('/dev/stdout') as stream: stream.write('second\\n')\n"
        "print('third')"
    )
    with (tmp_path / "out.txt").open("w") as stream:
        subprocess.run([sys.executable, "-c", code], stdout=stream, check=True)
    assert (tmp_path / "out.txt").read_text() == "first\nsecond\nthird\n"


def test_what_cannot_be_written_is_found_before_the_work_and_named(tmp_path, monkeypatch):
    for path in (tmp_path / "no" / "a.txt", tmp_path, tmp_path / ("a" * 300)):
        with pytest.raises(OSError, match=str(path)):
            check_file(path)
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError, match="file: exists and is not a folder"):
        check_folder(tmp_path / "file")
    with pytest.raises(NotADirectoryError, match="file/out"):
        check_folder(tmp_path / "file" / "out")

    def full(path, _):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(files.Path, "write_bytes", full)
    for check in (check_file, check_folder):
        with pytest.raises(OSError, match=r"No space left on device: .*a\.txt"):
            check(tmp_path / "a.txt")


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


def test_checks_leave_nothing(tmp_path):
    check_file(tmp_path / "a.txt")
    check_folder(tmp_path / "deep" / "out")
    assert os.listdir(tmp_path) == []


def test_a_disk_that_fills_leaves_the_older_file_and_folder(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("older")
    fill(tmp_path / "out", a="older")

    def full(place, mode, **how):
        return open("/dev/full" if mode == "w" else place, mode, **how)

    monkeypatch.setattr(files, "open", full, raising=False)
    with (
        pytest.raises(OSError, match=r"No space left on device: .*a\.txt"),
        atomic_file(tmp_path / "a.txt") as stream,
    ):
        stream.write("newer")
    with pytest.raises(OSError, match=r"No space left on device: .*/out/"):
        fill(tmp_path / "out", a="newer")
    assert (tmp_path / "a.txt").read_text() == "older"
    assert (tmp_path / "out" / "in" / "a.txt").read_text() == "older"
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "out"]
    assert inside(tmp_path / "out") == ["in/a.txt", MANIFEST]


def test_a_manifest_lists_what_was_written(tmp_path):
    for names in ("ab", "bc"):
        fill(tmp_path / "out", **dict.fromkeys(names, "text"))
    assert inside(tmp_path / "out") == ["in/b.txt", "in/c.txt", MANIFEST]
    assert json.loads((tmp_path / "out" / MANIFEST).read_text()) == {
        "format": "classy_aesop results",
        "files": ["in/b.txt", "in/c.txt"],
    }


@pytest.mark.parametrize("manifest", [None, "{}", "[1]", "no json", '{"files": ["run.json", "notes.txt"]}'])
def test_a_foreign_folder_is_refused(tmp_path, manifest):
    for name in ("run.json", "notes.txt"):
        (tmp_path / name).write_text("{}")
    if manifest:
        (tmp_path / MANIFEST).write_text(manifest)
    before = inside(tmp_path)
    for write in (check_folder, fill):
        with pytest.raises(FileExistsError, match=r"holds .* and . more, which was not made by this command"):
            write(tmp_path)
    assert inside(tmp_path) == before


def test_a_foreign_file_in_a_folder_of_ours_is_refused_and_stays(tmp_path):
    fill(tmp_path / "out", a="older")
    (tmp_path / "out" / "in" / "notes.txt").write_text("mine")
    for write in (check_folder, fill):
        with pytest.raises(
            FileExistsError, match=r"out: holds in/notes\.txt, which was not made by this command"
        ):
            write(tmp_path / "out")
    assert inside(tmp_path / "out") == ["in/a.txt", "in/notes.txt", MANIFEST]


def test_a_file_that_comes_while_ours_are_written_is_kept(tmp_path):
    fill(tmp_path / "out", a="older")
    with pytest.raises(FileExistsError, match=r"holds b\.txt"), atomic_folder(tmp_path / "out") as place:
        (place / "b.txt").write_text("ours")
        (tmp_path / "out" / "b.txt").write_text("theirs")
    assert (tmp_path / "out" / "b.txt").read_text() == "theirs"
    assert (tmp_path / "out" / "in" / "a.txt").read_text() == "older"


def test_a_manifest_that_names_files_elsewhere_removes_none_of_them(tmp_path):
    (tmp_path / "victim.txt").write_text("mine")
    fill(tmp_path / "out", a="older")
    manifest = json.loads((tmp_path / "out" / MANIFEST).read_text())
    manifest["files"] += ["../victim.txt", str(tmp_path / "victim.txt")]
    (tmp_path / "out" / MANIFEST).write_text(json.dumps(manifest))
    fill(tmp_path / "out", a="newer")
    assert (tmp_path / "victim.txt").read_text() == "mine"


def test_a_link_to_a_folder_stays(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there")
    fill(tmp_path / "link", a="text")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there" / "in" / "a.txt").read_text() == "text"


@pytest.mark.slow(after=3)
@pytest.mark.parametrize("at", range(8))
def test_killed_at_any_step_old_and_new_are_never_mixed_and_the_next_call_succeeds(tmp_path, at):
    """Exit at the n-th change that replacing makes, as a kill would, with no clean-up."""
    fill(tmp_path / "out", a="older", b="older")
    code = (
        "import os, sys, classy_aesop.work.atomic as files\n"
        "left = int(sys.argv[2])\n"
        "def counted(act):\n"
        "    def step(*given, **named):\n"
        "        global left\n"
        "        if left == 0: os._exit(9)\n"
        "        left -= 1\n"
        "        return act(*given, **named)\n"
        "    return step\n"
        "with files.atomic_folder(sys.argv[1]) as place:\n"
        "    (place / 'in').mkdir()\n"
        "    for name in 'bc': (place / 'in' / f'{name}.txt').write_text('newer')\n"
        "    os.rename, os.replace = counted(os.rename), counted(os.replace)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "out"), str(at)], check=False)
    texts = {
        (tmp_path / "out" / name).read_text() for name in inside(tmp_path / "out") if name.startswith("in/")
    }
    assert len(texts) <= 1
    manifest = json.loads((tmp_path / "out" / MANIFEST).read_text())
    seen = [name for name in inside(tmp_path / "out") if not name.startswith(".")]
    assert not is_complete(tmp_path / "out") or seen == [*manifest["files"], MANIFEST]
    fill(tmp_path / "out", d="last")
    assert [name for name in inside(tmp_path / "out") if not name.startswith(".")] == ["in/d.txt", MANIFEST]


HOLD = """
import sys
from classy_aesop.work.atomic import atomic_folder
with atomic_folder(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that holds a folder which is not there yet."""
    command = [sys.executable, "-c", HOLD, str(tmp_path / "out")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_folder_is_written_by_one_process_at_a_time(tmp_path, holder):
    with pytest.raises(
        FileExistsError, match=r"another run works for it now; choose another output, or wait: .*/out'"
    ):
        fill(tmp_path / "out", a="text")
    fill(tmp_path / "other", a="text")
    holder.communicate()
    fill(tmp_path / "out", a="text")
    assert sorted(os.listdir(tmp_path)) == ["other", "out"]


def test_what_a_killed_process_left_is_removed(tmp_path, holder):
    holder.kill()
    holder.wait()
    assert len(os.listdir(tmp_path)) == 2  # its lock and its workplace
    fill(tmp_path / "out", a="older")
    assert os.listdir(tmp_path) == ["out"]
    with atomic_folder(tmp_path / "out") as stage:
        left = stage.parent
    left.mkdir()
    (left / "half").write_text("x")
    fill(tmp_path / "out", a="newer")
    assert sorted(os.listdir(tmp_path / "out")) == ["in", MANIFEST]


def test_a_file_is_written_by_one_process_at_a_time(tmp_path):
    """What a killed one left is removed, and not what is of another file."""
    code = (
        "import sys\n"
        "from classy_aesop.work.atomic import atomic_file\n"
        "with atomic_file(sys.argv[1]) as stream:\n"
        "    print('x', file=stream)\n"
        "    print('begun', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    started = []
    for name in ("a.txt", "b.txt"):
        command = [sys.executable, "-c", code, str(tmp_path / name)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert process.stdout.readline() == "begun\n"
        started.append(process)
    killed, working = started
    killed.kill()
    killed.communicate()
    assert len(os.listdir(tmp_path)) == 4  # a lock and a workplace of each
    with atomic_file(tmp_path / "a.txt") as stream:
        stream.write("later")
    with (
        pytest.raises(FileExistsError, match=r"another run works for it now.*b\.txt"),
        atomic_file(tmp_path / "b.txt"),
    ):
        pass
    working.communicate()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.txt": "later", "b.txt": "x\n"}


@pytest.mark.parametrize("has_locks", [True, False])
def test_two_blocks_of_a_process_or_of_a_file_system_without_locks_mix_nothing(
    tmp_path, monkeypatch, has_locks
):
    """The second takes the place of the first, which fails."""

    def none(*_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    if not has_locks:
        monkeypatch.setattr(files.fcntl, "lockf", none)
    with (
        pytest.raises(FileNotFoundError, match=r"a\.txt"),
        atomic_file(tmp_path / "a.txt") as one,
    ):
        one.write("one")
        with atomic_file(tmp_path / "a.txt") as other:
            other.write("other")
    assert (tmp_path / "a.txt").read_text() == "other"
    assert os.listdir(tmp_path) == ["a.txt"]
    fill(tmp_path / "out", a="x")


def test_a_lock_follows_no_link(tmp_path):
    """A stranger who knows how it is named could lead it elsewhere."""
    with atomic_file(tmp_path / "out"):
        (lock,) = tmp_path.glob(".classy-aesop-*.lock")
    (tmp_path / "theirs").write_text("theirs")
    lock.symlink_to(tmp_path / "theirs")
    with pytest.raises(OSError, match=r"symbolic links.*out"), atomic_file(tmp_path / "out"):
        pass
    assert (tmp_path / "theirs").read_text() == "theirs"
