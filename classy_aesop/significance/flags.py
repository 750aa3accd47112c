"""Why a result lacks a value, a p-value or an interval: the flags that several modules use.

A p-value with a flag is 1 and does not come from a test.
"""

TOO_FEW_TOPICS = "fewer than two topics"
TOO_FEW_CLUSTERS = "all topics in one cluster"
NO_DIFFERENCE = "no difference"

CONSTANT_DIFFERENCE = "constant difference"
"""All differences are equal, so that their variance is not estimated; exact signed ranks need none."""

NOT_CONNECTED = "not connected"
"""Systems that no topics link, whose means cannot be compared."""

NO_DEGREES_OF_FREEDOM = "no degrees of freedom left"

TWO_SYSTEMS = "two systems"
"""The correlation of two points is 1 or -1."""

ONE_SYSTEM = "one system"
ONE_TOPIC = "one topic"

UNDEFINED_CORRELATION = "undefined correlation"
"""The scores of a metric, or those of humans, are constant."""

EQUALLY_LONG = "all outputs are equally long"
MIN_LONGER = 3
"""Topics, or comparisons, in which each output of two has to be the longer one."""

NO_OVERLAP = f"of two systems one has the longer output fewer than {MIN_LONGER} times"
