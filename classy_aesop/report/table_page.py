"""The page of tables that other commands wrote: each with the picture that fits it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd

from classy_aesop import plots
from classy_aesop.report.files import read_table, with_numbers
from classy_aesop.report.page import Page, Picture, Section, Table, rows_high
from classy_aesop.report.wide import comparisons, evaluation

NUMBERS = {
    "difference",
    "mean",
    "rank",
    "best_rank",
    "worst_rank",
    "cluster",
    "value",
    "p_by_first",
    "ba",
    "n_topics",
}
NUMBERS |= {"contribution", "score", "human_score", "power", "share", "low", "high", "p_adjusted"}
"""Columns that pictures and sentences take for numbers."""

MOST_PICTURES = 24
"""Pictures of one table."""

_PLACE = ("year", "task", "peers", "target", "metric", "assessor", "level")


@dataclass(frozen=True)
class Kind:
    """A table of some command, known by its columns.

    Parameters
    ----------
    what : str
        What it says, for the caption.
    columns : tuple of str
        The columns that tell it.
    pictures : callable
        Gives its pictures.
    say : callable
        Says in a sentence what was found.
    wide : callable
        Arranges it for human readers.
    """

    what: str
    columns: tuple[str, ...]
    pictures: Callable[[pd.DataFrame], Iterator[Picture]]
    say: Callable[[pd.DataFrame], str]
    wide: Callable[[pd.DataFrame], pd.DataFrame] = comparisons


def table_page(paths: Sequence[str | Path]) -> Page:
    """Read tables and say what their page holds.

    Raises
    ------
    InputError
        A file is not a table.
    """
    sections, lead = [], []
    for path in paths:
        rows, signed = read_table(path)
        kind = kind_of(rows)
        rows = with_numbers(rows, (NUMBERS & set(rows)) if kind.columns else (), path)
        sentence = kind.say(rows)
        lead.append(f"{Path(path).name}: {sentence}")
        pictures = list(kind.pictures(rows))
        left = len(pictures) - MOST_PICTURES
        text = [sentence, *([f"{left} more pictures are left out."] if left > 0 else [])]
        table = Table(Path(path).stem, kind.what, rows, kind.wide(rows), signed)
        sections.append(Section(Path(path).name, text, [*pictures[:MOST_PICTURES], table], code=signed))
    title = Path(paths[0]).stem if len(paths) == 1 else f"{len(paths)} tables"
    return Page(title, lead, sections)


def kind_of(rows: pd.DataFrame) -> Kind:
    """Find what kind of table this is, by its columns."""
    return next((kind for kind in KINDS if set(kind.columns) <= set(rows)), _PLAIN)


def _groups(rows: pd.DataFrame, names: Sequence[str]) -> Iterator[tuple[str, pd.DataFrame]]:
    """Give the rows of each place, with what tells it from the others."""
    varying = [name for name in names if name in rows and rows[name].nunique() > 1]
    if not varying:
        yield "", rows
        return
    for key, own in rows.groupby(varying, sort=False):
        yield ", ".join(f"{name} {one}" for name, one in zip(varying, key, strict=True)) + ": ", own


def _pairs(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, _PLACE):
        n = len(set(own["first"]) | set(own["second"]))
        side = max(2.6, 0.17 * n)
        caption = f"{place}who is significantly better than whom; a triangle up: the row is better, down: it is worse"
        yield Picture(caption, partial(plots.pairs, own), height=side, width=side)


def _clusters(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, ("year", "task", "metric")):
        caption = f"{place}ranks, and those that the tests leave open; means beside the names, lines between clusters"
        yield Picture(caption, partial(plots.clusters, own), height=rows_high(len(own)))


def _correlations(rows: pd.DataFrame) -> Iterator[Picture]:
    pearson = rows[rows["coefficient"] == rows["coefficient"].iloc[0]]
    name = pearson["coefficient"].iloc[0]
    for place, own in _groups(pearson, ("year", "task", "peers", "target", "level")):
        ordered = own.sort_values("value", ascending=False, kind="stable")
        interval, value = " and its interval" if "low" in own else "", f"{name} correlation"
        draw = partial(plots.forest, ordered.rename(columns={"value": value}), value=value)
        yield Picture(f"{place}{value} with the human scores{interval}", draw, height=rows_high(len(own)))


def _metric_pairs(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, ("year", "task", "target", "level", "coefficient")):
        one = own.assign(significant=own["p_by_first"].fillna(1) <= 0.05)
        one = one[one["significant"] | (own["first"] < own["second"])]
        n = len(set(own["first"]) | set(own["second"]))
        side = max(2.6, 0.17 * n)
        caption = f"{place}which metric correlates better (corrected p at most .05, by the row's metric)"
        yield Picture(caption, partial(plots.pairs, one), height=side, width=side)


def _agreement(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, ("year", "task", "target")):
        caption = f"{place}balanced accuracy: significant differences of humans that the metric finds"
        ordered = own.sort_values("ba", ascending=False, kind="stable")
        yield Picture(caption, partial(plots.forest, ordered, value="ba"), height=rows_high(len(own)))


def _assessors(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, ("year", "task", "metric")):
        table = own.assign(names=own["assessor"].where(own["assessor"] != "", "all together"))
        caption = f"{place}Krippendorff's alpha and its interval"
        yield Picture(caption, partial(plots.forest, table, names="names"), height=rows_high(len(own)))


def _power(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, ("year", "task", "metric")):
        table = own.assign(names=own["first"] + " and " + own["second"])
        caption = f"{place}topics that are needed to detect the difference, and their interval"
        draw = partial(plots.forest, table, names="names", value="n_topics")
        yield Picture(caption, draw, height=rows_high(len(own)))


def _contributions(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, ("task", "metric")):
        caption = f"{place}how far each part moves the scores: standard deviation of its contributions"
        n_parts = min(own["part"].nunique(), 15)
        yield Picture(caption, partial(plots.contributions, own), height=rows_high(n_parts))


def _power_curves(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, ("year", "task", "metric", "target", "level", "topic_effects")):
        caption = (
            f"{place}how often each test detects the difference, by the share that makes it; a line at .8"
        )
        yield Picture(caption, partial(plots.power_curve, own, x="share", by="test"))


def _human_gap(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, ("year", "task", "target", "metric")):
        caption = f"{place}mean score and mean human score of each summarizer, with the lines of systems and of humans"
        yield Picture(caption, partial(plots.scatter, own, x="score", y="human_score", lines=True))


def _scores(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, ("year", "task", "metric")):
        if own.duplicated(["topic", "summarizer"]).any() or own["score"].isna().all():
            continue
        caption = f"{place}scores of summarizers (rows) on topics (columns), both in the order of their means"
        height = rows_high(min(own["summarizer"].nunique(), 60), least=2.4)
        yield Picture(caption, partial(plots.heatmap, own), height=height)


def _nothing(_: pd.DataFrame) -> Iterator[Picture]:
    return iter(())


def _say_pairs(rows: pd.DataFrame) -> str:
    return f"{int(rows['significant'].sum())} of {len(rows)} pairs of summarizers differ significantly."


def _say_clusters(rows: pd.DataFrame) -> str:
    return f"{len(rows)} rows of ranked summarizers, in up to {int(rows['cluster'].max())} clusters."


def _say_best(rows: pd.DataFrame) -> str:
    best = rows.iloc[int(rows["value"].argmax())] if rows["value"].notna().any() else None
    if best is None:
        return "No correlation is defined."
    leader = f"{best['metric']}'s {best['value']:.3f} ({best['level']} level, {best['coefficient']})"
    return f"{rows['metric'].nunique()} metrics; the highest correlation is {leader}."


def _say_metric_pairs(rows: pd.DataFrame) -> str:
    better = int((rows["p_by_first"] <= 0.05).sum())
    return f"In {better} of {len(rows)} ordered pairs the first metric is significantly better (corrected p <= .05)."


def _say_agreement(rows: pd.DataFrame) -> str:
    if rows["ba"].isna().all():
        return "No balanced accuracy is defined."
    best = rows.iloc[int(rows["ba"].argmax())]
    return f"{best['metric']} finds the significant differences of humans best: balanced accuracy {best['ba']:.3f}."


def _say_assessors(rows: pd.DataFrame) -> str:
    return f"Krippendorff's alpha is {rows['value'].min():.3f} to {rows['value'].max():.3f}."


def _say_power(rows: pd.DataFrame) -> str:
    return f"{rows['n_topics'].min():g} to {rows['n_topics'].max():g} topics are needed."


def _say_rows(rows: pd.DataFrame) -> str:
    return f"{len(rows):,} rows."


KINDS = (
    Kind("Tests of pairs of summarizers", ("first", "second", "difference", "significant"), _pairs, _say_pairs),
    Kind("Ranks and clusters", ("summarizer", "cluster", "best_rank", "worst_rank", "mean", "rank"), _clusters,
         _say_clusters),
    Kind("Tests of pairs of metrics", ("first", "second", "r_first", "r_second", "difference", "p_by_first"),
         _metric_pairs, _say_metric_pairs),
    Kind("Correlations with human scores", ("metric", "target", "level", "coefficient", "value", "n_summarizers",
         "n_topics", "n_skipped"), _correlations, _say_best, evaluation),
    Kind("Agreement with human decisions", ("metric", "tp", "fn", "ba"), _agreement, _say_agreement),
    Kind("Agreement of assessors", ("assessor", "value", "low", "high", "n_units"), _assessors, _say_assessors),
    Kind("Power of tests", ("share", "test", "power"), _power_curves, _say_rows),
    Kind("Scores beside human scores", ("summarizer", "score", "human_score", "slope"), _human_gap, _say_rows),
    Kind("Topics needed", ("first", "second", "n_topics", "power"), _power, _say_power),
    Kind("Contributions", ("part", "contribution"), _contributions, _say_rows),
    Kind("Scores", ("topic", "summarizer", "metric", "score"), _scores, _say_rows),
)  # fmt: skip
"""Kinds of tables, the first that fits counts."""

_PLAIN = Kind("Table", (), _nothing, _say_rows, lambda rows: rows)
