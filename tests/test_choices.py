"""Names that an argument may have are types, which editors and mypy know, with the names of their registries.

Where other packages may add names (features, fitters, baselines, readers) a type would refuse them: those are `str`.
"""

import builtins
import inspect
import re
from collections import ChainMap, defaultdict
from pathlib import Path
from typing import Any, get_args

import pandas as pd
import pytest

import classy_aesop
from classy_aesop.answers import (
    answer_options,
    score_matrices,
    selection,
)
from classy_aesop.baselines import rouge_metrics
from classy_aesop.data import leaks
from classy_aesop.features import counts
from classy_aesop.significance import choices
from classy_aesop.text import sentence_splitting, stems, tokens

REGISTRIES = [
    (sentence_splitting.Sentences, sentence_splitting.SENTENCES),
    (tokens.Tokenizer, tokens.TOKENIZERS),
    (stems.Stemming, stems.STEMMERS),
    (leaks.Copies, leaks.COPIES),
    (counts.References, counts.REFERENCE_CHOICES),
    (rouge_metrics.RougeMetric, rouge_metrics.MATCHES_BY_NAME),
    (rouge_metrics.Statistic, rouge_metrics.ROUGE_STATISTICS),
    (rouge_metrics.Aggregate, rouge_metrics.AGGREGATES),
    (selection.PeerSet, selection.PEER_SETS),
    (score_matrices.PairSet, score_matrices.PAIR_SETS),
    (answer_options.Gate, answer_options.GATES),
    (choices.SystemTest, tuple(answer_options.TESTS_OF_SYSTEMS)),
    (choices.Means, choices.MEANS),
    (answer_options.IntervalMethod, answer_options.INTERVALS),
    (answer_options.Population, answer_options.POPULATIONS),
]

TYPED = {
    "test": choices.Test,
    "coefficient": choices.Coefficient,
    "scale": choices.Scale,
    "sentences": sentence_splitting.Sentences,
    "tokenizer": tokens.Tokenizer,
    "stemming": stems.Stemming,
    "statistics": rouge_metrics.Statistic,
    "copies": leaks.Copies,
    "among": score_matrices.PairSet,
}
"""Arguments that have one meaning wherever they are, and what they may be."""

ADDITIVE = {"power": {"test": choices.SystemTest}}
ADDITIVE |= {name: {"test": choices.SystemTest, "scale": str} for name in ("compare", "compare_pairs")}
OF_METRICS = {"evaluate_pairs": {"test": choices.TestOfMetrics}}
OTHER_TESTS = ADDITIVE | OF_METRICS
"""Functions whose test may be the additive model too, or is of two metrics; or whose scale has ends or words."""

CHECKED = ("Config", "Predictor")
"""What files hold, whose readers check the names, and what the package calls with names that it has checked."""


def public():
    """Give each public function and class, and the methods of these, by name."""
    for name in set(classy_aesop.__all__) - {"__version__", "DataWarning", "UsageError"}:
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
    typed = TYPED | OTHER_TESTS.get(name, {})
    for argument in typed.keys() & types.keys():
        assert list(dict.fromkeys(names_in(types[argument]))) == list(get_args(typed[argument])), argument


ROWS = pd.DataFrame({"topic": [1, 2, 3] * 6, "system": sorted("abcdef" * 3), "rater": list("xyz") * 6})
ROWS = ROWS.assign(
    text="It rained all day.", reference="Rain fell.", m=range(18), quality=[5, 4, 2, 3, 1, 5] * 3
)
CORPUS = classy_aesop.Corpus.from_rows(ROWS.drop(columns=["rater", "m"]))
ONE, HUMAN = ROWS[["topic", "system", "m"]], ROWS[["topic", "system", "quality"]]
BOTH = [ONE, ONE.rename(columns={"m": "n"})]
RATED = ROWS[["topic", "system", "rater", "quality"]]
LISTS = (["It rained."], ["Rain fell."])
FILE = Path(classy_aesop.__file__).parent / "sample" / "2021"
CALLS = {
    **dict.fromkeys(["FeatureOptions", "Selection", "Rouge"], ()),
    **dict.fromkeys(["Predictor.predict", "Predictor.explain", "Rouge.table", "feature_table", "rouge"], (CORPUS,)),
    **dict.fromkeys(["Rouge.score_all", "score", "summary_features"], LISTS),
    **dict.fromkeys(["assessors", "rater_reliability"], (RATED,)),
    **dict.fromkeys(["compare", "compare_pairs"], (ONE, "m")),
    "evaluate_pairs": (BOTH, HUMAN, "quality"),
    **dict.fromkeys(["estimate", "estimate_differences"], (HUMAN,)),
    **dict.fromkeys(["read_humans", "read_scores"], (FILE / "judgments.jsonl",)),
    **dict.fromkeys(["read_corpus", "Stream"], (FILE,)),
    "evaluate": (ONE, HUMAN),
    "evaluate_bias": (ONE, HUMAN),
    "power": (ONE[:6], "m"), "score_baselines": (CORPUS,),
}  # fmt: skip

NEEDED = {
    **{name: {"jackknife": False} for name in ("Rouge.table", "rouge", "score_baselines")},
    **{name: {"target": "quality"} for name in ("estimate", "estimate_differences")},
}
KNOWN = {
    "layout": "(jsonl|table)", "metric": "(m|quality|ROUGE-2)", "target": "(m|quality)",
    "baseline": "(a|m)", "systems": "a", "names": "r2", "baselines": "rouge", "predictor": "published/news-content",
    "estimator": "plain", "population": "at-hand",
}  # fmt: skip
"""Keywords of names that are no type, with a name that the answer to an unknown one lists."""

NAMED = {
    (name, argument, names_in(hint)[0] if names_in(hint) else KNOWN.get(argument))
    for name in CALLS
    for argument, hint in types_of(PUBLIC[name]).items()
    if names_in(hint) or argument in KNOWN
}
NAMED |= {
    (name, one, KNOWN[one])
    for name in ("estimate", "estimate_differences")
    for one in ("estimator", "population")
} | {("power", "population", KNOWN["population"])}
NAMED -= {one for one in NAMED if one[0].startswith("estimate") and one[1] == "metric"}
NAMED -= {
    one for one in NAMED if one[0] in ("estimate", "estimate_differences", "power") and one[1] == "predictor"
}


@pytest.mark.parametrize(("name", "argument", "known"), sorted(NAMED))
def test_an_unknown_name_is_answered_with_the_known(name, argument, known):
    several = {"systems": ["nonsense", "a"], "statistics": ["nonsense"]}
    how = {**NEEDED.get(name, {}), argument: several.get(argument, "published/nonsense")}
    own, _, method = name.partition(".")
    thing = getattr(classy_aesop, own)
    if method:
        thing = getattr(thing() if own == "Rouge" else thing.load("published/news-content"), method)
    parameters = list(inspect.signature(thing).parameters)
    arguments = CALLS[name][: parameters.index(argument)]
    with pytest.raises(ValueError, match=rf"(?s)nonsense.*\b{known}\b"):
        thing(*arguments, **how)


def test_every_name_that_is_a_type_is_tried():
    untried = {name for name, one in PUBLIC.items() if any(map(names_in, types_of(one).values()))} - {*CALLS}
    assert untried == {
        "Stream.table",
        "SubsetSearchRegressor",
        "SummaryFeatures",
    }  # no names; checked by `fit`


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*no difference can be significant:classy_aesop.errors.DataWarning")
def test_one_name_is_a_list_of_one_and_several_tables_are_one():
    names, lists = (
        {"level": "system", "coefficient": "pearson"},
        {"level": ["system"], "coefficient": ["pearson"]},
    )
    wide = ONE.merge(BOTH[1])
    found = classy_aesop.evaluate(BOTH, [HUMAN], **names).table
    assert found.equals(classy_aesop.evaluate(wide, HUMAN, **lists).table)
    few = (HUMAN, "quality")
    found = classy_aesop.evaluate_pairs(BOTH, *few, n_resamples=99, **names).table
    again = classy_aesop.evaluate_pairs(wide, *few, n_resamples=99, **lists).table
    assert found.equals(again)
    parts = [ONE[ONE["topic"] < 2], ONE[ONE["topic"] >= 2]]
    for function in (classy_aesop.compare, classy_aesop.compare_pairs):
        assert function(parts, "m").table.equals(function(ONE, "m").table)
    with pytest.raises(ValueError, match="table 2: 1 a: m is in another of the files too"):
        classy_aesop.evaluate([ONE, ONE], HUMAN)
