"""Freed memory is kept: what the system counts as page faults."""

import os
import platform
import subprocess
import sys

import pytest

FAULTS = """
import resource
import numpy as np
from classy_aesop.memory import keep_freed_memory
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
