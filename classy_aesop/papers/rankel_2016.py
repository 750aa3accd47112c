"""Rankel (2016), the dissertation: humans beside systems, weights, power on mixtures, components of human measures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from classy_aesop.answers.score_matrices import select_rows, split_by_stratum
from classy_aesop.config import Config
from classy_aesop.data import KEYS, natural
from classy_aesop.errors import InputError, UsageError, value_errors_as_input_errors
from classy_aesop.formulas import Linear
from classy_aesop.papers.judged import StudyData, mean_points, scores_by_metric
from classy_aesop.papers.mixture_power import (
    MIXTURE_SHARES,
    mixture_power,
    score_shares,
)
from classy_aesop.papers.printed import printed_name, recognize_paper_data
from classy_aesop.papers.study_tables import (
    HUMAN_COLUMN,
    MEAN_HUMAN_SCORE,
    MEAN_SCORE,
    MONTE_CARLO_ERROR,
    SCORE,
    SUMMARIZER,
    draw_power,
    draw_rows,
    name_most_powerful,
    printed_columns,
    study_result,
)
from classy_aesop.plots.captioned import Picture
from classy_aesop.plots.pictures import curves, scatter
from classy_aesop.predictor.published import all_published
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.correlations.coefficients import pearson
from classy_aesop.significance.equality import ROUNDING, is_constant
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
    ),
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
    ),
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
        estimate("mid_rank", "the mean rank, which each of them gets", priority=MAIN),
        *printed_columns("score-ranks"),
    ),
    pictures=draw_score_shares,
)

# --- what is scored ---


def year_counts(data: StudyData) -> Result:
    """Count the topics of each year, its systems, and the humans who wrote summaries or references: Table 2.1.

    Peers of 2009 that are made of human text count.
    """
    topics = pd.DataFrame([topic.key for corpus in data.corpora for topic in corpus.topics], columns=KEYS[:3])
    counts = topics.groupby("year").agg(
        task=("task", lambda tasks: "+".join(sorted(set(tasks)))), n_topics=("topic", "nunique")
    )
    is_human = {writer: human for corpus in data.corpora for writer, human in corpus.humans().items()}
    writers = pd.Series(is_human).groupby(level=0).agg(["size", "sum"])
    counts = counts.assign(n_systems=writers["size"] - writers["sum"], n_humans=writers["sum"])
    return data.tables("all_peers", score=None).result(YEAR_COUNTS, [({}, counts.reset_index())])


# --- humans beside systems ---


def human_gap(data: StudyData, target: str, *, metrics: Sequence[str] | None = None) -> Result:
    """Means of each summarizer by metric and humans: the points of Figure 5.1."""
    tables = data.tables("all_peers", needs_metrics=True)
    return tables.result(
        HUMAN_GAP,
        (
            (ids, mean_points(grid, X).assign(human=tables.are_human(grid.year, grid.summarizers)))
            for ids, grid, X in scores_by_metric(tables.grids(target, metrics), target)
        ),
    )


def best_on_topic(
    data: StudyData,
    *,
    topic: str | None = None,
    top: int = 5,
) -> Result:
    """Human scores of the humans and of the best systems by ROUGE-2, topic by topic: Table 5.1."""
    tables = data.tables("all_peers", needs_metrics=True)
    judged = tables.judgments.rename(columns={"metric": "target", "score": "human_score"})
    names = [name for name in tables.scores["metric"].unique() if printed_name(name) == "ROUGE-2-R"]
    scores = select_rows(tables.scores, "metric", names or ["ROUGE-2-R"])
    scores = select_rows(scores, "topic", None if topic is None else [topic])
    scores = scores.dropna(subset="score")
    summarizers = zip(scores["year"], scores["summarizer"], strict=True)
    best = scores.assign(human=[tables.humans[summarizer] for summarizer in summarizers]).sort_values(
        [*KEYS[:3], "score"], ascending=[True, True, True, False], kind="stable"
    )
    is_shown = best["human"] | (best.groupby([*KEYS[:3], "human"]).cumcount() < top)
    return tables.result(BEST_ON_TOPIC, [({}, best[is_shown].merge(judged, on=KEYS))])


def coefficients(config: Config, *, n_jobs: int = 1, progress: bool = False) -> Result:
    """Train, and return the weight of each feature in each run: Tables 5.2 and 5.3."""
    years = extract(config, n_jobs=n_jobs, progress=progress)
    trained, _ = train_runs(plan_runs(config, years)[0], n_jobs=n_jobs, progress=progress)
    table = pd.concat(map(weights_of_run, trained), ignore_index=True)
    names = recognize_paper_data(years[-1].corpus.judgments).values()
    is_2011 = any(name.startswith("TAC 2011") for name in names)
    return study_result(add_printed_weights(table) if is_2011 else table, COEFFICIENTS_BY_SCORE)


def weights_of_run(trained: TrainedRun) -> pd.DataFrame:
    """Return the weight of each column of a run, and the constant."""
    run = trained.run
    predictor = trained.predictor
    formula = predictor.formula
    if not isinstance(formula, Linear):
        raise UsageError(f"run {run.label} has no weights: its formula is {formula.kind}")
    weights = {"column": [*predictor.columns, "constant"], "weight": [*formula.weights, formula.intercept]}
    return pd.DataFrame(weights).assign(
        run=run.name, target=run.target, task=run.task, peers=run.peers, fitter=predictor.fitter
    )


def add_printed_weights(table: pd.DataFrame) -> pd.DataFrame:
    """Add the printed weights of the runs in a table of weights, and rows for printed columns that ours lacks."""
    names = column_names(
        COEFFICIENTS_BY_SCORE["run"], TARGET, TASK, PEER_SET, COEFFICIENTS_BY_SCORE["fitter"]
    )
    parts = [
        pd.DataFrame({"column": fields["columns"], "printed": fields["formula"].weights}).assign(
            run=fields["name"].removeprefix("published/").split("-")[0],
            **{name: str(value) for name, value in fields.items() if name in names},
        )
        for fields in all_published().values()
    ]
    of_these_runs = pd.concat(parts).merge(table[names].drop_duplicates(), on=names)
    return table.merge(of_these_runs, on=[*names, "column"], how="outer")


def power_on_mixtures(
    data: StudyData,
    metric: str,
    *,
    topic_effects: bool = False,
    n_topics: int = 60,
    shares: Sequence[float] = MIXTURE_SHARES,
    n_null: int = 50_000,
    n_trials: int = 10_000,
    seed: int = 0,
) -> Result:
    """Power of the signed-rank, paired t and unpaired t tests to tell a mixture of machines and humans from machines.

    Section 3.7: the pooled scores of machines and of humans are mixed, with growing shares of humans.
    """
    tables = data.tables("all_peers", requested=[metric])
    parts = []
    for matrix in tables.matrices([metric]):
        is_human = tables.are_human(matrix.year, matrix.summarizers)
        if is_human.all() or not is_human.any():
            missing = "machines" if is_human.all() else "humans"
            raise InputError(f"no {missing} among {len(is_human)} summarizers; expected both")
        values = np.unique(matrix.X[~np.isnan(matrix.X)])
        with value_errors_as_input_errors():
            power = mixture_power(
                score_shares(matrix.X[~is_human], values),
                score_shares(matrix.X[is_human], values),
                shares=shares,
                values=values,
                topics=score_shares(matrix.X, values, by_topic=True) if topic_effects else None,
                n_topics=n_topics,
                n_null=n_null,
                n_trials=n_trials,
                rng=seeded_rng(seed, *matrix.names),
            )
        parts.append((matrix.ids, power))
    return tables.result(MIXTURE_POWER, parts)


def principal_components(data: StudyData, *, metrics: Sequence[str] | None = None) -> Result:
    """Combine the human measures by principal components, and correlate measures and metrics with each of them.

    The components are those of the summarizers' mean scores, each measure less its mean and divided by its standard
    deviation: Rankel et al. (2011), section 5, and Rankel (2016), section 4.5, as future work.
    """
    tables = data.tables("no_models")
    metrics_by_stratum = mean_scores(select_rows(tables.scores, "metric", metrics))
    parts = []
    for (year, task), measures in mean_scores(tables.judgments).items():
        means_by_metrics = metrics_by_stratum.get((year, task), measures[[]])
        parts.append(
            ({"year": year, "task": task}, correlate_components(measures.dropna(), means_by_metrics))
        )
    return tables.result(PRINCIPAL_COMPONENTS, parts)


def mean_scores(rows: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    """Return the mean score of each summarizer in each year and task, a column a metric; NaN where there is none."""
    return {
        stratum: of_stratum.pivot_table("score", "summarizer", "metric").reindex(
            columns=sorted({*of_stratum["metric"]}, key=natural)
        )
        for stratum, of_stratum in split_by_stratum(rows.dropna(subset="score")).items()
    }


def correlate_components(measures: pd.DataFrame, metrics: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of one year and task: the measures of each component, then the metrics."""
    weights, explained, components = find_components(measures.to_numpy(dtype=float))
    means = pd.concat([measures, metrics.reindex(measures.index)], axis=1)
    is_human = np.arange(means.shape[1]) < measures.shape[1]
    parts = []
    for number, share in enumerate(explained):
        component = pd.Series(components[:, number], means.index)
        correlations = [
            pearson(*scores.dropna().align(component, join="inner")) for _, scores in means.items()
        ]
        rows = pd.DataFrame({"correlation": correlations, "n": means.count()}).assign(human=is_human)
        rows.loc[is_human, "weight"] = weights[number]
        parts.append(rows.assign(component=number + 1, explained=share))
    return pd.concat(parts).rename_axis("metric").reset_index()


def find_components(scores: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the weights of the principal components (a row each), the shares that they explain, and their values.

    The sign of a component is the one that gives its weights a positive sum, or if that is 0 but for rounding, of the
    first weight that is not. Components that explain nothing are left out.
    """
    n_rows, n_scores = scores.shape
    if n_rows < 3 or n_scores < 2 or is_constant(scores.T).any():
        raise InputError(
            f"{n_scores} scores of {n_rows} summaries or summarizers; expected two scores or more that vary, of "
            "three or more"
        )
    Z = (scores - scores.mean(axis=0)) / scores.std(axis=0, ddof=1)
    _, sizes, weights = np.linalg.svd(Z, full_matrices=False)
    explains = sizes > ROUNDING * sizes[0]
    weights = weights[explains]
    sum_and_weights = np.column_stack([weights.sum(axis=1), weights])
    first = (np.abs(sum_and_weights) > ROUNDING).argmax(axis=1)
    weights = weights * np.sign(sum_and_weights[np.arange(len(weights)), first])[:, None]
    return weights, (sizes**2 / np.sum(sizes**2))[explains], Z @ weights.T


def score_ranks(data: StudyData, *, metrics: Sequence[str] | None = None) -> Result:
    """How often each value of a human measure occurs, and the ranks of the pooled scores, where equal scores share one.

    Table 3.2, Figure 2.1.
    """
    tables = data.tables("all_peers", score=None)
    parts = (
        (matrix.ids, ranked_counts(matrix.X[~np.isnan(matrix.X)]))
        for matrix in tables.matrices(metrics or [*tables.judgments["metric"].unique()])
    )
    return tables.result(SCORE_RANKS, parts)


def ranked_counts(scores: FloatArray) -> pd.DataFrame:
    """Return the ranks that the values of a list of scores share."""
    values, counts = np.unique(scores, return_counts=True)
    return pd.DataFrame(
        {
            "score": values,
            "count": counts,
            "share": counts / len(scores),
            "mid_rank": np.cumsum(counts) - (counts - 1) / 2,
        }
    )
