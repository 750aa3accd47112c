"""What comes with the package: the published weights, and two predictors that are ready for use.

The published weights are those of Rankel (2016), Tables 5.2 and 5.3, two printed digits each. No
constants were published, so scores compare within one predictor only. With which definitions and reference counts the
weights were made is not known; the signature carries those used here. They are shown beside fitted predictors.

The ready predictors are files of `train`, made by ``configs/ready.toml`` and ``configs/ready-without.toml`` of public
judgments: docs/prediction.md.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from importlib.resources import files
from typing import TypedDict

from classy_aesop.errors import UsageError
from classy_aesop.features.registry import CLASSY2011
from classy_aesop.formulas import Linear

WITH_REFERENCES = "published/news-content"
"""The ready predictor for summaries with references."""

WITHOUT_REFERENCES = "published/news-relevance"
"""The ready predictor for summaries without references."""

_METHODS = {"canon": "canonical", "robust": "robust", "nonneg": "nonnegative"}


class PublishedFields(TypedDict):
    """The fields of a predictor with published weights."""

    name: str
    target: str
    task: str
    peers: str
    fitter: str
    columns: tuple[str, ...]
    formula: Linear
    references: dict[str, tuple[int, ...]]
    training: dict[str, str | tuple[str, ...]]


def published_fields(name: str) -> PublishedFields:
    """Give the fields of a published predictor by name, e.g. ``published/25-A-all_peers``."""
    fields_by_name = all_published()
    if name not in fields_by_name:
        names = ", ".join([*fields_by_name, *read_ready_predictors()])
        raise UsageError(f"no published predictor {name!r}; known: {names}")
    return fields_by_name[name]


@cache
def read_ready_predictors() -> dict[str, str]:
    """Read the files of ready predictors as text, by name, e.g. ``published/news-content``."""
    folder = files("classy_aesop.predictor") / "data"
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".json"))
    return {
        f"published/{name.removesuffix('.json')}": (folder / name).read_text(encoding="utf-8")
        for name in names
    }


@cache
def all_published() -> dict[str, PublishedFields]:
    """Read the fields of all of them by name: runs 8, 25, 23, 6, tasks A and B, both peer sets."""
    weights: dict[tuple[str, ...], dict[str, float]] = defaultdict(dict)
    table = files("classy_aesop.predictor") / "data" / "published_weights.tsv"
    for line in table.read_text(encoding="utf-8").splitlines()[1:]:
        run, target, task, peers, method, feature, references, weight = line.split("\t")
        column = f"{feature}@{references}" if task == "B" and references != "-" else feature
        weights[run, target, task, peers, method][column] = float(weight)
    all_fields = (_make_fields(key, columns) for key, columns in weights.items())
    return {fields["name"]: fields for fields in all_fields}


def _make_fields(key: tuple[str, ...], columns: dict[str, float]) -> PublishedFields:
    """Make the fields of the predictor of a run, target, task, peers and method, from the weights of its columns."""
    run, target, task, peers, method = key
    names = sorted(columns, key=lambda column: (CLASSY2011.index(column.split("@")[0]), column))
    return {
        "name": f"published/{run}-{task}-{peers}",
        "target": target,
        "task": task,
        "peers": peers,
        "fitter": _METHODS[method],
        "columns": tuple(names),
        "formula": Linear(tuple(columns[name] for name in names), 0.0),
        "references": {"own_system": (4,), "own_human": (3,), "earlier": (4,) if task == "B" else (0,)},
        "training": {
            "years": ("TAC 2010",),
            "source": "Rankel (2016), Tables 5.2 and 5.3",
            "scale": "none published",
        },
    }
