"""The folder of judged summaries and oracles that some tests read, given by ``--shared``."""

import json
from pathlib import Path

import pytest


def pytest_addoption(parser):
    parser.addoption(
        "--shared",
        default=None,
        metavar="DIR",
        help="folder with oracles/ and data/ for the tests on real data",
    )
    parser.addoption(
        "--all-subsets", action="store_true", help="compare all 8,191 subsets of the sample with a plain loop"
    )


@pytest.fixture(scope="session")
def shared(request):
    folder = request.config.getoption("--shared")
    if folder is None:
        pytest.skip("reads the shared folder of oracles and judged summaries: give it by --shared DIR")
    return Path(folder).resolve()


YEARS = ("2021", "2022", "2023")


@pytest.fixture(scope="session")
def made():
    """Three small made-up years by name: five topics, six systems, four people, tasks A and B."""
    from classy_aesop.corpus.generator import generate

    return {name: generate(3, year=name, n_topics=5, n_systems=6, n_humans=4) for name in YEARS}


@pytest.fixture
def corpora(made):
    """The same as corpora in memory."""
    from classy_aesop import Corpus

    return {name: Corpus.from_records(year.summaries, year.judgments) for name, year in made.items()}


@pytest.fixture
def folder(made, tmp_path):
    """The same as folders of JSON lines, with a small experiment beside them."""
    for name, year in made.items():
        (tmp_path / name).mkdir()
        for part in ("summaries", "judgments"):
            rows = "".join(json.dumps(row) + "\n" for row in getattr(year, part))
            (tmp_path / name / f"{part}.jsonl").write_text(rows)
    years = "".join(f'[[years]]\nname = "{name}"\npath = "{name}"\n' for name in YEARS)
    search = '[search]\nnames = ["r2", "coverage", "redundancy1", "neg_log2_sentences"]\n'
    (tmp_path / "small.toml").write_text(f'preset = "classy2011"\n{years}{search}')
    return tmp_path
