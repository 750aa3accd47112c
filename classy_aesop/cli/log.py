"""The log on standard error: what was taken for what, and with ``-v`` all that a command decided."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from classy_aesop.errors import NOTE, visible


class _Visible(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record), but="\n")


@contextmanager
def shown_log(program: str, *, verbose: bool, quiet: bool) -> Iterator[None]:
    """Show what the package logs while the block runs: notes unless ``quiet``, and all of it if ``verbose``."""
    if quiet and not verbose:
        yield
        return
    log, handler = logging.getLogger("classy_aesop"), logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Visible(f"{program}: %(message)s"))
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO if verbose else NOTE)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
