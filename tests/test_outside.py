"""Parts of another installed package are found by name; one that is broken is said in a line."""

import os
import re
import subprocess
import sys

import pytest

MODULE = '''
from classy_aesop import read_scores
from classy_aesop.baselines import BASELINES, jensen_shannon
from classy_aesop.reading import READERS
from classy_aesop.reading import read_jsonl
from classy_aesop.features import feature
from classy_aesop.fitters import FITTERS, RidgeRegression

@feature(kind="linguistic", group="form", source="elsewhere")
def their_feature(topic):
    """Number of tokens."""
    return topic.summaries.n_tokens.astype(float)

class Theirs(RidgeRegression):
    """A fitter."""

BASELINES["their_baseline"] = lambda corpus, *, jackknife: jensen_shannon(corpus, jackknife=jackknife)
FITTERS["their_fitter"] = Theirs
READERS["their_layout"] = read_jsonl
'''

CONFIG = """
years = [{ name = "1", layout = "their_layout" }]
runs = [{ name = "x", target = "y", fitter = "their_fitter" }]
search = { method = "classy2011", names = ["r2", "their_feature"] }
"""


@pytest.fixture
def python(tmp_path):
    """Run Python where a package is installed that declares this module as its parts."""

    def go(module, *arguments):
        (tmp_path / "their_parts.py").write_text(module)
        declared = tmp_path / "their_package-1.dist-info"
        declared.mkdir(exist_ok=True)
        (declared / "METADATA").write_text("Metadata-Version: 2.1\nName: their-package\nVersion: 1\n")
        groups = ("features", "fitters", "baselines", "readers")
        lines = "".join(f"[classy_aesop.{group}]\ntheirs = their_parts\n" for group in groups)
        (declared / "entry_points.txt").write_text(lines)
        environment = os.environ | {"PYTHONPATH": str(tmp_path)}
        command = [sys.executable, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)

    return go


@pytest.mark.slow
def test_parts_of_another_package_are_found(python, folder, tmp_path):
    command = ["-m", "classy_aesop", "features", folder / "2021", "--layout", "their_layout"]
    done = python(MODULE, *command, "--names", "their_feature", "-j", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\ttheir_feature\t" in done.stdout
    shown = python(MODULE, "-m", "classy_aesop", "evaluate", "--help-all").stdout
    assert all(re.search(rf"\b{name}\b", shown) for name in ("their_baseline", "their_layout"))
    done = python(MODULE, "-m", "classy_aesop", "baselines", folder / "2021", "-m", "their_baseline", "-q")
    assert (done.returncode, done.stderr) == (0, "")
    assert "JS-1" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("first", ["their_parts", "classy_aesop.config"])
def test_a_configuration_names_them_whichever_package_is_imported_first(python, tmp_path, first):
    (tmp_path / "theirs.toml").write_text(CONFIG)
    code = f"import {first}; from classy_aesop import read_config; read_config('theirs.toml')"
    done = python(MODULE, "-c", code)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_a_part_that_cannot_be_loaded_is_said_in_a_line(python, folder):
    broken = "import nothing_of_this_name\n"
    for command in (["baselines", "--help"], ["features", folder / "2021"]):
        done = python(broken, "-m", "classy_aesop", *command)
        assert (done.returncode, done.stdout) == (70, "")
        assert done.stderr.startswith("classy-aesop: error: an error in the program or in a package")
        assert "ValueError: entry point theirs = 'their_parts' of classy_aesop." in done.stderr
        assert done.stderr.endswith("ModuleNotFoundError: No module named 'nothing_of_this_name'\n")
    assert python(broken, "-m", "classy_aesop", "--help").returncode == 0
