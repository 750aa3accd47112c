"""Files of judgments as people have them: what the command that ``validate`` prints answers, against the right answer.

For each file the first command that ``validate`` prints for the question is run by reading the file again with its
``--columns``, and means (or agreement's units) are compared with the right ones.
"""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from classy_aesop import read_scores
from classy_aesop.reading.file_report import FileReport
from classy_aesop.reading.judged_scores import list_roles


@dataclass(frozen=True)
class Case:
    """A file with its right answer: means of a measure by system, or numbers of topics and raters."""

    file: str
    measure: str = ""
    means: Mapping[str, float] = field(default_factory=dict)
    n_topics: int = 0
    n_raters: int = 0
    command: str = "compare"
    is_doubtful: bool = False


def by_system(alpha: float, beta: float, gamma: float) -> dict[str, float]:
    """Give means of the three systems that most files have."""
    return {"alpha": alpha, "beta": beta, "gamma": gamma}


CASES = (
    Case("row-id-as-topic.csv", "rating", {"a": 4.667, "b": 1.333}, n_topics=6),
    Case("two-datasets.csv", "faithful", {"bart": 0.903, "pgn": 0.900, "transf": 0.117, "tconv": 0.100}),
    Case("errors-lower-better.csv", "errors", by_system(0.75, 1.875, 2.75)),
    Case("ranks.csv", "rank", by_system(1.062, 1.938, 3.0), n_raters=2),
    Case("parallel-lists-of-raters.json", "scores", n_topics=10, n_raters=3, command="assessors"),
    Case("text-annotator.csv", "fluency", n_topics=3, n_raters=2, command="assessors"),
    Case("two-systems-metric.csv", "human", {"a": 3.0, "b": 2.5}, command="evaluate"),
    Case("items-by-raters.csv", "rater", n_topics=6, n_raters=3, command="assessors"),
    Case("k-systems-a-row.csv", "quality", by_system(3.875, 3.125, 1.875)),
    Case("systems-as-columns.csv", "score", by_system(3.75, 3.25, 1.625), is_doubtful=True),
    Case("likert-words.csv", "fluency", by_system(3.875, 2.938, 2.375), n_raters=2),
    Case("yes-no.csv", "faithful", by_system(1.0, 0.75, 0.188), n_raters=2),
    Case("pairwise-arena.csv", "win", by_system(0.875, 0.5, 0.125)),
    Case("long-aspect.csv", "fluency", by_system(4.062, 2.812, 2.125), n_raters=2),
    Case("no-topic.csv", "Relevance", by_system(4.25, 2.625, 1.75), is_doubtful=True),
    Case("own-names.csv", "fluency", {"a": 4.333, "b": 1.667}, n_topics=3),
    Case("own-names-scores.csv", "mymetric", {"a": 0.5, "b": 0.2}, n_topics=3),
    Case(
        "label-studio.csv",
        "rating",
        by_system(3.75, 3.188, 1.625),
        n_raters=2,
        command="assessors",
        is_doubtful=True,
    ),
    Case("label-studio-min.json", "rating", by_system(4.125, 2.875, 2.0)),
    Case("mturk-batch.csv", "Answer.fluency", by_system(3.833, 3.042, 2.125), n_raters=12),
    Case("system-keyed.jsonl", "judge", by_system(4.25, 3.375, 2.375), is_doubtful=True),
    Case("geval-nested-scores.json", "fluency", by_system(3.75, 3.0, 2.0)),
    Case(
        "lm-eval-samples_alpha.jsonl",
        "rouge1",
        {"lm-eval-samples_alpha": 0.608, "lm-eval-samples_beta": 0.477},
    ),
    Case("wmt-mqm-spaces.tsv", "mqm_avg_score", {"alpha.12": -1.994, "beta.12": -1.599, "gamma.12": -1.775}),
    Case("list-in-a-cell.csv", "HumanScores", {"a": 4.0, "b": 1.75}, n_raters=2),
)
"""The files of ``cases/``, each with the answer of its README."""


def printed_command(report: FileReport, case: Case) -> list[str]:
    """Give the words of the first printed command for a case; none if there is none."""
    commands = [shlex.split(command) for command in report.commands]
    return next((words for words in commands if words[1] == case.command), [])


def columns_of(words: list[str]) -> dict[str, list[str]]:
    """Give what a command says of the columns of its files: ``--columns``, ``--sheet`` and ``--scale``."""
    columns = list_roles(words[words.index("--columns") + 1])
    beside = {
        name: words[words.index(f"--{name}") + 1] for name in ("sheet", "scale") if f"--{name}" in words
    }
    return columns | {name: [value] for name, value in beside.items()}


def scores_by(words: list[str]) -> pd.DataFrame:
    """Read the files of a command as it reads them."""
    files = [word for word in words[2 : words.index("--columns")] if Path(word).is_file()]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pd.concat([read_scores(file, columns=columns_of(words)) for file in files], ignore_index=True)


def is_right(scores: pd.DataFrame, case: Case, tolerance: float = 6e-4) -> bool:
    """Whether scores have the means, topics and raters of a case."""
    measures = scores["metric"].str.removeprefix("scores.")
    rows = scores[measures == case.measure].dropna(subset="score")
    means = rows.groupby("summarizer")["score"].mean()
    has_means = all(
        name in means.index and abs(means[name] - mean) <= tolerance for name, mean in case.means.items()
    )
    n_raters = rows["assessor"].nunique() if "assessor" in rows else 0
    has_topics = case.n_topics in (0, rows["topic"].nunique())
    return len(rows) > 0 and has_means and has_topics and case.n_raters in (0, n_raters)


def read_without_options(path: Path, case: Case) -> str:
    """Say what a command does that is told nothing of the columns: right, WRONG or refused."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            plain = "right" if is_right(read_scores(path), case) or not case.means else "WRONG"
    except ValueError:
        return "refused"
    return "refused" if plain == "WRONG" and case.file.startswith("lm-eval") else plain
