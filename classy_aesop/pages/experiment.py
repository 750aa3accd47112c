"""The results of an experiment: the printed summary and the output folder.

The folder holds

- ``summary.txt``: the printed summary; ``summary.tsv``: all correlations, one per row;
- ``predictors/LABEL.json``: one predictor per run;
- ``predictions.tsv``: the predicted year's scores by every run, with intervals and the human scores;
- ``verdict.tsv``: each run against ROUGE-2; ``contributions.tsv``: how much each column moves the predictions;
- ``search/LABEL.FITTER.{top,sizes,inclusion}.tsv``: the 100 best subsets, the best of each size, and how often each
  feature is in the top 100;
- ``config.toml``: the configuration, by which `train` gives the same predictors again; ``run.json``: signature,
  protocol, notes and the configuration with its defaults.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

import pandas as pd

from classy_aesop.config import to_toml
from classy_aesop.config.keys import DEFAULT_METHOD
from classy_aesop.errors import escape_controls
from classy_aesop.features.registry import abridge_columns, sort_features
from classy_aesop.pages.formats import save_result
from classy_aesop.pages.run_overview import list_next_steps, list_overview
from classy_aesop.pages.run_sentences import state_prediction_errors, verdict_sentences
from classy_aesop.pages.run_tables import (
    BEST_OF_SIZES,
    BEST_SUBSETS,
    CONTRIBUTIONS_OF_RUN,
    INCLUSION,
    PREDICTIONS_OF_RUN,
    SUMMARY_OF_RUN,
    VERDICT_OF_RUN,
)
from classy_aesop.pages.screen import lines_of_screen
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.layout import align, spread_columns
from classy_aesop.tables.result import Result, run_result
from classy_aesop.tables.result_columns import PEER_SET, TARGET, TASK, column_names
from classy_aesop.tables.screen_tables import SCREEN_ROWS
from classy_aesop.training.experiment import Experiment
from classy_aesop.training.predictors import TrainedRun
from classy_aesop.training.run_columns import FITTER, PREDICTOR, RUN, RUN_OF_METRIC
from classy_aesop.work.records import digest, signature

SUMMARY_COLUMNS = {
    "pearson": ("system", "pearson"),
    "spearman": ("system", "spearman"),
    "kendall": ("system", "kendall"),
    "global": ("global", "pearson"),
}
"""Columns of the printed summary: three coefficients of system means, and Pearson over all summaries."""

RUN_KEYS = column_names(TARGET, TASK, PEER_SET)
"""What a run learns and predicts."""

_SENTENCE_WIDTH = 80
"""Columns of a screen."""


def experiment_signature(experiment: Experiment) -> str:
    """Make the signature of an experiment: its main settings, and a digest of all that determines its numbers."""
    config = experiment.config
    decisive = config.to_dict()
    del decisive["about"]
    for year in decisive["years"]:  # where files lie changes no number
        del year["path"]
        year |= {key: [Path(name).name for name in year[key]] for key in ("scores", "judgments")}
    files = [Path(name).name for year in config.years for name in year.scores]
    return signature(
        protocol=experiment.protocol,
        years=[year.name for year in config.years],
        runs=[trained.run.name for trained in experiment.trained] if config.preset is None else config.preset,
        features=abridge_columns(sort_features(config.search.names)),
        **({"scores": files, "extra": config.search.extra or "all"} if files else {}),
        **config.features.to_dict(),
        level=config.search.level,
        fit_level=config.search.fit_level,
        **config.search.changes_since_2011(whole=not any(trained.searches for trained in experiment.trained)),
        seed=config.seed,
        config=digest(decisive),
    )


def summary(experiment: Experiment, *, path_of_whole: str = "") -> str:
    """Write the result as text: does the prediction beat ROUGE-2 and is that sure, then a table a target.

    A row is a run: its correlations, its lead over ROUGE-2, and beside a preset the default method. Runs that can be
    compared have an overview before it, see `list_overview`. A screen shows what single predictions are worth, notes
    and what to type next instead of the tables.

    Parameters
    ----------
    experiment : Experiment
        The result of `train`.
    path_of_whole : str
        The file that has the whole text, which a screen names; by default it is written here.

    Returns
    -------
    str
        The text, without the end of its last line.
    """
    verdict = experiment.verdict
    is_judged = not experiment.assessment.empty
    is_compared = is_judged and verdict["difference"].notna().any()
    meaning = verdict_sentences(
        verdict,
        [year.name for year in experiment.config.years],
        int(experiment.assessment["n_summarizers"].max()) if is_judged else 0,
        by_default=experiment.by_default,
        preset=experiment.config.preset,
    )
    protocol = describe_protocol(experiment)
    overview = list(list_overview(experiment, protocol, meaning)) if is_compared else [list(meaning)]
    predictors = [trained.predictor for trained in experiment.trained]
    errors = state_prediction_errors(predictors)
    notes = [f"Note: {note}" for note in merge_notes(experiment.notes)]
    if path_of_whole:
        of_one = errors if len(predictors) == 1 else []  # a range over measures of several scales says little
        blocks = [*overview, of_one, notes, list_next_steps(experiment, path_of_whole)]
    else:
        caption = "Correlations of system means with the human scores (global: Pearson's over all summaries)"
        lead = f"Pearson's minus that of {verdict['against'].iat[0]}, with p for other systems and for these"
        caption = f"{caption}; {lead}:" if is_compared else f"{caption}:"
        blocks = [
            *overview,
            errors,
            [protocol, caption if is_judged else ""],
            *_target_tables(experiment),
            notes,
            list_subsets(experiment.trained),
        ]
    text = "\n\n".join("\n".join(filter(None, map(wrap_sentence, block))) for block in blocks if any(block))
    result = Result(pd.DataFrame(), lines=text.splitlines, signature=experiment_signature(experiment))
    max_rows = SCREEN_ROWS if path_of_whole else None
    lines = lines_of_screen(result, max_rows=max_rows, source_of_all=path_of_whole)
    return escape_controls("\n".join(lines), keep="\n")


def _target_tables(experiment: Experiment) -> Iterator[list[str]]:
    """Lay out a table for each target, the name of which heads its first column."""
    wide = _spread_coefficients(experiment.assessment)
    shown_names = {"difference": f"minus {experiment.verdict['against'].iat[0]}"}
    shown_names |= {"p_adjusted": "p", "p_here_adjusted": "p here"}
    lead = experiment.verdict.set_index("metric")[[*shown_names]].rename(columns=shown_names)
    table = wide.merge(lead, "left", left_on="metric", right_index=True)
    if not experiment.by_default.empty:
        by_default = experiment.by_default[[*RUN_KEYS, "value"]].rename(columns={"value": DEFAULT_METHOD})
        table = table.merge(by_default, "left", on=RUN_KEYS)
    for target, rows in table.groupby("target", sort=False):
        shown = rows.drop(columns=["target", "run"]).rename(columns={"metric": str(target)})
        yield [align(shown.dropna(axis=1, how="all"))]


def list_subsets(trained: Iterable[TrainedRun]) -> list[str]:
    """List the subset of features that each run chose; nothing of runs that choose none."""
    lines = [f"  {run.predictor.name}: {', '.join(run.subset.names)}" for run in trained if run.subset]
    return ["\n".join(["The chosen subset of each run:", *lines])] if lines else []


def describe_protocol(experiment: Experiment) -> str:
    """Say what was learned from which years."""
    years = [year.name for year in experiment.config.years]
    *earlier, predicted = years
    latest = (earlier or years)[-1]
    prior = (earlier or years)[-2:][0]
    refitted = ", ".join(earlier) if experiment.config.search.refit == "all" else latest
    protocol = {
        "fit-select-predict": f"fitted on {prior}, selected and refitted on {latest}"
        if refitted == latest
        else f"fitted on {prior}, selected on {latest}, refitted on {refitted}",
        "leave-one-year-out": f"selected on {', '.join(earlier)}, each fitted on the others, refitted on {refitted}",
        "folds-predict": f"fitted and selected by cross-validation over the topics of {years[0]}",
        "folds-only": "cross-validated over its own topics",
    }[experiment.protocol]
    return f"{predicted} was predicted ({protocol})."


def merge_notes(notes: Iterable[str]) -> Iterator[str]:
    """Merge equal notes of several runs or years into one with all their names."""
    names_of_notes: dict[tuple[str, str, str], list[str]] = {}
    for note in notes:
        match = re.fullmatch(r"(run )(\S+)( .*)|()([^\s:]+)(: .*)", note, flags=re.S)
        groups = ["", note, ""] if match is None else [group for group in match.groups() if group is not None]
        prefix, name, predicate = groups
        names_of_notes.setdefault((prefix, predicate, "" if predicate else name), []).append(name)
    for (prefix, predicate, _), names in names_of_notes.items():
        listed_names = ", ".join(dict.fromkeys(names))
        if prefix and len(names) > 1:
            yield f"runs {listed_names}{predicate.replace(' is ', ' are ', 1)}"
        else:
            yield f"{prefix}{listed_names}{predicate}"


def wrap_sentence(text: str) -> str:
    """Break a sentence into lines of a screen; lines stay as they are."""
    return text if "\n" in text else textwrap.fill(text, _SENTENCE_WIDTH, break_on_hyphens=False)


def _spread_coefficients(rows: pd.DataFrame) -> pd.DataFrame:
    """Put the coefficients for a target side by side, one line per run, with ROUGE below."""
    shown = pd.DataFrame(
        {"level": level, "coefficient": coefficient, "column": name}
        for name, (level, coefficient) in SUMMARY_COLUMNS.items()
    )
    rows = rows.assign(rouge=rows["run"] == "").merge(shown)
    lines = spread_columns(rows, ["rouge", *column_names(*RUN_OF_METRIC)], "column", "value")
    lines = lines.sort_values(["target", "rouge"], kind="stable")
    return lines[[*column_names(TARGET, RUN, PREDICTOR, TASK, PEER_SET, FITTER), *SUMMARY_COLUMNS]]


def file_names_pattern(*, report: bool = False) -> str:
    """Give a regular expression of the names that `write` may write."""
    tables = r"(summary|predictions|verdict|contributions|search/[^/]+)\.tsv"
    texts = r"summary\.txt|config\.toml|run\.json|predictors/[^/]+\.json"
    return f"{tables}|{texts}" + r"|report\.html" * report


def write(experiment: Experiment, place: Path, folder: str | Path, *, report: bool = False) -> None:
    """Write the files of an experiment to a folder from which they are moved to their own."""
    signature_text = experiment_signature(experiment)
    for name in ("search", "predictors"):
        (place / name).mkdir()
    tables = (
        ("summary", SUMMARY_OF_RUN, experiment.assessment),
        ("predictions", PREDICTIONS_OF_RUN, experiment.points),
        ("verdict", VERDICT_OF_RUN, experiment.verdict),
        ("contributions", CONTRIBUTIONS_OF_RUN, experiment.contributions),
        *(table for trained in experiment.trained for table in _tables_of_search(trained)),
    )
    for name, answer, table in tables:
        save_result(run_result(answer, table, signature_text), place / f"{name}.tsv", "tsv")
    for trained in experiment.trained:
        trained.predictor.save(place / "predictors" / f"{trained.run.label}.json")
    record = {
        "signature": signature_text,
        "protocol": experiment.protocol,
        "notes": experiment.notes,
        "python": sys.version.split()[0],
        "config": experiment.config.to_dict(),
    }
    texts = {
        "summary.txt": summary(experiment) + "\n",
        "config.toml": to_toml(experiment.config, folder),
        "run.json": json.dumps(record, indent=2, ensure_ascii=False) + "\n",
    }
    for name, text in texts.items():
        (place / name).write_text(text, encoding="utf-8")
    if report:
        from classy_aesop.pages.contents import run_page
        from classy_aesop.pages.page import write_page

        write_page(run_page(place), place / "report.html")


def _tables_of_search(trained: TrainedRun) -> Iterator[tuple[str, Answer, pd.DataFrame]]:
    """Yield the file's name, the declaration and the table of each table of a run's search."""
    path = f"search/{trained.run.label}"
    for fitter, search in trained.searches.items():
        yield f"{path}.{fitter}.top", BEST_SUBSETS, search.top(100)
        yield f"{path}.{fitter}.sizes", BEST_OF_SIZES, search.best_per_size()
        yield f"{path}.{fitter}.inclusion", INCLUSION, search.inclusion(100)
