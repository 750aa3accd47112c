"""The page of names that options and configurations choose from, from the registries of the package."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import partial

from classy_aesop.baselines import BASELINES
from classy_aesop.config.keys import RUN_PRESETS
from classy_aesop.fitters import FITTERS
from classy_aesop.formulas import FORMULAS
from classy_aesop.papers import STUDIES
from classy_aesop.predictor.base import Predictor
from classy_aesop.predictor.published import all_published, read_ready_predictors
from classy_aesop.significance.correlations.coefficients import ALL_COEFFICIENTS
from classy_aesop.significance.metrics.metric_tests import METRIC_TESTS
from classy_aesop.significance.multiplicity.corrections import CORRECTIONS
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS
from classy_aesop.significance.pairs.signed_ranks import RECIPES, Recipe
from docs.reference.markdown import code, codes, described, first_line, table

_HEAD = """# Names

What options of the commands and keys of a configuration choose from by name. [Features](features.md) and
[layouts and formats](reference-files.md) have pages of their own. Other installed packages
[may add](architecture.md#where-each-thing-is-added) to them."""


def names_page() -> str:
    """Write the page."""
    sections = {
        "Fitters": _fitters(),
        "Runs of a preset": _presets(),
        "Predictors that come with the package": _predictors(),
        "Kinds of predictors": _first_lines(FORMULAS),
        "Baselines": _first_lines(BASELINES) + "\n\nMore on each: [baselines](baselines.md).",
        "Coefficients of correlation": _first_lines(ALL_COEFFICIENTS),
        "Tests of two summarizers": _pair_tests(),
        "How tests of two summarizers are computed": _recipes(),
        "Tests of two metrics": _metric_tests(),
        "Corrections for many tests": _first_lines(CORRECTIONS),
        "Studies": _studies(),
    }
    return "\n\n".join([_HEAD, *(f"## {title}\n\n{text}" for title, text in sections.items())]) + "\n"


def _first_lines(registry: Mapping[str, object]) -> str:
    return table(["name", "is"], [[code(name), _line(one)] for name, one in registry.items()])


def _line(thing: object) -> str:
    """Give the first line of a docstring, and the options that a partial function adds."""
    if not isinstance(thing, partial):
        return first_line(thing) if getattr(thing, "__doc__", None) else "p as it is."
    options = codes(f"{name}={value!r}" for name, value in thing.keywords.items())
    return f"{first_line(thing.func)} With {options}."


def _fitters() -> str:
    rows = [
        [code(name), first_line(fitter), code("best") if fitter.tried_by_best else ""]
        for name, fitter in FITTERS.items()
    ]
    text = (
        "A run without a list of fitters tries those of `best`: "
        "[the method](method.md), [prediction](prediction.md)."
    )
    return f"{text}\n\n{table(['name', 'is', 'tried by'], rows)}"


def _presets() -> str:
    rows = [
        [code(name), code(run.label), run.target, run.task, code(run.peers), code(run.fitter)]
        for name, runs in RUN_PRESETS.items()
        for run in runs
    ]
    return table(["preset", "predictor", "target", "task", "peers", "fitter"], rows)


def _predictors() -> str:
    made = [Predictor.load(name) for name in (*read_ready_predictors(), *all_published())]
    names = [*read_ready_predictors(), *all_published()]
    rows = [
        [code(name), one.target, one.task or "any", code(one.peers), code(one.fitter), str(len(one.columns))]
        for name, one in zip(names, made, strict=True)
    ]
    return table(["name", "target", "task", "peers", "fitter", "columns"], rows)


def _pair_tests() -> str:
    rows = [[code(name), test.about] for name, test in PAIR_TESTS.items()]
    return table(["name", "is"], rows)


def _recipes() -> str:
    meanings = described(Recipe)
    rows = [
        [
            code(field.name),
            *(code(str(getattr(one, field.name))) for one in RECIPES.values()),
            meanings[field.name],
        ]
        for field in dataclasses.fields(Recipe)
    ]
    return table(["setting", *map(code, RECIPES), "meaning"], rows)


def _metric_tests() -> str:
    rows = [
        [code(name), test.about, "yes" if test.resamples else "no"] for name, test in METRIC_TESTS.items()
    ]
    return table(["name", "is", "resamples"], rows)


def _studies() -> str:
    rows = [
        [f"[{name}](reference-commands.md#study-{name})", study.help, "; ".join(study.remakes)]
        for name, study in STUDIES.items()
    ]
    return f"How to run one: [studies](studies.md).\n\n{table(['name', 'does', 'remakes'], rows)}"
