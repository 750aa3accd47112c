"""Time to the first and the last answer of the three users' ways, with one or more installed releases.

The ways are the scripts of ``docs/examples``, whose tables are as people have them, and `prepared_ways`, whose tables
were reshaped by hand before: earlier releases read only these.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.data import Size
from benchmarks.prepared_ways import WAYS, prepare
from benchmarks.report import table
from benchmarks.stages import ROOT

TITLE = "Three users' ways"

EXAMPLES = ROOT / "docs" / "examples"
NAMES = {
    "metric_scores": "a table of metric scores",
    "notebook": "a notebook",
    "three_raters": "three raters and 500 outputs, with training",
}
"""The ways, by the names of their scripts."""


@dataclass(frozen=True)
class Answers:
    """Seconds to the first answer and to the last on the clock, CPU seconds of all; why and where it stopped."""

    first: float
    last: float
    cpu: float
    error: str = ""


def ask(command: Sequence[str]) -> Answers:
    """Run a script in a fresh process; an answer is a line on standard output that is no command."""
    first = None
    place = ""
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=ROOT, env=environment
        )
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("$ "):
                place = " ".join(line.split()[1:3])
            elif first is None:
                first = time.perf_counter() - start
        _, status, usage = os.wait4(process.pid, 0)
        last = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = [line.strip() for line in errors if re.match(r"classy-aesop.*: error: |\w+Error", line)]
    error = f"`{place or 'a cell'}`: {_plain(said[0] if said else 'failed')}" if process.returncode else ""
    return Answers(last if first is None else first, last, usage.ru_utime + usage.ru_stime, error)


def _plain(error: str) -> str:
    """Give what an error says, its files without their folders."""
    return re.sub(r"\S*/", "", error.removeprefix("classy-aesop: error: "))


def measure(pythons: Sequence[str], n_rounds: int) -> dict[tuple[str, bool, str], list[Answers]]:
    """Go each way with each interpreter, in turns; by the way, whether its tables are prepared, and the interpreter."""
    found: dict[tuple[str, bool, str], list[Answers]] = {}
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        for turn in range(n_rounds):
            for name in NAMES:
                for python in pythons if turn % 2 == 0 else reversed(pythons):
                    out = str(Path(folder, f"{name}-{turn}-{pythons.index(python)}"))
                    own = [python, str(EXAMPLES / f"{name}.py"), out]
                    by_hand = [python, str(ROOT / "benchmarks" / "prepared_ways.py"), name, folder, out]
                    found.setdefault((name, False, python), []).append(ask(own))
                    found.setdefault((name, True, python), []).append(ask(by_hand))
    return found


def text(size: Size, pythons: Sequence[str] | None = None) -> str:
    """Measure, and write the section."""
    used = list(pythons or [sys.executable])
    found = measure(used, size.n_rounds)
    rows = [
        [f"{NAMES[name]}, {'reshaped by hand' if is_prepared else 'as it comes'}"]
        + [_cell(found[name, is_prepared, python]) for python in used]
        for is_prepared in (False, True)
        for name in WAYS
    ]
    reasons = dict.fromkeys(one.error for runs in found.values() for one in runs if one.error)
    stops = [f"- {reason}" for reason in reasons]
    heads = [f"release {at}" for at, _ in enumerate(used, 1)]
    return "\n\n".join(
        [
            "Seconds on the clock to the first and the last answer and, in brackets, CPU seconds: medians of fresh "
            "processes in turns. The scripts of `docs/examples` take tables as people have them; the same tables "
            "reshaped by hand, which is not counted, have the columns that the first release asks for.",
            table(["way", *heads], rows),
            *(["Where a way stopped:\n\n" + "\n".join(stops)] if stops else []),
        ]
    )


def _cell(runs: Sequence[Answers]) -> str:
    if any(one.error for one in runs):
        return "none"
    first, last, cpu = (median(getattr(one, name) for one in runs) for name in ("first", "last", "cpu"))
    return f"{first:.1f}, {last:.1f} ({cpu:.1f})"
