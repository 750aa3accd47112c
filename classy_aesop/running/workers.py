"""Work on one piece after the other, by processes of this machine or by a dask cluster; results come in order."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from threading import Lock, Thread, current_thread
from threading import enumerate as enumerate_threads
from typing import TYPE_CHECKING, Any, TypeVar

from classy_aesop.errors import InputError, UsageError
from classy_aesop.running.progress import interruptions_held
from classy_aesop.version import __version__

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext

Item = TypeVar("Item")
Result = TypeVar("Result")

_AHEAD = 2
"""Items for each worker that are begun or wait, so that memory does not depend on how many there are."""


def in_order(
    work: Callable[[Item], Result], items: Iterable[Item], n_jobs: int
) -> Generator[Result, None, None]:
    """Give the result of each item, in their order; within `cluster` the work is done there.

    The first item is worked on in this process: the workers begin with what it loaded. -1 stands for as many workers as
    there are processors, -2 for one less, and so on.
    """
    n_jobs = n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)
    waiting = iter(items)
    if _CLUSTER:
        yield from _by_cluster(_CLUSTER[-1], work, waiting)
        return
    yield from map(work, waiting if n_jobs == 1 else islice(waiting, 1))
    if n_jobs > 1:
        yield from _by_processes(work, waiting, n_jobs)


def _queued(
    submit: Callable[[Item], Any], items: Iterable[Item], n_workers: Callable[[], int]
) -> Iterator[Any]:
    """Submit items ahead of the first whose result is not yet taken; give the results."""
    begun: deque[Any] = deque()
    for item in items:
        begun.append(submit(item))
        if len(begun) > _AHEAD * n_workers():
            yield begun.popleft().result()
    while begun:
        yield begun.popleft().result()


# --- processes of this machine ---


def _by_processes(work: Callable[[Item], Result], items: Iterator[Item], n_jobs: int) -> Iterator[Result]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    pool = ProcessPoolExecutor(n_jobs, _context(), initializer=_begin, initargs=(work,))

    def submit(item: Item) -> Any:
        with interruptions_held():  # which would lock the pool up, and a worker would print where it was
            return pool.submit(_worked, item)

    try:
        yield from _queued(submit, items, lambda: n_jobs)
        pool.shutdown()  # with its thread, next to which no other pool would fork
    except BrokenProcessPool:
        raise InputError(
            "a worker has ended unexpectedly, perhaps for lack of memory; expected fewer workers (-j)"
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _context() -> BaseContext:
    """Choose how workers begin: they are forked where that is safe, and otherwise begin afresh.

    A lock that another thread holds stays locked in a fork for ever. The thread of a progress bar is no danger: workers
    show none.
    """
    from multiprocessing import get_context, resource_tracker

    others = [one for one in enumerate_threads() if one is not current_thread()]
    if sys.platform == "linux" and all(type(one).__module__ == "tqdm._monitor" for one in others):
        return get_context("fork")
    resource_tracker.ensure_running()  # it would let SIGINT through again where it begins
    return get_context("spawn")


_WORK: list[Callable[[Any], Any]] = []
"""The work of this process, if it is a worker: it came with the process, not with each item."""


def _begin(work: Callable[[Any], Any]) -> None:
    """Begin as a worker: BLAS has one thread, and the worker ends with its parent, which alone is interrupted."""
    from threadpoolctl import threadpool_limits

    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    threadpool_limits(1)
    Thread(target=_end_with_parent, daemon=True).start()
    _WORK.append(work)


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _worked(item: Any) -> Any:
    return _WORK[-1](item)


# --- a cluster ---


def _by_cluster(client: Any, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Work at a scheduler, by its client; what a lost worker had begun is done by another."""

    def submit(item: Item) -> Any:
        return client.submit(_worked_elsewhere, work, item, __version__, pure=False)

    return _queued(submit, items, lambda: sum(client.ncores().values()))  # workers come and go


_CLUSTER: list[Any] = []
"""The client of the cluster that work goes to, if there is one."""


@contextmanager
def cluster(address: str) -> Iterator[None]:
    """Lead the work of a block, and what joblib does in it, to the workers of a scheduler.

    Raises
    ------
    UsageError
        If dask is not installed or the address makes no sense.
    ConnectionError
        If no scheduler or no worker answers, or it stops answering.
    """
    client = _connected(address)
    from concurrent.futures import CancelledError

    from distributed import TimeoutError
    from distributed.comm import CommClosedError
    from distributed.scheduler import KilledWorker
    from joblib import parallel_config

    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
        _CLUSTER.append(client)
        with parallel_config(backend="dask", client=client):
            yield
    except TimeoutError:
        raise ConnectionError(f"{address}: the scheduler has no worker; expected at least one") from None
    except (CancelledError, CommClosedError):
        raise ConnectionError(f"{address}: the scheduler has stopped before the work was done") from None
    except KilledWorker as error:
        raise InputError(
            f"several workers ended at the same part of the work ({error.last_worker})"
        ) from None
    finally:
        _CLUSTER.clear()
        client.close(timeout=_PATIENCE)


def _connected(address: str) -> Any:
    """Connect to a scheduler; what dask logs when one goes, `cluster` says in one line.

    An address that makes no sense, or at which something else answers or nothing, is found before: a client that fails
    leaves a thread, and its collection as garbage can lock up the next client.
    """
    try:
        from distributed import Client
        from distributed.comm import get_address_host_port
    except ModuleNotFoundError:
        raise UsageError("--scheduler needs dask: pip install classy-aesop[dask]") from None
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        socket.getaddrinfo(*get_address_host_port(address))
    except (ValueError, OverflowError) as error:
        raise UsageError(f"--scheduler {address}: {error}; expected HOST:PORT") from None
    except OSError:
        raise ConnectionError(_NO_SCHEDULER.format(address)) from None
    try:
        asyncio.run(asyncio.wait_for(_greet(address), _PATIENCE))
        return Client(address, timeout=_PATIENCE, set_as_default=False)
    except Exception:  # dask takes the first bytes of any server for the length of a message
        raise ConnectionError(_NO_SCHEDULER.format(address)) from None


async def _greet(address: str) -> None:
    """Exchange greetings with a server of dask; the client waits for an answer without end."""
    from distributed.comm import connect
    from distributed.security import Security

    comm = await connect(address, timeout=_PATIENCE, **Security().get_connection_args("client"))
    await comm.close()


_NO_SCHEDULER = "{}: no scheduler of dask answers; expected HOST:PORT of one"


_LOGGERS = ("distributed", "distributed.client", "distributed.core")

_PATIENCE = 10
"""Seconds that a scheduler, and its first worker, are waited for."""


def _worked_elsewhere(work: Callable[[Any], Any], item: Any, version: str) -> Any:
    """Work on another machine, which must do it as this one would."""
    if version != __version__:
        raise InputError(f"a worker has classy-aesop {__version__}; expected {version}, as here")
    with _ALONE:
        return work(item)


_ALONE = Lock()
"""A worker of dask may have many threads, but Python's warnings, which the work collects, are of the whole process."""
