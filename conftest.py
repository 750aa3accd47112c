"""Examples in the documentation of functions read the data of this folder, wherever the tests are run.

Those that draw are skipped where matplotlib is not installed.
"""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _here(request, monkeypatch):
    if isinstance(request.node, pytest.DoctestItem):
        monkeypatch.chdir(Path(__file__).parent)
        if any(".plot(" in example.source for example in request.node.dtest.examples):
            pytest.importorskip("matplotlib")
