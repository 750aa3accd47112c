"""Methods that learn: scikit-learn regressors on plain arrays.

`FITTERS` names them as configurations do. A new one is a subclass of `LinearFitter` that writes `solve` (or of
`TreeFitter`) and declares what differs from the defaults of `Fitter`, and its line here.
"""

from classy_aesop.fitters.base import Fitter, LinearFitter, declared
from classy_aesop.fitters.canonical import CanonicalRegression
from classy_aesop.fitters.nonnegative import NonNegativeRegression
from classy_aesop.fitters.ridge import RidgeRegression
from classy_aesop.fitters.robust import RobustRegression
from classy_aesop.fitters.trees import BoostedTrees, ExtraTrees

FITTERS: dict[str, type[Fitter]] = {
    "robust": RobustRegression,
    "nonnegative": NonNegativeRegression,
    "canonical": CanonicalRegression,
    "ridge": RidgeRegression,
    "boosting": BoostedTrees,
    "extra_trees": ExtraTrees,
}


def searched_by(fitter: str) -> tuple[str, ...]:
    """Name the fitters that ``best`` or ``super_learner`` tries.

    For ``super_learner`` they are those of its subset search, which leaves robust regression out because it takes most
    of the time.

    Examples
    --------
    >>> searched_by("best")
    ('robust', 'nonnegative', 'canonical')
    """
    return tuple(name for name, one in FITTERS.items() if fitter in one.searched_by)


__all__ = [
    "FITTERS",
    "BoostedTrees",
    "CanonicalRegression",
    "ExtraTrees",
    "Fitter",
    "LinearFitter",
    "NonNegativeRegression",
    "RidgeRegression",
    "RobustRegression",
    "declared",
    "searched_by",
]
