"""What part of the data a command works on: the choices that commands share, and the one way in which each is applied.

A command declares which choices it takes; `chosen_corpus` applies them to a corpus, `chosen_tables` to score tables,
and `signed_choices` names in a signature those that were made.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classy_aesop.cli.base import add_layout, corpus_of, imported
from classy_aesop.cli.choices import PEERS, add_choice
from classy_aesop.errors import InputError, UsageError

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.analysis.peers import PeerSelection
    from classy_aesop.corpus.corpus import Corpus
    from classy_aesop.scores import Humans

_LOG = logging.getLogger(__name__)

WHO = ("peers", "exclude", "only")
"""Choices of summarizers."""

PLACE = ("year", "task")
"""Choices of topics."""

NEED_ALL = {name: f"--{name}" for name in (*WHO, *PLACE)}
"""Options that need a whole corpus, where a command could also work block by block."""

_SEVERAL = {"action": "extend", "nargs": "+", "metavar": "NAME"}
_OPTIONS: dict[str, dict[str, Any]] = {
    "exclude": {**_SEVERAL, "help": "without these summarizers"},
    "only": {**_SEVERAL, "help": "these summarizers alone"},
    "year": {"help": "only this year (default: every one)"},
    "task": {"help": "only this task (default: every one)"},
    "metric": {"metavar": "M", "required": True, "help": "the metric or human measure"},
    "metrics": {"metavar": "M", "action": "append", "help": "only this metric; may be repeated"},
    "target": {"metavar": "T", "required": True, "help": "the human measure"},
    "targets": {"metavar": "T", "action": "append", "help": "only this human measure; may be repeated"},
}


def add_part(
    parser: argparse.ArgumentParser, *names: str, corpus: bool = False, peers: str | None = None
) -> None:
    """Add choices to a command.

    Parameters
    ----------
    parser : ArgumentParser
        The command's.
    *names : str
        Of `WHO` and `PLACE`; ``metric`` or ``target``, of which one must be given; ``metrics`` or ``targets``, of
        which several may.
    corpus : bool
        Whether to ask for a corpus too, which says who is human where score tables do not.
    peers : str, optional
        Which summarizers take part by default.
    """
    who = parser.add_argument_group("what part of the data") if {*WHO, *PLACE} & {*names} else parser
    for name in names:
        if name == "peers":
            text, default = "systems, all or humans", {"default": peers} if peers else {}
            otherwise = "%(default)s" if peers else "all"
            add_choice(
                who, "--peers", choices=PEERS, metavar="PEERS", text=text, otherwise=otherwise, **default
            )
        else:
            place = who if name in (*WHO, *PLACE) else parser
            place.add_argument(f"--{name.removesuffix('s')}", dest=name, **_OPTIONS[name])
    if corpus:
        text = "the corpus of the judgments: it says who is human if they do not"
        who.add_argument("--corpus", metavar="IN", help=text)
        add_layout(who, "of the corpus")


def selection(options: argparse.Namespace) -> PeerSelection:
    """Make the selection that the options say; who names systems or a kind of pairs wants all that are there."""
    from classy_aesop.analysis.peers import PeerSelection

    given = vars(options)
    chosen = "peers" not in given or given.get("systems") or given.get("pairs", "all") != "all"
    only = None if given.get("only") is None else tuple(given["only"])
    peers = given.get("peers") or ("all_peers" if chosen else None)
    return PeerSelection(peers, tuple(given.get("exclude") or ()), only)


def signed_choices(options: argparse.Namespace) -> dict[str, object]:
    """Say in a signature what was chosen, where that is not everything."""
    given = vars(options)
    several = {"metric": "metrics", "target": "targets"}
    parts = {name: given.get(several.get(name, name)) for name in (*WHO, *PLACE, *several)}
    return {name: own for name, own in parts.items() if own and not (name in several and name in given)}


def chosen_corpus(options: argparse.Namespace, path: str | None = None) -> Corpus:
    """Read the corpus that the options name, or one at another path; keep what they choose, as `part_of` does."""
    return part_of(corpus_of(options, path), options)


def part_of(corpus: Corpus, options: argparse.Namespace, *, who: bool = True) -> Corpus:
    """Keep what the options choose of a corpus.

    Parameters
    ----------
    corpus : Corpus
        The whole.
    options : Namespace
        Of a command with any of the choices.
    who : bool
        Whether to apply the choice of summarizers; their references stay in any case.

    Raises
    ------
    UsageError
        The corpus has no such year, task, summarizer or human measure.
    """
    given = vars(options)
    places = {f"{name}s": [given[name]] for name in PLACE if given.get(name) is not None}
    try:
        part = corpus.select(**places) if places else corpus
    except InputError as error:
        raise UsageError(str(error)) from None
    if given.get("targets"):
        part = _judged_by(part, given["targets"])
    if who and any(given.get(name) for name in WHO):
        part = selection(options).of_corpus(part)
    if part is not corpus:
        counts = (sum(len(topic.summaries) for topic in own) for own in (part, corpus))
        _LOG.info("%d of %d summaries are chosen", *counts)
    return part


def _judged_by(corpus: Corpus, targets: Sequence[str]) -> Corpus:
    from classy_aesop.analysis.pairing import only

    judgments = only(corpus.judgments, "metric", targets, what="target")
    ratings = corpus.ratings[corpus.ratings["metric"].isin(targets)]
    return replace(corpus, judgments=judgments, ratings=ratings)


def chosen_imports(options: argparse.Namespace, whole: Corpus, part: Corpus) -> pd.DataFrame | None:
    """Read imported metrics; those of summaries that are in the whole corpus, but not in its part, are left out."""
    from classy_aesop.scores import KEYS, key_table

    scores = imported(options, whole)
    if scores is None or part is whole:
        return scores
    kept, known = (
        key_table((*topic.key, one.summarizer) for topic, one in corpus.summaries())
        for corpus in (part, whole)
    )
    out = known.merge(kept, on=KEYS, how="left", indicator="of").query("of == 'left_only'")
    of = scores[KEYS].merge(out, on=KEYS, how="left")["of"]
    return scores[of.isna().to_numpy()]


def left_out(options: argparse.Namespace, corpora: Mapping[str, Corpus]) -> dict[str, tuple[str, ...]]:
    """Name the summarizers of each corpus that ``--exclude`` and ``--only`` leave out."""
    who = selection(options)
    there = {
        name: dict.fromkeys(one.summarizer for _, one in own.summaries()) for name, own in corpora.items()
    }
    who.check_names(chain.from_iterable(there.values()))
    return {name: tuple(one for one in own if not who.takes(one)) for name, own in there.items()}


@dataclass(frozen=True)
class ChosenTables:
    """The tables of those who take part, who of them is known to be a human or not, and what a signature says."""

    tables: list[pd.DataFrame]
    humans: Humans
    signed_parts: dict[str, object]


def chosen_tables(options: argparse.Namespace) -> ChosenTables:
    """Read a command's score tables; keep the metrics, year, task and summarizers that its options say.

    Raises
    ------
    UsageError
        There is no such metric, target, year, task or summarizer.
    """
    from classy_aesop.scores import joined_humans, read_humans

    corpus = named_corpus(options)
    year = corpus.years[0] if corpus is not None and len(corpus.years) == 1 else ""
    files = [options.scores, *([options.judgments] if "judgments" in options else [])]
    tables = _chosen([_scores(path, year) for path in files], options)
    known = [read_humans(path, year=year) for path in files]
    humans = joined_humans(*known, {} if corpus is None else corpus.humans())
    who = selection(options)
    parts = who.signed_parts | signed_choices(options)
    parts |= {"pairs": options.pairs} if "pairs" in options and options.pairs != "all" else {}
    return ChosenTables(who.of_tables(tables, humans=humans), humans, parts)


def named_corpus(options: argparse.Namespace) -> Corpus | None:
    """Read the corpus that ``--corpus`` names; None if a command has no such option, or it is not given.

    Raises
    ------
    UsageError
        The layout of a corpus is named, but none is given.
    """
    path = vars(options).get("corpus")
    if path is not None:
        return corpus_of(options, path)
    if "corpus" in options and (options.columns or options.layout != "auto"):
        raise UsageError("--columns and --format are of a corpus; expected --corpus IN with them")
    return None


def _scores(path: str, year: str) -> pd.DataFrame:
    """Read a score table; where a corpus is named instead, say how it becomes one."""
    from classy_aesop.scores import read_scores

    try:
        return read_scores(path, year=year)
    except (InputError, IsADirectoryError) as error:
        if Path(path).is_dir() or path.lower().endswith((".csv", ".parquet")):
            hint = (
                f"classy-aesop convert {path} -o DIR writes the judgments of a corpus to DIR/judgments.jsonl"
            )
            raise UsageError(f"{path}: expected a table of scores; {hint} ({error})") from None
        raise


def _chosen(tables: list[pd.DataFrame], options: argparse.Namespace) -> list[pd.DataFrame]:
    """Keep what is compared: metrics in the first table, targets in the second, a year and a task in both."""
    from classy_aesop.analysis.pairing import in_place, only

    given = vars(options)
    metrics, targets = (
        [given[one]] if given.get(one) is not None else given.get(f"{one}s") for one in ("metric", "target")
    )
    parts = [only(tables[0], "metric", metrics)]
    parts += [only(table, "metric", targets, what="target") for table in tables[1:]]
    return [in_place(part, options.year, options.task) for part in parts]
