"""Which summarizers are best by one metric or human measure, and which differ? Their ranking, and tests of pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Unpack

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.answers.answer_options import PairTest, PairTestKeywords, RankingKeywords
from classy_aesop.answers.attempt_noise import (
    ATTEMPTS_OF_SYSTEM,
    SHARE_OF_ERROR,
    columns_of_error,
    columns_of_systems,
    describe_noise,
)
from classy_aesop.answers.comparability import warn_of_ends_beyond_grades, warn_of_limits
from classy_aesop.answers.comparisons import Comparison, compare_stratum
from classy_aesop.answers.findings import (
    BASELINE,
    count_differing_pairs,
    count_here,
    count_pairs_of_ranking,
    describe_tests_of_ranking,
    is_best_ranked,
    name_leaders,
    name_look,
    name_model,
    name_unseen,
    say_nothing_is_compared,
    tests_shared_topics,
)
from classy_aesop.answers.joined_strata import join_strata
from classy_aesop.answers.metrics_and_humans import choose_measure
from classy_aesop.answers.pilots import unseen_difference
from classy_aesop.answers.preferences import (
    check_preference_options,
    compare_preference_pairs,
    rank_preferences,
)
from classy_aesop.answers.score_matrices import (
    PAIR_SETS,
    PairSet,
    keep_large_enough,
    mixed_pairs,
    name_sequence,
)
from classy_aesop.answers.scores_at_length import (
    AT_LENGTH,
    MEAN_AT_LENGTH,
    N_DECIDED_AT_LENGTH,
    describe_at_length,
    pair_columns_at_length,
    system_columns_at_length,
)
from classy_aesop.answers.selection import TableKeywords, TablePart
from classy_aesop.answers.strata import RatedStratum, stratify_scores
from classy_aesop.answers.tested_pairs import (
    CLUSTERED_BY,
    DECISION,
    ENDS_OF_DIFFERENCE,
    LIMITS_OF_SYSTEM,
    P_LEAST_OF_PAIR,
    UNDECIDED_OF_SYSTEM,
    UNSEEN,
    all_pairs,
    check_baselines,
    pair_columns,
    pair_with_baselines,
    rank_columns,
    system_columns,
)
from classy_aesop.data.directions import is_lower_better, mark_direction
from classy_aesop.data.preference_records import Preferences
from classy_aesop.data.scales import format_scale, set_scale, words_as_role
from classy_aesop.errors import UsageError, join_names
from classy_aesop.keywords import explain_keywords, take_keywords
from classy_aesop.plots.captioned import forest_picture, pairs_picture
from classy_aesop.reading import Humans
from classy_aesop.reading.file_columns import columns_by_role
from classy_aesop.reading.given_tables import (
    ScoreTables,
    read_scores_or_preferences,
)
from classy_aesop.significance.base import BoolArray, FloatArray, IntArray
from classy_aesop.significance.differences import Differences
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS
from classy_aesop.significance.pairs.pair_statistics import negate_statistics
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result, make_answer_result
from classy_aesop.tables.result_columns import (
    DIRECTION_COLUMN,
    MAIN,
    METRIC,
    SELDOM,
    TASK,
    YEAR,
    Purpose,
    count,
    estimate,
    interval,
    item,
    optional,
    p_value,
    remark,
    setting,
)
from classy_aesop.tables.wording import (
    interval_text,
    number_text,
    range_text,
    reasons_text,
    split_first_stratum,
)
from classy_aesop.work.options import keywords_of

StratumPairs = tuple[RatedStratum, IntArray]
"""The scores of a year and task, and the systems of each pair that is tested, (n_pairs, 2)."""

# --- what the tables say ---


def name_best_summarizers(rows: pd.DataFrame) -> str:
    """Name the summarizer with the best mean, and say how many differences are significant.

    No best is named where the tests are not of the means, or where not all can be compared.
    """
    strata = SYSTEM_RANKING.strata_in(rows)
    first, where = split_first_stratum(rows, strata)
    if len(first) == 1:
        return f"{_name_best(first)}; there is no other to compare with{where}."
    if tests_shared_topics(first):
        plain = "plain means are" if first["test_reason"].str.startswith("plain").any() else "means are"
        return (
            f"On the topics that both of a pair have, {describe_tests_of_ranking(first, strata)}{where}. "
            f"No best is named: {plain} over other topics than these tests."
        )
    n_pairs, n_untested = count_pairs_of_ranking(first)
    if n_untested == n_pairs:
        return f"{say_nothing_is_compared(first, n_pairs)}{where}.{count_here(first)}"
    groups = [group for _, group in first.groupby("comparable")]
    best = _name_best(first) if len(groups) == 1 else _name_groups(groups, reasons_text(first["flag"]))
    ranking = f"{best}; {describe_tests_of_ranking(first, strata)}{where}.{count_here(first)}"
    is_decided = bool(first["losses"].any())
    unseen = "" if is_decided else name_unseen(first, strata)
    look = name_look(first, is_decided=is_decided)
    return f"{ranking}{unseen}{look}{describe_at_length(first)}{name_model(first)}{describe_noise(first)}"


def _name_groups(groups: Sequence[pd.DataFrame], reasons: str) -> str:
    """Say how many groups of summarizers cannot be compared with each other, and name the best within them."""
    best = join_names([_name_best(group) for group in groups if len(group) > 1], limit=3, by=" and ")
    return f"{len(groups)} groups of summarizers cannot be compared with each other ({reasons}); within them {best}"


def _name_best(rows: pd.DataFrame) -> str:
    """Say who has the best mean, and on how many topics if not all have the same."""
    best = rows[is_best_ranked(rows)]
    row = best.iloc[0]
    topics = ""
    if rows["n_topics"].lt(rows["n_topics_all"]).any():
        topics = f", on {range_text(best['n_topics'], 'g')} of {row['n_topics_all']} topics"
    chosen = interval_text(row, "low_best", "high_best")
    interval = f"{chosen}, allowing for the choice" if chosen else interval_text(row)
    best_mean = "lowest (best) mean" if is_lower_better(rows) else "highest mean"
    claim = f"{best_mean} ({number_text(row['mean'])}{interval}{topics})"
    return name_leaders(best["summarizer"], rows["summarizer"], claim)


def count_differing_summarizers(rows: pd.DataFrame) -> str:
    """Count the differences of a comparison that are significant."""
    sentence = count_differing_pairs(rows, SYSTEM_COMPARISON.strata_in(rows))
    return sentence + count_here(rows) + describe_at_length(rows) + describe_noise(rows)


def pair_two_summarizers(rows: pd.DataFrame) -> pd.DataFrame:
    """Write two summarizers in one row, the mean that is not worse first: their difference and the mean of each.

    Tables in which a year and task has more stay as they are.
    """
    strata = SYSTEM_RANKING.strata_in(rows)
    sizes = rows.groupby(strata, dropna=False).size() if strata else pd.Series(len(rows))
    if "difference" not in rows or sizes.ne(2).any():
        return rows
    first = rows.iloc[::2].reset_index(drop=True)
    second = rows.iloc[1::2].reset_index(drop=True)
    of_each = [
        column.name
        for column in SYSTEM_RANKING.columns
        if column.purpose in (Purpose.ESTIMATE, Purpose.END)
        and not column.name.startswith(("mean", "difference"))
    ]
    n_topics = first["n_topics"]
    if not n_topics.equals(second["n_topics"]):
        n_topics = n_topics.astype(str) + " and " + second["n_topics"].astype(str)
    return (
        first.drop(columns=of_each, errors="ignore")
        .rename(columns={"summarizer": "first"})
        .assign(**{"second": second["summarizer"], "second mean": second["mean"], "n_topics": n_topics})
    )


# --- the declared tables ---

HOW_TESTED = (
    setting("test", "the test of two summarizers", shown="always"),
    setting("test_reason", "why this test was used", shown="never"),
    setting("correction", "of p-values for the pairs of a year and task", shown="always", priority=SELDOM),
    setting("alpha", "a pair is significant if its corrected p is at most this", "float"),
    *optional(CLUSTERED_BY),
    UNSEEN,
    *optional(setting("look", "which of how many planned looks at the data this is", shown="always")),
    *SHARE_OF_ERROR,
)

SYSTEM_RANKING = Answer(
    name="compare",
    caption="Mean scores with 95 % intervals",
    question="Which systems are best?",
    columns=(
        YEAR,
        TASK,
        METRIC,
        item("summarizer", "who wrote the summaries"),
        estimate("mean", "mean over all topics, least-squares or plain", priority=MAIN),
        *interval("low", "high", "the 95 % interval of the mean for topics like these", cell="mean"),
        *rank_columns("by the mean, 1 for the best, equal for equal means"),
        *optional(
            *interval(
                "best_rank_here",
                "worst_rank_here",
                "the ranks that tests on these years and tasks alone leave open",
                "int",
                priority=MAIN,
            )
        ),
        count("n_topics", "topics that it has; together, years and tasks"),
        count("n_topics_all", "topics that there are", shown="never"),
        estimate("plain", "mean of the topics that it has", unless_equal="mean"),
        *UNDECIDED_OF_SYSTEM,
        remark("flag", "why no test decides them", priority=2 * SELDOM),
        *LIMITS_OF_SYSTEM,
        *optional(
            *interval(
                "low_best",
                "high_best",
                "the 95 % interval of the best of three or more, allowing for the choice; of no other",
                shown="never",
            ),
            estimate(
                "difference",
                "of two summarizers: mean less that of the other; by signed ranks the shift",
                priority=MAIN,
            ),
            *interval(
                "difference_low",
                "difference_high",
                "the interval of the test of their difference, of confidence 1 - alpha",
                cell="difference",
            ),
            p_value("p", "of the test of their difference", priority=MAIN),
            remark("by_rater", "each rater's own difference of the two"),
            remark("rests_on", "the few topics without which the difference would not be significant"),
            MEAN_AT_LENGTH,
            N_DECIDED_AT_LENGTH,
            *AT_LENGTH,
        ),
        *ATTEMPTS_OF_SYSTEM,
        *HOW_TESTED,
        DIRECTION_COLUMN,
    ),
    sentence=name_best_summarizers,
    pictures=partial(
        forest_picture,
        caption="means and their 95 % intervals over topics, best first; lines between clusters",
        names="summarizer",
        value="mean",
        sort=False,
        separate_by="cluster",
    ),
    shown_first=(
        "comparable",
        "rank",
        "summarizer",
        "first",
        "mean",
        "plain",
        "n_topics",
        "second",
        "second mean",
        "difference",
        "p",
    ),
    arrange_rows=pair_two_summarizers,
    choose_bold_columns=lambda rows: () if "first" in rows else ("mean",),
    arranged_columns=(
        item("first", "of two, the one whose mean is not worse"),
        item("second", "the other of two"),
        estimate("second mean", "the mean of the second", priority=MAIN),
    ),
    block="cluster",
)

SYSTEM_COMPARISON = Answer(
    name="compare --pairs",
    caption="Differences of mean scores with their intervals",
    question="Which systems differ?",
    columns=(
        YEAR,
        TASK,
        METRIC,
        item("first", "a summarizer"),
        item("second", "the summarizer that it is compared with"),
        count("n", "topics that both have; together, years and tasks"),
        estimate(
            "difference",
            "mean of the first less mean of the second, if the data identify it; by signed ranks the shift",
            priority=MAIN,
        ),
        *ENDS_OF_DIFFERENCE,
        estimate("effect", "effect size: d, d_z or rank-biserial, by the test", priority=SELDOM),
        estimate("statistic", "t, or the sum of positive ranks", shown="on request"),
        *DECISION,
        *optional(
            *interval("low_here", "high_here", "the interval for these years and tasks alone"),
            p_value(
                "p_here_adjusted",
                "for these years and tasks alone, corrected for all pairs",
                is_corrected=True,
                priority=MAIN,
            ),
            *AT_LENGTH,
        ),
        remark("flag", "why no test decides the difference, so that there is no p", priority=2 * SELDOM),
        count("n_first", "topics of the first", unless_equal="n"),
        count("n_second", "topics of the second", unless_equal="n"),
        remark("by_rater", "each rater's own difference, where raters are in the model"),
        remark("rests_on", "the few topics without which a difference would not be significant"),
        P_LEAST_OF_PAIR,
        count("n_used", "topics that the test used; of signed ranks the nonzero differences", shown="never"),
        *HOW_TESTED,
        *optional(
            BASELINE,
            setting("margin", "differences that count as none"),
            *interval(
                "low_equivalence",
                "high_equivalence",
                "the interval of confidence 1 - 2 alpha for the margin",
                shown="on request",
            ),
            p_value(
                "p_equivalence",
                "corrected, of a difference outside the margin",
                is_corrected=True,
                priority=SELDOM,
            ),
            estimate(
                "p_least_equivalence", "least corrected p_equivalence that the data allow", shown="never"
            ),
            estimate(
                "verdict",
                "equivalent, not worse, not better, different or undecided",
                "text",
                priority=MAIN,
            ),
        ),
        DIRECTION_COLUMN,
    ),
    sentence=count_differing_summarizers,
    pictures=partial(pairs_picture, caption="who is significantly better than whom"),
    shown_first=("first", "second", "difference", "p_adjusted", "verdict", "difference_at_length"),
    sorted_by=("p_adjusted", "p"),
)

# --- from scores to tables ---

TESTS_ARE_TWO_SIDED = "equivalence=(-MARGIN, inf) of compare_pairs to ask one side, since tests are two-sided"
ROLE_OF_COLUMN = 'columns={"system": NAME}, or topic, rater, measures for system'
NO_PROGRESS = "nothing instead, since no draws are waited for"
NO_RESAMPLING = "test='wilcoxon' for exact p of ranks, or nothing for the test of means"
"""What to write for keywords that tests of pairs do not have."""

GUESSED_KEYWORDS = {
    **dict.fromkeys(
        ("by", "group", "groupby", "hue", "item", "rater", "score", "system", "topic", "x"), ROLE_OF_COLUMN
    ),
    **dict.fromkeys(("column", "measure", "target", "value", "y"), "metric="),
    "alternative": TESTS_ARE_TWO_SIDED,
    "confidence": "alpha=1 - confidence",
    "confidence_level": "alpha=1 - confidence_level",
    "method": "test= or correction=",
    "paired": "test='paired_t'",
    "preset": "test='wilcoxon', or recipes of papers: classy_aesop.significance.pairs.signed_ranks.signed_rank_test",
    "progress": NO_PROGRESS,
    "resampling": NO_RESAMPLING,
}
"""What to write for keywords that both answers lack."""


class RankingOptions(RankingKeywords, TableKeywords):
    """What `compare` takes by name."""


class ComparisonOptions(PairTestKeywords, TableKeywords):
    """What `compare_pairs` takes by name."""


@explain_keywords(
    PairTest,
    TablePart,
    among="compare_pairs(scores, metric, among=...)",
    baseline="compare_pairs(scores, metric, baseline=...)",
    equivalence="compare_pairs(scores, metric, equivalence=...)",
    fail_if="compare_pairs(scores, metric, baseline=...), whose column significant decides",
    gate="compare_pairs(scores, metric, baseline=...), whose column significant decides",
    pairs="compare_pairs(scores, metric)",
    systems="compare(scores[scores[COLUMN].isin(systems)], metric)",
    **GUESSED_KEYWORDS,
)
def compare(
    scores: ScoreTables | Preferences,
    metric: str | None = None,
    *,
    scale: str | Sequence[float] | None = None,
    **options: Unpack[RankingOptions],
) -> Result:
    """Rank summarizers in clusters: each one above a cluster is significantly better than each one in it.

    Where every summarizer has every topic, and raters do not vary within topics, pairs are tested by the paired t-test.
    Where cells are missing or raters vary, differences are those of the least-squares means of the additive model
    (system + topic + rater), see :mod:`classy_aesop.significance.additive.additive_model`. Where topics lie in
    clusters, such as the questions on a passage, its errors are clustered by these. ``test_reason`` says which it was.

    Parameters
    ----------
    scores : DataFrame, path-like, Preferences, or sequence of tables
        A score table; single ratings name their ``assessor``. A table of preferences, such as `read_preferences` reads,
        is ranked by :func:`classy_aesop.answers.preferences.rank_preferences`.
    metric : str, optional
        The metric or human measure to rank by; by default the only one.
    scale : str, or two numbers, optional
        The least and the greatest score that the metric can have, ``(1, 5)`` or ``"1,5"``, which keep the intervals of
        means within; or words of ratings in order, ``"Poor<Fair<Good"``.
    **options
        How pairs are tested: the fields of :class:`classy_aesop.answers.answer_options.PairTest` but for its margin.
        And which part of the table is used: the fields of :class:`classy_aesop.answers.selection.TablePart`.

    Returns
    -------
    Result
        One row for each summarizer, the best first in each year and task; `SYSTEM_RANKING` declares its columns.
        Whether all ranks hold together depends on the correction, see
        :class:`classy_aesop.significance.differences.Ranking`. Members of one cluster are not shown to differ as a
        group; only a test with a margin can show that they are equal.

    Raises
    ------
    UsageError
        There is no such metric, year or task; a name is not known; a test that takes topics as independent where they
        lie in clusters; or alpha is not between 0 and 1.
    InputError
        Fewer than two summarizers.

    Warns
    -----
    DataWarning
        Where summarizers cannot be compared, or raters with unequal shares are ignored.

    Examples
    --------
    >>> rows = {"topic": ["1", "2", "3", "4"] * 2, "summarizer": ["a"] * 4 + ["b"] * 4}
    >>> scores = pd.DataFrame({"year": "", "task": "", **rows, "metric": "m", "score": [5, 4, 5, 5, 2, 2, 1, 3]})
    >>> ranking = compare(scores, "m", test="paired_t")
    >>> ranking.table[["summarizer", "mean", "cluster"]].values.tolist()
    [['a', 4.75, 1], ['b', 2.0, 2]]
    >>> ranking.columns["losses"].meaning
    'summarizers that it is significantly worse than'
    """
    test = take_keywords(options, PairTest)
    data = _read_measure(scores, metric, scale, take_keywords(options, TablePart), test)
    return rank_preferences(data, test) if isinstance(data, Preferences) else rank_summarizers(data, test)


def _read_measure(
    scores: ScoreTables | Preferences,
    metric: str | None,
    scale: str | Sequence[float] | None,
    part: TablePart,
    test: PairTest,
    *,
    pair_set: PairSet = "all",
) -> Sequence[RatedStratum] | Preferences:
    """Give preferences, or the scores by the only measure, or by a named one with its scale, laid out for tests."""
    columns = {**(columns_by_role(part.columns) or {}), **words_as_role(scale)}
    table = read_scores_or_preferences(scores, columns=columns)
    if isinstance(table, Preferences):
        choices = {**keywords_of(part), "columns": None, "scale": scale}
        check_preference_options(metric, test, choices | {"among": None if pair_set == "all" else pair_set})
        return table
    measure = choose_measure(table, metric, "metric")
    scaled = set_scale(table, scale, [measure])
    strata = stratify_scores(scaled, measure, part.year, part.task, lower_is_better=part.lower_is_better)
    return join_strata(strata, test) if test.together else strata


def rank_summarizers(strata: Sequence[RatedStratum], options: PairTest) -> Result:
    """Rank the summarizers of each year and task, as :func:`compare` does."""
    comparisons = _compare_strata(
        [(stratum, all_pairs(len(stratum.systems))) for stratum in _keep_comparable(strata)], options
    )
    for comparison in comparisons:
        warn_of_ends_beyond_grades(comparison)
    return _make_comparison_result(SYSTEM_RANKING, map(_ranking_rows, comparisons), comparisons[0])


@explain_keywords(
    PairTest,
    TablePart,
    fail_if="baseline=, and read the column significant",
    gate="baseline=, and read the column significant",
    margin="equivalence=",
    systems="compare_pairs(scores[scores[COLUMN].isin(systems)], metric)",
    **GUESSED_KEYWORDS,
)
def compare_pairs(
    scores: ScoreTables | Preferences,
    metric: str | None = None,
    *,
    among: PairSet = "all",
    humans: Humans | None = None,
    baseline: str | Sequence[str] | None = None,
    scale: str | Sequence[float] | None = None,
    **options: Unpack[ComparisonOptions],
) -> Result:
    """Test every pair of summarizers, or every pair of a human and a system.

    Parameters
    ----------
    scores, metric, scale
        As for :func:`compare`.
    among : {"all", "mixed"}
        Every pair, or those of a human and a system, a family of their own (Rankel et al. 2011, Table 2).
    humans : mapping of (str, str) to bool, optional
        Who is human, for mixed pairs: as `read_humans` and `Corpus.humans` give it.
    baseline : str, or sequence of str, optional
        Test each other summarizer against this one alone, or against each of several, the ``second`` of every pair: a
        negative difference is one to the worse, and a smaller family costs less correction.
    **options
        As for :func:`compare`; with a margin (``equivalence``) also whether summarizers are equivalent.

    Returns
    -------
    Result
        One row for each pair; `SYSTEM_COMPARISON` declares its columns, the last of which only a table with a margin
        has. An end of an interval is missing where so few topics exclude nothing.

    Raises
    ------
    UsageError
        As :func:`compare`; or nothing says who is human of mixed pairs, or a margin has not 0 inside, or goes with
        an alpha of 1/2 or more.
    InputError
        Fewer than two summarizers, or no mixed pair.

    Warns
    -----
    DataWarning
        As :func:`compare`.

    Examples
    --------
    >>> rows = {"topic": ["1", "2", "3", "4"] * 2, "summarizer": ["a"] * 4 + ["b"] * 4}
    >>> scores = pd.DataFrame({"year": "", "task": "", **rows, "metric": "m", "score": [5, 4, 5, 5, 2, 2, 1, 3]})
    >>> pairs = compare_pairs(scores, "m", test="paired_t")
    >>> pairs.table[["first", "second", "difference", "significant"]].values.tolist()
    [['a', 'b', 2.75, True]]
    """
    test = take_keywords(options, PairTest)
    data = _read_measure(scores, metric, scale, take_keywords(options, TablePart), test, pair_set=among)
    if isinstance(data, Preferences):
        return compare_preference_pairs(data, test, baseline)
    return compare_summarizers(data, test, among=among, humans=humans, baseline=baseline)


def compare_summarizers(
    strata: Sequence[RatedStratum],
    options: PairTest,
    *,
    among: PairSet = "all",
    humans: Humans | None = None,
    baseline: str | Sequence[str] | None = None,
) -> Result:
    """Test pairs of the summarizers of each year and task, as :func:`compare_pairs` does."""
    if among not in PAIR_SETS:
        raise UsageError(f"among is {among!r}; expected one of {', '.join(PAIR_SETS)}")
    if baseline is not None and among != "all":
        raise UsageError(f"among is {among!r}; expected 'all' with a baseline")
    baselines = name_sequence(baseline or ())
    comparable = _keep_comparable(strata)
    check_baselines(baselines, [(stratum.label, stratum.systems) for stratum in comparable])
    stratum_pairs: list[StratumPairs] = []
    for stratum in comparable:
        if baselines:
            pairs = np.array(pair_with_baselines(stratum.systems, baselines))
        elif among == "mixed":
            pairs = mixed_pairs(stratum.year, stratum.systems, humans or {})
        else:
            pairs = all_pairs(len(stratum.systems))
        stratum_pairs.append((stratum, pairs))
    if among == "mixed":
        keep_large_enough(stratum_pairs, lambda part: len(part[1]), 1, "pairs of a human and a system")
    comparisons = _compare_strata([part for part in stratum_pairs if len(part[1])], options)
    settings = {BASELINE.name: ", ".join(baselines)} if baselines else {}
    rows = (pair_rows(comparison).assign(**settings) for comparison in comparisons)
    return _make_comparison_result(SYSTEM_COMPARISON, rows, comparisons[0])


def _keep_comparable(strata: Sequence[RatedStratum]) -> list[RatedStratum]:
    """Keep the years and tasks with two summarizers or more."""
    return keep_large_enough(strata, lambda stratum: len(stratum.systems), 2, "summarizers")


def _compare_strata(stratum_pairs: Sequence[StratumPairs], options: PairTest) -> list[Comparison]:
    """Test the pairs of each stratum, a family each, and warn where nothing could be significant."""
    comparisons = [compare_stratum(stratum, pairs, options) for stratum, pairs in stratum_pairs]
    for comparison in comparisons:
        warn_of_limits(comparison)
    return comparisons


def _make_comparison_result(answer: Answer, rows: Iterable[pd.DataFrame], comparison: Comparison) -> Result:
    """Join the rows of all strata, one of which is given, into the result of an answer."""
    stratum = comparison.stratum
    recorded = comparison.options.recorded_options()
    stated = {name: value for name, value in recorded.items() if value is not None}
    if stratum.lower_is_better:
        stated["lower_is_better"] = stratum.cells.metric
    if stratum.scale is not None:
        stated["scale"] = format_scale(stratum.scale)
    blocks = list(rows)
    table = blocks[0]
    if len(blocks) > 1:
        table = pd.concat(blocks, ignore_index=True)
        strata = answer.strata_in(table)
        table[strata] = table[strata].fillna("")
    return make_answer_result(answer, table, recorded, metric=stratum.cells.metric, **stated)


def _make_table(answer: Answer, comparison: Comparison, columns: Mapping[str, object]) -> pd.DataFrame:
    """Make the rows of a stratum, with the columns that say how pairs were tested."""
    stratum = comparison.stratum
    options = comparison.options
    settings = {
        **{name: value for name, value in stratum.cells.ids.items() if value},
        "test": comparison.tests.test,
        "test_reason": comparison.reason,
        "correction": options.correction,
        "alpha": options.level,
        "unseen": unseen_difference(comparison),
        **columns_of_error(stratum, options.level),
        **({} if options.look is None else {"look": options.look}),
        **({} if stratum.noun == "topic" else {"clustered_by": stratum.noun}),
    }
    return mark_direction(answer.make_table({**columns, **settings}), lower_is_better=stratum.lower_is_better)


def pair_rows(comparison: Comparison) -> pd.DataFrame:
    """Give a row for each pair, with the columns of equivalence if there is a margin."""
    stratum = comparison.stratum
    tests = _tests_of_table(comparison.tests, stratum)
    columns = pair_columns(tests, stratum.systems, comparison.options.level)
    columns["n_first"] = stratum.n_topics[tests.first]
    columns["n_second"] = stratum.n_topics[tests.second]
    columns["by_rater"] = comparison.differences_by_rater(comparison.pairs)
    columns["rests_on"] = comparison.few_topics()
    columns |= pair_columns_at_length(comparison)
    if comparison.tests_here is not None:
        here = _tests_of_table(comparison.tests_here, stratum)
        columns |= {"low_here": here.low, "high_here": here.high, "p_here_adjusted": here.p_adjusted}
    if comparison.equivalence is not None:
        equivalence = _tests_of_table(comparison.equivalence, stratum)
        columns |= {
            "margin": comparison.options.margin_text or "",
            "low_equivalence": equivalence.low,
            "high_equivalence": equivalence.high,
            "p_equivalence": equivalence.p_adjusted,
            "verdict": equivalence.verdict,
            "p_least_equivalence": equivalence.p_least,
        }
    return _make_table(SYSTEM_COMPARISON, comparison, columns)


def _ranking_rows(comparison: Comparison) -> pd.DataFrame:
    """Give the rows of summarizers, the best first in each group of those that can be compared."""
    stratum = comparison.stratum
    n_systems = len(stratum.systems)
    low, high = stratum.restore_interval(*comparison.mean_intervals())
    ranking = comparison.rank(comparison.tests)
    group_sizes = np.bincount(comparison.group, minlength=1)
    is_alone = (group_sizes[comparison.group] == 1) & (len(group_sizes) > 1)
    columns: dict[str, NDArray[Any]] = {
        "summarizer": np.array(stratum.systems, dtype=object),
        "mean": stratum.restore_sign(comparison.mean),
        "low": low,
        "high": high,
        "plain": stratum.restore_sign(comparison.plain_mean),
        "n_topics": stratum.n_topics,
        "n_topics_all": np.full(n_systems, len(stratum.cells.topics)),
        "comparable": comparison.group + 1,
        **system_columns(comparison.tests, n_systems),
        **columns_of_systems(stratum),
        **system_columns_at_length(comparison),
        **(
            _difference_from_other(comparison)
            if n_systems == 2
            else _interval_of_best(comparison, ranking.rank == 1)
        ),
    }
    if comparison.tests_here is not None:
        ranks_here = comparison.rank(comparison.tests_here)
        columns |= {"best_rank_here": ranks_here.best_rank, "worst_rank_here": ranks_here.worst_rank}
    order = np.lexsort((ranking.rank, comparison.group))
    rows = _make_table(
        SYSTEM_RANKING,
        comparison,
        {name: values[order] for name, values in (columns | ranking._asdict()).items()},
    )
    if is_alone.any():
        names = [name for name in ranking._fields if name not in ("wins", "losses")]
        rows[names] = rows[names].astype("Int64").mask(pd.Series(is_alone[order]), pd.NA)
    return rows


def _interval_of_best(comparison: Comparison, is_best: BoolArray) -> dict[str, FloatArray]:
    """Give the interval of the best mean of each group, whose lower end allows for the choice; none of the others."""
    low = comparison.lower_ends_of_best(is_best)
    high = np.where(np.isnan(low), np.nan, comparison.mean_intervals()[1])
    low, high = comparison.stratum.restore_interval(low, high)
    return {"low_best": low, "high_best": high}


def _difference_from_other(comparison: Comparison) -> dict[str, NDArray[Any]]:
    """Give the difference of each of two summarizers from the other, with its interval and p."""
    directed = _tests_of_table(comparison.tests, comparison.stratum).both_ways()
    order = np.argsort(directed.first)
    return {
        "difference": directed.difference[order],
        "difference_low": directed.low[order],
        "difference_high": directed.high[order],
        "p": directed.p[order],
        "by_rater": np.array(comparison.differences_by_rater(np.array([[0, 1], [1, 0]])), dtype=object),
        "rests_on": np.repeat(np.array(comparison.few_topics(), dtype=object), 2),
    }


def _tests_of_table(tests: Differences, stratum: RatedStratum) -> Differences:
    """Give tests with the signs of the file, without ends where nothing is excluded and without p that no test gave.

    Equal passes are tested, but without a variance, so that statistic and effect are not finite.
    """
    statistic = tests.statistic
    if stratum.lower_is_better:
        pair_test = PAIR_TESTS.get(tests.test)
        reverse = negate_statistics if pair_test is None else pair_test.reverse
        statistic = reverse(statistic, tests.n_used)
    is_untested = tests.is_untested
    has_no_variance = is_untested | np.isinf(tests.effect)
    tests_of_table = replace(
        tests,
        p=np.where(is_untested, np.nan, tests.p),
        p_adjusted=np.where(is_untested, np.nan, tests.p_adjusted),
        statistic=np.where(has_no_variance, np.nan, statistic),
        effect=np.where(has_no_variance, np.nan, tests.effect),
        low=_finite_ends(tests.low),
        high=_finite_ends(tests.high),
        low_all=_finite_ends(tests.low_all),
        high_all=_finite_ends(tests.high_all),
    )
    return stratum.restore_tests(tests_of_table)


def _finite_ends(ends: FloatArray) -> FloatArray:
    """Give ends of intervals: none where nothing is excluded."""
    return np.where(np.isinf(ends), np.nan, ends)
