"""How the best score of a search grows with the number of features."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.plots.base import BLUE, VERMILLION, axes_for, legend

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from classy_aesop.search import SearchResult


def search_path(
    found: SearchResult | pd.DataFrame, *, corrected: float | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the best score of each size of subset; the best of all is marked.

    Parameters
    ----------
    found : SearchResult or DataFrame
        A search, or its table of the best subset of each size: ``n_names, score``.
    corrected : float, optional
        The best score less its optimism, drawn as a line.
    ax : matplotlib Axes, optional
        Where to draw.
    """
    import pandas as pd

    sizes = found if isinstance(found, pd.DataFrame) else found.best_per_size()
    ax = axes_for(sizes, ["n_names", "score"], "search_path", ax)
    scores = sizes["score"].replace([-np.inf], np.nan).to_numpy(float)
    numbers = sizes["n_names"].to_numpy()
    ax.plot(numbers, scores, "o-", color=BLUE, ms=4, lw=1.2)
    if not np.isnan(scores).all():
        best = int(np.nanargmax(scores))
        ax.plot(numbers[best], scores[best], "D", color=VERMILLION, ms=7, label=f"best: {scores[best]:.3f}")
    if corrected is not None and not np.isnan(corrected):
        ax.axhline(corrected, color=VERMILLION, lw=1, ls="--", label=f"less its optimism: {corrected:.3f}")
    ax.xaxis.get_major_locator().set_params(integer=True)  # type: ignore[call-arg]
    ax.set_xlabel("names in the subset")
    ax.set_ylabel("best score")
    legend(ax)
    return ax
