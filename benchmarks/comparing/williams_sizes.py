"""Sizes of Williams' test at .05: correlations without signs, as they are, and with metrics turned first.

python benchmarks/comparing/williams_sizes.py
"""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.metrics.metric_tests import williams_t


def main() -> None:
    """Print a line for each design."""
    rng = np.random.default_rng(0)
    for n in (10, 20, 50):
        for rho in (0.0, 0.2, 0.5):
            for between in (-0.8, -0.4, 0.0, 0.5):
                matrix = np.array([[1, rho, rho], [rho, 1, between], [rho, between, 1]])
                if np.linalg.eigvalsh(matrix)[0] < 0.01:
                    continue
                counts = np.zeros(3)
                root = np.linalg.cholesky(matrix)
                for _ in range(2000):
                    r = np.asarray(np.corrcoef(root @ rng.standard_normal((3, n))))
                    r12 = r[0, 1]
                    r13 = r[0, 2]
                    r23 = r[1, 2]
                    turned = r23 * np.sign(r12) * np.sign(r13)
                    counts[0] += williams_t(abs(r12), abs(r13), abs(r23), n)[1] <= 0.05
                    counts[1] += williams_t(r12, r13, r23, n)[1] <= 0.05
                    counts[2] += williams_t(abs(r12), abs(r13), turned, n)[1] <= 0.05
                print(
                    n,
                    rho,
                    between,
                    "without signs {:.3f}, with signs {:.3f}, turned {:.3f}".format(*tuple(counts / 2000)),
                    flush=True,
                )


if __name__ == "__main__":
    main()
