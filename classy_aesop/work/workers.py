"""Work on one part after the other, by processes of this machine or by a dask cluster, with a bar on standard error.

Results come in order. `tqdm` and `joblib` are loaded when they are needed.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from itertools import chain, islice, starmap
from typing import Any, TypeVar

from classy_aesop.errors import InputError
from classy_aesop.work.cluster import current_cluster

Item = TypeVar("Item")
TaskResult = TypeVar("TaskResult")

Advance = Callable[..., None]
"""Moves a bar on by so many parts (by default 1), and with ``step`` names the next step."""


@cache
def blas_controller() -> Any:
    """Return the controller of this process's thread pools; to look for them costs more than a search."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def show_progress(
    items: Iterable[Item], step: str, unit: str, *, shown: bool, total: int | None = None
) -> Iterable[Item]:
    """Yield the items, with a progress bar on standard error."""
    return _make_bar(items, step, unit, total) if shown else items


@contextmanager
def progress_bar(step: str, total: int | None, unit: str, *, shown: bool) -> Iterator[Advance]:
    """Show a progress bar while the block runs."""
    if not shown:
        yield lambda n=1, step=None: None
        return
    with _make_bar(None, step, unit, total) as bar:

        def advance(n: int = 1, step: str | None = None) -> None:
            """Move the bar on, to another step if one is named."""
            if step is not None:
                bar.set_description(step)
            bar.update(n)

        yield advance


def _make_bar(items: Iterable[Any] | None, step: str, unit: str, total: int | None) -> Any:
    """Make a progress bar of tqdm, in a notebook its own kind; without a thread, next to which no worker is forked."""
    if "ipykernel" in sys.modules:  # looked for, as importing tqdm.auto elsewhere costs time
        from tqdm.auto import tqdm
    else:
        from tqdm import tqdm

    tqdm.monitor_interval = 0
    return tqdm(items, desc=step, unit=f" {unit}", total=total, file=sys.stderr)


def map_workers(
    work: Callable[..., TaskResult],
    parts: Iterable[tuple[Any, ...]],
    *,
    n_jobs: int | None,
    with_threads: bool = False,
) -> Iterator[TaskResult]:
    """Yield the result of each call, in their order, computed by several processes; inside `cluster` by its workers.

    Only this process can be interrupted; its workers end with it.
    """
    if current_cluster() is not None:
        return map_in_order(partial(_call_with, work), parts, n_jobs or 1)
    if n_jobs == 1:
        return starmap(work, parts)
    from multiprocessing import resource_tracker

    from joblib import Parallel, delayed

    prefer = "threads" if with_threads else None
    calls = (delayed(work)(*part) for part in parts)
    if with_threads:
        return iterate_quietly(Parallel(n_jobs=n_jobs, prefer=prefer, return_as="generator")(calls))
    resource_tracker.ensure_running()  # it would let SIGINT through again where it begins
    started = []
    try:
        with delay_interruptions():
            started.append(Parallel(n_jobs=n_jobs, return_as="generator")(calls))
    except KeyboardInterrupt:  # one that was held back
        for results in started:
            _close_quietly(results)
        raise
    return iterate_quietly(started[0])


def _call_with(work: Callable[..., TaskResult], part: tuple[Any, ...]) -> TaskResult:
    """Call a function with the arguments in a tuple."""
    return work(*part)


def iterate_quietly(results: Generator[TaskResult, None, None]) -> Iterator[TaskResult]:
    """Yield what joblib generates; if not all is taken, as after an interruption, suppress the advice it would give."""
    try:
        for result in results:  # noqa: UP028  # of `yield from` the end would reach joblib first
            yield result
    finally:
        _close_quietly(results)


def _close_quietly(results: Generator[Any, None, None]) -> None:
    """Close a generator of joblib without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results.close()


@contextmanager
def delay_interruptions() -> Iterator[None]:
    """Block SIGINT and SIGTERM in this thread, and SIGALRM, which repeats them; new processes keep the block."""
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGALRM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)


_ITEMS_PER_WORKER = 2
"""Items for each worker that are begun or wait, so that memory does not depend on how many there are.

What joblib generates is not bounded so: it begins all items, whether or not anybody takes their results.
"""


def map_in_order(
    work: Callable[[Item], TaskResult], items: Iterable[Item], n_jobs: int
) -> Generator[TaskResult, None, None]:
    """Yield the result of each item, in their order, with only a few items read ahead of them.

    A single item is worked on in this process; inside `cluster` all items are sent to its workers.
    """
    n_jobs = n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)
    remaining = iter(items)
    cluster = current_cluster()
    if cluster is not None:
        remaining = yield from cluster.map_until_lost(work, remaining)
    first = list(islice(remaining, 2)) if n_jobs > 1 else []
    all_items = chain(first, remaining)
    yield from _map_processes(work, all_items, n_jobs) if len(first) > 1 else map(work, all_items)


def _submit_ahead(
    submit: Callable[[Item], Any], items: Iterable[Item], n_workers: Callable[[], int]
) -> Iterator[Any]:
    """Submit items, a few for each worker ahead of the result that is yielded next."""
    submitted: deque[Any] = deque()
    for item in items:
        submitted.append(submit(item))
        if len(submitted) > _ITEMS_PER_WORKER * n_workers():
            yield submitted.popleft().result()
    while submitted:
        yield submitted.popleft().result()


# --- processes of this machine ---


def _map_processes(
    work: Callable[[Item], TaskResult], items: Iterator[Item], n_jobs: int
) -> Iterator[TaskResult]:
    """Yield the result of each item, in their order, by processes of this machine."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context, resource_tracker

    method = _start_method()
    if method != "fork":
        resource_tracker.ensure_running()  # it would let SIGINT through again where it begins
    pool = ProcessPoolExecutor(n_jobs, get_context(method), _initialize_worker, (work,))

    def submit(item: Item) -> Any:
        """Submit an item to the pool."""
        with delay_interruptions():  # which would lock the pool up, and a worker would print where it was
            return pool.submit(_work_on_item, item)

    try:
        yield from _submit_ahead(submit, items, lambda: n_jobs)
        pool.shutdown()  # with its thread, next to which no other pool would fork
    except BrokenProcessPool:
        raise InputError(
            "a worker ended unexpectedly, perhaps for lack of memory; expected fewer workers (-j)"
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _start_method() -> str:
    """Fork workers where no other thread could hold a lock, which would stay locked in a fork for ever."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


_WORK: list[Callable[[Any], Any]] = []
"""What this process does as a worker, which is sent to it once: with each item it would take longer than reading it."""


def _initialize_worker(work: Callable[[Any], Any]) -> None:
    """Initialize a worker: one thread for BLAS, no interruptions, and an end together with its parent."""
    from threadpoolctl import threadpool_limits

    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    threadpool_limits(1)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _WORK.append(work)


def _work_on_item(item: Any) -> Any:
    """Apply this worker's function to an item."""
    return _WORK[-1](item)


def _end_with_parent() -> None:
    """Wait for the parent process to end, and end this one."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


# --- memory ---


def keep_freed_memory() -> None:
    """Let glibc keep up to 63 MB of freed memory: else features take up to 1.11 times, searches 1.12 times as long."""
    import numpy as np

    np.empty(63 << 19, np.uint8)
