"""The first screen of a run by a preset: what was done, how well it did beside ROUGE-2, and what that means."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from classy_aesop.significance.correlations.correlation_intervals import fisher_limits
from classy_aesop.significance.decisions import is_significant
from classy_aesop.tables.layout import align
from classy_aesop.training.experiment import Experiment

PEERS_IN_WORDS = {
    "no_models": "systems alone",
    "all_peers": "systems and humans",
    "models_only": "humans alone",
}


def list_overview(experiment: Experiment, protocol: str) -> Iterator[list[str]]:
    """Give paragraphs: what was done, a table with a line a human measure, and what it means.

    The table is about one task and peer set, that of systems alone if there is one: each correlation is one of the
    rows of the tables below, with Fisher's interval.
    """
    verdict = experiment.verdict
    task, peers = choose_stratum(verdict)
    rival = str(verdict["against"].iat[0])
    year = experiment.config.years[-1].name
    yield [
        f"{len(verdict)} predictors of human scores were made, each for one human measure, task and set of "
        f"summarizers. {protocol}"
    ]
    stratum = f"task {task}, {PEERS_IN_WORDS[peers]}" if task else PEERS_IN_WORDS[peers]
    yield [
        f"Correlations of the means of systems with the human means of {year} (1 is perfect agreement), with 95 % "
        f"intervals, for {stratum}:"
    ]
    yield [align(tabulate_measures(experiment, task, peers, rival))]
    yield list(state_meaning(experiment, rival))


def choose_stratum(verdict: pd.DataFrame) -> tuple[str, str]:
    """Choose the first task, and systems alone if they were predicted by themselves."""
    rows = verdict[verdict["peers"] == "no_models"]
    first = (verdict if rows.empty else rows).iloc[0]
    return str(first["task"]), str(first["peers"])


def tabulate_measures(experiment: Experiment, task: str, peers: str, rival: str) -> pd.DataFrame:
    """Give a row a human measure: the correlation of the default method, of the best run and of the rival."""
    correlations = experiment.assessment
    is_shown = (correlations["level"] == "system") & (correlations["coefficient"] == "pearson")
    correlations = correlations[is_shown & (correlations["task"] == task) & (correlations["peers"] == peers)]
    by_default = experiment.by_default
    by_default = by_default[(by_default["task"] == task) & (by_default["peers"] == peers)]
    default_values = by_default.groupby("target")["value"].max()
    rows = []
    for target, of_target in correlations.groupby("target", sort=False):
        runs = of_target[of_target["run"] != ""]
        rivals = of_target[of_target["metric"] == rival]
        n_summarizers = int(runs["n_summarizers"].max())
        rows.append(
            {
                "human measure": target,
                "default method": write_correlation(default_values.get(target, float("nan")), n_summarizers),
                "best of the runs": write_correlation(runs["value"].max(), n_summarizers),
                rival: write_correlation(rivals["value"].max(), n_summarizers),
            }
        )
    return pd.DataFrame(rows)


def write_correlation(value: float, n_summarizers: int) -> str:
    """Write a correlation of system means with its interval; a dash for none."""
    if math.isnan(value):
        return "-"
    low, high = fisher_limits(value, n_summarizers)
    return f"{value:z.3f} ({low:z.2f} to {high:z.2f})"


def state_meaning(experiment: Experiment, rival: str) -> Iterator[str]:
    """Say how often the default method and the runs are better than the rival, and whether that is significant."""
    n_significant = 0
    for name, verdict in (
        ("The default method", experiment.by_default),
        (f"The method of {experiment.config.preset}", experiment.verdict),
    ):
        compared = verdict.dropna(subset=["difference"])
        if compared.empty:
            continue
        differences = compared["difference"]
        significant = compared[is_significant(compared["p_adjusted"])]
        n_better = int((significant["difference"] > 0).sum())
        n_worse = len(significant) - n_better
        n_significant += len(significant)
        sentence = (
            f"{name} agrees better with people than {rival} in {int((differences > 0).sum())} of {len(compared)} "
            f"cases, significantly for other systems like these in {n_better}"
        )
        yield f"{sentence}, and significantly worse in {n_worse}." if n_worse else f"{sentence}."
    if n_significant == 0:
        n_systems = int(experiment.assessment["n_summarizers"].max())
        yield (
            f"So these data do not show that either is better than {rival} on other systems like these: at most "
            f"{n_systems} summarizers were judged. More judged systems would make the intervals narrower."
        )


def list_next_steps(experiment: Experiment, summary_path: str) -> list[str]:
    """Give the command that uses a predictor, and where the rest is."""
    task, peers = choose_stratum(experiment.verdict)
    verdict = experiment.verdict
    runs = verdict[(verdict["task"] == task) & (verdict["peers"] == peers)].dropna(subset=["value"])
    folder = Path(summary_path).parent
    steps = [f"Every correlation, test and chosen subset: {summary_path}"]
    if not runs.empty:
        best = runs.sort_values("value", ascending=False, kind="stable")["metric"].iat[0]
        command = f"classy-aesop predict {folder}/predictors/{best}.json SUMMARIES"
        steps.insert(0, f"Score new summaries:\n  {command}")
    return [
        *steps,
        "Learn by the default method: take the line preset out of the configuration",
        f"A page to send:\n  classy-aesop report {folder} -o report.html",
    ]
