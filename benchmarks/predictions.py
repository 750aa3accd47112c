"""How good are predictions, and how often do their intervals hold? Methods on made-up years or on cuts of a corpus.

``python -m benchmarks.predictions [CONFIG] [--seeds N] [--other-systems]`` learns from all years but the last, with
each seed, and prints Pearson correlations with the human measure on the last: of system means / within topics, mean
over the seeds. Cuts of one corpus share topics and systems, so their spread is no standard error. ``--no-references``
leaves these out. ``--copies`` too, and enters systems of the last year ten more times with some words exchanged.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd

from benchmarks.data import QUICK, Size
from benchmarks.made_up import generate
from benchmarks.report import table
from classy_aesop import Config, Corpus, read_config, read_corpus, train
from classy_aesop.config import LEARNING_METHODS, RunTable, SearchOptions, Year
from classy_aesop.data.topics import Summary, Topic
from classy_aesop.errors import DataWarning, UsageError
from classy_aesop.predictor import Predictor
from classy_aesop.training.experiment import Experiment
from classy_aesop.training.years import select_year_subset
from classy_aesop.work.seeds import seeded_rng

YEARS = ("2021", "2022", "2023")
TAC = Size(n_systems=50)
CONFIDENCE = 0.9
_PLACE = ["target", "peers"]


def made_up(seed: int, size: Size) -> dict[str, Corpus]:
    """Make three years of task A, in which humans reach the top of the scale of responsiveness, as at TAC."""
    sizes = {"n_topics": size.n_topics, "n_systems": size.n_systems, "n_humans": size.n_humans}
    made = {name: generate(seed, year=name, tasks=["A"], enough=0.6, **sizes) for name in YEARS}
    return {name: Corpus.from_records(year.summaries, year.judgments) for name, year in made.items()}


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
) -> Iterator[tuple[int, str, Experiment, list[Topic]]]:
    """Train with each seed and method; also give the last year's topics, as its systems wrote on them."""
    default = Config(tuple(map(Year, YEARS)), runs=(RunTable("made-up", "responsiveness", tasks=("A",)),))
    for seed in seeds:
        corpora = made_up(seed, size) if config is None else None
        seeded = replace(config or default, seed=seed, preset=None)
        seeded = with_other_systems(seeded, seed) if other_systems else seeded
        if not references:
            seeded = replace(seeded, features=replace(seeded.features, references="none"))
        year = seeded.years[-1]
        last = select_year_subset(
            corpora[year.name] if corpora else read_corpus(year.path, layout=year.layout), year, seed
        )
        topics = [
            replace(one, summaries=tuple(s for s in one.summaries if not s.human)) for one in last.topics
        ]
        targets = list(dict.fromkeys(run.target for run in seeded.runs))
        for name, options in methods.items():
            runs = tuple(RunTable(name, target) for target in targets)
            runs = tuple(replace(run, name=f"{name}-{run.target}") for run in runs)
            given = replace(options, extra=seeded.search.extra)
            yield seed, name, train(replace(seeded, runs=runs, search=given), corpora), topics


def entered_again(topic: Topic, system: str, share: float, rng: np.random.Generator) -> Topic:
    """Add ten copies of what a system wrote, each with a share of its words exchanged for others."""
    copies: list[Summary] = []
    for own in [one for one in topic.summaries if one.summarizer == system] * 10:
        words = [line.split() for line in own.text]
        places = [(line, word) for line, of_line in enumerate(words) for word in range(len(of_line))]
        for line, word in rng.permutation(places)[: max(1, round(share * len(places)))]:
            words[line][word] = f"word{rng.integers(99)}"
        copies.append(Summary(f"copy-{len(copies)}", tuple(map(" ".join, words))))
    return replace(topic, summaries=(*topic.summaries, *copies))


def moved(method: str, seed: int, found: Experiment, last: Sequence[Topic]) -> Iterator[list[str]]:
    """Enter the best, the median and the worst system again; say how its place and others' change."""
    for one in found.trained:

        def places(topics: Sequence[Topic], predictor: Predictor = one.predictor) -> pd.Series:
            means = predictor.means(predictor.predict(topics)).set_index("summarizer")["mean"]
            return means[~means.index.str.startswith("copy-")].rank(ascending=False)

        before = places(last).sort_values()
        for at, share in product((0, len(before) // 2, len(before) - 1), (0.02, 0.06, 0.1)):
            system, rng = before.index[at], seeded_rng(seed, "copies")
            after = places([entered_again(topic, system, share, rng) for topic in last])
            apart = (after - before).abs().drop(system).max()
            place = f"{before[system]:g} of {len(before)}"
            yield [
                one.predictor.name,
                method,
                f"{seed}",
                place,
                f"{share}",
                f"{after[system]:g}",
                f"{apart:g}",
            ]


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
    *,
    copies: bool = False,
    **how: bool,
) -> str:
    """Measure, and write the tables."""
    methods = {name: SearchOptions.from_method(name) for name in names}
    parts: list[pd.DataFrame] = []
    covered: list[dict[str, object]] = []
    again: list[list[str]] = []
    for seed, method, found, last in experiments(config, seeds, methods, size, **how):
        again += moved(method, seed, found, last) if copies else ()
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
    if again:
        head = (
            "predictor",
            "method",
            "seed",
            "place",
            "words exchanged",
            "place with copies",
            "others, at most",
        )
        tables.append(table(head, again))
    return "\n\n".join(tables)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.predictions", description=__doc__)
    parser.add_argument("config", metavar="CONFIG", nargs="?", help="default: made-up years of TAC's size")
    parser.add_argument("--seeds", type=int, default=3, metavar="N")
    parser.add_argument("--methods", default=",".join(LEARNING_METHODS), metavar="NAMES")
    parser.add_argument("--other-systems", action="store_true", help="learn from one half of the systems")
    parser.add_argument("--no-references", action="store_true", help="learn and predict without them")
    parser.add_argument("--copies", action="store_true", help="without references; copies of systems too")
    parser.add_argument("--quick", action="store_true", help="small years, in seconds; not for quoting")
    options = parser.parse_args(arguments)
    if options.other_systems and not options.config:
        parser.error("--other-systems is for a CONFIG; made-up years have other systems anyway")
    config = read_config(options.config) if options.config else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        size, names = QUICK if options.quick else TAC, options.methods.split(",")
        bare, how = options.no_references or options.copies, {"other_systems": options.other_systems}
        seeds = range(1, options.seeds + 1)
        print(text(config, seeds, names, size, copies=options.copies, references=not bare, **how))


if __name__ == "__main__":
    main()
