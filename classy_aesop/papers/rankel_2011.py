"""Rankel et al. (2011): which pairs of summarizers differ, scores by summarizer and topic, and which topics differ."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from classy_aesop.answers.score_matrices import FloatArray, ScoreMatrix, mixed_pairs
from classy_aesop.errors import DataWarning, InputError, listed
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.printed import with_printed
from classy_aesop.reading import Humans
from classy_aesop.significance.base import IntArray
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.equality import rounding_slack, snap_ties
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS, compare_pairs
from classy_aesop.significance.pairs.pair_resampling import RESAMPLING_METHODS, resample_pairs
from classy_aesop.significance.pairs.rank_groups import kruskal_wallis, tukey_on_ranks
from classy_aesop.work.seeds import seeded_rng

PAPER = "Rankel et al. (2011)"
PRINTED = {"n_significant": "printed"}

HOW: dict[str, Any] = {"preset": "rankel2011", "correction": "none"}
"""How the paper's tests were computed."""


def pair_counts(
    data: StudyData,
    *,
    metrics: Sequence[str] | None = None,
    mixed: bool = False,
    with_resampling: bool = False,
    n_resamples: int = 2_000,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Count the pairs of all peers that differ significantly (p <= .05, uncorrected) by each test.

    Tables 1 and 2; Rankel (2016), Tables 4.1 and 4.2. With ``mixed`` only the pairs of a human and a system (Table 2).
    With ``with_resampling`` also by random exchanges (MC) and on resampled topics (HB).

    A row for each year, task, measure or metric, and test: ``year, task, metric, pairs, test, n_pairs, n_significant,
    share``; for resampling tests also ``n_by_cutoff``, where a pair is significant if its statistic reaches the
    papers' cutoff, and ``n_resamples, seed``. With ``printed`` where the data are the paper's. A `DataWarning` names
    what has no such pair; InputError if nothing has.
    """
    from tqdm import tqdm

    tables = data.tables("all_peers", wanted=metrics)
    laid = _with_pairs(tables.matrices(metrics), tables.humans if mixed else None)
    n_drawn = n_resamples if with_resampling else 0
    rows = [
        {**one.ids, "pairs": "mixed" if mixed else "all", **row}
        for one, compared in tqdm(laid, disable=not progress, unit="metric")
        for row in _counted(one.X, compared, n_drawn, partial(seeded_rng, seed, *one.names))
    ]
    table = pd.DataFrame(rows)
    if with_resampling:
        table = table.astype({"n_by_cutoff": "Int64"}).assign(n_resamples=n_resamples, seed=seed)
    item = f"{PAPER}, Table {2 if mixed else 1}"
    as_there = data.peers in (None, "all_peers")
    return with_printed(table, tables.judgments, item, ["metric", "test"], PRINTED, as_there=as_there)


def _with_pairs(
    parts: Sequence[ScoreMatrix], humans: Humans | None
) -> list[tuple[ScoreMatrix, IntArray | None]]:
    """Give the mixed pairs of each part, or None for all without ``humans``.

    A `DataWarning` names what has none; InputError if nothing has.
    """
    laid: list[tuple[ScoreMatrix, IntArray | None]] = []
    without = []
    for one in parts:
        mixed = None if humans is None else mixed_pairs(one.year, one.summarizers, humans)
        if len(one.X) < 2 or (mixed is not None and not len(mixed)):
            without.append(" ".join(("-".join(filter(None, one.names[:2])), one.metric)).strip())
        else:
            laid.append((one, mixed))
    expected = "two summarizers or more" if humans is None else "scores of humans and of systems"
    message = f"no pairs to count for {listed(without) or 'anything'}; expected {expected}"
    if not laid:
        raise InputError(message)
    if without:
        warnings.warn(f"left out: {message}", DataWarning, stacklevel=3)
    return laid


def _counted(
    X: FloatArray, pairs: IntArray | None, n_resamples: int, rng: Callable[[str], np.random.Generator]
) -> Iterator[dict[str, object]]:
    for test in PAIR_TESTS:
        yield _count(test, compare_pairs(X, test=test, pairs=pairs, confidence=None, **HOW).p)
    for method in RESAMPLING_METHODS if n_resamples else ():
        for test in PAIR_TESTS:
            how = {"method": method, "test": test, "pairs": pairs, "n_resamples": n_resamples, **HOW}
            found = resample_pairs(X, rng=rng(method), **how)
            share = resample_pairs(X, cutoff=True, rng=rng(method), **how).p
            yield {**_count(found.test, found.p), "n_by_cutoff": int(is_significant(share, ALPHA).sum())}


def _count(test: str, p: FloatArray) -> dict[str, object]:
    n = int(is_significant(p, ALPHA).sum())
    return {"test": test, "n_pairs": len(p), "n_significant": n, "share": n / len(p)}


def score_map(data: StudyData, metric: str) -> pd.DataFrame:
    """Scores of a measure or metric by summarizer and topic, both in order of their means: the cells of a heat map.

    Figures 2 to 5. Columns: ``year, task, metric, summarizer, human, topic, row, column, score``; row 1 has the
    highest mean of the summarizers, column 1 that of the topics, equal means in the order of names. Summaries without
    a score are left out.
    """
    tables = data.tables("all_peers", wanted=[metric])
    return pd.DataFrame(
        {
            **one.ids,
            "summarizer": one.summarizers[row],
            "human": tables.humans[one.year, one.summarizers[row]],
            "topic": one.topics[column],
            "row": at_row + 1,
            "column": at_column + 1,
            "score": one.X[row, column],
        }
        for one in tables.matrices([metric])
        for at_row, row in enumerate(_by_mean(one.X))
        for at_column, column in enumerate(_by_mean(one.X.T))
        if not np.isnan(one.X[row, column])
    )


def _by_mean(X: FloatArray) -> IntArray:
    """Order the rows by their means, the highest first."""
    return np.argsort(-snap_ties(np.nanmean(X, axis=1), rounding_slack(X)), kind="stable")


def topic_ranks(data: StudyData, metric: str) -> pd.DataFrame:
    """Kruskal-Wallis over topics, and Tukey's comparisons of their mean ranks: the bars of Figure 1.

    The chance of any false difference between two topics is .05. Also Rankel (2016), section 3.4. A row for each
    topic: Columns: ``year, task, metric, topic, n`` (scores), ``mean_rank``; ``low, high``, its comparison interval
    (two topics differ where theirs do not overlap; no confidence interval); ``n_different``, the topics that differ
    from it; ``statistic, df, p`` of Kruskal-Wallis; ``alpha``. With ``printed`` where the data are the paper's.
    """
    tables = data.tables("all_peers", wanted=[metric])
    rows = [{**one.ids, **row} for one in tables.matrices([metric]) for row in _of_topics(one)]
    as_there = data.peers in (None, "all_peers")
    item, keys, printed = f"{PAPER}, Figure 1", ["metric", "topic"], {"n_different": "printed"}
    return with_printed(pd.DataFrame(rows), tables.judgments, item, keys, printed, as_there=as_there)


def _of_topics(scores: ScoreMatrix) -> Iterator[dict[str, object]]:
    groups = list(scores.X.T)
    overall, found = kruskal_wallis(groups), tukey_on_ranks(groups, alpha=ALPHA)
    differ = np.concatenate([found.first[found.differs], found.second[found.differs]])
    n_different = np.bincount(differ, minlength=len(groups))
    for at, topic in enumerate(scores.topics):
        rank, half = float(overall.mean_ranks[at]), float(found.half_widths[at])
        yield {
            "topic": topic,
            "n": int(overall.n[at]),
            "mean_rank": rank,
            "low": rank - half,
            "high": rank + half,
            "n_different": int(n_different[at]),
            "statistic": overall.statistic,
            "df": overall.df,
            "p": overall.p,
            "alpha": ALPHA,
        }
