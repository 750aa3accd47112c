"""Options are declared once: the same names, defaults and limits in Python, on the command line and in signatures."""

import dataclasses
import inspect
import typing

import pytest

from classy_aesop.answers.answer_options import (
    BiasOptions,
    CorrelationOptions,
    EstimateOptions,
    MetricPairTest,
    PairTest,
    PlanTest,
    RatingOptions,
)
from classy_aesop.answers.assessors import assessors
from classy_aesop.answers.bias import evaluate_bias
from classy_aesop.answers.estimates import estimate, estimate_differences
from classy_aesop.answers.metric_pairs import evaluate_pairs
from classy_aesop.answers.metrics import evaluate
from classy_aesop.answers.systems import compare, compare_pairs
from classy_aesop.answers.topic_plans import power
from classy_aesop.cli import program
from classy_aesop.errors import UsageError
from classy_aesop.work.options import declared_options


def test_the_command_line_has_the_options_of_the_dataclass():
    asked = program.parser().parse_args(["compare", "x", "--metric", "m"])
    for declared in declared_options(PairTest):
        assert getattr(asked, declared.name) == declared.default
        assert asked.command.options[declared.name] == declared


@pytest.mark.parametrize(
    ("function", "options", "missing"),
    [
        (compare, PairTest, {"equivalence"}),  # a ranking has no margin
        (compare_pairs, PairTest, set()),
        (power, PlanTest, set()),
        (evaluate, CorrelationOptions, set()),
        (evaluate_bias, BiasOptions, set()),
        (evaluate_pairs, MetricPairTest, set()),
        (assessors, RatingOptions, set()),
        (estimate, EstimateOptions, set()),
        (estimate_differences, EstimateOptions, set()),
    ],
)
def test_keywords_of_functions_are_the_options_of_the_dataclass(function, options, missing):
    """Names, defaults and types."""
    parameters = inspect.signature(function).parameters
    for field in dataclasses.fields(options):
        if field.name not in missing:
            parameter = parameters[field.name]
            assert parameter.default == field.default
            is_written = isinstance(parameter.annotation, str)
            types = {field.name: field.type} if is_written else typing.get_type_hints(options)
            assert parameter.annotation == types[field.name]
    assert missing.isdisjoint(parameters)


COMMANDS = {
    "compare": [compare, compare_pairs],
    "evaluate": [evaluate, evaluate_bias, evaluate_pairs],
    "assessors": [assessors],
    "power": [power],
    "estimate": [estimate, estimate_differences],
}
OF_PYTHON_ALONE = {
    *("progress", "humans", "among"),  # --quiet; who is human stands in the files; --mixed
    *("scores", "judgments", "data"),  # arguments of commands, by what they hold
}


@pytest.mark.parametrize(
    ("command", "function"), [(name, one) for name, functions in COMMANDS.items() for one in functions]
)
def test_every_keyword_of_a_function_is_a_flag_of_its_command(command, function):
    """One name for an option in Python and on the command line, which signatures take from the flag."""
    asked = program.parser().parse_args([command, "x"])
    options = asked.command.options
    flags = {flag for option in options.values() for flag in (*option.option_strings, f"--{option.name}")}
    for name in inspect.signature(function).parameters:
        if name not in OF_PYTHON_ALONE:
            assert f"--{name.replace('_', '-')}" in flags, name


@pytest.mark.parametrize(("name", "value"), [("alpha", 2), ("n_resamples", 0), ("seed", -1), ("seed", 0.5)])
def test_limits_hold_in_python_and_on_the_command_line(name, value, capsys):
    with pytest.raises(UsageError, match=f"{name} is {value}; expected"):
        PairTest(**{name: value})
    flag = name.replace("_", "-")
    with pytest.raises(SystemExit):
        program.parser().parse_args(["compare", "x", "--metric", "m", f"--{flag}={value}"])
    assert "expected" in capsys.readouterr().err


def test_a_signature_names_no_random_numbers_of_tests_that_draw_none():
    assert PairTest(seed=3).recorded_options()["seed"] is None
    assert PairTest(equivalence=(-0.5, float("inf"))).recorded_options()["equivalence"] == "-0.5,inf"


@pytest.mark.parametrize("word", ["summary", "segment"])
def test_words_of_papers_are_levels_and_it_is_said(word, caplog):
    with caplog.at_level("INFO", "classy_aesop"):
        options = CorrelationOptions(level=[word, "system"])
    assert options.level == ["input", "system"]
    assert caplog.messages == [f"level {word} is input: correlations within topics, averaged"]
    with pytest.raises(UsageError, match=r"level is 'sentence'; expected one of .*, summary, segment"):
        CorrelationOptions(level="sentence")
