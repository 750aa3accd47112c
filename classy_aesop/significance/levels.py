"""The levels of a correlation with human scores; without numpy, so that the command line can offer them."""

from typing import get_args

from classy_aesop.significance.choices import AnyLevel, Level

LEVELS: tuple[Level, ...] = get_args(Level)
"""Of the summarizers' means over topics; within each topic, then their mean; over all instances; over all instances
less their topic's mean."""

ALL_LEVELS: tuple[AnyLevel, ...] = get_args(AnyLevel)
"""Also within each summarizer, over its topics, then their mean; given where it is asked for."""
