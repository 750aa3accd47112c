"""Timing of contestants in rounds: each runs once per round, in alternating order; ratios are within a round.

The load of a machine changes from minute to minute; within a round it affects all contestants equally, and it
affects CPU time less than wall time. The ratios are therefore of CPU time.
"""

from __future__ import annotations

import gc
import multiprocessing
import resource
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from statistics import median
from typing import Any


@dataclass(frozen=True)
class Contestant:
    """Some work, and which share of the whole job it is: 0.1 for a tenth, 5 for the whole job five times over."""

    work: Callable[[], Any]
    share: float = 1.0


@dataclass(frozen=True)
class Run:
    """CPU seconds of the whole job, and what the work returned."""

    cpu: float
    value: Any


@dataclass(frozen=True)
class Spread:
    """Median and range of some numbers."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Spread:
        """Summarize one number or more."""
        return cls(median(numbers), min(numbers), max(numbers))


Runner = Callable[[Contestant], Run]


def cpu_seconds() -> float:
    """CPU time of this process and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def run_here(contestant: Contestant) -> Run:
    """Run in this process with one BLAS thread. Rivals warn of what they do not settle; that is not measured here."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = cpu_seconds()
        value = contestant.work()
        cpu = cpu_seconds() - start
    return Run(cpu / contestant.share, value)


def run_apart(contestant: Contestant) -> Run:
    """Run in a fork of this process, which has its data but does not pass on what the work caches, such as stems."""
    fork = multiprocessing.get_context("fork")
    ours, theirs = fork.Pipe(duplex=False)
    child = fork.Process(target=_send, args=(theirs, contestant))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the BLAS threads that may be there are idle
        child.start()
    theirs.close()
    try:
        run: Run = ours.recv()
    except EOFError:
        raise RuntimeError("a benchmark's process ended without a result; its error stands above") from None
    finally:
        child.join()
    return run


def _send(pipe: Connection, contestant: Contestant) -> None:
    gc.freeze()  # collecting would touch, and so copy, the pages that are shared with the parent
    pipe.send(run_here(contestant))


def rounds(
    contestants: Mapping[str, Contestant], n_rounds: int, run: Runner = run_here
) -> dict[str, list[Run]]:
    """Run everyone once a round; every second round goes backwards."""
    names = list(contestants)
    runs: dict[str, list[Run]] = {name: [] for name in names}
    for turn in range(n_rounds):
        for name in names if turn % 2 == 0 else reversed(names):
            runs[name].append(run(contestants[name]))
    return runs


def seconds(runs: Sequence[Run]) -> float:
    """Median CPU seconds of the whole job."""
    return median(run.cpu for run in runs)


def ratio(peer: Sequence[Run], ours: Sequence[Run]) -> Spread:
    """How many times the peer's CPU seconds are ours, round by round."""
    return Spread.of([p.cpu / max(o.cpu, 1e-9) for p, o in zip(peer, ours, strict=True)])
