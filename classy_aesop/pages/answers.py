"""What a terminal gets of commands that score summaries: an answer; a file or a pipe gets a row a summary."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pandas as pd

from classy_aesop.data.scores import KEYS
from classy_aesop.errors import escape_controls
from classy_aesop.features.table import FACTS
from classy_aesop.plots.base import shorten_names
from classy_aesop.tables.layout import align
from classy_aesop.tables.wording import count_text

MAX_SYSTEMS = 24
"""Systems that are shown, at most."""

_LINE_WIDTH = 80
_STRATUM = ["year", "task"]
_HINT_AT_ROWS = "A pipe, -o FILE or -f FORMAT gets a row for each summary."


def prediction_lines(
    predicted: pd.DataFrame, means: pd.DataFrame, target: str, confidence: float | None
) -> Iterator[str]:
    """Say which system has the highest predicted mean; list the systems, and count summaries without a score."""
    ranked = means.dropna(subset="mean").sort_values("mean", ascending=False, kind="stable")
    scores = predicted["score"].dropna().to_numpy(float)
    if not len(ranked):
        yield "No summary has a predicted score."
        return
    stratum = _STRATUM if len(ranked[_STRATUM].drop_duplicates()) > 1 else []
    names = [escape_controls(name) for name in _join_names(ranked, [*stratum, "summarizer"])]
    estimates = []
    for row in ranked.to_dict("records"):
        ends = f" [{row['low']:z.2f}, {row['high']:z.2f}]" if pd.notna(row.get("low")) else ""
        estimates.append(f"{row['mean']:z.2f}{ends}")
    if len(ranked) == 1:
        yield from _wrap_line(
            f"The predicted mean of {target} is {estimates[0]}, over {count_text(len(scores), 'summary')}."
        )
    elif ranked["mean"].nunique() == 1:
        yield from _wrap_line(f"All systems get the same predicted mean of {target}: {estimates[0]}.")
    else:
        highest = f"{names[0]} has the highest predicted mean of {target}, {estimates[0]}"
        yield from _wrap_line(
            f"{highest}, of {len(ranked)} systems; {names[-1]} has the lowest, {estimates[-1]}."
        )
        columns = {
            "system": shorten_names(names, 40),
            "mean": estimates,
            "topics": ranked["n_topics"].tolist(),
        }
        table = pd.DataFrame(columns)
        yield ""
        yield align(table[:MAX_SYSTEMS])
        yield from _count_hidden(len(table))
    yield ""
    if len(predicted) > len(scores):
        yield f"{count_text(len(predicted) - len(scores), 'summary')} without a score"
    ends = "" if confidence is None else f"Brackets: {confidence:.0%} intervals of a mean judgment. "
    yield from _wrap_line(ends + _HINT_AT_ROWS)


def feature_lines(table: pd.DataFrame) -> Iterator[str]:
    """Name for each system the features that stand out beside its topics' means, with their own means."""
    names = [name for name in table if name not in (*KEYS, *FACTS)]
    values = table[names].astype(float)
    varied = values.loc[:, values.nunique() > 1]
    centred, units, (unit_kind, reference) = _centre_on_topics(table, varied)
    scale = centred.std().replace(0, 1)
    n_topics = len(table[["year", "topic", "task"]].drop_duplicates())
    n_constant = len(names) - varied.shape[1]
    n_systems = table["summarizer"].nunique()
    counts = f"{count_text(len(table), 'summary')} by {count_text(n_systems, 'system')}"
    counts += f" on {count_text(n_topics, 'topic')}"
    constant = f", {n_constant} of them constant" if n_constant else ""
    yield from _wrap_line(f"{counts} have {count_text(len(names), 'feature')}{constant}.")
    ranks = (centred / scale).groupby(units, sort=False).mean()
    means = values.groupby(units, sort=False).mean()
    reference_means = (values - centred).groupby(units, sort=False).mean()

    def write_feature(unit: Any, name: str) -> str:
        """Write a feature with its mean, and that of its topics."""
        return f"{name} {means.loc[unit][name]:.3g} ({reference_means.loc[unit][name]:.3g})"

    yield ""
    yield from _largest_and_smallest_lines(ranks, write_feature, unit_kind, ("above", "below"))
    yield from _wrap_line(f"In brackets: the mean over {reference}. {_HINT_AT_ROWS}")


def explanation_lines(table: pd.DataFrame) -> Iterator[str]:
    """Name for each system the parts that raise and lower its predicted scores beside its topics' means."""
    keys = ["year", "topic", "task", "summarizer"]
    wide = table.set_index([*keys, "part"])["contribution"].unstack("part")
    rows = wide.index.to_frame(index=False)
    values = wide.reset_index(drop=True)
    centred, units, (unit_kind, reference) = _centre_on_topics(rows, values)
    mean_contributions = centred.groupby(units, sort=False).mean()
    scores = values.sum(axis=1).groupby(units, sort=False).mean().sort_values(ascending=False, kind="stable")
    mean_contributions = mean_contributions.loc[scores.index]
    spread = centred.abs().mean().sort_values(ascending=False)
    largest = " and ".join(map(str, spread[spread > 1e-9].index[:2]))  # less is rounding
    yield from _wrap_line(
        f"{largest} {'move' if ' and ' in largest else 'moves'} the scores most, of {count_text(len(spread), 'part')}."
        if largest
        else "All predicted scores on a topic are the same."
    )
    yield ""
    width = max(map(len, mean_contributions.index))
    labels = [f"{unit:<{width}}  {scores[unit]:z.2f}" for unit in mean_contributions.index]
    labelled = mean_contributions.set_axis(labels)

    def write_contribution(unit: Any, name: str) -> str:
        """Write a part with what it adds."""
        return f"{name} {labelled.loc[unit][name]:+z.2f}"

    yield from _largest_and_smallest_lines(
        labelled, write_contribution, f"{unit_kind}, score", ("raised by", "lowered by")
    )
    yield from _wrap_line(f"Numbers: what a part adds, minus its mean over {reference}. {_HINT_AT_ROWS}")


def _largest_and_smallest_lines(
    values: pd.DataFrame, write_cell: Callable[[Any, Any], str], unit_head: str, heads: tuple[str, str]
) -> Iterator[str]:
    """Write a line for each unit with its largest and its smallest values, as many as there is room for."""
    names = shorten_names([str(unit) for unit in values.index], 20)
    width = max(len(unit_head), *map(len, names))
    room = (_LINE_WIDTH - width - 4) // 2
    yield f"{unit_head:<{width}}  {heads[0]:<{room}}  {heads[1]}"
    for name, (unit, row) in list(zip(names, values.iterrows(), strict=True))[:MAX_SYSTEMS]:
        sides = []
        for ordered, sign in ((row.sort_values(ascending=False), 1), (row.sort_values(), -1)):
            cell = ""
            for part in ordered.index[ordered * sign >= 0.005]:
                longer_cell = f"{cell}, {write_cell(unit, part)}" if cell else write_cell(unit, part)
                if len(longer_cell) > room:
                    break
                cell = longer_cell
            sides.append(cell or "-")
        yield escape_controls(f"{name:<{width}}  {sides[0]:<{room}}  {sides[1]}")
    yield from _count_hidden(len(values))


def _centre_on_topics(
    rows: pd.DataFrame, values: pd.DataFrame
) -> tuple[pd.DataFrame, pd.Series, tuple[str, str]]:
    """Centre values on the means of their topics; name the unit of each row, the kind of unit, and the reference.

    The units are systems, or the topics of a single one, whose reference is the mean over all topics.
    """
    stratum = _STRATUM if len(rows[_STRATUM].drop_duplicates()) > 1 else []
    if rows["summarizer"].nunique() > 1:
        topics = [rows[name] for name in ("year", "topic", "task")]
        means = values.groupby(topics, sort=False).transform("mean")
        return values - means, _join_names(rows, [*stratum, "summarizer"]), ("system", "the same topics")
    return values - values.mean(), _join_names(rows, [*stratum, "topic"]), ("topic", "all topics")


def _join_names(rows: pd.DataFrame, columns: Sequence[str]) -> pd.Series:
    cells = zip(*(rows[name].astype(str) for name in columns), strict=True)
    return pd.Series([" ".join(filter(None, row)) for row in cells], index=rows.index)


def _count_hidden(n: int) -> Iterator[str]:
    """Count the systems beyond those listed, if there are any."""
    if n > MAX_SYSTEMS:
        yield f"{n - MAX_SYSTEMS} more"


def _wrap_line(text: str) -> list[str]:
    return textwrap.wrap(escape_controls(text), _LINE_WIDTH, break_on_hyphens=False)
