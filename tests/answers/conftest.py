"""Small score tables for the steps from tables to tests."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop.data import COLUMNS


def tidy(values, metric, *, year="2021", task="A", names=None):
    """Make a tidy table of a summarizers x topics matrix."""
    names = names or [str(number) for number in range(1, len(values) + 1)]
    rows = [
        (year, f"t{topic}", task, name, metric, score)
        for name, row in zip(names, np.asarray(values, dtype=float), strict=True)
        for topic, score in enumerate(row)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


@pytest.fixture(scope="session")
def table_of():
    return tidy


@pytest.fixture(scope="session")
def judged():
    """Matrices of people's scores and of three metrics; six summarizers on eight topics, a cell missing."""
    rng = np.random.default_rng(2)
    quality = np.arange(6)[:, None] / 2
    matrices = {name: quality + rng.normal(size=(6, 8)) for name in ("human", "m1", "m2", "m10")}
    matrices["m1"][2, 3] = np.nan
    return matrices


@pytest.fixture(scope="session")
def tables(judged):
    """The same as two tables, for tasks A and B (there with the topics turned round)."""
    parts = {
        name: [tidy(values, name), tidy(values[:, ::-1], name, task="B")] for name, values in judged.items()
    }
    scores = pd.concat([part for name in ("m1", "m2", "m10") for part in parts[name]], ignore_index=True)
    return scores, pd.concat(parts["human"], ignore_index=True)


@pytest.fixture(scope="session")
def shuffle():
    return lambda table: table.sample(frac=1, random_state=0).reset_index(drop=True)
