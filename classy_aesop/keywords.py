"""Keywords that a caller guesses: what a function says of one that it does not have."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, ParamSpec, TypeVar, get_type_hints

P = ParamSpec("P")
R = TypeVar("R")
Options = TypeVar("Options")

NAMES_ELSEWHERE = {
    "adjust": "correction",
    "ci": "confidence",
    "confidence_level": "confidence",
    "human": "target",
    "metrics": "metric",
    "n_boot": "n_resamples",
    "n_bootstrap": "n_resamples",
    "n_permutations": "n_resamples",
    "p_adjust": "correction",
    "random_state": "seed",
    "rng": "seed",
    "targets": "target",
}
"""What other libraries call our keywords."""


def nearest_name(name: str, names: Iterable[str]) -> str | None:
    """Return the name that one was probably meant to be, or None.

    Examples
    --------
    >>> nearest_name("judgements", ["scores", "judgments"]), nearest_name("news-content", ["published/news-content"])
    ('judgments', 'published/news-content')
    """
    known_names = list(names)
    known_as = NAMES_ELSEWHERE.get(name, name)
    if known_as in known_names:
        return known_as
    return next(iter(get_close_matches(known_as, known_names, n=1)), None)


def explain_keywords(*options: type[Any], **instead: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function answer a keyword that it does not have with what to write.

    ``options`` are dataclasses whose fields it has beside, but for those with something to write ``instead``.

    Examples
    --------
    >>> @explain_keywords(pairs="compare_pairs(scores)")
    ... def compare(scores, *, metric=None):
    ...     return scores
    >>> compare([1], pairs=True)
    Traceback (most recent call last):
    ...
    TypeError: compare() has no keyword 'pairs'; write compare_pairs(scores)
    >>> compare([1], metrics="rouge")
    Traceback (most recent call last):
    ...
    TypeError: compare() has no keyword 'metrics'; write metric=
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        """Check the keywords of each call before the function is called."""
        code = function.__code__
        by_place = code.co_varnames[: code.co_argcount]
        of_options = [
            field.name for declared in options for field in fields(declared) if field.name not in instead
        ]
        parameters = (*code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], *of_options)
        keyword_names = [name for name in parameters if name != "self"]

        @wraps(function)
        def call_with_known_keywords(*arguments: P.args, **keywords: P.kwargs) -> R:
            for name in keywords:
                if name not in parameters:
                    nearest = nearest_name(name, parameters)
                    advice = instead.get(name) or (f"{nearest}=" if nearest else "")
                    expected = f"write {advice}" if advice else f"expected {', '.join(keyword_names)}"
                    raise TypeError(f"{function.__name__}() has no keyword {name!r}; {expected}")
            if len(arguments) > len(by_place) or not keywords.keys().isdisjoint(by_place[: len(arguments)]):
                of_place = [name for name in by_place if name != "self"]
                places = f"{', '.join(of_place)} by place" if of_place else "nothing by place"
                example = f"{parameters[len(by_place)]}=" if len(parameters) > len(by_place) else "by keyword"
                raise TypeError(f"{function.__name__}() takes {places}; name the others, such as {example}")
            return function(*arguments, **keywords)

        if options:
            written = _signature_with_options(function, options, of_options)
            vars(call_with_known_keywords)["__signature__"] = written
        return call_with_known_keywords

    return decorate


def _signature_with_options(
    function: Callable[..., object], options: Iterable[type[Any]], names: Collection[str]
) -> Signature:
    """Give the signature of a function with the named fields of its options in the place of ``**options``."""
    written = signature(function)
    parameters = [
        parameter for parameter in written.parameters.values() if parameter.kind is not Parameter.VAR_KEYWORD
    ]
    for declared in options:
        types = get_type_hints(declared)
        parameters += [
            Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=types[field.name])
            for field in fields(declared)
            if field.name in names
        ]
    return written.replace(parameters=parameters)


def take_keywords(keywords: Mapping[str, Any], options: type[Options]) -> Options:
    """Make options of those of some keywords that are theirs."""
    names = {field.name for field in fields(options)}  # type: ignore[arg-type]
    return options(**{name: value for name, value in keywords.items() if name in names})
