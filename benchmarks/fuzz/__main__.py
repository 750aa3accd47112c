"""Run the fuzzer: how many inputs of each kind, how they ended, and what was wrong, with the seed of each."""

import argparse
import random
import re
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

from benchmarks.fuzz import commands, files
from benchmarks.fuzz.kinds import READERS
from benchmarks.fuzz.reports import report_folder, report_tables
from benchmarks.fuzz.sheets import SHEETS
from benchmarks.fuzz.surroundings import Surroundings

MOST_SECONDS = 10
"""Of processor time that one input may take; a command that learns may take `MOST_LEARNING`."""

MOST_LEARNING = 600

MOST_WAITING = 600
"""Seconds until an input counts as a hang, though it takes no processor time."""

MOST_MEMORY = 4 * 2**30
GOOD = ("done", "refused")
COMMAND = "classy-aesop "
LEARNING = ("study coefficients", "report")
"""Commands that take a second, and so get few inputs."""

PREPARED = {"report folder": report_folder, "report tables": report_tables}
"""Commands whose files are prepared, each with what runs one; they have the folder of the command lines."""

SLOW = {
    "scores nist": 200,
    "scores aesop": 500,
    "corpus jsonl": 500,
    **dict.fromkeys(SHEETS, 500),
    "report folder": 100,
    "report tables": 300,
}
"""Kinds that take several milliseconds, and how often each stands in a round."""


def kinds() -> dict[str, int]:
    """Give how often each kind of input stands in a round: files often, commands seldom."""
    found = {f"{COMMAND}{name}": 1 if name in LEARNING else 50 for name in commands.commands()}
    return {**dict.fromkeys(READERS, 1000), **SLOW, **found}


def inputs(names: Sequence[str]) -> Iterator[str]:
    """Give the kind of each input, one round after the other, for ever."""
    weights = kinds()
    round = [name for name in names for _ in range(weights[name])]
    random.Random(0).shuffle(round)
    return cycle(round)


def run(
    count: int, seed: int, names: Sequence[str], *, as_program: bool = False
) -> Iterator[tuple[str, str, str]]:
    """Give for each input its kind, its own seed and its outcome.

    The n-th input of a kind is the same, whichever kinds there are.
    """
    seen: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        around = _surroundings(Path(place), names)
        with chdir(around.folder):
            for name in islice(inputs(names), count):
                own = f"{seed}-{seen[name]}"
                seen[name] += 1
                yield name, own, _ended(name, own, around, as_program=as_program)


def _surroundings(place: Path, names: Sequence[str]) -> Surroundings:
    """Make what commands need; an empty folder if there is none."""
    if any(name.startswith(COMMAND) or name in PREPARED for name in names):
        return Surroundings.make(place)
    return Surroundings(place, place, {})


def _ended(name: str, seed: str, around: Surroundings, *, as_program: bool) -> str:
    command = name.removeprefix(COMMAND)
    for one in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(one, _too_long)
    signal.setitimer(signal.ITIMER_PROF, MOST_LEARNING if command in LEARNING else MOST_SECONDS)
    signal.alarm(MOST_WAITING)
    try:
        if name in PREPARED:
            return PREPARED[name](seed, around)
        if command == name:
            return files.outcome(name, seed, around.kept)
        return commands.outcome(command, seed, around, as_program=as_program)
    except TooLong:
        return "too long"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)


def main() -> None:
    """Print what was found: each kind of error once, with the first seed; then a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--kind", action="append", help="only this kind, or those that begin so; may be repeated"
    )
    parser.add_argument("--list", action="store_true", help="print the kinds")
    parser.add_argument(
        "--as-program",
        action="store_true",
        help="only commands, each run as a program too: both must do the same",
    )
    options = parser.parse_args()
    names = [
        name
        for name in kinds()
        if name.startswith(tuple(options.kind or [""]))
        and (name.startswith(COMMAND) or not options.as_program)
    ]
    if options.list:
        print(*names, sep="\n")
        return
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    for one in (signal.SIGTERM, signal.SIGINT):
        signal.signal(one, _stop)
    _report(run(options.inputs, options.seed, names, as_program=options.as_program))


def _report(found: Iterator[tuple[str, str, str]]) -> None:
    """Print what was wrong as it comes, and a table at the end, or when the run is stopped."""
    counts: Counter[tuple[str, str]] = Counter()
    told = set()
    started = time.process_time()
    try:
        for name, seed, outcome in found:
            counts[name, outcome if outcome in GOOD else "wrong"] += 1
            key = name, _cause(outcome)
            if outcome not in GOOD and key not in told:
                told.add(key)
                print(f"{name}, seed {seed}: {outcome}", flush=True)
    except _Stopped:
        print("stopped")
    taken = time.process_time() - started
    columns = (*GOOD, "wrong")
    print(f"\n{'kind':34}{'inputs':>9}{''.join(f'{one:>9}' for one in columns)}")
    for name in [*dict.fromkeys(name for name, _ in sorted(counts)), "all"]:
        own = [
            sum(n for (kind, how), n in counts.items() if how == one and name in (kind, "all"))
            for one in columns
        ]
        print(f"{name:34}{sum(own):9,}{''.join(f'{n:9,}' for n in own)}")
    print(f"{taken:.0f} seconds of processor time")


def _cause(outcome: str) -> str:
    """Give what is wrong and where, without what differs from input to input."""
    where = re.match(r".*? at \w+\.py:\d+", outcome)
    return where[0] if where else outcome.partition(": ")[0]


class _Stopped(BaseException):
    """The run is to end; no command may take it for its own Ctrl-C."""


def _stop(*_: object) -> None:
    raise _Stopped


class TooLong(BaseException):
    """An input takes too long; the program must not take it for a fault of its own."""


def _too_long(*_: object) -> None:
    raise TooLong


if __name__ == "__main__":
    main()
