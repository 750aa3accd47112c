"""What stands on a page: of a run (what was predicted and how well, the search behind it), or of tables."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, TextIO

import msgspec
import numpy as np
import pandas as pd

from classy_aesop import plots
from classy_aesop.answers.declared import answer_of, load_answer
from classy_aesop.answers.systems import compare, compare_pairs, count_differing_summarizers
from classy_aesop.data import KEYS
from classy_aesop.errors import DataWarning, InputError, UsageError, join_names
from classy_aesop.pages.figure import pictures
from classy_aesop.pages.formats import check_columns, read_result
from classy_aesop.pages.page import Page, PageTable, Section, check_report, html
from classy_aesop.pages.run_overview import PEERS_IN_WORDS
from classy_aesop.pages.run_sentences import state_prediction_errors, verdict_sentences
from classy_aesop.pages.run_tables import (
    BEST_OF_SIZES,
    BEST_SUBSETS,
    CONTRIBUTIONS_OF_RUN,
    INCLUSION,
    MEANS_OF_RUN,
    PREDICTIONS_OF_RUN,
    RANK_COLUMNS_OF_RUN,
    SUMMARY_OF_RUN,
    VERDICT_OF_RUN,
)
from classy_aesop.plots.captioned import Picture
from classy_aesop.predictor import Predictor
from classy_aesop.predictor.calibration import INTERVAL_CONFIDENCE
from classy_aesop.predictor.intervals import OF_ONE_YEAR, groups_of, interval_half_widths
from classy_aesop.predictor.within import WITHIN
from classy_aesop.reading.byte_sources import read_text
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result, run_result
from classy_aesop.work.records import from_json


class _Year(msgspec.Struct):
    name: str


class _Config(msgspec.Struct):
    years: Annotated[list[_Year], msgspec.Meta(min_length=1)]


class _Record(msgspec.Struct):
    """What is shown of ``run.json``."""

    signature: str
    notes: list[str]
    config: _Config


@dataclass(frozen=True)
class _RunFolder:
    """What ``train`` wrote, read again."""

    path: Path
    record: _Record
    config: str
    tables: Mapping[str, pd.DataFrame]
    predictors: Sequence[Predictor]

    @property
    def years(self) -> list[str]:
        """The names of the years."""
        return [year.name for year in self.record.config.years]

    def make_table(
        self, answer: Answer, caption: str = "", *, name: str = "", rows: pd.DataFrame | None = None
    ) -> PageTable:
        """Show a table of the folder, or one that is made of it."""
        file_name = answer.name.removeprefix("train ")
        rows = self.tables[file_name] if rows is None else rows
        result = run_result(answer, rows, self.record.signature)
        return PageTable(name or file_name, result, caption or answer.caption)

    def rows_of_predictor(self, table: str, predictor: Predictor) -> pd.DataFrame:
        """Give the rows of a table that are about a predictor."""
        rows = self.tables[table]
        return rows[rows["metric"] == predictor.name]


def run_page(folder: str | Path) -> Page:
    """Read a folder of ``train`` and build its page; InputError if it lacks a file of ``train``."""
    run = _read_folder(Path(folder))
    correlations = run.make_table(SUMMARY_OF_RUN)
    assessed: list[Picture | PageTable] = [run.make_table(VERDICT_OF_RUN)]
    text = f"{run.years[-1]} has no judgments to compare with."
    if len(run.tables["summary"]):
        text = "Correlations with the human scores, of the predictions and of other metrics."
        assessed = [*pictures(correlations.result), *assessed, correlations]
    sections = [Section("How well it predicts", [text], assessed), _warnings_section(run)]
    sections += [
        _run_section(run, predictor, folded=number > 0) for number, predictor in enumerate(run.predictors)
    ]
    if searches := [item for predictor in run.predictors for item in _search_items(run, predictor)]:
        text = "Which subsets of features were best in each run, and which of them the predictor uses."
        sections.append(Section("The search", [text], searches, folded=True))
    sections.append(Section("Every number", [], [run.make_table(PREDICTIONS_OF_RUN)], folded=True))
    sections.append(Section("Configuration", code=run.config, folded=True))
    foot = [("run.json", run.record.signature)]
    return Page(f"Predicted scores of {run.years[-1]}", _lead_sentences(run), sections, foot)


_TABLES = ("summary", "predictions", "verdict", "contributions")


def _read_folder(folder: Path) -> _RunFolder:
    for name in ("run.json", "config.toml", *(f"{name}.tsv" for name in _TABLES)):
        if not (folder / name).is_file():
            raise InputError(f"no {name}; expected a folder that this version of train wrote", path=folder)
    try:
        record = msgspec.convert(from_json(read_text(folder / "run.json")), _Record)
    except (ValueError, msgspec.ValidationError):
        raise InputError("not a record that train wrote", path=folder / "run.json") from None
    tables = {name: _read_table(name, folder / f"{name}.tsv") for name in _TABLES}
    order = {name: number for number, name in enumerate(tables["verdict"]["metric"])}
    predictors = [Predictor.load(path) for path in sorted((folder / "predictors").glob("*.json"))]
    predictors.sort(key=lambda predictor: order.get(predictor.name, len(order)))
    return _RunFolder(folder, record, read_text(folder / "config.toml"), tables, predictors)


def _read_table(name: str, path: Path) -> pd.DataFrame:
    """Read one of the tables of a run, which has all the columns of its kind."""
    result = replace(read_result(path), answer=load_answer(f"train {name}"))
    check_columns(result, path)
    return result.table


def _lead_sentences(run: _RunFolder) -> list[str]:
    """Write the verdict, what was predicted from what, and the errors of single predictions."""
    rows = run.tables["predictions"]
    years = run.years
    summaries = rows.drop_duplicates(["topic", "task", "summarizer"])
    targets = ", ".join(dict.fromkeys(run.tables["verdict"]["target"]))
    earlier = f"trained on {', '.join(years[:-1])}" if years[1:] else "trained on its other topics"
    n_runs = len(run.predictors)
    by = f"{n_runs} {'predictor' if n_runs == 1 else 'predictors'}"
    size = f"{summaries['topic'].nunique()} topics, {summaries['summarizer'].nunique()} summarizers"
    description = (
        f"The human scores ({targets}) of {len(summaries):,} summaries of {years[-1]} ({size}) "
        f"were predicted by {by}, {earlier}."
    )
    correlations = run.tables["summary"]
    n_systems = 0 if correlations.empty else int(correlations["n_summarizers"].max())
    sentences = verdict_sentences(run.tables["verdict"], years, n_systems)
    return [" ".join(sentences), description, *state_prediction_errors(run.predictors)]


def _warnings_section(run: _RunFolder) -> Section:
    """List the notes of a run, and count the predictions that lack something or lie outside the training data."""
    rows = run.tables["predictions"]
    flags = {
        "have no score": rows["score"].isna(),
        "have no judgment": rows["judged"].isna(),
        "are of summaries outside the range of the training data": rows["outside"].fillna("") != "",
    }
    counts = [
        f"{flag.sum():,} of {len(rows):,} predictions {predicate}"
        for predicate, flag in flags.items()
        if flag.any()
    ]
    points = [*run.record.notes, *counts]
    return Section("Warnings", [] if points else ["No warnings."], points=points)


def _run_section(run: _RunFolder, predictor: Predictor, *, folded: bool) -> Section:
    names = join_names(predictor.training.get("subset", predictor.columns), limit=12)
    peers = PEERS_IN_WORDS.get(str(predictor.peers), predictor.peers)
    task = f"task {predictor.task}, " if predictor.task else ""
    score = predictor.training.get("selection_score")
    text = [f"{predictor.fitter} on {names}; {predictor.target}, {task}{peers}."]
    text += [f"Score on the selection years: {score:z.3f}."] if isinstance(score, float) else []
    text += state_prediction_errors([predictor]) if len(run.predictors) > 1 else []
    if predictor.calibration is None:
        text.append(
            "This predictor has no intervals: its scores are not on the human scale, or it had too few topics or "
            "summarizers to learn from."
        )
    elif predictor.calibration.n_years == 1:
        text.append(f"{OF_ONE_YEAR.capitalize()}.")
    points = run.rows_of_predictor("predictions", predictor)
    on_scale = predictor.calibration is not None
    averaged = _average_by_summarizer(points, predictor)
    items = [
        *_prediction_pictures(points, averaged, on_scale=on_scale),
        *_comparison_items(run, predictor, averaged),
    ]
    contributions = run.rows_of_predictor("contributions", predictor)
    if len(contributions) and contributions["spread"].notna().any():
        ordered = contributions.drop(columns="metric").sort_values("spread", ascending=False, kind="stable")
        table = run.make_table(CONTRIBUTIONS_OF_RUN, name=f"{predictor.name}.contributions", rows=ordered)
        items += [*pictures(table.result), table]
    return Section(f"Run {predictor.name}", text, items, folded=folded)


def _average_by_summarizer(points: pd.DataFrame, predictor: Predictor) -> pd.DataFrame:
    """Average one run's points by summarizer, over the topics with both a prediction and a judgment."""
    complete = points.dropna(subset=["score", "judged"])
    if "form" not in points:
        complete = complete.assign(form=WITHIN)
    averages = complete.groupby("summarizer", sort=False, as_index=False).agg(
        human=("human", "first"),
        n_topics=("score", "size"),
        score=("score", "mean"),
        judged=("judged", "mean"),
        form=("form", "min"),  # alone, if any summary was
    )
    rows = averages.assign(group=groups_of(averages["human"]))
    half_widths = interval_half_widths(predictor, rows, INTERVAL_CONFIDENCE, rows["n_topics"].to_numpy())
    scores = averages["score"]
    return averages.drop(columns="form").assign(low=scores - half_widths, high=scores + half_widths)


def _prediction_pictures(
    points: pd.DataFrame, averaged: pd.DataFrame, *, on_scale: bool
) -> Iterator[Picture]:
    """Draw the predictions against the human scores."""
    complete = points.dropna(subset=["score", "judged"]).drop(columns=["low", "high"])
    if complete.empty:
        return
    interval = f", with its {INTERVAL_CONFIDENCE:.0%} interval" if averaged["low"].notna().any() else ""
    for rows, caption in (
        (averaged, f"Mean prediction of each summarizer{interval}, against its mean human score"),
        (complete, "Each summary, prediction against human score"),
    ):
        yield Picture(caption, partial(plots.scatter, rows, diagonal=on_scale))


def _comparison_items(
    run: _RunFolder, predictor: Predictor, averaged: pd.DataFrame
) -> Iterator[Picture | PageTable]:
    """Show which summarizers differ significantly by their predicted scores, their ranks and clusters."""
    scores = run.rows_of_predictor("predictions", predictor)[[*KEYS, "metric", "score"]].dropna(
        subset="score"
    )
    if scores["summarizer"].nunique() < 2:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # the sentence says what so few topics allow
        tests = compare_pairs(scores, predictor.name, means="plain")
        ranking = compare(scores, predictor.name, means="plain")
    differing = count_differing_summarizers(tests.table).removesuffix(".")
    differing = differing[:1].lower() + differing[1:]
    claim = f"By the predicted scores {differing} (paired t-tests, Holm's correction)"
    for picture in pictures(tests):
        yield replace(picture, caption=f"{claim}: {picture.caption}")
    if averaged["low"].isna().all():
        averaged = averaged.drop(columns=["low", "high"])
    names = [column.name for column in RANK_COLUMNS_OF_RUN]
    ranked = averaged.merge(ranking.table[["summarizer", *names]], on="summarizer", how="right")
    yield run.make_table(MEANS_OF_RUN, name=f"{predictor.name}.means", rows=ranked)


def _search_items(run: _RunFolder, predictor: Predictor) -> Iterator[Picture | PageTable]:
    """Show what the search with the fitter of a predictor found, if it searched."""
    fitter = predictor.fitter
    for answer in (INCLUSION, BEST_OF_SIZES, BEST_SUBSETS):
        kind = answer.name.removeprefix("train ")
        name = f"{fitter}.{kind}"
        path = run.path / "search" / f"{predictor.name}.{name}.tsv"
        rows = _read_table(kind, path) if path.is_file() else pd.DataFrame()
        if rows.empty:
            continue
        if kind == "sizes":
            caption = f"Run {predictor.name}: the search with {fitter}, best score by the number of names"
            finite = rows[np.isfinite(rows["score"])]
            if len(finite):
                yield Picture(caption, partial(plots.curves, finite, x="n_names", y="score"), height=2.4)
        caption = f"Run {predictor.name}: {answer.caption}, {fitter}"
        yield run.make_table(answer, caption, name=f"{predictor.name}.{name}", rows=rows)


MAX_PICTURES = 24
"""Pictures of one table, at most."""

Notes = Callable[[str], Sequence[str]]


def table_page(paths: Sequence[str | Path], *, notes: Notes = lambda _: ()) -> Page:
    """Read tables and build their page, with ``notes`` below each; InputError if a file is not a table."""
    results: dict[Path, Result] = {}
    for path in map(Path, paths):
        result = read_result(path)
        if result.table.empty:
            raise InputError("no rows; expected a table that a command wrote", path=path)
        check_columns(result, path)
        results[path] = replace(result, notes=notes(result.kind))
    return _page_of_tables(results)


def html_of_result(result: Result) -> str:
    """Give a page of one result as HTML, see `table_page`."""
    check_report()
    if not result.kind:
        raise UsageError("a table that answers no question has no page; expected the result of a function")
    if result.table.empty:
        raise InputError("no rows; expected a table that a function gave")
    results = [*([result.first()] if result.first else []), *(result.parts or [result])]
    slugs = [table.kind.replace(" --", "-").replace(" ", "-") for table in results]
    names = [f"{slug}-{n}" if slugs.count(slug) > 1 else slug for n, slug in enumerate(slugs, 1)]
    files = [Path(f"{name}.tsv") for name in names]
    return html(_page_of_tables(dict(zip(files, results, strict=True))))


def write_html(result: Result, stream: TextIO) -> None:
    """A page of HTML to send, with pictures and all numbers."""
    stream.write(html_of_result(result))


def _page_of_tables(results: Mapping[Path, Result]) -> Page:
    """Build the page of tables by the names of their files; it begins with the answer of the first."""
    captions = [answer_of(result).caption for result in results.values()]
    titles = [
        f"{caption}: {path.stem}" if captions.count(caption) > 1 else caption
        for caption, path in zip(captions, results, strict=True)
    ]
    first = next(iter(results.values()))
    sections = []
    for title, (path, result) in zip(titles, results.items(), strict=True):
        all_pictures = list(pictures(result))
        n_hidden = len(all_pictures) - MAX_PICTURES
        text = [] if result is first else [answer_of(result).sentence(result.table)]
        text += [f"{n_hidden} more pictures are left out."] if n_hidden > 0 else []
        items: list[Picture | PageTable] = [*all_pictures[:MAX_PICTURES], PageTable(path.stem, result, "")]
        sections.append(Section(title, list(filter(None, text)), items))
    foot = [(path.name, result.signature) for path, result in results.items()]
    question = answer_of(first).question or join_names(dict.fromkeys(titles), limit=3)
    lead = [state_best_system(first), answer_of(first).sentence(first.table)]
    return Page(question, list(filter(None, lead)), sections, foot)


def state_best_system(ranking: Result) -> str:
    """Say without a term of statistics which system did best, and which may be as good; nothing of several rankings.

    A system may be as good if no test shows that it is worse than any other.
    """
    table = ranking.table
    is_best = table["rank"] == 1 if ranking.kind == "compare" and "best_rank" in table else table.index < 0
    names = [*answer_of(ranking).strata_in(table), *({"metric", "comparable"} & {*table})]
    if is_best.sum() != 1 or len(table) == 1 or (table[names].nunique(dropna=False) > 1).any():
        return ""
    rivals = list(table["summarizer"][~is_best & (table["best_rank"] == 1)])
    measure = f" in {table['metric'].iat[0]}" if "metric" in table else ""
    end = f"{join_names(rivals, limit=3)} may be as good" if rivals else "no other may be as good"
    return f"{table['summarizer'][is_best].iat[0]} did best of {len(table)}{measure}; {end}."
