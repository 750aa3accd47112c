"""The page of the papers: what studies remake, what the papers define and where it is, and known misprints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import groupby
from pathlib import Path

from classy_aesop.papers import STUDIES
from docs.reference.markdown import code, table

DEFINITIONS = Path(__file__).with_name("papers.tsv")
"""A line for each thing that a paper defines: paper, section, item, state, note, code and test."""

_HEAD = """# The papers

What the five source papers print and define, and where it is here. [Studies](studies.md) says how to run a study.
"""

_STATES = """`yes`: as the paper says. `choice`: the paper leaves a choice or contradicts itself; the note names ours.
`import`: scores of another program are read. `no`: not here. *Code* is a module of `classy_aesop` and a name in it;
a test checks each."""


def papers_page() -> str:
    """Write the page."""
    definitions = [
        f"### {paper}\n\n{table(['section', 'what', 'state', 'code'], map(_definition, rows))}"
        for paper, rows in groupby(read_definitions(), key=lambda row: row[0])
    ]
    sections = {
        "Tables and figures": table(["paper and item", "command", "needs"], sorted(_remade_items())),
        "What is defined": "\n\n".join([_STATES, *definitions]),
        "Misprints and open questions": table(["where", "what"], _misprints()),
    }
    return "\n\n".join([_HEAD.strip(), *(f"## {title}\n\n{text}" for title, text in sections.items())]) + "\n"


def read_definitions() -> list[list[str]]:
    """Read the lines of what the papers define."""
    return [line.split("\t") for line in DEFINITIONS.read_text("utf-8").splitlines()[1:]]


def _definition(row: Sequence[str]) -> list[str]:
    _, section, item, state, note, place, _ = row
    return [section, item, f"{state}: {note}" if note else state, "" if place == "-" else code(place)]


def _remade_items() -> Iterator[list[str]]:
    for name, study in STUDIES.items():
        link = f"[`study {name}`](reference-commands.md#study-{name})"
        yield from ([item, link, study.needs] for item in study.remakes)


def _misprints() -> list[list[str]]:
    text = (files("classy_aesop.papers") / "data" / "misprints.tsv").read_text("utf-8")
    return [line.split("\t")[1:] for line in text.splitlines()[1:]]
