"""Freed memory is kept: what the system counts as page faults. Where there is not enough, one line says why."""

import os
import platform
import subprocess
import sys

import pytest

from classy_aesop.work import memory
from classy_aesop.work.memory import lack_of_memory_named

FAULTS = """
import resource
import numpy as np
from classy_aesop.work.memory import keep_freed_memory
if {keep}:
    keep_freed_memory()
blocks = [np.ones(2**18) for _ in range(2)]
del blocks
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    a, b = np.ones(2**18), np.ones(2**18)
    del a, b
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def page_faults(*, keep):
    """Count them without glibc's own settings: dask leaves one in this process, which would fix the limit."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    program = [sys.executable, "-c", FAULTS.format(keep=keep)]
    done = subprocess.run(program, capture_output=True, text=True, check=True, env=plain)
    return int(done.stdout)


@pytest.mark.slow
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="tells of glibc")
def test_freed_blocks_do_not_come_again_page_by_page():
    assert page_faults(keep=True) < page_faults(keep=False) / 10


def after(error, before):
    error.__cause__ = before
    return error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError("Unable to allocate 8 TiB"), "Unable to allocate 8 TiB; this process may have 3.8 GiB"),
        (MemoryError(), "this process may have 3.8 GiB"),
        (
            ImportError("Sorry!\nx.so: failed to map segment from shared object"),
            "x.so: failed to map segment",
        ),
        (after(ImportError("no numpy"), ImportError("x.so: failed to map segment")), "x.so: failed to map"),
        (OSError(12, "Cannot allocate memory", "lib"), "Cannot allocate memory: 'lib'"),
        (RuntimeError("can't start new thread"), "can't start new thread; this process"),
        (SystemError("error return without exception set"), "error return without exception set; this"),
    ],
)
def test_a_lack_of_memory_is_told_whatever_error_it_is(error, said, monkeypatch):
    monkeypatch.setattr("resource.getrlimit", lambda _: (4_096_000_000, -1))
    with pytest.raises(MemoryError) as caught, lack_of_memory_named():
        raise error
    assert said in str(caught.value)
    monkeypatch.setattr("resource.getrlimit", lambda _: (memory.resource.RLIM_INFINITY, -1))
    for other in (ImportError("no module x"), SystemError("x"), OSError(2, "No such file", "x")):
        with pytest.raises(type(other)), lack_of_memory_named():
            raise other


def test_the_step_that_lacks_memory_is_named():
    from classy_aesop.data.values import required

    class Hungry(dict):
        def get(self, name):
            raise MemoryError

    with pytest.raises(MemoryError, match=r"^reading scores"), lack_of_memory_named():
        required(Hungry(), None, "topic")
