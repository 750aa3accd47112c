"""What a careful statistician would ask of a score table before judging by it.

Each function looks for one thing that is rarely meant, and gives one message that names the rows and says what to do,
or ``""``: sums and means among topics and systems, codes of missing values, scales that differ by their unit or, of
raters, their direction, names that look alike, and systems with identical scores. `warn_of_doubts` runs them all on the
rows that take part. The limits are such that public evaluations (SummEval, REALSumm) bring no message: a doubt that
honest data raise is not read any more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from shlex import quote
from typing import TYPE_CHECKING, Literal

import numpy as np

from classy_aesop.data.scales import find_missing_value_codes
from classy_aesop.data.scores import (
    add_stratum_columns,
    format_key,
    letters_of,
    natural,
    normal_form,
    pair_similar_names,
)
from classy_aesop.errors import InputError, join_names, warn
from classy_aesop.significance.equality import rounding_slack

if TYPE_CHECKING:
    import pandas as pd


Unit = Literal["summarizer", "topic", "assessor"]
SCORE_UNITS: tuple[Unit, ...] = ("summarizer", "topic", "assessor")

KEY_NOUNS = {"summarizer": "system", "topic": "topic", "assessor": "rater"}
"""What units are called in messages."""


@dataclass(frozen=True, eq=False)
class ScoreStratum:
    """The scores by one metric in one year and task, none of them missing, with their systems, topics and raters."""

    year: str
    task: str
    metric: str
    rows: pd.DataFrame

    @property
    def scores(self) -> pd.Series:
        """The scores."""
        return self.rows["score"]

    @property
    def label(self) -> str:
        """The metric, and year and task where there are any."""
        where = "-".join(filter(None, (self.year, self.task)))
        return f"{self.metric} of {where}" if where else self.metric

    def mean_scores(self, unit: Unit) -> pd.DataFrame:
        """Give the mean scores of topics (or systems), a row each, beside those that they have in common, else NaN."""
        other: Unit = "topic" if unit == "summarizer" else "summarizer"
        return self.rows.groupby([unit, other], observed=True)["score"].mean().unstack()

    def select_rows(self, rows: pd.Series) -> ScoreStratum:
        """Keep some of the scores."""
        return replace(self, rows=self.rows[rows])

    def name_rows(self, rows: pd.Series) -> str:
        """Name the first of some rows by their keys, with their raters."""
        keys = []
        for row in self.rows[rows].to_dict("records"):
            key = format_key((self.year, row["topic"], self.task, row["summarizer"]))
            keys.append(f"{key} by {row['assessor']}" if row.get("assessor") else key)
        return join_names(keys, limit=MAX_NAMED_ROWS)


MAX_NAMED_ROWS = 3
"""Rows that a message names."""


def strata_of(tables: Iterable[pd.DataFrame]) -> list[ScoreStratum]:
    """Lay out the scores of tidy tables; what is in several of them is taken once."""
    strata: dict[tuple[str, ...], ScoreStratum] = {}
    for table in tables:
        scored = add_stratum_columns(table[table["score"].notna()].reset_index(drop=True))
        scored = scored.astype({unit: "category" for unit in SCORE_UNITS if unit in scored})
        for key, rows in scored.groupby(["year", "task", "metric"], sort=False):
            year, task, metric = map(str, key)
            strata.setdefault((year, task, metric), ScoreStratum(year, task, metric, rows))
    return list(strata.values())


_AGGREGATES = {"total", "totals", "subtotal", "sum", "mean", "means", "average", "averages", "avg"}
_VAGUE_AGGREGATES = {"all", "median", "overall"}
_BESIDE_AGGREGATES = {
    "grand", "macro", "micro", "of", "score", "scores", "sub", "system", "systems", "the",
    "topic", "topics", "weighted",
}  # fmt: skip


def is_aggregate_name(name: str) -> bool | None:
    """Whether a topic or system is called as a sum or a mean is; None if its scores must be so too: ``overall``.

    Examples
    --------
    >>> [is_aggregate_name(name) for name in ("Total", "mean score", "overall", "Mean-Shift", "average-pooling")]
    [True, True, None, False, False]
    """
    words = set(re.findall(r"[^\W_]+", name.casefold()))
    if not words <= _AGGREGATES | _BESIDE_AGGREGATES | _VAGUE_AGGREGATES:
        return False
    return True if words & _AGGREGATES else None if words & _VAGUE_AGGREGATES else False


def aggregates_of(stratum: ScoreStratum, unit: Unit) -> list[str]:
    """Give the topics or systems that are sums or means of the others: by name, or by a vaguer name and scores."""
    return [
        name
        for name in stratum.rows[unit].unique()
        if (is_called_so := is_aggregate_name(name))
        or (is_called_so is None and _holds_aggregates(stratum, unit, name))
    ]


def _holds_aggregates(stratum: ScoreStratum, unit: Unit, name: str) -> bool:
    """Whether the scores of a topic (system) are the sums or means of those of the other_means, system by system."""
    means = stratum.mean_scores(unit)
    candidates = means.T[name]
    other_means = means.drop(index=name)
    counts = other_means.count()
    is_shared = candidates.notna() & (counts >= 2)
    if is_shared.sum() < 2:
        return False
    sums = other_means.sum()
    return any(
        np.allclose(candidates[is_shared], values[is_shared], rtol=0.01, atol=1e-9)
        for values in (sums, sums / counts)
    )


def find_aggregates(strata: Sequence[ScoreStratum]) -> str:
    """Find topics and systems that are sums or means of others."""
    messages = []
    for unit in ("topic", "summarizer"):
        names = dict.fromkeys(name for stratum in strata for name in aggregates_of(stratum, unit))
        if not names:
            continue
        advice = "leave its rows out"
        if unit == "summarizer":
            advice = f"leave it out with --exclude {quote(next(iter(names)))}"
        listing = join_names(map(repr, names), limit=MAX_NAMED_ROWS)
        verb = "is" if len(names) == 1 else "are"
        messages.append(
            f"{KEY_NOUNS[unit]} {listing} {verb} taken as any other; if a sum or a mean of others: {advice}"
        )
    return "; ".join(messages)


def refuse_aggregate_topics(table: pd.DataFrame, path: str) -> None:
    """Refuse a table that counts sums or means of its topics as a topic: by name and by scores."""
    if all(is_aggregate_name(name) is False for name in table["topic"].unique()):
        return
    for stratum in strata_of([table]):
        for name in aggregates_of(stratum, "topic"):
            if _holds_aggregates(stratum, "topic", name):
                raise InputError(
                    f"topic {name!r} holds the sums or means of the other topics by {stratum.label}, "
                    "and would be counted as one of them; expected a file without its rows",
                    path=path,
                )


def _missing_codes(stratum: ScoreStratum) -> Iterator[str]:
    """Name values that stand for missing ones."""
    codes = find_missing_value_codes(stratum.scores.to_numpy())
    grades = stratum.scores[~stratum.scores.isin(codes)]
    for code in codes:
        rows = stratum.scores == code
        yield (
            f"{stratum.label} is {code:g} in {rows.sum()} of {rows.size} scores "
            f"({stratum.name_rows(rows)}) and {grades.min():g} to {grades.max():g} in the others"
        )


FACTOR_OF_SCALES = 10
"""Ratio of mean sizes from which two scales differ: percents are about 100 times shares."""


def _other_scales(stratum: ScoreStratum, unit: Unit) -> Iterator[str]:
    """Name the units, less than half of all, whose scores are much larger, or smaller, than those of all others.

    Units are divided where their mean sizes in order differ most; but for zeros, all scores of one part must lie above
    those of the other. Without bounds (errors, seconds) some unit often has much larger scores, but few are so far.
    """
    names = stratum.rows[unit]
    sizes = stratum.scores.abs()
    means = sizes.groupby(names, observed=True).mean().sort_values(kind="stable")
    means = means[means > 0]
    if len(means) < 2 or len(sizes) < 6:
        return
    ratios = means.to_numpy()[1:] / means.to_numpy()[:-1]
    below, above = np.split(means.index, [int(ratios.argmax()) + 1])
    is_above = names.isin(above)
    is_apart = sizes[is_above & (sizes > 0)].min() > sizes[~is_above].max()
    minority, is_peer = (above, ~is_above) if len(above) <= len(below) else (below, is_above)
    is_rare = names.value_counts()[minority].min() < (3 if unit == "summarizer" else 2)
    if ratios.max() < FACTOR_OF_SCALES or not is_apart or is_rare:
        return
    peers = stratum.scores[is_peer]
    for name in names[names.isin(minority)].unique():
        values = stratum.scores[names == name]
        yield (
            f"{KEY_NOUNS[unit]} {name} has {stratum.label} from {values.min():g} "
            f"to {values.max():g}, the others from {peers.min():g} to {peers.max():g}"
        )


MIN_RATINGS_OF_SCALE = 5
"""Ratings of a rater from which the largest says something of the scale."""


def _scales_of_raters(stratum: ScoreStratum) -> Iterator[str]:
    """Name two raters whose largest scores differ by a factor of 2, or of 3 where one of them gave fewer than 10."""
    if "assessor" not in stratum.rows:
        return
    sizes = stratum.scores.abs().groupby(stratum.rows["assessor"], observed=True).agg(["max", "count"])
    scales = sizes[sizes["count"] >= MIN_RATINGS_OF_SCALE].sort_values("max", kind="stable")
    ends = scales.iloc[[0, -1]] if len(scales) else scales
    factor = 2 if ends["count"].min() >= 10 else 3
    if 0 < factor * ends["max"].min() <= ends["max"].max():
        shown = (f"{name} up to {size:g}" for name, size in ends["max"].items())
        yield f"raters of {stratum.label} use different scales ({', '.join(shown)})"


MIN_ITEMS_FOR_DIRECTION = 8
"""Scores beside those of others from which a correlation shows a reversed scale."""

MAX_P_OF_REVERSED = 0.001
"""One-sided p, after Bonferroni, of the correlation of a reversed scale with the others."""


def _reversed_raters(stratum: ScoreStratum) -> Iterator[str]:
    """Name raters whose scores fall where those of all others rise.

    Their correlation with the mean of the others, who agree, is below -.5 and not by chance.
    """
    from scipy.special import stdtr

    if "assessor" not in stratum.rows:
        return
    agreements = _correlate_with_others(stratum)
    r: pd.Series = agreements["r"]
    n = agreements["n"]
    with np.errstate(divide="ignore", invalid="ignore"):
        t = r * np.sqrt((n - 2) / (1 - r**2))
    p = np.where(r <= -1, 0.0, stdtr(np.maximum(n - 2, 1), t)) * len(r)
    reversed_raters = agreements[(n >= MIN_ITEMS_FOR_DIRECTION) & (r <= -0.5) & (p < MAX_P_OF_REVERSED)]
    if len(reversed_raters) and len(r) == 2:
        raters = " and ".join(sorted(map(str, r.index), key=natural))
        yield f"raters {raters} contradict each other in {stratum.label} (r = {r.min():z.2f}, n = {n.iloc[0]})"
        return
    if 2 * len(reversed_raters) >= len(r):
        return
    peer_agreements = _correlate_with_others(
        stratum.select_rows(~stratum.rows["assessor"].isin(reversed_raters.index))
    )
    if peer_agreements["r"][peer_agreements["n"] >= 3].median() > 0:
        for rater, agreement in reversed_raters.iterrows():
            yield (
                f"{stratum.label} of rater {rater} falls where that of the others rises "
                f"(r = {agreement['r']:z.2f} with their mean, n = {agreement['n']:z.0f})"
            )


def _correlate_with_others(stratum: ScoreStratum) -> pd.DataFrame:
    """Correlate each rater's scores with the mean of the others' on the same outputs; give Pearson's r and n."""
    raters = stratum.rows["assessor"]
    outputs = stratum.rows.groupby(["topic", "summarizer"], observed=True)["score"]
    n_others = outputs.transform("count") - 1
    means = (outputs.transform("sum") - stratum.scores) / n_others.where(n_others > 0)
    pairs = stratum.rows[["score"]].assign(mean=means).dropna()
    by_rater = raters[pairs.index]
    centred = pairs - pairs.groupby(by_rater, observed=True).transform("mean")
    centred = centred.where(centred.abs() > rounding_slack(stratum.scores.to_numpy()), 0.0)  # of equal values
    product = centred["score"] * centred["mean"]
    sums = centred.pow(2).assign(product=product, n=1).groupby(by_rater, observed=True).sum()
    r: pd.Series = sums["product"] / np.sqrt(sums["score"] * sums["mean"])
    return sums.assign(r=np.clip(r, -1, 1)).reindex(raters.unique())


def find_similar_names(strata: Sequence[ScoreStratum]) -> str:
    """Find names that differ by case, blanks, hyphens and underscores, or by letters of another script, only.

    Those that differ by their normal form or by characters that are not seen are told when tables are read.
    """
    messages = []
    for unit in ("summarizer", "topic", "assessor"):
        names = {name for stratum in strata if unit in stratum.rows for name in stratum.rows[unit].unique()}
        pairs = [
            f"{first!a} and {second!a}"
            for first, second in pair_similar_names(names, letters_of)
            if normal_form(first) != normal_form(second)
        ]
        if pairs:
            messages.append(f"{KEY_NOUNS[unit]}s {join_names(pairs, limit=MAX_NAMED_ROWS)}")
    if not messages:
        return ""
    return f"names look alike but differ: {'; '.join(messages)}; if they are one, spell them in one way"


MAX_CHANCE_OF_COPIES = 0.01
"""Probability, over all pairs, that two systems have identical scores by chance, below which they are copies."""


def find_copies(strata: Sequence[ScoreStratum]) -> str:
    """Find systems that have the same scores on all their topics."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for stratum in strata:
        for copies in _copies_in(stratum):
            groups.setdefault(copies, []).append(stratum.label)
    if not groups:
        return ""
    findings = (
        f"systems {', '.join(copies)} have the same {join_names(labels, limit=MAX_NAMED_ROWS)} on every topic"
        for copies, labels in groups.items()
    )
    return _advise(findings, f"if one is a copy, leave it out with --exclude {quote(next(iter(groups))[-1])}")


def _advise(findings: Iterable[str], advice: str) -> str:
    """Join findings of one kind to a message with an advice; no message without a finding."""
    listing = join_names(findings, limit=MAX_NAMED_ROWS, by="; ")
    return f"{listing}; {advice}" if listing else ""


def _copies_in(stratum: ScoreStratum) -> Iterator[tuple[str, ...]]:
    """Give the names of systems with identical scores, where this is not by chance, as with few topics of grades.

    The chance is that of two of their scores to be equal, to the power of the topics.
    """
    means = stratum.mean_scores("summarizer")
    systems: dict[bytes, list[str]] = {}
    for system, scores in means.fillna(np.inf).add(0.0).iterrows():
        systems.setdefault(scores.to_numpy().tobytes(), []).append(str(system))
    for names in (names for names in systems.values() if len(names) > 1):
        copied = means.T[names[0]].dropna()
        shares = copied.value_counts(normalize=True)
        n_pairs = len(means) * (len(means) - 1) / 2
        is_chance = (shares**2).sum() ** copied.size * n_pairs >= MAX_CHANCE_OF_COPIES
        if copied.size >= 3 and shares.size > 1 and not is_chance:
            yield tuple(sorted(names, key=natural))


def find_doubts(*tables: pd.DataFrame) -> list[str]:
    """Give what a careful statistician would ask of the scores and judgments of a command, a message each.

    Parameters
    ----------
    *tables : DataFrame
        Tidy score tables of those who take part; single ratings have the column ``assessor``.

    Returns
    -------
    list of str
        A line for each kind of doubt, whatever the number of metrics, years and tables.

    Examples
    --------
    >>> import pandas as pd
    >>> from classy_aesop.reading import tidy
    >>> rows = [(t, s, 2 + (t + n) % 3) for t in range(6) for n, s in enumerate(("lead", "GPT-4", "gpt 4"))]
    >>> table = tidy(pd.DataFrame(rows, columns=["topic", "system", "quality"]))
    >>> find_doubts(table)
    ["names look alike but differ: systems 'GPT-4' and 'gpt 4'; if they are one, spell them in one way"]
    >>> table.loc[[3, 7], "score"] = -999
    >>> print(find_doubts(table)[0])
    quality is -999 in 2 of 18 scores (1 lead, 2 GPT-4) and 2 to 4 in the others; if they stand for missing \
values, leave these cells empty
    """
    strata = strata_of(tables)
    messages = [find_aggregates(strata)]
    if messages[0]:
        strata = [_drop_aggregates(stratum) for stratum in strata]
    codes = chain.from_iterable(map(_missing_codes, strata))
    messages.append(_advise(codes, "if they stand for missing values, leave these cells empty"))
    if messages[1]:  # others would find them again
        strata = [
            stratum.select_rows(~stratum.scores.isin(find_missing_value_codes(stratum.scores.to_numpy())))
            for stratum in strata
        ]
    units: tuple[Unit, Unit] = ("summarizer", "topic")
    scales = (message for stratum in strata for unit in units for message in _other_scales(stratum, unit))
    messages.append(_advise(scales, "put all on one scale, or leave out what is not comparable"))
    raters = chain.from_iterable(map(_scales_of_raters, strata))
    messages.append(_advise(raters, "convert them: their mean mixes scales"))
    raters = chain.from_iterable(map(_reversed_raters, strata))
    messages.append(_advise(raters, "if its scale is reversed, convert it"))
    messages += [find_similar_names(strata), find_copies(strata)]
    return list(filter(None, messages))


def _drop_aggregates(stratum: ScoreStratum) -> ScoreStratum:
    for unit in ("topic", "summarizer"):
        stratum = stratum.select_rows(~stratum.rows[unit].isin(aggregates_of(stratum, unit)))
    return stratum


def warn_of_doubts(*tables: pd.DataFrame) -> None:
    """Warn (`DataWarning`) of what `find_doubts` finds."""
    for message in find_doubts(*tables):
        warn(message)
