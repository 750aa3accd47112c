"""A disk that is full, a folder that cannot be written to, and a clock that jumps, in a child of the test."""

import ctypes
import io
import os
import resource
import sys
from contextlib import redirect_stderr, redirect_stdout

import pytest

from classy_aesop.cli import main

CAP_DAC_OVERRIDE = 1


def in_child(words, before):
    """Run a command in a child after some preparation; give its exit code and what it says."""
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        code = 70
        try:
            before()
            said = io.StringIO()
            with redirect_stdout(io.StringIO()), redirect_stderr(said):
                code = main([str(word) for word in words])
            os.write(writes, said.getvalue().encode()[:4000])
        finally:
            os._exit(code)
    os.close(writes)
    with open(reads, "rb") as stream:
        said = stream.read().decode()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said


def below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.slow
def test_a_file_that_may_not_grow_is_one_line_and_leaves_nothing(small, tmp_path):
    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))

    for words in (
        ["train", small / "one.toml", "-q", "-o", tmp_path / "out"],
        ["convert", small / "2021", "-o", tmp_path / "out"],
        ["rouge", small / "2021", "-d", "-f", "tsv", "-q", "-o", tmp_path / "out"],
    ):
        code, said = in_child(words, limited)
        assert (code, said.count("\n")) == (1, 1)
        assert f"{tmp_path / 'out'}: File too large" in said
        assert below(tmp_path) == []


def as_everybody():
    """Take from root the right to write where the rights of a folder say no."""
    header, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    calls = ctypes.CDLL(None, use_errno=True)
    assert calls.capget(header, sets) == 0
    for one in (0, 1):  # effective and permitted
        sets[one] &= ~(1 << CAP_DAC_OVERRIDE)
    assert calls.capset(header, sets) == 0


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the rights of root are those of Linux")
def test_a_folder_that_cannot_be_written_to_is_one_line(small, tmp_path):
    """Before the work, and what is in the folder stays."""
    (tmp_path / "theirs").write_text("theirs\n")
    tmp_path.chmod(0o555)
    for words in (
        ["train", small / "one.toml", "-q", "-o", tmp_path / "out"],
        ["convert", small / "2021", "-o", tmp_path / "new"],
        ["rouge", small / "2021", "-q", "-o", tmp_path / "theirs"],
        ["features", small / "2021" / "summaries.jsonl", "-o", tmp_path / "new"],
    ):
        code, said = in_child(words, as_everybody)
        assert (code, said.count("\n")) == (2, 1), (words, said)
        assert str(tmp_path) in said
        assert below(tmp_path) == ["theirs"]
