"""Two made-up years like those of the features: correlated columns with near-duplicates, three measures."""

import numpy as np
import pytest

from classy_aesop.search import Rows

GROUPS = {
    False: [[k] for k in range(13)],
    True: [[2 * k, 2 * k + 1] for k in range(6)] + [[k] for k in range(12, 19)],
}
"""The columns of each name of `year`, and of an update."""


def year(seed, *, update=False, n_summarizers=30, n_topics=20):
    """About 600 rows; 13 names with one column each, or (update) two for each of the first six."""
    rng = np.random.default_rng(seed)
    n = n_summarizers * n_topics
    who, topic = np.repeat(np.arange(n_summarizers), n_topics), np.tile(np.arange(n_topics), n_summarizers)
    content = (
        rng.normal(size=n_summarizers)[who] + rng.normal(size=n_topics)[topic] / 2 + 0.8 * rng.normal(size=n)
    )
    language = rng.normal(size=n_summarizers)[who] + 0.7 * rng.normal(size=n)
    sentences = rng.integers(2, 9, size=n)
    overlap = [
        scale * (2 + content / 2 + noise * rng.normal(size=n))
        for scale, noise in [(0.05, 0.2), (0.07, 0.15), (3, 0.2), (10, 0.2)]
    ]
    overlap.append(overlap[3] / 2 + 0.3 * rng.normal(size=n))
    overlap.append(0.9 * overlap[4] + 0.05 * rng.normal(size=n))
    redundancy = 100 + 30 * language + 10 * sentences + 5 * rng.normal(size=n)
    rest = [
        np.log2(1 + np.exp(0.3 * language + 0.1 * sentences)),
        0.3 * sentences + 0.2 * rng.normal(size=n),
        redundancy,
        0.7 * redundancy + 3 * rng.normal(size=n),
        5 + 0.1 * content + 0.2 * rng.normal(size=n),
        -np.log2(sentences),
        -np.log2(sentences) + 0.02 * rng.normal(size=n),
    ]
    earlier = [0.6 * column + 0.3 * column.std() * rng.normal(size=n) for column in overlap]
    first = [c for pair in zip(earlier, overlap, strict=True) for c in pair] if update else overlap
    Y = [
        np.clip(np.round(3 + content / 2 + 0.3 * language + 0.8 * rng.standard_t(4, size=n)), 1, 5),
        np.clip(0.3 + 0.1 * content + 0.08 * rng.normal(size=n), 0, 1),
        np.clip(np.round(3 + 0.6 * language + 0.9 * rng.normal(size=n)), 1, 5),
    ]
    made = Rows(np.column_stack([*first, *rest]), np.column_stack(Y), who, topic)
    made.X.setflags(write=False)  # shared by all tests: whoever changes something takes a copy
    made.Y.setflags(write=False)
    return made


@pytest.fixture(scope="session")
def years():
    return year(0), year(1)


@pytest.fixture(scope="session")
def update_years():
    return year(2, update=True), year(3, update=True)
