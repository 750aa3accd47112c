"""Findings in sentences: who is best, which differences are significant or why none can be, and by which model."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np
import pandas as pd

from classy_aesop.data.directions import is_lower_better
from classy_aesop.significance.decisions import is_significant, sign_of_effect
from classy_aesop.significance.flags import CONSTANT_DIFFERENCE, NO_DIFFERENCE
from classy_aesop.tables.result_columns import setting
from classy_aesop.tables.wording import (
    count_text,
    interval_text,
    names_text,
    number_text,
    p_text,
    reasons_text,
    split_first_stratum,
    verb,
)

BASELINE = setting("baseline", "those that all others are compared with", shown="never")
"""A column of tables of pairs with baselines alone."""

NO_TEST_KNOWS = "no test knows how far it may vary"

TESTS_OF_MEANS = ("paired_t", "tango", "additive")

MIN_RELATIVE_DIFFERENCE = 1e-9
"""Share of the largest mean by which least-squares and plain means differ by more than rounding."""


def best_rows(rows: pd.DataFrame, value: str) -> pd.Series:
    """Whether each value is the best: the highest, or the lowest where lower is better."""
    return rows[value].eq(rows[value].min() if is_lower_better(rows) else rows[value].max())


def name_leaders(names: Collection[object], all_names: Iterable[object], claim: str) -> str:
    """Say who is best: ``a, b have the highest mean (2.500)``."""
    return f"{names_text(names, all_names)} {verb(len(names), 'has', 'have')} the {claim}"


def count_significant(
    n_significant: int, differences: str, n_untested: int = 0, flags: pd.Series | None = None
) -> str:
    """Say how many of some differences are significant, and how many no test decides."""
    sentence = f"{n_significant} of {differences} {verb(n_significant)} significant"
    if n_untested and flags is not None:
        sentence += f"; {n_untested} cannot be tested ({reasons_text(flags)})"
    return sentence


def count_pairs_of_ranking(rows: pd.DataFrame) -> tuple[int, int]:
    """Count the pairs of a ranking, and those whose difference no test decides."""
    n_untested = int(rows["untested"].sum()) // 2 if "untested" in rows else 0
    return len(rows) * (len(rows) - 1) // 2, n_untested


def count_of_ranking(rows: pd.DataFrame, limit: str, flags: pd.Series | None) -> str:
    """Say how many differences of a ranking are significant and how many no test decides, or why none can be."""
    n_pairs, n_untested = count_pairs_of_ranking(rows)
    n_significant = int(rows["losses"].sum())
    if limit:
        return f"no difference can be significant: {limit}"
    differences = f"{n_pairs - n_untested} tested differences" if n_untested else f"{n_pairs} differences"
    counts = count_significant(n_significant, f"the {differences}", n_untested, flags)
    return counts if n_significant else counts.replace("0", "none", 1).replace(" are ", " is ", 1)


def decide_difference(is_significant: bool, p: float, limit: str = "", reason: str = "") -> str:
    """Say what a test decides on a difference, or why it cannot: with these data, or at all."""
    if reason:
        return f"no test decides ({reason})"
    size = "" if pd.isna(p) else f" ({p_text(p)})"
    if limit:
        return f"cannot be significant{size}: {limit}"
    return f"is {'' if is_significant else 'not '}significant{size}"


def describe_difference(names: Iterable[object], size: str, decision: str) -> str:
    """Say how large the difference of two is, and what its test decides."""
    names = list(names)
    pair = " minus ".join(names_text([name], names) for name in names)
    return f"{pair} is {size}, which {decision}"


def count_differing_pairs(rows: pd.DataFrame, strata: Sequence[str]) -> str:
    """Count the differences that are significant, two one-sided tests once; of a single pair give the difference.

    Where all are compared with one or several, say which are better than each of these and which are worse.
    """
    if len(rows) == 1:
        return _difference_of_one_pair(rows)
    is_of_baselines = find_baselines(rows) or rows["second"].nunique() == 1
    if is_of_baselines and not limit_of_p(rows, strata):
        return _compare_with_baselines(rows, strata)
    ends = pd.DataFrame(np.sort(rows[["first", "second"]].astype(str), axis=1), index=rows.index)
    keys = [*(rows[name] for name in strata), ends[0], ends[1]]
    pairs = rows["significant"].eq(True).groupby(keys, dropna=False).any()
    where = " on shared topics" if tests_shared_topics(rows) else ""
    differences = f"{count_text(len(pairs), 'difference')} between summarizers{where}"
    if limit := limit_of_p(rows, strata):
        return f"None of {differences} can be significant: {limit}.{name_model(rows)}"
    untested = _is_untested(rows)
    if untested.all():
        reasons = reasons_text(rows["flag"])
        return (
            f"Nothing is compared: no test decides any of {count_text(len(pairs), 'difference')} ({reasons})."
        )
    n_untested = int(untested.sum())
    flags = rows.loc[untested, "flag"] if n_untested else None
    counts = count_significant(int(pairs.sum()), differences, n_untested, flags)
    return f"{counts}.{_name_limits(rows, strata, is_decided=bool(pairs.any()))}"


def _name_limits(
    rows: pd.DataFrame, strata: Sequence[str], *, is_decided: bool, is_tested: bool = True
) -> str:
    """Say what a comparison rests on: differences that stay unseen, a look, a margin and a model, if there are such."""
    unseen = "" if is_decided or not is_tested else name_unseen(rows, strata)
    return f"{unseen}{name_look(rows, is_decided=is_decided)}{_name_margin(rows)}{name_model(rows)}"


def find_baselines(rows: pd.DataFrame) -> list[str]:
    """Name those that all others are compared with; none where all pairs are, or humans with systems."""
    return list(rows["second"].unique()) if BASELINE.name in rows else []


def select_pairs_with(rows: pd.DataFrame, baseline: str) -> pd.DataFrame:
    """Select the pairs with a baseline, which is made the second of each."""
    turned = rows[rows["first"].eq(baseline)]
    turned = turned.assign(first=turned["second"], second=baseline, difference=-turned["difference"])
    return pd.concat([rows[rows["second"].eq(baseline)], turned])


def _compare_with_baselines(rows: pd.DataFrame, strata: Sequence[str]) -> str:
    """Say of each baseline which summarizers are significantly better and which are worse."""
    first, where = split_first_stratum(rows, strata)
    where = f"{' on shared topics' if tests_shared_topics(rows) else ''}{where}"
    all_names = [*first["first"], *first["second"]]
    sentences = []
    for name in first["second"].unique():
        counts = count_better_and_worse(select_pairs_with(first, name))
        sentences.append(f"Compared with {names_text([name], all_names)}{where}: {counts}.")
    limits = _name_limits(first, strata, is_decided=bool(first["significant"].eq(True).any()))
    return f"{' '.join(sentences)}{limits}"


def count_better_and_worse(rows: pd.DataFrame, singular: str = "is", plural: str = "are") -> str:
    """Say which of those that are compared with a baseline are significantly better, and which are worse."""
    side = sign_of_effect(rows["difference"], lower_is_better=is_lower_better(rows))
    is_decided = rows["significant"].eq(True).to_numpy()
    untested = _is_untested(rows)
    claims = []
    for word, number in (("better", 1), ("worse", -1)):
        names = rows.loc[is_decided & (side == number), "first"]
        subject = names_text(names, rows["first"], most=5) if len(names) else "none"
        claims.append(f"{subject} {verb(max(len(names), 1), singular, plural)} significantly {word}")
    n_open = int((~is_decided & ~untested).sum())
    if n_open:
        claims.append(f"{n_open} {verb(n_open, 'does', 'do')} not differ significantly")
    if untested.any():
        claims.append(f"{untested.sum()} cannot be tested ({reasons_text(rows.loc[untested, 'flag'])})")
    return "; ".join(claims)


def _is_untested(rows: pd.DataFrame) -> pd.Series:
    """Say of which pairs no test decides: those with a flag, and with no p, or one of 1 that is no test's."""
    if "flag" not in rows:
        return pd.Series(False, index=rows.index)
    has_flag = rows["flag"].fillna("").ne("")
    return has_flag & (rows["p"].isna() | rows["p"].eq(1)) if "p" in rows else has_flag


def untested_text(row: pd.Series) -> str:
    """Say why no test decides a difference: of differences that are all equal, how large they are."""
    if is_of_equal_differences(row):
        return f"every difference is {number_text(row['difference'])}: {NO_TEST_KNOWS}"
    return str(row["flag"])


def is_of_equal_differences(row: pd.Series) -> bool:
    """Whether a test of means decides nothing since all differences are equal."""
    is_equal = row["flag"] in (CONSTANT_DIFFERENCE, NO_DIFFERENCE)
    return is_equal and is_test_of_means(str(row.get("test", "")))


def is_test_of_means(test: str) -> bool:
    """Whether a test is of a difference of means by topic."""
    return test in TESTS_OF_MEANS


def few_topics_text(row: pd.Series) -> str:
    """Name the few topics that a significant difference rests on; nothing where it does not."""
    few_topics = row.get("rests_on")
    return f"; it rests on {few_topics}" if isinstance(few_topics, str) and few_topics else ""


def shift_text(rows: pd.DataFrame) -> str:
    """Say that a difference is a shift by signed ranks, and of how many topics; nothing for a difference of means."""
    if not rows["test"].astype(str).str.endswith("wilcoxon").all():
        return ""
    n_used = int(rows["n_used"].max())
    return f"by signed ranks, as a shift of the {count_text(n_used, 'topic')} that differ, "


def ends_text(row: pd.Series, is_decided: bool, low: str = "low", high: str = "high") -> str:
    """Write an interval; an end at 0 that the test excludes, as happens on whole numbers, is above or below 0."""
    ends = interval_text(row, low, high)
    if not (ends and is_decided):
        return ends
    if row[low] == 0:
        return f" [above 0, {row[high]:z.3f}]"
    return f" [{row[low]:z.3f}, below 0]" if row[high] == 0 else ends


def _difference_of_one_pair(rows: pd.DataFrame) -> str:
    """Give the difference of a single pair, and what its test decides."""
    row = rows.iloc[0]
    is_decided = bool(rows["significant"].eq(True).all())
    size = "unknown" if pd.isna(row["difference"]) else number_text(row["difference"], "+")
    size += ends_text(row, is_decided)
    if tests_shared_topics(rows):
        size += f" on the {count_text(int(row['n']), 'topic')} that both have"
    reason = untested_text(row) if not is_decided and row.get("flag") else ""
    limit = "" if is_decided else limit_of_p(rows, ())
    decision = decide_difference(is_decided, row.get("p_adjusted", np.nan), limit, reason)
    if is_decided:
        decision += few_topics_text(row)
    names = row[["first", "second"]]
    shift = shift_text(rows) if "n_used" in rows else ""
    sentence = f"{shift[:1].upper()}{shift[1:]}{describe_difference(names, size, decision)}."
    return f"{sentence}{_name_limits(rows, (), is_decided=is_decided, is_tested=not reason)}"


def name_unseen(rows: pd.DataFrame, strata: Sequence[str], of: str = "", topics: str = "n_used") -> str:
    """Say which differences stay unseen with so many topics; nothing where that is not known, or none can be seen.

    Only the difference is said of a table without the column ``topics``, or whose errors more of them do not lower.
    """
    if "unseen" not in rows or rows["unseen"].isna().any() or limit_of_p(rows, strata):
        return ""
    unseen = float(rows["unseen"].max())
    limit = f"difference{of} below {unseen:.2g} is likely to stay unseen"
    if topics not in rows:
        return f" A {limit}."
    n_units = int(rows[topics].max())
    noun = noun_of_units(rows)
    return f" With {count_text(n_units, noun)} a {limit}; about {4 * n_units} {noun}s would show {unseen / 2:.2g}."


def noun_of_units(rows: pd.DataFrame | pd.Series) -> str:
    """Give what errors are clustered by: topics, or what these lie in."""
    if "clustered_by" not in rows:
        return "topic"
    nouns = pd.Series(rows["clustered_by"]).dropna()
    return str(nouns.iloc[0]) if len(nouns) else "topic"


def count_here(rows: pd.DataFrame) -> str:
    """Say how many differences are significant for the tasks or years at hand alone; nothing of topics."""
    if "best_rank_here" in rows:
        n_significant = int(rows["best_rank_here"].sub(1).sum())
    elif "p_here_adjusted" in rows:
        n_significant = int(is_significant(rows["p_here_adjusted"], rows["alpha"].iloc[0]).sum())
    else:
        return ""
    differences = f"{count_text(n_significant, 'difference')} {verb(n_significant)} significant"
    return f" Tested on these {noun_of_units(rows)}s alone, {differences}."


def name_look(rows: pd.DataFrame, *, is_decided: bool) -> str:
    """Say at what level a planned look was tested, and whether to go on; nothing of data that are looked at once."""
    if "look" not in rows:
        return ""
    look, _, n_looks = str(rows["look"].iloc[0]).partition("/")
    advice = "stop" if is_decided else "go on" if look != n_looks else "it was the last one"
    return f" Look {look} of {n_looks}, at a level of {rows['alpha'].iloc[0]:.2g}: {advice}."


def _name_margin(rows: pd.DataFrame) -> str:
    """Say what a margin is and what the tests show of it; nothing without one."""
    if "margin" not in rows or "verdict" not in rows:
        return ""
    low, _, high = str(rows["margin"].iloc[0]).partition(",")
    two_ends = f"of {low} to {high}" if high else f"of {low}"
    limits = f"above {low}" if high == "inf" else f"below {high}" if low == "-inf" else two_ends
    counts = rows["verdict"].value_counts(sort=False)
    verdicts = [str(verdict) if len(rows) == 1 else f"{n} {verdict}" for verdict, n in counts.items()]
    return f" The verdict with a margin {limits}: {', '.join(verdicts)}."


def limit_of_p(rows: pd.DataFrame, strata: Sequence[str]) -> str:
    """Say how small a corrected p could be where none could be significant; nothing elsewhere."""
    if "p_least" not in rows or rows["flag"].fillna("").ne("").all():
        return ""
    least_p = rows.groupby(list(strata), dropna=False)["p_least"].min() if strata else rows["p_least"]
    if is_significant(least_p, rows["alpha"].iloc[0]).any():
        return ""
    n_topics = int((rows["n"] if "n" in rows else rows["n_topics"]).max())
    n_used = int(rows["n_used"].max()) if "n_used" in rows else n_topics
    evidence = evidence_text(n_used, n_topics)
    return f"{evidence} {verb(n_used, 'allows', 'allow')} no corrected p below {number_text(least_p.min())}"


def evidence_text(n_used: int, n_topics: int) -> str:
    """Say how many topics a test used: of signed ranks those whose difference is not zero."""
    return count_text(n_used, "topic" if n_used == n_topics else "nonzero difference")


def tests_shared_topics(rows: pd.DataFrame) -> bool:
    """Whether pairs were tested on the topics that both have, while means are over others too."""
    if "test_reason" not in rows:
        return False
    return bool(rows["test_reason"].astype(str).str.endswith("shared topics only").any())


def name_model(rows: pd.DataFrame) -> str:
    """Say that the additive model was used and why, how far raters and plain means differ, and what errors are by."""
    if "test_reason" not in rows or not rows["test"].eq("additive").any():
        return ""
    modelled = rows[rows["test"].eq("additive")]
    reasons = " ".join(modelled["test_reason"].astype(str))
    causes = {"cells missing": "cells are missing", "raters vary": "raters vary within topics"}
    why = " and ".join(words for reason, words in causes.items() if reason in reasons)
    was_done = "Planned" if "n_observed" in rows else "Tested"
    sentence = f" {was_done} in the additive model{why and f', since {why}'}{_rater_effects_text(modelled)}"
    return f"{sentence}{_deviation_of_plain_means(modelled)}{_clusters_text(modelled)}."


def _clusters_text(modelled: pd.DataFrame) -> str:
    """Say what topics lie in, by which errors are clustered; nothing where topics are independent."""
    noun = noun_of_units(modelled)
    if noun == "topic":
        return ""
    if "n_used" not in modelled:
        return f"; errors are by {noun}, with as many topics in each as now"
    return f"; topics lie in {count_text(int(modelled['n_used'].max()), noun)}: errors are by {noun}"


def _rater_effects_text(modelled: pd.DataFrame) -> str:
    """Say how far the effects of raters differ, where they are in the model."""
    if "rater_deviation" in modelled and modelled["rater_deviation"].notna().any():
        deviation = modelled["rater_deviation"].max()
        return f", for these raters, whose effects have a standard deviation of {deviation:z.3f}"
    if "rater_range" in modelled and modelled["rater_range"].notna().any():
        return f", for these raters, who differ by up to {modelled['rater_range'].max():z.3f}"
    if modelled.get("by_rater", pd.Series(dtype=str)).fillna("").ne("").any():
        return ", for these raters"
    return ""


def _deviation_of_plain_means(modelled: pd.DataFrame) -> str:
    """Say how far plain means differ, where that can be seen."""
    if "plain" not in modelled:
        return ""
    difference = (modelled["mean"] - modelled["plain"]).abs()
    is_visible = float(f"{difference.max():z.3f}") > 0
    if not (is_visible and difference.max() > MIN_RELATIVE_DIFFERENCE * modelled["mean"].abs().max()):
        return ""
    number = int(difference.to_numpy().argmax())
    farthest = names_text(modelled["summarizer"].iloc[[number]], modelled["summarizer"])
    return f"; its means differ from plain means by up to {difference.max():z.3f} ({farthest})"
