"""Rankel (2016), the dissertation: humans beside systems, weights, power on mixtures, components of human measures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import pandas as pd

from classy_aesop.answers.score_matrices import Grid, ScoreMatrix, matrices, select_rows, select_scores
from classy_aesop.config import Config
from classy_aesop.data import KEYS
from classy_aesop.errors import InputError, UsageError, value_errors_as_input_errors
from classy_aesop.formulas import Linear
from classy_aesop.papers.composite_scores import find_components
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.printed import printed_name, recognize_paper_data
from classy_aesop.papers.study_tables import (
    HUMAN_COLUMN,
    MEAN_HUMAN_SCORE,
    MEAN_SCORE,
    MONTE_CARLO_ERROR,
    SCORE,
    SEED_COLUMN,
    SIGNIFICANCE_LEVEL,
    SUMMARIZER,
    TRIALS,
    draw_power,
    draw_rows,
    name_most_powerful,
    printed_columns,
    study_result,
)
from classy_aesop.plots.captioned import Picture
from classy_aesop.plots.pictures import curves, scatter
from classy_aesop.predictor.published import all_published
from classy_aesop.significance.additive.system_means import summarizer_means
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.equality import is_constant, midranks
from classy_aesop.significance.planning.mixture_power import MIXTURE_SHARES, mixture_power, score_shares
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import (
    MAIN,
    METRIC,
    PEER_SET,
    TARGET,
    TASK,
    YEAR,
    column_names,
    count,
    estimate,
    item,
    setting,
    stratum,
)
from classy_aesop.training.plan import plan_runs
from classy_aesop.training.predictors import TrainedRun
from classy_aesop.training.runs import train_runs
from classy_aesop.training.years import extract
from classy_aesop.work.seeds import seeded_rng

# --- the declared tables ---


def draw_score_shares(rows: pd.DataFrame) -> Picture:
    """Draw how the scores of each human measure are distributed: Figure 2.1."""
    renamed = rows.rename(columns={"share": "share of the scores"})
    caption = "how often each value of a human measure occurs"
    return draw_rows(renamed, caption, curves, x="score", y="share of the scores")


MEANS_WITH_LINES = (
    "mean score and mean human score of each summarizer, with the lines of systems and of humans"
)

HUMAN_GAP = Answer(
    name="study human-gap",
    caption="Scores beside human scores",
    columns=(
        YEAR,
        TASK,
        TARGET,
        METRIC,
        SUMMARIZER,
        HUMAN_COLUMN,
        MEAN_SCORE,
        MEAN_HUMAN_SCORE,
        estimate("slope", "of the least-squares line of its kind, humans or systems"),
        estimate("intercept", "of this line"),
        estimate("residual", "its human score less the line of the systems"),
    ),
    needs=("summarizer", "score", "human_score"),
    pictures=partial(
        draw_rows, caption=MEANS_WITH_LINES, plot=scatter, x="score", y="human_score", lines=True
    ),
)

BEST_ON_TOPIC = Answer(
    name="study best-on-topic",
    caption="Human scores of humans and of the best systems",
    columns=(
        YEAR,
        TASK,
        stratum("topic", "the topic"),
        METRIC,
        SUMMARIZER,
        HUMAN_COLUMN,
        SCORE,
        estimate("rank", "among all summarizers of the topic, 1 for the highest score; equal ones share it"),
        TARGET,
        estimate("human_score", "the human score", priority=MAIN),
        *printed_columns("best-on-topic"),
    ),
)

COEFFICIENTS_BY_SCORE = Answer(
    name="study coefficients",
    caption="Weights of the runs",
    columns=(
        item("run", "the run"),
        TARGET,
        TASK,
        PEER_SET,
        item("fitter", "what fits its formula"),
        item("column", "the feature; constant for the intercept"),
        estimate("weight", "its weight in the formula; missing where ours lacks the column", priority=MAIN),
        *printed_columns("coefficients"),
    ),
)

MIXTURE_POWER = Answer(
    name="study mixture-power",
    caption="Power of tests",
    columns=(
        YEAR,
        TASK,
        METRIC,
        item("share", "share of human scores in the mixture", "float"),
        item("test", "the test of two summarizers"),
        estimate("power", "share of the trials in which the test detects it", priority=MAIN),
        estimate("error", MONTE_CARLO_ERROR),
        estimate("cutoff", "the statistic that the test must exceed, by simulation without a difference"),
        count("n_topics", "topics of a trial"),
        setting("topic_effects", "whether topics have their own distributions", "bool"),
        SIGNIFICANCE_LEVEL,
        setting("n_null", "simulations without a difference", "int"),
        TRIALS,
        SEED_COLUMN,
    ),
    needs=("share", "test", "power"),
    sentence=partial(name_most_powerful, share_of_no_difference=0.0),
    pictures=partial(draw_power, of="human scores"),
)

PRINCIPAL_COMPONENTS = Answer(
    name="study principal-components",
    caption="Principal components of the human measures",
    columns=(
        YEAR,
        TASK,
        stratum("component", "its number, 1 for the one that explains most"),
        estimate("explained", "share of the variance that the component explains"),
        item("metric", "the human measure or metric"),
        item("human", "whether it is a human measure", "bool", priority=0),
        estimate("weight", "of a human measure in the component", priority=MAIN),
        estimate("correlation", "Pearson's, of the summarizers' means with the component", priority=MAIN),
        count("n", "summarizers with a score by every measure, and by the metric"),
    ),
)

YEAR_COUNTS = Answer(
    name="study year-counts",
    caption="Topics and summarizers of each year",
    columns=(
        YEAR,
        TASK,
        estimate("n_topics", "sets of documents", "int", priority=MAIN),
        estimate("n_systems", "systems with a human score", "int", priority=MAIN),
        estimate("n_humans", "humans who wrote summaries or references", "int", priority=MAIN),
        *printed_columns("year-counts"),
    ),
)

SCORE_RANKS = Answer(
    name="study score-ranks",
    caption="Values of human scores and the ranks that they share",
    columns=(
        YEAR,
        TASK,
        METRIC,
        item("score", "a value that occurs", "float"),
        estimate("count", "how often it occurs", "int", priority=MAIN),
        estimate("share", "of all scores of the measure", priority=MAIN),
        estimate("first_rank", "the lowest rank of these scores", "int"),
        estimate("last_rank", "the highest", "int"),
        estimate("mid_rank", "the mean rank, which each of them gets", priority=MAIN),
        estimate("tie_divisor", "by which Kruskal and Wallis divide H"),
        *printed_columns("score-ranks"),
    ),
    needs=("metric", "score", "share"),
    pictures=draw_score_shares,
)

# --- what is scored ---


def year_counts(data: StudyData) -> Result:
    """Count the topics of each year and task, its systems, and the humans who wrote summaries or references: Table 2.1.

    Peers of 2009 that are made of human text count.
    """
    topics = [topic for corpus in data.corpora for topic in corpus.topics]
    rows = [
        (topic.year, topic.task, topic.topic, summary.summarizer, is_reference or summary.human)
        for topic in topics
        for is_reference, summaries in ((False, topic.summaries), (True, topic.references))
        for summary in summaries
    ]
    names = pd.DataFrame(rows, columns=["year", "task", "topic", "summarizer", "human"])
    by_stratum = names.groupby(["year", "task"], sort=False)
    counts = pd.DataFrame(
        {
            "n_topics": by_stratum["topic"].nunique(),
            "n_systems": names[~names["human"]].groupby(["year", "task"])["summarizer"].nunique(),
            "n_humans": names[names["human"]].groupby(["year", "task"])["summarizer"].nunique(),
        }
    )
    table = counts.reindex(by_stratum.size().index).fillna(0).astype(int).reset_index()
    return study_result(table, YEAR_COUNTS, data.tables("all_peers", score=None).judgments_of_paper)


# --- humans beside systems ---


def human_gap(data: StudyData, target: str, *, metrics: Sequence[str] | None = None) -> Result:
    """Means of each summarizer by metric and humans, and the lines of systems and of humans: points of Figure 5.1."""
    tables = data.tables("all_peers", needs_metrics=True)
    table = pd.DataFrame(
        {"year": grid.year, "task": grid.task, "target": target, "metric": name, **row}
        for grid in tables.grids(target, metrics)
        for name, X in grid.metrics.items()
        for row in _points(grid, X, [tables.humans[grid.year, summarizer] for summarizer in grid.summarizers])
    )
    return study_result(table, HUMAN_GAP)


def _points(grid: Grid, X: FloatArray, human: list[bool]) -> Iterator[dict[str, object]]:
    """Yield the point of each summarizer, with the line of its kind."""
    scores, human_scores = grid.means(X)
    kind = np.array(human)
    lines = {
        is_human: fit_line(scores[kind == is_human], human_scores[kind == is_human])
        for is_human in (False, True)
    }
    slope_of_systems, intercept_of_systems = lines[False]
    for row, name in enumerate(grid.summarizers):
        slope, intercept = lines[human[row]]
        score = float(scores[row])
        human_score = float(human_scores[row])
        yield {
            "summarizer": name,
            "human": human[row],
            "score": score,
            "human_score": human_score,
            "slope": slope,
            "intercept": intercept,
            "residual": human_score - intercept_of_systems - slope_of_systems * score,
        }


def fit_line(x: FloatArray, y: FloatArray) -> tuple[float, float]:
    """Return slope and intercept of the least-squares line; NaN for fewer than two different x."""
    defined = ~np.isnan(x) & ~np.isnan(y)
    x = x[defined]
    y = y[defined]
    if len(x) < 2 or is_constant(x):
        return float("nan"), float("nan")
    deviations = x - x.mean()
    slope = float(deviations @ y / (deviations @ deviations))
    return slope, float(y.mean() - slope * x.mean())


def best_on_topic(
    data: StudyData,
    *,
    metric: str = "ROUGE-2-R",
    targets: Sequence[str] | None = None,
    topic: str | None = None,
    top: int = 5,
) -> Result:
    """Human scores of the humans and of the best systems by a metric, topic by topic: Table 5.1."""
    tables = data.tables("all_peers", requested=[metric])
    judged = select_rows(tables.judgments, "metric", targets, label="target").rename(
        columns={"metric": "target", "score": "human_score"}
    )
    names = [name for name in tables.scores["metric"].unique() if printed_name(name) == printed_name(metric)]
    scores = select_rows(tables.scores, "metric", names or [metric])
    scores = select_rows(scores, "topic", None if topic is None else [topic])
    parts = []
    for _, of_topic in scores.dropna(subset="score").groupby(["year", "task", "topic"], sort=False):
        human = [tables.humans[key] for key in zip(of_topic["year"], of_topic["summarizer"], strict=True)]
        ranks = midranks(-of_topic["score"].to_numpy(float))
        best = of_topic.assign(human=human, rank=ranks).sort_values("score", ascending=False, kind="stable")
        is_shown = best["human"] | ((~best["human"]).cumsum() <= top)
        parts.append(best[is_shown].merge(judged, on=KEYS))
    table = pd.concat(parts, ignore_index=True)
    return study_result(table, BEST_ON_TOPIC, tables.judgments_of_paper)


def coefficients(config: Config, *, n_jobs: int = 1, progress: bool = False) -> Result:
    """Train, and return the weight of each feature in each run: Tables 5.2 and 5.3."""
    years = extract(config, n_jobs=n_jobs, progress=progress)
    trained, _ = train_runs(plan_runs(config, years)[0], n_jobs=n_jobs, progress=progress)
    table = pd.DataFrame(row for trained_run in trained for row in _weights(trained_run))
    is_2011 = any(
        name.startswith("TAC 2011") for name in recognize_paper_data(years[-1].corpus.judgments).values()
    )
    return study_result(add_printed_weights(table) if is_2011 else table, COEFFICIENTS_BY_SCORE)


def _weights(trained: TrainedRun) -> Iterator[dict[str, object]]:
    """Yield the weight of each column of a run, then the constant."""
    run = trained.run
    predictor = trained.predictor
    formula = predictor.formula
    if not isinstance(formula, Linear):
        raise UsageError(f"run {run.label} has no weights: its formula is {formula.kind}")
    ids = {"run": run.name, "target": run.target, "task": run.task, "peers": run.peers}
    ids["fitter"] = predictor.fitter
    for column, weight in zip(predictor.columns, formula.weights, strict=True):
        yield {**ids, "column": column, "weight": weight}
    yield {**ids, "column": "constant", "weight": formula.intercept}


def add_printed_weights(table: pd.DataFrame) -> pd.DataFrame:
    """Add the printed weights of the runs in a table of weights, and rows for printed columns that ours lacks."""
    rows = []
    for fields in all_published().values():
        run = fields["name"].removeprefix("published/").split("-")[0]
        names = column_names(TARGET, TASK, PEER_SET, COEFFICIENTS_BY_SCORE["fitter"])
        ids = {"run": run, **{name: value for name, value in fields.items() if name in names}}
        weights = zip(fields["columns"], fields["formula"].weights, strict=True)
        rows += [{**ids, "column": column, "printed": weight} for column, weight in weights]
    keys = [name for name in COEFFICIENTS_BY_SCORE.names if name not in ("weight", "printed")]
    of_these_runs = pd.DataFrame(rows).merge(table[keys[:-1]].drop_duplicates(), on=keys[:-1])
    return table.merge(of_these_runs, on=keys, how="outer")


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
) -> Result:
    """Power of the signed-rank, paired t and unpaired t tests to tell a mixture of machines and humans from machines.

    Section 3.7: the pooled scores of machines and of humans are mixed, with growing shares of humans.
    """
    rows = select_scores(table, [metric], year, task)
    select_rows(rows, "summarizer", humans)
    parts = []
    for matrix in matrices(rows):
        machine, human, topics, values = _distributions(matrix, set(humans))
        with value_errors_as_input_errors():
            power = mixture_power(
                machine,
                human,
                shares=shares,
                values=values,
                topics=topics if topic_effects else None,
                n_topics=n_topics,
                n_null=n_null,
                n_trials=n_trials,
                rng=seeded_rng(seed, *matrix.names),
            )
        settings = (power.n_topics, power.topic_effects, power.alpha, power.n_null, power.n_trials, seed)
        parts += [
            (
                *matrix.names,
                share,
                test,
                power.power[row, column],
                power.error[row, column],
                power.cutoffs[row],
                *settings,
            )
            for column, share in enumerate(power.shares.tolist())
            for row, test in enumerate(power.tests)
        ]
    return study_result(pd.DataFrame(parts, columns=MIXTURE_POWER.names), MIXTURE_POWER)


def _distributions(
    scores: ScoreMatrix, humans: set[str]
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the shares of each score for machines, for humans and for each topic, and the scores."""
    X = scores.X
    is_human = np.array([name in humans for name in scores.summarizers])
    if is_human.all() or not is_human.any():
        missing = "machines" if is_human.all() else "humans"
        raise InputError(f"no {missing} among {len(is_human)} summarizers; expected both")
    values = np.unique(X[~np.isnan(X)])
    by_topic = score_shares(X, values, by_topic=True)
    return score_shares(X[~is_human], values), score_shares(X[is_human], values), by_topic, values


def principal_components(data: StudyData, *, metrics: Sequence[str] | None = None) -> Result:
    """Combine the human measures by principal components, and correlate measures and metrics with each of them.

    Rankel et al. (2011), section 5, and Rankel (2016), section 4.5, propose it for future work. The components are
    those of the summarizers' mean scores, each measure less its mean and divided by its standard deviation. The sign of
    a component is the one that gives its weights a positive sum, or if that is 0, a positive first weight. There are as
    many components as explain something.
    """
    tables = data.tables("no_models")
    measures_by_stratum = mean_scores(tables.judgments)
    metrics_by_stratum = mean_scores(select_rows(tables.scores, "metric", metrics))
    table = pd.DataFrame(
        {"year": stratum[0], "task": stratum[1], **row}
        for stratum, measures in measures_by_stratum.items()
        for row in _components(
            measures.dropna(), metrics_by_stratum.get(stratum, pd.DataFrame(index=measures.index))
        )
    )
    return study_result(table, PRINCIPAL_COMPONENTS)


def mean_scores(rows: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    """Return the mean score of each summarizer in each year and task, a column a metric; NaN where there is none."""
    means: dict[tuple[str, str], dict[str, pd.Series]] = {}
    for matrix in matrices(rows):
        mean = pd.Series(summarizer_means(matrix.X, ~np.isnan(matrix.X)), index=matrix.summarizers)
        means.setdefault((matrix.year, matrix.task), {})[matrix.metric] = mean
    return {stratum: pd.DataFrame(columns) for stratum, columns in means.items()}


def _components(means: pd.DataFrame, metrics: pd.DataFrame) -> Iterator[dict[str, object]]:
    """Yield the rows of one year and task."""
    weights, explained, components = find_components(means.to_numpy(dtype=float))
    metrics = metrics.reindex(means.index)
    no_weights = np.full(metrics.shape[1], np.nan)
    for number, share in enumerate(explained):
        for table, weights_of_table in ((means, weights[number]), (metrics, no_weights)):
            for name, weight in zip(table.columns, weights_of_table, strict=True):
                estimate = correlation(
                    table[[name]].to_numpy(), components[:, [number]], coefficient="pearson"
                )
                yield {
                    "component": number + 1,
                    "explained": share,
                    "metric": name,
                    "human": table is means,
                    "weight": weight,
                    "correlation": estimate.value,
                    "n": estimate.n,
                }


def score_ranks(data: StudyData, *, metrics: Sequence[str] | None = None) -> Result:
    """How often each value of a human measure occurs, and the ranks of the pooled scores, where equal scores share one.

    Table 3.2, Figure 2.1.
    """
    tables = data.tables("all_peers", score=None)
    parts = [
        ranked_counts(matrix.X[~np.isnan(matrix.X)]).assign(**matrix.ids)
        for matrix in tables.matrices(metrics or [*tables.judgments["metric"].unique()])
    ]
    table = pd.concat(parts, ignore_index=True)
    return study_result(table, SCORE_RANKS, tables.judgments_of_paper)


def ranked_counts(scores: FloatArray) -> pd.DataFrame:
    """Return the ranks that the values of a list of scores share."""
    values, counts = np.unique(scores, return_counts=True)
    last = np.cumsum(counts)
    first = last - counts + 1
    t = counts.astype(float)
    n = float(last[-1])
    divisor = 1 - np.sum(t**3 - t) / (n**3 - n) if n > 1 else float("nan")
    ranks = {"first_rank": first, "last_rank": last, "mid_rank": (first + last) / 2}
    return pd.DataFrame(
        {"score": values, "count": counts, "share": counts / n, **ranks, "tie_divisor": divisor}
    )
