"""Summarizers against summarizers on one metric or human measure: who differs, and who is best."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from classy_aesop.answers.comparability import warn_of_limits
from classy_aesop.answers.comparisons import Comparison, compare_stratum
from classy_aesop.answers.pair_options import PairTest
from classy_aesop.answers.score_matrices import (
    PAIRS,
    Pairs,
    ScoreTables,
    mixed_pairs,
    with_enough,
)
from classy_aesop.answers.strata import Stratum, strata_of
from classy_aesop.data import natural
from classy_aesop.data.scores import without_empty_places
from classy_aesop.errors import DataWarning, UsageError, listed
from classy_aesop.reading import Humans
from classy_aesop.significance.base import FloatArray, IntArray
from classy_aesop.significance.choices import (
    N_RESAMPLES,
    Correction,
    Means,
    Preset,
    RaterModel,
    Resampling,
    SystemTest,
)
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.pairs.equivalence import Margin
from classy_aesop.significance.pairs.pair_comparisons import PairTests
from classy_aesop.significance.pairs.rank_clusters import cluster_means
from classy_aesop.work.workers import progress_bar

Part = tuple[Stratum, IntArray]
"""The scores of a year and task, and the systems of each pair that is tested, (n_pairs, 2)."""

PAIR_NUMBERS = [
    "n",
    "difference",
    "low",
    "high",
    "low_all",
    "high_all",
    "effect",
    "statistic",
    "p",
    "p_adjusted",
]
"""The fields of `PairTests` with a number for each pair."""

HOW_TESTED = ["test", "test_reason", "preset", "correction", "alpha", "n_resamples", "seed"]
"""The columns that say how pairs were tested, of a comparison and of a ranking."""

COMPARISON = ["year", "task", "metric", "first", "second", *PAIR_NUMBERS, "significant", "flag"]
COMPARISON += ["n_first", "n_second", "by_rater", "p_least", "n_used", *HOW_TESTED]
"""The columns of a comparison."""

EQUIVALENCE = [
    "margin",
    "low_equivalence",
    "high_equivalence",
    "p_equivalence",
    "p_least_equivalence",
    "verdict",
]
"""What a margin adds to a row."""

RANKS = ["cluster", "rank", "best_rank", "worst_rank", "wins", "losses"]
"""Fields of `RankClusters` with a number for each summarizer."""

RANKING = ["year", "task", "metric", "summarizer", "mean", "low", "high", *RANKS]
RANKING += [
    "n_topics",
    "n_topics_all",
    "plain",
    "comparable",
    "untested",
    "flag",
    "p_least",
    "n_used",
    "rater_range",
    "rater_deviation",
    *HOW_TESTED,
]
"""The columns of a ranking."""


def compare(
    scores: ScoreTables,
    metric: str,
    *,
    test: SystemTest | None = None,
    preset: Preset = "standard",
    means: Means = "least-squares",
    raters: RaterModel = "model",
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

    Where every summarizer has every topic, and raters do not vary within topics, pairs are tested by signed ranks.
    Where cells are missing or raters vary, differences are those of the least-squares means of the additive model
    (system + topic + rater), see :mod:`classy_aesop.significance.additive.additive_model`. ``test_reason`` says which
    it was.

    Parameters
    ----------
    scores : DataFrame
        A score table; single ratings name their ``assessor``.
    metric : str
        The metric or human measure to compare on.
    test : {"unpaired_t", "paired_t", "wilcoxon", "additive"}, optional
        By default as above. The first three test the topics that both have, as
        :func:`classy_aesop.significance.pairs.pair_comparisons.compare_pairs` does.
    preset : {"standard", "rankel2011", "rankel2013"}
        How those three are computed. The presets of papers take plain means, and signed ranks by default.
    means : {"least-squares", "plain"}
        ``plain`` compares the topics that are there without a model, as SacreROUGE and nlpstats do.
    raters : {"model", "ignore"}
        ``ignore`` takes the mean of a cell's ratings, whoever gave them.
    resampling : {"mc", "hb"}, optional
        Take p-values from random exchanges, see :func:`classy_aesop.significance.pairs.pair_resampling.resample_pairs`.
    correction : {"holm", "bonferroni", "bh", "by", "none"}
        For the pairs of a year and task, which are one family.
    alpha : float
        A pair is significant if its corrected p is at most this.
    equivalence : float or (float, float), optional
        Also test whether the difference is smaller than this, or between two numbers, one of which may be infinite,
        by two one-sided tests, see :func:`classy_aesop.significance.pairs.equivalence.equivalence_pairs`; not with
        ``resampling``.
    pairs : {"all", "mixed"}
        Every pair, or those of a human and a system, a family of their own (Rankel et al. 2011, Table 2).
    humans : mapping of (str, str) to bool, optional
        Who is human, for mixed pairs: as `read_humans` and `Corpus.humans` give it.
    baseline : str, optional
        Test each other summarizer against this one alone, the ``second`` of every pair: a negative difference is one to
        the worse, and a smaller family costs less correction.
    year, task : str, optional
        Only these.
    n_resamples, seed : int
        Of ``resampling``.
    progress : bool
        Whether to show the progress of resampling.

    Returns
    -------
    DataFrame
        One row for each pair: ``year, task, metric, first, second, n`` (topics that both have), ``difference``
        (first less second; missing where the data cannot tell), ``low, high`` (of confidence 1 - alpha, of the test
        itself; missing where so few topics exclude nothing), ``low_all, high_all`` (for all pairs of the year and task
        together; without a correction the same), ``effect, statistic, p, p_adjusted, significant, flag`` (why p does
        not come from a test, and is 1), ``n_first, n_second`` (topics of each), ``by_rater`` (each rater's own
        difference, where raters are in the model), ``p_least`` (the least corrected p that the data allow; 0 without a
        limit), ``n_used`` (topics that the test used; of signed ranks the nonzero differences), ``test, test_reason,
        preset, correction, alpha, n_resamples, seed`` (no seed without ``resampling``).
        With a margin also ``margin, low_equivalence, high_equivalence`` (of confidence 1 - 2 alpha, which a margin is
        compared with), ``p_equivalence`` (corrected), ``p_least_equivalence`` and ``verdict``: equivalent (not worse,
        not better), different or undecided.

    Raises
    ------
    UsageError
        A name is not known; the test cannot be resampled so; resampling or an unpaired t where cells are missing or
        raters vary; nothing says who is human of mixed pairs; alpha is not between 0 and 1; or a margin has not 0
        inside, or goes with ``resampling`` or with an alpha of 1/2 or more.
    InputError
        Fewer than two summarizers, or no mixed pair.

    Warns
    -----
    DataWarning
        Where nothing can be significant, summarizers cannot be compared, or raters with unequal shares are ignored.

    Examples
    --------
    >>> rows = {"topic": ["1", "2", "3", "4"] * 2, "summarizer": ["a"] * 4 + ["b"] * 4}
    >>> scores = pd.DataFrame({"year": "", "task": "", **rows, "metric": "m", "score": [5, 4, 5, 5, 2, 2, 1, 3]})
    >>> compare(scores, "m", test="paired_t")[["first", "second", "difference", "significant"]].values.tolist()
    [['a', 'b', 2.75, True]]
    """
    options = PairTest(
        test=test,
        preset=preset,
        means=means,
        raters=raters,
        resampling=resampling,
        correction=correction,
        alpha=alpha,
        equivalence=equivalence,
        n_resamples=n_resamples,
        seed=seed,
    )
    return compare_by(
        scores,
        metric,
        options,
        pairs=pairs,
        humans=humans,
        baseline=baseline,
        year=year,
        task=task,
        progress=progress,
    )


def compare_by(
    scores: ScoreTables,
    metric: str,
    options: PairTest,
    *,
    pairs: Pairs = "all",
    humans: Humans | None = None,
    baseline: str | None = None,
    year: str | None = None,
    task: str | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Test pairs of summarizers with given options, as :func:`compare` does.

    Parameters
    ----------
    scores, metric, pairs, humans, baseline, year, task, progress
        As for :func:`compare`.
    options : PairTest
        How pairs are tested.

    Returns
    -------
    DataFrame
        As :func:`compare`.
    """
    if pairs not in PAIRS:
        raise UsageError(f"pairs are {pairs!r}; expected one of {', '.join(PAIRS)}")
    if baseline is not None and pairs != "all":
        raise UsageError(f"pairs are {pairs!r}; expected 'all' with a baseline")
    parts = _parts(scores, metric, year, task)
    if baseline is not None:
        parts = _against(parts, baseline)
    elif pairs == "mixed":
        parts = [(stratum, mixed_pairs(stratum.year, stratum.systems, humans or {})) for stratum, _ in parts]
        parts = with_enough(parts, lambda part: len(part[1]), 1, "pairs of a human and a system")
    compared = _compare_parts(parts, options, progress=progress)
    table = pd.concat([_pair_rows(comparison) for comparison in compared], ignore_index=True)
    table["significant"] = is_significant(table["p_adjusted"], options.alpha)
    return without_empty_places(table[COMPARISON + ([] if options.equivalence is None else EQUIVALENCE)])


def rank(
    scores: ScoreTables,
    metric: str,
    *,
    test: SystemTest | None = None,
    preset: Preset = "standard",
    means: Means = "least-squares",
    raters: RaterModel = "model",
    resampling: Resampling | None = None,
    correction: Correction = "holm",
    alpha: float = 0.05,
    year: str | None = None,
    task: str | None = None,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Rank summarizers in clusters: each one above a cluster is significantly better than each one in it.

    Parameters
    ----------
    scores, metric, test, preset, means, raters, resampling, correction, alpha, year, task, n_resamples, seed, progress
        As for :func:`compare`.

    Returns
    -------
    DataFrame
        One row for each summarizer, the best first in each year and task: ``year, task, metric, summarizer, mean,
        low, high`` (its 95 % interval for topics like these; missing of one topic, or of equal scores), ``cluster,
        rank`` (equal for equal means), ``best_rank, worst_rank`` (what the tests leave open: 1 + losses, and the
        number of summarizers less wins), ``wins, losses, n_topics`` (that it has), ``n_topics_all`` (that there are),
        ``plain`` (the mean of the topics that it has), ``comparable`` (summarizers of one number can be compared;
        ranks are within it, and missing of a group of one), ``untested`` (differences of it that no test decides),
        ``flag`` (why), ``p_least, n_used`` (the least and the most of its differences, as in :func:`compare`),
        ``rater_range`` (the greatest less the least effect of a rater, where raters are in the model),
        ``rater_deviation`` (their standard deviation, where they are a crowd of few ratings each and so random
        effects), ``test, test_reason, preset, correction, alpha, n_resamples, seed``. Whether all ranks hold together
        depends on the correction, see :class:`classy_aesop.significance.pairs.rank_clusters.RankClusters`. Members of
        one cluster are not shown to differ as a group; only a test with a margin can show that they are equal.

    Raises
    ------
    UsageError, InputError
        As :func:`compare`.

    Warns
    -----
    DataWarning
        As :func:`compare`.

    Examples
    --------
    >>> rows = {"topic": ["1", "2", "3", "4"] * 2, "summarizer": ["a"] * 4 + ["b"] * 4}
    >>> scores = pd.DataFrame({"year": "", "task": "", **rows, "metric": "m", "score": [5, 4, 5, 5, 2, 2, 1, 3]})
    >>> rank(scores, "m", test="paired_t")[["summarizer", "mean", "cluster"]].values.tolist()
    [['a', 4.75, 1], ['b', 2.0, 2]]
    """
    options = PairTest(
        test=test,
        preset=preset,
        means=means,
        raters=raters,
        resampling=resampling,
        correction=correction,
        alpha=alpha,
        n_resamples=n_resamples,
        seed=seed,
    )
    return rank_by(scores, metric, options, year=year, task=task, progress=progress)


def rank_by(
    scores: ScoreTables,
    metric: str,
    options: PairTest,
    *,
    year: str | None = None,
    task: str | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Rank summarizers with given options, as :func:`rank` does.

    Parameters
    ----------
    scores, metric, year, task, progress
        As for :func:`rank`.
    options : PairTest
        How pairs are tested.

    Returns
    -------
    DataFrame
        As :func:`rank`.
    """
    compared = _compare_parts(_parts(scores, metric, year, task), options, progress=progress)
    table = pd.concat([_rank_rows(comparison) for comparison in compared], ignore_index=True)
    return without_empty_places(table[RANKING])


def _parts(scores: ScoreTables, metric: str, year: str | None, task: str | None) -> list[Part]:
    """Lay out the scores of each year and task that has two summarizers, with all their pairs."""
    strata = strata_of(scores, metric, year, task)
    parts = [(stratum, np.argwhere(np.tri(len(stratum.systems), k=-1).T)) for stratum in strata]
    return with_enough(parts, lambda part: len(part[0].systems), 2, "summarizers")


def _against(parts: Sequence[Part], baseline: str) -> list[Part]:
    """Give the pairs of each other summarizer and the baseline, of each year and task that has it."""
    with_baseline: list[Part] = []
    left_out = []
    for stratum, _ in parts:
        if baseline in stratum.systems:
            number = stratum.systems.index(baseline)
            rivals = [row for row in range(len(stratum.systems)) if row != number]
            with_baseline.append((stratum, np.array([(row, number) for row in rivals])))
        else:
            left_out.append("-".join(filter(None, (stratum.year, stratum.task))))
    if not with_baseline:
        names = sorted({name for stratum, _ in parts for name in stratum.systems}, key=natural)
        raise UsageError(f"no summarizer {baseline!r}; expected one of {listed(names, most=20)}")
    if left_out:
        message = f"left out: no scores of the baseline {baseline!r} in {listed(left_out)}"
        warnings.warn(message, DataWarning, stacklevel=3)
    return with_baseline


def _compare_parts(parts: Sequence[Part], options: PairTest, *, progress: bool) -> list[Comparison]:
    """Test the pairs of each stratum, a family each, and warn of what they cannot show."""
    n_pairs = sum(len(pairs) for _, pairs in parts)
    shown = progress and options.resampling is not None
    comparisons = []
    with progress_bar("resampled", n_pairs, "pairs", shown=shown) as advance:
        for stratum, pairs in parts:
            comparison = compare_stratum(stratum, pairs, options, advance=advance)
            warn_of_limits(comparison)
            comparisons.append(comparison)
    return comparisons


def _how_tested(comparison: Comparison, n_rows: int) -> dict[str, Any]:
    """Give the columns that say how pairs were tested; no seed without resampling."""
    options = comparison.options
    seed = pd.NA if options.resampling is None else options.seed
    return {
        **comparison.stratum.cells.ids,
        "test": comparison.tests.test,
        "test_reason": comparison.reason,
        "preset": options.preset,
        "correction": options.correction,
        "alpha": options.alpha,
        "n_resamples": comparison.tests.n_resamples,
        "seed": pd.array([seed] * n_rows, dtype="Int64"),
    }


def _pair_rows(comparison: Comparison) -> pd.DataFrame:
    """Give the rows of pairs, with a margin those of their equivalence too."""
    stratum = comparison.stratum
    tests = comparison.tests
    columns: dict[str, Any] = {name: getattr(tests, name) for name in (*PAIR_NUMBERS, "flag")}
    for side, n_side, numbers in (("first", "n_first", tests.first), ("second", "n_second", tests.second)):
        columns[side] = [stratum.systems[number] for number in numbers]
        columns[n_side] = stratum.n_topics[numbers]
    columns["p_least"] = comparison.least_p
    columns["n_used"] = tests.n_used
    columns["by_rater"] = comparison.differences_by_rater()
    if (equivalence := comparison.equivalence) is not None:
        margin = comparison.options.equivalence
        ends_of_margin = margin if isinstance(margin, tuple) else ()
        columns["margin"] = ",".join(f"{end:g}" for end in ends_of_margin) or margin
        columns |= {f"{end}_equivalence": getattr(equivalence, end) for end in ("low", "high")}
        columns |= {"p_equivalence": equivalence.p_equivalence, "verdict": equivalence.verdict}
        columns["p_least_equivalence"] = comparison.least_p_of_equivalence
    ends = [name for name in columns if name.startswith(("low", "high"))]
    columns |= {name: np.where(np.isinf(columns[name]), np.nan, columns[name]) for name in ends}
    return pd.DataFrame(columns).assign(**_how_tested(comparison, len(comparison.pairs)))


def _rank_rows(comparison: Comparison) -> pd.DataFrame:
    """Give the rows of summarizers, the best first in each group of those that can be compared."""
    stratum = comparison.stratum
    tests = comparison.tests
    n_systems = len(stratum.systems)
    low, high = comparison.mean_intervals()
    clusters = cluster_means(
        comparison.mean,
        tests,
        group=comparison.group,
        slack=comparison.slack,
        alpha=comparison.options.alpha,
    )
    ranks = {name: getattr(clusters, name) for name in RANKS}
    group_sizes = np.bincount(comparison.group, minlength=1)
    is_alone = (group_sizes[comparison.group] == 1) & (len(group_sizes) > 1)
    columns: dict[str, Any] = {
        "summarizer": np.array(stratum.systems, dtype=object),
        "mean": comparison.mean,
        "low": low,
        "high": high,
        "plain": comparison.plain_mean,
        "n_topics": stratum.n_topics,
        "n_topics_all": np.full(n_systems, len(stratum.cells.topics)),
        "comparable": comparison.group + 1,
        **_count_untested(tests, n_systems),
        "p_least": _least_p_of_systems(tests, comparison.least_p, n_systems),
        "n_used": _most_used(tests, n_systems),
        "rater_range": np.full(n_systems, comparison.rater_range),
        "rater_deviation": np.full(n_systems, comparison.rater_deviation),
    }
    order = np.lexsort((ranks["rank"], comparison.group))
    table = pd.DataFrame({name: values[order] for name, values in (columns | ranks).items()})
    if is_alone.any():
        relative = ["cluster", "rank", "best_rank", "worst_rank"]
        table[relative] = table[relative].astype("Int64").mask(pd.Series(is_alone[order]), pd.NA)
    return table.assign(**_how_tested(comparison, n_systems))


def _count_untested(tests: PairTests, n_systems: int) -> dict[str, Any]:
    """Count the differences of each summarizer that no test decides, and give their reasons."""
    counts = np.zeros(n_systems, dtype=np.int64)
    reasons: list[dict[str, None]] = [{} for _ in range(n_systems)]
    for pair in np.flatnonzero((tests.flag != "") & (tests.p == 1)):
        for system in (int(tests.first[pair]), int(tests.second[pair])):
            counts[system] += 1
            reasons[system][str(tests.flag[pair])] = None
    return {"untested": counts, "flag": np.array(["; ".join(names) for names in reasons], dtype=object)}


def _least_p_of_systems(tests: PairTests, least_p: FloatArray, n_systems: int) -> FloatArray:
    """Give the least p of the differences of each summarizer."""
    least_of_each = np.ones(n_systems)
    for numbers in (tests.first, tests.second):
        np.minimum.at(least_of_each, numbers, least_p)
    return least_of_each


def _most_used(tests: PairTests, n_systems: int) -> IntArray:
    """Give the most topics, or nonzero differences, that a test of each summarizer used."""
    most = np.zeros(n_systems, dtype=np.int64)
    for numbers in (tests.first, tests.second):
        np.maximum.at(most, numbers, tests.n_used)
    return most
