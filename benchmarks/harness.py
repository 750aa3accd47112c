"""Timing of contestants in rounds: each runs once per round, in alternating order; ratios are within a round.

The load of a machine changes from minute to minute; within a round it affects all contestants equally, and it
affects process CPU time less than wall time. The CPU ratios are therefore the main figures.
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
    """Seconds of the whole job, and what the work returned."""

    cpu: float
    wall: float
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
        cpu, wall = cpu_seconds(), time.perf_counter()
        value = contestant.work()
        cpu, wall = cpu_seconds() - cpu, time.perf_counter() - wall
    return Run(cpu / contestant.share, wall / contestant.share, value)


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


def ratio(peer: Sequence[Run], ours: Sequence[Run], clock: str = "cpu") -> Spread:
    """How many times the peer's seconds are ours, round by round; ``clock`` is cpu or wall."""
    pairs = zip(peer, ours, strict=True)
    return Spread.of([getattr(p, clock) / max(getattr(o, clock), 1e-9) for p, o in pairs])


def peak_megabytes() -> float:
    """Largest resident memory of this process so far, in MB of 2^20 bytes.

    This is the kernel's figure for this process if it has one, since ``ru_maxrss`` of a child includes its parent's.
    """
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            marks = [line.split()[1] for line in status if line.startswith("VmHWM:")]
    except FileNotFoundError:
        marks = []
    kilobytes = int(marks[0]) if marks else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes / 1024
