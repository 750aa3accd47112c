"""Rankel (2016), the dissertation: humans beside systems, weights, and power on mixtures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import pandas as pd

from classy_aesop.answers.score_matrices import Grid, select_rows
from classy_aesop.config import Config
from classy_aesop.data import KEYS
from classy_aesop.errors import InputError, UsageError, value_errors_as_input_errors
from classy_aesop.formulas import Linear
from classy_aesop.papers.judged import StudyData, scores_by_metric
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
from classy_aesop.significance.base import BoolArray, FloatArray
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.equality import is_constant, midranks
from classy_aesop.significance.planning.mixture_power import (
    MIXTURE_SHARES,
    MIXTURE_STATISTICS,
    mixture_power,
    score_shares,
)
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
    """Count the topics of each year, its systems, and the humans who wrote summaries or references: Table 2.1.

    Peers of 2009 that are made of human text count.
    """
    topics = [topic for corpus in data.corpora for topic in corpus.topics]
    rows = [
        (*topic.key, summary.summarizer, summary.human) for topic in topics for summary in topic.summaries
    ]
    rows += [(*topic.key, reference.summarizer, True) for topic in topics for reference in topic.references]
    names = pd.DataFrame(rows, columns=[*KEYS, "human"])
    by_year = names.groupby("year")
    counts = pd.DataFrame(
        {
            "task": by_year["task"].agg(lambda tasks: "+".join(sorted(set(tasks)))),
            "n_topics": by_year["topic"].nunique(),
            "n_systems": names[~names["human"]].groupby("year")["summarizer"].nunique(),
            "n_humans": names[names["human"]].groupby("year")["summarizer"].nunique(),
        }
    )
    table = counts.fillna(0).astype({"n_systems": int, "n_humans": int}).reset_index()
    return study_result(table, YEAR_COUNTS, data.tables("all_peers", score=None).judgments_of_paper)


# --- humans beside systems ---


def human_gap(data: StudyData, target: str, *, metrics: Sequence[str] | None = None) -> Result:
    """Means of each summarizer by metric and humans, and the lines of systems and of humans: points of Figure 5.1."""
    tables = data.tables("all_peers", needs_metrics=True)
    parts = []
    for ids, grid, X in scores_by_metric(tables.grids(target, metrics), target):
        human = [tables.humans[grid.year, summarizer] for summarizer in grid.summarizers]
        parts.append(place_points(grid, X, np.array(human)).assign(**ids))
    return study_result(pd.concat(parts, ignore_index=True), HUMAN_GAP)


def place_points(grid: Grid, X: FloatArray, human: BoolArray) -> pd.DataFrame:
    """Return the point of each summarizer, with the line of its kind."""
    scores, human_scores = grid.means(X)
    points = pd.DataFrame({"score": scores, "human_score": human_scores})
    lines = pd.DataFrame(
        [fit_line(points[human == is_human]) for is_human in (False, True)], columns=["slope", "intercept"]
    )
    slope_of_systems, intercept_of_systems = lines.iloc[0]
    return points.assign(
        summarizer=grid.summarizers,
        human=human,
        **{name: lines[name].to_numpy()[human.astype(int)] for name in ("slope", "intercept")},
        residual=human_scores - intercept_of_systems - slope_of_systems * scores,
    )


def fit_line(points: pd.DataFrame) -> tuple[float, float]:
    """Return slope and intercept of the least-squares line; NaN for fewer than two different scores."""
    from scipy.stats import linregress

    defined = points.dropna()
    if len(defined) < 2 or is_constant(defined["score"].to_numpy()):
        return np.nan, np.nan
    line = linregress(defined["score"], defined["human_score"])
    return float(line.slope), float(line.intercept)


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
    judged = select_rows(tables.judgments, "metric", targets, label="target")
    judged = judged.rename(columns={"metric": "target", "score": "human_score"})
    names = [name for name in tables.scores["metric"].unique() if printed_name(name) == printed_name(metric)]
    scores = select_rows(tables.scores, "metric", names or [metric])
    scores = select_rows(scores, "topic", None if topic is None else [topic])
    parts = []
    for _, of_topic in scores.dropna(subset="score").groupby(["year", "task", "topic"], sort=False):
        human = [tables.humans[key] for key in zip(of_topic["year"], of_topic["summarizer"], strict=True)]
        rank = of_topic["score"].rank(ascending=False)
        best = of_topic.assign(human=human, rank=rank).sort_values("rank", kind="stable")
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
        is_human = np.array([tables.humans[matrix.year, name] for name in matrix.summarizers])
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
        places = pd.MultiIndex.from_product([shares, MIXTURE_STATISTICS], names=["share", "test"])
        rows_of_power = pd.DataFrame({"power": power.power.T.ravel(), "error": power.error.T.ravel()}, places)
        parts.append(
            rows_of_power.reset_index().assign(
                **matrix.ids,
                cutoff=np.tile(power.cutoffs, len(shares)),
                n_topics=n_topics,
                topic_effects=topic_effects,
                alpha=ALPHA,
                n_null=n_null,
                n_trials=n_trials,
                seed=seed,
            )
        )
    return study_result(pd.concat(parts, ignore_index=True), MIXTURE_POWER)


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
    from scipy.stats import tiecorrect

    values, counts = np.unique(scores, return_counts=True)
    last = np.cumsum(counts)
    first = last - counts + 1
    table = pd.DataFrame({"score": values, "count": counts, "share": counts / len(scores)})
    return table.assign(
        first_rank=first,
        last_rank=last,
        mid_rank=(first + last) / 2,
        tie_divisor=tiecorrect(midranks(scores)),
    )
