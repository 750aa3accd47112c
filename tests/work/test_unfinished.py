"""Files written part by part: what a killed or a second process leaves of them, and that nothing else is continued."""

import os
import resource
import signal

import pytest

from classy_aesop.errors import UsageError
from classy_aesop.work.unfinished import Unfinished, n_kept, unfinished_file


def write(path, *parts, work="work"):
    """Write a file of parts."""
    with unfinished_file(path, work) as file:
        for part in parts:
            file.write(part)


def interrupted(path, *parts):
    """Leave a file of parts that is not finished."""
    with pytest.raises(KeyboardInterrupt), unfinished_file(path, "work") as file:
        for part in parts:
            file.write(part, "head")
        raise KeyboardInterrupt


def killed_while_it_writes(path, *parts, cut):
    """Write parts in a child that is gone when it has written the last one but for so many bytes."""
    child = os.fork()
    if not child:
        put, left = Unfinished._put, iter(range(len(parts)))

        def half(file, data):
            if next(left, None) is None:
                put(file, data[:-cut])
                os._exit(9)
            put(file, data)

        Unfinished._put = half
        write(path, *parts)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.parametrize("cut", [1, 20])
def test_a_part_that_a_killed_process_did_not_write_whole_is_written_again(tmp_path, cut):
    """Neither if the part is cut nor if the line before it is."""
    path = tmp_path / "out"
    for parts in ((b"one",), (b"one", b"two"), (b"one", b"two", b"three")):
        killed_while_it_writes(path, *parts, cut=cut)
        with unfinished_file(path, "work") as file:
            assert file.n_parts == len(parts) - 1
            file.write(parts[-1])
        assert list(tmp_path.iterdir()) == [path]
        assert path.read_bytes() == b"".join(parts)
        path.unlink()


def test_it_goes_on_where_it_was(tmp_path):
    path = tmp_path / "out"
    interrupted(path, b"one", b"two")
    assert n_kept(path) == 2
    with unfinished_file(path, "work") as file:
        assert (file.n_parts, file.head) == (2, "head")
        file.write(b"three")
    assert path.read_bytes() == b"onetwothree"
    assert (list(tmp_path.iterdir()), n_kept(path)) == ([path], 0)


def spoiled(change):
    """Leave three parts, and change the list of their lines, each with its part behind it."""

    def spoil(folder):
        interrupted(folder / "out", b"one\n", b"two\n", b"three\n")
        lines = (folder / "out.partial").read_text().splitlines(keepends=True)
        begin, *parts = lines[0], *map("".join, zip(lines[1::2], lines[2::2], strict=True))
        text = "".join([begin, *change(parts)])
        (folder / "out.partial").write_bytes(text.encode(errors="surrogateescape"))

    return spoil


def foreign(text):
    return lambda folder: (folder / "out.partial").write_text(text)


def linked(to):
    def link(folder):
        (folder / "theirs").write_text("my only copy\n")
        (folder / "out.partial").symlink_to(folder / to)

    return link


@pytest.mark.parametrize(
    "left",
    [
        foreign("my only copy\n"),
        foreign("{" * 10_000),
        linked("theirs"),
        linked("nowhere"),
        lambda folder: os.mkdir(folder / "out.partial"),
        spoiled(lambda parts: [part.replace("two\n", "tWo\n") for part in parts]),
        spoiled(lambda parts: [part.replace("head", "h\udcff") for part in parts]),
        spoiled(lambda parts: [parts[0], parts[2]]),
        spoiled(lambda parts: [parts[0], *parts]),
        spoiled(lambda parts: [parts[1], parts[0], parts[2]]),
        spoiled(lambda parts: [*parts, parts[-1]]),
        spoiled(lambda parts: [parts[0].replace('"n_bytes":4', '"n_bytes":-4'), *parts[1:]]),
        spoiled(lambda parts: [parts[0].replace('"n_bytes":4', '"n_bytes":5'), *parts[1:]]),
        spoiled(lambda parts: [part.replace("head", "") for part in parts]),
        spoiled(lambda parts: [part.replace('"sha256":"', '"sha256":"0') for part in parts]),
        spoiled(lambda parts: ["[]\n", *parts]),
    ],
)
def test_only_what_was_written_so_is_continued(tmp_path, left):
    left(tmp_path)
    before = contents(tmp_path)
    with pytest.raises((UsageError, FileExistsError), match=r"out\.partial.*remove"):
        write(tmp_path / "out", b"other")
    assert contents(tmp_path) == before


def contents(folder):
    return {place: place.read_bytes() if place.is_file() else "" for place in folder.iterdir()}


def test_other_work_is_refused(tmp_path):
    interrupted(tmp_path / "out", b"one")
    with pytest.raises(UsageError, match=r"out\.partial: was begun by another command"):
        write(tmp_path / "out", b"two", work="play")
    assert n_kept(tmp_path / "out") == 1


@pytest.mark.parametrize("n_bytes", [9999, 10**18])
def test_what_comes_after_a_part_that_is_cut_is_written_again(tmp_path, n_bytes):
    spoiled(lambda parts: [parts[0], parts[1].replace('"n_bytes":4', f'"n_bytes":{n_bytes}'), parts[2]])(
        tmp_path
    )
    with unfinished_file(tmp_path / "out", "work") as file:
        assert file.n_parts == 1
        file.write(b"two")
    assert (tmp_path / "out").read_bytes() == b"one\ntwo"


def test_a_full_disk_names_the_file(tmp_path):
    """And not standard output; what was written before is kept."""
    path = tmp_path / "out"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (6000, before[1]))
    try:
        with pytest.raises(OSError, match=rf"File too large: '{path}'"):
            write(path, b"one", bytes(9000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert n_kept(path) == 1
    write(path, b"two")
    assert path.read_bytes() == b"onetwo"


def test_it_has_the_rights_of_what_it_replaces(tmp_path):
    path = tmp_path / "out"
    path.touch(mode=0o600)
    with unfinished_file(path, "work") as file:
        file.write(b"one")
        assert (tmp_path / "out.partial").stat().st_mode & 0o777 == 0o600
        path.chmod(0o640)
    assert path.stat().st_mode & 0o777 == 0o640


def test_one_process_at_a_time(tmp_path):
    path = tmp_path / "out"
    with unfinished_file(path, "work") as file:
        file.write(b"one")
        child = os.fork()
        if not child:
            try:
                with unfinished_file(path, "work"):
                    os._exit(1)
            except FileExistsError as error:
                is_told = "another run works for it now" in error.strerror
                os._exit(0 if is_told and error.filename == str(path) else 2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        file.write(b"two")
    assert path.read_bytes() == b"onetwo"
    assert list(tmp_path.iterdir()) == [path]


def test_a_killed_process_holds_nothing_by_its_workers(tmp_path):
    path, (reads, writes) = tmp_path / "out", os.pipe()
    child = os.fork()
    if not child:
        with unfinished_file(path, "work") as file:
            file.write(b"one")
            worker = os.fork()
            if worker:
                os.write(writes, f"{worker}".encode())
                os._exit(9)
            signal.pause()
    os.waitpid(child, 0)
    worker = int(os.read(reads, 20))
    try:
        with unfinished_file(path, "work") as file:
            assert file.n_parts == 1
    finally:
        os.kill(worker, signal.SIGKILL)
        os.close(reads)
        os.close(writes)


def test_nothing_is_left_of_no_part(tmp_path):
    with pytest.raises(ValueError, match="at once"), unfinished_file(tmp_path / "out", "work"):
        raise ValueError("at once")
    assert list(tmp_path.iterdir()) == []


def test_a_link_is_followed_and_a_device_refused(tmp_path):
    link, path, pipe = tmp_path / "link", tmp_path / "out", tmp_path / "pipe"
    link.symlink_to(path)
    write(link, b"one")
    assert (link.is_symlink(), path.read_bytes()) == (True, b"one")
    os.mkfifo(pipe)
    with pytest.raises(UsageError, match="pipe: cannot be continued later"):
        write(pipe)
    assert pipe.is_fifo()
