"""Names that an argument may have are types, which editors and mypy know, with the names of their registries.

Where other packages may add names (features, fitters, baselines, readers) a type would refuse them: those are `str`.
"""

import builtins
import inspect
import re
from collections import ChainMap, defaultdict
from typing import Any, get_args

import pandas as pd
import pytest

import classy_aesop
from classy_aesop.analysis import judgments, metrics, systems, tables
from classy_aesop.baselines import rouge_metrics
from classy_aesop.data import checks
from classy_aesop.features import counts
from classy_aesop.significance import choices
from classy_aesop.text import sentences, stems, tokens

REGISTRIES = [
    (sentences.Sentences, sentences.SENTENCES),
    (tokens.Tokenizer, tokens.TOKENIZERS),
    (stems.Stemming, stems.STEMMERS),
    (checks.Copies, checks.COPIES),
    (counts.References, counts.REFERENCES),
    (rouge_metrics.RougeMetric, rouge_metrics.METRICS),
    (rouge_metrics.Statistic, rouge_metrics.STATISTICS),
    (rouge_metrics.Aggregate, rouge_metrics.AGGREGATES),
    (tables.Peers, tables.PEERS),
    (tables.Pairs, tables.PAIRS),
    (systems.Gate, systems.GATES),
    (metrics.IntervalMethod, metrics.INTERVALS),
    (judgments.Population, judgments.POPULATIONS),
]

TYPED = {
    "test": choices.Test,
    "preset": choices.Preset,
    "resample": choices.Resampling,
    "metric_test": choices.TestOfMetrics,
    "levels": choices.AnyLevel,
    "coefficients": choices.Coefficient,
    "scale": choices.Scale,
    "sentences": sentences.Sentences,
    "tokenizer": tokens.Tokenizer,
    "stemming": stems.Stemming,
    "statistics": rouge_metrics.Statistic,
    "copies": checks.Copies,
    "pairs": tables.Pairs,
}
"""Arguments that have one meaning wherever they are, and what they may be."""

CHECKED = ("Config", "Predictor", "IntervalOptions.check", "IntervalOptions.of_differences")
"""What files hold, whose readers check the names, and what the package calls with names that it has checked."""


def public():
    """Give each public function and class, and the methods of these, by name."""
    for name in set(classy_aesop.__all__) - {"__version__", "DataWarning"}:
        thing = getattr(classy_aesop, name)
        yield name, thing
        for method in vars(thing) if inspect.isclass(thing) else ():
            if not method.startswith("_") and inspect.isroutine(getattr(thing, method)):
                yield f"{name}.{method}", getattr(thing, method)


PUBLIC = dict(sorted(public()))


def types_of(thing):
    """Give the types of the arguments; what is imported for type checkers alone is anything."""
    names = ChainMap(vars(inspect.getmodule(thing)), vars(builtins), {"pd": pd}, defaultdict(lambda: Any))
    parameters = inspect.signature(thing).parameters.values()
    annotations = {one.name: one.annotation for one in parameters if one.annotation is not one.empty}
    return {
        name: eval(annotation, {}, names) if isinstance(annotation, str) else annotation
        for name, annotation in annotations.items()
    }


def names_in(hint):
    """Give the names that a type allows, also inside of a list or beside None."""
    return [name for part in get_args(hint) for name in ([part] if isinstance(part, str) else names_in(part))]


def listed(thing):
    """Give the arguments whose documentation lists what they may be, each with the list."""
    for names, found in re.findall(r"^(\w[\w, ]*) : \{(.*?)\}", inspect.getdoc(thing) or "", re.MULTILINE):
        yield from ((name, re.findall(r'"([^"]*)"', found)) for name in names.split(", "))


@pytest.mark.parametrize(("choice", "registry"), REGISTRIES)
def test_a_type_has_the_names_of_its_registry(choice, registry):
    assert get_args(choice) == tuple(registry)


@pytest.mark.parametrize("name", PUBLIC)
def test_what_the_documentation_lists_is_what_the_type_allows(name):
    types = types_of(PUBLIC[name])
    for argument, names in listed(PUBLIC[name]):
        assert sorted(names_in(types[argument])) == sorted(names), argument


@pytest.mark.parametrize("name", [name for name in PUBLIC if name not in CHECKED])
def test_an_argument_of_this_name_has_this_type_everywhere(name):
    types = types_of(PUBLIC[name])
    for argument in TYPED.keys() & types.keys():
        assert list(dict.fromkeys(names_in(types[argument]))) == list(get_args(TYPED[argument])), argument
