"""Scores less the level of their topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from classy_aesop.data.places import with_places

if TYPE_CHECKING:
    import pandas as pd


def less_topic_mean(scores: pd.DataFrame) -> pd.DataFrame:
    """Give scores less the mean score of their topic (year, topic, task and metric): who is better on the same topic.

    Unlike a prediction, such a number depends on the other summaries. NaN stays and does not count.
    """
    means = (
        with_places(scores)
        .groupby(["year", "topic", "task", "metric"], sort=False)["score"]
        .transform("mean")
    )
    return scores.assign(score=scores["score"] - means)
