"""Pictures for notebooks and reports: functions that take a table or a result, and the axes to draw on.

Each takes optional matplotlib axes, draws on new ones without them, and returns them. A table that lacks a column or
has no row is an `InputError`. The colours of Okabe and Ito can be distinguished by the colour-blind; shapes differ too.
matplotlib is an extra: ``pip install matplotlib jinja2``.
"""

from classy_aesop.plots.pictures import contributions, curves, forest, heatmap, pairs, scatter

__all__ = ["contributions", "curves", "forest", "heatmap", "pairs", "scatter"]
