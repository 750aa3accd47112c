"""Does a comparison with a baseline pass a gate? On evidence only: what these data could not show is undecided."""

from __future__ import annotations

import numpy as np
import pandas as pd

from classy_aesop.answers.answer_options import Gate
from classy_aesop.answers.findings import (
    NO_TEST_KNOWS,
    evidence_text,
    few_topics_text,
    is_of_equal_differences,
    is_test_of_means,
    noun_of_units,
)
from classy_aesop.data.directions import is_lower_better
from classy_aesop.data.scores import STRATUM_COLUMNS
from classy_aesop.errors import UsageError, join_names
from classy_aesop.significance.base import BoolArray, IntArray
from classy_aesop.significance.decisions import is_significant, sign_of_effect
from classy_aesop.significance.differences import NOT_WORSE
from classy_aesop.tables.wording import count_text, number_text, p_text, varying_strata

GATE_OF_MEANS = (
    "a gate is on the difference of means, and signed ranks (wilcoxon) test a shift; "
    "expected paired_t or no test"
)
"""Why signed ranks decide no gate."""

EQUAL_DIFFERENCES = "every difference is the same"

UNSEEN_PROBABILITY = 0.05
"""Failures on a smaller share of topics are absent from a sample with at least this probability."""

MAX_TOPICS_WITH_UNSEEN_FAILURES = 100

OWN_COMPARISONS = "own_comparisons"
"""The test of two by their own comparisons, where the difference of their strengths has no finite size or variance."""


def evaluate_gate(table: pd.DataFrame, gate: Gate) -> tuple[bool, str]:
    """Evaluate whether a comparison with a baseline passes a gate, and say which difference decides it.

    A gate is *undecided*, which is no pass, where the deciding difference could not have been significant: it is not
    estimable, its variance is not known since all differences are equal, or its least corrected p is above alpha.

    Examples
    --------
    >>> from classy_aesop import compare_pairs
    >>> rows = {"topic": list("abcdef") * 2, "system": ["new"] * 6 + ["old"] * 6}
    >>> scores = pd.DataFrame({**rows, "quality": [5, 4, 5, 5, 4, 5, 4, 2, 1, 2, 2, 3]})
    >>> passed, message = evaluate_gate(compare_pairs(scores, "quality", baseline="old").table, "not-better")
    >>> for part in message.split("; "):
    ...     print(part)
    gate passed: new minus old is +2.333 (95 % interval 1.249 to 3.417), significantly better (p = 0.003)
    with 6 topics failures on fewer than 39 % of topics may not have occurred
    """
    if table["test"].str.endswith("wilcoxon").any():
        raise UsageError(GATE_OF_MEANS)
    lower = is_lower_better(table)
    tests = _tests_of_gate(table, gate).assign(side=_significant_side(table))
    is_shown_to_pass, is_shown_to_fail = decide_rows(table, gate)
    needs_one = gate == "not-better"
    passed = bool(is_shown_to_pass.any() if needs_one else is_shown_to_pass.all())
    failed = bool(is_shown_to_fail.all() if needs_one else is_shown_to_fail.any())
    if not (passed or failed):
        open_rows = tests[~(is_shown_to_pass | is_shown_to_fail)]
        return False, f"gate undecided: {_reasons_undecided(open_rows)}"
    deciding = tests[is_shown_to_pass if passed else is_shown_to_fail]
    deciding = deciding.sort_values("difference", ascending=(gate != "not-better") != lower)
    more_names = join_names(dict.fromkeys(deciding["first"][1:]), limit=5)
    likewise = more_names and f"; likewise {more_names}"
    row = deciding.iloc[0]
    decision = _gate_decision(table, gate, row["side"], passed=passed)
    few_topics = few_topics_text(row) if row["significant"] and gate != "not-as-good" else ""
    p = f"{'' if row['p_adjusted'] == row['p'] else 'corrected '}{p_text(row['p_adjusted'])}"
    sentence = f"{_write_difference(table, row)}, {decision} ({p}){few_topics}"
    unseen = _write_unseen_failures(row)
    return passed, f"gate {'passed' if passed else 'failed'}: {sentence}{likewise}{unseen}"


def _significant_side(table: pd.DataFrame) -> IntArray:
    """Give 1 for each first system that is significantly better, -1 for each that is worse, else 0."""
    side = sign_of_effect(table["difference"], lower_is_better=is_lower_better(table))
    return np.asarray(side * table["significant"].eq(True).to_numpy(), dtype=np.int64)


def _tests_of_gate(table: pd.DataFrame, gate: Gate) -> pd.DataFrame:
    """Give the tests that a gate looks at: with a margin those of equivalence, else those of no difference."""
    if gate != "not-as-good":
        return table.assign(confidence=1 - table["alpha"])
    margin_columns = table.filter(regex="_equivalence$")
    of_margin = {str(name).removesuffix("_equivalence"): values for name, values in margin_columns.items()}
    p_adjusted = table["p_equivalence"]
    return table.assign(confidence=1 - 2 * table["alpha"], p_adjusted=p_adjusted, **of_margin)


def decide_rows(table: pd.DataFrame, gate: Gate) -> tuple[BoolArray, BoolArray]:
    """Say of each difference whether it is shown to pass a gate, and whether it is shown to fail."""
    tests = _tests_of_gate(table, gate)
    can_decide = np.asarray(tests["flag"].eq("") & is_significant(tests["p_least"], tests["alpha"].iloc[0]))
    side = _significant_side(table)
    if gate == "worse":
        return (side >= 0) & can_decide, side < 0
    if gate == "not-better":
        return side > 0, (side <= 0) & can_decide
    is_as_good = table["verdict"].eq(NOT_WORSE).to_numpy()
    return is_as_good, ~is_as_good & can_decide


def _write_unseen_failures(row: pd.Series) -> str:
    """Say of how large a share of topics failures may have gone unseen; nothing with many topics, or of preferences."""
    noun = noun_of_units(row)
    n_units = int(row["n"] if noun == "topic" else row["n_used"])
    if n_units > MAX_TOPICS_WITH_UNSEEN_FAILURES or not is_test_of_means(row["test"]):
        return ""
    share = 1 - UNSEEN_PROBABILITY ** (1 / n_units)
    return (
        f"; with {count_text(n_units, noun)} failures on fewer than {100 * share:z.0f} % of {noun}s "
        "may not have occurred"
    )


def _gate_decision(table: pd.DataFrame, gate: Gate, side: int, *, passed: bool) -> str:
    """Say what the deciding test shows: better (``side`` 1), worse (-1), or not what the gate asks for."""
    if gate == "not-as-good":
        low, _, high = str(table["margin"].iat[0]).partition(",")
        limit = f"below {high}" if is_lower_better(table) else f"above {low}"
        return f"{'' if passed else 'not '}significantly {limit}"
    if side:
        return f"significantly {'better' if side > 0 else 'worse'}"
    return f"not significantly {gate.removeprefix('not-')}"


def _write_difference(table: pd.DataFrame, row: pd.Series) -> str:
    """Write a difference with its interval and confidence, and its year and task if there are several."""
    if row["test"] == OWN_COMPARISONS:
        n = count_text(int(row["n_direct"]), "comparison")
        return f"{row['first']} won a share of {row['direct']:z.3f} of {n} with {row['second']}"
    difference = "unknown" if pd.isna(row["difference"]) else number_text(row["difference"], "+")
    if pd.notna(row[["low", "high"]]).all():
        difference += f" ({100 * row['confidence']:.4g} % interval {row['low']:z.3f} to {row['high']:z.3f})"
    strata = varying_strata(table, STRATUM_COLUMNS)
    where = f" in {'-'.join(row[strata])}" if strata else ""
    return f"{row['first']} minus {row['second']} is {difference}{where}"


def _reasons_undecided(rows: pd.DataFrame) -> str:
    """Say why differences are undecided: each reason once, with the summarizers that it holds for."""
    reasons = []
    for flag, group in rows.groupby("flag", sort=False):
        row = group.iloc[0]
        reason = f"{EQUAL_DIFFERENCES}, so {NO_TEST_KNOWS}" if is_of_equal_differences(row) else str(flag)
        if not flag:
            evidence = evidence_text(int(group["n_used"].max()), int(group["n"].max()))
            lowest = number_text(group["p_least"].min())
            reason = f"with {evidence} no corrected p is below {lowest} (alpha {row['alpha']:g})"
        reasons.append(
            f"{join_names(dict.fromkeys(group['first']), limit=5)} against {row['second']}: {reason}"
        )
    return "; ".join(reasons)
