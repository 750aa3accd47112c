"""Groups of options by the names of the parameters that take them; imported where the parser of a command is made."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from pkgutil import resolve_name
from typing import Any, NamedTuple


class OptionGroup(NamedTuple):
    """A group of options, ``module:class`` of this package, and what a function gets of it; by default the group."""

    path: str
    read: Callable[[Any], Any] | None = None

    @property
    def options(self) -> type[Any]:
        """The dataclass of the options, imported."""
        return resolve_name(f"classy_aesop.{self.path}")  # type: ignore[no-any-return]


OPTION_GROUPS: dict[str, OptionGroup] = {
    "source": OptionGroup("cli.sources:CorpusSource"),
    "streamable": OptionGroup("cli.sources:Streamable"),
    "optional_source": OptionGroup("cli.sources:OptionalCorpus"),
    "corpora_to_learn": OptionGroup("cli.corpora_to_learn:Corpora"),
    "bias_options": OptionGroup("answers.options:BiasOptions"),
    "metric_pair_test": OptionGroup("answers.options:MetricPairTest"),
    "rating_options": OptionGroup("answers.options:RatingOptions"),
    "pair_test": OptionGroup("answers.options:PairTest"),
    "planned_source": OptionGroup("cli.partly_judged:PlannedSource"),
    "plan_test": OptionGroup("answers.options:PlanTest"),
    "estimate_options": OptionGroup("answers.options:EstimateOptions"),
    "partly_judged": OptionGroup("cli.partly_judged:PartlyJudged"),
    "rating_tables": OptionGroup("cli.sources:RatingTables"),
    "score_table": OptionGroup("cli.sources:TableSource"),
    "evaluated_source": OptionGroup("cli.sources:EvaluatedSource"),
    "data": OptionGroup("cli.sources:StudySource", attrgetter("data")),
}
"""The groups by the names of the parameters that take them."""
