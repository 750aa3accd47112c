"""Ordinal regression: judgments as ordered classes, not as numbers.

Humans use a five-point scale as five words, and the step from 1 to 2 need not be that from 4 to 5. The proportional
odds model (McCullagh, 1980; statsmodels' ``OrderedModel``) supposes a latent quality X b plus logistic noise, cut
into classes by thresholds that are learned too, and maximizes the likelihood of the classes.

A choice: the prediction is not the expected class, which is no linear function, but the latent quality itself,
brought to the target's scale by least squares over the training instances. It ranks summaries the same, stays linear
and can be read.
"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from classy_aesop.fitters.base import LinearFitter
from classy_aesop.fitters.least_squares import Array, pivoted_basis
from classy_aesop.fitters.rescaling import rescale_to_target
from classy_aesop.fitters.standard import Standard

CAP = 500


class OrdinalRegression(LinearFitter):
    """Proportional odds on ordered classes of the target, its latent quality on the target's scale (McCullagh, 1980).

    Parameters
    ----------
    most_classes : int, default 20
        A target with more different values is cut into this many classes of about equal numbers of instances.

    Attributes
    ----------
    coef_, intercept_, n_features_in_
        See `LinearFitter`. A column that depends on others gets 0, and so do all where the target is constant.
    latent_ : (n_columns,)
        Weights of the latent quality, in units of the logistic noise.
    n_classes_ : int
        Number of classes.
    converged_ : bool
        Whether the likelihood stood still before the cap of iterations. It never does where a combination of columns
        orders the instances without error: then the latent weights grow without end, and only their proportions mean
        anything.
    """

    pools = ("nested",)

    def __init__(self, most_classes: int = 20) -> None:
        self.most_classes = most_classes

    def solve(self, X: Array, y: Array) -> tuple[Array, float]:
        """Return the weights and the constant; raise ValueError for less than two classes at most."""
        if self.most_classes < 2:
            raise ValueError(f"most_classes is {self.most_classes}; expected 2 or more")
        classes = ordered_classes(y, self.most_classes)
        self.n_classes_, self.converged_ = int(classes.max()) + 1, True
        self.latent_ = np.zeros(X.shape[1])
        standard = Standard.of(X)
        basis = pivoted_basis(standard.Z)
        if self.n_classes_ > 1 and basis.rank:
            onto = np.sqrt(len(X))  # orthogonal columns with mean square 1: one step length fits all
            latent, self.converged_ = proportional_odds(basis.q * onto, classes)
            self.latent_[basis.columns] = solve_triangular(basis.r, latent * onto, check_finite=False)
            self.latent_ /= standard.scale
        return rescale_to_target(X, y, self.latent_)


def ordered_classes(y: Array, most: int) -> NDArray[np.int64]:
    """Return the class (n,) of each value, from 0 in their order; beyond ``most`` different values, by quantiles.

    Examples
    --------
    >>> ordered_classes(np.array([3, 1, 2.5, 1]), 3), ordered_classes(np.array([3, 1, 2.5, 1]), 2)
    (array([2, 0, 1, 0]), array([1, 0, 1, 0]))
    """
    if np.unique(y).size > most:
        y = np.searchsorted(np.quantile(y, np.arange(1, most) / most), y, side="left").astype(float)
    return np.asarray(np.unique(y, return_inverse=True)[1], dtype=np.int64)


def proportional_odds(Z: Array, classes: NDArray[np.int64]) -> tuple[Array, bool]:
    """Return the likeliest latent weights (p,) for columns Z (n, p) and classes (n,), and whether they settled."""
    from statsmodels.miscmodels.ordinal_model import OrderedModel

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # of overflow on the way and of no convergence, which is reported
        found = OrderedModel(classes, Z, distr="logit").fit(
            method="bfgs", maxiter=CAP, gtol=1e-6, disp=False, skip_hessian=True
        )
    converged = bool(found.mle_retvals["converged"])
    return np.asarray(found.params[: Z.shape[1]], dtype=float), converged
