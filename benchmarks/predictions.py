"""How good are predictions, and how often do their intervals hold? Methods on made-up years or on cuts of a corpus.

``python -m benchmarks.predictions [CONFIG] [--seeds N] [--other-systems]`` learns from all years but the last, with
each seed, and prints Pearson correlations with the human measure on the last: of system means / within topics, mean
over the seeds. Cuts of one corpus share topics and systems, so their spread is no standard error. ``--no-references``
leaves these out.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from benchmarks.data import QUICK, Size
from benchmarks.made_up import generate
from benchmarks.made_up.corpora import corpus_of_records
from benchmarks.report import table
from classy_aesop import Config, Corpus, read_config, read_corpus, train
from classy_aesop.config import LEARNING_METHODS, RunTable, SearchOptions, Year
from classy_aesop.errors import DataWarning, UsageError
from classy_aesop.predictor import Predictor
from classy_aesop.training.experiment import Experiment
from classy_aesop.work.seeds import seeded_rng

YEARS = ("2021", "2022", "2023")
TAC = Size(n_systems=50)
CONFIDENCE = 0.9
_PLACE = ["target", "peers"]


def made_up(seed: int, size: Size) -> dict[str, Corpus]:
    """Make three years of task A, in which humans reach the top of the scale of responsiveness, as at TAC."""
    sizes = {"n_topics": size.n_topics, "n_systems": size.n_systems, "n_humans": size.n_humans}
    made = {name: generate(seed, year=name, tasks=["A"], enough=0.6, **sizes) for name in YEARS}
    return {name: corpus_of_records(year.summaries, year.judgments) for name, year in made.items()}


def with_other_systems(config: Config, seed: int) -> Config:
    """Divide the systems at random: one half stays in the last year, the other in the years before."""
    corpora = [read_corpus(year.path, layout=year.layout) for year in config.years]
    systems = sorted({name for one in corpora for (_, name), human in one.humans().items() if not human})
    if len(systems) < 6:
        raise UsageError(
            f"{len(systems)} systems; expected 6 or more: a correlation needs three of each half"
        )
    shuffled = seeded_rng(seed, "systems").permutation(systems).tolist()
    half = len(shuffled) // 2
    predicted, learned = shuffled[:half], shuffled[half:]
    *before, last = config.years
    years = [replace(year, exclude=(*year.exclude, *predicted)) for year in before]
    return replace(config, years=(*years, replace(last, exclude=(*last.exclude, *learned))))


def experiments(
    config: Config | None,
    seeds: Sequence[int],
    methods: Mapping[str, SearchOptions],
    size: Size,
    *,
    other_systems: bool,
    references: bool,
) -> Iterator[tuple[int, str, Experiment]]:
    """Train with each seed and method."""
    default = Config(tuple(map(Year, YEARS)), runs=(RunTable("made-up", "responsiveness", tasks=("A",)),))
    for seed in seeds:
        corpora = made_up(seed, size) if config is None else None
        seeded = replace(config or default, seed=seed, preset=None)
        seeded = with_other_systems(seeded, seed) if other_systems else seeded
        if not references:
            seeded = replace(seeded, features=replace(seeded.features, references="none"))
        targets = list(dict.fromkeys(run.target for run in seeded.runs))
        for name, options in methods.items():
            runs = tuple(RunTable(name, target) for target in targets)
            runs = tuple(replace(run, name=f"{name}-{run.target}") for run in runs)
            given = replace(options, extra=seeded.search.extra)
            yield seed, name, train(replace(seeded, runs=runs, search=given), corpora)


def correlations(seed: int, method: str, found: Experiment) -> pd.DataFrame:
    """Give the correlations of the predictions and of ROUGE-2, a row a target, peer set and level."""
    rows = found.assessment.query("coefficient == 'pearson' and level in ('system', 'input')")
    learned = rows["run"] != ""
    name = rows["metric"].where(~learned, method)
    kept = rows.assign(method=name)[learned | (rows["metric"] == "ROUGE-2")]
    return kept[[*_PLACE, "method", "level", "value"]].assign(seed=seed)


def coverage(method: str, found: Experiment) -> Iterator[dict[str, object]]:
    """Give how often intervals of one prediction, and of a summarizer's mean, hold the judgments."""
    for one in found.trained:
        predictor: Predictor = one.predictor
        rows = found.points[found.points["metric"] == predictor.name].dropna(subset=["judged", "low"])
        if rows.empty:
            continue
        means = predictor.means(rows.drop(columns=["low", "high"]), confidence=CONFIDENCE)
        truth = rows.groupby("summarizer")["judged"].mean().reindex(means["summarizer"]).to_numpy()
        yield {
            "target": one.run.target,
            "peers": one.run.peers,
            "method": method,
            "summaries": rows["judged"].between(rows["low"], rows["high"]).mean(),
            "means": ((means["low"] <= truth) & (truth <= means["high"])).mean(),
        }


def text(
    config: Config | None,
    seeds: Sequence[int],
    names: Sequence[str],
    size: Size,
    **choices: bool,
) -> str:
    """Measure, and write the tables."""
    methods = {name: SearchOptions.from_method(name) for name in names}
    parts: list[pd.DataFrame] = []
    covered: list[dict[str, object]] = []
    for seed, method, found in experiments(config, seeds, methods, size, **choices):
        parts.append(correlations(seed, method, found))
        covered += coverage(method, found)
    values = pd.concat(parts).drop_duplicates([*_PLACE, "method", "level", "seed"])
    mean = values.groupby([*_PLACE, "method", "level"])["value"].mean().unstack("level")
    written = {level: mean[level].map("{:.3f}".format) for level in ("system", "input")}
    shown = (written["system"] + " / " + written["input"]).unstack("method")[["ROUGE-2", *methods]]
    held = pd.DataFrame(covered)
    rows = ((*place, *row) for place, row in zip(shown.index, shown.to_numpy(), strict=True))
    tables = [table((*_PLACE, *shown), rows)]
    if not held.empty:
        shares = held.groupby([*_PLACE, "method"])[["summaries", "means"]].mean().round(3).reset_index()
        head = (*_PLACE, "method", "of summaries", "of means of systems")
        tables += [
            f"Share of judgments in their {CONFIDENCE:.0%} interval:",
            table(head, shares.astype(str).to_numpy().tolist()),
        ]
    return "\n\n".join(tables)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.predictions", description=__doc__)
    parser.add_argument("config", metavar="CONFIG", nargs="?", help="default: made-up years of TAC's size")
    parser.add_argument("--seeds", type=int, default=3, metavar="N")
    parser.add_argument("--methods", default=",".join(LEARNING_METHODS), metavar="NAMES")
    parser.add_argument("--other-systems", action="store_true", help="learn from one half of the systems")
    parser.add_argument("--no-references", action="store_true", help="learn and predict without them")
    parser.add_argument("--quick", action="store_true", help="small years, in seconds; not for quoting")
    options = parser.parse_args(arguments)
    if options.other_systems and not options.config:
        parser.error("--other-systems is for a CONFIG; made-up years have other systems anyway")
    config = read_config(options.config) if options.config else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        size, names = QUICK if options.quick else TAC, options.methods.split(",")
        seeds = range(1, options.seeds + 1)
        choices = {"other_systems": options.other_systems, "references": not options.no_references}
        print(text(config, seeds, names, size, **choices))


if __name__ == "__main__":
    main()
