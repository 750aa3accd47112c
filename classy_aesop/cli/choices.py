"""The names that options choose from, taken from the registries of the package when they are checked or shown.

A registry is imported no sooner, so the parser is made, help on the whole program is printed and a missing argument is
reported without numpy.
"""

from __future__ import annotations

import argparse
from collections.abc import Container, Iterator
from importlib import import_module
from typing import Any

from classy_aesop.outside import load_outside


class Choices:
    """What an option chooses from.

    Parameters
    ----------
    *parts : str
        Names as they are, and ``module:REGISTRY`` for all names in a dictionary or tuple of this package.
    without : container of str
        Names that are left out.
    outside : str
        What other installed packages may add to the names, see `classy_aesop.outside`.
    checked : bool
        Whether a value must be one of the names. What may be a list of names is checked by the command.
    """

    def __init__(
        self, *parts: str, without: Container[str] = (), outside: str = "", checked: bool = True
    ) -> None:
        self._parts, self._without = parts, without
        self._outside, self._checked = outside, checked

    def __iter__(self) -> Iterator[str]:
        if self._outside:
            load_outside(self._outside)
        names = (name for part in self._parts for name in _names(part))
        return (name for name in names if name not in self._without)

    def __contains__(self, value: object) -> bool:
        return not self._checked or value in tuple(self)


def _names(part: str) -> Iterator[str]:
    module, separator, registry = part.partition(":")
    yield from getattr(import_module(f"classy_aesop.{module}"), registry) if separator else (part,)


BASELINES = Choices("baselines:BASELINES", outside="baselines", checked=False)
COEFFICIENTS = Choices("significance.coefficients:COEFFICIENTS")
COPIES = Choices("corpus.copies:COPIES")
CORRECTIONS = Choices("significance.multiplicity:CORRECTIONS")
FEATURES = Choices("features:GROUPS", "features:FEATURES", outside="features", checked=False)
FORMATS = Choices("report.table:FORMATS")
INTERVALS = Choices("analysis.evaluate:INTERVALS")
INTERVAL_KINDS = Choices("significance.bootstrap:KINDS")
LAYOUTS = Choices("auto", "corpus:READERS", outside="readers")
LEVELS = Choices("significance.levels:LEVELS")
METHODS = Choices("config:METHODS")
METRIC_TESTS = Choices("significance.metric_tests:TESTS")
PAIRS = Choices("analysis.peers:PAIRS")
PAIR_TESTS = Choices("significance.pairs:TESTS")
PEERS = Choices("analysis.peers:PEERS")
PRESETS = Choices("significance.recipes:PRESETS")
PROGRAM_FORMATS = Choices("report.table:FORMATS", without=("text",))
REFERENCES = Choices("features.options:REFERENCES")
REPORTED_COEFFICIENTS = Choices("scores.correlations:COEFFICIENTS")
RESAMPLES = Choices("significance.pair_resampling:METHODS")
ROUGE_AGGREGATES = Choices("baselines.rouge_metrics:AGGREGATES")
ROUGE_METRICS = Choices("baselines.rouge:METRICS")
ROUGE_STEMMERS = Choices("baselines.rouge:STEMMERS")
SCALES = Choices("significance.alpha:SCALES")
SCORE_FORMATS = Choices("auto", "scores:READERS", outside="readers")
SENTENCES = Choices("text.sentences:SENTENCES")
TOKENIZERS = Choices("text.tokens:TOKENIZERS")
VARIANTS = Choices("studies.metric_power:VARIANTS")


def add_choice(
    parser: argparse._ActionsContainer,
    *flags: str,
    choices: Choices,
    metavar: str,
    text: str,
    otherwise: str = "%(default)s",
    **options: Any,
) -> None:
    """Add an option that chooses by name, with help that lists the names and says what happens ``otherwise``."""
    action = parser.add_argument(*flags, choices=choices, metavar=metavar, **options)
    # Set afterwards: from Python 3.14 on, argparse expands a help, and so imports the registry, when it is added.
    action.help = f"{text}: %(choices)s (default: {otherwise})"
