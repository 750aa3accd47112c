"""What an option does where it is not given is what the function does of itself."""

import inspect

import pytest

from classy_aesop.answers.assessors import assessors
from classy_aesop.answers.metric_pairs import evaluate_pairs
from classy_aesop.answers.metrics import evaluate
from classy_aesop.answers.systems import compare, compare_pairs
from classy_aesop.answers.topic_plans import power
from classy_aesop.baselines.rouge import Rouge
from classy_aesop.baselines.topic_averages import rouge_averages
from classy_aesop.cli import program
from classy_aesop.features.counts import FeatureOptions
from classy_aesop.papers.deutsch_2021 import coverage_of_intervals, power_of_metrics
from classy_aesop.papers.rankel_2016 import power_on_mixtures

OPTIONS = {"references": "meeting"}
"""Options by the names of what they become, where these differ."""

DATA = {"metric", "target", "columns"}
"""Parameters that say what the data are, which the command line does not leave out or reads as pairs."""


@pytest.mark.slow(after=6)
@pytest.mark.parametrize(
    ("command", "function"),
    [
        ("features x", FeatureOptions),
        ("rouge x", Rouge),
        ("rouge x", rouge_averages),
        ("evaluate x x", evaluate),
        ("compare x --metric m", compare),
        ("compare x --metric m", compare_pairs),
        ("evaluate x x --pairs --target t", evaluate_pairs),
        ("assessors x", assessors),
        ("power x --metric m", power),
        ("study coverage x --target t", coverage_of_intervals),
        ("study metric-power x --target t", power_of_metrics),
        ("study mixture-power x --metric m", power_on_mixtures),
    ],
)
def test_defaults_are_those_of_the_function(command, function):
    chosen = vars(program.parser().parse_args(command.split()))
    own = {
        name if name in chosen else OPTIONS.get(name, name): parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.default is not parameter.empty and name not in DATA
    }
    shared = {name for name in own.keys() & chosen.keys() if chosen[name] is not None}
    assert shared
    assert {name: chosen[name] for name in shared} == {name: own[name] for name in shared}
