"""Work on one part after the other by the workers of a dask scheduler, and what is said where these fail.

What a cluster did is never lost: once its workers cannot do a part, none remains, or the scheduler stopped, all that is
left is done on this machine. The reason is said in one line. Dask is loaded when it is needed.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Any, TypeVar

from classy_aesop.errors import UsageError, warn
from classy_aesop.version import __version__

WorkItem = TypeVar("WorkItem")
WorkResult = TypeVar("WorkResult")

MAX_SECONDS_TO_CONNECT = 10.0
"""Seconds that a scheduler, its first worker and its answers are waited for."""

MAX_SECONDS_WITHOUT_WORKER = 10.0
"""Seconds that another worker is waited for where none is left."""

SECONDS_BETWEEN_CHECKS = 2.0
"""Seconds between looks at the cluster while a result is waited for."""

ITEMS_PER_WORKER = 2
"""Items for each worker that are begun or wait, so that memory does not depend on how many there are."""

_CLUSTERS: list[Cluster] = []
"""The cluster that work goes to, if there is one."""


def current_cluster() -> Cluster | None:
    """Return the cluster that work goes to, if there is one."""
    return _CLUSTERS[-1] if _CLUSTERS else None


@contextmanager
def cluster(address: str) -> Iterator[None]:
    """Send the work of a block to the workers of a dask scheduler."""
    client = connect_client(address)
    try:
        try:
            client.wait_for_workers(1, timeout=MAX_SECONDS_TO_CONNECT)
        except TimeoutError:
            raise ConnectionError(f"{address}: the scheduler has no worker; expected at least one") from None
        check_workers(client)
        _CLUSTERS.append(Cluster(client, address))
        yield
    finally:
        _CLUSTERS.clear()
        client.close(timeout=MAX_SECONDS_TO_CONNECT)


def connect_client(address: str) -> Any:
    """Connect to a scheduler, after greeting it: a client that fails to connect would leave a thread behind."""
    import asyncio
    import socket

    try:
        from distributed import Client
        from distributed.comm import connect, get_address_host_port
        from distributed.security import Security
    except ModuleNotFoundError:
        raise UsageError("--scheduler needs dask: pip install 'dask[distributed]'") from None
    for name in ("asyncio", "distributed", "distributed.client", "distributed.core"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)

    async def greet() -> None:  # the client waits for an answer without end
        """Open a connection, and close it."""
        comm = await connect(
            address, timeout=MAX_SECONDS_TO_CONNECT, **Security().get_connection_args("client")
        )
        await comm.close()

    try:
        host_and_port = get_address_host_port(address)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"--scheduler {address}: {error}; expected HOST:PORT") from None
    try:
        socket.getaddrinfo(*host_and_port)
        asyncio.run(asyncio.wait_for(greet(), MAX_SECONDS_TO_CONNECT))
        return Client(address, timeout=MAX_SECONDS_TO_CONNECT, set_as_default=False)
    except Exception:  # dask takes the first bytes of any server for the length of a message
        raise ConnectionError(f"{address}: no scheduler of dask answers; expected HOST:PORT of one") from None


_VERSION_OF_WORKER = "__import__('classy_aesop.version', fromlist=['version']).__version__"
"""Evaluated by a worker, which may lack this package and could then load no function of it."""


def check_workers(client: Any) -> None:
    """Raise `ConnectionError` for a worker that lacks this package or has another version of it."""
    versions = client.run(eval, _VERSION_OF_WORKER, on_error="return")
    for worker, version in versions.items():
        if isinstance(version, Exception):
            raise ConnectionError(
                f"{worker}: this worker cannot load classy-aesop ({version}); expected {__version__}, as here"
            )
        if version != __version__:
            raise ConnectionError(
                f"{worker}: this worker has classy-aesop {version}; expected {__version__}, as here"
            )


class ClusterLostError(Exception):
    """Nothing more is done by a cluster; the message says why."""


class Cluster:
    """Workers of a scheduler, which may come and go."""

    def __init__(self, client: Any, address: str) -> None:
        self.client = client
        self.address = address
        self.is_lost = False
        self._n_threads = 1
        self._last_check = float("-inf")

    def map_until_lost(
        self, work: Callable[[WorkItem], WorkResult], items: Iterator[WorkItem]
    ) -> Generator[WorkResult, None, Iterator[WorkItem]]:
        """Yield the result of each item, in their order, with only a few items sent ahead of them."""
        sent: deque[tuple[WorkItem, Any]] = deque()
        submit = partial(self.client.submit, partial(work_on_cluster, work, __version__), pure=False)
        try:
            for item in items if not self.is_lost else ():
                sent.append((item, submit(item)))
                while len(sent) > ITEMS_PER_WORKER * self._count_threads():
                    yield self._wait(sent[0][1])
                    sent.popleft()
            while sent:
                yield self._wait(sent[0][1])
                sent.popleft()
        except ClusterLostError as error:
            self.is_lost = True
            warn(f"{self.address}: {error}; what is left is done on this machine")
        items_left = [item for item, _ in sent]
        sent.clear()  # the cluster forgets what it still works on
        return chain(items_left, items)

    def _wait(self, future: Any) -> Any:
        """Wait for a result while there are workers."""
        from distributed import CancelledError
        from distributed.comm import CommClosedError
        from distributed.scheduler import KilledWorker

        while True:
            try:
                return future.result(timeout=SECONDS_BETWEEN_CHECKS)
            except (CancelledError, CommClosedError):
                raise ClusterLostError(_SCHEDULER_STOPPED) from None
            except KilledWorker:
                raise ClusterLostError(
                    "several workers ended at the same part, perhaps for lack of memory"
                ) from None
            except MemoryError:
                raise ClusterLostError("a worker has too little memory for a part") from None
            except TimeoutError:
                if future.status == "error":
                    raise
                self._check()  # a result that was lost with its worker is computed again

    def _count_threads(self) -> int:
        """Return how many items the workers do at a time, as seen at the last check."""
        if time.monotonic() - self._last_check > SECONDS_BETWEEN_CHECKS:
            self._check()
        return self._n_threads

    def _check(self) -> None:
        """Raise `ClusterLostError` unless the scheduler answers and has a worker, or gets one soon."""
        end = time.monotonic() + MAX_SECONDS_WITHOUT_WORKER
        while True:
            try:
                threads = self.client.sync(
                    self.client.scheduler.ncores, callback_timeout=MAX_SECONDS_TO_CONNECT
                )
            except Exception:
                raise ClusterLostError(_SCHEDULER_STOPPED) from None
            self._last_check = time.monotonic()
            self._n_threads = sum(threads.values())
            if self._n_threads:
                return
            if self._last_check > end:
                raise ClusterLostError("the scheduler has no worker left")
            time.sleep(SECONDS_BETWEEN_CHECKS / 4)


_SCHEDULER_STOPPED = "the scheduler stopped before the work was done"

_ONE_ITEM_AT_A_TIME = threading.Lock()
"""A worker of dask may have many threads, but Python's warnings, which the work collects, are of the whole process."""


def work_on_cluster(work: Callable[[Any], Any], version: str, item: Any) -> Any:
    """Work on an item on another machine, whose version of this package must be the same."""
    if version != __version__:
        raise ClusterLostError(f"a worker has classy-aesop {__version__}; expected {version}, as here")
    with _ONE_ITEM_AT_A_TIME:
        return work(item)
