"""What a terminal gets of commands that score summaries: an answer; a file or a pipe gets a row a summary."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from classy_aesop.data.scores import KEYS
from classy_aesop.errors import visible
from classy_aesop.features.table import FACTS
from classy_aesop.plots.base import shorten_names
from classy_aesop.tables.layout import align

MOST = 24
"""Most systems that are shown."""

_WIDTH = 80
_PLACE = ["year", "task"]
_REST = "A pipe, -o FILE or -f FORMAT gets a row for each summary."


def prediction_lines(
    predicted: pd.DataFrame, means: pd.DataFrame, target: str, confidence: float | None
) -> Iterator[str]:
    """Say which system has the highest predicted mean; list the systems, and how many scores lie where.

    The tables are those of `Predictor.predict` and `Predictor.means`, with year and task.
    """
    found = means.dropna(subset="mean").sort_values("mean", ascending=False, kind="stable")
    scores = predicted["score"].dropna().to_numpy(float)
    if not len(found):
        yield "No summary has a predicted score."
        return
    place = _PLACE if len(found[_PLACE].drop_duplicates()) > 1 else []
    names = [visible(name) for name in _named(found, [*place, "summarizer"])]
    middles = []
    for row in found.to_dict("records"):
        ends = f" [{row['low']:z.2f}, {row['high']:z.2f}]" if pd.notna(row.get("low")) else ""
        middles.append(f"{row['mean']:z.2f}{ends}")
    if len(found) == 1:
        yield from _wrapped(
            f"The predicted mean of {target} is {middles[0]}, over {_n(len(scores), 'summary')}."
        )
    elif found["mean"].nunique() == 1:
        yield from _wrapped(f"All systems get the same predicted mean of {target}: {middles[0]}.")
    else:
        most = f"{names[0]} has the highest predicted mean of {target}, {middles[0]}"
        yield from _wrapped(f"{most}, of {len(found)} systems; {names[-1]} has the lowest, {middles[-1]}.")
        columns = {"system": shorten_names(names, 40), "mean": middles, "topics": found["n_topics"].tolist()}
        shown = pd.DataFrame(columns)
        yield ""
        yield align(shown[:MOST])
        yield from _left(len(shown))
    yield ""
    yield from _where(scores, len(predicted))
    ends = "" if confidence is None else f"Brackets: {confidence:.0%} intervals of a mean judgment. "
    yield from _wrapped(ends + _REST)


def _where(scores: np.ndarray, n: int) -> Iterator[str]:
    """Say in how many summaries the score lies where, in equal steps from the lowest to the highest."""
    size = float(np.ptp(scores)) / 5
    power = 10.0 ** np.floor(np.log10(size or 1.0))  # the step is 1, 2 or 5 times a power of ten
    step = float(power * next(one for one in (1, 2, 5, 10) if one * power >= size * (1 - 1e-9)))
    low = np.floor(scores.min() / step) * step
    edges = low + step * np.arange(np.floor((scores.max() - low) / step) + 2)
    counts, _ = np.histogram(scores, edges)
    digits = max(0, -int(np.floor(np.log10(step))))
    longest = max(counts.max(), 1)
    for start, stop, count in zip(edges, edges[1:], counts, strict=False):
        bar = "#" * int(np.ceil(30 * count / longest))
        yield f"{start:z9.{digits}f} to {stop:z.{digits}f}  {count:>9,}  {bar}".rstrip()
    if n > len(scores):
        yield f"{_n(n - len(scores), 'summary')} without a score"


def feature_lines(table: pd.DataFrame) -> Iterator[str]:
    """Name for each system the features that stand out beside its topics' means, with their own means."""
    names = [name for name in table if name not in (*KEYS, *FACTS)]
    values = table[names].astype(float)
    varied = values.loc[:, values.nunique() > 1]
    apart, units, own = _apart(table, varied)
    scale = apart.std().replace(0, 1)
    n_topics, n_same = len(table[["year", "topic", "task"]].drop_duplicates()), len(names) - varied.shape[1]
    who = f"{_n(len(table), 'summary')} by {_n(table['summarizer'].nunique(), 'system')} on {_n(n_topics, 'topic')}"
    same = f", {n_same} of them constant" if n_same else ""
    yield from _wrapped(f"{who} have {_n(len(names), 'feature')}{same}.")
    ranks, means = (apart / scale).groupby(units, sort=False).mean(), values.groupby(units, sort=False).mean()
    others = (values - apart).groupby(units, sort=False).mean()

    def written(unit: Any, name: str) -> str:
        """Write a feature with its mean, and that of its topics."""
        own_mean, other = means.loc[unit], others.loc[unit]
        return f"{name} {own_mean[name]:.3g} ({other[name]:.3g})"

    yield ""
    yield from _standing_out(ranks, written, own, ("above", "below"))
    yield from _wrapped(f"In brackets: the mean over {own[1]}. {_REST}")


def explanation_lines(table: pd.DataFrame) -> Iterator[str]:
    """Name for each system the parts that raise and lower its predicted scores beside its topics' means."""
    keys = ["year", "topic", "task", "summarizer"]
    wide = table.set_index([*keys, "part"])["contribution"].unstack("part")
    rows = wide.index.to_frame(index=False)
    values = wide.reset_index(drop=True)
    apart, units, own = _apart(rows, values)
    found = apart.groupby(units, sort=False).mean()
    scores = values.sum(axis=1).groupby(units, sort=False).mean().sort_values(ascending=False, kind="stable")
    found = found.loc[scores.index]
    spread = apart.abs().mean().sort_values(ascending=False)
    most = " and ".join(map(str, spread[spread > 1e-9].index[:2]))  # less is rounding
    yield from _wrapped(
        f"{most} {'move' if ' and ' in most else 'moves'} the scores most, of {_n(len(spread), 'part')}."
        if most
        else "All predicted scores on a topic are the same."
    )
    yield ""
    width = max(map(len, found.index))
    labels = found.set_axis([f"{unit:<{width}}  {scores[unit]:z.2f}" for unit in found.index])

    def written(unit: Any, name: str) -> str:
        """Write a part with what it adds."""
        return f"{name} {labels.loc[unit][name]:+z.2f}"

    yield from _standing_out(labels, written, (f"{own[0]}, score", own[1]), ("raised by", "lowered by"))
    yield from _wrapped(f"Numbers: what a part adds, minus its mean over {own[1]}. {_REST}")


def _standing_out(
    ranks: pd.DataFrame, written: Callable[[Any, Any], str], own: tuple[str, str], heads: tuple[str, str]
) -> Iterator[str]:
    """Lay out for each unit what is most above and most below, as much as there is room for."""
    names = shorten_names([str(unit) for unit in ranks.index], 20)
    width = max(len(own[0]), *map(len, names))
    room = (_WIDTH - width - 4) // 2
    yield f"{own[0]:<{width}}  {heads[0]:<{room}}  {heads[1]}"
    for name, (unit, row) in list(zip(names, ranks.iterrows(), strict=True))[:MOST]:
        sides = []
        for ordered, sign in ((row.sort_values(ascending=False), 1), (row.sort_values(), -1)):
            cell = ""
            for part in ordered.index[ordered * sign >= 0.005]:
                more = f"{cell}, {written(unit, part)}" if cell else written(unit, part)
                if len(more) > room:
                    break
                cell = more
            sides.append(cell or "-")
        yield visible(f"{name:<{width}}  {sides[0]:<{room}}  {sides[1]}")
    yield from _left(len(ranks))


def _apart(rows: pd.DataFrame, values: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series, tuple[str, str]]:
    """Give values less the means of their topics, whose they are, and what is compared with what.

    Of one system the topics are compared, with the mean of all.
    """
    place = _PLACE if len(rows[_PLACE].drop_duplicates()) > 1 else []
    if rows["summarizer"].nunique() > 1:
        topics = [rows[name] for name in ("year", "topic", "task")]
        means = values.groupby(topics, sort=False).transform("mean")
        return values - means, _named(rows, [*place, "summarizer"]), ("system", "the same topics")
    return values - values.mean(), _named(rows, [*place, "topic"]), ("topic", "all topics")


def _named(rows: pd.DataFrame, columns: Sequence[str]) -> pd.Series:
    cells = zip(*(rows[name].astype(str) for name in columns), strict=True)
    return pd.Series([" ".join(filter(None, row)) for row in cells], index=rows.index)


def _left(n: int) -> Iterator[str]:
    if n > MOST:
        yield f"{n - MOST} more"


def _n(n: int, what: str) -> str:
    plural = f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
    return f"{n:,} {what if n == 1 else plural}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(visible(text), _WIDTH, break_on_hyphens=False)
