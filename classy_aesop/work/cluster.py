"""Work on one part after the other by the workers of a dask scheduler, and what is said where these fail.

What a cluster did is never lost. A part that its workers cannot do is done on this machine; so is all that is left once
the scheduler stopped or no worker remains. Each reason is said once, in one line. Dask is loaded when it is needed.
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

from classy_aesop.errors import InputError, UsageError, warn
from classy_aesop.version import __version__

WorkItem = TypeVar("WorkItem")
WorkResult = TypeVar("WorkResult")

MAX_SECONDS_TO_CONNECT = 10.0
"""Seconds that a scheduler, its first worker and its answers are waited for."""

MAX_SECONDS_WITHOUT_WORKER = 10.0
"""Seconds that another worker is waited for where none is left."""

SECONDS_BETWEEN_CHECKS = 2.0
"""Seconds between looks at the cluster while a result is waited for."""

MAX_FAILED_PARTS = 3
"""Parts that workers could not do, from which no more are sent: each may cost the restart of several workers."""

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


class PartFailedError(Exception):
    """The workers of a cluster cannot do one part; the message says why."""


class Cluster:
    """Workers of a scheduler, which may come and go."""

    def __init__(self, client: Any, address: str) -> None:
        self.client = client
        self.address = address
        self.is_lost = False
        self._messages: set[str] = set()
        self._n_failed_parts = 0
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
                    yield self._result_of(work, *sent[0])
                    sent.popleft()
            while sent:
                yield self._result_of(work, *sent[0])
                sent.popleft()
        except ClusterLostError as error:
            self.is_lost = True
            self._warn_once(f"{error}; what is left is done on this machine")
        items_left = [item for item, _ in sent]
        sent.clear()  # the cluster forgets what it still works on
        return chain(items_left, items)

    def _result_of(self, work: Callable[[WorkItem], WorkResult], item: WorkItem, future: Any) -> WorkResult:
        """Wait for the result of an item, or compute it here if the workers cannot."""
        try:
            result: WorkResult = self._wait(future)
            return result
        except PartFailedError as error:
            self._n_failed_parts += 1
            if self._n_failed_parts == MAX_FAILED_PARTS:
                raise ClusterLostError(f"{error}, {MAX_FAILED_PARTS} times") from None
            self._warn_once(f"{error}; the part is done on this machine")
        try:
            return work(item)
        except MemoryError:
            raise InputError("a part does not fit into the memory of this machine either") from None

    def _wait(self, future: Any) -> Any:
        """Wait for a result while there are workers."""
        from distributed import CancelledError
        from distributed.comm import CommClosedError

        while True:
            try:
                outcome = future.result(timeout=SECONDS_BETWEEN_CHECKS)
                break
            except (CancelledError, CommClosedError):
                raise ClusterLostError(
                    f"{self.address}: the scheduler stopped before the work was done"
                ) from None
            except Exception as error:
                if isinstance(error, TimeoutError) and future.status != "error":
                    self._check()  # a result that was lost with its worker is computed again
                    continue
                reason = explain_failure(error)
                if reason is None:
                    raise
                raise PartFailedError(f"{self.address}: {reason}") from None
        if isinstance(outcome, OtherVersion):
            raise PartFailedError(
                f"{self.address}: a worker has classy-aesop {outcome.version}; expected {__version__}, as here"
            )
        return outcome

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
                raise ClusterLostError(
                    f"{self.address}: the scheduler stopped before the work was done"
                ) from None
            self._last_check = time.monotonic()
            self._n_threads = sum(threads.values())
            if self._n_threads:
                return
            if self._last_check > end:
                raise ClusterLostError(f"{self.address}: the scheduler has no worker left")
            time.sleep(SECONDS_BETWEEN_CHECKS / 4)

    def _warn_once(self, message: str) -> None:
        """Warn of what the cluster could not do, once for each message."""
        if message not in self._messages:
            self._messages.add(message)
            warn(message)


def explain_failure(error: Exception) -> str | None:
    """Say in a few words why workers could not do a part; None for an error of the work itself."""
    from distributed.scheduler import KilledWorker

    if isinstance(error, KilledWorker):
        return "several workers ended at the same part, perhaps for lack of memory"
    if isinstance(error, MemoryError):
        return "a worker has too little memory for a part"
    reasons = (error, error.__cause__, error.__context__)
    unloaded = next((reason for reason in reasons if isinstance(reason, (ImportError, AttributeError))), None)
    if unloaded is not None and ("classy_aesop" in str(unloaded) or "deserializ" in str(error)):
        return f"a worker cannot load classy-aesop ({unloaded}); expected {__version__}, as here"
    return None


class OtherVersion:
    """What a worker gives instead of a result if its version of this package is another one."""

    def __init__(self, version: str) -> None:
        self.version = version


_ONE_ITEM_AT_A_TIME = threading.Lock()
"""A worker of dask may have many threads, but Python's warnings, which the work collects, are of the whole process."""


def work_on_cluster(work: Callable[[Any], Any], version: str, item: Any) -> Any:
    """Work on an item on another machine, whose version of this package must be the same."""
    if version != __version__:
        return OtherVersion(__version__)
    with _ONE_ITEM_AT_A_TIME:
        return work(item)
