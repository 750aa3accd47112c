"""The page of a run: what was predicted and how well, the search behind it, and how it was made."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import pandas as pd

from classy_aesop import plots
from classy_aesop.analysis.compare import compare, rank
from classy_aesop.analysis.deviations import means, residuals
from classy_aesop.errors import InputError, listed
from classy_aesop.inputs import note_input
from classy_aesop.predictor import Predictor
from classy_aesop.predictor.calibration import CONFIDENCE
from classy_aesop.report.files import read_table, with_numbers
from classy_aesop.report.page import Page, Picture, Section, Table, cells_wide, rows_high
from classy_aesop.report.sentences import sentences
from classy_aesop.report.wide import comparisons, evaluation
from classy_aesop.scores import KEYS
from classy_aesop.scores.rows import text_of

NEAR = 0.01
"""Subsets whose score is at most this much below the best one are near ties."""

ENDS = 10
"""Topics that are drawn at either end of the residuals."""

_PEARSON = "Pearson correlation"
_TABLES = {
    "summary": ("value", "low", "high"),
    "predictions": ("score", "low", "high", "judged"),
    "verdict": ("selected", "value", "rival", "difference", "p", "p_adjusted", "n_resamples"),
    "contributions": ("mean", "spread"),
}
"""The tables of a run, each with the columns that are numbers even where all are missing."""

_NAMES = {
    "summary": (
        "run",
        "target",
        "task",
        "peers",
        "fitter",
        "metric",
        "level",
        "coefficient",
        "n_summarizers",
    ),
    "predictions": ("topic", "task", "summarizer", "metric", "outside", "human"),
    "verdict": ("target", "metric", "against"),
    "contributions": ("metric", "part", "group"),
    "top": ("rank", "names"),
}
"""Their other columns that a page reads, and those of a search."""

_SEARCHES = {"top": ("score",), "sizes": ("n_names", "score")}
"""The tables of a search that a page computes with, and their columns that are numbers."""


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

    @property
    def signature(self) -> str:
        return str(self.record["signature"])

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
    tables = {name: _table(folder / f"{name}.tsv", name) for name in _TABLES}
    order = {name: at for at, name in enumerate(tables["verdict"]["metric"])}
    predictors = [Predictor.load(path) for path in sorted((folder / "predictors").glob("*.json"))]
    predictors.sort(key=lambda one: order.get(one.name, len(order)))
    searches: dict[str, dict[str, pd.DataFrame]] = {}
    for path in sorted((folder / "search").glob("*.tsv")):
        of = [one.name for one in predictors if path.name.startswith(f"{one.name}.")]
        if of:
            label = max(of, key=len)
            name = path.name[len(label) + 1 : -len(".tsv")]
            searches.setdefault(label, {})[name] = _table(path, name.rpartition(".")[2])
    config = text_of(folder / "config.toml")
    return _Folder(record, config, tables, tuple(predictors), searches)


def _table(path: Path, kind: str) -> pd.DataFrame:
    """Read a table of a run, which may have a header alone but has all the columns of its kind."""
    table, numbers = read_table(path, may_be_empty=True)[0], _TABLES.get(kind) or _SEARCHES.get(kind, ())
    missing = [column for column in (*_NAMES.get(kind, ()), *numbers) if column not in table]
    if missing:
        raise InputError(
            f"no column {listed(missing)}; expected a table that this version of train wrote", path=path
        )
    return with_numbers(table, numbers, path)


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
    return [what, *sentences(found.tables["verdict"], years[-1])]


def _how_well(found: _Folder) -> Section:
    title, verdict = "How well", found.tables["verdict"]
    against = Table(
        "verdict", "Each run against its rival (PERM-BOTH, Holm)", verdict, signature=found.signature
    )
    rows = found.tables["summary"]
    if rows.empty:
        return Section(title, [f"{found.years[-1]} has no judgments to compare with."], [against])
    system = rows[rows["level"] == "system"]
    shown = evaluation(system.assign(metric=_names(system)))
    others = rows[rows["level"] != "system"].drop(columns=["low", "high"])
    items: list[Picture | Table] = [
        *_forests(system[system["coefficient"] == "pearson"]),
        against,
        Table("system", "Correlations of system means, with 95 % intervals (Fisher)", system, shown, found.signature),
        Table("other-levels", "Correlations at other levels", others, evaluation(others.assign(metric=_names(others))),
              found.signature),
    ]  # fmt: skip
    return Section(
        title, ["Correlations with the human scores, of the predictions and of other metrics."], items
    )


def _names(rows: pd.DataFrame) -> pd.Series:
    """Name a run by its number and a metric by itself."""
    return rows["metric"].where(rows["run"] == "", rows["run"] + " " + rows["fitter"])


def _forests(rows: pd.DataFrame) -> Iterator[Picture]:
    for (task, peers), own in rows.groupby(["task", "peers"], sort=False):
        ordered = own.assign(rouge=own["run"] == "").sort_values(["target", "rouge"], kind="stable")
        names = ordered["target"] + "  " + ordered["metric"].where(ordered["rouge"], "run " + ordered["run"])
        table = ordered.assign(names=names, ours=~ordered["rouge"]).rename(columns={"value": _PEARSON})
        yield Picture(
            f"{_place(task, peers)}: Pearson's correlation of system means with the human scores, and 95 % intervals; "
            "diamonds are predictions, circles other metrics",
            partial(plots.forest, table, names="names", value=_PEARSON, marked="ours"),
            height=rows_high(len(table)),
        )


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
    return Section("Warnings", lines, [Table("cautions", caption, counts, signature=found.signature)], notes)


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
        "" if one.calibration else "This predictor has no intervals: its scores are not on the human scale, or it had "
        "too few topics or summarizers to learn from.",
    ]  # fmt: skip
    averaged = means(found.of("predictions", one), one.calibration)
    items = [*_judged(found, one, averaged), *_compared(found, one, averaged), *_search(found, one)]
    items += _parts(found, one)
    items += _residuals(found, one)
    return Section(f"Run {one.name}", [line for line in text if line], items, folded=folded)


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
    count = f"{int(tested['significant'].sum()):,} of {len(tested):,}"
    yield Picture(
        f"Who is significantly better than whom by the predicted scores: {count} pairs differ "
        "(signed ranks, Holm's correction). A full cell: the row is better; half a cell: it is worse",
        partial(plots.pairs, tested),
        *2 * [cells_wide(len(ranked))],
    )
    if averaged["low"].isna().all():
        averaged = averaged.drop(columns=["low", "high"])
    by_name = averaged.merge(ranked[_RANKED], on="summarizer", how="right")
    caption = (
        "Each summarizer's mean prediction and human score, its rank, the ranks left open, and its cluster"
    )
    yield Table(f"{one.name}.means", caption, by_name, signature=found.signature)
    surest = _short(tested.sort_values("p_adjusted", kind="stable"))
    caption = "Pairs of summarizers by their predicted scores, the surest differences first"
    yield Table(f"{one.name}.pairs", caption, surest, signature=found.signature, most=15)


_RANKED = ["summarizer", "rank", "best_rank", "worst_rank", "cluster", "wins", "losses"]


def _short(tested: pd.DataFrame) -> pd.DataFrame:
    """Leave out what is the same for every pair of a run, or not needed to read them."""
    same = ["year", "task", "metric", "test", "correction", "effect", "statistic", "seed"]
    return comparisons(tested.drop(columns=same))


def _residuals(found: _Folder, one: Predictor) -> Iterator[Picture | Table]:
    """Show by how much each topic and assessor is under- or overrated, if predictions are on the human scale."""
    points = found.of("predictions", one)
    for by in ("topic", "assessor"):
        if one.calibration is None or by not in points:
            continue
        off = residuals(points, by=by)
        if off.empty or (by == "assessor" and len(off) < 2):
            continue
        caption, value = (
            f"Human score less prediction, by {by}: mean and quartiles",
            "human score less prediction",
        )
        ends = off.iloc[[at for at in range(len(off)) if at < ENDS or at >= len(off) - ENDS]]
        left = len(off) - len(ends)
        draw = partial(plots.forest, ends.rename(columns={"mean": value}), names=by, value=value)
        said = f"{caption}; {left} in the middle are not drawn" if left else caption
        yield Picture(said, draw, height=rows_high(len(ends)))
        yield Table(f"{one.name}.residuals-by-{by}", caption, off, signature=found.signature)


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
            yield _near_ties(f"{one.name}.{fitter}.near", caption, rows, found.signature)
        else:
            yield Table(f"{one.name}.{name}", caption, rows, signature=found.signature)


def _near_ties(name: str, caption: str, rows: pd.DataFrame, signature: str) -> Table:
    """Show the best subset and those that are hardly worse."""
    less = rows["score"].max() - rows["score"]
    near = rows.assign(less=less)[less <= NEAR]
    return Table(
        name, f"{caption}: {len(near)}", near, near[["rank", "names", "score", "less"]], signature, most=10
    )


def _fitters(one: Predictor) -> set[str]:
    """Name the fitters whose subsets the predictor uses, those that a mixture averages among them."""
    average = one.training.get("average", ())
    return {*one.fitter.split("+"), *(str(row["fitter"]) for row in average)}


def _parts(found: _Folder, one: Predictor) -> Iterator[Picture | Table]:
    """Show what the predictor is made of: contributions, and its learners if it has several."""
    rows = found.of("contributions", one).drop(columns="metric")
    if len(rows) and rows["spread"].notna().any():
        yield Picture(
            "How far each column moves the predictions: standard deviation of its contributions",
            partial(plots.contributions, rows),
            height=rows_high(min(len(rows), 15)),
        )
        ordered = rows.sort_values("spread", ascending=False, kind="stable")
        yield Table(
            f"{one.name}.contributions", "Contributions of the columns", ordered, signature=found.signature
        )
    learners = one.training.get("learners")
    if isinstance(learners, list) and learners and all(isinstance(row, dict) for row in learners):
        table = pd.DataFrame(learners)
        yield Table(f"{one.name}.learners", "Learners and their shares", table, signature=found.signature)


def _made(found: _Folder) -> Iterator[Section]:
    rows = found.tables["predictions"]
    caption = "Every prediction, with its interval and the human score"
    yield Section(
        "Every number", [], [Table("predictions", caption, rows, signature=found.signature)], folded=True
    )
    name = found.predictors[0].name if found.predictors else "NAME"
    commands = (
        "classy-aesop train DIR/config.toml -o OTHER --report",
        f"classy-aesop predict DIR/predictors/{name}.json CORPUS --confidence {CONFIDENCE}",
        f"classy-aesop explain DIR/predictors/{name}.json CORPUS",
        "classy-aesop report DIR -o report.html",
    )
    yield Section("Commands", ["Train it again, score new summaries, take scores apart, and make this page:"],
                  code="\n".join(commands))  # fmt: skip
    yield Section("Signature", code=found.signature)
    yield Section("Configuration", code=found.config, folded=True)
