"""Options and data of all tests.

``--shared DIR`` names the folder of judged summaries and oracles that some tests read; without it they are skipped,
and named by ``-rs``. ``--slow`` also runs the tests marked ``slow``: all 8,191 subsets of the sample, many seeds,
studies, what README and docs show. A test marked ``slow(after=N)`` runs its first N cases without it. ``.ci/run`` gives
both options.
"""

import gc
import json
import os
import reprlib
import shutil
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

collect_ignore = []

MOST_IN_A_NAME = 60
"""Characters of a text that a case is named by."""

# Before numpy is loaded: the tests share the processors by themselves (``-n``). What the user has set stays.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")


def pytest_addoption(parser):
    parser.addoption(
        "--shared",
        type=os.path.abspath,
        metavar="DIR",
        help="folder with oracles/ and data/ for the tests on real data",
    )
    parser.addoption("--slow", action="store_true", help="run the tests marked slow too")


def pytest_configure(config):
    if not config.getoption("--slow"):
        collect_ignore.extend(["test_round_trips.py", "baselines/test_bounds.py"])
        config.pluginmanager.set_blocked("hypothesispytest")  # at the end it would import hypothesis


def pytest_make_parametrize_id(val):
    """Name cases of long texts by their ends: names stand in the environment of a test, which has a limit."""
    return reprlib.repr(val) if isinstance(val, str | bytes) and len(val) > MOST_IN_A_NAME else None


def pytest_collection():
    gc.disable()  # next to nothing of what is collected can be freed


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Leave out what is slow, before the order is made random: the first cases are those that stand first."""
    if not config.getoption("--slow"):
        leave_out_slow(config, items)
    return (yield)


def leave_out_slow(config, items):
    n_cases, kept, slow = Counter(), [], []
    for item in items:
        marker = item.get_closest_marker("slow")
        function = item.nodeid.partition("[")[0]
        n_cases[function] += 1
        quick = marker is None or n_cases[function] <= marker.kwargs.get("after", 0)
        (kept if quick else slow).append(item)
    config.hook.pytest_deselected(items=slow)
    items[:] = kept


def pytest_terminal_summary(terminalreporter, config):
    if not config.getoption("--slow"):
        terminalreporter.write_line("The slow tests were left out: --slow runs them.")


@pytest.fixture(scope="session", autouse=True)
def elsewhere(tmp_path_factory):
    """Work in an empty folder, where a relative path finds nothing and nothing is left; programs find this package."""
    place = tmp_path_factory.mktemp("elsewhere")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        patch.setenv("PYTHONPATH", str(ROOT))
        patch.setenv("HYPOTHESIS_STORAGE_DIRECTORY", str(tmp_path_factory.mktemp("hypothesis")))
        yield
    assert os.listdir(place) == [], "a test wrote to the working directory"


@pytest.fixture(scope="session")
def shared(request):
    folder = request.config.getoption("--shared")
    if folder is None:
        pytest.skip("reads the shared folder of oracles and judged summaries: give it by --shared DIR")
    return Path(folder)


YEARS = ("2021", "2022", "2023")


@pytest.fixture(scope="session")
def made():
    """Three small made-up years by name: five topics, six systems, four people, tasks A and B."""
    from benchmarks.made_up import generate

    return {name: generate(3, year=name, n_topics=5, n_systems=6, n_humans=4) for name in YEARS}


@pytest.fixture(scope="session")
def corpora(made):
    """The same as corpora in memory. Only to be read."""
    from benchmarks.made_up.corpora import corpus_of_records

    return {name: corpus_of_records(year.summaries, year.judgments) for name, year in made.items()}


@pytest.fixture(scope="session")
def small(made, tmp_path_factory):
    """The same as folders of JSON lines, with two experiments: all runs of 2011, or one. Only to be read."""
    place = tmp_path_factory.mktemp("small")
    for name, year in made.items():
        (place / name).mkdir()
        for part in ("summaries", "judgments"):
            rows = "".join(json.dumps(row) + "\n" for row in getattr(year, part))
            (place / name / f"{part}.jsonl").write_text(rows)
    years = "".join(f'[[years]]\nname = "{name}"\npath = "{name}"\n' for name in YEARS)
    search = '[search]\nnames = ["r2", "coverage", "redundancy1", "neg_log2_sentences"]\n'
    (place / "small.toml").write_text(f'preset = "classy2011"\n{years}{search}')
    run = '[[runs]]\nname = "6"\ntarget = "responsiveness"\nfitter = "nonnegative"\ntasks = ["A"]\n'
    (place / "one.toml").write_text(f'{years}{search}method = "classy2011"\n{run}peers = ["all_peers"]\n')
    return place


@pytest.fixture
def folder(small, tmp_path):
    """A copy of them, to be changed and written into."""
    return shutil.copytree(small, tmp_path, dirs_exist_ok=True)
