"""Who is compared: the options that say it, and the tables of those who take part."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.pipeline.peers import PeerSelection
    from classy_aesop.scores import Humans

PEERS = ("no_models", "all_peers", "models_only")
PAIRS = ("all", "mixed")


def add_peers(parser: argparse.ArgumentParser, *, corpus: bool = True) -> None:
    """Add who is compared; where no corpus is read, one that says who is human, too."""
    group = parser.add_argument_group("who is compared")
    group.add_argument("--peers", choices=PEERS, help="systems, all or humans (default: all, with a warning)")
    for name, text in (("exclude", "without these summarizers"), ("only", "these summarizers alone")):
        group.add_argument(f"--{name}", metavar="NAME", nargs="+", action="extend", help=text)
    if corpus:
        group.add_argument(
            "--corpus", metavar="IN", help="the corpus of the judgments: it says who is human if they do not"
        )


def selection(options: argparse.Namespace) -> PeerSelection:
    """Make the selection that the options say; who names systems or a kind of pairs wants all that are there."""
    from classy_aesop.pipeline.peers import PeerSelection

    chosen = getattr(options, "systems", None) or getattr(options, "pairs", "all") != "all"
    only = None if options.only is None else tuple(options.only)
    return PeerSelection(
        options.peers or ("all_peers" if chosen else None), tuple(options.exclude or ()), only
    )


@dataclass(frozen=True)
class Compared:
    """The tables of those who take part, who of them is known to be a human or not, and what a signature says."""

    tables: list[pd.DataFrame]
    humans: Humans
    said: dict[str, object]


def compared(options: argparse.Namespace, *paths: str) -> Compared:
    """Read score tables, and keep the year, the task and the summarizers that the options say."""
    from classy_aesop.corpus import read_corpus
    from classy_aesop.pipeline.pairing import in_place
    from classy_aesop.scores import joined_humans, read_humans, read_scores

    corpus = None if options.corpus is None else read_corpus(options.corpus)
    year = corpus.years[0] if corpus is not None and len(corpus.years) == 1 else ""
    tables = [in_place(read_scores(path, year=year), options.year, options.task) for path in paths]
    humans = joined_humans(
        *(read_humans(path, year=year) for path in paths), {} if corpus is None else corpus.humans()
    )
    chosen = selection(options)
    return Compared(chosen.of_tables(tables, humans=humans), humans, chosen.said)
