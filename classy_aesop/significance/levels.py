"""The levels of a correlation with human scores; without numpy, so that the command line can offer them."""

LEVELS = ("system", "input", "global", "centred")
"""Of the summarizers' means over topics; within each topic, then their mean; over all instances; over all instances
less their topic's mean."""

ALL_LEVELS = (*LEVELS, "within_system")
"""Also within each summarizer, over its topics, then their mean; given where it is asked for."""
