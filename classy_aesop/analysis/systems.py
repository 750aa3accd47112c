"""Summarizers against summarizers on one metric or human measure: who differs, who is best, how many topics show it."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from classy_aesop.analysis.tables import (
    PAIRS,
    Pairs,
    ScoreMatrix,
    ScoreTables,
    matrices,
    mixed_pairs,
    only,
    selected,
    warn_of_few_resamples,
    with_enough,
)
from classy_aesop.data import Humans, natural
from classy_aesop.data.scores import without_empty_places
from classy_aesop.errors import DataWarning, UsageError, listed
from classy_aesop.significance.base import N_RESAMPLES, IntArray, is_significant, near_zero, one_of
from classy_aesop.significance.choices import Correction, Preset, Resampling, Test
from classy_aesop.significance.clusters import rank_clusters
from classy_aesop.significance.multiplicity import CORRECTIONS
from classy_aesop.significance.pair_resampling import METHODS, check_resampling, resample_pairs
from classy_aesop.significance.pair_tests import recipe_of
from classy_aesop.significance.pairs import (
    NOT_WORSE,
    TESTS,
    Margin,
    PairTests,
    compare_pairs,
    equivalence_pairs,
    margin_ends,
)
from classy_aesop.work.seeds import seeded_rng
from classy_aesop.work.workers import map_workers, progress_bar, show_progress

FOUND = ["n", "difference", "low", "high", "low_all", "high_all", "effect", "statistic", "p", "p_adjusted"]
"""The fields of `PairTests` with a number for each pair."""

COMPARISON = ["year", "task", "metric", "first", "second", *FOUND, "significant", "flag", "test", "preset"]
COMPARISON += ["correction", "alpha", "n_resamples", "seed"]
"""The columns of a comparison."""

EQUIVALENCE = ["margin", "low_equivalence", "high_equivalence", "p_equivalence", "verdict"]
"""What a margin adds to a row."""

Part = tuple[ScoreMatrix, IntArray]
"""The scores of a year and task, and the rows of each pair that is tested."""

Gate = Literal["worse", "not-better", "not-as-good"]
GATES: tuple[Gate, ...] = get_args(Gate)
"""What fails: a system that is worse than a baseline, no system that is better, one not shown to be as good."""

RANKED = ["cluster", "rank", "best_rank", "worst_rank", "wins", "losses"]
"""Fields of `RankClusters` with a number for each summarizer."""

RANKING = ["year", "task", "metric", "summarizer", "mean", "low", "high", *RANKED, "test", "preset"]
RANKING += ["correction", "alpha", "n_resamples", "seed"]
"""The columns of a ranking."""


def compare(
    scores: ScoreTables,
    metric: str,
    *,
    test: Test = "wilcoxon",
    preset: Preset = "standard",
    resampling: Resampling | None = None,
    correction: Correction = "holm",
    alpha: float = 0.05,
    equivalence: Margin | None = None,
    pairs: Pairs = "all",
    humans: Humans | None = None,
    baseline: str | None = None,
    year: str | None = None,
    task: str | None = None,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Test every pair of summarizers, or every pair of a human and a system.

    Parameters
    ----------
    scores : DataFrame
        A score table; ratings by several assessors are averaged.
    metric : str
        The metric or human measure to compare on.
    test, preset : str
        As for :func:`classy_aesop.significance.pairs.compare_pairs`.
    resampling : {"mc", "hb"}, optional
        Take p-values from random exchanges, see :func:`classy_aesop.significance.pair_resampling.resample_pairs`.
    correction : {"holm", "bonferroni", "bh", "by", "none"}
        For the pairs of a year and task, which are one family.
    alpha : float
        A pair is significant if its corrected p is at most this.
    equivalence : float or (float, float), optional
        Also test whether the difference is smaller than this, or between two numbers, one of which may be infinite, by
        two one-sided tests, see :func:`classy_aesop.significance.pairs.equivalence_pairs`; not with ``resampling``.
    pairs : {"all", "mixed"}
        Every pair, or those of a human and a system, a family of their own (Rankel et al. 2011, Table 2).
    humans : mapping of (str, str) to bool, optional
        Who is human, for mixed pairs: as `read_humans` and `Corpus.humans` give it.
    baseline : str, optional
        Test each other summarizer against this one alone, the ``second`` of every pair: a negative difference is one to
        the worse, and a smaller family costs less correction.
    n_resamples, seed : int
        Of ``resampling``.

    Returns
    -------
    DataFrame
        One row for each pair: ``year, task, metric, first, second, n`` (topics that both wrote), ``difference``
        (first less second), ``low, high`` (of confidence 1 - alpha, of the test itself; missing where so few topics
        exclude nothing), ``low_all, high_all`` (for all pairs of the year and task together; without a correction the
        same),
        ``effect, statistic, p, p_adjusted, significant, flag, test, preset, correction, alpha, n_resamples, seed`` (no
        seed without ``resampling``). With a margin also ``margin, low_equivalence, high_equivalence`` (of confidence
        1 - 2 alpha, which a margin is compared with), ``p_equivalence`` (corrected) and ``verdict``: equivalent (not
        worse, not better), different or undecided.

    Raises
    ------
    UsageError
        A name is not known; the test cannot be resampled so; nothing says who is human of mixed pairs; alpha is not
        between 0 and 1; or a margin has not 0 inside, or goes with ``resampling`` or with an alpha of 1/2 or more.
    InputError
        Fewer than two summarizers, or no mixed pair.

    Examples
    --------
    >>> rows = {"topic": ["1", "2", "3", "4"] * 2, "summarizer": ["a"] * 4 + ["b"] * 4}
    >>> scores = pd.DataFrame({"year": "", "task": "", **rows, "metric": "m", "score": [5, 4, 5, 5, 2, 2, 1, 3]})
    >>> compare(scores, "m", test="paired_t")[["first", "second", "difference", "significant"]].values.tolist()
    [['a', 'b', 2.75, True]]
    """
    options: dict[str, Any] = {"test": test, "preset": preset, "correction": correction, "alpha": alpha}
    options |= {"resampling": resampling, "n_resamples": n_resamples, "seed": seed}
    how = _Test(**options, equivalence=equivalence)
    if pairs not in PAIRS:
        raise UsageError(f"pairs are {pairs!r}; expected one of {', '.join(PAIRS)}")
    if baseline is not None and pairs != "all":
        raise UsageError(f"pairs are {pairs!r}; expected 'all' with a baseline")
    parts = _of_two(scores, metric, year, task)
    if baseline is not None:
        parts = _against(parts, baseline)
    elif pairs == "mixed":
        parts = [(one, mixed_pairs(one.year, one.summarizers, humans or {})) for one, _ in parts]
        parts = with_enough(parts, lambda part: len(part[1]), 1, "pairs of a human and a system")
    table = how.table(parts, how.pairs, progress=progress)
    table["significant"] = is_significant(table["p_adjusted"], alpha)
    return without_empty_places(table[COMPARISON + ([] if equivalence is None else EQUIVALENCE)])


def gate_message(table: pd.DataFrame, gate: Gate) -> tuple[bool, str]:
    """Say whether a comparison with a baseline passes a gate (`GATES`), and by which difference that is decided."""
    low, high, p, what = "low", "high", "p_adjusted", f"significantly {gate.removeprefix('not-')}"
    if gate == "worse":
        fails = table["significant"] & (table["effect"] < 0)
    elif gate == "not-better":
        fails = ~(table["significant"] & (table["effect"] > 0))
    else:
        low, high, p = EQUIVALENCE[1:4]
        fails, margin = table["verdict"].ne(NOT_WORSE), str(table["margin"].iat[0])
        what = f"significantly above {margin.partition(',')[0]}"
    passed = not (fails.all() if gate == "not-better" else fails.any())
    deciding = table[fails.ne(passed)].sort_values("difference", ascending=gate != "not-better")
    row, said = deciding.iloc[0], "" if passed != (gate == "worse") else "not "
    found = "unknown" if pd.isna(row["difference"]) else f"{row['difference']:+.3f}"
    ends = "" if pd.isna([row[low], row[high]]).any() else f" [{row[low]:.3f}, {row[high]:.3f}]"
    places = [name for name in ("year", "task") if name in table and table[name].nunique() > 1]
    where = f" in {'-'.join(row[places])}" if places else ""
    sure = "p < 0.001" if row[p] < 0.001 else f"p = {row[p]:.3f}"
    sentence = f"{row['first']} minus {row['second']} is {found}{ends}{where}, {said}{what} ({sure})"
    others = listed(dict.fromkeys(deciding["first"][1:]), most=5)
    return passed, f"gate {'passed' if passed else 'failed'}: {sentence}{others and f'; likewise {others}'}"


def rank(
    scores: ScoreTables,
    metric: str,
    *,
    year: str | None = None,
    task: str | None = None,
    progress: bool = False,
    **options: Any,
) -> pd.DataFrame:
    """Rank summarizers in clusters: each one above a cluster is significantly better than each one in it.

    Parameters
    ----------
    scores, metric, **options
        As for :func:`compare`, whose ``test``, ``preset``, ``resampling``, ``correction``, ``alpha``, ``n_resamples``
        and ``seed`` are the options.

    Returns
    -------
    DataFrame
        One row for each summarizer, the best first in each year and task: ``year, task, metric, summarizer, mean,
        low, high`` (its 95 % interval by Student's t, for topics like these; missing of one topic), ``cluster, rank,
        best_rank, worst_rank`` (what the tests leave open: 1 + losses, and the number of summarizers less wins),
        ``wins, losses, test, preset, correction, alpha, n_resamples, seed``. Whether all ranks hold together depends on
        the correction, see :class:`classy_aesop.significance.clusters.RankClusters`. Members of one cluster are not
        shown to differ as a group; only a test with a margin can show that they are equal.

    Raises
    ------
    UsageError, InputError
        As :func:`compare`.

    Examples
    --------
    >>> rows = {"topic": ["1", "2", "3", "4"] * 2, "summarizer": ["a"] * 4 + ["b"] * 4}
    >>> scores = pd.DataFrame({"year": "", "task": "", **rows, "metric": "m", "score": [5, 4, 5, 5, 2, 2, 1, 3]})
    >>> rank(scores, "m", test="paired_t")[["summarizer", "mean", "cluster"]].values.tolist()
    [['a', 4.75, 1], ['b', 2.0, 2]]
    """
    how = _Test(**options)
    table = how.table(_of_two(scores, metric, year, task), how.ranks, progress=progress)
    return without_empty_places(table[RANKING])


def _of_two(scores: ScoreTables, metric: str, year: str | None, task: str | None) -> list[Part]:
    """Lay out the scores of each year and task that has two summarizers, with all their pairs."""
    found = matrices(selected(scores, [metric], year, task))
    parts = [(one, np.argwhere(np.tri(len(one.X), k=-1).T)) for one in found]
    return with_enough(parts, lambda part: len(part[0].X), 2, "summarizers")


def _against(parts: Sequence[Part], baseline: str) -> list[Part]:
    """Give the pairs of each other summarizer and the baseline, of each year and task that has it."""
    found, left = [], []
    for one, _ in parts:
        if baseline in one.summarizers:
            at = one.summarizers.index(baseline)
            found.append((one, np.array([(row, at) for row in range(len(one.X)) if row != at])))
        else:
            left.append("-".join(filter(None, one.names[:2])))
    if not found:
        there = sorted({name for one, _ in parts for name in one.summarizers}, key=natural)
        raise UsageError(f"no summarizer {baseline!r}; expected one of {listed(there, most=20)}")
    if left:
        message = f"left out: no scores of the baseline {baseline!r} in {listed(left)}"
        warnings.warn(message, DataWarning, stacklevel=3)
    return found


@dataclass(frozen=True, kw_only=True)
class _Test:
    """How the pairs of a year and task are tested."""

    test: Test = "wilcoxon"
    preset: Preset = "standard"
    correction: Correction = "holm"
    resampling: Resampling | None = None
    n_resamples: int = N_RESAMPLES
    seed: int = 0
    alpha: float = 0.05
    equivalence: Margin | None = None

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise UsageError(f"alpha is {self.alpha}; expected between 0 and 1")
        try:
            one_of(self.test, TESTS, "test")
            one_of(self.correction, CORRECTIONS, "correction")
            recipe = recipe_of(self.preset)
            if self.resampling is not None:
                one_of(self.resampling, METHODS, "resampling")
                check_resampling(self.resampling, self.test, recipe)
            if self.equivalence is not None:
                if not (isinstance(self.equivalence, tuple) or 0 < self.equivalence < np.inf):
                    raise UsageError(f"equivalence is {self.equivalence}; expected a number above 0")
                margin_ends(self.equivalence)
        except ValueError as error:
            raise UsageError(str(error)) from error
        if self.equivalence is not None and self.resampling is not None:
            raise UsageError("equivalence has no resampling; expected one of them")
        if self.equivalence is not None and self.alpha >= 0.5:
            raise UsageError(f"alpha is {self.alpha}; expected below 0.5 with a margin")

    @property
    def options(self) -> dict[str, Any]:
        """What every test takes."""
        return {"test": self.test, "preset": self.preset, "correction": self.correction}

    def table(
        self,
        parts: Sequence[Part],
        columns: Callable[[ScoreMatrix, IntArray, PairTests], dict[str, Any]],
        *,
        progress: bool,
    ) -> pd.DataFrame:
        """Test the pairs of each part, and add to some columns how it was tested; no seed without resampling."""
        tables, n_pairs = [], sum(len(rows) for _, rows in parts)
        shown = progress and self.resampling is not None
        with progress_bar("resampled", n_pairs, "pairs", shown=shown) as advance:
            for one, rows in parts:
                how: dict[str, Any] = {"pairs": rows, "confidence": 1 - self.alpha, **self.options}
                if self.resampling is None:
                    found = compare_pairs(near_zero(one.X), **how)
                else:
                    n = self.n_resamples
                    warn_of_few_resamples(n, len(rows), correction=self.correction, alpha=self.alpha)
                    drawn: dict[str, Any] = {"n_resamples": n, "rng": seeded_rng(self.seed, *one.names)}
                    drawn |= {"method": self.resampling, "advance": advance}
                    found = resample_pairs(near_zero(one.X), **drawn, **how)
                done = {name: getattr(found, name) for name in ("test", "correction", "n_resamples")}
                tables.append(pd.DataFrame({**one.ids, **columns(one, rows, found), **done}))
        table = pd.concat(tables, ignore_index=True)
        seed = pd.array([pd.NA if self.resampling is None else self.seed] * len(table), dtype="Int64")
        return table.assign(preset=self.preset, alpha=self.alpha, seed=seed)

    def pairs(self, scores: ScoreMatrix, rows: IntArray, found: PairTests) -> dict[str, Any]:
        """Give the columns of pairs, with a margin those of their equivalence too."""
        columns: dict[str, Any] = {name: getattr(found, name) for name in (*FOUND, "flag")}
        for name, of in zip(("first", "second"), rows.T, strict=True):
            columns[name] = [scores.summarizers[row] for row in of]
        if self.equivalence is not None:
            how = {**self.options, "pairs": rows, "alpha": self.alpha}
            equal, margin = equivalence_pairs(near_zero(scores.X), self.equivalence, **how), self.equivalence
            ends_of_margin = margin if isinstance(margin, tuple) else ()
            columns["margin"] = ",".join(f"{end:g}" for end in ends_of_margin) or margin
            columns |= {f"{end}_equivalence": getattr(equal, end) for end in ("low", "high")}
            columns |= {"p_equivalence": equal.p_equivalence, "verdict": equal.verdict}
        ends = [name for name in columns if name.startswith(("low", "high"))]
        return columns | {name: np.where(np.isinf(columns[name]), np.nan, columns[name]) for name in ends}

    def ranks(self, scores: ScoreMatrix, rows: IntArray, found: PairTests) -> dict[str, Any]:
        """Give the columns of summarizers, the best first."""
        from scipy.special import stdtrit

        clusters = rank_clusters(scores.X, found, alpha=self.alpha)
        n = (~np.isnan(scores.X)).sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            half = stdtrit(n - 1.0, 0.975) * pd.DataFrame(scores.X).std(axis=1).to_numpy() / np.sqrt(n)
        columns = {"summarizer": scores.summarizers, **{name: getattr(clusters, name) for name in RANKED}}
        columns |= {"mean": clusters.mean, "low": clusters.mean - half, "high": clusters.mean + half}
        order = np.argsort(clusters.rank, kind="stable")
        return {name: np.asarray(values)[order] for name, values in columns.items()}


MOST_PAIRS = 10
"""Most pairs that are planned for by default: each takes a second or two."""

PLAN = ["year", "task", "metric", "first", "second", "n_observed", "observed", "difference"]
PLAN += ["n_topics", "low", "high", "power", "error", "flag"]
PLAN += ["test", "preset", "alpha", "wanted", "n_trials", "seed"]
"""The columns of `plan_topics`."""

CURVE = (1.0, 0.7, 0.5, 0.35, 0.25)
"""Differences that are planned for where none is given, as shares of the standard deviation of a pair's differences."""


def plan_topics(
    scores: ScoreTables,
    metric: str,
    difference: float | None = None,
    *,
    systems: Sequence[str] | None = None,
    power: float = 0.8,
    test: Test = "wilcoxon",
    preset: Preset = "standard",
    alpha: float = 0.05,
    year: str | None = None,
    task: str | None = None,
    max_topics: int = 2_000,
    n_trials: int = 2_000,
    seed: int = 0,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Say for pairs of summarizers how many topics show that their means differ.

    Parameters
    ----------
    scores, metric
        As for :func:`compare`; the metric or human measure that a future evaluation will use.
    difference : float, optional
        Mean of the first less mean of the second that should be seen; not 0. By default `CURVE` of the standard
        deviation of each pair's differences.
    systems : sequence of str, optional
        Summarizers whose pairs are planned for, two or more; by default all, if that makes few pairs.
    power : float
        Wanted share of evaluations that find the difference, between ``alpha`` and 1.
    test, preset, alpha, max_topics, n_trials
        As for :func:`classy_aesop.significance.plans.topics_needed`; nothing is corrected for several pairs.
    seed : int
        Of the trials.

    Returns
    -------
    DataFrame
        A row a year, task and pair: ``year, task, metric, first, second, n_observed`` (topics that both wrote),
        ``observed`` (their mean difference now), ``difference, n_topics, low, high`` (between which the number lies
        for 95 % of what so few topics leave possible, in spite of Monte Carlo error), ``power, error`` (at
        ``n_topics``, with its Monte Carlo standard error), ``flag, test, preset, alpha, wanted, n_trials, seed``.
        Without an answer ``n_topics`` is missing and ``flag`` says why.

    Raises
    ------
    UsageError
        There is no such metric, year, task or summarizer; too many pairs and none named; a difference of 0, or not
        0 < alpha < power < 1.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3, 4] * 2, "system": sorted("ab" * 4)})
    >>> table["quality"] = [5, 4, 5, 3, 3, 3, 4, 4]
    >>> found = plan_topics(table, "quality", difference=1, n_trials=200)
    >>> found[["first", "second", "observed", "n_topics"]].values.tolist()
    [['a', 'b', 0.75, 11]]
    """
    if difference is not None and (difference == 0 or not math.isfinite(difference)):
        raise UsageError(f"difference is {difference}; expected a number that is not 0")
    if not 0 < alpha < power < 1:
        raise UsageError(f"alpha is {alpha} and power {power}; expected 0 < alpha < power < 1")
    rows = selected(scores, [metric], year, task)
    pairs = _planned_pairs(rows, systems)
    how: dict[str, Any] = {"target": power, "test": test, "preset": preset, "alpha": alpha}
    planned = partial(_planned, seed=seed, how={**how, "max_topics": max_topics, "n_trials": n_trials})
    wanted = [(None, difference)] if difference is not None else [(share, None) for share in CURVE]
    work = [(one, *pair, *size) for one in matrices(rows) for pair in pairs for size in wanted]
    done = map_workers(planned, work, n_jobs=n_jobs)
    found = show_progress(done, "topics needed", "pairs", shown=progress, total=len(work))
    table = pd.DataFrame(list(found)).assign(preset=preset, seed=seed)
    types = dict.fromkeys(["n_topics", "low", "high"], "Int64")
    return without_empty_places(table.rename(columns={"target": "wanted"}).astype(types)[PLAN])


def _planned(
    scores: ScoreMatrix,
    first: str,
    second: str,
    share: float | None,
    difference: float | None,
    *,
    seed: int,
    how: dict[str, Any],
) -> dict[str, object]:
    """Plan for one pair of one year and task; one who is not there has no scores.

    The difference is given, or a share of the standard deviation of the pair's differences, in two digits.
    """
    from classy_aesop.significance.plans import topics_needed

    absent, X = np.full(len(scores.topics), np.nan), near_zero(scores.X)
    x, y = (
        X[scores.summarizers.index(name)] if name in scores.summarizers else absent
        for name in (first, second)
    )
    both = (x - y)[~np.isnan(x - y)]
    if share is not None:
        spread = float(both.std(ddof=1)) if len(both) > 1 else 0.0
        difference = float(f"{share * spread:.2g}") or share  # whoever never differ are told apart by any
    how = {**how, "difference": difference}
    found = topics_needed(x, y, rng=seeded_rng(seed, *scores.names, first, second), **how)
    observed = float(both.mean()) if len(both) else math.nan
    return {**scores.ids, **how, "first": first, "second": second, **found.to_dict(), "observed": observed}


def _planned_pairs(rows: pd.DataFrame, systems: Sequence[str] | None) -> list[tuple[str, str]]:
    """Give the pairs asked for, or all if they are few."""
    if systems is None:
        names = sorted(set(rows["summarizer"]), key=natural)
        n_pairs = math.comb(len(names), 2)
        if not 0 < n_pairs <= MOST_PAIRS:
            raise UsageError(
                f"{len(names)} summarizers make {n_pairs} pairs; name two or more to plan for (systems)"
            )
        return list(itertools.combinations(names, 2))
    if len(set(systems)) < max(2, len(systems)):
        raise UsageError(f"systems are {', '.join(systems)}; expected two or more different ones")
    only(rows, "summarizer", systems)
    return list(itertools.combinations(systems, 2))
