"""Kill a search and a stream of predictions at random moments, repeat the command, and compare the bytes.

    python -m benchmarks.faults --kills 200 --seed 1

Each command runs in a child that is forked after all imports, so that a kill falls into its work. After each kill
every file must be whole or absent and foreign files as they were; the command is repeated until it ends, and what it
wrote must equal what an uninterrupted run writes.
"""

import argparse
import contextlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from benchmarks.fuzz.surroundings import ORIGINALS, Surroundings
from classy_aesop.cli import main as command
from classy_aesop.cli.interrupted import interrupt
from classy_aesop.data import streaming
from classy_aesop.work.atomic import is_complete

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
BLOCK_BYTES = 30_000
"""Bytes of a block of the stream, so that a small file has many blocks."""

Bytes = dict[str, bytes]


@dataclass(frozen=True)
class Work:
    """A command that is killed: its words, what it writes, and whether that is a folder with a manifest."""

    name: str
    words: tuple[str, ...]
    output: Path

    def written(self) -> Bytes:
        """Give the output's files; nothing if it is a folder without some that it lists."""
        if self.output.is_file():
            return {self.output.name: self.output.read_bytes()}
        if not is_complete(self.output):
            return {}
        return {str(path.relative_to(self.output)): path.read_bytes() for path in _files(self.output)}


def _files(folder: Path) -> list[Path]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return [
        path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]


def start(work: Work) -> int:
    """Begin the command in a child; give the child's number."""
    child = os.fork()
    if child:
        return child
    code = 70
    with contextlib.suppress(BaseException):
        for one in (signal.SIGINT, signal.SIGTERM):
            signal.signal(one, interrupt)
        for number in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), number)
        code = command(work.words)
    os._exit(code)


def ended(child: int) -> int:
    """Wait for a child; give its exit code, negative if a signal ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def killed(work: Work, wait: float, how: signal.Signals) -> int:
    """Begin the command and kill it after some seconds; give its exit code."""
    child = start(work)
    time.sleep(wait)
    os.kill(child, how)
    return ended(child)


def faults(work: Work, kills: int, rng: random.Random, foreign: Path) -> Counter[str]:
    """Kill the command so often at random moments; raise `RuntimeError` for what must not be."""
    began = time.perf_counter()
    if ended(start(work)) != 0:
        raise RuntimeError(f"{work.name} fails by itself")
    longest = time.perf_counter() - began
    expected, untouched = work.written(), foreign.read_bytes()
    _remove(work)
    counts: Counter[str] = Counter()
    while sum(counts[one.name] for one in SIGNALS) < kills:
        how = rng.choice(SIGNALS)
        code = killed(work, rng.uniform(0, longest), how)
        if code == 0:
            counts["ended before"] += 1
        elif code in (-how, 128 + how):
            counts[how.name] += 1
        else:
            raise RuntimeError(f"{work.name}: exit code {code} after {how.name}")
        found = work.written()
        if found not in ({}, expected) or foreign.read_bytes() != untouched:
            raise RuntimeError(f"{work.name}: other bytes after {how.name}")
        counts["whole" if found else "absent"] += 1
        if code == 0 or rng.random() < 0.2:  # repeat it to the end, and begin anew
            if ended(start(work)) != 0 or work.written() != expected:
                raise RuntimeError(f"{work.name}: other bytes when repeated after {how.name}")
            counts["repeated to the end"] += 1
            counts["hidden files left"] += len(_hidden(work.output.parent))
            _remove(work)
    return counts


def _hidden(folder: Path) -> list[Path]:
    return list(folder.rglob(".classy-aesop-*"))


def _remove(work: Work) -> None:
    for path in sorted([work.output, *work.output.parent.glob(f"{work.output.name}.*")], reverse=True):
        for one in sorted(path.rglob("*"), reverse=True) if path.is_dir() else ():
            one.rmdir() if one.is_dir() else one.unlink()
        if path.exists():
            path.rmdir() if path.is_dir() else path.unlink()
    for path in _hidden(work.output.parent):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def works(folder: Path) -> list[Work]:
    """Give the commands that are killed, on small made-up years."""
    place = Surroundings.make(folder).folder / ORIGINALS
    out = folder / "out"
    out.mkdir()
    (out / "notes.txt").write_text("foreign\n")
    search = ("train", str(place / "one.toml"), "-q", "-o", str(out / "run"))
    stream = ("predict", str(place / "predictor.json"), str(min(place.glob("20*/summaries.jsonl"))))
    options = ("-q", "-o", str(out / "scores.tsv"))
    return [
        Work("search (train)", search, out / "run"),
        Work("stream (predict)", (*stream, *options), out / "scores.tsv"),
    ]


def main() -> None:
    """Print how often each command was killed by what, and what was found then."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="of each command")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    small = mock.patch.multiple(streaming, SIZE=BLOCK_BYTES, HELD=0)
    with small, tempfile.TemporaryDirectory() as folder:
        for work in works(Path(folder)):
            rng = random.Random(f"{options.seed} {work.name}")
            counts = faults(work, options.kills, rng, Path(folder) / "out" / "notes.txt")
            print(f"{work.name}: " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
