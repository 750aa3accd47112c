"""What contributors are told to run is there, and the workflows cover the versions of Python that are supported."""

import re
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def shell_lines():
    blocks = re.findall(r"```sh\n(.*?)```", PAGE, flags=re.S)
    return [line for block in blocks for line in block.splitlines()]


def test_scripts_of_the_page_can_be_run():
    named = {line.split()[0] for line in shell_lines() if line.startswith("scripts/")}
    assert named == {f"scripts/{script.name}" for script in (ROOT / "scripts").iterdir()}
    for name in named:
        assert (ROOT / name).stat().st_mode & stat.S_IXUSR, name
        subprocess.run(["bash", "-n", ROOT / name], check=True)


def test_check_refuses_a_room_that_is_not_there():
    done = subprocess.run([ROOT / "scripts" / "check", "cellar"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "no room cellar in classy_aesop\n")


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_run_what_is_there(workflow):
    jobs = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]
    commands = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    assert commands
    for command in commands:
        for path in re.findall(r"\.ci/\w+|scripts/\w+|\btests\b|docs\.reference", command):
            assert (ROOT / path.replace("docs.", "docs/")).exists(), command


def test_workflows_begin_with_the_oldest_python():
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "checks.yml").read_text(encoding="utf-8"))["jobs"]
    versions = jobs["tests"]["strategy"]["matrix"]["python"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f">={versions[0]}" == project["requires-python"]
    assert ".".join(map(str, sys.version_info[:2])) in versions


def test_terms_of_the_glossary_are_explained_once():
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    terms = re.findall(r"\*\*([^*]+)\*\*", re.sub(r"^#.*$", "", page, flags=re.M))
    assert len(terms) == len(set(terms)) > 30
