"""What the program says of itself: the short guide that it prints without a command, and the versions under it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from classy_aesop.studies import OTHERWISE, STUDIES
from classy_aesop.version import __version__

PURPOSE = "Predict how humans would score a summary, and test which systems and metrics really differ."

STEPS = (
    ("What is in a corpus?", "validate IN"),
    ("How good are these summaries?", "predict published/news-content IN"),
    ("Learn from your own judgments", "train IN --target MEASURE -o DIR"),
    ("Which metric agrees with humans?", "leaderboard IN --target MEASURE"),
    ("Which systems differ?", "compare SCORES --metric NAME"),
    ("Made-up data to try this on", "init --sample DIR"),
)
"""What a new user may want to do, and the command for it."""


def guide(program: str) -> str:
    """Write the short guide."""
    steps = "\n".join(f"  {what:<34}{program} {command}" for what, command in STEPS)
    more = f"{program} --help lists all commands, {program} COMMAND --help explains one."
    return f"{PURPOSE}\n\n{steps}\n\n{more}"


def remade() -> str:
    """List every table and figure of the papers that a command remakes: paper by paper, the item, command and needs."""
    rows = [(item, f"study {name}", one.needs) for name, one in STUDIES.items() for item in one.remakes]
    rows += [(item, name, "a judged corpus") for name, items in OTHERWISE.items() for item in items]
    papers: dict[str, list[str]] = {}
    for whole, command, needs in rows:
        paper, _, item = whole.partition("), ")
        papers.setdefault(f"{paper})", []).append(f"  {item}\n    {command:<26}  needs {needs}")
    return "\n".join(line for paper in sorted(papers) for line in (paper, *sorted(papers[paper])))


def versions(program: str, *, verbose: bool) -> str:
    """Name the version of the program, and those of Python and the packages it depends on if asked for."""
    lines = [f"{program} {__version__}"]
    return "\n".join([*lines, *_installed()] if verbose else lines)


def _installed() -> Iterator[str]:
    import platform
    import re
    from importlib import metadata

    yield f"python {sys.version.split()[0]} ({platform.platform()})"
    with contextlib.suppress(metadata.PackageNotFoundError):  # run from a folder, without installation
        for requirement in metadata.requires("classy-aesop") or ():
            name, _, extra = requirement.partition(";")
            name = re.split(r"[^A-Za-z0-9._-]", name.strip())[0]
            if "extra" not in extra:
                yield f"{name} {metadata.version(name)}"
