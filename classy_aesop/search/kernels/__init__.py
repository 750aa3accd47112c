"""Batched kernels, a module a fitter: every subset of columns fitted together with thousands of others."""

from classy_aesop.fitters import (
    CanonicalRegression,
    NonNegativeRegression,
    RidgeRegression,
    RobustRegression,
)
from classy_aesop.search.kernels.base import Kernel, Solutions, Training
from classy_aesop.search.kernels.canonical_kernel import CanonicalKernel
from classy_aesop.search.kernels.nonnegative_kernel import NonNegativeKernel
from classy_aesop.search.kernels.ridge_kernel import RidgeKernel
from classy_aesop.search.kernels.robust_kernel import RobustKernel

KERNELS: dict[type, type[Kernel]] = {
    CanonicalRegression: CanonicalKernel,
    NonNegativeRegression: NonNegativeKernel,
    RidgeRegression: RidgeKernel,
    RobustRegression: RobustKernel,
}
"""The batched kernel of each fitter; any other regressor is searched by a plain loop."""

__all__ = ["KERNELS", "Kernel", "Solutions", "Training"]


def __dir__() -> list[str]:
    return sorted(__all__)
