"""The parts of a long computation: a bar that says which step it is and how long it still takes, and workers.

Bars go to standard error. `tqdm` and `joblib` are loaded when they are needed.
"""

from __future__ import annotations

import signal
import sys
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import starmap
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

Advance = Callable[..., None]
"""Moves a bar on by so many parts (by default 1), and with ``step`` names the next step."""


def watched(
    items: Iterable[Item], step: str, unit: str, *, shown: bool, total: int | None = None
) -> Iterable[Item]:
    """Pass items on, with a bar if it is ``shown``; ``unit`` is their name, in the plural."""
    return _bar(items, step, unit, total, shown=True) if shown else items


@contextmanager
def counted(step: str, total: int, unit: str, *, shown: bool) -> Iterator[Advance]:
    """Show a bar while the block runs, and give the function that moves it on."""
    with _bar(None, step, unit, total, shown=shown) as bar:

        def advance(n: int = 1, step: str | None = None) -> None:
            if step is not None:
                bar.set_description(step)
            bar.update(n)

        yield advance


def _bar(items: Iterable[Any] | None, step: str, unit: str, total: int | None, *, shown: bool) -> Any:
    """Make a bar without a thread of its own, next to which no worker would be forked; in a notebook one of its own."""
    if "ipykernel" in sys.modules:  # looked for, as importing tqdm.auto elsewhere costs time
        from tqdm.auto import tqdm
    else:
        from tqdm import tqdm

    tqdm.monitor_interval = 0
    return tqdm(items, desc=step, unit=f" {unit}", total=total, file=sys.stderr, disable=not shown)


def no_bar(n: int = 1, step: str | None = None) -> None:
    """Do nothing: what moves a bar on, where there is none."""


def by_workers(
    work: Callable[..., Result], parts: Iterable[tuple[Any, ...]], *, n_jobs: int
) -> Iterator[Result]:
    """Give the result of each part, in their order, by so many processes.

    An interruption from the keyboard is for this process alone, which ends the others.
    """
    if n_jobs == 1:
        return starmap(work, parts)
    from multiprocessing import resource_tracker

    from joblib import Parallel, delayed

    resource_tracker.ensure_running()  # it would let SIGINT through again where it begins
    begun = []
    try:
        with interruptions_held():
            begun.append(
                Parallel(n_jobs=n_jobs, return_as="generator")(delayed(work)(*part) for part in parts)
            )
    except KeyboardInterrupt:  # one that was held back
        for done in begun:
            _close_quietly(done)
        raise
    return ended_quietly(begun[0])


def ended_quietly(done: Generator[Result, None, None]) -> Iterator[Result]:
    """Pass on what joblib generates; it would give advice if nobody takes the rest, as after an interruption."""
    try:
        for one in done:  # noqa: UP028  # of `yield from` the end would reach joblib first
            yield one
    finally:
        _close_quietly(done)


def _close_quietly(done: Generator[Any, None, None]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done.close()


@contextmanager
def interruptions_held() -> Iterator[None]:
    """Hold SIGINT and SIGTERM back in this thread: processes that are begun meanwhile hold them back for good."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
