"""What is done and said where the workers of a cluster fail, by futures that fail in every way."""

import warnings
from concurrent.futures import Future

import pytest

from classy_aesop.errors import DataWarning, InputError
from classy_aesop.version import __version__
from classy_aesop.work import cluster
from classy_aesop.work.cluster import Cluster, ClusterLostError, check_workers, work_on_cluster
from classy_aesop.work.workers import map_in_order, map_workers

distributed = pytest.importorskip("distributed", reason="dask is not installed (extra dask)")


class Pending(Future):
    """A future of dask, which has the name of its status."""

    status = "pending"


class Client:
    """A client whose futures give a result, or fail in a given way for some items."""

    def __init__(self, failures=(), n_workers=1, versions=None):
        self.failures = dict(failures)
        self.workers = {f"tcp://{number}": 1 for number in range(n_workers)}
        self.versions = versions
        self.scheduler = self
        self.sent = []

    def submit(self, work, item, **_):
        self.sent.append(item)
        future = Pending()
        failure = self.failures.get(item)
        if isinstance(failure, Exception):
            future.set_exception(failure)
        elif failure != "never":
            future.set_result(work(item) if failure is None else failure)
        return future

    def ncores(self):
        return self.workers

    def sync(self, function, **_):
        if isinstance(self.workers, Exception):
            raise self.workers
        return function()

    def run(self, *_, **__):
        return self.versions


@pytest.fixture
def use(monkeypatch):
    """Let a client be the cluster, waiting for hardly any time."""
    monkeypatch.setattr(cluster, "SECONDS_BETWEEN_CHECKS", 0.01)
    monkeypatch.setattr(cluster, "MAX_SECONDS_WITHOUT_WORKER", 0.05)

    def install(**options):
        client = Client(**options)
        monkeypatch.setattr(cluster, "_CLUSTERS", [Cluster(client, "HOST:1")])
        return client

    return install


def collect(*arguments, **options):
    """Collect the results and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = list(map_in_order(*arguments, **options))
    assert all(warning.category is DataWarning for warning in caught)
    return results, [str(warning.message) for warning in caught]


def test_workers_do_all_where_nothing_fails(use):
    client = use(n_workers=2)
    assert collect(abs, range(-9, 0), n_jobs=1) == (list(range(9, 0, -1)), [])
    assert client.sent == list(range(-9, 0))
    assert list(map_workers(pow, [(2, 3), (3, 2)], n_jobs=-1)) == [8, 9]
    assert len(client.sent) == 11


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (
            distributed.scheduler.KilledWorker("part", None, 3),
            "several workers ended at the same part, perhaps for lack of memory",
        ),
        (MemoryError(), "a worker has too little memory for a part"),
        (distributed.CancelledError("connection-lost"), "the scheduler stopped before the work was done"),
    ],
    ids=["killed", "memory", "stopped"],
)
def test_once_workers_cannot_do_a_part_the_rest_is_done_here(use, failure, reason):
    client = use(failures={3: failure})
    assert collect(abs, range(20), n_jobs=1) == (
        list(range(20)),
        [f"HOST:1: {reason}; what is left is done on this machine"],
    )
    assert len(client.sent) < 8


def test_without_a_worker_or_a_scheduler_the_rest_is_done_here(use):
    """A result that never comes is no longer waited for."""
    for workers, reason in (({}, "the scheduler has no worker left"), (OSError(), "the scheduler stopped")):
        client = use(failures={3: "never"})

        def items(client=client, workers=workers):
            yield from range(4)
            client.workers = workers
            yield from range(4, 9)

        results, [message] = collect(abs, items(), n_jobs=1)
        assert results == list(range(9))
        assert message.startswith(f"HOST:1: {reason}")
        assert message.endswith("; what is left is done on this machine")
        sent = list(client.sent)
        assert collect(abs, range(3), n_jobs=1) == ([0, 1, 2], [])  # nor is anything sent later
        assert client.sent == sent


def test_an_error_of_the_work_itself_ends_it(use):
    use(failures={2: InputError("line 3: no score")})
    with pytest.raises(InputError, match="line 3: no score"):
        list(map_in_order(abs, range(5), 1))


def test_workers_without_the_package_or_of_another_version_are_refused():
    check_workers(Client(versions={"tcp://a": __version__}))
    for version, message in (
        (
            ModuleNotFoundError("No module named 'classy_aesop'"),
            "tcp://b: this worker cannot load classy-aesop",
        ),
        ("0.0.1", "tcp://b: this worker has classy-aesop 0.0.1; expected"),
    ):
        with pytest.raises(ConnectionError, match=message):
            check_workers(Client(versions={"tcp://a": __version__, "tcp://b": version}))


def test_work_of_another_version_is_not_done():
    assert work_on_cluster(abs, __version__, -2) == 2
    with pytest.raises(ClusterLostError, match=f"a worker has classy-aesop {__version__}; expected 0.0.1"):
        work_on_cluster(abs, "0.0.1", -2)
