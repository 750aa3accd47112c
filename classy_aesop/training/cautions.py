"""What is easily misread in the results, as notes; years that share topics or texts are refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from classy_aesop.config import Config
from classy_aesop.data import named
from classy_aesop.data.checks import find_leaks, find_shared
from classy_aesop.errors import InputError, listed
from classy_aesop.features.columns import abridged, needs_references, ordered
from classy_aesop.fitters import FITTERS
from classy_aesop.search import KERNELS
from classy_aesop.training.task import TrainingTask, without_references
from classy_aesop.training.years import YearData


def guard(years: Sequence[YearData]) -> None:
    """Refuse years that share a topic or a text.

    A topic counts as the same if its name is and both years are parts of one corpus (one path, or one object in
    memory); a text wherever it comes from.

    Raises
    ------
    InputError
        Two years share something, by the names of the topics.
    """
    sources = {year.name: year.source for year in years}
    found = find_shared({year.name: year.corpus.topics for year in years}, sources=sources)
    if found:
        pairs = listed([f"{_named(one.first)} and {_named(one.second)} ({one.what})" for one in found])
        raise InputError(f"years share topics or texts: {pairs}; expected none in two years")


def cautions(config: Config, years: Sequence[YearData], tasks: Sequence[TrainingTask]) -> Iterator[str]:
    """Note what is true of the data and the runs at hand and easily misread in the results."""
    if len(years) < 3:
        yield {
            2: "two years: what is held out in training are topic-grouped folds of the first",
            1: "one year: what is learned and predicted is by topic-grouped folds of the same year",
        }[len(years)]
    for task in tasks:
        run = task.run
        if run.fitter in FITTERS and FITTERS[run.fitter] not in KERNELS and not run.whole:
            n_subsets = 2 ** len(task.space.units) - 1
            yield f"run {run.label}: {run.fitter} fits {n_subsets} subsets one by one; whole = true fits one"
    if len(years) > 3 and config.search.protocol == config.search.refit == "latest":
        yield f"protocol latest: nothing is learned from {listed([year.name for year in years[:-3]])}"
    yield from dict.fromkeys(filter(None, (_left_out(task, years) for task in tasks)))
    for place, measures in {task.run.place: task.arrays.measures for task in tasks}.items():
        if len(measures) == 1:
            yield f"{'-'.join(filter(None, place))}: one human measure, so canonical correlation is least squares"
    for year in years:
        yield from (f"{year.name}: {note}" for note in year.corpus.notes)
        yield from year.notes
        leaks = [] if year.notes else find_leaks(year.corpus)
        if leaks:
            keys = [named((year.name, leak.topic, leak.task, leak.summarizer)) for leak in leaks]
            yield f"{len(leaks)} summaries repeat a reference: {listed(keys)}"
    counts = pd.concat([year.features["n_references"] for year in years])
    if (counts == 1).all():
        yield (
            "one reference a topic: bigrams_p2p and coverage_p2p repeat bigrams and coverage, "
            "and jackknifing is not possible"
        )


def _left_out(task: TrainingTask, years: Sequence[YearData]) -> str:
    """Say what a task goes without since some years have no references; empty if nothing or as was asked for."""
    bare, config = without_references(years, task.run.place), task.config
    if not bare or not years[0].has_texts or config.features.references == "none":
        return ""
    names = [name for name in task.run.names or config.search.names if name not in years[0].imported]
    needy = [name for name in ordered(names) if needs_references(name)]
    where = "-".join(filter(None, task.run.place))
    return (
        f"{where}: no references in {bare}; learned without {listed(abridged(needy), most=30)}"
        if needy
        else ""
    )


def _named(key: tuple[str, str, str]) -> str:
    return "/".join(part for part in key if part)
