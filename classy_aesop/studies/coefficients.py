"""The weights of each run: Rankel (2016), Tables 5.2 and 5.3."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from classy_aesop.config import Config
from classy_aesop.errors import UsageError
from classy_aesop.formulas import Linear
from classy_aesop.predictor.published import all_published
from classy_aesop.studies.printed import data_of
from classy_aesop.training.experiment import train_runs
from classy_aesop.training.plan import plan_runs, training_tasks
from classy_aesop.training.trained import TrainedRun
from classy_aesop.training.years import YearData, extract


def coefficients(config: Config, *, n_jobs: int = 1, progress: bool = False) -> pd.DataFrame:
    """Train, and give the weight of each feature in each run.

    Parameters
    ----------
    config : Config
        The experiment.
    n_jobs, progress
        As for `train`.

    Returns
    -------
    DataFrame
        ``run, target, task, peers, fitter, column, weight``, the constant as the column ``constant``; with ``printed``
        where the predicted year is the paper's: the printed weights of these runs, also of columns that ours lacks.

    Raises
    ------
    UsageError
        If a run's formula has no weights, as trees.
    """
    years = extract(config, n_jobs=n_jobs, progress=progress)
    tasks = training_tasks(config, years, plan_runs(config, years)[0])
    trained, _ = train_runs(tasks, n_jobs=n_jobs, progress=progress)
    table = pd.DataFrame(row for one in trained for row in _weights(one))
    return with_printed_weights(table) if _is_2011(years[-1]) else table


def _weights(trained: TrainedRun) -> Iterator[dict[str, object]]:
    run, predictor = trained.run, trained.predictor
    formula = predictor.formula
    if not isinstance(formula, Linear):
        raise UsageError(f"run {run.label} has no weights: its formula is {formula.kind}")
    ids = {
        "run": run.name,
        "target": run.target,
        "task": run.task,
        "peers": run.peers,
        "fitter": predictor.fitter,
    }
    for column, weight in zip(predictor.columns, formula.weights, strict=True):
        yield {**ids, "column": column, "weight": weight}
    yield {**ids, "column": "constant", "weight": formula.intercept}


def _is_2011(year: YearData) -> bool:
    return any(name.startswith("TAC 2011") for name in data_of(year.corpus.judgments).values())


def with_printed_weights(table: pd.DataFrame) -> pd.DataFrame:
    """Add the printed weights of the runs in a table of weights, and rows for printed columns that ours lacks."""
    rows = []
    for fields in all_published().values():
        run = fields["name"].removeprefix("published/").split("-")[0]
        ids = {"run": run, **{name: fields[name] for name in ("target", "task", "peers", "fitter")}}
        weights = zip(fields["columns"], fields["formula"].weights, strict=True)
        rows += [{**ids, "column": column, "printed": weight} for column, weight in weights]
    keys = ["run", "target", "task", "peers", "fitter", "column"]
    printed = pd.DataFrame(rows)
    ours = printed.merge(table[keys[:-1]].drop_duplicates(), on=keys[:-1])
    return table.merge(ours, on=keys, how="outer")
