"""The cost of start-up: the time of fresh interpreters that import, minus that of one that does nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median

from benchmarks.data import Size
from benchmarks.harness import Contestant, Run, rounds
from benchmarks.report import table

TITLE = "Start-up"

ROOT = Path(__file__).parents[1]

HEAVY = ("numpy", "scipy", "pandas", "sklearn", "statsmodels", "nltk", "joblib", "matplotlib")

COMMANDS = {
    "nothing": "pass",
    "import classy_aesop": "import classy_aesop",
    "classy-aesop --help": "from classy_aesop.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass",
    "from classy_aesop import train": "from classy_aesop import train",
}
"""The commands that are started, by a short name."""

NOTHING = "nothing"


def start(code: str) -> list[str]:
    """Run code in a fresh interpreter; give the heavy packages that it has loaded."""
    script = f"{code}\nimport sys; print(); print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT, env=environment
    )
    return done.stdout.splitlines()[-1].split()


def measure(size: Size) -> dict[str, list[Run]]:
    """Start everything in turns."""
    contestants = {name: Contestant(_starting(code)) for name, code in COMMANDS.items()}
    return rounds(contestants, size.n_rounds)


def _starting(code: str) -> Callable[[], list[str]]:
    return lambda: start(code)


def milliseconds(runs: dict[str, list[Run]], name: str) -> tuple[float, float, float]:
    """Median and range of the CPU time above that of an interpreter that does nothing in the same round."""
    above = [1e3 * (one.cpu - bare.cpu) for one, bare in zip(runs[name], runs[NOTHING], strict=True)]
    return median(above), min(above), max(above)


def text(size: Size) -> str:
    """Measure, and write the section."""
    runs = measure(size)
    rows = [_cells(runs, name) for name in COMMANDS if name != NOTHING]
    return "\n\n".join(
        [
            "CPU time beyond that of an interpreter that does nothing, each in a fresh process: the median and, in "
            "brackets, the range.",
            table(("what", "ms", "heavy packages held then"), rows),
        ]
    )


def _cells(runs: dict[str, list[Run]], name: str) -> list[str]:
    middle, low, high = milliseconds(runs, name)
    return [f"`{name}`", f"{middle:.0f} [{low:.0f}-{high:.0f}]", ", ".join(runs[name][-1].value) or "-"]
