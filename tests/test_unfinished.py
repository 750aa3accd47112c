"""Files written part by part: what a killed or a second process leaves of them."""

import os
import signal

import pytest

from classy_aesop import files
from classy_aesop.errors import UsageError
from classy_aesop.unfinished import unfinished_file


def killed_while_it_notes(path, *parts):
    """Write parts in a child that is gone before it has noted the last one."""
    child = os.fork()
    if not child:
        rename, left = os.replace, iter(range(len(parts) - 1))
        files.os.replace = lambda *names: rename(*names) if next(left, None) is not None else os._exit(9)
        with unfinished_file(path, "work") as file:
            for part in parts:
                file.write(part)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def test_what_a_killed_process_left_goes(tmp_path):
    """Its temporary file, and never one of another process."""
    path, foreign = tmp_path / "out", tmp_path / ".classy-aesop-of-another"
    foreign.touch()
    for parts in ((b"one",), (b"one", b"two")):
        killed_while_it_notes(path, *parts)
        assert len(list(tmp_path.glob(".classy-aesop-*"))) == 2
        with unfinished_file(path, "work") as file:
            assert file.n_parts == len(parts) - 1
            file.write(parts[-1])
        assert sorted(tmp_path.iterdir()) == [foreign, path]
        assert path.read_bytes() == b"".join(parts)


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
                os._exit(0 if "out: another run writes it now" in str(error) else 2)
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


def test_a_temporary_file_is_not_written_through_a_link(tmp_path):
    """A stranger who knows its name could lead it elsewhere."""
    with files.whole_file(tmp_path / "out", alone=True) as stream:
        stream.write("x")
        (temporary,) = tmp_path.glob(".classy-aesop-*")
    theirs = tmp_path / "theirs"
    theirs.write_text("theirs")
    temporary.symlink_to(theirs)
    with files.whole_file(tmp_path / "out", alone=True) as stream:
        stream.write("y")
    assert (theirs.read_text(), (tmp_path / "out").read_text()) == ("theirs", "y")


def test_a_link_is_followed_and_a_device_refused(tmp_path):
    link, path, pipe = tmp_path / "link", tmp_path / "out", tmp_path / "pipe"
    link.symlink_to(path)
    with unfinished_file(link, "work") as file:
        file.write(b"one")
    assert (link.is_symlink(), path.read_bytes()) == (True, b"one")
    os.mkfifo(pipe)
    with pytest.raises(UsageError, match="pipe: cannot be continued later"), unfinished_file(pipe, "work"):
        pass
    assert pipe.is_fifo()
