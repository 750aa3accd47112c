"""Which system a judge picks, which the people pick, and for whom the judge is too kind, from score tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Unpack

import numpy as np
import pandas as pd

from classy_aesop.answers.answer_options import BiasKeywords, BiasOptions
from classy_aesop.answers.cautions import MetricCautions, find_cautions, warn_of_cautions
from classy_aesop.answers.metrics_and_humans import read_evaluated_tables
from classy_aesop.answers.selection import TableKeywords, TablePart
from classy_aesop.data.directions import (
    lower_measures,
    restore_signs,
)
from classy_aesop.data.scores import JoinedScores, join_scores
from classy_aesop.errors import join_names
from classy_aesop.keywords import explain_keywords, take_keywords
from classy_aesop.plots.captioned import forest_picture
from classy_aesop.reading.given_tables import ScoreTables
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.equality import shift_near_zero
from classy_aesop.significance.metrics.judge_bias import CONSTANT_JUDGE, JudgeBias, judge_bias
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result, make_answer_result
from classy_aesop.tables.result_columns import (
    MAIN,
    SELDOM,
    TARGET,
    TASK,
    YEAR,
    count,
    estimate,
    interval,
    item,
    p_value,
    remark,
    setting,
    stratum,
)
from classy_aesop.tables.wording import names_text, p_text, split_first_stratum


def name_picks(rows: pd.DataFrame) -> str:
    """Say which system a judge picks, which the people pick, and to whom the judge is too kind."""
    first, where = split_first_stratum(rows, BIAS.strata_in(rows))
    judge = names_text(first["metric"].iloc[:1], rows["metric"])
    if "flag" in first and first["flag"].eq(CONSTANT_JUDGE).any():
        return (
            f"{judge} gives all the same score: it picks nobody, and has no bias on the human scale{where}."
        )
    picks = [first[first[name].eq(1).fillna(False)] for name in ("judge_rank", "human_rank")]
    if any(pick.empty for pick in picks):
        return f"No system is picked: systems share no topics, and means cannot be compared{where}."
    by_judge, by_people = [
        "nobody (all means are equal)"
        if len(pick) == len(first) > 1
        else names_text(pick["summarizer"], first["summarizer"])
        for pick in picks
    ]
    choice = f"{judge} picks {by_judge}, the people pick {by_people}"
    row = picks[0].iloc[0]
    if by_judge == by_people:
        choice = f"{judge} and the people pick {by_judge}"
    elif pd.notna(row["over_pick"]) and len(picks[0]) < len(first) and len(picks[1]) == 1:
        kinder = "kinder" if row["over_pick"] > 0 else "harsher"
        choice += (
            f"; it is {kinder} to {row['summarizer']} than to {by_people} by {abs(row['over_pick']):z.3f} "
            f"(corrected {p_text(row['p_over_pick'])})"
        )
    kind = first[first["kinder_than"] > 0].sort_values("bias", ascending=False, kind="stable")
    if kind.empty:
        return f"{choice}. No two biases differ significantly{where}."
    counts = [
        f"{name} (than to {number} of {len(first) - 1} others)"
        for name, number in zip(kind["summarizer"], kind["kinder_than"], strict=True)
    ]
    return f"{choice}. It is too kind to {join_names(counts, limit=3)}{where}."


BIAS = Answer(
    name="evaluate --bias",
    caption="Biases of judges",
    question="Is the judge fair to every system?",
    columns=(
        YEAR,
        TASK,
        stratum("metric", "the judge"),
        TARGET,
        item("summarizer", "who wrote the summaries"),
        estimate(
            "human_rank", "by the human means, 1 for the system that the people pick", "int", priority=MAIN
        ),
        estimate("judge_rank", "by the judge's means, 1 for the system that it picks", "int", priority=MAIN),
        estimate("human_mean", "least-squares mean of the human scores"),
        estimate("judge_mean", "least-squares mean of the judge's scores on the human scale"),
        estimate("bias", "mean over topics of judge less human", priority=MAIN),
        *interval("low", "high", "the interval of the bias", cell="bias"),
        estimate("relative", "how much larger the bias is than on average over the systems"),
        estimate("kinder_than", "systems than which the judge is significantly kinder", "int"),
        estimate("harsher_than", "systems than which the judge is significantly harsher", "int"),
        estimate("over_pick", "bias less that of the system that the people pick", priority=MAIN),
        p_value("p_over_pick", "corrected, of that difference", is_corrected=True, priority=MAIN),
        count("n_topics", "topics with both scores"),
        remark("flag", "why there is no interval, or no bias", priority=SELDOM),
        setting("scale", "how the judge's scores come to the human scale"),
        setting("correction", "of p-values for all pairs of systems"),
        setting("alpha", "of the tests", "float"),
        setting("confidence", "of the intervals", "float"),
    ),
    sentence=name_picks,
    pictures=partial(
        forest_picture,
        caption="judge on the human scale less human scores, and 95 % intervals over topics",
        names="summarizer",
        value="bias",
    ),
)


MEANS_ON_HUMAN_SCALE = ("human_mean", "judge_mean")
"""Columns that are shown as the human scores are in their file. A bias is positive where the judge is kinder."""


class KeywordsOfBiases(BiasKeywords, TableKeywords):
    """What `evaluate_bias` takes by name."""


@explain_keywords(BiasOptions, TablePart)
def evaluate_bias(
    scores: ScoreTables,
    judgments: ScoreTables | None = None,
    target: str | Sequence[str] | None = None,
    *,
    metric: str | Sequence[str] | None = None,
    **options: Unpack[KeywordsOfBiases],
) -> Result:
    """Say which system each judge picks and which the people pick, and how kind the judge is to each.

    Parameters
    ----------
    scores, judgments, target
        Scores of judges (any metrics), and human scores, as for :func:`classy_aesop.answers.metrics.evaluate`.
    metric : str, or sequence of str, optional
        Only these judges.
    **options
        How biases are tested, and their intervals: the fields of
        :class:`classy_aesop.answers.answer_options.BiasOptions`. A judge's scores come to the human scale
        (``judge_scale``) as they are; by the linear map that gives them the mean and the standard deviation of the
        human scores over all cells with both (``matched``); or (``auto``) as they are where they lie within the range
        of the human scores and span half of it, else matched. And which part of the tables is used: the fields of
        :class:`classy_aesop.answers.selection.TablePart`. Where lower values are better means stay as they are; a bias
        is human less judge there, so that it is positive where the judge is kind.

    Returns
    -------
    Result
        A row a system, for each year, task, judge and human measure, in the order of the human means; `BIAS` declares
        the columns.

    Raises
    ------
    UsageError
        A name is not known.
    InputError
        No instance is in both tables.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3, 4] * 3, "system": sorted("abc" * 4)})
    >>> table["quality"] = [4, 5, 4, 5, 3, 3, 2, 3, 2, 1, 2, 1]
    >>> table["judge"] = [4, 5, 4, 4, 5, 5, 4, 5, 2, 1, 2, 2]
    >>> biases = evaluate_bias(table.drop(columns="quality"), table.drop(columns="judge"))
    >>> biases.table[["summarizer", "human_rank", "judge_rank", "bias", "kinder_than"]].values.tolist()
    [['a', 1, 2, -0.25, 0], ['b', 2, 1, 2.0, 2], ['c', 3, 3, 0.25, 0]]
    """
    settings = take_keywords(options, BiasOptions)
    part = take_keywords(options, TablePart)
    evaluated = read_evaluated_tables(scores, judgments, target, metric, part)
    lower_targets = lower_measures(evaluated.judgments)
    judged, human = evaluated.average()
    blocks = []
    cautions: list[MetricCautions] = []
    for names, scores_of_judge in judged.groupby(["year", "task", "metric"], sort=False):
        stratum_year, stratum_task, judge = map(str, names)
        for measure, truth in human.groupby("metric", sort=False):
            joined = join_scores(scores_of_judge, truth)
            if joined is None:
                continue
            cautions.append(find_cautions(judge, str(measure), joined.X, joined.Z, joined.summarizers))
            rows = _bias_rows(joined, settings)
            if measure in lower_targets:
                rows = restore_signs(rows, MEANS_ON_HUMAN_SCALE)
            blocks.append(
                rows.assign(year=stratum_year, task=stratum_task, metric=judge, target=str(measure))
            )
    warn_of_cautions(cautions, of_means=True)
    return make_answer_result(
        BIAS,
        pd.concat(blocks, ignore_index=True),
        judge_scale=settings.judge_scale,
        confidence=settings.confidence,
        correction=settings.correction,
    )


def _bias_rows(joined: JoinedScores, options: BiasOptions) -> pd.DataFrame:
    """Give the columns of one judge beside one human measure, in the order of the human means."""
    result = judge_bias(
        joined.X,
        shift_near_zero(joined.Z),
        scale=options.judge_scale,
        correction=options.correction,
        confidence=options.confidence,
    )
    kinder = result.kinder(options.alpha)
    over_pick, p_over_pick = _excess_of_pick(result)
    ranks = [pd.Series(ranks, dtype="Int64") for ranks in (result.human_rank, result.judge_rank)]
    human_rank, judge_rank = [ranks_of_side.mask(ranks_of_side == 0) for ranks_of_side in ranks]
    table = BIAS.make_table(
        {
            **asdict(result),
            "summarizer": joined.summarizers,
            "human_rank": human_rank,
            "judge_rank": judge_rank,
            "kinder_than": kinder.sum(axis=1),
            "harsher_than": kinder.sum(axis=0),
            "over_pick": over_pick,
            "p_over_pick": p_over_pick,
            "correction": options.correction,
            "alpha": options.alpha,
            "confidence": options.confidence,
        }
    )
    return table.sort_values("human_rank", kind="stable", ignore_index=True)


def _excess_of_pick(result: JudgeBias) -> tuple[FloatArray, FloatArray]:
    """Give each system's bias less that of the people's pick, and its p; NaN for the pick, or without one.

    People to whom all systems are equal pick none.
    """
    picks = np.flatnonzero(result.human_rank == 1)
    difference, p = np.full((2, len(result.bias)), np.nan)
    if 0 < len(picks) < len(p):
        tests = result.tests.both_ways()
        is_with_pick = tests.second == picks[0]
        difference[tests.first[is_with_pick]] = tests.difference[is_with_pick]
        p[tests.first[is_with_pick]] = tests.p_adjusted[is_with_pick]
    return difference, p
