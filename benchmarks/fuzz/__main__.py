"""Run the fuzzer: how many inputs, how many were read, and what was wrong, with the seed of each."""

import argparse
import random
import resource
import signal
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.fuzz.mutations import spoiled
from benchmarks.fuzz.readers import READERS
from classy_aesop.errors import UsageError

MOST_SECONDS = 5
MOST_MEMORY = 4 * 2**30
LONGEST_MESSAGE = 2000


def outcome(name: str, seed: str, folder: Path) -> str:
    """Read one spoiled file: ``read``, ``refused``, or what is wrong with how it ended."""
    reader = READERS[name]
    path = folder / reader.file
    path.write_bytes(reader.finished(spoiled(reader.content, random.Random(seed))))
    try:
        return "read" if reader.read(path) else "unsound: what was read does not hold together"
    except (ValueError, FileNotFoundError) as error:
        return _judged(error, path)
    except Exception as error:
        return _told(error)


def _judged(error: Exception, path: Path) -> str:
    """Whether an error is one of ours that names its place in a line."""
    message = str(error)
    if type(error).__name__ not in ("InputError", "UsageError", "FileNotFoundError"):
        return _told(error)
    if not isinstance(error, UsageError) and path.name not in message:
        return f"no place: {_told(error)}"
    return "refused" if len(message) <= LONGEST_MESSAGE else f"long message: {_told(error)}"


def _told(error: Exception) -> str:
    frames = [one for one in traceback.extract_tb(error.__traceback__) if "classy_aesop" in one.filename]
    last = frames[-1] if frames else traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}: {str(error)[:120]!r}"


def run(inputs: int, seed: int, names: list[str]) -> Iterator[tuple[str, str, str]]:
    """Give for each input its reader, its own seed and its outcome."""
    with tempfile.TemporaryDirectory() as place, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for at in range(inputs):
            name = names[at % len(names)]
            own = f"{seed}-{at // len(names)}"
            yield name, own, outcome(name, own, Path(place))


def main() -> None:
    """Print what was found: each kind once, with the first seed and how often."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reader", action="append", choices=READERS)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    signal.signal(signal.SIGALRM, _too_long)
    counts: Counter[str] = Counter()
    first: dict[tuple[str, str], tuple[str, str]] = {}
    started = time.process_time()
    signal.alarm(MOST_SECONDS)
    for name, seed, found in run(options.inputs, options.seed, options.reader or list(READERS)):
        signal.alarm(MOST_SECONDS)
        counts[found if found in ("read", "refused") else "wrong"] += 1
        if found not in ("read", "refused"):
            key = name, found.partition(": ")[0] if not found.startswith("no place") else found.split(": ")[1]
            if key not in first:
                first[key] = seed, found
                print(f"{name}, seed {seed}: {found}", flush=True)
    told = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
    print(f"{sum(counts.values())} inputs in {time.process_time() - started:.0f} s: {told}")


def _too_long(*_: object) -> None:
    raise RuntimeError(f"longer than {MOST_SECONDS} seconds")


if __name__ == "__main__":
    main()
