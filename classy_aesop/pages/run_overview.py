"""The first screen of a run: what was done, how well it did beside ROUGE-2, and what that means."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from classy_aesop.significance.correlations.correlation_intervals import fisher_limits
from classy_aesop.tables.layout import align
from classy_aesop.training.experiment import Experiment

PEERS_IN_WORDS = {
    "no_models": "systems alone",
    "all_peers": "systems and humans",
    "models_only": "humans alone",
}


def list_overview(experiment: Experiment, protocol: str, meaning: Sequence[str]) -> Iterator[list[str]]:
    """Give paragraphs: what was done, a table with a line a human measure, and what it means, which is said last.

    The table is about one task and peer set, that of systems alone if there is one: each correlation is one of the
    rows of the tables below, with Fisher's interval.
    """
    verdict = experiment.verdict
    task, peers = choose_stratum(verdict)
    rival = str(verdict["against"].iat[0])
    year = experiment.config.years[-1].name
    made = (
        f"A predictor of human {verdict['target'].iat[0]} was made."
        if len(verdict) == 1
        else f"{len(verdict)} predictors of human scores were made, each for one human measure, task and set of "
        "summarizers."
    )
    yield [f"{made} {protocol}"]
    stratum = f"task {task}, {PEERS_IN_WORDS[peers]}" if task else PEERS_IN_WORDS[peers]
    yield [
        f"Correlations of the means of systems with the human means of {year} (1 is perfect agreement), with 95 % "
        f"intervals, for {stratum}:"
    ]
    yield [align(tabulate_measures(experiment, task, peers, rival))]
    yield [*meaning]


def choose_stratum(verdict: pd.DataFrame) -> tuple[str, str]:
    """Choose the first task, and systems alone if they were predicted by themselves."""
    rows = verdict[verdict["peers"] == "no_models"]
    first = (verdict if rows.empty else rows).iloc[0]
    return str(first["task"]), str(first["peers"])


def tabulate_measures(experiment: Experiment, task: str, peers: str, rival: str) -> pd.DataFrame:
    """Give a row a human measure: the correlation of the best run and of the rival, after a preset's default method."""
    correlations = experiment.assessment
    is_shown = (correlations["level"] == "system") & (correlations["coefficient"] == "pearson")
    correlations = correlations[is_shown & (correlations["task"] == task) & (correlations["peers"] == peers)]
    runs = correlations[correlations["run"] != ""]
    values_by_column = {
        "best of the runs" if runs["target"].duplicated().any() else "predictions": runs,
        rival: correlations[correlations["metric"] == rival],
    }
    if not experiment.by_default.empty:
        by_default = experiment.by_default
        is_shown = (by_default["task"] == task) & (by_default["peers"] == peers)
        values_by_column = {"default method": by_default[is_shown]} | values_by_column
    values = {name: rows.groupby("target")["value"].max() for name, rows in values_by_column.items()}
    n_summarizers = runs.groupby("target", sort=False)["n_summarizers"].max()
    return pd.DataFrame(
        {
            "human measure": target,
            **{
                name: write_correlation(of_column.get(target, math.nan), n)
                for name, of_column in values.items()
            },
        }
        for target, n in n_summarizers.items()
    )


def write_correlation(value: float, n_summarizers: int) -> str:
    """Write a correlation of system means with its interval; a dash for none."""
    if math.isnan(value):
        return "-"
    low, high = fisher_limits(value, n_summarizers)
    return f"{value:z.3f} ({low:z.2f} to {high:z.2f})"


def list_next_steps(experiment: Experiment, summary_path: str) -> list[str]:
    """Give the command that uses a predictor, and where the rest is."""
    task, peers = choose_stratum(experiment.verdict)
    verdict = experiment.verdict
    runs = verdict[(verdict["task"] == task) & (verdict["peers"] == peers)].dropna(subset=["value"])
    folder = Path(summary_path).parent
    listed = (
        "correlation, test and chosen subset" if any(run.subset for run in experiment.trained) else "test"
    )
    steps = [f"Every {listed}: {summary_path}"]
    if not runs.empty:
        best = runs.sort_values("value", ascending=False, kind="stable")["metric"].iat[0]
        command = f"classy-aesop predict {folder}/predictors/{best}.json SUMMARIES"
        steps.insert(0, f"Score new summaries:\n  {command}")
    if not experiment.by_default.empty:
        steps.append("Learn by the default method: take the line preset out of the configuration")
    return [
        *steps,
        f"A page to send:\n  classy-aesop report {folder} -o report.html",
    ]
