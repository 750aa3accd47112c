"""The command report, of tables and of the folder of an experiment in which one file is spoiled, gone or a link."""

import os
import random
from collections.abc import Sequence
from unittest import mock

from benchmarks.fuzz.commands import judged
from benchmarks.fuzz.left import OUT
from benchmarks.fuzz.surroundings import ORIGINALS, Surroundings

_TABLES = (
    "evaluate.tsv",
    "compare.tsv",
    "clusters.json",
    "metrics.tsv",
    "agreement.tsv",
    "assessors.tsv",
    "explained.jsonl",
    "evaluated.xlsx",
)
_DRAWN = 0.03


def report_folder(seed: str, place: Surroundings) -> str:
    """Make a page of a folder that is not as train wrote it."""
    rng = random.Random(f"report folder {seed}")
    place.begin()
    folder = place.folder / place.spoil(f"{ORIGINALS}/run", rng)
    chosen = rng.choice(sorted(one for one in folder.rglob("*") if one.is_file()))
    how = rng.random()
    if how < 0.05:
        chosen.unlink()
    elif how < 0.1:
        chosen.replace(
            folder / "search" / f"6-A-all_peers.{rng.choice(('x.top', 'top', 'nonnegative', '.top'))}.tsv"
        )
    elif how < 0.15:
        chosen.unlink()
        chosen.symlink_to(rng.choice(("run.json", folder, "/dev/null", folder / "no")))
    return _page([os.path.relpath(folder, place.folder)], rng, place)


def report_tables(seed: str, place: Surroundings) -> str:
    """Make a page of one or two tables, of which one is spoiled."""
    rng = random.Random(f"report tables {seed}")
    place.begin()
    name, other = (f"{ORIGINALS}/tables/{rng.choice(_TABLES)}" for _ in range(2))
    return _page([place.spoil(name, rng), *([other] if rng.random() < 0.2 else [])], rng, place)


def _page(names: Sequence[str], rng: random.Random, place: Surroundings) -> str:
    """Make a page; its pictures are drawn in few cases, since they take most of the time."""
    words = ["report", *names, "-o", f"{OUT}/new.html"]
    if rng.random() < _DRAWN:
        return judged(words, b"", place)[1] or "done"
    with mock.patch("classy_aesop.pages.page.draw_pictures", lambda pictures, **_: [""] * len(pictures)):
        ended, wrong = judged(words, b"", place)
    return wrong or ("refused" if ended and ended.code else "done")
