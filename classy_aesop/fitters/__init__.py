"""Methods that find weights: scikit-learn regressors on plain arrays.

`FITTERS` names them as configurations do. A new one is a subclass of `Fitter` that writes `solve`, and its
line here.
"""

from classy_aesop.fitters.base import Fitter
from classy_aesop.fitters.canonical import CanonicalRegression
from classy_aesop.fitters.nonnegative import NonNegativeRegression
from classy_aesop.fitters.robust import RobustRegression

FITTERS: dict[str, type[Fitter]] = {
    "robust": RobustRegression,
    "nonnegative": NonNegativeRegression,
    "canonical": CanonicalRegression,
}

__all__ = ["FITTERS", "CanonicalRegression", "Fitter", "NonNegativeRegression", "RobustRegression"]
