"""The page of a run: what was predicted and how well, the search behind it, and how it was made."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import pandas as pd

from classy_aesop import plots
from classy_aesop.analysis.compare import compare, rank
from classy_aesop.analysis.deviations import means, residuals
from classy_aesop.errors import InputError, listed
from classy_aesop.files.inputs import note_input
from classy_aesop.predictor import Predictor
from classy_aesop.predictor.base import OF_ONE_YEAR
from classy_aesop.predictor.calibration import CONFIDENCE
from classy_aesop.report.files import check_columns, read_result
from classy_aesop.report.kinds import KINDS, forest, kind_of, pictures
from classy_aesop.report.page import MOST_ROWS, Page, Picture, Section, Table
from classy_aesop.report.result import Result, train_result
from classy_aesop.report.sentences import sentences, worth
from classy_aesop.scores import KEYS
from classy_aesop.scores.rows import text_of

NEAR = 0.01
"""Subsets whose score is at most this much below the best one are near ties."""

ENDS = 10
"""Topics that are drawn at either end of the residuals."""


@dataclass(frozen=True)
class _Folder:
    """What ``train`` wrote, read again."""

    record: Mapping[str, Any]
    config: str
    tables: Mapping[str, pd.DataFrame]
    predictors: tuple[Predictor, ...]
    searches: Mapping[str, Mapping[str, pd.DataFrame]]

    @property
    def years(self) -> list[str]:
        return [str(year["name"]) for year in self.record["config"]["years"]]

    def shown(
        self,
        kind: str,
        caption: str = "",
        *,
        name: str = "",
        rows: pd.DataFrame | None = None,
        most: int = MOST_ROWS,
    ) -> Table:
        """Show a table of the folder, or one that is made of it."""
        result = train_result(
            kind, self.tables[kind] if rows is None else rows, str(self.record["signature"])
        )
        return Table(name or kind, result, caption or kind_of(result).what, most)

    @cached_property
    def _parts(self) -> dict[tuple[str, str], pd.DataFrame]:
        """The rows of each table and predictor."""
        groups = ((name, rows.groupby("metric", sort=False)) for name, rows in self.tables.items())
        return {(name, str(metric)): own for name, parts in groups for metric, own in parts}

    def of(self, table: str, predictor: Predictor) -> pd.DataFrame:
        """Give the rows of a table that are about a predictor."""
        return self._parts.get((table, predictor.name), self.tables[table].iloc[:0])


def is_run(folder: str | Path) -> bool:
    """Whether this is a folder and not a file."""
    return Path(folder).is_dir()


def run_page(folder: str | Path) -> Page:
    """Read a folder of ``train`` and say what its page holds.

    Raises
    ------
    InputError
        The folder lacks a file of ``train``, or one of them cannot be read.
    """
    found = _read(Path(folder))
    sections = [_how_well(found), _cautions(found)]
    sections += [_run(found, one, folded=at > 0) for at, one in enumerate(found.predictors)]
    return Page(f"Predicted scores of {found.years[-1]}", _lead(found), [*sections, *_made(found)])


_TABLES = ("summary", "predictions", "verdict", "contributions")


def _read(folder: Path) -> _Folder:
    for name in ("run.json", "config.toml", *(f"{name}.tsv" for name in _TABLES)):
        if not (folder / name).is_file():
            raise InputError(f"no {name}; expected a folder that this version of train wrote", path=folder)
    note_input(folder / "run.json")
    try:
        record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        record["config"]["years"][-1]["name"], record["signature"], record["notes"]
    except (ValueError, KeyError, TypeError, IndexError):
        raise InputError("not a record of train", path=folder / "run.json") from None
    tables = {name: _table(name, folder / f"{name}.tsv") for name in _TABLES}
    order = {name: at for at, name in enumerate(tables["verdict"]["metric"])}
    predictors = [Predictor.load(path) for path in sorted((folder / "predictors").glob("*.json"))]
    predictors.sort(key=lambda one: order.get(one.name, len(order)))
    searches: dict[str, dict[str, pd.DataFrame]] = {}
    for path in sorted((folder / "search").glob("*.tsv")):
        of = [one.name for one in predictors if path.name.startswith(f"{one.name}.")]
        if of:
            label = max(of, key=len)
            name = path.stem[len(label) + 1 :]
            searches.setdefault(label, {})[name] = _table(name.rpartition(".")[2], path)
    config = text_of(folder / "config.toml")
    return _Folder(record, config, tables, tuple(predictors), searches)


def _table(name: str, path: Path) -> pd.DataFrame:
    """Read one of the tables of a run, which has all the columns of its kind."""
    result = replace(read_result(path), kind=f"train {name}")
    check_columns(result, kind_of(result).columns.split(), path)
    return result.table


def _lead(found: _Folder) -> list[str]:
    rows, years = found.tables["predictions"], found.years
    places = rows.drop_duplicates(["topic", "task", "summarizer"])
    targets = ", ".join(dict.fromkeys(found.tables["verdict"]["target"]))
    earlier = f"learned from {', '.join(years[:-1])}" if years[1:] else "learned from its other topics"
    n_runs = len(found.predictors)
    by = f"{n_runs} {'predictor' if n_runs == 1 else 'predictors'}"
    size = f"{places['topic'].nunique()} topics, {places['summarizer'].nunique()} summarizers"
    what = (
        f"The human scores ({targets}) of {len(places):,} summaries of {years[-1]} ({size}) "
        f"were predicted by {by}, {earlier}."
    )
    return [what, *sentences(found.tables["verdict"], years), *worth(found.predictors)]


def _how_well(found: _Folder) -> Section:
    rows, against = found.tables["summary"], found.shown("verdict")
    if rows.empty:
        return Section("How well", [f"{found.years[-1]} has no judgments to compare with."], [against])
    shown = found.shown("summary")
    said = "Correlations with the human scores, of the predictions and of other metrics."
    return Section("How well", [said], [*pictures(shown.result), against, shown])


def _place(task: object, peers: object) -> str:
    who = {"all_peers": "systems and humans", "no_models": "systems alone"}.get(str(peers), str(peers))
    return f"task {task}, {who}" if task else who


def _cautions(found: _Folder) -> Section:
    rows = found.tables["predictions"]
    counts = pd.DataFrame(
        {
            "predictor": [one.name for one in found.predictors],
            "summaries": [len(found.of("predictions", one)) for one in found.predictors],
            **{
                name: [int(take(found.of("predictions", one)).sum()) for one in found.predictors]
                for name, take in _COUNTED.items()
            },
        }
    )
    notes = list(found.record["notes"])
    outside = int((rows["outside"].fillna("") != "").sum()) if len(rows) else 0
    lines = [] if notes or outside else ["Nothing to warn of."]
    caption = "Summaries that lack a score or a judgment, and those outside the range of the training data"
    return Section("Warnings", lines, [found.shown("cautions", caption, rows=counts)], notes)


_COUNTED: dict[str, Callable[[pd.DataFrame], pd.Series]] = {
    "without a score": lambda rows: rows["score"].isna(),
    "without a judgment": lambda rows: rows["judged"].isna(),
    "outside the training range": lambda rows: rows["outside"].fillna("") != "",
}


def _run(found: _Folder, one: Predictor, *, folded: bool) -> Section:
    training = one.training
    names = listed(training.get("subset", one.columns), most=12)
    score = training.get("selection_score")
    text = [
        f"{one.fitter} on {names}; {one.target}, {_place(one.task, one.peers)}.",
        f"Score on the selection years: {score:.3f}." if isinstance(score, float) else "",
        *worth([one]),
        _promise(one),
    ]  # fmt: skip
    averaged = means(found.of("predictions", one), one)
    items = [*_judged(found, one, averaged), *_compared(found, one, averaged), *_search(found, one)]
    items += _parts(found, one)
    items += _residuals(found, one)
    return Section(f"Run {one.name}", [line for line in text if line], items, folded=folded)


def _promise(one: Predictor) -> str:
    """Say what is missing in the intervals of a predictor, if anything is."""
    if one.calibration is None:
        return (
            "This predictor has no intervals: its scores are not on the human scale, or it had too few topics or "
            "summarizers to learn from."
        )
    return f"{OF_ONE_YEAR.capitalize()}." if one.calibration.n_years == 1 else ""


def _judged(found: _Folder, one: Predictor, averaged: pd.DataFrame) -> Iterator[Picture | Table]:
    """Show the predictions against the human scores, and how far they are off."""
    points = found.of("predictions", one)
    both = points.dropna(subset=["score", "judged"])
    if both.empty:
        return
    on_scale = one.calibration is not None
    interval = f", with its {CONFIDENCE:.0%} interval" if averaged["low"].notna().any() else ""
    yield Picture(
        f"Mean prediction of each summarizer{interval}, against its mean human score",
        partial(plots.scatter, averaged, diagonal=on_scale),
    )
    yield Picture(
        "Each summary, prediction against human score",
        partial(plots.scatter, both.drop(columns=["low", "high"]), diagonal=on_scale),
    )


def _compared(found: _Folder, one: Predictor, averaged: pd.DataFrame) -> Iterator[Picture | Table]:
    """Show which summarizers differ significantly by their predicted scores, their ranks and clusters."""
    points = found.of("predictions", one)
    scores = points[[*KEYS, "metric", "score"]].dropna(subset="score")
    if scores["summarizer"].nunique() < 2:
        return
    tested, ranked = compare(scores, one.name), rank(scores, one.name)
    yield from pictures(Result(tested, kind="compare"))
    if averaged["low"].isna().all():
        averaged = averaged.drop(columns=["low", "high"])
    by_name = averaged.merge(ranked[_RANKED], on="summarizer", how="right")
    caption = (
        "Each summarizer's mean prediction and human score, its rank, the ranks left open, and its cluster"
    )
    yield found.shown("means", caption, name=f"{one.name}.means", rows=by_name)
    surest = tested.drop(columns=_OF_ALL_PAIRS).sort_values("p_adjusted", kind="stable")
    said = KINDS["compare"].say(tested)
    caption = (
        f"By the predicted scores {said[:-1]} (signed ranks, Holm's correction); the surest differences first"
    )
    yield found.shown("pairs", caption, name=f"{one.name}.pairs", rows=surest, most=15)


_RANKED = ["summarizer", "rank", "best_rank", "worst_rank", "cluster", "wins", "losses"]
_OF_ALL_PAIRS = ["year", "task", "metric", "test", "correction", "effect", "statistic", "seed"]
"""Columns that are the same for every pair of a run, or not needed to read them."""


def _residuals(found: _Folder, one: Predictor) -> Iterator[Picture | Table]:
    """Show by how much each topic and assessor is under- or overrated, if predictions are on the human scale."""
    points = found.of("predictions", one)
    for by in ("topic", "assessor"):
        if one.calibration is None or by not in points:
            continue
        off = residuals(points, by=by)
        if off.empty or (by == "assessor" and len(off) < 2):
            continue
        value = "human score less prediction"
        caption = f"{value.capitalize()}, by {by}: mean and quartiles"
        ends = off.iloc[[at for at in range(len(off)) if at < ENDS or at >= len(off) - ENDS]]
        left = len(off) - len(ends)
        said = f"{caption}; {left} in the middle are not drawn" if left else caption
        yield forest(ends.rename(columns={"mean": value}), said, by, value)
        yield found.shown("residuals", caption, name=f"{one.name}.residuals-by-{by}", rows=off)


_SEARCHED = {
    "top": f"Near ties: subsets whose score is at most {NEAR} below the best, of the 100 best",
    "sizes": "Best subset of each size",
    "inclusion": "How often each name is in the 100 best subsets, or chosen on a resample",
    "optimism": "Optimism of the best score",
    "weights": "Subsets that are averaged, with their weights",
}


def _search(found: _Folder, one: Predictor) -> Iterator[Picture | Table]:
    tables = found.searches.get(one.name, {})
    corrected, used = one.training.get("corrected_score"), _fitters(one)
    for name, rows in tables.items():
        fitter, _, what = name.rpartition(".")
        if what not in _SEARCHED or rows.empty or (fitter and fitter not in used):
            continue
        if what == "sizes":
            yield Picture(
                f"The search with {fitter}: best score by the number of names",
                partial(plots.search_path, rows, corrected=corrected),
                height=2.4,
            )
        caption = f"{_SEARCHED[what]}, {fitter}" if fitter else _SEARCHED[what]
        if what == "top":
            less = rows["score"].max() - rows["score"]
            near = rows.assign(less=less)[less <= NEAR]
            yield found.shown(
                "near", f"{caption}: {len(near)}", name=f"{one.name}.{fitter}.near", rows=near, most=10
            )
        else:
            yield found.shown(what, caption, name=f"{one.name}.{name}", rows=rows)


def _fitters(one: Predictor) -> set[str]:
    """Name the fitters whose subsets the predictor uses, those that a mixture averages among them."""
    average = one.training.get("average", ())
    return {*one.fitter.split("+"), *(str(row["fitter"]) for row in average)}


def _parts(found: _Folder, one: Predictor) -> Iterator[Picture | Table]:
    """Show what the predictor is made of: contributions, and its learners if it has several."""
    rows = found.of("contributions", one)
    if len(rows) and rows["spread"].notna().any():
        ordered = rows.drop(columns="metric").sort_values("spread", ascending=False, kind="stable")
        shown = found.shown("contributions", name=f"{one.name}.contributions", rows=ordered)
        yield from pictures(shown.result)
        yield shown
    learners = one.training.get("learners")
    if isinstance(learners, list) and learners and all(isinstance(row, dict) for row in learners):
        rows = pd.DataFrame(learners)
        yield found.shown("learners", "Learners and their shares", name=f"{one.name}.learners", rows=rows)


def _made(found: _Folder) -> Iterator[Section]:
    yield Section("Every number", [], [found.shown("predictions")], folded=True)
    name = found.predictors[0].name if found.predictors else "NAME"
    commands = (
        "classy-aesop train DIR/config.toml -o OTHER --report",
        f"classy-aesop predict DIR/predictors/{name}.json CORPUS --confidence {CONFIDENCE}",
        f"classy-aesop explain DIR/predictors/{name}.json CORPUS",
        "classy-aesop report DIR -o report.html",
    )
    yield Section("Commands", ["Train it again, score new summaries, take scores apart, and make this page:"],
                  code="\n".join(commands))  # fmt: skip
    yield Section("Signature", code=str(found.record["signature"]))
    yield Section("Configuration", code=found.config, folded=True)
