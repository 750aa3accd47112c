"""Findings in sentences: who is best, which differences are significant or why none can be, and by which model."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

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
    return len(rows) * (len(rows) - 1) // 2, int(rows["untested"].sum()) // 2


def say_nothing_is_compared(rows: pd.DataFrame, n_pairs: int) -> str:
    """Say that no test decides any difference, and why."""
    differences = "the difference" if n_pairs == 1 else f"any of the {n_pairs:,} differences"
    reasons = untested_text(rows.iloc[0]) if n_pairs == 1 else reasons_text(rows["flag"])
    return f"Nothing is compared: no test decides {differences} ({reasons})"


def describe_tests_of_ranking(rows: pd.DataFrame, strata: Sequence[str] = ()) -> str:
    """Say which differences of a ranking are significant: of two by how much they differ, of several how many."""
    n_pairs, n_untested = count_pairs_of_ranking(rows)
    n_significant = int(rows["losses"].sum())
    limit = limit_of_p(rows, strata)
    if n_pairs == n_untested == 1:
        return f"no test decides the difference ({untested_text(rows.iloc[0])})"
    if n_pairs == 1:
        names_of_pair = {"difference_low": "low", "difference_high": "high", "p": "p_adjusted"}
        pair = rows.drop(columns=["low", "high"], errors="ignore").rename(columns=names_of_pair)
        return describe_pair(pair, rows["summarizer"], n_significant > 0, limit)
    if limit:
        return f"no difference can be significant: {limit}"
    differences = f"{n_pairs - n_untested} tested differences" if n_untested else f"{n_pairs} differences"
    counts = count_significant(n_significant, f"the {differences}", n_untested, rows["flag"])
    if not n_significant:
        return counts.replace("0", "none", 1).replace(" are ", " is ", 1)
    unbeaten = rows.loc[rows["losses"].eq(0) & ~is_best_ranked(rows), "summarizer"]
    if unbeaten.empty or rows["comparable"].nunique() > 1 or tests_shared_topics(rows):
        return counts
    names = names_text(unbeaten, rows["summarizer"])
    return f"{counts}; {names} {verb(len(unbeaten))} not significantly worse than any other"


def is_best_ranked(rows: pd.DataFrame) -> pd.Series:
    """Whether each summarizer of a ranking is the best by its rank, which allows for rounding."""
    return rows["rank"].eq(rows["rank"].min()).fillna(False)


def describe_pair(
    rows: pd.DataFrame,
    names: Iterable[object],
    is_decided: bool,
    limit: str = "",
    quantity: str = "",
) -> str:
    """Say by how much the two of the first row differ, and what the test decides, or why it cannot."""
    row = rows.iloc[0]
    size = "" if pd.isna(row.get("p_adjusted")) else f" ({p_text(row['p_adjusted'])})"
    decision = f"is {'' if is_decided else 'not '}significant{size}"
    if row.get("flag") and not is_decided:
        decision = f"no test decides ({untested_text(row)})"
    elif limit:
        decision = f"cannot be significant{size}: {limit}"
    if "difference" not in row:
        return f"the difference {decision}"
    difference = "unknown" if pd.isna(row["difference"]) else number_text(row["difference"], "+")
    difference += f"{quantity and f' ({quantity})'}{ends_text(row, is_decided)}"
    if "n" in row and tests_shared_topics(rows):
        difference += f" on the {count_text(int(row['n']), 'topic')} that both have"
    few_topics = few_topics_text(row) if is_decided else ""
    names = list(names)
    pair = " minus ".join(names_text([name], names) for name in names)
    return f"{shift_text(rows)}{pair} is {difference}, which {decision}{few_topics}"


def count_differing_pairs(
    rows: pd.DataFrame, strata: Sequence[str], quantity: str = "", scope: str = ""
) -> str:
    """Count the differences that are significant; of a single pair give the difference.

    Where all are compared with one or several, say which are better than each of these and which are worse.
    """
    limit = limit_of_p(rows, strata)
    where = ""
    is_of_baselines = not limit and (find_baselines(rows) or rows["second"].nunique() == 1)
    if is_of_baselines:
        rows, where = split_first_stratum(rows, strata)
    is_decided = bool(rows["significant"].eq(True).any())
    if len(rows) == 1:
        pair = describe_pair(rows, rows.iloc[0][["first", "second"]], is_decided, limit, quantity)
        sentence = f"{pair[:1].upper()}{pair[1:]}{where}" if shift_text(rows) else f"{pair}{where}"
    elif is_of_baselines:
        sentence = _compare_with_baselines(rows, where)
    elif _is_untested(rows).all():
        return f"{say_nothing_is_compared(rows, len(rows))}."
    else:
        sentence = _count_pairs(rows, limit, quantity)
    of_quantity, topics = (f" of {quantity}", "n") if quantity else ("", "n_used")
    unseen = "" if is_decided else name_unseen(rows, strata, of_quantity, topics)
    look = name_look(rows, is_decided=is_decided)
    return f"{sentence}{scope}.{unseen}{look}{_name_margin(rows)}{name_model(rows)}"


def _count_pairs(rows: pd.DataFrame, limit: str, quantity: str) -> str:
    """Count the differences that are significant, or say why none can be."""
    of_what = f"of {quantity}" if quantity else "between summarizers"
    where = " on shared topics" if tests_shared_topics(rows) else ""
    differences = f"{count_text(len(rows), 'difference')} {of_what}{where}"
    if limit:
        return f"None of {differences} can be significant: {limit}"
    n_significant = int(rows["significant"].eq(True).sum())
    return count_significant(n_significant, differences, int(_is_untested(rows).sum()), rows.get("flag"))


def find_baselines(rows: pd.DataFrame) -> list[str]:
    """Name those that all others are compared with; none where all pairs are, or humans with systems."""
    return list(rows["second"].unique()) if BASELINE.name in rows else []


def select_pairs_with(rows: pd.DataFrame, baseline: str) -> pd.DataFrame:
    """Select the pairs with a baseline, which is made the second of each."""
    turned = rows[rows["first"].eq(baseline)]
    turned = turned.assign(first=turned["second"], second=baseline, difference=-turned["difference"])
    return pd.concat([rows[rows["second"].eq(baseline)], turned])


def _compare_with_baselines(rows: pd.DataFrame, where: str) -> str:
    """Say of each baseline which summarizers are significantly better and which are worse."""
    where = f"{' on shared topics' if tests_shared_topics(rows) else ''}{where}"
    all_names = [*rows["first"], *rows["second"]]
    sentences = []
    for name in rows["second"].unique():
        counts = count_better_and_worse(select_pairs_with(rows, name))
        sentences.append(f"Compared with {names_text([name], all_names)}{where}: {counts}")
    return ". ".join(sentences)


def count_better_and_worse(rows: pd.DataFrame, singular: str = "is", plural: str = "are") -> str:
    """Say which of those that are compared with a baseline are significantly better, and which are worse."""
    side = sign_of_effect(rows["difference"], lower_is_better=is_lower_better(rows))
    is_decided = rows["significant"].eq(True).to_numpy()
    untested = _is_untested(rows)
    claims = []
    for word, number in (("better", 1), ("worse", -1)):
        names = rows.loc[is_decided & (side == number), "first"]
        subject = names_text(names, rows["first"], limit=5) if len(names) else "none"
        claims.append(f"{subject} {verb(max(len(names), 1), singular, plural)} significantly {word}")
    n_open = int((~is_decided & ~untested).sum())
    if n_open:
        claims.append(f"{n_open} {verb(n_open, 'does', 'do')} not differ significantly")
    if untested.any():
        claims.append(f"{untested.sum()} cannot be tested ({reasons_text(rows.loc[untested, 'flag'])})")
    return "; ".join(claims)


def _is_untested(rows: pd.DataFrame) -> pd.Series:
    """Say of which pairs no test decides, as their flags say."""
    return rows.get("flag", pd.Series("", index=rows.index)).fillna("").ne("")


def untested_text(row: pd.Series) -> str:
    """Say why no test decides a difference: of differences that are all equal, how large they are."""
    if is_of_equal_differences(row):
        return f"every difference is {number_text(row['difference'])}: {NO_TEST_KNOWS}"
    return str(row["flag"])


def is_of_equal_differences(row: pd.Series) -> bool:
    """Whether a test of means decides nothing since all differences are equal."""
    return row["flag"] in (CONSTANT_DIFFERENCE, NO_DIFFERENCE) and is_test_of_means(row["test"])


def is_test_of_means(test: str) -> bool:
    """Whether a test is of a difference of means by topic."""
    return test in TESTS_OF_MEANS


def few_topics_text(row: pd.Series) -> str:
    """Name the few topics that a significant difference rests on; nothing where it does not."""
    few_topics = row.get("rests_on")
    return f"; it rests on {few_topics}" if isinstance(few_topics, str) and few_topics else ""


def shift_text(rows: pd.DataFrame) -> str:
    """Say that a difference is a shift by signed ranks, and of how many topics; nothing for a difference of means."""
    if "test" not in rows or not rows["test"].astype(str).str.endswith("wilcoxon").all():
        return ""
    n_used = int(rows["n_used"].max())
    return f"by signed ranks, as a shift of the {count_text(n_used, 'topic')} that differ, "


def ends_text(row: pd.Series, is_decided: bool) -> str:
    """Write an interval; an end at 0 that the test excludes, as happens on whole numbers, is above or below 0."""
    ends = interval_text(row)
    if not (ends and is_decided):
        return ends
    if row["low"] == 0:
        return f" [above 0, {row['high']:z.3f}]"
    return f" [{row['low']:z.3f}, below 0]" if row["high"] == 0 else ends


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
    n_used = int(rows["n_used"].max())
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
    """Say that the additive model was used and why, for which raters findings hold, and what errors are by."""
    if "test" not in rows or not rows["test"].eq("additive").any():
        return ""
    modelled = rows[rows["test"].eq("additive")]
    reasons = " ".join(modelled.get("test_reason", pd.Series(dtype=str)))
    causes = {"cells missing": "cells are missing", "raters vary": "raters vary within topics"}
    why = " and ".join(words for reason, words in causes.items() if reason in reasons)
    was_done = "Planned" if "n_observed" in rows else "Tested"
    of_raters = ", for these raters" if "raters vary" in reasons else ""
    return (
        f" {was_done} in the additive model{why and f', since {why}'}{of_raters}{_clusters_text(modelled)}."
    )


def _clusters_text(modelled: pd.DataFrame) -> str:
    """Say what topics lie in, by which errors are clustered; nothing where topics are independent."""
    noun = noun_of_units(modelled)
    if noun == "topic":
        return ""
    if "n_used" not in modelled:
        return f"; errors are by {noun}, with as many topics in each as now"
    return f"; topics lie in {count_text(int(modelled['n_used'].max()), noun)}: errors are by {noun}"
