"""Methods that learn: scikit-learn regressors on plain arrays.

`FITTERS` names them as configurations do. A new one is a subclass of `LinearFitter` that writes `solve` (or of
`TreeFitter`) and declares what differs from the defaults of `Fitter`, and its line here.
"""

from classy_aesop.fitters.base import Fitter, LinearFitter, get_declaration
from classy_aesop.fitters.canonical import CanonicalRegression
from classy_aesop.fitters.nonnegative import NonNegativeRegression
from classy_aesop.fitters.ridge import RidgeRegression
from classy_aesop.fitters.robust import RobustRegression
from classy_aesop.fitters.support_vectors import RankingMachine, SupportVectorRegression
from classy_aesop.fitters.trees import BoostedTrees, ExtraTrees

FITTERS: dict[str, type[Fitter]] = {
    "robust": RobustRegression,
    "nonnegative": NonNegativeRegression,
    "canonical": CanonicalRegression,
    "ridge": RidgeRegression,
    "boosting": BoostedTrees,
    "extra_trees": ExtraTrees,
    "svr": SupportVectorRegression,
    "ranking": RankingMachine,
}


def fitters_tried_by_best() -> tuple[str, ...]:
    """Name the fitters that a run by ``best`` tries; it uses the one that scores highest.

    Examples
    --------
    >>> fitters_tried_by_best()
    ('robust', 'nonnegative', 'canonical')
    """
    return tuple(name for name, fitter in FITTERS.items() if fitter.tried_by_best)


__all__ = [
    "FITTERS",
    "BoostedTrees",
    "CanonicalRegression",
    "ExtraTrees",
    "Fitter",
    "LinearFitter",
    "NonNegativeRegression",
    "RankingMachine",
    "RidgeRegression",
    "RobustRegression",
    "SupportVectorRegression",
    "fitters_tried_by_best",
    "get_declaration",
]
