"""The search spread over a dask cluster; skipped where dask is not installed."""

import warnings

import numpy as np
import pytest

from classy_aesop.fitters import CanonicalRegression, NonNegativeRegression, RobustRegression
from classy_aesop.search import search_subsets

distributed = pytest.importorskip("distributed", reason="dask is not installed (extra dask)")

pytestmark = pytest.mark.slow  # starts a cluster

GROUPS = [[k] for k in range(11)]
NAMES = [f"f{k}" for k in range(11)]


@pytest.fixture(scope="module")
def cluster():
    """Two workers, each a process of its own with one thread."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a port that is taken, an event loop that is closed late
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
            ) as local,
            distributed.Client(local) as client,
        ):
            yield client


@pytest.mark.filterwarnings("ignore")  # of dask and of joblib about dask
@pytest.mark.parametrize(
    "fitter", [CanonicalRegression(), NonNegativeRegression(), RobustRegression()], ids=str
)
def test_dask_workers_against_one_process(years, cluster, fitter):
    from joblib import parallel_config

    small = [(years[0].take(slice(0, 450)), years[1])]
    ask = {"fitter": fitter, "splits": small, "groups": GROUPS, "target": 0, "names": NAMES}
    alone = search_subsets(**ask)
    with parallel_config(backend="dask"):
        spread = search_subsets(**ask, n_jobs=-1)
    for column in ("masks", "scores", "converged", "notes"):
        np.testing.assert_array_equal(getattr(spread, column), getattr(alone, column))
    assert spread.best() == alone.best()

    def has_scored():  # inner functions travel to the workers whole, which do not know this module
        from classy_aesop.work.workers import blas_controller

        return bool(blas_controller.cache_info().currsize)

    assert any(cluster.run(has_scored).values())
