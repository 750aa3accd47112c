"""The folder of judged summaries and oracles that some tests read, given by ``--shared``."""

from pathlib import Path

import pytest


def pytest_addoption(parser):
    parser.addoption(
        "--shared",
        default=None,
        metavar="DIR",
        help="folder with oracles/ and data/ for the tests on real data",
    )


@pytest.fixture(scope="session")
def shared(request):
    folder = request.config.getoption("--shared")
    if folder is None:
        pytest.skip("reads the shared folder of oracles and judged summaries: give it by --shared DIR")
    return Path(folder).resolve()
