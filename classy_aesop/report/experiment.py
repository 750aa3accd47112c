"""The results of an experiment: the printed summary and the output folder.

The folder holds

- ``summary.txt``: the printed summary; ``summary.tsv``: all correlations, one per row;
- ``predictors/LABEL.json``: one predictor per run;
- ``predictions.tsv``: the predicted year's scores by every run, with intervals and the human scores;
- ``verdict.tsv``: each run against ROUGE-2; ``contributions.tsv``: how much each column moves the predictions;
- ``search/LABEL.FITTER.{top,sizes,inclusion}.tsv``: the 100 best subsets, the best of each size, and how often each
  feature is in the top 100 (and, with resamples, in the best subset of a resample); if all subsets are wanted, also
  ``search/LABEL.FITTER.tsv``;
- with resamples, ``search/LABEL.{optimism,weights}.tsv``: the optimism of the best score, and the subsets that the
  predictor averages with their weights;
- ``config.toml``: the configuration, by which `train` gives the same predictors again; ``run.json``: signature,
  protocol, notes and the configuration with its defaults;
- ``manifest.json``: the list of these files (see `files.atomic_folder`).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from classy_aesop.config import Config, to_toml
from classy_aesop.config.base import DEFAULT_METHOD
from classy_aesop.errors import visible
from classy_aesop.features.columns import abridged, ordered
from classy_aesop.files.atomic import atomic_folder
from classy_aesop.plain.signature import digest, signature
from classy_aesop.report.files import write_result
from classy_aesop.report.result import Result, train_result
from classy_aesop.report.sentences import sentences
from classy_aesop.report.table import aligned
from classy_aesop.search import SelectedSubsets
from classy_aesop.training.experiment import Experiment
from classy_aesop.training.trained import TrainedRun

SHOWN = {
    "pearson": ("system", "pearson"),
    "spearman": ("system", "spearman"),
    "kendall": ("system", "kendall"),
    "global": ("global", "pearson"),
}
"""Columns of the printed summary: three coefficients of system means, and Pearson over all summaries."""


def sign(experiment: Experiment) -> str:
    """Make the signature of an experiment: protocol, years, features, options, seed and version.

    It names what is most asked for; ``config`` is a digest of all that the numbers depend on beside the data.
    """
    config = experiment.config
    return signature(
        protocol=experiment.protocol,
        years=[year.name for year in config.years],
        runs=[trained.run.name for trained in experiment.trained] if config.preset is None else config.preset,
        features=abridged(ordered(config.search.names)),
        **_imported(experiment),
        **config.features.to_dict(),
        level=config.search.level,
        fit_level=config.search.fit_level,
        stop=config.search.stop,
        **config.search.changed(),
        seed=config.seed,
        config=digest(_decisive(config)),
    )


def _decisive(config: Config) -> dict[str, Any]:
    """Give a configuration without what changes no number: what it is about, and where files lie."""
    own = config.to_dict()
    del own["about"]
    for year in own["years"]:
        del year["path"]
        year |= {key: [Path(name).name for name in year[key]] for key in ("scores", "judgments")}
    return own


def _imported(experiment: Experiment) -> dict[str, object]:
    """Name the files of imported metrics, if any, and the metrics selected from them."""
    files = [Path(name).name for year in experiment.config.years for name in year.scores]
    return {"scores": files, "extra": experiment.config.search.extra or "all"} if files else {}


def summary(experiment: Experiment) -> str:
    """Write the result as text: for each task and peer set, the runs followed by ROUGE-2 and ROUGE-SU4.

    It ends with two sentences: does the prediction beat ROUGE-2, and is that luck?
    """
    blocks = [_heading(experiment), *_tables(experiment.assessment), *_selection(experiment)]
    blocks += [*_notes(experiment), _verdict(experiment), *_by_default(experiment), sign(experiment)]
    return visible("\n\n".join(blocks), but="\n")


def _verdict(experiment: Experiment) -> str:
    return "\n".join(sentences(experiment.verdict, [year.name for year in experiment.config.years]))


def _by_default(experiment: Experiment) -> Iterator[str]:
    """Write the runs of a preset beside the default method: a table, and two sentences."""
    if experiment.by_default.empty:
        return
    place = ["task", "peers", "target"]
    best = experiment.verdict.groupby(place)["value"].max().rename("best run")
    table = experiment.by_default.merge(best.reset_index(), on=place)
    table = table[[*place, "rival", "best run", "value"]].dropna()
    names = {"rival": str(experiment.by_default["against"].iloc[0]), "value": DEFAULT_METHOD}
    rival, run, default = (table[name] for name in ("rival", "best run", "value"))
    yield f"the same targets by the default method, {DEFAULT_METHOD}\n{aligned(table.rename(columns=names))}"
    yield (
        f"The default method beats {names['rival']} in {(default > rival).sum()} of {len(table)} targets, and the best "
        f"run of {experiment.config.preset} in {(default > run).sum()}.\n"
        f"The median correlation is {default.median():.3f}; {names['rival']} has {rival.median():.3f}, and the best "
        f"runs have {run.median():.3f}."
    )


def _heading(experiment: Experiment) -> str:
    years = [year.name for year in experiment.config.years]
    *earlier, predicted = years
    latest, prior = (earlier or years)[-1], (earlier or years)[-2:][0]
    refitted = ", ".join(earlier) if experiment.config.search.refit == "all" else latest
    how = {
        "fit-select-predict": f"fitted on {prior}, selected and refitted on {latest}"
        if refitted == latest
        else f"fitted on {prior}, selected on {latest}, refitted on {refitted}",
        "rolling": f"each year of {', '.join(earlier[1:])} selected on after those before it, refitted on {refitted}",
        "leave-one-year-out": f"each year of {', '.join(earlier)} selected on after the others, refitted on {refitted}",
        "folds-predict": f"fitted and selected by topic folds on {years[0]}",
        "folds-only": "fitted, selected and predicted by topic folds of the same year",
    }[experiment.protocol]
    caption = "correlations of system means with the human scores; global: Pearson over all summaries"
    if experiment.assessment.empty:
        caption = "the predicted year has no judgments to compare with"
    return f"{predicted} predicted ({how})\n{caption}"


def _tables(assessment: pd.DataFrame) -> Iterator[str]:
    for (task, peers), rows in assessment.groupby(["task", "peers"], sort=False):
        place = f"task {task}, {peers}" if task else str(peers)
        counts = rows.iloc[0]
        yield f"{place}: {counts['n_summarizers']} summarizers, {counts['n_topics']} topics\n{aligned(_wide(rows))}"


def _wide(rows: pd.DataFrame) -> pd.DataFrame:
    """Put the coefficients for a target side by side, one line per run, with ROUGE below."""
    rouge = rows["run"] == ""
    rows = rows.assign(rouge=rouge, run=rows["run"].where(~rouge, rows["metric"]))
    lines = rows[["target", "rouge", "run", "fitter"]].drop_duplicates()
    lines = lines.sort_values(["target", "rouge"], kind="stable").drop(columns="rouge")
    for name, (level, coefficient) in SHOWN.items():
        values = rows[(rows["level"] == level) & (rows["coefficient"] == coefficient)]
        values = values[["target", "run", "value"]].rename(columns={"value": name})
        lines = lines.merge(values, on=["target", "run"])
    return lines


def _selection(experiment: Experiment) -> Iterator[str]:
    """Write the optimism of each run's selection score, if subsets were resampled."""
    rows = [_optimism(one, one.subsets) for one in experiment.trained if one.subsets.n_resamples]
    if rows:
        caption = "best score on the selection years, what of it is optimism, and what remains for other summarizers"
        yield f"{caption}\n{aligned(pd.DataFrame(rows))}"


def _optimism(trained: TrainedRun, subsets: SelectedSubsets) -> dict[str, object]:
    often = sorted(subsets.stability, key=lambda name: -subsets.stability[name])[:3]
    return {
        "run": trained.run.label,
        "selected": subsets.score,
        "optimism": subsets.optimism,
        "corrected": subsets.corrected,
        "subsets": len(subsets.members),
        "names": len(trained.predictor.training["subset"]),
        "most often": " ".join(f"{name} {subsets.stability[name]:.0%}" for name in often),
    }


def _notes(experiment: Experiment) -> Iterator[str]:
    if experiment.notes:
        yield "\n".join(f"note: {note}" for note in experiment.notes)


def save(
    experiment: Experiment,
    folder: str | Path,
    *,
    all_subsets: bool = False,
    report: bool = False,
    n_jobs: int = 1,
) -> None:
    """Write the folder of an experiment, completely or not at all; an older one made by this function is replaced.

    With ``report`` it holds a page too, ``report.html``, and its numbers; ``n_jobs`` processes draw its pictures.

    Raises
    ------
    FileExistsError
        If the folder holds files that this function did not write.
    """
    with atomic_folder(folder) as place:
        write(experiment, place, folder, all_subsets=all_subsets, report=report, n_jobs=n_jobs)


def write(
    experiment: Experiment,
    place: Path,
    folder: str | Path,
    *,
    all_subsets: bool = False,
    report: bool = False,
    n_jobs: int = 1,
) -> None:
    """Write the files of an experiment to a place from which they move to their folder; see `save`."""
    signed = sign(experiment)
    (place / "summary.txt").write_text(summary(experiment) + "\n", encoding="utf-8")
    for name, table in (
        ("summary", experiment.assessment),
        ("predictions", experiment.points),
        ("verdict", experiment.verdict),
        ("contributions", experiment.contributions),
    ):
        _write(train_result(name, table, signed), place / f"{name}.tsv")
    for name in ("predictors", "search"):
        (place / name).mkdir()
    for trained in experiment.trained:
        trained.predictor.save(place / "predictors" / f"{trained.run.label}.json")
        for name, result in _searches(trained, signed, all_subsets):
            _write(result, place / "search" / f"{name}.tsv")
    (place / "config.toml").write_text(to_toml(experiment.config, folder), encoding="utf-8")
    record = {
        "signature": signed,
        "protocol": experiment.protocol,
        "notes": experiment.notes,
        "python": sys.version.split()[0],
        "config": experiment.config.to_dict(),
    }
    (place / "run.json").write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    if report:
        from classy_aesop.report.html import write_page
        from classy_aesop.report.run_page import run_page

        write_page(run_page(place), place / "report.html", n_jobs=n_jobs)


def _searches(trained: TrainedRun, signed: str, all_subsets: bool) -> Iterator[tuple[str, Result]]:
    """Give the tables of a run's search by the names of their files."""
    label, subsets = trained.run.label, trained.subsets
    for fitter, search in trained.searches.items():
        yield f"{label}.{fitter}.top", train_result("top", search.top(100), signed)
        yield f"{label}.{fitter}.sizes", train_result("sizes", search.best_per_size(), signed)
        yield f"{label}.{fitter}.inclusion", train_result("inclusion", search.inclusion(100), signed)
        if all_subsets:
            yield f"{label}.{fitter}", train_result("subsets", search.to_frame(), signed)
    if subsets.n_resamples:
        optimism = pd.DataFrame([_optimism(trained, subsets)])
        yield f"{label}.optimism", train_result("optimism", optimism, signed)
        yield f"{label}.weights", train_result("weights", _members(subsets), signed)


def _members(subsets: SelectedSubsets) -> pd.DataFrame:
    rows = [(one.weight, one.fitter, " ".join(one.subset.names), one.subset.score) for one in subsets.members]
    return pd.DataFrame(rows, columns=["weight", "fitter", "names", "score"])


def _write(result: Result, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        write_result(result, stream, "tsv")
