"""Rankel (2016), the dissertation: humans beside systems, weights, power on mixtures, components of human measures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from classy_aesop.answers.score_matrices import FloatArray, Grid, ScoreMatrix, matrices, only, selected
from classy_aesop.config import Config
from classy_aesop.data import KEYS
from classy_aesop.errors import InputError, UsageError, about_data
from classy_aesop.formulas import Linear
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.printed import data_of, with_printed
from classy_aesop.predictor.published import all_published
from classy_aesop.significance.additive.system_means import summarizer_means
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.correlations.normality import shapiro_wilk
from classy_aesop.significance.equality import ROUNDING, is_constant, midranks
from classy_aesop.significance.planning.mixture_power import MIXTURE_SHARES, mixture_power, score_shares
from classy_aesop.training.experiment import train_runs
from classy_aesop.training.plan import plan_tasks
from classy_aesop.training.predictors import TrainedRun
from classy_aesop.training.years import extract
from classy_aesop.work.seeds import seeded_rng

PAPER = "Rankel (2016)"


def human_gap(data: StudyData, target: str, *, metrics: Sequence[str] | None = None) -> pd.DataFrame:
    """Means of each summarizer by metric and humans, and the lines of systems and of humans: points of Figure 5.1.

    A row for each summarizer: ``year, task, target, metric, summarizer, human, score, human_score`` (means over topics
    with both), ``slope, intercept`` (least squares through those of its kind; NaN for fewer than two different
    scores), and ``residual``, its human score less the line of the systems.
    """
    tables = data.tables("all_peers", needs_metrics=True)
    return pd.DataFrame(
        {"year": grid.year, "task": grid.task, "target": target, "metric": name, **row}
        for grid in tables.grids(target, metrics)
        for name, X in grid.metrics.items()
        for row in _points(grid, X, [tables.humans[grid.year, one] for one in grid.summarizers])
    )


def _points(grid: Grid, X: FloatArray, human: list[bool]) -> Iterator[dict[str, object]]:
    x, y = grid.means(X)
    kind = np.array(human)
    lines = {is_human: line(x[kind == is_human], y[kind == is_human]) for is_human in (False, True)}
    slope, intercept = lines[False]
    for at, name in enumerate(grid.summarizers):
        of_kind = dict(zip(("slope", "intercept"), lines[human[at]], strict=True))
        means = {"human": human[at], "score": float(x[at]), "human_score": float(y[at])}
        yield {"summarizer": name, **means, **of_kind, "residual": float(y[at] - intercept - slope * x[at])}


def line(x: FloatArray, y: FloatArray) -> tuple[float, float]:
    """Slope and intercept of the least-squares line; NaN for fewer than two different x."""
    defined = ~np.isnan(x) & ~np.isnan(y)
    x, y = x[defined], y[defined]
    if len(x) < 2 or is_constant(x):
        return float("nan"), float("nan")
    away = x - x.mean()
    slope = float(away @ y / (away @ away))
    return slope, float(y.mean() - slope * x.mean())


def best_on_topic(
    data: StudyData,
    *,
    metric: str = "ROUGE-2-R",
    targets: Sequence[str] | None = None,
    topic: str | None = None,
    top: int = 5,
) -> pd.DataFrame:
    """Human scores of the humans and of the ``top`` systems by a metric, topic by topic: Table 5.1.

    A row for each topic, summarizer and human measure: ``year, task, topic, metric, summarizer, human, score`` (by the
    metric), ``rank`` (of all summarizers of the topic, 1 for the highest score; equal scores share the mean rank),
    ``target`` and ``human_score``; the highest score first. Summaries without a score are left out. With
    ``printed_score, printed_human_score`` where the data are the paper's.
    """
    tables = data.tables("all_peers", wanted=[metric])
    judged = only(tables.judgments, "metric", targets, what="target").rename(
        columns={"metric": "target", "score": "human_score"}
    )
    scores = only(only(tables.scores, "metric", [metric]), "topic", None if topic is None else [topic])
    parts = []
    for _, own in scores.dropna(subset="score").groupby(["year", "task", "topic"], sort=False):
        human = [tables.humans[key] for key in zip(own["year"], own["summarizer"], strict=True)]
        ranks = midranks(-own["score"].to_numpy(float))
        best = own.assign(human=human, rank=ranks).sort_values("score", ascending=False, kind="stable")
        is_shown = best["human"] | ((~best["human"]).cumsum() <= top)
        parts.append(best[is_shown].merge(judged, on=KEYS))
    columns = ["year", "task", "topic", "metric", "summarizer", "human", "score", "rank"]
    table = pd.concat(parts, ignore_index=True)[[*columns, "target", "human_score"]]
    table = table.assign(paper_topic=table["topic"].replace({"D1113": "D1113C"}))  # C is the assessor
    of_metric = ["paper_topic", "summarizer", "metric"]
    of_measure = ["paper_topic", "summarizer", "target"]
    for keys, name in ((of_metric, "score"), (of_measure, "human_score")):
        printed = {name: f"printed_{name}"}
        table = with_printed(table, tables.judgments, f"{PAPER}, Table 5.1", keys, printed)
    return table.drop(columns="paper_topic")


def coefficients(config: Config, *, n_jobs: int = 1, progress: bool = False) -> pd.DataFrame:
    """Train, and give the weight of each feature in each run: Tables 5.2 and 5.3.

    Columns: ``run, target, task, peers, fitter, column, weight``, the constant as the column ``constant``; with
    ``printed`` where the predicted year is the paper's: the printed weights of these runs, also of columns that ours
    lacks. UsageError if a run's formula has no weights, as trees.
    """
    years = extract(config, n_jobs=n_jobs, progress=progress)
    trained, _ = train_runs(plan_tasks(config, years)[0], n_jobs=n_jobs, progress=progress)
    table = pd.DataFrame(row for one in trained for row in _weights(one))
    is_2011 = any(name.startswith("TAC 2011") for name in data_of(years[-1].corpus.judgments).values())
    return with_printed_weights(table) if is_2011 else table


def _weights(trained: TrainedRun) -> Iterator[dict[str, object]]:
    run, predictor = trained.run, trained.predictor
    formula = predictor.formula
    if not isinstance(formula, Linear):
        raise UsageError(f"run {run.label} has no weights: its formula is {formula.kind}")
    ids = {"run": run.name, "target": run.target, "task": run.task, "peers": run.peers}
    ids["fitter"] = predictor.fitter
    for column, weight in zip(predictor.columns, formula.weights, strict=True):
        yield {**ids, "column": column, "weight": weight}
    yield {**ids, "column": "constant", "weight": formula.intercept}


def with_printed_weights(table: pd.DataFrame) -> pd.DataFrame:
    """Add the printed weights of the runs in a table of weights, and rows for printed columns that ours lacks."""
    rows = []
    for fields in all_published().values():
        run = fields["name"].removeprefix("published/").split("-")[0]
        ids = {"run": run, **{name: fields[name] for name in ("target", "task", "peers", "fitter")}}
        weights = zip(fields["columns"], fields["formula"].weights, strict=True)
        rows += [{**ids, "column": column, "printed": weight} for column, weight in weights]
    keys = ["run", "target", "task", "peers", "fitter", "column"]
    ours = pd.DataFrame(rows).merge(table[keys[:-1]].drop_duplicates(), on=keys[:-1])
    return table.merge(ours, on=keys, how="outer")


MIXTURE = ["year", "task", "metric", "share", "test", "power", "error", "cutoff", "n_topics", "topic_effects"]
MIXTURE += ["alpha", "n_null", "n_trials", "seed"]
"""The columns of `table_mixture_power`."""


def table_mixture_power(
    table: pd.DataFrame,
    metric: str,
    humans: Sequence[str],
    *,
    topic_effects: bool = False,
    n_topics: int = 60,
    shares: Sequence[float] = MIXTURE_SHARES,
    year: str | None = None,
    task: str | None = None,
    n_null: int = 50_000,
    n_trials: int = 10_000,
    seed: int = 0,
) -> pd.DataFrame:
    """Power of the signed-rank, paired t and unpaired t tests to tell a mixture of machines and humans from machines.

    Section 3.7: the pooled scores of machines and of humans are mixed, with growing shares of humans.

    Parameters
    ----------
    table, metric, year, task
        A score table, and which of its scores; the possible scores are the values that occur.
    humans : sequence of str
        The summarizers who are human; all others are machines. InputError if a year and task lacks either.
    topic_effects : bool
        Sample topics, each with its own distribution of scores.
    n_topics, shares, n_null, n_trials, seed
        As for :func:`classy_aesop.significance.planning.mixture_power.mixture_power`; trials are for each share.

    Returns
    -------
    DataFrame
        A row for each year, task, share and test: `MIXTURE`, where ``error`` is the Monte Carlo error of the power.
    """
    rows = selected(table, [metric], year, task)
    only(rows, "summarizer", humans)
    simulated: dict[str, Any] = {"n_topics": n_topics, "n_null": n_null, "n_trials": n_trials}
    found = []
    for one in matrices(rows):
        machine, human, topics, values = _distributions(one, set(humans))
        how: dict[str, Any] = {**simulated, "values": values, "topics": topics if topic_effects else None}
        with about_data():
            power = mixture_power(machine, human, shares=shares, rng=seeded_rng(seed, *one.names), **how)
        signed = power.n_topics, power.topic_effects, power.alpha, power.n_null, power.n_trials, seed
        for at, share in enumerate(power.shares.tolist()):
            for which, test in enumerate(power.tests):
                numbers = power.power[which, at], power.error[which, at], power.cutoffs[which]
                found.append((*one.names, share, test, *numbers, *signed))
    return pd.DataFrame(found, columns=MIXTURE)


def _distributions(
    scores: ScoreMatrix, humans: set[str]
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Give the shares of each score for machines, for humans and for each topic, and the scores."""
    X, human = scores.X, np.array([name in humans for name in scores.summarizers])
    if human.all() or not human.any():
        found = "no machines" if human.all() else "no humans"
        raise InputError(f"{found} among {len(human)} summarizers; expected both")
    values = np.unique(X[~np.isnan(X)])
    by_topic = score_shares(X, values, by_topic=True)
    return score_shares(X[~human], values), score_shares(X[human], values), by_topic, values


def principal_components(data: StudyData, *, metrics: Sequence[str] | None = None) -> pd.DataFrame:
    """Combine the human measures by principal components, and correlate measures and metrics with each of them.

    Rankel et al. (2011), section 5, and Rankel (2016), section 4.5, propose it for future work. The components are
    those of the summarizers' mean scores, each measure less its mean and divided by its standard deviation. The sign of
    a component is the one that gives its weights a positive sum, or if that is 0, a positive first weight. There are as
    many components as explain something.

    For each year, task and component a row for each human measure and each metric: ``year, task, component`` (1 for
    the one that explains most), ``explained`` (its share of the variance), ``metric, human`` (whether it is a human
    measure), ``weight`` (of a measure; NaN for metrics), ``correlation`` (Pearson's, of the summarizers' means with
    the component) and ``n`` (summarizers with a score by every measure, and by the metric). InputError for fewer than
    two human measures that vary, or fewer than three summarizers with all.
    """
    tables = data.tables("no_models")
    judged, scores = _mean_scores(tables.judgments), _mean_scores(only(tables.scores, "metric", metrics))
    return pd.DataFrame(
        {"year": year, "task": task, **row}
        for (year, task), means in judged.items()
        for row in _components(means.dropna(), scores.get((year, task), pd.DataFrame(index=means.index)))
    )


def _mean_scores(rows: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    """Give the mean score of each summarizer in each year and task, a column a metric; NaN where there is none."""
    means: dict[tuple[str, str], dict[str, pd.Series]] = {}
    for one in matrices(rows):
        mean = pd.Series(summarizer_means(one.X, ~np.isnan(one.X)), index=one.summarizers)
        means.setdefault((one.year, one.task), {})[one.metric] = mean
    return {place: pd.DataFrame(columns) for place, columns in means.items()}


def _components(means: pd.DataFrame, metrics: pd.DataFrame) -> Iterator[dict[str, object]]:
    """Give the rows of one year and task."""
    weights, explained, components = _principal(means)
    metrics = metrics.reindex(means.index)
    for at, share in enumerate(explained):
        for table, own in ((means, weights[at]), (metrics, np.full(metrics.shape[1], np.nan))):
            for name, weight in zip(table.columns, own, strict=True):
                found = correlation(table[[name]].to_numpy(), components[:, [at]], coefficient="pearson")
                yield {
                    "component": at + 1,
                    "explained": share,
                    "metric": name,
                    "human": table is means,
                    "weight": weight,
                    "correlation": found.value,
                    "n": found.n,
                }


def _principal(means: pd.DataFrame) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give the weights of the components (a row each), the shares that they explain, and their values."""
    X = means.to_numpy(dtype=float)
    if len(X) < 3 or X.shape[1] < 2 or is_constant(X.T).any():
        raise InputError(
            f"{X.shape[1]} human measures of {len(X)} summarizers; expected two measures or more that vary, "
            "of three summarizers or more"
        )
    Z = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    _, sizes, weights = np.linalg.svd(Z, full_matrices=False)
    is_there = sizes > ROUNDING * sizes[0]
    weights = weights[is_there]
    # with the sign of their sum, or if that is 0 but for rounding, of the first weight that is not
    both = np.column_stack([weights.sum(axis=1), weights])
    first = (np.abs(both) > ROUNDING).argmax(axis=1)
    weights = weights * np.sign(both[np.arange(len(both)), first])[:, None]
    return weights, (sizes**2 / np.sum(sizes**2))[is_there], Z @ weights.T


def residual_normality(data: StudyData, metric: str) -> pd.DataFrame:
    """Shapiro-Wilk test of each summarizer's residuals: its scores less the effects of summarizer and topic.

    No paper has this table; it asks whether the t-tests of Rankel (2016), section 3.3, may assume normal scores.
    Columns: ``year, task, metric, summarizer, human, mean, std`` (of the residuals), ``statistic, p, n``; NaN for
    fewer than three scores, or equal ones.
    """
    tables = data.tables("all_peers", score=None)
    rows = []
    for one in tables.matrices([metric]):
        for name, scores, rest in zip(one.summarizers, one.X, additive_residuals(one.X), strict=True):
            left = rest[~np.isnan(rest)]
            who: dict[str, object] = {"summarizer": name, "human": tables.humans[one.year, name]}
            std = float(left.std(ddof=1)) if len(left) > 1 else float("nan")
            tested: dict[str, object] = dict(zip(("statistic", "p"), shapiro_wilk(left), strict=True))
            rows.append(
                {**one.ids, **who, "mean": float(np.nanmean(scores)), "std": std, **tested, "n": len(left)}
            )
    return pd.DataFrame(rows)


def additive_residuals(X: FloatArray) -> FloatArray:
    """Residuals of a matrix less the effects of its rows and columns, by least squares; NaN stay."""
    row, column = np.nonzero(~np.isnan(X))
    y = X[row, column]
    design = np.zeros((len(y), sum(X.shape)))
    design[np.arange(len(y)), row] = 1.0
    design[np.arange(len(y)), len(X) + column] = 1.0
    rest = np.full(X.shape, np.nan)
    rest[row, column] = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    return rest


def score_ranks(data: StudyData, *, metrics: Sequence[str] | None = None) -> pd.DataFrame:
    """How often each value of a human measure occurs, and the ranks of the pooled scores, where equal scores share one.

    Table 3.2, Figure 2.1. A row for each value that occurs: ``year, task, metric, score, count, share`` (of the scores
    of the year, task and measure), ``first_rank, last_rank, mid_rank``, and ``tie_divisor``, by which Kruskal and
    Wallis divide H. With ``printed_count, printed_mid_rank`` where the data are the paper's. The corpora may be tables
    of judgments without texts.
    """
    tables = data.tables("all_peers", score=None)
    parts = [ranked_counts(one.X[~np.isnan(one.X)]).assign(**one.ids) for one in tables.matrices(metrics)]
    ids = ["year", "task", "metric"]
    table = pd.concat(parts, ignore_index=True)
    table = table[[*ids, *table.columns.drop(ids)]]
    printed = {name: f"printed_{name}" for name in ("count", "mid_rank")}
    as_there = data.peers in (None, "all_peers")
    keys = ["metric", "score"]
    return with_printed(table, tables.judgments, f"{PAPER}, Table 3.2", keys, printed, as_there=as_there)


def ranked_counts(scores: FloatArray) -> pd.DataFrame:
    """Ranks that the values of a list of scores share."""
    values, counts = np.unique(scores, return_counts=True)
    last = np.cumsum(counts)
    first = last - counts + 1
    t, n = counts.astype(float), float(last[-1])
    divisor = 1 - np.sum(t**3 - t) / (n**3 - n) if n > 1 else float("nan")
    ranks = {"first_rank": first, "last_rank": last, "mid_rank": (first + last) / 2}
    return pd.DataFrame(
        {"score": values, "count": counts, "share": counts / n, **ranks, "tie_divisor": divisor}
    )
