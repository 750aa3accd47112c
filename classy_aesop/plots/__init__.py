"""Pictures for notebooks and reports: functions that take a table or a result, and the axes to draw on.

Each takes optional matplotlib axes, draws on new ones without them, and returns them. A table that lacks a column or
has no row is an `InputError`. The colours of Okabe and Ito can be distinguished by the colour-blind; shapes differ too.
matplotlib is an extra: ``pip install 'classy-aesop[plots]'``.
"""

from classy_aesop.plots.clusters import clusters
from classy_aesop.plots.contributions import contributions
from classy_aesop.plots.curves import curves
from classy_aesop.plots.forest import forest
from classy_aesop.plots.heatmap import heatmap
from classy_aesop.plots.pairs import pairs
from classy_aesop.plots.power_curve import power_curve
from classy_aesop.plots.scatter import scatter
from classy_aesop.plots.search_path import search_path

__all__ = [
    "clusters",
    "contributions",
    "curves",
    "forest",
    "heatmap",
    "pairs",
    "power_curve",
    "scatter",
    "search_path",
]
