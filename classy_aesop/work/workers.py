"""Work on one part after the other, by processes of this machine or by a dask cluster, with a bar on standard error.

Results come in order. `tqdm`, `joblib` and dask are loaded when they are needed.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice, starmap
from typing import Any, TypeVar

from classy_aesop.errors import InputError, UsageError
from classy_aesop.version import __version__

Item = TypeVar("Item")
Result = TypeVar("Result")

Advance = Callable[..., None]
"""Moves a bar on by so many parts (by default 1), and with ``step`` names the next step."""


def show_progress(
    items: Iterable[Item], step: str, unit: str, *, shown: bool, total: int | None = None
) -> Iterable[Item]:
    """Yield the items, with a progress bar on standard error.

    Parameters
    ----------
    items : iterable
        What is worked on one after the other.
    step : str
        The label of the bar.
    unit : str
        The items' name, in the plural.
    shown : bool
        Without a bar the items are returned as they are.
    total : int, optional
        Their number, if they do not know it.
    """
    return _make_bar(items, step, unit, total, shown=True) if shown else items


@contextmanager
def progress_bar(step: str, total: int, unit: str, *, shown: bool) -> Iterator[Advance]:
    """Show a progress bar while the block runs.

    Parameters
    ----------
    step : str
        The label of the bar, to begin with.
    total : int
        Number of parts.
    unit : str
        The parts' name, in the plural.
    shown : bool
        Whether there is a bar at all.

    Yields
    ------
    Advance
        The function that moves the bar on.
    """
    with _make_bar(None, step, unit, total, shown=shown) as bar:

        def advance(n: int = 1, step: str | None = None) -> None:
            """Move the bar on, to another step if one is named."""
            if step is not None:
                bar.set_description(step)
            bar.update(n)

        yield advance


def _make_bar(items: Iterable[Any] | None, step: str, unit: str, total: int | None, *, shown: bool) -> Any:
    """Make a progress bar of tqdm, in a notebook its own kind; without a thread, next to which no worker is forked."""
    if "ipykernel" in sys.modules:  # looked for, as importing tqdm.auto elsewhere costs time
        from tqdm.auto import tqdm
    else:
        from tqdm import tqdm

    tqdm.monitor_interval = 0
    return tqdm(items, desc=step, unit=f" {unit}", total=total, file=sys.stderr, disable=not shown)


def map_workers(
    work: Callable[..., Result], parts: Iterable[tuple[Any, ...]], *, n_jobs: int
) -> Iterator[Result]:
    """Yield the result of each part, in their order, computed by several processes.

    Only this process can be interrupted; its workers end with it.

    Parameters
    ----------
    work : callable
        Takes the arguments of a part.
    parts : iterable of tuple
        The arguments of each call.
    n_jobs : int
        Number of processes; with 1 all is done in this one.
    """
    if n_jobs == 1:
        return starmap(work, parts)
    from multiprocessing import resource_tracker

    from joblib import Parallel, delayed

    resource_tracker.ensure_running()  # it would let SIGINT through again where it begins
    started = []
    try:
        with hold_interruptions():
            started.append(
                Parallel(n_jobs=n_jobs, return_as="generator")(delayed(work)(*part) for part in parts)
            )
    except KeyboardInterrupt:  # one that was held back
        for results in started:
            _close_quietly(results)
        raise
    return iterate_quietly(started[0])


def iterate_quietly(results: Generator[Result, None, None]) -> Iterator[Result]:
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
def hold_interruptions() -> Iterator[None]:
    """Hold SIGINT and SIGTERM back in this thread, and SIGALRM, which repeats them; new processes do so for good."""
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
    work: Callable[[Item], Result], items: Iterable[Item], n_jobs: int
) -> Generator[Result, None, None]:
    """Yield the result of each item, in their order, with only a few items read ahead of them.

    A single item is worked on in this process; inside `cluster` all items are sent to its workers.

    Parameters
    ----------
    work : callable
        Takes an item; processes must be able to import it.
    items : iterable
        They are read as workers become free.
    n_jobs : int
        Number of processes; below 1 counted back from the number of processors, -1 for all of them.
    """
    n_jobs = n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)
    remaining = iter(items)
    if _CLUSTER:
        client = _CLUSTER[-1]
        checked_work = partial(_work_on_cluster, work, __version__)
        submit = partial(client.submit, checked_work, pure=False)
        yield from _submit_ahead(
            submit, remaining, lambda: sum(client.ncores().values())
        )  # workers come and go
        return
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


def _map_processes(work: Callable[[Item], Result], items: Iterator[Item], n_jobs: int) -> Iterator[Result]:
    """Yield the result of each item, in their order, by processes of this machine."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context, resource_tracker

    method = _start_method()
    if method != "fork":
        resource_tracker.ensure_running()  # it would let SIGINT through again where it begins
    pool = ProcessPoolExecutor(n_jobs, get_context(method), _begin_worker, (work,))

    def submit(item: Item) -> Any:
        """Submit an item to the pool."""
        with hold_interruptions():  # which would lock the pool up, and a worker would print where it was
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


def _begin_worker(work: Callable[[Any], Any]) -> None:
    """Begin as a worker: BLAS has one thread, and the worker ends with its parent, which alone is interrupted."""
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


# --- a cluster ---

_CLUSTER: list[Any] = []
"""The client of the cluster that work goes to, if there is one."""


def uses_cluster() -> bool:
    """Whether work goes to a cluster."""
    return bool(_CLUSTER)


_ONE_ITEM_AT_A_TIME = threading.Lock()
"""A worker of dask may have many threads, but Python's warnings, which the work collects, are of the whole process."""

_SECONDS_TO_WAIT = 10
"""Seconds that a scheduler, and its first worker, are waited for."""


@contextmanager
def cluster(address: str) -> Iterator[None]:
    """Send the work of a block, and what joblib does in it, to the workers of a dask scheduler."""
    client = _connect(address)
    from concurrent.futures import CancelledError

    from distributed.comm import CommClosedError
    from distributed.scheduler import KilledWorker
    from joblib import parallel_config

    _CLUSTER.append(client)
    try:
        client.wait_for_workers(1, timeout=_SECONDS_TO_WAIT)
        with parallel_config(backend="dask", client=client):
            yield
    except TimeoutError:
        raise ConnectionError(f"{address}: the scheduler has no worker; expected at least one") from None
    except (CancelledError, CommClosedError):
        raise ConnectionError(f"{address}: the scheduler stopped before the work was done") from None
    except KilledWorker as error:
        raise InputError(
            f"several workers ended at the same part of the work ({error.last_worker})"
        ) from None
    finally:
        _CLUSTER.clear()
        client.close(timeout=_SECONDS_TO_WAIT)


def _connect(address: str) -> Any:
    """Connect to a scheduler, after greeting it: a client that fails to connect would leave a thread behind."""
    import asyncio
    import socket

    try:
        from distributed import Client
        from distributed.comm import connect, get_address_host_port
        from distributed.security import Security
    except ModuleNotFoundError:
        raise UsageError("--scheduler needs dask: pip install classy-aesop[dask]") from None
    for name in ("distributed", "distributed.client", "distributed.core"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)

    async def greet() -> None:  # the client waits for an answer without end
        """Open a connection, and close it."""
        comm = await connect(address, timeout=_SECONDS_TO_WAIT, **Security().get_connection_args("client"))
        await comm.close()

    try:
        host_and_port = get_address_host_port(address)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"--scheduler {address}: {error}; expected HOST:PORT") from None
    try:
        socket.getaddrinfo(*host_and_port)
        asyncio.run(asyncio.wait_for(greet(), _SECONDS_TO_WAIT))
        return Client(address, timeout=_SECONDS_TO_WAIT, set_as_default=False)
    except Exception:  # dask takes the first bytes of any server for the length of a message
        raise ConnectionError(f"{address}: no scheduler of dask answers; expected HOST:PORT of one") from None


def _work_on_cluster(work: Callable[[Any], Any], version: str, item: Any) -> Any:
    """Work on another machine, whose version of this package must be the same."""
    if version != __version__:
        raise InputError(f"a worker has classy-aesop {__version__}; expected {version}, as here")
    with _ONE_ITEM_AT_A_TIME:
        return work(item)


# --- memory ---


def keep_freed_memory() -> None:
    """Let glibc keep what is freed, up to 63 MB: features take up to 1.11 times, searches 1.12 times as long else."""
    import numpy as np

    np.empty(63 << 19, np.uint8)
