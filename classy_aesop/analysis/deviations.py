"""How far a predictor's scores are from the human ones: by summarizer, by topic and by assessor."""

from __future__ import annotations

import pandas as pd

from classy_aesop.predictor import Predictor
from classy_aesop.predictor.calibration import CONFIDENCE, groups_of


def means(points: pd.DataFrame, predictor: Predictor) -> pd.DataFrame:
    """Average one run's points by summarizer, over the topics that have both a prediction and a judgment.

    Returns
    -------
    DataFrame
        ``summarizer, human, n_topics, score, judged`` and the ends of the interval of ``score``, ``low`` and ``high``
        (confidence `CONFIDENCE`; NaN without a calibration).
    """
    both = points.dropna(subset=["score", "judged"])
    found = both.groupby("summarizer", sort=False).agg(
        human=("human", "first"),
        n_topics=("score", "size"),
        score=("score", "mean"),
        judged=("judged", "mean"),
    )
    if "form" in both:
        found["form"] = both.groupby("summarizer", sort=False)["form"].min()  # alone, if any summary was
    rows = found.assign(group=groups_of(found["human"]))
    found = found.drop(columns="form", errors="ignore").reset_index()
    half = predictor.half_widths(rows, CONFIDENCE, found["n_topics"].to_numpy())
    return found.assign(low=found["score"] - half, high=found["score"] + half)


def residuals(points: pd.DataFrame, *, by: str = "topic") -> pd.DataFrame:
    """Say for each topic, or each value of another column, how far one run's predictions are below the human scores.

    Returns
    -------
    DataFrame
        The column ``by``, ``n``, the ``mean`` of human score less prediction, and its quartiles ``low`` and ``high``;
        the topic that is most underrated first.
    """
    both = points.dropna(subset=["score", "judged"])
    off = (both["judged"] - both["score"]).groupby(both[by], sort=False)
    found = pd.DataFrame(
        {"n": off.size(), "mean": off.mean(), "low": off.quantile(0.25), "high": off.quantile(0.75)}
    )
    return found.sort_values("mean", ascending=False, kind="stable").reset_index()
