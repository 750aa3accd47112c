"""A configuration for corpora that come without one: their years, and a run for each human measure that is wanted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

from classy_aesop.config.keys import LONGEST_NAME, PEERS, Config, RunTable, Year
from classy_aesop.data import JACKKNIFED, natural, read_corpus
from classy_aesop.data.corpus import Corpus
from classy_aesop.errors import InputError, UsageError, listed

Years = tuple[tuple[Year, ...], dict[str, Corpus]]
"""Years as a configuration names them, and the corpus of each."""


def read_named_years(paths: Iterable[tuple[str, str]], **how: Any) -> Years:
    """Read a corpus for each pair of a year's name and a path; ``how`` it is read goes to `read_corpus` and `Year`.

    Raises
    ------
    UsageError
        Two years have one name.
    InputError
        A corpus cannot be read.
    """
    given = list(paths)
    again = _repeated(name for name, _ in given)
    if again:
        raise UsageError(f"years of one name: {listed(again)}; expected different names")
    is_release = how.get("layout") == "nist"
    corpora = {name: read_corpus(path, year=name if is_release else None, **how) for name, path in given}
    return tuple(Year(name, path=path, **how) for name, path in given), corpora


def read_years(path: str, **how: Any) -> Years:
    """Read one corpus, and take the years that it names, or the name of the file for its only one.

    ``how`` it is read goes to `read_corpus` and `Year`.

    Raises
    ------
    InputError
        The corpus cannot be read, or topics of two of its years have the same name.
    """
    corpus = read_corpus(path, **how)
    place = "" if path == "-" else path
    if len(corpus.years) == 1:
        file = "" if path == "-" else Path(path).resolve().name
        name = corpus.years[0] or file.split(".")[0] or "corpus"
        return (Year(name, path=place, **how),), {name: corpus}
    topics = {
        name: tuple(dict.fromkeys(topic.topic for topic in corpus if topic.year == name))
        for name in corpus.years
    }
    shared = _repeated(chain.from_iterable(topics.values()))
    if shared:
        raise InputError(
            f"several years have topics of one name: {listed(shared)}; expected a file a year (--data NAME=PATH)",
            path=path,
        )
    years = tuple(Year(name, path=place, **how, topics=of_year) for name, of_year in topics.items())
    return years, dict.fromkeys(corpus.years, corpus)


def _repeated(names: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def measures_of(corpora: Iterable[Corpus]) -> tuple[str, ...]:
    """Give the human measures that all of some corpora have; jackknifed twins are part of their measure."""
    found = [
        [name for name in corpus.judgments["metric"].unique() if not name.endswith(JACKKNIFED)]
        for corpus in corpora
    ]
    return tuple(name for name in found[0] if all(name in other for other in found)) if found else ()


def ends_of(corpus: Corpus) -> dict[str, tuple[float, float]]:
    """Give the lowest and the highest judgment by each human measure."""
    scores = corpus.judgments.groupby("metric", sort=False)["score"]
    return {str(name): (float(part.min()), float(part.max())) for name, part in scores if part.notna().any()}


def config_for(
    years: Sequence[Year],
    corpora: Mapping[str, Corpus],
    targets: Sequence[str] | None = None,
    *,
    tasks: tuple[str, ...] | None = None,
    peers: tuple[str, ...] | None = None,
    seed: int = 0,
) -> Config:
    """Make a configuration with a run for each target, all else as by default.

    Parameters
    ----------
    years : sequence of Year
        In order; the last one is predicted.
    corpora : mapping of str to Corpus
        The corpus of each.
    targets : sequence of str, optional
        The human measures to predict; by default all that the training years share.
    tasks, peers : tuple of str, optional
        Only these tasks and peer sets; by default all that there are.
    seed : int
        Of whatever is random.

    Raises
    ------
    UsageError
        A target is not one of these measures, or a task or peer set is not there.
    InputError
        There are none.
    """
    training = years[:-1] or years
    known = measures_of(corpora[year.name] for year in training)
    if not known:
        raise InputError(f"{_named(training)}: no human measure to learn from; expected judgments")
    unknown = [target for target in targets or () if target not in known]
    if unknown:
        raise UsageError(
            f"no human measure {listed(unknown)} in {_named(training)}; there are {', '.join(known)}"
        )
    sets = (
        PEERS
        if all(any(one.human for _, one in corpora[year.name].summaries()) for year in years)
        else PEERS[:1]
    )
    _check_there(peers, sets, "peers")
    _check_there(tasks, tuple({topic.task for corpus in corpora.values() for topic in corpus}), "task")
    return Config(
        tuple(years), seed=seed, tasks=tasks, peers=peers or sets, runs=_runs(dict.fromkeys(targets or known))
    )


def _check_there(wanted: Sequence[str] | None, known: Sequence[str], what: str) -> None:
    unknown = [name for name in wanted or () if name not in known]
    if unknown:
        there = listed(sorted(filter(None, known), key=natural), most=20) or "none"
        raise UsageError(f"no {what} {listed(unknown)} to learn from; there are {there}")


def _named(years: Sequence[Year]) -> str:
    return listed([year.path or year.name for year in years])


def _runs(targets: Iterable[str]) -> tuple[RunTable, ...]:
    """Make a run for each target; where two would have one name, the later ones are numbered."""
    runs: dict[str, RunTable] = {}
    for target in targets:
        endings = chain([""], (f"_{number}" for number in count(2)))
        # as much of the target as may be part of a file name
        kept = "".join(letter if letter.isprintable() and letter not in "/\\" else "_" for letter in target)
        start = kept.lstrip(".").encode()
        starts = (
            (start[: LONGEST_NAME - len(end)].decode(errors="ignore") or "run") + end for end in endings
        )
        name = next(name for name in starts if name not in runs)
        runs[name] = RunTable(name, target)
    return tuple(runs.values())
