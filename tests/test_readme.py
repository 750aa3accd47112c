"""What the README shows is what is printed."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from classy_aesop.cli import main

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def commands():
    """Give the arguments of every classy-aesop command in the README's shell blocks, in order."""
    blocks = re.findall(r"```sh\n(.*?)```", README, flags=re.S)
    lines = [line.partition("#")[0] for block in blocks for line in block.splitlines()]
    parts = [part.split() for line in lines for part in line.split("&&")]
    return [part[1:] for part in parts if part and part[0].endswith("/classy-aesop")]


def shown():
    """Give the lines of every text block; an ellipsis stands for lines left out."""
    return [block.splitlines() for block in re.findall(r"```text\n(.*?)```", README, flags=re.S)]


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """Run the README's commands in a folder that sees the repository's; give what each printed."""
    place = tmp_path_factory.mktemp("clone")
    for name in ("configs", "data_samples"):
        (place / name).symlink_to(ROOT / name)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        (place / "out").mkdir()
        yield [run(arguments) for arguments in commands()]


def run(arguments):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(arguments) == 0, arguments
    return out.getvalue().splitlines()


def test_every_shown_line_is_printed(printed):
    every = [line for lines in printed for line in lines]
    blocks = shown()
    assert len(blocks) == 1
    for block in blocks:
        place = -1
        for line in block:
            if line and line != "...":
                assert line in every[place + 1 :], f"not printed: {line}"
                place = every.index(line, place + 1)


def test_the_python_of_the_readme_runs(printed):
    """After the commands, for it loads what they made; the working directory is theirs."""
    (block,) = re.findall(r"```python\n(.*?)```", README, flags=re.S)
    found = {}
    exec(compile(block, "README.md", "exec"), found)
    assert found["scores"]["score"].notna().all()


def test_every_picture_is_there():
    for path in re.findall(r"!\[[^]]+\]\(([^)]+)\)", README):
        assert (ROOT / path).exists()
