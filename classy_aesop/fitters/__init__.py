"""Methods that learn: scikit-learn regressors on plain arrays.

`FITTERS` names them as configurations do. A new one is a subclass of `LinearFitter` that writes `solve` (or of
`TopicFitter`, `TreeFitter`), and its line here.
"""

from classy_aesop.fitters.base import Fitter, LinearFitter, TopicFitter
from classy_aesop.fitters.canonical import CanonicalRegression
from classy_aesop.fitters.elastic_net import ElasticNetRegression
from classy_aesop.fitters.nonnegative import NonNegativeRegression
from classy_aesop.fitters.ordinal import OrdinalRegression
from classy_aesop.fitters.pairwise import PairwiseRegression
from classy_aesop.fitters.ridge import RidgeRegression
from classy_aesop.fitters.robust import RobustRegression
from classy_aesop.fitters.trees import BoostedTrees, RandomForest

FITTERS: dict[str, type[Fitter]] = {
    "robust": RobustRegression,
    "nonnegative": NonNegativeRegression,
    "canonical": CanonicalRegression,
    "ridge": RidgeRegression,
    "elastic_net": ElasticNetRegression,
    "ordinal": OrdinalRegression,
    "pairwise": PairwiseRegression,
    "boosting": BoostedTrees,
    "forest": RandomForest,
}

FITTERS_OF_2011 = ("robust", "nonnegative", "canonical")
"""Those that ``best`` chooses from."""

__all__ = [
    "FITTERS",
    "FITTERS_OF_2011",
    "BoostedTrees",
    "CanonicalRegression",
    "ElasticNetRegression",
    "Fitter",
    "LinearFitter",
    "NonNegativeRegression",
    "OrdinalRegression",
    "PairwiseRegression",
    "RandomForest",
    "RidgeRegression",
    "RobustRegression",
    "TopicFitter",
]
