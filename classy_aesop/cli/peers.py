"""Who is compared: the options that say it, and the tables of those who take part."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

from classy_aesop.cli.choices import PEERS, add_choice

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.analysis.peers import PeerSelection
    from classy_aesop.scores import Humans


def add_peers(parser: argparse.ArgumentParser, *, corpus: bool = True) -> None:
    """Add who is compared; where no corpus is read, one that says who is human, too."""
    group = parser.add_argument_group("who is compared")
    add_choice(
        group, "--peers", choices=PEERS, metavar="PEERS", text="systems, all or humans", otherwise="all"
    )
    for name, text in (("exclude", "without these summarizers"), ("only", "these summarizers alone")):
        group.add_argument(f"--{name}", metavar="NAME", nargs="+", action="extend", help=text)
    if corpus:
        group.add_argument(
            "--corpus", metavar="IN", help="the corpus of the judgments: it says who is human if they do not"
        )


def selection(options: argparse.Namespace) -> PeerSelection:
    """Make the selection that the options say; who names systems or a kind of pairs wants all that are there."""
    from classy_aesop.analysis.peers import PeerSelection

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
    signed_parts: dict[str, object]


def compared(options: argparse.Namespace) -> Compared:
    """Read a command's score tables; keep the metrics, year, task and summarizers that its options say."""
    from classy_aesop.corpus import read_corpus
    from classy_aesop.scores import joined_humans, read_humans, read_scores

    corpus = None if options.corpus is None else read_corpus(options.corpus)
    year = corpus.years[0] if corpus is not None and len(corpus.years) == 1 else ""
    files = [options.scores, *([options.judgments] if "judgments" in options else [])]
    tables = _chosen([read_scores(path, year=year) for path in files], options)
    known = [read_humans(path, year=year) for path in files]
    humans = joined_humans(*known, {} if corpus is None else corpus.humans())
    who = selection(options)
    pairs = {"pairs": options.pairs} if "pairs" in options and options.pairs != "all" else {}
    return Compared(who.of_tables(tables, humans=humans), humans, who.signed_parts | pairs)


def _chosen(tables: list[pd.DataFrame], options: argparse.Namespace) -> list[pd.DataFrame]:
    """Keep what is compared: metrics in the first table, the target in the second, a year and a task in both."""
    from classy_aesop.analysis.pairing import in_place, only

    given = vars(options)
    metrics = [given["metric"]] if "metric" in given else given.get("metrics")
    target = [given["target"]] if "target" in given else None
    parts = [only(tables[0], "metric", metrics)]
    parts += [only(table, "metric", target, what="target") for table in tables[1:]]
    return [in_place(part, options.year, options.task) for part in parts]
