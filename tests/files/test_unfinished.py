"""Files written part by part: what a killed or a second process leaves of them, and that nothing else is continued."""

import json
import os
import resource
import signal

import pytest

from classy_aesop.errors import UsageError
from classy_aesop.files.unfinished import Unfinished, n_kept, unfinished_file


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


def killed_while_it_notes(path, *parts):
    """Write parts in a child that is gone when it has noted half of the last one."""
    child = os.fork()
    if not child:
        note, left = Unfinished._note, iter(range(len(parts)))

        def half(file, line):
            if next(left, None) is None:
                note(file, line[: len(line) // 2])
                os._exit(9)
            note(file, line)

        Unfinished._note = half
        write(path, *parts)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def test_a_part_that_a_killed_process_did_not_note_is_written_again(tmp_path):
    path = tmp_path / "out"
    for parts in ((b"one",), (b"one", b"two"), (b"one", b"two", b"three")):
        killed_while_it_notes(path, *parts)
        assert (tmp_path / "out.partial").read_bytes() == b"".join(parts)
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
    """Leave three parts, and change a line of the journal."""

    def spoil(folder):
        interrupted(folder / "out", b"one", b"two", b"three")
        journal = folder / "out.partial.jsonl"
        begin, *lines = journal.read_text().splitlines()
        text = "".join(f"{line}\n" for line in (begin, *change(lines)))
        journal.write_bytes(text.encode(errors="surrogateescape"))

    return spoil


def foreign(name, text="my only copy\n"):
    return lambda folder: (folder / name).write_text(text)


def damaged(folder):
    interrupted(folder / "out", b"one", b"two", b"three")
    (folder / "out.partial").write_bytes(b"onetWothree")


def linked(name, to="theirs"):
    def link(folder):
        (folder / "theirs").write_text("my only copy\n")
        (folder / f"out.partial{name}").symlink_to(folder / to)

    return link


@pytest.mark.parametrize(
    "left",
    [
        foreign("out.partial"),
        foreign("out.partial.jsonl"),
        foreign("out.partial.jsonl", "{" * 10_000),
        damaged,
        linked(""),
        linked(".jsonl"),
        linked(".jsonl", "nowhere"),
        lambda folder: os.mkdir(folder / "out.partial"),
        spoiled(lambda lines: [line.replace("head", "h\udcff") for line in lines]),
        spoiled(lambda lines: [lines[0], lines[2]]),
        spoiled(lambda lines: [lines[0], *lines]),
        spoiled(lambda lines: [lines[1], lines[0], lines[2]]),
        spoiled(lambda lines: [*lines, lines[-1]]),
        spoiled(lambda lines: [lines[0].replace('"n_bytes":3', '"n_bytes":-3'), *lines[1:]]),
        spoiled(lambda lines: [lines[0].replace('"n_bytes":3', '"n_bytes":4'), *lines[1:]]),
        spoiled(lambda lines: [lines[0].replace('"n_bytes":3', f'"n_bytes":{10**18}'), *lines[1:]]),
        spoiled(lambda lines: [line.replace("head", "") for line in lines]),
        spoiled(lambda lines: [json.dumps({**json.loads(line), "sha256": "0"}) for line in lines]),
        spoiled(lambda lines: ["[]", *lines]),
    ],
)
def test_only_what_its_journal_vouches_for_is_continued(tmp_path, left):
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
    assert (tmp_path / "out.partial").read_bytes() == b"one"


def test_a_journal_without_its_last_lines_vouches_for_less(tmp_path):
    spoiled(lambda lines: lines[:1])(tmp_path)
    with unfinished_file(tmp_path / "out", "work") as file:
        assert file.n_parts == 1
        file.write(b"two")
    assert (tmp_path / "out").read_bytes() == b"onetwo"


def test_a_full_disk_names_the_file(tmp_path):
    """And not standard output; what was written before is kept."""
    path = tmp_path / "out"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(OSError, match=rf"File too large: '{path}'"):
            write(path, b"one", bytes(5000))
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
        assert {place.stat().st_mode & 0o777 for place in tmp_path.iterdir()} == {0o600}
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
                os._exit(0 if is_told and error.filename == f"{path}.partial" else 2)
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
