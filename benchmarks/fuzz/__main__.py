"""Run the fuzzer: how many inputs of each kind, how they ended, and what was wrong, with the seed of each."""

import argparse
import resource
import signal
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import chdir
from itertools import cycle, islice
from pathlib import Path

from benchmarks.fuzz.command_lines import commands, make_folder, run_line
from benchmarks.fuzz.readers import READERS, read_corrupted

MAX_CPU_SECONDS = 10
"""Of one input; a command that learns may take `MAX_SECONDS`."""

MAX_SECONDS = 600
MAX_MEMORY_BYTES = 4 * 2**30
GOOD = ("done", "refused")
LEARNING = ("study all", "study coefficients", "study retraining", "train", "report")
"""Commands that take a second, and so stand in one round of fifty."""

FILES_PER_LINE = 25
"""Files of each kind that are read for one line of each command."""


def input_kinds(names: Sequence[str]) -> Iterator[str]:
    """Give the kind of each input, for ever: files often, command lines seldom."""
    for round_number in cycle(range(50)):
        for name in names:
            if name in READERS:
                yield from [name] * FILES_PER_LINE
            elif round_number == 0 or name not in LEARNING:
                yield name


def run(n_inputs: int, seed: int, names: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Give for each input its kind, its own seed and its outcome; the n-th input of a kind is always the same."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folder, scratch = Path(place) / "lines", Path(place) / "files"
        make_folder(folder)
        scratch.mkdir()
        with chdir(folder):
            for name in islice(input_kinds(names), n_inputs):
                own_seed = f"{seed}-{counts[name]}"
                counts[name] += 1
                yield name, own_seed, _outcome(name, own_seed, folder, scratch)


def _outcome(name: str, seed: str, folder: Path, scratch: Path) -> str:
    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, _stop)
    signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS if name in LEARNING else MAX_CPU_SECONDS)
    signal.alarm(MAX_SECONDS)
    try:
        return read_corrupted(name, seed, scratch) if name in READERS else run_line(name, seed, folder)
    except _Timeout:
        return "too long"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)


class _Timeout(BaseException):
    """An input takes too long; no command may take it for a fault of its own."""


def _stop(*_: object) -> None:
    raise _Timeout


def main() -> None:
    """Print each kind of error once, with the first seed; then a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", default="", help="only kinds that begin so: of files, or commands")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    names = [name for name in (*READERS, *commands()) if name.startswith(options.kind)]
    counts: dict[str, Counter[str]] = {name: Counter() for name in names}
    causes = set()
    start = time.process_time()
    for name, seed, outcome in run(options.inputs, options.seed, names):
        counts[name][outcome if outcome in GOOD else "wrong"] += 1
        cause = name, outcome[:40]
        if outcome not in GOOD and cause not in causes:
            causes.add(cause)
            print(f"{name}, seed {seed}: {outcome}", flush=True)
    print(f"\n{'kind':30}{'inputs':>9}{'done':>9}{'refused':>9}{'wrong':>9}")
    for name, kind in {**counts, "all": sum(counts.values(), Counter())}.items():
        print(f"{name:30}{kind.total():9,}{kind['done']:9,}{kind['refused']:9,}{kind['wrong']:9,}")
    print(f"{time.process_time() - start:.0f} seconds of processor time")


if __name__ == "__main__":
    main()
