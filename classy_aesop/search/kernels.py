"""Which kernel searches which fitter."""

from __future__ import annotations

from typing import Any

from classy_aesop.fitters import (
    CanonicalRegression,
    NonNegativeRegression,
    RidgeRegression,
    RobustRegression,
)
from classy_aesop.search.base import Kernel
from classy_aesop.search.canonical import CanonicalKernel
from classy_aesop.search.nonnegative import NonNegativeKernel
from classy_aesop.search.plain import NoKernel
from classy_aesop.search.ridge import RidgeKernel
from classy_aesop.search.robust import RobustKernel

KERNELS: dict[type, type[Kernel]] = {
    CanonicalRegression: CanonicalKernel,
    NonNegativeRegression: NonNegativeKernel,
    RidgeRegression: RidgeKernel,
    RobustRegression: RobustKernel,
}
"""The batched kernel of each fitter; any other regressor is searched by a plain loop."""


def kernel_of(fitter: Any) -> type[Kernel]:
    """Return the kernel of a fitter's own class (a subclass may solve something else), or that of the plain loop."""
    return KERNELS.get(type(fitter), NoKernel)
