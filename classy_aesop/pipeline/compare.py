"""Summarizers against summarizers on one metric or human measure, every pair of a year and task."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from classy_aesop.errors import UsageError
from classy_aesop.pipeline.chance import generator
from classy_aesop.pipeline.pairing import in_place, only, places, with_enough
from classy_aesop.scores import matrix, mean_ratings
from classy_aesop.significance.base import N_RESAMPLES
from classy_aesop.significance.pair_resampling import resample_pairs
from classy_aesop.significance.pairs import PairTests, compare_pairs

FOUND = ["n", "difference", "low", "high", "effect", "statistic", "p", "p_adjusted"]
"""The fields of `PairTests` with a number a pair."""

COLUMNS = ["year", "task", "metric", "first", "second", *FOUND, "significant", "flag", "test", "preset"]
COLUMNS += ["correction", "alpha", "n_resamples", "seed"]
"""The columns of a comparison."""


def compare(
    scores: pd.DataFrame,
    metric: str,
    *,
    test: str = "wilcoxon",
    preset: str = "rankel2011",
    resample: str | None = None,
    correction: str = "holm",
    alpha: float = 0.05,
    year: str | None = None,
    task: str | None = None,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
) -> pd.DataFrame:
    """Test every pair of summarizers.

    Parameters
    ----------
    scores : DataFrame
        A score table; ratings by several assessors are averaged.
    metric : str
        The metric or human measure to compare on.
    test, preset, correction : str
        As for :func:`classy_aesop.significance.pairs.compare_pairs`. The pairs of a year and task are one family.
    resample : {"mc", "hb"}, optional
        Take p-values from random exchanges, as :func:`classy_aesop.significance.pair_resampling.resample_pairs`.
    alpha : float
        A pair is significant if its corrected p is below.
    year, task : str, optional
        Only these; by default every one, each on its own.
    n_resamples, seed : int
        Of ``resample``.

    Returns
    -------
    DataFrame
        A row a pair: ``year, task, metric, first, second, n`` (topics that both wrote), ``difference`` (first less
        second), ``low, high`` (95 %), ``effect, statistic, p, p_adjusted, significant, flag, test, preset,
        correction, alpha, n_resamples, seed`` (no seed where nothing was drawn).

    Raises
    ------
    UsageError
        There is no such metric, year or task, or alpha is not between 0 and 1.
    InputError
        Fewer than two summarizers.
    """
    if not 0 < alpha < 1:
        raise UsageError(f"alpha is {alpha}; expected between 0 and 1")
    rows = in_place(only(mean_ratings(scores), "metric", [metric]).dropna(), year, task)
    parts = places(rows)
    enough = with_enough(
        {place: own["summarizer"].nunique() for place, own in parts.items()}, 2, "summarizers"
    )
    how = _Test(test, preset, correction, resample, n_resamples, seed)
    tables = [how.of((*place, metric), own) for place, own in parts.items() if place in enough]
    whole = pd.concat(tables, ignore_index=True)
    drawn = pd.array([pd.NA if resample is None else seed] * len(whole), dtype="Int64")
    significant = whole["p_adjusted"] < alpha
    return whole.assign(significant=significant, preset=preset, alpha=alpha, seed=drawn)[COLUMNS]


@dataclass(frozen=True)
class _Test:
    """How the pairs of a year and task are tested."""

    test: str
    preset: str
    correction: str
    resample: str | None
    n_resamples: int
    seed: int

    def of(self, names: tuple[str, str, str], rows: pd.DataFrame) -> pd.DataFrame:
        """Test the pairs of one year, task and metric."""
        X, summarizers, _ = matrix(rows, names[-1])
        if self.resample is None:
            found = compare_pairs(X, test=self.test, preset=self.preset, correction=self.correction)
        else:
            found = resample_pairs(
                X,
                method=self.resample,
                test=self.test,
                preset=self.preset,
                correction=self.correction,
                n_resamples=self.n_resamples,
                rng=generator(self.seed, *names),
            )
        return _table(names, summarizers, found)


def _table(names: tuple[str, str, str], summarizers: tuple[str, ...], found: PairTests) -> pd.DataFrame:
    ids = dict(zip(("year", "task", "metric"), names, strict=True))
    pair = {name: [summarizers[row] for row in getattr(found, name)] for name in ("first", "second")}
    columns = {name: getattr(found, name) for name in FOUND}
    said = {name: getattr(found, name) for name in ("flag", "test", "correction", "n_resamples")}
    return pd.DataFrame({**pair, **columns}).assign(**ids, **said)
