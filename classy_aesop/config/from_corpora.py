"""A configuration for corpora that come without one: their years, and a run for each human measure that is wanted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, count
from pathlib import Path

from classy_aesop.config.keys import MAX_NAME_BYTES, PEERS, Config, RunTable, Year
from classy_aesop.data import JACKKNIFED, natural
from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.reading import read_corpus
from classy_aesop.reading.corpus import Corpus

Years = tuple[tuple[Year, ...], dict[str, Corpus]]
"""Years as a configuration names them, and the corpus of each."""


def read_named_years(
    paths: Iterable[tuple[str, str]],
    *,
    layout: str = "auto",
    columns: Mapping[str, str | tuple[str, ...]] | None = None,
    encoding: str | None = None,
) -> Years:
    """Read a corpus for each pair of a year's name and a path.

    Parameters
    ----------
    paths : iterable of (str, str)
        Names of years, and where their corpora are.
    layout, columns, encoding
        How files are read, see `Year`.

    Raises
    ------
    UsageError
        Two years have one name.
    InputError
        A corpus cannot be read.
    """
    named_paths = list(paths)
    repeated = _repeated_names(name for name, _ in named_paths)
    if repeated:
        raise UsageError(f"years of one name: {join_names(repeated)}; expected different names")
    years = []
    corpora = {}
    for name, path in named_paths:
        year = name if layout == "nist" else None  # a release does not name its year
        corpora[name] = read_corpus(path, layout=layout, year=year, columns=columns, encoding=encoding)
        years.append(Year(name, path=path, layout=layout, columns=columns or {}, encoding=encoding))
    return tuple(years), corpora


def read_years(
    path: str,
    *,
    layout: str = "auto",
    columns: Mapping[str, str | tuple[str, ...]] | None = None,
    encoding: str | None = None,
) -> Years:
    """Read one corpus, and return the years that it names, or its only one, named after the file if it has no name.

    Parameters
    ----------
    path : str
        A file or folder; ``-`` is standard input.
    layout, columns, encoding
        How files are read, see `Year`.

    Raises
    ------
    InputError
        The corpus cannot be read, or topics of two of its years have the same name.
    """
    corpus = read_corpus(path, layout=layout, columns=columns, encoding=encoding)
    make_year = partial(
        Year, path="" if path == "-" else path, layout=layout, columns=columns or {}, encoding=encoding
    )
    file = "" if path == "-" else Path(path).resolve().name
    return divide_years(corpus, make_year, name=file.split(".")[0] or "corpus", path=path)


def divide_years(
    corpus: Corpus, make_year: Callable[..., Year], *, name: str = "corpus", path: str | None = None
) -> Years:
    """Return the years that a corpus names, or its only one."""
    if len(corpus.years) == 1:
        name = corpus.years[0] or name
        return (make_year(name),), {name: corpus}
    topics = {
        year: tuple(dict.fromkeys(topic.topic for topic in corpus if topic.year == year))
        for year in corpus.years
    }
    shared = _repeated_names(chain.from_iterable(topics.values()))
    if shared:
        raise InputError(
            f"several years have topics of one name: {join_names(shared)}; expected a file a year (--data NAME=PATH)",
            path=path,
        )
    years = tuple(make_year(year, topics=of_year) for year, of_year in topics.items())
    return years, dict.fromkeys(corpus.years, corpus)


def _repeated_names(names: Iterable[str]) -> list[str]:
    """Return the names that occur more than once."""
    return [name for name, count in Counter(names).items() if count > 1]


def measures_of(corpora: Iterable[Corpus]) -> tuple[str, ...]:
    """Return the human measures that all corpora have; the jackknifed form of a measure is part of it."""
    by_corpus = [
        [name for name in corpus.judgments["metric"].unique() if not name.endswith(JACKKNIFED)]
        for corpus in corpora
    ]
    if not by_corpus:
        return ()
    return tuple(name for name in by_corpus[0] if all(name in measures for measures in by_corpus))


def judgment_ranges(corpus: Corpus) -> dict[str, tuple[float, float]]:
    """Return the lowest and the highest judgment by each human measure."""
    scores = corpus.judgments.groupby("metric", sort=False)["score"]
    return {str(name): (float(part.min()), float(part.max())) for name, part in scores if part.notna().any()}


def make_config(
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
    measures = measures_of(corpora[year.name] for year in training)
    if not measures:
        raise InputError(f"{_list_years(training)}: no human measure to learn from; expected judgments")
    unknown = [target for target in targets or () if target not in measures]
    if unknown:
        raise UsageError(
            f"no human measure {join_names(unknown)} in {_list_years(training)}; there are {', '.join(measures)}"
        )
    have_humans = all(any(summary.human for _, summary in corpora[year.name].summaries()) for year in years)
    peer_sets = PEERS if have_humans else PEERS[:1]
    _check_exists(peers, peer_sets, "peers")
    _check_exists(tasks, tuple({topic.task for corpus in corpora.values() for topic in corpus}), "task")
    runs = _make_runs(dict.fromkeys(targets or measures))
    return Config(tuple(years), seed=seed, tasks=tasks, peers=peers or peer_sets, runs=runs)


def _check_exists(names: Sequence[str] | None, existing: Sequence[str], kind: str) -> None:
    """Raise `UsageError` for names of tasks or peer sets that do not exist."""
    unknown = [name for name in names or () if name not in existing]
    if unknown:
        listing = join_names(sorted(filter(None, existing), key=natural), limit=20) or "none"
        raise UsageError(f"no {kind} {join_names(unknown)} to learn from; there are {listing}")


def _list_years(years: Sequence[Year]) -> str:
    """List the paths or names of years for a message."""
    return join_names([year.path or year.name for year in years])


def _make_runs(targets: Iterable[str]) -> tuple[RunTable, ...]:
    """Make a run for each target; where two would have one name, the later ones are numbered."""
    runs: dict[str, RunTable] = {}
    for target in targets:
        name = next(name for name in _possible_run_names(target) if name not in runs)
        runs[name] = RunTable(name, target)
    return tuple(runs.values())


def _possible_run_names(target: str) -> Iterator[str]:
    """Yield as much of a target as may be part of a file name, then the same with a number at its end."""
    safe = "".join(letter if letter.isprintable() and letter not in "/\\" else "_" for letter in target)
    start = safe.lstrip(".").encode()
    for ending in chain([""], (f"_{number}" for number in count(2))):
        yield (start[: MAX_NAME_BYTES - len(ending)].decode(errors="ignore") or "run") + ending
